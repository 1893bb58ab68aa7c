//! Texts of fields that are folded: calendars and cards, reports of delivery, headers of other messages.
//!
//! They say themselves where a line goes on: the next one begins with a blank. So nothing is guessed there, and no hyphen
//! joins anything.

use crate::document::Fields;
use crate::span::{Span, Spans};

/// A text without its folds and escapes. Every byte of it stands in the text that it was made from.
pub(super) struct Unfolded {
    pub(super) text: String,
    /// Where the text goes on behind what was left out: here, and in its source.
    runs: Vec<(usize, usize)>,
}

impl Unfolded {
    /// Undoes the folding of `source`, and in calendars and cards the escapes `\n` `\,` `\;` `\\` (RFC 5545, sections 3.1 and
    /// 3.3.11; RFC 6350, sections 3.2 and 3.4). Of a folded header the blank stays (RFC 5322, section 2.2.3). Linear.
    pub(super) fn new(source: &str, fields: Fields) -> Self {
        let bytes = source.as_bytes();
        let mut text = String::with_capacity(source.len());
        let mut runs = vec![(0, 0)];
        let mut from = 0;
        while let Some(found) = memchr::memchr2(b'\n', b'\\', &bytes[from.min(bytes.len())..]) {
            let at = from + found;
            let (end, next, replaced) = match (bytes[at], bytes.get(at + 1)) {
                (b'\n', Some(b' ' | b'\t')) => {
                    let end = at - usize::from(source[from..at].ends_with('\r'));
                    let blank = usize::from(fields == Fields::Directory);
                    (end, at + 1 + blank, "")
                }
                (b'\\', Some(b'n' | b'N')) if fields == Fields::Directory => (at, at + 2, "\n"),
                (b'\\', Some(b',' | b';' | b'\\')) if fields == Fields::Directory => {
                    // What is escaped stands as it is, and is looked at no more.
                    text.push_str(&source[from..at]);
                    runs.push((text.len(), at + 1));
                    text.push_str(&source[at + 1..at + 2]);
                    runs.push((text.len(), at + 2));
                    from = at + 2;
                    continue;
                }
                _ => (at + 1, at + 1, ""),
            };
            text.push_str(&source[from..end]);
            if !replaced.is_empty() {
                runs.push((text.len(), at + 1));
                text.push_str(replaced);
            }
            if next > end {
                runs.push((text.len(), next));
            }
            from = next;
        }
        text.push_str(&source[from.min(source.len())..]);
        Self { text, runs }
    }

    /// The bytes of the source that spell those of the text under `span`, in pieces that touch none.
    pub(super) fn to_source(&self, span: Span) -> Spans {
        let first = self.runs.partition_point(|(at, _)| *at <= span.start);
        let mut spans = Spans::new();
        for (run, (at, source)) in self.runs.iter().enumerate().skip(first.saturating_sub(1)) {
            if *at >= span.end {
                break;
            }
            let end = self
                .runs
                .get(run + 1)
                .map_or(self.text.len(), |(end, _)| *end);
            let (start, end) = (span.start.max(*at), span.end.min(end));
            if start >= end {
                continue;
            }
            let piece = Span::new(source + (start - at), source + (end - at));
            match spans.last_mut() {
                Some(last) if last.end == piece.start => last.end = piece.end,
                _ => spans.push(piece),
            }
        }
        spans
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text, with what spells it in the source.
    fn unfolded(source: &str, fields: Fields) -> (String, String) {
        let unfolded = Unfolded::new(source, fields);
        let spans = unfolded.to_source(Span::new(0, unfolded.text.len()));
        let spelled = spans.iter().map(|span| &source[span.range()]).collect();
        (unfolded.text, spelled)
    }

    #[test]
    fn a_blank_goes_on_with_the_line() {
        let source = "a:b\r\n c\r\n\td\n  e\nf";
        let (text, spelled) = unfolded(source, Fields::Directory);
        assert_eq!(text, "a:bcd e\nf");
        assert_eq!(spelled, text);
        let (text, spelled) = unfolded(source, Fields::Header);
        assert_eq!(text, "a:b c\td  e\nf");
        assert_eq!(spelled, text);
    }

    #[test]
    fn escapes_are_undone() {
        let source = "a\\, b\\;c\\\\n\\nd\\Ne\\x\\";
        let (text, spelled) = unfolded(source, Fields::Directory);
        assert_eq!(text, "a, b;c\\n\nd\ne\\x\\");
        assert_eq!(spelled, "a, b;c\\nnd".to_owned() + "Ne\\x\\");
        assert_eq!(unfolded(source, Fields::Header).0, source);
    }
}
