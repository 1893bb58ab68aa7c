//! The documents that a message consists of: its headers, and those of its parts that have text.

mod ahead;

use std::borrow::Cow;
use std::cell::Cell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::ahead::Ahead;
use super::format::MboxFormat;
use super::mbox::RawMessage;
use super::quoting::unquoted;
use super::structure::{EntityKind, Structure};
use super::transfer::{
    self, Encoding, Map, decode_within, looks_quoted_printable, quoted_printable_html,
};
use crate::format::header::{FieldKind, is_external, location_pieces, words};
use crate::source::mail_lines::{MMDF, trim_line_end};
use crate::source::utf7;
use crate::source::{
    Base, BaseFrom, Charset, Fields, Flowed, Format, HtmlPage, MAX_BASE, MailPart, PartIndex,
    Source, SourceMap, begins_with_tag,
};
use crate::uri::{Resolved, Resolver};

/// How deep messages may nest that are encoded, so that each has to be decoded first.
const MAX_ENCODED: usize = 4;

/// What a URI is relative to where nothing else says it (RFC 2557, section 5).
const THIS_MESSAGE: &str = "thismessage:/";

/// How messages are taken apart.
#[derive(Clone, Debug, Default)]
pub struct MailOptions {
    /// How bases are resolved.
    pub resolver: Resolver,
    /// Whether the headers are documents too.
    pub headers: bool,
    /// How the messages of a mailbox are quoted; none for a message that is a file of its own.
    pub quoting: Option<MboxFormat>,
    /// The charset of all parts, by a label of the Encoding standard; as they say where there is none.
    pub charset: Option<String>,
    /// The base that holds where a message has none.
    pub base: Option<Base>,
}

/// A document of a message.
#[derive(Clone, Debug)]
pub struct Part {
    /// The document, decoded from its transfer encoding.
    pub document: Source,
    /// Of which alternatives it is part, from the outside to the inside: the number of the
    /// `multipart/alternative` among the entities of the message, and which of its parts this is in.
    pub alternatives: Vec<(usize, usize)>,
    /// Its transfer encoding is not what it says, or has errors: what could be read was.
    pub is_repaired: bool,
    /// Its transfer encoding is none that is known: it was read as it stands.
    pub is_unknown: bool,
}

/// What could not be read of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unread {
    /// It is longer than [`MAX_MESSAGE`](super::MAX_MESSAGE).
    pub is_cut: bool,
    /// It has more parts than [`MAX_PARTS`](super::MAX_PARTS), or nests deeper than
    /// [`MAX_DEPTH`](super::MAX_DEPTH).
    pub has_too_many_parts: bool,
}

/// What documents have in common that are of one message.
struct Common<'m> {
    archive: &'m Arc<Path>,
    /// What their names begin with: `ARCHIVE!1!`
    name: OsString,
    raw: RawMessage<'m>,
    message_id: Option<Arc<[u8]>>,
    options: &'m MailOptions,
    /// How many entities there are, those of encoded messages too, as far as they have been read.
    entities: Cell<usize>,
}

