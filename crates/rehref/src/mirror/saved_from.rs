//! Marks in saved pages with their URLs.

use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::uri::Parts;

/// The number of bytes of a page that [`saved_from`] searches for a mark.
pub const MARK_REACH: usize = 8192;

static MARK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    // In the order of the alternatives: HTTrack, browsers (after Internet Explorer), SingleFile.
    let pattern = r"(?x-u)<!--\s*(?:
        Mirrored\ from\ (?<httrack>\S+)\ by\ HTTrack
        | saved\ from\ url=\(\d{4}\)(?<browser>\S+)\s*-->
        | Page\ saved\ with\ SingleFile\s+url:\s*(?<single>\S+)
    )";
    Regex::new(pattern).ok()
});

/// The URL that a page was saved from, in a comment by HTTrack, a browser or SingleFile within its
/// first 8 KiB. HTTrack omits the scheme. Marks of other URLs (`file:`, `data:`, `about:internet`)
/// are ignored, and user names and passwords are removed.
///
/// ```
/// use rehref::mirror::saved_from;
///
/// let page = b"<html>\n<!-- Mirrored from a.example/list.php?p=1 by HTTrack Website Copier/3.x -->";
/// assert_eq!(saved_from(page).as_deref(), Some("a.example/list.php?p=1"));
/// assert_eq!(saved_from(b"<!-- saved from url=(0014)about:internet -->"), None);
/// ```
pub fn saved_from(page: &[u8]) -> Option<String> {
    let head = &page[..page.len().min(MARK_REACH)];
    let found = MARK.as_ref()?.captures(head)?;
    let mark = |name| found.name(name).map(|it| it.as_bytes());
    match mark("httrack") {
        Some(url) => web_page(url, true),
        None => web_page(mark("browser").or(mark("single"))?, false),
    }
}

/// The URL of a mark, if its scheme is `http` or `https`, or missing if that `may_lack`.
fn web_page(mark: &[u8], may_lack: bool) -> Option<String> {
    let mark = std::str::from_utf8(mark).ok()?;
    let parts = Parts::split(mark);
    let (scheme, rest) = match (parts.scheme, parts.authority) {
        (Some(scheme), Some(_)) => {
            let known = ["http://", "https://"];
            let is_same = |it: &&str| {
                it.strip_suffix("://").is_some_and(|it| it.eq_ignore_ascii_case(scheme))
            };
            (known.into_iter().find(is_same)?, &mark[scheme.len() + "://".len()..])
        }
        _ if may_lack => ("", mark),
        _ => return None,
    };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    // `mailto:x` has no port.
    let port = host.rsplit_once(':').filter(|_| !host.ends_with(']'));
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let is_host = port.map_or(!host.is_empty(), |(host, port)| !host.is_empty() && is_port(port));
    is_host.then(|| [scheme, host, path].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_pages_are_marks() {
        let browser = |url: &str| {
            let page = format!("<!-- saved from url=({:04}){url} -->", url.len());
            saved_from(page.as_bytes())
        };
        let single = |url: &str| {
            let page = format!("<!--\n Page saved with SingleFile \n url: {url} \n-->");
            saved_from(page.as_bytes())
        };
        for url in [
            "view-source:https://h/a", "blob:https://h/u", "data:text/html,x", "mailto:x",
            "FILE:///C:/x", "file:///C:/x", "chrome-extension://abc/x", "about:internet",
            "ftp://h/a", "h/a", "//h/a", "https:///a", "https:a", "https://user@/a",
            "https://h:x/a",
        ] {
            assert_eq!(browser(url), None, "{url}");
            assert_eq!(single(url), None, "{url}");
        }
        for (url, expected) in [
            ("https://h/a?b#c", "https://h/a?b#c"),
            ("HTTPS://h", "https://h"),
            ("http://h:8080/", "http://h:8080/"),
            ("http://[::1]/", "http://[::1]/"),
            ("https://user:secret@h/a@b", "https://h/a@b"),
            ("https://user:p@ss@h:8080?a", "https://h:8080?a"),
        ] {
            assert_eq!(browser(url).as_deref(), Some(expected));
            assert_eq!(single(url).as_deref(), Some(expected));
        }
    }

    #[test]
    fn httrack_marks_have_no_scheme() {
        for (url, expected) in [
            ("a.example/x", Some("a.example/x")),
            ("a.example:8080", Some("a.example:8080")),
            ("user:secret@a.example/x", Some("a.example/x")),
            ("a.example/web/http://b.example/", Some("a.example/web/http://b.example/")),
            ("https://a.example/", Some("https://a.example/")),
            ("file:///C:/x", None),
            ("ftp://a.example/", None),
            ("mailto:x", None),
            ("/x", None),
        ] {
            let page = format!("<!-- Mirrored from {url} by HTTrack Website Copier/3.x -->");
            assert_eq!(saved_from(page.as_bytes()).as_deref(), expected, "{url}");
        }
    }
}
