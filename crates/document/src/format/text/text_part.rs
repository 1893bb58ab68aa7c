//! A part of a long text, which can be searched independently.

use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::boundary::first_boundary;
use super::coding::Coding;
use super::line_counter::{LineFeeds, LinePosition};
use super::scan::Scan;
use super::window::{AvailableBytes, BACK, ahead};
use crate::bytes::Position;
use crate::source::{Charset, boundary_before};

/// A part of a text.
///
/// If ASCII characters are ASCII bytes in the charset and the text has no
/// [syntax](crate::source::TextSyntax), a part usually begins where no URL is read back over. Then
/// any thread can [search](super::TextStream::of_part) it.
pub struct TextPart {
    pub(super) buffer: Vec<u8>,
    /// The range of the buffer that is in use.
    pub(super) used: Range<usize>,
    /// The range of the bytes of this part in those in use. Some of the previous part precede them,
    /// and some of the next part follow.
    pub(super) body: Range<usize>,
    /// The offset of the part in the document.
    pub(super) offset: usize,
    pub(super) line_feeds: LineFeeds,
    /// A search that has found nothing yet, if the part can be searched independently.
    pub(super) scan: Option<PartScan>,
    /// The pool that the buffer returns to.
    pub(super) buffers: Buffers,
}

/// A search of parts.
#[derive(Clone)]
pub(super) struct PartScan {
    pub(super) scan: Scan,
    pub(super) coding: Coding,
    /// False if the whole text counts as one line.
    pub(super) counts_lines: bool,
}

/// Reusable buffers.
#[derive(Clone, Default)]
pub(super) struct Buffers(Arc<Mutex<Vec<Vec<u8>>>>);

impl Buffers {
    /// A buffer of this length.
    pub(super) fn take(&self, len: usize) -> Vec<u8> {
        let mut buffers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut buffer = buffers.pop().unwrap_or_default();
        drop(buffers);
        buffer.resize(len, 0);
        buffer
    }
}

impl Drop for TextPart {
    fn drop(&mut self) {
        let mut buffers = self.buffers.0.lock().unwrap_or_else(PoisonError::into_inner);
        buffers.push(std::mem::take(&mut self.buffer));
    }
}

impl TextPart {
    /// The bytes of the part, those before it and those after it.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.used.clone()]
    }

    /// The number of bytes that it holds.
    pub fn byte_len(&self) -> usize {
        self.used.len()
    }

    /// The offset of its end in the text.
    pub fn end(&self) -> usize {
        self.offset + self.body.len()
    }

    /// Its line feeds, if lines are counted.
    pub fn line_feeds(&self) -> LineFeeds {
        self.line_feeds
    }
}

impl PartScan {
    /// Returns true if all bytes of a part are decided.
    pub(super) fn decides(&self, part: &TextPart) -> bool {
        let bytes = part.bytes();
        let available = AvailableBytes { bytes, coding: &self.coding, is_last: false };
        part.body.end <= available.decided()
    }

    /// The line feeds to count of the bytes at `offset` of a document.
    pub(super) fn line_feeds(&self, bytes: &[u8], offset: usize) -> LineFeeds {
        if self.counts_lines { LineFeeds::of(bytes, offset) } else { LineFeeds::NONE }
    }
}

/// The parts of a long text in a file. Any thread can read each of them.
///
/// The text is divided near multiples of a distance, at the first place there at which a search may
/// begin. Without one, the part that begins there cannot be searched independently.
pub struct TextRanges {
    scan: PartScan,
    distance: usize,
    /// The length of the byte order mark.
    start: usize,
    /// The length of the file.
    len: usize,
    buffers: Buffers,
}

/// The most bytes after a multiple of the distance in which a part may begin.
const BEGINS_WITHIN: usize = 16 << 10;

/// The alignment of the bytes that are read. Into the 16 bytes after an alignment, which is where
/// allocators place large buffers, some processors copy a page four times as slowly.
const ALIGNMENT: usize = 64;

