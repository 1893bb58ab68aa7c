//! Texts of folded fields: calendars and cards, delivery reports, headers of other messages.
//!
//! A line that begins with a space continues the previous one. So nothing is guessed, and no hyphen
//! joins lines.

use super::unit::Unit;
use crate::source::Fields;

/// The mark at the start of `rest`: a fold, or in calendars and cards one of the escapes `\n` `\,`
/// `\;` `\\` (RFC 5545, sections 3.1 and 3.3.11; RFC 6350, sections 3.2 and 3.4). The space of a
/// folded header remains (RFC 5322, section 2.2.3).
pub(super) fn unit(rest: &str, fields: Fields) -> Unit {
    let blank = usize::from(fields == Fields::Directory);
    match rest.as_bytes() {
        [b'\n', b' ' | b'\t', ..] => Unit::Gap(1 + blank),
        [b'\r', b'\n', b' ' | b'\t', ..] => Unit::Gap(2 + blank),
        [b'\\', b'n' | b'N', ..] if fields == Fields::Directory => Unit::Char(2, '\n'),
        [b'\\', b',' | b';', ..] if fields == Fields::Directory => Unit::Gap(1),
        [b'\\', b'\\', ..] if fields == Fields::Directory => Unit::Char(2, '\\'),
        _ => Unit::Keep(1),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Translation;
    use super::*;

    fn unfolded(source: &str, fields: Fields) -> String {
        Translation::of_fields(source, fields).text().to_owned()
    }

    #[test]
    fn leading_space_continues_a_line() {
        let source = "a:b\r\n c\r\n\td\n  e\nf";
        assert_eq!(unfolded(source, Fields::Directory), "a:bcd e\nf");
        assert_eq!(unfolded(source, Fields::Header), "a:b c\td  e\nf");
    }

    #[test]
    fn field_escapes_are_decoded() {
        let source = "a\\, b\\;c\\\\n\\nd\\Ne\\x\\";
        assert_eq!(unfolded(source, Fields::Directory), "a, b;c\\n\nd\ne\\x\\");
        assert_eq!(unfolded(source, Fields::Header), source);
    }
}
