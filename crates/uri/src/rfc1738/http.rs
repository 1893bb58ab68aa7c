//! The scheme `http` (RFC 1738, section 3.3).

use super::super::fault::Fault;
use super::hostport::HostPort;
use super::reader::{HSEGMENT, Reader, SLASH};

const RULE: &str = "RFC 1738, 3.3";

/// A request to an HTTP server, as written (RFC 1738, section 3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Http<'a> {
    /// The host and port.
    pub server: HostPort<'a>,
    /// The text after the slash that follows the host. Defined if the searchpart is.
    pub path: Option<&'a str>,
    /// The text after `?`.
    pub searchpart: Option<&'a str>,
}

impl<'a> Http<'a> {
    /// The default port.
    pub const PORT: u16 = 80;

    /// The segments of the path, as written: at least one, possibly empty. None without a path.
    pub fn segments(self) -> impl Iterator<Item = &'a str> {
        self.path.into_iter().flat_map(|path| path.split('/'))
    }

    /// Reads the text after the scheme.
    pub(super) fn read(mut rest: Reader<'a>) -> Result<Self, Fault> {
        rest.slashes()?;
        let server = HostPort::alone(&mut rest, RULE)?;
        let (mut path, mut searchpart) = (None, None);
        if rest.eat("/") {
            path = Some(rest.run(HSEGMENT | SLASH)?);
            if rest.eat("?") {
                searchpart = Some(rest.run(HSEGMENT)?);
            }
        }
        rest.end("reserved in a searchpart", RULE)?;
        Ok(Self { server, path, searchpart })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_faults;
    use super::super::{SchemeSpecific, parse};
    use super::*;

    fn http(url: &str) -> Http<'_> {
        let Ok(SchemeSpecific::Http(http)) = parse(url) else { panic!("{url}") };
        http
    }

    #[test]
    fn http_urls_have_paths_and_searchparts() {
        for (url, path, searchpart) in [
            ("http://h", None, None),
            ("HTTP://h:80/", Some(""), None),
            ("http://h/?", Some(""), Some("")),
            ("http://h/a;b:c@d&e=f", Some("a;b:c@d&e=f"), None),
            ("http://h//a/?a;b:c@d&e=f", Some("/a/"), Some("a;b:c@d&e=f")),
        ] {
            let found = http(url);
            assert_eq!((found.path, found.searchpart), (path, searchpart), "{url}");
            assert_eq!(found.server.port_or(Http::PORT), Some(80));
        }
        assert_eq!(http("http://h").segments().count(), 0);
        assert_eq!(http("http://h/").segments().collect::<Vec<_>>(), [""]);
        let segments = http("http://h/a//%2F?b");
        assert_eq!(segments.segments().collect::<Vec<_>>(), ["a", "", "%2F"]);
    }

    #[test]
    fn invalid_http_urls_have_faults() {
        assert_faults(&[
            ("http:h", 5, 6, "RFC 1738, 3.1"),
            ("http:///a", 7, 8, "RFC 1738, 3.1"),
            ("http://u@h/", 7, 9, RULE),
            ("http://u:p@h/", 7, 11, RULE),
            ("http://@h/", 7, 8, RULE),
            ("http://u~@h/", 8, 9, "RFC 1738, 3.1"),
            ("http://h?a", 8, 9, "RFC 1738, 3.1"),
            ("http://h/a?b/c", 12, 13, RULE),
            ("http://h/a?b?c", 12, 13, RULE),
            ("http://h/a^b", 10, 11, "RFC 1738, 2.2"),
            ("http://h/a#b", 10, 11, "RFC 1738, 2.2"),
            ("http://h/?%g0", 10, 11, "RFC 1738, 2.2"),
        ]);
    }
}
