//! The links and anchors found in a page.

use std::borrow::Cow;

use crate::format::markup::value::Value;
use crate::link::{AttributeSpan, Markup, ParsedLink};

/// The result of reading a page.
#[derive(Default)]
pub(super) struct Found<'s> {
    pub(super) links: Vec<ParsedLink<'s>>,
    /// The anchors, if requested.
    pub(super) anchors: Vec<Cow<'s, str>>,
    /// The BASE elements with a `href`.
    pub(super) bases: Vec<BaseFound<'s>>,
    /// The `integrity` attributes.
    pub(super) integrity: Vec<AttributeSpan>,
    /// The `crossorigin` attributes, if requested.
    pub(super) cors: Vec<AttributeSpan>,
    /// The estimated number of links that scripts build.
    pub(super) scripted: usize,
    /// The pages in the page.
    pub(super) nested: Vec<Nested<'s>>,
    /// True if no later tag removes the links so far.
    pub(super) is_final: bool,
    /// True if more links of the same tag or text follow.
    pub(super) is_part: bool,
    /// True if links of the last tag were delivered before its end.
    pub(super) had_part: bool,
    /// The offset up to which the page is read.
    pub(super) at: usize,
}

/// The numbers of what was found up to a token.
#[derive(Clone, Copy)]
pub(super) struct Lens {
    links: usize,
    anchors: usize,
    bases: usize,
    integrity: usize,
    cors: usize,
    nested: usize,
}

impl Found<'_> {
    pub(super) fn lens(&self) -> Lens {
        Lens {
            links: self.links.len(),
            anchors: self.anchors.len(),
            bases: self.bases.len(),
            integrity: self.integrity.len(),
            cors: self.cors.len(),
            nested: self.nested.len(),
        }
    }

    /// Removes what was found after a token.
    pub(super) fn truncate(&mut self, lens: Lens) {
        self.links.truncate(lens.links);
        self.anchors.truncate(lens.anchors);
        self.bases.truncate(lens.bases);
        self.integrity.truncate(lens.integrity);
        self.cors.truncate(lens.cors);
        self.nested.truncate(lens.nested);
    }
}

/// A BASE element with a `href`.
#[derive(Clone, Debug)]
pub(super) struct BaseFound<'s> {
    /// The number of its start tag.
    pub(super) tag: usize,
    /// Its link, and the bytes to remove with its `href`.
    pub(super) element: AttributeSpan,
    pub(super) reference: Cow<'s, str>,
}

/// A page in the page.
pub(super) struct Nested<'s> {
    /// The offset of the value.
    pub(super) start: usize,
    pub(super) value: Value<'s>,
    /// Its place.
    pub(super) markup: Markup,
}
