//! URLs in plain text.
//!
//! A URL in running text is marked off in one of the ways RFC 3986, Appendix C (Appendix E of its
//! predecessors, and the appendix of RFC 1738) recommends, or in none; the [`Delimiter`] says which:
//!
//! * `<http://a/b>` or `<URL:http://a/b>`: everything up to `>` belongs to the URL but the white
//!   space, whatever its kind, which was put in to break a long one. Nothing is trimmed but a `}` that nothing
//!   opens, with a `.`, `,` or `;` behind it.
//! * `"http://a/b"`, or in the quotes of another language: everything up to the closing quote. Only line
//!   breaks, with the blanks around them, are taken out: a blank within a line ends the URL, as the
//!   quoted words may well be a sentence. The RFC would remove that blank too. A final `.` or `,` is the
//!   sentence's, as American typography sets it before the quote, and so is a bracket that nothing opened.
//! * `URL:http://a/b` and bare `http://a/b`: up to a character that cannot be part of a URL, less the
//!   punctuation of the sentence round it.
//! * where they are asked for, `www.a.b/x`, `ftp.a.b` and `a@b.c`, wherever they stand.
//!
//! What is a link: any scheme before `://` with a host or a path; without `//` only the schemes of a
//! table, if what follows has the form that the scheme's standard demands (RFC 2397, 4151, 5538, 6068, 8089 and
//! so on); any other only in `<URL:...>` and where the text says URL or URI right before the bracket. Never a bare host name but those, and never `javascript:`. A word
//! glued to `http`, `https` or `ftp` is not part of the scheme, nor is an escape (`\n`, `\f5`).
//!
//! A template in a URL (`${port}`, `%(host)s`) is part of it if it ends within the URL. In the host `{}` is one too, and
//! one that does not end makes it no link.
//!
//! # Line ends
//! In brackets and quotes the marks of the line that the delimiter stands on go with a line end, if the
//! next line has them too: of a quoted reply (`> `), of a comment (`# `, `// `, ` * `). So does a page
//! break as RFCs print it: footer, form feed, header. A blank line ends the search.
//!
//! A bare URL ends with its line, unless the line ends with a hyphen and the next one continues it: it
//! begins with a small letter or a digit, and its first word has a letter and a character that words do not
//! have, such as `/`, `.` or a digit. In the mail of many lists that was so for every URL broken after a
//! hyphen.
//!
//! [`Join::Guess`] joins more, and calls it doubtful. It knows three ways in which mail programs break URLs:
//!
//! * after one of `-` `/` `?` `=` `&` `#` `%` `_`: after `/` only before a word that had no room in the line;
//! * at a fixed column, which the other lines of the paragraph show, or in a line that is full;
//! * within the host, an escape, `&amp;` or the extension of a file name, which nobody leaves unfinished.
//!
//! The next line, without the marks of a reply, must begin with a word that could not stand in prose: one with
//! `/`, `=`, a digit and so on, which is alone in its line or can only be a part of a URL. Signatures, rules,
//! code, labels, numbers, items of lists, commits and addresses are none. What begins as no word does (`_b`, `%20`) goes
//! on at any column, and so does what completes a hash; what follows once more in brackets, whole, is joined.
//!
//! How good that is: at 13,500 different line ends after bare URLs in the mail of five archives and of other
//! collections it makes 1,031 doubtful joins. Of 300 of them that were read all but three are right. The rule was written
//! looking at them.
//!
//! Whether the hyphen at a line end belongs to the URL cannot be known (RFC 3986, Appendix C):
//! [`Hyphen`] is the choice, and [`TextUrl::alternatives`] has the other readings. U+2010, which programs that set type
//! write, is a hyphen too, and with `-` in its place is one more reading.
//!
//! # Windows
//! Behind `file://` or `file:///` and a drive (`C:\`) backslashes part the path, and are kept as they are. They are no
//! characters of URIs: the WHATWG URL standard takes them for slashes, RFC 3986 does not.
//!
//! # Characters beyond ASCII
//! By [`Iri::Auto`] a bare URL holds those that Unicode Technical Standard 58 says, and ends where that
//! says, but for these: `<` `>` `"` `` ` `` `\` and characters that are not seen always end it; `^` `|` `*`
//! are not its last; where one of `，。；！？、` or an opening bracket that is not closed stands before
//! another character beyond ASCII, text that sets no blanks goes on, and the URL has ended. So it has before Han or Kana,
//! if all of it before is ASCII and such a character stands right before the URL, or before a blank there and a letter or
//! digit is the last of it; the longer reading is an alternative. `________` is a rule, and ends any bare URL.
//!
//! # By the letter
//! With [`TextOptions::strict`] the recommendation is followed as it stands: what `"` delimits is a URL
//! with all its white space removed and nothing trimmed, only `<` and `"` delimit, a bare URL reaches to
//! white space, a delimiter, a `` ` ``, a `\` or a character beyond ASCII, and no line has marks.
//!
//! # Cost
//! Time is linear in the length of the text, whatever it holds: look-back and look-ahead have fixed
//! bounds. Between the colons of the text the search is `memchr`'s. Nothing is allocated until a URL
//! in delimiters with white space inside turns up; but for what other threads find, by [`scan_parallel`].

