//! Reasons why resolving fails.

use std::borrow::Cow;
use std::ops::Range;

/// The reason why an algorithm rejects a base or a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) kind: ErrorKind,
    pub(super) message: Cow<'static, str>,
    /// The specification and section with the rule.
    pub(super) rule: &'static str,
    /// The bytes of the reference at fault, if the base is not.
    pub(super) range: Option<Range<usize>>,
}

/// The kinds of [`ResolveError`](super::ResolveError).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The base has no scheme.
    BaseNotAbsolute,
    /// The reference climbs above the root, and the policy is
    /// [`AboveRoot::Avoid`](super::AboveRoot).
    AboveRoot,
    /// The parser of the WHATWG URL Standard fails on the base or the reference.
    Whatwg,
    /// The profile is [`Profile::Whatwg`](super::Profile), and the feature `whatwg` is off.
    WhatwgUnavailable,
}
