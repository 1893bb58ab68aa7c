//! Decisions about links.

use std::borrow::Cow;

use super::output_bases::OutputBases;
use super::skip_reason::SkipReason;
use crate::document::Document;
use crate::format::FoundLinks;
use crate::link::{LinkData, Target};
use crate::uri::Base;

/// Says what becomes of a link. Implement it to rewrite by rules of your own.
pub trait Mapper {
    /// The bases that the rewritten document will have; none where they stay what they are.
    fn output_bases(
        &self,
        _document: &Document,
        _findings: &FoundLinks<'_>,
    ) -> Option<OutputBases> {
        None
    }

    /// Decides about one link, given where it leads, and what a reference in its place will be relative to
    /// in the rewritten document. Whether it is [`Note::Malformed`](crate::link::Note::Malformed) is not told.
    fn map<'t>(
        &self,
        link: &LinkData<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t>;

    /// Whether the [`Integrity`](crate::link::Integrity) that stands beside a link goes, because what it leads to
    /// changes.
    fn drops_integrity(&self, _link: &LinkData<'_>, _target: &Target<'_>) -> bool {
        false
    }

    /// The URI that stands for `uri` to everybody else, where the bases of the output are URIs among ourselves: as
    /// where references are to lead from file to file.
    fn public_url(&self, uri: String) -> String {
        uri
    }
}

/// What becomes of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision<'t> {
    /// It stays as it is.
    Keep(SkipReason),
    /// It is to say something else.
    Replace {
        /// The new reference, unescaped.
        reference: Cow<'t, str>,
        /// The absolute URI that it then leads to; of a reference to a file of a mirror, the URL that this is
        /// the copy of.
        uri: Cow<'t, str>,
        /// The rule's name, as on the command line.
        rule: &'static str,
    },
}

pub(super) fn replace<'t>(
    link: &LinkData<'_>,
    reference: Cow<'t, str>,
    uri: Cow<'t, str>,
    rule: &'static str,
) -> Decision<'t> {
    if reference == link.reference {
        Decision::Keep(SkipReason::Unchanged)
    } else {
        Decision::Replace {
            reference,
            uri,
            rule,
        }
    }
}
