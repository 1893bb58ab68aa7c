//! Writing references into JSON.

use std::borrow::Cow;

use crate::format::Options;
use crate::format::json::spelled_between;
use crate::format::text::write_text;
use crate::format::written::{CannotWrite, Written, replaceable};
use crate::link::{ParsedLink, Place};
use crate::source::{Charset, Source};

/// Writes `reference` into the place of a link: as in any text, or as the whole string of a member.
pub(super) fn write<'r>(
    source: &Source,
    link: &ParsedLink<'_>,
    reference: &'r str,
    options: &Options,
) -> Result<Written<'r>, CannotWrite> {
    if matches!(link.place, Place::Text(_)) {
        return write_text(source, link, reference, options);
    }
    let span = replaceable(source, link)?;
    let new = spelled_between(&source.decode(span), reference);
    let new = with_escapes(source.charset, &new);
    Ok(Written::escaped(span, source.charset.encode(&new), reference))
}

/// The text with escapes for characters that the charset lacks.
fn with_escapes(charset: Charset, text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let mut utf8 = [0; 4];
        match charset.percent_encode_missing(character.encode_utf8(&mut utf8), "") {
            Cow::Borrowed(_) => out.push(character),
            Cow::Owned(_) => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    out
}
