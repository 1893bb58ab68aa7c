//! The characters that ids keep.

use std::sync::LazyLock;

use regex::Regex;

/// A set of characters.
pub(super) struct Class(LazyLock<Option<Regex>>);

/// Ruby's `\p{Word}`: letters, marks, digits and connectors such as `_`.
pub(super) static WORD: Class =
    Class::new(|| Regex::new(r"^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]").ok());
/// Letters.
pub(super) static LETTER: Class = Class::new(|| Regex::new(r"^\p{L}").ok());
/// Letters and decimal digits.
pub(super) static LETTER_OR_DIGIT: Class = Class::new(|| Regex::new(r"^[\p{L}\p{Nd}]").ok());
/// Letters and numerals of any kind.
pub(super) static LETTER_OR_NUMERAL: Class = Class::new(|| Regex::new(r"^[\p{L}\p{N}]").ok());

impl Class {
    const fn new(regex: fn() -> Option<Regex>) -> Self {
        Self(LazyLock::new(regex))
    }

    /// Returns true if the character is a letter or a digit of ASCII, or another one in this class.
    pub(super) fn contains(&self, character: char) -> bool {
        if character.is_ascii() {
            return character.is_ascii_alphanumeric();
        }
        let regex = self.0.as_ref();
        regex.is_some_and(|it| it.is_match(character.encode_utf8(&mut [0; 4])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Known members of Unicode's categories. None of the classes has `_` or, except for letters, differs within ASCII.
    #[test]
    fn classes_have_the_categories_of_unicode() {
        let all = "é日ªⅧ٣½²①ⓐ\u{301}\u{94D}\u{93E}‿\u{200D}–😀\u{A0}";
        let of =
            |class: &Class| -> String { all.chars().filter(|&it| class.contains(it)).collect() };
        assert_eq!(of(&WORD), "é日ªⅧ٣ⓐ\u{301}\u{94D}\u{93E}‿");
        assert_eq!(of(&LETTER), "é日ª");
        assert_eq!(of(&LETTER_OR_DIGIT), "é日ª٣");
        assert_eq!(of(&LETTER_OR_NUMERAL), "é日ªⅧ٣½²①");
    }
}
