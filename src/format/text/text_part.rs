//! A part of a long text, which can be searched by itself.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::line_counter::LineFeeds;
use super::scan::{Known, Scan, Searched};
use super::syntax::needs_translation;
use crate::source::from_utf8;

/// A part of a text.
pub struct TextPart {
    pub(super) content: Content,
    /// The range of its own bytes. Some of the previous part precede them, and some of the next part follow.
    pub(super) own: Range<usize>,
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
        scan: Option<Scan>,
    },
    Searched(SearchedPart),
}

/// Bytes that spell text, except for an incomplete character at their end.
pub(super) struct Text {
    /// The buffer, which has spare room.
    bytes: Vec<u8>,
    len: usize,
    /// The length without the incomplete character.
    whole: usize,
}

/// A part that has been searched.
pub(super) struct SearchedPart {
    pub(super) text: Text,
    pub(super) searched: Searched,
    /// The line feeds in those of its own bytes that nothing reads back to.
    pub(super) line_feeds: LineFeeds,
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
        Self {
            content: self.content.searched(self.own.clone(), self.last),
            ..self
        }
    }
}

impl Content {
    /// Searches the bytes `own`, if they can be searched independently.
    fn searched(self, own: Range<usize>, last: bool) -> Self {
        let Self::Bytes {
            bytes,
            len,
            scan: Some(scan),
        } = self
        else {
            return self;
        };
        let whole = if last {
            len
        } else {
            whole_characters(&bytes[..len])
        };
        let text = from_utf8(&bytes[..whole]).filter(|_| !needs_translation(&bytes[..len]));
        let known = text.map(|text| Known::new(text, last));
        match known.filter(|known| own.end <= known.end()) {
            Some(known) => {
                let searched = scan.search_part(known, own.start, own.end);
                let passed = searched.no_longer_needed(known).max(own.start);
                Self::Searched(SearchedPart {
                    line_feeds: LineFeeds::of(&known.text().as_bytes()[own.start..passed]),
                    searched,
                    text: Text { bytes, len, whole },
                })
            }
            None => Self::Bytes {
                bytes,
                len,
                scan: None,
            },
        }
    }

    /// The buffer whose first bytes are the content, and the number of these bytes.
    pub(super) fn into_bytes(self) -> (Vec<u8>, usize) {
        match self {
            Self::Bytes { bytes, len, .. } => (bytes, len),
            Self::Searched(SearchedPart { text, .. }) => (text.bytes, text.len),
        }
    }
}

impl Text {
    /// The text. It is checked again, since a structure cannot borrow from itself: this takes about a fiftieth of the
    /// time of the search.
    pub(super) fn get(&self) -> &str {
        from_utf8(&self.bytes[..self.whole]).unwrap_or_default()
    }

    /// The buffer.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
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
    if cut < width {
        bytes.len() - cut
    } else {
        bytes.len()
    }
}
