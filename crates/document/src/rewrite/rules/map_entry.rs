//! The two sides of an entry of a map, as users write them.

use std::fmt;

use crate::link::WindowsPath;
use crate::uri::Parts;

/// The reason an entry was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PrefixMapError {
    /// The entry has no `=`.
    NoSeparator,
    /// Several `=` in the query of the old URI could end it.
    Ambiguous,
    /// The old side is neither an absolute URI nor a host.
    OldNotAbsolute,
    /// The new side is neither an absolute URI nor a host, or a host for a scheme that has none.
    NewNotAbsolute,
    /// The old side could be a host, but looks like this name of a file.
    FileName(String),
    /// The prefix or an equivalent one is already mapped to another URI.
    Duplicate,
    /// The new URI would have this scheme, whose URLs run scripts or are whole documents, and the
    /// entry is one of a file.
    ActiveScheme(&'static str),
}

impl fmt::Display for PrefixMapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSeparator => "no `=` between OLD and NEW",
            Self::Ambiguous => {
                "the query of OLD has several `=`; write %3D for those that belong to it"
            }
            Self::OldNotAbsolute => "OLD is neither an absolute URL, nor a path of Windows, nor a host such as old.example",
            Self::NewNotAbsolute => "NEW is neither an absolute URL, nor a path of Windows, nor a host such as new.example",
            Self::FileName(name) => {
                return write!(f, "OLD looks like a file; write http://{name} for a host");
            }
            Self::Duplicate => "OLD is mapped already",
            Self::ActiveScheme(scheme) => return write!(f, "NEW has the scheme {scheme}"),
        })
    }
}

impl std::error::Error for PrefixMapError {}

/// OLD or NEW of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side<'e> {
    /// An absolute URL.
    Url(&'e str),
    /// A host without a scheme, which a port and a path may follow.
    Host(&'e str),
}

impl<'e> Side<'e> {
    /// Parses a side. `None` if it is neither a URL nor a host. After `//` any host is accepted;
    /// otherwise a host is a name with a dot, `localhost` or an address in brackets.
    pub(super) fn of(text: &'e str) -> Option<Self> {
        if let Some(host) = text.strip_prefix("//") {
            let is_named = Parts::split(text).authority.is_some_and(|it| !it.is_empty());
            return is_named.then_some(Self::Host(host));
        }
        let end = text.find(['/', '?', '#']).unwrap_or(text.len());
        if is_host_and_port(&text[..end]) {
            return Some(Self::Host(text));
        }
        Parts::split(text).scheme.map(|_| Self::Url(text))
    }

    /// The name of a file that a bare host looks like: `index.html`.
    pub(super) fn file_name(self) -> Option<&'e str> {
        match self {
            Self::Host(name) if looks_like_file(name) => Some(name),
            Self::Host(_) | Self::Url(_) => None,
        }
    }
}

/// The schemes whose URLs run scripts, or are documents that may contain them.
const ACTIVE: [&str; 3] = ["javascript", "vbscript", "data"];

/// The scheme of a URL that browsers run or show as a whole document. `None` for other URLs. It is
/// found as browsers read URLs (URL Standard, 4.4): after C0 controls and spaces, in any case, with
/// tabs and line breaks anywhere.
pub(super) fn active_scheme(url: &str) -> Option<&'static str> {
    let url = url.trim_start_matches(|it: char| it <= ' ');
    let read = url.chars().filter(|it| !matches!(it, '\t' | '\n' | '\r'));
    let begins = |scheme: &str| {
        let mut read = read.clone();
        let is_same = |letter: char| read.next().is_some_and(|it| it.eq_ignore_ascii_case(&letter));
        scheme.chars().all(is_same) && read.next() == Some(':')
    };
    ACTIVE.into_iter().find(|scheme| begins(scheme))
}

/// Extensions of files that are not top-level domains.
const EXTENSIONS: [&str; 16] = [
    "htm", "html", "xhtml", "php", "asp", "aspx", "jsp", "css", "js", "png", "jpg", "jpeg", "gif",
    "svg", "txt", "xml",
];

fn looks_like_file(name: &str) -> bool {
    let extension = name
        .rsplit_once('.')
        .filter(|_| !name.contains('/'))
        .map_or("", |(_, extension)| extension);
    EXTENSIONS.iter().any(|it| it.eq_ignore_ascii_case(extension))
}

