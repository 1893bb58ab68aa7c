//! The links of a text that does not fit in memory.

use encoding_rs::UTF_8;

use super::coding::Coding;
use super::line_counter::{LinePosition, Lines, LinkPosition};
use super::scan::{AvailableText, Progress, Scan};
use super::search;
use super::searchable::Searchable;
use super::syntax::{Translation, needs_translation};
use super::text_part::{PartScan, TextPart};
use super::text_url::TextUrl;
use super::window::AvailableBytes;
use crate::bytes::{Position, Span};
use crate::format::Options;
use crate::format::text::Join;
use crate::link::ParsedLink;
use crate::source::{Charset, Source, TextDecoder, TextSyntax};

/// The number of bytes that are searched at a time.
const PIECE: usize = 128 << 10;

/// That of a text with a syntax: the map of its translation takes up to 32 bytes for each byte.
const PIECE_WITH_SYNTAX: usize = 32 << 10;

/// The number of new bytes that are needed to continue the search.
const LEAST: usize = 4 << 10;

/// Finds the links of a text while its bytes arrive. They are the
/// [links](crate::document::Document::links) of the whole document, for any division into pieces.
///
/// Memory: a piece of 128 KiB and a little of the previous one, or three times the longest URL if
/// that is more; the length of a URL is limited by [`MAX_URL`](super::MAX_URL). A text with a syntax
/// has pieces of 32 KiB, and a map of each. Time is linear. For a stream of parts, see
/// [`TextParts`](super::TextParts).
///
/// ```
/// use rehref_document::document::Document;
/// use rehref_document::format::Options;
/// use rehref_document::format::text::TextStream;
///
/// let document = Document::new("a.txt", Vec::new());
/// let mut stream = TextStream::new(document.source(), &Options::default());
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
    source: Feed,
    lines: Lines,
    /// The first invalid byte: its offset and line.
    malformed: Option<(usize, LinePosition)>,
    /// The number of bytes of the byte order mark that are not skipped yet.
    bom_left: usize,
    /// The length of text that is needed to continue the search, which stopped in a long URL.
    wait_for: usize,
}

/// The held bytes and their text.
enum Feed {
    Bytes(Bytes),
    /// Decoded from the offset `start`, and translated if the text needs that.
    Decoded {
        decoder: TextDecoder,
        translation: Option<Box<Translation>>,
        start: usize,
    },
}

struct Bytes {
    bytes: Vec<u8>,
    /// The offset of the first byte.
    start: usize,
    coding: Coding,
    /// The number of leading bytes that are valid.
    valid: usize,
}

impl TextStream {
    /// A stream for the text of `document`, which supplies everything except the bytes. If its
    /// charset has a byte order mark, the text begins with it.
    pub fn new(document: &Source, options: &Options) -> Self {
        let options = options.for_source(document);
        let scan = Scan::new(options.text_joining(Join::Angle));
        Self::of_parts(document.charset, document.syntax, scan, true)
    }

    /// A stream of parts, searched like `scan`.
    pub(super) fn of_parts(
        charset: Charset,
        syntax: Option<TextSyntax>,
        scan: Scan,
        counts_lines: bool,
    ) -> Self {
        let coding = match syntax {
            None => Coding::of(charset.encoding()),
            Some(_) => None,
        };
        let source = match coding {
            Some(coding) => Feed::Bytes(Bytes { bytes: Vec::new(), start: 0, coding, valid: 0 }),
            None => Feed::Decoded {
                decoder: TextDecoder::new(charset.encoding()),
                translation: syntax.map(|syntax| Box::new(Translation::new(Some(syntax)))),
                start: charset.bom_len(),
            },
        };
        Self {
            scan,
            source,
            lines: Lines { at: LinePosition::BEGIN, counted: 0, is_counting: counts_lines },
            malformed: None,
            bom_left: charset.bom_len(),
            wait_for: 0,
        }
    }

