//! The addresses of files on a site.

use std::borrow::Cow;
use std::collections::HashMap;

use super::excluded::Excluded;
use super::generated::GeneratedPages;
use super::hugo::{Languages, sanitized};
use super::jekyll::{self, Fields, Permalinks};
use super::kind::SiteKind;
use super::paths::{below, is_markdown, join, split, split_extension};
use super::programs::PageUrls;
use super::routes::Routes;
use crate::format::markdown::{PythonIds, Slugs};

/// A site in a tree.
#[derive(Clone, Debug)]
pub(crate) struct DocsSite {
    pub(super) kind: SiteKind,
    pub(super) mounts: Vec<Mount>,
    /// The directory of the site, with the path of the tree in it.
    pub(super) home: Mount,
    pub(super) urls: PageUrls,
    /// The rule for the ids of headings.
    pub(super) slugs: Slugs,
    /// The path of the address of the site, which references from the root may begin with.
    pub(super) prefix: Vec<u8>,
    /// True if the program leaves references from the root as they are: those without the prefix
    /// are not on the site.
    pub(super) keeps_rooted: bool,
    /// True if attributes in braces after a block set its id.
    pub(super) has_block_ids: bool,
    /// The rules of Python-Markdown for ids.
    pub(super) python: PythonIds,
    /// True if the configuration says which numbers are no part of the ids of documents, so that
    /// these are unknown.
    pub(super) has_number_parser: bool,
    /// True if the configuration derives the ids of headings by a function, so that they are
    /// unknown.
    pub(super) has_computed_ids: bool,
    /// True if links of Hugo name pages by the path of their file, as its `ref` does.
    pub(super) finds_pages: bool,
    /// True if relative references of pages begin at the root of the site.
    pub(super) is_from_root: bool,
    /// The directories on the site of languages, and that of the default one. Its pages are shown
    /// for those that other languages do not have.
    pub(super) translations: Option<(Vec<Vec<u8>>, Vec<u8>)>,
    /// True if only files with the extension `mdx` are MDX on a site of Docusaurus.
    pub(super) detects_mdx: bool,
    /// True if the addresses of index files end without a slash.
    pub(super) strips_slashes: bool,
    /// The addresses that front matter gives to pages, by file.
    pub(super) own_addresses: HashMap<Vec<u8>, OwnAddress>,
    /// The last names of the ids that front matter gives to documents of Docusaurus, by file.
    pub(super) own_ids: HashMap<Vec<u8>, Vec<u8>>,
    /// The templates by which Jekyll forms addresses.
    pub(super) permalinks: Permalinks,
    /// The files that the configuration excludes.
    pub(super) excluded: Option<Excluded>,
    /// The paths of pages that are not those of their files.
    pub(super) routes: Routes,
    /// The languages of Hugo.
    pub(super) languages: Languages,
    /// Further addresses of files.
    pub(super) aliases: HashMap<Vec<u8>, Vec<OwnAddress>>,
    /// Pages without a file.
    pub(super) generated: GeneratedPages,
    /// The directories of the site that are outside of the tree.
    pub(super) elsewhere: Vec<Elsewhere>,
}

/// A directory of a site that is outside of the tree: the path of the directory on the site,
/// without slashes at its ends.
#[derive(Clone, Debug)]
pub(super) struct Elsewhere {
    pub(super) url: Vec<u8>,
    pub(super) role: Role,
}

/// A directory whose files are on a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mount {
    /// The directory in the tree.
    pub(super) directory: Vec<u8>,
    /// The path of the directory on the site, without slashes at its ends.
    pub(super) url: Vec<u8>,
    pub(super) role: Role,
    /// True if the tree has only a part of the mounted directory.
    pub(super) is_partial: bool,
}

/// The use of the files of a mounted directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Pages; other files are copied.
    Pages,
    /// Posts, whose names begin with a date.
    Posts,
    /// Pages; other files are only sources.
    Sources,
    /// Files that are copied unchanged.
    Files,
}

/// The address of a page on a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// The path without a slash at its end, and without `.html`. That of an index file is its
    /// directory.
    pub(super) key: Vec<u8>,
    /// True if the page is the index of a directory.
    pub(super) is_index: bool,
}

