//! A URL found in a text.

use std::borrow::Cow;

use smallvec::SmallVec;

use super::string_escapes;
use crate::bytes::{Span, Spans, join};
use crate::link::{Delimiter, Note, Notes};

/// The maximum length of a URL, in bytes. A longer run of URL characters is skipped, so that a
/// search needs a fixed amount of memory.
pub const MAX_URL: usize = 8 << 20;

/// Offsets of hyphens.
pub(super) type Hyphens = SmallVec<[usize; 1]>;

/// The form in which the characters of a URL are written in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Form {
    /// As they are.
    #[default]
    Literal,
    /// With marks that keep programs from making it a link: `hxxp://a[.]b`.
    Defanged,
    /// With the escapes of a string literal.
    Escaped,
    /// With both.
    DefangedEscaped,
}

impl Form {
    pub(super) fn is_defanged(self) -> bool {
        matches!(self, Self::Defanged | Self::DefangedEscaped)
    }

    fn is_escaped(self) -> bool {
        matches!(self, Self::Escaped | Self::DefangedEscaped)
    }

    /// The form with marks too.
    pub(super) fn defanged(self) -> Self {
        if self.is_escaped() { Self::DefangedEscaped } else { Self::Defanged }
    }

    /// The form with escapes too.
    pub(super) fn escaped(self) -> Self {
        if self.is_defanged() { Self::DefangedEscaped } else { Self::Escaped }
    }
}

/// What the other readings of a URL are made of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Others {
    /// The end of the longer reading, in which the text after the URL belongs to it.
    pub(super) longer: Option<usize>,
    /// The end of the URL before the first doubtful line break: the number of whole spans, and the
    /// end of the last piece.
    pub(super) shorter: Option<(usize, usize)>,
    /// The hyphens at line ends within the URL, also those that are not in its spans.
    pub(super) hyphens: Hyphens,
}

impl Others {
    /// A longer reading that ends at `longer`, if there is one.
    #[cold]
    pub(super) fn longer(longer: Option<usize>) -> Option<Box<Self>> {
        longer.map(|end| Box::new(Self { longer: Some(end), ..Self::default() }))
    }
}

/// A URL in a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TextUrl {
    /// The bytes of the text that spell the URL, in order, without delimiters, `URL:` prefix and
    /// removed white space. Joined, they are the URL, unless it has escapes: see
    /// [`reference`](Self::reference). Several spans only if bytes between them were
    /// removed. No span is empty, and all are on character boundaries.
    pub spans: Spans,
    /// The delimiter of the URL.
    pub delimiter: Delimiter,
    /// True if the URL was joined over a line break, and the text does not prove that it continues.
    pub doubtful: bool,
    /// The form of its characters.
    pub(super) form: Form,
    /// `None` for most URLs, which have one reading.
    pub(super) others: Option<Box<Others>>,
}

impl TextUrl {
    #[inline]
    pub(super) fn whole(start: usize, end: usize, delimiter: Delimiter) -> Self {
        Self {
            spans: Spans::from_buf([Span::new(start, end)]),
            delimiter,
            doubtful: false,
            form: Form::Literal,
            others: None,
        }
    }

    /// The URL with other readings.
    #[inline]
    pub(super) fn with(self, others: Others) -> Self {
        let has_any =
            others.longer.is_some() || others.shorter.is_some() || !others.hyphens.is_empty();
        Self { others: has_any.then(|| Box::new(others)), ..self }
    }

