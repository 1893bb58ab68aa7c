//! Mirrors: copies of sites, and the files of their URLs.

mod log_fit;
mod marks;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

pub use log_fit::LogFit;
use log_fit::{LOOK_UP_BUDGET, LOOK_UP_BUDGET_PER_BYTE, below};
pub use marks::MirrorFile;
use marks::{Marks, normal};

// The local URL of the common directory of all trees, so that references between files are written
// like all others.
use super::places::Places;
use super::{CrawlLog, LocalName, LocalNames};
use crate::bytes::percent;
use crate::link::PRIVATE_URL as LOCAL;
use crate::listing::{Entry, Listing};
use crate::site::Site;
use crate::uri::Parts;

/// A mirror: trees of files that are copies of sites, and the scheme of their file names.
#[derive(Debug)]
pub struct Mirror {
    trees: Vec<Tree>,
    places: Places,
    names: LocalNames,
    /// True if the scheme of names is only the default.
    guesses_names: bool,
    /// The common directory. The trees have the listings.
    common: Site,
    marks: Marks,
}

#[derive(Debug)]
struct Tree {
    site: Site,
    /// The directory below the common one, with a final slash if it is not empty.
    directory: Vec<u8>,
    /// True if names were chosen for Windows: none of them contains a `?`.
    is_windows: bool,
    endings: Endings,
}

/// The use of the option `wget -E`, which adds file extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Endings {
    Unknown,
    Added,
    /// The tree has a page without an extension of HTML.
    NotAdded,
}

/// The copy of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MirrorCopy {
    /// The file.
    pub file: MirrorFile,
    /// True if the query of the URL determines the file, so that it is not repeated after the
    /// file's name.
    pub has_query: bool,
}

/// Used by jobs. Not part of the API.
impl Mirror {
    /// A mirror with these trees, each with its path below their common directory.
    ///
    /// ```
    /// use rehref::listing::Listing;
    /// use rehref::mirror::{LocalNames, Mirror};
    /// use rehref::site::Site;
    ///
    /// let site = |url, files: &[&str]| Site::new(url, Listing::of_files(files), vec!["index.html".into()]);
    /// let trees = [(site("http://a/", &["x.cgi?25"]), "a".into()), (site("http://b/", &["d/index.html"]), "b".into())];
    /// let mirror = Mirror::new(trees, LocalNames::Wget);
    ///
    /// assert_eq!(mirror.copy_of("http://a/x.cgi?25#f").unwrap().file.path, b"a/x.cgi?25");
    /// assert_eq!(mirror.copy_of("http://b/d").unwrap().file.path, b"b/d/index.html");
    /// assert_eq!(mirror.copy_of("http://a/x.cgi"), None);
    /// ```
    pub fn new(trees: impl IntoIterator<Item = (Site, Vec<u8>)>, names: LocalNames) -> Self {
        let common = Site::new(LOCAL, Listing::default(), Vec::new());
        // Properties of the names in a listing, which trees may share.
        let mut seen: HashMap<*const Listing, (bool, bool)> = HashMap::new();
        let tree = |(site, mut directory): (Site, Vec<u8>)| {
            if !directory.is_empty() {
                directory.push(b'/');
            }
            let look = || {
                let paths = || site.listing().iter().map(|(_, path, _)| path);
                let is_windows = !paths().any(|path| path.contains(&b'?'));
                (is_windows, paths().any(|path| names.has_added_ending(path)))
            };
            let listing = std::sync::Arc::as_ptr(site.listing());
            let (is_windows, has_added) = *seen.entry(listing).or_insert_with(look);
            Tree {
                is_windows,
                endings: match has_added {
                    true => Endings::Added,
                    false => Endings::Unknown,
                },
                site,
                directory,
            }
        };
        let trees: Vec<Tree> = trees.into_iter().map(tree).collect();
        let places = trees.iter().map(|it| (&*it.directory, it.site.normal_url()));
        Self {
            places: Places::new(places),
            trees,
            names,
            guesses_names: false,
            common,
            marks: Marks::default(),
        }
    }

