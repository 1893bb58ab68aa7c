//! How tools that copy sites made file names of URLs.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::uri::percent;

/// How the URLs of a site became the names of its files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LocalNames {
    /// The path, percent-encoding undone. The query is no part of the name.
    #[default]
    Raw,
    /// As wget does: the path with `?` and the query behind it, for a folder that of its index file. Bytes that
    /// it takes for dangerous it percent-encodes again; the names that it chooses for Windows (`@` for `?`) and
    /// the endings that `-E` adds are known too.
    Wget,
    /// As HTTrack does: the first four digits of the MD5 of the query before the extension, `.html` in place of
    /// the extension of pages that a program makes, `_` for what some system does not allow.
    Httrack,
}

/// No naming has this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownLocalNames;

impl fmt::Display for UnknownLocalNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not the name of a way to name files")
    }
}

impl std::error::Error for UnknownLocalNames {}

impl FromStr for LocalNames {
    type Err = UnknownLocalNames;

    fn from_str(name: &str) -> Result<Self, UnknownLocalNames> {
        let found = Self::ALL.into_iter().find(|it| it.as_str() == name);
        found.ok_or(UnknownLocalNames)
    }
}

/// A name that the file of a URL may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalName {
    /// The path below the folder of the tree.
    pub path: Vec<u8>,
    /// Whether the query of the URL is part of it.
    pub has_query: bool,
}

impl LocalNames {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Raw, Self::Wget, Self::Httrack];

    /// The name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Wget => "wget",
            Self::Httrack => "httrack",
        }
    }

    /// The names that the file of a URL may have, the likeliest first: `path` is its path below the tree's URL,
    /// as it is written. A path that ends in `/` is that of a folder, and `index` has the names of what is shown
    /// for one; a path without it may turn out to be one too.
    ///
    /// The first is the path itself wherever there is no query, so that a reference that names a file exactly
    /// leads to it.
    pub fn candidates(self, path: &str, query: Option<&str>, index: &[String]) -> Vec<LocalName> {
        let mut names = Vec::new();
        let mut add = |path: Vec<u8>, has_query| {
            let name = LocalName { path, has_query };
            if !names.contains(&name) {
                names.push(name);
            }
        };
        match (self, query) {
            (Self::Raw, _) => {
                let spellings = [plain(path), Some(path.as_bytes().to_vec())];
                for path in of_pages(spellings.into_iter().flatten(), index) {
                    add(path, false);
                }
            }
            (Self::Wget, None) => {
                for path in of_pages(wget_spellings(path), index) {
                    for ending in WGET_ENDINGS {
                        add([&path, ending.as_bytes()].concat(), true);
                    }
                }
            }
            (Self::Wget, Some(query)) => {
                let with_query = |names: &mut dyn Iterator<Item = Vec<u8>>,
                                  add: &mut dyn FnMut(_, _)| {
                    for path in names {
                        for (mark, query) in wget_queries(query) {
                            for ending in WGET_ENDINGS {
                                add([&path, mark, &query, ending.as_bytes()].concat(), true);
                            }
                        }
                    }
                };
                with_query(&mut of_pages(wget_spellings(path), index), &mut add);
                // It led on to the folder.
                if !is_folder(path) {
                    let folders = wget_spellings(&format!("{path}/"));
                    with_query(&mut of_pages(folders, index), &mut add);
                }
            }
            (Self::Httrack, _) => {
                let hash = query.map(|query| format!("{:x}", md5::compute(query)));
                let hash = hash.as_ref().map_or("", |hash| &hash[..4]);
                let spellings = [
                    plain(path),
                    plain(path).map(|it| httrack_cleaned(&it)),
                    Some(httrack_cleaned(path.as_bytes())),
                ];
                for path in of_pages(spellings.into_iter().flatten(), index) {
                    for name in httrack_names(&path, hash) {
                        add(name, true);
                    }
                }
            }
        }
        names
    }

    /// The URL path, with a query where the name has one, of the file at `path` below the folder of its tree: the
    /// way back, as far as it is certain.
    pub fn url_path(self, path: &[u8]) -> String {
        let last = path
            .iter()
            .rposition(|&byte| byte == b'/')
            .map_or(0, |at| at + 1);
        let mark = path[last..].iter().position(|&byte| byte == b'?');
        let (path, query) = match mark.filter(|_| self == Self::Wget) {
            Some(mark) => (&path[..last + mark], Some(&path[last + mark + 1..])),
            None => (path, None),
        };
        let mut url = String::new();
        for (at, name) in path.split(|&byte| byte == b'/').enumerate() {
            if at > 0 {
                url.push('/');
            }
            percent::encode_path_segment(name, &mut url);
        }
        if let Some(query) = query {
            url.push('?');
            for &byte in query {
                match byte {
                    // What is percent-encoded in the name was so in the URL.
                    b'%' | b'/' | b'?' => url.push(char::from(byte)),
                    _ => percent::encode_path_segment(&[byte], &mut url),
                }
            }
        }
        url
    }
}

