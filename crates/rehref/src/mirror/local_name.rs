//! File names of mirroring tools.

mod httrack;
mod paths;
mod wget;

use std::collections::HashSet;

use paths::{encoded, index_directory, of_pages, plain};

/// The scheme by which the URLs of a site are converted to file names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LocalNames {
    /// The percent-decoded path, without the query.
    #[default]
    Raw,
    /// The names of wget: the path with `?` and the query; for a directory, that of its index file.
    /// Bytes that wget considers dangerous are percent-encoded. Also recognizes the names for
    /// Windows (`@` for `?`), the extensions of `-E`, and `page.html` for `page/`, where a URL
    /// without a final slash was redirected to a directory.
    Wget,
    /// The names of HTTrack: the first four digits of the MD5 of the query before the extension,
    /// `_` for characters that some system does not allow, and an extension for the media type. It
    /// may differ from the URL's if the URL has a query, no extension, or that of a program such as
    /// `.php`; an unknown extension may be replaced by `.html`.
    Httrack,
}

rehref_uri::from_name!(LocalNames);

/// A possible name for the file of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalName {
    /// The path below the root of the tree.
    pub path: Vec<u8>,
    /// True if the query of the URL is part of it.
    pub has_query: bool,
    /// True if `wget -E` added an extension to it.
    pub has_added_ending: bool,
}

impl LocalNames {
    /// All naming schemes.
    pub const ALL: &'static [Self] = &[Self::Raw, Self::Wget, Self::Httrack];

