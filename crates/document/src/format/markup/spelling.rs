//! References that can be written into an attribute without checking the result.

use crate::link::{Form, Language, Markup, Quoting};

/// The way to write a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// Unchanged. It is read back whatever precedes and follows it.
    Literal,
    /// Unchanged except for `&`, which may need escaping.
    Ampersands,
    /// Escaped, and the result must be checked.
    Other,
}

impl Spelling {
    /// The way to write `reference` into an attribute's value, or an item of one, after the byte
    /// `before`. It needs no check if it has only ASCII characters without meaning in markup and
    /// lists.
    pub(crate) fn of(reference: &str, markup: &Markup, before: Option<u8>) -> Self {
        let is_item = match markup.form {
            Form::Whole => false,
            Form::Item | Form::Candidate => true,
            Form::Refresh { .. }
            | Form::Json
            | Form::Text
            | Form::Field { .. }
            | Form::Formula { .. } => return Self::Other,
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
        // The separator may be a numeric character reference. Without its own `;`, digits or `;`
        // would continue it.
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
        // The search does not stop early: branches on the byte would be mispredicted.
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

/// The places in which each byte has a meaning: see [`Spelling::of`].
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
