//! The spellings of a domain.

/// A domain that has more than one spelling: in Unicode, in Punycode, and percent-encoded (URL
/// Standard, section 3.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// The domain in lower case with Punycode, as in the domain name system.
    pub ascii: String,
    /// The domain in lower case without Punycode.
    pub unicode: String,
}

impl Domain {
    /// The domain that a host names. `None` for a host in ASCII without `%` and `xn--`, whose
    /// spellings differ only in case, for an invalid one, and for an address.
    ///
    /// Without the feature `whatwg` it is always `None`. Linear in the host.
    ///
    /// ```
    /// # #[cfg(feature = "whatwg")] {
    /// use rehref_uri::Domain;
    ///
    /// for host in ["b\u{fc}.example", "B%C3%BC.example", "xn--b-eha.example"] {
    ///     let domain = Domain::of(host).unwrap();
    ///     assert_eq!(domain.ascii, "xn--b-eha.example");
    ///     assert_eq!(domain.unicode, "b\u{fc}.example");
    /// }
    /// assert_eq!(Domain::of("b.example"), None);
    /// # }
    /// ```
    pub fn of(host: &str) -> Option<Self> {
        let is_punycode = |it: &[u8]| it.eq_ignore_ascii_case(b"xn--");
        let bytes = host.as_bytes();
        let has_one =
            host.is_ascii() && !bytes.contains(&b'%') && !bytes.windows(4).any(is_punycode);
        if has_one { None } else { Self::parse(host) }
    }

    #[cfg(feature = "whatwg")]
    fn parse(host: &str) -> Option<Self> {
        let ascii = url::quirks::domain_to_ascii(host);
        let unicode = url::quirks::domain_to_unicode(host);
        (!ascii.is_empty()).then_some(Self { ascii, unicode })
    }

    #[cfg(not(feature = "whatwg"))]
    fn parse(_: &str) -> Option<Self> {
        None
    }
}

#[cfg(all(test, feature = "whatwg"))]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_invalid_hosts_have_no_other_spelling() {
        for host in ["", "a.example", "[::1]", "%31.2.3.4", "a%2Fb", "\u{fc}%zz", "xn--\u{fc}-"] {
            assert_eq!(Domain::of(host), None, "{host}");
        }
        let ascii = |host| Domain::of(host).map(|it| it.ascii);
        assert_eq!(ascii("%61.example").as_deref(), Some("a.example"));
        assert_eq!(ascii("XN--B-EHA.example").as_deref(), Some("xn--b-eha.example"));
    }
}
