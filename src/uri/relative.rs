//! From a target back to a reference.

use super::reference::Ends;
use super::{Base, Outcome, Reference, Resolver};

impl Base {
    /// The shortest reference that resolves to `target`, or `None` when there is none: `target` is
    /// not absolute, or has dot segments that resolving would remove.
    ///
    /// Among equally short ones a relative path comes before one from the root. Every answer is
    /// resolved against this base and compared with `target` byte by byte before it is given; so the
    /// profiles before RFC 3986 never answer with an empty or fragment-only reference, which by
    /// them refers to the document at hand rather than to its base. Linear in base and target.
    ///
    /// ```
    /// let base = rehref::uri::Resolver::default().base("http://a/b/c/d?q")?;
    /// let relative = |target| base.relative_reference(target);
    /// assert_eq!(relative("http://a/b/c/d").as_deref(), Some("d"));
    /// assert_eq!(relative("http://a/b/c/?q").as_deref(), Some(".?q"));
    /// assert_eq!(relative("http://a/b/c/x:y").as_deref(), Some("./x:y"));
    /// assert_eq!(relative("http://a//x").as_deref(), Some("/.//x"));
    /// assert_eq!(relative("http://h/x").as_deref(), Some("//h/x"));
    /// assert_eq!(relative("http://a/b/c/.."), None);
    /// # Ok::<(), rehref::uri::ResolveError>(())
    /// ```
    pub fn relative_reference(&self, target: &str) -> Option<String> {
        let mut candidates = Candidates::new(self, target);
        candidates.add_in_place();
        candidates.add_paths();
        let parts = candidates.target.parts();
        let Ends {
            scheme,
            authority: path,
            ..
        } = candidates.target.ends;
        // What is not absolute is no target.
        parts.scheme?;
        if parts.authority.is_some() {
            candidates.add(0, "", scheme);
        }
        if parts.path.starts_with("//") {
            candidates.add(0, "/.", path);
        } else if parts.path.starts_with('/') {
            candidates.add(0, "", path);
        }
        candidates.add(0, "", 0);
        candidates.shortest()
    }

    /// As [`Base::relative_reference`], but only a relative-path reference (RFC 3986, 4.2): without
    /// scheme or authority, and no `/` first. It may be only a query, only a fragment, or empty. A
    /// tree of documents that refer to each other so can be moved to another place, or read from
    /// disk.
    ///
    /// ```
    /// let base = rehref::uri::Resolver::default().base("http://a/b/c/d")?;
    /// let relative = |target| base.relative_path_reference(target);
    /// assert_eq!(relative("http://a/x").as_deref(), Some("../../x"));
    /// assert_eq!(relative("http://h/x"), None);
    /// # Ok::<(), rehref::uri::ResolveError>(())
    /// ```
    pub fn relative_path_reference(&self, target: &str) -> Option<String> {
        let mut candidates = Candidates::new(self, target);
        candidates.add_in_place();
        candidates.add_paths();
        candidates.shortest()
    }
}

impl Resolver {
    /// As [`Base::relative_reference`], for one target. `None` also where `base` is not absolute.
    pub fn relative_reference(&self, base: &str, target: &str) -> Option<String> {
        self.base(base).ok()?.relative_reference(target)
    }

    /// As [`Base::relative_path_reference`], for one target. `None` also where `base` is not
    /// absolute.
    pub fn relative_path_reference(&self, base: &str, target: &str) -> Option<String> {
        self.base(base).ok()?.relative_path_reference(target)
    }
}

/// A reference that might do: `../` repeated, then a text, then the target from some byte on.
/// SkipReason in this form so that only those tried are written out.
#[derive(Clone, Copy)]
struct Candidate {
    climbs: usize,
    text: &'static str,
    from: usize,
}

struct Candidates<'a> {
    base: &'a Base,
    target: Reference<'a>,
    list: Vec<Candidate>,
}

