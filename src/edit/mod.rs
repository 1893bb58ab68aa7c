//! From decisions to bytes: what to write where, and the document with it written.

mod diff;
mod escape;

use crate::document::Document;
use crate::find::{FindOptions, Findings, Link, find, uri_of};
use crate::map::{Decision, Kept, Mapper};
use crate::span::Span;

pub use diff::{DiffNames, unified_diff};

/// One replacement in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that go.
    pub span: Span,
    /// The bytes that come, in the document's charset and escaped for their place.
    pub new: Vec<u8>,
    /// Which link of the document it changes, counted from 0.
    pub link: usize,
    /// The new reference, before escaping. What its place or the charset cannot hold is
    /// percent-encoded.
    pub reference: String,
    /// Where the link led.
    pub old_uri: Option<String>,
    /// Where it leads now.
    pub new_uri: String,
    /// The rule that said so.
    pub rule: &'static str,
}

/// What to do to a document: edits in order and disjoint, and why the other links are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The edits, by their place.
    pub edits: Vec<Edit>,
    /// The links kept, by their number, with the reason.
    pub kept: Vec<(usize, Kept)>,
    edited: Option<Vec<u8>>,
}

impl Plan {
    /// Asks `mapper` about each link of a document, and works out the edits.
    ///
    /// Each edit is proved before it is planned: the links of the edited document are found again,
    /// and an edit whose new reference is not read back as it was meant is kept back with
    /// [`Kept::Unwritable`]. So bytes outside the edits never change, and neither does what any
    /// other link says.
    ///
    /// Cost: linear in the document, and a second pass where there is anything to edit.
    pub fn new(
        document: &Document,
        findings: &Findings<'_>,
        options: &FindOptions,
        mapper: &impl Mapper,
    ) -> Self {
        let mut plan = Self::default();
        let mut resolving = findings.resolving(document, options.resolver);
        for (number, link) in findings.links.iter().enumerate() {
            let target = resolving.target(link);
            match mapper.map(link, &target) {
                Decision::Keep(why) => plan.kept.push((number, why)),
                Decision::Replace {
                    reference,
                    uri,
                    rule,
                } => match escape::write(document, link, &reference) {
                    // Percent-encoding may make it what it was.
                    Ok(written) if written.reference == link.reference => {
                        plan.kept.push((number, Kept::Unchanged));
                    }
                    Ok(written) => {
                        let mut new_uri = uri;
                        if written.reference != reference {
                            let base = target.base.map(|(base, _)| base);
                            let found = uri_of(&options.resolver, base, &written.reference);
                            new_uri = found.unwrap_or(new_uri);
                        }
                        plan.edits.push(Edit {
                            span: written.span,
                            new: written.new,
                            link: number,
                            reference: written.reference,
                            old_uri: target.uri.map(str::to_owned),
                            new_uri,
                            rule,
                        });
                    }
                    Err(why) => plan.kept.push((number, why)),
                },
            }
        }
        plan.prove(document, &findings.links, options);
        plan
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
        for may_mend in [true, false] {
            if self.edits.is_empty() {
                self.edited = None;
                return;
            }
            let edited = document.with_bytes(self.splice(&document.bytes));
            let faults = self.faults(links, &find(&edited, options).links);
            self.edited = Some(edited.bytes);
            let at_fault = |edit: &Edit| match &faults {
                Faults::At(links) => links.binary_search(&edit.link).is_ok(),
                Faults::Somewhere => true,
            };
            if matches!(&faults, Faults::At(links) if links.is_empty()) {
                return;
            }
            let (unwritable, writable): (Vec<_>, Vec<_>) = self
                .edits
                .drain(..)
                .partition(|edit| !may_mend || at_fault(edit));
            self.edits = writable;
            self.kept
                .extend(unwritable.iter().map(|edit| (edit.link, Kept::Unwritable)));
            self.kept.sort_by_key(|&(link, _)| link);
        }
        self.edited = None;
    }

    fn splice(&self, bytes: &[u8]) -> Vec<u8> {
        let grown: usize = self.edits.iter().map(|edit| edit.new.len()).sum();
        let mut out = Vec::with_capacity(bytes.len() + grown);
        let mut copied = 0;
        for edit in &self.edits {
            out.extend_from_slice(&bytes[copied..edit.span.start]);
            out.extend_from_slice(&edit.new);
            copied = edit.span.end;
        }
        out.extend_from_slice(&bytes[copied..]);
        out
    }

    /// Compares the links of the edited document with what they should be.
    fn faults(&self, old: &[Link<'_>], new: &[Link<'_>]) -> Faults {
        if old.len() != new.len() {
            return Faults::Somewhere;
        }
        let mut at = Vec::new();
        let mut edits = self.edits.iter().peekable();
        for (number, (old, new)) in old.iter().zip(new).enumerate() {
            match edits.next_if(|edit| edit.link == number) {
                Some(edit) if new.reference != edit.reference => at.push(number),
                None if new.reference != old.reference => return Faults::Somewhere,
                _ => {}
            }
        }
        Faults::At(at)
    }
}

/// Which edits are not read back as they were meant.
enum Faults {
    /// Those of these links, in order.
    At(Vec<usize>),
    /// It cannot be told which.
    Somewhere,
}
