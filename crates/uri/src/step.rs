//! The steps of resolving algorithms.

use std::fmt;

use super::Profile;

/// The deciding step of a profile's algorithm.
///
/// This is the last step that did more than copy. So climbing above the root takes precedence over
/// an ignored scheme, and that over merging paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Step {
    /// Empty or only a fragment: the current document.
    CurrentDocument,
    /// The reference has a scheme.
    Absolute,
    /// The scheme equals the base's and is ignored.
    SchemeDropped,
    /// The reference begins with `//`.
    NetworkPath,
    /// The reference begins with `/`.
    AbsolutePath,
    /// The path is empty, so the base's path is used.
    EmptyPath,
    /// The path is merged with the base's directory.
    MergedPath,
    /// A `..` above the root is retained.
    AboveRootRetained,
    /// A `..` above the root is removed.
    AboveRootRemoved,
    /// The reference is rejected because of a `..` above the root.
    AboveRootAvoided,
    /// The parser of the WHATWG URL Standard, a single state machine.
    Whatwg,
}

impl Step {
    /// Every step.
    pub const ALL: &'static [Self] = &[
        Self::CurrentDocument,
        Self::Absolute,
        Self::SchemeDropped,
        Self::NetworkPath,
        Self::AbsolutePath,
        Self::EmptyPath,
        Self::MergedPath,
        Self::AboveRootRetained,
        Self::AboveRootRemoved,
        Self::AboveRootAvoided,
        Self::Whatwg,
    ];

    /// The name in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CurrentDocument => "current-document",
            Self::Absolute => "absolute",
            Self::SchemeDropped => "scheme-dropped",
            Self::NetworkPath => "network-path",
            Self::AbsolutePath => "absolute-path",
            Self::EmptyPath => "empty-path",
            Self::MergedPath => "merged-path",
            Self::AboveRootRetained => "above-root-retained",
            Self::AboveRootRemoved => "above-root-removed",
            Self::AboveRootAvoided => "above-root-avoided",
            Self::Whatwg => "whatwg",
        }
    }

    /// The specification and section with this step. If the profile lacks the step, the section
    /// where it would be.
    pub const fn rule(self, profile: Profile) -> &'static str {
        match profile {
            Profile::Url1997 => match self {
                Self::CurrentDocument => "draft 1997, 5.2, step 2",
                Self::Absolute | Self::SchemeDropped => "draft 1997, 5.2, step 3",
                Self::NetworkPath => "draft 1997, 5.2, step 4",
                Self::AbsolutePath => "draft 1997, 5.2, step 5",
                Self::EmptyPath | Self::MergedPath => "draft 1997, 5.2, step 6",
                // A ".." removes no segment if the one before it is ".." or missing.
                _ => "draft 1997, 5.2, step 6f",
            },
            Profile::Rfc2396 => match self {
                Self::CurrentDocument => "RFC 2396, 5.2, step 2",
                Self::Absolute | Self::SchemeDropped => "RFC 2396, 5.2, step 3",
                Self::NetworkPath => "RFC 2396, 5.2, step 4",
                Self::AbsolutePath => "RFC 2396, 5.2, step 5",
                Self::EmptyPath | Self::MergedPath => "RFC 2396, 5.2, step 6",
                _ => "RFC 2396, 5.2, step 6g",
            },
            // Only the merge routine has numbered steps.
            Profile::Rfc2396bis00 => match self {
                Self::MergedPath => "draft rfc2396bis-00, 5.2, step 2",
                Self::AboveRootRetained | Self::AboveRootRemoved | Self::AboveRootAvoided => {
                    "draft rfc2396bis-00, 5.2, step 7"
                }
                _ => "draft rfc2396bis-00, 5.2",
            },
            Profile::Rfc3986 => match self {
                Self::MergedPath => "RFC 3986, 5.2.3",
                Self::AboveRootRetained | Self::AboveRootRemoved | Self::AboveRootAvoided => {
                    "RFC 3986, 5.2.4"
                }
                _ => "RFC 3986, 5.2.2",
            },
            Profile::Whatwg => "WHATWG URL, 4.4",
        }
    }
}

impl Step {
    /// A sentence that explains the step.
    pub const fn as_sentence(self) -> &'static str {
        match self {
            Self::CurrentDocument => {
                "it has no path and no query, so it refers to the document that contains it"
            }
            Self::Absolute => "it has a scheme, so it is absolute and the base is not used",
            Self::SchemeDropped => {
                "its scheme equals the base's and is ignored, so the rest is read as relative"
            }
            Self::NetworkPath => "it begins with //, so only the scheme is the base's",
            Self::AbsolutePath => "it begins with /, so its path replaces all of the base's",
            Self::EmptyPath => {
                "it has no path, so it gets that of the base, and the query unless it has one"
            }
            Self::MergedPath => {
                "its path is not absolute, so it is merged with the base's directory"
            }
            Self::AboveRootRetained => "a .. segment above the root stays in the path",
            Self::AboveRootRemoved => "a .. segment above the root is removed",
            Self::AboveRootAvoided => {
                "a .. segment is above the root, so the reference is not resolved"
            }
            Self::Whatwg => "resolved and normalized as in browsers",
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_sentence())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_has_its_own_sentence() {
        for (i, step) in Step::ALL.iter().enumerate() {
            for other in &Step::ALL[i + 1..] {
                assert_ne!(step.as_str(), other.as_str());
                assert_ne!(step.to_string(), other.to_string());
            }
        }
    }
}
