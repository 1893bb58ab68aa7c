//! The links and anchors found in a page.

use std::borrow::Cow;

use crate::format::markup::value::Value;
use crate::link::{LinkData, Markup, Removable};

/// The result of reading a page.
#[derive(Default)]
pub(super) struct Found<'s> {
    pub(super) links: Vec<LinkData<'s>>,
    /// The anchors, if requested.
    pub(super) anchors: Vec<Anchor<'s>>,
    /// The BASE elements with a `href`.
    pub(super) bases: Vec<BaseFound<'s>>,
    /// The `integrity` attributes.
    pub(super) integrity: Vec<Removable>,
    /// The `crossorigin` attributes, if requested.
    pub(super) cors: Vec<Removable>,
    /// The estimated number of links that scripts build.
    pub(super) scripted: usize,
    /// The number of links before each start tag, if recorded.
    pub(super) before: Vec<usize>,
    /// The pages in the page.
    pub(super) nested: Vec<Nested<'s>>,
    /// The numbers of the `html` tags that only added attributes to the existing element.
    pub(super) merged: Vec<usize>,
    /// Whether no later tag removes the links so far.
    pub(super) is_final: bool,
    /// Whether there is a `template` element.
    pub(super) has_templates: bool,
}

/// A BASE element with a `href`.
#[derive(Clone, Debug)]
pub(super) struct BaseFound<'s> {
    /// The number of its start tag.
    pub(super) tag: usize,
    /// Its link, and the bytes to remove with its `href`.
    pub(super) element: Removable,
    pub(super) reference: Cow<'s, str>,
}

/// A name that a fragment may have.
pub(super) struct Anchor<'s> {
    pub(super) name: Cow<'s, str>,
    /// The element that has the name.
    pub(super) on: On,
}

/// An element with an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    /// The element of the start tag with this number.
    Tag(usize),
    /// The `html` element, from a later tag that only added attributes to it.
    Html,
    /// The `body` element, from such a tag.
    Body,
}

/// A page in the page.
pub(super) struct Nested<'s> {
    /// The offset of the value.
    pub(super) start: usize,
    /// The number of the start tag that it belongs to, if there is one.
    pub(super) tag: Option<usize>,
    pub(super) value: Value<'s>,
    /// Its place.
    pub(super) markup: Markup,
}
