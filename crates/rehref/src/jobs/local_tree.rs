//! The targets of links within a tree.

use std::path::{Path, PathBuf};

use crate::docs_site::{PageLookup, SiteChoice};
use crate::error::Error;
use crate::fs::{
    BaseMapping, BaseMappingError, Item, RealDirectory, bytes_of_path, directory_url, layouts,
    list, path_of_bytes,
};
use crate::jobs::Check;
use crate::link::is_private;
use crate::listing::{Entry, Id};
use crate::records::LinkReport;
use crate::site::{INDEX_FILES, Located, Site};

/// A tree of files, in which the targets of links are looked up.
///
/// Set [`retrieval`](Self::retrieval) in the options that the documents of a run are read with.
/// Then references without a base resolve to files of the tree, also if the tree has no URL. Such a
/// tree gets a URL of its own, which [`public_url`](Self::public_url) removes.
#[derive(Debug)]
pub struct LocalTree {
    site: Site,
    directory: RealDirectory,
    /// The directory as named.
    named: PathBuf,
}

/// The target of a link, seen from a tree.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LocalTarget {
    /// A file in this directory of the tree, or the directory itself. The path is relative to the
    /// tree, and empty for its root.
    Directory(PathBuf),
    /// A file that is missing in the tree.
    Missing,
    /// A URL with a host outside of the tree.
    OtherSite,
    /// Something else: a mail address, a reference to the document itself or to a file outside of
    /// the tree.
    Other,
}

impl LocalTree {
    /// Lists the files of a directory. `base` is the URL of the directory, or of another one that
    /// contains it: then the tree is that of the other one. What cannot be listed is passed to
    /// `report_error`.
    ///
    /// # Errors
    /// If the base cannot be that of a directory, or the directory does not exist.
    pub fn new(
        directory: &Path,
        base: Option<&BaseMapping>,
        report_error: impl FnMut(Error),
    ) -> Result<Self, BaseMappingError> {
        let real = || {
            let missing = |_| BaseMappingError::NoDirectory(directory.display().to_string());
            RealDirectory::new(directory).map_err(missing)
        };
        let named = directory.to_owned();
        let (url, directory) = match base {
            None => (None, real()?),
            Some(BaseMapping::Uri(url)) => (Some(directory_url(url)?), real()?),
            Some(BaseMapping::Tree { url, directory }) => (Some(url.clone()), directory.clone()),
        };
        let listing = list(directory.path(), report_error);
        let index = INDEX_FILES.map(str::to_owned).to_vec();
        let site = match &url {
            Some(url) => Site::new(url, listing, index),
            None => Site::private(listing, index),
        };
        Ok(Self { site, directory, named })
    }

    /// The tree with documentation sites of this kind, whose links may have the addresses of pages.
    #[must_use]
    pub fn with_site(self, choice: SiteChoice) -> Self {
        let layouts = layouts(self.directory.path(), choice, self.site.listing());
        Self { site: self.site.with_layouts(layouts), ..self }
    }

    /// The URLs of the documents of the tree.
    pub fn retrieval(&self) -> BaseMapping {
        BaseMapping::Tree { url: self.site.url().to_owned(), directory: self.directory.clone() }
    }

    /// Returns a URL, unless it is one of a tree without a URL.
    pub fn public_url(url: &str) -> Option<&str> {
        Some(url).filter(|url| !is_private(url))
    }

    /// A run that checks the documents of the tree below a directory.
    pub fn check(&self, directory: &Path) -> Check {
        let root = self.directory.path();
        let mut check = match directory.canonicalize() {
            Ok(real) if real != root => {
                let mut check = Check::new(real);
                check.root = Some(root.to_owned());
                check
            }
            _ => Check::new(directory),
        };
        check.url = Self::public_url(self.site.url()).map(str::to_owned);
        check
    }

    /// The path of a document, relative to the tree. `None` if the document is outside of the tree.
    /// The document need not exist.
    pub fn path_of(&self, document: &Path) -> Option<PathBuf> {
        let below = self.directory.path_below(&Item::Path(document.to_owned()));
        below.or_else(|| Some(document.strip_prefix(&self.named).ok()?.to_owned()))
    }

    /// The directory of a document, relative to the tree. `None` if the document is outside of the
    /// tree.
    pub fn directory_of(&self, document: &Path) -> Option<PathBuf> {
        let below = self.path_of(document)?;
        Some(below.parent().map_or_else(PathBuf::new, Path::to_owned))
    }

    /// Looks up the target of a link.
    ///
    /// Cost: one look-up for a URL in normal form; linear in the URL otherwise.
    pub fn target(&self, link: &LinkReport<'_>) -> LocalTarget {
        if let Some(target) = self.target_on_site(link) {
            return target;
        }
        let Some(url) = link.url().filter(|_| !link.is_same_document()) else {
            return LocalTarget::Other;
        };
        let base = link.base().map(|(base, _)| base);
        if is_private(url) && self.site.is_above(link.reference(), base) {
            return LocalTarget::Other;
        }
        let id = match self.site.locate(url) {
            Located::File(id) | Located::Directory { directory: id, .. } => id,
            Located::Missing => return LocalTarget::Missing,
            Located::Elsewhere => return LocalTarget::Other,
            Located::Outside if link.host().is_some_and(|host| !host.is_empty()) => {
                return LocalTarget::OtherSite;
            }
            Located::Outside => return LocalTarget::Other,
        };
        self.directory_with(id)
    }

