//! The pages of a site as its program publishes them.

use super::address::{DocsSite, Shape};
use super::docs_sites::DocsSites;
use super::kind::SiteKind;
use super::programs::PageUrls;

/// A page of a site.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PublishedPage {
    pub(crate) kind: SiteKind,
    /// The directory of the configuration of the site.
    pub(crate) home: Vec<u8>,
    /// The path of the file in the content.
    pub(crate) source: Vec<u8>,
    /// The path from the root of the site, which begins with a slash. Nothing is percent-encoded.
    pub(crate) address: Vec<u8>,
}

impl PublishedPage {
    /// The page of a file. `None` if it has none, or if the tree has only a part of the site.
    pub(crate) fn of(sites: &DocsSites, path: &[u8]) -> Option<Self> {
        let (_, site) = sites.publisher_of(path).filter(|(_, it)| !it.home.is_partial)?;
        let (mount, source) = site.mount_of(path)?;
        if mount.is_partial {
            return None;
        }
        Some(Self {
            kind: site.kind,
            home: site.home.directory.clone(),
            source: source.to_vec(),
            address: address(site, path)?,
        })
    }

    /// The names of the configuration of its program.
    pub(crate) fn configurations(&self) -> &'static [&'static str] {
        self.kind.program().configurations
    }
}

/// `None` if settings that are not read may change it.
fn address(site: &DocsSite, path: &[u8]) -> Option<Vec<u8>> {
    if site.permalink_of(path).is_some() {
        return None;
    }
    let is_index = site.address(path)?.is_index;
    let shape = match site.urls {
        // mdBook redirects from files.
        PageUrls::Html if !is_index || site.kind == SiteKind::MdBook => Shape::Html,
        PageUrls::Bare | PageUrls::Stem if !is_index => Shape::Bare,
        PageUrls::Names => return None,
        _ => Shape::Slash,
    };
    let (key, slash) = site.path_of(path, shape)?;
    let end: &[u8] = if slash && !key.is_empty() { b"/" } else { b"" };
    Some([b"/", &*key, end].concat())
}
