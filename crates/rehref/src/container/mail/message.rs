//! The documents of a message: its headers and text parts.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use super::bases::Bases;
use super::charset::labeled;
use super::cms::{Position, Signed};
use super::content::described;
use super::html_alternatives::HtmlAlternatives;
use super::part::{MailOptions, Part, Unread, UnreadPart};
use super::part_writer::{Content, PartWriter};
use super::structure::{EntityKind, Structure};
use super::transfer::{
    self, Encoding, Map, decode_within, looks_quoted_printable, quoted_printable_html,
};
use crate::format::Format;
use crate::format::header::{FieldKind, has_links, may_have_urls, message_fields};
use crate::format::mail::lines::{line_at, name_len};
use crate::source::utf7;
use crate::source::{Base, Charset, MessageFields, PartIndex, SourceMap};

/// The maximum nesting of encoded messages. Each must be decoded before the next.
const MAX_ENCODED: usize = 4;

/// The state that a message shares with the messages within it.
pub(super) struct Shared<'s, 'o> {
    pub(super) options: &'s MailOptions,
    pub(super) writer: &'s mut PartWriter<'o>,
    /// The number of entities read, including those of encoded messages.
    pub(super) entities: usize,
    pub(super) unread: Unread,
    pub(super) each: &'s mut dyn FnMut(Box<Part>) -> Option<Box<Part>>,
}

impl Shared<'_, '_> {
    /// Passes a part to the caller.
    fn pass(&mut self, part: Box<Part>) {
        if let Some(part) = (self.each)(part) {
            self.writer.reuse(part);
        }
    }
}

/// A message, or an encoded message within it.
pub(super) struct Message<'m> {
    pub(super) bytes: &'m [u8],
    pub(super) structure: &'m Structure,
    /// The prefix of its part numbers.
    pub(super) prefix: &'m str,
    /// The base of the enclosing part.
    pub(super) base: &'m Base,
    /// Its position in the file.
    pub(super) source_map: SourceMap,
    /// The alternatives that it is part of.
    pub(super) alternatives: &'m [(usize, usize)],
    pub(super) depth: usize,
    /// The number of entities before it.
    pub(super) entities: usize,
}

/// The properties of all parts, collected before the first part is read.
struct PartContext<'m> {
    bases: Bases<'m>,
    /// The part numbers by id and location.
    index: Option<Arc<PartIndex>>,
}

