//! The place of a link in its document, which determines how to write a link there.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::link::{Delimiter, Directive};

/// The place of a link in its document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// In running text.
    Text(Delimiter),
    /// In an attribute or an element of HTML or XML.
    Markup(MarkupPlace),
    /// In a style sheet.
    Css(CssPlace),
    /// The value of a named field or key, such as a header field of a message.
    Field(FieldPlace),
    /// In the syntax of Markdown.
    Markdown(MarkdownPlace),
}

impl Place {
    /// The name in records.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Markup(markup) => markup.language.as_str(),
            Self::Css(_) => "css",
            Self::Field(place) => place.language,
            Self::Markdown(_) => MarkdownPlace::LANGUAGE,
        }
    }

    /// The delimiters, if the place is one of URLs in running text, also in that of Markdown.
    pub fn delimiter(&self) -> Option<Delimiter> {
        match self {
            Self::Text(delimiter) => Some(*delimiter),
            Self::Markdown(place) => place.form.delimiter(),
            Self::Markup(_) | Self::Css(_) | Self::Field(_) => None,
        }
    }

    /// Returns true if the link is a use of a definition, whose destination is written elsewhere.
    pub fn is_use(&self) -> bool {
        matches!(self, Self::Markdown(place) if place.form == MarkdownForm::Reference)
    }

    /// Returns true for a definition of Markdown that the document never uses.
    pub fn is_unused_definition(&self) -> bool {
        matches!(self, Self::Markdown(place) if place.is_unused && place.form == MarkdownForm::Definition)
    }

    /// The form of a link in Markdown whose text is the name of a file and not a URL: `[[target]]`,
    /// or a construct of a program.
    pub fn path_form(&self) -> Option<MarkdownForm> {
        match self {
            Self::Markdown(place) => Some(place.form).filter(|form| match form {
                MarkdownForm::Directive(directive) => directive.is_path(),
                form => *form == MarkdownForm::Wiki,
            }),
            _ => None,
        }
    }

    /// Returns true if the link is a construct of a program that makes sites, whose text is the
    /// name of a file.
    pub fn is_construct(&self) -> bool {
        matches!(self.path_form(), Some(MarkdownForm::Directive(_)))
    }

    /// The name in records of the syntax of the link in text or in Markdown.
    pub fn cue(&self) -> Option<&'static str> {
        match self {
            Self::Text(delimiter) => Some(delimiter.as_str()),
            Self::Markdown(place) => Some(place.form.as_str()),
            Self::Markup(_) | Self::Css(_) | Self::Field(_) => None,
        }
    }

    /// The attribute or element that contains the link, directly or in a style sheet.
    pub fn markup(&self) -> Option<&Markup> {
        match self {
            Self::Text(_) | Self::Field(_) | Self::Markdown(_) => None,
            Self::Markup(markup) => Some(markup),
            Self::Css(place) => place.markup.as_deref(),
        }
    }

    /// Replaces the attribute or element that contains the link, if any.
    pub(crate) fn set_markup(&mut self, new: Markup) {
        match self {
            Self::Text(_)
            | Self::Field(_)
            | Self::Markdown(_)
            | Self::Css(CssPlace { markup: None, .. }) => {}
            Self::Markup(markup) => *markup = new.into(),
            Self::Css(place) => place.markup = Some(new.into()),
        }
    }

    /// The name of the attribute of HTML or XML that contains the link, or the key of its field.
    /// `None` for fields of a message, whose name is [`header`](Self::header).
    pub fn attribute(&self) -> Option<&str> {
        match self {
            Self::Field(place) if !place.is_header() => Some(&place.key),
            place => place.markup().map(|markup| &*markup.attribute),
        }
    }

    /// The name of the header field of a message that contains the link, as written.
    pub fn header(&self) -> Option<&str> {
        match self {
            Self::Field(place) if place.is_header() => Some(&place.key),
            _ => None,
        }
    }
}

