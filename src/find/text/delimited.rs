//! URLs in `<...>` and `"..."`.

use std::borrow::Cow;

use super::chars::{Class, class_of};
use super::scheme;
use crate::span::{Span, Spans};

/// How far the closing delimiter is looked for, in bytes from the URL's start.
const LOOK_AHEAD: usize = 4096;

/// A URL between delimiters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Delimited {
    /// The bytes of it that are no white space.
    pub(super) spans: Spans,
    /// The offset after the closing delimiter.
    pub(super) end: usize,
}

/// The URL with the scheme `start..colon`, before which `<` stands, or `None` if the bracket is no
/// delimiter. RFC 3986, Appendix C.
///
/// It is none when before `>` there is another `<`, a control, a blank line, or a second URL after
/// white space; then the rule for bare URLs applies. Linear in the length of the inside.
pub(super) fn angle(text: &str, start: usize, colon: usize) -> Option<Delimited> {
    let inside = Inside::read(text, start, '>', |c| c == '<' || c.is_control())?;
    // White space and a double quote: an attribute of a tag.
    if inside.has_gap() && inside.has_quote {
        return None;
    }
    let value = inside.value(text);
    let (scheme, rest) = parts(&value, start, colon);
    let holds = match rest.strip_prefix("//") {
        Some(rest) => !rest.is_empty() && scheme::authority(scheme, rest).is_some(),
        // `<file: the name>` is a sentence, `<mailto:a@b?subject=x y>` a URL.
        None if text[colon + 1..].starts_with(' ') => false,
        None if scheme::is_opaque(scheme) => {
            let hidden = inside.has_blank && scheme::lacks_address(scheme, rest);
            !(hidden || scheme::is_left_out(rest))
        }
        None => !inside.has_blank && scheme::admits_unknown(scheme, rest),
    };
    holds.then(|| inside.into())
}

/// The URL with the scheme `start..colon`, before which an opening quote stands, or `None` if that
/// quote and the next `close` are no delimiters.
///
/// They are none when what cannot be in a bare URL is between them, a blank within a line included;
/// then the rule for bare URLs applies. Linear in the length of the inside.
pub(super) fn quote(text: &str, start: usize, colon: usize, close: char) -> Option<Delimited> {
    let foreign = |c| class_of(c) == Class::Stop || c == '“';
    let mut inside = Inside::read(text, start, close, foreign)?;
    if inside.has_blank {
        return None;
    }
    if let Some(last) = inside.spans.last_mut() {
        last.end = last.start + text[last.range()].trim_end_matches(['.', ',']).len();
    }
    inside.spans.retain(|span| !span.is_empty());
    let value = inside.value(text);
    let (scheme, rest) = parts(&value, start, colon);
    let holds = match rest.strip_prefix("//") {
        Some(rest) => !rest.is_empty() && scheme::authority(scheme, rest).is_some(),
        None => scheme::admits_opaque(scheme, rest),
    };
    holds.then(|| inside.into())
}

/// A URL's scheme and what follows its colon. No white space can stand in the scheme, so that it is as
/// long in the joined value as in the text.
fn parts(value: &str, start: usize, colon: usize) -> (&str, &str) {
    let scheme = colon - start;
    (&value[..scheme], value.get(scheme + 1..).unwrap_or(""))
}

/// What stands between two delimiters.
struct Inside {
    spans: Spans,
    end: usize,
    /// White space within a line was removed.
    has_blank: bool,
    /// There is a double quote.
    has_quote: bool,
}

