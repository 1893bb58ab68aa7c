//! The documents of a message: its headers and text parts.

use std::borrow::Cow;
use std::cell::Cell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::batch::RawMessage;
use super::charset::labeled;
use super::format::MboxFormat;
use super::html_alternatives::HtmlAlternatives;
use super::part::{MailOptions, Part, Unread};
use super::quoting::unquoted;
use super::structure::{EntityKind, Structure};
use super::transfer::{
    self, Encoding, Map, decode_within, looks_quoted_printable, quoted_printable_html,
};
use crate::document::Document;
use crate::format::Format;
use crate::format::header::{FieldKind, is_external, location_pieces, words};
use crate::format::mail::lines::{MMDF, trim_line_end};
use crate::source::utf7;
use crate::source::{
    Base, BaseFrom, Charset, Fields, Flowed, HtmlPage, MAX_BASE, MailPart, PartIndex, Source,
    SourceMap,
};
use crate::uri::{Resolved, Resolver};

/// The maximum nesting of encoded messages. Each must be decoded before the next.
const MAX_ENCODED: usize = 4;

/// The default base (RFC 2557, section 5).
const THIS_MESSAGE: &str = "thismessage:/";

/// The properties that all documents of a message share.
struct Shared<'m> {
    archive: &'m Arc<Path>,
    /// The prefix of their names: `FILE!1!`
    name: OsString,
    raw: RawMessage<'m>,
    message_id: Option<Arc<[u8]>>,
    options: &'m MailOptions,
    /// The number of entities read, including those of encoded messages.
    entities: Cell<usize>,
}

impl Shared<'_> {
    /// Adds the entities of a message. Returns the number of entities before it.
    fn count(&self, structure: &Structure) -> usize {
        let before = self.entities.get();
        self.entities.set(before + structure.entities.len());
        before
    }

    fn document(&self, content: Content) -> Document {
        let Content {
            number,
            format,
            charset,
            bytes,
            source_map,
            base,
            flowed,
            fields,
            parts,
            html,
        } = content;
        let mut name = OsString::with_capacity(self.name.len() + number.len());
        name.push(&self.name);
        name.push(&number);
        let source = Source {
            name: PathBuf::from(name),
            bytes,
            syntax: None,
            charset,
            base: Some(base),
            mail_part: Some(Box::new(MailPart {
                archive: Arc::clone(self.archive),
                message: self.raw.number,
                offset: self.raw.offset,
                message_id: self.message_id.clone(),
                part: number,
                flowed,
                fields,
                source_map,
                parts,
                html,
            })),
        };
        Document::from_source(source, format)
    }
}

/// The properties of one document.
struct Content {
    number: String,
    format: Format,
    charset: Charset,
    bytes: Vec<u8>,
    source_map: SourceMap,
    base: Base,
    flowed: Option<Flowed>,
    fields: Option<Fields>,
    parts: Option<Arc<PartIndex>>,
    html: Vec<Arc<HtmlPage>>,
}

/// The properties of all parts, collected before the first part is read.
struct PartContext {
    bases: Vec<Base>,
    index: Option<Arc<PartIndex>>,
}

/// A message, or an encoded message within it.
struct Message<'m> {
    bytes: &'m [u8],
    structure: Structure,
    /// The prefix of its part numbers.
    prefix: String,
    /// The base of the enclosing part.
    base: Option<Base>,
    /// Its position in the file.
    source_map: SourceMap,
    /// The alternatives that it is part of.
    alternatives: Vec<(usize, usize)>,
    depth: usize,
    /// The number of entities before its own.
    entities: usize,
}

