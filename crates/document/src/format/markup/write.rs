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
use crate::link::{Form, Language, Markup, Note, ParsedLink, Place, Quoting, Role};
use crate::source::{PackagePart, Source};

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
    let divided = divided_field(source, link)?;
    let span = match &divided {
        Some(_) => link.extent(),
        None => replaceable(source, link)?,
    };
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
    let old = match &divided {
        Some(_) => link.spans.iter().map(|it| source.decode(*it).into_owned()).collect(),
        None => source.decode(span),
    };
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
    if link
        .place
        .markup()
        .is_some_and(|it| is_too_long_for_excel(source, it, link.role, &reference))
    {
        return Err(CannotWrite::TooLong);
    }
    let encoded = |value: &str| {
        let mut new = charset.encode(value);
        new.extend_from_slice(divided.as_deref().unwrap_or_default());
        new
    };
    let written = |value: &str| Written::escaped(span, encoded(value), &reference);
    Ok(match kept.filter(|kept| *kept != value) {
        Some(kept) => written(&kept).or_plainly(encoded(&value)),
        None => written(&value),
    })
}

/// The bytes between the pieces of a field that runs of text divide. They follow the new reference,
/// which is in the first run then. `None` for other links.
fn divided_field(source: &Source, link: &ParsedLink<'_>) -> Result<Option<Vec<u8>>, CannotWrite> {
    let is_field = |it: &Markup| matches!(it.form, Form::Field { .. });
    if link.spans.len() < 2 || !link.place.markup().is_some_and(is_field) {
        return Ok(None);
    }
    if link.notes.contains(Note::Undecodable) {
        return Err(CannotWrite::Undecodable);
    }
    let between = link.spans.windows(2).map(|it| &source.bytes[it[0].end..it[1].start]);
    Ok(Some(between.collect::<Vec<_>>().concat()))
}

/// Returns true if Excel would not open a document with this reference: in a formula, strings have
/// at most 255 characters (Excel specifications and limits), and a hyperlink has at most 2,079.
fn is_too_long_for_excel(source: &Source, place: &Markup, role: Role, reference: &str) -> bool {
    let is_in_workbook = |it: &PackagePart| it.name.starts_with("xl/");
    let most = match place.form {
        _ if place.language != Language::Ooxml => return false,
        Form::Formula { .. } => 255,
        _ if role != Role::Navigate || place.attribute != "Target" => return false,
        _ if !source.package_part.as_deref().is_some_and(is_in_workbook) => return false,
        _ => 2079,
    };
    reference.encode_utf16().count() > most
}
