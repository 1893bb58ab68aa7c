//! A tree of files and the URIs that they have: which file a URI leads to, and which URI a file has.
//!
//! Nothing here touches a file: what there is, a [`Listing`] says, which [`source`](crate::fs::ReadOptions) makes.
//!
//! ```
//! use rehref::site::{Entry, Listing, Located, Site};
//!
//! let listing = Listing::of_files(["index.html", "a b/100%.html"]);
//! let site = Site::new("http://h/docs/", listing, vec!["index.html".into()]);
//!
//! let Located::File(file) = site.locate("http://h/docs/a%20b/100%25.html#top") else { panic!() };
//! assert_eq!(site.listing().name(file), b"a b/100%.html");
//! assert_eq!(site.uri_of(b"a b/100%.html"), "http://h/docs/a%20b/100%25.html");
//!
//! let Located::Folder { index: Some(index), .. } = site.locate("HTTP://h:80/docs/./") else { panic!() };
//! assert_eq!(site.listing().name(index), b"index.html");
//! assert_eq!(site.locate("http://h/docs/none"), Located::Missing);
//! assert_eq!(site.locate("http://h/other"), Located::Outside);
//! ```

pub mod check;
mod crawl_log;
mod listing;
mod local_name;
mod mark_roots;
mod mirror;
mod moves;
mod near;
mod places;
mod saved_from;

use std::borrow::Cow;
use std::sync::Arc;

use crate::bytes::percent;
use crate::uri::{Equivalence, Parts, normalize};

pub use crawl_log::{CrawlLog, CrawlLogError};
pub use listing::{Entry, Id, Listing};
pub use local_name::{LocalName, LocalNames, UnknownLocalNames};
pub use mark_roots::mark_roots;
pub use mirror::{LogFit, Mirror, MirrorCopy, MirrorFile};
pub use moves::{Move, MoveError, Moves};
pub use near::{Near, fold};
pub use saved_from::{MARK_REACH, saved_from};

/// A tree of files that lives under a URL.
#[derive(Debug)]
pub struct Site {
    /// Its URL, which ends in `/`.
    url: String,
    /// The same in the normal form in which URIs are compared.
    normal: String,
    listing: Arc<Listing>,
    /// The names of the files that are shown for a folder, the first before the others.
    index: Vec<String>,
    near: near::Lazy,
}

/// The URL of trees that have none (RFC 2606, section 2).
const PRIVATE: &str = "http://tree.invalid/";

/// Where a URI leads in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Located {
    /// Not into the tree.
    Outside,
    /// To a file.
    File(Id),
    /// To a folder.
    Folder {
        /// The folder.
        folder: Id,
        /// The file that is shown for it, if there is one.
        index: Option<Id>,
        /// Whether the URI has the slash at its end, without which the relative references of the index
        /// file would lead elsewhere.
        slash: bool,
    },
    /// Through a symbolic link out of the tree: nothing is known about it.
    Elsewhere,
    /// Into the tree, but nothing is there.
    Missing,
}

impl Located {
    /// The file that is shown to who goes there.
    pub fn file(self) -> Option<Id> {
        match self {
            Self::File(file) => Some(file),
            Self::Folder { index, .. } => index,
            Self::Outside | Self::Elsewhere | Self::Missing => None,
        }
    }

    /// Whether it leads to a file or a folder of the tree.
    pub fn is_there(self) -> bool {
        matches!(self, Self::File(_) | Self::Folder { .. })
    }

    /// Whether it leads into the tree, and to nothing there.
    pub fn is_missing(self) -> bool {
        self == Self::Missing
    }
}

impl Site {
    /// The tree that `listing` lists, under `url`, which gets a slash at its end if it has none. The files of
    /// folders are those of the names `index`. Several trees may share one listing.
    pub fn new(url: &str, listing: impl Into<Arc<Listing>>, index: Vec<String>) -> Self {
        let url = match url.ends_with('/') {
            true => url.to_owned(),
            false => format!("{url}/"),
        };
        Self {
            normal: normalize(&url, Equivalence::Scheme),
            url,
            listing: listing.into(),
            index,
            near: near::Lazy::default(),
        }
    }

    /// The tree that `listing` lists, which has no URL: it gets one that nobody else has, since there can be no such
    /// host. That must not be written anywhere: see [`Site::is_private`].
    pub fn private(listing: Listing, index: Vec<String>) -> Self {
        Self::new(PRIVATE, listing, index)
    }

