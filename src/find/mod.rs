//! Finding the links of a document, each with the exact bytes that spell it.

mod base_element;
mod css;
mod header;
mod html;
mod in_text;
mod integrity;
mod parts;
mod pasted;
mod place;
mod proof;
mod query;
mod scripted;
mod stream;
mod syntax;
mod target;
pub mod text;
mod unwrap;
mod value;
mod xml;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::document::{Base, Carrier, Charset, Document, Media, Text};
use crate::span::{Span, Spans};
use crate::uri::Resolver;
use syntax::Translation;
use text::{Iri, Join, TextUrl};

pub use crate::document::MAX_BASE;
pub use base_element::BaseElement;
pub(crate) use html::base_of_element;
pub use html::{Context, Contexts};
pub(crate) use html::{
    Difference, LinkState, Pair, ReferenceWithin, Side, begins_with_reference, compare,
};
pub use in_text::find_each_in_text;
pub use integrity::Integrity;
pub use parts::{TextPart, TextParts};
pub use place::{CssForm, CssPlace, Form, Language, Markup, Place, Quoting};
pub use scripted::scripted_links;
pub use stream::{LinkPosition, TextStream};
pub(crate) use target::uri_of;
pub use target::{Resolving, Target};
pub use text::{Cue, TextOptions};
pub use unwrap::unwrapped;
pub(crate) use xml::{is_char as is_xml_char, names_entity};

/// One URL or reference of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link<'d> {
    /// The bytes of the document that spell it, without delimiters. In text they exclude removed
    /// white space; in HTML and XML they are the whole value, or the part of it that is this URL; in CSS what
    /// is in the quotes or parentheses, without the white space round it.
    pub spans: Spans,
    /// The reference after decoding: charset, character references or escapes, and white space that is
    /// not part of it.
    pub reference: Cow<'d, str>,
    /// Where it stands, and so how to write there.
    pub place: Place,
    /// What it is for.
    pub role: Role,
    /// What it is relative to.
    pub against: Against,
    /// What there is to know about its reading.
    pub notes: Notes,
    /// The other readings of the reference: where it was broken after a hyphen, with that hyphen if it
    /// has none and without it if it has.
    pub alternatives: Vec<String>,
}

/// What a link is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// To go there.
    Navigate,
    /// To show it as part of the page.
    Embed,
    /// A style sheet.
    Style,
    /// A script.
    Script,
    /// Where a form goes.
    Submit,
    /// The source of a quotation or change.
    Cite,
    /// To be told of a click.
    Ping,
    /// A base for other references.
    Base,
    /// Something about the document.
    Metadata,
    /// None of these.
    Other,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 10] = [
        Self::Navigate,
        Self::Embed,
        Self::Style,
        Self::Script,
        Self::Submit,
        Self::Cite,
        Self::Ping,
        Self::Base,
        Self::Metadata,
        Self::Other,
    ];

    /// The name in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Navigate => "navigate",
            Self::Embed => "embed",
            Self::Style => "style",
            Self::Script => "script",
            Self::Submit => "submit",
            Self::Cite => "cite",
            Self::Ping => "ping",
            Self::Base => "base",
            Self::Metadata => "metadata",
            Self::Other => "other",
        }
    }
}

impl Role {
    /// Whether an empty reference is to the URL of the document, whatever its base: so it is in the action of a form
    /// (HTML standard, 4.10.21.3).
    pub(crate) const fn is_own_when_empty(self) -> bool {
        matches!(self, Self::Submit)
    }

    /// Whether a fragment alone is followed as any other reference; elsewhere it names a part of the document, such as
    /// an image that is drawn.
    pub(crate) const fn follows_fragment(self) -> bool {
        matches!(self, Self::Navigate | Self::Submit)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a reference is relative to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Against {
    /// The document's base.
    Base,
    /// The URI that the document was retrieved from, whatever BASE says.
    Document,
    /// This base, which holds in a part of the document only. Shared by all links there: an `archive` may
    /// list as many as it has bytes.
    Nested(Arc<NestedBase>),
}

impl Against {
    /// What `reference` is relative to where a reference with this role is relative to `self` in general.
    pub(crate) fn of(self, reference: &str, role: Role) -> Self {
        match self {
            Self::Base if reference.is_empty() && role.is_own_when_empty() => Self::Document,
            other => other,
        }
    }
}

/// How deep bases are nested at most: one that is deeper is not used.
pub const MAX_NESTED: usize = 64;

/// A base that holds in a part of a document: an `xml:base` (W3C XML Base), a `codebase`, or the BASE of a page
/// within the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NestedBase {
    reference: Box<str>,
    outer: Option<Arc<Self>>,
    depth: usize,
    is_unknown: bool,
}

impl NestedBase {
    /// The base `reference`, relative to `outer` or else to the document's base; none where that makes
    /// more than [`MAX_NESTED`].
    pub fn new(reference: &str, outer: Option<&Arc<Self>>) -> Option<Self> {
        let depth = outer.map_or(0, |outer| outer.depth + 1);
        (depth < MAX_NESTED).then(|| Self {
            reference: reference.into(),
            outer: outer.cloned(),
            depth,
            is_unknown: false,
        })
    }

