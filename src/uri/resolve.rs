//! From a reference to its target: section 5.2 of each text.

use std::borrow::Cow;

use super::dots::{Climb, PathWriter};
use super::{AboveRoot, ErrorKind, Parts, Profile, ResolveError, SameScheme};

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

/// What [`Resolver::resolve_into`] found.
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
    /// Resolves `reference` against `base` into a string of its own.
    ///
    /// # Errors
    /// As [`Resolver::resolve_into`].
    pub fn resolve(&self, base: &str, reference: &str) -> Result<Resolved, ResolveError> {
        let mut target = String::new();
        Ok(
            match self.resolve_into(Parts::split(base), reference, &mut target)? {
                Outcome::Target => Resolved::Target(target),
                Outcome::CurrentDocument => Resolved::CurrentDocument {
                    fragment: Parts::split(reference).fragment.map(str::to_owned),
                },
            },
        )
    }

    /// Resolves `reference` against `base` and leaves the target in `out`, whose content is lost.
    ///
    /// Linear in the base and the reference. Under the RFC profiles nothing is allocated but what
    /// `out` may need to grow; under [`Profile::Whatwg`] the base is parsed anew each time.
    ///
    /// ```
    /// use rehref::uri::{Outcome, Parts, Resolver};
    ///
    /// let base = Parts::split("http://a/b/c/d;p?q");
    /// let mut target = String::new();
    /// let outcome = Resolver::default().resolve_into(base, "../../../g?y#s", &mut target)?;
    /// assert_eq!((outcome, target.as_str()), (Outcome::Target, "http://a/g?y#s"));
    /// # Ok::<(), rehref::uri::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::BaseNotAbsolute`] when the base has no scheme, even if the reference has one;
    /// [`ErrorKind::AboveRoot`] where that policy is [`AboveRoot::Avoid`]; [`ErrorKind::Whatwg`]
    /// where that standard's parser fails. `out` then holds nothing of use.
    pub fn resolve_into(
        &self,
        base: Parts<'_>,
        reference: &str,
        out: &mut String,
    ) -> Result<Outcome, ResolveError> {
        out.clear();
        let Some(base_scheme) = base.scheme else {
            return Err(ResolveError {
                kind: ErrorKind::BaseNotAbsolute,
                message: Cow::Borrowed("the base is not absolute: it has no scheme"),
                rule: match self.profile {
                    Profile::Url1997 => "draft 1997, 5.2",
                    Profile::Rfc2396 => "RFC 2396, 5.2",
                    Profile::Rfc2396bis00 => "draft rfc2396bis-00, 5.2",
                    Profile::Rfc3986 => "RFC 3986, 5.2.1",
                    Profile::Whatwg => "WHATWG URL, 4.4",
                },
                range: None,
            });
        };
        match self.profile {
            Profile::Url1997 | Profile::Rfc2396 => self.by_steps(base_scheme, base, reference, out),
            Profile::Rfc2396bis00 | Profile::Rfc3986 => {
                self.by_transform(base_scheme, base, reference, out)
            }
            Profile::Whatwg => whatwg::resolve_into(base, reference, out),
        }
    }

    /// Whether `reference` is to the document it stands in, so that following it needs no retrieval.
    ///
    /// Before RFC 3986 that depends on the reference alone: it is empty or only a fragment. Since
    /// then (4.4) it is so when its target equals the base but for the fragment, compared as
    /// strings; [`Profile::Whatwg`] is treated alike, on normalised strings. Without a base, or
    /// where resolving fails, only empty and fragment-only references are.
    pub fn is_same_document(&self, base: Option<&str>, reference: &str) -> bool {
        if reference.is_empty() || reference.starts_with('#') {
            return true;
        }
        let Some(base) = base.map(Parts::split) else {
            return false;
        };
        let (mut target, mut document) = (String::new(), String::new());
        match self.resolve_into(base, reference, &mut target) {
            Ok(Outcome::CurrentDocument) => true,
            Err(_) => false,
            Ok(Outcome::Target) => {
                match self.profile {
                    Profile::Url1997 | Profile::Rfc2396 | Profile::Rfc2396bis00 => return false,
                    Profile::Rfc3986 => base.without_fragment().write_to(&mut document),
                    Profile::Whatwg => {
                        if self.resolve_into(base, "", &mut document).is_err() {
                            return false;
                        }
                    }
                }
                let end = target.find('#').unwrap_or(target.len());
                target[..end] == document
            }
        }
    }

    /// The numbered steps of the draft of 1997 and of RFC 2396.
    fn by_steps(
        &self,
        base_scheme: &str,
        base: Parts<'_>,
        reference: &str,
        out: &mut String,
    ) -> Result<Outcome, ResolveError> {
        let mut r = Parts::split(reference);
        // Step 2 asks for the scheme before step 3 may drop it: `http:` is no empty reference.
        if r.path.is_empty() && r.scheme.is_none() && r.authority.is_none() && r.query.is_none() {
            return Ok(Outcome::CurrentDocument);
        }
        let path_at = match self.droppable(base_scheme, r.scheme) {
            Some(scheme) => {
                r.scheme = None;
                scheme.len() + 1
            }
            None => 0,
        };
        if r.scheme.is_some() {
            out.push_str(reference);
            return Ok(Outcome::Target);
        }
        push_scheme(out, base_scheme);
        if r.authority.is_some() {
            r.write_to(out);
            return Ok(Outcome::Target);
        }
        push_authority(out, base.authority);
        if r.path.starts_with('/') {
            r.write_to(out);
            return Ok(Outcome::Target);
        }
        let mut path = PathWriter::new(out, Climb::Keep);
        path.push(directory(base.path), None);
        if self.profile == Profile::Url1997 {
            // Step 6c puts the query into the same buffer, 6h takes back whatever is left of it.
            let end = r.path.len() + r.query.map_or(0, |query| query.len() + 1);
            path.push(&reference[..end], None);
            push_component(out, '#', r.fragment);
        } else {
            path.push(r.path, Some(path_at));
            self.settle_climbs(path)?;
            push_component(out, '?', r.query);
            push_component(out, '#', r.fragment);
        }
        Ok(Outcome::Target)
    }

    /// The pseudocode of rfc2396bis-00, which RFC 3986 kept and changed in few places.
    fn by_transform(
        &self,
        base_scheme: &str,
        base: Parts<'_>,
        reference: &str,
        out: &mut String,
    ) -> Result<Outcome, ResolveError> {
        // Only RFC 3986 cleans paths that are not merged.
        let rfc3986 = self.profile == Profile::Rfc3986;
        let push_path = |out: &mut String, path: &str| {
            if rfc3986 {
                PathWriter::new(out, Climb::Clamp).push(path, None);
            } else {
                out.push_str(path);
            }
        };

        let mut r = Parts::split(reference);
        let path_at = match self.droppable(base_scheme, r.scheme) {
            Some(scheme) => {
                r.scheme = None;
                scheme.len() + 1
            }
            None => 0,
        };
        let mut query = r.query;
        push_scheme(out, r.scheme.unwrap_or(base_scheme));
        if r.scheme.is_some() || r.authority.is_some() {
            push_authority(out, r.authority);
            push_path(out, r.path);
        } else {
            push_authority(out, base.authority);
            if r.path.is_empty() {
                if query.is_none() {
                    if !rfc3986 {
                        out.clear();
                        return Ok(Outcome::CurrentDocument);
                    }
                    query = base.query;
                }
                out.push_str(base.path);
            } else if r.path.starts_with('/') {
                push_path(out, r.path);
            } else {
                let climb = if rfc3986 { Climb::Clamp } else { Climb::Keep };
                let mut path = PathWriter::new(out, climb);
                // RFC 3986 (5.2.3) asks for an authority too; without one the target is rootless.
                let root = base.path.is_empty() && (base.authority.is_some() || !rfc3986);
                path.push(if root { "/" } else { directory(base.path) }, None);
                path.push(r.path, Some(path_at));
                if !rfc3986 {
                    self.settle_climbs(path)?;
                }
            }
        }
        push_component(out, '?', query);
        push_component(out, '#', r.fragment);
        Ok(Outcome::Target)
    }

    /// The reference's scheme, when it equals the base's and the policy is to ignore it then.
    fn droppable<'a>(&self, base_scheme: &str, scheme: Option<&'a str>) -> Option<&'a str> {
        let compat = self.same_scheme == SameScheme::Compat && self.profile != Profile::Url1997;
        scheme.filter(|scheme| compat && scheme.eq_ignore_ascii_case(base_scheme))
    }

    /// Applies the policy to the `..` segments that a merged path still begins with.
    fn settle_climbs(&self, path: PathWriter<'_>) -> Result<(), ResolveError> {
        if path.climbs == 0 {
            return Ok(());
        }
        match self.above_root {
            AboveRoot::Retain => {}
            AboveRoot::Remove => {
                let start = path.start + usize::from(path.out[path.start..].starts_with('/'));
                let end = path.out.len().min(start + path.climbs * "../".len());
                path.out.replace_range(start..end, "");
            }
            AboveRoot::Avoid => {
                return Err(ResolveError {
                    kind: ErrorKind::AboveRoot,
                    message: Cow::Borrowed("the path climbs above the root of the base"),
                    rule: match self.profile {
                        Profile::Rfc2396 => "RFC 2396, 5.2, step 6g",
                        _ => "draft rfc2396bis-00, 5.2, step 7",
                    },
                    range: path.first_climb.map(|at| at..at + "..".len()),
                });
            }
        }
        Ok(())
    }
}

