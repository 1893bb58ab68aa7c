//! The plan of a document: its edits, and the reasons for all other links.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::diff::{DiffNames, unified_diff};
use super::edits::{Edit, Edits};
use super::mapper::{Decision, Mapper, decided};
use super::output_bases::{BaseElements, OutputBases, OutputResolver, is_apart_from_base};
use super::skip_reason::SkipReason;
use super::verify::{Mismatch, verify};
use crate::bytes::Span;
use crate::document::{Document, Link, Links};
use crate::format::Options;
use crate::format::written::{Written, holds_escape_sequence};
use crate::link::{AttributeSpan, LinkId, ParsedLink, uri_of, url_in_place};
use crate::source::Charset;

/// The maximum number of times that an edited document is read again.
const MAX_PROOFS: usize = 5;

/// The planned edits of a document, and the reason for each link that is left unchanged. Nothing is
/// written.
///
/// [`Links::rewrite`](crate::Links::rewrite) makes one.
#[derive(Clone, Debug)]
pub struct Plan<'l> {
    links: &'l Links<'l>,
    edits: Edits,
    skipped: Vec<(LinkId, SkipReason)>,
    output_bases: Option<OutputBases>,
    /// The edited document. None if it does not change.
    edited: Option<Vec<u8>>,
}

impl<'l> Plan<'l> {
    /// Plans edits by the decisions of `mapper`.
    ///
    /// Bytes outside of edits never change, and every other link is read as before. So the edited
    /// document is read again, unless the edits are certain to be read back: those in attributes of
    /// HTML whose only special character is an escaped `&`. An edit that is not read back is
    /// dropped with [`SkipReason::Unwritable`].
    ///
    /// Edits are written for the bases of the rewritten document, which [`Mapper::output_bases`]
    /// may change.
    ///
    /// Cost: linear in the document, with a second pass where it is read again and up to three more
    /// where edits are dropped.
    pub fn new(links: &'l Links<'_>, mapper: &impl Mapper) -> Self {
        let planner = Planner { links, mapper };
        let Some(bases) = mapper.output_bases(links) else {
            return planner.plan(None);
        };
        let plan = planner.plan(Some(&bases));
        if bases.elements == BaseElements::Keep {
            return match planner.bases_with_old_element(&plan, &bases) {
                Some(bases) => planner.plan(Some(&bases)),
                None => plan,
            };
        }
        if planner.keeps_targets(&plan, &bases) {
            return plan;
        }
        // A link with another target would be worse than the BASE element.
        let mut plan = planner.plan(None);
        let elements = links.found().base_elements.iter();
        let elements: HashSet<LinkId> = elements.map(AttributeSpan::link).collect();
        for (link, reason) in &mut plan.skipped {
            if elements.contains(link) {
                *reason = SkipReason::NeededBase;
            }
        }
        plan
    }

    /// A plan without edits and without reasons.
    fn empty(links: &'l Links<'_>) -> Self {
        Self {
            links,
            edits: Edits::default(),
            skipped: Vec::new(),
            output_bases: None,
            edited: None,
        }
    }

    /// Drops the edits and reasons, so that the document does not change.
    pub fn clear(&mut self) {
        *self = Self::empty(self.links);
    }

    /// The links of the document.
    pub fn links(&self) -> &'l Links<'l> {
        self.links
    }

