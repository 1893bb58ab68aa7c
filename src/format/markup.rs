//! Writing into attributes and contents of markup: HTML and XML.

use std::borrow::Cow;

use crate::bytes::percent;
use crate::format::html::{ReferenceWithin, begins_with_reference};
use crate::format::written::CannotWrite;
use crate::format::xml::{is_char as is_xml_char, names_entity};
use crate::link::{Form, Language, Markup, Quoting};

/// Whether it is XML, and that has no way to spell `text`, or does not say here what `old` spells: what a
/// document type says of an entity would be lost, and after a `<` a value lacks its end probably.
pub(crate) fn is_beyond_xml(markup: &Markup, old: &str, text: &str) -> bool {
    let is_unknown = match markup.quoting {
        Quoting::Cdata => false,
        _ => old.contains('<') || names_entity(old),
    };
    markup.language == Language::Xml && (is_unknown || !text.chars().all(is_xml_char))
}

/// Whether character references count there, as far in as the link is.
pub(crate) fn takes_references(markup: &Markup) -> bool {
    !matches!(markup.quoting, Quoting::RawText | Quoting::Cdata) && markup.form != Form::Json
}

/// What is written into a value of markup, as the source of the document spells it.
pub(crate) fn in_value(markup: &Markup, old: &str, reference: &str) -> Result<String, CannotWrite> {
    if splits(markup, reference) {
        return Err(CannotWrite::Unwritable);
    }
    // Quotes go round the whole value, and only here the edit replaces that. XML demands them.
    if markup.quoting == Quoting::Unquoted
        && matches!(markup.form, Form::Whole | Form::Absolute | Form::Canonical)
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

/// A part of a value as the source of the document spells it.
pub(crate) fn in_markup(markup: &Markup, old: &str, text: &str) -> Result<String, CannotWrite> {
    match markup.quoting {
        Quoting::Absent => return Err(CannotWrite::NoValue),
        Quoting::Unquoted if ends_unquoted(text) => return Err(CannotWrite::Unwritable),
        Quoting::RawText if text.contains('<') => return Err(CannotWrite::Unwritable),
        Quoting::Comment if text.contains("--") => return Err(CannotWrite::Unwritable),
        Quoting::Cdata if text.contains("]]>") => return Err(CannotWrite::Unwritable),
        _ => {}
    }
    in_outer(markup, old, escaped(markup, old, text))
}

/// The same in the attribute that holds the markup, if one does.
fn in_outer(markup: &Markup, old: &str, text: String) -> Result<String, CannotWrite> {
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
        Form::Whole | Form::Absolute | Form::Canonical | Form::Refresh { .. } | Form::Json => false,
    }
}

/// The reference as the syntax inside the value takes it. What would end it there is not allowed in
/// a URI anyway, and means the same percent-encoded.
pub(crate) fn in_form(form: Form, reference: &str) -> String {
    let ends = |character: char| match form {
        Form::Whole | Form::Absolute | Form::Canonical | Form::Json => false,
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
pub(crate) fn needs_quotes(reference: &str) -> bool {
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
pub(crate) fn escaped(markup: &Markup, old: &str, text: &str) -> String {
    let text = match markup.form {
        Form::Json => json_escaped(text).into(),
        _ => Cow::Borrowed(text),
    };
    let within = match markup.quoting {
        Quoting::RawText | Quoting::Cdata | Quoting::Comment => return text.into_owned(),
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
