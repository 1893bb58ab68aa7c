//! The text around a link.

/// The context of an HTML link. White space in texts is collapsed, and each text is cut off after 4
/// KiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Context<'c> {
    /// The text of the element with the link; for `img`, `area` and `input` its replacement
    /// (`alt`). `None` if the element has no text, if the text is not about the link (of a form, of
    /// the whole page, of a script or style sheet), and for links in text.
    pub text: Option<&'c str>,
    /// The `rel` attribute of the tag.
    pub rel: Option<&'c str>,
    /// The `title` attribute of the tag.
    pub title: Option<&'c str>,
    /// The text of the heading (`h1` to `h6`) that contains the element, or else of the last
    /// heading before it in the tree.
    pub heading: Option<&'c str>,
}
