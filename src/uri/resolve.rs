//! From a reference to its target: section 5.2 of each text.

use super::{AboveRoot, Base, Profile, ResolveError, SameScheme};

/// Resolves references by a profile's algorithm, taken to the letter.
///
/// What to know of the letter:
/// - Under the draft of 1997 and RFC 2396 a base with an authority and no path glues: `http://a` and
///   `g` give `http://ag` (step 6a; the revisions call it an oversight and repair it).
/// - A target may begin with `//` where the base has no authority: `foo:/a` and `.//g` give
///   `foo://g`, which reads as an authority. RFC 3986 forbids such a path (section 3.3) but its
///   algorithm makes it.
/// - The base is used as it stands, its dot segments too, and need not be hierarchical
///   (RFC 3986, 5.2.1: normalising is optional).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Resolver {
    /// The text whose algorithm is followed.
    pub profile: Profile,
    /// What becomes of `..` above the root, where the profile leaves the choice.
    pub above_root: AboveRoot,
    /// What a scheme equal to the base's means, where the profile leaves the choice.
    pub same_scheme: SameScheme,
}

/// What [`Base::resolve_into`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The reference has a target, now in the buffer.
    Target,
    /// The reference is to the document at hand, whatever its base; the buffer is empty. Only the
    /// profiles before RFC 3986 know this answer.
    CurrentDocument,
}

/// What a reference refers to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Resolved {
    /// An absolute URI, possibly with a fragment.
    Target(String),
    /// The document at hand, whatever its base. Only the profiles before RFC 3986 know this answer.
    CurrentDocument {
        /// The reference's fragment: `None` when undefined.
        fragment: Option<String>,
    },
}

impl Resolver {
    /// Makes a base ready to resolve many references against.
    ///
    /// Linear in its length. It allocates a few strings as long as the base, and under
    /// [`Profile::Whatwg`] what the parser of that standard needs.
    ///
    /// # Errors
    /// [`BaseNotAbsolute`](super::ErrorKind::BaseNotAbsolute) when the base has no scheme, also for references that
    /// have one;
    /// [`Whatwg`](super::ErrorKind::Whatwg) where that standard's parser fails on it.
    pub fn base(&self, base: &str) -> Result<Base, ResolveError> {
        Base::new(*self, base)
    }

    /// Resolves one `reference` against `base`. For several, [`Resolver::base`] does once what each
    /// of them needs.
    ///
    /// # Errors
    /// As [`Resolver::base`] and [`Base::resolve_into`].
    pub fn resolve(&self, base: &str, reference: &str) -> Result<Resolved, ResolveError> {
        match self.base(base) {
            Ok(base) => base.resolve(reference),
            Err(mut error) => {
                error.0.reference = Some(reference.to_owned());
                Err(error)
            }
        }
    }

