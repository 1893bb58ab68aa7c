//! The survey of a document: the results of its first reading.

use super::fragment::Fragment;
use crate::bytes::Position;
use crate::document::Document;
use crate::format::ParsedLinks;
use crate::link::MAX_BASE;
use crate::listing::Id;

/// The summary of a surveyed document: a few numbers, 24 bytes for each fragment of a file not
/// surveyed yet, and 4 bytes for each link that may be broken.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// The number of links.
    pub links: usize,
    /// The number of links into the tree, broken or not.
    pub local: usize,
    /// The number of links into the tree that `CheckOptions::filter` leaves out.
    pub excluded: usize,
    /// The number of links into the tree that a comment exempts.
    pub exempt: usize,
    /// The number of links that are not checked since the root of the site is unknown.
    pub rootless: usize,
    /// The number of links that are not checked since a template engine makes their reference.
    pub templates: usize,
    /// The number of links that are not checked since the site may generate their target, or has it
    /// outside of the tree.
    pub generated: usize,
    /// The number of fragments that are not checked since `Options::anchors` is off.
    pub fragments: usize,
    /// The number of link definitions that their document never uses, and whose target does not
    /// exist. No reader follows them.
    pub unused: usize,
    /// The position of the first byte that is invalid in its charset.
    pub malformed: Option<Position>,
    /// True if its tags were interpreted without a tree (`ParsedLinks::guessed`).
    pub guessed: bool,
    /// True if its base is longer than `MAX_BASE`, and was ignored.
    pub base_is_too_long: bool,
    /// True if a link is broken, or its target could not be looked up.
    pub(super) broken: bool,
    /// The files and fragments that could not be checked yet.
    pub(super) pending: Box<[(Id, Fragment)]>,
    /// The numbers of the links that are broken, or could not be checked yet, in order.
    pub(super) suspects: Box<[u32]>,
}

impl Survey {
    /// The survey of a document with these links, before any of them is checked.
    pub(super) fn of(document: &Document, found: &ParsedLinks<'_>) -> Self {
        Self {
            links: found.links.len(),
            malformed: found.malformed.map(|offset| document.lines().position(offset)),
            guessed: found.guessed,
            base_is_too_long: found.base.as_ref().is_some_and(|it| it.uri.len() > MAX_BASE),
            ..Self::default()
        }
    }

    /// The survey with the links that may be broken, and the fragments that could not be checked.
    pub(super) fn with(self, suspects: Vec<u32>, mut pending: Vec<(Id, Fragment)>) -> Self {
        pending.sort_unstable();
        pending.dedup();
        Self { suspects: suspects.into(), pending: pending.into(), ..self }
    }
}
