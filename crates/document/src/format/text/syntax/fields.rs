//! Texts of folded fields: calendars, address cards and LDIF; in mail also delivery reports and
//! headers of other messages.
//!
//! A line that begins with a space continues the previous one. So nothing is guessed, and no hyphen
//! joins lines.

use super::unit::Unit;
use crate::source::Fields;

/// The bytes that may be marks.
pub(super) fn marks(fields: Fields) -> &'static [u8] {
    match fields {
        Fields::Directory => b"\\\r\n",
        Fields::Header | Fields::Ldif => b"\r\n",
    }
}

/// The mark at the start of `rest`: a fold, or in calendars and cards an escape.
pub(super) fn unit(rest: &str, fields: Fields) -> Unit {
    let rest = rest.as_bytes();
    match (rest, fields) {
        ([b'\\', after @ ..], Fields::Directory) => escape(after),
        // The space of a folded header remains (RFC 5322, section 2.2.3).
        (_, Fields::Header) => {
            fold_len(rest, b" \t").map_or(Unit::Keep(1), |len| Unit::Gap(len - 1))
        }
        (_, Fields::Directory) => fold_len(rest, b" \t").map_or(Unit::Keep(1), Unit::Gap),
        (_, Fields::Ldif) => fold_len(rest, b" ").map_or(Unit::Keep(1), Unit::Gap),
    }
}

/// The length of the line break at the start of `rest` and of the blank after it, which continues
/// the line.
fn fold_len(rest: &[u8], blanks: &[u8]) -> Option<usize> {
    let end = match rest {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => return None,
    };
    rest.get(end).is_some_and(|byte| blanks.contains(byte)).then_some(end + 1)
}

/// The escape of a `\` before `after`: `\n` `\,` `\;` `\\` (RFC 5545, section 3.3.11; RFC 6350,
/// section 3.4), and `\:`, which some programs write. A line may be folded within an escape.
fn escape(after: &[u8]) -> Unit {
    let fold = fold_len(after, b" \t").unwrap_or_default();
    match after.get(fold) {
        Some(b'n' | b'N') => Unit::Char(fold + 2, '\n'),
        Some(b',' | b';' | b':') => Unit::Gap(fold + 1),
        Some(b'\\') => Unit::Char(fold + 2, '\\'),
        _ => Unit::Keep(1),
    }
}

#[cfg(test)]
mod tests {
    use super::super::translation::translated;
    use super::*;
    use crate::source::TextSyntax;

    fn unfolded(source: &str, fields: Fields) -> String {
        translated(TextSyntax::Fields(fields), source)
    }

    #[test]
    fn leading_space_continues_a_line() {
        let source = "a:b\r\n c\r\n\td\n  e\nf";
        assert_eq!(unfolded(source, Fields::Directory), "a:bcd e\nf");
        assert_eq!(unfolded(source, Fields::Header), "a:b c\td  e\nf");
        assert_eq!(unfolded(source, Fields::Ldif), "a:bc\r\n\td e\nf");
    }

    #[test]
    fn field_escapes_are_decoded() {
        let source = "a\\, b\\;c\\\\n\\nd\\Ne\\x\\:f\\";
        assert_eq!(unfolded(source, Fields::Directory), "a, b;c\\n\nd\ne\\x:f\\");
        assert_eq!(unfolded(source, Fields::Header), source);
        assert_eq!(unfolded(source, Fields::Ldif), source);
    }

    #[test]
    fn a_fold_may_divide_an_escape() {
        assert_eq!(unfolded("a\\\r\n ,b\\\n\tnc\\\n \\d", Fields::Directory), "a,b\nc\\d");
    }
}
