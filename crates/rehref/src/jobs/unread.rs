//! Which documents of a run are not read.

use std::io;
use std::path::Path;

use crate::bytes::Span;
use crate::container::mail::{MessageNames, RawMessage, UnreadPart};
use crate::document::Document;
use crate::error::{Error, ErrorKind};
use crate::format::find_each_in_text;
use crate::format::{Format, Options, UnreadKind};
use crate::fs::{Content, Item};
use crate::link::Role;
use crate::source::Compression;

/// The error of a message that is too long, or else has too many parts.
pub(super) fn error_of_message(
    mailbox: &Path,
    names: MessageNames,
    message: RawMessage<'_>,
    is_cut: bool,
) -> Error {
    let mut name = mailbox.as_os_str().to_owned();
    message.append_name(names, &mut name);
    let offset = message.offset;
    let kind = match is_cut {
        true => ErrorKind::LongMessage { offset },
        false => ErrorKind::ManyParts { offset },
    };
    Error::new(name, kind)
}

/// The kind of an item with this content, unless its links are read, or it has none. The format may
/// be given.
pub(super) fn kind_of_content(
    item: &Item,
    content: &Content,
    given: Option<Format>,
) -> Option<UnreadKind> {
    let name = item.name_of_file();
    match content {
        Content::Binary(bytes) => match Compression::of(bytes) {
            Some(compression) => UnreadKind::of_compressed(name, compression),
            None => UnreadKind::of_binary(name, bytes),
        },
        // Its parts are.
        Content::Package(_) => None,
        Content::Refused(_, error) => Some(UnreadKind::Document(match error.kind() {
            ErrorKind::Encrypted => "encrypted",
            _ => "damaged",
        })),
        Content::Damaged(_, error) if matches!(error.kind(), ErrorKind::Syntax { .. }) => {
            Some(UnreadKind::Unreadable)
        }
        Content::Document(document) | Content::Damaged(document, _) => {
            let format = document.format();
            if format.is_plain_text() {
                return kind_of_text(name, document.bytes(), given);
            }
            let is_by_content = || Format::is_by_content(name, document.bytes());
            if given.is_none() && is_by_content() && has_urls_outside_links(document) {
                return Some(UnreadKind::TextUrls(format.as_str()));
            }
            format.unread(document.source())
        }
    }
}

/// The length of the beginning and of the end of a document in which URLs in its text are counted,
/// in bytes.
const PIECE: usize = 64 << 10;

/// Returns true if a document has more URLs outside of links than links, at its beginning or at its
/// end. Then it may be a text with one line that looks like markup: the rest may be in a script, a
/// comment or a string.
fn has_urls_outside_links(document: &Document) -> bool {
    let bytes = document.bytes();
    if !document.format().is_markup() || memchr::memmem::find(bytes, b"://").is_none() {
        return false;
    }
    let len = bytes.len();
    // A character of UTF-16 is not cut.
    let pieces = match len <= 2 * PIECE {
        true => [0..len, len..len],
        false => [0..PIECE, (len - PIECE) & !1..len],
    };
    let mut links = Vec::new();
    document.each_link(|link| {
        if let (Some(first), Some(last)) = (link.spans.first(), link.spans.last())
            && pieces.iter().any(|it| it.contains(&first.start))
        {
            links.push(Span::new(first.start, last.end));
        }
    });
    pieces.into_iter().any(|piece| {
        let text = document.with_bytes(bytes[piece.clone()].to_vec());
        let mut urls = 0;
        find_each_in_text(text.source(), &Options::default(), |url| {
            let Span { start, end } = url.extent();
            let (start, end) = (start + piece.start, end + piece.start);
            let at = links.partition_point(|it| it.end <= start);
            let is_outside = links.get(at).is_none_or(|it| it.start >= end);
            urls += usize::from(is_outside && url.role != Role::Namespace);
        });
        urls > links.iter().filter(|it| piece.contains(&it.start)).count()
    })
}

/// The kind of an item with this content, unless its links are read and can be rewritten, or it has
/// none.
pub(super) fn kind_of_unedited(
    item: &Item,
    content: &Content,
    given: Option<Format>,
) -> Option<UnreadKind> {
    match content {
        Content::Document(document) | Content::Damaged(document, _)
            if !document.format().is_rewritable() =>
        {
            Some(UnreadKind::NotRewritten(document.format().as_str()))
        }
        _ => kind_of_content(item, content, given),
    }
}

/// The kind of a file that could not be read. `None` if it has no links, or does not exist.
pub(super) fn kind_of_unreadable(error: &Error) -> Option<UnreadKind> {
    match exists(error) {
        true => UnreadKind::of_unreadable(error.path()),
        false => None,
    }
}

/// The kind of a directory that could not be read. `None` if it does not exist, or was read under
/// another name.
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

/// The kind of a document that is read as plain text, by its name and its beginning. The format may
/// be given.
pub(super) fn kind_of_text(
    name: &Path,
    beginning: &[u8],
    given: Option<Format>,
) -> Option<UnreadKind> {
    let begun = || Format::begun_under_name_of_text(name, beginning);
    let called = || begun().map(|it| UnreadKind::Called(it.as_str()));
    let by_name = UnreadKind::of_text(name, beginning);
    by_name.or_else(|| given.map_or_else(called, |_| None))
}

/// The kind of a part of a message that is not read. `None` if it has no links.
pub(super) fn kind_of_part(part: &UnreadPart) -> Option<UnreadKind> {
    UnreadKind::of_part(&part.media_type, Path::new(&part.name), part.is_pgp)
}

/// Returns true if a file is compressed mail, by its name.
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