    /// Whether a URI is one of a [private](Site::private) tree.
    pub fn is_private(uri: &str) -> bool {
        uri.starts_with(PRIVATE)
    }

    /// The same place and index names with other files.
    pub fn with_listing(&self, listing: Listing) -> Self {
        Self {
            url: self.url.clone(),
            normal: self.normal.clone(),
            listing: listing.into(),
            index: self.index.clone(),
            near: near::Lazy::default(),
        }
    }

    /// Its URL, which ends in `/`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What is in it.
    pub fn listing(&self) -> &Listing {
        &self.listing
    }

    /// Whether a file of this name is shown for its folder.
    pub fn is_index(&self, name: &[u8]) -> bool {
        let last = name.rsplit(|&byte| byte == b'/').next().unwrap_or(name);
        self.index.iter().any(|it| it.as_bytes() == last)
    }

    /// The file that is shown for a folder.
    pub fn index_of(&self, folder: Id) -> Option<Id> {
        let (_, id) = self.index_in(self.listing.name(folder))?;
        Some(id)
    }

    /// The path of the file that is shown for the folder at `path`, through the same symbolic links.
    fn index_path(&self, path: &[u8]) -> Option<Vec<u8>> {
        let (path, _) = self.index_in(path)?;
        Some(path)
    }

    fn index_in(&self, folder: &[u8]) -> Option<(Vec<u8>, Id)> {
        let mut path = folder.to_vec();
        if !path.is_empty() {
            path.push(b'/');
        }
        let start = path.len();
        let id = self.index.iter().find_map(|name| {
            path.truncate(start);
            path.extend_from_slice(name.as_bytes());
            match self.listing.resolved(&path)? {
                (id, Entry::File) => Some(id),
                _ => None,
            }
        })?;
        Some((path, id))
    }

    /// The URI of the file or folder that lies there, whether there is one or not: `path` is below the
    /// tree's folder, with `/` between names. What cannot stand in a URI is percent-encoded.
    pub fn uri_of(&self, path: &[u8]) -> String {
        let mut uri = self.url.clone();
        for (at, name) in path.split(|&byte| byte == b'/').enumerate() {
            if at > 0 {
                uri.push('/');
            }
            percent::encode_path_segment(name, &mut uri);
        }
        uri
    }

    /// Where `uri`, which is absolute, leads. Query and fragment do not matter.
    ///
    /// URIs are compared in their normal form (RFC 3986, section 6.2): case of the host, a default port, dot
    /// segments and needless percent-encoding make no difference. Names are compared by their bytes, percent-
    /// encoding undone once; `//` is as good as `/`, as it is to a file system.
    ///
    /// Costs one look-up where the URI is in normal form, and linear time in it.
    pub fn locate(&self, uri: &str) -> Located {
        match self.path_of(uri) {
            Some(path) => self.locate_path(&path),
            None => Located::Outside,
        }
    }

