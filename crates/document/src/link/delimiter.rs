//! The delimiters of URLs in text.

use std::borrow::Cow;
use std::fmt;

use crate::bytes::percent;

/// The delimiters of a URL in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Delimiter {
    /// `<http://a/b>`, also `<URL:http://a/b>`.
    ///
    /// After `URL:`, and in "the URI `<foo:bar>`", the scheme may be unknown and lack `//`, as in
    /// `<URL:foo:bar>`. Then a line must contain no space inside the delimiters, and no character
    /// outside the URI grammar.
    Angle,
    /// `"http://a/b"`, also with `URL:` after the quote, and in the quotes of other languages, such
    /// as `“ ”`, `« »` and `「 」`.
    Quote,
    /// `URL:http://a/b` without delimiters; blanks may follow the prefix, in any case of letters.
    Prefix,
    /// No delimiters: the URL ends at the first character that cannot belong to it.
    Bare,
    /// `www.a.b/x` or `ftp.a.b`, an `http` or `ftp` URL without its scheme, also in delimiters.
    Abbreviated,
    /// `a@b.c`, a mail address.
    Email,
}

impl Delimiter {
    /// All delimiters.
    pub const ALL: &'static [Self] =
        &[Self::Angle, Self::Quote, Self::Prefix, Self::Bare, Self::Abbreviated, Self::Email];

    /// The name used in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Angle => "angle",
            Self::Quote => "quote",
            Self::Prefix => "prefix",
            Self::Bare => "bare",
            Self::Abbreviated => "abbreviated",
            Self::Email => "email",
        }
    }

    /// Returns the reference for a link written with these delimiters. Prepends `http://` or
    /// `ftp://` to an abbreviated URL and `mailto:` to an address, whose characters with a meaning
    /// in URIs are percent-encoded (RFC 6068, section 2).
    #[inline]
    pub fn completed(self, written: &str) -> Cow<'_, str> {
        match self {
            Self::Abbreviated => Cow::Owned(completed_url(written)),
            Self::Email => Cow::Owned(completed_address(written)),
            Self::Angle | Self::Quote | Self::Prefix | Self::Bare => Cow::Borrowed(written),
        }
    }
}

impl fmt::Display for Delimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The absolute URI that `url` abbreviates.
pub(super) fn completed_url(url: &str) -> String {
    let is_ftp = url.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("ftp."));
    let scheme = if is_ftp { "ftp" } else { "http" };
    format!("{scheme}://{url}")
}

/// The `mailto` URI of an address (RFC 6068). Characters that would end the address are
/// percent-encoded.
pub(super) fn completed_address(address: &str) -> String {
    let mut uri = String::from("mailto:");
    for c in address.chars() {
        if matches!(c, '%' | '?' | '#' | '&' | '/' | '^' | '`' | '{' | '|' | '}') {
            let mut utf8 = [0; 4];
            for byte in c.encode_utf8(&mut utf8).bytes() {
                percent::encode_byte(byte, &mut uri);
            }
        } else {
            uri.push(c);
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviated_urls_and_addresses_are_completed() {
        assert_eq!(Delimiter::Abbreviated.completed("www.a.b/x"), "http://www.a.b/x");
        assert_eq!(Delimiter::Abbreviated.completed("FTP.a.b"), "ftp://FTP.a.b");
        assert_eq!(Delimiter::Email.completed("a?b+é@c.d"), "mailto:a%3Fb+é@c.d");
        assert_eq!(Delimiter::Bare.completed("www.a.b"), "www.a.b");
    }
}