    /// The same, where an entity of a document type, which is not read, is part of it.
    fn unknown(self) -> Self {
        Self {
            is_unknown: true,
            ..self
        }
    }

    /// Whether what it is is not known.
    pub fn is_unknown(&self) -> bool {
        self.is_unknown
    }

    /// The same, all of it relative to `outer`.
    fn within(&self, outer: &Arc<Self>) -> Option<Self> {
        let next = match &self.outer {
            Some(next) => Arc::new(next.within(outer)?),
            None => Arc::clone(outer),
        };
        let is_unknown = self.is_unknown;
        let nested = Self::new(&self.reference, Some(&next))?;
        Some(Self {
            is_unknown,
            ..nested
        })
    }

    /// The reference.
    pub fn reference(&self) -> &str {
        &self.reference
    }

    /// What it is relative to, if that is not the document's base.
    pub fn outer(&self) -> Option<&Arc<Self>> {
        self.outer.as_ref()
    }

    /// How many bases it is inside of.
    pub fn depth(&self) -> usize {
        self.depth
    }
}

/// One thing to know about a link's reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Note {
    /// It was put together again from pieces that white space kept apart.
    Rejoined,
    /// It was put together over a line end, and nothing but what the lines look like says that it
    /// should.
    Doubtful,
    /// Escapes or other syntax within it were taken out or decoded: see
    /// [`TextSyntax`](crate::document::TextSyntax). So were the colors of a terminal.
    Unescaped,
    /// Some of its bytes are invalid in the document's charset and were read as U+FFFD.
    Undecodable,
    /// It is no reference by the grammar of RFC 3986 and 3987. It was split by RFC 3986, Appendix
    /// B, and resolved all the same.
    Malformed,
    /// It has no target by the resolver's profile: resolving fails, whatever the base.
    Unresolvable,
    /// It names a host and no scheme (`//host/path`), and no base in mail says which: it was taken for `https`.
    AssumedScheme,
    /// Of its record in mail: the bytes of the file that spell it spell some bytes around it too, as in base64.
    Covering,
}

impl Note {
    /// All notes.
    pub const ALL: [Self; 8] = [
        Self::Rejoined,
        Self::Doubtful,
        Self::Unescaped,
        Self::Undecodable,
        Self::Malformed,
        Self::Unresolvable,
        Self::AssumedScheme,
        Self::Covering,
    ];

    /// The name in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rejoined => "rejoined",
            Self::Doubtful => "doubtful",
            Self::Unescaped => "unescaped",
            Self::Undecodable => "undecodable",
            Self::Malformed => "malformed",
            Self::Unresolvable => "unresolvable",
            Self::AssumedScheme => "assumed-scheme",
            Self::Covering => "covering",
        }
    }
}

/// A set of notes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Notes(u16);

impl Notes {
    /// No note.
    pub const NONE: Self = Self(0);

    /// These and one more.
    pub const fn with(self, note: Note) -> Self {
        Self(self.0 | 1 << note as u8)
    }

    /// Whether the note is among them.
    pub const fn contains(self, note: Note) -> bool {
        self.0 & 1 << note as u8 != 0
    }

    /// Each of them.
    pub fn iter(self) -> impl Iterator<Item = Note> {
        Note::ALL
            .into_iter()
            .filter(move |&note| self.contains(note))
    }

    /// These, and what a URL of a text has to tell.
    fn of_url(mut self, url: &TextUrl) -> Self {
        if url.spans.len() > 1 {
            self = self.with(Note::Rejoined);
        }
        if url.doubtful {
            self = self.with(Note::Doubtful);
        }
        self
    }
}

