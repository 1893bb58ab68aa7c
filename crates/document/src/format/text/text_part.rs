//! A part of a long text, which can be searched independently.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::coding::Coding;
use super::line_counter::LineFeeds;
use super::scan::{AvailableText, Scan, Searched};
use super::syntax::needs_translation;
use super::undecoded::{self, SearchedBytes};
use super::window::AvailableBytes;
use crate::source::from_utf8;

/// A part of a text.
pub struct TextPart {
    pub(super) content: Content,
    /// The range of the bytes of this part. Some of the previous part precede them, and some of the
    /// next part follow.
    pub(super) body: Range<usize>,
    /// The number of parts before it.
    pub(super) number: usize,
    pub(super) last: bool,
    /// The pool that its buffer returns to.
    pub(super) buffers: Buffers,
}

/// The content of a part. Its buffer has spare room after the bytes.
pub(super) enum Content {
    Bytes {
        bytes: Vec<u8>,
        len: usize,
        /// A search that has found nothing yet, if the part can be searched independently.
        scan: Option<PartScan>,
    },
    Searched(SearchedPart),
}

/// A search of parts.
#[derive(Clone)]
pub(super) struct PartScan {
    pub(super) scan: Scan,
    pub(super) coding: Coding,
}

/// A part that has been searched.
pub(super) struct SearchedPart {
    /// The buffer, which has spare room.
    pub(super) bytes: Vec<u8>,
    pub(super) len: usize,
    pub(super) found: Found,
    /// The line feeds in the bytes of this part that no look-back reaches.
    pub(super) line_feeds: LineFeeds,
    /// The first invalid byte of this part.
    pub(super) malformed: Option<usize>,
}

/// The decided bytes of a part.
pub(super) enum DecidedPart<'b> {
    /// The bytes are UTF-8.
    Text(&'b str),
    Bytes(AvailableBytes<'b>),
}

/// The search of a part, with the results found in it before its turn came.
pub(super) enum PartSearch<'b> {
    Text(&'b str, Option<(Searched, LineFeeds)>),
    Bytes(Option<(SearchedBytes, LineFeeds)>),
}

/// The URLs of a part.
pub(super) enum Found {
    /// The bytes are UTF-8 up to this length. An incomplete character may follow.
    InText(usize, Searched),
    InBytes(SearchedBytes),
}

/// Reusable buffers.
#[derive(Clone, Default)]
pub(super) struct Buffers(Arc<Mutex<Vec<Vec<u8>>>>);

impl Buffers {
    /// A buffer of this length.
    pub(super) fn take(&self, len: usize) -> Vec<u8> {
        let mut buffer = self.lock().pop().unwrap_or_default();
        buffer.resize(len, 0);
        buffer
    }

    pub(super) fn give_back(&self, buffer: Vec<u8>) {
        self.lock().push(buffer);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TextPart {
    /// Searches the part if it can be searched independently. Linear in its length.
    pub fn searched(self) -> Self {
        Self { content: self.content.searched(self.body.clone(), self.last), ..self }
    }
}

impl Content {
    /// Searches the bytes `body`, if they can be searched independently.
    fn searched(self, body: Range<usize>, last: bool) -> Self {
        let Self::Bytes { bytes, len, scan: Some(scan) } = self else {
            return self;
        };
        match scan.search(&bytes[..len], body, last) {
            Some((found, line_feeds, malformed)) => {
                Self::Searched(SearchedPart { bytes, len, found, line_feeds, malformed })
            }
            None => Self::Bytes { bytes, len, scan: None },
        }
    }

    /// The buffer whose first bytes are the content, and the number of these bytes.
    pub(super) fn into_bytes(self) -> (Vec<u8>, usize) {
        match self {
            Self::Bytes { bytes, len, .. } => (bytes, len),
            Self::Searched(SearchedPart { bytes, len, .. }) => (bytes, len),
        }
    }
}

impl PartScan {
    /// Searches the bytes `body`, unless they need a translation or are not decided. Also returns
    /// the line feeds in those that no look-back reaches, and the first invalid byte.
    fn search(
        &self,
        bytes: &[u8],
        body: Range<usize>,
        last: bool,
    ) -> Option<(Found, LineFeeds, Option<usize>)> {
        let line_feeds = |passed: usize| LineFeeds::of(&bytes[body.start..passed.max(body.start)]);
        Some(match self.decided_part(bytes, body.clone(), last)? {
            DecidedPart::Text(text) => {
                let available = AvailableText::new(text, last);
                let searched = self.scan.search_part(available, body.start, body.end);
                let line_feeds = line_feeds(searched.no_longer_needed(available));
                (Found::InText(text.len(), searched), line_feeds, None)
            }
            DecidedPart::Bytes(available) => {
                let searched = undecoded::search_part(&self.scan, available, body.start, body.end);
                let line_feeds =
                    line_feeds(undecoded::no_longer_needed(&searched.after, available));
                let malformed = self.malformed(bytes, body.clone());
                (Found::InBytes(searched), line_feeds, malformed)
            }
        })
    }

    /// The decided prefix of the part. `None` if it needs a translation, or if the bytes `body` are
    /// not decided.
    pub(super) fn decided_part<'b>(
        &'b self,
        bytes: &'b [u8],
        body: Range<usize>,
        last: bool,
    ) -> Option<DecidedPart<'b>> {
        if needs_translation(bytes) {
            return None;
        }
        if self.coding.is_utf8() {
            let whole = if last { bytes.len() } else { whole_characters(bytes) };
            if let Some(text) = from_utf8(&bytes[..whole]) {
                let is_decided = body.end <= AvailableText::new(text, last).end();
                return is_decided.then_some(DecidedPart::Text(text));
            }
        }
        let available = AvailableBytes { bytes, coding: &self.coding, is_last: last };
        (body.end <= undecoded::decided(available)).then_some(DecidedPart::Bytes(available))
    }

    /// The first invalid byte in the range `body`.
    pub(super) fn malformed(&self, bytes: &[u8], body: Range<usize>) -> Option<usize> {
        let at = self.coding.validity.malformed(&bytes[body.clone()])?;
        Some(body.start + at)
    }
}

/// The length of `bytes` without an incomplete character at their end.
pub(super) fn whole_characters(bytes: &[u8]) -> usize {
    let tail = &bytes[bytes.len().saturating_sub(3)..];
    let Some(at) = tail.iter().rposition(|byte| *byte >= 0xC0) else {
        return bytes.len();
    };
    let width = match tail[at] {
        0xF0.. => 4,
        0xE0.. => 3,
        _ => 2,
    };
    let cut = tail.len() - at;
    if cut < width { bytes.len() - cut } else { bytes.len() }
}
