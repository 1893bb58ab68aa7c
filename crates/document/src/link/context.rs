//! The text around a link.

use crate::source::MessageFields;

/// The context of a link. White space in texts is collapsed, and each text is cut off after 4
/// KiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Context<'c> {
    /// The text of the element with the link; for `img`, `area` and `input` its replacement
    /// (`alt`). In plain text, [the line](crate::format::text::words_around) with the link. `None` if
    /// the element has no text, if the text is not about the link (of a form, of the whole page, of
    /// a script or style sheet), and for links in the text of a page.
    pub text: Option<&'c str>,
    /// The `rel` attribute of the tag.
    pub rel: Option<&'c str>,
    /// The `title` attribute of the tag.
    pub title: Option<&'c str>,
    /// The text of the heading (`h1` to `h6`) that contains the element, or else of the last
    /// heading before it in the tree.
    pub heading: Option<&'c str>,
    /// The `Date` of the message in the file, as written.
    pub date: Option<&'c str>,
    /// Its `From`, with encoded words decoded.
    pub from: Option<&'c str>,
    /// Its `Subject`, with encoded words decoded.
    pub subject: Option<&'c str>,
}

impl<'c> Context<'c> {
    /// The context of a link in plain text.
    pub fn of_text(text: Option<&'c str>) -> Self {
        Self { text, ..Self::default() }
    }

    /// The context of a link in a message with these fields.
    #[must_use]
    pub fn in_message(self, fields: &'c MessageFields) -> Self {
        Self {
            date: fields.date.as_deref(),
            from: fields.from.as_deref(),
            subject: fields.subject.as_deref(),
            ..self
        }
    }
}
