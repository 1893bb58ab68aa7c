//! Writing a reference into a document in markup or code: HTML, XML and style sheets.

use std::borrow::Cow;

use crate::format::Options;
use crate::format::markup::css::in_css;
use crate::format::markup::spelling::Spelling;
use crate::format::markup::{
    escaped, in_form, in_markup, in_value, is_beyond_xml, needs_quotes, takes_references,
};
use crate::format::preserved_escapes::written_between;
use crate::format::written::{CannotWrite, Written, replaceable};
use crate::link::{ParsedLink, Place, Quoting, Role};
use crate::source::Source;

/// Writes `reference` into the place of a link. The link keeps the spelling of segments that do not
/// change.
pub(crate) fn write<'r>(
    source: &Source,
    link: &ParsedLink<'_>,
    reference: &'r str,
    _: &Options,
) -> Result<Written<'r>, CannotWrite> {
    if matches!(link.place, Place::Text(_)) {
        return Err(CannotWrite::OtherText);
    }
    let span = replaceable(source, link)?;
    if let Place::Markup(markup) = &link.place
        && source.charset.is_ascii_compatible()
        && link.role != Role::Base
    {
        let before = source.bytes[..span.start].last().copied();
        let spelling = Spelling::of(reference, markup, before);
        if spelling == Spelling::Literal && source.bytes[span.range()] == *link.reference.as_bytes()
        {
            return Ok(Written::literal(span, reference));
        }
        if spelling != Spelling::Other {
            let old = source.decode(span);
            let value = match spelling {
                Spelling::Literal => reference.into(),
                _ => Cow::Owned(escaped(markup, &old, reference)),
            };
            let write = |middle: &str| in_markup(markup, &old, middle).ok();
            let kept = written_between(&old, &link.reference, reference, write);
            return Ok(match kept.filter(|it| *it != value) {
                Some(kept) => Written::escaped(span, kept.into(), reference)
                    .or_plainly(value.into_owned().into()),
                None if spelling == Spelling::Literal => Written::literal(span, reference),
                None => Written {
                    is_certain: true,
                    ..Written::escaped(span, value.into_owned().into(), reference)
                },
            });
        }
    }
    let old = source.decode(span);
    let charset = source.charset;
    // Keep character references and CSS escapes of the source.
    let spelt = match &link.place {
        Place::Markup(markup) if takes_references(markup) => &*link.reference,
        Place::Css(_) => &*link.reference,
        _ => "",
    };
    let possible = charset.percent_encode_missing(reference, spelt);
    if link.place.markup().is_some_and(|it| is_beyond_xml(it, &old, &possible)) {
        return Err(CannotWrite::Unwritable);
    }
    let before = &*link.reference;
    let (reference, kept, value) = match &link.place {
        Place::Markup(markup) => {
            let reference = in_form(markup.form, &possible);
            let value = in_value(markup, &old, &reference)?;
            let write = |middle: &str| in_markup(markup, &old, middle).ok();
            let kept = match markup.quoting == Quoting::Unquoted && needs_quotes(&reference) {
                true => None,
                false => written_between(&old, before, &reference, write),
            };
            (reference, kept, value)
        }
        Place::Css(place) => {
            // CSS cannot spell a NUL.
            let reference = possible.replace('\0', "%00");
            let value = in_css(place, charset, &old, &reference)?;
            let write = |middle: &str| in_css(place, charset, &old, middle).ok();
            let kept = written_between(&old, before, &reference, write);
            (reference, kept, value)
        }
        Place::Text(_) | Place::Markdown(_) => return Err(CannotWrite::OtherText),
        Place::Field(_) => return Err(CannotWrite::Unwritable),
    };
    let written = |value: &str| Written::escaped(span, charset.encode(value), &reference);
    Ok(match kept.filter(|kept| *kept != value) {
        Some(kept) => written(&kept).or_plainly(charset.encode(&value)),
        None => written(&value),
    })
}
