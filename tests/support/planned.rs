//! Plans without a borrow, whose links are numbered, and rules for laws.

use std::ops::Range;

use rehref::document::{Document, Links};
use rehref::link::{LinkId, ParsedLink, Target};
use rehref::rewrite::{Decision, Edits, Mapper, Plan, PrefixMap, Rules, SkipReason};
use rehref::uri::Base;

pub(crate) fn prefix_map(entries: &[&str]) -> PrefixMap {
    let mut map = PrefixMap::default();
    for entry in entries {
        map.insert_entry(entry).expect("an entry");
    }
    map
}

pub(crate) fn plan(document: &Document, rules: impl Into<Rules>) -> Planned {
    Planned::new(&document.links(), &rules.into())
}

/// The document rewritten by the rules.
pub(crate) fn rewritten(document: &Document, rules: impl Into<Rules>) -> Document {
    plan(document, rules).applied_to(document)
}

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

    /// The rewritten document.
    pub(crate) fn applied_to(&self, document: &Document) -> Document {
        document.with_bytes(self.bytes.clone())
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

/// The document with these edits and no other change, and the place of each edit in it. Panics if
/// they overlap or are not in order.
pub(crate) fn spliced(document: &Document, edits: &Edits) -> (Vec<u8>, Vec<Range<usize>>) {
    let (mut new, mut places, mut copied) = (Vec::new(), Vec::new(), 0);
    for edit in edits {
        assert!(copied <= edit.span.start, "edits in order: {edits:?}");
        new.extend_from_slice(&document.bytes()[copied..edit.span.start]);
        places.push(new.len()..new.len() + edit.new.len());
        new.extend_from_slice(edit.new);
        copied = edit.span.end;
    }
    new.extend_from_slice(&document.bytes()[copied..]);
    (new, places)
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
        _: &ParsedLink<'_>,
        _: &Target<'t>,
        _: Option<&Base>,
    ) -> Decision<'t> {
        Decision::Replace { reference: self.0.clone().into(), uri: "http://h/".into(), rule: "say" }
    }
}
