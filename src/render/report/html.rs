//! HTML that contains text of documents.

use std::fmt::{Display, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::render::escape::is_harmful;

/// HTML that is being written.
#[derive(Clone, Debug, Default)]
pub(super) struct Html(String);

impl Html {
    /// Appends markup, unescaped.
    pub(super) fn markup(&mut self, markup: &str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Appends other HTML.
    pub(super) fn html(&mut self, other: &Self) -> &mut Self {
        self.markup(&other.0)
    }

    /// Appends a number.
    pub(super) fn number(&mut self, number: impl Display) -> &mut Self {
        // Writing to a string cannot fail.
        let _ = write!(self.0, "{number}");
        self
    }

    /// Appends the text of a document. Characters that would be invisible or reorder text are shown
    /// as escapes, in a separate element.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        self.escaped(text, |character, out| {
            let _ = write!(out, "<b class=esc>{}</b>", character.escape_unicode());
        })
    }

    /// Appends the text of a document to the value of an attribute, in double quotes.
    pub(super) fn value(&mut self, text: &str) -> &mut Self {
        self.escaped(text, |character, out| {
            let _ = write!(out, "{}", character.escape_unicode());
        })
    }

    fn escaped(&mut self, text: &str, show: impl Fn(char, &mut String)) -> &mut Self {
        let is_special = |it: char| matches!(it, '&' | '<' | '>' | '"') || is_hidden(it);
        let mut rest = text;
        while let Some(at) = rest.find(is_special) {
            let (plain, special) = rest.split_at(at);
            self.0.push_str(plain);
            let mut characters = special.chars();
            match characters.next() {
                Some('&') => self.0.push_str("&amp;"),
                Some('<') => self.0.push_str("&lt;"),
                Some('>') => self.0.push_str("&gt;"),
                Some('"') => self.0.push_str("&quot;"),
                Some(character) => show(character, &mut self.0),
                None => {}
            }
            rest = characters.as_str();
        }
        self.markup(rest)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns true for a character that a page would not show, or that would reorder text.
fn is_hidden(character: char) -> bool {
    is_harmful(character) || character == '\0'
}

/// Returns the text with hidden characters as escapes, for data that scripts show as text.
pub(super) fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match is_hidden(character) {
            true => out.extend(character.escape_unicode()),
            false => out.push(character),
        }
    }
    out
}

/// The maximum length of a reference in data for scripts, such as that of an image in a `data:`
/// URL, in bytes.
const MAX_REFERENCE: usize = 2000;

/// Returns the [`shown`] text, without the end of a long one.
pub(super) fn shortened(text: &str) -> String {
    match (0..=MAX_REFERENCE).rev().find(|&at| text.is_char_boundary(at)) {
        Some(end) if text.len() > MAX_REFERENCE => format!("{}\u{2026}", shown(&text[..end])),
        _ => shown(text),
    }
}

/// Returns data as JSON for the content of a `script` element, which no `<` can end.
pub(super) fn json_in_script(data: &impl Serialize) -> String {
    // No map has keys that are not strings.
    let json = serde_json::to_string(data).unwrap_or_default();
    json.replace('<', "\\u003c")
}

/// Returns the source expression of a content security policy that allows an element with this
/// content.
pub(super) fn hash(content: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(content)))
}

/// A number with its thousands apart: `10,000`.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