    /// Adds the URLs in marks of pages, as `saved_from` reads them. They determine the copy of a
    /// URL, for any file name, and exclude files with the mark of another URL. If pages have the
    /// same URL, the first counts.
    #[must_use]
    pub fn with_marks(mut self, marks: impl IntoIterator<Item = (MirrorFile, String)>) -> Self {
        for (file, mark) in marks {
            if let Some(url) = self.url_of_mark(&file, &mark) {
                let url = normal(&url);
                self.marks.by_path.insert(file.path.clone(), url.clone());
                self.marks.by_url.entry(url).or_insert(file);
            }
        }
        self
    }

    /// Adds files that are pages although their names have no extension of HTML. So wget added no
    /// extensions in their trees (no `-E`), and `page.html` is the copy of no other URL.
    #[must_use]
    pub fn with_plain_pages(mut self, files: impl IntoIterator<Item = MirrorFile>) -> Self {
        for file in files {
            let endings = &mut self.trees[file.tree].endings;
            *endings = match *endings {
                // Probably two runs of wget.
                Endings::Added => Endings::Unknown,
                Endings::Unknown | Endings::NotAdded => Endings::NotAdded,
            };
        }
        self
    }

    /// The URL of each tree, its directory below the common one, and its files.
    pub(crate) fn trees(&self) -> impl Iterator<Item = (&str, &[u8], Arc<Listing>)> {
        self.trees.iter().map(|tree| {
            let directory = tree.directory.strip_suffix(b"/").unwrap_or(&tree.directory);
            (tree.site.url(), directory, Arc::clone(tree.site.listing()))
        })
    }

    /// The file at `path` below the common directory, if it is in a tree.
    pub fn file_in_common(&self, path: &[u8]) -> Option<MirrorFile> {
        let (tree, path) = (self.tree_of(path)?, path.to_vec());
        Some(MirrorFile { tree, path })
    }

    /// The file at `path` below the directory of the tree with this number, existing or not.
    pub fn file(&self, tree: usize, path: &[u8]) -> MirrorFile {
        let path = [&*self.trees[tree].directory, path].concat();
        let tree = self.tree_of(&path).unwrap_or(tree);
        MirrorFile { tree, path }
    }

    /// The tree that contains a path below the common directory: the deepest, and of several the
    /// first.
    fn tree_of(&self, path: &[u8]) -> Option<usize> {
        self.places.holding(path)
    }

    /// The URL of a file by its name alone: the most likely of [`Mirror::urls_of`].
    pub fn url_of(&self, file: &MirrorFile) -> String {
        self.urls_of(file).swap_remove(0)
    }

    /// The possible URLs of a file by its name, the most likely first. There is at least one.
    pub fn urls_of(&self, file: &MirrorFile) -> Vec<String> {
        let tree = &self.trees[file.tree];
        let path = file.path.get(tree.directory.len()..).unwrap_or_default();
        let paths = self.names.url_paths(path, tree.site.index_list(), tree.is_windows);
        let url = |path: String| tree.site.url().to_owned() + &path;
        let mut urls: Vec<String> = paths.into_iter().map(url).collect();
        let is_whole = |url: &String| url.ends_with('/') || url.ends_with(".html");
        if tree.endings == Endings::NotAdded && path.ends_with(b".html") && is_whole(&urls[0]) {
            urls.truncate(1);
        }
        urls
    }

    /// The URL of a page with a mark, as `saved_from` reads it. A mark without a scheme gets that
    /// of the file's tree. `None` if it is not below the URL of a tree that contains the file.
    pub fn url_of_mark(&self, file: &MirrorFile, mark: &str) -> Option<String> {
        let urls = match Parts::split(mark).authority {
            Some(_) => vec![mark.to_owned()],
            None => {
                let schemes = self.places.schemes();
                schemes.map(|it| format!("{it}://{mark}")).collect()
            }
        };
        let trees = urls.into_iter().filter_map(|url| {
            let of_url = self.places.of_url(&normal(&url)).iter().copied();
            let holding = of_url.filter(|&it| {
                let tree = &self.trees[it];
                file.path.starts_with(&tree.directory) && tree.site.rest_of(&url).is_some()
            });
            Some((holding.max()?, url))
        });
        trees.max().map(|(_, url)| url)
    }

