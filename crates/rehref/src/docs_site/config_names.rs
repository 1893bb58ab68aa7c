//! Names of moving files in configuration files, which no run changes: `logo: img/mark.svg`.
//!
//! Programs resolve their paths from different directories, and define the keys. So whole values
//! are compared, of any key, with the paths of the files that move: from the directory of the
//! configuration and those above it, from the content of its site, and, if the value has a slash,
//! from a directory near them. On a site of Docusaurus, the ids of documents are compared, too.

use std::collections::{HashMap, HashSet};

use super::config_values::{Syntax, is_list_of_directory, values};
use super::detect::may_be_config;
use super::docs_sites::DocsSites;
use super::paths::{below, join, resolved, split, split_extension};
use crate::bytes::Span;
use crate::listing::{Entry, Id, Listing, Moves};

/// The maximum number of directories near a configuration.
const MOST_NEAR: usize = 64;

/// The number of bytes of a configuration that are searched.
const MOST_BYTES: usize = 4 << 20;

/// The maximum length of a value, in bytes.
const LONGEST: usize = 1024;

/// The ends of the files of pages that a value without an extension, or with `.html`, may name.
const PAGES: [&[u8]; 11] = [
    b".md", b".mdx", b".html", b".markdown", b".rst", b".ipynb", b".adoc", b"/index.md",
    b"/_index.md", b"/README.md", b"/index.html",
];

/// The files that move, by names.
pub(crate) struct MovedNames<'m> {
    listing: &'m Listing,
    layouts: &'m DocsSites,
    moves: &'m Moves,
    /// The last names of the paths that move, with and without their extensions.
    names: HashSet<&'m [u8]>,
    /// The documents of Docusaurus that move, by their old ids. `None` if the id stays the same.
    documents: HashMap<Vec<u8>, Option<Id>>,
    /// The directories above the paths that move.
    near: Vec<&'m [u8]>,
    /// Directories of content, whose moves are reported separately.
    content: Vec<Vec<u8>>,
}

/// A value that names a moving file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NamedFile {
    /// The old path of the file or directory.
    pub(crate) path: Vec<u8>,
    /// The offset of the value.
    pub(crate) offset: usize,
    /// The number of other moving files that the configuration names.
    pub(crate) others: usize,
}

/// The files that a value without a slash and an extension may name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bare {
    Nothing,
    Directories,
    Pages,
}

/// A value that may be a path.
struct Value<'v> {
    path: &'v str,
    /// True if it begins with a slash.
    is_rooted: bool,
    has_slash: bool,
    has_extension: bool,
}

impl<'m> MovedNames<'m> {
    /// The files that move in a tree. Linear in the tree.
    pub(crate) fn new(listing: &'m Listing, layouts: &'m DocsSites, moves: &'m Moves) -> Self {
        let mut names = HashSet::new();
        let mut documents = HashMap::new();
        for (id, path, _) in listing.iter().filter(|it| moves.moving(it.1).is_some()) {
            if let Some((old, new)) = layouts.moving_ids(path, &moves.new_path(path)) {
                let is_kept = new.as_ref() == Some(&old);
                documents.insert(old, Some(id).filter(|_| !is_kept));
            }
            let (directory, name) = split(path);
            let (stem, _) = split_extension(name);
            names.extend([name, stem]);
            if is_index(stem) {
                names.insert(split(directory).1);
                // The page of `README.md` in redirects of mdBook.
                names.insert(b"index".as_slice());
            }
        }
        let mut near: Vec<&[u8]> = moves.iter().flat_map(|it| above(&it.from)).collect();
        near.sort_unstable_by_key(|it| (it.len(), *it));
        near.dedup();
        near.retain(|it| {
            !it.split(|&byte| byte == b'/').any(|name| name.ends_with(VERSIONED_DOCS))
        });
        near.truncate(MOST_NEAR);
        let content = layouts.moved_content(moves).into_iter();
        Self {
            listing,
            layouts,
            moves,
            names,
            documents,
            near,
            content: content.map(|[home, old, _]| join(&home, &old)).collect(),
        }
    }

