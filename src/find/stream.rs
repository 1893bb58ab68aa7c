//! The links of a text that is too long to be held.

use std::borrow::Cow;

use encoding_rs::UTF_8;
use memchr::{memchr_iter, memrchr};

use super::parts::{Content, TextPart};
use super::text::{Known, Scan, Searched, TextUrl};
use super::{FindOptions, Link, join};
use crate::document::{Charset, Media, TextDecoder};
use crate::span::{Position, Span, Spans};

/// How many bytes are searched at a time.
const PIECE: usize = 128 << 10;

/// How many bytes have to be new for the search to go on.
const LEAST: usize = 4 << 10;

/// Finds the links of a text as its bytes come in. They are those that [`find`](super::find) finds in
/// the whole document, whatever the pieces are.
///
/// Memory: a piece of 128 KiB and a little of the one before, or three times the longest URL if that is
/// more; there is a longest one, [`MAX_URL`](super::text::MAX_URL). Time is linear. Of one that takes parts,
/// [`TextParts`](super::TextParts) says more.
///
/// ```
/// use rehref::document::{Charset, Media};
/// use rehref::find::{FindOptions, TextStream};
///
/// let charset = Charset::named("utf-8", b"").unwrap();
/// let mut stream = TextStream::new(charset, Media::Text, &FindOptions::default());
/// let mut found = Vec::new();
/// for piece in [&b"See\n<http://exam"[..], b"ple.org/>"] {
///     stream.push(piece, |link, position| found.push((link.into_owned(), position.get())));
/// }
/// stream.finish(|link, position| found.push((link.into_owned(), position.get())));
/// let (link, position) = &found[0];
/// assert_eq!(link.reference, "http://example.org/");
/// assert_eq!((link.extent().range(), position.line, position.column), (5..24, 2, 2));
/// ```
pub struct TextStream {
    scan: Scan,
    source: Source,
    lines: Lines,
    malformed: Option<Position>,
    /// What is left to pass over of the byte order mark.
    bom_left: usize,
    /// The search has come to a long URL: before there is so much text it cannot go on.
    wait_for: usize,
    /// How many parts have been taken.
    parts: usize,
}

/// The bytes that are held, and what they spell.
enum Source {
    /// They are UTF-8, and valid so far: they are the text.
    Bytes(Bytes),
    /// They are decoded, from the offset `start` on.
    Decoded { decoder: TextDecoder, start: usize },
}

#[derive(Default)]
struct Bytes {
    bytes: Vec<u8>,
    /// The offset of the first one.
    start: usize,
}

impl TextStream {
    /// For a text in this charset, in a document of this kind. If the charset has a byte order mark,
    /// the text begins with it.
    pub fn new(charset: Charset, media: Media, options: &FindOptions) -> Self {
        Self::of_parts(
            charset,
            Scan::new(options.in_charset(charset).text_of(media)),
        )
    }

    /// One that takes the parts that are searched like this.
    pub(super) fn of_parts(charset: Charset, scan: Scan) -> Self {
        let source = if charset.encoding() == UTF_8 {
            Source::Bytes(Bytes::default())
        } else {
            Source::Decoded {
                decoder: TextDecoder::new(charset.encoding()),
                start: charset.bom_len(),
            }
        };
        Self {
            scan,
            source,
            lines: Lines {
                line: 1,
                start: 0,
                counted: 0,
            },
            malformed: None,
            bom_left: charset.bom_len(),
            wait_for: 0,
            parts: 0,
        }
    }

    /// Takes the next bytes of the text in, and tells the links that they decide.
    pub fn push(&mut self, bytes: &[u8], mut found: impl FnMut(Link<'_>, &mut LinkPosition<'_>)) {
        for piece in bytes.chunks(PIECE) {
            let bom = self.bom_left.min(piece.len());
            self.bom_left -= bom;
            let piece = &piece[bom..];
            match &mut self.source {
                Source::Bytes(held) => {
                    held.start += bom;
                    held.bytes.extend_from_slice(piece);
                }
                Source::Decoded { decoder, .. } => decoder.push(piece, false),
            }
            self.search(None, false, &mut found);
        }
    }