impl<'d> Link<'d> {
    /// The link that `url` is, found in `text`, which `spans` spell in the document.
    fn of_text(url: &TextUrl, text: &str, spans: Spans, reference: Cow<'d, str>) -> Self {
        Self {
            spans,
            reference,
            place: Place::Text(url.cue),
            role: Role::Navigate,
            against: Against::Base,
            notes: Notes::NONE.of_url(url),
            alternatives: url.alternatives(text),
        }
    }

    /// The link that `url` is, found in `text`, a piece of a translated text, in which it has these spans. `to_source`
    /// gives the bytes of the document that spell the text before it was translated.
    fn of_translation(
        (url, text, in_translation): (&TextUrl, &str, &Spans),
        translation: &Translation,
        reference: Cow<'d, str>,
        to_source: &dyn Fn(Span) -> Span,
    ) -> Self {
        let pieces = in_translation.iter();
        let pieces = pieces.flat_map(|&span| translation.pieces(span));
        let spans = pieces.map(to_source).collect();
        let mut link = Self::of_text(url, text, spans, reference);
        if !in_translation
            .iter()
            .all(|&span| translation.is_plain(span))
        {
            link.notes = link.notes.with(Note::Unescaped);
        }
        link
    }
}

impl Link<'_> {
    /// The same link, on its own.
    pub fn into_owned(self) -> Link<'static> {
        Link {
            spans: self.spans,
            reference: Cow::Owned(self.reference.into_owned()),
            place: self.place,
            role: self.role,
            against: self.against,
            notes: self.notes,
            alternatives: self.alternatives,
        }
    }

    /// The same link, found in the text of a document, with the document's own bytes for its spans.
    fn led_back(self, text: &Text<'_>) -> Link<'static> {
        let mut link = self.into_owned();
        for span in &mut link.spans {
            *span = text.to_source(*span);
        }
        link
    }

    /// The span from the link's first byte to its last.
    pub fn extent(&self) -> Span {
        match (self.spans.first(), self.spans.last()) {
            (Some(first), Some(last)) => Span::new(first.start, last.end),
            _ => Span::new(0, 0),
        }
    }

    /// The bytes under the link's spans as text, joined: the reference as the source spells it, its
    /// character references, escapes and white space kept.
    pub fn raw<'l>(&'l self, document: &'l Document) -> Cow<'l, str> {
        match self.spans.as_slice() {
            // A text without a syntax has no escapes: what it spells is what is read.
            _ if !matches!(document.media, Media::Html | Media::Css | Media::Xml)
                && !self.notes.contains(Note::Unescaped) =>
            {
                Cow::Borrowed(&self.reference)
            }
            [span] => document.decode(*span),
            spans => spans
                .iter()
                .map(|&span| document.decode(span))
                .collect::<String>()
                .into(),
        }
    }
}

