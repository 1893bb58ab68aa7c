//! Paths of files and of URLs.

use crate::bytes::percent;

/// Extensions of programs, for which servers send pages.
pub(super) const PROGRAMS: [&str; 10] =
    [".php", ".phtml", ".shtml", ".asp", ".aspx", ".jsp", ".cgi", ".pl", ".py", ".cfm"];

/// Percent-encodes a path of file names.
pub(super) fn encoded(path: &[u8]) -> String {
    let mut url = String::new();
    for (at, name) in path.split(|&byte| byte == b'/').enumerate() {
        if at > 0 {
            url.push('/');
        }
        percent::encode_path_segment(name, &mut url);
    }
    url
}

/// The directory, with its slash, whose index file is at `path`.
pub(super) fn index_directory<'p>(path: &'p [u8], index: &[String]) -> Option<&'p [u8]> {
    let directory = |name: &String| path.strip_suffix(name.as_bytes());
    let mut found = index.iter().filter_map(directory);
    found.find(|it| it.is_empty() || it.ends_with(b"/"))
}

/// Returns true for the path of a directory, by its final slash.
pub(super) fn is_directory(path: &str) -> bool {
    path.is_empty() || path.ends_with('/')
}

/// The paths of files. The path of a directory is replaced by those of its index files.
pub(super) fn of_pages(
    paths: impl IntoIterator<Item = Vec<u8>>,
    index: &[String],
) -> impl Iterator<Item = Vec<u8>> {
    paths.into_iter().flat_map(move |path| {
        let is_directory = path.is_empty() || path.ends_with(b"/");
        let pages: Vec<Vec<u8>> = match is_directory {
            true => index.iter().map(|name| [&path, name.as_bytes()].concat()).collect(),
            false => vec![path],
        };
        pages
    })
}

/// Percent-decodes a path. `None` if a name would contain `/` or NUL.
pub(super) fn plain(path: &str) -> Option<Vec<u8>> {
    let mut plain = Vec::with_capacity(path.len());
    for segment in segments(path) {
        let name = percent::decode(segment);
        if name.contains(&b'/') || name.contains(&0) {
            return None;
        }
        plain.extend_from_slice(&name);
        plain.push(b'/');
    }
    if !is_directory(path) {
        plain.pop();
    }
    Some(plain)
}

/// The names of a path. `//` is equivalent to `/`.
pub(super) fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|it| !it.is_empty())
}
