//! Names of pages and files in the configurations of Docusaurus and Starlight: the ids of documents
//! in sidebars, slugs, and files of the static directory.
//!
//! A slug is the path of an address without its slashes; links of a sidebar of Starlight have them.
//! The path of the address of the site does not precede it. The id of a document of Docusaurus is the
//! path of its file below the content, without the extension and without the numbers that only order
//! names; `id` in front matter replaces the last name. Other names may be those of plugins, so that
//! a name without a file is not missing.

use super::address::{DocsSite, Mount, Role, Shape};
use super::form::{Form, Start};
use super::kind::SiteKind;
use super::lookup::{PageLookup, PageTarget, SitePages};
use super::paths::{below, join, split};
use super::spell::Old;
use crate::link::Directive;
use crate::listing::Id;

/// The name of a page or file in a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamedPage {
    /// The path on the site, without the slash before it.
    Address,
    /// The id of a document of Docusaurus.
    Id,
}

impl NamedPage {
    /// The kind of name that a value of a configuration is. `None` if it is a path.
    pub(super) fn of(kind: SiteKind, directive: Directive, text: &str) -> Option<Self> {
        match (kind, directive) {
            (SiteKind::Docusaurus, Directive::Nav) => Some(Self::Id),
            (SiteKind::Starlight, Directive::Nav) => Some(Self::Address),
            (SiteKind::Docusaurus, Directive::Setting) if !text.starts_with('.') => {
                Some(Self::Address)
            }
            _ => None,
        }
    }

    /// Finds the page or file with this name.
    pub(super) fn find(self, pages: SitePages<'_>, document: &[u8], text: &str) -> PageLookup {
        let found = match self {
            Self::Address => page_at(pages, document, text),
            Self::Id => document_with_id(pages, document, text).map(|file| {
                let form = Form { start: Start::Content, shape: Shape::Bare };
                PageTarget { file, form }
            }),
        };
        found.map_or(PageLookup::Generated, PageLookup::Found)
    }

    /// The name of a file in the new tree. `None` if it has none.
    pub(super) fn respelled(
        self,
        pages: SitePages<'_>,
        old: Old<'_>,
        document: &[u8],
        file: Id,
    ) -> Option<String> {
        let is_same = |text: &str| matches!(self.find(pages, document, text), PageLookup::Found(it) if it.file == file);
        if is_same(old.reference) {
            return Some(old.reference.to_owned());
        }
        let new = match self {
            Self::Address => {
                let (_, layout) = pages.layouts.governing(document)?;
                let path = pages.listing.name(file);
                let (names, _) = layout.path_of(path, old.target.form.shape)?;
                let names = String::from_utf8(names).ok().filter(|it| is_plain(it))?;
                let (path, suffix) = divided(old.reference);
                let begin = if path.starts_with('/') { "/" } else { "" };
                let end = if path.len() > 1 && path.ends_with('/') { "/" } else { "" };
                [begin, &names, end, suffix].concat()
            }
            Self::Id => {
                let (_, layout) = pages.layouts.governing(document)?;
                let path = pages.listing.name(file);
                let id = layout.document_id(path, path)?;
                let id = below(&id, &layout.mount_of(path)?.0.directory)?.to_vec();
                String::from_utf8(id).ok()?
            }
        };
        is_same(&new).then_some(new)
    }
}

/// The page or file with this address, without the path of the address of the site.
fn page_at(pages: SitePages<'_>, document: &[u8], text: &str) -> Option<PageTarget> {
    let (number, layout) = pages.layouts.governing(document)?;
    // Each language has a page with the address.
    if layout.translations.as_ref().is_some_and(|(_, default)| !default.is_empty()) {
        return None;
    }
    let path = divided(text).0;
    match pages.below_prefix(number, layout, &format!("/{}", path.trim_start_matches('/'))) {
        PageLookup::Found(found) => Some(found),
        _ => None,
    }
}

/// The path of an address, and the rest.
fn divided(address: &str) -> (&str, &str) {
    address.split_at(address.find(['?', '#']).unwrap_or(address.len()))
}

/// Returns true for a path that is the same in a URL.
fn is_plain(path: &str) -> bool {
    path.chars().all(|it| it.is_alphanumeric() || "-._~/".contains(it))
}

/// The document with an id in the sidebar or configuration `document`, if only one has it.
fn document_with_id(pages: SitePages<'_>, document: &[u8], id: &str) -> Option<Id> {
    let (number, layout) = pages.layouts.governing(document)?;
    let mut found = content_of(layout, document).filter_map(|mount| {
        let id = join(&mount.directory, id.as_bytes());
        pages.index.ids.get(&(number, id)).copied()
    });
    let file = found.next()?;
    found.next().is_none().then_some(file)
}

/// The directories of the documents that the ids in a file may be of: those of a version for its
/// sidebar, or else all without a version.
fn content_of<'l>(layout: &'l DocsSite, document: &[u8]) -> impl Iterator<Item = &'l Mount> {
    let version = versioned_content(document);
    let is_versioned = |mount: &Mount| split(&mount.directory).0.ends_with(b"versioned_docs");
    // A navigation bar shows documents of the version that a reader has chosen.
    let is_bar = split(document).1.starts_with(b"docusaurus.config");
    let is_unknown = is_bar && layout.mounts.iter().any(is_versioned);
    layout.mounts.iter().filter(move |mount| {
        let is_of_version = match &version {
            Some(directory) => mount.directory == *directory,
            None => !is_versioned(mount) && !is_unknown,
        };
        mount.role == Role::Pages && !mount.is_partial && is_of_version
    })
}

/// The directory of the documents of a version, for `versioned_sidebars/version-1.0-sidebars.json`.
fn versioned_content(sidebar: &[u8]) -> Option<Vec<u8>> {
    let (directory, name) = split(sidebar);
    let version = name.strip_suffix(b"-sidebars.json")?;
    let above = directory.strip_suffix(b"versioned_sidebars")?;
    Some(join(&[above, b"versioned_docs"].concat(), version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sidebars_of_versions_have_their_content() {
        for (sidebar, content) in [
            ("versioned_sidebars/version-1.0-sidebars.json", "versioned_docs/version-1.0"),
            ("a/x_versioned_sidebars/version-2-sidebars.json", "a/x_versioned_docs/version-2"),
        ] {
            let found = versioned_content(sidebar.as_bytes());
            assert_eq!(found.as_deref(), Some(content.as_bytes()), "{sidebar}");
        }
        assert_eq!(versioned_content(b"sidebars.json"), None);
    }
}