impl Common<'_> {
    /// Counts the entities of a message. Returns how many came before.
    fn count(&self, structure: &Structure) -> usize {
        let before = self.entities.get();
        self.entities.set(before + structure.entities.len());
        before
    }

    fn document(&self, content: Content) -> Source {
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
        Source {
            name: PathBuf::from(name),
            bytes,
            format,
            syntax: None,
            charset,
            base: Some(base),
            carrier: Some(Box::new(MailPart {
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
        }
    }
}

/// What is particular to a document.
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

/// What is known of all parts of a message before the first of them is read.
struct Context {
    bases: Vec<Base>,
    index: Option<Arc<PartIndex>>,
}

/// A message, or one within it that had to be decoded first.
struct Whole<'m> {
    bytes: &'m [u8],
    structure: Structure,
    /// What the numbers of its parts begin with.
    prefix: String,
    /// The base round it.
    base: Option<Base>,
    /// Where it stands in the file.
    source_map: SourceMap,
    /// The alternatives that it is part of.
    alternatives: Vec<(usize, usize)>,
    depth: usize,
    /// How many entities came before its own.
    entities: usize,
}

/// Calls `each` with the documents of a message in the file `archive`, in their order: each header before the
/// body. Parts that have no text, such as images, are not decoded, and are none.
///
/// Nothing that is wrong with a message makes it none; what could not be read is told in the end. Time is
/// linear in the message, up to 4 times that for messages that are encoded within encoded messages, and in the
/// lengths of the bases of its parts, which are no more than [`MAX_BASE`].
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
    let common = Common {
        archive,
        name,
        raw,
        message_id,
        options,
        entities: Cell::new(0),
    };
    let whole = Whole {
        entities: common.count(&structure),
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
    whole.documents(&common, &mut unread, &mut each);
    unread
}

impl Whole<'_> {
    fn documents(&self, common: &Common<'_>, unread: &mut Unread, each: &mut dyn FnMut(Part)) {
        unread.has_too_many_parts |= self.structure.is_limited;
        let bases = self.bases(&common.options.resolver);
        let index = self.index(&bases, &common.options.resolver);
        let context = &Context { bases, index };
        let Context { bases, index } = context;
        let mut ahead = Ahead::new(self);
        for (at, entity) in self.structure.entities.iter().enumerate() {
            let content_type = entity.header.value(FieldKind::ContentType, self.bytes);
            let has_links = entity.header.fields.iter().any(|field| field.has_links())
                || content_type.is_some_and(is_external);
            if common.options.headers && has_links {
                let head = &self.bytes[entity.head.clone()];
                let document = common.document(Content {
                    number: self.header_number(at),
                    format: Format::Header,
                    charset: charset(common.options, None, head, Format::Header),
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
                self.encoded_message(at, bases, common, unread, each);
                continue;
            }
            unread.has_too_many_parts |= entity.content.is_message() && self.depth >= MAX_ENCODED;
            let Some(mut part) = ahead.take(at).or_else(|| self.leaf(at, common, context)) else {
                continue;
            };
            if part.document.format == Format::Text
                && let Some(carrier) = &mut part.document.carrier
            {
                carrier.html = ahead.version_of(self, at, common, context);
            }
            each(part);
        }
    }

    /// The document that a body is, if it is of a kind that has links.
    fn leaf(&self, at: usize, common: &Common<'_>, context: &Context) -> Option<Part> {
        let entity = &self.structure.entities[at];
        let mut format = entity.content.format()?;
        let body = &self.bytes[entity.body.clone()];
        let (mut decoded, mut source_map, is_repaired) = self.decoded(at, body);
        let mut label = entity.content.charset.as_deref();
        if common.options.charset.is_none()
            && label.is_some_and(utf7::is_label)
            && let Some((text, map)) = utf7::decode(&decoded)
        {
            decoded = Cow::Owned(text.into_bytes());
            source_map = source_map.decoded(map);
            label = Some("utf-8");
        }
        // Programs wrote pages without saying so.
        if entity.content.is_default && is_page(&decoded) {
            format = Format::Html;
        }
        let document = common.document(Content {
            number: self.number(at),
            format,
            charset: charset(common.options, label, &decoded, format),
            bytes: decoded.into_owned(),
            source_map,
            base: context.bases[at].clone(),
            flowed: entity.content.flowed,
            fields: entity.content.fields,
            parts: context.index.clone(),
            html: Vec::new(),
        });
        Some(Part {
            document,
            alternatives: self.alternatives_of(at),
            is_repaired,
            is_unknown: entity.encoding == Encoding::Unknown,
        })
    }

    /// A message that is encoded as a part of this one.
    fn encoded_message(
        &self,
        at: usize,
        bases: &[Base],
        common: &Common<'_>,
        unread: &mut Unread,
        each: &mut dyn FnMut(Part),
    ) {
        let entity = &self.structure.entities[at];
        let body = &self.bytes[entity.body.clone()];
        let (decoded, source_map, _) = self.decoded(at, body);
        let structure = Structure::read(&decoded);
        let whole = Whole {
            entities: common.count(&structure),
            structure,
            bytes: &decoded,
            prefix: format!("{}.", self.number(at)),
            base: Some(bases[at].clone()),
            source_map,
            alternatives: self.alternatives_of(at),
            depth: self.depth + 1,
        };
        whole.documents(common, unread, each);
    }

    /// A body without its transfer encoding, where it stands in the file, and whether it had to be repaired.
    fn decoded<'b>(&self, at: usize, body: &'b [u8]) -> (Cow<'b, [u8]>, SourceMap, bool) {
        let entity = &self.structure.entities[at];
        let is_declared = entity.header.field(FieldKind::TransferEncoding).is_some();
        let is_html = || match entity.content.format() {
            Some(Format::Text) if entity.content.is_default => is_page(body),
            format => format == Some(Format::Html),
        };
        let is_encoded = matches!(
            entity.encoding,
            Encoding::Base64 | Encoding::QuotedPrintable
        );
        let decoded = match entity.encoding {
            Encoding::Identity if !is_declared && looks_quoted_printable(body) => {
                transfer::decode(Encoding::QuotedPrintable, body)
            }
            _ if !is_encoded && is_html() => decode_within(body, &quoted_printable_html(body)),
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

    /// The number of a header: of a message, or of a part.
    fn header_number(&self, at: usize) -> String {
        let entity = &self.structure.entities[at];
        match entity.parent {
            _ if entity.place > 0 => self.number(at) + ".MIME",
            Some(parent) => self.number(parent) + ".HEADER",
            None => self.prefix.clone() + "HEADER",
        }
    }

    /// The alternatives that an entity is part of.
    fn alternatives_of(&self, at: usize) -> Vec<(usize, usize)> {
        let own = self.alternatives_around(at);
        let own = own.map(|(parent, place)| (self.entities + parent, place));
        let mut found: Vec<_> = own.chain(self.alternatives.iter().rev().copied()).collect();
        found.reverse();
        found
    }

    /// The alternatives of this message that an entity is part of, from the inside to the outside: each
    /// `multipart/alternative`, and which of its parts the entity is in.
    fn alternatives_around(&self, at: usize) -> impl Iterator<Item = (usize, usize)> {
        let entities = &self.structure.entities;
        let mut entity = &entities[at];
        std::iter::from_fn(move || {
            let parent = entity.parent?;
            let place = entity.place;
            entity = &entities[parent];
            let is_one = entity.content.is_alternative() && entity.kind == EntityKind::Multipart;
            Some(is_one.then_some((parent, place)))
        })
        .flatten()
    }

    /// The base of each entity, as RFC 3986, section 5.1, orders them: its `Content-Base`, its
    /// `Content-Location`, that of what it is part of, and so on outward.
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
                // Web archives give their pages such names, to which nothing is relative.
                let names_part = ["cid:", "mid:"].into_iter().any(|scheme| {
                    let start = uri.get(..scheme.len());
                    start.is_some_and(|it| it.eq_ignore_ascii_case(scheme))
                });
                // Each part has a copy of it.
                (!names_part && uri.len() <= MAX_BASE).then_some(Base { uri, from })
            });
            bases.push(own.unwrap_or(outer));
        }
        bases
    }

    /// The base round an entity, of those that are known so far.
    fn outer_base(&self, bases: &[Base], at: usize) -> Base {
        let parent = self.structure.entities[at].parent;
        let outer = parent.and_then(|parent| bases.get(parent));
        let outer = outer.or(self.base.as_ref()).cloned();
        outer.unwrap_or_else(|| Base {
            uri: THIS_MESSAGE.to_owned(),
            from: BaseFrom::Default,
        })
    }

    /// The base of the references in a header: a `Content-Location` is relative to the `Content-Base` beside it, if
    /// there is one (RFC 2110, section 4.2).
    fn header_base(&self, bases: &[Base], at: usize) -> Base {
        let header = &self.structure.entities[at].header;
        let is_located = header.field(FieldKind::ContentLocation).is_some();
        match bases[at].from {
            BaseFrom::ContentBase if is_located => bases[at].clone(),
            _ => self.outer_base(bases, at),
        }
    }

    /// What leads to which part. A message with parts has no number of its own, and nothing leads to it.
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