/// Calls `each` with the documents of a message in the file `archive`, in order: each header before its body.
/// Parts without text, such as images, are not decoded and have no document.
///
/// Malformed messages are never rejected. Parts that exceed a limit are reported in [`Unread`]. Linear in the
/// message (up to 4 times that for nested encoded messages) and in the lengths of the bases of its parts,
/// each at most [`MAX_BASE`].
pub fn documents(
    raw: RawMessage<'_>,
    archive: &Arc<Path>,
    options: &MailOptions,
    mut each: impl FnMut(Part),
) -> Unread {
    let mut source_map = SourceMap::At(raw.offset);
    let mut bytes = Cow::Borrowed(raw.bytes);
    if options.quoting == Some(MboxFormat::Mmdf)
        && let Some(text) = trim_line_end(raw.bytes).strip_suffix(MMDF)
    {
        bytes = Cow::Borrowed(text);
    }
    if let Some((text, map)) = options
        .quoting
        .and_then(|format| unquoted(raw.bytes, format))
    {
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
    let structure = Structure::read(&bytes);
    let message_id = structure.entities.first().and_then(|first| {
        let id = first.header.value(FieldKind::MessageId, &bytes)?;
        Some(Arc::from(id))
    });
    let mut name = archive.as_os_str().to_owned();
    name.push(["!", &raw.number.to_string(), "!"].concat());
    let shared = Shared {
        archive,
        name,
        raw,
        message_id,
        options,
        entities: Cell::new(0),
    };
    let message = Message {
        entities: shared.count(&structure),
        bytes: &bytes,
        structure,
        prefix: String::new(),
        base: options.base.clone(),
        source_map,
        alternatives: Vec::new(),
        depth: 0,
    };
    let mut unread = Unread {
        is_cut: raw.is_cut,
        has_too_many_parts: false,
    };
    message.documents(&shared, &mut unread, &mut each);
    unread
}

impl Message<'_> {
    fn documents(&self, shared: &Shared<'_>, unread: &mut Unread, each: &mut dyn FnMut(Part)) {
        unread.has_too_many_parts |= self.structure.is_limited;
        let bases = self.bases(&shared.options.resolver);
        let index = self.index(&bases, &shared.options.resolver);
        let parts_context = &PartContext { bases, index };
        let PartContext { bases, index } = parts_context;
        let mut html = HtmlAlternatives::new(&self.structure);
        for (at, entity) in self.structure.entities.iter().enumerate() {
            let content_type = entity.header.value(FieldKind::ContentType, self.bytes);
            let has_links = entity.header.fields.iter().any(|field| field.has_links())
                || content_type.is_some_and(is_external);
            if shared.options.headers && has_links {
                let head = &self.bytes[entity.head.clone()];
                let document = shared.document(Content {
                    number: self.header_number(at),
                    format: Format::Header,
                    charset: charset(shared.options, None, head, Format::Header),
                    bytes: head.to_vec(),
                    source_map: self.source_map.clone().shifted(entity.head.start),
                    base: self.header_base(bases, at),
                    flowed: None,
                    fields: None,
                    parts: index.clone(),
                    html: Vec::new(),
                });
                each(Part {
                    document,
                    alternatives: Vec::new(),
                    is_repaired: false,
                    is_unknown: false,
                });
            }
            if entity.kind != EntityKind::Leaf {
                continue;
            }
            if entity.content.is_message() && self.depth < MAX_ENCODED {
                self.encoded_message(at, bases, shared, unread, each);
                continue;
            }
            unread.has_too_many_parts |= entity.content.is_message() && self.depth >= MAX_ENCODED;
            let Some(mut part) = html
                .take(at)
                .or_else(|| self.leaf(at, shared, parts_context))
            else {
                continue;
            };
            if part.document.format().is_text()
                && let Some(part) = part.document.mail_part_mut()
            {
                part.html = html.of_text(&self.structure, at, |at| {
                    self.leaf(at, shared, parts_context)
                });
            }
            each(part);
        }
    }

    /// The document of a body, if its format has links.
    fn leaf(&self, at: usize, shared: &Shared<'_>, parts_context: &PartContext) -> Option<Part> {
        let entity = &self.structure.entities[at];
        let mut format = entity.content.format()?;
        let body = &self.bytes[entity.body.clone()];
        let (mut decoded, mut source_map, is_repaired) = self.decoded(at, body);
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
        let document = shared.document(Content {
            number: self.number(at),
            format,
            charset: charset(shared.options, label, &decoded, format),
            bytes: decoded.into_owned(),
            source_map,
            base: parts_context.bases[at].clone(),
            flowed: entity.content.flowed,
            fields: entity.content.fields,
            parts: parts_context.index.clone(),
            html: Vec::new(),
        });
        Some(Part {
            document,
            alternatives: self.alternatives_of(at),
            is_repaired,
            is_unknown: entity.encoding == Encoding::Unknown,
        })
    }

    /// Reads an encoded message within this one.
    fn encoded_message(
        &self,
        at: usize,
        bases: &[Base],
        shared: &Shared<'_>,
        unread: &mut Unread,
        each: &mut dyn FnMut(Part),
    ) {
        let entity = &self.structure.entities[at];
        let body = &self.bytes[entity.body.clone()];
        let (decoded, source_map, _) = self.decoded(at, body);
        let structure = Structure::read(&decoded);
        let message = Message {
            entities: shared.count(&structure),
            structure,
            bytes: &decoded,
            prefix: format!("{}.", self.number(at)),
            base: Some(bases[at].clone()),
            source_map,
            alternatives: self.alternatives_of(at),
            depth: self.depth + 1,
        };
        message.documents(shared, unread, each);
    }

    /// Decodes a body. Returns also its position in the file, and whether it was repaired.
    fn decoded<'b>(&self, at: usize, body: &'b [u8]) -> (Cow<'b, [u8]>, SourceMap, bool) {
        let entity = &self.structure.entities[at];
        let is_declared = entity.header.field(FieldKind::TransferEncoding).is_some();
        let is_page = || match entity.content.format() {
            _ if entity.content.is_default => undeclared_page(body).is_some(),
            format => format.is_some_and(Format::is_page),
        };
        let is_encoded = matches!(
            entity.encoding,
            Encoding::Base64 | Encoding::QuotedPrintable
        );
        let decoded = match entity.encoding {
            Encoding::Identity if !is_declared && looks_quoted_printable(body) => {
                transfer::decode(Encoding::QuotedPrintable, body)
            }
            _ if !is_encoded && is_page() => decode_within(body, &quoted_printable_html(body)),
            declared => transfer::decode(declared, body),
        };
        let here = self.source_map.clone().shifted(entity.body.start);
        let source_map = match decoded.map {
            Map::Identity => here,
            Map::Units(map) => here.decoded(map),
            Map::Cover(map) => here.covered(map),
        };
        (decoded.bytes, source_map, decoded.repaired)
    }

    fn number(&self, at: usize) -> String {
        let number = self.structure.number(at);
        if self.prefix.is_empty() {
            return number;
        }
        self.prefix.clone() + &number
    }

    /// The part number of a header, of a message or a part.
    fn header_number(&self, at: usize) -> String {
        let entity = &self.structure.entities[at];
        match entity.parent {
            _ if entity.place > 0 => self.number(at) + ".MIME",
            Some(parent) => self.number(parent) + ".HEADER",
            None => self.prefix.clone() + "HEADER",
        }
    }

    /// The alternatives that an entity is part of, from the outside to the inside.
    fn alternatives_of(&self, at: usize) -> Vec<(usize, usize)> {
        let own = self.structure.alternatives_around(at);
        let own = own.map(|(parent, place)| (self.entities + parent, place));
        let mut found: Vec<_> = own.chain(self.alternatives.iter().rev().copied()).collect();
        found.reverse();
        found
    }

    /// The base of each entity (RFC 3986, section 5.1): its `Content-Base`, its `Content-Location`, those of
    /// the enclosing part, and so on.
    fn bases(&self, resolver: &Resolver) -> Vec<Base> {
        let mut bases: Vec<Base> = Vec::with_capacity(self.structure.entities.len());
        for (at, entity) in self.structure.entities.iter().enumerate() {
            let outer = self.outer_base(&bases, at);
            let header = &entity.header;
            let named = |kind| header.value(kind, self.bytes).map(location);
            let given = [
                (FieldKind::ContentBase, BaseFrom::ContentBase),
                (FieldKind::ContentLocation, BaseFrom::ContentLocation),
            ];
            let own = given.into_iter().find_map(|(kind, from)| {
                let uri = resolve(resolver, &outer.uri, &named(kind)?)?;
                // Web archives name their pages so; such a name is not a base.
                let names_part = ["cid:", "mid:"].into_iter().any(|scheme| {
                    let start = uri.get(..scheme.len());
                    start.is_some_and(|it| it.eq_ignore_ascii_case(scheme))
                });
                // The limit matters, since each part has a copy.
                (!names_part && uri.len() <= MAX_BASE).then_some(Base { uri, from })
            });
            bases.push(own.unwrap_or(outer));
        }
        bases
    }

    /// The base of the enclosing part, from the bases found already.
    fn outer_base(&self, bases: &[Base], at: usize) -> Base {
        let parent = self.structure.entities[at].parent;
        let outer = parent.and_then(|parent| bases.get(parent));
        let outer = outer.or(self.base.as_ref()).cloned();
        outer.unwrap_or_else(|| Base {
            uri: THIS_MESSAGE.to_owned(),
            from: BaseFrom::Default,
        })
    }

    /// The base of references in a header. A `Content-Location` is relative to the `Content-Base` of the same
    /// header, if present (RFC 2110, section 4.2).
    fn header_base(&self, bases: &[Base], at: usize) -> Base {
        let header = &self.structure.entities[at].header;
        let is_located = header.field(FieldKind::ContentLocation).is_some();
        match bases[at].from {
            BaseFrom::ContentBase if is_located => bases[at].clone(),
            _ => self.outer_base(bases, at),
        }
    }

    /// The index of part numbers by id and location. A multipart message has no number of its own, so it is
    /// not in the index.
    fn index(&self, bases: &[Base], resolver: &Resolver) -> Option<Arc<PartIndex>> {
        let mut index = PartIndex::default();
        for (at, entity) in self.structure.entities.iter().enumerate() {
            let value = |kind| entity.header.value(kind, self.bytes);
            let id = value(FieldKind::ContentId);
            let written = value(FieldKind::ContentLocation);
            let is_named = id.is_some() || written.is_some();
            if !is_named || self.structure.number(at).is_empty() {
                continue;
            }
            if let Some(id) = id {
                let id = String::from_utf8_lossy(id);
                index.add_id(id.trim_matches(['<', '>', ' ']), &self.number(at));
            }
            if let Some(written) = written.map(location) {
                let base = self.header_base(bases, at);
                if let Some(uri) =
                    resolve(resolver, &base.uri, &written).filter(|uri| uri.len() <= MAX_BASE)
                {
                    index.add_location(uri, &self.number(at));
                }
            }
        }
        (!index.is_empty()).then(|| Arc::new(index))
    }
}