    /// A stream that begins at `offset` in the document, which is a boundary. Some of the bytes
    /// before it show that it is within a line.
    fn beginning_after(
        before: &[u8],
        offset: usize,
        PartScan { mut scan, coding, counts_lines }: PartScan,
    ) -> Self {
        let (start, valid) = (offset - before.len(), before.len());
        scan.move_to(Progress::beginning_at(valid));
        Self {
            scan,
            source: Feed::Bytes(Bytes { bytes: before.to_vec(), start, coding, valid }),
            lines: Lines {
                at: LinePosition::of_part(offset),
                counted: valid,
                is_counting: counts_lines,
            },
            malformed: None,
            bom_left: 0,
            wait_for: 0,
        }
    }

    /// Searches a part independently, if that is possible, and reports its links. Their positions
    /// count [from](LinkPosition::from) its beginning. Returns the stream at its end, for
    /// [`follow`](Self::follow).
    pub fn of_part(
        part: &TextPart,
        mut found: impl FnMut(ParsedLink<'_>, &mut LinkPosition<'_>),
    ) -> Option<Self> {
        let scan = part.scan.as_ref().filter(|scan| scan.decides(part))?;
        let before = &part.bytes()[..part.body.start];
        let mut stream = Self::beginning_after(before, part.offset, scan.clone());
        stream.take_part(part, &scan.coding, &mut found);
        Some(stream)
    }

    /// Adds the next bytes of the text and reports the links that they decide.
    pub fn push(
        &mut self,
        bytes: &[u8],
        mut found: impl FnMut(ParsedLink<'_>, &mut LinkPosition<'_>),
    ) {
        let len = match &self.source {
            Feed::Decoded { translation: Some(_), .. } => PIECE_WITH_SYNTAX,
            _ => PIECE,
        };
        for piece in bytes.chunks(len) {
            let bom = self.bom_left.min(piece.len());
            self.bom_left -= bom;
            let piece = &piece[bom..];
            match &mut self.source {
                Feed::Bytes(held) => {
                    held.start += bom;
                    held.bytes.extend_from_slice(piece);
                }
                Feed::Decoded { decoder, .. } => decoder.push(piece, false),
            }
            self.search(None, false, &mut found);
        }
    }

    /// Adds the next part of the text and reports the links that it decides.
    pub fn take(
        &mut self,
        part: &TextPart,
        mut found: impl FnMut(ParsedLink<'_>, &mut LinkPosition<'_>),
    ) {
        let bom = std::mem::take(&mut self.bom_left);
        if let Some(scan) = part.scan.as_ref().filter(|scan| self.is_free() && scan.decides(part)) {
            return self.take_part(part, &scan.coding, &mut found);
        }
        match &mut self.source {
            Feed::Bytes(held) => {
                held.start += bom;
                let end = held.bytes.len() + part.body.len();
                held.bytes.extend_from_slice(&part.bytes()[part.body.start..]);
                self.search(Some(end), false, &mut found);
            }
            Feed::Decoded { decoder, .. } => {
                decoder.push(&part.bytes()[part.body.clone()], false);
                self.search(None, false, &mut found);
            }
        }
    }

    /// Continues with the stream at the end of the next part, which was
    /// [searched](Self::of_part) independently, if the text so far has no influence on that.
    /// Otherwise returns false.
    pub fn follow(&mut self, own: Option<Self>) -> bool {
        let Some(own) = own.filter(|_| self.is_free()) else {
            return false;
        };
        let beginning = match &self.source {
            Feed::Bytes(held) => self.lines.line_of(&held.bytes, held.bytes.len(), held.start),
            Feed::Decoded { .. } => self.lines.at,
        };
        let malformed = own.malformed.map(|(offset, line)| (offset, line.from(beginning)));
        let malformed = self.malformed.or(malformed);
        let lines = Lines { at: own.lines.at.from(beginning), ..own.lines };
        *self = Self { malformed, lines, ..own };
        true
    }

    /// Returns true if the text so far has no influence on a part that begins at a boundary.
    fn is_free(&self) -> bool {
        match &self.source {
            Feed::Bytes(held) => self.scan.is_free_at(held.bytes.len()),
            Feed::Decoded { .. } => false,
        }
    }