impl Inside {
    /// Reads from `start` to `close`. `None` when that is too far, or after a blank line, a second
    /// URL or a character that is `foreign`; white space is not asked about.
    fn read(text: &str, start: usize, close: char, foreign: impl Fn(char) -> bool) -> Option<Self> {
        let mut inside = Self {
            spans: Spans::new(),
            end: 0,
            has_blank: false,
            has_quote: false,
        };
        let mut piece = start;
        // The white space being read, if any: the line breaks in it.
        let mut gap = None;
        for (offset, c) in text[start..].char_indices() {
            let at = start + offset;
            if offset > LOOK_AHEAD {
                return None;
            }
            let is_space = c.is_whitespace();
            if is_space || c == close {
                if gap.is_none() {
                    inside.spans.push(Span::new(piece, at));
                }
                if c == close {
                    inside.end = at + c.len_utf8();
                    return Some(inside);
                }
                let breaks = gap.unwrap_or(0) + u8::from(is_break(text, at, c));
                if breaks > 1 {
                    return None;
                }
                gap = Some(breaks);
                continue;
            }
            if foreign(c) {
                return None;
            }
            if let Some(breaks) = gap.take() {
                if scheme::starts_url(&text.as_bytes()[at..]) {
                    return None;
                }
                inside.has_blank |= breaks == 0;
                piece = at;
            }
            inside.has_quote |= c == '"';
        }
        None
    }

    fn has_gap(&self) -> bool {
        self.spans.len() > 1
    }

    /// The bytes of the spans, joined.
    fn value<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.spans.as_slice() {
            [span] => Cow::Borrowed(&text[span.range()]),
            spans => Cow::Owned(spans.iter().map(|span| &text[span.range()]).collect()),
        }
    }
}

impl From<Inside> for Delimited {
    fn from(Inside { spans, end, .. }: Inside) -> Self {
        Self { spans, end }
    }
}

/// Whether the white space `c` at `at` ends a line; CR LF counts once.
fn is_break(text: &str, at: usize, c: char) -> bool {
    match c {
        '\r' => !text[at + 1..].starts_with('\n'),
        '\n' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}' => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, delimited: Option<Delimited>) -> Option<String> {
        let spans = delimited?.spans;
        Some(spans.iter().map(|span| &text[span.range()]).collect())
    }

    fn angled(text: &str) -> Option<String> {
        value(text, angle(text, 0, text.find(':')?))
    }

    fn quoted(text: &str) -> Option<String> {
        value(text, quote(text, 0, text.find(':')?, '"'))
    }

    #[test]
    fn all_white_space_goes_from_angle_brackets() {
        assert_eq!(
            angled("http://a/ b\r\n\u{a0}\u{3000}c >").as_deref(),
            Some("http://a/bc")
        );
        assert_eq!(angled("http://\nwww.a/>").as_deref(), Some("http://www.a/"));
        assert_eq!(angled("http://a/.,>").as_deref(), Some("http://a/.,"));
    }

    #[test]
    fn brackets_that_delimit_nothing() {
        assert_eq!(angled("http://a\n\nb>"), None, "a blank line");
        assert_eq!(
            angled("http://a\r\n \r\nb>"),
            None,
            "a blank line of blanks"
        );
        assert_eq!(angled("http://a <b>"), None, "another bracket");
        assert_eq!(angled("http://a http://b>"), None, "a second URL");
        assert_eq!(angled("http://a"), None, "no end");
        assert_eq!(angled("http://>"), None, "no host");
        assert_eq!(angled("file: the name>"), None, "prose");
        assert_eq!(angled("foo:bar baz>"), None, "prose");
        assert_eq!(angled("doi:...>"), None, "an ellipsis");
        assert_eq!(angled("mailto:a at b>"), None, "a hidden address");
        assert_eq!(angled("x:y z=\"1\">"), None, "a tag");
        assert_eq!(
            angled(&format!("http://a/{}>", "b".repeat(LOOK_AHEAD))),
            None,
            "too far"
        );
    }

    #[test]
    fn quotes_rejoin_lines_only() {
        assert_eq!(quoted("http://a/b\n   c\"").as_deref(), Some("http://a/bc"));
        assert_eq!(
            quoted("http://a/b  \r\n   c\"").as_deref(),
            Some("http://a/bc")
        );
        assert_eq!(quoted("http://a/b,\"").as_deref(), Some("http://a/b"));
        assert_eq!(quoted("http://a/b c\""), None);
        assert_eq!(quoted("http://a/b\\n\""), None);
        assert_eq!(quoted("http://a/b\n\nc\""), None);
        assert_eq!(quoted("foo:bar\""), None);
        assert_eq!(quoted("http://\""), None);
    }
}
