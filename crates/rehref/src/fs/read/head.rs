//! The compression and the kind of an item, by its first bytes.

use std::path::Path;

use super::item::Item;
use super::limit::STREAM_HEAD;
use super::web_archive_kind::{has_record_member, is_wacz_in_pipe};
use crate::container::compressed::peek;
use crate::container::warc::DICTIONARY_MAGIC;
use crate::format::{Format, is_compressed};
use crate::source::{Charset, Compression};

/// The number of bytes that are read, or decompressed, to detect a container.
pub(super) const PEEK: usize = 64 << 10;

/// The options for reading that decide the kind of every item.
#[derive(Clone, Copy)]
pub(super) struct Given<'o> {
    pub(super) format: Option<Format>,
    /// True if every document is text.
    pub(super) is_text: bool,
    /// A label of the Encoding standard.
    pub(super) charset: Option<&'o str>,
    /// True if compressed data is not decompressed.
    pub(super) is_kept: bool,
}

impl Given<'_> {
    pub(super) fn charset(self, bytes: &[u8]) -> Option<Charset> {
        Charset::named(self.charset?, bytes).ok()
    }
}

/// The compression and the kind of an item. They are decided once, by its first bytes, before the
/// rest is read.
pub(super) struct Head {
    /// The compression of the item, also if it is kept.
    pub(super) compression: Option<Compression>,
    /// The first bytes, decompressed: of documents up to one more than [`STREAM_HEAD`]. `None` if the
    /// item is not compressed, or its compression is kept.
    pub(super) inflated: Option<Vec<u8>>,
    pub(super) kind: Kind,
}

/// The kind of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Not text, or compressed data that is kept.
    Binary,
    WebArchive,
    /// A document of an office or a book, perhaps.
    Package,
    /// Mail in this format.
    Mail(Format),
    /// A document in this format.
    Document(Format),
}

impl Head {
    /// The head of an item that begins with these bytes.
    pub(super) fn of(item: &Item, bytes: &[u8], given: Given<'_>) -> Self {
        let compression = Compression::of(bytes);
        let inflate = |compression, len| peek(compression, bytes, len).unwrap_or_default();
        let mut inflated = compression.filter(|_| !given.is_kept).map(|it| inflate(it, PEEK));
        let kind = match (compression, &inflated) {
            (Some(_), None) => Kind::Binary,
            (Some(compression), Some(first)) => {
                let kind = compressed_kind(item, bytes, compression, first, given);
                match kind {
                    Kind::WebArchive | Kind::Mail(_) => kind,
                    // A document of more bytes is streamed.
                    Kind::Binary | Kind::Package | Kind::Document(_) => {
                        let more = inflate(compression, STREAM_HEAD + 1);
                        let kind = kind_of(item, &more, format_of(item, &more, given), given);
                        inflated = Some(more);
                        kind
                    }
                }
            }
            (None, _) => {
                let format = format_of(item, bytes, given);
                if format.is_web_archive() || given.format.is_none() && is_wacz_in_pipe(item, bytes)
                {
                    Kind::WebArchive
                } else {
                    kind_of(item, bytes, format, given)
                }
            }
        };
        Self { compression, inflated, kind }
    }
}

/// The kind of an item that begins with `bytes`, and decompressed with `inflated`.
fn compressed_kind(
    item: &Item,
    bytes: &[u8],
    compression: Compression,
    inflated: &[u8],
    given: Given<'_>,
) -> Kind {
    let is_web_archive = match (given.format, compression) {
        (Some(format), _) => format.is_web_archive(),
        // No other files begin with a dictionary.
        (None, Compression::Zstd) if bytes.starts_with(&DICTIONARY_MAGIC) => true,
        (None, Compression::Gzip | Compression::Zstd) => {
            let named = Format::from_extension_of(item.name_of_file(), bytes);
            named.is_some_and(Format::is_web_archive)
                || Format::detect(Path::new(""), inflated).is_web_archive()
                // The first member may be damaged, and there is no name.
                || matches!(item, Item::Stdin | Item::Memory(_) | Item::Opened(_)) && has_record_member(bytes)
        }
        (None, _) => false,
    };
    if is_web_archive {
        return Kind::WebArchive;
    }
    kind_of(item, inflated, format_of(item, inflated, given), given)
}

/// The kind of an item in this format, unless it is a web archive. `bytes` are its first ones,
/// decompressed.
fn kind_of(item: &Item, bytes: &[u8], format: Format, given: Given<'_>) -> Kind {
    let is_utf16 = || given.charset(bytes).is_some_and(Charset::is_utf16);
    let is_binary =
        || is_compressed(item.name_of_file(), bytes) || format.is_binary(bytes) && !is_utf16();
    if given.format.is_none() && !given.is_text && is_binary() {
        Kind::Binary
    } else if format.is_package() {
        Kind::Package
    } else if format.is_mail() {
        Kind::Mail(format)
    } else {
        Kind::Document(format)
    }
}

/// The format of an item that begins with these bytes, decompressed.
fn format_of(item: &Item, bytes: &[u8], given: Given<'_>) -> Format {
    given.format.unwrap_or_else(|| Format::detect(item.name_of_file(), bytes))
}
