//! The need of a link for an absolute reference.

/// The need of a link for an absolute reference. Rules that make references relative skip links
/// that need one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Absoluteness {
    /// The reference may be relative.
    #[default]
    Optional,
    /// The reference is a public URL of the page and should be absolute, such as `canonical`, an
    /// `alternate` in another language, or `og:url`.
    Recommended,
    /// The reference must be absolute, as in a sitemap. One that is relative nevertheless is
    /// resolved, and moves keep its target.
    Required,
}
