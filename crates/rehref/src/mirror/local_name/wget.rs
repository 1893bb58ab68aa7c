//! Names of wget: the path, `?`, and the query.

use super::paths::{PROGRAMS, encoded, index_directory, is_directory, of_pages, plain, segments};
use crate::bytes::percent;

/// The extensions that `wget -E` adds to names of pages and style sheets.
const ENDINGS: [&str; 3] = ["", ".html", ".css"];

/// The possible names for the file of a URL, the most likely first.
///
/// The second value is true if `-E` added an extension.
pub(super) fn candidates(
    path: &str,
    query: Option<&str>,
    index: &[String],
) -> Vec<(Vec<u8>, bool)> {
    let mut names = Vec::new();
    let Some(query) = query else {
        for path in of_pages(spellings(path), index) {
            names.extend(ENDINGS.map(|ending| with_ending(&[&path], ending)));
        }
        if let Some(page) = path.strip_suffix('/').filter(|it| !it.is_empty()) {
            names.extend(spellings(page).map(|it| redirected(&it, None)));
            names.extend(spellings(page).map(|it| (it, false)));
        }
        return names;
    };
    let mut add = |paths: &mut dyn Iterator<Item = Vec<u8>>| {
        for path in paths {
            for (mark, query) in queries(query) {
                names.extend(ENDINGS.map(|it| with_ending(&[&path, mark, &query], it)));
            }
        }
    };
    add(&mut of_pages(spellings(path), index));
    // The server redirected it to the directory.
    if !is_directory(path) {
        add(&mut of_pages(spellings(&format!("{path}/")), index));
    }
    if let Some(page) = path.strip_suffix('/').filter(|it| !it.is_empty()) {
        for (mark, query) in queries(query) {
            let marked = Some((mark, &*query));
            names.extend(spellings(page).map(|it| redirected(&it, marked)));
            let name = |page: Vec<u8>| ([&page, mark, &query].concat(), false);
            names.extend(spellings(page).map(name));
        }
    }
    names
}

/// The name by `wget -E` for the page of a directory, if a URL without the final slash was
/// redirected to it.
fn redirected(page: &[u8], query: Option<(&[u8], &[u8])>) -> (Vec<u8>, bool) {
    let (mark, query) = query.unwrap_or_default();
    with_ending(&[page, mark, query], ".html")
}

fn with_ending(name: &[&[u8]], ending: &str) -> (Vec<u8>, bool) {
    let name = [&name.concat(), ending.as_bytes()].concat();
    (name, !ending.is_empty())
}

/// Returns true if `-E` has certainly added the extension of this name: after a query, or after the
/// extension of a program.
pub(super) fn has_added_ending(path: &[u8]) -> bool {
    let Some(page) = path.strip_suffix(b".html") else {
        return false;
    };
    let last = path.iter().rposition(|&byte| byte == b'/');
    let name = &page[last.map_or(0, |at| at + 1)..];
    let has_query = name.iter().position(|&byte| byte == b'?').is_some_and(|at| at > 0);
    has_query || PROGRAMS.iter().any(|it| name.ends_with(it.as_bytes()))
}

/// The URL paths, with their queries, that the page of this name may have, the likeliest first.
/// `marks` are the bytes that wget may have written for the `?` of a URL.
pub(super) fn url_paths(path: &[u8], index: &[String], marks: &[u8]) -> Vec<String> {
    let last = path.iter().rposition(|&byte| byte == b'/');
    let last = last.map_or(0, |at| at + 1);
    let mark = path[last..].iter().position(|byte| marks.contains(byte));
    // The name of a page precedes its query.
    let Some(mark) = mark.filter(|&at| at > 0).map(|at| last + at) else {
        return url_paths_without_query(path, index);
    };
    let (page, query) = (&path[..mark], query_of(&path[mark + 1..]));
    let directory = index_directory(page, index).map(encoded);
    // An `@` may also be part of the name, as in `logo@2x.html`.
    let is_likely = path[mark] == b'?'
        || directory.is_some()
        || page[last..].contains(&b'.')
        || query.contains('=');
    let pages = directory.into_iter().chain([encoded(page)]);
    let mut paths: Vec<String> = pages.map(|path| format!("{path}?{query}")).collect();
    paths.extend(url_paths_without_query(path, index));
    if !is_likely {
        paths.rotate_left(1);
    }
    paths
}

fn url_paths_without_query(path: &[u8], index: &[String]) -> Vec<String> {
    if let Some(directory) = index_directory(path, index) {
        return vec![encoded(directory), encoded(path)];
    }
    let whole = encoded(path);
    match whole.strip_suffix(".html").filter(|it| !it.ends_with('/')) {
        // The page of a program, to whose name `-E` added an extension.
        Some(page) if PROGRAMS.iter().any(|it| page.ends_with(it)) => {
            vec![page.to_owned(), whole]
        }
        Some(page) => vec![whole.clone(), page.to_owned(), format!("{page}/")],
        // The page of a directory, to which a URL without the final slash was redirected.
        None if has_no_ending(&whole) => vec![whole.clone(), format!("{whole}/")],
        None => vec![whole],
    }
}

fn has_no_ending(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    !name.is_empty() && !name.contains('.')
}

/// The query of a URL, from the part of a file name after its mark.
fn query_of(name: &[u8]) -> String {
    let mut query = String::new();
    for &byte in name {
        match byte {
            // Percent-encoded bytes of the name were so in the URL.
            b'%' | b'/' | b'?' => query.push(char::from(byte)),
            _ => percent::encode_path_segment(&[byte], &mut query),
        }
    }
    query
}

/// The bytes that wget percent-encodes in names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Restricted {
    /// On Unix: control characters of ASCII and ISO 8859-1, in every charset.
    Unix,
    /// On Windows: also the characters that Windows does not allow.
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

/// The possible spellings of a path by wget.
fn spellings(path: &str) -> impl Iterator<Item = Vec<u8>> + use<> {
    let restricted = |how: Restricted| {
        let names = segments(path).map(|it| how.encode(&percent::decode(it)));
        let mut path_of_names = names.collect::<Vec<_>>().join(&b'/');
        if is_directory(path) && !path_of_names.is_empty() {
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

/// The possible spellings of a query by wget, with the mark before it.
fn queries(query: &str) -> impl Iterator<Item = (&'static [u8], Vec<u8>)> {
    let decoded = percent::decode(query);
    let unix = |query: &[u8]| (&b"?"[..], Restricted::Unix.encode(query));
    let windows = |query: &[u8]| (&b"@"[..], Restricted::Windows.encode(query));
    let written = query.as_bytes();
    // A byte that is not a control character in the charset may be unchanged.
    let slash = decoded.iter().flat_map(|byte| match byte {
        b'/' => &b"%2F"[..],
        byte => std::slice::from_ref(byte),
    });
    let whole = (&b"?"[..], slash.copied().collect());
    [whole, unix(&decoded), unix(written), windows(&decoded), windows(written)].into_iter()
}
