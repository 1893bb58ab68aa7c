//! Decisions about links.

use std::borrow::Cow;

use super::output_bases::OutputBases;
use super::skip_reason::SkipReason;
use crate::document::{Document, Links};
use crate::link::{ParsedLink, Target};
use crate::uri::Base;

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

/// Replaces the reference of a link, or keeps the link if the reference is the same.
pub fn replace<'t>(
    link: &ParsedLink<'_>,
    reference: Cow<'t, str>,
    uri: Cow<'t, str>,
    rule: &'static str,
) -> Decision<'t> {
    if reference == link.reference {
        Decision::Skip(SkipReason::Unchanged)
    } else {
        Decision::Replace { reference, uri, rule }
    }
}
