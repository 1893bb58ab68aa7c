//! HTML alternatives of text parts.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::Source;

/// The HTML alternative of a text part, in the same `multipart/alternative` (RFC 2046, section
/// 5.1.4).
///
/// Its URLs are collected on demand, at most once.
#[derive(Debug)]
pub struct HtmlPage {
    document: Source,
    urls: OnceLock<PageUrls>,
    is_searchable: OnceLock<bool>,
    searches: AtomicUsize,
}

impl HtmlPage {
    /// The number of times that the bytes are searched for a URL. Then its URLs are collected.
    const MOST_SEARCHES: usize = 16;

    /// A page with this document.
    pub fn new(document: Source) -> Self {
        Self {
            document,
            urls: OnceLock::new(),
            is_searchable: OnceLock::new(),
            searches: AtomicUsize::new(0),
        }
    }

    /// The document.
    pub fn document(&self) -> &Source {
        &self.document
    }

    /// The document; a copy of it if the page is shared.
    pub fn into_document(self: Arc<Self>) -> Source {
        Arc::try_unwrap(self).map_or_else(|page| page.document.clone(), |page| page.document)
    }

    /// Returns true if its bytes may be searched for a URL once more: `check` is true for it, and
    /// it was not searched too often. So the time of all searches stays linear in the page. Only
    /// the first call checks.
    pub(crate) fn may_be_searched(&self, check: impl FnOnce(&Source) -> bool) -> bool {
        *self.is_searchable.get_or_init(|| check(&self.document))
            && self.searches.fetch_add(1, Ordering::Relaxed) < Self::MOST_SEARCHES
    }

    /// The URLs of the page. The first call collects them with `read`.
    pub(crate) fn urls(&self, read: impl FnOnce(&Source) -> PageUrls) -> &PageUrls {
        self.urls.get_or_init(|| read(&self.document))
    }
}

/// The URLs of a page.
#[derive(Debug, Default)]
pub(crate) struct PageUrls {
    /// All URLs.
    pub(crate) all: UrlSet,
    /// URLs of links followed by more text in the same line.
    pub(crate) within_lines: UrlSet,
}

/// A set of URLs in bounded memory: hashes of at most [`MOST_URLS`](Self::MOST_URLS) URLs.
#[derive(Debug, Default)]
pub(crate) struct UrlSet(HashSet<u64>);

impl UrlSet {
    /// The maximum number of URLs; later ones are dropped.
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

/// A hash that is stable between runs.
fn hash(url: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(url.as_bytes());
    hasher.finish()
}
