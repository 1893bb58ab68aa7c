//! Pages that say in HTML what a part of a message says in text.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::sync::{Arc, OnceLock};

use super::Source;

/// A page of the HTML version of a text: both are in the same `multipart/alternative` (RFC 2046, section 5.1.4).
///
/// Its URLs are collected when the first one is needed, and at most once.
#[derive(Debug)]
pub struct HtmlPage {
    document: Source,
    urls: OnceLock<PageUrls>,
}

impl HtmlPage {
    /// The page that is this document.
    pub fn new(document: Source) -> Self {
        Self {
            document,
            urls: OnceLock::new(),
        }
    }

    /// The document.
    pub fn document(&self) -> &Source {
        &self.document
    }

    /// The document alone; a copy of it where something else still has the page.
    pub(crate) fn into_document(self: Arc<Self>) -> Source {
        Arc::try_unwrap(self).map_or_else(|page| page.document.clone(), |page| page.document)
    }

    /// The URLs of the page, which `read` collects if nothing has before.
    pub(crate) fn urls(&self, read: impl FnOnce(&Source) -> PageUrls) -> &PageUrls {
        self.urls.get_or_init(|| read(&self.document))
    }
}

/// The URLs of a page.
#[derive(Debug, Default)]
pub(crate) struct PageUrls {
    /// All of them.
    pub(crate) all: UrlSet,
    /// Those of links behind which the line goes on.
    pub(crate) within_lines: UrlSet,
}

/// A set of URLs in bounded memory: of each it has a hash, and of all no more than [`MOST_URLS`](Self::MOST_URLS).
#[derive(Debug, Default)]
pub(crate) struct UrlSet(HashSet<u64>);

impl UrlSet {
    /// How many it holds at most; what comes later is left out.
    const MOST_URLS: usize = 1 << 16;

    pub(crate) fn insert(&mut self, url: &str) {
        if self.0.len() < Self::MOST_URLS {
            self.0.insert(hash(url));
        }
    }

    pub(crate) fn contains(&self, url: &str) -> bool {
        !self.0.is_empty() && self.0.contains(&hash(url))
    }
}

/// The same for the same URL in every run.
fn hash(url: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(url.as_bytes());
    hasher.finish()
}
