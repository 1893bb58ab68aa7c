//! Look-up of the file that a reference refers to.

use std::borrow::Cow;

use super::address::{DocsSite, Mount, Role as AddressRole, Shape};
use super::docs_sites::DocsSites;
use super::form::{Ends, Form, Start};
use super::kind::SiteKind;
use super::names::{Answer, NameIndex, NameRule};
use super::page_index::{Keyed, PageIndex};
use super::paths::{
    CleanPath, MARKDOWN, below, is_markdown, join, path_of, resolved, split, split_extension,
};
use super::programs::PageUrls;
use super::routes::may_be_of;
use crate::bytes::percent;
use crate::link::ParsedLink;
use crate::listing::{Entry, Id, Listing, fold_key};

/// The target of a reference that names no existing file literally.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageTarget {
    pub(crate) file: Id,
    pub(crate) form: Form,
}

/// The result of a look-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PageLookup {
    Found(PageTarget),
    /// A path on the site that is outside of the tree, relative to the root of the tree.
    Outside(Vec<u8>),
    /// A page that the site may generate, or a route of its host.
    Generated,
    /// Several files have the name.
    Ambiguous,
    Missing,
}

/// The alias of the directory of a Docusaurus site.
pub(super) const SITE_ALIAS: &str = "@site/";

/// The beginning of a path that Docusaurus does not resolve.
const PATHNAME: &str = "pathname://";

/// The path of the target of a wiki link, and its heading or block.
pub(super) fn wiki_path(target: &str) -> (&str, &str) {
    let end = target.find('#').unwrap_or(target.len());
    (target[..end].trim_ascii(), &target[end..])
}

/// Returns true if a path out of a repository may be that of a page of the host, such as
/// `../../issues`. Files are below the name of a view.
fn is_page_of_host(path: &str) -> bool {
    let first = path.split('/').find(|it| !matches!(*it, "" | "." | ".."));
    let is_view = |it| ["blob", "tree", "raw", "blame", "edit", "wiki"].contains(&it);
    !is_markdown(path.as_bytes()) || first.is_some_and(is_view)
}

/// A path without the extension of a page.
fn stem_of(path: &[u8]) -> &[u8] {
    path.strip_suffix(b".md").unwrap_or(path)
}

/// Returns true if a path ends in these names, without differences of case.
fn ends_in(path: &[u8], names: &[u8]) -> bool {
    let (path, names) = (fold_key(path), fold_key(names));
    let rest = path.strip_suffix(&*names);
    rest.is_some_and(|it| it.is_empty() || it.ends_with(b"/"))
}

/// The number of directories above a file.
pub(super) fn depth(path: &[u8]) -> usize {
    path.iter().filter(|&&byte| byte == b'/').count()
}

/// The files of a tree with their sites.
#[derive(Clone, Copy)]
pub(crate) struct SitePages<'s> {
    pub(crate) layouts: &'s DocsSites,
    pub(crate) index: &'s PageIndex,
    pub(crate) listing: &'s Listing,
}

impl<'s> SitePages<'s> {
    /// Finds the target of a reference in a document. References with a scheme have one only if
    /// they begin with an alias.
    pub(crate) fn find(self, document: &[u8], reference: &str) -> PageLookup {
        let Some((number, layout)) = self.layouts.governing(document) else {
            return PageLookup::Missing;
        };
        if layout.kind == SiteKind::Docusaurus {
            let end = reference.find(['?', '#']).unwrap_or(reference.len());
            if let Some(path) = reference[..end].strip_prefix(SITE_ALIAS) {
                let found = self.below_mount(&layout.home, path, Start::Alias);
                return found.map_or(PageLookup::Missing, PageLookup::Found);
            }
            if reference.starts_with(PATHNAME) {
                return PageLookup::Generated;
            }
        }
        // MkDocs normalizes the path.
        if layout.kind == SiteKind::MkDocs
            && let Some((path, false)) = path_of(reference)
            && let Some(named) = path.strip_suffix('/').filter(|it| is_markdown(it.as_bytes()))
            && let Some(file) = self.plain(split(document).0, named)
        {
            let form = Form { start: Start::File, shape: Shape::Exact };
            return PageLookup::Found(PageTarget { file, form });
        }
        match path_of(reference) {
            Some((path, true)) => self.rooted(number, layout, document, path),
            Some((path, false)) => self.relative(number, layout, document, path),
            None => PageLookup::Missing,
        }
    }

