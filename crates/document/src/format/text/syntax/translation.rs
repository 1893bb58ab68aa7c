//! The translation of a text, and its map to the original.

use memchr::{memchr, memchr2, memchr3, memrchr};

use super::diff::Diff;
use super::rules::Rules;
use super::unit::{LOOK_AHEAD, LOOK_BACK, STOP, Unit};
use crate::bytes::{OffsetMapBuilder, Span, Spans};
use crate::link::Note;
use crate::source::TextSyntax;

/// The first byte of a terminal escape sequence.
const ESCAPE: u8 = 0x1B;

/// The maximum length of the parameters of a terminal sequence, in bytes.
const LONGEST_SEQUENCE: usize = 64;

/// The rules for the marks of a text.
#[derive(Clone, Debug)]
enum Marks {
    /// Those of one syntax.
    Of(Rules),
    /// Those of diffs, which change from line to line.
    OfDiff(Diff),
}

impl Marks {
    fn new(syntax: Option<TextSyntax>) -> Self {
        match syntax {
            Some(TextSyntax::Diff) => Self::OfDiff(Diff::default()),
            syntax => Self::Of(Rules::new(syntax)),
        }
    }

    /// The bytes that may be marks.
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Of(rules) => rules.marks(),
            Self::OfDiff(diff) => diff.marks(),
        }
    }

    /// The meaning of the mark at `at`.
    fn unit(&mut self, text: &str, at: usize) -> Unit {
        match self {
            Self::Of(rules) => rules.unit(text, at),
            Self::OfDiff(diff) => diff.unit(text, at),
        }
    }
}

/// A translated text, which may come in pieces.
#[derive(Clone, Debug)]
pub(in crate::format::text) struct Translation {
    rules: Marks,
    marks: Vec<u8>,
    is_mark: Box<[bool; 256]>,
    text: String,
    map: OffsetMapBuilder,
    /// The number of forgotten bytes of the translated text, and of the original one.
    forgotten: (usize, usize),
    /// The number of translated bytes of the original text, including forgotten ones.
    read: usize,
    /// False before the first line, if that may be a mark.
    has_begun: bool,
}

impl Translation {
    /// A translation for a text of this syntax.
    pub(in crate::format::text) fn new(syntax: Option<TextSyntax>) -> Self {
        let rules = Marks::new(syntax);
        let mut translation = Self {
            has_begun: !matches!(rules, Marks::OfDiff(_)),
            rules,
            marks: Vec::new(),
            is_mark: Box::new([false; 256]),
            text: String::new(),
            map: OffsetMapBuilder::default(),
            forgotten: (0, 0),
            read: 0,
        };
        translation.set_marks();
        translation
    }

    /// Reads the marks of the rules.
    fn set_marks(&mut self) {
        self.marks = self.rules.bytes();
        self.marks.push(ESCAPE);
        *self.is_mark = [false; 256];
        for byte in &self.marks {
            self.is_mark[usize::from(*byte)] = true;
        }
    }

    /// The translation of the whole `text`, if it differs.
    pub(in crate::format::text) fn of(text: &str, syntax: Option<TextSyntax>) -> Option<Self> {
        if syntax.is_none() && !needs_translation(text.as_bytes()) {
            return None;
        }
        Some(Self::new(syntax).whole(text))
    }

    fn whole(mut self, text: &str) -> Self {
        self.text.reserve(text.len());
        self.advance(text, true);
        self
    }

    /// Translates `text`, which lacks the forgotten beginning. More text may follow unless it is
    /// the `last` piece.
    pub(in crate::format::text) fn advance(&mut self, text: &str, last: bool) {
        let bytes = text.as_bytes();
        if !self.has_begun {
            if !last && bytes.len() < LOOK_AHEAD {
                return;
            }
            self.has_begun = true;
            if let Marks::OfDiff(diff) = &mut self.rules {
                diff.begin_line(text);
            }
        }
        let mut at = self.read - self.forgotten.1;
        loop {
            let plain = self.next_mark(&bytes[at..]);
            let plain = plain.unwrap_or(bytes.len() - at);
            self.keep(&text[at..at + plain]);
            at += plain;
            if at == bytes.len() || !last && bytes.len() - at < LOOK_AHEAD {
                break;
            }
            let unit = match bytes[at] {
                ESCAPE => terminal_unit(&bytes[at..]),
                _ => self.rules.unit(text, at),
            };
            at += match unit {
                Unit::Keep(len) => {
                    self.keep(&text[at..at + len]);
                    len
                }
                Unit::Gap(len) => {
                    self.map.push(1, 0, len);
                    len
                }
                Unit::Stop(len) => {
                    self.text.push(STOP);
                    self.map.push(1, STOP.len_utf8(), len);
                    let kept = usize::from(len == 0);
                    self.keep(&text[at..at + kept]);
                    len + kept
                }
                Unit::Char(len, c) => {
                    self.text.push(c);
                    self.map.push(1, c.len_utf8(), len);
                    len
                }
            };
            if let Marks::OfDiff(diff) = &mut self.rules
                && diff.has_new_marks()
            {
                self.set_marks();
            }
        }
        self.read = at + self.forgotten.1;
    }

