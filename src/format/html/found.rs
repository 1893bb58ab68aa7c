//! The links and anchors found in a page.

use std::borrow::Cow;

use crate::bytes::Span;
use crate::format::value::Value;
use crate::link::{Integrity, LinkData, Markup};

/// What was found.
#[derive(Default)]
pub(super) struct Found<'s> {
    pub(super) links: Vec<LinkData<'s>>,
    /// The anchors, if they are wanted.
    pub(super) anchors: Vec<Anchor<'s>>,
    /// The BASE elements that have a `href`.
    pub(super) bases: Vec<BaseFound>,
    /// The `integrity` attributes.
    pub(super) integrity: Vec<Integrity>,
    /// How many links scripts seem to build.
    pub(super) scripted: usize,
    /// How many links there were before each start tag, if that is noted.
    pub(super) before: Vec<usize>,
    /// The pages in the page.
    pub(super) nested: Vec<Nested<'s>>,
    /// The `html` tags that only gave attributes to the element that was there.
    pub(super) merged: Vec<usize>,
    /// Whether there is a `template`.
    pub(super) has_templates: bool,
}

/// A BASE element that has a `href`.
#[derive(Clone, Copy, Debug)]
pub(super) struct BaseFound {
    /// The number of its start tag.
    pub(super) tag: usize,
    /// The number of its link.
    pub(super) link: usize,
    /// What goes if its `href` is to go.
    pub(super) removal: Option<Span>,
}

/// A name that a fragment may lead to.
pub(super) struct Anchor<'s> {
    pub(super) name: Cow<'s, str>,
    /// What has it.
    pub(super) on: On,
}

/// What has an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    /// The element of the start tag with this number.
    Tag(usize),
    /// The `html` element, by a tag that only gave it attributes.
    Html,
    /// The `body` element, by such a tag.
    Body,
}

/// A page in the page.
pub(super) struct Nested<'s> {
    /// How many links stand before it.
    pub(super) at: usize,
    /// The number of the start tag that it belongs to, if one came before it.
    pub(super) tag: Option<usize>,
    pub(super) value: Value<'s>,
    /// What holds it.
    pub(super) markup: Markup,
}