/// The address that front matter gives to a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OwnAddress {
    /// From the root of the site.
    Fixed(Vec<u8>),
    /// Below the address of its directory.
    InDirectory(Vec<u8>),
    /// In place of the last name of its address.
    Sibling(Vec<u8>),
    /// Formed from these fields by Jekyll.
    Fields(Fields),
}

/// The path that a link to a page has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The name of the file itself.
    Exact,
    /// The name without an extension.
    Bare,
    /// A slash at the end.
    Slash,
    /// `.html` in place of the extension.
    Html,
    /// `index.html` in a directory.
    IndexHtml,
}

impl Shape {
    pub(super) const ALL: [Self; 5] =
        [Self::Html, Self::Slash, Self::Bare, Self::IndexHtml, Self::Exact];
}

impl DocsSite {
    /// The mount of a file, and its path below that.
    pub(super) fn mount_of<'p>(&self, path: &'p [u8]) -> Option<(&Mount, &'p [u8])> {
        let mounts = self.mounts.iter();
        let found = mounts.filter_map(|mount| Some((mount, below(path, &mount.directory)?)));
        found.max_by_key(|(mount, _)| mount.directory.len())
    }

    /// The directory of the content that a document belongs to, as the root of paths. `None` if a
    /// part of it is outside of the tree.
    pub(super) fn content_of(&self, document: &[u8]) -> Option<Mount> {
        // The configuration of a site is not in its content.
        let mount = self.mount_of(document).map(|(mount, _)| mount);
        let mount = mount.or_else(|| self.mounts.first())?;
        (!mount.is_partial).then(|| Mount { url: Vec::new(), ..mount.clone() })
    }

    /// The path of a file on the site, as if it were copied.
    pub(super) fn copied(&self, path: &[u8]) -> Option<Vec<u8>> {
        let (mount, rest) = self.mount_of(path)?;
        let rest = match self.is_page(path) {
            true => self.routes.of(&mount.directory, rest)?,
            false => Cow::Borrowed(rest),
        };
        Some(join(&mount.url, &rest))
    }

    /// Returns true if a file becomes a page.
    pub(super) fn is_page(&self, path: &[u8]) -> bool {
        let (_, extension) = split_extension(split(path).1);
        let is_known = |it: &&[u8]| it.eq_ignore_ascii_case(extension);
        self.kind.program().page_extensions.iter().any(is_known)
    }

    /// Returns true if a file on the site becomes a page, and may have front matter with its
    /// address.
    pub(super) fn is_page_with_front_matter(&self, path: &[u8]) -> bool {
        let is_of_html = self.kind != SiteKind::Docusaurus && self.is_page(path);
        (is_markdown(path) || is_of_html) && self.mount_of(path).is_some()
    }

    /// The address of the page of a file. `None` for a file that is copied.
    pub(super) fn address(&self, path: &[u8]) -> Option<Address> {
        let (mount, rest) = self.mount_of(path)?;
        let rest = self.routes.of(&mount.directory, rest)?;
        let (directory, name) = split(&rest);
        let mut names = directory.split(|&byte| byte == b'/');
        let is_private = match self.kind {
            SiteKind::Jekyll => {
                name.starts_with(b"_") || names.any(|it| JEKYLL_PARTS.contains(&it))
            }
            SiteKind::VitePress => names.chain([name]).any(|it| it.starts_with(b".")),
            kind => kind.program().has_parts && names.chain([name]).any(|it| it.starts_with(b"_")),
        };
        if mount.role == Role::Files || is_private || !self.is_page(path) {
            return None;
        }
        let (stem, _) = split_extension(name);
        let (stem, language) = match self.kind {
            SiteKind::Hugo => self.languages.divided(stem),
            _ => (stem, None),
        };
        let is_index =
            self.kind.program().index_stems.contains(&stem) || self.is_named_like(directory, stem);
        if self.kind == SiteKind::Jekyll {
            let fields = match self.own_addresses.get(path) {
                Some(OwnAddress::Fields(fields)) => Some(fields),
                _ => None,
            };
            let stem = join(&mount.url, &join(directory, stem));
            let (key, is_index) = self.permalinks.address(&stem, is_index, fields);
            return Some(Address { key, is_index });
        }
        let stem = match is_index {
            true => directory.to_vec(),
            false => join(directory, stem),
        };
        let key = match (self.kind, mount.role) {
            (SiteKind::Hugo, _) => sanitized(&stem),
            (SiteKind::Docusaurus, Role::Posts) => dated(&stem).into_owned(),
            (SiteKind::Docusaurus, _) => without_numbers(&stem),
            _ => stem,
        };
        let key = match language {
            Some(language) => {
                let (_, directory) = self.languages.of_directory(&mount.url);
                join(self.languages.url(language), &join(directory, &key))
            }
            None => join(&mount.url, &key),
        };
        let above = || split(&key).0;
        let own = self.own_addresses.get(path).map(|own| match own {
            OwnAddress::Fixed(own) => own.clone(),
            OwnAddress::InDirectory(own) if is_index => join(&key, own),
            OwnAddress::InDirectory(own) | OwnAddress::Sibling(own) => join(above(), own),
            OwnAddress::Fields(_) => key.clone(),
        });
        // With `uglyURLs`, a section is `posts.html`.
        let is_file = self.kind == SiteKind::Hugo && self.urls == PageUrls::Html;
        Some(Address {
            is_index: is_index && own.is_none() && (!is_file || directory.is_empty()),
            key: own.unwrap_or(key),
        })
    }

    /// The id of a document of Docusaurus at this path, below the directory of its content. It has
    /// the front matter of the file `source`.
    pub(super) fn document_id(&self, path: &[u8], source: &[u8]) -> Option<Vec<u8>> {
        let (mount, rest) = self.mount_of(path)?;
        if self.kind != SiteKind::Docusaurus
            || self.has_number_parser
            || mount.role != Role::Pages
            || !is_markdown(path)
        {
            return None;
        }
        let (directory, name) = split(rest);
        let own = self.own_ids.get(source).map(Vec::as_slice);
        let name = own.unwrap_or_else(|| without_number(split_extension(name).0));
        Some(join(&mount.directory, &join(&without_numbers(directory), name)))
    }

    /// The further addresses of a file whose page has this one.
    pub(super) fn aliases_of(&self, path: &[u8], address: &Address) -> Vec<Vec<u8>> {
        let directory = match address.is_index {
            true => &address.key,
            false => split(&address.key).0,
        };
        let aliases = self.aliases.get(path).into_iter().flatten();
        let keys = aliases.map(|alias| match alias {
            OwnAddress::Fixed(key) => key.clone(),
            OwnAddress::InDirectory(key) | OwnAddress::Sibling(key) => join(directory, key),
            OwnAddress::Fields(_) => address.key.clone(),
        });
        keys.collect()
    }

    /// Returns true if Docusaurus uses a file as the index of its directory because they have the
    /// same name.
    fn is_named_like(&self, directory: &[u8], stem: &[u8]) -> bool {
        self.kind == SiteKind::Docusaurus && split(directory).1 == stem
    }

    /// The directory on the site that relative references of a document are resolved against.
    pub(super) fn base_of(&self, document: &[u8]) -> Option<Vec<u8>> {
        if self.is_from_root {
            return Some(Vec::new());
        }
        let parent = |path: Vec<u8>| split(&path).0.to_vec();
        match (self.urls, self.address(document)) {
            (PageUrls::Names, _) | (_, None) => Some(parent(self.copied(document)?)),
            (PageUrls::Directory, Some(address)) if is_file(&address.key) => {
                Some(parent(address.key))
            }
            (PageUrls::Directory, Some(address)) => Some(address.key),
            (_, Some(address)) if address.is_index && !self.strips_slashes => Some(address.key),
            (_, Some(address)) => Some(parent(address.key)),
        }
    }

    /// The directory in the tree that Hugo finds pages from: that of the document, or above its
    /// bundle.
    pub(super) fn page_directory<'p>(&self, document: &'p [u8]) -> &'p [u8] {
        let (directory, name) = split(document);
        let (stem, _) = self.languages.divided(split_extension(name).0);
        match stem {
            b"index" => split(directory).0,
            _ => directory,
        }
    }

    /// The path in the tree of a page without its extension and language, or of its bundle.
    pub(super) fn page_path(&self, file: &[u8]) -> Vec<u8> {
        let (directory, name) = split(file);
        let (stem, _) = self.languages.divided(split_extension(name).0);
        match stem {
            b"index" | b"_index" => directory.to_vec(),
            stem => join(directory, stem),
        }
    }

    /// The path on the site of a link of this shape to a file. The second value is true if it ends
    /// in a slash. `None` if no link of this shape refers to the file.
    pub(super) fn path_of(&self, file: &[u8], shape: Shape) -> Option<(Vec<u8>, bool)> {
        let is_source = |(mount, _): (&Mount, &[u8])| mount.role == Role::Sources;
        if shape == Shape::Exact {
            if self.kind != SiteKind::Nextra && self.mount_of(file).is_some_and(is_source) {
                return None;
            }
            return Some((self.copied(file)?, false));
        }
        let Address { mut key, is_index } = self.address(file)?;
        if self.kind.program().names_indexes && is_index && shape == Shape::Bare {
            // The name of the document.
            return Some((join(&key, split_extension(split(file).1).0), false));
        }
        match (self.urls, shape) {
            (PageUrls::Names, Shape::Bare | Shape::Slash) if is_index => {}
            (PageUrls::Names, _) => return None,
            (PageUrls::Html | PageUrls::Stem, Shape::Slash | Shape::IndexHtml) if !is_index => {
                return None;
            }
            (PageUrls::Stem, Shape::Html | Shape::IndexHtml) => return None,
            (PageUrls::Directory, Shape::Slash | Shape::IndexHtml) if is_file(&key) => return None,
            (PageUrls::Html | PageUrls::Bare, Shape::Html) if !is_index => {
                key.extend_from_slice(b".html");
            }
            (_, Shape::Html) if !is_index => return None,
            (_, Shape::IndexHtml | Shape::Html) => key = join(&key, b"index.html"),
            (_, Shape::Bare) if key.is_empty() => return None,
            _ => {}
        }
        Some((key, shape == Shape::Slash))
    }

    /// Returns true for a file whose content the program writes into pages, which have their own
    /// addresses and ids: a layout or an include.
    pub(super) fn is_part(&self, path: &[u8]) -> bool {
        let parts: &[&[u8]] = match self.kind {
            SiteKind::Jekyll => &[b"_includes", b"_layouts"],
            SiteKind::Hugo => &[b"layouts"],
            _ => &[],
        };
        let Some(path) = below(path, &self.home.directory).filter(|_| !parts.is_empty()) else {
            return false;
        };
        let directories = [&self.home.url, split(path).0].into_iter();
        { directories }.flat_map(|it| it.split(|&byte| byte == b'/')).any(|it| parts.contains(&it))
    }

    /// Returns true for a file that the configuration excludes.
    pub(super) fn excludes(&self, path: &[u8]) -> bool {
        let excluded = self.excluded.as_ref();
        excluded.is_some_and(|it| self.mount_of(path).is_some_and(|(_, rest)| it.has(rest)))
    }

    /// Returns true for an output file of the program within its content.
    pub(super) fn is_output(&self, path: &[u8]) -> bool {
        let output = self.kind.program().output;
        let path = join(&self.home.url, path);
        let names: Vec<&[u8]> = path.split(|&byte| byte == b'/').collect();
        output.iter().any(|it| {
            let it: Vec<&[u8]> = it.as_bytes().split(|&byte| byte == b'/').collect();
            names.windows(it.len()).any(|names| names == it)
        })
    }

    /// Returns true for a vault of notes, or a wiki.
    pub(super) fn is_vault(&self) -> bool {
        self.kind.program().has_names
    }

    /// Returns true if a name may be that of a file in another directory.
    pub(super) fn has_names(&self) -> bool {
        self.is_vault() || matches!(self.kind, SiteKind::Hugo | SiteKind::Jekyll)
    }

    /// The names of a page of a wiki, with hyphens in place of blanks.
    pub(super) fn page_name<'n>(&self, name: &'n str) -> Cow<'n, str> {
        match self.kind {
            SiteKind::Wiki => Cow::Owned(name.replace(' ', "-")),
            _ => Cow::Borrowed(name),
        }
    }

    /// The path of the page in the default language that is shown for a path in another one.
    pub(super) fn untranslated(&self, path: &[u8]) -> Option<Vec<u8>> {
        let (languages, default) = self.translations.as_ref()?;
        let mut rest = languages.iter().filter_map(|it| below(path, it));
        match rest.next() {
            Some(rest) => Some(join(default, rest)),
            // Next.js adds the language.
            None => (self.kind == SiteKind::Nextra).then(|| join(default, path)),
        }
    }

    /// The precedence of an index file among those of its directory; the first is the lowest.
    pub(super) fn rank_of_index(&self, path: &[u8]) -> usize {
        let (stem, _) = split_extension(split(path).1);
        let stems = self.kind.program().index_stems;
        let found = stems.iter().position(|it| *it == stem);
        found.unwrap_or(stems.len())
    }

    /// The path of a file of the site that is outside of the tree, relative to the root of the
    /// tree. `None` if the path is unknown, or within the tree.
    pub(super) fn outside(&self, path: &[u8]) -> Option<Vec<u8>> {
        if self.kind != SiteKind::GitHub || self.home.url.is_empty() {
            return None;
        }
        if below(path, &self.home.url).is_some() {
            return None;
        }
        let levels = self.home.url.split(|&byte| byte == b'/').count();
        Some([&b"../".repeat(levels), path].concat())
    }

    /// The directory of Hugo's content that a file is in, which has a list of its pages.
    pub(super) fn section_of(&self, path: &[u8]) -> Option<Vec<u8>> {
        let (mount, rest) = self.mount_of(path)?;
        let (section, _) = rest.split_at(memchr::memchr(b'/', rest)?);
        let (_, directory) = self.languages.of_directory(&mount.url);
        let section = join(directory, &sanitized(section));
        let url = self.languages.url(self.language_of(path));
        (self.kind == SiteKind::Hugo).then(|| join(url, &section))
    }

    /// The language of a file of Hugo.
    pub(super) fn language_of(&self, path: &[u8]) -> &str {
        let (stem, _) = split_extension(split(path).1);
        let of_directory = || {
            let url = self.mount_of(path).map_or(&[][..], |(mount, _)| &mount.url);
            self.languages.of_directory(url).0
        };
        self.languages.divided(stem).1.unwrap_or_else(of_directory)
    }

    /// The last name of the address of a page, if settings or categories may change its
    /// directories.
    pub(super) fn permalink_of<'p>(&self, path: &'p [u8]) -> Option<Cow<'p, [u8]>> {
        let (_, rest) = self.mount_of(path)?;
        let (stem, _) = split_extension(split(rest).1);
        match self.kind {
            _ if !self.generated.has_permalinks => None,
            SiteKind::Jekyll
                if rest.starts_with(b"_") || memchr::memmem::find(rest, b"/_").is_some() =>
            {
                let title = |stem| jekyll::title(stem).as_bytes();
                Some(Cow::Borrowed(std::str::from_utf8(stem).map_or(stem, title)))
            }
            SiteKind::Hugo => {
                let address = self.address(path)?;
                Some(Cow::Owned(split(&address.key).1.to_vec()))
            }
            _ => None,
        }
    }

    /// Returns true if a path on the site belongs to pages that are outside of the tree.
    pub(super) fn is_elsewhere(&self, path: &[u8]) -> bool {
        let in_tree = self.mounts.iter().filter(|it| below(path, &it.url).is_some());
        let in_tree = in_tree.map(|it| it.url.len()).max();
        let is_partial = || self.mounts.iter().any(|it| it.is_partial);
        let mut elsewhere = self.elsewhere.iter().filter(|it| it.role != Role::Files);
        in_tree.is_none() && is_partial()
            || elsewhere.any(|it| {
                below(path, &it.url).is_some() && in_tree.is_none_or(|len| it.url.len() > len)
            })
    }

    /// Returns true if a path from the root of the site may be that of a copied file that is
    /// outside of the tree.
    pub(super) fn is_copied_elsewhere(&self, path: &[u8]) -> bool {
        let (_, extension) = split_extension(split(path).1);
        let is_copied = !matches!(extension, b"" | b"html") && !is_markdown(path);
        is_copied
            && self
                .elsewhere
                .iter()
                .any(|it| it.role == Role::Files && below(path, &it.url).is_some())
    }

    /// Returns true if the program may generate the page at a path on the site without a file.
    /// `is_list` returns true for the path of a page that lists those of a directory.
    pub(super) fn may_generate(&self, path: &[u8], is_list: impl Fn(&[u8]) -> bool) -> bool {
        if self.kind != SiteKind::Hugo {
            return self.generated.contains(path);
        }
        // Each list has a feed, and further pages.
        let is_of_list = match split(path) {
            (list, b"index.xml") => is_list(list),
            (numbered, _) => {
                let list = split(numbered).0;
                let rest = below(path, list).unwrap_or_default();
                is_list(list) && self.generated.is_numbered(rest)
            }
        };
        // Each language has its home and its taxonomies.
        let in_language = self.languages.without_code(path);
        is_of_list
            || is_list(path)
            || in_language.is_some_and(<[u8]>::is_empty)
            || self.generated.contains(in_language.unwrap_or(path))
    }
}

