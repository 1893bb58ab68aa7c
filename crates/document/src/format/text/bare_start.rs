//! The start of a URL without delimiters, and its validation.

use super::bare::{Body, Reading};
use super::delimited::UrlStart;
use super::markup::Markup;
use super::text_url::Form;
use super::text_url::MAX_URL;
use super::{abbreviated, bare, defanged, opaque, scheme, template};
use crate::bytes::Span;

/// The number of bytes of a `mailto` URL that are read before its addresses may end it.
const ADDRESSES: usize = 1024;

/// The start of a bare URL.
pub(super) struct BareStart {
    start: usize,
    head: UrlStart,
    /// The start of the part that is read character by character.
    pub(super) body: usize,
    /// The end of the leading plain characters, which need not be read again.
    pub(super) plain: usize,
    /// The host, where brackets and an apostrophe end it.
    host: Span,
    /// The host after a userinfo, with its port.
    names: Span,
    /// The form of the URL, up to its host.
    form: Form,
    /// True if `//` precedes the body.
    has_authority: bool,
    /// True if the strict rules apply.
    strict: bool,
}

impl BareStart {
    pub(super) fn new(text: &str, start: usize, head: UrlStart, strict: bool) -> Option<Self> {
        let beginning = |body: usize, host: Span| Self {
            start,
            head,
            body,
            plain: body,
            host,
            names: host,
            form: Form::Literal,
            has_authority: false,
            strict,
        };
        let (colon, body, form) = match head {
            UrlStart::Scheme { colon } => (colon, colon + 3, Form::Literal),
            UrlStart::Disguised { scheme_end, body, form } => (scheme_end, body, form),
            UrlStart::Abbreviated => {
                let url = beginning(start, Span::new(start, start));
                if !strict && let Some(len) = defanged::host_len(&text[start..], false) {
                    let host = Span::new(start, start + len);
                    let form = Form::Defanged;
                    return Some(Self { plain: host.end, host, names: host, form, ..url });
                }
                return abbreviated::is_one(&text[start..]).then_some(url);
            }
        };
        let scheme = &text[start..colon];
        if form == Form::Literal && !text[colon + 1..].starts_with("//") {
            let rest = &text[colon + 1..];
            let is_defanged = || {
                !strict && opaque::is_mailto(scheme) && defanged::host_len(rest, false).is_some()
            };
            return opaque::admits(scheme, rest).then(|| Self {
                form: if is_defanged() { Form::Defanged } else { form },
                ..beginning(colon + 1, Span::new(0, 0))
            });
        }
        let rest = &text[body..];
        let has_scheme = !strict && defanged::is_scheme(scheme);
        let is_defanged = form.is_defanged() || has_scheme;
        let form = if is_defanged { form.defanged() } else { form };
        if !strict && let Some(len) = defanged::host_len(rest, is_defanged) {
            let host = Span::new(body, body + len);
            return Some(Self {
                plain: host.end,
                form: form.defanged(),
                has_authority: true,
                ..beginning(body, host)
            });
        }
        let authority = scheme::authority(scheme, rest)?;
        // A mark that is not known would leave a false host.
        if has_scheme && defanged::is_stump(rest, authority.text) {
            return None;
        }
        let quoted = text[..start].ends_with('\'');
        if !strict {
            let after = rest.as_bytes().get(authority.text.len());
            let ends = !after.is_some_and(|after| b"/?#".contains(after));
            // `https://で始まる`: text without spaces.
            let continues = ends && !quoted && authority.may_be_text();
            let is_whole = authority.is_plain || template::is_whole(text, body, authority.text);
            if continues || !is_whole {
                return None;
            }
        }
        // In a userinfo, brackets and apostrophes are ordinary characters (RFC 3986, 3.2.1).
        let len = authority.text.len();
        let host = if authority.has_user() { 0 } else { len };
        Some(Self {
            plain: body + if authority.is_plain { len } else { 0 },
            names: Span::new(body + authority.host, body + len),
            form,
            has_authority: true,
            ..beginning(body, Span::new(body, body + host))
        })
    }

    /// The characters of the URL.
    pub(super) fn characters(&self, text: &str, reading: Reading) -> Body {
        Body::new(reading, self.body, self.host, Markup::before(text, self.start))
            .with_names(self.names)
            .with_form(self.form)
            .with_filter(self.is_filter(text))
            .with_windows_path(self.is_windows(text))
    }

    /// Returns true if the URL is a filter of a directory (RFC 4516).
    fn is_filter(&self, text: &str) -> bool {
        let url = &text.as_bytes()[self.start..];
        [&b"ldap:"[..], b"ldaps:", b"ldapi:"]
            .iter()
            .any(|scheme| url.get(..scheme.len()).is_some_and(|it| it.eq_ignore_ascii_case(scheme)))
    }

    /// Returns true if backslashes separate path segments.
    fn is_windows(&self, text: &str) -> bool {
        matches!(self.head, UrlStart::Scheme { colon }
            if !self.strict && bare::is_windows_path(&text[self.start..colon], &text[colon + 1..]))
    }

    /// The end of the URL characters. The characters after the addresses of a long `mailto` URL are
    /// not read: it ends with them, and they may have the next one.
    pub(super) fn run(&self, text: &str, body: &mut Body) -> usize {
        let is_mailto = matches!(self.head, UrlStart::Scheme { colon }
            if self.body == colon + 1 && opaque::is_mailto(&text[self.start..colon]));
        if self.strict || !is_mailto {
            return body.run(text, self.plain);
        }
        let (mut at, mut len) = (self.plain, ADDRESSES);
        loop {
            let limit = self.plain + len.min(MAX_URL);
            at = body.run_until(text, at, limit);
            let is_read = at < limit || len >= MAX_URL;
            let url = || &text[self.body..body.end(text, self.body, at)];
            if is_read || opaque::ends_within(url()) {
                return at;
            }
            len *= 2;
        }
    }

    /// The end of the URL before the punctuation at `end`; `None` if the URL is not valid without
    /// that punctuation.
    pub(super) fn end(&self, text: &str, end: usize) -> Option<usize> {
        // Nothing was trimmed from a complete authority.
        if end > self.host.end && !self.host.is_empty() {
            return Some(end);
        }
        if end == self.host.end && self.form.is_defanged() {
            return Some(end);
        }
        let Self { start, body, .. } = *self;
        let url = &text[body..end];
        let colon = match self.head {
            UrlStart::Scheme { colon } => colon,
            UrlStart::Disguised { scheme_end, .. } => scheme_end,
            UrlStart::Abbreviated => return abbreviated::is_one(url).then_some(end),
        };
        let scheme = &text[start..colon];
        if self.has_authority {
            return scheme::authority(scheme, url).map(|_| end);
        }
        // Only a short URL is rejected because of the text after it: a long one may contain more
        // colons to try. A piece that a line break cut after a hyphen is not an address either.
        let hidden = url.len() <= abbreviated::LOCAL_PART
            && (opaque::continues_obfuscated(&text[end..]) || url.ends_with('-'))
            && opaque::lacks_address(scheme, url);
        let holds = opaque::admits(scheme, url) && !hidden;
        let whole = || {
            if self.strict { url.len() } else { opaque::addressed(scheme, url) }
        };
        holds.then(|| body + whole())
    }
}
