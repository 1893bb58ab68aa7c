//! Where a link stands, and so how to write there.

use std::borrow::Cow;
use std::sync::Arc;

use crate::link::Delimiter;

/// Where a link stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// In running text.
    Text(Delimiter),
    /// In an attribute or an element of HTML or XML.
    Markup(Markup),
    /// In a style sheet.
    Css(CssPlace),
    /// In a field of the header of a message: its name, as it is written.
    Header(Box<str>),
}

impl Place {
    /// The name in records.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Markup(markup) => markup.language.as_str(),
            Self::Css(_) => "css",
            Self::Header(_) => "header",
        }
    }

    /// The attribute or element that it stands in, be it in the style sheet there.
    pub const fn markup(&self) -> Option<&Markup> {
        match self {
            Self::Text(_) | Self::Header(_) => None,
            Self::Markup(markup) => Some(markup),
            Self::Css(place) => place.markup.as_ref(),
        }
    }
}

/// An attribute or an element that a link stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Markup {
    /// What it is part of.
    pub language: Language,
    /// The element's name; in HTML in lower case.
    pub element: Cow<'static, str>,
    /// The attribute's name, in HTML in lower case; or [`CONTENT`](Self::CONTENT).
    pub attribute: Cow<'static, str>,
    /// What stands round the value.
    pub quoting: Quoting,
    /// How the URL stands in the value.
    pub form: Form,
    /// The attribute whose value is the HTML that this stands in: `srcdoc`. Or the comment, whose element has
    /// the name [`COMMENT`](Self::COMMENT).
    pub within: Option<Arc<Markup>>,
}

impl Markup {
    /// What stands for the attribute's name where the link is in the content of the element.
    pub const CONTENT: &'static str = "#text";

    /// What stands for the element's name where HTML stands in a comment.
    pub const COMMENT: &'static str = "#comment";
}

/// A language of tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// HTML as browsers read it.
    Html,
    /// XML 1.0.
    Xml,
}

impl Language {
    /// The name in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Xml => "xml",
        }
    }
}

/// What stands round a value: an attribute's, or the content of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quoting {
    /// `"value"`
    Double,
    /// `'value'`
    Single,
    /// `value`
    Unquoted,
    /// There is only a name, not even a `=`.
    Absent,
    /// `<element>value</element>`, and character references count.
    Content,
    /// The same of `style` and `script` in HTML: character references do not count.
    RawText,
    /// `<![CDATA[value]]>`
    Cdata,
    /// `<!--value-->`
    Comment,
}

/// How a URL stands in a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// It is the value.
    Whole,
    /// It is the value, and has to be absolute, as in a sitemap.
    Absolute,
    /// It is the value, and an address that others know the page by, which should be absolute: `canonical`,
    /// an `alternate` in another language, `og:url` and the like.
    Canonical,
    /// It is one of a list.
    Item,
    /// It is an image candidate of a `srcset`.
    Candidate,
    /// It is the target of a `meta` refresh, in these quotes within the value.
    Refresh {
        /// `'` or `"`.
        quote: Option<u8>,
    },
    /// It is a string of JSON, in the quotes of that.
    Json,
}

/// Where in a style sheet a link stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CssPlace {
    /// How it is written there.
    pub form: CssForm,
    /// The attribute or element that holds the style sheet; none where that is the document.
    pub markup: Option<Markup>,
}

/// How a URL is written in CSS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CssForm {
    /// `url(value)`
    Url,
    /// `"value"` or `'value'`, in `url()`, in `@import` or in `image-set()`.
    String {
        /// `"` or `'`.
        quote: u8,
    },
}
