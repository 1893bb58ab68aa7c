//! Which documents of a run are not read.

use std::io;
use std::path::Path;

use crate::error::{Error, ErrorKind};
use crate::format::{Format, UnreadKind};
use crate::fs::{Content, Item};
use crate::source::Compression;

/// The kind of an item with this content, unless its links are read, or it has none.
pub(super) fn kind_of_content(item: &Item, content: &Content) -> Option<UnreadKind> {
    let name = item.file().unwrap_or(item.name());
    match content {
        Content::Binary(bytes) => match Compression::of(bytes) {
            Some(compression) => UnreadKind::of_compressed(name, compression),
            None => UnreadKind::of_binary(name, bytes),
        },
        Content::Damaged(_, error) if matches!(error.kind(), ErrorKind::Syntax { .. }) => {
            Some(UnreadKind::Unreadable)
        }
        Content::Document(document) | Content::Damaged(document, _) => {
            let is_text = document.format().is_plain_text();
            is_text
                .then(|| UnreadKind::of_text(name, document.bytes()))
                .flatten()
        }
    }
}

/// The kind of an item with this content, unless its links are read and can be rewritten, or it has none.
#[cfg(feature = "journal")]
pub(super) fn kind_of_unedited(item: &Item, content: &Content) -> Option<UnreadKind> {
    match content {
        Content::Document(document) | Content::Damaged(document, _)
            if !document.format().is_rewritable() =>
        {
            Some(UnreadKind::NotRewritten(document.format().as_str()))
        }
        _ => kind_of_content(item, content),
    }
}

/// The kind of a file that could not be read. `None` if it has no links, or does not exist.
pub(super) fn kind_of_unreadable(error: &Error) -> Option<UnreadKind> {
    match exists(error) {
        true => UnreadKind::of_unreadable(error.path()),
        false => None,
    }
}

/// The kind of a directory that could not be read. `None` if it does not exist, or was read under another name.
pub(super) fn kind_of_unreadable_directory(error: &Error) -> Option<UnreadKind> {
    exists(error).then_some(UnreadKind::UnreadableDirectory)
}

fn exists(error: &Error) -> bool {
    match error.kind() {
        ErrorKind::Read(error) => error.kind() != io::ErrorKind::NotFound,
        ErrorKind::TooLong { .. } => true,
        _ => false,
    }
}

/// The kind of a long text with this name, which is read as a stream.
pub(super) fn kind_of_text(name: &Path) -> Option<UnreadKind> {
    UnreadKind::of_text(name, b"")
}

/// Returns true if a file is compressed mail, by its name.
#[cfg(feature = "journal")]
pub(super) fn is_compressed_mail(name: &Path, bytes: &[u8]) -> bool {
    let format = Format::from_extension(name);
    Compression::of(bytes).is_some() && format.is_some_and(|it| it.is_mail())
}

/// Returns true if a file has the name of mail, compressed in any way.
pub(super) fn is_mail_by_name(name: &Path) -> bool {
    const COMPRESSED: [&str; 5] = ["lzma", "lz4", "br", "z", "zip"];
    let extension = name.extension().and_then(|it| it.to_str());
    let is_compressed = extension.is_some_and(|it| {
        let is = |known: &&str| it.eq_ignore_ascii_case(known);
        COMPRESSED.iter().any(is)
    });
    let inner = name.file_stem().filter(|_| is_compressed).map(Path::new);
    Format::from_extension(inner.unwrap_or(name)).is_some_and(Format::is_mail)
}