    /// The first byte that may be a mark.
    fn next_mark(&self, bytes: &[u8]) -> Option<usize> {
        match self.marks[..] {
            [one] => memchr(one, bytes),
            [one, two] => memchr2(one, two, bytes),
            [one, two, three] => memchr3(one, two, three, bytes),
            _ => bytes.iter().position(|byte| self.is_mark[usize::from(*byte)]),
        }
    }

    fn keep(&mut self, text: &str) {
        self.text.push_str(text);
        self.map.push(text.len(), 1, 1);
    }

    /// The translated text that is not forgotten.
    pub(in crate::format::text) fn text(&self) -> &str {
        &self.text
    }

    /// The pieces of the original text that spell the bytes `span` of the translated one.
    pub(in crate::format::text) fn pieces(&self, span: Span) -> Spans {
        let mut pieces = self.map.as_map().pieces(span.shifted(self.forgotten.0));
        for piece in &mut pieces {
            *piece = Span::new(piece.start - self.forgotten.1, piece.end - self.forgotten.1);
        }
        pieces
    }

    /// The note on a link that is not spelled literally, and has this number of pieces.
    pub(in crate::format::text) fn note(&self, pieces: usize) -> Note {
        match self.rules {
            Marks::Of(Rules::Fields(_)) if pieces > 1 => Note::Rejoined,
            _ => Note::Unescaped,
        }
    }

    /// Returns true if the bytes `span` of the translated text are spelled literally.
    pub(in crate::format::text) fn is_plain(&self, span: Span) -> bool {
        self.map.as_map().is_plain(span.shifted(self.forgotten.0))
    }

    /// The start in the original text of the byte at `at` of the translated one.
    pub(in crate::format::text) fn to_source(&self, at: usize) -> usize {
        let at = at + self.forgotten.0;
        self.map.as_map().to_source(Span::new(at, at)).start - self.forgotten.1
    }

    /// Discards the first `len` bytes of the translated text. Returns the number of bytes of
    /// `text`, the original, that are no longer needed.
    pub(in crate::format::text) fn forget(&mut self, text: &str, len: usize) -> usize {
        let read = self.read - self.forgotten.1;
        let mut passed = self.to_source(len).min(read.saturating_sub(LOOK_BACK));
        while !text.is_char_boundary(passed) {
            passed -= 1;
        }
        self.text.drain(..len);
        self.forgotten.0 += len;
        self.forgotten.1 += passed;
        self.map.discard_before(self.forgotten.0);
        passed
    }
}

/// Returns true if a text without a syntax needs a translation.
pub(in crate::format::text) fn needs_translation(bytes: &[u8]) -> bool {
    find_escape(bytes).is_some()
}

/// The first byte that may begin a terminal sequence.
pub(in crate::format::text) fn find_escape(bytes: &[u8]) -> Option<usize> {
    memchr(ESCAPE, bytes)
}

/// The number of bytes of terminal sequences before `at`.
pub(in crate::format::text) fn terminal_len(bytes: &[u8], at: usize) -> usize {
    let (mut len, mut from) = (0, 0);
    while let Some(escape) = memchr(ESCAPE, &bytes[from..at]) {
        let start = from + escape;
        from = start + 1;
        if let Unit::Gap(gap) = terminal_unit(&bytes[start..]) {
            from = at.min(start + gap);
            len += from - start;
        }
    }
    len
}

/// The start of the terminal sequence that `at` is in, or `at`.
pub(in crate::format::text) fn terminal_start(bytes: &[u8], at: usize) -> usize {
    let near = at.saturating_sub(LONGEST_SEQUENCE + "\x1B[".len());
    let Some(escape) = memrchr(ESCAPE, &bytes[near..at]) else {
        return at;
    };
    let start = near + escape;
    match terminal_unit(&bytes[start..]) {
        Unit::Gap(len) if start + len > at => start,
        _ => at,
    }
}

/// The terminal sequence at the start of `rest`: SGR, which sets colors, or EL, which clears the
/// rest of the line and which `grep` writes after it (ECMA-48, 8.3.117 and 8.3.41).
fn terminal_unit(rest: &[u8]) -> Unit {
    let Some(parameters) = rest.strip_prefix(b"\x1B[") else {
        return Unit::Keep(1);
    };
    let is_parameter = |byte: &u8| byte.is_ascii_digit() || b";:".contains(byte);
    let len =
        parameters.iter().take(LONGEST_SEQUENCE).take_while(|byte| is_parameter(byte)).count();
    match parameters.get(len) {
        Some(b'm' | b'K') => Unit::Gap(len + 3),
        _ => Unit::Keep(1),
    }
}

