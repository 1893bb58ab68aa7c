//! Decisions about links.

use std::borrow::Cow;

use super::output_bases::OutputBases;
use super::skip_reason::SkipReason;
use crate::document::{Document, Links};
use crate::link::{Markup, ParsedLink, Role, Target, WindowsPath, as_url, as_written};
use crate::source::{PackagePart, PartBase};
use crate::uri::{Base, Parts};

/// Decides about links. [`Rules`](super::Rules) implements it: a new rule is a variant of
/// [`Rule`](super::Rule).
pub trait Mapper {
    /// Returns the bases of the rewritten document. None if they do not change.
    fn output_bases(&self, _links: &Links<'_>) -> Option<OutputBases> {
        None
    }

    /// Returns true if it decides by the link alone, so that links may be written while they are
    /// found: the bases of the output do not change, and no `integrity` attribute is removed.
    /// Otherwise a link may be decided about twice.
    fn decides_alone(&self) -> bool {
        false
    }

    /// Decides about one link of a document, given its target, and the base of its place in the
    /// rewritten document. The notes lack [`Note::Malformed`](crate::link::Note::Malformed).
    fn map<'t>(
        &self,
        document: &Document,
        link: &ParsedLink<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t>;

    /// Returns true if the `integrity` attribute of the link must be removed, because its target
    /// changes.
    fn drops_integrity(&self, _link: &ParsedLink<'_>, _target: &Target<'_>) -> bool {
        false
    }

    /// Returns true if the `crossorigin` attribute of the tag whose first link this is must be
    /// removed. They are found only with [`Options::cors`](crate::Options::cors).
    fn drops_cors(&self, _link: &ParsedLink<'_>, _target: &Target<'_>) -> bool {
        false
    }

    /// Returns the public URL for `uri`, if the bases of the output are internal URIs, as in a
    /// mirror whose references name files.
    fn public_url(&self, uri: String) -> String {
        uri
    }
}

/// The decision about a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision<'t> {
    /// Leave the link unchanged.
    Skip(SkipReason),
    /// Replace the reference.
    Replace {
        /// The new reference, unescaped.
        reference: Cow<'t, str>,
        /// The new target, an absolute URI. For a file of a mirror, the URL of the original.
        uri: Cow<'t, str>,
        /// The rule's name, as on the command line.
        rule: &'static str,
    },
}

impl Decision<'_> {
    /// The decision with an owned reference and target.
    pub fn into_owned(self) -> Decision<'static> {
        match self {
            Self::Skip(why) => Decision::Skip(why),
            Self::Replace { reference, uri, rule } => Decision::Replace {
                reference: reference.into_owned().into(),
                uri: uri.into_owned().into(),
                rule,
            },
        }
    }
}

/// Returns true if a new reference would leave the book that the document is a part of, or be a path
/// from its root, which readers do not know (EPUB 3.3, section 4.2.5).
fn leaves_book(document: &Document, reference: &str) -> bool {
    let part = document.package_part().filter(|it| it.base == PartBase::PartOfBook);
    let is_relative = |it: &Parts<'_>| it.scheme.is_none() && it.authority.is_none();
    let leaves = |it: &PackagePart| reference.starts_with('/') || it.is_left_by(reference);
    is_relative(&Parts::split(reference)) && part.is_some_and(leaves)
}

/// The decision of a mapper about a link. Where programs of offices write a path, the mapper sees a
/// URL, and the new one is written as a path again.
pub(super) fn decided<'t>(
    mapper: &impl Mapper,
    document: &Document,
    link: &ParsedLink<'_>,
    target: &Target<'t>,
    base: Option<&Base>,
) -> Decision<'t> {
    let is_of_office = |it: &Markup| it.language.is_of_office();
    if !link.place.markup().is_some_and(is_of_office) {
        return match mapper.map(document, link, target, base) {
            Decision::Replace { reference, .. } if leaves_book(document, &reference) => {
                Decision::Skip(SkipReason::Unreachable)
            }
            decision => decision,
        };
    }
    let of_url = match as_url(link) {
        Some(url) => Cow::Owned(ParsedLink { reference: Cow::Owned(url), ..link.clone() }),
        None => Cow::Borrowed(link),
    };
    match mapper.map(document, &of_url, target, base) {
        Decision::Replace { reference, uri, rule } => {
            let written = match of_url {
                Cow::Owned(_) => Cow::Owned(as_written(link, &reference)),
                Cow::Borrowed(_) => Cow::Borrowed(&*reference),
            };
            // A path from the root, or the name of a template, would be read as another file.
            let new = ParsedLink { reference: written.clone(), ..link.clone() };
            let is_read = *as_url(&new).unwrap_or_else(|| written.to_string()) == *reference;
            let is_from_root = written.starts_with('/') && !written.starts_with("//");
            let is_name = link.role == Role::Style && !written.contains(['/', '\\', ':']);
            if !is_read || is_from_root || is_name {
                return Decision::Skip(SkipReason::Unreachable);
            }
            let reference = written.into_owned().into();
            Decision::Replace { reference, uri, rule }
        }
        decision => decision,
    }
}

/// Replaces the reference of a link, or keeps the link if the reference is the same.
pub fn replace<'t>(
    link: &ParsedLink<'_>,
    reference: Cow<'t, str>,
    uri: Cow<'t, str>,
    rule: &'static str,
) -> Decision<'t> {
    // A path of Windows stays one, wherever it is written.
    let path = WindowsPath::of(&link.reference).and_then(|it| it.spelled(&reference));
    let reference = path.map_or(reference, Cow::Owned);
    if reference == link.reference {
        Decision::Skip(SkipReason::Unchanged)
    } else {
        Decision::Replace { reference, uri, rule }
    }
}
