//! The sites of a tree.

use std::borrow::Cow;
use std::collections::HashMap;

use super::address::DocsSite;
use super::kind::SiteKind;
use super::paths::{below, has_file_extension, is_markdown, is_mdx, join, split};
use crate::format::Options;
use crate::format::markdown::{PythonIds, Slugs};
use crate::format::site_config::site_of;
use crate::link::{MarkdownForm, ParsedLink, Place, Role};
use crate::listing::Moves;

/// The sites of a tree.
#[derive(Clone, Debug, Default)]
pub struct DocsSites {
    list: Vec<DocsSite>,
    /// The number of the layout of each mounted directory.
    by_directory: HashMap<Vec<u8>, usize>,
    /// The numbers of the layouts that are configured in a directory.
    configured: HashMap<Vec<u8>, Vec<usize>>,
    /// The numbers of the layouts whose directory is above the tree.
    partial: Vec<usize>,
}

impl DocsSites {
    pub(super) fn new(list: Vec<DocsSite>) -> Self {
        let mut by_directory = HashMap::new();
        let mut configured: HashMap<Vec<u8>, Vec<usize>> = HashMap::new();
        let mut partial = Vec::new();
        for (number, layout) in list.iter().enumerate() {
            for mount in &layout.mounts {
                let directory = mount.directory.clone();
                by_directory.entry(directory).or_insert(number);
            }
            // Documents in this directory are parts of pages.
            if let Some(parts) = layout.kind.program().parts
                && !layout.home.is_partial
            {
                let sources = join(&layout.home.directory, parts.as_bytes());
                by_directory.entry(sources).or_insert(number);
            }
            match layout.home.is_partial {
                true => partial.push(number),
                false => {
                    let home = layout.home.directory.clone();
                    configured.entry(home).or_default().push(number);
                }
            }
        }
        Self { list, by_directory, configured, partial }
    }

    /// Returns true if all documents are plain.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The kind of site that a file belongs to.
    pub fn kind_of(&self, path: &[u8]) -> SiteKind {
        let layout = self.layout_of(path);
        layout.map_or(SiteKind::Plain, |(_, layout)| layout.kind)
    }

