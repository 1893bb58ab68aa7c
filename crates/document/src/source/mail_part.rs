//! Mail parts: the position of a document in a message and in its file.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::HtmlPage;
use crate::bytes::percent;
use crate::bytes::{OffsetMap, Span};

/// The mail part that a document was read from.
#[derive(Clone, Debug)]
pub struct MailPart {
    /// The file that contains the message, as named in records.
    pub archive: Arc<Path>,
    /// The number of the message in the file, from 1. `None` if messages are named by offsets.
    pub message: Option<usize>,
    /// The byte offset of the message in the file, from 0. In compressed files, an offset of the
    /// decompressed bytes.
    pub offset: u64,
    /// The `Message-ID` as written. For a message within a message, that of the outer message in
    /// the file.
    pub message_id: Option<Arc<[u8]>>,
    /// The fields that describe the message in the file, if contexts of links are wanted.
    pub message_fields: Option<Arc<MessageFields>>,
    /// The part number in IMAP (RFC 9051, section 6.4.5.1): `1.2`, `HEADER`, `2.MIME`.
    pub part: String,
    /// The `format=flowed` parameters of the part, if present.
    pub flowed: Option<Flowed>,
    /// True if the part is a header in UTF-8 in which no URL with a scheme can be, so that it need
    /// not be searched for one.
    pub has_no_urls: bool,
    /// The position of the part's bytes in the file.
    pub source_map: SourceMap,
    /// The other parts of the message, by id and location.
    pub parts: Option<Arc<PartIndex>>,
    /// The HTML alternatives of a text part that follow it in the message.
    pub html: Vec<Arc<HtmlPage>>,
}

/// Parameters of `format=flowed` (RFC 3676).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flowed {
    /// The value of `DelSp`: true if joining two lines also removes the space before the line break
    /// (section 4.1).
    pub delsp: bool,
}

/// The position of a part's bytes in its file.
#[derive(Clone, Debug)]
pub enum SourceMap {
    /// Stored unencoded, from this byte offset on.
    At(u64),
    /// Decoded, in these steps, from the bytes that begin at this offset. The last step gives the
    /// part.
    Decoded(u64, Vec<Step>),
}

/// A decoding step from a file to the bytes of a part.
#[derive(Clone, Debug)]
pub enum Step {
    /// Skips this number of bytes at the beginning.
    Skip(usize),
    /// Decodes a text; the map gives the source offsets.
    Decode(Arc<OffsetMap>),
    /// Decodes base64. The source bytes of a span may cover neighboring bytes too, since a digit
    /// may have bits of two bytes.
    Cover(Arc<OffsetMap>),
}

impl SourceMap {
    /// The position `by` bytes further.
    pub fn shifted(mut self, by: usize) -> Self {
        match &mut self {
            Self::At(at) => *at += by as u64,
            Self::Decoded(_, steps) => steps.push(Step::Skip(by)),
        }
        self
    }

    /// The position after a decoding step.
    pub fn decoded(self, map: OffsetMap) -> Self {
        self.by(Step::Decode(Arc::new(map)))
    }

    /// The position after a decoding step from base64.
    pub fn covered(self, map: OffsetMap) -> Self {
        self.by(Step::Cover(Arc::new(map)))
    }

    fn by(self, step: Step) -> Self {
        match self {
            Self::At(at) => Self::Decoded(at, vec![step]),
            Self::Decoded(at, mut steps) => {
                steps.push(step);
                Self::Decoded(at, steps)
            }
        }
    }
}

impl MailPart {
    /// The number of the message in the file, or its offset if messages are named by offsets.
    pub fn message_or_offset(&self) -> u64 {
        self.message.map_or(self.offset, |number| number as u64)
    }

    /// The byte range `[start, end)` in the file of `span` of the part. Includes escapes and line
    /// breaks of the transfer encoding. In base64 it may cover neighboring bytes: see
    /// [`covers`](Self::covers).
    pub fn file_range(&self, span: Span) -> [u64; 2] {
        let (at, span) = match &self.source_map {
            SourceMap::At(at) => (*at, span),
            SourceMap::Decoded(at, steps) => {
                let back = |span: Span, step: &Step| match step {
                    Step::Skip(by) => span.shifted(*by),
                    Step::Decode(map) | Step::Cover(map) => map.to_source(span),
                };
                (*at, steps.iter().rev().fold(span, back))
            }
        };
        [at + span.start as u64, at + span.end as u64]
    }

