//! Writing references into JSON.

use crate::format::Options;
use crate::format::json::spelled_between;
use crate::format::text::write_text;
use crate::format::written::{CannotWrite, Written, replaceable};
use crate::link::{ParsedLink, Place};
use crate::source::Source;

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
    let reference = source.charset.percent_encode_missing(reference, "");
    let new = spelled_between(&source.decode(span), &reference);
    Ok(Written::escaped(span, source.charset.encode(&new), &reference))
}