/// Whether a path is that of a folder by its slash.
fn is_folder(path: &str) -> bool {
    path.is_empty() || path.ends_with('/')
}

/// The paths of files: those of index files where a path is that of a folder.
fn of_pages(
    paths: impl IntoIterator<Item = Vec<u8>>,
    index: &[String],
) -> impl Iterator<Item = Vec<u8>> {
    paths.into_iter().flat_map(move |path| {
        let is_folder = path.is_empty() || path.ends_with(b"/");
        let pages: Vec<Vec<u8>> = match is_folder {
            true => index
                .iter()
                .map(|name| [&path, name.as_bytes()].concat())
                .collect(),
            false => vec![path],
        };
        pages
    })
}

/// The path with its percent-encoding undone; none where that makes a name that no file can have.
fn plain(path: &str) -> Option<Vec<u8>> {
    let mut plain = Vec::with_capacity(path.len());
    for segment in segments(path) {
        let name = percent::decode(segment);
        if name.contains(&b'/') || name.contains(&0) {
            return None;
        }
        plain.extend_from_slice(&name);
        plain.push(b'/');
    }
    if !is_folder(path) {
        plain.pop();
    }
    Some(plain)
}

/// The names of a path: `//` is as good as `/`.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|it| !it.is_empty())
}

/// What `wget -E` puts behind names of pages and style sheets that end otherwise.
const WGET_ENDINGS: [&str; 3] = ["", ".html", ".css"];

/// Which bytes wget percent-encodes in names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Restricted {
    /// On a Unix: control characters of ASCII and of ISO 8859-1, whatever the charset.
    Unix,
    /// On Windows, also what that does not allow.
    Windows,
}

impl Restricted {
    fn encode(self, name: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(name.len());
        for &byte in name {
            let is_windows = self == Self::Windows && b"\\|:?\"*<>".contains(&byte);
            match byte {
                0..0x20 | 0x7F..0xA0 | b'/' => {
                    out.extend_from_slice(format!("%{byte:02X}").as_bytes());
                }
                _ if is_windows => out.extend_from_slice(format!("%{byte:02X}").as_bytes()),
                _ => out.push(byte),
            }
        }
        out
    }
}

/// How wget may have spelled a path.
fn wget_spellings(path: &str) -> impl Iterator<Item = Vec<u8>> + use<> {
    let restricted = |how: Restricted| {
        let names = segments(path).map(|it| how.encode(&percent::decode(it)));
        let mut path_of_names = names.collect::<Vec<_>>().join(&b'/');
        if is_folder(path) && !path_of_names.is_empty() {
            path_of_names.push(b'/');
        }
        path_of_names
    };
    let spellings = [
        plain(path),
        Some(restricted(Restricted::Unix)),
        Some(restricted(Restricted::Windows)),
        Some(path.as_bytes().to_vec()),
    ];
    spellings.into_iter().flatten()
}

/// How wget may have spelled a query, with the mark before it.
fn wget_queries(query: &str) -> impl Iterator<Item = (&'static [u8], Vec<u8>)> {
    let decoded = percent::decode(query);
    let unix = |query: &[u8]| (&b"?"[..], Restricted::Unix.encode(query));
    let windows = |query: &[u8]| (&b"@"[..], Restricted::Windows.encode(query));
    let written = query.as_bytes();
    // A byte that is no control character in the charset may have stayed.
    let slash = decoded.iter().flat_map(|byte| match byte {
        b'/' => &b"%2F"[..],
        byte => std::slice::from_ref(byte),
    });
    let whole = (&b"?"[..], slash.copied().collect());
    [
        whole,
        unix(&decoded),
        unix(written),
        windows(&decoded),
        windows(written),
    ]
    .into_iter()
}

/// The endings of pages that programs make, or that servers make of others, which HTTrack saves as `.html`.
const PAGES: [&[u8]; 14] = [
    b"php", b"php3", b"php4", b"php5", b"phtml", b"shtml", b"asp", b"aspx", b"jsp", b"cgi", b"pl",
    b"cfm", b"nsf", b"dll",
];