impl<'a> Candidates<'a> {
    fn new(base: &'a Base, target: &'a str) -> Self {
        Self {
            base,
            target: Reference::split(target).by(base.resolver().profile),
            list: Vec::with_capacity(8),
        }
    }

    fn add(&mut self, climbs: usize, text: &'static str, from: usize) {
        self.list.push(Candidate { climbs, text, from });
    }

    /// The references that keep the path of the base: empty, or query and fragment alone.
    fn add_in_place(&mut self) {
        let Ends { path, query, .. } = self.target.ends;
        if query != path {
            self.add(0, "", path);
        }
        self.add(0, "", query);
    }

    /// The references that are a path relative to the directory of the base.
    fn add_paths(&mut self) {
        // What the resolver makes of "." is the directory that it will start from: without the
        // base's dot segments, and with the root it may add.
        let (base, target) = (self.base, self.target.parts());
        let mut directory = String::new();
        if base.resolve_into(".", &mut directory) != Ok(Outcome::Target) {
            return;
        }
        let profile = base.resolver().profile;
        let directory = Reference::split(&directory).by(profile).parts();
        // Another authority cannot be reached by a path, except through a target, or a directory,
        // that begins with `//` by accident; such a reference means something else to all others.
        if (directory.scheme, directory.authority) != (target.scheme, target.authority)
            || directory.authority.is_some() != base.parts().authority.is_some()
        {
            return;
        }

        // Climbing out of a deeper common directory than need be only makes it longer.
        let same = directory
            .path
            .bytes()
            .zip(target.path.bytes())
            .take_while(|(a, b)| a == b);
        let same = same.count();
        let common = directory.path.as_bytes()[..same]
            .iter()
            .rposition(|&b| b == b'/');
        let common = common.map_or(0, |slash| slash + 1);
        let climbs = directory.path.as_bytes()[common..]
            .iter()
            .filter(|&&b| b == b'/')
            .count();
        let from = self.target.ends.authority + common;
        let rest = target.path.get(common..).unwrap_or_default();

        if rest.is_empty() {
            // A directory: its slash can go, unless the profile takes "..?q" for a name.
            match climbs.checked_sub(1) {
                Some(climbs) => self.add(climbs, "..", from),
                None => self.add(0, ".", from),
            }
        }
        if climbs > 0 {
            self.add(climbs, "", from);
            return;
        }
        // Without "./" a colon would end a scheme, and a slash would start from the root.
        let first = rest.split('/').next().unwrap_or_default();
        if !first.is_empty() && !first.contains(':') {
            self.add(0, "", from);
        }
        self.add(0, "./", from);
    }