/// A path without the numbers that only order its names.
fn without_numbers(path: &[u8]) -> Vec<u8> {
    let names = path.split(|&byte| byte == b'/').map(without_number);
    names.collect::<Vec<_>>().join(&b'/')
}

/// A name without the number that only orders it, such as `01-`.
fn without_number(name: &[u8]) -> &[u8] {
    let digits = name.iter().take_while(|it| it.is_ascii_digit()).count();
    let rest = name[digits..].trim_ascii_start();
    let marks = rest.iter().take_while(|it| matches!(it, b'-' | b'_' | b'.'));
    let marks = marks.count();
    let suffix = rest[marks..].trim_ascii_start();
    // Two numbers are a date or a version.
    match digits > 0 && marks > 0 && suffix.first().is_some_and(|it| !it.is_ascii_digit()) {
        true => suffix,
        false => name,
    }
}

/// The path of a post with its date as directories: `2020/01/02/title` for `2020-01-02-title`.
fn dated(stem: &[u8]) -> Cow<'_, [u8]> {
    let (directory, name) = split(stem);
    if !has_date(name) {
        return Cow::Borrowed(stem);
    }
    let mut path = name.to_vec();
    for at in [4, 7, 10] {
        path[at] = b'/';
    }
    Cow::Owned(join(directory, &path))
}