    /// Takes the next part of the text in, and tells the links that are decided by it: without a search
    /// where the part has been searched.
    ///
    /// # Panics
    /// When it is not the next one of the [`TextParts`](super::TextParts) that this is the
    /// [stream](super::TextParts::stream) of.
    pub fn take(&mut self, part: TextPart, mut found: impl FnMut(Link<'_>, &mut LinkPosition<'_>)) {
        assert_eq!(part.number, self.parts, "the parts are taken in order");
        self.parts += 1;
        let bom = std::mem::take(&mut self.bom_left);
        let TextPart { own, buffers, .. } = part;
        let buffer = match (&mut self.source, part.content) {
            (Source::Bytes(held), Content::Searched(part))
                if self.scan.is_free_at(held.bytes.len()) =>
            {
                // Nothing before the part is needed any more but to be counted, and the part has the end of it.
                let rest = &held.bytes[self.lines.counted..];
                let to_source = |span: Span| span.shifted(held.start);
                self.lines.add(rest.len(), LineFeeds::of(rest), to_source);
                self.lines.counted = own.start;
                let start = held.start + bom + held.bytes.len() - own.start;
                let (text, part) = (part.text, (part.searched, part.line_feeds));
                let whole = text.get().unwrap_or_default();
                let search = Search {
                    scan: &mut self.scan,
                    lines: &mut self.lines,
                    last: false,
                };
                let to_source = |span: Span| span.shifted(start);
                let done = search.run(whole, own.end, Some(part), &to_source, &mut found);
                held.start = start + done;
                held.bytes.clear();
                held.bytes
                    .extend_from_slice(&whole.as_bytes()[done..own.end]);
                self.wait_for = wait_for(held.bytes.len());
                text.into_backing_cart()
            }
            (Source::Bytes(held), content) => {
                let (bytes, len) = content.into_bytes();
                held.start += bom;
                let end = held.bytes.len() + own.len();
                held.bytes.extend_from_slice(&bytes[own.start..len]);
                self.search(Some(end), false, &mut found);
                bytes
            }
            (Source::Decoded { decoder, .. }, content) => {
                let (bytes, _) = content.into_bytes();
                decoder.push(&bytes[own], false);
                self.search(None, false, &mut found);
                bytes
            }
        };
        buffers.give_back(buffer);
    }

    /// Ends the text, and tells its last links. It is the last call, also after the last part.
    pub fn finish(&mut self, mut found: impl FnMut(Link<'_>, &mut LinkPosition<'_>)) {
        if let Source::Decoded { decoder, .. } = &mut self.source {
            decoder.push(b"", true);
        }
        self.search(None, true, &mut found);
    }

    /// Where the first byte is, of those that have come, that is invalid in the charset.
    pub fn malformed(&self) -> Option<Position> {
        self.malformed
    }

    /// Searches what is held, if that is enough.
    fn search(
        &mut self,
        own: Option<usize>,
        last: bool,
        found: &mut impl FnMut(Link<'_>, &mut LinkPosition<'_>),
    ) {
        let Self { scan, lines, .. } = self;
        let search = Search { scan, lines, last };
        if let Source::Bytes(held) = &mut self.source {
            let own = own.unwrap_or(held.bytes.len());
            if own < self.wait_for && !last {
                held.bytes.truncate(own);
                return;
            }
            if let Some(text) = held.text(last) {
                let to_source = |span: Span| span.shifted(held.start);
                let done = search.run(text, own, None, &to_source, found);
                held.bytes.truncate(own);
                held.forget(done);
                self.wait_for = wait_for(held.bytes.len());
                return;
            }
            // Not all of them are valid: they are decoded from now on.
            held.bytes.truncate(own);
            let mut decoder = TextDecoder::new(UTF_8);
            decoder.push(&held.bytes, last);
            let start = held.start;
            self.source = Source::Decoded { decoder, start };
        }
        let Source::Decoded { decoder, start } = &mut self.source else {
            return;
        };
        let text = decoder.text();
        let to_source = |span: Span| decoder.to_source(span).shifted(*start);
        if self.malformed.is_none()
            && let Some((source, Some(at))) = decoder.malformed()
        {
            let mut lines = search.lines.clone();
            lines.count(text, at, to_source);
            self.malformed = Some(lines.position(source + *start));
        }
        if text.len() < self.wait_for && !last {
            return;
        }
        let done = search.run(text, text.len(), None, &to_source, found);
        decoder.forget(done);
        self.wait_for = wait_for(decoder.text().len());
    }
}

/// How much text to wait for, of which `left` is there: a little more, as small pieces decide nothing; and
/// where the search could not get on, in a long URL, twice as much, so that all searches of it take no
/// longer than a few of the last.
fn wait_for(left: usize) -> usize {
    left + if left > PIECE / 2 { left } else { LEAST }
}

