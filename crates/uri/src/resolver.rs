//! Resolving references: section 5.2 of each specification.

use std::fmt;
use std::ops::Range;

use super::prepared_base::{PreparedBase, Settings};
use super::refusal::Refusal;
use super::{AboveRoot, ErrorKind, Parts, Profile, Reference, SameScheme, Step, relative};

/// Resolves references by the algorithm of a profile, to the letter.
///
/// Some results may surprise:
/// - Under the draft of 1997 and RFC 2396, a base with an authority and no path merges without a
///   slash: `http://a` and `g` give `http://ag` (step 6a; the revisions correct it).
/// - A target may begin with `//` if the base has no authority: `foo:/a` and `.//g` give `foo://g`,
///   which reads as an authority. RFC 3986 forbids this path (section 3.3), but its algorithm
///   produces it.
/// - The base is used as written, with its dot segments, and may be non-hierarchical (RFC 3986,
///   5.2.1: normalization is optional).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Resolver {
    /// The specification that defines the algorithm.
    pub profile: Profile,
    /// The handling of `..` above the root, if the profile leaves the choice.
    pub above_root: AboveRoot,
    /// The meaning of a scheme equal to the base's, if the profile leaves the choice.
    pub same_scheme: SameScheme,
}

/// The outcome of [`Base::resolve_into`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The reference has a target, which is now in the buffer.
    Target,
    /// The reference refers to the current document, whatever its base. The buffer is empty. Only
    /// profiles before RFC 3986 have this outcome.
    CurrentDocument,
}

/// The target of a reference.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Resolved {
    /// An absolute URI, possibly with a fragment.
    Target(String),
    /// The current document, whatever its base. Only profiles before RFC 3986 have this outcome.
    CurrentDocument {
        /// The fragment of the reference: `None` if undefined.
        fragment: Option<String>,
    },
}

/// A base URI prepared for resolving many references. [`Resolver::base`] makes one.
///
/// ```
/// use rehref_uri::{Outcome, Reference, Resolver};
///
/// let base = Resolver::default().base("http://a/b/c/d;p?q")?;
/// let mut target = String::new();
/// for (reference, expected) in [("g?y", "http://a/b/c/g?y"), ("../../g", "http://a/g")] {
///     let outcome = base.resolve_into(reference, &mut target)?;
///     assert_eq!((outcome, target.as_str()), (Outcome::Target, expected));
/// }
///
/// // Any text is accepted. To resolve only valid references, parse them.
/// base.resolve_into(Reference::parse("./g")?, &mut target)?;
/// assert!(Reference::parse("a b").is_err() && base.resolve("a b").is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base(PreparedBase);

