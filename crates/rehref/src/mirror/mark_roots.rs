//! Root directories of copies of sites, from marks in their pages.

use std::collections::BTreeMap;

use crate::bytes::percent;
use crate::uri::Parts;

/// Finds the root directories of copies of sites, each with the URL of its site, from the paths of
/// pages and their marks (`saved_from`). A URL has no scheme if the marks have none.
///
/// Programs such as HTTrack keep the directories of a URL, so the root is above the directories
/// that the path and the URL have in common. The majority of pages decides. Browsers save pages
/// anywhere, so the root of a site is then the deepest directory that contains all of its pages.
///
/// ```
/// use rehref::mirror::mark_roots;
///
/// let pages: [(&[u8], &str); 3] = [
///     (b"copy/a.example/index.html", "a.example/"),
///     (b"copy/a.example/d/x.html", "a.example/d/x.php"),
///     (b"saved/Title.html", "https://b.example/news/1"),
/// ];
/// let found = mark_roots(pages);
/// assert_eq!(found[0], ("a.example/".to_owned(), b"copy/a.example".to_vec()));
/// assert_eq!(found[1], ("https://b.example/".to_owned(), b"saved".to_vec()));
/// ```
pub fn mark_roots<'p>(
    pages: impl IntoIterator<Item = (&'p [u8], &'p str)>,
) -> Vec<(String, Vec<u8>)> {
    let mut sites: BTreeMap<String, Vec<(&[u8], &str)>> = BTreeMap::new();
    for (path, mark) in pages {
        let (site, rest) = match Parts::split(mark) {
            Parts { scheme: Some(scheme), authority: Some(authority), path, .. } => {
                (format!("{scheme}://{authority}/"), path)
            }
            _ => {
                let end = mark.find(['/', '?', '#']).unwrap_or(mark.len());
                let rest = &mark[end..];
                let path = rest.find(['?', '#']).map_or(rest, |at| &rest[..at]);
                (format!("{}/", &mark[..end]), path)
            }
        };
        sites.entry(site).or_default().push((path, rest));
    }
    let root = |(site, pages): (String, Vec<(&[u8], &str)>)| {
        let keeps_directories = Parts::split(&site).authority.is_none();
        let directory = match keeps_directories {
            true => directory_by_votes(&pages),
            false => common_directory(&pages),
        };
        (site, directory)
    };
    sites.into_iter().map(root).collect()
}

/// The directories of a path, without its last name.
fn directories_in(path: &[u8]) -> Vec<&[u8]> {
    let mut names: Vec<&[u8]> = path.split(|&byte| byte == b'/').collect();
    names.pop();
    names
}

fn directory_by_votes(pages: &[(&[u8], &str)]) -> Vec<u8> {
    let mut votes: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    for (path, rest) in pages {
        let directories = directories_in(path);
        let of_url = directories_in(rest.strip_prefix('/').unwrap_or(rest).as_bytes());
        let pairs = directories.iter().rev().zip(of_url.iter().rev());
        let is_same = |(name, of_url): &(&&[u8], &&[u8])| {
            let decoded = std::str::from_utf8(of_url).map(percent::decode);
            name == of_url
                || decoded.is_ok_and(|decoded| {
                    // HTTrack writes `_` for `~`.
                    let pairs = || name.iter().zip(&*decoded);
                    name.len() == decoded.len()
                        && pairs().all(|(a, b)| a == b || (*a, *b) == (b'_', b'~'))
                })
        };
        let common = pairs.take_while(is_same).count();
        let root = directories[..directories.len() - common].join(&b'/');
        *votes.entry(root).or_default() += 1;
    }
    let most = votes.into_iter().rev().max_by_key(|&(_, votes)| votes);
    most.map_or_else(Vec::new, |(directory, _)| directory)
}

fn common_directory(pages: &[(&[u8], &str)]) -> Vec<u8> {
    let mut directories = pages.iter().map(|(path, _)| directories_in(path));
    let mut common = directories.next().unwrap_or_default();
    for other in directories {
        let pairs = common.iter().zip(&other);
        common.truncate(pairs.take_while(|(a, b)| a == b).count());
    }
    common.join(&b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_majority_of_pages_decides_the_root() {
        let pages = [
            ("web/a/index.html", "a/"),
            ("web/a/x/index.html", "a/x/"),
            ("web/a/b%20c/y.html", "a/b%20c/y"),
            ("web/a/b c/z.html", "a/b%20c/z"),
            ("web/a/list-2.html", "a/x/list.php?p=/1/2"),
            ("web/b/index.html", "b:8080/"),
            ("web/c/_ada/index.html", "c/~ada/"),
        ];
        let found = mark_roots(pages.map(|(path, mark)| (path.as_bytes(), mark)));
        let expected = [("a/", "web/a"), ("b:8080/", "web/b"), ("c/", "web/c")];
        let expected = expected.map(|(url, path)| (url.to_owned(), path.as_bytes().to_vec()));
        assert_eq!(found, expected);
        assert_eq!(mark_roots([]), []);
    }

    #[test]
    fn pages_saved_by_browsers_may_be_anywhere() {
        let pages = [("x/One.html", "https://h/a/1"), ("x/y/Two.html", "https://h/a/2")];
        let found = mark_roots(pages.map(|(path, mark)| (path.as_bytes(), mark)));
        assert_eq!(found, [("https://h/".to_owned(), b"x".to_vec())]);
    }
}
