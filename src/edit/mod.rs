//! From decisions to bytes: what to write where, and the document with it written.

mod diff;
mod edits;
mod escape;
mod output;
mod text;
mod verify;

use std::ops::Range;

use crate::document::{Charset, Document};
use crate::find::{FindOptions, Findings, Link, find, uri_of};
use crate::map::{Decision, Kept, Mapper};
use output::Output;

pub use diff::{DiffNames, unified_diff};
pub use edits::{Edit, Edits};
pub use verify::{Mismatch, verify};

/// How often a plan is proved.
const TRIES: usize = 4;

/// What to do to a document: edits in order and disjoint, and why the other links are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The edits, by their place.
    pub edits: Edits,
    /// The links kept, by their number, with the reason.
    pub kept: Vec<(usize, Kept)>,
    edited: Option<Vec<u8>>,
}

impl Plan {
    /// Asks `mapper` about each link of a document, and works out the edits. They are written for the bases that
    /// the rewritten document has: those that it has now, unless [`Mapper::output_bases`] says otherwise.
    ///
    /// Bytes outside the edits never change, and neither does what any other link says. For that, edits are
    /// proved: the links of the edited document are found again, and an edit whose new reference is not read
    /// back as it was meant is kept back with [`Kept::Unwritable`]. Only where all are certain to be read as
    /// meant, since in attributes of HTML nothing in them has a meaning but a `&` that is escaped, there is no
    /// such proof.
    ///
    /// Cost: linear in the document, with a second pass where there is anything to prove, and up to three
    /// more where something has to be taken back.
    pub fn new(
        document: &Document,
        findings: &Findings<'_>,
        options: &FindOptions,
        mapper: &impl Mapper,
    ) -> Self {
        let mut plan = Self::default();
        let mut resolving = findings.resolving(document, options.resolver).unchecked();
        let mut output = mapper
            .output_bases(document, findings)
            .map(|bases| Output::new(&bases, &resolving, document.charset));
        plan.edits = Edits::with_capacity(findings.links.len());
        let mut all_certain = true;
        for (number, link) in findings.links.iter().enumerate() {
            let target = resolving.target(link);
            let base = match &mut output {
                None => target.base.map(|(base, _)| base),
                Some(output) => output.base_of(link),
            };
            match mapper.map(link, &target, base) {
                Decision::Keep(why) => plan.kept.push((number, why)),
                Decision::Replace {
                    reference,
                    uri,
                    rule,
                } => match escape::write(document, link, &reference, options) {
                    // Percent-encoding may make it what it was.
                    Ok(written) if written.reference(&reference) == link.reference => {
                        plan.kept.push((number, Kept::Unchanged));
                    }
                    Ok(written) => {
                        all_certain &= written.is_certain;
                        let leads_to = |it: &str| uri_of(&options.resolver, base, it);
                        plan.edits
                            .push(number, rule, &written, &reference, uri, leads_to);
                    }
                    Err(why) => plan.kept.push((number, why)),
                },
            }
        }
        if all_certain {
            plan.edited = (!plan.is_empty()).then(|| plan.edits.splice(&document.bytes));
        } else {
            plan.prove(document, &findings.links, options);
        }
        plan.keep_charset(document);
        plan
    }

    /// The document's bytes with the edits made; none where there is nothing to edit.
    pub fn into_edited(self) -> Option<Vec<u8>> {
        self.edited
    }

    /// Whether the document stays as it is.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// The document's bytes with the edits made; those it has where there is nothing to edit.
    pub fn apply<'d>(&'d self, document: &'d Document) -> &'d [u8] {
        self.edited.as_deref().unwrap_or(&document.bytes)
    }

    /// Makes the edits, and takes back each that does not read back as it was meant.
    fn prove(&mut self, document: &Document, links: &[Link<'_>], options: &FindOptions) {
        // What went wrong once may have hidden another fault; where taking back the edits at fault
        // does not mend it, all are taken back.
        for tries_left in (0..TRIES).rev() {
            if self.edits.is_empty() {
                self.edited = None;
                return;
            }
            let edited = document.with_bytes(self.edits.splice(&document.bytes));
            let faults = self.faults(links, &find(&edited, options).links);
            self.edited = Some(edited.bytes);
            if !faults.contains(&true) {
                return;
            }
            self.take_back(Kept::Unwritable, |edit| faults[edit] || tries_left == 0);
        }
        self.edited = None;
    }

    /// Takes back the edits that would move the declaration of the charset so far that it is not found any
    /// more, or make one.
    fn keep_charset(&mut self, document: &Document) {
        let Some(edited) = self.edited.as_deref() else {
            return;
        };
        let declared = |bytes: &[u8]| Charset::declared_in(bytes, document.media);
        if declared(edited) == declared(&document.bytes) {
            return;
        }
        let is_near = |edit: &Edit<'_>| edit.span.start < Charset::PRESCAN;
        let far = self.edits.iter().take_while(is_near).count();
        self.take_back(Kept::Charset, |edit| edit < far);
        self.edited = (!self.is_empty()).then(|| self.edits.splice(&document.bytes));
    }

    /// Takes back the edits for whose number `is_wrong` says so.
    fn take_back(&mut self, why: Kept, is_wrong: impl Fn(usize) -> bool) {
        let kept = &mut self.kept;
        self.edits
            .take_back(is_wrong, |link| kept.push((link, why)));
        self.kept.sort_by_key(|&(link, _)| link);
    }

    /// Which edits are at fault where the links of the edited document are not what they should be,
    /// each in its place. What is wrong with a link that is not edited is laid to the edits next to it.
    fn faults(&self, old: &[Link<'_>], new: &[Link<'_>]) -> Vec<bool> {
        let mut faults = vec![false; self.edits.len()];
        let mut blame = |edits: Range<usize>| {
            let edits = edits.start..edits.end.min(faults.len());
            faults[edits].fill(true);
        };
        // The number of the next edit, and where the last one ended, then and now.
        let (mut next, mut old_end, mut new_end) = (0_usize, 0, 0);
        let mut found = new.iter().peekable();
        for (number, link) in old.iter().enumerate() {
            let beside = next.saturating_sub(1)..next + 1;
            let edit = self.edits.get(next).filter(|edit| edit.link == number);
            let start = new_end + link.extent().start.saturating_sub(old_end);
            while let Some(extra) = found.next_if(|found| found.extent().start < start) {
                blame(if extra.extent().start < new_end {
                    beside.start..next
                } else if edit.is_some() && extra.extent().end > start {
                    next..next + 1
                } else {
                    beside.clone()
                });
            }
            let end = start + edit.map_or(1, |edit| edit.new.len());
            let is_meant = |found: &&Link<'_>| match edit {
                Some(edit) => found.reference == edit.reference,
                None => is_same(link, found),
            };
            let there = found.next_if(|found| found.extent().start < end);
            if !there.as_ref().is_some_and(is_meant) {
                blame(if edit.is_some() {
                    next..next + 1
                } else {
                    beside
                });
            }
            if let Some(edit) = edit {
                (next, old_end, new_end) = (next + 1, edit.span.end, end);
            }
        }
        if found.next().is_some() {
            blame(next.saturating_sub(1)..next);
        }
        faults
    }
}

/// Whether a link that was not edited says what it said, and reads as it did: so that what would be done
/// to it is the same, too.
fn is_same(old: &Link<'_>, new: &Link<'_>) -> bool {
    old.reference == new.reference
        && old.place == new.place
        && old.notes == new.notes
        && old.spans.len() == new.spans.len()
}