    /// The scheme of file names.
    pub fn names(&self) -> LocalNames {
        self.names
    }

    /// Declares that the scheme of file names is a default, so that other schemes are tried.
    #[must_use]
    pub fn guessing_names(mut self) -> Self {
        self.guesses_names = true;
        self
    }

    /// Returns true if the scheme of file names is a default.
    pub(crate) fn guesses_names(&self) -> bool {
        self.guesses_names
    }

    /// The first other scheme of file names that gives an existing copy of the target of `uri`.
    /// `None` if this scheme gives one. Costs a look-up for each candidate name.
    pub(crate) fn other_names(&self, uri: &str) -> Option<LocalNames> {
        if !self.has_url(uri) || self.copy_of(uri).is_some() {
            return None;
        }
        let others = LocalNames::ALL.iter().copied();
        let mut others = others.filter(|names| *names != self.names);
        others.find(|&names| self.copy_by(names, uri).is_some())
    }

    /// The copy of the target of `uri`, if it exists. Names are compared as bytes.
    pub fn copy_of(&self, uri: &str) -> Option<MirrorCopy> {
        self.copy_by(self.names, uri)
    }

    /// The copy of the target of `uri` by these names, if it exists.
    fn copy_by(&self, names: LocalNames, uri: &str) -> Option<MirrorCopy> {
        let query = Parts::split(uri).query;
        let url = normal(uri);
        if self.marks.missing.contains(&url) {
            return None;
        }
        if let Some(file) = self.marks.by_url.get(&url) {
            return Some(MirrorCopy { file: file.clone(), has_query: true });
        }
        self.places.of_url(&url).iter().find_map(|&number| {
            let tree = &self.trees[number];
            let rest = tree.site.rest_of(uri)?;
            let names = names.candidates(&rest, query, tree.site.index_list());
            let is_page = |name: &LocalName| {
                let found = tree.site.listing().resolved(&name.path);
                name.has_added_ending && matches!(found, Some((_, Entry::File)))
            };
            // If pages have added extensions, a page with this name was saved for the URL without a
            // slash.
            let has_page = tree.endings == Endings::Added && names.iter().any(is_page);
            names.into_iter().find_map(|name| {
                if name.has_added_ending && tree.endings == Endings::NotAdded {
                    return None;
                }
                let mut path = name.path;
                match tree.site.listing().resolved(&path)? {
                    (_, Entry::File) => {}
                    (_, Entry::Directory) if has_page && !rest.ends_with('/') => return None,
                    (_, Entry::Directory) if query.is_none() || !name.has_query => {
                        path = tree.site.index_path(&path)?;
                    }
                    _ => return None,
                }
                let file = self.file(number, &path);
                // A file in the directory of a deeper tree is a copy of another URL.
                let is_own = self.trees[file.tree].directory == tree.directory;
                let is_copy = is_own && self.marks.allow(&file, &url, tree.site.index_list());
                is_copy.then_some(MirrorCopy { file, has_query: name.has_query })
            })
        })
    }

    /// The local URI of a file.
    pub fn local_uri(&self, file: &MirrorFile) -> String {
        self.common.uri_of(&file.path)
    }

    /// Returns true if a URI is local: that of a file of the mirror.
    pub fn is_local(&self, uri: &str) -> bool {
        uri.starts_with(LOCAL)
    }

    /// The file at a local URI, if it is in a tree and exists.
    pub fn file_at(&self, local: &str) -> Option<MirrorFile> {
        let path = self.common.path_of(local)?;
        let tree = self.tree_of(&path)?;
        let Tree { site, directory, .. } = &self.trees[tree];
        match site.listing().resolved(&path[directory.len()..])? {
            (_, Entry::File) => Some(MirrorFile { tree, path: path.into_owned() }),
            _ => None,
        }
    }

    /// The number of the tree that contains a local URI.
    pub fn tree_at(&self, local: &str) -> Option<usize> {
        self.tree_of(&self.common.path_of(local)?)
    }

