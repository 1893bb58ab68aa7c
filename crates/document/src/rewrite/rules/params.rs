//! Query parameters that are removed.

use std::fmt;

use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::bytes::percent;

/// Globs of the names of query parameters.
///
/// The parameters of a query are separated by `&`, as in the URL Standard
/// (application/x-www-form-urlencoded). Names are compared percent-decoded, with case. A parameter
/// with a `;` and a `=` after it stays: some servers read another one there. So does one with a
/// [placeholder](Self::has_placeholder).
///
/// ```
/// use rehref_document::rewrite::ParamGlobs;
///
/// let globs = ParamGlobs::new(["utm_*", "fbclid"])?;
/// let removed = |url| globs.removed(url);
/// assert_eq!(removed("/a?utm_source=x&b=1#c").as_deref(), Some("/a?b=1#c"));
/// assert_eq!(removed("/a?fbclid=x#c").as_deref(), Some("/a#c"));
/// assert_eq!(removed("/a?b=1"), None);
/// # Ok::<(), rehref_document::rewrite::ParamGlobsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ParamGlobs {
    globs: GlobSet,
}

/// The reason a glob was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParamGlobsError {
    /// A glob has the wrong syntax, for this reason.
    Glob(globset::Error),
    /// The glob is not one of names: it is empty, or has a character that separates parameters.
    NotAName(String),
}

impl fmt::Display for ParamGlobsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Glob(error) => error.fmt(f),
            Self::NotAName(glob) => {
                write!(f, "{glob:?} is not the name of a parameter, such as utm_source or utm_*")
            }
        }
    }
}

impl std::error::Error for ParamGlobsError {}

impl ParamGlobs {
    /// Compiles globs of names.
    ///
    /// # Errors
    /// If a glob is invalid, or can match no name.
    pub fn new(globs: impl IntoIterator<Item = impl AsRef<str>>) -> Result<Self, ParamGlobsError> {
        let mut set = GlobSetBuilder::new();
        for glob in globs {
            let glob = glob.as_ref();
            if glob.is_empty() || glob.contains(['&', '=', '#']) {
                return Err(ParamGlobsError::NotAName(glob.to_owned()));
            }
            set.add(Glob::new(glob).map_err(ParamGlobsError::Glob)?);
        }
        Ok(Self { globs: set.build().map_err(ParamGlobsError::Glob)? })
    }

    /// Returns the reference without the parameters whose names match. `None` if it has none.
    ///
    /// All other bytes stay, also empty pieces between two `&`. If no parameter is left, the `?` is
    /// removed, too.
    pub fn removed(&self, reference: &str) -> Option<String> {
        let end = reference.find('#').unwrap_or(reference.len());
        let start = reference[..end].find('?')?;
        let (mut query, mut any_removed) = (String::new(), false);
        // Kept empty pieces alone need no query.
        let (mut count, mut any_named) = (0, false);
        for piece in reference[start + 1..end].split('&') {
            if self.matches(piece) {
                any_removed = true;
                continue;
            }
            if count > 0 {
                query.push('&');
            }
            query.push_str(piece);
            count += 1;
            any_named |= !piece.is_empty();
        }
        if !any_removed {
            return None;
        }
        let (path, fragment) = (&reference[..start], &reference[end..]);
        Some(match any_named {
            true => format!("{path}?{query}{fragment}"),
            false => format!("{path}{fragment}"),
        })
    }

    /// Returns true if a parameter whose name matches has a placeholder: a `{`, or a `%` that begins
    /// no escape, as in `utm_id=%s`. The program that fills it in may need it.
    pub fn has_placeholder(&self, reference: &str) -> bool {
        let end = reference.find('#').unwrap_or(reference.len());
        let query = reference[..end].split_once('?').map_or("", |(_, query)| query);
        query.split('&').any(|piece| is_placeholder(piece) && self.is_named(piece))
    }

