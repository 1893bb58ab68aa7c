//! Links for the URLs in plain text and in the text of HTML.
//!
//! [`Linkify`] has the options, and turns text into HTML with links, or HTML into HTML with more
//! links:
//!
//! ```
//! use rehref_document::Linkify;
//!
//! let linkify = Linkify::new().rel("nofollow");
//! assert_eq!(
//!     linkify.text("See <http://a.example/b?c&d>."),
//!     "See &lt;<a href=\"http://a.example/b?c&amp;d\" rel=\"nofollow\">http://a.example/b?c&amp;d</a>&gt;.",
//! );
//! assert_eq!(
//!     linkify.html("<p title=\"http://a.example\">http://a.example/b"),
//!     "<p title=\"http://a.example\"><a href=\"http://a.example/b\" rel=\"nofollow\">http://a.example/b</a>",
//! );
//! ```
//!
//! The URLs are those that [`Links`](crate::Links) has of a plain text, and of HTML with
//! [`Options::html_text`](crate::Options::html_text): see [`format::text`](crate::format::text).
//!
//! # Safety
//! - In plain text, `&`, `<`, `>`, `"` and `'` become character references. In HTML no byte
//!   changes except for attributes of existing links that a function changes: the only new text is
//!   start and end tags of `a`. Values of attributes are escaped, and names are checked.
//! - New links are made in text only, where html5ever's tree builder inserts it at once, and never in
//!   `a`, `button`, `datalist`, `frameset`, `iframe`, `noembed`, `noframes`, `noscript`,
//!   `optgroup`, `option`, `plaintext`, `script`, `select`, `style`, `template`, `textarea`,
//!   `title`, `xmp`, SVG and MathML. So the tree of the new page without its new `a` elements is
//!   the old one, with scripting enabled or not.
//! - HTML that was safe as a page or in the text of a page stays safe in that context. In a
//!   `select`, a `textarea` or a script, browsers read the same HTML in another way. Unsafe HTML is
//!   not cleaned: that is the task of a sanitizer.
//! - The scheme of each target is one of a list, as browsers read it.
//!
//! # Inside
//! - `format::html` finds the places (`linkable`): by the tags if they nest, or else by the tree
//!   builder, which builds no tree. A property test compares both.
//! - `output` inserts markup and copies everything else. In UTF-16 and ISO-2022-JP it inserts the
//!   byte sequences that these encodings need.

mod anchor;
mod attributes;
mod error;
mod output;

use std::borrow::Cow;
use std::cell::RefCell;

pub use anchor::{Anchor, AnchorChoice};
pub use error::LinkifyError;

use self::attributes::Attribute;
use self::output::Output;
use crate::bytes::{Span, Spans, without_gaps};
use crate::document::Document;
use crate::format::text::{Join, TextOptions};
use crate::format::{Contexts, Format, LinkTag, LinkTags, Options};
use crate::link::{Note, ParsedLink};
use crate::source::{Charset, Source};

/// Returns true for a link to make.
type Wanted<'w> = dyn Fn(&ParsedLink<'_>) -> bool + 'w;

/// The default schemes of new links.
const SCHEMES: [&str; 4] = ["ftp", "http", "https", "mailto"];

/// The schemes of URLs that browsers run or show as a separate page.
const UNSAFE_SCHEMES: [&str; 3] = ["data", "javascript", "vbscript"];

/// Makes links of the URLs in plain text and in the text of HTML.
///
/// By default, these are URLs with the schemes `ftp`, `http`, `https` and `mailto`:
///
/// ```
/// use rehref_document::Linkify;
/// use rehref_document::format::text::TextOptions;
///
/// let text = "Write to ann@a.example, or see www.a.example.";
/// assert_eq!(Linkify::new().text(text), text);
///
/// let linkify = Linkify::new().text_options(TextOptions {
///     abbreviated: true,
///     emails: true,
///     ..TextOptions::default()
/// });
/// assert_eq!(
///     linkify.text(text),
///     "Write to <a href=\"mailto:ann@a.example\">ann@a.example</a>, \
///      or see <a href=\"http://www.a.example\">www.a.example</a>.",
/// );
/// ```
#[derive(Clone, Debug, Default)]
pub struct Linkify {
    attributes: Vec<Attribute>,
    skipped: Vec<String>,
    /// `None` if they are the default ones.
    schemes: Option<Vec<String>>,
    text: TextOptions,
    existing: bool,
}