    /// The first moving file that a configuration at this path names, apart from the links in it.
    /// `None` if it names none, or is not a configuration. Linear in the text.
    pub(crate) fn first_in(
        &self,
        path: &[u8],
        text: &[u8],
        links: impl Iterator<Item = Span>,
    ) -> Option<NamedFile> {
        let (directory, name) = split(path);
        let of_source = || Syntax::of_source(name).filter(|_| self.layouts.is_part(path));
        let syntax = Syntax::of(directory, name).or_else(of_source)?;
        let text = &text[..text.len().min(MOST_BYTES)];
        let bare = self.bare_of(path);
        let version = version_of(directory, name);
        let (strict, near) = match &version {
            Some(version) => (vec![version.as_slice()], &[][..]),
            None if is_list_of_directory(name) => (vec![directory], &[][..]),
            None => (self.strict_places(directory), &*self.near),
        };
        let mut links = links.peekable();
        let mut first = None;
        let mut found = HashSet::new();
        // A value may occur many times.
        let mut known: HashMap<&[u8], Option<Id>> = HashMap::new();
        values(syntax, text, &mut |span| {
            while links.next_if(|it| it.end <= span.start).is_some() {}
            let is_link = links.peek().is_some_and(|it| it.start < span.end);
            if is_link || span.len() > LONGEST {
                return;
            }
            let bytes = &text[span.range()];
            let named = *known.entry(bytes).or_insert_with(|| {
                let text = std::str::from_utf8(bytes).ok()?.replace("\\/", "/");
                let value = Value::of(&text)?;
                let named = || self.named(&value, bare, (&strict, near), directory);
                match self.document(&value, bare, &strict) {
                    Some(document) => document,
                    None => self.may_name(&value).then(named).flatten(),
                }
            });
            if let Some(named) = named.filter(|it| !self.stays_near(*it, directory)) {
                first.get_or_insert((named, span.start));
                found.insert(named);
            }
        });
        let (id, offset) = first?;
        Some(NamedFile { path: self.listing.name(id).to_vec(), offset, others: found.len() - 1 })
    }

    /// The files that a value of only one word may name in a configuration.
    fn bare_of(&self, path: &[u8]) -> Bare {
        let (_, name) = split(path);
        let name = String::from_utf8_lossy(name).to_ascii_lowercase();
        let lists_pages = ["sidebar", "conf.py", "docusaurus.config", "toc.", "_meta."];
        if lists_pages.iter().any(|it| name.contains(it)) {
            Bare::Pages
        } else if name.contains(".config.")
            || may_be_config(path) && self.layouts.is_home(split(path).0)
        {
            Bare::Directories
        } else {
            Bare::Nothing
        }
    }

    /// The directories that paths of a configuration in a directory may be relative to: the
    /// directory itself, those of the content of its site, and those above. Old versions of the
    /// content of Docusaurus have sidebars of their own.
    fn strict_places<'p>(&'p self, directory: &'p [u8]) -> Vec<&'p [u8]> {
        let mut places = vec![directory];
        for place in self.layouts.content_near(directory) {
            let is_version = split(split(place).0).1.ends_with(VERSIONED_DOCS);
            if !is_version && !places.contains(&place) {
                places.push(place);
            }
        }
        let mut rest = directory;
        while !rest.is_empty() {
            rest = split(rest).0;
            if !places.contains(&rest) {
                places.push(rest);
            }
        }
        places
    }

    /// Returns true if a file that moves has the name at the end of a value.
    fn may_name(&self, value: &Value<'_>) -> bool {
        let path = value.path.trim_end_matches('/');
        let name = path.rsplit('/').next().unwrap_or_default();
        let name = crate::bytes::percent::decode(name);
        self.names.contains(&*name) || self.names.contains(split_extension(&name).0)
    }

    /// Returns true if a moving file has the same path from the directory of a configuration, which
    /// moves, too.
    fn stays_near(&self, file: Id, directory: &[u8]) -> bool {
        let path = self.listing.name(file);
        let (new, new_directory) = (self.moves.new_path(path), self.moves.new_path(directory));
        let rest = below(path, directory);
        *new_directory != *directory && rest.is_some() && rest == below(&new, &new_directory)
    }

    /// The document of Docusaurus with the id in a value, if it moves. `Some(None)` if its id stays
    /// the same.
    fn document(&self, value: &Value<'_>, bare: Bare, places: &[&[u8]]) -> Option<Option<Id>> {
        if bare != Bare::Pages || value.is_rooted || self.documents.is_empty() {
            return None;
        }
        let path = value.path.as_bytes();
        places.iter().find_map(|place| self.documents.get(&join(place, path)).copied())
    }

