//! Classes of characters by their Unicode properties.

use std::sync::LazyLock;

use regex::Regex;

/// Returns true for Ruby's `\p{Word}`: letters, marks, digits and connectors such as `_`.
pub(super) fn is_word(character: char) -> bool {
    static WORD: Class = Class::new(|| Regex::new(r"^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]").ok());
    match character.is_ascii() {
        true => character == '_' || character.is_ascii_alphanumeric(),
        false => WORD.contains(character),
    }
}

/// Returns true for letters.
pub(super) fn is_letter(character: char) -> bool {
    static LETTER: Class = Class::new(|| Regex::new(r"^\p{L}").ok());
    match character.is_ascii() {
        true => character.is_ascii_alphabetic(),
        false => LETTER.contains(character),
    }
}

/// Returns true for letters and decimal digits.
pub(super) fn is_letter_or_digit(character: char) -> bool {
    static LETTER_OR_DIGIT: Class = Class::new(|| Regex::new(r"^[\p{L}\p{Nd}]").ok());
    match character.is_ascii() {
        true => character.is_ascii_alphanumeric(),
        false => LETTER_OR_DIGIT.contains(character),
    }
}

/// Returns true for letters and numerals of any kind.
pub(super) fn is_letter_or_numeral(character: char) -> bool {
    static LETTER_OR_NUMERAL: Class = Class::new(|| Regex::new(r"^[\p{L}\p{N}]").ok());
    match character.is_ascii() {
        true => character.is_ascii_alphanumeric(),
        false => LETTER_OR_NUMERAL.contains(character),
    }
}

/// Returns true for the punctuation and the symbols that CommonMark's emphasis is about.
pub(super) fn is_punctuation(character: char) -> bool {
    static PUNCTUATION: Class = Class::new(|| Regex::new(r"^[\p{P}\p{S}]").ok());
    match character.is_ascii() {
        true => character.is_ascii_punctuation(),
        false => PUNCTUATION.contains(character),
    }
}

/// A set of characters.
struct Class(LazyLock<Option<Regex>>);

impl Class {
    const fn new(regex: fn() -> Option<Regex>) -> Self {
        Self(LazyLock::new(regex))
    }

    fn contains(&self, character: char) -> bool {
        let regex = self.0.as_ref();
        regex.is_some_and(|it| it.is_match(character.encode_utf8(&mut [0; 4])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_the_categories_of_unicode() {
        let all = "a1_-.é日ªⅧ٣½²①ⓐ\u{301}\u{94D}\u{93E}‿\u{200D}–€😀\u{A0}";
        let of = |is: fn(char) -> bool| -> String { all.chars().filter(|&it| is(it)).collect() };
        assert_eq!(of(is_word), "a1_é日ªⅧ٣ⓐ\u{301}\u{94D}\u{93E}‿");
        assert_eq!(of(is_letter), "aé日ª");
        assert_eq!(of(is_letter_or_digit), "a1é日ª٣");
        assert_eq!(of(is_letter_or_numeral), "a1é日ªⅧ٣½²①");
        assert_eq!(of(is_punctuation), "_-.ⓐ‿–€😀");
    }
}
