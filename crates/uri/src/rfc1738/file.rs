//! The scheme `file` (RFC 1738, section 3.10).

use super::super::fault::Fault;
use super::hostport::{host, no_userinfo};
use super::reader::{FSEGMENT, Reader, SLASH};

const RULE: &str = "RFC 1738, 3.10";

/// A file on some host, as written (RFC 1738, section 3.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct File<'a> {
    /// The host, possibly empty. It has no port, since the RFC does not define how to reach the
    /// host.
    pub host: &'a str,
    /// The text after the slash that follows the host.
    pub path: &'a str,
}

impl<'a> File<'a> {
    /// Returns true if the host is the local one: empty, or `localhost`.
    pub fn is_local(self) -> bool {
        self.host.is_empty() || self.host.eq_ignore_ascii_case("localhost")
    }

    /// The segments of the path, as written: at least one, possibly empty.
    pub fn segments(self) -> impl Iterator<Item = &'a str> {
        self.path.split('/')
    }

    /// Reads the text after the scheme.
    pub(super) fn read(mut rest: Reader<'a>) -> Result<Self, Fault> {
        rest.slashes()?;
        no_userinfo(rest, RULE)?;
        let host = if matches!(rest.peek(), None | Some(b'/')) { "" } else { host(&mut rest)? };
        if rest.peek() == Some(b':') {
            return Err(rest.fault("a file URL has no port", RULE));
        }
        rest.expect("/", "the slash before the path is missing", RULE)?;
        let path = rest.run(FSEGMENT | SLASH)?;
        rest.end("not allowed in the path of a file", "RFC 1738, 5")?;
        Ok(Self { host, path })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_faults;
    use super::super::{SchemeSpecific, parse};
    use super::*;

    #[test]
    fn file_urls_have_hosts_and_paths() {
        for (url, host, local, segments) in [
            ("file:///", "", true, &[""][..]),
            ("file:////", "", true, &["", ""]),
            ("file://localhost/a", "localhost", true, &["a"]),
            ("FILE://LocalHost/a%2Fb", "LocalHost", true, &["a%2Fb"]),
            ("file://localhost.x/", "localhost.x", false, &[""]),
            ("file:///c:/x?y&z=@", "", true, &["c:", "x?y&z=@"]),
            ("file://vms.host.edu/disk$user/my", "vms.host.edu", false, &["disk$user", "my"]),
            ("file://1.2.3.4/", "1.2.3.4", false, &[""]),
        ] {
            let Ok(SchemeSpecific::File(file)) = parse(url) else { panic!("{url}") };
            assert_eq!((file.host, file.is_local()), (host, local), "{url}");
            assert_eq!(file.segments().collect::<Vec<_>>(), segments, "{url}");
        }
    }

    #[test]
    fn invalid_file_urls_have_faults() {
        assert_faults(&[
            ("file:etc", 5, 6, "RFC 1738, 3.1"),
            ("file:/etc", 6, 7, "RFC 1738, 3.1"),
            ("file://", 7, 7, RULE),
            ("file://localhost", 16, 16, RULE),
            ("file://h:80/a", 8, 9, RULE),
            ("file://:80/a", 7, 8, "RFC 1738, 3.1"),
            ("file://u@h/a", 7, 9, RULE),
            ("file://h?/a", 8, 9, "RFC 1738, 3.1"),
            ("file:///a;b", 9, 10, "RFC 1738, 5"),
            ("file:///a\\b", 9, 10, "RFC 1738, 2.2"),
            ("file:///a#b", 9, 10, "RFC 1738, 2.2"),
            ("file:///c|/x", 9, 10, "RFC 1738, 2.2"),
        ]);
    }
}
