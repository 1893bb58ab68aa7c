//! The changes of a planned rewrite or move.

use std::path::{Path, PathBuf};

use rehref::Document;
use rehref::bytes::Span;
use rehref::jobs::{EditEvent, LocalTree, MovedKind};
use rehref::rewrite::Plan;

use super::html::{Html, shortened, shown};
use super::links::path_below;
use super::problem::Problem;
use super::source::clipped;
use crate::render::journal_command::JournalCommand;
use crate::render::reasons::message_of;

/// The maximum number of changed lines of a document on the page.
const MAX_LINES: usize = 2000;

/// The bytes of a line that are shown at each side of a change.
const BESIDE: usize = 120;

/// A link that the plan decides about.
#[derive(Debug)]
pub(super) struct Decided {
    /// The path of the document, relative to the tree of the report, if any.
    pub(super) path: PathBuf,
    /// The offset of the link.
    pub(super) offset: usize,
    pub(super) decision: Decision,
}

/// The decision of the plan about a link.
#[derive(Debug)]
pub(super) enum Decision {
    /// The new reference, empty if the link is removed, and the rule.
    Change(String, &'static str),
    /// The reason that it is left unchanged.
    Skip(&'static str),
}

/// The changes of a document.
#[derive(Debug)]
pub(super) struct ChangedDocument {
    pub(super) name: String,
    pub(super) edits: usize,
    /// The changed lines, each a `li` element.
    pub(super) lines: Vec<Html>,
    /// The number of changed lines that are not shown.
    pub(super) hidden: usize,
}

/// The plan for a file.
#[derive(Debug, Default)]
pub(crate) struct PlanPiece {
    pub(super) changed: Vec<ChangedDocument>,
    pub(super) decided: Vec<Decided>,
    pub(super) moves: Vec<(String, String)>,
    pub(super) problems: Vec<Problem>,
}

/// A text of a line, before and after the change.
enum Part {
    Same(String),
    Changed(String, String),
}

impl PlanPiece {
    /// Collects an event. `tree` is the tree that contains the documents, if any.
    pub(crate) fn event(&mut self, event: EditEvent<'_>, tree: Option<&LocalTree>) {
        let below = |path: &Path| path_below(path, tree);
        match event {
            EditEvent::Document(plan) => self.document(plan, &below(plan.document().path())),
            EditEvent::Skipped(link, reason) => self.decided.push(Decided {
                path: below(link.document().path()),
                offset: link.offset(),
                decision: Decision::Skip(reason.as_str()),
            }),
            EditEvent::Moved { old, new, kind } if kind != MovedKind::Before => {
                let name = |path: &Path| shown(&below(path).to_string_lossy());
                self.moves.push((name(old), name(new)));
            }
            event => {
                // The page shows no ways out.
                if let Some(text) = message_of(&event, JournalCommand::Rewrite) {
                    self.problems.push(Problem::new(text, event.is_failure()));
                }
            }
        }
    }

    fn document(&mut self, plan: &Plan<'_>, path: &Path) {
        if plan.is_empty() {
            return;
        }
        for edit in plan.edits().iter() {
            let link = plan.links().get(edit.link);
            self.decided.push(Decided {
                path: path.to_owned(),
                offset: link.map_or(edit.span.start, |link| link.offset()),
                decision: Decision::Change(shortened(edit.reference), edit.rule),
            });
        }
        let mut lines = Vec::new();
        let mut hidden = 0;
        for_each_changed_line(&parts(plan), |number, line| match lines.len() < MAX_LINES {
            true => lines.push(html_of(number, line)),
            false => hidden += 1,
        });
        self.changed.push(ChangedDocument {
            name: shown(&path.to_string_lossy()),
            edits: plan.edits().len(),
            lines,
            hidden,
        });
    }
}

/// The texts of a document, before and after.
fn parts(plan: &Plan<'_>) -> Vec<Part> {
    let document = plan.document();
    let mut parts = Vec::new();
    let mut at = 0;
    for edit in plan.edits().iter() {
        let Span { start, end } = edit.span;
        let between = Span { start: at, end: start };
        parts.push(Part::Same(document.decode(between).into_owned()));
        let old = document.decode(edit.span).into_owned();
        parts.push(Part::Changed(old, decoded(edit.new, document)));
        at = end;
    }
    let rest = Span { start: at, end: document.bytes().len() };
    parts.push(Part::Same(document.decode(rest).into_owned()));
    parts
}

/// The text of new bytes of a document.
fn decoded(new: &[u8], document: &Document) -> String {
    let charset = document.charset();
    let new = Document::from_bytes(new.to_vec()).content_type("text/plain").charset(charset.name());
    let new = new.build().map(|new| {
        let all = Span { start: 0, end: new.bytes().len() };
        new.decode(all).into_owned()
    });
    new.unwrap_or_default()
}

/// Passes each line with a change, and its number from 1.
fn for_each_changed_line<'p>(parts: &'p [Part], mut each: impl FnMut(usize, &[LinePart<'p>])) {
    let (mut number, mut line) = (1, Vec::new());
    let is_changed = |line: &[LinePart<'_>]| line.iter().any(|part| part.new.is_some());
    let mut first = 1;
    for part in parts {
        match part {
            Part::Same(text) => {
                for (at, text) in text.split('\n').enumerate() {
                    if at > 0 {
                        number += 1;
                        if is_changed(&line) {
                            each(first, &line);
                        }
                        line.clear();
                        first = number;
                    }
                    line.push(LinePart { old: text.strip_suffix('\r').unwrap_or(text), new: None });
                }
            }
            Part::Changed(old, new) => {
                number += old.matches('\n').count();
                line.push(LinePart { old, new: Some(new) });
            }
        }
    }
    if is_changed(&line) {
        each(first, &line);
    }
}

/// A text of a changed line.
struct LinePart<'p> {
    old: &'p str,
    /// The new text, if it changes.
    new: Option<&'p str>,
}

/// A changed line before and after.
fn html_of(number: usize, line: &[LinePart<'_>]) -> Html {
    let mut out = Html::default();
    out.markup("<li><span class=line>").number(number).markup("</span>");
    for (element, label) in [("del", "before"), ("ins", "after")] {
        out.markup("<span class=side aria-label=").markup(label).markup(">");
        for (at, part) in line.iter().enumerate() {
            match part.new {
                None => {
                    let before = if at == 0 { 0 } else { BESIDE };
                    let after = if at + 1 == line.len() { 0 } else { BESIDE };
                    match part.old.len() > 2 * BESIDE {
                        true => clipped(part.old, before, after, &mut out),
                        false => _ = out.text(part.old),
                    }
                }
                Some(new) => {
                    let text = if element == "del" { part.old } else { new };
                    out.markup("<").markup(element).markup(">").text(text);
                    out.markup("</").markup(element).markup(">");
                }
            }
        }
        out.markup("</span>");
    }
    out
}
