//! URLs in plain text.
//!
//! A URL in running text is marked off in one of the ways RFC 3986, Appendix C (Appendix E of its
//! predecessors, and the appendix of RFC 1738) recommends, or in none; the [`Cue`] says which:
//!
//! * `<http://a/b>` or `<URL:http://a/b>`: everything up to `>` belongs to the URL but the white
//!   space, whatever its kind, which was put in to break a long one. Nothing is trimmed.
//! * `"http://a/b"`: everything up to the closing quote. Only line breaks, with the blanks around
//!   them, are taken out: a blank within a line ends the URL, as the quoted words may well be a
//!   sentence. The RFC would remove that blank too. A final `.` or `,` is the sentence's, as American
//!   typography sets it before the quote.
//! * `URL:http://a/b` and bare `http://a/b`: up to a character that cannot be part of a URL, less the
//!   punctuation of the sentence round it. It never crosses a line end.
//!
//! What is a link: any scheme before `://` with a host or a path; without `//` only the schemes of a
//! table; in angle brackets any scheme (see [`Cue::Angle`] for what is turned away). Never a bare host
//! name, and never `javascript:`.
//!
//! Non-ASCII letters belong to the URL (an IRI, RFC 3987).
//!
//! # Cost
//! Time is linear in the length of the text, whatever it holds: look-back and look-ahead have fixed
//! bounds. Between the colons of the text the search is `memchr`'s. Nothing is allocated until a URL
//! in delimiters with white space inside turns up.

mod bare;
mod chars;
mod delimited;
mod scheme;

use std::fmt;

use memchr::memchr_iter;

use crate::span::{Span, Spans};

/// How far white space is skipped between a delimiter and the URL, in bytes.
const SPACE_LOOK_BACK: usize = 256;

/// How the text marks a URL off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cue {
    /// `<http://a/b>`, also `<URL:http://a/b>`.
    ///
    /// Here a scheme may be unknown and stand without `//`, as in `<foo:bar>`, if no blank within a
    /// line, no `@` (a mail address or message id), no character foreign to URIs and no mark of an XML
    /// tag (a customary prefix as in `<xsl:sort>`, a final `/`) speaks against it.
    Angle,
    /// `"http://a/b"`, also with `URL:` after the quote, and in the typographic quotes `“ ”`.
    Quote,
    /// `URL:http://a/b` without delimiters; blanks may follow the prefix, in any case of letters.
    Prefix,
    /// Nothing marks it off but the characters around it.
    Bare,
}

impl Cue {
    /// The name used in records: `angle`, `quote`, `prefix` or `bare`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Angle => "angle",
            Self::Quote => "quote",
            Self::Prefix => "prefix",
            Self::Bare => "bare",
        }
    }
}

impl fmt::Display for Cue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One URL of a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TextUrl {
    /// The bytes of the text that spell the URL, in order: without delimiters, `URL:` prefix and
    /// removed white space. Joined they are the URL. More than one span only where white space was
    /// removed; none is empty and all lie on character boundaries.
    pub spans: Spans,
    /// What told it from the text around it.
    pub cue: Cue,
}

/// Calls `found` with every URL of `text`, in the order of the text; their spans are sorted and
/// disjoint.
///
/// Linear in the length of `text`; see the [module](self) for the rules.
///
/// ```
/// use rehref::find::text::{Cue, scan};
///
/// let text = "See <http://ds.internic.net/\n    rfc/>, or http://example.org/a(b).";
/// let mut urls = Vec::new();
/// scan(text, |url| {
///     let value: String = url.spans.iter().map(|span| &text[span.range()]).collect();
///     urls.push((url.cue, value));
/// });
/// assert_eq!(
///     urls,
///     [
///         (Cue::Angle, "http://ds.internic.net/rfc/".to_owned()),
///         (Cue::Bare, "http://example.org/a(b)".to_owned()),
///     ]
/// );
/// ```
pub fn scan(text: &str, mut found: impl FnMut(TextUrl)) {
    // No byte before the floor is looked at again: it belongs to a URL already told, or to the
    // delimiter that closed one.
    let mut floor = 0;
    for colon in memchr_iter(b':', text.as_bytes()) {
        if colon < floor {
            continue;
        }
        if let Some((url, end)) = url_at(text, floor, colon) {
            found(url);
            floor = end;
        }
    }
}

