//! What a document came in: a message, as one of its parts.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::HtmlPage;
use crate::bytes::percent;
use crate::bytes::{OffsetMap, Span};

/// The message that a document is a part of, and where in its file it stands.
#[derive(Clone, Debug)]
pub struct MailPart {
    /// The file, or the slice of one, as records name it.
    pub archive: Arc<Path>,
    /// The number of the message there, from 1.
    pub message: usize,
    /// Where the message begins in the file: an offset in bytes, from 0; inflated, where that is compressed.
    pub offset: u64,
    /// Its `Message-ID` as written, if it has one. That of the message in the file, also for a message within it.
    pub message_id: Option<Arc<[u8]>>,
    /// The number of the part, as IMAP gives it (RFC 9051, section 6.4.5.1): `1.2`, `HEADER`, `2.MIME`.
    pub part: String,
    /// Whether and how the lines of the part flow.
    pub flowed: Option<Flowed>,
    /// Whether it consists of fields, and of which.
    pub fields: Option<Fields>,
    /// Where the bytes of the part stand in the file.
    pub located: SourceMap,
    /// The other parts of the message, by what leads to them.
    pub parts: Option<Arc<PartIndex>>,
    /// The pages of its HTML version, if it is a text and the message has such behind it.
    pub html: Vec<Arc<HtmlPage>>,
}

/// How the lines of a text flow: `format=flowed` (RFC 3676).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flowed {
    /// The blank at the end of a line that flows goes with the line end (section 4.1).
    pub delsp: bool,
}

/// What consists of fields, whose lines are folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fields {
    /// Of a header: `message/delivery-status`, `text/rfc822-headers` and the like (RFC 5322, section 2.2.3).
    Header,
    /// Of a calendar or a card (RFC 5545, section 3.1; RFC 6350, section 3.2).
    Directory,
}

/// Where the bytes of a part stand in its file.
#[derive(Clone, Debug)]
pub enum SourceMap {
    /// As they are, from this offset on.
    At(u64),
    /// What begins at this offset was decoded, in these steps: the last of them gave the part.
    Decoded(u64, Vec<Step>),
}

/// A step from a file to the bytes of a part.
#[derive(Clone, Debug)]
pub enum Step {
    /// So many bytes are left out at the beginning.
    Skip(usize),
    /// Text was decoded, and the map leads back.
    Decode(Arc<OffsetMap>),
    /// The same of base64: what the map leads back to spells some bytes more, since digits have bits of two.
    Cover(Arc<OffsetMap>),
}

impl SourceMap {
    /// The same `by` bytes further.
    pub fn shifted(mut self, by: usize) -> Self {
        match &mut self {
            Self::At(at) => *at += by as u64,
            Self::Decoded(_, steps) => steps.push(Step::Skip(by)),
        }
        self
    }

    /// The same where that was decoded.
    pub fn decoded(self, map: OffsetMap) -> Self {
        self.by(Step::Decode(Arc::new(map)))
    }

    /// The same where that was decoded from base64.
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
    /// The bytes of the file that spell `span` of the part; with its escapes, where the part is encoded, and with
    /// the line ends that its encoding put in. Those of base64 spell more: see [`covers`](Self::covers).
    pub fn in_file(&self, span: Span) -> [u64; 2] {
        let (at, span) = match &self.located {
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

    /// Whether the bytes of the file that spell something of the part may spell a few bytes around it too: the part is
    /// in base64, or in a message that is.
    pub fn covers(&self) -> bool {
        match &self.located {
            SourceMap::At(_) => false,
            SourceMap::Decoded(_, steps) => steps.iter().any(|it| matches!(it, Step::Cover(_))),
        }
    }

    /// The part of the same message that a URI leads to: by its `Content-ID`, as `cid:` and `mid:` URLs name it
    /// (RFC 2392), or by its `Content-Location` (RFC 2557, section 8).
    pub fn part_of(&self, uri: &str) -> Option<&str> {
        let parts = self.parts.as_ref()?;
        let uri = uri.split('#').next().unwrap_or_default();
        if let Some(id) = after_scheme(uri, "cid:") {
            // Browsers save parts whose location is such a URL.
            return parts.with_id(id).or_else(|| parts.at(uri));
        }
        match after_scheme(uri, "mid:") {
            Some(rest) => {
                let (message, id) = rest.split_once('/')?;
                let own = self.message_id.as_ref()?.trim_ascii();
                let own = own.strip_prefix(b"<").unwrap_or(own);
                let own = own.strip_suffix(b">").unwrap_or(own);
                (*percent::decode(message) == *own).then(|| parts.with_id(id))?
            }
            None => parts.at(uri),
        }
    }
}

/// The parts of a message, by what leads to them.
#[derive(Clone, Debug, Default)]
pub struct PartIndex {
    ids: HashMap<String, String>,
    locations: HashMap<String, String>,
}

impl PartIndex {
    /// Whether nothing leads to any part.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty() && self.locations.is_empty()
    }

    /// The part has this `Content-ID`, without its brackets. The first one that has it counts.
    pub fn add_id(&mut self, id: &str, part: &str) {
        self.ids
            .entry(id.to_owned())
            .or_insert_with(|| part.to_owned());
    }

    /// The part has this URI as its `Content-Location`.
    pub fn add_location(&mut self, uri: String, part: &str) {
        self.locations.entry(uri).or_insert_with(|| part.to_owned());
    }

    /// The part with this `Content-ID`, percent-encoded as a URL has it.
    fn with_id(&self, id: &str) -> Option<&str> {
        let id = percent::decode(id);
        let part = self.ids.get(&*String::from_utf8_lossy(&id));
        part.map(String::as_str)
    }

    fn at(&self, uri: &str) -> Option<&str> {
        self.locations.get(uri).map(String::as_str)
    }
}

fn after_scheme<'u>(uri: &'u str, scheme: &str) -> Option<&'u str> {
    let start = uri.get(..scheme.len())?;
    start
        .eq_ignore_ascii_case(scheme)
        .then(|| &uri[scheme.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_by_what_leads_to_them() {
        let mut parts = PartIndex::default();
        parts.add_id("a b@x", "2");
        parts.add_location("http://a.example/b".to_owned(), "3");
        parts.add_location("cid:c@x".to_owned(), "4");
        let carrier = MailPart {
            archive: Path::new("a.eml").into(),
            message: 1,
            offset: 0,
            message_id: Some(Arc::from(&b"<m@x>"[..])),
            part: "1".to_owned(),
            flowed: None,
            fields: None,
            located: SourceMap::At(0),
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
            assert_eq!(carrier.part_of(uri), part, "{uri}");
        }
    }
}
