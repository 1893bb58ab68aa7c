//! Writing a document with new links.

use encoding_rs::ISO_2022_JP;

use super::anchor::Anchor;
use super::attributes::{escape, escape_bytes, is_same, is_target, reference, write};
use crate::bytes::Span;
use crate::document::Document;
use crate::format::LinkTag;
use crate::source::Charset;

/// The end tag of a link.
const END: &str = "</a>";

/// The usual length of a start tag at most.
const TAG: usize = 256;

/// The maximum number of pieces of a URL. Each gets a link with the whole URL, so the output would
/// grow with the square of their number.
const MOST_PIECES: usize = 64;

/// Writes a document with its links.
pub(super) struct Output<'d> {
    document: &'d Document,
    charset: Charset,
    kept: Kept,
    bytes: Vec<u8>,
    /// The end of the part of the document that is written.
    done: usize,
    /// The start tag of the last link.
    tag: String,
}

/// The representation of the bytes outside of links.
enum Kept {
    /// Unchanged bytes.
    Unchanged,
    /// With character references for markup.
    Escaped,
    /// With character references for markup, and the places of these characters and their
    /// references in reverse order: the bytes alone do not identify them.
    EscapedAt(Vec<(Span, &'static str)>),
}

impl<'d> Output<'d> {
    /// The output of a page, in which only links are new.
    pub(super) fn of_page(document: &'d Document) -> Self {
        Self::new(document, Kept::Unchanged)
    }

    /// The output of a plain text converted to HTML.
    pub(super) fn of_text(document: &'d Document) -> Self {
        if document.charset().is_ascii_compatible() {
            return Self::new(document, Kept::Escaped);
        }
        let text = document.text();
        let special = text.text.bytes().enumerate().rev();
        let special = special.filter_map(|(at, byte)| {
            let span = text.to_source(Span::new(at, at + 1));
            Some((span, reference(byte)?))
        });
        Self::new(document, Kept::EscapedAt(special.collect()))
    }

    fn new(document: &'d Document, kept: Kept) -> Self {
        Self {
            document,
            charset: document.charset(),
            kept,
            bytes: Vec::with_capacity(document.bytes().len() / 8 * 9),
            done: 0,
            tag: String::with_capacity(TAG),
        }
    }

    /// Returns true if links can be made of these bytes: they are after the last link, in few
    /// pieces, and in a part where ASCII bytes are ASCII characters.
    pub(super) fn takes(&self, pieces: &[Span]) -> bool {
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else {
            return false;
        };
        let bytes = &self.document.bytes()[first.start..last.end];
        let is_shifted = self.charset.encoding() == ISO_2022_JP && bytes.contains(&0x1B);
        first.start >= self.done && pieces.len() <= MOST_PIECES && !is_shifted
    }

    /// Writes a link for each of the pieces. Writes one for all of them if the anchor has a new
    /// text.
    pub(super) fn link(&mut self, pieces: &[Span], anchor: &Anchor<'_>) {
        self.tag.clear();
        let mut tag = std::mem::take(&mut self.tag);
        anchor.open(&mut tag);
        match (anchor.new_text(), pieces) {
            (Some(text), [first, ..]) => {
                self.keep(first.start);
                self.replaced(&tag, text, pieces.last().unwrap_or(first).end);
            }
            (_, pieces) => {
                for piece in pieces {
                    self.keep(piece.start);
                    self.add(&tag);
                    self.keep(piece.end);
                    self.add(END);
                }
            }
        }
        self.tag = tag;
    }

    /// Writes a link with this text instead of the bytes up to `end`.
    fn replaced(&mut self, tag: &str, text: &str, end: usize) {
        let mut link = tag.to_owned();
        escape(text, &mut link);
        link.push_str(END);
        self.add(&link);
        self.done = end;
        if let Kept::EscapedAt(special) = &mut self.kept {
            while special.pop_if(|(span, _)| span.start < end).is_some() {}
        }
    }

    /// Writes the tag of an existing link with the attributes of an anchor, and its target or none.
    /// What does not change is copied.
    pub(super) fn tag(&mut self, tag: &LinkTag, anchor: &Anchor<'_>, has_target: bool) {
        let value_of = |name: &str| match is_target(name) && !has_target {
            true => None,
            false => anchor.attribute(name),
        };
        let is_old = |name: &str| tag.attributes.iter().any(|it| is_same(&it.name, name));
        let added = anchor.attributes().filter(|it| !is_old(it.0) && value_of(it.0).is_some());
        let added: Vec<_> = added.collect();
        self.keep(tag.name.end);
        // True after an attribute that was removed with the space before it.
        let mut is_removed = false;
        for (number, attribute) in tag.attributes.iter().enumerate() {
            let Some(value) = value_of(&attribute.name) else {
                self.done = attribute.span.end;
                is_removed = true;
                continue;
            };
            if is_removed {
                self.divide(attribute.span.end);
            }
            is_removed = false;
            let old = match number == tag.href {
                true => &tag.reference,
                false => &attribute.value,
            };
            // Of several attributes with one name, only the first has an effect.
            let before = &tag.attributes[..number];
            let is_changed =
                old != value && !before.iter().any(|it| is_same(&it.name, &attribute.name));
            if is_changed || attribute.is_open && !added.is_empty() {
                self.keep(attribute.span.start);
                self.add_attribute(&attribute.name, value);
                self.done = attribute.span.end;
            }
            self.keep(attribute.span.end);
        }
        for (name, value) in added {
            self.add(" ");
            self.add_attribute(name, value);
        }
        if is_removed {
            self.divide(tag.span.end);
        }
        self.keep(tag.span.end);
    }

    /// Divides what is before a removed attribute from the bytes after it, up to `end`: an unquoted
    /// value would include them, and a name would have the value that a `=` begins.
    fn divide(&mut self, end: usize) {
        let rest = self.document.decode(Span::new(self.done, end));
        let is_space = |it: char| matches!(it, ' ' | '\t' | '\n' | '\r' | '\x0C');
        if rest.trim_start_matches(is_space).starts_with('=') {
            self.add(" /");
        } else if !rest.starts_with(is_space) && !rest.starts_with('>') {
            self.add(" ");
        }
    }

    /// Writes the rest of the document.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.keep(self.document.bytes().len());
        self.bytes
    }

    /// Writes the bytes of the document up to `end`.
    fn keep(&mut self, end: usize) {
        let document = self.document.bytes();
        let Self { bytes, charset, .. } = self;
        match &mut self.kept {
            Kept::Unchanged => bytes.extend_from_slice(&document[self.done..end]),
            Kept::Escaped => escape_bytes(&document[self.done..end], bytes),
            Kept::EscapedAt(special) => {
                while let Some((span, reference)) = special.pop_if(|(span, _)| span.start < end) {
                    bytes.extend_from_slice(&document[self.done..span.start]);
                    bytes.extend_from_slice(&charset.encode(reference));
                    self.done = span.end;
                }
                bytes.extend_from_slice(&document[self.done..end]);
            }
        }
        self.done = end;
    }

    /// Writes an attribute with its value in quotes.
    fn add_attribute(&mut self, name: &str, value: &str) {
        let mut attribute = String::new();
        write(name, value, &mut attribute);
        self.add(&attribute);
    }

    /// Writes markup.
    fn add(&mut self, markup: &str) {
        let Self { bytes, charset, .. } = self;
        match charset.encoding() {
            encoding if encoding == encoding_rs::UTF_8 => {
                bytes.extend_from_slice(markup.as_bytes())
            }
            // Its two sets of single bytes differ in these characters.
            encoding if encoding == ISO_2022_JP => {
                let markup = markup.replace('\\', "&#92;").replace('~', "&#126;");
                bytes.extend_from_slice(&charset.encode(&markup));
            }
            _ => bytes.extend_from_slice(&charset.encode(markup)),
        }
    }
}