    /// The document.
    pub fn document(&self) -> &'l Document {
        self.links.document()
    }

    /// Returns true if the document does not change.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// The edits, in the order of the document.
    pub fn edits(&self) -> &Edits {
        &self.edits
    }

    /// The links that are left unchanged, with the reasons, in the order of the document.
    pub fn skipped(&self) -> impl Iterator<Item = (Link<'l>, SkipReason)> {
        let links = self.links;
        let skipped = self.skipped.iter();
        skipped.filter_map(move |&(link, reason)| Some((links.get(link)?, reason)))
    }

    /// The links that are left unchanged, by their ids.
    pub fn skip_reasons(&self) -> &[(LinkId, SkipReason)] {
        &self.skipped
    }

    /// The bases of the rewritten document. None if they do not change.
    pub fn output_bases(&self) -> Option<&OutputBases> {
        self.output_bases.as_ref()
    }

    /// The bytes of the edited document.
    pub fn bytes(&self) -> &[u8] {
        let old = self.document().bytes();
        self.edited.as_deref().unwrap_or(old)
    }

    /// The bytes of the edited document. None if it does not change.
    pub fn into_edited(self) -> Option<Vec<u8>> {
        self.edited
    }

    /// A unified diff, to be shown. Empty if the document does not change. Bytes that are not UTF-8
    /// are shown as U+FFFD.
    ///
    /// `patch` and `git apply` can apply it if the document is UTF-8. For others,
    /// `jobs::document_diff` writes the bytes.
    pub fn diff(&self) -> String {
        let document = self.document();
        let name = document.name().to_string();
        let names = DiffNames { old: name.as_bytes(), new: name.as_bytes() };
        let mut diff = Vec::new();
        unified_diff(document.bytes(), &self.edits, names, &mut diff);
        String::from_utf8_lossy(&diff).into_owned()
    }

    /// Verifies that only the rewritten links differ: parses both versions independently, HTML as a
    /// DOM, Markdown with pulldown-cmark.
    ///
    /// # Errors
    /// The first difference, and pages that nest too deep to build their tree.
    ///
    /// Cost: linear in both versions; for HTML about twenty times that of finding links.
    pub fn verify(&self) -> Result<(), Mismatch> {
        self.verify_bytes(self.bytes())
    }

    /// Verifies that `edited` differs from the document only by this plan: see
    /// [`verify`](Self::verify). An edit is used for its link and new reference, not for its bytes.
    ///
    /// # Errors
    /// The first difference, and pages that nest too deep to build their tree.
    pub fn verify_bytes(&self, edited: &[u8]) -> Result<(), Mismatch> {
        verify(self.links, &self.edits, edited)
    }

    /// Applies the edits, and reverts those that are not read back.
    fn prove(&mut self) {
        let document = self.document();
        let options = &self.links.options().for_rewriting();
        // A fault may have hidden another. If reverting the faulty edits does not help, all are
        // reverted.
        for tries_left in (0..MAX_PROOFS).rev() {
            if self.edits.is_empty() {
                self.edited = None;
                return;
            }
            let edited = document.with_bytes(self.edits.splice(document.bytes()));
            let faults = self.faults(&edited.found(options).links);
            self.edited = Some(edited.into_bytes());
            if !faults.contains(&true) {
                return;
            }
            // Spelling kept from the source may have another meaning in its new place.
            if tries_left > 0 && self.edits.write_plainly(|edit| faults[edit]) {
                continue;
            }
            self.revert(SkipReason::Unwritable, |edit| faults[edit] || tries_left == 0);
        }
        self.edited = None;
    }

    /// Reverts the edits that would move the declaration of the character encoding out of the
    /// searched part, or make one.
    fn keep_charset(&mut self) {
        let document = self.document();
        let (Some(edited), Some(first)) = (self.edited.as_deref(), self.edits.get(0)) else {
            return;
        };
        if keeps_charset(document, first.span.start, edited) {
            return;
        }
        let is_near = |edit: &Edit<'_>| edit.span.start < Charset::PRESCAN;
        let near = self.edits.iter().take_while(is_near).count();
        self.revert(SkipReason::Charset, |edit| edit < near);
        self.edited = (!self.is_empty()).then(|| self.edits.splice(document.bytes()));
    }

    /// Reverts the edits whose number satisfies `is_wrong`.
    fn revert(&mut self, reason: SkipReason, is_wrong: impl Fn(usize) -> bool) {
        let skipped = &mut self.skipped;
        self.edits.revert(is_wrong, |link| skipped.push((link, reason)));
        self.skipped.sort_by_key(|&(link, _)| link);
    }

    /// The edits at fault if `new`, the links of the edited document, are not the intended ones.
    /// The fault of a link that is not edited is assigned to the edits next to it.
    fn faults(&self, new: &[ParsedLink<'_>]) -> Vec<bool> {
        let mut faults = vec![false; self.edits.len()];
        let mut blame = |edits: Range<usize>| {
            let edits = edits.start..edits.end.min(faults.len());
            faults[edits].fill(true);
        };
        // The number of the next edit, and the end of the last one in both versions.
        let (mut next, mut old_end, mut new_end) = (0_usize, 0, 0);
        let mut found = new.iter().peekable();
        // Passes the removals of attributes next to links, up to this offset.
        let passed = |next: &mut usize, old_end: &mut usize, new_end: &mut usize, end: usize| {
            let is_beside = |it: &Edit<'_>| it.is_beside() && it.span.start < end;
            while let Some(edit) = self.edits.get(*next).filter(is_beside) {
                *new_end += edit.span.start.saturating_sub(*old_end);
                *old_end = edit.span.end;
                *next += 1;
            }
        };
        let is_written = |link: &&ParsedLink<'_>| !link.place.is_use();
        for link in self.links.found().links.iter().filter(is_written) {
            passed(&mut next, &mut old_end, &mut new_end, link.extent().start);
            let neighbors = next.saturating_sub(1)..next + 1;
            let is_of_link = |edit: &Edit<'_>| edit.link == link.id() && !edit.is_beside();
            let edit = self.edits.get(next).filter(is_of_link);
            let removed = edit.filter(|edit| edit.removes);
            // The edit may replace the quotes around the link, too.
            let link_start = link.extent().start;
            let old_start = match (removed, edit) {
                (Some(removed), _) => removed.span.start,
                (None, Some(edit)) => edit.span.start.min(link_start),
                (None, None) => link_start,
            };
            let start = new_end + old_start.saturating_sub(old_end);
            while let Some(extra) = found.next_if(|found| found.extent().start < start) {
                blame(if extra.extent().start < new_end {
                    neighbors.start..next
                } else if edit.is_some() && extra.extent().end > start {
                    next..next + 1
                } else {
                    neighbors.clone()
                });
            }
            if let Some(edit) = removed {
                (next, old_end, new_end) = (next + 1, edit.span.end, start);
                continue;
            }
            let end = start + edit.map_or(1, |edit| edit.new.len());
            let is_intended = |found: &&ParsedLink<'_>| match edit {
                // A value of markup that is read in pieces has the end of a CDATA section in it.
                Some(edit) => {
                    found.reference == edit.reference
                        && (link.place.markup().is_none() || found.spans.len() == 1)
                }
                None => is_same(link, found),
            };
            // An edit may leave no bytes.
            let there = found.next_if(|found| found.extent().start < end.max(start + 1));
            if !there.as_ref().is_some_and(is_intended) {
                blame(if edit.is_some() { next..next + 1 } else { neighbors });
            }
            if let Some(edit) = edit {
                (next, old_end, new_end) = (next + 1, edit.span.end, end);
            }
        }
        passed(&mut next, &mut old_end, &mut new_end, usize::MAX);
        if found.next().is_some() {
            blame(next.saturating_sub(1)..next);
        }
        faults
    }
}

