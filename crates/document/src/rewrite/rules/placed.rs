//! The place of a document in a tree of files, for rules.

use super::{Rule, Rules};
use crate::bytes::percent;
use crate::link::{ParsedLink, Target};
use crate::rewrite::mapper::Decision;
use crate::rewrite::skip_reason::SkipReason;
use crate::uri::{Base, Parts};

/// The place of a document in a tree of files: on a documentation site, in a mirror, or in both.
/// `()` is a document outside of them.
pub trait Placed {
    /// Decides by `rule` about a link whose reference names a page of the document's site and not a
    /// file. `None` if the rule decides itself.
    fn page_decision<'t>(
        &self,
        _rules: &Rules,
        _rule: &Rule,
        _link: &ParsedLink<'_>,
        _target: &Target<'t>,
    ) -> Option<Decision<'t>> {
        None
    }

    /// Returns true if the document is in a mirror.
    fn is_mirrored(&self) -> bool {
        false
    }

    /// Decides by [`Rule::Mirror`] about a link to `uri`. `None` if the document is not in a
    /// mirror.
    fn mirrored<'t>(
        &self,
        _link: &ParsedLink<'_>,
        _target: &Target<'t>,
        _base: Option<&Base>,
        _uri: &'t str,
        _stays_absolute: Option<SkipReason>,
    ) -> Option<Decision<'t>> {
        None
    }

    /// Returns true if a BASE that stays makes even empty and fragment-only references resolve to
    /// another document.
    fn follows_base(&self, _link: &ParsedLink<'_>, _target: &Target<'_>) -> bool {
        false
    }

    /// Returns true if `clean`, the URL of a page without its extension, names the same page of the
    /// tree as `uri`, the target of `reference`. True if the tree is unknown.
    fn names_page(&self, _reference: &str, _base: Option<&Base>, _uri: &str, _clean: &str) -> bool {
        true
    }

    /// The public URL of an internal URI.
    fn public_url(&self, uri: String) -> String {
        uri
    }

    /// Returns true if references keep their targets under the base of the output, by files or by
    /// URLs.
    fn is_same_base(&self, old: Option<&str>, new: Option<&str>) -> bool {
        old == new
    }
}

impl Placed for () {}

/// Returns true if a relative path climbs above the root of its base. By files, it is outside the
/// mirror; by URLs, resolving stops at the root.
pub fn climbs_out(base: &Base, reference: &str) -> bool {
    let mut depth = base.parts().path.matches('/').count().saturating_sub(1);
    let path = Parts::split(reference).path;
    path.split('/').any(|name| {
        match &*percent::decode(name) {
            b".." if depth == 0 => return true,
            b".." => depth -= 1,
            b"." => {}
            _ => depth += 1,
        }
        false
    })
}
