//! A reader of messages, which reuses memory from message to message.

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use super::batch::RawMessage;
use super::format::MboxFormat;
use super::message::{Message, Shared, fields_of};
use super::part::{MailOptions, Part, Unread};
use super::part_writer::PartWriter;
use super::quoting::unquoted;
use super::structure::Structure;
use crate::format::header::FieldKind;
use crate::format::mail::lines::{MMDF, trim_line_end};
use crate::source::{Base, BaseFrom, SourceMap};

/// The default base (RFC 2557, section 5).
static THIS_MESSAGE: LazyLock<Base> =
    LazyLock::new(|| Base { uri: "thismessage:/".to_owned(), from: BaseFrom::Default });

/// Calls `each` with the documents of a message in the file `archive`: see [`MessageReader::read`].
pub fn documents(
    raw: RawMessage<'_>,
    archive: &Arc<Path>,
    options: &MailOptions,
    mut each: impl FnMut(Part),
) -> Unread {
    MessageReader::new(archive, options).read(raw, |part| {
        each(*part);
        None
    })
}

/// Reads the documents of the messages of a file.
///
/// A document that the caller returns becomes the next one: most messages are short, and allocating
/// their documents took as long as decoding them.
pub struct MessageReader<'o> {
    options: &'o MailOptions,
    structure: Structure,
    writer: PartWriter<'o>,
}

impl<'o> MessageReader<'o> {
    /// A reader of messages in the file `archive`.
    pub fn new(archive: &'o Arc<Path>, options: &'o MailOptions) -> Self {
        Self {
            options,
            structure: Structure::default(),
            writer: PartWriter::new(archive, options.names),
        }
    }

    /// Calls `each` with the documents of a message, in order: each header before its body. Parts
    /// without text, such as images, are not decoded and have no document. `each` returns a
    /// document that it no longer needs.
    ///
    /// Malformed messages are never rejected. Parts that exceed a limit are reported in [`Unread`].
    /// Linear in the message (up to 4 times that for nested encoded messages) and in the lengths of
    /// the bases of its parts, each at most [`MAX_BASE`](crate::source::MAX_BASE).
    pub fn read(
        &mut self,
        raw: RawMessage<'_>,
        mut each: impl FnMut(Box<Part>) -> Option<Box<Part>>,
    ) -> Unread {
        let quoting = self.options.quoting;
        let mut source_map = SourceMap::At(raw.offset);
        let mut bytes = Cow::Borrowed(raw.bytes);
        if quoting == Some(MboxFormat::Mmdf)
            && let Some(text) = trim_line_end(raw.bytes).strip_suffix(MMDF)
        {
            bytes = Cow::Borrowed(text);
        }
        let quoting = quoting.filter(|_| raw.may_have_quotes);
        if let Some((text, map)) = quoting.and_then(|format| unquoted(raw.bytes, format)) {
            bytes = Cow::Owned(text);
            source_map = source_map.decoded(map);
        }
        if let Some(bom) = bytes.strip_prefix(b"\xEF\xBB\xBF") {
            source_map = source_map.shifted(bytes.len() - bom.len());
            bytes = Cow::Owned(bom.to_vec());
        }
        if let Some(text) = with_line_feeds(&bytes) {
            bytes = Cow::Owned(text);
        }
        self.structure.read(&bytes);
        let first = self.structure.entities.first();
        let message_id = first.and_then(|first| first.header.value(FieldKind::MessageId, &bytes));
        let fields = first.filter(|_| self.options.contexts);
        let fields = fields.map(|first| fields_of(self.options, &bytes[first.head.clone()]));
        self.writer.begin(raw, message_id, fields);
        let mut shared = Shared {
            options: self.options,
            writer: &mut self.writer,
            entities: self.structure.entities.len(),
            unread: Unread { is_cut: raw.is_cut, has_too_many_parts: false, parts: Vec::new() },
            each: &mut each,
        };
        let message = Message {
            bytes: &bytes,
            structure: &self.structure,
            prefix: "",
            base: self.options.base.as_ref().unwrap_or(&THIS_MESSAGE),
            source_map,
            alternatives: &[],
            depth: 0,
            entities: 0,
        };
        message.documents(&mut shared);
        shared.unread
    }
}

/// Replaces CR with LF in a message whose lines end with CR alone, as in old programs.
fn with_line_feeds(bytes: &[u8]) -> Option<Vec<u8>> {
    let head = &bytes[..bytes.len().min(4096)];
    let is_old = !head.contains(&b'\n') && head.contains(&b'\r');
    is_old.then(|| {
        let line_feed = |byte: &u8| if *byte == b'\r' { b'\n' } else { *byte };
        bytes.iter().map(line_feed).collect()
    })
}
