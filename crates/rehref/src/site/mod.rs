//! A tree of files and its URLs: finds the file of a URI, and the URI of a file.
//!
//! To check the links of a directory, use the job [`Check`](crate::jobs::Check). To move files or
//! convert a mirror, use [`Relocate`](crate::jobs::Relocate) or [`Rewrite`](crate::jobs::Rewrite).
//!
//! # Inside
//!
//! This module accesses no file. A listing has the files of the tree. It finds the file of a URI:
//!
//! ```
//! use rehref::listing::{Entry, Listing};
//! use rehref::site::{Located, Site};
//!
//! let listing = Listing::of_files(["index.html", "a b/100%.html"]);
//! let site = Site::new("http://h/docs/", listing, vec!["index.html".into()]);
//!
//! let Located::File(file) = site.locate("http://h/docs/a%20b/100%25.html#top") else { panic!() };
//! assert_eq!(site.listing().name(file), b"a b/100%.html");
//! assert_eq!(site.uri_of(b"a b/100%.html"), "http://h/docs/a%20b/100%25.html");
//!
//! let Located::Directory { index: Some(index), .. } = site.locate("HTTP://h:80/docs/./") else { panic!() };
//! assert_eq!(site.listing().name(index), b"index.html");
//! assert_eq!(site.locate("http://h/docs/none"), Located::Missing);
//! assert_eq!(site.locate("http://h/other"), Located::Outside);
//! ```
//!
//! - **A listing and a URL** (`Site`): paths are bytes with `/` between names, URIs are compared in
//!   normal form, and one look-up finds the file of a URI. `//` is equivalent to `/`, and symbolic
//!   links are followed within the listing. To check that a link works before and after a move, use
//!   two sites with two listings.

mod bare_page;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use crate::bytes::percent;
use crate::docs_site::{self, DocsSites, PageIndex, PageLookup, PageTarget, SitePages};
use crate::link::{MarkdownForm, PRIVATE_URL, ParsedLink, is_private};
use crate::listing::{Entry, Id, Listing, Near, NearIndex};
use crate::uri::{Equivalence, Parts, normalize};

pub use bare_page::{bare_page, bare_pages, served_page, served_paths, without_extension};

/// The usual names of index files, by precedence.
pub(crate) const INDEX_FILES: [&str; 2] = ["index.html", "index.htm"];

/// A tree of files under a URL.
#[derive(Debug)]
pub struct Site {
    /// The URL of the tree, which ends in `/`.
    url: String,
    /// The URL in the normal form in which URIs are compared.
    normal: String,
    listing: Arc<Listing>,
    /// The names of index files, by precedence.
    index: Vec<String>,
    near: NearIndex,
    layouts: Arc<DocsSites>,
    pages: OnceLock<PageIndex>,
}

/// The target of a URI in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Located {
    /// Outside of the tree.
    Outside,
    /// A file.
    File(Id),
    /// A directory.
    Directory {
        /// The directory.
        directory: Id,
        /// The index file, if it exists.
        index: Option<Id>,
        /// True if the URI has a final slash. Without it, relative references of the index file
        /// would have other targets.
        slash: bool,
    },
    /// Outside of the tree by a symbolic link, with unknown content.
    Elsewhere,
    /// In the tree, but missing.
    Missing,
}

impl Located {
    /// The file that a server would return: the file itself, or the index file of a directory.
    pub fn file(self) -> Option<Id> {
        match self {
            Self::File(file) => Some(file),
            Self::Directory { index, .. } => index,
            Self::Outside | Self::Elsewhere | Self::Missing => None,
        }
    }

    /// Returns true for a file or a directory of the tree.
    pub fn exists(self) -> bool {
        matches!(self, Self::File(_) | Self::Directory { .. })
    }

    /// Returns true for a missing file.
    pub fn is_missing(self) -> bool {
        self == Self::Missing
    }
}

