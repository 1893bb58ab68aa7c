//! The content of elements.

use super::namespace::Namespace;

/// The classifier of text in the last element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Plain text.
    Text,
    /// A style sheet; in SVG with character references.
    Style(Namespace),
    /// An import map (HTML standard, section 8.1.6.2).
    ImportMap,
    /// Speculation rules.
    Speculation,
    /// JSON-LD, in which absolute URLs are links.
    Data,
}