impl Message<'_> {
    pub(super) fn documents(&self, shared: &mut Shared<'_, '_>) {
        shared.unread.has_too_many_parts |= self.structure.is_limited;
        let resolver = &shared.options.resolver;
        let bases = Bases::new(self.base, self.structure, self.bytes, resolver);
        let index = bases.index(|at, number| self.write_number(at, number));
        let context = &PartContext { bases, index };
        let mut html = HtmlAlternatives::new(self.structure);
        for (at, entity) in self.structure.entities.iter().enumerate() {
            if shared.options.headers && has_links(&entity.header, self.bytes) {
                let header = self.header(at, shared, context);
                shared.pass(header);
            }
            if entity.kind != EntityKind::Leaf {
                continue;
            }
            if entity.content.is_message() && self.depth < MAX_ENCODED {
                self.encoded_message(at, context.bases.of(at), shared);
                continue;
            }
            shared.unread.has_too_many_parts |=
                entity.content.is_message() && self.depth >= MAX_ENCODED;
            if entity.content.is_signed()
                && self.depth < MAX_ENCODED
                && self.signed_message(at, context.bases.of(at), shared)
            {
                continue;
            }
            let Some(mut part) = html.take(at).or_else(|| self.leaf(at, shared, context)) else {
                // An empty part has no links.
                if !self.bytes[entity.body.clone()].trim_ascii().is_empty() {
                    shared.unread.parts.push(self.unread_part(at));
                }
                continue;
            };
            if part.document.format().is_text() {
                let html = html.of_text(self.structure, at, |at| self.leaf(at, shared, context));
                PartWriter::add_html(&mut part, html);
            }
            // An encrypted text has no part of its own.
            if self.is_pgp(at) && part.document.format().is_plain_text() {
                shared.unread.parts.push(self.unread_part(at));
            }
            shared.pass(part);
        }
    }

    /// The document of a header.
    fn header(
        &self,
        at: usize,
        shared: &mut Shared<'_, '_>,
        context: &PartContext<'_>,
    ) -> Box<Part> {
        let entity = &self.structure.entities[at];
        let head = &self.bytes[entity.head.clone()];
        let charset = charset(shared.options, None, head, Format::Header);
        let mut number = shared.writer.number();
        self.write_header_number(at, &mut number);
        shared.writer.part(Content {
            number,
            format: Format::Header,
            charset,
            bytes: Cow::Borrowed(head),
            source_map: self.source_map.clone().shifted(entity.head.start),
            base: context.bases.of_header(at),
            flowed: None,
            syntax: None,
            has_no_urls: charset == Charset::VALID && !may_have_urls(&entity.header, self.bytes),
            parts: context.index.as_ref(),
        })
    }

    /// The document of a body, if its format has links.
    fn leaf(
        &self,
        at: usize,
        shared: &mut Shared<'_, '_>,
        context: &PartContext<'_>,
    ) -> Option<Box<Part>> {
        let entity = &self.structure.entities[at];
        let mut format = entity.content.format()?;
        let (mut decoded, mut source_map, is_repaired) = self.decoded(at, shared.writer);
        let mut label = entity.content.charset.as_deref();
        if shared.options.charset.is_none()
            && label.is_some_and(utf7::is_label)
            && let Some((text, map)) = utf7::decode(&decoded)
        {
            decoded = Cow::Owned(text.into_bytes());
            source_map = source_map.decoded(map);
            label = Some("utf-8");
        }
        if !entity.content.agrees(&decoded) {
            return None;
        }
        // Some programs sent HTML without declaring it.
        if entity.content.is_default {
            format = undeclared_page(&decoded).unwrap_or(format);
        }
        let syntax = match format.is_plain_text() {
            true => entity.content.syntax(&decoded),
            false => None,
        };
        let mut number = shared.writer.number();
        self.write_number(at, &mut number);
        let mut part = shared.writer.part(Content {
            number,
            format,
            charset: charset(shared.options, label, &decoded, format),
            syntax,
            bytes: decoded,
            source_map,
            base: context.bases.of(at),
            flowed: entity.content.flowed,
            has_no_urls: false,
            parts: context.index.as_ref(),
        });
        self.add_alternatives_of(at, &mut part.alternatives);
        part.is_repaired = is_repaired;
        part.is_unknown = entity.encoding == Encoding::Unknown;
        Some(part)
    }

    /// A part that is not a document.
    fn unread_part(&self, at: usize) -> UnreadPart {
        let entity = &self.structure.entities[at];
        let value = |kind| entity.header.value(kind, self.bytes);
        let (media_type, name) =
            described(value(FieldKind::ContentType), value(FieldKind::Disposition));
        UnreadPart { media_type, name, is_pgp: self.is_pgp(at) }
    }

    /// Returns true if a body begins as an encrypted message of OpenPGP.
    fn is_pgp(&self, at: usize) -> bool {
        const PGP: &[u8] = b"-----BEGIN PGP MESSAGE-----";
        let body = &self.bytes[self.structure.entities[at].body.clone()];
        body.trim_ascii_start().starts_with(PGP)
    }

    /// Reads an encoded message within this one.
    fn encoded_message(&self, at: usize, base: &Base, shared: &mut Shared<'_, '_>) {
        let (decoded, source_map, _) = self.decoded(at, shared.writer);
        self.inner_message(at, &decoded, source_map, base, shared);
    }

    /// Reads the message in a part of S/MIME. Returns false if the part has another content, such
    /// as an encrypted message.
    fn signed_message(&self, at: usize, base: &Base, shared: &mut Shared<'_, '_>) -> bool {
        let (decoded, source_map) = self.signed_data(at, shared.writer);
        let Some(signed) = Signed::read(&decoded) else {
            return false;
        };
        let (content, position) = signed.content(&decoded);
        let source_map = match position {
            Position::At(start) => source_map.shifted(start),
            Position::Mapped(map) => source_map.decoded(map),
        };
        // A document may be signed, too.
        let is_message = name_len(&content[line_at(&content, 0)]) > 0;
        if is_message {
            self.inner_message(at, &content, source_map, base, shared);
        }
        is_message || content.trim_ascii().is_empty()
    }

    /// The data of a part of S/MIME. Some programs write base64 that they do not declare, between
    /// lines like `-----BEGIN PKCS7-----`.
    fn signed_data(&self, at: usize, writer: &mut PartWriter<'_>) -> (Cow<'_, [u8]>, SourceMap) {
        const DASHES: &[u8] = b"-----";
        let entity = &self.structure.entities[at];
        let body = &self.bytes[entity.body.clone()];
        let first = body.trim_ascii_start();
        if !first.starts_with(DASHES) && !first.starts_with(b"MI") {
            let (decoded, source_map, _) = self.decoded(at, writer);
            return (decoded, source_map);
        }
        let mut start = body.len() - first.len();
        if first.starts_with(DASHES) {
            start += line_at(first, 0).end;
        }
        let rest = &body[start..];
        let end = memchr::memmem::find(rest, DASHES).unwrap_or(rest.len());
        let decoded = transfer::decode(Encoding::Base64, &rest[..end], writer.buffer());
        let here = self.source_map.clone().shifted(entity.body.start + start);
        (decoded.bytes, mapped(here, decoded.map))
    }

    /// Reads a message that was decoded from a part of this one.
    fn inner_message(
        &self,
        at: usize,
        decoded: &[u8],
        source_map: SourceMap,
        base: &Base,
        shared: &mut Shared<'_, '_>,
    ) {
        let mut structure = Structure::default();
        structure.read(decoded);
        let mut prefix = String::new();
        self.write_number(at, &mut prefix);
        prefix.push('.');
        let mut alternatives = Vec::new();
        self.add_alternatives_of(at, &mut alternatives);
        let entities = shared.entities;
        shared.entities += structure.entities.len();
        let message = Message {
            bytes: decoded,
            structure: &structure,
            prefix: &prefix,
            base,
            source_map,
            alternatives: &alternatives,
            depth: self.depth + 1,
            entities,
        };
        message.documents(shared);
    }

    /// Decodes a body. Also returns its position in the file, and true if it was repaired.
    fn decoded(&self, at: usize, writer: &mut PartWriter<'_>) -> (Cow<'_, [u8]>, SourceMap, bool) {
        let entity = &self.structure.entities[at];
        let body = &self.bytes[entity.body.clone()];
        let is_declared = entity.header.field(FieldKind::TransferEncoding).is_some();
        let is_page = || match entity.content.format() {
            _ if entity.content.is_default => undeclared_page(body).is_some(),
            format => format.is_some_and(Format::is_page),
        };
        let is_encoded = matches!(entity.encoding, Encoding::Base64 | Encoding::QuotedPrintable);
        let decoded = match entity.encoding {
            Encoding::Identity if !is_declared && looks_quoted_printable(body) => {
                transfer::decode(Encoding::QuotedPrintable, body, writer.buffer())
            }
            _ if !is_encoded && is_page() => {
                decode_within(body, &quoted_printable_html(body), Vec::new())
            }
            declared if is_encoded => transfer::decode(declared, body, writer.buffer()),
            declared => transfer::decode(declared, body, Vec::new()),
        };
        let here = self.source_map.clone().shifted(entity.body.start);
        (decoded.bytes, mapped(here, decoded.map), decoded.repaired)
    }

    /// Appends the part number of an entity.
    fn write_number(&self, at: usize, number: &mut String) {
        number.push_str(self.prefix);
        self.structure.write_number(at, number);
    }

    /// Appends the part number of a header, of a message or a part.
    fn write_header_number(&self, at: usize, number: &mut String) {
        let entity = &self.structure.entities[at];
        match entity.parent {
            _ if entity.place > 0 => {
                self.write_number(at, number);
                number.push_str(".MIME");
            }
            Some(parent) => {
                self.write_number(parent, number);
                number.push_str(".HEADER");
            }
            None => {
                number.push_str(self.prefix);
                number.push_str("HEADER");
            }
        }
    }

    /// Appends the alternatives that an entity is part of, from the outside to the inside.
    fn add_alternatives_of(&self, at: usize, alternatives: &mut Vec<(usize, usize)>) {
        alternatives.extend_from_slice(self.alternatives);
        let first = alternatives.len();
        let own = self.structure.alternatives_around(at);
        alternatives.extend(own.map(|(parent, place)| (self.entities + parent, place)));
        alternatives[first..].reverse();
    }
}

