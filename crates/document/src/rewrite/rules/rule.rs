//! One rule.

use super::pattern::PatternMap;
use super::prefix::PrefixMap;

/// One rule.
#[derive(Clone, Debug)]
pub enum Rule {
    /// Make references absolute, including the empty ones of hyperlinks and forms.
    Absolute,
    /// Make references to the base's site relative paths. Existing relative paths are unchanged. A
    /// `Rewrite` run without a base takes each directory among its inputs as the root of a site.
    Relative,
    /// Make references to the base's site paths from its root, except those to the document itself.
    /// Without a base, the same roots apply as for [`Rule::Relative`].
    RootRelative,
    /// Map URL prefixes to others. References keep their style.
    Map(PrefixMap),
    /// Map URLs by regular expressions. References keep their style.
    Pattern(PatternMap),
    /// Make references between files of a mirror relative, and all others absolute. Applies only in
    /// a run over the files of a mirror, which has the file of each page.
    Mirror,
}

impl Rule {
    /// The name of the rule in records and on the command line: one of
    /// [`Edit::RULES`](crate::rewrite::Edit::RULES).
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Absolute => "absolute",
            Self::Relative => "relative",
            Self::RootRelative => "root-relative",
            Self::Map(_) => "map",
            Self::Pattern(_) => "map-re",
            Self::Mirror => "mirror",
        }
    }

    /// Returns true if the rule maps URLs to URLs. Only such rules apply to URLs in text.
    pub(super) const fn maps_urls(&self) -> bool {
        matches!(self, Self::Map(_) | Self::Pattern(_))
    }

    /// Returns true if the rule maps exactly this URI. A pattern matches any.
    pub(super) fn has_exactly(&self, uri: &str) -> bool {
        match self {
            Self::Map(map) => map.has_exactly(uri),
            _ => false,
        }
    }

    /// Returns the new URI for `uri`, if the rule maps URIs and matches.
    pub(super) fn moved(&self, uri: &str) -> Option<String> {
        match self {
            Self::Map(map) => map.get(uri),
            Self::Pattern(map) => map.get(uri),
            _ => None,
        }
    }

    /// Like [`moved`](Self::moved), for the beginning of a URI whose rest is unknown.
    pub(super) fn moved_beginning(&self, uri: &str) -> Option<String> {
        let end = '-';
        Some(self.moved(&format!("{uri}{end}"))?.strip_suffix(end)?.to_owned())
    }
}