/// Returns true if an edited document, whose first edit is at the offset `first`, declares the same
/// character encoding.
pub fn keeps_charset(document: &Document, first: usize, edited: &[u8]) -> bool {
    let old = document.bytes();
    let declared = |bytes: &[u8]| document.format().charset_declared_in(bytes);
    // Bytes before the first edit do not move.
    first >= Charset::PRESCAN
        || declared(edited) == declared(old)
        || declared(&old[..first]).is_some()
}

/// Writes the decision of a mapper about a link. Calls `edit` with the new bytes and the edit, or
/// returns the reason why the link is unchanged.
pub fn apply_plan(
    document: &Document,
    options: &Options,
    link: &ParsedLink<'_>,
    decision: Decision<'_>,
    edit: impl FnOnce(&Written<'_>, Edit<'_>),
) -> Option<SkipReason> {
    let (reference, uri, rule) = match decision {
        Decision::Skip(reason) => return Some(reason),
        Decision::Replace { reference, uri, rule } => (reference, uri, rule),
    };
    let written = document.format().write(document.source(), link, &reference, options);
    match written {
        // Percent-encoding may restore the old reference.
        Ok(written) if written.reference(&reference) == link.reference => {
            Some(SkipReason::Unchanged)
        }
        Ok(written) => {
            let meant = Edit {
                span: written.span,
                new: &written.new,
                reference: &reference,
                new_uri: &uri,
                link: link.id(),
                rule,
                removes: false,
            };
            edit(&written, meant);
            None
        }
        Err(reason) => Some(reason.into()),
    }
}

