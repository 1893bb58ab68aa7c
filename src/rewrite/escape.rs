//! Writing a reference where another stood.

use std::borrow::Cow;

use super::text;
use super::unchanged::written_between;
use crate::bytes::Span;
use crate::bytes::percent;
use crate::document::Document;
use crate::format::Options;
use crate::format::html::{ReferenceWithin, begins_with_reference};
use crate::format::xml::{is_char as is_xml_char, names_entity};
use crate::link::{
    CssForm, CssPlace, Form, Language, LinkData, Markup, Note, Place, Quoting, Role,
};
use crate::rewrite::SkipReason;
use crate::source::Charset;

/// What to put where.
pub(super) struct Written<'w> {
    /// The bytes to replace.
    pub(super) span: Span,
    /// The bytes to put there.
    pub(super) new: Cow<'w, [u8]>,
    /// The reference that they spell: what cannot stand in this place is percent-encoded in it. None where
    /// the bytes are the reference that was to be written.
    pub(super) reference: Option<Box<str>>,
    /// The bytes to put there without any spelling of the source, where `new` keeps some of that.
    pub(super) plain: Option<Vec<u8>>,
    /// Whether it is certain that the bytes are read as the reference, whatever stands round them.
    pub(super) is_certain: bool,
}

impl<'w> Written<'w> {
    /// The reference that is spelled, where `meant` was to be written.
    pub(super) fn reference<'s>(&'s self, meant: &'s str) -> &'s str {
        self.reference.as_deref().unwrap_or(meant)
    }

    /// What spells itself, whatever stands around it.
    fn literal(span: Span, reference: &'w str) -> Self {
        Self {
            span,
            new: reference.as_bytes().into(),
            reference: None,
            plain: None,
            is_certain: true,
        }
    }

    /// What spells something else than it is.
    pub(super) fn escaped(span: Span, new: Vec<u8>, reference: &str) -> Self {
        Self {
            span,
            new: new.into(),
            reference: Some(reference.into()),
            plain: None,
            is_certain: false,
        }
    }

    /// The same, with the bytes to put there if those are not read as meant.
    fn or_plainly(self, plain: Vec<u8>) -> Self {
        Self {
            plain: Some(plain),
            ..self
        }
    }
}

/// Writes `reference` into the place of a link.
pub(super) fn write<'r>(
    document: &Document,
    link: &LinkData<'_>,
    reference: &'r str,
    options: &Options,
) -> Result<Written<'r>, SkipReason> {
    if let Place::Text(cue) = &link.place {
        return text::write(document, link, *cue, reference, options);
    }
    if link.notes.contains(Note::Undecodable) {
        return Err(SkipReason::Undecodable);
    }
    if link.spans.len() > 1 {
        return Err(SkipReason::Divided);
    }
    let span = link.extent();
    if let Place::Markup(markup) = &link.place
        && document.charset.is_ascii_compatible()
        && link.role != Role::Base
    {
        let before = document.bytes[..span.start].last().copied();
        let spelling = Spelling::of(reference, markup, before);
        if spelling == Spelling::Literal
            && document.bytes[span.range()] == *link.reference.as_bytes()
        {
            return Ok(Written::literal(span, reference));
        }
        if spelling != Spelling::Other {
            let old = document.decode(span);
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
    let old = document.decode(span);
    let charset = document.charset;
    // What the source spells by a character reference, or an escape of CSS, goes on being spelt so.
    let spelt = match &link.place {
        Place::Markup(markup) if takes_references(markup) => &*link.reference,
        Place::Css(_) => &*link.reference,
        _ => "",
    };
    let possible = charset.percent_encode_missing(reference, spelt);
    if link
        .place
        .markup()
        .is_some_and(|it| is_beyond_xml(it, &old, &possible))
    {
        return Err(SkipReason::Unwritable);
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
            // In no way can CSS spell a NUL.
            let reference = possible.replace('\0', "%00");
            let value = in_css(place, charset, &old, &reference)?;
            let write = |middle: &str| in_css(place, charset, &old, middle).ok();
            let kept = written_between(&old, before, &reference, write);
            (reference, kept, value)
        }
        Place::Text(_) => return Err(SkipReason::Text),
        Place::Header(_) => return Err(SkipReason::Mail),
    };
    if holds_escape_sequence(document, span) {
        return Err(SkipReason::Unwritable);
    }
    let written = |value: &str| Written::escaped(span, charset.encode(value), &reference);
    Ok(match kept.filter(|kept| *kept != value) {
        Some(kept) => written(&kept).or_plainly(charset.encode(&value)),
        None => written(&value),
    })
}

