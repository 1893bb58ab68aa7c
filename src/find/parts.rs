//! The parts of a long text that can be searched apart, by as many threads as there are.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use encoding_rs::UTF_8;
use yoke::Yoke;

use super::FindOptions;
use super::stream::{LineFeeds, whole_characters};
use super::text::{Known, Scan, Searched, last_cut};
use crate::document::{Charset, Media};

/// How many bytes are read for a part,
const PART: usize = 512 << 10;

/// or, where they come slowly, at least.
const LEAST: usize = 8 << 10;

/// The parts of a text, as its bytes can be read, for [`TextStream::take`](super::TextStream::take). Where its
/// charset is UTF-8, each can be [searched](TextPart::searched) apart: it begins where no URL is read back over,
/// and has with it what follows. They are of about 512 KiB, or of what was there to be
/// read if that was 8 KiB.
///
/// ```
/// use std::io;
///
/// use rehref::document::{Charset, Media};
/// use rehref::find::{FindOptions, TextParts, TextStream};
///
/// let text = "words of a line, and http://example.org/\n".repeat(100_000);
/// let charset = Charset::named("utf-8", b"").unwrap();
/// let options = FindOptions::default();
/// let parts = TextParts::new(text.as_bytes(), charset, Media::Text, &options);
/// let mut stream = TextStream::new(charset, Media::Text, &options);
/// let mut links = 0;
/// for part in parts {
///     let part = part?.searched(); // other threads may do this
///     stream.take(part, |_, _| links += 1);
/// }
/// stream.finish(|_, _| links += 1);
/// assert_eq!(links, 100_000);
/// # io::Result::Ok(())
/// ```
pub struct TextParts<R> {
    reader: R,
    scan: Scan,
    /// A text in another charset is decoded first.
    is_utf8: bool,
    /// What is left to pass over of the byte order mark.
    bom_left: usize,
    /// What the next part is read into, and how much of it is there.
    buffer: Vec<u8>,
    held: usize,
    buffers: Buffers,
    /// Nothing more is to be read; this is to be told.
    end: Option<Option<io::Error>>,
}

/// A part of a text.
pub struct TextPart {
    pub(super) content: Content,
    /// How many of its bytes are its own; the others are the next part's.
    pub(super) own: usize,
    pub(super) last: bool,
    /// Where its buffer goes when it is done with.
    pub(super) buffers: Buffers,
}

/// What a part holds. Behind its bytes there is room for more.
pub(super) enum Content {
    Bytes {
        bytes: Vec<u8>,
        len: usize,
        /// A search that has found nothing yet, if it can be searched apart.
        scan: Option<Scan>,
    },
    Searched(SearchedPart),
}

/// Bytes, and what the first of them spell if they are valid.
type Text = Yoke<Option<&'static str>, Vec<u8>>;

/// A part that has been searched.
pub(super) struct SearchedPart {
    pub(super) text: Text,
    len: usize,
    pub(super) searched: Searched,
    pub(super) line_feeds: LineFeeds,
}

/// Buffers that are read into again.
#[derive(Clone, Default)]
pub(super) struct Buffers(Arc<Mutex<Vec<Vec<u8>>>>);

impl Buffers {
    /// One of at least this length.
    fn take(&self, len: usize) -> Vec<u8> {
        let mut buffer = self.lock().pop().unwrap_or_default();
        if buffer.len() < len {
            buffer.resize(len, 0);
        }
        buffer
    }