/// The position after a transfer encoding.
fn mapped(source_map: SourceMap, map: Map) -> SourceMap {
    match map {
        Map::Identity => source_map,
        Map::Units(map) => source_map.decoded(map),
        Map::Cover(map) => source_map.covered(map),
    }
}

/// The format of an undeclared text that is an HTML page. A text that begins with a tag may be a
/// message with pasted HTML: a page has no URLs in angle brackets.
fn undeclared_page(text: &[u8]) -> Option<Format> {
    const BRACKETED: [&[u8]; 5] = [b"<http:", b"<https:", b"<ftp:", b"<mailto:", b"<url:"];
    const BEGINS: [&[u8]; 4] = [b"<!doctype", b"<html", b"<head", b"<body"];
    let begins = |text: &[u8], with: &[&[u8]]| {
        with.iter().any(|it| {
            let start = text.get(..it.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(it))
        })
    };
    let is_bracketed = |at: usize| begins(&text[at..], &BRACKETED);
    // Few messages begin so, which makes this a cheap check.
    let format = begins_with_tag(text).then(|| Format::detect(Path::new(""), text));
    let is_whole = || {
        begins(text.trim_ascii_start(), &BEGINS)
            || !memchr::memchr_iter(b'<', text).any(is_bracketed)
    };
    format.filter(|it| it.is_page() && is_whole())
}

/// The fields that describe a message with this header.
pub(super) fn fields_of(options: &MailOptions, head: &[u8]) -> MessageFields {
    let encoding = charset(options, None, head, Format::Header).encoding();
    message_fields(&encoding.decode_without_bom_handling(head).0)
}

/// The charset of a part: that of the options, else by its label and bytes.
fn charset(options: &MailOptions, label: Option<&str>, bytes: &[u8], format: Format) -> Charset {
    let named = options.charset.as_deref();
    let named = named.and_then(|label| Charset::named(label, bytes).ok());
    named.unwrap_or_else(|| labeled(label, bytes, format))
}

/// Returns true if a text begins with `<`, after a byte order mark and white space, in any
/// encoding.
fn begins_with_tag(bytes: &[u8]) -> bool {
    let is_skipped = |byte: &u8| {
        byte.is_ascii_whitespace() || matches!(byte, 0 | 0xEF | 0xBB | 0xBF | 0xFE | 0xFF)
    };
    bytes.iter().find(|byte| !is_skipped(byte)) == Some(&b'<')
}