/// How a reference is to be spelt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spelling {
    /// As it is, and so it is certain to be read, whatever stands round it.
    Literal,
    /// The same but for `&`, which may have to be escaped.
    Ampersands,
    /// In a way that has to be worked out, and proved.
    Other,
}

impl Spelling {
    /// That of `reference` in an attribute's value, or in an item of one, that `before` stands before: certain if
    /// it has only ASCII characters to which neither markup nor lists give a meaning.
    fn of(reference: &str, markup: &Markup, before: Option<u8>) -> Self {
        let is_item = match markup.form {
            Form::Whole | Form::Canonical => false,
            Form::Item | Form::Candidate => true,
            Form::Absolute | Form::Refresh { .. } | Form::Json => return Self::Other,
        };
        let special = match markup.quoting {
            Quoting::Double => IN_VALUES | IN_DOUBLE,
            Quoting::Single => IN_VALUES | IN_SINGLE,
            Quoting::Unquoted => IN_VALUES | IN_DOUBLE | IN_SINGLE | IN_UNQUOTED | AMPERSAND,
            Quoting::Absent
            | Quoting::Content
            | Quoting::RawText
            | Quoting::Cdata
            | Quoting::Comment => return Self::Other,
        };
        // What separates items may be a character reference, and one of a number goes on in digits or a `;` if
        // it does not end in that itself.
        let begins =
            |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b'"' | b'\'' | b'=');
        if reference.is_empty()
            || markup.within.is_some()
            || markup.language != Language::Html
            || is_item && !before.is_some_and(begins)
        {
            return Self::Other;
        }
        let special = special | if is_item { IN_LISTS | AMPERSAND } else { 0 };
        // No byte ends the search: nobody could foresee which.
        let found = |found, byte| found | SPECIAL[usize::from(byte)];
        let found = reference.bytes().fold(0, found);
        if found & special != 0 {
            Self::Other
        } else if found & AMPERSAND != 0 {
            Self::Ampersands
        } else {
            Self::Literal
        }
    }
}

