//! The five components of a reference.

use std::fmt;

use memchr::{memchr, memchr2, memchr3};

use super::chars::is_scheme_byte;

/// The five components of a URI reference, as written, none decoded.
///
/// `None` is undefined: the delimiter does not occur. `Some("")` is empty: the delimiter occurs,
/// and nothing follows it. `http://a?` has an empty query and an undefined fragment, and the two
/// are different identifiers. The path is always defined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Parts<'a> {
    /// The text before the first `:`, if it is a valid scheme.
    pub scheme: Option<&'a str>,
    /// The text between `//` and the next `/`, `?` or `#`: userinfo, host and port.
    pub authority: Option<&'a str>,
    /// The path, possibly empty.
    pub path: &'a str,
    /// The text between the first `?` and `#`.
    pub query: Option<&'a str>,
    /// The text after the first `#`.
    pub fragment: Option<&'a str>,
}

impl<'a> Parts<'a> {
    /// The host: the authority without userinfo and port (RFC 3986, section 3.2), valid or not. An
    /// IPv6 address has its brackets.
    ///
    /// ```
    /// use rehref_uri::Parts;
    ///
    /// assert_eq!(Parts::split("http://u:p@a.example:80/").host(), Some("a.example"));
    /// assert_eq!(Parts::split("http://[::1]/").host(), Some("[::1]"));
    /// assert_eq!(Parts::split("mailto:a@b.example").host(), None);
    /// ```
    pub fn host(self) -> Option<&'a str> {
        let authority = self.authority?;
        if memchr2(b'@', b':', authority.as_bytes()).is_none() {
            // Most: without user and port.
            return Some(authority);
        }
        let server = authority.rsplit_once('@').map_or(authority, |(_, server)| server);
        let is_port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        Some(match server.rsplit_once(':') {
            Some((host, port)) if is_port(port) => host,
            _ => server,
        })
    }

    /// Returns true if the scheme is http or https, in any case.
    pub fn is_web(self) -> bool {
        let is = |name: &str| self.scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(name));
        is("http") || is("https")
    }

    /// Splits any text like the regular expression of RFC 3986, Appendix B, in one pass and without
    /// allocating. Never fails, so that invalid references (IRIs, spaces, invalid escapes) have
    /// components too.
    ///
    /// One departure: a scheme must be valid (section 3.1: a letter, then letters, digits, `+`,
    /// `-`, `.`); otherwise the reference is relative, as in section 4.1. Appendix B reads `4:30`
    /// as the scheme `4` ([`Parts::split_verbatim`]); here that colon belongs to the path.
    /// [`Reference::by`](super::Reference::by) splits by another [`Profile`](super::Profile).
    ///
    /// ```
    /// use rehref_uri::Parts;
    ///
    /// let parts = Parts::split("http://www.ics.uci.edu/pub/ietf/uri/#Related");
    /// assert_eq!(parts.scheme, Some("http"));
    /// assert_eq!(parts.authority, Some("www.ics.uci.edu"));
    /// assert_eq!(parts.path, "/pub/ietf/uri/");
    /// assert_eq!(parts.query, None);
    /// assert_eq!(parts.fragment, Some("Related"));
    /// ```
    pub fn split(reference: &'a str) -> Self {
        Ends::split(reference).parts(reference)
    }

    /// Splits exactly like the regular expression of Appendix B: the scheme is any text before the
    /// first `:`, if it is not empty and no `/`, `?` or `#` precedes the colon.
    ///
    /// ```
    /// use rehref_uri::Parts;
    ///
    /// assert_eq!(Parts::split_verbatim("4:30").scheme, Some("4"));
    /// assert_eq!(Parts::split("4:30").path, "4:30");
    /// ```
    pub fn split_verbatim(reference: &'a str) -> Self {
        Ends::split_verbatim(reference).parts(reference)
    }

    /// The components without the fragment.
    pub fn without_fragment(self) -> Self {
        Self { fragment: None, ..self }
    }

    /// Appends the components to `out` with their delimiters (RFC 3986, section 5.3). The
    /// components of [`Parts::split`] give the original text.
    ///
    /// ```
    /// use rehref_uri::Parts;
    ///
    /// let mut out = String::new();
    /// Parts { query: Some(""), ..Parts::split("//a/b?x#y") }.write_to(&mut out);
    /// assert_eq!(out, "//a/b?#y");
    /// ```
    pub fn write_to(self, out: &mut String) {
        // Writing into a `String` cannot fail.
        let _ = self.write(out);
    }

    fn write(self, out: &mut impl fmt::Write) -> fmt::Result {
        if let Some(scheme) = self.scheme {
            out.write_str(scheme)?;
            out.write_char(':')?;
        }
        if let Some(authority) = self.authority {
            out.write_str("//")?;
            out.write_str(authority)?;
        }
        out.write_str(self.path)?;
        if let Some(query) = self.query {
            out.write_char('?')?;
            out.write_str(query)?;
        }
        if let Some(fragment) = self.fragment {
            out.write_char('#')?;
            out.write_str(fragment)?;
        }
        Ok(())
    }
}

impl fmt::Display for Parts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

/// The ends of the components of a text, as byte offsets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Ends {
    /// The end of the scheme with its colon; 0 without a scheme.
    pub(super) scheme: usize,
    /// The end of the authority, where the path begins. Equals `scheme` without an authority, since
    /// `//` belongs to it.
    pub(super) authority: usize,
    /// The end of the path.
    pub(super) path: usize,
    /// The end of the query. Equals `path` without a query, since `?` belongs to it.
    pub(super) query: usize,
}