/// The search as far as it has come.
struct Search<'s> {
    scan: &'s mut Scan,
    lines: &'s mut Lines,
    last: bool,
}

impl Search<'_> {
    /// Tells the links of `text` up to `end` that it decides, and returns how much of it is not needed any more;
    /// with what has been found in what is not passed yet, and the line feeds in that but for what is still
    /// needed. Its characters are spelt by the bytes of the document that `to_source` says.
    fn run(
        self,
        text: &str,
        end: usize,
        found_apart: Option<(Searched, LineFeeds)>,
        to_source: &dyn Fn(Span) -> Span,
        found: &mut impl FnMut(Link<'_>, &mut LinkPosition<'_>),
    ) -> usize {
        let Self { scan, lines, last } = self;
        let known = Known::new(text, last);
        let counted = lines.counted;
        let (searched, line_feeds) = found_apart.unzip();
        let mut tell = |url: TextUrl| {
            let spans: Spans = url.spans.iter().map(|&span| to_source(span)).collect();
            let mut position = LinkPosition {
                lines,
                text,
                begins: (url.spans[0].start, spans[0].start),
                to_source,
            };
            let reference = join(&Cow::Borrowed(text), &url.spans);
            found(Link::of_text(&url, text, spans, reference), &mut position);
        };
        scan.advance(known, end.min(known.end()), searched, &mut tell);
        let done = scan.passed(text);
        scan.forget(done);
        match line_feeds.filter(|_| lines.counted == counted && done > counted) {
            Some(line_feeds) => lines.add(done - counted, line_feeds, to_source),
            None => lines.count(text, done, to_source),
        }
        lines.counted -= done;
        done
    }
}

impl Bytes {
    /// The text, but for a character that is cut at the end. `None` if it is not valid UTF-8.
    fn text(&self, last: bool) -> Option<&str> {
        let bytes = &self.bytes;
        let whole = if last {
            bytes.len()
        } else {
            whole_characters(bytes)
        };
        simdutf8::basic::from_utf8(&bytes[..whole]).ok()
    }

    fn forget(&mut self, len: usize) {
        self.bytes.drain(..len);
        self.start += len;
    }
}

/// The length of `bytes` without a character that is cut at their end.
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

/// Where a link begins, worked out when it is asked for.
pub struct LinkPosition<'s> {
    lines: &'s mut Lines,
    text: &'s str,
    /// The link's first byte, in the text and in the document.
    begins: (usize, usize),
    to_source: &'s dyn Fn(Span) -> Span,
}

impl LinkPosition<'_> {
    /// The line and column of the link's first byte in the whole document.
    pub fn get(&mut self) -> Position {
        let (in_text, in_document) = self.begins;
        self.lines.count(self.text, in_text, self.to_source);
        self.lines.position(in_document)
    }
}

/// The line feeds of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineFeeds {
    count: usize,
    /// Where the last one is.
    last: Option<usize>,
}

impl LineFeeds {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let last = memrchr(b'\n', bytes);
        Self {
            count: memchr_iter(b'\n', &bytes[..last.map_or(0, |last| last + 1)]).count(),
            last,
        }
    }
}

/// Counts the lines of a text of which a part is there. A text has a line feed where its document has
/// one.
#[derive(Clone, Debug)]
struct Lines {
    line: usize,
    /// The offset of the line's first byte in the document.
    start: usize,
    /// How far the text that is there has been counted.
    counted: usize,
}

impl Lines {
    /// Counts on up to the character at `to`, if it has not been passed.
    fn count(&mut self, text: &str, to: usize, to_source: impl Fn(Span) -> Span) {
        let new = &text.as_bytes()[self.counted..to.max(self.counted)];
        self.add(new.len(), LineFeeds::of(new), to_source);
    }

    /// Counts on by `len` bytes that have these line feeds.
    fn add(&mut self, len: usize, line_feeds: LineFeeds, to_source: impl Fn(Span) -> Span) {
        if let Some(last) = line_feeds.last {
            let last = self.counted + last;
            self.line += line_feeds.count;
            self.start = to_source(Span::new(last, last + 1)).end;
        }
        self.counted += len;
    }

    /// The position of the byte of the document at `offset`, in the line that has been counted to.
    fn position(&self, offset: usize) -> Position {
        Position {
            line: self.line,
            column: offset - self.start + 1,
        }
    }
}