/// An error from resolving a reference. Names the rule that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
// Boxed, so that successful results, which are nearly all, are returned in registers.
pub struct ResolveError(Box<Failure>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Failure {
    refusal: Refusal,
    resolver: Resolver,
    base: String,
    /// `None` if the base alone is at fault.
    reference: Option<String>,
}

impl Resolver {
    /// Prepares a base for resolving many references.
    ///
    /// Linear in its length. Allocates a few strings as long as the base, and under
    /// [`Profile::Whatwg`] the result of that standard's parser.
    ///
    /// # Errors
    /// [`ErrorKind::BaseNotAbsolute`] if the base has no scheme, also for references that have one;
    /// [`ErrorKind::Whatwg`] if that standard's parser fails on the base.
    pub fn base(&self, base: &str) -> Result<Base, ResolveError> {
        let settings = Settings {
            profile: self.profile,
            above_root: self.above_root,
            same_scheme: self.same_scheme,
        };
        match PreparedBase::new(settings, base) {
            Ok(prepared) => Ok(Base(prepared)),
            Err(refusal) => Err(ResolveError(Box::new(Failure {
                refusal: *refusal,
                resolver: *self,
                base: base.to_owned(),
                reference: None,
            }))),
        }
    }

    /// Resolves one `reference` against `base`. For several references, prepare the base once with
    /// [`Resolver::base`].
    ///
    /// # Errors
    /// Those of [`Resolver::base`] and [`Base::resolve_into`].
    pub fn resolve(&self, base: &str, reference: &str) -> Result<Resolved, ResolveError> {
        match self.base(base) {
            Ok(base) => base.resolve(reference),
            Err(mut error) => {
                error.0.reference = Some(reference.to_owned());
                Err(error)
            }
        }
    }

    /// Returns true if `reference` refers to the document that contains it, so that following it
    /// needs no retrieval.
    ///
    /// Before RFC 3986 this holds for references that are empty or only a fragment. Since RFC 3986
    /// (section 4.4) it holds if the target equals the base except for the fragment. The two are
    /// compared as strings, with the base as written or without its dot segments.
    /// [`Profile::Whatwg`] compares normalized strings in the same way. Without a base, or if
    /// resolving fails, only empty and fragment-only references count.
    pub fn is_same_document(&self, base: Option<&str>, reference: &str) -> bool {
        match base.map(|base| self.base(base)) {
            Some(Ok(base)) => base.is_same_document(reference),
            _ => reference.is_empty() || reference.starts_with('#'),
        }
    }

    /// The shortest reference from `base` to `target`, like [`Base::relative_reference`]. `None`
    /// also if `base` is not absolute.
    pub fn relative_reference(&self, base: &str, target: &str) -> Option<String> {
        self.base(base).ok()?.relative_reference(target)
    }

    /// The shortest relative-path reference from `base` to `target`, like
    /// [`Base::relative_path_reference`]. `None` also if `base` is not absolute.
    pub fn relative_path_reference(&self, base: &str, target: &str) -> Option<String> {
        self.base(base).ok()?.relative_path_reference(target)
    }
}

impl Base {
    /// The text of the base, as given.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// The components of the base.
    pub fn parts(&self) -> Parts<'_> {
        self.0.ends.parts(&self.0.text)
    }

    /// The resolver that prepared the base.
    pub fn resolver(&self) -> Resolver {
        let Settings { profile, above_root, same_scheme } = self.0.settings;
        Resolver { profile, above_root, same_scheme }
    }

    /// Resolves `reference` into a new string.
    ///
    /// # Errors
    /// Those of [`Base::resolve_into`].
    pub fn resolve<'r>(
        &self,
        reference: impl Into<Reference<'r>>,
    ) -> Result<Resolved, ResolveError> {
        Ok(self.explain(reference)?.0)
    }

    /// Resolves `reference` and returns the deciding step of the profile's algorithm. On failure,
    /// [`ResolveError::step`] returns the step.
    ///
    /// ```
    /// use rehref_uri::{Profile, Resolved, Resolver, Step};
    ///
    /// let base = Resolver::default().base("http://a/b/c")?;
    /// let (resolved, step) = base.explain("../../g")?;
    /// assert_eq!(resolved, Resolved::Target("http://a/g".into()));
    /// assert_eq!(step, Step::AboveRootRemoved);
    /// assert_eq!(step.rule(Profile::Rfc3986), "RFC 3986, 5.2.4");
    /// # Ok::<(), rehref_uri::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Base::resolve_into`].
    pub fn explain<'r>(
        &self,
        reference: impl Into<Reference<'r>>,
    ) -> Result<(Resolved, Step), ResolveError> {
        let reference = reference.into();
        let mut target = String::new();
        let step = self.write(reference, &mut target)?;
        let resolved = match step {
            Step::CurrentDocument => Resolved::CurrentDocument {
                fragment: reference.parts().fragment.map(str::to_owned),
            },
            _ => Resolved::Target(target),
        };
        Ok((resolved, step))
    }

    /// Resolves `reference` and writes the target to `out`, whose content is lost.
    ///
    /// Linear in the base and the reference. Under the RFC profiles, allocates only if `out` has to
    /// grow.
    ///
    /// # Errors
    /// [`ErrorKind::AboveRoot`] under the policy [`AboveRoot::Avoid`]; [`ErrorKind::Whatwg`] if
    /// that standard's parser fails. The content of `out` is then unspecified.
    #[inline]
    pub fn resolve_into<'r>(
        &self,
        reference: impl Into<Reference<'r>>,
        out: &mut String,
    ) -> Result<Outcome, ResolveError> {
        Ok(match self.write(reference.into(), out)? {
            Step::CurrentDocument => Outcome::CurrentDocument,
            _ => Outcome::Target,
        })
    }

    /// Returns true if `reference` refers to the document that contains it, like
    /// [`Resolver::is_same_document`].
    pub fn is_same_document<'r>(&self, reference: impl Into<Reference<'r>>) -> bool {
        let reference = reference.into();
        if reference.text.is_empty() || reference.text.starts_with('#') {
            return true;
        }
        let mut target = String::new();
        match self.write(reference, &mut target) {
            Ok(Step::CurrentDocument) => true,
            Ok(_) => self.is_document(&target),
            Err(_) => false,
        }
    }

    /// The shortest reference that resolves to `target`. `None` if `target` is not absolute, or has
    /// dot segments that resolving would remove.
    ///
    /// If two are equally short, a relative path is preferred to one from the root. Each candidate
    /// is resolved against this base and compared with `target` byte by byte. So the profiles
    /// before RFC 3986 never return an empty or fragment-only reference, which refers to the
    /// current document and not to its base. Linear in base and target.
    ///
    /// ```
    /// let base = rehref_uri::Resolver::default().base("http://a/b/c/d?q")?;
    /// let relative = |target| base.relative_reference(target);
    /// assert_eq!(relative("http://a/b/c/d").as_deref(), Some("d"));
    /// assert_eq!(relative("http://a/b/c/?q").as_deref(), Some(".?q"));
    /// assert_eq!(relative("http://a/b/c/x:y").as_deref(), Some("./x:y"));
    /// assert_eq!(relative("http://a//x").as_deref(), Some("/.//x"));
    /// assert_eq!(relative("http://h/x").as_deref(), Some("//h/x"));
    /// assert_eq!(relative("http://a/b/c/.."), None);
    /// # Ok::<(), rehref_uri::ResolveError>(())
    /// ```
    pub fn relative_reference(&self, target: &str) -> Option<String> {
        relative::reference(&self.0, target)
    }

    /// The shortest relative-path reference (RFC 3986, 4.2) that resolves to `target`: without
    /// scheme or authority, and without a leading `/`.
    ///
    /// It may be only a query, only a fragment, or empty. Documents that refer to each other in
    /// this way can be moved together, or read from local files.
    ///
    /// ```
    /// let base = rehref_uri::Resolver::default().base("http://a/b/c/d")?;
    /// let relative = |target| base.relative_path_reference(target);
    /// assert_eq!(relative("http://a/x").as_deref(), Some("../../x"));
    /// assert_eq!(relative("http://h/x"), None);
    /// # Ok::<(), rehref_uri::ResolveError>(())
    /// ```
    pub fn relative_path_reference(&self, target: &str) -> Option<String> {
        relative::path_reference(&self.0, target)
    }

    /// Returns true if a target is this base, except for the fragment. Always false for the
    /// profiles before RFC 3986, which do not compare targets.
    pub fn is_document(&self, target: &str) -> bool {
        self.0.is_document(target)
    }

    /// Resolves a reference that is certainly a fragment or a path without inner dot segments, and
    /// writes the target to `out`. Returns false, and writes nothing, if it may be another. Most
    /// references of pages have this form, and need not be split.
    #[inline]
    pub fn resolve_plain_into(&self, text: &str, out: &mut String) -> bool {
        self.0.write_plain(text, out)
    }

    /// Returns true if the reference has a scheme equal to the base's, and the policy is to ignore
    /// it.
    pub fn ignores_scheme(&self, reference: Reference<'_>) -> bool {
        self.0.ignores_scheme(reference)
    }

    // Inlined, so that resolving is one call.
    #[inline]
    fn write(&self, reference: Reference<'_>, out: &mut String) -> Result<Step, ResolveError> {
        self.0.write(reference, out).map_err(|refusal| self.failure(*refusal, reference))
    }

    #[cold]
    fn failure(&self, refusal: Refusal, reference: Reference<'_>) -> ResolveError {
        ResolveError(Box::new(Failure {
            refusal,
            resolver: self.resolver(),
            base: self.0.text.clone(),
            reference: Some(reference.text.to_owned()),
        }))
    }
}

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.text)
    }
}