    /// The options for the links of a file: those with the constructs of the program that builds
    /// its site, or of MDX.
    pub fn options_of<'o>(&self, path: &[u8], options: &'o Options) -> Cow<'o, Options> {
        let layout = self.configured_by(path).or_else(|| self.layout_of(path));
        let kind = layout.map_or(SiteKind::Plain, |(_, layout)| match layout.kind {
            // MDX is detected by the name.
            SiteKind::Docusaurus if layout.detects_mdx && !is_mdx(path) => SiteKind::Plain,
            kind => kind,
        });
        let mut options = kind.options_of(path, options);
        let has_settings = |it: &&DocsSite| it.has_block_ids || it.python != PythonIds::default();
        if let Some(layout) = layout.map(|it| it.1).filter(has_settings) {
            let markdown = &mut options.to_mut().markdown;
            (markdown.block_ids, markdown.python) = (layout.has_block_ids, layout.python);
        }
        options
    }

    /// The rule for the ids of headings of a file.
    pub fn slugs_of(&self, path: &[u8]) -> Slugs {
        let layout = self.layout_of(path);
        layout.map_or(Slugs::default(), |(_, layout)| layout.slugs)
    }

    /// Returns true if the configuration of the site of a page derives the ids of its headings by a
    /// function.
    pub(crate) fn has_computed_ids(&self, page: &[u8]) -> bool {
        let layout = self.layout_of(page);
        layout.is_some_and(|(_, layout)| layout.has_computed_ids && layout.is_page(page))
    }

    /// Returns true if the fragment of a link in a document may refer to a heading.
    pub(crate) fn may_name_heading(
        &self,
        document: &[u8],
        link: &ParsedLink<'_>,
        fragment: &str,
    ) -> bool {
        match self.governing(document).map(|(_, layout)| layout.kind) {
            Some(SiteKind::Obsidian) => matches!(link.place, Place::Markdown(_)),
            Some(SiteKind::GitHub) | None => !(is_markdown(document) && is_line_range(fragment)),
            Some(_) => true,
        }
    }

    /// Returns true if MyST resolves a link in a document: one of Markdown itself.
    pub(crate) fn is_of_myst(&self, document: &[u8], link: &ParsedLink<'_>) -> bool {
        let form = match &link.place {
            Place::Markdown(place) => place.form,
            _ => return false,
        };
        let has_form = matches!(
            form,
            MarkdownForm::Inline | MarkdownForm::Definition | MarkdownForm::Reference
        );
        let is_myst = || {
            let layout = self.governing(document);
            is_markdown(document) && layout.is_some_and(|(_, it)| it.kind == SiteKind::Sphinx)
        };
        has_form && link.role == Role::Navigate && is_myst()
    }

    /// Returns true for a reference to a directory that the program of the site leaves as it is:
    /// it is relative to the address of the page.
    pub(crate) fn keeps_address(&self, document: &[u8], reference: &str) -> bool {
        let path = &reference[..reference.find(['?', '#']).unwrap_or(reference.len())];
        let last = path.rsplit('/').next().unwrap_or_default();
        let is_directory = !path.is_empty() && matches!(last, "" | "." | "..");
        let kind = || self.governing(document).map(|(_, layout)| layout.kind);
        is_directory && matches!(kind(), Some(SiteKind::Jekyll | SiteKind::Hugo))
    }

    /// Returns true for a document that the program of a site writes into its pages.
    pub(crate) fn has_part(&self, document: &[u8]) -> bool {
        let above = (0..document.len()).rev().filter(|&at| document[at] == b'/');
        let directories = above.map(|end| &document[..end]).chain([&b""[..]]);
        let sites = directories.filter_map(|it| self.configured.get(it)).flatten();
        { sites }.chain(&self.partial).any(|&it| self.list[it].is_part(document))
    }

    /// The heading that the query of a reference names on a site of docsify: `guide?id=heading`.
    pub(crate) fn id_in_query<'r>(&self, document: &[u8], reference: &'r str) -> Option<&'r str> {
        let kind = self.governing(document).map(|(_, layout)| layout.kind);
        let (_, query) = reference.split_once('?').filter(|_| kind == Some(SiteKind::Docsify))?;
        let id = query.split('&').find_map(|it| it.strip_prefix("id="))?;
        (!id.is_empty()).then_some(id)
    }

    /// Returns true if a link in a document may name a label of MyST, which any document may
    /// define: in Markdown itself, a fragment, or a path without the extension of a file that
    /// begins and ends with a name.
    pub(crate) fn may_be_label(&self, document: &[u8], link: &ParsedLink<'_>) -> bool {
        let is_label = match link.reference.strip_prefix('#') {
            Some(name) => !name.is_empty(),
            None => {
                let name = &*link.reference;
                let is_path = name.starts_with('/') || name.ends_with('/');
                let is_name = !name.starts_with('.') && !name.contains([':', '?', '#']);
                !name.is_empty() && !is_path && is_name && !has_file_extension(name)
            }
        };
        is_label && self.is_of_myst(document, link)
    }

    /// The number of levels from the tree to the directory of the site that a file in its root
    /// belongs to. `None` if it belongs to no site, or only to a repository.
    pub fn levels_to_site(&self, name: &[u8]) -> Option<usize> {
        let configured = self.configured_by(name);
        let (_, layout) = configured.or_else(|| self.layout_of(name))?;
        if layout.kind == SiteKind::GitHub {
            return None;
        }
        let names = layout.home.url.split(|&byte| byte == b'/');
        Some(names.filter(|it| !it.is_empty()).count())
    }

    /// The directories that names of files begin at.
    pub(super) fn roots(&self) -> impl Iterator<Item = &[u8]> {
        let layouts = self.list.iter().filter(|it| it.has_names());
        layouts.flat_map(|it| it.mounts.iter().map(|mount| &*mount.directory))
    }

    /// The layout whose innermost mount contains a file, unless it is an output.
    pub(super) fn layout_of(&self, path: &[u8]) -> Option<(usize, &DocsSite)> {
        self.mounted(path).filter(|(_, layout)| !layout.is_output(path))
    }

    /// The layout that publishes a file, unless the file is a part of others.
    pub(super) fn publisher_of(&self, path: &[u8]) -> Option<(usize, &DocsSite)> {
        self.layout_of(path).filter(|(_, layout)| !layout.excludes(path))
    }

    /// Returns true for a file that the configuration of its site excludes.
    pub(crate) fn excludes(&self, path: &[u8]) -> bool {
        self.mounted(path).is_some_and(|(_, layout)| layout.excludes(path))
    }

    /// The layout whose innermost mount contains a file.
    fn mounted(&self, path: &[u8]) -> Option<(usize, &DocsSite)> {
        if self.list.is_empty() {
            return None;
        }
        let mut directory = path;
        loop {
            directory = split(directory).0;
            if let Some(&number) = self.by_directory.get(directory) {
                return Some((number, &self.list[number]));
            }
            if directory.is_empty() {
                return None;
            }
        }
    }

    /// The ids of a document of Docusaurus before and after it moves, below the directory of its
    /// content.
    pub(super) fn moving_ids(&self, old: &[u8], new: &[u8]) -> Option<(Vec<u8>, Option<Vec<u8>>)> {
        let (_, layout) = self.layout_of(old)?;
        Some((layout.document_id(old, old)?, layout.document_id(new, old)))
    }

    /// Returns true for a source of parts of pages, which is not a page: that of a theme or of a
    /// component.
    pub(super) fn is_part(&self, path: &[u8]) -> bool {
        self.layout_of(path).is_some_and(|(_, layout)| {
            let home = &layout.home;
            let parts = layout.kind.program().parts.filter(|_| !home.is_partial);
            let parts = parts.map(|it| join(&home.directory, it.as_bytes()));
            parts.is_some_and(|it| below(path, &it).is_some())
        })
    }

    /// The directories of content of the sites whose directory is this one, or above it.
    pub(super) fn content_near(&self, directory: &[u8]) -> impl Iterator<Item = &[u8]> {
        let is_near = |layout: &&DocsSite| {
            let home = &layout.home;
            !home.is_partial && below(directory, &home.directory).is_some()
        };
        let mounts = self.list.iter().filter(is_near).flat_map(|it| &it.mounts);
        mounts.filter(|it| !it.is_partial).map(|it| &*it.directory)
    }

    /// Returns true if a directory has the content of a site.
    pub(super) fn is_content(&self, directory: &[u8]) -> bool {
        self.by_directory.contains_key(directory)
    }

    /// Returns true if a directory is that of a site.
    pub(super) fn is_home(&self, directory: &[u8]) -> bool {
        let mut homes = self.list.iter().filter(|it| !it.home.is_partial);
        homes.any(|it| it.home.directory == directory)
    }

    /// The layout of the site that a document configures.
    fn configured_by(&self, document: &[u8]) -> Option<(usize, &DocsSite)> {
        let (dialect, directory) = site_of(document)?;
        let mut sites = self.configured.get(directory)?.iter();
        let number = *sites.find(|&&it| self.list[it].kind.dialect() == dialect)?;
        Some((number, &self.list[number]))
    }

    /// Returns true if a document configures a site.
    pub(super) fn configures(&self, document: &[u8]) -> bool {
        self.configured_by(document).is_some()
    }

    /// The layout that the links of a document follow.
    pub(super) fn governing(&self, document: &[u8]) -> Option<(usize, &DocsSite)> {
        self.configured_by(document).or_else(|| {
            let found = self.layout_of(document);
            found.filter(|(_, it)| !it.kind.program().is_of_markdown_only || is_markdown(document))
        })
    }

    /// Returns true if the links of a document follow the rules of a site.
    pub(crate) fn govern(&self, document: &[u8]) -> bool {
        self.governing(document).is_some()
    }

    /// The layout whose innermost mount contains a file.
    pub(super) fn layout_of_mut(&mut self, path: &[u8]) -> Option<&mut DocsSite> {
        let (number, _) = self.layout_of(path)?;
        self.list.get_mut(number)
    }

    /// The directories of content that move away from the configuration of their site, which has
    /// their path: the directory of the site, and the old and new path of the content below it.
    pub fn moved_content(&self, moves: &Moves) -> Vec<[Vec<u8>; 3]> {
        let mut content = Vec::new();
        for layout in self.list.iter().filter(|it| !it.home.is_partial) {
            let home = &layout.home.directory;
            let new_home = moves.new_path(home);
            for mount in layout.mounts.iter().filter(|it| !it.is_partial) {
                let new = moves.new_path(&mount.directory);
                let (old, new) = (below(&mount.directory, home), below(&new, &new_home));
                if let (Some(old), Some(new)) = (old, new)
                    && old != new
                {
                    content.push([home.clone(), old.to_vec(), new.to_vec()]);
                }
            }
        }
        content
    }

    /// The sites after moves.
    pub fn moved(&self, moves: &Moves) -> Self {
        let moved = |path: &[u8]| moves.new_path(path).into_owned();
        let list = self.list.iter().map(|layout| {
            let mut layout = layout.clone();
            for mount in layout.mounts.iter_mut().chain([&mut layout.home]) {
                mount.directory = moved(&mount.directory);
            }
            layout.own_addresses = { layout.own_addresses.drain() }
                .map(|(file, address)| (moved(&file), address))
                .collect();
            layout.own_ids =
                { layout.own_ids.drain() }.map(|(file, id)| (moved(&file), id)).collect();
            layout.aliases = { layout.aliases.drain() }
                .map(|(file, addresses)| (moved(&file), addresses))
                .collect();
            layout
        });
        Self::new(list.collect())
    }
}

/// Returns true for lines of a file on a code host: `L10`, `L10-L20` or `L10C1-L20C5`.
fn is_line_range(fragment: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let is_place = |text: &str| {
        let place = text.strip_prefix('L');
        place.is_some_and(|it| {
            it.split_once('C')
                .map_or(is_number(it), |(line, column)| is_number(line) && is_number(column))
        })
    };
    fragment.split('-').count() <= 2 && fragment.split('-').all(is_place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_files_are_no_ids() {
        for lines in ["L1", "L10-L20", "L10C1-L20C5"] {
            assert!(is_line_range(lines), "{lines}");
        }
        for id in ["", "l1", "L", "Lines", "L1-", "L1-2", "L1-L2-L3", "L1C"] {
            assert!(!is_line_range(id), "{id}");
        }
    }
}