/// The format of an undeclared text that is an HTML page. A text that begins with a tag may be a message with pasted HTML:
/// a page has no URLs in angle brackets.
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

/// The reference in the value of a `Content-Location` or `Content-Base` field.
fn location(value: &[u8]) -> String {
    let text = String::from_utf8_lossy(value);
    let decoded = words::decode(&text);
    let text = decoded.as_ref().map_or(&*text, |(text, _)| text);
    let pieces = location_pieces(text);
    pieces.into_iter().map(|piece| &text[piece]).collect()
}

/// The target of a reference. Absolute references are resolved against themselves.
fn resolve(resolver: &Resolver, base: &str, reference: &str) -> Option<String> {
    let with_scheme;
    let mut reference = reference;
    if Base::lacks_network(base) && reference.starts_with("//") {
        with_scheme = format!("https:{reference}");
        reference = &with_scheme;
    }
    let own = resolver.resolve(reference, reference);
    match own.or_else(|_| resolver.resolve(base, reference)).ok()? {
        Resolved::Target(uri) => Some(uri),
        Resolved::CurrentDocument { .. } => Some(base.to_owned()),
    }
}

/// The charset of a part: that of the options, else by its label and bytes.
fn charset(options: &MailOptions, label: Option<&str>, bytes: &[u8], format: Format) -> Charset {
    let named = options.charset.as_deref();
    let named = named.and_then(|label| Charset::named(label, bytes).ok());
    named.unwrap_or_else(|| labeled(label, bytes, format))
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

/// Returns true if a text begins with `<`, after a byte order mark and white space, in any encoding.
fn begins_with_tag(bytes: &[u8]) -> bool {
    let is_skipped = |byte: &u8| {
        byte.is_ascii_whitespace() || matches!(byte, 0 | 0xEF | 0xBB | 0xBF | 0xFE | 0xFF)
    };
    bytes.iter().find(|byte| !is_skipped(byte)) == Some(&b'<')
}