/// Plans the edits of a document.
struct Planner<'l, 'm, M> {
    links: &'l Links<'l>,
    mapper: &'m M,
}

impl<'l, M: Mapper> Planner<'l, '_, M> {
    /// Plans for these bases of the output. With None they do not change.
    fn plan(&self, bases: Option<&OutputBases>) -> Plan<'l> {
        let Self { links, mapper } = self;
        let (document, found, options) = (links.document(), links.found(), links.options());
        let source = document.source();
        let mut plan = Plan::empty(links);
        let mut resolver = links.resolving().unchecked();
        let mut output = bases.map(|bases| OutputResolver::new(bases, document, &resolver));
        let elements = bases.map_or(&BaseElements::Keep, |bases| &bases.elements);
        let elements = base_edits(&found.base_elements, elements);
        let mut elements = elements.iter().peekable();
        plan.edits = Edits::with_capacity(found.links.len());
        let mut all_certain = true;
        let mut integrity = found.integrity.iter().peekable();
        let mut cors = found.cors.iter().peekable();
        let mut has_beside = false;
        for link in &found.links {
            let id = link.id();
            let target = resolver.target(link);
            let base = match &mut output {
                None => target.base.map(|(base, _)| base),
                Some(output) => output.base_of(link),
            };
            let mut remove = |beside: &AttributeSpan, rule, drops: &dyn Fn() -> bool| {
                let plain = |span: &Span| !holds_escape_sequence(source, *span);
                if let Some(span) = beside.removal.filter(plain)
                    && drops()
                {
                    plan.edits.push_removal(id, rule, span);
                    has_beside = true;
                }
            };
            let is_exempt = links.is_exempt(link);
            while let Some(beside) = integrity.next_if(|it| it.link() <= id) {
                let drops = || !is_exempt && mapper.drops_integrity(link, &target);
                remove(beside, Edit::INTEGRITY, &drops);
            }
            while let Some(beside) = cors.next_if(|it| it.link() <= id) {
                let drops = || !is_exempt && mapper.drops_cors(link, &target);
                remove(beside, Edit::CROSSORIGIN, &drops);
            }
            let decision = match elements.next_if(|(link, _)| *link == id) {
                None if is_exempt => Decision::Skip(SkipReason::Exempt),
                None => decided(*mapper, document, link, &target, base),
                Some((_, BaseEdit::Remove(span))) => {
                    all_certain = false;
                    if holds_escape_sequence(source, *span) {
                        plan.skipped.push((id, SkipReason::Unwritable));
                    } else {
                        plan.edits.push_removal(id, BaseElements::RULE, *span);
                    }
                    continue;
                }
                Some((_, BaseEdit::Keep(reason))) => Decision::Skip(*reason),
                Some((_, BaseEdit::Replace(uri))) if *uri == link.reference => {
                    Decision::Skip(SkipReason::Unchanged)
                }
                Some((_, BaseEdit::Replace(uri))) => Decision::Replace {
                    reference: Cow::Borrowed(uri),
                    uri: Cow::Borrowed(uri),
                    rule: BaseElements::RULE,
                },
            };
            let skipped = apply_plan(document, options, link, decision, |written, edit| {
                all_certain &= written.is_certain;
                let resolve = |reference: &str| {
                    let url = url_in_place(link, options.resolver.profile, reference);
                    let uri = uri_of(&options.resolver, base, &url)?;
                    Some(mapper.public_url(uri))
                };
                let (reference, uri) = (edit.reference, edit.new_uri.into());
                plan.edits.push(id, edit.rule, written, reference, uri, resolve);
            });
            plan.skipped.extend(skipped.map(|reason| (id, reason)));
        }
        if has_beside {
            all_certain = false;
            plan.edits.sort();
        }
        if all_certain {
            plan.edited = (!plan.is_empty()).then(|| plan.edits.splice(document.bytes()));
        } else {
            plan.prove();
        }
        plan.keep_charset();
        plan.output_bases = bases.cloned();
        plan
    }

    /// The bases of the output with the old reference of the BASE element, if its new one could not
    /// be written. None if it was written, or if the bases are the same.
    fn bases_with_old_element(&self, plan: &Plan<'_>, bases: &OutputBases) -> Option<OutputBases> {
        let found = self.links.found();
        let element = found.base_elements.first()?;
        let is_unwritable = |reason| {
            matches!(
                reason,
                SkipReason::Undecodable
                    | SkipReason::Divided
                    | SkipReason::NoValue
                    | SkipReason::Charset
                    | SkipReason::Unwritable
            )
        };
        let is_left = |&(link, reason): &(LinkId, SkipReason)| {
            link == element.link() && is_unwritable(reason)
        };
        if !plan.skipped.iter().any(is_left) {
            return None;
        }
        let resolver = self.links.options().resolver;
        let left = OutputBases::retrieved_from(bases.retrieval.clone(), found, resolver);
        (left.base != bases.base).then_some(left)
    }

    /// Returns true if the BASE elements change as intended, and each skipped link keeps its
    /// target.
    fn keeps_targets(&self, plan: &Plan<'_>, bases: &OutputBases) -> bool {
        let Self { links, mapper } = self;
        let found = links.found();
        let mut resolver = links.resolving().unchecked();
        let mut output = OutputResolver::new(bases, links.document(), &resolver);
        let edits = base_edits(&found.base_elements, &bases.elements);
        let mut edits = edits.iter().peekable();
        plan.skipped.iter().all(|&(id, reason)| {
            let Some(link) = found.link(id) else {
                return false;
            };
            while edits.next_if(|(edit, _)| *edit < id).is_some() {}
            if let Some((_, edit)) = edits.next_if(|(edit, _)| *edit == id) {
                return match edit {
                    BaseEdit::Remove(_) => false,
                    BaseEdit::Keep(_) => matches!(bases.elements, BaseElements::Replace(_)),
                    BaseEdit::Replace(_) => reason == SkipReason::Unchanged,
                };
            }
            if is_apart_from_base(link) {
                return true;
            }
            let uri_by = |base| uri_of(&links.options().resolver, base, &link.reference);
            let old = resolver.base_of(link).map(|(base, _)| uri_by(Some(base)));
            match (old, output.base_of(link)) {
                (Some(old), new) => old == uri_by(new).map(|uri| mapper.public_url(uri)),
                // The target is unknown unless the reference is absolute.
                (None, new) => {
                    let uri = uri_by(None);
                    uri.is_some() && uri == uri_by(new)
                }
            }
        })
    }
}

