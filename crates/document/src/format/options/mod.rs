//! The options for finding links.

mod markdown;
mod slugs;
mod text;

use std::borrow::Cow;

use crate::source::{Source, TextSyntax};
use crate::uri::Resolver;

pub use markdown::{Dialect, MarkdownOptions, PythonIds, Slugify};
pub use slugs::{Dashes, Rendering, Slugs};
#[cfg(test)]
pub(super) use text::tests::any_options as any_text_options;
pub use text::{Hyphen, Iri, Join, TextOptions};

/// The options for finding links. Every field has a default, so name only those that differ:
///
/// ```
/// use rehref_document::{Document, Options};
///
/// let options = Options {
///     anchors: true,
///     ..Options::default()
/// };
/// let note = Document::from_bytes(b"See http://a.example/.".to_vec()).options(options).build()?;
/// assert_eq!(note.links().len(), 1);
/// # Ok::<(), rehref_document::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// The rules for resolving references, also for rewriting. Default: those of RFC 3986.
    pub resolver: Resolver,
    /// True to find URLs in the text of HTML and XML documents too. Default: false. In mail it is
    /// always true.
    pub html_text: bool,
    /// True to find the links of HTML that is escaped in feeds, so that they are rewritten and
    /// checked. Default: true. With [`html_text`](Self::html_text) they are found in any case.
    ///
    /// Such HTML is the text of these elements, as character references or in CDATA sections:
    ///
    /// * RSS of any version: `description`, `content:encoded` and `itunes:summary`; with
    ///   `type="html"` also `media:title`, `media:description` and `media:text`. The `title` is
    ///   plain text.
    /// * Atom: `content`, `summary`, `title`, `subtitle` and `rights` with `type="html"` (RFC 4287,
    ///   section 3.1.1.2), and `tagline`, `info` and `copyright` of Atom 0.3.
    ///
    /// It is read as a page of its own. Links are relative to the `xml:base` of the element or the
    /// base of the document, not to the `link` of a channel or an item.
    pub escaped_html: bool,
    /// True to read HTML as with scripting enabled: then `noscript` contains text and no links.
    /// Default: false.
    pub scripting: bool,
    /// The additional places of HTML to search, which are not links for a browser. Default: none.
    pub extra: Extra,
    /// True to collect the [anchors](crate::Links::anchors) of HTML, XML and Markdown too: the
    /// names that fragments may refer to. Default: false.
    pub anchors: bool,
    /// True to estimate the number of links that scripts of HTML build, which
    /// `Extract` and `Rewrite` report. Default:
    /// false.
    pub scripted: bool,
    /// True to find the `crossorigin` attributes next to links of HTML, so that a mapper may remove
    /// them. Default: false.
    pub cors: bool,
    /// True to keep the `rel` attributes of tags with links, in [`Markup::rel`](crate::link::Markup::rel).
    /// Default: false.
    pub rels: bool,
    /// The options for URLs in text.
    pub text: TextOptions,
    /// The options for Markdown.
    pub markdown: MarkdownOptions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            resolver: Resolver::default(),
            html_text: false,
            escaped_html: true,
            scripting: false,
            extra: Extra::default(),
            anchors: false,
            scripted: false,
            cors: false,
            rels: false,
            text: TextOptions::default(),
            markdown: MarkdownOptions::default(),
        }
    }
}

/// Places of HTML with URLs that browsers do not follow. By default, all are false.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extra {
    /// Metadata of the page for link previews, in `meta` elements: `og:image`, `twitter:player`,
    /// `itemprop=url` and the like.
    pub meta: bool,
    /// Attributes such as `data-src`, from which scripts load images on demand.
    pub data: bool,
    /// JSON-LD and speculation rules in `script` elements.
    pub json: bool,
    /// Conditional comments, which old versions of Internet Explorer read as HTML.
    pub comments: bool,
}

impl Options {
    /// The options for finding the links that can be written: without the uses of definitions.
    pub fn for_rewriting(&self) -> Cow<'_, Self> {
        if !self.markdown.references {
            return Cow::Borrowed(self);
        }
        let mut options = self.clone();
        options.markdown.references = false;
        Cow::Owned(options)
    }

    /// The options for one document. In a part of a message, the header determines whether text is
    /// flowed, and URLs in the text of HTML are found. Folded fields need no other joining of lines. In ISO-2022-JP an escape sequence precedes
    /// non-ASCII characters and ends a URL, since no program writes one into a URL.
    pub(crate) fn for_source(&self, source: &Source) -> Cow<'_, Self> {
        let is_japanese = source.charset.encoding() == encoding_rs::ISO_2022_JP;
        let is_ascii = is_japanese && self.text.iri == Iri::Auto;
        let is_folded = matches!(source.syntax, Some(TextSyntax::Fields(_)));
        if source.mail_part.is_none() && !is_ascii && !is_folded {
            return Cow::Borrowed(self);
        }
        let mut options = self.clone();
        // The next line of a folded one shows that it continues.
        if is_folded {
            options.text.join = Some(Join::None);
        }
        if let Some(part) = &source.mail_part {
            options.html_text = true;
            options.text.flowed |= part.flowed.is_some();
            options.text.delsp |= part.flowed.is_some_and(|flowed| flowed.delsp);
        }
        if is_ascii {
            options.text.iri = Iri::Ascii;
        }
        Cow::Owned(options)
    }

    /// The options for URLs in text, with `join` as the default for joining lines.
    pub(crate) fn text_joining(&self, join: Join) -> TextOptions {
        TextOptions { join: Some(self.text.join.unwrap_or(join)), ..self.text }
    }
}