    /// Returns true if the program of the site does not accept a link of a document that names a
    /// page. MyST takes files and names of documents, without a fragment after these, and no
    /// addresses of pages.
    pub(crate) fn rejects(self, document: &[u8], link: &ParsedLink<'_>) -> bool {
        let PageLookup::Found(target) = self.find(document, &link.reference) else {
            return false;
        };
        let is_accepted = match target.form.shape {
            Shape::Exact => true,
            Shape::Bare => !link.reference.contains('#'),
            Shape::Slash | Shape::Html | Shape::IndexHtml => false,
        };
        !is_accepted && self.layouts.is_of_myst(document, link)
    }

    /// Finds a path from the root.
    fn rooted(self, number: usize, layout: &DocsSite, document: &[u8], path: &str) -> PageLookup {
        let Ok(clean) = resolved(b"", path) else {
            return PageLookup::Missing;
        };
        let without_prefix = below(&clean.names, &layout.prefix);
        let without_prefix = without_prefix.filter(|_| !layout.prefix.is_empty());
        let spellings = [(Some(clean.names.as_slice()), false), (without_prefix, true)];
        let is_on_site =
            |is_prefixed| is_prefixed || !layout.keeps_rooted || layout.prefix.is_empty();
        for (names, is_prefixed) in spellings.into_iter().filter(|it| is_on_site(it.1)) {
            let start = Start::Root { is_prefixed };
            let names = names.map(<[u8]>::to_vec);
            let clean = |names| CleanPath { names, slash: clean.slash };
            if let Some(found) =
                names.and_then(|it| self.on_site(number, layout, &clean(it), start))
            {
                return PageLookup::Found(found);
            }
        }
        if layout.kind == SiteKind::Docusaurus && is_markdown(&clean.names) {
            let content = layout.content_of(document);
            let content = content.iter().map(|mount| (mount, Start::ContentRoot));
            let places = content.chain([(&layout.home, Start::HomeRoot)]);
            for (mount, start) in places {
                if let Some(found) = self.below_mount(mount, path, start) {
                    return PageLookup::Found(found);
                }
            }
        }
        if let Some(outside) = layout.outside(&clean.names) {
            return PageLookup::Outside(outside);
        }
        let paths = spellings.iter().filter_map(|(names, _)| *names);
        let may_exist = |names| {
            self.may_exist(number, layout, names)
                || self.layouts.configures(document) && self.may_be_of_plugin(layout, names)
        };
        match { paths }.any(may_exist) {
            true => PageLookup::Generated,
            false => PageLookup::Missing,
        }
    }

    /// Finds a path from the root of the site that the path of its address precedes.
    pub(super) fn below_prefix(self, number: usize, layout: &DocsSite, path: &str) -> PageLookup {
        let end = path.find(['?', '#']).unwrap_or(path.len());
        let Ok(clean) = resolved(b"", &path[1..end]) else {
            return PageLookup::Missing;
        };
        match self.on_site(number, layout, &clean, Start::Root { is_prefixed: false }) {
            Some(found) => PageLookup::Found(found),
            None if self.may_exist(number, layout, &clean.names) => PageLookup::Generated,
            None => PageLookup::Missing,
        }
    }

    /// Returns true if a path from the root of the site is in no directory of content. A navigation
    /// may show pages of plugins and hosts.
    fn may_be_of_plugin(self, layout: &DocsSite, path: &[u8]) -> bool {
        let first = |path: &[u8]| path.split(|it| *it == b'/').next().map(<[u8]>::to_vec);
        let Some(name) = first(path) else {
            return false;
        };
        !layout.mounts.iter().any(|mount| match mount.url.is_empty() {
            true => self.has_directory(&join(&mount.directory, &name)),
            false => first(&mount.url).as_ref() == Some(&name),
        })
    }