/// How to look for links.
#[derive(Clone, Debug, Default)]
pub struct FindOptions {
    /// How a document's base is resolved.
    pub resolver: Resolver,
    /// Whether URLs written in the text of HTML and XML documents count too.
    pub html_text: bool,
    /// Whether HTML is read as where scripts run: then a `noscript` holds text, and no links.
    pub scripting: bool,
    /// Which further places of HTML count, that are no links to a browser.
    pub extra: Extra,
    /// Whether the [anchors](Findings::anchors) of HTML and XML are wanted too.
    pub anchors: bool,
    /// Whether the links that the scripts of HTML seem to build are counted: [`scripted_links`].
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

impl FindOptions {
    /// The same in a part of a message: text flows as the part says, and URLs in the text of HTML count.
    fn in_mail(&self, media: Media, carrier: &Carrier) -> Self {
        let guess = (media == Media::Text).then_some(Join::Guess);
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
    pub(crate) fn text_of(&self, media: Media) -> TextOptions {
        let of_kind = match media {
            Media::Mail | Media::Mbox | Media::Mhtml => Join::Guess,
            Media::Text | Media::Html | Media::Xml | Media::Css | Media::Header => Join::Angle,
        };
        TextOptions {
            join: Some(self.text.join.unwrap_or(of_kind)),
            ..self.text
        }
    }
}

/// The links of a document, and what their references are relative to.
#[derive(Clone, Debug)]
pub struct Findings<'d> {
    /// The links, in the order in which they begin.
    pub links: Vec<Link<'d>>,
    /// The names that a fragment may lead to, if they were asked for ([`FindOptions::anchors`]): the `id` of
    /// every element in the tree, and the `name` of `a` elements. Those of HTML stand in source order, but for
    /// what a page nested too deep may have ([`guessed`](Self::guessed)); a name may come twice.
    pub anchors: Vec<Cow<'d, str>>,
    /// The base that holds: the one in the document if there is one, else the one from outside.
    pub base: Option<Base>,
    /// The BASE elements that have a `href`, in the order of the tree: the first of them gives the base. The
    /// others have no effect.
    pub base_elements: Vec<BaseElement>,
    /// The `integrity` attributes of HTML, in the order of their links; but not those of XHTML, nor of pages
    /// within the page.
    pub integrity: Vec<Integrity>,
    /// How many links the scripts of HTML seem to build, in `script` elements, event handlers and
    /// `javascript:` URLs, where they are counted; but not in pages within the page.
    pub scripted: usize,
    /// The first byte that is invalid in the document's charset, of those that had to be decoded.
    pub malformed: Option<usize>,
    /// Whether tags of HTML were taken for what they look like, because the page nests so deep that to
    /// build its tree would take too long.
    pub guessed: bool,
}

impl<'d> Findings<'d> {
    /// Links, and nothing beside them.
    fn of_links(links: Vec<Link<'d>>, base: Option<Base>, malformed: Option<usize>) -> Self {
        Self {
            links,
            anchors: Vec::new(),
            base,
            base_elements: Vec::new(),
            integrity: Vec::new(),
            scripted: 0,
            malformed,
            guessed: false,
        }
    }
}

impl Findings<'_> {
    /// Resolves the links, one after another.
    pub fn resolving(&self, document: &Document, resolver: Resolver) -> Resolving {
        Resolving::new(resolver, self.base.as_ref(), document.base.as_ref())
            .in_charset(document.charset)
    }
}

/// Finds the links of a document in the way of its kind.
///
/// Cost: one pass over the bytes, and memory for the links found. Where the document is UTF-8 and a
/// reference stands in it as it is, the reference borrows from the document.
///
/// ```
/// use rehref::document::Document;
/// use rehref::find::{FindOptions, find};
///
/// let page = Document::new("a.html", b"<a href='b?x=1&amp;y=2'>".to_vec());
/// let found = find(&page, &FindOptions::default());
/// assert_eq!(found.links[0].reference, "b?x=1&y=2");
/// assert_eq!(found.links[0].extent().range(), 9..22);
/// ```
pub fn find<'d>(document: &'d Document, options: &FindOptions) -> Findings<'d> {
    let of_mail;
    let options = match &document.carrier {
        Some(carrier) => {
            of_mail = options.in_mail(document.media, carrier);
            &of_mail
        }
        None => options,
    };
    let options = &*options.in_charset(document.charset);
    match document.media {
        Media::Html => html::find(document, options),
        Media::Css => css::find(document),
        Media::Xml => xml::find(document, options),
        Media::Header => header::find(document, options),
        Media::Text | Media::Mail | Media::Mbox | Media::Mhtml => in_text::find(document, options),
    }
}

/// The pieces of `text` under `spans`, put together; borrowed where `text` is and there is one.
fn join<'t>(text: &Cow<'t, str>, spans: &Spans) -> Cow<'t, str> {
    match (spans.as_slice(), text) {
        ([span], Cow::Borrowed(text)) => Cow::Borrowed(&text[span.range()]),
        (spans, text) => spans
            .iter()
            .map(|span| &text[span.range()])
            .collect::<String>()
            .into(),
    }
}

/// What the URL parser does before it parses: C0 controls and blanks at both ends, and tabs and
/// line breaks anywhere, are no part of the URL (URL standard, section 4.4).
fn strip(value: Cow<'_, str>) -> Cow<'_, str> {
    if !value.bytes().any(|byte| byte <= b' ') {
        return value;
    }
    let is_dropped = |character: char| matches!(character, '\t' | '\n' | '\r');
    let is_blank = |character: char| character <= ' ';
    let trimmed = match value {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim_matches(is_blank)),
        Cow::Owned(text) => Cow::Owned(text.trim_matches(is_blank).to_owned()),
    };
    if trimmed.contains(is_dropped) {
        Cow::Owned(trimmed.replace(is_dropped, ""))
    } else {
        trimmed
    }
}
