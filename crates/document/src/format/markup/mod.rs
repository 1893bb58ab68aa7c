//! The common parts of HTML, XML and style sheets. This file writes into attribute values and
//! element contents.

pub(super) mod charref;
mod css;
pub(super) mod declared_encoding;
mod spelling;
pub(super) mod value;
pub(super) mod write;
pub(super) mod xml_value;

use std::borrow::Cow;

use self::charref::{Within as ReferenceWithin, begins_with_reference};
use self::xml_value::{is_char as is_xml_char, names_entity};
use crate::bytes::percent;
use crate::format::written::CannotWrite;
use crate::link::{Form, Markup, Quoting};

/// Returns true if the document is XML and cannot spell `text`, or if `old` cannot be decoded. An
/// entity of a document type would be lost, and a value with `<` probably lacks its closing quote.
pub(crate) fn is_beyond_xml(markup: &Markup, old: &str, text: &str) -> bool {
    let markup = markup.outermost();
    let is_unknown = match markup.quoting {
        Quoting::Cdata => false,
        _ => old.contains('<') || names_entity(old),
    };
    markup.language.is_xml() && (is_unknown || !text.chars().all(is_xml_char))
}

/// Returns true if character references are decoded at the link's place.
pub(crate) fn takes_references(markup: &Markup) -> bool {
    !matches!(markup.quoting, Quoting::RawText | Quoting::Cdata) && markup.form != Form::Json
}

/// The source text of a whole value.
pub(crate) fn in_value(markup: &Markup, old: &str, reference: &str) -> Result<String, CannotWrite> {
    if splits(markup, reference) {
        return Err(CannotWrite::Unwritable);
    }
    // Quotes enclose the whole value, which the edit replaces only here. XML requires them.
    if markup.quoting == Quoting::Unquoted
        && markup.form == Form::Whole
        && (markup.language.is_xml() || needs_quotes(reference))
    {
        let quoted = Markup { quoting: Quoting::Double, ..markup.clone() };
        let value = format!("\"{}\"", escaped(&quoted, old, reference));
        return in_outer(markup, old, value);
    }
    in_markup(markup, old, reference)
}

/// The source text of a part of a value.
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

/// The source text in the attribute that contains the markup, if any.
fn in_outer(markup: &Markup, old: &str, text: String) -> Result<String, CannotWrite> {
    match &markup.within {
        Some(outer) => in_markup(outer, old, &text),
        None => Ok(text),
    }
}

/// Returns true if the value would be split differently: a comma in the URL, or a blank in a field
/// without quotes, cannot be escaped, but separates URLs here.
fn splits(markup: &Markup, reference: &str) -> bool {
    match markup.form {
        Form::Item => markup.attribute == "archive" && reference.contains(','),
        Form::Candidate => reference.starts_with(',') || reference.ends_with(','),
        Form::Whole
        | Form::Refresh { .. }
        | Form::Json
        | Form::Text
        | Form::Field { is_quoted: true }
        | Form::Formula { .. } => false,
        Form::Field { is_quoted: false } => {
            reference.is_empty() || reference.contains(|it: char| it.is_whitespace() || it == '"')
        }
    }
}

/// The reference in the syntax inside the value. Characters that would end it are not allowed in
/// URIs, and are percent-encoded without changing the meaning.
pub(crate) fn in_form(form: Form, reference: &str) -> String {
    let ends = |character: char| match form {
        Form::Whole | Form::Json | Form::Field { .. } | Form::Formula { .. } => false,
        Form::Item | Form::Candidate | Form::Text => character.is_ascii_whitespace(),
        Form::Refresh { quote } => quote.is_some_and(|quote| character == char::from(quote)),
    };
    let mut out = String::with_capacity(reference.len());
    for (at, character) in reference.char_indices() {
        // Without quotes, a URL that begins with a quote would be read as quoted.
        let begins_quoted =
            at == 0 && form == Form::Refresh { quote: None } && matches!(character, '"' | '\'');
        match u8::try_from(character) {
            Ok(byte) if ends(character) || begins_quoted => percent::encode_byte(byte, &mut out),
            _ => out.push(character),
        }
    }
    out
}

/// Returns true if a value must be quoted (HTML standard, section 13.1.2.3).
pub(crate) fn needs_quotes(reference: &str) -> bool {
    let needs = |character: char| {
        character.is_ascii_whitespace() || matches!(character, '"' | '\'' | '=' | '<' | '>' | '`')
    };
    reference.is_empty() || reference.contains(needs)
}

/// Returns true if a character would end the value without quotes. Other characters that should be
/// quoted are read unchanged.
fn ends_unquoted(reference: &str) -> bool {
    reference.is_empty()
        || reference.starts_with(['"', '\''])
        || reference.contains(|it: char| it == '>' || it.is_ascii_whitespace())
}

/// Escapes quotes that would end the value, and characters that would begin a character reference
/// or a tag.
pub(crate) fn escaped(markup: &Markup, old: &str, text: &str) -> String {
    let text = match markup.form {
        Form::Json => json_escaped(text).into(),
        Form::Field { is_quoted } => field_escaped(text, is_quoted),
        Form::Formula { quote } => {
            let quote = char::from(quote);
            text.replace(quote, &format!("{quote}{quote}")).into()
        }
        _ => Cow::Borrowed(text),
    };
    let within = match markup.quoting {
        Quoting::RawText | Quoting::Cdata | Quoting::Comment => return text.into_owned(),
        Quoting::Content => ReferenceWithin::Text,
        _ => ReferenceWithin::Attribute,
    };
    // XML has no literal `&`. Keep `&amp;` if the source uses it.
    let is_xml = markup.language.is_xml();
    let escape_all = is_xml || escapes_ampersands(markup, old);
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
            // With the text before it, it could end a section or an instruction.
            '>' if is_content || is_xml => out.push_str("&gt;"),
            _ => out.push(character),
        }
    }
    out
}

/// Returns true if the source `old` has a `&` that is escaped at this place. Each attribute or
/// element that contains the HTML escapes it once more.
fn escapes_ampersands(markup: &Markup, old: &str) -> bool {
    let around = std::iter::successors(markup.within.as_deref(), |it| it.within.as_deref());
    let levels = around.filter(|it| takes_references(it)).count();
    match levels {
        0 => old.contains("&amp;"),
        _ => old.contains(&format!("&amp;{}", "amp;".repeat(levels))),
    }
}

/// An argument of a field, as its instruction spells it. Outside of quotes, a backslash at the
/// beginning is one.
fn field_escaped(text: &str, is_quoted: bool) -> Cow<'_, str> {
    if !text.contains(['\\', '"']) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for (at, character) in text.char_indices() {
        if matches!(character, '\\' | '"') && (is_quoted || at > 0) {
            out.push('\\');
        }
        out.push(character);
    }
    out.into()
}

/// The content of a JSON string. A `<` is escaped: it could end the containing element.
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