    /// Takes a part on which the text so far has no influence.
    fn take_part(
        &mut self,
        part: &TextPart,
        coding: &Coding,
        found: &mut impl FnMut(ParsedLink<'_>, &mut LinkPosition<'_>),
    ) {
        let Feed::Bytes(held) = &mut self.source else {
            return;
        };
        let (bytes, body) = (part.bytes(), &part.body);
        // Text before the part is needed only for counting lines.
        let before = held.start;
        self.lines.count(&held.bytes, held.bytes.len(), |span| span.shifted(before));
        self.lines.counted = body.start;
        let after = part.line_feeds.after(self.lines.at);
        let start = part.offset - body.start;
        self.scan.move_to(Progress::beginning_at(body.start));
        let mut search = Search { scan: &mut self.scan, lines: &mut self.lines, last: false };
        let available = AvailableBytes { bytes, coding, is_last: false };
        let lines = search.lines.clone();
        let (done, plain_end) = search.run_in_bytes(available, start, body.end, found);
        let plain_end = plain_end.clamp(body.start, body.end);
        if self.malformed.is_none()
            && let Some(at) = coding.validity.malformed(&bytes[plain_end..body.end])
        {
            let at = plain_end + at;
            self.malformed = Some((start + at, lines.line_of(bytes, at, start)));
        }
        if self.scan.is_free_at(body.end - done) {
            // No link before the end is left.
            (self.lines.at, self.lines.counted) = (after, body.end - done);
        } else {
            self.lines.forget(bytes, done, |span| span.shifted(start));
        }
        (held.start, held.valid) = (start + done, body.end - done);
        held.bytes.clear();
        held.bytes.extend_from_slice(&bytes[done..body.end]);
        self.wait_for = wait_for(held.bytes.len());
    }

    /// Ends the text and reports its last links. This must be the last call, also after the last
    /// part.
    pub fn finish(&mut self, mut found: impl FnMut(ParsedLink<'_>, &mut LinkPosition<'_>)) {
        if let Feed::Decoded { decoder, .. } = &mut self.source {
            decoder.push(b"", true);
        }
        self.search(None, true, &mut found);
    }

    /// The position of the first byte that is invalid in the charset, in the bytes so far.
    pub fn malformed(&self) -> Option<Position> {
        self.malformed.map(|(offset, line)| line.of_byte(offset))
    }

    /// The offset of that byte.
    pub(super) fn malformed_offset(&self) -> Option<usize> {
        self.malformed.map(|(offset, _)| offset)
    }

    /// Searches the held text if it is long enough.
    fn search(
        &mut self,
        body_end: Option<usize>,
        last: bool,
        found: &mut impl FnMut(ParsedLink<'_>, &mut LinkPosition<'_>),
    ) {
        if let Feed::Bytes(held) = &mut self.source {
            let body_end = body_end.unwrap_or(held.bytes.len());
            if body_end < self.wait_for && !last {
                held.bytes.truncate(body_end);
                return;
            }
            return self.search_bytes(body_end, last, found);
        }
        let Self { scan, lines, .. } = self;
        let mut search = Search { scan, lines, last };
        let Feed::Decoded { decoder, translation, start } = &mut self.source else {
            return;
        };
        let text = decoder.text();
        let to_source = |span: Span| decoder.to_source(span).shifted(*start);
        if self.malformed.is_none()
            && let Some((source, Some(at))) = decoder.malformed()
        {
            let mut lines = search.lines.clone();
            lines.count(text.as_bytes(), at, to_source);
            let offset = source + *start;
            self.malformed = Some((offset, lines.at));
        }
        if text.len() < self.wait_for && !last {
            return;
        }
        if translation.is_none() && needs_translation(text.as_bytes()) {
            *translation = Some(Box::new(Translation::new(None)));
        }
        let passed = match translation {
            None => {
                let searchable = Searchable::plain(text, &to_source);
                search.run(&searchable, text.len(), found)
            }
            Some(translation) => {
                translation.advance(text, last);
                let searchable = Searchable {
                    text: translation.text(),
                    translated: Some((text, translation)),
                    to_source: &to_source,
                };
                let end = searchable.text.len();
                let done = search.run(&searchable, end, found);
                translation.forget(text, done)
            }
        };
        self.lines.forget(text.as_bytes(), passed, to_source);
        decoder.forget(passed);
        self.wait_for = wait_for(decoder.text().len());
    }

