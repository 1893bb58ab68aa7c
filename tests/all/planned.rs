//! A plan without a borrow, whose links are numbered; and a rule for laws.

use rehref::document::{Document, Links};
use rehref::link::{LinkData, LinkId, Target};
use rehref::rewrite::{Decision, Edits, Mapper, Plan, SkipReason};
use rehref::uri::Base;

/// The result of a plan.
#[derive(Debug)]
pub(crate) struct Planned {
    bytes: Vec<u8>,
    edits: Edits,
    skipped: Vec<(usize, SkipReason)>,
    ids: Vec<LinkId>,
}

impl Planned {
    pub(crate) fn new(links: &Links<'_>, mapper: &impl Mapper) -> Self {
        let plan = Plan::new(links, mapper);
        let ids: Vec<LinkId> = links.iter().map(|link| link.id()).collect();
        let skipped = plan.skipped();
        let skipped = skipped.map(|(link, reason)| (number(&ids, link.id()), reason));
        Self {
            skipped: skipped.collect(),
            bytes: plan.bytes().to_vec(),
            edits: plan.edits().clone(),
            ids,
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn edits(&self) -> &Edits {
        &self.edits
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// The skipped links by number, counted from 0.
    pub(crate) fn skipped(&self) -> &[(usize, SkipReason)] {
        &self.skipped
    }

    /// The number of a link, counted from 0.
    pub(crate) fn number(&self, link: LinkId) -> usize {
        number(&self.ids, link)
    }
}

fn number(ids: &[LinkId], link: LinkId) -> usize {
    ids.binary_search(&link).expect("a link of the document")
}

/// Replaces every link with the same reference.
pub(crate) struct Say(pub(crate) String);

impl Mapper for Say {
    fn map<'t>(
        &self,
        _: &Document,
        _: &LinkData<'_>,
        _: &Target<'t>,
        _: Option<&Base>,
    ) -> Decision<'t> {
        Decision::Replace { reference: self.0.clone().into(), uri: "http://h/".into(), rule: "say" }
    }
}
