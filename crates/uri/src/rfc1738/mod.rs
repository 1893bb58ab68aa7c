//! The schemes of RFC 1738, each by its grammar (sections 3 and 5).
//!
//! Components are as written; `None` is undefined. They are split before decoding: a
//! component is to be percent-decoded once, after splitting.
//!
//! Schemes and quoted literals of the grammar, such as `;type=` and `localhost`, may be in either
//! case (section 2.1, and the conventions of RFC 822, to which section 5 refers). Non-ASCII
//! characters, and those that section 2.2 calls unsafe, including `#` and `~`, are never allowed.

mod file;
mod ftp;
mod gopher;
mod hostport;
mod http;
mod mailto;
mod news;
mod prospero;
mod reader;
mod telnet;
mod wais;

use super::chars::is_scheme_byte;
use super::fault::Fault;
use reader::{Reader, XCHAR};

pub use file::File;
pub use ftp::{Command, Ftp};
pub use gopher::Gopher;
pub use hostport::{HostPort, Login};
pub use http::Http;
pub use mailto::Mailto;
pub use news::{News, Nntp};
pub use prospero::Prospero;
pub use telnet::Telnet;
pub use wais::{Wais, WaisForm};

/// The scheme-specific part of a URL, by the grammar of its scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SchemeSpecific<'a> {
    /// `ftp` (section 3.2).
    Ftp(Ftp<'a>),
    /// `http` (section 3.3).
    Http(Http<'a>),
    /// `gopher` (section 3.4).
    Gopher(Gopher<'a>),
    /// `mailto` (section 3.5).
    Mailto(Mailto<'a>),
    /// `news` (section 3.6).
    News(News<'a>),
    /// `nntp` (section 3.7).
    Nntp(Nntp<'a>),
    /// `telnet` (section 3.8).
    Telnet(Telnet<'a>),
    /// `wais` (section 3.9).
    Wais(Wais<'a>),
    /// `file` (section 3.10).
    File(File<'a>),
    /// `prospero` (section 3.11).
    Prospero(Prospero<'a>),
    /// Any other scheme: `otherurl` of section 5, whose parts the RFC does not define.
    Other,
}

impl SchemeSpecific<'_> {
    /// Returns true if the generic authority is a host here too. In the article `news://host/a@b`
    /// it is not, and for other schemes the RFC does not define it.
    pub(super) fn has_server(&self) -> bool {
        !matches!(self, Self::Mailto(_) | Self::News(_) | Self::Other)
    }
}

/// Reads a URL by the grammar of its scheme. Linear, without allocating. Returns the first fault.
///
/// A scheme that the RFC defines has only that definition, although the production `genericurl`
/// would derive nearly any URL.
pub(super) fn parse(url: &str) -> Result<SchemeSpecific<'_>, Fault> {
    const RULE: &str = "RFC 1738, 2.1";
    let mut rest = Reader::new(url);
    let scheme = rest.plain(is_scheme_byte);
    if scheme.is_empty() {
        return Err(rest.fault_here("the scheme is missing", RULE));
    }
    if !rest.eat(":") {
        let message = "a scheme is letters, digits, `+`, `-` and `.` before a colon";
        return Err(rest.fault_here(message, RULE));
    }
    let is = |name: &str| scheme.eq_ignore_ascii_case(name);
    Ok(if is("ftp") {
        SchemeSpecific::Ftp(Ftp::read(rest)?)
    } else if is("http") {
        SchemeSpecific::Http(Http::read(rest)?)
    } else if is("gopher") {
        SchemeSpecific::Gopher(Gopher::read(rest)?)
    } else if is("mailto") {
        SchemeSpecific::Mailto(Mailto::read(rest)?)
    } else if is("news") {
        SchemeSpecific::News(News::read(rest)?)
    } else if is("nntp") {
        SchemeSpecific::Nntp(Nntp::read(rest)?)
    } else if is("telnet") {
        SchemeSpecific::Telnet(Telnet::read(rest)?)
    } else if is("wais") {
        SchemeSpecific::Wais(Wais::read(rest)?)
    } else if is("file") {
        SchemeSpecific::File(File::read(rest)?)
    } else if is("prospero") {
        SchemeSpecific::Prospero(Prospero::read(rest)?)
    } else {
        // `ip-schemepart` adds nothing to `*xchar`.
        rest.run(XCHAR)?;
        rest.end("not allowed in a URL", "RFC 1738, 5")?;
        SchemeSpecific::Other
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Checks that each URL has a fault at these bytes, by this rule.
    pub(super) fn assert_faults(cases: &[(&str, usize, usize, &str)]) {
        for &(url, start, end, rule) in cases {
            let fault = parse(url).expect_err(url);
            assert_eq!(
                (fault.start, fault.end, fault.rule),
                (start, end, rule),
                "{url}: {}",
                fault.message
            );
        }
    }

    #[test]
    fn other_schemes_are_generic() {
        for url in [
            "x-foo:bar", "x:", "1:", "+.-:", "https://u@h/a?b/c", "mailserver:;/?:@&=", "x:%41//:",
            "URL:ftp://h",
        ] {
            assert_eq!(parse(url), Ok(SchemeSpecific::Other), "{url}");
        }
    }

    #[test]
    fn invalid_schemes_have_faults() {
        assert_faults(&[
            ("", 0, 0, "RFC 1738, 2.1"),
            (":a", 0, 1, "RFC 1738, 2.1"),
            ("//h/a", 0, 1, "RFC 1738, 2.1"),
            ("a", 1, 1, "RFC 1738, 2.1"),
            ("a/b:c", 1, 2, "RFC 1738, 2.1"),
            ("a_b:c", 1, 2, "RFC 1738, 2.1"),
            ("\u{e9}:c", 0, 2, "RFC 1738, 2.1"),
            (" ftp://h", 0, 1, "RFC 1738, 2.1"),
            ("x:a~b", 3, 4, "RFC 1738, 2.2"),
            ("x:a#b", 3, 4, "RFC 1738, 2.2"),
            ("x:a\u{4e00}", 3, 6, "RFC 1738, 2.2"),
            ("x:a%4g", 3, 4, "RFC 1738, 2.2"),
            ("x:a\0", 3, 4, "RFC 1738, 2.2"),
        ]);
    }

    /// Pieces that often form a URL of some scheme, and as often an invalid one.
    fn pieces() -> impl Strategy<Value = String> {
        const PIECES: &[&str] = &[
            "ftp:", "HTTP:", "gopher:", "mailto:", "news:", "nntp:", "telnet:", "wais:", "file:",
            "prospero:", "x:", "//", "//h", "/", "/", "@", ":", ";", "?", "=", "&", "*", ".", "-",
            "%", "%09", "%41", "%FF", "%4", "1", "a", "Z9", ";type=", ";TYPE=d", "localhost",
            "1.2.3.4", "#", "~", " ", "\u{e9}", "\u{1F600}", "\0",
        ];
        let piece = prop::sample::select(PIECES);
        prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn faults_are_in_the_text(url in prop_oneof![pieces(), any::<String>()]) {
            match parse(&url) {
                Ok(_) => prop_assert!(url.is_ascii() && !url.contains(['#', '~', ' '])),
                Err(fault) => {
                    prop_assert!(fault.start <= fault.end && fault.end <= url.len());
                    prop_assert!(url.is_char_boundary(fault.start));
                    prop_assert!(url.is_char_boundary(fault.end));
                    // A fault is empty only if something is missing at the end.
                    prop_assert!(fault.start < fault.end || fault.end == url.len());
                }
            }
        }

        #[test]
        fn a_url_stays_one_in_capitals(url in pieces()) {
            let capitals = parse(&url.to_ascii_uppercase()).is_ok();
            prop_assert_eq!(parse(&url).is_ok(), capitals);
        }
    }
}
