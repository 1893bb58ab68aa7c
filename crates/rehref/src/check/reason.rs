//! Reasons for broken links.

use std::fmt;

/// The reason why a link is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum BrokenReason {
    /// The file does not exist.
    Missing,
    /// Several files have the name, and the program that makes the site refuses it.
    Ambiguous,
    /// The file exists, but has no element with the name in the fragment.
    Anchor,
    /// The file is found only by a file system that ignores case or the normal form of Unicode.
    Case,
    /// The directory exists, but has no index file.
    Index,
    /// The reference is above the root of the tree.
    Outside,
    /// The reference cannot be resolved.
    Unresolvable,
}

impl BrokenReason {
    /// All reasons.
    pub const ALL: &'static [Self] = &[
        Self::Missing,
        Self::Ambiguous,
        Self::Anchor,
        Self::Case,
        Self::Index,
        Self::Outside,
        Self::Unresolvable,
    ];

    /// The name in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Ambiguous => "ambiguous",
            Self::Anchor => "anchor",
            Self::Case => "case",
            Self::Index => "index",
            Self::Outside => "outside",
            Self::Unresolvable => "unresolvable",
        }
    }
}

impl fmt::Display for BrokenReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
