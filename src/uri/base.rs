//! A base made ready, and the algorithms of section 5.2 of each text.

use std::borrow::Cow;
use std::fmt;

use smallvec::SmallVec;

use super::dots::{Climb, PathWriter, may_have_dot_segments};
use super::error::Refusal;
use super::reference::Ends;
use super::whatwg::WhatwgBase;
use super::{
    AboveRoot, ErrorKind, Outcome, Parts, Profile, Reference, ResolveError, Resolved, Resolver,
    SameScheme, Step,
};

/// A base URI made ready for many references: [`Resolver::base`] makes one.
///
/// It keeps, beside its own text, what merging begins with: scheme, authority and directory, the
/// latter with its dot segments removed. LinkResolver then writes a piece of the base and a piece of
/// the reference.
///
/// ```
/// use rehref::uri::{Outcome, Reference, Resolver};
///
/// let base = Resolver::default().base("http://a/b/c/d;p?q")?;
/// let mut target = String::new();
/// for (reference, expected) in [("g?y", "http://a/b/c/g?y"), ("../../g", "http://a/g")] {
///     let outcome = base.resolve_into(reference, &mut target)?;
///     assert_eq!((outcome, target.as_str()), (Outcome::Target, expected));
/// }
///
/// // Text is taken as it is. To resolve only what is a reference by the grammar, parse it.
/// base.resolve_into(Reference::parse("./g")?, &mut target)?;
/// assert!(Reference::parse("a b").is_err() && base.resolve("a b").is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    resolver: Resolver,
    text: String,
    ends: Ends,
    directory: Directory,
    /// The base itself as resolving spells it, without its fragment, where that is another text.
    resolved: Option<String>,
    /// For [`Profile::Whatwg`] only, which uses nothing else.
    whatwg: Option<WhatwgBase>,
}

/// What relative paths are appended to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Directory {
    /// The base up to its path, then that path up to its last slash.
    text: String,
    /// How many `..` had nothing to climb out of. Under RFC 3986 they are gone; by the texts before
    /// they stand at the beginning of the path.
    climbs: usize,
    /// Where the text ends when one is climbed out of it, two, and so on; few references climb more.
    levels: SmallVec<[usize; 8]>,
}

/// A target before segments are looked at: a piece of the base, then the reference from some byte
/// on.
struct Copies<'b> {
    step: Step,
    head: &'b str,
    from: usize,
    /// Whether the rest of the path may have dot segments that the profile removes.
    looks_at_segments: bool,
}

impl Base {
    /// For [`Resolver::base`], which says when it fails.
    pub(super) fn new(resolver: Resolver, text: &str) -> Result<Self, ResolveError> {
        let profile = resolver.profile;
        let reference = Reference::split(text).by(profile);
        let failure = |refusal| ResolveError::new(refusal, resolver, text.to_owned(), None);
        if reference.ends.scheme == 0 {
            return Err(failure(Refusal {
                kind: ErrorKind::BaseNotAbsolute,
                message: Cow::Borrowed("the base is not absolute: it has no scheme"),
                rule: match profile {
                    Profile::Url1997 => "draft 1997, 5.2",
                    Profile::Rfc2396 => "RFC 2396, 5.2",
                    Profile::Rfc2396bis00 => "draft rfc2396bis-00, 5.2",
                    Profile::Rfc3986 => "RFC 3986, 5.2.1",
                    Profile::Whatwg => "WHATWG URL, 4.4",
                },
                range: None,
            }));
        }
        let whatwg = match profile {
            Profile::Whatwg => Some(WhatwgBase::parse(text).map_err(failure)?),
            _ => None,
        };
        let mut base = Self {
            resolver,
            text: text.to_owned(),
            ends: reference.ends,
            directory: Directory::of(reference, profile),
            resolved: None,
            whatwg,
        };
        let changes = profile == Profile::Whatwg || reference.has_dots || reference.climbs > 0;
        if changes {
            let document = Reference::split(&text[..reference.ends.query]);
            let mut resolved = String::new();
            if base.write(document, &mut resolved).is_ok() {
                base.resolved = Some(resolved);
            }
        }
        Ok(base)
    }