/// A document with new links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linkified {
    /// The bytes of the HTML, in the character encoding of the document.
    pub bytes: Vec<u8>,
    /// The number of URLs that became links.
    pub links: usize,
}

impl Linkify {
    /// The default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the `rel` of each link, such as `nofollow`.
    #[must_use]
    pub fn rel(self, rel: impl Into<String>) -> Self {
        self.with("rel", rel.into())
    }

    /// Sets the `target` of each link, such as `_blank`.
    #[must_use]
    pub fn target(self, target: impl Into<String>) -> Self {
        self.with("target", target.into())
    }

    fn with(mut self, name: &'static str, value: String) -> Self {
        let set = attributes::set(&mut self.attributes, Cow::Borrowed(name), value);
        debug_assert!(set.is_ok(), "{name} is a name");
        self
    }

    /// Sets an attribute of each link.
    ///
    /// # Errors
    /// If the name is not one of an attribute, or is `href`: [`LinkifyError::AttributeName`].
    pub fn attribute(
        mut self,
        name: impl Into<Cow<'static, str>>,
        value: impl Into<String>,
    ) -> Result<Self, LinkifyError> {
        attributes::set(&mut self.attributes, name.into(), value.into())?;
        Ok(self)
    }

    /// Sets the names of elements of HTML in which no link is made, in any case of letters.
    /// Default: only the elements that never have a new link, such as `a`, `script` and `textarea`.
    ///
    /// ```
    /// use rehref_document::Linkify;
    ///
    /// let html = "<pre>curl http://a.example/</pre>";
    /// assert_eq!(Linkify::new().skip(["pre", "code"]).html(html), html);
    /// ```
    #[must_use]
    pub fn skip(self, names: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let names = names.into_iter();
        Self { skipped: names.map(|it| it.as_ref().trim().to_ascii_lowercase()).collect(), ..self }
    }