    /// The public URL of a local URI, by its directory alone.
    pub fn url_of_local(&self, local: &str) -> Option<String> {
        let mut ends = memchr::memrchr_iter(b'/', local.as_bytes()).map(|at| at + 1);
        let (end, url) = ends.find_map(|end| {
            let directory = percent::decode(local[..end].strip_prefix(LOCAL)?);
            let tree = &self.trees[self.places.holding(&directory)?];
            let is_this = self.common.uri_of(&tree.directory) == local[..end];
            is_this.then(|| (end, tree.site.url()))
        })?;
        Some(url.to_owned() + &local[end..])
    }

    /// Adds the log of the program that made the mirror. It takes precedence over marks and names.
    ///
    /// The paths in a log begin at the program's working directory. The number of leading
    /// directories to omit is the one that gives the most existing files. A saved file that does
    /// not exist counts as missing, so the log of another copy is harmful: see [`Mirror::fit`].
    /// Linear in the log.
    #[must_use]
    pub fn with_log(mut self, log: &CrawlLog) -> Self {
        let saved = self.files_of(log);
        for (url, _, file) in saved {
            let url_in_form = normal(url);
            match file {
                Some(file) => {
                    let marks = &mut self.marks;
                    marks.missing.remove(&url_in_form);
                    marks.by_path.insert(file.path.clone(), url_in_form.clone());
                    marks.logged.insert(file.path.clone(), url.to_owned());
                    if log.is_converted {
                        marks.converted.insert(file.path.clone());
                    }
                    marks.by_url.insert(url_in_form, file);
                }
                // The program or the user has removed it.
                None => self.marks.add_missing(url_in_form),
            }
        }
        for url in &log.retrieved {
            if let Some(copy) = self.copy_of(url)
                && !self.marks.logged.contains_key(&copy.file.path)
            {
                let marks = &mut self.marks;
                marks.by_path.insert(copy.file.path.clone(), normal(url));
                marks.logged.insert(copy.file.path.clone(), url.clone());
                marks.by_url.insert(normal(url), copy.file);
            }
        }
        for url in &log.missing {
            self.marks.add_missing(normal(url));
        }
        self.marks.follow(&log.redirects);
        self
    }

    /// Compares a log with this mirror, before [`with_log`](Self::with_log) adds it. Linear in the
    /// log.
    pub fn fit(&self, log: &CrawlLog) -> LogFit {
        let mut fit = LogFit::default();
        let saved = log.saved.iter().map(|(url, _)| url);
        let redirects = log.redirects.iter().map(|(url, _)| url);
        let urls = saved.chain(&log.retrieved).chain(&log.missing);
        for url in urls.chain(redirects) {
            fit.urls += 1;
            if self.has_url(url) {
                fit.own_urls += 1;
            } else if fit.first_other.is_none() {
                fit.first_other = Some(url.clone());
            }
        }
        let mut count = |exists: bool, name: &[u8]| {
            fit.saved += 1;
            fit.found += usize::from(exists);
            if !exists && fit.first_lost.is_none() {
                fit.first_lost = Some(name.to_vec());
            }
        };
        // A URL may be below those of several trees, and its file in one of them.
        let mut saved: BTreeMap<(&str, &[u8]), bool> = BTreeMap::new();
        for (url, path, file) in self.files_of(log) {
            *saved.entry((url, path)).or_default() |= file.is_some();
        }
        for ((_, path), exists) in saved {
            count(exists, path);
        }
        for url in log.retrieved.iter().filter(|url| self.has_url(url)) {
            count(self.copy_of(url).is_some(), url.as_bytes());
        }
        fit
    }

    /// Returns true if a URL is below that of a tree.
    fn has_url(&self, url: &str) -> bool {
        let trees = self.places.of_url(&normal(url)).iter();
        trees.copied().any(|tree| self.trees[tree].site.rest_of(url).is_some())
    }

