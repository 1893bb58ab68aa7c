//! The markup of chats, wikis and trackers around a bare URL. None of its marks is a URI character
//! where it closes an element (RFC 3986, appendix A), or it is repeated before the URL.

use memchr::memrchr;

use super::chars::{Class, class};

/// The number of bytes before a URL in which an element is opened, within its line.
const LOOK_BACK: usize = 512;

/// The maximum length of the name of an element, in bytes.
const NAME: usize = 16;

/// The elements of Jira and Confluence that the same `{name}` opens and closes.
const ELEMENTS: [&str; 6] = ["color", "quote", "code", "noformat", "panel", "info"];

/// The marks of emphasis that are URI characters as well. Before a URL, they end it.
const EMPHASIS: [u8; 4] = [b'_', b'~', b'=', b'+'];

/// Character references of delimiters. They follow a URL in text that was escaped for HTML.
const DELIMITERS: [&str; 12] = [
    "&quot", "&lt", "&gt", "&apos", "&#34", "&#39", "&#60", "&#62", "&#x22", "&#x27", "&#x3c",
    "&#x3e",
];

/// The markup before a URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Markup {
    /// The start of the URL.
    pub(super) start: usize,
    /// True if an apostrophe precedes the URL.
    pub(super) quoted: bool,
    /// True if `|` ends the URL: it separates fields, or the URL from its label.
    pub(super) ends_at_bar: bool,
    /// The mark of emphasis before the URL, and how often it is repeated.
    emphasis: Option<(u8, usize)>,
}

impl Markup {
    /// The markup before the URL at `start`. Constant time.
    pub(super) fn before(text: &str, start: usize) -> Self {
        let bytes = &text.as_bytes()[..start];
        let last = bytes.last().copied();
        // `{{ https://a.example/b.png?200|Label }}`
        let blanks = bytes.iter().rev().take(NAME).take_while(|byte| **byte == b' ');
        let unspaced = &bytes[..start - blanks.count()];
        let ends_at_bar = matches!(last, Some(b'|' | b'<' | b'!'))
            || bytes.ends_with(b"[[")
            || unspaced.ends_with(b"{{");
        Self { start, quoted: last == Some(b'\''), ends_at_bar, emphasis: emphasis(bytes) }
    }

    /// The length of the mark of emphasis that ends `url`, as it began it.
    pub(super) fn trimmed(&self, url: &str) -> usize {
        let Some((mark, times)) = self.emphasis else {
            return 0;
        };
        let marks = url.bytes().rev().take(times).take_while(|byte| *byte == mark).count();
        if marks == times { times } else { 0 }
    }
}

/// Returns true if the text before a URL may end with markup that ends the URL.
#[inline]
pub(super) fn may_end(before: &[u8]) -> bool {
    matches!(
        before,
        [.., b'|' | b'~' | b'_' | b'!' | b'+']
            | [.., b'=', b'=']
            | [.., b'[', b'[']
            | [.., b'{', b'{' | b' ']
    )
}

/// The mark of emphasis at the end of `before`, after no letter or digit. One alone is a mark only if
/// it is `_`, or the `+` of AsciiDoc.
fn emphasis(before: &[u8]) -> Option<(u8, usize)> {
    let mark = *before.last().filter(|last| EMPHASIS.contains(last))?;
    let times = before.iter().rev().take(NAME).take_while(|byte| **byte == mark).count();
    let within_word =
        before[..before.len() - times].last().is_some_and(|it| it.is_ascii_alphanumeric());
    match times {
        1 if matches!(mark, b'_' | b'+') && !within_word => Some((mark, 1)),
        2 if !within_word => Some((mark, 2)),
        _ => None,
    }
}

/// Returns true if the bracket at `at`, in or after the URL at `start`, begins a tag that closes an
/// element: `[/url]` of BBCode, or `{color}` of Jira. Constant time.
pub(super) fn closes_element(text: &str, start: usize, at: usize) -> bool {
    let bytes = text.as_bytes();
    let rest = &bytes[at + 1..];
    match bytes[at] {
        b'[' => rest.strip_prefix(b"/").is_some_and(|name| {
            let letters = name.iter().take(NAME);
            let len = letters.take_while(|it| it.is_ascii_alphabetic() || **it == b'*').count();
            len > 0 && name.get(len) == Some(&b']')
        }),
        b'{' => ELEMENTS.iter().any(|name| {
            let closes = rest.strip_prefix(name.as_bytes()).and_then(|it| it.strip_prefix(b"}"));
            closes.is_some_and(|after| {
                let follows_url =
                    at.checked_sub(1).is_some_and(|it| bytes[it].is_ascii_alphanumeric());
                let is_last = after.first().is_none_or(|it| class(*it) == Class::Stop);
                is_open(bytes, start, name) || *name != "code" && follows_url && is_last
            })
        }),
        _ => false,
    }
}

/// Returns true if `{name}` or `{name:` precedes the URL at `start` in its line.
fn is_open(bytes: &[u8], start: usize, name: &str) -> bool {
    let from = start.saturating_sub(LOOK_BACK);
    let from = memrchr(b'\n', &bytes[from..start]).map_or(from, |at| from + at + 1);
    let line = &bytes[from..start];
    memchr::memchr_iter(b'{', line).any(|at| {
        let after = line[at + 1..].strip_prefix(name.as_bytes());
        after.is_some_and(|after| matches!(after.first(), Some(b'}' | b':')))
    })
}

/// The length of the character reference of a delimiter, without its `;`, at the end of `url`.
#[cold]
pub(super) fn delimiter_len(url: &[u8]) -> usize {
    let found = DELIMITERS.iter().find(|name| {
        let at = url.len().checked_sub(name.len());
        at.is_some_and(|at| url[at..].eq_ignore_ascii_case(name.as_bytes()))
    });
    found.map_or(0, |name| name.len())
}

#[cfg(test)]
mod tests {
    use crate::format::text::{TextOptions, scan};

    fn urls(text: &str) -> Vec<String> {
        let mut urls = Vec::new();
        scan(text, &TextOptions::default(), |url| {
            urls.push(url.spans.iter().map(|span| &text[span.range()]).collect());
        });
        urls
    }

    #[test]
    fn mark_before_the_url_closes_it() {
        for text in [
            "|http://a/b|200|",
            "||http://a/b||",
            "~~http://a/b~~",
            "_http://a/b_",
            "__http://a/b__,",
            "==http://a/b==",
            "++http://a/b++.",
            "!http://a/b|width=20!",
            "[[http://a/b|c]]",
            "{{ http://a/b|c }}",
            "[c|http://a/b]",
            "[c|http://a/b|d]",
            "<http://a/b|c d>",
            "<http://a/b|c>",
            "[img]http://a/b[/img]",
            "[*]http://a/b[/*]",
            "{code}http://a/b{code}",
            "{color:#ff0000}see http://a/b{color}",
            "see http://a/b{color} c",
            "Get(&quot;http://a/b&quot;, 1)",
            "&lt;a href=&#34;http://a/b&#34;&gt;",
        ] {
            assert_eq!(urls(text), ["http://a/b"], "{text}");
        }
    }

    #[test]
    fn mark_belongs_to_the_url_without_the_same_before_it() {
        for url in [
            "http://a/~", "http://a/b_", "http://a/b==", "http://a/b|c", "http://a/{code}",
            "http://a/{color}", "http://a/?b=1&lt=2", "http://a/?b&quote=2",
        ] {
            assert_eq!(urls(url), [url]);
            assert_eq!(urls(&format!("({url})")), [url]);
        }
        assert_eq!(urls("a_http://a/b_"), ["http://a/b_"]);
    }
}