    /// Sets the schemes of links, in any case of letters. Default: `ftp`, `http`, `https` and
    /// `mailto`.
    ///
    /// # Errors
    /// If a name is not a scheme ([`LinkifyError::Scheme`]), or one of `data`, `javascript` and
    /// `vbscript` ([`LinkifyError::UnsafeScheme`]).
    pub fn schemes(
        self,
        schemes: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<Self, LinkifyError> {
        let read = |scheme: &str| {
            let lower = scheme.to_ascii_lowercase();
            if scheme_of(&format!("{lower}:")).is_none_or(|it| it != lower) {
                return Err(LinkifyError::Scheme(scheme.to_owned()));
            }
            match UNSAFE_SCHEMES.contains(&&*lower) {
                true => Err(LinkifyError::UnsafeScheme(lower)),
                false => Ok(lower),
            }
        };
        let schemes = schemes.into_iter().map(|it| read(it.as_ref()));
        Ok(Self { schemes: Some(schemes.collect::<Result<_, _>>()?), ..self })
    }

    /// Sets the options for URLs in text, such as [`abbreviated`](TextOptions::abbreviated) and
    /// [`emails`](TextOptions::emails).
    #[must_use]
    pub fn text_options(self, text: TextOptions) -> Self {
        Self { text, ..self }
    }

    /// Also calls the function of [`html_with`](Self::html_with) or
    /// [`document_with`](Self::document_with) with each existing link: `<a href>` of a page, in
    /// its order. The function may change the target and the attributes, not the text. Bytes that
    /// it does not change stay, and no element is added or removed.
    ///
    /// The function does not get all: not those of a tag that parsers read in different ways, nor
    /// those after a place where they do, such as SVG in a `select`, or after a point where about
    /// 1000 elements are open. Nor those whose tag has more than 256 attributes or only an
    /// `xlink:href`, nor those in a comment or a `srcdoc`. So remove what is unsafe in HTML of
    /// strangers first, with a sanitizer.
    ///
    /// ```
    /// use rehref_document::Linkify;
    /// use rehref_document::rewrite::AnchorChoice;
    ///
    /// let page = "<p><a href='http://a.example/'>a</a> http://b.example/";
    /// let linked = Linkify::new().existing(true).html_with(page, |anchor| {
    ///     let set = anchor.set_attribute("rel", "nofollow");
    ///     debug_assert!(set.is_ok());
    ///     AnchorChoice::Make
    /// });
    /// assert_eq!(
    ///     linked,
    ///     "<p><a href='http://a.example/' rel=\"nofollow\">a</a> \
    ///      <a href=\"http://b.example/\" rel=\"nofollow\">http://b.example/</a>",
    /// );
    /// ```
    ///
    /// Cost: that of the tree of the page, about ten times that of its links, also without a
    /// function.
    #[must_use]
    pub fn existing(self, existing: bool) -> Self {
        Self { existing, ..self }
    }

    /// Turns plain text into HTML: a fragment with links, in which everything else is escaped. Line
    /// breaks are unchanged.
    ///
    /// Cost: one pass over the text, and memory for the result.
    pub fn text(&self, text: &str) -> String {
        self.text_with(text, |_| AnchorChoice::Make)
    }

    /// Turns plain text into HTML as [`text`](Self::text) does, with a function that changes or
    /// skips each link: see [`html_with`](Self::html_with).
    pub fn text_with(
        &self,
        text: &str,
        each: impl FnMut(&mut Anchor<'_>) -> AnchorChoice,
    ) -> String {
        self.text_document(&document_of(text, Format::Text), each).into_text()
    }

    /// Makes links of the URLs in the text of HTML: a whole page, or a fragment of a body. No other
    /// byte changes.
    ///
    /// A second call with the result changes nothing.
    ///
    /// Cost: one pass over a page whose tags nest, and memory for the result. Any other page is
    /// read by the tree builder up to the last URL. That usually takes four times the time, and at
    /// most 150 times, if 1000 elements nest. In pages that nest deeper, no link is made from that
    /// point on.
    pub fn html(&self, html: &str) -> String {
        self.html_with(html, |_| AnchorChoice::Make)
    }

    /// Makes links in HTML as [`html`](Self::html) does, with a function that changes or skips each
    /// link.
    ///
    /// ```
    /// use rehref_document::Linkify;
    /// use rehref_document::rewrite::AnchorChoice;
    ///
    /// let linked = Linkify::new().html_with("<p>http://a.example/b http://c.example/d", |anchor| {
    ///     if anchor.href().starts_with("http://c.example/") {
    ///         return AnchorChoice::Skip;
    ///     }
    ///     let text = anchor.text().replace("http://", "");
    ///     anchor.set_text(text);
    ///     anchor.set_href("/go/1");
    ///     AnchorChoice::Make
    /// });
    /// assert_eq!(linked, "<p><a href=\"/go/1\">a.example/b</a> http://c.example/d");
    /// ```
    pub fn html_with(
        &self,
        html: &str,
        each: impl FnMut(&mut Anchor<'_>) -> AnchorChoice,
    ) -> String {
        let document = document_of(html, Format::Html);
        // The format is that of pages.
        let linked = self.document_with(&document, each);
        linked.map_or_else(|_| html.to_owned(), Linkified::into_text)
    }

    /// Makes links in a document: a plain text becomes HTML, and HTML gets links, in the character
    /// encoding of the document.
    ///
    /// ```
    /// use rehref_document::{Document, Linkify};
    ///
    /// let page = Document::from_bytes(b"<p>caf\xE9: http://a.example/".to_vec())
    ///     .content_type("text/html; charset=iso-8859-1")
    ///     .build()?;
    /// let linked = Linkify::new().document(&page)?;
    /// assert_eq!(linked.links, 1);
    /// assert_eq!(linked.bytes, b"<p>caf\xE9: <a href=\"http://a.example/\">http://a.example/</a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the document is neither plain text nor HTML ([`LinkifyError::Format`]), or in an encoding
    /// that is never decoded ([`LinkifyError::Charset`]).
    pub fn document(&self, document: &Document) -> Result<Linkified, LinkifyError> {
        self.document_with(document, |_| AnchorChoice::Make)
    }

    /// Makes links in a document as [`document`](Self::document) does, with a function that changes
    /// or skips each link: see [`html_with`](Self::html_with).
    ///
    /// # Errors
    /// Those of [`document`](Self::document).
    pub fn document_with(
        &self,
        document: &Document,
        each: impl FnMut(&mut Anchor<'_>) -> AnchorChoice,
    ) -> Result<Linkified, LinkifyError> {
        let format = document.format();
        let encoding = document.charset().encoding();
        if encoding == encoding_rs::REPLACEMENT {
            return Err(LinkifyError::Charset(encoding.name()));
        }
        if format.is_plain_text() {
            return Ok(self.text_document(document, each));
        }
        let find = |options: &Options, wanted: &Wanted<'_>| {
            format.linkable(document.source(), options, &self.skipped, wanted)
        };
        match self.find(&find) {
            Some(links) => {
                let tags = match self.existing {
                    true => format.link_tags(document.source(), &self.options()),
                    false => LinkTags::default(),
                };
                Ok(self.write(Output::of_page(document), &links, &tags, each))
            }
            None => Err(LinkifyError::Format(format)),
        }
    }

    fn text_document(
        &self,
        document: &Document,
        each: impl FnMut(&mut Anchor<'_>) -> AnchorChoice,
    ) -> Linkified {
        let find = |options: &Options, wanted: &Wanted<'_>| {
            let mut links = document.found(options).links;
            links.retain(|link| wanted(link));
            Some(links)
        };
        let mut links = self.find(&find).unwrap_or_default();
        for link in &mut links {
            if link.spans.len() > 1 {
                link.spans = joined(document, &link.spans);
            }
        }
        self.write(Output::of_text(document), &links, &LinkTags::default(), each)
    }

    /// Finds the links to make. `find` returns the links that a filter accepts.
    ///
    /// The lines that [`Join::Guess`] joins depend on the text before them, and a second run sees
    /// less of that text. So if lines were joined to a URL that does not become a link, links are
    /// made as if they had not been joined.
    fn find<'d>(
        &self,
        find: &dyn Fn(&Options, &Wanted<'_>) -> Option<Vec<ParsedLink<'d>>>,
    ) -> Option<Vec<ParsedLink<'d>>> {
        let options = self.options();
        let joined = RefCell::new(Vec::new());
        let mut links = find(&options, &|link| {
            let is_wanted = self.wants(link);
            if let [first, .., last] = &*link.spans
                && !is_wanted
            {
                joined.borrow_mut().push(Span::new(first.end, last.end));
            }
            is_wanted
        })?;
        let mut joined = joined.into_inner();
        if options.text.join == Some(Join::Guess) && !joined.is_empty() {
            joined.sort_unstable_by_key(|it| it.start);
            let unjoined = Options {
                text: TextOptions { join: Some(Join::Angle), ..options.text },
                ..options
            };
            let others = find(&unjoined, &|link| {
                let extent = link.extent();
                let at = joined.partition_point(|it| it.end < extent.end);
                joined.get(at).is_some_and(|it| it.start <= extent.start) && self.wants(link)
            })?;
            links.extend(others);
            links.sort_by_key(|link| link.extent().start);
        }
        Some(links)
    }

    fn options(&self) -> Options {
        Options { text: self.text, ..Options::default() }
    }

    /// Returns true if this link may be made.
    fn wants(&self, link: &ParsedLink<'_>) -> bool {
        // Their authors want no links.
        if link.notes.contains(Note::Defanged) {
            return false;
        }
        // Also false for a link with bytes that are invalid in the character encoding.
        let is_known = !link.reference.contains('\u{FFFD}');
        let href = link.place.delimiter().map(|it| it.completed(&link.reference));
        is_known && href.is_some_and(|href| self.allows(&href))
    }

    /// Returns true if links may have this target.
    fn allows(&self, href: &str) -> bool {
        scheme_of(href).is_none_or(|scheme| match &self.schemes {
            Some(schemes) => schemes.iter().any(|it| *it == scheme),
            None => SCHEMES.contains(&&*scheme),
        })
    }

    fn write(
        &self,
        mut output: Output<'_>,
        links: &[ParsedLink<'_>],
        LinkTags { tags, contexts }: &LinkTags,
        mut each: impl FnMut(&mut Anchor<'_>) -> AnchorChoice,
    ) -> Linkified {
        let mut count = 0;
        let mut tags = tags.iter().peekable();
        for link in links {
            while let Some(tag) = tags.next_if(|tag| tag.span.start < link.extent().start) {
                self.write_tag(&mut output, tag, contexts, &mut each);
            }
            let Some(delimiter) = link.place.delimiter().filter(|_| output.takes(&link.spans))
            else {
                continue;
            };
            let mut anchor = Anchor::new(&link.reference, delimiter, &self.attributes);
            if each(&mut anchor) == AnchorChoice::Make && self.allows(anchor.href()) {
                output.link(&link.spans, &anchor);
                count += 1;
            }
        }
        for tag in tags {
            self.write_tag(&mut output, tag, contexts, &mut each);
        }
        Linkified { bytes: output.finish(), links: count }
    }

    /// Writes the tag of an existing link.
    fn write_tag(
        &self,
        output: &mut Output<'_>,
        tag: &LinkTag,
        contexts: &Contexts,
        each: &mut impl FnMut(&mut Anchor<'_>) -> AnchorChoice,
    ) {
        if !output.takes(&[tag.span]) {
            return;
        }
        let old = Anchor::of_tag(tag, contexts.text_of(tag.number).unwrap_or_default());
        let mut anchor = old.clone();
        let choice = each(&mut anchor);
        let is_changed = !old.attributes().eq(anchor.attributes()) || old.href() != anchor.href();
        if choice == AnchorChoice::Unlink || choice == AnchorChoice::Make && is_changed {
            let is_allowed = ["href", "xlink:href"].iter().all(|name| {
                let new = anchor.attribute(name).filter(|new| old.attribute(name) != Some(*new));
                new.is_none_or(|new| self.allows(new))
            });
            let has_target = is_allowed && choice == AnchorChoice::Make;
            output.tag(tag, &anchor, has_target);
        }
    }
}

impl Linkified {
    /// Converts the HTML to text.
    fn into_text(self) -> String {
        // Markup is inserted between characters of a text in UTF-8.
        String::from_utf8(self.bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }
}

/// A document of a text in memory.
fn document_of(text: &str, format: Format) -> Document {
    Document::from_source(Source::new(text.as_bytes().to_vec(), Charset::VALID), format)
}

/// The spans of a URL in plain text, without the gaps of white space, and without escapes of source
/// code. The marks of a quoted reply remain.
fn joined(document: &Document, spans: &Spans) -> Spans {
    without_gaps(spans, |gap| {
        let text = document.decode(gap);
        text.trim().is_empty() || !text.contains(['\n', '\r'])
    })
}

/// The scheme of a URL in lower case, as browsers read it (URL standard, section 4.4). `None` for a
/// relative reference.
fn scheme_of(url: &str) -> Option<Cow<'_, str>> {
    let letters = url.bytes().take_while(u8::is_ascii_lowercase).count();
    if letters > 0 && url.as_bytes().get(letters) == Some(&b':') {
        return Some(Cow::Borrowed(&url[..letters]));
    }
    let url = url.trim_start_matches(|it: char| it <= ' ');
    let mut scheme = String::new();
    for character in url.chars().filter(|it| !matches!(it, '\t' | '\n' | '\r')) {
        match character {
            ':' if !scheme.is_empty() => return Some(Cow::Owned(scheme)),
            '0'..='9' | '+' | '-' | '.' if !scheme.is_empty() => scheme.push(character),
            'a'..='z' | 'A'..='Z' => scheme.push(character.to_ascii_lowercase()),
            _ => return None,
        }
    }
    None
}