    /// The target of a link by the rules of the documentation site of its document. `None` if it is
    /// that of a plain document.
    fn target_on_site(&self, link: &LinkReport<'_>) -> Option<LocalTarget> {
        if self.site.layouts().is_empty() {
            return None;
        }
        let document = self.path_of(link.document().path())?;
        let document = bytes_of_path(&document);
        let reference = link.reference();
        if let Some(form) = link.link.place.path_form() {
            let found = self.site.path_target(&document, form, reference);
            return Some(found.map_or(LocalTarget::Other, |it| self.directory_with(it.file)));
        }
        let located = self.site.locate(link.url()?);
        let is_from_root = self.site.local_reference(reference).starts_with('/');
        if matches!(located, Located::File(_)) && !is_from_root {
            return None;
        }
        let file = self.site.listing().id(&document)?;
        let base = link.base().map(|(base, _)| base);
        match self.site.page_lookup(file, reference, base) {
            PageLookup::Found(found) => Some(self.directory_with(found.file)),
            PageLookup::Generated if !located.exists() => Some(LocalTarget::Other),
            _ => None,
        }
    }

    /// A directory, or that of a file.
    fn directory_with(&self, id: Id) -> LocalTarget {
        let listing = self.site.listing();
        let path = path_of_bytes(listing.name(id));
        LocalTarget::Directory(match listing.entry(id) {
            Entry::Directory => path,
            _ => path.parent().map_or_else(PathBuf::new, Path::to_owned),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Tree;
    use crate::jobs::{Extract, ExtractEvent};

    fn targets(base: Option<&str>) -> Vec<(String, LocalTarget)> {
        let page = "<a href=../b.html>1</a> <a href=../none.html>2</a> <a href=../../x>3</a>\
            <a href=./>4</a> <a href=http://h.example/b.html>5</a> <a href=mailto:a@b.example>6</a>";
        let files = Tree::new(&[("b.html", ""), ("sub/a.html", page)]);
        let root = files.path();
        let base = base.map(|url| BaseMapping::Uri(url.to_owned()));
        let tree = LocalTree::new(root, base.as_ref(), |error| panic!("{error}")).unwrap();
        let mut extract = Extract::new().path(root);
        extract.inputs.read.retrieval = Some(tree.retrieval());
        let mut found = Vec::new();
        extract.for_each(|event| {
            if let ExtractEvent::Link(link, _) = event {
                let public = link.url().and_then(LocalTree::public_url);
                found.push((public.unwrap_or("-").to_owned(), tree.target(link)));
                let directory = tree.directory_of(link.document().path());
                assert_eq!(directory, Some("sub".into()));
            }
        });
        found
    }

    #[test]
    fn targets_are_directories_of_the_tree_and_its_own_url_is_not_public() {
        let directory = |path: &str| LocalTarget::Directory(path.into());
        let expected = [
            ("-", directory("")),
            ("-", LocalTarget::Missing),
            ("-", LocalTarget::Other),
            ("-", directory("sub")),
            ("http://h.example/b.html", LocalTarget::OtherSite),
            ("mailto:a@b.example", LocalTarget::Other),
        ];
        assert_eq!(targets(None), expected.map(|(url, to)| (url.to_owned(), to)));
    }

    #[test]
    fn links_of_a_documentation_site_have_pages_as_targets() {
        let page =
            "[1](/guide/) [2](../../guide/) [3](../guide.md) [4](/none/)\n\n--8<-- \"note.md\"\n";
        let files = Tree::new(&[
            ("mkdocs.yml", "site_name: x\n"),
            ("docs/guide.md", ""),
            ("docs/sub/a.md", page),
            ("note.md", ""),
        ]);
        let root = files.path();
        let tree = LocalTree::new(root, None, |error| panic!("{error}")).unwrap();
        let tree = tree.with_site(SiteChoice::Auto);
        let mut extract = Extract::new().path(root.join("docs/sub"));
        extract.site = SiteChoice::Auto;
        extract.inputs.read.retrieval = Some(tree.retrieval());
        let mut found = Vec::new();
        extract.for_each(|event| {
            if let ExtractEvent::Link(link, _) = event {
                found.push(tree.target(link));
            }
        });
        let directory = |path: &str| LocalTarget::Directory(path.into());
        let docs = || directory("docs");
        assert_eq!(found, [docs(), docs(), docs(), LocalTarget::Missing, directory("")]);
    }

    #[test]
    fn links_to_the_url_of_a_tree_are_local() {
        let found = targets(Some("http://h.example/"));
        assert_eq!(found[4].1, LocalTarget::Directory("".into()));
    }
}
