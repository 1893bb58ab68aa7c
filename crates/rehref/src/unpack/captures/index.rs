//! The index of the captures of a run.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;
use std::path::Path;
use std::sync::Arc;

use foldhash::quality::RandomState;
use indexmap::IndexSet;

use super::FileType;
use crate::link::uri_of;
use crate::source::CaptureDate;
use crate::uri::{Profile, Resolver};

/// The URL in the spelling of the URL Standard, without its fragment: captures are compared by it.
/// `None` if the text is not an absolute URL.
pub fn url_key(url: &str) -> Option<String> {
    let resolver = Resolver { profile: Profile::Whatwg, ..Resolver::default() };
    let mut key = uri_of(&resolver, None, url)?;
    key.truncate(key.find('#').unwrap_or(key.len()));
    Some(key)
}

/// Returns true for URLs whose captures become files: those of `http`, `https` and `ftp`. A link
/// such as `about:blank` or `data:,x` never refers to a file, even if a record has it as its
/// target.
pub fn is_of_web(url: &str) -> bool {
    let schemes = ["http://", "https://", "ftp://"];
    schemes.iter().any(|it| url.starts_with(it))
}

/// The maximum number of bytes of the URL of a capture, and of one that a redirect names. The
/// memory for a record does not depend on the lengths of its fields.
pub const MAX_URL: usize = 16 << 10;

/// The bytes of URLs that are held for each record and, in addition, for all: very many long ones
/// are left out.
const URLS_OF_EACH: usize = 400;
const URLS_OF_ALL: usize = 16 << 20;

/// The maximum number of bytes of another field of a revisit.
const MAX_FIELD: usize = 1 << 10;

/// The position of a record: the number of its archive among those of the run, and its number in
/// the archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordPosition {
    /// The number of the archive, from 0.
    pub archive: u32,
    /// The number of the record in its archive, from 0.
    pub record: u32,
}

/// One capture of a URL, as a record has it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Capture<'c> {
    /// The URL: see [`url_key`].
    pub url: &'c str,
    /// The record.
    pub position: RecordPosition,
    /// Its id, as written.
    pub record_id: &'c str,
    /// The ids of the records of the same exchange, as written.
    pub concurrent_to: &'c [&'c str],
    /// The date.
    pub date: CaptureDate,
    /// The status of the response. `None` for records without one, which are whole by themselves.
    pub status: Option<u16>,
    /// The type of its file. `None` for a revisit whose head has no type.
    pub file_type: Option<FileType>,
    /// The absolute URL that a redirect names, with its fragment, as the URL Standard spells it.
    pub location: Option<&'c str>,
    /// True if the record has a body with at least one byte.
    pub has_body: bool,
    /// True if the record lacks a part of its body.
    pub is_truncated: bool,
    /// True if the body is shorter than the response declares, which may be wrong. Another capture
    /// is preferred.
    pub is_short: bool,
    /// True if a program derived the body from that of another record.
    pub is_converted: bool,
    /// The digest of its payload, as written.
    pub digest: Option<&'c str>,
    /// The part of the body that the record has, if it can be joined with others.
    pub part: Option<CapturePart<'c>>,
    /// True if the body does not begin as pages do.
    pub may_be_script: bool,
    /// True if the record has a part of the body that does not begin at its first byte, or parts of it.
    pub is_tail: bool,
    /// The record that it refers to, if the record is a revisit, whose body is in another record.
    pub revisit: Option<Revisit<'c>>,
}

/// A part of a body that can be joined with others to the whole body.
#[derive(Clone, Copy, Debug)]
pub struct CapturePart<'c> {
    /// The offset of its first byte in the whole body.
    pub start: u64,
    /// The offset after its last byte.
    pub end: u64,
    /// The length of the whole body.
    pub total: u64,
    /// The strong validator (RFC 9110, section 8.8.1): parts with the same one are of the same body.
    pub validator: &'c str,
}

/// The record that a revisit refers to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Revisit<'c> {
    /// The URL of the other record: see [`url_key`].
    pub url: Option<&'c str>,
    /// The date of the other record.
    pub date: Option<CaptureDate>,
    /// The id of the other record, as written.
    pub record_id: Option<&'c str>,
    /// The media type in the head of the revisit itself.
    pub content_type: Option<&'c str>,
    /// The revisit itself.
    pub own: Option<&'c RevisitRecord>,
}

/// The record of a revisit. That of other captures is read with their bodies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisitRecord {
    /// The name of its archive.
    pub archive: Arc<Path>,
    /// The offset in the archive of the member, frame or record in which it begins.
    pub record_offset: u64,
    /// Its offset in the inflated member or frame.
    pub member_offset: u64,
    /// Its id, as written.
    pub record_id: Option<String>,
    /// Its date, as written.
    pub date: Option<String>,
}

