//! The results of the runs, in the order of the documents.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rehref::jobs::{
    CheckEvent, EditReport, ExtractTotals, JobError, LinkCounts, LocalTarget, LocalTree,
};
use rehref::records::{BrokenRecord, CheckSummary};

use super::changes::{ChangedDocument, Decided, Decision, PlanPiece};
use super::html::{Html, shortened, shown};
use super::links::{MAX_LINKS, Piece, path_below};
use super::problem::{Problem, Problems};
use super::shown_link::ShownLink;
use crate::render::reasons::message_of_error;

/// The maximum number of bytes of whole documents on the page. After that, only the lines near
/// links are shown.
const MAX_SOURCE: usize = 6 << 20;

/// The maximum number of broken links on the page.
const MAX_BROKEN: usize = 2000;

/// The hidden documents after which no more are rendered.
const MAX_HIDDEN: usize = 100;

/// The maximum number of changed lines on the page.
const MAX_CHANGES: usize = 4000;

/// A document on the page.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) name: String,
    pub(super) format: &'static str,
    pub(super) charset: String,
    pub(super) len: usize,
    /// The number of its first link on the page, from 0.
    pub(super) first: usize,
    pub(super) links: usize,
    /// The number of links that are not shown.
    pub(super) hidden: usize,
    pub(super) source: Html,
    pub(super) is_whole: bool,
}

/// A broken link.
#[derive(Debug)]
pub(super) struct BrokenLink {
    pub(super) document: String,
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) reference: String,
    pub(super) why: &'static str,
    pub(super) near: Option<String>,
    /// Its number on the page.
    pub(super) link: Option<usize>,
}

/// A plan of a rewrite or move.
#[derive(Debug, Default)]
pub(super) struct ShownPlan {
    pub(super) changed: Vec<ChangedDocument>,
    pub(super) moves: Vec<(String, String)>,
    pub(super) report: EditReport,
    /// The number of changed documents that are not shown.
    pub(super) hidden: usize,
    lines: usize,
}

/// The results of the runs.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    pub(super) sections: Vec<Section>,
    pub(super) shown: Vec<ShownLink>,
    pub(super) documents: usize,
    pub(super) links: usize,
    pub(super) doubtful: usize,
    pub(super) ambiguous: usize,
    pub(super) kinds: BTreeMap<&'static str, usize>,
    pub(super) hosts: LinkCounts,
    pub(super) directories: BTreeMap<(PathBuf, LocalTarget), usize>,
    /// The documents with links that are not on the page.
    pub(super) hidden_documents: usize,
    /// The broken links. `None` if none were searched.
    pub(super) broken: Option<Vec<BrokenLink>>,
    pub(super) broken_links: usize,
    /// The fragments that were not checked.
    pub(super) fragments: usize,
    pub(super) plan: Option<ShownPlan>,
    pub(super) problems: Problems,
    /// The documents whose links are not read, in words.
    pub(super) unread: Option<String>,
    source: usize,
    /// The number of a link on the page, by its document and offset.
    numbers: HashMap<PathBuf, HashMap<usize, usize>>,
}

/// The broken links of a document.
#[derive(Default)]
pub(crate) struct CheckPiece {
    problems: Vec<Problem>,
    broken: Vec<FoundBroken>,
}

/// A broken link that may have no room on the page.
struct FoundBroken {
    /// The document below the tree.
    document: PathBuf,
    offset: usize,
    line: usize,
    column: usize,
    reference: String,
    why: &'static str,
    near: Option<String>,
}

impl CheckPiece {
    /// Adds an event of a check of the tree.
    pub(crate) fn event(&mut self, event: CheckEvent<'_>, tree: &LocalTree) {
        match event {
            CheckEvent::Broken(broken) => {
                let (document, offset) = (broken.link.document().path(), broken.link.offset());
                let record = BrokenRecord::new(broken);
                self.broken.push(FoundBroken {
                    document: path_below(document, Some(tree)),
                    offset,
                    line: record.line,
                    column: record.col,
                    reference: record.reference.into_owned(),
                    why: record.why,
                    near: record.near.map(Cow::into_owned),
                });
            }
            CheckEvent::Error(error) | CheckEvent::Damaged(error) => {
                self.problems.push(Problem::new(error, true));
            }
            // The links were reported with the same warnings.
            _ => {}
        }
    }
}