/// The translation of `text`, for the tests of each syntax.
#[cfg(test)]
pub(super) fn translated(syntax: TextSyntax, text: &str) -> String {
    let translation = Translation::of(text, Some(syntax)).unwrap();
    translation.text().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Fields, Literals};
    use proptest::prelude::*;

    const PLUS: TextSyntax = TextSyntax::Code(Literals::Plus);

    fn any_syntax() -> impl Strategy<Value = Option<TextSyntax>> {
        prop::sample::select(vec![
            None,
            Some(TextSyntax::Cells { separator: b',' }),
            Some(TextSyntax::Cells { separator: b'\t' }),
            Some(TextSyntax::Roff),
            Some(TextSyntax::AsciiDoc),
            Some(TextSyntax::Wiki),
            Some(TextSyntax::Texinfo),
            Some(TextSyntax::Tex),
            Some(TextSyntax::Gettext),
            Some(PLUS),
            Some(TextSyntax::Code(Literals::C)),
            Some(TextSyntax::Code(Literals::Python)),
            Some(TextSyntax::Code(Literals::Rust)),
            Some(TextSyntax::Code(Literals::Json)),
            Some(TextSyntax::Properties),
            Some(TextSyntax::Fields(Fields::Header)),
            Some(TextSyntax::Fields(Fields::Directory)),
            Some(TextSyntax::Diff),
        ])
    }

    #[test]
    fn colors_are_gaps() {
        let text = "a\x1B[01;31m\x1B[Khttp\x1B[m\x1B[K://b/\x1B[1A\x1B";
        let translation = Translation::of(text, None).unwrap();
        assert_eq!(translation.text(), "ahttp://b/\x1B[1A\x1B");
        let pieces = translation.pieces(Span::new(1, 10));
        let pieces: Vec<&str> = pieces.iter().map(|span| &text[span.range()]).collect();
        assert_eq!(pieces, ["http", "://b/"]);
        assert!(Translation::of("a", None).is_none());
    }

    proptest! {
        #![proptest_config(crate::tier::cases(2_000))]

        #[test]
        fn pieces_of_a_text_translate_as_the_whole(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "http://a/", "b", " ", "\n", "\r\n", "\t", "\"", "\"\"", "'", "\\", "\\\"", "\\n", "\\/", "\\u0026",
                    "\\u{26}", "\\x26", "\\f", "\\f[B]", "\\(ti", "[ti]", "\\s", "-", "+", ".", ",", "{", "}", "{@link",
                    "|", "[", "++", "@", "@uref{", "@comma{}", "\\verb", "\\~{}", "{\\_}", "$\\sim$", "\x1B[", "1;2m",
                    "K", "#~ ", "é", "中", "\u{1F}", "\n ", "\n+", "\n-", "\n> +", "\n--- a/a.c\n+++ b/b.ics\n",
                    "\n@@ -1,9 +1,9 @@\n", "\n> @@ -1 +1 @@\n> +", "\ndiff --git a/b.7 b/b.7\n",
                ]),
                0..60,
            ),
            syntax in any_syntax(),
            cut in 0..100_usize,
        ) {
            let text = parts.concat();
            let mut whole = Translation::new(syntax);
            whole.advance(&text, true);
            let spans = |translation: &Translation, from: usize| {
                let indices = translation.text().char_indices();
                let span = |(at, c): (usize, char)| translation.pieces(Span::new(at, at + c.len_utf8()))[0];
                indices.map(span).map(|span| span.shifted(from)).collect::<Vec<_>>()
            };
            let all = spans(&whole, 0);
            for pair in all.windows(2) {
                prop_assert!(pair[0].end <= pair[1].start);
            }
            prop_assert!(all.last().is_none_or(|last| last.end <= text.len()));
            // Marks are read when enough text after them is available.
            let filler = "x".repeat(LOOK_AHEAD + cut);
            let text = format!("{text}{filler}");
            let mut whole = Translation::new(syntax);
            whole.advance(&text, true);
            let mut piece = Translation::new(syntax);
            let head = text.floor_char_boundary(text.len() - cut.min(text.len()));
            piece.advance(&text[..head], false);
            let kept = piece.text().floor_char_boundary(piece.text().len() / 2);
            let mut joined = piece.text()[..kept].to_owned();
            let mut found = spans(&piece, 0);
            found.truncate(piece.text()[..kept].chars().count());
            let passed = piece.forget(&text[..head], kept);
            piece.advance(&text[passed..], true);
            joined.push_str(piece.text());
            found.extend(spans(&piece, passed));
            prop_assert_eq!(&joined, whole.text());
            prop_assert_eq!(found, spans(&whole, 0));
        }
    }
}
