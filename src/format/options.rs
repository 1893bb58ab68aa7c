//! How documents are searched.

use std::borrow::Cow;

use crate::format::text::{Iri, Join, TextOptions};
use crate::source::{Charset, Format, MailPart};
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
    /// The same in a part of a message: text flows as the part says, and URLs in the text of HTML count.
    pub(crate) fn in_mail(&self, format: Format, carrier: &MailPart) -> Self {
        let guess = (format == Format::Text).then_some(Join::Guess);
        let text = TextOptions {
            join: self.text.join.or(guess),
            flowed: self.text.flowed || carrier.flowed.is_some(),
            delsp: self.text.delsp || carrier.flowed.is_some_and(|flowed| flowed.delsp),
            ..self.text
        };
        Self {
            html_text: true,
            text,
            ..self.clone()
        }
    }

    /// The same in a document of this charset. In ISO-2022-JP an escape sequence stands before each character beyond
    /// ASCII, and no program puts one into a URL: it ends there.
    pub(crate) fn in_charset(&self, charset: Charset) -> Cow<'_, Self> {
        if charset.encoding() != encoding_rs::ISO_2022_JP || self.text.iri != Iri::Auto {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Self {
            text: TextOptions {
                iri: Iri::Ascii,
                ..self.text
            },
            ..self.clone()
        })
    }

    /// How URLs in the text of a document of this kind are found.
    pub(crate) fn text_of(&self, format: Format) -> TextOptions {
        let of_kind = match format {
            Format::Mail | Format::Mbox | Format::Mhtml => Join::Guess,
            Format::Text | Format::Html | Format::Xml | Format::Css | Format::Header => Join::Angle,
        };
        TextOptions {
            join: Some(self.text.join.unwrap_or(of_kind)),
            ..self.text
        }
    }
}
