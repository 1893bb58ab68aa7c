//! Writing references into the cells of notebooks.

use encoding_rs::UTF_8;

use crate::bytes::Span;
use crate::format::Options;
use crate::format::json::{spelled_between, unescaped};
use crate::format::markdown::write as write_in_markdown;
use crate::format::written::{CannotWrite, Written, replaceable};
use crate::link::ParsedLink;
use crate::source::Source;

/// Writes `reference` into the place of a link: escaped for Markdown or HTML, and then for a string
/// of JSON.
pub(super) fn write<'r>(
    source: &Source,
    link: &ParsedLink<'_>,
    reference: &'r str,
    options: &Options,
) -> Result<Written<'r>, CannotWrite> {
    let span = replaceable(source, link)?;
    // JSON between systems is in UTF-8 (RFC 8259, section 8.1).
    if source.charset.encoding() != UTF_8 {
        return Err(CannotWrite::Unwritable);
    }
    let raw = source.decode(span);
    // The byte before the link shows whether a value has quotes.
    let before = span.start.checked_sub(1).map_or(b' ', |at| source.bytes[at]);
    let mut bytes = vec![before];
    bytes.extend_from_slice(unescaped(&raw).as_bytes());
    let mut inner = link.clone();
    inner.spans = smallvec::smallvec![Span::new(1, bytes.len())];
    let cell = source.with_bytes(bytes);
    let written = write_in_markdown(&cell, &inner, reference, options)?;
    if written.span != inner.extent() {
        return Err(CannotWrite::Unwritable);
    }
    let spelled = |new: &[u8]| {
        let new = String::from_utf8_lossy(new);
        spelled_between(&raw, &new).into_bytes()
    };
    let new = spelled(&written.new);
    let plain = written.plain.as_deref().map(spelled);
    let result = Written::escaped(span, new, written.reference(reference));
    Ok(match plain {
        Some(plain) => result.or_plainly(plain),
        None => result,
    })
}