    /// The URL in `text`, in which it was found: the bytes of its spans, without escapes.
    #[inline]
    pub fn reference<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.unescaped(join(&Cow::Borrowed(text), &self.spans))
    }

    /// `written`, the bytes of its spans, without escapes.
    #[inline]
    pub(in crate::format) fn unescaped<'t>(&self, written: Cow<'t, str>) -> Cow<'t, str> {
        match self.form.is_escaped() {
            true => string_escapes::unescaped(&written).into(),
            false => written,
        }
    }

    /// Notes on how the URL was read.
    #[inline]
    pub(crate) fn notes(&self) -> Notes {
        let mut notes = Notes::NONE;
        if self.spans.len() > 1 {
            notes = notes.with(Note::Rejoined);
        }
        if self.doubtful {
            notes = notes.with(Note::Doubtful);
        }
        if self.form.is_escaped() {
            notes = notes.with(Note::Unescaped);
        }
        if self.form.is_defanged() {
            notes = notes.with(Note::Defanged);
        }
        notes
    }

    /// Returns the URL with these pieces, as certain.
    pub(in crate::format) fn certain(self, spans: Spans) -> Self {
        Self { spans, doubtful: false, others: None, ..self }
    }

    /// The other readings of the URL in `text`, in which it was found. They have each hyphen at a
    /// line end read the other way, and all of them if there are several; or the Chinese or
    /// Japanese letters after the URL. The last one ends at the first line break over which the URL
    /// was joined without proof.
    ///
    /// ```
    /// use rehref_document::format::text::{TextOptions, scan};
    ///
    /// let text = "<http://a/over-\nview>";
    /// scan(text, &TextOptions::default(), |url| {
    ///     assert_eq!(url.alternatives(text), ["http://a/overview"]);
    /// });
    /// ```
    #[inline]
    pub fn alternatives(&self, text: &str) -> Vec<String> {
        self.others.as_deref().map_or_else(Vec::new, |others| self.other_readings(text, others))
    }

    fn other_readings(&self, text: &str, others: &Others) -> Vec<String> {
        if let (Some(end), Some(first)) = (others.longer, self.spans.first()) {
            return vec![text[first.start..end].to_owned()];
        }
        let each = others.hyphens.iter().map(std::slice::from_ref);
        let all = Some(others.hyphens.as_slice()).filter(|all| all.len() > 1);
        let read = each.chain(all).map(|other| self.read(text, other));
        read.chain(others.shorter.and_then(|shorter| self.unjoined(text, shorter))).collect()
    }

    /// The URL up to the first doubtful line break: its first `whole` spans, and the next one up to
    /// `end`.
    fn unjoined(&self, text: &str, (whole, end): (usize, usize)) -> Option<String> {
        let last = Span::new(self.spans.get(whole)?.start, end);
        let pieces = self.spans[..whole].iter().chain([&last]);
        let url: String = pieces.map(|span| &text[span.range()]).collect();
        // An address has both halves.
        let is_half =
            |address: &str| address.split('@').take(2).filter(|it| !it.is_empty()).count() < 2;
        let url = self.unescaped(Cow::Owned(url)).into_owned();
        Some(url).filter(|url| !url.strip_prefix("mailto:").is_some_and(is_half))
    }

    /// The URL with these hyphens read the other way. Those that are added are ASCII: the others are
    /// not URI characters.
    fn read(&self, text: &str, others: &[usize]) -> String {
        let mut value = String::new();
        let mut others = others.iter().copied().peekable();
        for span in &self.spans {
            while others.next_if(|&hyphen| hyphen < span.start).is_some() {
                value.push('-');
            }
            let mut from = span.start;
            while let Some(hyphen) = others.next_if(|&hyphen| hyphen < span.end) {
                value.push_str(&text[from..hyphen]);
                from = hyphen + "-".len();
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
            urls.push((url.delimiter, value, url.alternatives(text)));
        });
        urls
    }

    #[test]
    fn closing_quote_opens_nothing() {
        let found = urls("\"http://a/\"http://b/\"", &TextOptions::default());
        let cues: Vec<Delimiter> = found.into_iter().map(|(delimiter, ..)| delimiter).collect();
        assert_eq!(cues, [Delimiter::Quote, Delimiter::Bare]);
    }

    #[test]
    fn alternatives_have_the_other_hyphen_readings() {
        let text = "<http://a/b-\n  c-\n  d>";
        let drop = TextOptions { hyphen: Hyphen::Drop, ..TextOptions::default() };
        let [kept] = &urls(text, &TextOptions::default())[..] else { panic!("one") };
        assert_eq!(kept.1, "http://a/b-c-d");
        assert_eq!(kept.2, ["http://a/bc-d", "http://a/b-cd", "http://a/bcd"]);
        let [dropped] = &urls(text, &drop)[..] else { panic!("one") };
        assert_eq!(dropped.1, "http://a/bcd");
        assert_eq!(dropped.2, ["http://a/b-cd", "http://a/bc-d", "http://a/b-c-d"]);
    }

    #[test]
    fn alternatives_have_the_reading_without_doubtful_joins() {
        let guess =
            TextOptions { join: Some(crate::format::text::Join::Guess), ..TextOptions::default() };
        let line = "http://a.example/".to_owned() + &"b".repeat(50);
        let text = format!("{line}/\nc.html?d=\ne/f.html\n");
        let [joined] = &urls(&text, &guess)[..] else { panic!("one") };
        assert_eq!(joined.1, format!("{line}/c.html?d=e/f.html"));
        assert_eq!(joined.2, [format!("{line}/")]);
        // A join that is certain stays.
        let text = format!("{line}-\nc.html/?d=\ne/f.html\n");
        let [joined] = &urls(&text, &guess)[..] else { panic!("one") };
        assert_eq!(joined.1, format!("{line}-c.html/?d=e/f.html"));
        assert_eq!(joined.2, [format!("{line}c.html/?d=e/f.html"), format!("{line}-c.html/?d=")]);
    }

    #[test]
    fn abbreviated_urls_and_addresses_need_options() {
        let text = "www.a.example/x, <ftp.a.example>; c@d.example http://www.e.example/ f@g";
        assert_eq!(urls(text, &TextOptions::default()).len(), 1);
        let options = TextOptions { abbreviated: true, emails: true, ..TextOptions::default() };
        let found: Vec<_> =
            urls(text, &options).into_iter().map(|(delimiter, url, _)| (delimiter, url)).collect();
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
