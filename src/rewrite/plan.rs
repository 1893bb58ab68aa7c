//! From decisions to bytes: what to write where, and the document with it written.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use crate::bytes::Span;
use crate::document::Document;
use crate::format::written::holds_escape_sequence;
use crate::format::{FoundLinks, Options};
use crate::link::{Integrity, LinkData, uri_of};
use crate::rewrite::edits::{Edit, Edits};
use crate::rewrite::output::Output;
use crate::rewrite::{BaseElements, Decision, Mapper, OutputBases, SkipReason, is_apart_from_base};
use crate::source::Charset;

/// How often a plan is proved.
const TRIES: usize = 5;

/// What to do to a document: edits in order and disjoint, and why the other links are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The edits, by their place.
    pub edits: Edits,
    /// The links kept, by their number, with the reason.
    pub kept: Vec<(usize, SkipReason)>,
    /// The bases of the rewritten document; none where they stay what they are.
    pub bases: Option<OutputBases>,
    edited: Option<Vec<u8>>,
}

impl Plan {
    /// Asks `mapper` about each link of a document, and works out the edits. They are written for the bases that
    /// the rewritten document has: those that it has now, unless [`Mapper::output_bases`] says otherwise.
    ///
    /// Bytes outside the edits never change, and neither does what any other link says. For that, edits are
    /// proved: the links of the edited document are found again, and an edit whose new reference is not read
    /// back as it was meant is kept back with [`SkipReason::Unwritable`]. Only where all are certain to be read as
    /// meant, since in attributes of HTML nothing in them has a meaning but a `&` that is escaped, there is no
    /// such proof.
    ///
    /// Cost: linear in the document, with a second pass where there is anything to prove, and up to three
    /// more where something has to be taken back.
    pub fn new(
        document: &Document,
        findings: &FoundLinks<'_>,
        options: &Options,
        mapper: &impl Mapper,
    ) -> Self {
        let asked = Asked {
            document,
            findings,
            options,
            mapper,
        };
        let Some(bases) = mapper.output_bases(document, findings) else {
            return asked.plan(None);
        };
        let plan = asked.plan(Some(&bases));
        if bases.elements == BaseElements::Keep {
            return match asked.bases_left(&plan, &bases) {
                Some(left) => asked.plan(Some(&left)),
                None => plan,
            };
        }
        if asked.leads_as_before(&plan, &bases) {
            return plan;
        }
        // A link that led elsewhere without the base would be worse than the base.
        let mut plan = asked.plan(None);
        let elements = findings.base_elements.iter();
        let numbers: HashSet<usize> = elements.map(|element| element.link).collect();
        for (link, why) in &mut plan.kept {
            if numbers.contains(link) {
                *why = SkipReason::NeededBase;
            }
        }
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
    fn prove(&mut self, document: &Document, links: &[LinkData<'_>], options: &Options) {
        // What went wrong once may have hidden another fault; where taking back the edits at fault
        // does not mend it, all are taken back.
        for tries_left in (0..TRIES).rev() {
            if self.edits.is_empty() {
                self.edited = None;
                return;
            }
            let edited = document.with_bytes(self.edits.splice(&document.bytes));
            let faults = self.faults(links, &edited.links_with(options).links);
            self.edited = Some(edited.into_bytes());
            if !faults.contains(&true) {
                return;
            }
            // What the source spells in a way of its own may mean something else where it stands now.
            if tries_left > 0 && self.edits.write_plainly(|edit| faults[edit]) {
                continue;
            }
            self.revert(SkipReason::Unwritable, |edit| {
                faults[edit] || tries_left == 0
            });
        }
        self.edited = None;
    }

    /// Takes back the edits that would move the declaration of the charset so far that it is not found any
    /// more, or make one.
    fn keep_charset(&mut self, document: &Document) {
        let Some(edited) = self.edited.as_deref() else {
            return;
        };
        let declared = |bytes: &[u8]| document.format.charset_declared_in(bytes);
        // What stands before the first edit stays where it is.
        let first = self.edits.iter().next().map_or(0, |edit| edit.span.start);
        if first >= Charset::PRESCAN || declared(&document.bytes[..first]).is_some() {
            return;
        }
        if declared(edited) == declared(&document.bytes) {
            return;
        }
        let is_near = |edit: &Edit<'_>| edit.span.start < Charset::PRESCAN;
        let far = self.edits.iter().take_while(is_near).count();
        self.revert(SkipReason::Charset, |edit| edit < far);
        self.edited = (!self.is_empty()).then(|| self.edits.splice(&document.bytes));
    }

    /// Takes back the edits for whose number `is_wrong` says so.
    fn revert(&mut self, why: SkipReason, is_wrong: impl Fn(usize) -> bool) {
        let kept = &mut self.kept;
        self.edits.revert(is_wrong, |link| kept.push((link, why)));
        self.kept.sort_by_key(|&(link, _)| link);
    }

    /// Which edits are at fault where the links of the edited document are not what they should be,
    /// each in its place. What is wrong with a link that is not edited is laid to the edits next to it.
    fn faults(&self, old: &[LinkData<'_>], new: &[LinkData<'_>]) -> Vec<bool> {
        let mut faults = vec![false; self.edits.len()];
        let mut blame = |edits: Range<usize>| {
            let edits = edits.start..edits.end.min(faults.len());
            faults[edits].fill(true);
        };
        // The number of the next edit, and where the last one ended, then and now.
        let (mut next, mut old_end, mut new_end) = (0_usize, 0, 0);
        let mut found = new.iter().peekable();
        // What goes beside links, up to this offset.
        let passed = |next: &mut usize, old_end: &mut usize, new_end: &mut usize, end: usize| {
            let is_beside = |it: &Edit<'_>| it.is_beside() && it.span.start < end;
            while let Some(edit) = self.edits.get(*next).filter(is_beside) {
                *new_end += edit.span.start.saturating_sub(*old_end);
                *old_end = edit.span.end;
                *next += 1;
            }
        };
        for (number, link) in old.iter().enumerate() {
            passed(&mut next, &mut old_end, &mut new_end, link.extent().start);
            let beside = next.saturating_sub(1)..next + 1;
            let is_of_link = |edit: &Edit<'_>| edit.link == number && !edit.is_beside();
            let edit = self.edits.get(next).filter(is_of_link);
            let removed = edit.filter(|edit| edit.removes);
            let old_start = removed.map_or(link.extent().start, |edit| edit.span.start);
            let start = new_end + old_start.saturating_sub(old_end);
            while let Some(extra) = found.next_if(|found| found.extent().start < start) {
                blame(if extra.extent().start < new_end {
                    beside.start..next
                } else if edit.is_some() && extra.extent().end > start {
                    next..next + 1
                } else {
                    beside.clone()
                });
            }
            if let Some(edit) = removed {
                (next, old_end, new_end) = (next + 1, edit.span.end, start);
                continue;
            }
            let end = start + edit.map_or(1, |edit| edit.new.len());
            let is_meant = |found: &&LinkData<'_>| match edit {
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
        passed(&mut next, &mut old_end, &mut new_end, usize::MAX);
        if found.next().is_some() {
            blame(next.saturating_sub(1)..next);
        }
        faults
    }
}

/// What a plan is made of.
struct Asked<'a, 'd, M> {
    document: &'d Document,
    findings: &'a FoundLinks<'d>,
    options: &'a Options,
    mapper: &'a M,
}

impl<M: Mapper> Asked<'_, '_, M> {
    /// The plan for these bases of the output, or for those that the document has.
    fn plan(&self, bases: Option<&OutputBases>) -> Plan {
        let Self {
            document,
            findings,
            options,
            mapper,
        } = self;
        let mut plan = Plan::default();
        let mut resolving = findings.resolving(document, options.resolver).unchecked();
        let mut output = bases.map(|bases| Output::new(bases, &resolving, document.charset));
        let elements = bases.map_or(&BaseElements::Keep, |bases| &bases.elements);
        let elements = base_edits(findings, elements);
        let mut elements = elements.iter().peekable();
        plan.edits = Edits::with_capacity(findings.links.len());
        let mut all_certain = true;
        let mut integrity = findings.integrity.iter().peekable();
        let mut has_beside = false;
        for (number, link) in findings.links.iter().enumerate() {
            let target = resolving.target(link);
            let base = match &mut output {
                None => target.base.map(|(base, _)| base),
                Some(output) => output.base_of(link),
            };
            while let Some(beside) = integrity.next_if(|it| it.link <= number) {
                let Some(span) = beside.removal else {
                    continue;
                };
                let is_plain = !holds_escape_sequence(document.source(), span);
                if is_plain && mapper.drops_integrity(link, &target) {
                    plan.edits.push_removal(number, Integrity::RULE, span);
                    has_beside = true;
                }
            }
            let decision = match elements.next_if(|(link, _)| *link == number) {
                None => mapper.map(link, &target, base),
                Some((_, BaseEdit::Remove(span))) => {
                    all_certain = false;
                    if holds_escape_sequence(document.source(), *span) {
                        plan.kept.push((number, SkipReason::Unwritable));
                    } else {
                        plan.edits.push_removal(number, BaseElements::RULE, *span);
                    }
                    continue;
                }
                Some((_, BaseEdit::Keep(why))) => Decision::Keep(*why),
                Some((_, BaseEdit::Replace(uri))) if *uri == link.reference => {
                    Decision::Keep(SkipReason::Unchanged)
                }
                Some((_, BaseEdit::Replace(uri))) => Decision::Replace {
                    reference: Cow::Borrowed(uri),
                    uri: Cow::Borrowed(uri),
                    rule: BaseElements::RULE,
                },
            };
            match decision {
                Decision::Keep(why) => plan.kept.push((number, why)),
                Decision::Replace {
                    reference,
                    uri,
                    rule,
                } => match document
                    .format
                    .write(document.source(), link, &reference, options)
                {
                    // Percent-encoding may make it what it was.
                    Ok(written) if written.reference(&reference) == link.reference => {
                        plan.kept.push((number, SkipReason::Unchanged));
                    }
                    Ok(written) => {
                        all_certain &= written.is_certain;
                        let leads_to = |it: &str| {
                            let uri = uri_of(&options.resolver, base, it)?;
                            Some(mapper.public_url(uri))
                        };
                        plan.edits
                            .push(number, rule, &written, &reference, uri, leads_to);
                    }
                    Err(why) => plan.kept.push((number, why.into())),
                },
            }
        }
        if has_beside {
            all_certain = false;
            plan.edits.sort();
        }
        if all_certain {
            plan.edited = (!plan.is_empty()).then(|| plan.edits.splice(&document.bytes));
        } else {
            plan.prove(document, &findings.links, options);
        }
        plan.keep_charset(document);
        plan.bases = bases.cloned();
        plan
    }

    /// The bases of the output where the new reference of the BASE element could not be written, so that it keeps its
    /// old one.
    fn bases_left(&self, plan: &Plan, bases: &OutputBases) -> Option<OutputBases> {
        let element = self.findings.base_elements.first()?;
        let is_unwritable = |why| {
            matches!(
                why,
                SkipReason::Undecodable
                    | SkipReason::Divided
                    | SkipReason::NoValue
                    | SkipReason::Charset
                    | SkipReason::Unwritable
            )
        };
        let is_left =
            |&(link, why): &(usize, SkipReason)| link == element.link && is_unwritable(why);
        if !plan.kept.iter().any(is_left) {
            return None;
        }
        let resolver = self.options.resolver;
        let left = OutputBases::retrieved_from(bases.retrieval.clone(), self.findings, resolver);
        (left.base != bases.base).then_some(left)
    }

    /// Whether the BASE elements are changed as they are to be, and all links that are kept lead where they
    /// led.
    fn leads_as_before(&self, plan: &Plan, bases: &OutputBases) -> bool {
        let Self {
            document,
            findings,
            options,
            mapper,
        } = self;
        let mut resolving = findings.resolving(document, options.resolver).unchecked();
        let mut output = Output::new(bases, &resolving, document.charset);
        let edits = base_edits(findings, &bases.elements);
        let mut edits = edits.iter().peekable();
        plan.kept.iter().all(|&(number, why)| {
            let link = &findings.links[number];
            while edits.next_if(|(edit, _)| *edit < number).is_some() {}
            if let Some((_, edit)) = edits.next_if(|(edit, _)| *edit == number) {
                return match edit {
                    BaseEdit::Remove(_) => false,
                    BaseEdit::Keep(_) => matches!(bases.elements, BaseElements::Replace(_)),
                    BaseEdit::Replace(_) => why == SkipReason::Unchanged,
                };
            }
            if is_apart_from_base(link) {
                return true;
            }
            let uri_by = |base| uri_of(&options.resolver, base, &link.reference);
            let old = resolving.base_of(link).map(|(base, _)| uri_by(Some(base)));
            match (old, output.base_of(link)) {
                (Some(old), new) => old == uri_by(new).map(|uri| mapper.public_url(uri)),
                // Nobody knows where it leads, unless it needs no base.
                (None, new) => {
                    let uri = uri_by(None);
                    uri.is_some() && uri == uri_by(new)
                }
            }
        })
    }
}

/// What is to be done to a BASE element.
enum BaseEdit<'b> {
    Remove(Span),
    Replace(&'b str),
    Keep(SkipReason),
}

/// What is to be done to the BASE elements, by the numbers of their links, in the order of these.
fn base_edits<'b>(
    findings: &FoundLinks<'_>,
    elements: &'b BaseElements,
) -> Vec<(usize, BaseEdit<'b>)> {
    let edit = |number: usize, removal: Option<Span>| match elements {
        BaseElements::Keep => None,
        BaseElements::Strip => {
            Some(removal.map_or(BaseEdit::Keep(SkipReason::NeededBase), BaseEdit::Remove))
        }
        BaseElements::Replace(uri) if number == 0 => Some(BaseEdit::Replace(uri)),
        BaseElements::Replace(_) => Some(BaseEdit::Keep(SkipReason::Base)),
    };
    let found = findings.base_elements.iter().enumerate();
    let mut edits: Vec<_> = found
        .filter_map(|(number, it)| Some((it.link, edit(number, it.removal)?)))
        .collect();
    edits.sort_unstable_by_key(|&(link, _)| link);
    edits
}

/// Whether a link that was not edited says what it said, and reads as it did: so that what would be done
/// to it is the same, too.
fn is_same(old: &LinkData<'_>, new: &LinkData<'_>) -> bool {
    old.reference == new.reference
        && old.place == new.place
        && old.absoluteness == new.absoluteness
        && old.notes == new.notes
        && old.spans.len() == new.spans.len()
}