    /// The moving file that a value names: from one of the first places, or else from a second one
    /// near the directory of the configuration.
    fn named(
        &self,
        value: &Value<'_>,
        bare: Bare,
        (strict, near): (&[&[u8]], &[&[u8]]),
        directory: &[u8],
    ) -> Option<Id> {
        let is_path = value.is_rooted || value.has_slash;
        let moves = |id: &Id| self.moves.moving(self.listing.name(*id)).is_some();
        let mut named = strict.iter().filter_map(|place| {
            let (id, is_page) = self.at(place, value)?;
            let is_directory = self.listing.entry(id) == Entry::Directory;
            let is_meant = match (is_page, is_directory) {
                _ if is_path => true,
                // The address of a page, as in redirects.
                (true, _) => bare == Bare::Pages || value.has_extension,
                (false, true) => bare >= Bare::Directories && *place == directory,
                (false, false) => value.has_extension,
            };
            let is_content = *place != directory && self.layouts.is_content(place);
            is_meant.then_some((id, is_content))
        });
        // Several directories of content may have the file.
        let found = match named.next() {
            Some((id, true)) if !moves(&id) => {
                let others = named.take_while(|it| it.1).map(|it| it.0);
                Some({ others }.find(moves).unwrap_or(id))
            }
            first => first.map(|it| it.0),
        };
        let found_near = || {
            let levels = if value.has_slash { 2 } else { 1 };
            let places = near.iter().filter(|place| {
                let distance = distance(directory, place);
                is_path && (1..=levels).contains(&distance) && !strict.contains(place)
            });
            let mut found = places.filter_map(|place| self.at(place, value));
            found.find_map(|(id, _)| {
                let is_directory = self.listing.entry(id) == Entry::Directory;
                (!is_directory || value.has_slash).then_some(id)
            })
        };
        let id = found.or_else(found_near)?;
        let path = self.listing.name(id);
        (moves(&id) && !self.content.iter().any(|it| it == path)).then_some(id)
    }

    /// The entry that a value names from a directory, and true if it names a page without its
    /// extension.
    fn at(&self, directory: &[u8], value: &Value<'_>) -> Option<(Id, bool)> {
        let clean = resolved(directory, value.path).ok()?.names;
        if clean.is_empty() {
            return None;
        }
        if let Some(id) = self.listing.id(&clean) {
            let is_kept = self.moves.moving(&clean).is_none();
            let is_directory = is_kept && self.listing.entry(id) == Entry::Directory;
            let mut ends = PAGES.iter().filter(|it| it.starts_with(b"/"));
            let index = ends.find_map(|end| self.listing.id(&[&clean, *end].concat()));
            return Some(match index.filter(|_| is_directory) {
                Some(index) => (index, true),
                None => (id, false),
            });
        }
        let stem = match clean.strip_suffix(b".html") {
            Some(stem) => stem,
            None if value.has_extension => return None,
            None => &clean,
        };
        let mut ends = PAGES.iter();
        let found = ends.find_map(|end| self.listing.id(&[stem, end].concat()));
        let readme = || {
            let directory = stem.strip_suffix(b"index")?;
            self.listing.id(&[directory, b"README.md"].concat())
        };
        found.or_else(readme).map(|id| (id, true))
    }
}

impl<'v> Value<'v> {
    /// The path in a value. `None` if it is not one.
    fn of(text: &'v str) -> Option<Self> {
        let text = text.trim();
        let text = match text.strip_prefix("file:") {
            Some(rest) if !rest.starts_with("//") => rest.trim_start(),
            _ => text,
        };
        let text = text.strip_prefix("@site/").unwrap_or(text);
        if text.contains("://") || text.contains(['*', '<', '\\', '{', '\n']) {
            return None;
        }
        let end = text.find(['#', '?']).unwrap_or(text.len());
        let whole = &text[..end];
        let path = whole.trim_start_matches('/');
        let path = path.strip_prefix("./").unwrap_or(path);
        let name = path.rsplit('/').next().unwrap_or_default();
        let (stem, extension) = split_extension(name.as_bytes());
        // `1.2` has none.
        let has_letter = extension.iter().any(u8::is_ascii_alphabetic);
        let is_extension = extension.iter().all(u8::is_ascii_alphanumeric) && has_letter;
        (!path.is_empty() && !path.starts_with("//")).then_some(Self {
            path,
            is_rooted: whole.starts_with('/') || whole.starts_with("./"),
            has_slash: path.contains('/'),
            has_extension: !stem.is_empty() && is_extension,
        })
    }
}