/// A field or key whose value is or contains a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldPlace {
    /// The name of the language, which is the name of the place in records.
    pub language: &'static str,
    /// The name of the field or the key, as written.
    pub key: Box<str>,
}

impl FieldPlace {
    /// The language of the header of a message.
    pub const HEADER: &'static str = "header";

    fn is_header(&self) -> bool {
        self.language == Self::HEADER
    }
}

/// The place of a link in the syntax of Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkdownPlace {
    /// The syntax of the link.
    pub form: MarkdownForm,
    /// True if a destination is in `<` and `>`.
    pub is_bracketed: bool,
    /// True if it is in a cell of a table, where pipes are escaped.
    pub is_in_table: bool,
    /// True for a definition that the document never uses, or whose label has an earlier definition.
    pub is_unused: bool,
}

impl MarkdownPlace {
    /// The name of the place in records.
    pub const LANGUAGE: &'static str = "markdown";

    /// A place of this form without brackets, outside of tables.
    pub(crate) const fn new(form: MarkdownForm) -> Self {
        Self { form, is_bracketed: false, is_in_table: false, is_unused: false }
    }
}

/// The syntax of a link in Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MarkdownForm {
    /// `[text](destination)` or `![text](destination)` (CommonMark, sections 6.3 and 6.4).
    Inline,
    /// `[label]: destination` (CommonMark, section 4.7).
    Definition,
    /// `<http://a/b>` (CommonMark, section 6.5), or a URL or an address without brackets (GFM,
    /// section 6.9).
    Url(Delimiter),
    /// `[[target]]` or `![[target]]`.
    Wiki,
    /// A value of the front matter.
    FrontMatter,
    /// A construct of a program that makes a site.
    Directive(Directive),
    /// `[text][label]`, `[label][]` or `[label]`: a use of a definition, whose destination it has.
    Reference,
}

impl MarkdownForm {
    /// The forms without a delimiter or a construct.
    pub const ALL: &'static [Self] =
        &[Self::Inline, Self::Definition, Self::Wiki, Self::FrontMatter, Self::Reference];

    /// The name in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Inline => "inline",
            Self::Definition => "definition",
            Self::Url(delimiter) => delimiter.as_str(),
            Self::Wiki => "wiki",
            Self::Directive(directive) => directive.as_str(),
            Self::FrontMatter => "front-matter",
            Self::Reference => "reference",
        }
    }

    /// The delimiters of a URL in the text.
    pub const fn delimiter(self) -> Option<Delimiter> {
        match self {
            Self::Url(delimiter) => Some(delimiter),
            _ => None,
        }
    }
}

/// An attribute or element that contains a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Markup {
    /// The language of the document part.
    pub language: Language,
    /// The element's name; in HTML in lower case.
    pub element: Cow<'static, str>,
    /// The attribute's name, in HTML in lower case; or [`CONTENT`](Self::CONTENT).
    pub attribute: Cow<'static, str>,
    /// The quoting of the value.
    pub quoting: Quoting,
    /// The form of the URL in the value.
    pub form: Form,
    /// The place that contains this HTML: an attribute (`srcdoc`), an element of a feed with
    /// escaped HTML, or a comment, whose element has the name [`COMMENT`](Self::COMMENT).
    pub within: Option<Arc<Markup>>,
    /// The `rel` attribute of the tag, with [`Options::rels`](crate::Options::rels).
    pub rel: Option<Arc<str>>,
    /// The fragment of the target, if the document has it elsewhere, as documents of offices do.
    pub fragment: Option<Arc<str>>,
}

impl Markup {
    /// The attribute name for a link in the content of the element.
    pub const CONTENT: &'static str = "#text";

    /// The element name for HTML in a comment.
    pub const COMMENT: &'static str = "#comment";

