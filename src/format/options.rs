//! How documents are searched.

use std::borrow::Cow;

use crate::format::text::{Iri, Join, TextOptions};
use crate::source::Source;
use crate::uri::Resolver;

/// How to look for links.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How a document's base is resolved.
    pub resolver: Resolver,
    /// Whether URLs written in the text of HTML and XML documents count too.
    pub html_text: bool,
    /// Whether HTML is read as where scripts run: then a `noscript` holds text, and no links.
    pub scripting: bool,
    /// Which further places of HTML count, that are no links to a browser.
    pub extra: Extra,
    /// Whether the [anchors](crate::format::FoundLinks::anchors) of HTML and XML are wanted too.
    pub anchors: bool,
    /// Whether the links that the scripts of HTML seem to build are counted: [`scripted_links`](crate::format::html::scripted_links).
    pub scripted: bool,
    /// How URLs in text are found.
    pub text: TextOptions,
}

/// Places of HTML whose URLs are not a browser's to follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extra {
    /// What a `meta` element says about the page to those who show a link to it: `og:image`,
    /// `twitter:player`, `itemprop=url` and the like.
    pub meta: bool,
    /// Attributes such as `data-src`, from which scripts load images when they come into view.
    pub data: bool,
    /// JSON-LD and rules for speculative loading, in `script` elements.
    pub json: bool,
    /// Conditional comments: the page that old versions of a browser saw.
    pub comments: bool,
}

impl Options {
    /// The options for one document: for a part of a message, text flows as its header says and URLs in the text of
    /// HTML count. In ISO-2022-JP an escape sequence precedes each character beyond ASCII, and no program puts one into a
    /// URL: it ends there.
    pub(crate) fn for_source(&self, source: &Source) -> Cow<'_, Self> {
        let is_japanese = source.charset.encoding() == encoding_rs::ISO_2022_JP;
        let is_ascii = is_japanese && self.text.iri == Iri::Auto;
        if source.carrier.is_none() && !is_ascii {
            return Cow::Borrowed(self);
        }
        let mut options = self.clone();
        if let Some(part) = &source.carrier {
            options.html_text = true;
            options.text.flowed |= part.flowed.is_some();
            options.text.delsp |= part.flowed.is_some_and(|flowed| flowed.delsp);
        }
        if is_ascii {
            options.text.iri = Iri::Ascii;
        }
        Cow::Owned(options)
    }

    /// How URLs in text are found where lines are joined by `join` unless the options say otherwise.
    pub(crate) fn text_joining(&self, join: Join) -> TextOptions {
        TextOptions {
            join: Some(self.text.join.unwrap_or(join)),
            ..self.text
        }
    }
}