    /// Returns true if a path from the root of the site may be that of a page without a file in the
    /// tree.
    fn may_exist(self, number: usize, layout: &DocsSite, path: &[u8]) -> bool {
        let is_section = |path: &[u8]| self.index.sections.contains(&(number, path.to_vec()));
        let is_permalink = || {
            let name = split(path).1;
            let name = name.strip_suffix(b".html").unwrap_or(name);
            self.index.permalinks.contains(&(number, name.to_vec()))
        };
        layout.is_elsewhere(path)
            || self.is_generated(number, layout, path)
            || layout.is_copied_elsewhere(path)
            || layout.may_generate(path, is_section)
            || is_permalink()
    }

    /// Returns true for the path of a page that another file is the source of: a route with
    /// parameters, or a page in the default language.
    fn is_generated(self, number: usize, layout: &DocsSite, path: &[u8]) -> bool {
        let mut routes = self.index.routes.iter().filter(|it| it.0 == number);
        let untranslated = || {
            let names = layout.untranslated(path)?;
            self.on_site(number, layout, &CleanPath { names, slash: false }, Start::Page)
        };
        routes.any(|(_, route)| may_be_of(route, path)) || untranslated().is_some()
    }

    /// Finds a relative path.
    fn relative(self, number: usize, layout: &DocsSite, document: &[u8], path: &str) -> PageLookup {
        if layout.kind == SiteKind::Docusaurus && is_markdown(path.as_bytes()) {
            let content = layout.content_of(document);
            let content = content.iter().map(|mount| (mount, Start::Content));
            for (mount, start) in content.chain([(&layout.home, Start::Home)]) {
                if let Some(found) = self.below_mount(mount, path, start) {
                    return PageLookup::Found(found);
                }
            }
        }
        if layout.finds_pages
            && let Some(found) = self.page_by_path(layout, document, path)
        {
            return PageLookup::Found(found);
        }
        let Some(base) = layout.base_of(document) else {
            return PageLookup::Missing;
        };
        let clean = match resolved(&base, path) {
            Ok(clean) => clean,
            Err(2..) if layout.kind == SiteKind::GitHub && is_page_of_host(path) => {
                return PageLookup::Generated;
            }
            Err(_) if layout.kind == SiteKind::Wiki => {
                return PageLookup::Generated;
            }
            Err(_) => return PageLookup::Missing,
        };
        if let Some(found) = self.on_site(number, layout, &clean, Start::Page) {
            return PageLookup::Found(found);
        }
        if layout.is_vault() && !path.starts_with('.') {
            let root = self.vault_of(document);
            let name = percent::decode(path);
            let name = String::from_utf8_lossy(&name);
            let name = layout.page_name(&name);
            if let Some(found) = self.note(root, document, name.as_bytes()) {
                return PageLookup::Found(found);
            }
        }
        match layout.outside(&clean.names) {
            Some(outside) => PageLookup::Outside(outside),
            None if layout.is_elsewhere(&clean.names)
                || (layout.is_from_root || layout.kind == SiteKind::Nextra)
                    && layout.generated.contains(stem_of(&clean.names))
                || self.is_generated(number, layout, &clean.names) =>
            {
                PageLookup::Generated
            }
            None => PageLookup::Missing,
        }
    }

    /// The page that the relative path of a link names as a hook of Hugo finds it: from the
    /// directory of the document, or above its bundle, or else from the content.
    fn page_by_path(self, layout: &DocsSite, document: &[u8], path: &str) -> Option<PageTarget> {
        let language = layout.language_of(document);
        let content = layout.content_of(document).filter(|_| !path.starts_with('.'));
        let content = content.map(|it| (Start::Content, it.directory));
        let places = [(Start::Pages, layout.page_directory(document).to_vec())].into_iter();
        { places.chain(content) }.find_map(|(start, directory)| {
            let clean = resolved(&directory, path).ok()?;
            let (file, found) = self.at_path(&Ends::OF_HUGO, &clean.names, language)?;
            let shape = match found {
                Shape::Exact => return None,
                _ if clean.slash => Shape::Slash,
                _ => Shape::Bare,
            };
            Some(PageTarget { file, form: Form { start, shape } })
        })
    }

