//! Writing a reference into a shortcut.

use std::borrow::Cow;

use super::entries::Dialect;
use crate::bytes::percent;
use crate::format::Options;
use crate::format::preserved_escapes::written_between;
use crate::format::written::{CannotWrite, Written, replaceable};
use crate::link::ParsedLink;
use crate::source::{Charset, CharsetFrom, Source};

/// Writes `reference` as the value of a key. The link keeps the spelling of segments that do not
/// change.
pub(super) fn write<'r>(
    source: &Source,
    link: &ParsedLink<'_>,
    reference: &'r str,
    _: &Options,
) -> Result<Written<'r>, CannotWrite> {
    let span = replaceable(source, link)?;
    if reference.is_empty() {
        return Err(CannotWrite::Unwritable);
    }
    let dialect = Dialect::of_source(source);
    let charset = source.charset;
    let possible = match dialect {
        Dialect::InternetShortcut if is_ansi(charset) && link.reference.is_ascii() => {
            Cow::Owned(ascii(reference))
        }
        _ => charset.percent_encode_missing(reference, ""),
    };
    let reference = in_value(dialect, &possible);
    let value = escaped(dialect, &reference);
    let old = source.decode(span);
    let write = |middle: &str| Some(escaped(dialect, middle).into_owned());
    let kept = written_between(&old, &link.reference, &reference, write);
    let written = |value: &str| Written::escaped(span, charset.encode(value), &reference);
    Ok(match kept.filter(|kept| *kept != value) {
        Some(kept) => written(&kept).or_plainly(charset.encode(&value)),
        None => written(&value),
    })
}

/// Returns true if Windows reads a document in the code page of its user, which is unknown here.
fn is_ansi(charset: Charset) -> bool {
    matches!(charset.from(), CharsetFrom::Valid | CharsetFrom::Guess)
}

/// Percent-encodes each character that is not ASCII (the URI of an IRI: RFC 3987, section 3.1).
fn ascii(reference: &str) -> String {
    encoded(reference, |_, character| !character.is_ascii())
}

/// Percent-encodes characters that a value cannot hold: control characters, spaces at its ends, and
/// a pair of quotes around it.
fn in_value(dialect: Dialect, reference: &str) -> String {
    let is_outer = |at| at == 0 || at + 1 == reference.len();
    let is_quoted = dialect == Dialect::InternetShortcut
        && matches!(reference.as_bytes(), [quote @ (b'"' | b'\''), .., last] if quote == last);
    // All spaces at an end.
    let inner = reference.trim_matches(' ');
    let start = reference.len() - reference.trim_start_matches(' ').len();
    let inner = start..start + inner.len();
    encoded(reference, |at, character| match character {
        ' ' => !inner.contains(&at),
        '"' | '\'' => is_quoted && is_outer(at),
        _ => character.is_ascii_control(),
    })
}

/// Percent-encodes, as UTF-8, each character for which `is_encoded` returns true.
fn encoded(text: &str, is_encoded: impl Fn(usize, char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        if is_encoded(at, character) {
            let mut utf8 = [0; 4];
            let bytes = character.encode_utf8(&mut utf8).bytes();
            bytes.for_each(|byte| percent::encode_byte(byte, &mut out));
        } else {
            out.push(character);
        }
    }
    out
}

/// The reference with the escapes of a value.
fn escaped(dialect: Dialect, reference: &str) -> Cow<'_, str> {
    match dialect {
        Dialect::DesktopEntry if reference.contains('\\') => reference.replace('\\', "\\\\").into(),
        _ => reference.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_value_cannot_hold_is_percent_encoded() {
        use Dialect::{DesktopEntry, InternetShortcut};
        for (reference, internet, desktop) in [
            ("a b", "a b", "a b"),
            ("  a b ", "%20%20a b%20", "%20%20a b%20"),
            (" ", "%20", "%20"),
            ("a\nb\t\0\x7F", "a%0Ab%09%00%7F", "a%0Ab%09%00%7F"),
            ("'a'b'", "%27a'b%27", "'a'b'"),
            ("\"\"", "%22%22", "\"\""),
            ("'a\"", "'a\"", "'a\""),
            ("é\u{A0}", "é\u{A0}", "é\u{A0}"),
        ] {
            assert_eq!(in_value(InternetShortcut, reference), internet);
            assert_eq!(in_value(DesktopEntry, reference), desktop);
        }
        assert_eq!(escaped(DesktopEntry, r"a\b\\"), r"a\\b\\\\");
        assert_eq!(escaped(InternetShortcut, r"a\b"), r"a\b");
    }
}