fn push_scheme(out: &mut String, scheme: &str) {
    out.push_str(scheme);
    out.push(':');
}

fn push_authority(out: &mut String, authority: Option<&str>) {
    if let Some(authority) = authority {
        out.push_str("//");
        out.push_str(authority);
    }
}

fn push_component(out: &mut String, delimiter: char, component: Option<&str>) {
    if let Some(component) = component {
        out.push(delimiter);
        out.push_str(component);
    }
}

/// The path up to and with its last slash: all that merging keeps of a base.
fn directory(path: &str) -> &str {
    &path[..path.rfind('/').map_or(0, |slash| slash + 1)]
}

#[cfg(feature = "whatwg")]
mod whatwg {
    use super::*;

    pub(super) fn resolve_into(
        base: Parts<'_>,
        reference: &str,
        out: &mut String,
    ) -> Result<Outcome, ResolveError> {
        base.write_to(out);
        let fail = |what: &str, error: url::ParseError| ResolveError {
            kind: ErrorKind::Whatwg,
            message: Cow::Owned(format!("the {what} does not parse: {error}")),
            rule: "WHATWG URL, 4.4",
            range: None,
        };
        let base = url::Url::parse(out).map_err(|error| fail("base", error))?;
        out.clear();
        let target = match after_surplus_slashes(&base, reference) {
            Some(rest) => base.join(&format!("//{rest}")),
            None => base.join(reference),
        };
        let target = target.map_err(|error| fail("reference", error))?;
        out.push_str(target.as_str());
        Ok(Outcome::Target)
    }