    /// Searches the held bytes. Those after `body_end` are look-ahead, and are dropped afterwards.
    fn search_bytes(
        &mut self,
        body_end: usize,
        last: bool,
        found: &mut impl FnMut(ParsedLink<'_>, &mut LinkPosition<'_>),
    ) {
        let Feed::Bytes(held) = &mut self.source else {
            return;
        };
        let Self { scan, lines, .. } = self;
        let mut search = Search { scan, lines, last };
        let (bytes, start) = (&held.bytes[..], held.start);
        let available = AvailableBytes { bytes, coding: &held.coding, is_last: last };
        let until = body_end.min(available.decided());
        let before = search.lines.clone();
        let (done, plain_end) = search.run_in_bytes(available, start, until, found);
        if self.malformed.is_none() {
            let plain_end = plain_end.clamp(held.valid, body_end);
            let valid = held.coding.validity.check(&bytes[plain_end..body_end], last);
            held.valid = plain_end + valid.up_to;
            if valid.is_end {
                let line = before.line_of(bytes, held.valid, start);
                self.malformed = Some((start + held.valid, line));
            }
        }
        self.lines.forget(&held.bytes, done, |span| span.shifted(start));
        held.bytes.truncate(body_end);
        held.forget(done);
        self.wait_for = wait_for(held.bytes.len());
    }
}

/// The amount of text to wait for, where `left` is held: a little more, because small pieces decide
/// nothing. If the search stopped in a long URL, twice as much, so that all searches of it take
/// linear time.
fn wait_for(left: usize) -> usize {
    left + if left > PIECE / 2 { left } else { LEAST }
}

/// The state of the search.
struct Search<'s> {
    scan: &'s mut Scan,
    lines: &'s mut Lines,
    last: bool,
}

impl Search<'_> {
    /// Reports the decided links, as [`run`](Self::run) does, of bytes that begin at `start` in the
    /// document. Returns the end of the plain text in which the search began, too.
    fn run_in_bytes(
        &mut self,
        available: AvailableBytes<'_, '_>,
        start: usize,
        end: usize,
        found: &mut impl FnMut(ParsedLink<'_>, &mut LinkPosition<'_>),
    ) -> (usize, usize) {
        let Self { scan, lines, .. } = self;
        let plain_end = search::search(scan, available, end, &mut |url| {
            let link = url.into_link(available.bytes, start);
            let begin = link.spans[0].start;
            let mut position = LinkPosition {
                lines,
                bytes: available.bytes,
                encoding: available.coding.encoding,
                begins: (begin - start, begin),
                ends: link.extent().end - start,
                to_source: &|span| span.shifted(start),
            };
            found(link, &mut position);
        });
        let done = search::no_longer_needed(scan, available);
        scan.forget(done);
        (done, plain_end)
    }

    /// Reports the decided links of `text` up to `end`. Returns the number of bytes that are no
    /// longer needed.
    fn run(
        &mut self,
        searchable: &Searchable<'_>,
        end: usize,
        found: &mut impl FnMut(ParsedLink<'_>, &mut LinkPosition<'_>),
    ) -> usize {
        let Self { scan, lines, last } = self;
        let text = searchable.text;
        let available = AvailableText::new(text, *last);
        let mut tell = |url: TextUrl| {
            let link = searchable.link(&url);
            let mut position = LinkPosition {
                lines,
                bytes: searchable.lines().as_bytes(),
                encoding: UTF_8,
                begins: (searchable.start(&url), link.spans[0].start),
                ends: searchable.end(&url),
                to_source: searchable.to_source,
            };
            found(link, &mut position);
        };
        scan.search(available, end.min(available.end()), &mut tell);
        let done = scan.no_longer_needed(text);
        scan.forget(done);
        done
    }
}

impl Bytes {
    fn forget(&mut self, len: usize) {
        self.bytes.drain(..len);
        self.start += len;
        self.valid = self.valid.saturating_sub(len);
    }
}