/// Returns true for a name that begins with a date and a hyphen.
fn has_date(name: &[u8]) -> bool {
    name.len() > 11
        && name[..11].iter().enumerate().all(|(at, byte)| match at {
            4 | 7 | 10 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

/// The directories of Jekyll whose files are not pages.
const JEKYLL_PARTS: [&[u8]; 6] =
    [b"_includes", b"_layouts", b"_data", b"_drafts", b"_plugins", b"_sass"];

/// Returns true for the key of a page whose explicit address has the extension of a file.
fn is_file(key: &[u8]) -> bool {
    key.ends_with(b".html")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_order_names_are_removed() {
        for (name, without) in [
            ("01-intro", "intro"),
            ("2. guide", "guide"),
            ("10_a", "a"),
            ("2021-11-10-post", "2021-11-10-post"),
            ("7.0-notes", "7.0-notes"),
            ("1", "1"),
            ("1-", "1-"),
            ("a-1", "a-1"),
        ] {
            let found = without_number(name.as_bytes());
            assert_eq!(String::from_utf8_lossy(found), without, "{name}");
        }
    }

    #[test]
    fn dates_become_directories() {
        assert_eq!(*dated(b"a/2020-01-02-x-y"), *b"a/2020/01/02/x-y");
        assert_eq!(*dated(b"2020-01-02"), *b"2020-01-02");
        assert_eq!(*dated(b"2020-1-02-x-and-more"), *b"2020-1-02-x-and-more");
    }
}
