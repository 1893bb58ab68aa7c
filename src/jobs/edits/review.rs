//! The review of a plan: verification, skipped links, broken links.

use super::event::EditEvent;
use crate::document::Document;
use crate::format::html::scripted_links;
use crate::format::{FoundLinks, Options};
use crate::jobs::names::has_extension;
use crate::rewrite::{Plan, verify};

/// The extensions of programs.
const PROGRAMS: [&str; 3] = ["js", "mjs", "cjs"];

/// A document with its links.
#[derive(Clone, Copy)]
pub(in crate::jobs) struct Review<'r> {
    pub(in crate::jobs) document: &'r Document,
    pub(in crate::jobs) links: &'r FoundLinks<'r>,
    pub(in crate::jobs) options: &'r Options,
}

impl Review<'_> {
    /// Verifies a plan. If that fails, reports it and removes the edits.
    pub(in crate::jobs) fn verified(
        self,
        plan: &mut Plan,
        event: &mut dyn FnMut(EditEvent<'_>),
    ) -> bool {
        let Self {
            document,
            links,
            options,
        } = self;
        let edited = plan.apply(document);
        let Err(mismatch) = verify(document, links, &plan.edits, edited, options) else {
            return true;
        };
        event(EditEvent::Unverified {
            document,
            mismatch: &mismatch,
        });
        *plan = Plan::default();
        false
    }

    /// Reports the skipped links of a plan.
    pub(in crate::jobs) fn skipped(self, plan: &Plan, event: &mut dyn FnMut(EditEvent<'_>)) {
        let mut lines = self.document.lines();
        for &(number, reason) in &plan.kept {
            let link = &self.links.links[number];
            event(EditEvent::Skipped {
                document: self.document,
                link,
                position: lines.position(link.extent().start),
                reason,
            });
        }
    }

    /// Reports links that would break. Returns their number.
    pub(in crate::jobs) fn breaks(
        self,
        links: impl IntoIterator<Item = usize>,
        event: &mut dyn FnMut(EditEvent<'_>),
    ) -> usize {
        let mut lines = self.document.lines();
        let mut count = 0;
        for number in links {
            count += 1;
            let link = &self.links.links[number];
            event(EditEvent::Breaks {
                document: self.document,
                link,
                position: lines.position(link.extent().start),
            });
        }
        count
    }

    /// Counts the links that scripts seem to build.
    pub(in crate::jobs) fn scripted(self) -> usize {
        match self.document.format {
            format if format.is_text() && has_extension(&self.document.name, &PROGRAMS) => {
                scripted_links(&self.document.bytes)
            }
            _ => self.links.scripted,
        }
    }
}