/// The names that HTTrack may have made of a path, with these digits for its query.
fn httrack_names(path: &[u8], hash: &str) -> Vec<Vec<u8>> {
    let last = path
        .iter()
        .rposition(|&byte| byte == b'/')
        .map_or(0, |at| at + 1);
    let dot = path[last..].iter().rposition(|&byte| byte == b'.');
    let (stem, ending) = match dot {
        Some(dot) => (&path[..last + dot], Some(&path[last + dot + 1..])),
        None => (path, None),
    };
    let named = |stem: &[u8], ending: Option<&[u8]>| match ending {
        Some(ending) => [stem, hash.as_bytes(), b".", ending].concat(),
        None => [stem, hash.as_bytes()].concat(),
    };
    let html = Some(&b"html"[..]);
    let is_page = ending.is_none_or(|it| {
        let it: Cow<'_, [u8]> = it.to_ascii_lowercase().into();
        it.is_empty() || PAGES.contains(&&*it)
    });
    vec![
        named(stem, ending),
        match is_page {
            true => named(stem, html),
            false => named(path, html),
        },
    ]
}

/// A path without the bytes that HTTrack takes for what some system does not allow.
fn httrack_cleaned(path: &[u8]) -> Vec<u8> {
    let clean = |&byte: &u8| match byte {
        0..0x20 | 0x7F | b'~' | b'\\' | b':' | b'*' | b'?' | b'"' | b'<' | b'>' | b'|' => b'_',
        _ => byte,
    };
    path.iter().map(clean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(how: LocalNames, url: &str) -> Vec<String> {
        let (path, query) = match url.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (url, None),
        };
        let names = how.candidates(path, query, &["index.html".to_owned()]);
        let text = |it: LocalName| String::from_utf8_lossy(&it.path).into_owned();
        names.into_iter().map(text).collect()
    }

    #[test]
    fn raw_is_the_path() {
        assert_eq!(names(LocalNames::Raw, "a/b%20c?q"), ["a/b c", "a/b%20c"]);
        assert_eq!(names(LocalNames::Raw, ""), ["index.html"]);
        assert_eq!(names(LocalNames::Raw, "a/"), ["a/index.html"]);
        // No file has a slash in its name.
        assert_eq!(names(LocalNames::Raw, "a%2Fb"), ["a%2Fb"]);
        let name = &LocalNames::Raw.candidates("x", Some("q"), &[])[0];
        assert!(!name.has_query);
    }

    #[test]
    fn wget_puts_the_query_behind_the_name() {
        let first = |url| names(LocalNames::Wget, url).swap_remove(0);
        assert_eq!(first("x.cgi?25"), "x.cgi?25");
        assert_eq!(first("d/?q=a/b"), "d/index.html?q=a%2Fb");
        assert_eq!(first("d/"), "d/index.html");
        for (url, name) in [
            ("x.cgi?25", "x.cgi?25.html"),
            ("x.cgi?25", "x.cgi@25.html"),
            ("x?a%20b", "x?a b"),
            ("x?a%20b", "x?a%20b"),
            ("x?a:b", "x@a%3Ab"),
            ("page", "page.html"),
            ("style.php?x", "style.php?x.css"),
            ("d?q", "d/index.html?q"),
            ("a%2fb", "a%2Fb"),
            ("%C3%89", "É"),
            ("x?", "x?"),
        ] {
            let names = names(LocalNames::Wget, url);
            assert!(names.iter().any(|it| it == name), "{url}: {names:?}");
        }
        // What a query leads to is another file than what no query leads to.
        assert!(!names(LocalNames::Wget, "x?q").contains(&"x".to_owned()));
    }

    #[test]
    fn httrack_hashes_the_query() {
        // The MD5 of `id=3` begins with these digits.
        assert_eq!(
            names(LocalNames::Httrack, "a/x.php?id=3"),
            ["a/xd708.php", "a/xd708.html"]
        );
        assert_eq!(names(LocalNames::Httrack, "x.php"), ["x.php", "x.html"]);
        assert_eq!(names(LocalNames::Httrack, "x.gif"), ["x.gif", "x.gif.html"]);
        assert_eq!(names(LocalNames::Httrack, "x"), ["x", "x.html"]);
        assert_eq!(names(LocalNames::Httrack, "d/?")[0], "d/indexd41d.html");
        let cleaned = names(LocalNames::Httrack, "~u/a:b.html");
        assert!(cleaned.contains(&"_u/a_b.html".to_owned()));
    }

    #[test]
    fn the_way_back() {
        assert_eq!(LocalNames::Raw.url_path(b"a b/x?25"), "a%20b/x%3F25");
        assert_eq!(
            LocalNames::Wget.url_path(b"a?b/x.cgi?p=a b%2Fc"),
            "a%3Fb/x.cgi?p=a%20b%2Fc"
        );
        assert_eq!(LocalNames::Wget.url_path(b"x.html"), "x.html");
    }
}
