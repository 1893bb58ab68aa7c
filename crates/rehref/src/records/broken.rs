//! The records of broken links and of pages without links to them.

use std::borrow::Cow;
use std::path::Path;

use super::bytes::{Bytes, owned, owned_option};
use super::link::ranges;
use crate::check::Broken;

/// A broken link.
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema_names::tagged("broken")))]
#[serde(tag = "type", rename = "broken")]
#[non_exhaustive]
pub struct BrokenRecord<'r> {
    /// The name of the document.
    pub doc: Bytes<'r>,
    /// The line of the first byte, from 1.
    pub line: usize,
    /// The column of the first byte, from 1.
    pub col: usize,
    /// The byte ranges of the link in the document, from 0: first byte, byte after the last. `None` in
    /// a compressed object of a PDF file.
    pub spans: Option<Vec<[usize; 2]>>,
    /// The reference.
    #[serde(rename = "ref")]
    pub reference: Cow<'r, str>,
    /// The URL. `None` in a tree without a URL.
    pub uri: Option<Cow<'r, str>>,
    /// The reason.
    #[cfg_attr(feature = "schema", schemars(with = "super::schema_names::WhyName"))]
    pub why: &'static str,
    /// A suggested reference to a similar file or anchor that exists: see [`Broken::near`].
    pub near: Option<Cow<'r, str>>,
}

impl<'r> BrokenRecord<'r> {
    /// The record of a broken link.
    pub fn new(broken: &'r Broken<'r>) -> Self {
        Self {
            doc: Bytes::of_name(broken.link.document().path()),
            line: broken.link.line(),
            col: broken.link.column(),
            spans: ranges(broken.link.spans()),
            reference: Cow::Borrowed(broken.link.reference()),
            uri: broken.url.map(Cow::Borrowed),
            why: broken.why.as_str(),
            near: broken.near.as_deref().map(Cow::Borrowed),
        }
    }

    /// Returns the record without a borrow.
    pub fn into_owned(self) -> BrokenRecord<'static> {
        BrokenRecord {
            doc: self.doc.into_owned(),
            line: self.line,
            col: self.col,
            spans: self.spans,
            reference: owned(self.reference),
            uri: owned_option(self.uri),
            why: self.why,
            near: owned_option(self.near),
        }
    }
}

/// A target of broken links.
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema_names::tagged("target")))]
#[serde(tag = "type", rename = "target")]
#[non_exhaustive]
pub struct BrokenTargetRecord<'r> {
    /// The target: see [`Broken::target`].
    pub target: Cow<'r, str>,
    /// The reason.
    #[cfg_attr(feature = "schema", schemars(with = "super::schema_names::WhyName"))]
    pub why: &'static str,
    /// The name of a similar file or anchor that exists.
    pub near: Option<Cow<'r, str>>,
    /// The number of broken links to it.
    pub links: usize,
}

impl<'r> BrokenTargetRecord<'r> {
    /// The record of a broken link, as the only one to its target.
    pub fn new(broken: &'r Broken<'r>) -> Self {
        Self {
            target: Cow::Borrowed(&broken.target),
            why: broken.why.as_str(),
            near: broken.near_target.as_deref().map(Cow::Borrowed),
            links: 1,
        }
    }

    /// Returns the record without a borrow.
    pub fn into_owned(self) -> BrokenTargetRecord<'static> {
        BrokenTargetRecord {
            target: owned(self.target),
            why: self.why,
            near: owned_option(self.near),
            links: self.links,
        }
    }
}

/// A page without links from other documents.
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema_names::tagged("orphan")))]
#[serde(tag = "type", rename = "orphan")]
#[non_exhaustive]
pub struct OrphanRecord<'r> {
    /// The name of the page.
    pub doc: Bytes<'r>,
}

impl<'r> OrphanRecord<'r> {
    /// The record of a page.
    pub fn new(name: &'r Path) -> Self {
        Self { doc: Bytes::of_name(name) }
    }
}