    /// The place in the document itself that contains the link, if it is in HTML within the
    /// document.
    pub fn outermost(&self) -> &Self {
        let mut outermost = self;
        while let Some(outer) = &outermost.within {
            outermost = outer;
        }
        outermost
    }
}

/// A [`Markup`] that many links share: most attributes of pages have the same few.
#[derive(Clone)]
pub struct MarkupPlace(Shared);

#[derive(Clone)]
enum Shared {
    Known(&'static Markup),
    Counted(Arc<Markup>),
}

impl MarkupPlace {
    /// A constant place, without a document.
    pub(crate) const fn known(markup: &'static Markup) -> Self {
        Self(Shared::Known(markup))
    }
}

impl Deref for MarkupPlace {
    type Target = Markup;

    #[inline]
    fn deref(&self) -> &Markup {
        match &self.0 {
            Shared::Known(markup) => markup,
            Shared::Counted(markup) => markup,
        }
    }
}

impl From<Markup> for MarkupPlace {
    fn from(markup: Markup) -> Self {
        Self(Shared::Counted(Arc::new(markup)))
    }
}

impl Eq for MarkupPlace {}

impl PartialEq for MarkupPlace {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl fmt::Debug for MarkupPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// A markup language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// HTML as browsers read it.
    Html,
    /// XML 1.0.
    Xml,
    /// Office Open XML (ISO 29500).
    Ooxml,
    /// Open Document Format (OASIS, part 3).
    Odf,
}

impl Language {
    /// The name in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Xml => "xml",
            Self::Ooxml => "ooxml",
            Self::Odf => "odf",
        }
    }

    /// Returns true for the languages of documents of offices.
    pub const fn is_of_office(self) -> bool {
        matches!(self, Self::Ooxml | Self::Odf)
    }

    /// Returns true for XML and the languages that are written in it.
    pub const fn is_xml(self) -> bool {
        !matches!(self, Self::Html)
    }
}

/// The quoting of a value: of an attribute or of the content of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Quoting {
    /// `"value"`
    Double,
    /// `'value'`
    Single,
    /// `value`
    Unquoted,
    /// Only a name, without `=`.
    Absent,
    /// `<element>value</element>`, with character references.
    Content,
    /// The content of `style` and `script` in HTML, without character references.
    RawText,
    /// `<![CDATA[value]]>`
    Cdata,
    /// `<!--value-->`
    Comment,
}

/// The form of a URL in a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// The whole value.
    Whole,
    /// An item of a list.
    Item,
    /// An image candidate of a `srcset`.
    Candidate,
    /// The target of a `meta` refresh, in these quotes within the value.
    Refresh {
        /// `'` or `"`.
        quote: Option<u8>,
    },
    /// A string of JSON, in its quotes.
    Json,
    /// A URL in text, in a value without rules for links.
    Text,
    /// An argument of a field of Word (ISO 29500-1, section 17.16).
    Field {
        /// True if it is in quotes, where `\\` spells a backslash and `\"` a quote.
        is_quoted: bool,
    },
    /// A string of a formula, in these quotes, which are doubled within it.
    Formula {
        /// `"`, or `'` around the name of a file.
        quote: u8,
    },
}

/// The place of a link in a style sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CssPlace {
    /// The syntax of the URL.
    pub form: CssForm,
    /// The attribute or element that contains the style sheet. None if the style sheet is the
    /// document.
    pub markup: Option<MarkupPlace>,
}

/// The syntax of a URL in CSS.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_an_attribute_and_the_name_of_a_header_field_is_not() {
        let of = |language| {
            let key = "URL".into();
            Place::Field(FieldPlace { language, key })
        };
        let (key, header) = (of("language"), of(FieldPlace::HEADER));
        assert_eq!(key.as_str(), "language");
        assert_eq!((key.attribute(), key.header()), (Some("URL"), None));
        assert_eq!(header.as_str(), "header");
        assert_eq!((header.attribute(), header.header()), (None, Some("URL")));
    }
}
