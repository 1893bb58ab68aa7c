//! The documents of messages, in reused memory.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use super::batch::{MessageNames, RawMessage};
use super::part::Part;
use crate::document::Document;
use crate::format::Format;
use crate::source::{
    Base, Charset, Flowed, HtmlPage, MailPart, MessageFields, PartIndex, Source, SourceMap,
    TextSyntax,
};

/// The maximum length of a buffer that is kept for the next document, in bytes.
const LONGEST_KEPT: usize = 1 << 20;

/// The properties of a document.
pub(super) struct Content<'c> {
    /// The part number, in the memory of [`PartWriter::number`].
    pub(super) number: String,
    pub(super) format: Format,
    pub(super) charset: Charset,
    pub(super) bytes: Cow<'c, [u8]>,
    pub(super) source_map: SourceMap,
    pub(super) base: &'c Base,
    pub(super) flowed: Option<Flowed>,
    pub(super) syntax: Option<TextSyntax>,
    /// See [`MailPart::has_no_urls`].
    pub(super) has_no_urls: bool,
    pub(super) parts: Option<&'c Arc<PartIndex>>,
}

/// Creates the documents of messages in one file.
pub(super) struct PartWriter<'o> {
    archive: &'o Arc<Path>,
    names: MessageNames,
    /// The prefix of the names of documents: `FILE!1!`
    name: OsString,
    message: Option<usize>,
    offset: u64,
    message_id: Option<Arc<[u8]>>,
    message_fields: Option<Arc<MessageFields>>,
    /// A part that is no longer needed, without its number and bytes, which are in the next two.
    spare: Option<Box<Part>>,
    number: String,
    buffer: Vec<u8>,
}

impl<'o> PartWriter<'o> {
    pub(super) fn new(archive: &'o Arc<Path>, names: MessageNames) -> Self {
        Self {
            archive,
            names,
            name: OsString::new(),
            message: None,
            offset: 0,
            message_id: None,
            message_fields: None,
            spare: None,
            number: String::new(),
            buffer: Vec::new(),
        }
    }

    /// Begins a message.
    pub(super) fn begin(
        &mut self,
        raw: RawMessage<'_>,
        message_id: Option<&[u8]>,
        fields: Option<MessageFields>,
    ) {
        self.name.clear();
        self.name.push(self.archive.as_os_str());
        raw.append_name(self.names, &mut self.name);
        self.name.push("!");
        self.message = raw.number_in_file(self.names);
        self.offset = raw.offset;
        self.message_id = message_id.map(Arc::from);
        self.message_fields = fields.map(Arc::new);
    }

    /// Keeps the memory of a part that is no longer needed.
    pub(super) fn reuse(&mut self, mut part: Box<Part>) {
        let source = part.document.source_mut(part.document.format());
        self.buffer = std::mem::take(&mut source.bytes);
        if self.buffer.capacity() > LONGEST_KEPT {
            self.buffer = Vec::new();
        }
        if let Some(mail_part) = &mut source.mail_part {
            self.number = std::mem::take(&mut mail_part.part);
            mail_part.source_map = SourceMap::At(0);
            mail_part.parts = None;
            mail_part.html.clear();
        }
        self.spare = Some(part);
    }

    /// An empty string for the number of the next part.
    pub(super) fn number(&mut self) -> String {
        let mut number = std::mem::take(&mut self.number);
        number.clear();
        number
    }

    /// An empty buffer for the bytes of the next part.
    pub(super) fn buffer(&mut self) -> Vec<u8> {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        buffer
    }

    /// Creates a part, outside of alternatives and undamaged.
    pub(super) fn part(&mut self, content: Content<'_>) -> Box<Part> {
        let spare = self.spare.take();
        let mut part = spare.unwrap_or_else(|| Box::new(self.empty(content.format)));
        let Part { document, alternatives, is_repaired, is_unknown } = &mut *part;
        alternatives.clear();
        (*is_repaired, *is_unknown) = (false, false);
        let Source { name, bytes, syntax, charset, base, mail_part, record: _, package_part: _ } =
            document.source_mut(content.format);
        let name = name.as_mut_os_string();
        name.clear();
        name.push(&self.name);
        name.push(&content.number);
        match content.bytes {
            Cow::Owned(decoded) => *bytes = decoded,
            Cow::Borrowed(decoded) => {
                *bytes = std::mem::take(&mut self.buffer);
                bytes.clear();
                bytes.extend_from_slice(decoded);
            }
        }
        *syntax = content.syntax;
        *charset = content.charset;
        match base {
            Some(base) => base.clone_from(content.base),
            None => *base = Some(content.base.clone()),
        }
        let mail_part = mail_part.get_or_insert_with(|| Box::new(self.empty_mail_part()));
        let MailPart {
            archive,
            message,
            offset,
            message_id,
            message_fields,
            part: number,
            flowed,
            has_no_urls,
            source_map,
            parts,
            html,
        } = &mut **mail_part;
        archive.clone_from(self.archive);
        *message = self.message;
        *offset = self.offset;
        message_id.clone_from(&self.message_id);
        message_fields.clone_from(&self.message_fields);
        *number = content.number;
        *flowed = content.flowed;
        *has_no_urls = content.has_no_urls;
        *source_map = content.source_map;
        *parts = content.parts.cloned();
        html.clear();
        part
    }

    /// Adds the HTML alternatives that follow a text part.
    pub(super) fn add_html(part: &mut Part, html: Vec<Arc<HtmlPage>>) {
        let source = part.document.source_mut(part.document.format());
        if let Some(part) = &mut source.mail_part {
            part.html = html;
        }
    }

    /// A part without content.
    fn empty(&self, format: Format) -> Part {
        let source = Source::new(Vec::new(), Charset::VALID);
        Part {
            document: Document::from_source(source, format),
            alternatives: Vec::new(),
            is_repaired: false,
            is_unknown: false,
        }
    }

    fn empty_mail_part(&self) -> MailPart {
        MailPart {
            archive: Arc::clone(self.archive),
            message: None,
            offset: 0,
            message_id: None,
            message_fields: None,
            part: String::new(),
            flowed: None,
            has_no_urls: false,
            source_map: SourceMap::At(0),
            parts: None,
            html: Vec::new(),
        }
    }
}