    /// The file at a path: with this exact name, with an extension, or as the index of a directory.
    /// A language of Hugo may precede the extension.
    pub(super) fn at_path(self, ends: &Ends, path: &[u8], language: &str) -> Option<(Id, Shape)> {
        if let Some(file) = self.file_at(path) {
            return Some((file, Shape::Exact));
        }
        let extended = |path: &[u8]| {
            let mut extensions = ends.extensions.iter();
            let at = |end: &[&[u8]]| self.file_at(&[path, b".", &end.join(&b'.')].concat());
            extensions.find_map(|it| {
                let in_language = || at(&[language.as_bytes(), it.as_bytes()]);
                let in_language = (!language.is_empty()).then(in_language);
                in_language.flatten().or_else(|| at(&[it.as_bytes()]))
            })
        };
        if let Some(file) = extended(path) {
            return Some((file, Shape::Bare));
        }
        let mut indexes = ends.indexes.iter();
        let file = indexes.find_map(|it| extended(&join(path, it.as_bytes())))?;
        Some((file, Shape::Slash))
    }

    /// Finds the file with exactly this path below a mounted directory.
    fn below_mount(self, mount: &Mount, path: &str, start: Start) -> Option<PageTarget> {
        let clean = resolved(b"", path).ok().filter(|it| !it.slash)?;
        let path = below(&clean.names, &mount.url)?;
        let file = self.file_at(&join(&mount.directory, path))?;
        Some(PageTarget { file, form: Form { start, shape: Shape::Exact } })
    }

    /// Finds the file at a path relative to a directory of the tree.
    pub(super) fn plain(self, directory: &[u8], path: &str) -> Option<Id> {
        let clean = resolved(directory, path).ok().filter(|it| !it.slash)?;
        self.file_at(&clean.names)
    }

    pub(super) fn file_at(self, path: &[u8]) -> Option<Id> {
        match self.listing.resolved(path)? {
            (file, Entry::File) => Some(file),
            _ => None,
        }
    }

    /// Finds a path on a site.
    fn on_site(
        self,
        number: usize,
        layout: &DocsSite,
        path: &CleanPath,
        start: Start,
    ) -> Option<PageTarget> {
        let CleanPath { names, slash } = path;
        let found = |file, shape| PageTarget { file, form: Form { start, shape } };
        if !slash {
            let copied = layout.mounts.iter().filter(|it| it.role != AddressRole::Sources);
            let below_mounts = copied.filter_map(|mount| {
                let path = join(&mount.directory, below(names, &mount.url)?);
                // A mount within this one has its own paths.
                let is_own = layout.mount_of(&path).is_some_and(|(it, _)| it == mount);
                self.file_at(&path).filter(|_| is_own)
            });
            if let Some(file) = { below_mounts }.next() {
                return Some(found(file, Shape::Exact));
            }
        }
        let keyed = |key: &[u8]| self.index.pages.get(&(number, key.to_vec())).copied();
        let either = |it: Keyed| it.file.or(it.index);
        let with_index = |it: Keyed| match layout.urls {
            PageUrls::Directory | PageUrls::Bare => it.index.or(it.file),
            PageUrls::Html | PageUrls::Stem | PageUrls::Names => it.index,
        };
        if *slash {
            let file = keyed(names).and_then(with_index)?;
            return Some(found(file, Shape::Slash));
        }
        let (directory, last) = split(names);
        if last == b"index.html"
            && !matches!(layout.urls, PageUrls::Names | PageUrls::Stem)
            && let Some(file) = keyed(directory).and_then(with_index)
        {
            return Some(found(file, Shape::IndexHtml));
        }
        let is_stripped = layout.kind == SiteKind::Nextra;
        let stripped = || names.strip_suffix(b".mdx").filter(|_| is_stripped);
        if let Some(key) = names.strip_suffix(b".md").or_else(stripped)
            && (layout.routes.are_rewritten() || is_stripped)
            && let Some(file) = keyed(key).and_then(|it| it.file)
        {
            return Some(found(file, Shape::Exact));
        }
        if let Some(key) = names.strip_suffix(b".html")
            && matches!(layout.urls, PageUrls::Html | PageUrls::Bare)
            && let Some(file) = keyed(key).and_then(|it| it.file)
        {
            return Some(found(file, Shape::Html));
        }
        let keyed = keyed(names)?;
        let file = match layout.urls {
            PageUrls::Names => keyed.index,
            _ if layout.kind.program().names_indexes => keyed.file,
            _ => either(keyed),
        };
        Some(found(file?, Shape::Bare))
    }

