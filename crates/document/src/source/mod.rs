//! The source of a document: its bytes, its character encoding, its base URL and its place in a
//! message.

mod archive_record;
mod base;
mod boundary;
mod capture_date;
mod character_index;
mod charset;
mod compression;
mod html_page;
mod mail_part;
mod multi_byte;
mod package_part;
mod pairs;
mod syntax;
mod text;
pub mod utf7;
mod utf8;
mod validity;

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use crate::bytes::{LineIndex, Span};

pub use archive_record::ArchiveRecord;
pub use base::{Base, BaseFrom, MAX_BASE};
pub(crate) use boundary::{boundary_before, boundary_near};
pub use capture_date::{CaptureDate, InvalidDate};
pub use charset::{Charset, CharsetFrom, UnknownCharset};
pub use compression::Compression;
pub use html_page::HtmlPage;
pub(crate) use html_page::{PageUrls, UrlSet};
pub use mail_part::{Flowed, MailPart, MessageFields, PartIndex, SourceMap, Step};
pub(crate) use multi_byte::MultiByteTables;
pub use package_part::{PackagePart, PartBase, RelationshipUses};
pub use syntax::{Fields, Literals, TextSyntax};
pub use text::Text;
pub(crate) use text::TextDecoder;
pub(crate) use text::decode_with_map;
pub(crate) use utf8::ascii_len;
pub use utf8::from_utf8;
pub(crate) use validity::Validity;

/// The source of a document in memory. All spans count its bytes.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name in messages and records: a path, or `-`.
    pub name: PathBuf,
    /// The bytes as stored; decompressed if the file was compressed.
    pub bytes: Vec<u8>,
    /// The syntax around the URLs of a plain text. None if the text is prose.
    pub syntax: Option<TextSyntax>,
    /// The character encoding.
    pub charset: Charset,
    /// The base URL from outside the document: where it was retrieved from. A base URL in the
    /// document takes precedence.
    pub base: Option<Base>,
    /// The message that it is a part of.
    pub mail_part: Option<Box<MailPart>>,
    /// The record of a web archive that it is from.
    pub record: Option<Arc<ArchiveRecord>>,
    /// The package that it is a part of.
    pub package_part: Option<Box<PackagePart>>,
}

impl Source {
    /// A document in memory, without a name, a base URL and a place in a message or web archive.
    pub fn new(bytes: Vec<u8>, charset: Charset) -> Self {
        let name = PathBuf::new();
        Self {
            name,
            bytes,
            syntax: None,
            charset,
            base: None,
            mail_part: None,
            record: None,
            package_part: None,
        }
    }

    /// Returns the document, retrieved from `uri`.
    pub fn retrieved_from(self, uri: impl Into<String>) -> Self {
        Self { base: Some(Base { uri: uri.into(), from: BaseFrom::Retrieval }), ..self }
    }

    /// Returns a copy of the document with other bytes: the result of an edit.
    pub fn with_bytes(&self, bytes: Vec<u8>) -> Self {
        Self {
            name: self.name.clone(),
            syntax: self.syntax,
            charset: self.charset.of_bytes(&bytes),
            bytes,
            base: self.base.clone(),
            mail_part: self.mail_part.clone(),
            record: self.record.clone(),
            package_part: self.package_part.clone(),
        }
    }

    /// Returns true if the document is from a web archive, and incomplete.
    pub fn is_truncated(&self) -> bool {
        self.record.as_ref().is_some_and(|it| it.is_truncated)
    }

    /// The decoded text, with a map to the bytes.
    ///
    /// Cost: linear; without a copy if the bytes are UTF-8.
    pub fn text(&self) -> Text<'_> {
        Text::decode(&self.bytes, self.charset)
    }

    /// The bytes of `span` as text. Bytes that are invalid in the charset are decoded as U+FFFD.
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

    /// The lines and columns of byte offsets.
    pub fn lines(&self) -> LineIndex<'_> {
        let encoding = self.charset.encoding();
        if self.charset.is_utf16() {
            LineIndex::utf16(&self.bytes, encoding == encoding_rs::UTF_16BE)
        } else {
            LineIndex::new(&self.bytes)
        }
    }
}
