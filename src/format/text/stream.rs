//! The links of a text that is too long to be held.

use std::borrow::Cow;

use encoding_rs::UTF_8;

use super::line_counter::{LineFeeds, Lines};
use super::scan::{Known, Scan, Searched};
use super::syntax::{Translation, needs_translation};
use super::text_link::{link_of_translated_url, link_of_url};
use super::text_part::{Content, TextPart, whole_characters};
use super::text_url::TextUrl;
use crate::bytes::{Position, Span};
use crate::format::Options;
use crate::format::value::join;
use crate::link::LinkData;
use crate::source::{Charset, Source, TextDecoder, TextSyntax};

/// How many bytes are searched at a time.
const PIECE: usize = 128 << 10;

/// How many bytes have to be new for the search to go on.
const LEAST: usize = 4 << 10;

/// Finds the links of a text as its bytes come in. They are those that [`find`](crate::format::find) finds in
/// the whole document, whatever the pieces are.
///
/// Memory: a piece of 128 KiB and a little of the one before, or three times the longest URL if that is
/// more; there is a longest one, [`MAX_URL`](super::MAX_URL). Time is linear. Of one that takes parts,
/// [`TextParts`](super::TextParts) says more.
///
/// ```
/// use rehref::source::Source;
/// use rehref::format::Options;
/// use rehref::format::text::TextStream;
///
/// let document = Source::new("a.txt", Vec::new());
/// let mut stream = TextStream::new(&document, &Options::default());
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
    malformed: Option<Position>,
    /// What is left to pass over of the byte order mark.
    bom_left: usize,
    /// The search has come to a long URL: before there is so much text it cannot go on.
    wait_for: usize,
    /// How many parts have been taken.
    parts: usize,
}

/// The bytes that are held, and what they spell.
enum Feed {
    /// They are UTF-8, and valid so far: they are the text.
    Bytes(Bytes),
    /// They are decoded, from the offset `start` on, and translated where the text needs that.
    Decoded {
        decoder: TextDecoder,
        translation: Option<Box<Translation>>,
        start: usize,
    },
}

#[derive(Default)]
struct Bytes {
    bytes: Vec<u8>,
    /// The offset of the first one.
    start: usize,
}

impl TextStream {
    /// For the text of a document, of which everything counts but the bytes. If the charset has a byte order mark,
    /// the text begins with it.
    pub fn new(document: &Source, options: &Options) -> Self {
        let options = options.in_charset(document.charset);
        let scan = Scan::new(options.text_of(document.format));
        Self::of_parts(document.charset, document.syntax, scan)
    }

