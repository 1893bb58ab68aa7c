//! Rewriting: rules decide about links, and a plan contains the edits and a skip reason for every
//! other link.
//!
//! [`Links::rewrite`](crate::Links::rewrite) makes a [`Plan`] from [`Rules`], or from a function
//! that returns an [`Action`] for each link. To rewrite files, use the job
//! `Rewrite`.
//!
//! # Inside
//!
//! - **Most documents are rewritten in one pass** (`one_pass`) if only the bytes and the counts are
//!   needed. A plan is made if its links or edits are shown, kept or verified, or if a decision
//!   depends on text after the link.
//! - **Edits share their buffers** (`Edits`) and are viewed as `Edit`. One allocation for each took
//!   a tenth of the time of rewriting.
//! - **Diffs come from the edits**, not from comparing texts: this is linear, and exact for any
//!   bytes.
//! - **An absolute reference keeps its spelling** under the RFC profiles. RFC 3986 would remove its
//!   dot segments, but link checkers and rewriters need the text as written.
//! - **`--absolute` also rewrites `#fragment` in hyperlinks and forms**, so that the page works
//!   elsewhere. A fragment that names a part of the page, such as a symbol to draw, stays: with a
//!   path, it would be fetched. Other empty references stay: HTML gives them a special meaning in
//!   each place.
//! - **`--relative` keeps relative paths**, even if shorter ones exist.
//! - **A reference that begins with a backslash is skipped**: browsers read it as a slash and the
//!   RFCs do not, so no absolute form means the same to both. Under the profile `whatwg`, a
//!   backslash in a path is a slash.
//! - **References are written for the base of the output** (`OutputBases`). A mapper provides it if
//!   it differs from the document's: when the document moves or its BASE changes. Nested bases
//!   (`xml:base`, `codebase`, a `srcdoc`'s BASE) are rewritten like links when BASE changes, so
//!   that the references inside them need no change.
//! - **A change of BASE is all or nothing**: the plan is made for the new base. If a skipped link
//!   would change its target, the plan is made again for the old base, with the reason
//!   `NeededBase`. Names are exempt: `usemap`, fragments outside hyperlinks and forms, and empty
//!   references outside hyperlinks and forms.
//! - **Removing BASE removes the element** with a directly following end tag if it has no other
//!   attribute; otherwise the attribute, if it is one piece. Verification compares from the
//!   document without its BASE.
//! - **Relative references become absolute if the base is unknown** after BASE is removed.
//! - **Public URLs of a page stay absolute** (`Absoluteness::Recommended`) under `--relative` and
//!   `--root-relative`: a copy of the page that names itself as canonical would be useless.
//! - **Prefixes are compared normalized, and the rest keeps its spelling**: both forms have the
//!   same delimiters, so the position is counted in delimiters. Dot segments break this; then the
//!   rest of the path is normalized. A URI is looked up at its boundaries by incremental hashes
//!   (`rewrite/rules/prefix`), and only at lengths that prefixes have.
//! - **A pattern is matched against the resolved URI**, not the normalized one: users write
//!   patterns for the URIs that they see.
//! - **A character that the charset lacks is percent-encoded** if a rule adds it. One that the page
//!   spells as a character reference, or the style sheet as an escape, keeps that spelling.
//! - **A URL of text is replaced in one piece**, from its first byte to its last, with the line
//!   breaks and marks between its pieces. If a page break or a second line break is between them,
//!   the link is skipped, since these must stay.
//! - **In text only maps and dropped parameters change links**, and only in plain text: URLs there
//!   are absolute, and a moved page does not affect them. The text of HTML, XML and mail has
//!   encodings and escapes that the text scanner does not decode.
//! - **A link is skipped if a nearby edit changes how it is read**, even if its reference stays the
//!   same: with another delimiter, the next run could edit it differently.

mod action;
mod diff;
mod edits;
mod linkify;
mod mapper;
mod one_pass;
mod output_bases;
mod plan;
mod rewritten;
mod rules;
mod skip_reason;
mod template;
mod verify;

pub use action::Action;
pub use diff::quoted_name;
pub use edits::{Edit, Edits};
pub use linkify::{Anchor, AnchorChoice, Linkified, Linkify, LinkifyError};
pub use output_bases::{BaseElements, BaseElementsError};
pub use plan::{Plan, apply_plan, keeps_charset};
pub use rewritten::Rewritten;
pub use rules::{
    Adjustments, ParamGlobs, ParamGlobsError, PathPrefix, PathPrefixError, PatternMap,
    PatternMapError, Placed, PrefixMap, PrefixMapError, Rule, Rules, climbs_out,
    is_fragment_in_feed, is_in_own_package, only_maps_change, respell, style, untargeted,
    untouchable,
};
pub use skip_reason::SkipReason;
pub use template::{has_template, has_template_base, is_template};
pub use verify::Mismatch;

pub use self::{
    diff::{DiffNames, changes_of, inserted_diff, unified_diff},
    mapper::{Decision, Mapper, replace},
    output_bases::OutputBases,
};
pub use one_pass::{Output, Watcher, rewrite_in_one_pass, rewrite_into_content};
