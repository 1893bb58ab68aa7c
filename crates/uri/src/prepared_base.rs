//! The algorithms of section 5.2 of each specification.

use std::borrow::Cow;

use smallvec::SmallVec;

use super::dots::{Climb, PathWriter, may_have_dot_segments};
use super::parts::Ends;
use super::refusal::{ErrorKind, Refusal};
use super::whatwg::WhatwgBase;
use super::{AboveRoot, Profile, Reference, SameScheme, Step};

/// The settings of a [`Resolver`](super::Resolver).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    pub(super) profile: Profile,
    pub(super) above_root: AboveRoot,
    pub(super) same_scheme: SameScheme,
}

/// A base URI prepared for resolving many references.
///
/// In addition to its text it has the prefix of merged paths: scheme, authority, and the directory
/// without dot segments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PreparedBase {
    pub(super) settings: Settings,
    pub(super) text: String,
    pub(super) ends: Ends,
    directory: Directory,
    /// The base without its fragment, as resolving spells it. `None` if that is the text as given.
    resolved: Option<String>,
    /// For [`Profile::Whatwg`] only, which uses no other field.
    whatwg: Option<WhatwgBase>,
}

/// The prefix of merged paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Directory {
    /// The base up to its path, then the path up to its last slash.
    text: String,
    /// The number of `..` above the root. RFC 3986 removes them; in earlier specifications they are
    /// at the beginning of the path.
    climbs: usize,
    /// The end of the text after climbing one level, two levels, and so on. Few references climb
    /// more.
    levels: SmallVec<[usize; 8]>,
}

/// A target before dot segments are removed: a piece of the base, then the reference from a byte
/// on.
struct Copies<'b> {
    step: Step,
    head: &'b str,
    from: usize,
    /// True if the rest of the path may have dot segments that the profile removes.
    has_dot_segments: bool,
}