    /// One that takes the parts that are searched like this.
    pub(super) fn of_parts(charset: Charset, syntax: Option<TextSyntax>, scan: Scan) -> Self {
        let source = if charset.encoding() == UTF_8 && syntax.is_none() {
            Feed::Bytes(Bytes::default())
        } else {
            Feed::Decoded {
                decoder: TextDecoder::new(charset.encoding()),
                translation: syntax.map(|syntax| Box::new(Translation::new(Some(syntax)))),
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
    pub fn push(
        &mut self,
        bytes: &[u8],
        mut found: impl FnMut(LinkData<'_>, &mut LinkPosition<'_>),
    ) {
        for piece in bytes.chunks(PIECE) {
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

    /// Takes the next part of the text in, and tells the links that are decided by it: without a search
    /// where the part has been searched.
    ///
    /// # Panics
    /// When it is not the next one of the [`TextParts`](super::TextParts) that this is the
    /// [stream](super::TextParts::stream) of.
    pub fn take(
        &mut self,
        part: TextPart,
        mut found: impl FnMut(LinkData<'_>, &mut LinkPosition<'_>),
    ) {
        assert_eq!(part.number, self.parts, "the parts are taken in order");
        self.parts += 1;
        let bom = std::mem::take(&mut self.bom_left);
        let TextPart { own, buffers, .. } = part;
        let buffer = match (&mut self.source, part.content) {
            (Feed::Bytes(held), Content::Searched(part))
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
                let mut search = Search {
                    scan: &mut self.scan,
                    lines: &mut self.lines,
                    last: false,
                };
                let to_source = |span: Span| span.shifted(start);
                let searchable = Searchable::plain(whole, &to_source);
                let (done, line_feeds) = search.run(&searchable, own.end, Some(part), &mut found);
                self.lines.forget(whole, done, line_feeds, to_source);
                held.start = start + done;
                held.bytes.clear();
                held.bytes
                    .extend_from_slice(&whole.as_bytes()[done..own.end]);
                self.wait_for = wait_for(held.bytes.len());
                text.into_backing_cart()
            }
            (Feed::Bytes(held), content) => {
                let (bytes, len) = content.into_bytes();
                held.start += bom;
                let end = held.bytes.len() + own.len();
                held.bytes.extend_from_slice(&bytes[own.start..len]);
                self.search(Some(end), false, &mut found);
                bytes
            }
            (Feed::Decoded { decoder, .. }, content) => {
                let (bytes, _) = content.into_bytes();
                decoder.push(&bytes[own], false);
                self.search(None, false, &mut found);
                bytes
            }
        };
        buffers.give_back(buffer);
    }

    /// Ends the text, and tells its last links. It is the last call, also after the last part.
    pub fn finish(&mut self, mut found: impl FnMut(LinkData<'_>, &mut LinkPosition<'_>)) {
        if let Feed::Decoded { decoder, .. } = &mut self.source {
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
        found: &mut impl FnMut(LinkData<'_>, &mut LinkPosition<'_>),
    ) {
        let Self { scan, lines, .. } = self;
        let mut search = Search { scan, lines, last };
        if let Feed::Bytes(held) = &mut self.source {
            let own = own.unwrap_or(held.bytes.len());
            if own < self.wait_for && !last {
                held.bytes.truncate(own);
                return;
            }
            let text = held.text(last);
            if let Some(text) = text.filter(|text| !needs_translation(text.as_bytes())) {
                let to_source = |span: Span| span.shifted(held.start);
                let searchable = Searchable::plain(text, &to_source);
                let (done, _) = search.run(&searchable, own, None, found);
                self.lines.forget(text, done, None, to_source);
                held.bytes.truncate(own);
                held.forget(done);
                self.wait_for = wait_for(held.bytes.len());
                return;
            }
            // They are not all valid, or not what is searched: they are decoded from now on.
            held.bytes.truncate(own);
            let mut decoder = TextDecoder::new(UTF_8);
            decoder.push(&held.bytes, last);
            self.source = Feed::Decoded {
                decoder,
                translation: None,
                start: held.start,
            };
        }
        let Feed::Decoded {
            decoder,
            translation,
            start,
        } = &mut self.source
        else {
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
        if translation.is_none() && needs_translation(text.as_bytes()) {
            *translation = Some(Box::new(Translation::new(None)));
        }
        let passed = match translation {
            None => {
                let searchable = Searchable::plain(text, &to_source);
                search.run(&searchable, text.len(), None, found).0
            }
            Some(translation) => {
                translation.advance(text, last);
                let searchable = Searchable {
                    text: translation.text(),
                    translated: Some((text, translation)),
                    to_source: &to_source,
                };
                let end = searchable.text.len();
                let (done, _) = search.run(&searchable, end, None, found);
                translation.forget(text, done)
            }
        };
        self.lines.forget(text, passed, None, to_source);
        decoder.forget(passed);
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

/// The text that is searched, and the way from it to the document.
struct Searchable<'h> {
    text: &'h str,
    /// The text of which it is the translation, in which lines are counted.
    translated: Option<(&'h str, &'h Translation)>,
    /// The bytes of the document that spell the characters of the text before it was translated.
    to_source: &'h dyn Fn(Span) -> Span,
}

impl<'h> Searchable<'h> {
    fn plain(text: &'h str, to_source: &'h dyn Fn(Span) -> Span) -> Self {
        Self {
            text,
            translated: None,
            to_source,
        }
    }

    /// The link that `url` is, and where it begins in the text whose lines are counted.
    fn link(&self, url: &TextUrl) -> (LinkData<'h>, usize) {
        let reference = join(&Cow::Borrowed(self.text), &url.spans);
        match self.translated {
            None => {
                let spans = url.spans.iter().map(|&span| (self.to_source)(span));
                let spans = spans.collect();
                let link = link_of_url(url, self.text, spans, reference);
                (link, url.spans[0].start)
            }
            Some((_, translation)) => {
                let found = (url, self.text, &url.spans);
                let link = link_of_translated_url(found, translation, reference, self.to_source);
                (link, translation.pieces(url.spans[0])[0].start)
            }
        }
    }

    /// The text whose lines are counted.
    fn lines(&self) -> &'h str {
        self.translated.map_or(self.text, |(text, _)| text)
    }
}

impl Search<'_> {
    /// Tells the links of `text` up to `end` that it decides, and returns how much of it is not needed any more;
    /// with what has been found in what is not passed yet, and the line feeds in that but for what is still
    /// needed, if these are not counted.
    fn run(
        &mut self,
        searchable: &Searchable<'_>,
        end: usize,
        found_apart: Option<(Searched, LineFeeds)>,
        found: &mut impl FnMut(LinkData<'_>, &mut LinkPosition<'_>),
    ) -> (usize, Option<LineFeeds>) {
        let Self { scan, lines, last } = self;
        let text = searchable.text;
        let known = Known::new(text, *last);
        let counted = lines.counted;
        let (searched, line_feeds) = found_apart.unzip();
        let mut tell = |url: TextUrl| {
            let (link, begin) = searchable.link(&url);
            let mut position = LinkPosition {
                lines,
                text: searchable.lines(),
                begins: (begin, link.spans[0].start),
                to_source: searchable.to_source,
            };
            found(link, &mut position);
        };
        scan.advance(known, end.min(known.end()), searched, &mut tell);
        let done = scan.passed(text);
        scan.forget(done);
        let line_feeds = line_feeds.filter(|_| lines.counted == counted && done > counted);
        (done, line_feeds)
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
