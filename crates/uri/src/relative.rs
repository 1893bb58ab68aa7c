//! References from a base to a target.

use super::parts::Ends;
use super::prepared_base::PreparedBase;
use super::{Reference, Step};

/// The shortest reference that resolves to `target` against `base`.
pub(super) fn reference(base: &PreparedBase, target: &str) -> Option<String> {
    let mut candidates = Candidates::new(base, target);
    candidates.add_in_place();
    candidates.add_paths();
    let parts = candidates.target.parts();
    let Ends { scheme, authority: path, .. } = candidates.target.ends;
    // A target is absolute.
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

/// The shortest relative-path reference that resolves to `target` against `base`.
pub(super) fn path_reference(base: &PreparedBase, target: &str) -> Option<String> {
    let mut candidates = Candidates::new(base, target);
    candidates.add_in_place();
    candidates.add_paths();
    candidates.shortest()
}

/// A candidate: `../` repeated, then a text, then the target from some byte on.
/// Written out only when it is tried.
#[derive(Clone, Copy)]
struct Candidate {
    climbs: usize,
    text: &'static str,
    from: usize,
}

struct Candidates<'a> {
    base: &'a PreparedBase,
    target: Reference<'a>,
    list: Vec<Candidate>,
}

impl<'a> Candidates<'a> {
    fn new(base: &'a PreparedBase, target: &'a str) -> Self {
        Self {
            base,
            target: Reference::split(target).by(base.settings.profile),
            list: Vec::with_capacity(8),
        }
    }

    fn add(&mut self, climbs: usize, text: &'static str, from: usize) {
        self.list.push(Candidate { climbs, text, from });
    }

    /// Adds the references that keep the path of the base: empty, or only query and fragment.
    fn add_in_place(&mut self) {
        let Ends { path, query, .. } = self.target.ends;
        if query != path {
            self.add(0, "", path);
        }
        self.add(0, "", query);
    }

    /// Adds the references that are a path relative to the directory of the base.
    fn add_paths(&mut self) {
        // "." resolves to the directory that relative paths start from: without the base's dot
        // segments, and with the root that resolving may add.
        let (base, target) = (self.base, self.target.parts());
        let mut directory = String::new();
        if !resolves(base, ".", &mut directory) {
            return;
        }
        let profile = base.settings.profile;
        let directory = Reference::split(&directory).by(profile).parts();
        // A path cannot reach another authority, except through a target or directory that begins
        // with `//` by accident. Other resolvers read such references differently.
        if (directory.scheme, directory.authority) != (target.scheme, target.authority)
            || directory.authority.is_some() != base.ends.parts(&base.text).authority.is_some()
        {
            return;
        }

        // The deepest common directory gives the shortest path.
        let same = directory.path.bytes().zip(target.path.bytes()).take_while(|(a, b)| a == b);
        let same = same.count();
        let common = directory.path.as_bytes()[..same].iter().rposition(|&b| b == b'/');
        let common = common.map_or(0, |slash| slash + 1);
        let climbs = directory.path.as_bytes()[common..].iter().filter(|&&b| b == b'/').count();
        let from = self.target.ends.authority + common;
        let rest = target.path.get(common..).unwrap_or_default();

        if rest.is_empty() {
            // A directory. Its slash may be omitted, unless the profile reads "..?q" as a name.
            match climbs.checked_sub(1) {
                Some(climbs) => self.add(climbs, "..", from),
                None => self.add(0, ".", from),
            }
        }
        if climbs > 0 {
            self.add(climbs, "", from);
            return;
        }
        // Without "./" a colon would end a scheme, and a leading slash would mean the root.
        let first = rest.split('/').next().unwrap_or_default();
        if !first.is_empty() && !first.contains(':') {
            self.add(0, "", from);
        }
        self.add(0, "./", from);
    }