    /// The first byte in the file of the part, or of the encoded part that contains it.
    pub fn file_start(&self) -> u64 {
        match &self.source_map {
            SourceMap::At(at) | SourceMap::Decoded(at, _) => *at,
        }
    }

    /// Returns true if file ranges may cover neighboring bytes too: the part, or a message that
    /// contains it, is in base64.
    pub fn covers(&self) -> bool {
        match &self.source_map {
            SourceMap::At(_) => false,
            SourceMap::Decoded(_, steps) => steps.iter().any(|it| matches!(it, Step::Cover(_))),
        }
    }

    /// The part number in the same message that a URI refers to: by `Content-ID` for `cid:` and
    /// `mid:` URLs (RFC 2392), or by `Content-Location` (RFC 2557, section 8).
    pub fn linked_part(&self, uri: &str) -> Option<&str> {
        let parts = self.parts.as_ref()?;
        let uri = uri.split('#').next().unwrap_or_default();
        if let Some(id) = after_scheme(uri, "cid:") {
            // Browsers save parts with a `cid:` URL as their location.
            return parts.with_id(id).or_else(|| parts.with_location(uri));
        }
        match after_scheme(uri, "mid:") {
            Some(rest) => {
                let (message, id) = rest.split_once('/')?;
                let own = self.message_id.as_ref()?.trim_ascii();
                let own = own.strip_prefix(b"<").unwrap_or(own);
                let own = own.strip_suffix(b">").unwrap_or(own);
                (*percent::decode(message) == *own).then(|| parts.with_id(id))?
            }
            None => parts.with_location(uri),
        }
    }
}

/// The parts of a message, by id and location.
#[derive(Clone, Debug, Default)]
pub struct PartIndex {
    ids: HashMap<String, String>,
    locations: HashMap<String, String>,
}

impl PartIndex {
    /// Returns true if no part has an id or location.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty() && self.locations.is_empty()
    }

    /// Adds a part with this `Content-ID`, without brackets. If several parts have it, the first
    /// counts.
    pub fn add_id(&mut self, id: &str, part: &str) {
        self.ids.entry(id.to_owned()).or_insert_with(|| part.to_owned());
    }

    /// Adds a part with this URI as its `Content-Location`.
    pub fn add_location(&mut self, uri: String, part: &str) {
        self.locations.entry(uri).or_insert_with(|| part.to_owned());
    }

    /// The part with this `Content-ID`, percent-encoded as in a URL.
    fn with_id(&self, id: &str) -> Option<&str> {
        let id = percent::decode(id);
        let part = self.ids.get(&*String::from_utf8_lossy(&id));
        part.map(String::as_str)
    }

    fn with_location(&self, uri: &str) -> Option<&str> {
        self.locations.get(uri).map(String::as_str)
    }
}

fn after_scheme<'u>(uri: &'u str, scheme: &str) -> Option<&'u str> {
    let start = uri.get(..scheme.len())?;
    start.eq_ignore_ascii_case(scheme).then(|| &uri[scheme.len()..])
}

/// The fields of a message that describe it: decoded, with white space collapsed, and cut off after
/// 4 KiB.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageFields {
    /// The `Date`.
    pub date: Option<String>,
    /// The sender: `From`.
    pub from: Option<String>,
    /// The `Subject`.
    pub subject: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_by_id_and_location() {
        let mut parts = PartIndex::default();
        parts.add_id("a b@x", "2");
        parts.add_location("http://a.example/b".to_owned(), "3");
        parts.add_location("cid:c@x".to_owned(), "4");
        let mail_part = MailPart {
            archive: Path::new("a.eml").into(),
            message: Some(1),
            offset: 0,
            message_id: Some(Arc::from(&b"<m@x>"[..])),
            message_fields: None,
            part: "1".to_owned(),
            flowed: None,
            has_no_urls: false,
            source_map: SourceMap::At(0),
            parts: Some(Arc::new(parts)),
            html: Vec::new(),
        };
        for (uri, part) in [
            ("cid:a%20b@x", Some("2")),
            ("CID:c@x", None),
            ("cid:c@x", Some("4")),
            ("mid:m@x/a%20b@x", Some("2")),
            ("mid:other@x/a%20b@x", None),
            ("mid:m@x", None),
            ("http://a.example/b#c", Some("3")),
            ("http://a.example/", None),
        ] {
            assert_eq!(mail_part.linked_part(uri), part, "{uri}");
        }
    }
}