    pub(super) fn give_back(&self, buffer: Vec<u8>) {
        self.lock().push(buffer);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<R: Read> TextParts<R> {
    /// Those of the text that `reader` reads, in a document of this kind. If the charset has a byte order
    /// mark, the text begins with it.
    pub fn new(reader: R, charset: Charset, media: Media, options: &FindOptions) -> Self {
        Self {
            reader,
            scan: Scan::new(options.text_of(media)),
            is_utf8: charset.encoding() == UTF_8,
            bom_left: charset.bom_len(),
            buffer: vec![0; PART],
            held: 0,
            buffers: Buffers::default(),
            end: None,
        }
    }

    /// Reads what is there to be read, but no more than the buffer takes. Returns whether there was anything.
    fn read_more(&mut self) -> io::Result<bool> {
        let read = loop {
            match self.reader.read(&mut self.buffer[self.held..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.held += read;
        if self.bom_left > 0 {
            let bom = self.bom_left.min(self.held);
            self.buffer.copy_within(bom..self.held, 0);
            self.bom_left -= bom;
            self.held -= bom;
        }
        Ok(read > 0)
    }

    /// Where the next part may end, by what is held.
    fn cut(&self) -> Option<usize> {
        let held = &self.buffer[..self.held];
        let is_full = held.len() == self.buffer.len();
        let cut = if self.is_utf8 { last_cut(held) } else { None };
        let anywhere = is_full || !self.is_utf8;
        cut.or_else(|| anywhere.then_some(held.len()))
    }

    /// The part that what is held is, up to `own`.
    fn part(&mut self, own: usize, last: bool) -> TextPart {
        let rest = &self.buffer[own..self.held];
        let mut buffer = self.buffers.take(rest.len() + PART);
        buffer[..rest.len()].copy_from_slice(rest);
        let len = std::mem::replace(&mut self.held, rest.len());
        TextPart {
            content: Content::Bytes {
                bytes: std::mem::replace(&mut self.buffer, buffer),
                len,
                scan: self.is_utf8.then(|| self.scan.clone()),
            },
            own,
            last,
            buffers: self.buffers.clone(),
        }
    }
}

impl<R: Read> Iterator for TextParts<R> {
    type Item = io::Result<TextPart>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(error) = &mut self.end {
            return error.take().map(Err);
        }
        let mut enough = self.held + LEAST;
        loop {
            let end = match self.read_more() {
                Ok(true) => None,
                Ok(false) => Some(None),
                Err(error) => Some(Some(error)),
            };
            if let Some(error) = end {
                let is_last = error.is_none();
                self.end = Some(error);
                return Some(Ok(self.part(self.held, is_last)));
            }
            if self.held >= enough.min(self.buffer.len()) {
                if let Some(own) = self.cut() {
                    return Some(Ok(self.part(own, false)));
                }
                enough = self.held + LEAST;
            }
        }
    }
}

impl TextPart {
    /// The part with its links found, if they can be found apart. Linear in its length.
    pub fn searched(self) -> Self {
        Self {
            content: self.content.searched(self.own, self.last),
            ..self
        }
    }
}

impl Content {
    /// Searches the first `own` bytes, if they can be searched apart.
    fn searched(self, own: usize, last: bool) -> Self {
        let Self::Bytes {
            bytes,
            len,
            scan: Some(scan),
        } = self
        else {
            return self;
        };
        let text = Text::attach_to_cart(bytes, |bytes| {
            let bytes = &bytes[..len];
            let whole = if last { len } else { whole_characters(bytes) };
            simdutf8::basic::from_utf8(&bytes[..whole]).ok()
        });
        let known = text.get().map(|text| Known::new(text, last));
        match known.filter(|known| own <= known.end()) {
            Some(known) => Self::Searched(SearchedPart {
                searched: scan.apart(known, 0, own),
                line_feeds: LineFeeds::of(&known.text().as_bytes()[..own]),
                text,
                len,
            }),
            None => Self::Bytes {
                bytes: text.into_backing_cart(),
                len,
                scan: None,
            },
        }
    }

    /// The bytes, in the buffer that they have the beginning of, and how many they are.
    pub(super) fn into_bytes(self) -> (Vec<u8>, usize) {
        match self {
            Self::Bytes { bytes, len, .. } => (bytes, len),
            Self::Searched(part) => (part.text.into_backing_cart(), part.len),
        }
    }
}
