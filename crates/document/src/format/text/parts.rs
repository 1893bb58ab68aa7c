//! The parts of a long text, which any number of threads can search independently.

use std::io::{self, Read};

use super::boundary::last_boundary;
use super::coding::Coding;
use super::line_counter::LineFeeds;
use super::scan::Scan;
use super::stream::TextStream;
use super::text_part::{Buffers, PartScan, TextPart, TextRanges};
use super::window::BACK;
use crate::format::Options;
use crate::format::text::Join;
use crate::source::{Charset, Source, TextSyntax, boundary_before};

/// The size of a part, in bytes, at which the reader is not called again.
const ENOUGH: usize = 8 << 10;

/// The length of a part, in bytes.
const PART: usize = 256 << 10;

/// The parts of a text that is read from its beginning, for the [`TextStream`] that is their
/// [`stream`](Self::stream).
///
/// A part has up to 256 KiB. It is shorter if the reader returned at least 8 KiB and has no more
/// bytes ready. Buffers are reused.
///
/// ```
/// use std::io;
///
/// use rehref_document::document::Document;
/// use rehref_document::format::Options;
/// use rehref_document::format::text::{LinePosition, TextParts, TextStream};
///
/// let text = "words of a line, and http://example.org/\n".repeat(100_000);
/// let document = Document::new("a.txt", Vec::new());
/// let options = Options::default();
/// let parts = TextParts::new(text.as_bytes(), document.source(), &options);
/// let mut stream = parts.stream();
/// let mut beginning = LinePosition::BEGIN;
/// let mut lines = Vec::new();
/// for part in parts {
///     let part = part?;
///     let mut found = Vec::new();
///     // Another thread may do this.
///     let own = TextStream::of_part(&part, |_, at| found.push(at.from(beginning).line));
///     beginning = part.line_feeds().after(beginning);
///     match stream.follow(own) {
///         true => lines.append(&mut found),
///         // The text before the part has an influence on it.
///         false => stream.take(&part, |_, at| lines.push(at.get().line)),
///     }
/// }
/// stream.finish(|_, at| lines.push(at.get().line)); // always the last call
/// assert!(lines.into_iter().eq(1..=100_000));
/// # io::Result::Ok(())
/// ```
pub struct TextParts<R> {
    reader: R,
    charset: Charset,
    syntax: Option<TextSyntax>,
    scan: Scan,
    /// The search in bytes, if it needs no decoded text.
    in_bytes: Option<PartScan>,
    /// The number of bytes of the byte order mark that are not skipped yet.
    bom_left: usize,
    /// The buffer of the next part, and the number of bytes in it.
    buffer: Vec<u8>,
    held: usize,
    /// The number of these bytes that were part of the previous part.
    back: usize,
    /// True if the next part begins at a boundary.
    is_boundary: bool,
    /// The offset of the next part in the document.
    offset: usize,
    buffers: Buffers,
    /// Set at the end of the input, with the error to return, if any.
    end: Option<Option<io::Error>>,
}

impl<R: Read> TextParts<R> {
    /// The parts of the text from `reader`. `document` supplies everything except the bytes. If its
    /// charset has a byte order mark, the text begins with it.
    pub fn new(reader: R, document: &Source, options: &Options) -> Self {
        let charset = document.charset;
        let scan = Scan::new(options.for_source(document).text_joining(Join::Angle));
        let coding = match document.syntax {
            None => Coding::of(charset.encoding()),
            Some(_) => None,
        };
        let in_bytes =
            coding.map(|coding| PartScan { scan: scan.clone(), coding, counts_lines: true });
        Self {
            reader,
            charset,
            syntax: document.syntax,
            scan,
            in_bytes,
            bom_left: charset.bom_len(),
            buffer: vec![0; PART],
            held: 0,
            back: 0,
            is_boundary: true,
            offset: charset.bom_len(),
            buffers: Buffers::default(),
            end: None,
        }
    }

    /// The stream that takes these parts.
    pub fn stream(&self) -> TextStream {
        let counts_lines = self.in_bytes.as_ref().is_none_or(|scan| scan.counts_lines);
        TextStream::of_parts(self.charset, self.syntax, self.scan.clone(), counts_lines)
    }

    /// These parts of a text that has [ranges](Self::ranges), without counting lines: positions
    /// are those in a text of one line. See [`TextRanges::position`].
    pub fn in_one_line(mut self) -> Self {
        if let Some(scan) = &mut self.in_bytes {
            scan.counts_lines = false;
        }
        self
    }

    /// The parts of the same text as ranges of a file of `len` bytes, which begin about every
    /// `distance` bytes: see [`TextRanges::DISTANCE`]. `None` if it cannot be divided.
    pub fn ranges(&self, len: u64, distance: usize) -> Option<TextRanges> {
        TextRanges::new(self.in_bytes.clone()?, self.charset, len, distance.max(1))
    }

    /// Reads available bytes, at most up to the end of the buffer. Returns false at the end of the
    /// input.
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

    /// The last boundary in the buffer before which everything is decided.
    fn boundary(&self) -> Option<usize> {
        let scan = self.in_bytes.as_ref()?;
        let held = &self.buffer[..self.held];
        last_boundary(held, &scan.coding).filter(|cut| *cut > self.back)
    }

    /// The part that consists of the buffered bytes up to `end`. `is_boundary` is set if `end` is a
    /// boundary.
    fn part(&mut self, end: usize, is_boundary: bool) -> TextPart {
        let held = &self.buffer[..self.held];
        let from = match &self.in_bytes {
            Some(scan) => {
                let encoding = scan.coding.encoding;
                boundary_before(held, end.saturating_sub(BACK), encoding)
            }
            None => end,
        };
        let rest = &held[from..];
        let mut buffer = self.buffers.take(rest.len() + PART);
        buffer[..rest.len()].copy_from_slice(rest);
        let len = std::mem::replace(&mut self.held, rest.len());
        let begins = std::mem::replace(&mut self.is_boundary, is_boundary);
        let back = std::mem::replace(&mut self.back, end - from);
        let offset = self.offset;
        self.offset += end - back;
        let buffer = std::mem::replace(&mut self.buffer, buffer);
        TextPart {
            line_feeds: match &self.in_bytes {
                Some(scan) => scan.line_feeds(&buffer[back..end], offset),
                None => LineFeeds::of(&buffer[back..end], offset),
            },
            buffer,
            used: 0..len,
            body: back..end,
            offset,
            scan: self.in_bytes.clone().filter(|_| begins),
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
        let enough = self.buffer.len().min(self.held + ENOUGH);
        loop {
            let end = match self.read_more() {
                Ok(true) if self.held < enough => continue,
                Ok(true) => None,
                Ok(false) => Some(None),
                Err(error) => Some(Some(error)),
            };
            let Some(error) = end else {
                let boundary = self.boundary();
                return Some(Ok(self.part(boundary.unwrap_or(self.held), boundary.is_some())));
            };
            self.end = Some(error);
            return Some(Ok(self.part(self.held, false)));
        }
    }
}