/// The URL whose scheme ends at `colon`, and where to go on after it.
fn url_at(text: &str, floor: usize, colon: usize) -> Option<(TextUrl, usize)> {
    let start = scheme::start(text.as_bytes(), floor, colon)?;
    let lead = Lead::before(text, floor, start);
    let delimited = match lead.delimiter {
        Some(Delimiter::Angle) => {
            delimited::angle(text, start, colon).map(|inner| (inner, Cue::Angle))
        }
        Some(Delimiter::Quote { close }) => {
            delimited::quote(text, start, colon, close).map(|inner| (inner, Cue::Quote))
        }
        None => None,
    };
    if let Some((delimited::Delimited { spans, end }, cue)) = delimited {
        return Some((TextUrl { spans, cue }, end));
    }
    let end = bare::end(text, start, colon)?;
    let spans = Spans::from_buf([Span::new(start, end)]);
    let cue = if lead.prefix { Cue::Prefix } else { Cue::Bare };
    Some((TextUrl { spans, cue }, end))
}

/// What stands before a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lead {
    prefix: bool,
    delimiter: Option<Delimiter>,
}

/// A delimiter that opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Delimiter {
    Angle,
    Quote { close: char },
}

impl Lead {
    /// Reads backwards from the scheme at `start`, to `floor` at most: white space, `URL:`, white
    /// space, `<`. A quote has to touch what it quotes.
    fn before(text: &str, floor: usize, start: usize) -> Self {
        let mut head = &text[floor..start];
        let unprefixed = strip_prefix_word(skip_space(head));
        let prefix = unprefixed.is_some();
        head = unprefixed.unwrap_or(head);
        let delimiter = match head.chars().next_back() {
            Some('"') => Some(Delimiter::Quote { close: '"' }),
            Some('“') => Some(Delimiter::Quote { close: '”' }),
            _ => skip_space(head).ends_with('<').then_some(Delimiter::Angle),
        };
        Self { prefix, delimiter }
    }
}

/// `head` without the white space at its end; unchanged if that is long or holds a blank line.
fn skip_space(head: &str) -> &str {
    let mut breaks = 0;
    for (at, c) in head.char_indices().rev() {
        if !c.is_whitespace() {
            return &head[..at + c.len_utf8()];
        }
        breaks += usize::from(c == '\n');
        if breaks > 1 || head.len() - at > SPACE_LOOK_BACK {
            return head;
        }
    }
    ""
}

/// `head` without the `URL:` at its end, if that is a word of its own. An ideograph before it is no
/// part of the word: Chinese sets no blanks.
fn strip_prefix_word(head: &str) -> Option<&str> {
    let at = head.len().checked_sub(4)?;
    let (before, word) = head.split_at_checked(at)?;
    let own_word = !before.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    (word.eq_ignore_ascii_case("URL:") && own_word).then_some(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lead_is_read_over_white_space_and_prefix() {
        let lead = |head: &str| Lead::before(head, 0, head.len());
        let angle = Some(Delimiter::Angle);
        let quote = |close| Some(Delimiter::Quote { close });
        assert_eq!(
            lead("a <"),
            Lead {
                prefix: false,
                delimiter: angle
            }
        );
        assert_eq!(
            lead("< \n\u{a0} uRl: "),
            Lead {
                prefix: true,
                delimiter: angle
            }
        );
        assert_eq!(
            lead("<\n\n"),
            Lead {
                prefix: false,
                delimiter: None
            }
        );
        assert_eq!(
            lead("\"URL:"),
            Lead {
                prefix: true,
                delimiter: quote('"')
            }
        );
        assert_eq!(
            lead("“"),
            Lead {
                prefix: false,
                delimiter: quote('”')
            }
        );
        assert_eq!(
            lead("\" "),
            Lead {
                prefix: false,
                delimiter: None
            }
        );
        assert_eq!(
            lead("在URL:"),
            Lead {
                prefix: true,
                delimiter: None
            }
        );
        assert_eq!(
            lead("CURL:"),
            Lead {
                prefix: false,
                delimiter: None
            }
        );
        assert_eq!(
            lead(""),
            Lead {
                prefix: false,
                delimiter: None
            }
        );
    }

    #[test]
    fn a_long_run_of_white_space_is_not_crossed() {
        let head = format!("<{}", " ".repeat(SPACE_LOOK_BACK + 1));
        assert_eq!(Lead::before(&head, 0, head.len()).delimiter, None);
    }

    #[test]
    fn a_closing_quote_opens_nothing() {
        let mut cues = Vec::new();
        scan("\"http://a/\"http://b/\"", |url| cues.push(url.cue));
        assert_eq!(cues, [Cue::Quote, Cue::Bare]);
    }
}