/// All captures of a run.
#[derive(Debug, Default)]
pub struct Captures {
    pub(super) urls: IndexSet<Box<str>, RandomState>,
    pub(super) stored: Vec<Stored>,
    pub(super) locations: Vec<Box<str>>,
    pub(super) revisits: Vec<StoredRevisit>,
    pub(super) parts: Vec<StoredPart>,
    pub(super) by_digest: Bodies<Hash>,
    /// The records that a record names as parts of its exchange, by the number of the capture.
    pub(super) concurrent: Vec<(u32, Hash)>,
    /// The ids of requests with another method than GET, and of the records of their exchanges.
    pub(super) not_read: HashSet<Hash>,
    hashers: [RandomState; 2],
    /// The bytes of the URLs that are held.
    url_bytes: usize,
}

/// The hash of an id or digest. Its seeds are random, so an archive cannot contain two texts with
/// the same hash on purpose.
pub(super) type Hash = [u64; 2];

/// A capture in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stored {
    /// The hash of its id. 0 if it has none.
    pub(super) id: Hash,
    pub(super) date: CaptureDate,
    pub(super) url: u32,
    pub(super) position: RecordPosition,
    /// The target of a redirect, by its number in `locations`.
    pub(super) redirect: Option<u32>,
    /// The number in `revisits`.
    pub(super) revisit: Option<u32>,
    pub(super) status: Option<u16>,
    pub(super) file_type: Option<FileType>,
    pub(super) has_body: bool,
    pub(super) is_truncated: bool,
    pub(super) is_short: bool,
    pub(super) is_converted: bool,
    pub(super) may_be_script: bool,
    /// True if the body is a part that does not begin at the first byte.
    pub(super) is_tail: bool,
}

/// A part of a body in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredPart {
    /// The number of its capture.
    pub(super) capture: u32,
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) total: u64,
    pub(super) validator: Hash,
}

/// A revisit in memory.
#[derive(Clone, Debug)]
pub(super) struct StoredRevisit {
    pub(super) digest: Option<Hash>,
    pub(super) refers_to: Option<Hash>,
    pub(super) url: Option<u32>,
    pub(super) date: Option<CaptureDate>,
    pub(super) content_type: Option<Box<str>>,
    pub(super) own: Option<Box<RevisitRecord>>,
}

impl Captures {
    /// Adds a capture. Those after the first 4 billion are left out, and those whose URL is longer
    /// than [`MAX_URL`]. A redirect to a longer URL has no target. Returns false if the capture is
    /// left out.
    pub fn add(&mut self, capture: &Capture<'_>) -> bool {
        let (Ok(number), Some(url)) = (u32::try_from(self.stored.len()), self.url(capture.url))
        else {
            return false;
        };
        let digest = capture.digest.and_then(|it| self.hash(it));
        let revisit = capture.revisit.map(|revisit| {
            let number = self.revisits.len();
            let revisit = StoredRevisit {
                digest,
                refers_to: revisit.record_id.and_then(|it| self.hash(it)),
                url: revisit.url.and_then(|it| self.url(it)),
                date: revisit.date,
                content_type: revisit.content_type.filter(is_short).map(Into::into),
                own: revisit.own.map(|own| Box::new(own.shortened())),
            };
            self.revisits.push(revisit);
            number as u32
        });
        let is_redirect = matches!(capture.status, Some(300..=399));
        let location = capture
            .location
            .filter(|it| is_redirect && it.len() <= MAX_URL && self.has_room(it.len()));
        let location = location.map(|location| {
            self.url_bytes += location.len();
            self.locations.push(location.into());
            (self.locations.len() - 1) as u32
        });
        let stored = Stored {
            id: self.hash(capture.record_id).unwrap_or_default(),
            date: capture.date,
            url,
            position: capture.position,
            redirect: location,
            revisit,
            status: capture.status,
            file_type: capture.file_type,
            has_body: capture.has_body,
            is_truncated: capture.is_truncated,
            is_short: capture.is_short,
            is_converted: capture.is_converted,
            may_be_script: capture.may_be_script,
            is_tail: capture.is_tail,
        };
        let part = capture.part.filter(|it| it.start < it.end && revisit.is_none());
        if let Some((part, validator)) = part.map(|it| (it, self.exact_hash(it.validator))) {
            let CapturePart { start, end, total, .. } = part;
            self.parts.push(StoredPart { capture: number, start, end, total, validator });
        }
        if let (Some(digest), true) = (digest, stored.is_original()) {
            self.by_digest.add(digest, number, &stored);
        }
        for id in capture.concurrent_to {
            let id = self.hash(id);
            self.concurrent.extend(id.map(|id| (number, id)));
        }
        self.stored.push(stored);
        true
    }