fn is_host_and_port(text: &str) -> bool {
    let (host, port) = match text.rfind(':').filter(|&at| !text[at..].contains(']')) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, ""),
    };
    let is_label = |label: &str| {
        let is_of_name = |it: char| it.is_alphanumeric() || matches!(it, '-' | '_' | '%');
        !label.is_empty() && label.chars().all(is_of_name)
    };
    let is_address = host.starts_with('[') && host.ends_with(']') && host.contains(':');
    let name = host.strip_suffix('.').unwrap_or(host);
    let is_name = name.contains('.') && name.split('.').all(is_label);
    port.bytes().all(|byte| byte.is_ascii_digit())
        && (is_address || is_name || name.eq_ignore_ascii_case("localhost"))
}

/// Splits `OLD=NEW` at a `=` that a URL or host follows. A URL with a scheme is preferred to a
/// host, and the first such `=` to others, unless it is in the query or fragment of OLD.
///
/// # Errors
/// If there is no `=`, or if several in the query or fragment of OLD could end it.
pub(super) fn split_entry(entry: &str) -> Result<(&str, &str), PrefixMapError> {
    let splits = || {
        let at = entry.match_indices('=').map(|(at, _)| at);
        at.map(|at| (&entry[..at], &entry[at + 1..]))
    };
    let before = |is_end: fn(&str) -> bool| splits().filter(move |(_, new)| is_end(new));
    let found = [
        (|new| matches!(Side::of(new), Some(Side::Url(_)))) as fn(&str) -> bool,
        |new| Side::of(new).is_some() || WindowsPath::of_map(new).is_some(),
        |_| true,
    ];
    for is_end in found {
        let mut candidates = before(is_end);
        let Some((old, new)) = candidates.next() else {
            continue;
        };
        let is_in_query = old.contains(['?', '#']);
        return match is_in_query && candidates.next().is_some() {
            true => Err(PrefixMapError::Ambiguous),
            false => Ok((old, new)),
        };
    }
    Err(PrefixMapError::NoSeparator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_have_a_dot_or_two_slashes() {
        for host in [
            "a.example", "A.example:80", "a.example/b?c#d", "localhost:8000/x", "localhost",
            "[::1]:80", "bücher.example", "a.example.", "docs.rs",
        ] {
            assert_eq!(Side::of(host), Some(Side::Host(host)), "{host}");
        }
        assert_eq!(Side::of("//intranet/x"), Some(Side::Host("intranet/x")));
        for url in
            ["http://a", "http:", "mailto:a@b.example", "tel:123", "urn:a.b:c", "foo:8080", "a.b:c"]
        {
            assert_eq!(Side::of(url), Some(Side::Url(url)), "{url}");
        }
        for other in [
            "", "a", "/a.b", "./a.b", "../a.b", "a..b", "a b.example", "?a.b", "//", "///a",
            "u@a.example",
        ] {
            assert_eq!(Side::of(other), None, "{other}");
        }
        let file = |text| Side::of(text).and_then(Side::file_name);
        assert_eq!(file("index.HTML"), Some("index.HTML"));
        assert_eq!(file("www.example/index.html"), None);
    }

    #[test]
    fn active_schemes_are_found_as_browsers_find_them() {
        for (url, scheme) in [
            ("javascript:alert(1)", "javascript"),
            ("JaVaScRiPt:alert(1)", "javascript"),
            (" \u{1}\n\0javascript:", "javascript"),
            ("java\tscr\nipt\r:alert(1)", "javascript"),
            ("\tvb\rscript\n:x", "vbscript"),
            ("DATA:text/html,x", "data"),
            ("d\nata\t:", "data"),
        ] {
            assert_eq!(active_scheme(url), Some(scheme), "{url:?}");
        }
        for url in [
            "http://h/javascript:x", "javascript", "javascripts:x", "java script:x",
            "x-javascript:x", "\u{a0}javascript:x", "./data:x", "",
        ] {
            assert_eq!(active_scheme(url), None, "{url:?}");
        }
    }

    #[test]
    fn entries_split_at_the_first_equals_sign_outside_of_the_query() {
        for (entry, split) in [
            ("a.example=b.example", Ok(("a.example", "b.example"))),
            ("http://a/=http://p/?u=http://x/", Ok(("http://a/", "http://p/?u=http://x/"))),
            ("a.example=p.example/?u=b.example", Ok(("a.example", "p.example/?u=b.example"))),
            ("http://h/?a=b=http://n/?c=d", Ok(("http://h/?a=b", "http://n/?c=d"))),
            ("http://h/a=b=http://n/", Ok(("http://h/a=b", "http://n/"))),
            ("http://h/?u=http://x/=http://n/", Err(PrefixMapError::Ambiguous)),
            ("http://h/?a=b.example/=n.example", Err(PrefixMapError::Ambiguous)),
            ("http://h/", Err(PrefixMapError::NoSeparator)),
            ("http://h/=/a", Ok(("http://h/", "/a"))),
        ] {
            assert_eq!(split_entry(entry), split, "{entry}");
        }
    }
}