    /// The saved URLs of a log that are below a tree, with their paths in the log, and their files
    /// if they exist.
    fn files_of<'l>(&self, log: &'l CrawlLog) -> Vec<(&'l str, &'l [u8], Option<MirrorFile>)> {
        let mut found = Vec::new();
        let mut by_tree: BTreeMap<usize, Vec<&(String, Vec<u8>)>> = BTreeMap::new();
        for saved in &log.saved {
            for &number in self.places.of_url(&normal(&saved.0)) {
                if self.trees[number].site.rest_of(&saved.0).is_some() {
                    by_tree.entry(number).or_default().push(saved);
                }
            }
        }
        for (number, saved) in by_tree {
            let tree = &self.trees[number];
            let file = |path: &[u8]| match tree.site.listing().resolved(path)? {
                (_, Entry::File) => Some(self.file(number, path)),
                _ => None,
            };
            let bytes: usize = saved.iter().map(|(_, path)| path.len()).sum();
            let mut budget =
                LOOK_UP_BUDGET.saturating_add(bytes.saturating_mul(LOOK_UP_BUDGET_PER_BYTE));
            let mut votes: BTreeMap<usize, usize> = BTreeMap::new();
            for (omitted, rest) in saved.iter().flat_map(|(_, path)| below(path)) {
                let Some(left) = budget.checked_sub(rest.len()) else {
                    break;
                };
                budget = left;
                if file(rest).is_some() {
                    *votes.entry(omitted).or_default() += 1;
                }
            }
            // Of equal counts, the fewest directories.
            let most = votes.into_iter().rev().max_by_key(|&(_, count)| count);
            let omitted = most.map_or(0, |(omitted, _)| omitted);
            let file = |path| below(path).nth(omitted).and_then(|(_, rest)| file(rest));
            let files = saved.iter();
            found.extend(files.map(|(url, path)| (&**url, &**path, file(path))));
        }
        found
    }

    /// The URL of a file in the log.
    pub fn logged_url(&self, file: &MirrorFile) -> Option<&str> {
        self.marks.logged.get(&file.path).map(String::as_str)
    }

    /// Returns true if a log was added.
    pub(crate) fn has_log(&self) -> bool {
        !self.marks.logged.is_empty() || !self.marks.missing.is_empty()
    }

    /// Returns true if the program that saved a file has rewritten its links, according to the log.
    pub fn is_converted(&self, file: &MirrorFile) -> bool {
        self.marks.converted.contains(&file.path)
    }

    /// Returns true if a relative reference that points to `file` was rewritten for files, although
    /// the log gives another URL than `uri` to the file: the log has no missing URL `uri`.
    pub fn is_rewritten(&self, file: &MirrorFile, uri: &str) -> bool {
        self.marks.logged.contains_key(&file.path) && !self.marks.missing.contains(&normal(uri))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(url: &str, files: &[&str]) -> Site {
        Site::new(url, Listing::of_files(files), vec!["index.html".into()])
    }

    #[test]
    fn the_deepest_tree_contains_a_file() {
        let outer = site("http://a/", &["b/x", "y", "index.html"]);
        let inner = site("http://b/", &["x"]);
        let trees = [
            (outer, Vec::new()),
            (inner, b"b".to_vec()),
            (site("http://www.b/", &["x"]), b"b".to_vec()),
        ];
        let mirror = Mirror::new(trees, LocalNames::Raw);
        let copy = |uri| mirror.copy_of(uri).map(|it| (it.file.tree, it.file.path));
        assert_eq!(copy("http://b/x?q"), Some((1, b"b/x".to_vec())));
        assert_eq!(copy("HTTP://www.B:80/./x"), Some((1, b"b/x".to_vec())));
        assert_eq!(copy("http://a/b/x"), None);
        assert_eq!(copy("http://a"), Some((0, b"index.html".to_vec())));
        assert_eq!(copy("http://a/Y"), None);
        let file = mirror.file(0, b"b/x");
        assert_eq!(mirror.url_of(&file), "http://b/x");
        let local = mirror.local_uri(&file) + "#f";
        assert_eq!(mirror.file_at(&local), Some(file));
        assert_eq!(mirror.url_of_local(&local).as_deref(), Some("http://b/x#f"));
        assert_eq!(mirror.file_at("http://b/x"), None);
    }

    #[test]
    fn a_page_is_the_copy_of_the_url_in_its_mark() {
        let files = ["x.html", "download.html", "d/index.html", "list-2.html", "y.html"];
        let mirror = Mirror::new([(site("https://a/m/", &files), Vec::new())], LocalNames::Httrack);
        let marks = [
            ("x.html", "a/m/x.gif"),
            ("download.html", "a/m/download.html"),
            ("d/index.html", "a/m/d/"),
            ("list-2.html", "a/m/list.php?%70=1"),
            ("y.html", "b/elsewhere"),
        ];
        let marks = marks.map(|(path, mark)| (mirror.file(0, path.as_bytes()), mark.to_owned()));
        let mirror = mirror.with_marks(marks);
        for (uri, copy) in [
            ("x.gif", Some("x.html")),
            ("x.html", None),
            ("x.php", None),
            ("download.php", None),
            ("download.html#f", Some("download.html")),
            ("d", Some("d/index.html")),
            ("d/", Some("d/index.html")),
            ("d/index.html", Some("d/index.html")),
            ("list.php?p=1", Some("list-2.html")),
            ("y.asp", Some("y.html")),
        ] {
            let found = mirror.copy_of(&format!("https://a/m/{uri}"));
            let found = found.map(|it| String::from_utf8(it.file.path).unwrap());
            assert_eq!(found.as_deref(), copy, "{uri}");
        }
    }

    #[test]
    fn a_page_without_extension_means_that_none_were_added() {
        let files = ["log/main.rs", "user/theme.html", "user/index.html"];
        let mirror = || Mirror::new([(site("http://a/", &files), Vec::new())], LocalNames::Wget);
        let path = |mirror: &Mirror, uri: &str| mirror.copy_of(uri).map(|it| it.file.path);
        let theme = Some(b"user/theme.html".to_vec());
        let unknown = mirror();
        assert_eq!(path(&unknown, "http://a/user/theme/"), theme);
        let file = unknown.file(0, b"log/main.rs");
        let plain = mirror().with_plain_pages([file]);
        assert_eq!(path(&plain, "http://a/user/theme"), None);
        assert_eq!(path(&plain, "http://a/user/theme/"), None);
        assert_eq!(path(&plain, "http://a/user/theme.html"), theme);
        let page = plain.file(0, b"user/theme.html");
        assert_eq!(plain.urls_of(&page), ["http://a/user/theme.html"]);
        let index = plain.file(0, b"user/index.html");
        assert_eq!(plain.urls_of(&index)[0], "http://a/user/");
    }

    #[test]
    fn a_page_with_an_added_extension_wins_over_an_index_file() {
        let files = ["src.html", "src/index.html", "list.php?p=1.html", "d/index.html"];
        let copy = |files: &[&str], uri: &str| {
            let mirror = Mirror::new([(site("http://a/", files), Vec::new())], LocalNames::Wget);
            let path = mirror.copy_of(uri).map(|it| it.file.path);
            path.map(|it| String::from_utf8(it).unwrap())
        };
        for (uri, expected) in [
            ("http://a/src", "src.html"),
            ("http://a/src.html", "src.html"),
            ("http://a/src/", "src/index.html"),
            ("http://a/d", "d/index.html"),
        ] {
            assert_eq!(copy(&files, uri).as_deref(), Some(expected), "{uri}");
        }
        // Without evidence of `-E`, the page of that name is another one.
        assert_eq!(copy(&files[..2], "http://a/src").as_deref(), Some("src/index.html"));
    }

    #[test]
    fn file_names_may_be_percent_encoded() {
        let mirror =
            Mirror::new([(site("http://a/", &["a%20b", "c d"]), Vec::new())], LocalNames::Raw);
        let path = |uri| mirror.copy_of(uri).map(|it| it.file.path);
        assert_eq!(path("http://a/a%20b"), Some(b"a%20b".to_vec()));
        assert_eq!(path("http://a/a%2520b"), Some(b"a%20b".to_vec()));
        assert_eq!(path("http://a/c%20d"), Some(b"c d".to_vec()));
    }
}