/// Where each byte is more than itself: see [`Spelling::of`].
const SPECIAL: [u8; 256] = {
    let mut special = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        special[byte] = match byte as u8 {
            ..=b' ' | 0x7F.. => IN_VALUES,
            b'"' => IN_DOUBLE,
            b'\'' => IN_SINGLE,
            b'=' | b'<' | b'>' | b'`' => IN_UNQUOTED,
            b',' => IN_LISTS,
            b'&' => AMPERSAND,
            _ => 0,
        };
        byte += 1;
    }
    special
};
const IN_VALUES: u8 = 1;
const IN_DOUBLE: u8 = 2;
const IN_SINGLE: u8 = 4;
const IN_UNQUOTED: u8 = 8;
const IN_LISTS: u8 = 16;
const AMPERSAND: u8 = 32;

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
fn in_value(markup: &Markup, old: &str, reference: &str) -> Result<String, SkipReason> {
    if splits(markup, reference) {
        return Err(SkipReason::Unwritable);
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

/// The URL as CSS spells it, and that as the markup round it does.
fn in_css(
    place: &CssPlace,
    charset: Charset,
    old: &str,
    reference: &str,
) -> Result<String, SkipReason> {
    let value = css_escaped(place, reference, |it| charset.lacks(it));
    match &place.markup {
        Some(markup) => in_markup(markup, old, &value),
        None => Ok(value),
    }
}

/// The URL with what would end it escaped, and what the charset lacks (CSS Syntax Level 3, section
/// 4.3.7). A NUL cannot be escaped.
fn css_escaped(place: &CssPlace, reference: &str, lacks: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(reference.len() + 16);
    let mut characters = reference.chars().peekable();
    while let Some(character) = characters.next() {
        let is_control = character < ' ' || character == '\x7F';
        let by_itself = match place.form {
            CssForm::Url => matches!(character, '"' | '\'' | '(' | ')'),
            CssForm::String { quote } => character == char::from(quote),
        };
        let by_code = is_control
            || character == ' ' && place.form == CssForm::Url
            // They could end the element, or the section, that holds the sheet.
            || matches!(character, '<' | '>') && place.markup.is_some()
            || !character.is_ascii() && lacks(character);
        if character == '\\' || by_itself {
            out.extend(['\\', character]);
        } else if by_code {
            let code = u32::from(character);
            // Up to six digits belong to an escape, and then one character of white space.
            out.push_str(&match characters.peek() {
                Some(next) if next.is_ascii_hexdigit() => format!("\\{code:06x}"),
                Some(' ') if place.form != CssForm::Url => format!("\\{code:x} "),
                _ => format!("\\{code:x}"),
            });
        } else {
            out.push(character);
        }
    }
    out
}

/// A part of a value as the source of the document spells it.
fn in_markup(markup: &Markup, old: &str, text: &str) -> Result<String, SkipReason> {
    match markup.quoting {
        Quoting::Absent => return Err(SkipReason::NoValue),
        Quoting::Unquoted if ends_unquoted(text) => return Err(SkipReason::Unwritable),
        Quoting::RawText if text.contains('<') => return Err(SkipReason::Unwritable),
        Quoting::Comment if text.contains("--") => return Err(SkipReason::Unwritable),
        Quoting::Cdata if text.contains("]]>") => return Err(SkipReason::Unwritable),
        _ => {}
    }
    in_outer(markup, old, escaped(markup, old, text))
}

/// The same in the attribute that holds the markup, if one does.
fn in_outer(markup: &Markup, old: &str, text: String) -> Result<String, SkipReason> {
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
fn in_form(form: Form, reference: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    const URL: CssForm = CssForm::Url;
    const DOUBLE: CssForm = CssForm::String { quote: b'"' };
    const SINGLE: CssForm = CssForm::String { quote: b'\'' };

    #[test]
    fn css_escapes_what_would_end_the_url() {
        let escaped = |form, text| {
            let place = CssPlace { form, markup: None };
            css_escaped(&place, text, |it| it == '日')
        };
        assert_eq!(escaped(URL, r#"a(b)"c'd\e"#), r#"a\(b\)\"c\'d\\e"#);
        assert_eq!(escaped(DOUBLE, r#"a(b)"c'd\e"#), r#"a(b)\"c'd\\e"#);
        assert_eq!(escaped(SINGLE, r#"a(b)"c'd\e"#), r#"a(b)"c\'d\\e"#);
        assert_eq!(escaped(URL, "a b x \x7F"), r"a\000020b\20x\20\7f");
        assert_eq!(escaped(DOUBLE, "a b\n c\n"), "a b\\a  c\\a");
        assert_eq!(escaped(URL, "<é日>日a"), r"<é\65e5>\0065e5a");
    }

    #[test]
    fn css_in_markup_holds_no_tag() {
        let place = CssPlace {
            form: DOUBLE,
            markup: Some(Markup {
                language: Language::Html,
                element: "style".into(),
                attribute: Markup::CONTENT.into(),
                quoting: Quoting::RawText,
                form: Form::Whole,
                within: None,
            }),
        };
        let value = css_escaped(&place, "</style> ]]>", |_| false);
        assert_eq!(value, r"\3c/style\3e  ]]\3e");
    }
}
