//! The scheme `gopher` (RFC 1738, section 3.4).

use super::super::fault::Fault;
use super::hostport::HostPort;
use super::reader::{Reader, XCHAR};

const RULE: &str = "RFC 1738, 3.4.1";

/// A request to a Gopher server, as written (RFC 1738, section 3.4).
///
/// No character is reserved in a gopher-path. Its parts are separated by the first two encoded tabs
/// (`%09`); later ones belong to the Gopher+ string. The grammar would also allow tabs in a
/// selector, and forbid `/` and `?` in a search. A selector of the protocol has no tabs, so here
/// each path has one reading, and any `xchar` is allowed everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gopher<'a> {
    /// The host and port.
    pub server: HostPort<'a>,
    /// The text after the slash that follows the host.
    pub gopher_path: Option<&'a str>,
    /// The type of the item: the first character or escape of the path. `None` if the path is empty
    /// or missing; see [`gtype_or_default`](Self::gtype_or_default).
    pub gtype: Option<&'a str>,
    /// The selector. Empty for the top-level menu of the server.
    pub selector: &'a str,
    /// The search string (section 3.4.2).
    pub search: Option<&'a str>,
    /// The Gopher+ string (section 3.4.3). Defined only if `search` is.
    pub gopher_plus: Option<&'a str>,
}

impl<'a> Gopher<'a> {
    /// The default port.
    pub const PORT: u16 = 70;

    /// The type of the item. The default is `1`, a menu (section 3.4.1).
    pub fn gtype_or_default(self) -> &'a str {
        self.gtype.unwrap_or("1")
    }

    /// Reads the text after the scheme.
    pub(super) fn read(mut rest: Reader<'a>) -> Result<Self, Fault> {
        rest.slashes()?;
        let server = HostPort::alone(&mut rest, RULE)?;
        let mut gopher_path = None;
        if rest.eat("/") {
            gopher_path = Some(rest.run(XCHAR)?);
        }
        rest.end("not allowed in a gopher-path", RULE)?;

        // All escapes are valid here, so a percent sign always begins one.
        let path = gopher_path.unwrap_or_default();
        let (gtype, strings) = match path.as_bytes() {
            [] => (None, path),
            [b'%', ..] => (Some(&path[..3]), &path[3..]),
            [_, ..] => (Some(&path[..1]), &path[1..]),
        };
        let mut strings = strings.splitn(3, "%09");
        Ok(Self {
            server,
            gopher_path,
            gtype,
            selector: strings.next().unwrap_or_default(),
            search: strings.next(),
            gopher_plus: strings.next(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_faults;
    use super::super::{SchemeSpecific, parse};
    use super::*;

    fn gopher(url: &str) -> Gopher<'_> {
        let Ok(SchemeSpecific::Gopher(gopher)) = parse(url) else { panic!("{url}") };
        gopher
    }

    #[test]
    fn gopher_paths_have_types_and_selectors() {
        for (url, path, gtype, selector) in [
            ("gopher://h", None, None, ""),
            ("gopher://h:70/", Some(""), None, ""),
            ("GOPHER://h/1", Some("1"), Some("1"), ""),
            ("gopher://h/11a", Some("11a"), Some("1"), "1a"),
            ("gopher://h//a", Some("/a"), Some("/"), "a"),
            ("gopher://h/?a", Some("?a"), Some("?"), "a"),
            ("gopher://h/%41%42c", Some("%41%42c"), Some("%41"), "%42c"),
            ("gopher://h/%09a", Some("%09a"), Some("%09"), "a"),
            ("gopher://h/0a?b;c/d:@&=", Some("0a?b;c/d:@&="), Some("0"), "a?b;c/d:@&="),
        ] {
            let found = gopher(url);
            assert_eq!(found.gopher_path, path, "{url}");
            assert_eq!((found.gtype, found.selector), (gtype, selector), "{url}");
            assert_eq!(found.gtype_or_default(), gtype.unwrap_or("1"));
            assert_eq!((found.search, found.gopher_plus), (None, None));
            assert_eq!(found.server.port_or(Gopher::PORT), Some(70));
        }
    }

    #[test]
    fn the_first_two_tabs_separate_the_parts() {
        for (path, selector, search, plus) in [
            ("7s%09", "s", Some(""), None),
            ("7s%09a%20b", "s", Some("a%20b"), None),
            ("7s%09a/b?c", "s", Some("a/b?c"), None),
            ("7%09a", "", Some("a"), None),
            ("0s%09%09", "s", Some(""), Some("")),
            ("0s%09%09%09", "s", Some(""), Some("%09")),
            ("0s%09%09!+ABSTRACT%20+SMELL", "s", Some(""), Some("!+ABSTRACT%20+SMELL")),
            (
                "0s%09q%09+application/postscript%20Es_ES",
                "s",
                Some("q"),
                Some("+application/postscript%20Es_ES"),
            ),
            (
                "1s%09%09+%091%0D%0A+-1%0D%0Av%0D%0A.%0D%0A",
                "s",
                Some(""),
                Some("+%091%0D%0A+-1%0D%0Av%0D%0A.%0D%0A"),
            ),
            ("1a%2509b", "a%2509b", None, None),
        ] {
            let url = format!("gopher://h/{path}");
            let found = gopher(&url);
            assert_eq!(
                (found.selector, found.search, found.gopher_plus),
                (selector, search, plus),
                "{url}"
            );
        }
    }

    #[test]
    fn invalid_gopher_urls_have_faults() {
        assert_faults(&[
            ("gopher:/h/1", 8, 9, "RFC 1738, 3.1"),
            ("gopher:///1", 9, 10, "RFC 1738, 3.1"),
            ("gopher://h:/", 10, 11, "RFC 1738, 3.1"),
            ("gopher://h?a", 10, 11, "RFC 1738, 3.1"),
            ("gopher://u@h/", 9, 11, RULE),
            ("gopher://h/1a|b", 13, 14, "RFC 1738, 2.2"),
            ("gopher://h/1a\tb", 13, 14, "RFC 1738, 2.2"),
            ("gopher://h/%4", 11, 12, "RFC 1738, 2.2"),
        ]);
    }
}