impl Collected {
    /// Adds the documents of a file.
    ///
    /// After the first document that the page has no room for, it is full.
    pub(crate) fn add(&mut self, piece: Piece, is_full: &AtomicBool) {
        self.problems.add(piece.problems);
        self.hidden_documents += piece.hidden_documents;
        self.documents += piece.documents;
        self.links += piece.links;
        self.doubtful += piece.doubtful;
        self.ambiguous += piece.ambiguous;
        for (kind, links) in piece.kinds {
            *self.kinds.entry(kind).or_default() += links;
        }
        piece.hosts.iter().for_each(|host| self.hosts.add(host.as_bytes()));
        for (edge, links) in piece.directories {
            *self.directories.entry(edge).or_default() += links;
        }
        for document in piece.shown {
            let first = self.shown.len();
            if first + document.links.len() > MAX_LINKS {
                self.hidden_documents += 1;
                // Those that fit are shown, but not any number of documents is rendered for that.
                let is_enough = first >= MAX_LINKS || self.hidden_documents >= MAX_HIDDEN;
                is_full.fetch_or(is_enough, Ordering::Relaxed);
                continue;
            }
            let len = document.source.whole.as_ref().map_or(usize::MAX, Html::len);
            let is_whole = self.source.saturating_add(len) <= MAX_SOURCE;
            let source = match document.source.whole {
                Some(whole) if is_whole => {
                    self.source += len;
                    whole
                }
                _ => document.source.excerpts,
            };
            let numbers = self.numbers.entry(document.path).or_default();
            for (at, offset) in document.offsets.into_iter().enumerate() {
                numbers.insert(offset, first + at);
            }
            self.sections.push(Section {
                name: document.name,
                format: document.format,
                charset: document.charset,
                len: document.len,
                first,
                links: document.links.len(),
                hidden: document.hidden,
                source,
                is_whole,
            });
            self.shown.extend(document.links);
        }
    }

    /// Adds the end of the links.
    pub(crate) fn end_links(&mut self, totals: &ExtractTotals) {
        self.unread = totals.unread.message();
    }

    /// The number on the page of the link of a document at an offset.
    fn number(&self, document: &Path, offset: usize) -> Option<usize> {
        self.numbers.get(document)?.get(&offset).copied()
    }

    /// Adds the broken links of a document.
    pub(crate) fn add_check(&mut self, piece: CheckPiece) {
        self.problems.add(piece.problems);
        for broken in piece.broken {
            let link = self.number(&broken.document, broken.offset);
            let near = || broken.near.as_deref().map(shown);
            if let Some(shown) = link.and_then(|link| self.shown.get_mut(link)) {
                shown.broken = Some(broken.why);
                shown.near = near();
            }
            self.broken_links += 1;
            let all = self.broken.get_or_insert_default();
            if all.len() < MAX_BROKEN {
                all.push(BrokenLink {
                    document: shown(&broken.document.to_string_lossy()),
                    line: broken.line,
                    column: broken.column,
                    reference: shortened(&broken.reference),
                    why: broken.why,
                    near: near(),
                    link,
                });
            }
        }
    }

    /// Adds the end of the check.
    pub(crate) fn end_check(&mut self, summary: &CheckSummary) {
        self.broken.get_or_insert_default();
        self.fragments = summary.fragments;
    }

    /// Adds the plan of a file.
    pub(crate) fn add_plan(&mut self, piece: PlanPiece) {
        self.problems.add(piece.problems);
        for Decided { path, offset, decision } in piece.decided {
            let link = self.number(&path, offset);
            let Some(link) = link.and_then(|link| self.shown.get_mut(link)) else {
                continue;
            };
            match decision {
                Decision::Change(new, rule) => {
                    link.new = Some(new);
                    link.rule = Some(rule);
                }
                Decision::Skip(reason) => link.skipped = Some(reason),
            }
        }
        let plan = self.plan.get_or_insert_default();
        plan.moves.extend(piece.moves);
        for document in piece.changed {
            if plan.lines + document.lines.len() > MAX_CHANGES {
                plan.hidden += 1;
                continue;
            }
            plan.lines += document.lines.len();
            plan.changed.push(document);
        }
    }

    /// Adds the end of the plan.
    pub(crate) fn end_plan(&mut self, result: Result<EditReport, JobError>) {
        match result {
            Ok(report) => self.plan.get_or_insert_default().report = report,
            Err(error) => self.problems.add(vec![Problem::new(message_of_error(&error), true)]),
        }
    }

    /// Returns true if a part of the input could not be read.
    pub(crate) fn failed(&self) -> bool {
        self.problems.failed
    }
}
