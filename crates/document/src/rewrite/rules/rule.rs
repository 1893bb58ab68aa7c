//! One rule.

use super::params::ParamGlobs;
use super::path_prefix::PathPrefix;
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
    /// Remove query parameters from references with http, https or no scheme. Other rules get the
    /// references without them.
    DropParams(ParamGlobs),
    /// Remove the extension of pages from references within the site: `x` for `x.html`, and the
    /// directory for `index.html`. Only for hyperlinks. A URL is within the site if it is below
    /// [`LinkFilter::site`](crate::link::LinkFilter::site).
    CleanUrls,
    /// Add a prefix to references from the root of the host.
    PathPrefix(PathPrefix),
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
            Self::DropParams(_) => "drop-param",
            Self::CleanUrls => "clean-urls",
            Self::PathPrefix(_) => "path-prefix",
        }
    }

    /// Returns true if the rule maps URLs to URLs. Only such rules apply to URLs in text.
    pub const fn maps_urls(&self) -> bool {
        matches!(self, Self::Map(_) | Self::Pattern(_) | Self::DropParams(_))
    }

    /// Returns true if the rule applies in addition to the rule that decides about a link, wherever
    /// it is among the rules. Parameters are removed first, then another rule may decide, then URLs
    /// become clean, and at last they get a prefix. The edit has the name of the rule that decides
    /// or, without one, that of the first adjusting rule that changed the reference.
    pub const fn adjusts(&self) -> bool {
        matches!(self, Self::DropParams(_) | Self::CleanUrls | Self::PathPrefix(_))
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
}

/// Returns true if rules would map the mapped URI `uri` again.
pub(super) fn is_moved_again(rules: &[Rule], uri: &str) -> bool {
    let moved = rules.iter().find_map(|rule| rule.moved(uri));
    moved.is_some_and(|again| again != uri)
}
