//! Writing a reference where another stood.

use std::borrow::Cow;

use super::text;
use crate::document::Document;
use crate::find::{
    CssForm, CssPlace, FindOptions, Form, Language, Link, Markup, Note, Place, Quoting,
    ReferenceWithin, begins_with_reference, is_xml_char, names_entity,
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
    if let Place::Text(cue) = &link.place {
        return text::write(document, link, *cue, reference, options);
    }
    if link.notes.contains(Note::Undecodable) {
        return Err(Kept::Undecodable);
    }
    if link.spans.len() > 1 {
        return Err(Kept::Divided);
    }
    let span = link.extent();
    let old = document.decode(span);
    let charset = document.charset;
    // What the source spells by a character reference goes on being spelt so.
    let spelt = match &link.place {
        Place::Markup(markup) if takes_references(markup) => &*link.reference,
        _ => "",
    };
    let possible = charset.without_lacking(reference, spelt);
    if link
        .place
        .markup()
        .is_some_and(|it| is_beyond_xml(it, &old, &possible))
    {
        return Err(Kept::Unwritable);
    }
    let (reference, value) = match &link.place {
        Place::Markup(markup) => {
            let reference = in_form(markup.form, &possible);
            let value = in_value(markup, &old, &reference)?;
            (reference, value)
        }
        Place::Css(place) => {
            let value = in_css(place, &old, &possible)?;
            (possible.into_owned(), value)
        }
        Place::Text(_) => return Err(Kept::Text),
    };
    if holds_escape_sequence(document, span) {
        return Err(Kept::Unwritable);
    }
    Ok(Written {
        span,
        new: charset.encode(&value),
        reference,
    })
}

/// Whether it is XML, and that has no way to spell `text`, or does not say here what `old` spells: what a
/// document type says of an entity would be lost, and after a `<` a value lacks its end probably.
fn is_beyond_xml(markup: &Markup, old: &str, text: &str) -> bool {
    let is_unknown = match markup.quoting {
        Quoting::Cdata => false,
        _ => old.contains('<') || names_entity(old),
    };
    markup.language == Language::Xml && (is_unknown || !text.chars().all(is_xml_char))
}

/// Whether character references count there, as far in as the link is.
fn takes_references(markup: &Markup) -> bool {
    !matches!(markup.quoting, Quoting::RawText | Quoting::Cdata) && markup.form != Form::Json
}

/// Whether an escape sequence would go: that would change what the bytes after it mean.
pub(super) fn holds_escape_sequence(document: &Document, span: Span) -> bool {
    document.charset.encoding() == encoding_rs::ISO_2022_JP
        && document.bytes[span.range()].contains(&0x1B)
}

/// What is written into a value of markup, as the source of the document spells it.
fn in_value(markup: &Markup, old: &str, reference: &str) -> Result<String, Kept> {
    if splits(markup, reference) {
        return Err(Kept::Unwritable);
    }
    // Quotes go round the whole value, and only here the edit replaces that. XML demands them.
    if markup.quoting == Quoting::Unquoted
        && matches!(markup.form, Form::Whole | Form::Absolute)
        && (markup.language == Language::Xml || needs_quotes(reference))
    {
        let quoted = Markup {
            quoting: Quoting::Double,
            ..markup.clone()
        };
        let value = format!("\"{}\"", escaped(&quoted, old, reference));
        return in_outer(markup, old, value);
    }
    in_markup(markup, old, reference)
}

/// The URL as CSS spells it, and that as the markup round it does.
fn in_css(place: &CssPlace, old: &str, reference: &str) -> Result<String, Kept> {
    let mut out = String::with_capacity(reference.len() + 16);
    for character in reference.chars() {
        let escapes = match (place.form, character) {
            // It would end the element, or the section, that holds the sheet.
            (_, '\\' | '<' | '>') => true,
            (CssForm::Url, '"' | '\'' | '(' | ')') => true,
            (CssForm::Url, _) => character <= ' ' || character == '\x7F',
            (CssForm::String { quote }, _) => {
                character == char::from(quote) || matches!(character, '\n' | '\r' | '\x0C' | '\0')
            }
        };
        match character {
            _ if !escapes => out.push(character),
            '<' | '>' | '\0'..=' ' | '\x7F' => {
                out.push_str(&format!("\\{:x} ", u32::from(character)));
            }
            _ => out.extend(['\\', character]),
        }
    }
    match &place.markup {
        Some(markup) => in_markup(markup, old, &out),
        None => Ok(out),
    }
}

/// A part of a value as the source of the document spells it.
fn in_markup(markup: &Markup, old: &str, text: &str) -> Result<String, Kept> {
    match markup.quoting {
        Quoting::Absent => return Err(Kept::NoValue),
        Quoting::Unquoted if ends_unquoted(text) => return Err(Kept::Unwritable),
        Quoting::RawText if text.contains('<') => return Err(Kept::Unwritable),
        Quoting::Cdata if text.contains("]]>") => return Err(Kept::Unwritable),
        _ => {}
    }
    in_outer(markup, old, escaped(markup, old, text))
}

/// The same in the attribute that holds the markup, if one does.
fn in_outer(markup: &Markup, old: &str, text: String) -> Result<String, Kept> {
    match &markup.within {
        Some(outer) => in_markup(outer, old, &text),
        None => Ok(text),
    }
}

/// Whether the value would be cut elsewhere: a comma is part of a URL, and cannot be escaped, but
/// here it separates URLs.
fn splits(markup: &Markup, reference: &str) -> bool {
    match markup.form {
        Form::Item => markup.attribute == "archive" && reference.contains(','),
        Form::Candidate => reference.starts_with(',') || reference.ends_with(','),
        Form::Whole | Form::Absolute | Form::Refresh { .. } | Form::Json => false,
    }
}

/// The reference as the syntax inside the value takes it. What would end it there is not allowed in
/// a URI anyway, and means the same percent-encoded.
fn in_form(form: Form, reference: &str) -> String {
    let ends = |character: char| match form {
        Form::Whole | Form::Absolute | Form::Json => false,
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

/// Escapes the quote that would end the value, and what would begin a character reference or a tag.
fn escaped(markup: &Markup, old: &str, text: &str) -> String {
    let text = match markup.form {
        Form::Json => json_escaped(text).into(),
        _ => Cow::Borrowed(text),
    };
    let within = match markup.quoting {
        Quoting::RawText | Quoting::Cdata => return text.into_owned(),
        Quoting::Content => ReferenceWithin::Text,
        _ => ReferenceWithin::Attribute,
    };
    // XML has no `&` that stands for itself. Where the source writes `&amp;` it goes on doing so.
    let is_xml = markup.language == Language::Xml;
    let escape_all = is_xml || old.contains("&amp;");
    let is_content = markup.quoting == Quoting::Content;
    let mut out = String::with_capacity(text.len() + 16);
    for (at, character) in text.char_indices() {
        match character {
            '&' if escape_all || begins_with_reference(&text[at..], within) => {
                out.push_str("&amp;");
            }
            '"' if markup.quoting == Quoting::Double => out.push_str("&quot;"),
            '\'' if markup.quoting == Quoting::Single => out.push_str("&#39;"),
            '<' if is_content || is_xml => out.push_str("&lt;"),
            // It would end a section or an instruction that ends so, after what stands before it.
            '>' if is_content || is_xml => out.push_str("&gt;"),
            _ => out.push(character),
        }
    }
    out
}

/// The content of a string of JSON. A `<` could end the element that holds it.
fn json_escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\0'..='\x1F' | '<' => out.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => out.push(character),
        }
    }
    out
}