    /// Whether `reference` is to the document it stands in, so that following it needs no retrieval.
    ///
    /// Before RFC 3986 that depends on the reference alone: it is empty or only a fragment. Since
    /// then (4.4) it is so when its target equals the base but for the fragment, compared as
    /// strings: the base as it stands, or without its dot segments. [`Profile::Whatwg`] is treated
    /// alike, on normalised strings. Without a base, or
    /// where resolving fails, only empty and fragment-only references are.
    pub fn is_same_document(&self, base: Option<&str>, reference: &str) -> bool {
        match base.map(|base| self.base(base)) {
            Some(Ok(base)) => base.is_same_document(reference),
            _ => reference.is_empty() || reference.starts_with('#'),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::uri::ErrorKind;

    const BASE: &str = "http://a/b/c/d;p?q";

    fn error(resolver: Resolver, base: &str, reference: &str) -> (ErrorKind, Option<Range<usize>>) {
        let error = resolver.resolve(base, reference).expect_err(reference);
        (error.kind(), error.range())
    }

    #[test]
    fn the_first_climb_too_far_is_pointed_at() {
        let resolver = Resolver {
            profile: Profile::Rfc2396,
            above_root: AboveRoot::Avoid,
            same_scheme: SameScheme::Compat,
        };
        assert_eq!(
            error(resolver, BASE, "../../../g"),
            (ErrorKind::AboveRoot, Some(6..8))
        );
        assert_eq!(
            error(resolver, BASE, "http:x/../../../.."),
            (ErrorKind::AboveRoot, Some(16..18))
        );
        // The base climbs by itself, the reference is not to blame.
        assert_eq!(
            error(resolver, "http://a/../b", "g"),
            (ErrorKind::AboveRoot, None)
        );
        assert_eq!(
            error(resolver, "/a", "http://b"),
            (ErrorKind::BaseNotAbsolute, None)
        );
    }

    #[test]
    fn the_rule_is_of_the_profile() {
        let rule = |profile| {
            let resolver = Resolver {
                profile,
                above_root: AboveRoot::Avoid,
                ..Resolver::default()
            };
            resolver
                .resolve(BASE, "../../..")
                .map_err(|error| error.rule())
        };
        assert_eq!(rule(Profile::Rfc2396), Err("RFC 2396, 5.2, step 6g"));
        assert_eq!(
            rule(Profile::Rfc2396bis00),
            Err("draft rfc2396bis-00, 5.2, step 7")
        );
        assert_eq!(
            rule(Profile::Rfc3986),
            Ok(Resolved::Target("http://a/".to_owned()))
        );
    }

    #[test]
    fn the_buffer_is_cleared() {
        let resolver = Resolver {
            profile: Profile::Rfc2396bis00,
            ..Resolver::default()
        };
        let mut out = String::from("old");
        let base = resolver.base(BASE).expect("it is absolute");
        let outcome = base.resolve_into("#s", &mut out);
        assert_eq!((outcome, out.as_str()), (Ok(Outcome::CurrentDocument), ""));
    }

    #[test]
    fn same_document_depends_on_the_profile() {
        let is_same = |profile, reference| {
            Resolver {
                profile,
                ..Resolver::default()
            }
            .is_same_document(Some(BASE), reference)
        };
        for &profile in Profile::ALL {
            assert!(is_same(profile, ""));
            assert!(is_same(profile, "#s"));
            assert!(!is_same(profile, "?"));
            assert!(!is_same(profile, "g"));
        }
        let spelled_out = "d;p?q#s";
        assert!(is_same(Profile::Rfc3986, spelled_out));
        assert!(!is_same(Profile::Rfc2396, spelled_out));
        assert!(!is_same(Profile::Rfc2396bis00, "?q"));
        assert!(is_same(Profile::Rfc3986, "?q"));

        let resolver = Resolver::default();
        assert!(resolver.is_same_document(None, "#s"));
        assert!(!resolver.is_same_document(None, BASE));
        assert!(resolver.is_same_document(Some("http://a/b#c"), "http://a/b#d"));
        assert!(!resolver.is_same_document(Some("relative"), "relative"));
        // The base as it is written, and as resolving writes it.
        assert!(resolver.is_same_document(Some("http://a/./b"), "http://a/b#c"));
        assert!(resolver.is_same_document(Some("http://a/./b"), "b"));
        assert!(!resolver.is_same_document(Some("http://a/./b"), "?"));
    }

    #[cfg(feature = "whatwg")]
    #[test]
    fn whatwg_normalises_both_sides() {
        let resolver = Resolver {
            profile: Profile::Whatwg,
            ..Resolver::default()
        };
        assert!(resolver.is_same_document(Some("HTTP://A:80/%7Eb/../c"), "c#d"));
        let target = resolver.resolve("http://a/", " /\t\\/b/c");
        assert_eq!(target, Ok(Resolved::Target("http://b/c".to_owned())));
        assert_eq!(
            error(resolver, "mailto:a@b", "c"),
            (ErrorKind::Whatwg, Some(0..1))
        );
        assert_eq!(
            error(resolver, "http://a/", "http://u@[/b"),
            (ErrorKind::Whatwg, Some(7..10))
        );
        assert!(resolver.is_same_document(Some("mailto:a"), "MAILTO:a#b"));
    }
}
