//! Queries of pages in a legacy charset, as browsers send them.

use std::borrow::Cow;

use encoding_rs::{EncoderResult, Encoding};

use crate::bytes::percent;
use crate::uri::Parts;

/// Percent-encodes the non-ASCII characters of the reference's query in `encoding` (URL standard,
/// sections 4.4 "query state" and 1.3 "percent-encode after encoding"). A relative reference takes
/// its scheme from `base`. Schemes that are not special use UTF-8, whatever the charset of the
/// page.
pub(super) fn in_charset<'r>(
    reference: &'r str,
    base: Option<&str>,
    encoding: &'static Encoding,
) -> Cow<'r, str> {
    let end = reference.find('#').unwrap_or(reference.len());
    let query = reference[..end].find('?').map(|at| at + 1..end);
    let Some(query) = query.filter(|it| !reference[it.clone()].is_ascii()) else {
        return reference.into();
    };
    let scheme = Parts::split(reference).scheme;
    let scheme = scheme.or_else(|| Parts::split(base?).scheme);
    let is_special = |scheme: &str| {
        ["http", "https", "ftp", "file"].iter().any(|it| scheme.eq_ignore_ascii_case(it))
    };
    if !scheme.is_some_and(is_special) {
        return reference.into();
    }
    let mut out = reference[..query.start].to_owned();
    encode(&reference[query], encoding, &mut out);
    out.push_str(&reference[end..]);
    out.into()
}

fn encode(query: &str, encoding: &'static Encoding, out: &mut String) {
    // One encoder for the whole query: ISO-2022-JP is stateful.
    let mut encoder = encoding.new_encoder();
    let mut rest = query;
    loop {
        let mut bytes = [0; 256];
        let (result, read, written) =
            encoder.encode_from_utf8_without_replacement(rest, &mut bytes, true);
        for &byte in &bytes[..written] {
            // The URL parser percent-encodes ASCII bytes later, where needed.
            if byte.is_ascii() && byte != 0x1B && byte != 0x0E && byte != 0x0F {
                out.push(char::from(byte));
            } else {
                percent::encode_byte(byte, out);
            }
        }
        rest = &rest[read..];
        match result {
            EncoderResult::InputEmpty => return,
            EncoderResult::OutputFull => {}
            // Browsers send unmappable characters as percent-encoded character references.
            EncoderResult::Unmappable(character) => {
                out.push_str(&format!("%26%23{}%3B", u32::from(character)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_queries_of_special_schemes_are_encoded() {
        let latin9 = |reference, base| in_charset(reference, base, encoding_rs::ISO_8859_15);
        let http = Some("http://h/");
        assert_eq!(latin9("/é?c=€&d=é#€", http), "/é?c=%A4&d=%E9#€");
        assert_eq!(latin9("?日", http), "?%26%2326085%3B");
        assert_eq!(latin9("HTTPS://h/?é", None), "HTTPS://h/?%E9");
        assert_eq!(latin9("?é", Some("ws://h/")), "?é");
        assert_eq!(latin9("é#?é", http), "é#?é");
        assert_eq!(latin9("?a b", http), "?a b");
        let shift_jis = |reference| in_charset(reference, http, encoding_rs::SHIFT_JIS);
        // The second byte of this character is a backslash, which stays.
        assert_eq!(shift_jis("?ソ"), "?%83\\");
    }

    #[test]
    fn escape_sequences_of_iso_2022_jp_are_encoded_too() {
        let found = in_charset("?日a", Some("http://h/"), encoding_rs::ISO_2022_JP);
        assert_eq!(found, "?%1B$BF|%1B(Ba");
    }

    #[test]
    fn queries_longer_than_the_buffer_are_encoded() {
        let query = format!("?{}", "é".repeat(1000));
        let found = in_charset(&query, Some("http://h/"), encoding_rs::WINDOWS_1252);
        assert_eq!(found, format!("?{}", "%E9".repeat(1000)));
    }
}