/// Whether a text of which nothing says what it is is a page in HTML. One that begins with a tag may be a letter that a
/// piece of HTML was pasted into: in a page no URL stands in angle brackets.
fn is_page(text: &[u8]) -> bool {
    const BRACKETED: [&[u8]; 5] = [b"<http:", b"<https:", b"<ftp:", b"<mailto:", b"<url:"];
    const BEGINS: [&[u8]; 4] = [b"<!doctype", b"<html", b"<head", b"<body"];
    let begins = |text: &[u8], with: &[&[u8]]| {
        with.iter().any(|it| {
            let start = text.get(..it.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(it))
        })
    };
    let is_bracketed = |at: usize| begins(&text[at..], &BRACKETED);
    // Most messages do not begin so, and this is a cheap test.
    begins_with_tag(text)
        && Format::detect(Path::new(""), text) == Format::Html
        && (begins(text.trim_ascii_start(), &BEGINS)
            || !memchr::memchr_iter(b'<', text).any(is_bracketed))
}

/// The reference that the value of a `Content-Location` or `Content-Base` is.
fn location(value: &[u8]) -> String {
    let text = String::from_utf8_lossy(value);
    let decoded = words::decode(&text);
    let text = decoded.as_ref().map_or(&*text, |(text, _)| text);
    let pieces = location_pieces(text);
    pieces.into_iter().map(|piece| &text[piece]).collect()
}

/// Where a reference leads; as it stands if it is absolute.
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

/// The charset of a part: of its label, unless its bytes show that it is another.
fn charset(options: &MailOptions, label: Option<&str>, bytes: &[u8], format: Format) -> Charset {
    let named = options.charset.as_deref();
    let named = named.and_then(|label| Charset::named(label, bytes).ok());
    named.unwrap_or_else(|| Charset::labeled(label, bytes, format))
}

/// A message whose lines end with CR alone, as old programs wrote them, with LF in the place of each.
fn with_line_feeds(bytes: &[u8]) -> Option<Vec<u8>> {
    let head = &bytes[..bytes.len().min(4096)];
    let is_old = !head.contains(&b'\n') && head.contains(&b'\r');
    is_old.then(|| {
        let line_feed = |byte: &u8| if *byte == b'\r' { b'\n' } else { *byte };
        bytes.iter().map(line_feed).collect()
    })
}