    /// Returns true if a URL of this length can be held.
    fn has_room(&self, len: usize) -> bool {
        let for_each = self.stored.len().saturating_mul(URLS_OF_EACH);
        self.url_bytes + len <= URLS_OF_ALL + for_each
    }

    /// Adds a request with its id and the ids of the records of the same exchange, as written.
    /// Without one, a capture is from a GET request. Empty ids are ignored.
    pub fn add_request(&mut self, method: &str, record_id: &str, concurrent_to: &[&str]) {
        if method.eq_ignore_ascii_case("GET") {
            return;
        }
        for id in concurrent_to.iter().chain([&record_id]) {
            let id = self.hash(id);
            self.not_read.extend(id);
        }
    }

    /// The number of captures.
    pub fn len(&self) -> usize {
        self.stored.len()
    }

    /// Returns true without any capture.
    pub fn is_empty(&self) -> bool {
        self.stored.is_empty()
    }

    /// The number of a URL. `None` if it is too long.
    fn url(&mut self, url: &str) -> Option<u32> {
        if url.len() > MAX_URL {
            return None;
        }
        let number = match self.urls.get_index_of(url) {
            Some(number) => number,
            None if !self.has_room(url.len()) => return None,
            None => {
                self.url_bytes += url.len();
                self.urls.insert_full(url.into()).0
            }
        };
        u32::try_from(number).ok()
    }

    /// The hash of an id or a digest, without the brackets of an id. Digests in base 16 and 32 have
    /// letters of either case. `None` if it is empty.
    fn hash(&self, text: &str) -> Option<Hash> {
        let text = text.trim();
        let text = text.strip_prefix('<').unwrap_or(text);
        let text = text.strip_suffix('>').unwrap_or(text);
        let text = text.trim().to_ascii_lowercase();
        (!text.is_empty()).then(|| self.exact_hash(&text))
    }

    /// The hash of a text as it is.
    fn exact_hash(&self, text: &str) -> Hash {
        [0, 1].map(|at| self.hashers[at].hash_one(text))
    }
}

impl RevisitRecord {
    /// Returns the record without fields that are too long.
    fn shortened(&self) -> Self {
        Self {
            archive: self.archive.clone(),
            record_id: self.record_id.clone().filter(|it| is_short(&&**it)),
            date: self.date.clone().filter(|it| is_short(&&**it)),
            ..*self
        }
    }
}

fn is_short(field: &&str) -> bool {
    field.len() <= MAX_FIELD
}

impl Stored {
    /// The status of a capture whose body is in `body`. A revisit may have no head; with 304, a
    /// server confirms that the body is still the same.
    pub(super) fn status_with(&self, body: &Self) -> Option<u16> {
        match (self.revisit, self.status) {
            (Some(_), None | Some(304)) => body.status,
            (_, status) => status,
        }
    }

    /// True if a revisit may refer to its body.
    pub(super) fn is_original(&self) -> bool {
        self.revisit.is_none() && self.has_body && !self.is_converted
    }
}

/// The captures with the bodies of revisits, by the keys of these: the first complete one,
/// otherwise the first.
#[derive(Debug)]
pub(super) struct Bodies<K>(HashMap<K, Body>);

/// A capture with the body of revisits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    /// Its number.
    pub(super) capture: u32,
    pub(super) is_whole: bool,
}

impl<K: Eq + std::hash::Hash> Bodies<K> {
    /// Adds the capture with this number.
    pub(super) fn add(&mut self, key: K, number: u32, capture: &Stored) {
        let body = Body { capture: number, is_whole: !capture.is_truncated && !capture.is_short };
        let first = self.0.entry(key).or_insert(body);
        if !first.is_whole && body.is_whole {
            *first = body;
        }
    }

    pub(super) fn get(&self, key: &K) -> Option<Body> {
        self.0.get(key).copied()
    }
}

impl<K> Default for Bodies<K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn very_many_long_urls_are_not_all_held() {
        let mut captures = Captures::default();
        let long = "x".repeat(MAX_URL - 30);
        let mut left_out = 0;
        for number in 0..3000 {
            for url in [format!("http://h/{number}"), format!("http://h/{number}/{long}")] {
                let is_added = captures.add(&Capture {
                    url: &url,
                    status: Some(301),
                    location: Some(&url),
                    ..Capture::default()
                });
                assert!(is_added || url.len() > 1000, "short ones have room");
                left_out += usize::from(!is_added);
            }
        }
        let urls: usize = captures.urls.iter().map(|url| url.len()).sum();
        let locations: usize = captures.locations.iter().map(|url| url.len()).sum();
        let most = URLS_OF_ALL + captures.len() * URLS_OF_EACH;
        assert!(urls + locations <= most, "{urls} {locations} {most}");
        assert!(left_out > 2000 && left_out < 3000, "{left_out}");
    }
}
