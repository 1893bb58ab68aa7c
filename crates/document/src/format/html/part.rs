//! HTML that is the text of an element in another document, such as a feed.

use std::borrow::Cow;
use std::sync::Arc;

use super::page::Page;
use super::reader::{read_guessed, read_within};
use crate::format::Options;
use crate::format::batch::Take;
use crate::link::{Markup, ScopedBase};

/// The findings in HTML in another document, in addition to links.
pub(in crate::format) struct Part<'t> {
    /// The anchors, if requested.
    pub(in crate::format) anchors: Vec<Cow<'t, str>>,
    /// True if tags were read without context.
    pub(in crate::format) guessed: bool,
}

/// Reads the HTML `text`, which is at the place `within` of another document, and delivers its
/// links as they are found. Their spans count the bytes of the HTML. `base` is the base there, if
/// it is not that of the document.
///
/// It is read as a page of its own, as `DOMParser` does: tags of a body need no `body` tag, and
/// those of a whole page have their usual effect. A BASE applies within the text.
pub(in crate::format) fn read_part<'t>(
    text: &'t str,
    within: Markup,
    base: Option<&Arc<ScopedBase>>,
    options: &Options,
    take: &mut Take<'_, 't>,
) -> Part<'t> {
    let page = Page { within: Some(Arc::new(within)), ..Page::of_text(text, options) };
    let read = read_within(&page, base, take);
    Part { anchors: read.anchors, guessed: read.guessed }
}

/// Reads a piece of HTML between other text, such as a tag in Markdown, and delivers its links.
/// Each tag is taken to create the element that it names, since the elements around it are unknown.
/// Returns the anchors, if requested.
pub(in crate::format) fn read_fragment<'t>(
    text: &'t str,
    options: &Options,
    take: &mut Take<'_, 't>,
) -> Vec<Cow<'t, str>> {
    read_guessed(&Page::of_text(text, options), take).anchors
}
