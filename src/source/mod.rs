//! What a document is: its bytes, its kind, its charset, and where it was retrieved from.

mod base;
mod charset;
mod html_page;
mod mail_part;
mod syntax;
mod text;
pub(crate) mod utf7;
mod utf8;

use std::borrow::Cow;
use std::path::PathBuf;

use crate::bytes::{LineIndex, Span};

pub use base::{Base, BaseFrom, MAX_BASE};
pub(crate) use charset::declared_encoding;
pub use charset::{Charset, CharsetFrom, UnknownCharset};
pub use html_page::HtmlPage;
pub(crate) use html_page::{PageUrls, UrlSet};
pub use mail_part::{Fields, Flowed, MailPart, PartIndex, SourceMap, Step};
pub use syntax::{Literals, TextSyntax};
pub use text::Text;
pub(crate) use text::{TextDecoder, decode_with_map};
pub(crate) use utf8::from_utf8;

/// A document in memory, as it is stored: every span of the crate counts these bytes.
#[derive(Clone, Debug)]
pub struct Source {
    /// How messages and records name it: its path, or `-`.
    pub name: PathBuf,
    /// The bytes as stored (inflated, where the file was compressed).
    pub bytes: Vec<u8>,
    /// Which syntax there is around the URLs of a plain text; none where it has only words.
    pub syntax: Option<TextSyntax>,
    /// How its bytes spell text.
    pub charset: Charset,
    /// The base that holds from outside: `--base` or where it was retrieved from. A base inside the
    /// document goes before it.
    pub base: Option<Base>,
    /// The message that it is a part of.
    pub carrier: Option<Box<MailPart>>,
}

impl Source {
    /// The same document, retrieved from `uri`.
    pub fn retrieved_from(self, uri: impl Into<String>) -> Self {
        Self {
            base: Some(Base {
                uri: uri.into(),
                from: BaseFrom::Retrieval,
            }),
            ..self
        }
    }

    /// A document that is the same but for its bytes: the result of editing it.
    pub fn with_bytes(&self, bytes: Vec<u8>) -> Self {
        Self {
            name: self.name.clone(),
            bytes,
            syntax: self.syntax,
            charset: self.charset,
            base: self.base.clone(),
            carrier: self.carrier.clone(),
        }
    }

    /// The whole document as text, with the way back to its bytes. Costs nothing but a check where
    /// the document is valid UTF-8.
    pub fn text(&self) -> Text<'_> {
        Text::decode(&self.bytes, self.charset)
    }

    /// The bytes under `span` as text; what is invalid in the charset reads as U+FFFD.
    pub fn decode(&self, span: Span) -> Cow<'_, str> {
        let bytes = &self.bytes[span.range()];
        match std::str::from_utf8(bytes) {
            Ok(text)
                if self.charset.encoding() == encoding_rs::UTF_8
                    || bytes.is_ascii() && self.charset.is_ascii_compatible() =>
            {
                Cow::Borrowed(text)
            }
            _ => self.charset.encoding().decode_without_bom_handling(bytes).0,
        }
    }

    /// Lines and columns of byte offsets in this document.
    pub fn lines(&self) -> LineIndex<'_> {
        let encoding = self.charset.encoding();
        if self.charset.is_utf16() {
            LineIndex::utf16(&self.bytes, encoding == encoding_rs::UTF_16BE)
        } else {
            LineIndex::new(&self.bytes)
        }
    }
}