    /// The text it was made from.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Its components.
    pub fn parts(&self) -> Parts<'_> {
        self.ends.parts(&self.text)
    }

    /// The resolver it was made by.
    pub fn resolver(&self) -> Resolver {
        self.resolver
    }

    /// Resolves `reference` into a string of its own.
    ///
    /// # Errors
    /// As [`Base::resolve_into`].
    pub fn resolve<'r>(
        &self,
        reference: impl Into<Reference<'r>>,
    ) -> Result<Resolved, ResolveError> {
        Ok(self.explain(reference)?.0)
    }

    /// Resolves `reference` and says which step of the profile's algorithm decided. Where it fails,
    /// [`ResolveError::step`] says so.
    ///
    /// ```
    /// use rehref::uri::{Profile, Resolved, Resolver, Step};
    ///
    /// let base = Resolver::default().base("http://a/b/c")?;
    /// let (resolved, step) = base.explain("../../g")?;
    /// assert_eq!(resolved, Resolved::Target("http://a/g".into()));
    /// assert_eq!(step, Step::AboveRootRemoved);
    /// assert_eq!(step.rule(Profile::Rfc3986), "RFC 3986, 5.2.4");
    /// # Ok::<(), rehref::uri::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Base::resolve_into`].
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

    /// Resolves `reference` and leaves the target in `out`, whose content is lost.
    ///
    /// Linear in the base and the reference. Under the RFC profiles nothing is allocated but what
    /// `out` may need to grow.
    ///
    /// # Errors
    /// [`ErrorKind::AboveRoot`] where that policy is [`AboveRoot::Avoid`]; [`ErrorKind::Whatwg`]
    /// where that standard's parser fails. `out` then holds nothing of use.
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

    /// As [`Resolver::is_same_document`].
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

    /// Whether a target is this base, but for the fragment. Never by the profiles before RFC 3986,
    /// which do not look at targets.
    pub(crate) fn is_document(&self, target: &str) -> bool {
        let looks = matches!(self.resolver.profile, Profile::Rfc3986 | Profile::Whatwg);
        let is = |document: &str| {
            let rest = target.strip_prefix(document);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
        };
        looks && (is(&self.text[..self.ends.query]) || self.resolved.as_deref().is_some_and(is))
    }

    /// The one road from a reference to its target: which step of the algorithm it comes to, and
    /// then a piece of the base and a piece of the reference.
    fn write(&self, reference: Reference<'_>, out: &mut String) -> Result<Step, ResolveError> {
        out.clear();
        let reference = reference.by(self.resolver.profile);
        let Reference { text, ends, .. } = reference;
        if let Some(base) = &self.whatwg {
            let target = base.join(text);
            out.push_str(&target.map_err(|refusal| self.failure(refusal, reference))?);
            return Ok(Step::Whatwg);
        }

        let scheme_dropped = self.ignores_scheme(reference);
        let Copies {
            step,
            head,
            from,
            looks_at_segments,
        } = self.copies(reference, scheme_dropped);
        if step == Step::CurrentDocument {
            return Ok(step);
        }
        out.reserve(head.len() + text.len() - from);
        out.push_str(head);
        let step = if looks_at_segments {
            // What stands before the path is copied, unless the path has begun already.
            let path = from.max(ends.authority);
            out.push_str(&text[from..path]);
            self.write_path(reference, step, path, out)?
        } else {
            out.push_str(&text[from..]);
            match step {
                Step::MergedPath if self.directory.climbs > 0 => Step::AboveRootRemoved,
                _ => step,
            }
        };
        Ok(match step {
            Step::AboveRootRetained | Step::AboveRootRemoved => step,
            _ if scheme_dropped => Step::SchemeDropped,
            _ => step,
        })
    }

    /// Where the algorithm leads before it looks at segments.
    fn copies(&self, reference: Reference<'_>, scheme_dropped: bool) -> Copies<'_> {
        let Reference { text, ends, .. } = reference;
        let profile = self.resolver.profile;
        let has_query = ends.query > ends.path;
        // Only RFC 3986 cleans paths that are not merged.
        let cleans = profile == Profile::Rfc3986 && (reference.has_dots || reference.climbs > 0);
        let unmerged = |step, head, from| Copies {
            step,
            head,
            from,
            looks_at_segments: cleans,
        };
        if ends.scheme > 0 && !scheme_dropped {
            return unmerged(Step::Absolute, "", 0);
        }
        if ends.authority > ends.scheme {
            let head = &self.text[..self.ends.scheme];
            return unmerged(Step::NetworkPath, head, ends.scheme);
        }
        if ends.path > ends.authority {
            if text.as_bytes()[ends.authority] == b'/' {
                let head = &self.text[..self.ends.authority];
                return unmerged(Step::AbsolutePath, head, ends.authority);
            }
            return self.merged(reference);
        }
        match profile {
            Profile::Rfc3986 | Profile::Rfc2396bis00 if has_query => {
                unmerged(Step::EmptyPath, &self.text[..self.ends.path], ends.path)
            }
            Profile::Rfc3986 => unmerged(Step::EmptyPath, &self.text[..self.ends.query], ends.path),
            // Step 2 asks for the scheme before step 3 may drop it: `http:` is no empty reference.
            Profile::Url1997 | Profile::Rfc2396 if has_query || scheme_dropped => {
                self.merged(reference)
            }
            _ => unmerged(Step::CurrentDocument, "", 0),
        }
    }

    /// A path that is appended to the directory, or to as many levels above it as it climbs at once.
    fn merged(&self, reference: Reference<'_>) -> Copies<'_> {
        let Reference { text, ends, .. } = reference;
        let Directory {
            text: directory,
            climbs,
            levels,
        } = &self.directory;
        let climbed = reference.climbs.min(levels.len());
        let end = match climbed.checked_sub(1) {
            Some(level) => levels[level],
            None => directory.len(),
        };
        // The query has segments in 1997.
        let query = match self.resolver.profile {
            Profile::Url1997 => &text[ends.path..ends.query],
            _ => "",
        };
        Copies {
            step: Step::MergedPath,
            head: &directory[..end],
            from: ends.authority + climbed * "../".len(),
            looks_at_segments: reference.has_dots
                || climbed < reference.climbs
                // Under RFC 3986 they have vanished, and nothing is left to do.
                || *climbs > 0 && self.resolver.profile != Profile::Rfc3986
                || may_have_dot_segments(query),
        }
    }

    /// Whether the reference has a scheme equal to the base's, and the policy is to ignore it then.
    pub(crate) fn ignores_scheme(&self, reference: Reference<'_>) -> bool {
        let scheme = &reference.text[..reference.ends.scheme];
        self.resolver.same_scheme == SameScheme::Compat
            && self.resolver.profile != Profile::Url1997
            && scheme.eq_ignore_ascii_case(&self.text[..self.ends.scheme])
    }

    /// Writes the reference from here in its path on. What stands before is in `out`.
    fn write_path(
        &self,
        reference: Reference<'_>,
        step: Step,
        from: usize,
        out: &mut String,
    ) -> Result<Step, ResolveError> {
        let Reference { text, ends, .. } = reference;
        let (climb, end) = match self.resolver.profile {
            Profile::Rfc3986 => (Climb::Clamp, ends.path),
            // Step 6c puts the query into the same buffer, 6h takes back whatever is left of it.
            Profile::Url1997 => (Climb::Keep, ends.query),
            _ => (Climb::Keep, ends.path),
        };
        let mut path = match step {
            Step::MergedPath => {
                PathWriter::resume(out, self.ends.authority, climb, self.directory.climbs)
            }
            _ => PathWriter::new(out, climb),
        };
        let done = path.push_dotted(&text[from..end], Some(from));
        let above = self.settle_climbs(path, reference)?;
        out.push_str(&text[from + done..]);
        Ok(above.unwrap_or(step))
    }

    /// Applies the policy to the `..` segments that a merged path still begins with.
    fn settle_climbs(
        &self,
        path: PathWriter<'_>,
        reference: Reference<'_>,
    ) -> Result<Option<Step>, ResolveError> {
        if path.climbs == 0 {
            return Ok(None);
        }
        let policy = match self.resolver.profile {
            Profile::Url1997 => AboveRoot::Retain,
            // They are gone already.
            Profile::Rfc3986 => return Ok(Some(Step::AboveRootRemoved)),
            _ => self.resolver.above_root,
        };
        match policy {
            AboveRoot::Retain => Ok(Some(Step::AboveRootRetained)),
            AboveRoot::Remove => {
                let start = path.start + usize::from(path.out[path.start..].starts_with('/'));
                let end = path.out.len().min(start + path.climbs * "../".len());
                path.out.replace_range(start..end, "");
                Ok(Some(Step::AboveRootRemoved))
            }
            AboveRoot::Avoid => {
                let refusal = Refusal {
                    kind: ErrorKind::AboveRoot,
                    message: Cow::Borrowed("the path climbs above the root of the base"),
                    rule: Step::AboveRootAvoided.rule(self.resolver.profile),
                    range: path.first_climb.map(|at| at..at + "..".len()),
                };
                Err(self.failure(refusal, reference))
            }
        }
    }

    #[cold]
    fn failure(&self, refusal: Refusal, reference: Reference<'_>) -> ResolveError {
        let reference = Some(reference.text.to_owned());
        ResolveError::new(refusal, self.resolver, self.text.clone(), reference)
    }
}

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl Directory {
    fn of(base: Reference<'_>, profile: Profile) -> Self {
        let Reference { text, ends, .. } = base;
        let path = &text[ends.authority..ends.path];
        // The path up to and with its last slash: all that merging keeps of a base.
        let mut directory = &path[..path.rfind('/').map_or(0, |slash| slash + 1)];
        let gets_root = match profile {
            Profile::Rfc2396bis00 => true,
            // Section 5.2.3 asks for an authority too; without one the target is rootless.
            Profile::Rfc3986 => ends.authority > ends.scheme,
            _ => false,
        };
        if path.is_empty() && gets_root {
            directory = "/";
        }
        let climb = match profile {
            Profile::Rfc3986 => Climb::Clamp,
            _ => Climb::Keep,
        };
        let mut out = String::with_capacity(ends.authority + directory.len());
        out.push_str(&text[..ends.authority]);
        let mut writer = PathWriter::new(&mut out, climb);
        writer.push(directory, None);
        let climbs = writer.climbs;
        let text = writer.out.clone();
        let mut levels = SmallVec::new();
        // Only what is cut off: RFC 3986 also writes a slash for the first segment of a rootless path.
        while levels.len() < levels.inline_size()
            && writer.pop()
            && text.starts_with(writer.out.as_str())
        {
            levels.push(writer.out.len());
        }
        Self {
            text,
            climbs,
            levels,
        }
    }
}