/// The change to a BASE element.
enum BaseEdit<'b> {
    Remove(Span),
    Replace(&'b str),
    Keep(SkipReason),
}

/// The changes to the BASE elements `found`, in the order of their links.
fn base_edits<'b>(
    found: &[AttributeSpan],
    elements: &'b BaseElements,
) -> Vec<(LinkId, BaseEdit<'b>)> {
    let edit = |number: usize, removal: Option<Span>| match elements {
        BaseElements::Keep => None,
        BaseElements::Strip => {
            Some(removal.map_or(BaseEdit::Keep(SkipReason::NeededBase), BaseEdit::Remove))
        }
        BaseElements::Replace(uri) if number == 0 => Some(BaseEdit::Replace(uri)),
        BaseElements::Replace(_) => Some(BaseEdit::Keep(SkipReason::Base)),
    };
    let found = found.iter().enumerate();
    let mut edits: Vec<_> =
        found.filter_map(|(number, it)| Some((it.link(), edit(number, it.removal)?))).collect();
    edits.sort_unstable_by_key(|&(link, _)| link);
    edits
}

/// Returns true if a link that was not edited has the same reference and is read in the same way,
/// so that a second run decides the same about it.
fn is_same(old: &ParsedLink<'_>, new: &ParsedLink<'_>) -> bool {
    old.reference == new.reference
        && old.place == new.place
        && old.absoluteness == new.absoluteness
        && old.notes == new.notes
        && old.spans.len() == new.spans.len()
}