    pub(super) fn name_index(self) -> &'s NameIndex {
        let roots = || self.layouts.roots();
        self.index.names.get_or_init(|| NameIndex::new(self.listing, roots()))
    }

    /// Finds the note below a root, or another file, whose path ends in these names, as Obsidian
    /// does: the one in the directory of the document, or else the one with the shortest path. The
    /// extension of a note may be missing.
    fn note(self, root: &[u8], document: &[u8], names: &[u8]) -> Option<PageTarget> {
        let extended = MARKDOWN.map(|it| [names, b".", it].concat());
        let ends: Vec<Vec<u8>> = std::iter::once(names.to_vec()).chain(extended).collect();
        let index = self.name_index();
        let here = below(split(document).0, root);
        let mut beside = ends.iter().filter_map(|end| {
            let path = join(here?, split(end).1);
            index.at(root, &path).filter(|_| ends_in(&path, end))
        });
        let anywhere = || {
            let shortest = index.answer(root, NameRule::Note, &ends, |files| Answer {
                file: files.min_by_key(|it| (self.listing.name(*it).len(), *it)),
                ..Answer::default()
            });
            shortest.file
        };
        let file = beside.next().or_else(anywhere)?;
        let shape = match split_extension(split(self.listing.name(file)).1) {
            (stem, extension) if !extension.is_empty() && ends_in(stem, split(names).1) => {
                Shape::Bare
            }
            _ => Shape::Exact,
        };
        Some(PageTarget { file, form: Form { start: Start::Anywhere, shape } })
    }

    /// Finds the page of Hugo in the content of a document, and in its language, that has this
    /// name: that of its file or of its directory.
    pub(super) fn page_named(
        self,
        number: usize,
        layout: &DocsSite,
        document: &[u8],
        name: &[u8],
    ) -> PageLookup {
        let name = name.strip_suffix(b"/").unwrap_or(name);
        let (stem, extension) = split_extension(name);
        let extensions = layout.kind.program().page_extensions;
        let name = match extensions.contains(&extension) {
            true => stem,
            false => name,
        };
        let indexes = layout.kind.program().index_stems;
        if name.contains(&b'/') || indexes.contains(&name) {
            return PageLookup::Missing;
        }
        let Some((content, _)) = layout.mount_of(document) else {
            return PageLookup::Missing;
        };
        let language = layout.language_of(document).as_bytes();
        let stems = indexes.iter().map(|it| join(name, it)).chain([name.to_vec()]);
        let stems: Vec<Vec<u8>> = stems.collect();
        let with = |middle: &[u8]| {
            let middle = middle.to_vec();
            let stems = stems.iter();
            stems.flat_map(move |stem| {
                let end = [stem, &*middle, b"."].concat();
                extensions.iter().map(move |it| [&*end, it].concat())
            })
        };
        // The language comes first: the answer depends on the first end.
        let mut ends: Vec<Vec<u8>> = Vec::new();
        if !language.is_empty() {
            ends.extend(with(&[b".", language].concat()));
        }
        ends.extend(with(b""));
        // Files next to `index.md` belong to that page.
        let is_page = |id: &Id| {
            let (directory, file) = split(self.listing.name(*id));
            let is_resource = !file.starts_with(b"index.")
                && self.file_at(&join(directory, b"index.md")).is_some();
            let here = self.layouts.publisher_of(self.listing.name(*id));
            !is_resource
                && here.is_some_and(|(it, _)| it == number)
                && layout.language_of(self.listing.name(*id)).as_bytes() == language
        };
        let answer = self.name_index().answer(&content.directory, NameRule::Page, &ends, |files| {
            let mut pages = files.filter(is_page);
            Answer { file: pages.next(), is_ambiguous: pages.next().is_some() }
        });
        match answer.file {
            Some(_) if answer.is_ambiguous => PageLookup::Ambiguous,
            Some(file) => {
                let (file_stem, _) = split_extension(split(self.listing.name(file)).1);
                let (file_stem, _) = layout.languages.divided(file_stem);
                let shape = match extension {
                    _ if indexes.contains(&file_stem) => Shape::Slash,
                    b"" => Shape::Bare,
                    _ => Shape::Exact,
                };
                PageLookup::Found(PageTarget { file, form: Form { start: Start::Anywhere, shape } })
            }
            // Hugo makes a page for each directory of the content.
            None if self.has_directory(&join(&content.directory, name)) => PageLookup::Generated,
            None => PageLookup::Missing,
        }
    }

    fn has_directory(self, path: &[u8]) -> bool {
        matches!(self.listing.resolved(path), Some((_, Entry::Directory)))
    }

    /// The root of the vault of a document, or else of the tree.
    fn vault_of(self, document: &[u8]) -> &'s [u8] {
        let vault = self.layouts.governing(document);
        let vault = vault.filter(|(_, layout)| layout.is_vault());
        let mount = vault.and_then(|(_, layout)| Some(layout.mount_of(document)?.0));
        mount.map_or(b"", |mount| &mount.directory)
    }

    /// Finds the file that `[[target]]` in a document refers to: by its path from the root of the
    /// vault, or by the end of its path. `./` and `../` begin at the document.
    pub(super) fn wiki(self, document: &[u8], target: &str) -> Option<PageTarget> {
        let path = wiki_path(target).0;
        if path.is_empty() {
            return None;
        }
        let layout = self.layouts.governing(document).map(|(_, layout)| layout);
        let path = layout.map_or(Cow::Borrowed(path), |it| it.page_name(path));
        let root = self.vault_of(document);
        let is_relative = path.starts_with("./") || path.starts_with("../");
        let begin = if is_relative { split(document).0 } else { root };
        // Names are not percent-encoded.
        let clean = resolved(begin, &path.replace('%', "%25")).ok()?;
        let note =
            |extension: &[u8]| self.file_at(&[&clean.names, b".".as_slice(), extension].concat());
        let found = |file, shape| PageTarget { file, form: Form { start: Start::Anywhere, shape } };
        if let Some(file) = self.file_at(&clean.names) {
            return Some(found(file, Shape::Exact));
        }
        if let Some(file) = MARKDOWN.into_iter().find_map(note) {
            return Some(found(file, Shape::Bare));
        }
        match is_relative {
            true => None,
            false => self.note(root, document, path.trim_start_matches('/').as_bytes()),
        }
    }

    /// The file that a reference of a document names: literally, or by the rules of its site.
    pub(crate) fn target(self, document: &[u8], reference: &str) -> Option<Id> {
        Some(self.named_file(document, reference)?.0)
    }

    /// The file that a reference of a document names, with the form of the reference if it is found
    /// by the rules of the site.
    pub(super) fn named_file(self, document: &[u8], reference: &str) -> Option<(Id, Option<Form>)> {
        let page = || match self.find(document, reference) {
            PageLookup::Found(found) => Some((found.file, Some(found.form))),
            _ => None,
        };
        let Some((path, is_from_root)) = path_of(reference) else {
            return page();
        };
        let plain = |directory: &[u8]| Some((self.plain(directory, path)?, None));
        match is_from_root {
            true => page().or_else(|| plain(b"")),
            false => plain(split(document).0).or_else(page),
        }
    }
}