    /// The shortest that resolves to the target.
    fn shortest(mut self) -> Option<String> {
        // Stable: of equally long ones, the first added wins.
        self.list.sort_by_key(|c| {
            c.climbs * "../".len() + c.text.len() + self.target.text.len() - c.from
        });
        let (mut reference, mut resolved) = (String::new(), String::new());
        for Candidate { climbs, text, from } in self.list {
            reference.clear();
            reference.extend(std::iter::repeat_n("../", climbs));
            reference.push_str(text);
            reference.push_str(&self.target.text[from..]);
            let outcome = self.base.resolve_into(reference.as_str(), &mut resolved);
            if outcome == Ok(Outcome::Target) && resolved == self.target.text {
                return Some(reference);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::uri::{Profile, Resolver, SameScheme};

    #[track_caller]
    fn check(resolver: Resolver, base: &str, target: &str, any: Option<&str>, path: Option<&str>) {
        assert_eq!(
            resolver.relative_reference(base, target).as_deref(),
            any,
            "{target}"
        );
        assert_eq!(
            resolver.relative_path_reference(base, target).as_deref(),
            path,
            "{target}"
        );
    }

    #[test]
    fn traps() {
        let same = |base, target, reference| {
            check(
                Resolver::default(),
                base,
                target,
                Some(reference),
                Some(reference),
            );
        };
        same("http://a/b/c", "http://a/b/c", "");
        same("http://a/b/c?q", "http://a/b/c#f", "c#f");
        same("http://a/b/c?q", "http://a/b/c?q#f", "#f");
        same("http://a/b/c?q", "http://a/b/c?r", "?r");
        same("http://a/b/?q", "http://a/b/", ".");
        same("http://a/b/c/d", "http://a/b/", "..");
        same("http://a/b/c/d", "http://a/b/?q", "..?q");
        same("http://a/x/b", "http://a/x/1:2", "./1:2");
        same("http://a/b", "http://a/c/d:e", "c/d:e");
        same("http://a/b/c", "http://a/b//d", ".//d");
        same("http://a/b//c", "http://a/b/d", "../d");
        same("http://a", "http://a/b", "b");
        same("http://a/b/../c/d", "http://a/c/e", "e");
        same("file:///a/b", "file:///a/c", "c");
        same("mailto:a@b", "mailto:a@b?subject=x", "?subject=x");
    }

    #[test]
    fn a_path_reaches_only_its_own_authority() {
        let rfc3986 = Resolver::default();
        check(rfc3986, "http://a/b", "http://h/b", Some("//h/b"), None);
        check(
            rfc3986,
            "http://a/b",
            "https://a/b",
            Some("https://a/b"),
            None,
        );
        check(rfc3986, "http://a/b/c", "http://a", Some("//a"), None);
        check(
            rfc3986,
            "http://a/b/c/d",
            "http://a/x",
            Some("/x"),
            Some("../../x"),
        );
        check(
            rfc3986,
            "http://a/b/c/d",
            "http://a//x",
            Some("/.//x"),
            Some("../..//x"),
        );
        // By the letter "..//h" gives this string, and nobody would read it so.
        check(rfc3986, "foo:/a/b", "foo://h", Some("//h"), None);
        check(rfc3986, "foo:/a/..//b", "foo:///x", Some("///x"), None);
    }

    #[test]
    fn what_cannot_be_reached() {
        let rfc3986 = Resolver::default();
        check(rfc3986, "http://a/b", "http://a/c/..", None, None);
        check(rfc3986, "http://a/b", "/c", None, None);
        check(rfc3986, "/b", "http://a/c", None, None);
        // Unless the base is that already.
        check(
            rfc3986,
            "http://a/c/..",
            "http://a/c/..?q",
            Some("?q"),
            Some("?q"),
        );
    }

    #[test]
    fn the_profile_decides() {
        let base = "http://a/b/c?q";
        let with = |profile| Resolver {
            profile,
            ..Resolver::default()
        };
        // An empty reference is to the document at hand, wherever its base is.
        check(with(Profile::Rfc2396), base, base, Some("c?q"), Some("c?q"));
        check(
            with(Profile::Rfc2396bis00),
            base,
            base,
            Some("?q"),
            Some("?q"),
        );
        // In 1997 the query hides the dots.
        check(
            with(Profile::Url1997),
            base,
            "http://a/?y",
            Some("/?y"),
            Some("../?y"),
        );
        check(
            with(Profile::Rfc2396),
            base,
            "http://a/?y",
            Some("/?y"),
            Some("..?y"),
        );
        // Targets keep their dots there.
        check(
            with(Profile::Rfc2396),
            base,
            "http://a/../d",
            Some("/../d"),
            Some("../../d"),
        );
        let compat = Resolver {
            same_scheme: SameScheme::Compat,
            ..Resolver::default()
        };
        check(compat, "foo:a/b", "foo:a", None, None);
    }

    #[cfg(feature = "whatwg")]
    #[test]
    fn whatwg_targets_are_normalised() {
        let whatwg = Resolver {
            profile: Profile::Whatwg,
            ..Resolver::default()
        };
        check(whatwg, "HTTP://A/b/c", "http://a/b/d", Some("d"), Some("d"));
        check(whatwg, "HTTP://A/b/c", "HTTP://A/b/d", None, None);
        check(whatwg, "http://a/b/c", "http://a/b/%2e%2e", None, None);
    }
}
