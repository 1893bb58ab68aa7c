//! References to a file in a form that the rules of `rewrite` require: relative, from the root, or
//! the whole address.

use super::address::{DocsSite, Mount, Shape};
use super::form::{Form, Start};
use super::kind::SiteKind;
use super::lookup::SitePages;
use super::paths::{is_markdown, join, split, split_extension};
use super::programs::PageUrls;
use super::spell::{Lead, written};
use crate::listing::Id;

/// The start of a new reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The document, for a program that resolves references between files, or else the address of
    /// its page.
    Document {
        /// True if the program resolves the reference. Otherwise the browser does, as in HTML.
        by_program: bool,
    },
    /// The root of the site.
    Root {
        /// True if the program resolves the reference.
        by_program: bool,
        /// True if the path of the address of the site is omitted.
        is_bare: bool,
    },
}

/// A document of a documentation site.
#[derive(Clone, Copy)]
pub(crate) struct SitePlace<'s> {
    pages: SitePages<'s>,
    document: &'s [u8],
    layout: &'s DocsSite,
}

impl<'s> SitePlace<'s> {
    /// The place of a document. `None` if it is plain.
    pub(crate) fn new(pages: SitePages<'s>, document: &'s [u8]) -> Option<Self> {
        let (_, layout) = pages.layouts.governing(document)?;
        layout.base_of(document)?;
        Some(Self { pages, document, layout })
    }

    /// Returns true if the document is a part of other pages.
    pub(crate) fn is_part(&self) -> bool {
        let is_part = |name: &[u8]| matches!(name, b"_layouts" | b"_includes");
        let mut names = split(self.document).0.split(|&byte| byte == b'/');
        self.layout.kind == SiteKind::Jekyll && names.any(is_part)
    }

    /// Returns true if the addresses of pages are the paths of their files.
    pub(crate) fn has_files_only(&self) -> bool {
        self.layout.urls == PageUrls::Names
    }

    /// Returns true if the program resolves a path from the root of the site, in the syntax of
    /// Markdown or elsewhere. Otherwise the browser does, and the path of the address of the site
    /// belongs to it.
    pub(crate) fn resolves_root(&self, is_in_markdown: bool) -> bool {
        match self.layout.kind {
            SiteKind::GitHub
            | SiteKind::Obsidian
            | SiteKind::Wiki
            | SiteKind::GitBook
            | SiteKind::HonKit => true,
            SiteKind::Docusaurus
            | SiteKind::Sphinx
            | SiteKind::VitePress
            | SiteKind::Nextra
            | SiteKind::Docsify
            | SiteKind::Quarto => is_in_markdown,
            _ => false,
        }
    }

    /// The path of the root of the tree on the site.
    pub(crate) fn tree(&self) -> &'s [u8] {
        let is_root = |mount: &&Mount| mount.directory.is_empty();
        let root = self.layout.mounts.iter().find(is_root);
        root.filter(|_| !self.layout.home.url.is_empty()).map_or(b"", |mount| &mount.url)
    }

    /// The path of the address of the site, without slashes at its ends.
    pub(crate) fn prefix(&self) -> &'s [u8] {
        &self.layout.prefix
    }

    /// The reference of the document to the file that `reference` names, with the same query and
    /// fragment. A reference without a path names the document itself. `Err` if no reference of
    /// this form names the file, `None` if `reference` names no file of the site.
    pub(crate) fn rewritten(
        &self,
        reference: &str,
        reach: Reach,
    ) -> Option<Result<(Id, String), Id>> {
        let has_path = !reference.is_empty() && !reference.starts_with(['?', '#']);
        let (file, form) = match has_path {
            true => self.pages.named_file(self.document, reference)?,
            false => (self.pages.listing.id(self.document)?, None),
        };
        let name = self.pages.listing.name(file);
        // A file elsewhere in the tree is not on the site.
        self.layout.copied(name)?;
        let spelled = self.spellings(name, reference, form, reach).into_iter();
        let mut texts = spelled.filter_map(|(start, names, slash)| {
            let (pages, document) = (self.pages, self.document);
            written(pages, reference, Lead::default(), document, start, &names, slash)
        });
        let found = texts.find(|text| self.pages.target(self.document, text) == Some(file));
        Some(found.map(|text| (file, text)).ok_or(file))
    }

    /// The names of a file, the best first, and true for those that end in a slash.
    fn spellings(
        &self,
        file: &[u8],
        reference: &str,
        form: Option<Form>,
        reach: Reach,
    ) -> Vec<(Option<Start>, Vec<u8>, bool)> {
        let by_file = (None, file.to_vec(), false);
        let (start, prefix) = match reach {
            Reach::Document { by_program } => {
                if by_program && self.takes_files(file, reference) {
                    return vec![by_file];
                }
                (Start::Page, b"".as_slice())
            }
            Reach::Root { by_program, .. }
                if by_program && self.layout.kind == SiteKind::Sphinx =>
            {
                let path = self.layout.copied(file).into_iter();
                let start = Start::Root { is_prefixed: false };
                return path.map(|path| (Some(start), path, false)).collect();
            }
            Reach::Root { is_bare, .. } => {
                let prefix = self.prefix();
                let is_prefixed = !is_bare && !prefix.is_empty();
                let prefix = if is_prefixed { prefix } else { b"" };
                (Start::Root { is_prefixed }, prefix)
            }
        };
        let shapes = self.shapes(file, form.map(|it| it.shape)).into_iter();
        let paths = shapes.filter_map(|shape| self.layout.path_of(file, shape));
        paths.map(|(names, slash)| (Some(start), join(prefix, &names), slash)).collect()
    }

    /// The shapes of the address of a file: that of the reference, then the one that the program
    /// writes.
    fn shapes(&self, file: &[u8], old: Option<Shape>) -> Vec<Shape> {
        let Some(address) = self.layout.address(file) else {
            return vec![Shape::Exact];
        };
        let own = match self.layout.urls {
            PageUrls::Names => Shape::Exact,
            PageUrls::Directory => Shape::Slash,
            _ if address.is_index => Shape::Slash,
            PageUrls::Html => Shape::Html,
            PageUrls::Bare | PageUrls::Stem => Shape::Bare,
        };
        let is_name = |shape: &Shape| self.has_files_only() || *shape != Shape::Exact;
        old.filter(is_name).into_iter().chain([own]).collect()
    }

    /// Returns true if the program resolves a path of this file, relative to the document.
    fn takes_files(&self, file: &[u8], reference: &str) -> bool {
        let layout = self.layout;
        let mount = |path: &[u8]| layout.mount_of(path).map(|(it, _)| it.directory.clone());
        let is_page = layout.address(file).is_some();
        match layout.kind {
            SiteKind::MkDocs | SiteKind::Sphinx | SiteKind::Quarto => mount(file).is_some(),
            SiteKind::VitePress => is_page && !layout.routes.are_rewritten(),
            // It replaces `.md` at the end of the path, also in the name of an index file.
            SiteKind::MdBook => {
                let stem = split_extension(split(file).1).0;
                let is_index = stem.eq_ignore_ascii_case(b"readme") || stem == b"index";
                is_page && !is_index && !reference.contains('?')
            }
            SiteKind::Docusaurus if is_page => {
                is_markdown(file) && mount(file) == mount(self.document)
            }
            SiteKind::Docusaurus => mount(file).is_some(),
            _ => false,
        }
    }
}