/// The end of the name of a directory with the versions of documents of Docusaurus.
const VERSIONED_DOCS: &[u8] = b"versioned_docs";

/// The directory of the documents of a version, whose sidebar has this directory and name:
/// `versioned_sidebars/version-1-sidebars.json`.
fn version_of(directory: &[u8], name: &[u8]) -> Option<Vec<u8>> {
    let version = name.strip_suffix(b"-sidebars.json")?;
    let site = directory.strip_suffix(b"versioned_sidebars")?;
    Some([site, VERSIONED_DOCS, b"/", version].concat())
}

/// Returns true for the name of the page of a directory, without its extension.
fn is_index(stem: &[u8]) -> bool {
    matches!(stem, b"index" | b"_index") || stem.eq_ignore_ascii_case(b"readme")
}

/// The directories above a path, but not the root.
fn above(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = (0..path.len()).filter(|&at| path[at] == b'/');
    ends.map(|end| &path[..end])
}

/// The number of levels of `place` below the innermost directory that it shares with `directory`.
fn distance(directory: &[u8], place: &[u8]) -> usize {
    let mut shared = directory;
    loop {
        if let Some(rest) = below(place, shared) {
            return rest.split(|&it| it == b'/').filter(|it| !it.is_empty()).count();
        }
        shared = split(shared).0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::Move;

    fn named(files: &[&str], from: &str, config: &str, text: &str) -> Option<String> {
        let listing = Listing::of_files(files);
        let request = Move { from: from.into(), to: b"moved/away.x".to_vec() };
        let moves = Moves::new(&listing, [request]).expect("a move");
        let layouts = DocsSites::default();
        let names = MovedNames::new(&listing, &layouts, &moves);
        let found = names.first_in(config.as_bytes(), text.as_bytes(), std::iter::empty())?;
        Some(String::from_utf8(found.path).expect("UTF-8"))
    }

    #[test]
    fn whole_values_name_files() {
        let files = ["docs/img/mark.svg", "docs/guide/start.md", "theme/x.css", "a.json"];
        let from = |from| move |config, text| named(&files, from, config, text);
        let logo = from("docs/img/mark.svg");
        for (config, text) in [
            ("mkdocs.yml", "theme:\n  logo: img/mark.svg # the logo\n"),
            ("mkdocs.yml", "logo: docs/img/mark.svg"),
            ("a.yaml", "- 'img/mark.svg'\n"),
            ("a.yaml", "logos: [x.svg, img/mark.svg]"),
            ("a.toml", "logo = \"img/mark.svg\""),
            ("a.json", "{\"logo\":\"\\/img\\/mark.svg\"}"),
            ("conf.py", "html_logo = './docs/img/mark.svg'"),
            ("x.config.js", "export default { logo: `/img/mark.svg` }"),
            ("docs/.vitepress/config.mts", "logo: '/img/mark.svg'"),
            ("_redirects", "/old /docs/img/mark.svg 301"),
            ("nginx.conf", "  error_page 404 /img/mark.svg;"),
            ("setup.cfg", "[metadata]\nlogo = docs/img/mark.svg\n"),
            ("a.json", "[\"../x/docs/img/mark.svg\", \"docs/img/mark.svg?v=1\"]"),
        ] {
            assert_eq!(
                logo(config, text).as_deref(),
                Some("docs/img/mark.svg"),
                "{config}: {text}"
            );
        }
        for (config, text) in [
            ("a.yaml", "text: see img/mark.svg\n"),
            ("a.yaml", "# logo: img/mark.svg\n"),
            ("a.yaml", "logo: x-img/mark.svg\nlogo: img/mark.svg.bak\n"),
            ("a.yaml", "logo: mark.svg\n"),
            ("a.json", "{\"logo\":\"http://h/img/mark.svg\"}"),
            ("a.json", "{\"text\":\"The img/mark.svg file\"}"),
            ("a.toml", "# 'img/mark.svg'\nx = 1 # \"img/mark.svg\""),
            ("x.config.js", "// import 'img/mark.svg'\n/* 'img/mark.svg'\n 'img/mark.svg' */"),
            ("a.js", "'img/mark.svg'"),
            ("a.txt", "img/mark.svg"),
            ("a.md", "img/mark.svg"),
            ("README", "img/mark.svg"),
        ] {
            assert_eq!(logo(config, text), None, "{config}: {text}");
        }
    }

    #[test]
    fn pages_are_named_without_extensions_by_paths_and_in_lists_of_pages() {
        let files = ["docs/guide/start.md", "docs/x/index.md", "docs/ci.md", "ci.md"];
        let start = |config, text| named(&files, "docs/guide/start.md", config, text).is_some();
        assert!(start("sidebars.js", "module.exports = {docs: ['guide/start']}"));
        assert!(start("a.json", "{\"link\":\"/guide/start.html\"}"));
        assert!(start("netlify.toml", "to = \"/guide/start/\""));
        assert!(!start("a.json", "{\"keywords\":[\"start\",\"guide start\"]}"));
        let index = |config, text| named(&files, "docs/x/index.md", config, text).is_some();
        assert!(index("_redirects", "/y /docs/x/"));
        assert!(index("docs/redirects.txt", "\"y.md\" \"x/index.md\"\n"));
        let redirect = "[output.html.redirect]\n\"/a.html\" = ";
        for value in ["\"start.html\"", "\"guide/start.html\"", "\"/guide/start.html\""] {
            let text = format!("{redirect}{value}\n");
            let found = named(&files, "docs/guide/start.md", "docs/guide/book.toml", &text);
            assert!(found.is_some(), "{value}");
        }
        let readme = ["book/src/x/README.md", "book/book.toml"];
        let found =
            named(&readme, "book/src/x", "book/book.toml", "\"/a.html\" = \"x/index.html\"");
        assert_eq!(found.as_deref(), Some("book/src/x/README.md"));
        let bare = |config, text| named(&files, "ci.md", config, text).is_some();
        assert!(bare("sidebars.json", "[\"ci\"]"));
        assert!(bare("conf.py", "x = {\"old\": \"ci\"}"));
        let listed = |config| start(config, "export default {\n  start: 'Start',\n}");
        assert!(listed("docs/guide/_meta.js") && !listed("docs/guide/meta.js"));
        assert!(start("docs/guide/_meta.json", "{\n  \"start\": \"Start\"\n}"));
        assert!(!start("docs/_meta.json", "{\n  \"start\": \"Start\"\n}"));
        assert!(!bare("package.json", "{\"scripts\":{\"ci\":\"ci\"},\"name\":\"ci\"}"));
    }

    #[test]
    fn a_file_nearer_to_the_configuration_is_the_one_that_is_named() {
        let files = ["index.js", "a/index.js", "a/b/x.css", "c/b/x.css"];
        let of = |from, config, text| named(&files, from, config, text).is_some();
        assert!(of("index.js", "package.json", "{\"main\":\"index.js\"}"));
        assert!(!of("a/index.js", "package.json", "{\"main\":\"index.js\"}"));
        assert!(of("a/index.js", "a/package.json", "{\"main\":\"./index.js\"}"));
        assert!(!of("c/b/x.css", "a/package.json", "[\"b/x.css\"]"));
    }

    #[test]
    fn other_files_are_counted_and_links_are_left_out() {
        let files = ["d/a.md", "d/b.md", "d/c.md"];
        let listing = Listing::of_files(files);
        let request = Move { from: b"d".to_vec(), to: b"e".to_vec() };
        let moves = Moves::new(&listing, [request]).expect("a move");
        let layouts = DocsSites::default();
        let names = MovedNames::new(&listing, &layouts, &moves);
        let text = b"x: d/a.md\ny: d/b.md\nz: d/b.md\nw: d/\n";
        let found = names.first_in(b"a.yml", text, std::iter::once(Span::new(3, 9)));
        let expected = NamedFile { path: b"d/b.md".to_vec(), offset: 13, others: 1 };
        assert_eq!(found, Some(expected));
        // A configuration that moves with the file.
        assert_eq!(names.first_in(b"d/c.yml", b"x: ./a.md\n", std::iter::empty()), None);
    }
}