    /// The name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Wget => "wget",
            Self::Httrack => "httrack",
        }
    }

    /// The possible names for the file of a URL, the most likely first. `path` is the path below
    /// the URL of the tree, as written. A path that ends in `/` is a directory, whose index files
    /// have the names `index`; a path without a final slash may be one too.
    ///
    /// Without a query, the first name is the path itself, so that a reference to the exact name of
    /// a file has that file as its target.
    pub fn candidates(self, path: &str, query: Option<&str>, index: &[String]) -> Vec<LocalName> {
        let unchanged = |path| (path, false);
        let paths: Vec<(Vec<u8>, bool)> = match self {
            Self::Raw => {
                let spellings = [plain(path), Some(path.as_bytes().to_vec())];
                let paths = of_pages(spellings.into_iter().flatten(), index);
                paths.map(unchanged).collect()
            }
            Self::Wget => wget::candidates(path, query, index),
            Self::Httrack => {
                let paths = httrack::candidates(path, query, index);
                paths.into_iter().map(unchanged).collect()
            }
        };
        let mut seen = HashSet::new();
        let names = paths.into_iter().filter(|(path, _)| seen.insert(path.clone()));
        let name = |(path, has_added_ending)| LocalName {
            path,
            has_query: self != Self::Raw,
            has_added_ending,
        };
        names.map(name).collect()
    }

    /// Returns true if the extension of a file's name was certainly added by the tool, as in
    /// `x.cgi?25.html`.
    pub(super) fn has_added_ending(self, path: &[u8]) -> bool {
        self == Self::Wget && wget::has_added_ending(path)
    }

    /// The possible URL paths of the page in the file at `path` below the root of its tree, with a
    /// query if the name has one: the inverse of [`candidates`](Self::candidates). The most likely
    /// is the first. Never empty.
    ///
    /// `is_windows` is true for names chosen for Windows, where wget writes `@` for the `?` of a
    /// URL.
    pub fn url_paths(self, path: &[u8], index: &[String], is_windows: bool) -> Vec<String> {
        match self {
            Self::Raw => match index_directory(path, index) {
                Some(directory) => vec![encoded(directory), encoded(path)],
                None => vec![encoded(path)],
            },
            Self::Wget if is_windows => wget::url_paths(path, index, b"?@"),
            Self::Wget => wget::url_paths(path, index, b"?"),
            Self::Httrack => httrack::url_paths(path, index),
        }
    }
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
    fn raw_names_are_paths() {
        assert_eq!(names(LocalNames::Raw, "a/b%20c?q"), ["a/b c", "a/b%20c"]);
        assert_eq!(names(LocalNames::Raw, ""), ["index.html"]);
        assert_eq!(names(LocalNames::Raw, "a/"), ["a/index.html"]);
        // File names contain no slash.
        assert_eq!(names(LocalNames::Raw, "a%2Fb"), ["a%2Fb"]);
        let name = &LocalNames::Raw.candidates("x", Some("q"), &[])[0];
        assert!(!name.has_query);
    }

    #[test]
    fn wget_appends_the_query_to_the_name() {
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
        // A URL with a query has another file than one without.
        assert!(!names(LocalNames::Wget, "x?q").contains(&"x".to_owned()));
    }

    #[test]
    fn wget_saves_a_redirect_to_a_directory_as_a_page() {
        for (url, name) in [
            ("page/", "page.html"),
            ("d/page/?z=1", "d/page?z=1.html"),
            ("page/?z=1", "page/index.html?z=1.html"),
        ] {
            let names = names(LocalNames::Wget, url);
            assert!(names.iter().any(|it| it == name), "{url}: {names:?}");
        }
        // Without `-E` the name is that of the URL without the slash.
        assert_eq!(names(LocalNames::Wget, "page/")[4], "page");
        assert!(!names(LocalNames::Wget, "").contains(&".html".to_owned()));
    }

    /// File names by HTTrack 3.49 for the files of a server.
    #[test]
    fn httrack_hashes_the_query_and_names_the_media_type() {
        for (url, name) in [
            ("t?name=a", "tccfd.png"),
            ("t.php?name=b", "t35df.png"),
            ("t.gif?x=1", "ta255.png"),
            ("i/logo.php", "i/logo.gif"),
            ("i/logo", "i/logo.jpg"),
            ("dl?id=1", "dl681a"),
            ("dl.bin?x", "dl9dd4.bin"),
            ("style?v=1", "style3860.css"),
            ("v1.2", "v1.html"),
            ("v1.2?x", "v19dd4.html"),
            ("x.shtml", "x.html"),
            ("P.PHP?u", "P7b77.html"),
            ("sp%20ace?q=a%20b", "sp aced58e.html"),
            ("q?a=/b/c", "q45b0.html"),
            ("page?z=1", "page/index9360.html"),
            ("page/?z=1", "page/index9360.html"),
            ("a.tar.gz", "a.tar.gzip"),
            ("til~de/~x", "til_de/_x.html"),
            ("col:on", "col_on.html"),
            ("star*", "star_.html"),
            ("u%C3%A9", "ué.html"),
            ("semi;x=1?y", "semi;x=14152.html"),
        ] {
            let names = names(LocalNames::Httrack, url);
            assert!(names.iter().any(|it| it == name), "{url}: {names:?}");
        }
        assert_eq!(names(LocalNames::Httrack, "x.php")[0], "x.php");
        // Another file may have that name: only the mark of a page identifies this one.
        for url in ["x.gif", "x.pdf", "x.json", "x.zip", "x.html", "x.htm"] {
            assert_eq!(names(LocalNames::Httrack, url), [url]);
        }
        assert_eq!(names(LocalNames::Httrack, "x.jpeg"), ["x.jpeg", "x.jpg"]);
        assert_eq!(names(LocalNames::Httrack, "x.v2"), ["x.v2", "x.html"]);
        assert_eq!(names(LocalNames::Httrack, "x")[0], "x");
    }

    #[test]
    fn url_paths_invert_candidates() {
        let paths = |how: LocalNames, path: &str, is_windows| {
            how.url_paths(path.as_bytes(), &["index.html".to_owned()], is_windows)
        };
        for (how, path, expected) in [
            (LocalNames::Raw, "a b/x?25", &["a%20b/x%3F25"][..]),
            (LocalNames::Raw, "a/index.html", &["a/", "a/index.html"]),
            (LocalNames::Raw, "xindex.html", &["xindex.html"]),
            (
                LocalNames::Wget,
                "a?b/x.cgi?p=a b%2Fc",
                &["a%3Fb/x.cgi?p=a%20b%2Fc", "a%3Fb/x.cgi%3Fp=a%20b%252Fc"],
            ),
            (LocalNames::Wget, "x.html", &["x.html", "x", "x/"]),
            (LocalNames::Wget, "x.php.html", &["x.php", "x.php.html"]),
            (LocalNames::Wget, "index.html?p=1", &["?p=1", "index.html?p=1", "index.html%3Fp=1"]),
            (LocalNames::Wget, "d/?x.html", &["d/%3Fx.html", "d/%3Fx", "d/%3Fx/"]),
            (LocalNames::Wget, "logo@2x.png", &["logo@2x.png"]),
            (LocalNames::Httrack, "x.html", &["x.html", "x"]),
            (LocalNames::Httrack, "x9ba9.html", &["x9ba9.html", "x9ba9", "x"]),
            (LocalNames::Httrack, "d/index9ba9.html", &["d/index9ba9.html", "d/index9ba9", "d/"]),
        ] {
            assert_eq!(paths(how, path, false), expected, "{path}");
        }
        let windows = paths(LocalNames::Wget, "d/x.php@p=1.html", true);
        assert_eq!(
            windows,
            ["d/x.php?p=1.html", "d/x.php@p=1.html", "d/x.php@p=1", "d/x.php@p=1/"]
        );
        for (path, expected) in [
            ("@user", &["@user", "@user/"][..]),
            ("logo@2x.png", &["logo@2x.png", "logo?2x.png"]),
            ("index.html@2", &["?2", "index.html?2", "index.html@2"]),
        ] {
            assert_eq!(paths(LocalNames::Wget, path, true), expected);
        }
    }
}
