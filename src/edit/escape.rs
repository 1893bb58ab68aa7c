//! Writing a reference where another stood.

use super::text;
use crate::document::Document;
use crate::find::{
    FindOptions, Form, HtmlPlace, Link, Note, Place, Quoting, ReferenceWithin,
    begins_with_reference,
};
use crate::map::Kept;
use crate::span::Span;
use crate::uri::percent;

/// What to put where.
pub(super) struct Written {
    /// The bytes to replace.
    pub(super) span: Span,
    /// The bytes to put there.
    pub(super) new: Vec<u8>,
    /// The reference that they spell: what cannot stand in this place is percent-encoded in it.
    pub(super) reference: String,
}

/// Writes `reference` into the place of a link.
pub(super) fn write(
    document: &Document,
    link: &Link<'_>,
    reference: &str,
    options: &FindOptions,
) -> Result<Written, Kept> {
    let place = match &link.place {
        Place::Html(place) => place,
        Place::Text(cue) => return text::write(document, link, *cue, reference, options),
    };
    if link.notes.contains(Note::Undecodable) {
        return Err(Kept::Undecodable);
    }
    let span = link.extent();
    let old = document.decode(span);
    let charset = document.charset;
    // What the source spells by a character reference goes on being spelt so.
    let possible = charset.without_lacking(reference, &link.reference);
    let reference = in_form(place.form, &possible);
    let value = value(place, &old, &reference)?;
    if holds_escape_sequence(document, span) {
        return Err(Kept::Unwritable);
    }
    Ok(Written {
        span,
        new: charset.encode(&value),
        reference,
    })
}

/// Whether an escape sequence would go: that would change what the bytes after it mean.
pub(super) fn holds_escape_sequence(document: &Document, span: Span) -> bool {
    document.charset.encoding() == encoding_rs::ISO_2022_JP
        && document.bytes[span.range()].contains(&0x1B)
}

/// The new value, or the part of it that is the URL, as the source of the document spells it.
fn value(place: &HtmlPlace, old: &str, reference: &str) -> Result<String, Kept> {
    if splits(place, reference) {
        return Err(Kept::Unwritable);
    }
    // Where the source writes `&amp;` it goes on doing so.
    let escape_all = old.contains("&amp;");
    let quote = match place.quoting {
        Quoting::Double => Some('"'),
        Quoting::Single => Some('\''),
        // Quotes go round the whole value, and only here the edit replaces that.
        Quoting::Unquoted if place.form == Form::Whole && needs_quotes(reference) => {
            let value = escaped(reference, Some('"'), escape_all);
            return Ok(format!("\"{value}\""));
        }
        Quoting::Unquoted if place.form != Form::Whole && ends_unquoted(reference) => {
            return Err(Kept::Unwritable);
        }
        Quoting::Unquoted => None,
        Quoting::Absent => return Err(Kept::NoValue),
    };
    Ok(escaped(reference, quote, escape_all))
}

/// Whether the value would be cut elsewhere: a comma is part of a URL, and cannot be escaped, but
/// here it separates URLs.
fn splits(place: &HtmlPlace, reference: &str) -> bool {
    match place.form {
        Form::Item => place.attribute == "archive" && reference.contains(','),
        Form::Candidate => reference.starts_with(',') || reference.ends_with(','),
        Form::Whole | Form::Refresh { .. } => false,
    }
}

/// The reference as the syntax inside the value takes it. What would end it there is not allowed in
/// a URI anyway, and means the same percent-encoded.
fn in_form(form: Form, reference: &str) -> String {
    let ends = |character: char| match form {
        Form::Whole => false,
        Form::Item | Form::Candidate => character.is_ascii_whitespace(),
        Form::Refresh { quote } => quote.is_some_and(|quote| character == char::from(quote)),
    };
    let mut out = String::with_capacity(reference.len());
    for (at, character) in reference.char_indices() {
        // Without quotes round it, a URL that begins with one would be taken for quoted.
        let begins_quoted =
            at == 0 && form == Form::Refresh { quote: None } && matches!(character, '"' | '\'');
        match u8::try_from(character) {
            Ok(byte) if ends(character) || begins_quoted => percent::encode_byte(byte, &mut out),
            _ => out.push(character),
        }
    }
    out
}

/// Whether a value must be quoted (HTML standard, section 13.1.2.3).
fn needs_quotes(reference: &str) -> bool {
    let needs = |character: char| {
        character.is_ascii_whitespace() || matches!(character, '"' | '\'' | '=' | '<' | '>' | '`')
    };
    reference.is_empty() || reference.contains(needs)
}

/// Whether a value could not go on without quotes. Other characters that should be quoted read as
/// they are.
fn ends_unquoted(reference: &str) -> bool {
    reference.is_empty()
        || reference.starts_with(['"', '\''])
        || reference.contains(|it: char| it == '>' || it.is_ascii_whitespace())
}

/// Escapes the quote that would end the value, and each `&` that would begin a character reference.
fn escaped(reference: &str, quote: Option<char>, escape_all: bool) -> String {
    let mut out = String::with_capacity(reference.len() + 16);
    for (at, character) in reference.char_indices() {
        match character {
            '&' if escape_all
                || begins_with_reference(&reference[at..], ReferenceWithin::Attribute) =>
            {
                out.push_str("&amp;");
            }
            '"' if quote == Some('"') => out.push_str("&quot;"),
            '\'' if quote == Some('\'') => out.push_str("&#39;"),
            _ => out.push(character),
        }
    }
    out
}