    /// Returns the shortest candidate that resolves to the target.
    fn shortest(mut self) -> Option<String> {
        // A stable sort: of equally long candidates, the first added wins.
        self.list.sort_by_key(|c| {
            c.climbs * "../".len() + c.text.len() + self.target.text.len() - c.from
        });
        let (mut reference, mut resolved) = (String::new(), String::new());
        for Candidate { climbs, text, from } in self.list {
            reference.clear();
            reference.extend(std::iter::repeat_n("../", climbs));
            reference.push_str(text);
            reference.push_str(&self.target.text[from..]);
            if resolves(self.base, &reference, &mut resolved) && resolved == self.target.text {
                return Some(reference);
            }
        }
        None
    }
}

/// Resolves `reference`. Returns true if it has a target, which is then in `target`.
fn resolves(base: &PreparedBase, reference: &str, target: &mut String) -> bool {
    let step = base.write(Reference::split(reference), target);
    step.is_ok_and(|step| step != Step::CurrentDocument)
}

#[cfg(test)]
mod tests {
    use crate::{Profile, Resolver, SameScheme};

    #[track_caller]
    fn check(resolver: Resolver, base: &str, target: &str, any: Option<&str>, path: Option<&str>) {
        assert_eq!(resolver.relative_reference(base, target).as_deref(), any, "{target}");
        assert_eq!(resolver.relative_path_reference(base, target).as_deref(), path, "{target}");
    }

    #[test]
    fn relative_references_are_not_misread() {
        let same = |base, target, reference| {
            check(Resolver::default(), base, target, Some(reference), Some(reference));
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
        check(rfc3986, "http://a/b", "https://a/b", Some("https://a/b"), None);
        check(rfc3986, "http://a/b/c", "http://a", Some("//a"), None);
        check(rfc3986, "http://a/b/c/d", "http://a/x", Some("/x"), Some("../../x"));
        check(rfc3986, "http://a/b/c/d", "http://a//x", Some("/.//x"), Some("../..//x"));
        // To the letter "..//h" gives this string, but readers would not expect it.
        check(rfc3986, "foo:/a/b", "foo://h", Some("//h"), None);
        check(rfc3986, "foo:/a/..//b", "foo:///x", Some("///x"), None);
    }

    #[test]
    fn unreachable_targets_have_no_reference() {
        let rfc3986 = Resolver::default();
        check(rfc3986, "http://a/b", "http://a/c/..", None, None);
        check(rfc3986, "http://a/b", "/c", None, None);
        check(rfc3986, "/b", "http://a/c", None, None);
        // Unless the base is that already.
        check(rfc3986, "http://a/c/..", "http://a/c/..?q", Some("?q"), Some("?q"));
    }

    #[test]
    fn the_result_depends_on_the_profile() {
        let base = "http://a/b/c?q";
        let with = |profile| Resolver { profile, ..Resolver::default() };
        // An empty reference refers to the current document, regardless of its base.
        check(with(Profile::Rfc2396), base, base, Some("c?q"), Some("c?q"));
        check(with(Profile::Rfc2396bis00), base, base, Some("?q"), Some("?q"));
        // In 1997 the query hides the dots.
        check(with(Profile::Url1997), base, "http://a/?y", Some("/?y"), Some("../?y"));
        check(with(Profile::Rfc2396), base, "http://a/?y", Some("/?y"), Some("..?y"));
        // Targets keep their dots under this profile.
        check(with(Profile::Rfc2396), base, "http://a/../d", Some("/../d"), Some("../../d"));
        let compat = Resolver { same_scheme: SameScheme::Compat, ..Resolver::default() };
        check(compat, "foo:a/b", "foo:a", None, None);
    }

    #[cfg(feature = "whatwg")]
    #[test]
    fn whatwg_targets_are_normalized() {
        let whatwg = Resolver { profile: Profile::Whatwg, ..Resolver::default() };
        check(whatwg, "HTTP://A/b/c", "http://a/b/d", Some("d"), Some("d"));
        check(whatwg, "HTTP://A/b/c", "HTTP://A/b/d", None, None);
        check(whatwg, "http://a/b/c", "http://a/b/%2e%2e", None, None);
    }
}
