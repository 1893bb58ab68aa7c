//! Which step of an algorithm decided.

use std::fmt;

use super::Profile;

/// The step of a profile's algorithm that decided what a reference refers to: the last that did
/// more than copy, so a path above the root goes before a scheme that was dropped, and that before
/// the merging of paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Step {
    /// Empty or only a fragment: the document at hand.
    CurrentDocument,
    /// It has a scheme.
    Absolute,
    /// Its scheme is the base's and is ignored.
    SchemeDropped,
    /// It begins with `//`.
    NetworkPath,
    /// It begins with `/`.
    AbsolutePath,
    /// Its path is empty, and the base's stands.
    EmptyPath,
    /// Its path is appended to the base's directory.
    MergedPath,
    /// A `..` had nothing to climb out of and stayed.
    AboveRootRetained,
    /// A `..` had nothing to climb out of and vanished.
    AboveRootRemoved,
    /// A `..` had nothing to climb out of, and the reference is not followed.
    AboveRootAvoided,
    /// The parser of the WHATWG URL Standard, which is one state machine.
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

    /// The text and section that has this step. Of a step that the profile lacks, the section where
    /// it would be.
    pub const fn rule(self, profile: Profile) -> &'static str {
        match profile {
            Profile::Url1997 => match self {
                Self::CurrentDocument => "draft 1997, 5.2, step 2",
                Self::Absolute | Self::SchemeDropped => "draft 1997, 5.2, step 3",
                Self::NetworkPath => "draft 1997, 5.2, step 4",
                Self::AbsolutePath => "draft 1997, 5.2, step 5",
                Self::EmptyPath | Self::MergedPath => "draft 1997, 5.2, step 6",
                // It takes out no segment together with "..", if that segment is ".." or missing.
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
            // Only its routine for merging has numbers.
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
    /// What happens in it, for people.
    pub const fn as_sentence(self) -> &'static str {
        match self {
            Self::CurrentDocument => {
                "it has no path and no query, so it refers to the document it stands in"
            }
            Self::Absolute => "it has a scheme, so it is absolute and the base is not used",
            Self::SchemeDropped => {
                "its scheme equals the base's and is ignored, so the rest is read as relative"
            }
            Self::NetworkPath => "it begins with //, so only the scheme is the base's",
            Self::AbsolutePath => "it begins with /, so its path replaces all of the base's",
            Self::EmptyPath => {
                "it has no path, so the base's stands, and its query unless there is a new one"
            }
            Self::MergedPath => {
                "its path is not absolute, so it is merged with the base's directory"
            }
            Self::AboveRootRetained => "a .. leads above the root and stays in the path",
            Self::AboveRootRemoved => "a .. leads above the root and is removed",
            Self::AboveRootAvoided => "a .. leads above the root, so it is not followed",
            Self::Whatwg => "resolved and normalised as browsers do",
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
    fn every_step_is_told_apart() {
        for (i, step) in Step::ALL.iter().enumerate() {
            for other in &Step::ALL[i + 1..] {
                assert_ne!(step.as_str(), other.as_str());
                assert_ne!(step.to_string(), other.to_string());
            }
        }
    }
}