mod abbreviated;
mod bare;
mod begun;
mod chars;
mod common;
mod cut;
mod delimited;
mod escape;
pub(crate) mod in_text;
mod join;
mod layout;
mod lead;
mod lines;
mod link_detection;
mod opaque;
mod options;
mod parallel;
mod parts;
mod pasted;
mod pieces;
mod proof;
mod readings;
mod scan;
mod scheme;
mod stream;
pub(crate) mod syntax;
mod tail;
mod template;
mod text_link;

use std::num::NonZeroUsize;

use smallvec::SmallVec;

use crate::bytes::{Span, Spans};
use crate::link::Delimiter;

pub use in_text::find_each_in_text;
pub(crate) use join::hyphen_len;
pub use options::{Hyphen, Iri, Join, TextOptions};
pub(crate) use parallel::{PART, last_cut};
pub use parts::{TextPart, TextParts};
pub(crate) use readings::{may_go_on, readings, round_line_end};
pub(crate) use scan::{Known, LOOK_BACK, Scan, Searched};
pub use stream::{LinkPosition, TextStream};
pub(crate) use text_link::{link_of_url, notes_of_url};

/// The longest URL, in bytes. What goes on for longer without a character that ends it is none: a search
/// that needs no more than a fixed memory cannot hold it.
pub const MAX_URL: usize = 8 << 20;

/// Offsets of hyphens.
type Hyphens = SmallVec<[usize; 1]>;

/// One URL of a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TextUrl {
    /// The bytes of the text that spell the URL, in order: without delimiters, `URL:` prefix and
    /// removed white space. Joined they are the URL. More than one span only where something was
    /// removed; none is empty and all lie on character boundaries.
    pub spans: Spans,
    /// What told it from the text around it.
    pub cue: Delimiter,
    /// It was put together over a line end, and nothing in the text says that it should.
    pub doubtful: bool,
    /// Where it ends by another reading, in which the text does not go on behind it without a blank.
    longer: Option<usize>,
    /// The hyphens that a line within it ends with, whether they are in its spans or not.
    hyphens: Hyphens,
}

impl TextUrl {
    fn whole(start: usize, end: usize, cue: Delimiter) -> Self {
        Self {
            spans: Spans::from_buf([Span::new(start, end)]),
            cue,
            doubtful: false,
            longer: None,
            hyphens: Hyphens::new(),
        }
    }

    /// The same URL, where it is certain that these are its pieces.
    pub(crate) fn certain(self, spans: Spans) -> Self {
        Self {
            spans,
            doubtful: false,
            longer: None,
            hyphens: Hyphens::new(),
            ..self
        }
    }

    /// The other ways to read it in `text`, where it was found: each hyphen at a line end the other way,
    /// and, if there are several, all of them; with the letters of Chinese or Japanese behind it, before which it ended.
    ///
    /// ```
    /// use rehref::format::text::{TextOptions, scan};
    ///
    /// let text = "<http://a/over-\nview>";
    /// scan(text, &TextOptions::default(), |url| {
    ///     assert_eq!(url.alternatives(text), ["http://a/overview"]);
    /// });
    /// ```
    pub fn alternatives(&self, text: &str) -> Vec<String> {
        if let (Some(end), Some(first)) = (self.longer, self.spans.first()) {
            return vec![text[first.start..end].to_owned()];
        }
        if self.hyphens.is_empty() {
            return Vec::new();
        }
        let each = self.hyphens.iter().map(std::slice::from_ref);
        let all = Some(self.hyphens.as_slice()).filter(|all| all.len() > 1);
        let others = each.chain(all).map(|other| self.read(text, other));
        others.chain(self.with_ascii_hyphens(text)).collect()
    }

    /// The URL with `-` for each other hyphen at a line end, if there is one.
    fn with_ascii_hyphens(&self, text: &str) -> Option<String> {
        let is_other = |at: &usize| !text[*at..].starts_with('-');
        if !self.hyphens.iter().any(is_other) {
            return None;
        }
        let mut value = String::new();
        let mut hyphens = self.hyphens.iter().copied().peekable();
        for span in &self.spans {
            while hyphens.next_if(|&hyphen| hyphen < span.start).is_some() {
                value.push('-');
            }
            let hyphen = hyphens.next_if(|&hyphen| hyphen < span.end);
            value.push_str(&text[span.start..hyphen.unwrap_or(span.end)]);
            value.extend(hyphen.map(|_| '-'));
        }
        Some(value)
    }