impl Ends {
    /// Finds the components of any text, as [`Parts::split`] does.
    #[inline]
    pub(super) fn split(text: &str) -> Self {
        Self::after_scheme(text, scheme_end(text.as_bytes(), u8::is_ascii_alphabetic))
    }

    /// Finds the components of any text, as [`Parts::split_verbatim`] does.
    pub(super) fn split_verbatim(text: &str) -> Self {
        Self::after_scheme(text, verbatim_scheme_end(text.as_bytes()))
    }

    /// Finds the components after a scheme that ends at `scheme`, with its colon.
    // Inlined, because the result of a call would be copied before it can be read.
    #[inline(always)]
    pub(super) fn after_scheme(text: &str, scheme: usize) -> Self {
        let bytes = text.as_bytes();
        // Each position is next to an ASCII delimiter, so on a character boundary.
        let up_to = |from: usize, found: Option<usize>| found.map_or(bytes.len(), |at| from + at);
        let mut ends = Self { scheme, authority: scheme, ..Self::default() };
        if bytes[scheme..].starts_with(b"//") {
            let at = scheme + 2;
            ends.authority = up_to(at, memchr3(b'/', b'?', b'#', &bytes[at..]));
        }
        let at = ends.authority;
        ends.path = up_to(at, memchr2(b'?', b'#', &bytes[at..]));
        ends.query = ends.path;
        if bytes.get(ends.path) == Some(&b'?') {
            ends.query = up_to(ends.path, memchr(b'#', &bytes[ends.path..]));
        }
        ends
    }

    /// The authority of `text` with its two slashes; empty without an authority.
    pub(super) fn net_path(self, text: &str) -> &str {
        &text[self.scheme..self.authority]
    }

    /// The components of `text`.
    pub(super) fn parts(self, text: &str) -> Parts<'_> {
        // A defined component has at least its delimiter, of length `len`.
        let after = |start, len, end| (start < end).then(|| &text[start + len..end]);
        Parts {
            scheme: self.scheme.checked_sub(1).map(|colon| &text[..colon]),
            authority: after(self.scheme, 2, self.authority),
            path: &text[self.authority..self.path],
            query: after(self.path, 1, self.query),
            fragment: after(self.query, 1, text.len()),
        }
    }
}

/// The end of any text before the first colon, with the colon, if no other delimiter precedes it;
/// else 0.
pub(super) fn verbatim_scheme_end(bytes: &[u8]) -> usize {
    let end = bytes.iter().position(|b| matches!(b, b':' | b'/' | b'?' | b'#'));
    let end = end.filter(|&end| end > 0 && bytes[end] == b':');
    end.map_or(0, |colon| colon + 1)
}

/// Returns true if [`Parts::split`] finds a scheme.
#[inline]
pub fn has_scheme(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Most URLs.
    let is_common = bytes.starts_with(b"http:") || bytes.starts_with(b"https:");
    is_common || scheme_end(bytes, u8::is_ascii_alphabetic) > 0
}

/// The end of the scheme, with its colon; 0 without one.
#[inline]
pub(super) fn scheme_end(bytes: &[u8], may_begin: fn(&u8) -> bool) -> usize {
    if !bytes.first().is_some_and(may_begin) {
        return 0;
    }
    let end = bytes.iter().position(|&b| !is_scheme_byte(b)).unwrap_or(0);
    match bytes[end] {
        b':' if end > 0 => end + 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(reference: &str) -> (Option<&str>, Option<&str>, &str, Option<&str>, Option<&str>) {
        let Parts { scheme, authority, path, query, fragment } = Parts::split(reference);
        (scheme, authority, path, query, fragment)
    }

    #[test]
    fn undefined_is_not_empty() {
        assert_eq!(split(""), (None, None, "", None, None));
        assert_eq!(split("?"), (None, None, "", Some(""), None));
        assert_eq!(split("#"), (None, None, "", None, Some("")));
        assert_eq!(split("//"), (None, Some(""), "", None, None));
        assert_eq!(split("a:"), (Some("a"), None, "", None, None));
        assert_eq!(split("file:///?#"), (Some("file"), Some(""), "/", Some(""), Some("")));
    }

    #[test]
    fn the_first_delimiter_ends_a_component() {
        assert_eq!(split("a?b?c#d#e?f"), (None, None, "a", Some("b?c"), Some("d#e?f")));
        assert_eq!(split("#a:b?c"), (None, None, "", None, Some("a:b?c")));
        assert_eq!(split("//h?q/p"), (None, Some("h"), "", Some("q/p"), None));
        assert_eq!(split("a:b:c"), (Some("a"), None, "b:c", None, None));
        assert_eq!(split("./a:b"), (None, None, "./a:b", None, None));
    }

    #[test]
    fn a_colon_after_an_invalid_scheme_belongs_to_the_path() {
        for path in ["4:30", ":", "-a:b", "a_b:c", "é:x", "a%41:b", "+:"] {
            assert_eq!(split(path), (None, None, path, None, None));
        }
        assert_eq!(split("h323+x-y.z:é"), (Some("h323+x-y.z"), None, "é", None, None));
    }

    #[test]
    fn split_verbatim_follows_appendix_b() {
        for text in ["4:30", "%41:b", "é:/x//y", "a b:c:d", "1://h/p?q#f"] {
            let parts = Parts::split_verbatim(text);
            assert_eq!(parts.scheme, text.split(':').next());
            assert_eq!(parts.to_string(), text);
        }
        for text in ["", ":", ":a", "/a:b", "?a:b", "#a:b", "//a:b", "./a:b", "a?b#c"] {
            assert_eq!(Parts::split_verbatim(text), Parts::split(text));
            assert_eq!(Parts::split_verbatim(text).scheme, None);
        }
    }
}
