//! Names of HTTrack: four digits of a hash of the query before the extension, and the extension of
//! the media type.

use super::paths::{PROGRAMS, encoded, index_directory, is_directory, of_pages, plain};

/// The number of digits of the hash in a name.
const HASH: usize = 4;

/// The extensions with which HTTrack 3.49 replaces others, by the media type that the server sends.
/// For other media types the extension of the name is unchanged, or missing.
const ENDINGS: [&str; 37] = [
    "html", "png", "jpg", "gif", "svg", "ico", "css", "js", "json", "pdf", "bmp", "tiff", "txt",
    "xml", "zip", "gzip", "gz", "tar", "rar", "doc", "xls", "ppt", "rtf", "ps", "swf", "mp3",
    "mp4", "ogg", "wav", "mid", "avi", "mov", "mpg", "mpeg", "wmv", "jar", "class",
];

/// The possible names for the file of a URL, the most likely first.
pub(super) fn candidates(path: &str, query: Option<&str>, index: &[String]) -> Vec<Vec<u8>> {
    let hash = query.map(|query| format!("{:x}", md5::compute(query)));
    let hash = hash.as_ref().map_or("", |hash| &hash[..HASH]);
    let mut names = Vec::new();
    let mut add = |path: &str| {
        let spellings =
            [plain(path), plain(path).map(|it| cleaned(&it)), Some(cleaned(path.as_bytes()))];
        for path in of_pages(spellings.into_iter().flatten(), index) {
            names.extend(with_endings(&path, hash, query.is_some()));
        }
    };
    add(path);
    // The server redirected it to the directory.
    if query.is_some() && !is_directory(path) {
        add(&format!("{path}/"));
    }
    names
}

/// Extensions of the same media type.
const SAME: [[&str; 2]; 5] =
    [["gz", "gzip"], ["jpeg", "jpg"], ["midi", "mid"], ["mpeg", "mpg"], ["tif", "tiff"]];

/// The path with each extension that HTTrack may have given it. A query makes the name unique.
/// Without a query, a name with another extension may be that of another URL: `report.html` is not
/// the copy of `report.pdf`.
fn with_endings(path: &[u8], hash: &str, has_query: bool) -> impl Iterator<Item = Vec<u8>> {
    let (stem, ending) = divided(path);
    let stem = [stem, hash.as_bytes()].concat();
    let own = ending.map(|ending| [&*stem, b".", ending].concat());
    let is_program = |it: &[u8]| PROGRAMS.iter().any(|name| &name.as_bytes()[1..] == it);
    let is_static = |it: &[u8]| {
        let known = ENDINGS.iter().chain(SAME.as_flattened());
        it == b"htm" || known.into_iter().any(|name| name.as_bytes() == it)
    };
    let takes_any = has_query || ending.is_none_or(is_program);
    let takes_html = takes_any || ending.is_some_and(|it| !is_static(it));
    let is_alias = |it: &str| {
        let same = SAME.iter().find(|same| same.contains(&it));
        same.is_some_and(|same| same.iter().any(|it| ending == Some(it.as_bytes())))
    };
    let replaced = ENDINGS.into_iter().filter(|&it| match it {
        "html" => takes_html,
        _ => takes_any || is_alias(it),
    });
    let replaced: Vec<Vec<u8>> =
        replaced.map(|ending| [&*stem, b".", ending.as_bytes()].concat()).collect();
    let bare = takes_any.then_some(stem);
    own.into_iter().chain(bare).chain(replaced)
}

/// Splits a path before its extension, without the dot.
fn divided(path: &[u8]) -> (&[u8], Option<&[u8]>) {
    let last = path.iter().rposition(|&byte| byte == b'/');
    let last = last.map_or(0, |at| at + 1);
    match path[last..].iter().rposition(|&byte| byte == b'.') {
        Some(dot) => (&path[..last + dot], Some(&path[last + dot + 1..])),
        None => (path, None),
    }
}

/// The path with the bytes replaced that some system does not allow.
fn cleaned(path: &[u8]) -> Vec<u8> {
    let clean = |&byte: &u8| match byte {
        0..0x20 | 0x7F | b'~' | b'\\' | b':' | b'*' | b'?' | b'"' | b'<' | b'>' | b'|' => b'_',
        _ => byte,
    };
    path.iter().map(clean).collect()
}

/// The possible URL paths of the page with this name, the most likely first.
pub(super) fn url_paths(path: &[u8], index: &[String]) -> Vec<String> {
    if let Some(directory) = index_directory(path, index) {
        return vec![encoded(directory), encoded(path)];
    }
    let mut paths = vec![encoded(path)];
    let (stem, ending) = divided(path);
    if ending == Some(b"html") {
        let is_hash = |it: &[u8]| it.iter().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'));
        paths.push(encoded(stem));
        if let Some((before, hash)) = stem.split_last_chunk::<HASH>()
            && is_hash(hash)
            && !before.is_empty()
            && !before.ends_with(b"/")
        {
            let page = [before, b".html"].concat();
            paths.push(match index_directory(&page, index) {
                Some(directory) => encoded(directory),
                None => encoded(before),
            });
        }
    }
    paths
}