    /// What follows three or more leading slashes, where the standard takes them for two and the
    /// crate `url` does not ("special authority ignore slashes state", against a base).
    fn after_surplus_slashes<'a>(base: &url::Url, reference: &'a str) -> Option<&'a str> {
        if !matches!(base.scheme(), "http" | "https" | "ws" | "wss" | "ftp") {
            return None;
        }
        // The standard strips the former and drops tabs and line ends wherever they are.
        let trimmed = reference.trim_start_matches(|c: char| c <= ' ');
        let rest = trimmed.trim_start_matches(['/', '\\', '\t', '\n', '\r']);
        let slashes = &trimmed[..trimmed.len() - rest.len()];
        (slashes.matches(['/', '\\']).count() > 2).then_some(rest)
    }
}

#[cfg(not(feature = "whatwg"))]
mod whatwg {
    use super::*;

    pub(super) fn resolve_into(
        _: Parts<'_>,
        _: &str,
        _: &mut String,
    ) -> Result<Outcome, ResolveError> {
        Err(ResolveError {
            kind: ErrorKind::WhatwgUnavailable,
            message: Cow::Borrowed("built without the feature `whatwg`"),
            rule: "WHATWG URL",
            range: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

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
        let outcome = resolver.resolve_into(Parts::split(BASE), "#s", &mut out);
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
            (ErrorKind::Whatwg, None)
        );
    }
}
