//! A URL found in a text.

use smallvec::SmallVec;

use crate::bytes::{Span, Spans};
use crate::link::Delimiter;

/// The longest URL, in bytes. What goes on for longer without a character that ends it is none: a search
/// that needs no more than a fixed memory cannot hold it.
pub const MAX_URL: usize = 8 << 20;

/// Offsets of hyphens.
pub(super) type Hyphens = SmallVec<[usize; 1]>;

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
    pub(super) longer: Option<usize>,
    /// The hyphens that a line within it ends with, whether they are in its spans or not.
    pub(super) hyphens: Hyphens,
}

impl TextUrl {
    pub(super) fn whole(start: usize, end: usize, cue: Delimiter) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::text::{Hyphen, TextOptions, scan};

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
