//! The texts of a page, and where in them a new link may be.

use crate::bytes::Span;

/// The elements in which no link is made.
pub(super) const BLOCKED: [&str; 18] = [
    "a",
    "button",
    "datalist",
    "frameset",
    "iframe",
    "noembed",
    "noframes",
    "noscript",
    "optgroup",
    "option",
    "plaintext",
    "script",
    "select",
    "style",
    "template",
    "textarea",
    "title",
    "xmp",
];

/// A text, and the number of the element that it is in if a link may be made there.
pub(super) type TextPlace = (Span, Option<u32>);

/// Reads the texts of a page in order.
pub(super) trait TextPlaces {
    /// The text that was read last, if the last token was one.
    fn text(&self) -> Option<TextPlace>;

    /// Reads the next token. Returns false if there is none, or if no more links are made.
    fn next(&mut self) -> bool;

    /// The offset after the last token.
    fn at(&self) -> usize;

    /// Returns true if a link may be made of the bytes `extent`. Extents must be given in order.
    fn allows(&mut self, extent: Span) -> bool {
        let mut parent = None;
        loop {
            if let Some((text, element)) = self.text()
                && text.start < extent.end
                && extent.start < text.end
            {
                let is_first = text.start <= extent.start;
                // The first and the last piece may be in two texts with a `wbr` between them.
                if element.is_none() || !is_first && parent != element {
                    return false;
                }
                if extent.end <= text.end {
                    return true;
                }
                parent = element;
            }
            if self.at() >= extent.end || !self.next() {
                return false;
            }
        }
    }
}