    /// The path below the tree's folder that `uri` names, if it is under the tree's URL: percent-encoding undone,
    /// and with the slash at its end that the URI has. A segment that no file can be named by, since it has an encoded
    /// `/` or NUL, follows a NUL, percent-encoded as names are.
    pub fn path_of<'u>(&self, uri: &'u str) -> Option<Cow<'u, [u8]>> {
        let rest = match self.rest_of(uri)? {
            Cow::Borrowed(rest) if is_plain(rest) => return Some(Cow::Borrowed(rest.as_bytes())),
            rest => rest,
        };
        let mut path = Vec::with_capacity(rest.len());
        for segment in rest.split('/') {
            // The slash before each name but the first, and none doubled.
            if !path.is_empty() && path.last() != Some(&b'/') {
                path.push(b'/');
            }
            let name = percent::decode(segment);
            // No file has a name with `/` or NUL in it: such a segment stays percent-encoded, and a NUL before it
            // keeps it apart from all names.
            if name.contains(&b'/') || name.contains(&0) {
                let mut encoded = String::new();
                percent::encode_path_segment(&name, &mut encoded);
                path.push(0);
                path.extend_from_slice(encoded.as_bytes());
            } else {
                path.extend_from_slice(&name);
            }
        }
        Some(Cow::Owned(path))
    }

    /// What follows the tree's URL in the path of `uri`: as it is written where that needs no comparing in normal
    /// form.
    fn rest_of<'u>(&self, uri: &'u str) -> Option<Cow<'u, str>> {
        let end = memchr::memchr2(b'?', b'#', uri.as_bytes()).unwrap_or(uri.len());
        let uri = &uri[..end];
        if let Some(rest) = uri.strip_prefix(self.url.as_str())
            && !may_have_dots(rest)
        {
            return Some(Cow::Borrowed(rest));
        }
        let normal = normalize(uri, Equivalence::Scheme);
        match normal.strip_prefix(self.normal.as_str()) {
            Some(rest) => Some(Cow::Owned(rest.to_owned())),
            // The tree's own URL without its slash.
            None if *normal == self.normal[..self.normal.len() - 1] => Some(Cow::Borrowed("")),
            None => None,
        }
    }

    /// `uri` without query and fragment, divided before the first name below the tree's folder, if it is under the
    /// tree's URL. Both parts are spelled as in `uri`, unless dot segments stand between: then in its normal form.
    pub(crate) fn divided<'u>(&self, uri: &'u str) -> Option<(Cow<'u, str>, Cow<'u, str>)> {
        let end = memchr::memchr2(b'?', b'#', uri.as_bytes()).unwrap_or(uri.len());
        let uri = &uri[..end];
        let rest = match self.rest_of(uri)? {
            Cow::Borrowed(rest) => {
                return Some((uri[..uri.len() - rest.len()].into(), rest.into()));
            }
            Cow::Owned(rest) => rest,
        };
        let path = Parts::split(uri).path;
        let depth = Parts::split(&self.url).path.matches('/').count();
        let mut slashes = path.match_indices('/');
        match slashes.nth(depth - 1) {
            Some((at, _)) if !may_have_dots(path) => {
                let (root, rest) = uri.split_at(uri.len() - path.len() + at + 1);
                Some((root.into(), rest.into()))
            }
            _ => Some((self.url.clone().into(), rest.into())),
        }
    }

    /// Whether a relative reference in a document that has this base leads above the tree's directory, as a file system
    /// reads it.
    pub fn is_above(&self, reference: &str, base: Option<&str>) -> bool {
        if !reference.contains("..") {
            return false;
        }
        let parts = Parts::split(reference);
        if parts.scheme.is_some() || parts.authority.is_some() {
            return false;
        }
        // How deep below the tree's directory the one lies that the path begins in.
        let (path, mut depth) = match parts.path.strip_prefix('/') {
            Some(path) => (path, 0),
            None => {
                let levels = |uri| Parts::split(uri).path.matches('/').count();
                let base = base.unwrap_or(&self.url);
                (parts.path, levels(base).saturating_sub(levels(&self.url)))
            }
        };
        for segment in path.split('/') {
            match segment {
                "." => {}
                ".." if depth == 0 => return true,
                ".." => depth -= 1,
                _ => depth += 1,
            }
        }
        false
    }

    /// Where a path below the tree's folder leads; a slash at its end wants a folder.
    pub fn locate_path(&self, path: &[u8]) -> Located {
        let (name, slash) = match path.strip_suffix(b"/") {
            Some(name) => (name, true),
            None => (path, path.is_empty()),
        };
        match self.listing.resolved(name) {
            Some((file, Entry::File)) if !slash => Located::File(file),
            Some((folder, Entry::Folder)) => Located::Folder {
                folder,
                index: self.index_of(folder),
                slash,
            },
            Some((_, Entry::Outside)) => Located::Elsewhere,
            _ => Located::Missing,
        }
    }

    /// The nearest to a path that leads nowhere: see [`Near`].
    pub fn near(&self, path: &[u8]) -> Option<Near> {
        self.near.find(&self.listing, path)
    }
}

/// Whether the rest of a URI is a path below the folder as it stands.
fn is_plain(rest: &str) -> bool {
    let bytes = rest.as_bytes();
    let mut slashes = memchr::memchr2_iter(b'%', b'/', bytes);
    slashes.all(|at| at > 0 && bytes[at] == b'/' && bytes[at - 1] != b'/')
}