/// More than the bytes before a place that decide whether a part may begin there.
const BEFORE: usize = 2 * BACK;

impl TextRanges {
    /// The usual distance of parts, in bytes.
    pub const DISTANCE: usize = 512 << 10;

    /// The parts of a text of `len` bytes, to be searched like `scan`. `None` if it cannot be
    /// divided.
    pub(super) fn new(scan: PartScan, charset: Charset, len: u64, distance: usize) -> Option<Self> {
        let (start, len) = (charset.bom_len(), usize::try_from(len).ok()?);
        Some(Self { scan, distance, start, len, buffers: Buffers::default() })
    }

    /// The number of bytes after a multiple of the distance in which a part may begin.
    fn begins_within(&self) -> usize {
        BEGINS_WITHIN.min(self.distance / 2)
    }

    /// Returns the number of parts.
    pub fn count(&self) -> usize {
        self.len.saturating_sub(self.start).div_ceil(self.distance).max(1)
    }

    /// Reads the part with this number, from 0. `read` reads bytes from an offset on until the
    /// buffer is full or the file ends, and returns their number.
    ///
    /// # Errors
    /// Those of `read`. A file that is shorter than it was is one.
    pub fn part(
        &self,
        number: usize,
        read: impl FnOnce(usize, &mut [u8]) -> io::Result<usize>,
    ) -> io::Result<TextPart> {
        let [begin, end] = [number, number + 1].map(|it| self.start + it * self.distance);
        let ahead = ahead(&self.scan.coding);
        let from = begin.saturating_sub(BEFORE).max(self.start);
        let to = self.len.min(end + self.begins_within() + ahead);
        let len = to.saturating_sub(from);
        let mut buffer = self.buffers.take(len + ALIGNMENT);
        let skipped = buffer.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
        if read(from, &mut buffer[skipped..skipped + len])? < len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let bytes = &buffer[skipped..skipped + len];
        let place = |at: usize| {
            let begins = at.checked_sub(from)?;
            let range = begins..bytes.len().min(begins + self.begins_within());
            // Both parts see the same bytes before the place.
            let before = begins.saturating_sub(BEFORE);
            let range = range.start - before..range.end - before;
            first_boundary(&bytes[before..], range, &self.scan.coding).map(|it| before + it)
        };
        let begins = if number == 0 { Some(0) } else { place(begin) };
        let ends = if end < self.len { place(end) } else { Some(len) };
        // Without a place, a character may be divided.
        let is_independent = begins.is_some() && ends.is_some();
        let start = begins.unwrap_or(begin - from);
        let end = ends.unwrap_or(end - from);
        let line_feeds = self.scan.line_feeds(&bytes[start..end], from + start);
        let encoding = self.scan.coding.encoding;
        let before = boundary_before(bytes, start.saturating_sub(BACK), encoding);
        // Without a known boundary, the text before the part is not known.
        let is_known = before > 0 || from == self.start;
        Ok(TextPart {
            used: skipped + before..skipped + len,
            body: start - before..end - before,
            offset: from + start,
            line_feeds,
            scan: (is_independent && is_known).then(|| self.scan.clone()),
            buffers: self.buffers.clone(),
            buffer,
        })
    }

    /// The line and column of the byte at `offset`, both from 1. `read` is the same as for
    /// [`part`](Self::part). Reads the file up to there.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn position(
        &self,
        offset: usize,
        mut read: impl FnMut(usize, &mut [u8]) -> io::Result<usize>,
    ) -> io::Result<Position> {
        let mut line = LinePosition::BEGIN;
        let mut at = self.start;
        let mut buffer = vec![0; self.distance];
        while at < offset {
            let len = (offset - at).min(self.distance);
            if read(at, &mut buffer[..len])? < len {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            line = LineFeeds::of(&buffer[..len], at).after(line);
            at += len;
        }
        Ok(line.of_byte(offset))
    }
}
