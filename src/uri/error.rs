//! Why resolving fails.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use super::{Profile, Resolver, Step};

/// Why a reference has no target. Says which rule failed.
#[derive(Clone, Debug, PartialEq, Eq)]
// In a box, so that the answers that succeed, nearly all, are returned in registers.
pub struct ResolveError(pub(super) Box<Failure>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    refusal: Refusal,
    resolver: Resolver,
    base: String,
    /// None where the base alone is at fault.
    pub(super) reference: Option<String>,
}

/// What an algorithm has against a base or a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) kind: ErrorKind,
    pub(super) message: Cow<'static, str>,
    /// The text and section that decided.
    pub(super) rule: &'static str,
    /// The bytes of the reference at fault, if some are.
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
    pub(super) fn new(
        refusal: Refusal,
        resolver: Resolver,
        base: String,
        reference: Option<String>,
    ) -> Self {
        Self(Box::new(Failure {
            refusal,
            resolver,
            base,
            reference,
        }))
    }

    /// What kind of failure it is.
    pub fn kind(&self) -> ErrorKind {
        self.0.refusal.kind
    }

    /// The text and section that decided, as `RFC 2396, 5.2, step 6g`.
    pub fn rule(&self) -> &'static str {
        self.0.refusal.rule
    }

    /// The bytes of the reference at fault, where some are: the first `..` that climbs too far, if
    /// it is not the base's own; under [`Profile::Whatwg`] the authority, since that parser fails on
    /// nothing else, or all of the reference where it has none.
    pub fn range(&self) -> Option<Range<usize>> {
        self.0.refusal.range.clone()
    }

    /// The step of the algorithm at which it fails. None where the base is none.
    pub fn step(&self) -> Option<Step> {
        match self.kind() {
            ErrorKind::AboveRoot => Some(Step::AboveRootAvoided),
            ErrorKind::Whatwg => Some(Step::Whatwg),
            ErrorKind::BaseNotAbsolute | ErrorKind::WhatwgUnavailable => None,
        }
    }

    /// The profile by which it fails.
    pub fn profile(&self) -> Profile {
        self.0.resolver.profile
    }

    /// The other profiles that accept what this one refuses, with the same policies, oldest first:
    /// by them the reference has a target or is to the current document, or the base is one where
    /// that alone is at fault. It is found out when asked, by resolving with each.
    ///
    /// ```
    /// use rehref::uri::{AboveRoot, Profile, Resolver};
    ///
    /// let resolver = Resolver {
    ///     profile: Profile::Rfc2396,
    ///     above_root: AboveRoot::Avoid,
    ///     ..Resolver::default()
    /// };
    /// let error = resolver.resolve("http://a/b", "../../g").unwrap_err();
    /// // RFC 3986 says itself what becomes of such a reference, and so leaves nothing to avoid.
    /// assert!(error.accepted_by().any(|it| it == Profile::Rfc3986));
    /// ```
    pub fn accepted_by(&self) -> impl Iterator<Item = Profile> {
        let Failure {
            resolver,
            base,
            reference,
            ..
        } = &*self.0;
        let accepts = move |profile| {
            let resolver = Resolver {
                profile,
                ..*resolver
            };
            match reference {
                Some(reference) => resolver.resolve(base, reference).is_ok(),
                None => resolver.base(base).is_ok(),
            }
        };
        let all = Profile::ALL.iter().copied();
        all.filter(move |&other| other != resolver.profile && accepts(other))
    }
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.refusal.message)
    }
}

impl std::error::Error for ResolveError {}
