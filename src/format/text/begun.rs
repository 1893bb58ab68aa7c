//! The beginning of a URL that nothing marks off: whether it is one.

use super::delimited::Head;
use super::{abbreviated, bare, opaque, scheme, template};
use crate::bytes::Span;

/// The beginning of a bare URL, which makes it one.
pub(super) struct Begun {
    start: usize,
    head: Head,
    /// Where the part begins that is read by its characters.
    pub(super) body: usize,
    /// Up to where they are known to be plain.
    pub(super) plain: usize,
    /// The host, if brackets and an apostrophe end it.
    pub(super) host: Span,
    /// Whether it is read by the letter.
    strict: bool,
}

impl Begun {
    pub(super) fn new(text: &str, start: usize, head: Head, strict: bool) -> Option<Self> {
        let colon = match head {
            Head::Scheme { colon } => colon,
            Head::Abbreviated => {
                return abbreviated::is_one(&text[start..]).then_some(Self {
                    start,
                    head,
                    body: start,
                    plain: start,
                    host: Span::new(start, start),
                    strict,
                });
            }
        };
        let scheme = &text[start..colon];
        let rest = &text[colon + 1..];
        let Some(rest) = rest.strip_prefix("//") else {
            return opaque::admits(scheme, rest).then_some(Self {
                start,
                head,
                body: colon + 1,
                plain: colon + 1,
                host: Span::new(0, 0),
                strict,
            });
        };
        let body = colon + 3;
        let authority = scheme::authority(scheme, rest)?;
        let quoted = text[..start].ends_with('\'');
        if !strict {
            let after = rest.as_bytes().get(authority.text.len());
            let ends = !after.is_some_and(|after| b"/?#".contains(after));
            // `https://で始まる`: text that sets no blanks.
            let goes_on = ends && !quoted && authority.begins_as_text();
            let is_whole = authority.is_plain || template::is_whole(text, body, authority.text);
            if goes_on || !is_whole {
                return None;
            }
        }
        // In a userinfo brackets and apostrophes are as good as any other character (RFC 3986, 3.2.1).
        let len = authority.text.len();
        let host = if authority.has_user() { 0 } else { len };
        Some(Self {
            start,
            head,
            body,
            plain: body + if authority.is_plain { len } else { 0 },
            host: Span::new(body, body + host),
            strict,
        })
    }

    /// Whether backslashes part its path.
    pub(super) fn is_windows(&self, text: &str) -> bool {
        matches!(self.head, Head::Scheme { colon }
            if !self.strict && bare::is_windows_path(&text[self.start..colon], &text[colon + 1..]))
    }

    /// Where it ends, before the punctuation at `end`; `None` if it was that which makes it a URL.
    pub(super) fn end(&self, text: &str, end: usize) -> Option<usize> {
        // Of an authority that is all there nothing was trimmed.
        if end > self.host.end && !self.host.is_empty() {
            return Some(end);
        }
        let Self { start, body, .. } = *self;
        let url = &text[body..end];
        let Head::Scheme { colon } = self.head else {
            return abbreviated::is_one(url).then_some(end);
        };
        let scheme = &text[start..colon];
        if body - colon == 3 {
            return scheme::authority(scheme, url).map(|_| end);
        }
        // Only a short one is given up for what follows it: it may hold more colons to try.
        // What a line end cut after a hyphen is no address either.
        let hidden = url.len() <= abbreviated::LOCAL_PART
            && (opaque::goes_on_hidden(&text[end..]) || url.ends_with('-'))
            && opaque::lacks_address(scheme, url);
        let holds = opaque::admits(scheme, url) && !hidden;
        let whole = || {
            if self.strict {
                url.len()
            } else {
                opaque::addressed(scheme, url)
            }
        };
        holds.then(|| body + whole())
    }
}
