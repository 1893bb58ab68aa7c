//! What the characters of a text mean to a bare URL.

/// What an ASCII byte, or the first byte of a longer character, means inside a bare URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Part of the URL.
    Plain,
    /// Never part of it.
    Stop,
    /// Opens the brackets of this kind, an index below [`BRACKET_KINDS`].
    Open(usize),
    /// Closes them.
    Close(usize),
    /// `,` `;` `|`: part of the URL unless another URL follows.
    Separator,
    /// `'`: part of the URL unless it quotes it.
    Apostrophe,
    /// The first byte of a non-ASCII character.
    Wide,
}

/// How many kinds of brackets there are.
pub(super) const BRACKET_KINDS: usize = 3 + WIDE_BRACKETS.len();

/// The kind of `{` `}`.
pub(super) const CURLY: usize = 2;

/// Quotes and brackets beyond ASCII that stand in pairs. `’` is not among them: it is an apostrophe
/// more often than a quote.
const WIDE_BRACKETS: [(char, char); 14] = [
    ('“', '”'),
    ('«', '»'),
    ('‹', '›'),
    ('⟨', '⟩'),
    ('〈', '〉'),
    ('《', '》'),
    ('「', '」'),
    ('『', '』'),
    ('【', '】'),
    ('〔', '〕'),
    ('（', '）'),
    ('［', '］'),
    ('｛', '｝'),
    ('｢', '｣'),
];

const CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut classes = [Class::Plain; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            0..=b' ' | 0x7F | b'<' | b'>' | b'"' | b'`' | b'\\' => Class::Stop,
            b'(' => Class::Open(0),
            b')' => Class::Close(0),
            b'[' => Class::Open(1),
            b']' => Class::Close(1),
            b'{' => Class::Open(CURLY),
            b'}' => Class::Close(CURLY),
            b',' | b';' | b'|' => Class::Separator,
            b'\'' => Class::Apostrophe,
            0x80.. => Class::Wide,
            _ => Class::Plain,
        };
        byte += 1;
    }
    classes
}

/// The class of a byte of UTF-8.
pub(super) fn class(byte: u8) -> Class {
    CLASSES[usize::from(byte)]
}

/// The class of a character: never [`Class::Wide`].
pub(super) fn class_of(c: char) -> Class {
    if let Ok(byte) = u8::try_from(c)
        && byte.is_ascii()
    {
        return class(byte);
    }
    if is_wide_stop(c) {
        return Class::Stop;
    }
    for (kind, (open, close)) in (3..).zip(WIDE_BRACKETS) {
        if c == open {
            return Class::Open(kind);
        }
        if c == close {
            return Class::Close(kind);
        }
    }
    Class::Plain
}

/// White space, controls, and what is not seen or stands for something else: no one means those as
/// part of a URL. U+FFFD is what an undecodable byte became; often that was a quote.
fn is_wide_stop(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c,
            '\u{61C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFD}')
}

/// Whether a bare URL never ends with `c`: sentence punctuation, quotes, and what is opened and not
/// closed.
pub(super) fn is_trimmed(c: char) -> bool {
    match c {
        '.' | ',' | ':' | ';' | '?' | '!' | '\'' | '*' | '^' | '|' => true,
        '’' | '‘' | '‚' | '„' | '…' | '。' | '，' | '、' | '；' | '：' | '！' | '？' | '．'
        | '｡' | '､' => true,
        _ => matches!(class_of(c), Class::Open(_)),
    }
}

/// Whether `c` ends a bare URL when a non-ASCII character follows: the marks that end a clause in
/// text that sets no blanks.
pub(super) fn is_clause_mark(c: char) -> bool {
    matches!(c, '，' | '。' | '；' | '！' | '？' | '、')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_bytes_and_characters_agree() {
        for byte in 0..0x80u8 {
            assert_eq!(class(byte), class_of(char::from(byte)));
        }
        assert_eq!(class(0xE4), Class::Wide);
        assert_eq!(class_of('ä'), Class::Plain);
        assert_eq!(class_of('\u{85}'), Class::Stop);
        assert_eq!(class_of('\u{3000}'), Class::Stop);
        assert_eq!(class_of('「'), Class::Open(9));
        assert_eq!(class_of('」'), Class::Close(9));
    }

    #[test]
    fn the_end_keeps_what_urls_end_with() {
        for c in "/-=#&%+$@_~)aä✪".chars() {
            assert!(!is_trimmed(c), "{c}");
        }
        for c in ".,:;?!'*^|([{（’…。".chars() {
            assert!(is_trimmed(c), "{c}");
        }
    }
}