impl Site {
    /// A tree with this listing and URL, which gets a final slash if it has none. `index` has the
    /// names of index files. Trees may share a listing.
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
            near: NearIndex::default(),
            layouts: Arc::default(),
            pages: OnceLock::new(),
        }
    }

    /// The tree with these documentation sites in it.
    #[must_use]
    pub fn with_layouts(self, layouts: DocsSites) -> Self {
        Self { layouts: Arc::new(layouts), pages: OnceLock::new(), ..self }
    }

    /// The documentation sites in the tree.
    pub fn layouts(&self) -> &DocsSites {
        &self.layouts
    }

    /// The pages of the documentation sites. `None` without sites.
    pub(crate) fn pages(&self) -> Option<SitePages<'_>> {
        (!self.layouts.is_empty()).then(|| self.all_pages())
    }

    /// The pages of the documentation sites, and the files of the tree by name.
    pub(crate) fn all_pages(&self) -> SitePages<'_> {
        let index = || PageIndex::new(&self.layouts, &self.listing);
        SitePages {
            layouts: &self.layouts,
            index: self.pages.get_or_init(index),
            listing: &self.listing,
        }
    }

    /// A tree with this listing and no URL. It gets a URL whose host cannot exist, which must never
    /// be written to a document: see [`PRIVATE_URL`].
    pub fn private(listing: Listing, index: Vec<String>) -> Self {
        Self::new(PRIVATE_URL, listing, index)
    }

    /// A tree with the same URL and index names, and another listing.
    pub fn with_listing(&self, listing: Listing) -> Self {
        Self {
            url: self.url.clone(),
            normal: self.normal.clone(),
            listing: listing.into(),
            index: self.index.clone(),
            near: NearIndex::default(),
            layouts: Arc::clone(&self.layouts),
            pages: OnceLock::new(),
        }
    }

    /// A reference to the URL of the tree as one from its root. Any other reference is unchanged.
    pub(crate) fn local_reference<'r>(&self, reference: &'r str) -> &'r str {
        let origin = self.url.strip_suffix('/').unwrap_or(&self.url);
        let path = Parts::split(origin).path;
        let is_below = |rest: &&str| rest.starts_with('/');
        let of_tree = |begin: &str| reference.strip_prefix(begin).filter(is_below);
        match path.is_empty() {
            true => of_tree(origin).unwrap_or(reference),
            false => of_tree(origin).or_else(|| of_tree(path)).unwrap_or(reference),
        }
    }

    /// A URI below the URL of the tree as a reference from the root of the tree.
    pub(crate) fn reference_of(&self, uri: &str) -> Option<String> {
        let rest = self.rest_of(uri)?;
        let end = uri.find(['?', '#']).unwrap_or(uri.len());
        Some(format!("/{rest}{}", &uri[end..]))
    }

    /// The target of a reference of the document at a path, by the rules of its site. `None` if the
    /// reference names a file as written, or if it has no such target. A path from the root of the
    /// site need not be one from the root of the tree.
    pub(crate) fn page_target(
        &self,
        document: &[u8],
        reference: &str,
        uri: &str,
    ) -> Option<PageTarget> {
        let pages = self.pages()?;
        let local = self.local_reference(reference);
        let names_file = || {
            let is_file = matches!(self.locate(uri), Located::File(_) | Located::Outside);
            is_file && !(is_private(uri) && self.is_above(reference, Some(&self.uri_of(document))))
        };
        if !local.starts_with('/') && names_file() {
            return None;
        }
        match pages.find(document, local) {
            PageLookup::Found(found) => Some(found),
            _ => None,
        }
    }

    /// The file that `[[target]]` in the document at a path refers to.
    pub fn file_of_wiki_link(&self, document: &[u8], target: &str) -> Option<Id> {
        Some(self.path_target(document, MarkdownForm::Wiki, target)?.file)
    }

    /// Looks up a link of this form, whose text is a path and not a URL.
    pub(crate) fn path_lookup(
        &self,
        document: &[u8],
        form: MarkdownForm,
        text: &str,
    ) -> PageLookup {
        docs_site::named_by(self.all_pages(), form, document, text)
    }

    /// The file that a link of this form, whose text is a path and not a URL, refers to.
    pub(crate) fn path_target(
        &self,
        document: &[u8],
        form: MarkdownForm,
        text: &str,
    ) -> Option<PageTarget> {
        match self.path_lookup(document, form, text) {
            PageLookup::Found(found) => Some(found),
            _ => None,
        }
    }

    /// The path that a construct names outside of the tree: see `layout::outside`.
    pub(crate) fn path_outside(
        &self,
        form: MarkdownForm,
        document: &[u8],
        text: &str,
    ) -> Option<Vec<u8>> {
        docs_site::outside(&self.layouts, form, document, text)
    }

    /// The text of a construct whose path is above the tree, for its document at `new`: see
    /// `layout::respelled_above`.
    pub(crate) fn path_above(
        form: MarkdownForm,
        document: &[u8],
        new: &[u8],
        text: &str,
    ) -> Option<String> {
        docs_site::respelled_above(form, document, new, text)
    }

    /// The file that a path in the front matter names from the root of its site, without a slash,
    /// as themes read it.
    pub(crate) fn page_from_root(
        &self,
        file: Id,
        link: &ParsedLink<'_>,
        base: Option<&str>,
    ) -> Option<Id> {
        if !link.is_front_matter() || link.reference.starts_with('/') {
            return None;
        }
        match self.page_lookup(file, &format!("/{}", link.reference), base) {
            PageLookup::Found(found) => Some(found.file),
            _ => None,
        }
    }

    /// The file that a reference of the document at a path names by the rules of its site, or
    /// literally. `None` without sites.
    pub fn file_named(&self, document: &[u8], reference: &str) -> Option<Id> {
        self.pages()?.target(document, self.local_reference(reference))
    }

    /// Returns true if the fragment of a link in the document `file` may refer to a heading. In a
    /// repository it may be lines of a file.
    pub(crate) fn may_name_heading(&self, file: Id, link: &ParsedLink<'_>, fragment: &str) -> bool {
        let name = self.listing.name(file);
        self.layouts.may_name_heading(name, link, fragment)
    }

    /// Returns true if the program of its site does not accept a link of the document `file`.
    pub(crate) fn rejects(&self, file: Id, link: &ParsedLink<'_>) -> bool {
        self.pages().is_some_and(|pages| pages.rejects(self.listing.name(file), link))
    }

    /// Returns true if a link in the document `file` is relative to each of the pages that the
    /// document is a part of.
    pub(crate) fn is_of_pages(&self, file: Id, link: &ParsedLink<'_>) -> bool {
        !link.reference.starts_with('/') && self.layouts.has_part(self.listing.name(file))
    }

    /// Looks up a reference of the document `file` by the rules of its site, if it is relative to
    /// the URL of the document.
    pub(crate) fn page_lookup(&self, file: Id, reference: &str, base: Option<&str>) -> PageLookup {
        let name = self.listing.name(file);
        match self.pages() {
            Some(pages) if base == Some(&*self.uri_of(name)) => {
                pages.find(name, self.local_reference(reference))
            }
            _ => PageLookup::Missing,
        }
    }

    /// The URL of the tree, which ends in `/`.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The listing of the tree.
    pub fn listing(&self) -> &Arc<Listing> {
        &self.listing
    }

    /// Returns true for the name of an index file.
    pub fn is_index(&self, name: &[u8]) -> bool {
        let last = name.rsplit(|&byte| byte == b'/').next().unwrap_or(name);
        self.index.iter().any(|it| it.as_bytes() == last)
    }

    /// The URL in the normal form in which URIs are compared.
    pub(crate) fn normal_url(&self) -> &str {
        &self.normal
    }

    /// The names of index files, by precedence.
    pub(crate) fn index_list(&self) -> &[String] {
        &self.index
    }

    /// The names of index files as bytes, by precedence.
    pub(crate) fn index_names(&self) -> impl Iterator<Item = &[u8]> {
        self.index.iter().map(String::as_bytes)
    }

    /// The index file of a directory.
    pub fn index_of(&self, directory: Id) -> Option<Id> {
        let (_, id) = self.index_in(self.listing.name(directory))?;
        Some(id)
    }

    /// The path of the index file of the directory at `path`, through the same symbolic links.
    pub(crate) fn index_path(&self, path: &[u8]) -> Option<Vec<u8>> {
        let (path, _) = self.index_in(path)?;
        Some(path)
    }

    fn index_in(&self, directory: &[u8]) -> Option<(Vec<u8>, Id)> {
        let mut path = directory.to_vec();
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

    /// The URI of the file or directory at a path below the root of the tree, existing or not, with
    /// `/` between names. Characters that a URI does not allow are percent-encoded.
    pub fn uri_of(&self, path: &[u8]) -> String {
        let mut uri = String::with_capacity(self.url.len() + path.len());
        uri.push_str(&self.url);
        for (at, name) in path.split(|&byte| byte == b'/').enumerate() {
            if at > 0 {
                uri.push('/');
            }
            percent::encode_path_segment(name, &mut uri);
        }
        uri
    }

    /// Finds the target of an absolute URI. Query and fragment are ignored.
    ///
    /// URIs are compared in normal form (RFC 3986, section 6.2): case of the host, a default port,
    /// dot segments and unnecessary percent-encoding make no difference. Names are percent-decoded
    /// once and compared as bytes. `//` is equivalent to `/`, as in a file system.
    ///
    /// One look-up for a URI in normal form; linear in the URI otherwise.
    pub fn locate(&self, uri: &str) -> Located {
        match self.path_of(uri) {
            Some(path) => self.locate_path(&path),
            None => Located::Outside,
        }
    }

    /// The path of `uri` below the root of the tree, if the URI is under the URL of the tree:
    /// percent-decoded, with the final slash of the URI. A segment with an encoded `/` or NUL,
    /// which no file can have in its name, stays percent-encoded and follows a NUL.
    pub fn path_of<'u>(&self, uri: &'u str) -> Option<Cow<'u, [u8]>> {
        let rest = uri.strip_prefix(self.url.as_str());
        match rest.and_then(plain_path) {
            Some(path) => Some(Cow::Borrowed(path)),
            None => self.decoded_path_of(uri).map(Cow::Owned),
        }
    }

    /// The path of any URI: see [`path_of`](Self::path_of).
    fn decoded_path_of(&self, uri: &str) -> Option<Vec<u8>> {
        let rest = self.rest_of(uri)?;
        let mut path = Vec::with_capacity(rest.len());
        for segment in rest.split('/') {
            // A slash before each name except the first, and none doubled.
            if !path.is_empty() && path.last() != Some(&b'/') {
                path.push(b'/');
            }
            let name = percent::decode(segment);
            // No file name contains `/` or NUL: the segment stays percent-encoded, and a NUL before
            // it distinguishes it from all names.
            if name.contains(&b'/') || name.contains(&0) {
                let mut encoded = String::new();
                percent::encode_path_segment(&name, &mut encoded);
                path.push(0);
                path.extend_from_slice(encoded.as_bytes());
            } else {
                path.extend_from_slice(&name);
            }
        }
        Some(path)
    }

    /// The path of `uri` after the URL of the tree: as written, if that needs no normal form for
    /// comparing.
    pub(crate) fn rest_of<'u>(&self, uri: &'u str) -> Option<Cow<'u, str>> {
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
            // The URL of the tree without its final slash.
            None if *normal == self.normal[..self.normal.len() - 1] => Some(Cow::Borrowed("")),
            None => None,
        }
    }

    /// Splits `uri`, without query and fragment, before the first name below the root of the tree,
    /// if it is under the URL of the tree. Both parts are spelled as in `uri`, or in normal form if
    /// it has dot segments.
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

    /// Returns true if a relative reference in a document with this base climbs above the root of
    /// the tree, as in a file system.
    pub fn is_above(&self, reference: &str, base: Option<&str>) -> bool {
        // Most references climb only at their beginning.
        let (mut levels, mut rest) = (0, reference);
        while let Some(after) = rest.strip_prefix("../") {
            (levels, rest) = (levels + 1, after);
        }
        match rest.as_bytes().windows(2).any(|two| two == b"..") {
            true => self.climbs_above(reference, base),
            false => levels > 0 && levels > self.depth_of(base.unwrap_or(&self.url)),
        }
    }

    /// The number of directories between the root of the tree and a document with this base.
    fn depth_of(&self, base: &str) -> usize {
        let rest = base.strip_prefix(self.url.as_str());
        if let Some(rest) = rest.filter(|rest| !rest.starts_with('/')) {
            let path = rest.bytes().take_while(|byte| !matches!(byte, b'?' | b'#'));
            return path.filter(|&byte| byte == b'/').count();
        }
        let levels = |uri| Parts::split(uri).path.matches('/').count();
        levels(base).saturating_sub(levels(&self.url))
    }

    /// Follows each name of a reference: see [`Self::is_above`].
    fn climbs_above(&self, reference: &str, base: Option<&str>) -> bool {
        let parts = Parts::split(reference);
        if parts.scheme.is_some() || parts.authority.is_some() {
            return false;
        }
        // The depth below the root of the tree at which the path begins.
        let (path, mut depth) = match parts.path.strip_prefix('/') {
            Some(path) => (path, 0),
            None => (parts.path, self.depth_of(base.unwrap_or(&self.url))),
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

    /// Finds the target of a path below the root of the tree. A final slash requires a directory.
    pub fn locate_path(&self, path: &[u8]) -> Located {
        let (name, slash) = match path.strip_suffix(b"/") {
            Some(name) => (name, true),
            None => (path, path.is_empty()),
        };
        match self.listing.resolved(name) {
            Some((file, Entry::File)) if !slash => Located::File(file),
            Some((directory, Entry::Directory)) => {
                Located::Directory { directory, index: self.index_of(directory), slash }
            }
            Some((_, Entry::Outside)) => Located::Elsewhere,
            _ => Located::Missing,
        }
    }

    /// The nearest entry to a missing path: see [`Near`].
    pub fn near(&self, path: &[u8]) -> Option<Near> {
        self.near.find(&self.listing, path)
    }
}

/// The path at the beginning of the rest of a URI, if its bytes are those of the path that it
/// means: nothing is encoded, no name is empty, and none begins with a dot.
fn plain_path(rest: &str) -> Option<&[u8]> {
    let bytes = rest.as_bytes();
    let mut before = b'/';
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'?' | b'#' => return Some(&bytes[..at]),
            b'%' => return None,
            b'/' | b'.' if before == b'/' => return None,
            _ => before = byte,
        }
    }
    Some(bytes)
}

/// Returns true if the rest of a URI may have dot segments: a name begins with a dot, or has an
/// encoded one.
fn may_have_dots(rest: &str) -> bool {
    let bytes = rest.as_bytes();
    let mut marks = memchr::memchr2_iter(b'%', b'.', bytes);
    marks.any(|at| match bytes[at] {
        b'%' => matches!(bytes[at + 1..], [b'2', b'e' | b'E', ..]),
        _ => at == 0 || bytes[at - 1] == b'/',
    })
}
