//! Why resolving fails.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// Why a reference has no target. Says which rule failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolveError {
    pub(super) kind: ErrorKind,
    pub(super) message: Cow<'static, str>,
    pub(super) rule: &'static str,
    pub(super) range: Option<Range<usize>>,
}

/// The kinds of [`ResolveError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The base has no scheme.
    BaseNotAbsolute,
    /// The reference climbs above the root, and the policy is [`AboveRoot::Avoid`](super::AboveRoot).
    AboveRoot,
    /// The parser of the WHATWG URL Standard fails on the base or the reference.
    Whatwg,
    /// The profile is [`Profile::Whatwg`](super::Profile), and the feature `whatwg` is off.
    WhatwgUnavailable,
}

impl ResolveError {
    /// What kind of failure it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The text and section that decided, as `RFC 2396, 5.2, step 6g`.
    pub fn rule(&self) -> &'static str {
        self.rule
    }

    /// The bytes of the reference at fault, where some are: the first `..` that climbs too far, if
    /// it is not the base's own.
    pub fn range(&self) -> Option<Range<usize>> {
        self.range.clone()
    }
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ResolveError {}