impl ResolveError {
    /// The kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.refusal.kind
    }

    /// The specification and section with the rule, such as `RFC 2396, 5.2, step 6g`.
    pub fn rule(&self) -> &'static str {
        self.0.refusal.rule
    }

    /// The bytes of the reference at fault, as byte offsets.
    ///
    /// This is the first `..` that climbs too far, unless it is in the base. Under
    /// [`Profile::Whatwg`] it is the authority, the only component on which that parser fails, or
    /// the whole reference if it has no authority.
    pub fn range(&self) -> Option<Range<usize>> {
        self.0.refusal.range.clone()
    }

    /// The step of the algorithm that failed. `None` if the base is invalid.
    pub fn step(&self) -> Option<Step> {
        match self.kind() {
            ErrorKind::AboveRoot => Some(Step::AboveRootAvoided),
            ErrorKind::Whatwg => Some(Step::Whatwg),
            ErrorKind::BaseNotAbsolute | ErrorKind::WhatwgUnavailable => None,
        }
    }

    /// The profile that rejects the reference or base.
    pub fn profile(&self) -> Profile {
        self.0.resolver.profile
    }

    /// The other profiles that accept the reference with the same policies, oldest first. If the
    /// base alone is at fault, the profiles that accept the base. Resolves with each profile on
    /// demand.
    ///
    /// ```
    /// use rehref_uri::{AboveRoot, Profile, Resolver};
    ///
    /// let resolver = Resolver {
    ///     profile: Profile::Rfc2396,
    ///     above_root: AboveRoot::Avoid,
    ///     ..Resolver::default()
    /// };
    /// let error = resolver.resolve("http://a/b", "../../g").unwrap_err();
    /// // RFC 3986 defines the target of such a reference, so the policy does not apply.
    /// assert!(error.accepted_by().any(|it| it == Profile::Rfc3986));
    /// ```
    pub fn accepted_by(&self) -> impl Iterator<Item = Profile> {
        let Failure { resolver, base, reference, .. } = &*self.0;
        let accepts = move |profile| {
            let resolver = Resolver { profile, ..*resolver };
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

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::ErrorKind;

    const BASE: &str = "http://a/b/c/d;p?q";

    fn error(resolver: Resolver, base: &str, reference: &str) -> (ErrorKind, Option<Range<usize>>) {
        let error = resolver.resolve(base, reference).expect_err(reference);
        (error.kind(), error.range())
    }

    #[test]
    fn above_root_error_has_the_range_of_the_first_climb() {
        let resolver = Resolver {
            profile: Profile::Rfc2396,
            above_root: AboveRoot::Avoid,
            same_scheme: SameScheme::Compat,
        };
        assert_eq!(error(resolver, BASE, "../../../g"), (ErrorKind::AboveRoot, Some(6..8)));
        assert_eq!(
            error(resolver, BASE, "http:x/../../../.."),
            (ErrorKind::AboveRoot, Some(16..18))
        );
        // The base climbs by itself, so the fault is not in the reference.
        assert_eq!(error(resolver, "http://a/../b", "g"), (ErrorKind::AboveRoot, None));
        assert_eq!(error(resolver, "/a", "http://b"), (ErrorKind::BaseNotAbsolute, None));
    }

    #[test]
    fn above_root_error_cites_the_profile() {
        let rule = |profile| {
            let resolver =
                Resolver { profile, above_root: AboveRoot::Avoid, ..Resolver::default() };
            resolver.resolve(BASE, "../../..").map_err(|error| error.rule())
        };
        assert_eq!(rule(Profile::Rfc2396), Err("RFC 2396, 5.2, step 6g"));
        assert_eq!(rule(Profile::Rfc2396bis00), Err("draft rfc2396bis-00, 5.2, step 7"));
        assert_eq!(rule(Profile::Rfc3986), Ok(Resolved::Target("http://a/".to_owned())));
    }

    #[test]
    fn the_buffer_is_cleared() {
        let resolver = Resolver { profile: Profile::Rfc2396bis00, ..Resolver::default() };
        let mut out = String::from("old");
        let base = resolver.base(BASE).expect("it is absolute");
        let outcome = base.resolve_into("#s", &mut out);
        assert_eq!((outcome, out.as_str()), (Ok(Outcome::CurrentDocument), ""));
    }

    #[test]
    fn same_document_depends_on_the_profile() {
        let is_same = |profile, reference| {
            Resolver { profile, ..Resolver::default() }.is_same_document(Some(BASE), reference)
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
        // The base is compared as written, and as resolving writes it.
        assert!(resolver.is_same_document(Some("http://a/./b"), "http://a/b#c"));
        assert!(resolver.is_same_document(Some("http://a/./b"), "b"));
        assert!(!resolver.is_same_document(Some("http://a/./b"), "?"));
    }

    #[cfg(feature = "whatwg")]
    #[test]
    fn whatwg_same_document_compares_normalized_urls() {
        let resolver = Resolver { profile: Profile::Whatwg, ..Resolver::default() };
        assert!(resolver.is_same_document(Some("HTTP://A:80/%7Eb/../c"), "c#d"));
        let target = resolver.resolve("http://a/", " /\t\\/b/c");
        assert_eq!(target, Ok(Resolved::Target("http://b/c".to_owned())));
        assert_eq!(error(resolver, "mailto:a@b", "c"), (ErrorKind::Whatwg, Some(0..1)));
        assert_eq!(error(resolver, "http://a/", "http://u@[/b"), (ErrorKind::Whatwg, Some(7..10)));
        assert!(resolver.is_same_document(Some("mailto:a"), "MAILTO:a#b"));
    }
}
