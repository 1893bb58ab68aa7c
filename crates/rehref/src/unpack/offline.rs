//! Pages of a web archive as files, to browse offline.

mod long;
mod page;

use std::io::{self, Write};

use crate::document::Document;
use crate::format::{Options, ParsedLinks};
use crate::unpack::captures::LocalPath;
use long::{LongPage, count_links};
pub use page::{FindFile, OfflineBytes};
use page::{HELD_LINK, OfflinePage};

/// A document of a web archive as the content of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OfflineContent {
    /// The new bytes.
    pub bytes: OfflineBytes,
    /// The number of changed links and removed attributes.
    pub edits: usize,
    /// The estimated number of links that scripts build.
    pub scripted: usize,
}

/// The maximum memory for the links of a document and their edits, in bytes. Documents with more
/// are written while they are read.
const MAX_HELD: usize = 12 << 20;

/// The length of a document whose links are held without counting them, in bytes.
const SHORT: usize = 64 << 10;

impl OfflineContent {
    /// Rewrites the links of a document for the file at `path`. The base of the document is its
    /// URL. `find` returns the path and the fragment of the file of the URL of a link. Links to
    /// other URLs become absolute. If only the header declares the encoding, the document gets a
    /// declaration.
    ///
    /// `None` if `is_stopped` returns true, which is called between the steps and for each link.
    ///
    /// Cost: linear. Memory for the document, the new one and 12 MiB, for any number of links, and
    /// for the links of one page in an attribute (`srcdoc`) or one item of a feed; that for the new
    /// one only if it is returned.
    pub fn new(
        document: &Document,
        path: &LocalPath,
        options: &Options,
        is_stopped: &dyn Fn() -> bool,
        find: &mut FindFile<'_>,
    ) -> Option<Self> {
        Self::within(MAX_HELD, document, path, options, is_stopped, find)
    }

    fn of((bytes, edits, scripted): (OfflineBytes, usize, usize)) -> Self {
        Self { bytes, edits, scripted }
    }

    /// Rewrites the links as [`new`](Self::new) does, with this memory for links and edits, in
    /// bytes.
    fn within(
        max_held: usize,
        document: &Document,
        path: &LocalPath,
        options: &Options,
        is_stopped: &dyn Fn() -> bool,
        find: &mut FindFile<'_>,
    ) -> Option<Self> {
        let len = document.bytes().len().min(max_held);
        let is_long = |found: &ParsedLinks<'_>, count: usize| {
            let besides = found.integrity.len() + found.cors.len();
            count.saturating_mul(HELD_LINK) + besides.saturating_mul(HELD_LINK / 2) > max_held
        };
        let mut found = (len > SHORT).then(|| count_links(document, options));
        let mut counted = 0;
        if found.as_ref().is_none_or(|(found, count)| !is_long(found, *count)) {
            found = None;
            let links = document.links_with(options);
            match OfflinePage::new(&links, path, is_stopped, (max_held, find))? {
                Ok(page) => return page.content(&links).map(Self::of),
                Err(count) => counted = count,
            }
        }
        let found = found.unwrap_or_else(|| count_links(document, options)).0;
        LongPage::new(document, path, options, is_stopped, found)
            .content((counted, find))
            .map(Self::of)
    }

    /// Writes the document whose content is [`OfflineBytes::Long`], with the same arguments. The
    /// last argument of `find` is always false. Returns false if `is_stopped` returned true.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_long(
        document: &Document,
        path: &LocalPath,
        options: &Options,
        is_stopped: &dyn Fn() -> bool,
        find: &mut FindFile<'_>,
        out: &mut dyn Write,
    ) -> io::Result<bool> {
        let found = count_links(document, options).0;
        LongPage::new(document, path, options, is_stopped, found).write(find, out)
    }
}

#[cfg(test)]
mod tests;
