//! The plan of a document: its edits, and the reasons for all other links.

use super::diff::{DiffNames, unified_diff};
use super::edits::Edits;
use super::mapper::Mapper;
use super::plan::Plan;
use super::skip_reason::SkipReason;
use super::verify::{Mismatch, verify};
use crate::document::{Document, Link, Links};

/// The planned edits of a document. Nothing is written.
#[derive(Debug)]
pub struct DocumentPlan<'l> {
    links: &'l Links<'l>,
    plan: Plan,
}

impl<'l> DocumentPlan<'l> {
    /// Plans edits by the decisions of `mapper`.
    ///
    /// Bytes outside of edits never change, and every other link is read as before. So the edited document is read
    /// again, unless the edits are certain to be read back, and an edit that is not read back is dropped with a
    /// [`SkipReason`].
    ///
    /// Cost: linear in the document, with a second pass where it is read again and up to three more where edits are
    /// dropped.
    pub fn new(links: &'l Links<'_>, mapper: &impl Mapper) -> Self {
        let plan = Plan::new(links.document(), links.found(), links.options(), mapper);
        Self { links, plan }
    }

    /// The document.
    pub fn document(&self) -> &'l Document {
        self.links.document()
    }

    /// Returns true if the document does not change.
    pub fn is_empty(&self) -> bool {
        self.plan.is_empty()
    }

    /// The edits, in the order of the document.
    pub fn edits(&self) -> &Edits {
        &self.plan.edits
    }

    /// The links that are left unchanged, with the reasons.
    pub fn skipped(&self) -> impl Iterator<Item = (Link<'l>, SkipReason)> {
        let links = &self.links.found().links;
        self.plan.kept.iter().filter_map(|&(link, reason)| {
            let link = self.links.at(links.get(link)?.extent().start)?;
            Some((link, reason))
        })
    }

    /// The bytes of the document with the edits made.
    pub fn bytes(&self) -> &[u8] {
        self.plan.apply(self.links.document())
    }

    /// A unified diff, as `patch` and `git apply` read it. Empty if the document does not change. Bytes that are not
    /// UTF-8 are replaced.
    pub fn diff(&self) -> String {
        let document = self.document();
        let name = document.name().to_string();
        let names = DiffNames {
            old: name.as_bytes(),
            new: name.as_bytes(),
        };
        let mut diff = Vec::new();
        unified_diff(&document.bytes, &self.plan.edits, names, &mut diff);
        String::from_utf8_lossy(&diff).into_owned()
    }

    /// Verifies that only the rewritten links differ: parses both versions independently, HTML as a DOM.
    ///
    /// # Errors
    /// The first difference, and pages that nest too deep to build their tree.
    pub fn verify(&self) -> Result<(), Mismatch> {
        let Self { links, plan } = self;
        let document = links.document();
        verify(
            document,
            links.found(),
            &plan.edits,
            self.bytes(),
            links.options(),
        )
    }
}