    /// The URL with these hyphens read the other way.
    fn read(&self, text: &str, others: &[usize]) -> String {
        let mut value = String::new();
        let mut others = others.iter().copied().peekable();
        for span in &self.spans {
            while let Some(hyphen) = others.next_if(|&hyphen| hyphen < span.start) {
                value.extend(text[hyphen..].chars().next());
            }
            let mut from = span.start;
            while let Some(hyphen) = others.next_if(|&hyphen| hyphen < span.end) {
                value.push_str(&text[from..hyphen]);
                from = hyphen + text[hyphen..].chars().next().map_or(1, char::len_utf8);
            }
            value.push_str(&text[from..span.end]);
        }
        value
    }
}

/// Calls `found` with every URL of `text`, in the order of the text; their spans are sorted and
/// disjoint.
///
/// Linear in the length of `text`; see the [module](self) for the rules.
///
/// ```
/// use rehref::format::text::{TextOptions, scan};
/// use rehref::link::Delimiter;
///
/// let text = "See <http://ds.internic.net/\n    rfc/>, or http://example.org/a(b).";
/// let mut urls = Vec::new();
/// scan(text, &TextOptions::default(), |url| {
///     let value: String = url.spans.iter().map(|span| &text[span.range()]).collect();
///     urls.push((url.cue, value));
/// });
/// assert_eq!(
///     urls,
///     [
///         (Delimiter::Angle, "http://ds.internic.net/rfc/".to_owned()),
///         (Delimiter::Bare, "http://example.org/a(b)".to_owned()),
///     ]
/// );
/// ```
pub fn scan(text: &str, options: &TextOptions, found: impl FnMut(TextUrl)) {
    scan_parallel(text, options, NonZeroUsize::MIN, found);
}

/// The same with so many threads, this one included, where `text` is longer than 512 KiB; `found` is called
/// on this one. What the others find before it is their turn is held, for each of up to 1 MiB of text.
pub fn scan_parallel(
    text: &str,
    options: &TextOptions,
    threads: NonZeroUsize,
    found: impl FnMut(TextUrl),
) {
    let mut found = found;
    parallel::search(Scan::new(*options), text, threads, &mut found);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn urls(text: &str, options: &TextOptions) -> Vec<(Delimiter, String, Vec<String>)> {
        let mut urls = Vec::new();
        scan(text, options, |url| {
            let value = url.spans.iter().map(|span| &text[span.range()]).collect();
            urls.push((url.cue, value, url.alternatives(text)));
        });
        urls
    }

    #[test]
    fn a_closing_quote_opens_nothing() {
        let found = urls("\"http://a/\"http://b/\"", &TextOptions::default());
        let cues: Vec<Delimiter> = found.into_iter().map(|(cue, ..)| cue).collect();
        assert_eq!(cues, [Delimiter::Quote, Delimiter::Bare]);
    }

    #[test]
    fn the_other_readings_are_told() {
        let text = "<http://a/b-\n  c-\n  d>";
        let drop = TextOptions {
            hyphen: Hyphen::Drop,
            ..TextOptions::default()
        };
        let [kept] = &urls(text, &TextOptions::default())[..] else {
            panic!("one")
        };
        assert_eq!(kept.1, "http://a/b-c-d");
        assert_eq!(kept.2, ["http://a/bc-d", "http://a/b-cd", "http://a/bcd"]);
        let [dropped] = &urls(text, &drop)[..] else {
            panic!("one")
        };
        assert_eq!(dropped.1, "http://a/bcd");
        assert_eq!(
            dropped.2,
            ["http://a/b-cd", "http://a/bc-d", "http://a/b-c-d"]
        );
    }

    #[test]
    fn what_is_written_otherwise_is_asked_for() {
        let text = "www.a.example/x, <ftp.a.example>; c@d.example http://www.e.example/ f@g";
        assert_eq!(urls(text, &TextOptions::default()).len(), 1);
        let options = TextOptions {
            abbreviated: true,
            emails: true,
            ..TextOptions::default()
        };
        let found: Vec<_> = urls(text, &options)
            .into_iter()
            .map(|(cue, url, _)| (cue, url))
            .collect();
        assert_eq!(
            found,
            [
                (Delimiter::Abbreviated, "www.a.example/x".to_owned()),
                (Delimiter::Abbreviated, "ftp.a.example".to_owned()),
                (Delimiter::Email, "c@d.example".to_owned()),
                (Delimiter::Bare, "http://www.e.example/".to_owned()),
            ]
        );
    }
}
