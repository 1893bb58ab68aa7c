//! The records of edits and moves.

use std::borrow::Cow;
use std::path::Path;

use super::bytes::{Bytes, owned, owned_option};
use crate::bytes::Position;
use crate::document::Document;
use crate::link::{ParsedLink, is_private};
use crate::rewrite::{Edit, Plan};
use crate::uri::Parts;

/// An edit of a link.
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema_names::tagged("edit")))]
#[serde(tag = "type", rename = "edit")]
#[non_exhaustive]
pub struct EditRecord<'r> {
    /// The name of the document.
    pub doc: Bytes<'r>,
    /// The line of the first byte, from 1.
    pub line: usize,
    /// The column of the first byte, from 1.
    pub col: usize,
    /// The byte range that is replaced, from 0: first byte, byte after the last.
    pub span: [usize; 2],
    /// The old reference; the attribute if an integrity attribute is removed.
    pub old: Cow<'r, str>,
    /// The new reference. `None` if the attribute is removed.
    pub new: Option<Cow<'r, str>>,
    /// The old URL. `None` in a tree without a URL, and for `//host` in a document without one.
    pub old_uri: Option<Cow<'r, str>>,
    /// The new URL. `None` as for the old one.
    pub new_uri: Option<Cow<'r, str>>,
    /// The bytes that replace those of the span, in the character encoding of the document: the new
    /// reference with the escapes of its place.
    pub text: Bytes<'r>,
    /// The name of the rule.
    #[cfg_attr(feature = "schema", schemars(with = "super::schema_names::RuleName"))]
    pub rule: &'static str,
}

impl<'r> EditRecord<'r> {
    /// Calls `each` with the record of each edit of a plan, in the order of the document.
    pub fn for_each(plan: &Plan<'_>, mut each: impl FnMut(&EditRecord<'_>)) {
        let (document, found) = (plan.document(), plan.links().found());
        let mut resolver = plan.links().resolving().unchecked();
        let mut lines = document.lines();
        for edit in plan.edits() {
            if let Some(link) = found.link(edit.link) {
                let position = lines.position(edit.span.start);
                let old_uri = resolver.target(link).uri;
                each(&EditRecord::new(document, link, &edit, old_uri, position));
            }
        }
    }

    /// The record of an edit of `link` at `position`, which had the URL `old_uri`.
    fn new(
        document: &'r Document,
        link: &'r ParsedLink<'r>,
        edit: &Edit<'r>,
        old_uri: Option<&'r str>,
        position: Position,
    ) -> Self {
        let old_uri = old_uri.filter(|uri| !edit.is_beside() && !is_private(uri));
        let is_known = |uri: &&str| !is_private(uri) && Parts::split(uri).scheme.is_some();
        let new_uri = Some(edit.new_uri).filter(|uri| !edit.removes && is_known(uri));
        Self {
            doc: Bytes::of_name(document.path()),
            line: position.line,
            col: position.column,
            span: [edit.span.start, edit.span.end],
            old: match edit.is_beside() {
                true => document.decode(edit.span),
                false => Cow::Borrowed(&link.reference),
            },
            new: (!edit.removes).then_some(Cow::Borrowed(edit.reference)),
            old_uri: old_uri.map(Cow::Borrowed),
            new_uri: new_uri.map(Cow::Borrowed),
            text: Bytes::new(edit.new),
            rule: edit.rule,
        }
    }

    /// Returns the record without a borrow.
    pub fn into_owned(self) -> EditRecord<'static> {
        EditRecord {
            doc: self.doc.into_owned(),
            line: self.line,
            col: self.col,
            span: self.span,
            old: owned(self.old),
            new: owned_option(self.new),
            old_uri: owned_option(self.old_uri),
            new_uri: owned_option(self.new_uri),
            text: self.text.into_owned(),
            rule: self.rule,
        }
    }
}

/// A moved file.
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema_names::tagged("move")))]
#[serde(tag = "type", rename = "move")]
#[non_exhaustive]
pub struct MoveRecord<'r> {
    /// The old path.
    pub old: Bytes<'r>,
    /// The new path.
    pub new: Bytes<'r>,
    /// True if the file is at its new path already.
    pub done: bool,
}

impl<'r> MoveRecord<'r> {
    /// The record of a file that moves from `old` to `new`, or was moved before the run.
    pub fn new(old: &'r Path, new: &'r Path, done: bool) -> Self {
        Self { old: Bytes::of_name(old), new: Bytes::of_name(new), done }
    }

    /// Returns the record without a borrow.
    pub fn into_owned(self) -> MoveRecord<'static> {
        MoveRecord { old: self.old.into_owned(), new: self.new.into_owned(), done: self.done }
    }
}
