//! The links of a document, as shown on the page.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rehref::Document;
use rehref::error::Warning;
use rehref::jobs::{ExtractEvent, LocalTarget, LocalTree};
use rehref::link::Note;
use rehref::records::LinkReport;

use super::html::shown;
use super::problem::Problem;
use super::shown_link::{ShownLink, kind_of};
use super::source::{Mark, MarkedSource};
use crate::render::reasons::message_of_warning;

/// The maximum number of links on the page.
pub(super) const MAX_LINKS: usize = 20_000;

/// A document with its links.
#[derive(Debug)]
pub(super) struct ShownDocument {
    /// The path, relative to the tree of the report, if any.
    pub(super) path: PathBuf,
    pub(super) name: String,
    pub(super) format: &'static str,
    pub(super) charset: String,
    pub(super) len: usize,
    pub(super) links: Vec<ShownLink>,
    /// The offset of the first byte of each link.
    pub(super) offsets: Vec<usize>,
    /// The number of links that are not shown.
    pub(super) hidden: usize,
    pub(super) source: MarkedSource,
}

/// The results for the documents of a file.
#[derive(Debug, Default)]
pub(crate) struct Piece {
    pub(super) shown: Vec<ShownDocument>,
    /// The documents with links that come after the page was full.
    pub(super) hidden_documents: usize,
    pub(super) documents: usize,
    pub(super) links: usize,
    pub(super) doubtful: usize,
    pub(super) ambiguous: usize,
    pub(super) kinds: BTreeMap<&'static str, usize>,
    pub(super) hosts: Vec<String>,
    /// The number of links from a directory to a target.
    pub(super) directories: BTreeMap<(PathBuf, LocalTarget), usize>,
    pub(super) problems: Vec<Problem>,
    /// True if a file is done.
    pub(crate) steps: bool,
    /// The links of the current document.
    current: Current,
}

#[derive(Debug, Default)]
struct Current {
    links: Vec<ShownLink>,
    offsets: Vec<usize>,
    marks: Vec<Mark>,
    hidden: usize,
    /// True if the page is full.
    is_hidden: bool,
    directory: Option<PathBuf>,
}

impl Piece {
    /// Collects an event. `tree` is the tree that contains the documents, if any. `is_full` is true
    /// if the page has no room for more documents.
    pub(crate) fn event(
        &mut self,
        event: ExtractEvent<'_>,
        tree: Option<&LocalTree>,
        is_full: &AtomicBool,
    ) {
        match event {
            ExtractEvent::Document(path) => {
                self.documents += 1;
                self.current = Current {
                    directory: tree.and_then(|tree| tree.directory_of(path)),
                    ..Current::default()
                };
            }
            ExtractEvent::Link(report, _) => {
                self.current.is_hidden |= is_full.load(Ordering::Relaxed);
                self.link(report, tree);
            }
            ExtractEvent::DocumentEnd(document) => self.document_end(document, tree),
            ExtractEvent::Warning(name, place, warning) => {
                self.problems
                    .push(Problem::new(message_of_warning(name, place, warning, None), false));
            }
            ExtractEvent::BinaryMail(name) => {
                let warning = Warning::Binary;
                self.problems
                    .push(Problem::new(message_of_warning(name, None, warning, None), true));
            }
            ExtractEvent::Error(error) => self.problems.push(Problem::new(error, true)),
            ExtractEvent::FileEnd(_) => self.steps = true,
            _ => {}
        }
    }

    fn link(&mut self, report: &LinkReport<'_>, tree: Option<&LocalTree>) {
        self.links += 1;
        *self.kinds.entry(kind_of(report.place())).or_default() += 1;
        self.doubtful += usize::from(report.notes().contains(Note::Doubtful));
        self.ambiguous += usize::from(!report.alternatives().is_empty());
        let url = report.url().and_then(LocalTree::public_url);
        if url.is_some() {
            let host = report.host().unwrap_or_default();
            self.hosts.push(host.to_ascii_lowercase());
        }
        let current = &mut self.current;
        if let (Some(tree), Some(directory)) = (tree, &current.directory) {
            let edge = (directory.clone(), tree.target(report));
            *self.directories.entry(edge).or_default() += 1;
        }
        if current.is_hidden {
            return;
        }
        if current.links.len() == MAX_LINKS {
            current.hidden += 1;
            return;
        }
        let link = current.links.len();
        let marks = report.spans().iter().map(|&span| Mark { span, link });
        current.marks.extend(marks);
        current.links.push(ShownLink::new(report));
        current.offsets.push(report.offset());
    }

    fn document_end(&mut self, document: &Document, tree: Option<&LocalTree>) {
        let Current { links, offsets, mut marks, hidden, is_hidden, .. } =
            std::mem::take(&mut self.current);
        self.hidden_documents += usize::from(is_hidden);
        if links.is_empty() || is_hidden {
            return;
        }
        marks.sort_by_key(|mark| mark.span.start);
        let path = document.path();
        let below = path_below(path, tree);
        self.shown.push(ShownDocument {
            name: shown(&below.to_string_lossy()),
            path: below,
            format: document.format().as_str(),
            charset: document.charset().name(),
            len: document.bytes().len(),
            source: MarkedSource::new(document, &marks, &links),
            links,
            offsets,
            hidden,
        });
    }
}

/// The path of a document on the page: relative to the tree, if any.
pub(super) fn path_below(path: &Path, tree: Option<&LocalTree>) -> PathBuf {
    let below = tree.and_then(|tree| tree.path_of(path));
    below.unwrap_or_else(|| path.to_owned())
}
