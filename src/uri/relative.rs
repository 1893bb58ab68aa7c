//! From a target back to a reference.

use super::{Outcome, Parts, Resolver};

impl Resolver {
    /// The shortest reference that resolves to `target` against `base`, or `None` when there is
    /// none: `target` is not absolute, or has dot segments that resolving would remove.
    ///
    /// Among equally short ones a relative path comes before one from the root. Every answer is
    /// resolved by this resolver and compared with `target` byte by byte before it is given; so the
    /// profiles before RFC 3986 never answer with an empty or fragment-only reference, which by
    /// them refers to the document at hand rather than to its base. Linear in both arguments.
    ///
    /// ```
    /// # let resolver = rehref::uri::Resolver::default();
    /// let relative = |target| resolver.relative_reference("http://a/b/c/d?q", target);
    /// assert_eq!(relative("http://a/b/c/d").as_deref(), Some("d"));
    /// assert_eq!(relative("http://a/b/c/?q").as_deref(), Some(".?q"));
    /// assert_eq!(relative("http://a/b/c/x:y").as_deref(), Some("./x:y"));
    /// assert_eq!(relative("http://a//x").as_deref(), Some("/.//x"));
    /// assert_eq!(relative("http://h/x").as_deref(), Some("//h/x"));
    /// assert_eq!(relative("http://a/b/c/.."), None);
    /// ```
    pub fn relative_reference(&self, base: &str, target: &str) -> Option<String> {
        let mut candidates = Candidates::new(target);
        let parts = Parts::split(target);
        candidates.add_in_place(parts);
        candidates.add_paths(self, base, parts);
        let path = Candidates::path_start(parts);
        if parts.authority.is_some() {
            candidates.add(0, "", parts.scheme?.len() + 1);
        }
        if parts.path.starts_with("//") {
            candidates.add(0, "/.", path);
        } else if parts.path.starts_with('/') {
            candidates.add(0, "", path);
        }
        candidates.add(0, "", 0);
        candidates.shortest(self, base)
    }

    /// As [`Resolver::relative_reference`], but only a relative-path reference (RFC 3986, 4.2):
    /// without scheme or authority, and no `/` first. It may be only a query, only a fragment, or
    /// empty. A tree of documents that refer to each other so can be moved to another place, or
    /// read from disk.
    ///
    /// ```
    /// # let resolver = rehref::uri::Resolver::default();
    /// let relative = |target| resolver.relative_path_reference("http://a/b/c/d", target);
    /// assert_eq!(relative("http://a/x").as_deref(), Some("../../x"));
    /// assert_eq!(relative("http://h/x"), None);
    /// ```
    pub fn relative_path_reference(&self, base: &str, target: &str) -> Option<String> {
        let mut candidates = Candidates::new(target);
        let parts = Parts::split(target);
        candidates.add_in_place(parts);
        candidates.add_paths(self, base, parts);
        candidates.shortest(self, base)
    }
}

/// A reference that might do: `../` repeated, then a text, then the target from some byte on.
/// Kept in this form so that only those tried are written out.
#[derive(Clone, Copy)]
struct Candidate {
    climbs: usize,
    text: &'static str,
    from: usize,
}

struct Candidates<'a> {
    target: &'a str,
    list: Vec<Candidate>,
}

impl<'a> Candidates<'a> {
    fn new(target: &'a str) -> Self {
        Self {
            target,
            list: Vec::with_capacity(8),
        }
    }

    fn add(&mut self, climbs: usize, text: &'static str, from: usize) {
        self.list.push(Candidate { climbs, text, from });
    }

    /// Where the path of the target starts.
    fn path_start(target: Parts<'_>) -> usize {
        target.scheme.map_or(0, |scheme| scheme.len() + 1)
            + target.authority.map_or(0, |authority| authority.len() + 2)
    }

    /// The references that keep the path of the base: empty, or query and fragment alone.
    fn add_in_place(&mut self, target: Parts<'_>) {
        let path_end = Self::path_start(target) + target.path.len();
        let query_end = path_end + target.query.map_or(0, |query| query.len() + 1);
        if query_end != path_end {
            self.add(0, "", path_end);
        }
        self.add(0, "", query_end);
    }

    /// The references that are a path relative to the directory of the base.
    fn add_paths(&mut self, resolver: &Resolver, base: &str, target: Parts<'_>) {
        // What the resolver makes of "." is the directory that it will start from: without the
        // base's dot segments, and with the root it may add.
        let mut directory = String::new();
        let found = resolver.resolve_into(Parts::split(base), ".", &mut directory);
        if found != Ok(Outcome::Target) {
            return;
        }
        let directory = Parts::split(&directory);
        // Another authority cannot be reached by a path, except through a target that begins with
        // `//` by accident; such a reference means something else to everybody else.
        if (directory.scheme, directory.authority) != (target.scheme, target.authority) {
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
        let from = Self::path_start(target) + common;
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
    fn shortest(mut self, resolver: &Resolver, base: &str) -> Option<String> {
        // Stable: of equally long ones, the first added wins.
        self.list
            .sort_by_key(|c| c.climbs * "../".len() + c.text.len() + self.target.len() - c.from);
        let base = Parts::split(base);
        let (mut reference, mut resolved) = (String::new(), String::new());
        for Candidate { climbs, text, from } in self.list {
            reference.clear();
            reference.extend(std::iter::repeat_n("../", climbs));
            reference.push_str(text);
            reference.push_str(&self.target[from..]);
            let outcome = resolver.resolve_into(base, &reference, &mut resolved);
            if outcome == Ok(Outcome::Target) && resolved == self.target {
                return Some(reference);
            }
        }
        None
    }
}
