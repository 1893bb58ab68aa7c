//! References that need no proof where they are written into an attribute.

use crate::link::{Form, Language, Markup, Quoting};

/// How a reference is to be spelt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// As it is, and so it is certain to be read, whatever stands round it.
    Literal,
    /// The same but for `&`, which may have to be escaped.
    Ampersands,
    /// In a way that has to be worked out, and proved.
    Other,
}

impl Spelling {
    /// That of `reference` in an attribute's value, or in an item of one, that `before` stands before: certain if
    /// it has only ASCII characters to which neither markup nor lists give a meaning.
    pub(crate) fn of(reference: &str, markup: &Markup, before: Option<u8>) -> Self {
        let is_item = match markup.form {
            Form::Whole | Form::Canonical => false,
            Form::Item | Form::Candidate => true,
            Form::Absolute | Form::Refresh { .. } | Form::Json => return Self::Other,
        };
        let special = match markup.quoting {
            Quoting::Double => IN_VALUES | IN_DOUBLE,
            Quoting::Single => IN_VALUES | IN_SINGLE,
            Quoting::Unquoted => IN_VALUES | IN_DOUBLE | IN_SINGLE | IN_UNQUOTED | AMPERSAND,
            Quoting::Absent
            | Quoting::Content
            | Quoting::RawText
            | Quoting::Cdata
            | Quoting::Comment => return Self::Other,
        };
        // What separates items may be a character reference, and one of a number goes on in digits or a `;` if
        // it does not end in that itself.
        let begins =
            |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b'"' | b'\'' | b'=');
        if reference.is_empty()
            || markup.within.is_some()
            || markup.language != Language::Html
            || is_item && !before.is_some_and(begins)
        {
            return Self::Other;
        }
        let special = special | if is_item { IN_LISTS | AMPERSAND } else { 0 };
        // No byte ends the search: nobody could foresee which.
        let found = |found, byte| found | SPECIAL[usize::from(byte)];
        let found = reference.bytes().fold(0, found);
        if found & special != 0 {
            Self::Other
        } else if found & AMPERSAND != 0 {
            Self::Ampersands
        } else {
            Self::Literal
        }
    }
}

/// Where each byte is more than itself: see [`Spelling::of`].
const SPECIAL: [u8; 256] = {
    let mut special = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        special[byte] = match byte as u8 {
            ..=b' ' | 0x7F.. => IN_VALUES,
            b'"' => IN_DOUBLE,
            b'\'' => IN_SINGLE,
            b'=' | b'<' | b'>' | b'`' => IN_UNQUOTED,
            b',' => IN_LISTS,
            b'&' => AMPERSAND,
            _ => 0,
        };
        byte += 1;
    }
    special
};
const IN_VALUES: u8 = 1;
const IN_DOUBLE: u8 = 2;
const IN_SINGLE: u8 = 4;
const IN_UNQUOTED: u8 = 8;
const IN_LISTS: u8 = 16;
const AMPERSAND: u8 = 32;
