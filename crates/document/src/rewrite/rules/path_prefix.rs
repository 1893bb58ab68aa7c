//! A prefix of the paths of a site.

use std::fmt;

use crate::uri::{Equivalence, Reference, has_dot_segments, iri_to_uri, normalize};

/// The path below which a site is served. References from the root of the host get it once.
///
/// ```
/// use rehref_document::rewrite::PathPrefix;
///
/// let prefix: PathPrefix = "/app".parse()?;
/// assert_eq!(prefix.added("/a?b#c").as_deref(), Some("/app/a?b#c"));
/// assert_eq!(prefix.added("/app/a"), None);
/// assert_eq!(prefix.added("a"), None);
/// # Ok::<(), rehref_document::rewrite::PathPrefixError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPrefix {
    /// The path, with a slash at both ends.
    path: String,
    /// The path in normal form.
    normal: String,
}

/// The prefix is not a path from the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathPrefixError;

impl fmt::Display for PathPrefixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a path from the root, such as /app/")
    }
}

impl std::error::Error for PathPrefixError {}

impl std::str::FromStr for PathPrefix {
    type Err = PathPrefixError;

    /// Parses a path that begins with a slash. A final slash is added if it is missing.
    fn from_str(text: &str) -> Result<Self, PathPrefixError> {
        let path = match text.ends_with('/') {
            true => text.to_owned(),
            false => format!("{text}/"),
        };
        let begins = path.starts_with('/') && !path.starts_with("//");
        let is_path = begins && path.len() > 1 && !path.contains(['?', '#', '\\']);
        if !is_path || has_dot_segments(&path) || Reference::parse(&path).is_err() {
            return Err(PathPrefixError);
        }
        Ok(Self { normal: normal(&path), path })
    }
}

impl PathPrefix {
    /// Returns a reference with the prefix. `None` if it has the prefix, or is not one from the
    /// root of the host. Query and fragment stay.
    ///
    /// Paths are compared in normal form. The path of the prefix without its final slash has it.
    pub fn added(&self, reference: &str) -> Option<String> {
        if !reference.starts_with('/') || reference.starts_with("//") {
            return None;
        }
        let end = reference.find(['?', '#']).unwrap_or(reference.len());
        let (path, suffix) = reference.split_at(end);
        let old = normal(path);
        if old.starts_with(&self.normal) || self.normal.strip_suffix('/') == Some(&old) {
            return None;
        }
        let new = format!("{}{}", self.path, &path[1..]);
        // Dot segments could climb out of the prefix.
        let new = match normal(&new) == format!("{}{}", self.normal, &old[1..]) {
            true => new,
            false => format!("{}{}", self.path, &old[1..]),
        };
        Some(new + suffix)
    }
}

/// A path from the root in normal form (RFC 3986, section 6.2.2). Characters that a document cannot
/// encode are percent-encoded there, so all are here.
fn normal(path: &str) -> String {
    const ORIGIN: &str = "http://h";
    let uri = format!("{ORIGIN}{}", iri_to_uri(path));
    let normal = normalize(&uri, Equivalence::Syntax);
    normal.strip_prefix(ORIGIN).unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_from_the_root_get_the_prefix_once() {
        let prefix: PathPrefix = "/a/b~c".parse().unwrap();
        for (reference, new) in [
            ("/", "/a/b~c/"),
            ("/x", "/a/b~c/x"),
            ("/?q", "/a/b~c/?q"),
            ("/#f", "/a/b~c/#f"),
            ("/x/%41//y?/../z#/", "/a/b~c/x/%41//y?/../z#/"),
            ("/a", "/a/b~c/a"),
            ("/a/b~cd", "/a/b~c/a/b~cd"),
            ("/../x/./y", "/a/b~c/x/y"),
            ("/./x", "/a/b~c/./x"),
            ("/a/b~c/../x", "/a/b~c/a/b~c/../x"),
            ("/.//h/x", "/a/b~c/.//h/x"),
        ] {
            let added = prefix.added(reference);
            assert_eq!(added.as_deref(), Some(new), "{reference}");
            assert_eq!(prefix.added(new), None, "{new}");
        }
        for other in [
            "", "x", "//h/x", "http://h/x", "#/x", "?/x", "./x", "/a/b~c/x", "/a/b~c", "/a/b%7ec?q",
        ] {
            assert_eq!(prefix.added(other), None, "{other}");
        }
    }

    #[test]
    fn prefix_is_a_path_from_the_root() {
        for text in
            ["", "/", "//", "app/", "//h/", "http://h/", "/a?b", "/a#", "/a/../b", "/a b", "/."]
        {
            assert_eq!(text.parse::<PathPrefix>(), Err(PathPrefixError), "{text}");
        }
        assert_eq!("/app".parse::<PathPrefix>(), "/app/".parse());
        let prefix: PathPrefix = "/ü".parse().unwrap();
        assert_eq!(prefix.added("/%C3%BC/x"), None);
        assert_eq!(prefix.added("/x/ö").as_deref(), Some("/ü/x/ö"));
    }
}