impl PreparedBase {
    /// Prepares `text` as a base.
    ///
    /// # Errors
    /// [`ErrorKind::BaseNotAbsolute`]; [`ErrorKind::Whatwg`] if that parser fails.
    // Inlined, so that the large result is built where it stays.
    #[inline]
    pub(super) fn new(settings: Settings, text: &str) -> Result<Self, Box<Refusal>> {
        let profile = settings.profile;
        let reference = Reference::split(text).by(profile);
        if reference.ends.scheme == 0 {
            return Err(Box::new(Refusal {
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
            Profile::Whatwg => Some(WhatwgBase::parse(text).map_err(Box::new)?),
            _ => None,
        };
        let mut base = Self {
            settings,
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

    /// Returns true if a target is this base, except for the fragment. Always false for the
    /// profiles before RFC 3986, which do not compare targets.
    pub(super) fn is_document(&self, target: &str) -> bool {
        let compares_targets = matches!(self.settings.profile, Profile::Rfc3986 | Profile::Whatwg);
        let is = |document: &str| {
            let rest = target.strip_prefix(document);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
        };
        compares_targets
            && (is(&self.text[..self.ends.query]) || self.resolved.as_deref().is_some_and(is))
    }

    /// Writes the target of `reference` to `out`, whose content is lost, and returns the deciding
    /// step. The target is a piece of the base and a piece of the reference. `out` is empty for a
    /// reference to the current document.
    // The error is boxed, so that the result is returned in registers.
    pub(super) fn write(
        &self,
        reference: Reference<'_>,
        out: &mut String,
    ) -> Result<Step, Box<Refusal>> {
        out.clear();
        let reference = reference.by(self.settings.profile);
        let Reference { text, ends, .. } = reference;
        if let Some(base) = &self.whatwg {
            out.push_str(&base.join(text).map_err(Box::new)?);
            return Ok(Step::Whatwg);
        }

        let scheme_dropped = self.ignores_scheme(reference);
        if ends.scheme > 0 && !scheme_dropped && !self.cleans(reference) {
            // The most common reference with a scheme: the target is the reference itself.
            out.push_str(text);
            return Ok(Step::Absolute);
        }
        let Copies { step, head, from, has_dot_segments } = self.copies(reference, scheme_dropped);
        if step == Step::CurrentDocument {
            return Ok(step);
        }
        out.reserve(head.len() + text.len() - from);
        out.push_str(head);
        let step = if has_dot_segments {
            // The text before the path is copied, unless the path has begun already.
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

    /// Writes the target of a reference without inner dot segments to `out`, whose content is lost,
    /// as [`write`](Self::write) does: of a fragment, a path from the root, or a relative path.
    /// Returns false, and writes nothing, for some of these and all others, and under other
    /// profiles than RFC 3986.
    pub(super) fn write_plain(&self, text: &str, out: &mut String) -> bool {
        const UP: &str = "../";
        if self.settings.profile != Profile::Rfc3986 {
            return false;
        }
        let (mut rest, mut climbs) = (text, 0);
        while let Some(after) = rest.strip_prefix(UP) {
            (rest, climbs) = (after, climbs + 1);
        }
        let Directory { text: path, levels, .. } = &self.directory;
        let directory = || match climbs {
            0 => Some(&**path),
            _ => Some(&path[..*levels.get(climbs - 1)?]),
        };
        let head = match rest.as_bytes() {
            [] if climbs > 0 => directory(),
            [b'#', ..] if climbs == 0 => Some(&self.text[..self.ends.query]),
            [b'/', first, ..] if climbs == 0 && first.is_ascii_alphanumeric() => {
                is_plain_path(rest).then(|| &self.text[..self.ends.authority])
            }
            [first, ..] if first.is_ascii_alphanumeric() && is_plain_path(rest) => directory(),
            _ => None,
        };
        let Some(head) = head else {
            return false;
        };
        out.clear();
        out.reserve(head.len() + rest.len());
        out.push_str(head);
        out.push_str(rest);
        true
    }

    /// Returns true if dot segments are removed from a path that is not merged: only RFC 3986 does
    /// so.
    fn cleans(&self, reference: Reference<'_>) -> bool {
        self.settings.profile == Profile::Rfc3986 && (reference.has_dots || reference.climbs > 0)
    }

    /// The pieces to copy, before dot segments are removed.
    fn copies(&self, reference: Reference<'_>, scheme_dropped: bool) -> Copies<'_> {
        let Reference { text, ends, .. } = reference;
        let profile = self.settings.profile;
        let has_query = ends.query > ends.path;
        let cleans = self.cleans(reference);
        let unmerged = |step, head, from| Copies { step, head, from, has_dot_segments: cleans };
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
            // Step 2 checks for a scheme before step 3 may ignore it, so `http:` is not an empty
            // reference.
            Profile::Url1997 | Profile::Rfc2396 if has_query || scheme_dropped => {
                self.merged(reference)
            }
            _ => unmerged(Step::CurrentDocument, "", 0),
        }
    }

    /// The pieces of a merged path: the directory, or as many levels above it as the path climbs at
    /// its beginning, then the rest of the path.
    fn merged(&self, reference: Reference<'_>) -> Copies<'_> {
        let Reference { text, ends, .. } = reference;
        let Directory { text: directory, climbs, levels } = &self.directory;
        let climbed = reference.climbs.min(levels.len());
        let end = match climbed.checked_sub(1) {
            Some(level) => levels[level],
            None => directory.len(),
        };
        // In the draft of 1997 the query has dot segments too.
        let query = match self.settings.profile {
            Profile::Url1997 => &text[ends.path..ends.query],
            _ => "",
        };
        Copies {
            step: Step::MergedPath,
            head: &directory[..end],
            from: ends.authority + climbed * "../".len(),
            has_dot_segments: reference.has_dots
                || climbed < reference.climbs
                // RFC 3986 has removed them already.
                || *climbs > 0 && self.settings.profile != Profile::Rfc3986
                || may_have_dot_segments(query),
        }
    }

    /// Returns true if the reference has a scheme equal to the base's, and the policy is to ignore
    /// it.
    pub(super) fn ignores_scheme(&self, reference: Reference<'_>) -> bool {
        let scheme = &reference.text[..reference.ends.scheme];
        self.settings.same_scheme == SameScheme::Compat
            && self.settings.profile != Profile::Url1997
            && scheme.eq_ignore_ascii_case(&self.text[..self.ends.scheme])
    }

    /// Writes the reference from byte `from` of its path on. The text before it is in `out`.
    fn write_path(
        &self,
        reference: Reference<'_>,
        step: Step,
        from: usize,
        out: &mut String,
    ) -> Result<Step, Box<Refusal>> {
        let Reference { text, ends, .. } = reference;
        let (climb, end) = match self.settings.profile {
            Profile::Rfc3986 => (Climb::Clamp, ends.path),
            // Step 6c appends the query to the same buffer; step 6h removes the rest of it.
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
        let above = self.settle_climbs(path)?;
        out.push_str(&text[from + done..]);
        Ok(above.unwrap_or(step))
    }

    /// Applies the policy to `..` segments at the beginning of a merged path.
    fn settle_climbs(&self, path: PathWriter<'_>) -> Result<Option<Step>, Box<Refusal>> {
        if path.climbs == 0 {
            return Ok(None);
        }
        let policy = match self.settings.profile {
            Profile::Url1997 => AboveRoot::Retain,
            // Already removed.
            Profile::Rfc3986 => return Ok(Some(Step::AboveRootRemoved)),
            _ => self.settings.above_root,
        };
        match policy {
            AboveRoot::Retain => Ok(Some(Step::AboveRootRetained)),
            AboveRoot::Remove => {
                let start = path.start + usize::from(path.out[path.start..].starts_with('/'));
                let end = path.out.len().min(start + path.climbs * "../".len());
                path.out.replace_range(start..end, "");
                Ok(Some(Step::AboveRootRemoved))
            }
            AboveRoot::Avoid => Err(Box::new(Refusal {
                kind: ErrorKind::AboveRoot,
                message: Cow::Borrowed("the path climbs above the root of the base"),
                rule: Step::AboveRootAvoided.rule(self.settings.profile),
                range: path.first_climb.map(|at| at..at + "..".len()),
            })),
        }
    }
}

impl Directory {
    fn of(base: Reference<'_>, profile: Profile) -> Self {
        let Reference { text, ends, .. } = base;
        let path = &text[ends.authority..ends.path];
        // The path up to and including its last slash: the part of a base that merging keeps.
        let mut directory = &path[..path.rfind('/').map_or(0, |slash| slash + 1)];
        let gets_root = match profile {
            Profile::Rfc2396bis00 => true,
            // Section 5.2.3 requires an authority too; without one the target is rootless.
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
        // Only truncations count: RFC 3986 also writes a slash for the first segment of a rootless
        // path.
        while levels.len() < levels.inline_size()
            && writer.pop()
            && text.starts_with(writer.out.as_str())
        {
            levels.push(writer.out.len());
        }
        Self { text, climbs, levels }
    }
}

/// Returns true if a text has neither a colon, so that no scheme precedes it, nor a dot after a
/// slash.
fn is_plain_path(text: &str) -> bool {
    let bytes = text.as_bytes();
    // The branches of an early end would be mispredicted.
    let has_colon = bytes.iter().fold(false, |found, &byte| found | (byte == b':'));
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    let has_dots =
        pairs.fold(false, |found, (&byte, &next)| found | ((byte == b'/') & (next == b'.')));
    !has_colon && !has_dots
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::Resolver;

    const PIECES: [&str; 20] = [
        "a", "B9", "-", "/", "/", "//", ".", "..", "../", "./", "?", "#", ":", "%2E", "é", "a:b",
        "http", " ", "\\", ";",
    ];

    proptest! {
        #![proptest_config(crate::tier::cases(4000))]

        #[test]
        fn plain_references_have_the_target_of_any(
            base in prop::collection::vec(select(&PIECES[..]), 0..6),
            start in select(vec!["http://h", "http://h/", "x:", "x:/", "file:///", "mailto:a@b", "http://h/a/../../b"]),
            reference in prop::collection::vec(select(&PIECES[..]), 0..6),
            profile in select(Profile::ALL),
        ) {
            let (base, reference) = (start.to_owned() + &base.concat(), reference.concat());
            let resolver = Resolver { profile, ..Resolver::default() };
            let Ok(base) = resolver.base(&base) else {
                return Ok(());
            };
            let (mut plain, mut target) = ("old".to_owned(), String::new());
            match base.resolve_plain_into(&reference, &mut plain) {
                true => {
                    let outcome = base.resolve_into(&reference, &mut target);
                    prop_assert_eq!(outcome, Ok(crate::Outcome::Target));
                    prop_assert_eq!(plain, target);
                }
                false => prop_assert_eq!(plain, "old"),
            }
        }
    }

    #[test]
    fn usual_references_are_plain() {
        let base = Resolver::default().base("http://h/a/b").unwrap();
        let mut out = String::new();
        for reference in
            ["c", "c/d.html?e#f", "00012.html#x", "a..b/c", "../", "../c", "#", "#c:/./d", "/c/d?e"]
        {
            assert!(base.resolve_plain_into(reference, &mut out), "{reference}");
        }
    }
}