/// Whether there may be dot segments in the rest of a URI: a name begins with a dot, or has a percent-encoded one.
fn may_have_dots(rest: &str) -> bool {
    let bytes = rest.as_bytes();
    let mut marks = memchr::memchr2_iter(b'%', b'.', bytes);
    marks.any(|at| match bytes[at] {
        b'%' => matches!(bytes[at + 1..], [b'2', b'e' | b'E', ..]),
        _ => at == 0 || bytes[at - 1] == b'/',
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(url: &str, files: &[&str]) -> Site {
        Site::new(
            url,
            Listing::of_files(files),
            vec!["index.html".into(), "index.htm".into()],
        )
    }

    #[test]
    fn references_that_lead_above_the_root() {
        let site = site("http://h/", &[]);
        let is_above = |reference| site.is_above(reference, Some("http://h/a/b/c.html?x/y"));
        for within in [
            "x",
            "../../x",
            "../..",
            "../x/../../y",
            "/x/..",
            "a..b/../x",
            "//h/../x",
        ] {
            assert!(!is_above(within), "{within}");
        }
        for above in [
            "../../../x",
            "../../..",
            "/..",
            "/x/../../y",
            "../x/../../../y?z",
        ] {
            assert!(is_above(above), "{above}");
        }
    }

    #[test]
    fn a_uri_is_divided_as_it_is_written() {
        let site = site("http://h/d/", &[]);
        let divided = |uri| {
            let (root, rest) = site.divided(uri)?;
            Some((root.into_owned(), rest.into_owned()))
        };
        for (uri, root, rest) in [
            ("http://h/d/a%2fb//c?q", "http://h/d/", "a%2fb//c"),
            ("http://h/d", "http://h/d", ""),
            ("HTTP://H:80/%64/a%2fb/#f", "HTTP://H:80/%64/", "a%2fb/"),
            ("http://h/d/x/../a%2fb", "http://h/d/", "a%2Fb"),
        ] {
            assert_eq!(divided(uri), Some((root.into(), rest.into())), "{uri}");
        }
        assert_eq!(divided("http://h/da"), None);
    }

    #[test]
    fn every_name_has_a_uri_that_leads_to_it() {
        let mut names: Vec<Vec<u8>> = [
            "a b", "100%", "x#1", "q?a=b", "p;v=1", "c:d", "..a", "~", "%41",
        ]
        .iter()
        .map(|name| name.as_bytes().to_vec())
        .collect();
        names.extend([
            "é/日本".into(),
            "e\u{301}".into(),
            b"latin-\xE9".to_vec(),
            b"[x]\"<>\\`{|}^".to_vec(),
            b"\n\t\x7F".to_vec(),
        ]);
        let site = Site::new("http://h/~d/x%20y/", Listing::of_files(&names), Vec::new());
        for name in &names {
            let uri = site.uri_of(name);
            let Located::File(file) = site.locate(&uri) else {
                panic!("{uri} leads nowhere")
            };
            assert_eq!(site.listing().name(file), &**name, "{uri}");
            let file = Located::File(file);
            assert_eq!(site.locate(&format!("{uri}?q/../#f")), file);
            assert_eq!(site.locate(&uri.replace("~d/x", "%7ed/y/.%2e/%78")), file);
        }
    }

    #[test]
    fn folders_and_their_index_files() {
        let site = site("http://h", &["index.html", "a/index.htm", "b/c/d"]);
        let name = |id: Id| String::from_utf8_lossy(site.listing().name(id)).into_owned();
        let found = |uri| match site.locate(uri) {
            Located::Folder {
                folder,
                index,
                slash,
            } => (name(folder), index.map(name).unwrap_or_default(), slash),
            other => panic!("{uri}: {other:?}"),
        };
        let answer =
            |folder: &str, index: &str, slash| (folder.to_owned(), index.to_owned(), slash);
        assert_eq!(found("http://h"), answer("", "index.html", true));
        assert_eq!(found("http://H:80/"), answer("", "index.html", true));
        assert_eq!(found("http://h/a"), answer("a", "a/index.htm", false));
        assert_eq!(found("http://h/a/?q"), answer("a", "a/index.htm", true));
        assert_eq!(found("http://h//b/./c/"), answer("b/c", "", true));
        for missing in [
            "http://h/b/c/d/",
            "http://h/x",
            "http://h/b%2Fc",
            "http://h/index.html/",
        ] {
            assert_eq!(site.locate(missing), Located::Missing, "{missing}");
        }
        for outside in [
            "https://h/a",
            "http://h.example/",
            "mailto:a@h",
            "a",
            "http://h:8080/",
        ] {
            assert_eq!(site.locate(outside), Located::Outside, "{outside}");
        }
        assert!(site.is_index(b"x/index.htm") && !site.is_index(b"x/xindex.htm"));
    }

    #[test]
    fn a_prefix_of_a_name_is_not_under_the_url() {
        let site = site("http://h/docs", &["a"]);
        assert_eq!(site.url(), "http://h/docs/");
        assert_eq!(site.locate("http://h/docsa"), Located::Outside);
        assert!(matches!(
            site.locate("http://h/docs"),
            Located::Folder { .. }
        ));
        assert_eq!(site.locate("http://h/docs/../a"), Located::Outside);
    }
}