    /// Returns true if a parameter is removed.
    fn matches(&self, piece: &str) -> bool {
        let has_others = piece.split_once(';').is_some_and(|(_, rest)| rest.contains('='));
        self.is_named(piece) && !has_others && !is_placeholder(piece)
    }

    /// Returns true if the name of a parameter matches. An empty piece is not a parameter.
    fn is_named(&self, piece: &str) -> bool {
        if piece.is_empty() {
            return false;
        }
        let name = piece.split_once('=').map_or(piece, |(name, _)| name);
        // Browsers ignore them (URL Standard, 4.4).
        let name = name.replace(['\t', '\n', '\r'], "");
        self.globs.is_match(&*String::from_utf8_lossy(&percent::decode(&name)))
    }
}

fn is_placeholder(piece: &str) -> bool {
    let bytes = piece.as_bytes();
    let mut signs = memchr::memchr_iter(b'%', bytes);
    piece.contains('{') || signs.any(|at| percent::escaped(&bytes[at..]).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_parameters_keep_their_bytes() {
        let globs = ParamGlobs::new(["utm_*", "gclid", "{a,b}c"]).unwrap();
        for (reference, new) in [
            ("?utm_source=x", ""),
            ("?utm_source=x#f?utm_x=1", "#f?utm_x=1"),
            ("x?utm_source", "x"),
            ("x?utm_=1&utm_=2", "x"),
            ("x?a=1&utm_source=x&b=%7e+&&c;", "x?a=1&b=%7e+&&c;"),
            ("x?a=1&utm_source=x", "x?a=1"),
            ("x?utm_source=x&a=1&", "x?a=1&"),
            ("x?&&utm_a=1&a=1", "x?&&a=1"),
            ("x?utm_a=1&&", "x"),
            ("x?%75tm%5Fsource=x&ac&bc=1", "x"),
            ("x?utm\n_a=x&y", "x?y"),
            ("x?a=?utm_b=1&gclid=?", "x?a=?utm_b=1"),
            ("http://h?gclid=1", "http://h"),
            ("x?utm_a=1;b", "x"),
            ("x?utm_a=%s&gclid=1%2C", "x?utm_a=%s"),
        ] {
            assert_eq!(globs.removed(reference).as_deref(), Some(new), "{reference}");
        }
        for other in [
            "", "?", "x?", "x?&", "x?=utm_a", "x?a=utm_b", "x?a=1;utm_b=2", "x#?utm_a=1",
            "utm_a=1", "x?UTM_a=1", "x?a&amp;utm_b=2", "x?xutm_a", "x?utm_a=1;b=2", "x?utm_a;b=2",
            "x?utm_a=%s", "x?utm_%d=1", "x?utm_a={b}&c",
        ] {
            assert_eq!(globs.removed(other), None, "{other}");
        }
    }

    #[test]
    fn placeholders_are_in_matching_parameters() {
        let globs = ParamGlobs::new(["utm_*"]).unwrap();
        for (reference, expected) in [
            ("x?utm_a=%s", true),
            ("x?a&utm_%d#f", true),
            ("x?utm_a=${b}", true),
            ("x?utm_a=%2c&b=%s", false),
            ("x%s#?utm_a=%s", false),
        ] {
            assert_eq!(globs.has_placeholder(reference), expected, "{reference}");
        }
    }

    #[test]
    fn a_star_removes_every_parameter() {
        let globs = ParamGlobs::new(["*"]).unwrap();
        assert_eq!(globs.removed("x?a=1&b&=c&/d#f").as_deref(), Some("x#f"));
        assert_eq!(globs.removed("x?&"), None);
    }

    #[test]
    fn globs_are_of_names() {
        for glob in ["", "a=b", "a&b", "#"] {
            let refused = ParamGlobsError::NotAName(glob.to_owned());
            assert_eq!(ParamGlobs::new([glob]).unwrap_err(), refused);
        }
        assert!(matches!(ParamGlobs::new(["[a"]), Err(ParamGlobsError::Glob(_))));
    }
}
