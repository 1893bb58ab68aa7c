//! Links in XML: of feeds, sitemaps, SVG, XHTML and a few more vocabularies, and what any may have
//! (XLink, XML Base, style sheets).
//!
//! The bytes are read once by a lexer of our own, so that each value is known by its exact span.
//! Names count by their namespaces. References resolve against the `xml:base` of the elements round
//! them. What is not well-formed is read as far as it makes sense: feeds often are not.

mod anchors;
mod charset;
mod detect;
mod language;
mod lexer;
mod namespace;
mod table;
mod value;
mod xhtml;

pub(crate) use charset::xml_declaration;
pub(crate) use language::LANGUAGE;

use std::borrow::Cow;
use std::sync::Arc;

use encoding_rs::{Encoding, UTF_8};
use smallvec::{SmallVec, smallvec};

use self::lexer::{Attribute, Lexer, Tag, Token};
use self::namespace::{Namespace, Scopes, split};
use self::table::{Purpose, Row};
use self::value::{Within, value};
use super::text::TextOptions;
use super::value::Value;
use super::value::{join, strip};
use super::{FoundLinks, Options, css, text};
use crate::bytes::{Span, Spans};
use crate::format::text::Join;
use crate::format::text::link_of_url;
use crate::link::base_of_element;
use crate::link::{
    BaseElement, BaseScope, Form, Language, LinkData, Markup, Note, Notes, Place, Quoting, Role,
    ScopedBase,
};
use crate::source::{Base, CharsetFrom, Source};
use crate::uri::Reference;

pub(crate) use value::{is_char, names_entity};

/// How many open elements an end tag may close: one that would close more closes none.
const MAX_UNCLOSED: usize = 64;

/// The links of an XML document, in source order.
pub(crate) fn find<'d>(document: &'d Source, options: &Options) -> FoundLinks<'d> {
    let charset = document.charset;
    if charset.is_ascii_compatible() {
        let start = charset.bom_len();
        let source = &document.bytes[start..];
        let Read {
            mut links,
            anchors,
            base,
            mut base_elements,
        } = Finder::new(source, charset.encoding(), options).run(document);
        for element in &mut base_elements {
            element.removal = element.removal.map(|span| span.shifted(start));
        }
        if start > 0 {
            let spans = links.iter_mut().flat_map(|link| &mut link.spans);
            spans.for_each(|span| *span = span.shifted(start));
        }
        let undecodable = links
            .iter()
            .find(|link| link.notes.contains(Note::Undecodable));
        let malformed = undecodable.map(|link| link.extent().start).or_else(|| {
            // A stream was taken for UTF-8 by its beginning.
            let by_beginning = charset.from() == CharsetFrom::Valid;
            let checked = by_beginning.then(|| std::str::from_utf8(&document.bytes));
            checked?.err().map(|error| error.valid_up_to())
        });
        return FoundLinks {
            integrity: Vec::new(),
            scripted: 0,
            links,
            anchors,
            base,
            base_elements,
            malformed,
            guessed: false,
        };
    }
    // The markup of UTF-16 and ISO-2022-JP is not ASCII: it is read from the text, and the spans
    // are led back.
    let text = document.text();
    let mut read = Finder::new(text.text.as_bytes(), UTF_8, options).run(document);
    let lead_back = |link: LinkData<'_>| link.led_back(&text);
    let own = |anchor: Cow<'_, str>| Cow::Owned(anchor.into_owned());
    for element in &mut read.base_elements {
        element.removal = element.removal.map(|span| text.to_source(span));
    }
    FoundLinks {
        integrity: Vec::new(),
        scripted: 0,
        links: read.links.into_iter().map(lead_back).collect(),
        anchors: read.anchors.into_iter().map(own).collect(),
        base: read.base,
        base_elements: read.base_elements,
        malformed: text.malformed,
        guessed: false,
    }
}

/// What was found.
struct Read<'s> {
    links: Vec<LinkData<'s>>,
    anchors: Vec<Cow<'s, str>>,
    base: Option<Base>,
    base_elements: Vec<BaseElement>,
}

struct Finder<'s, 'o> {
    source: &'s [u8],
    encoding: &'static Encoding,
    options: &'o Options,
    lexer: Lexer<'s>,
    links: Vec<LinkData<'s>>,
    anchors: Vec<Cow<'s, str>>,
    scopes: Scopes<'s>,
    /// The open elements, innermost last.
    open: Vec<Open>,
    /// The namespace of the root, once that was met.
    root: Option<Namespace>,
    /// What it means to have no namespace.
    bare: Namespace,
    /// The content of the innermost element, if it is a link.
    content: Option<Content>,
    /// The start tag that is looked at.
    tag: Option<Tag>,
    /// The pieces of the style sheet that is the text of the innermost element.
    sheet: SmallVec<[(Span, Within); 1]>,
    /// The first `base` of XHTML that has an `href`; nothing in it where that names an entity.
    base: Option<Option<String>>,
    /// All of these, in source order.
    base_elements: Vec<BaseElement>,
}

/// An open element.
struct Open {
    name: Span,
    /// How many declarations of namespaces hold outside of it.
    scopes: usize,
    /// The `xml:base` that holds in it.
    base: Option<Arc<ScopedBase>>,
    /// Whether it is a `template` of XHTML, or in one.
    in_template: bool,
    /// Whether its text is a script or a style sheet.
    is_code: bool,
    /// Whether it is a style sheet in CSS.
    is_css: bool,
}

/// An element whose content is a reference, as far as it is read.
struct Content {
    row: &'static Row,
    element: Cow<'static, str>,
    against: BaseScope,
    form: Form,
    /// The pieces of its text, comments and the borders of CDATA sections between them.
    pieces: SmallVec<[(Span, Within); 1]>,
}

/// A start tag with what its attributes and those round it make of it.
struct Element<'s> {
    namespace: Namespace,
    prefix: &'s [u8],
    local: &'s [u8],
    base: Option<Arc<ScopedBase>>,
    in_template: bool,
}

impl Element<'_> {
    /// The name as it is written; `local`, where it is known already, is its local name.
    fn written(&self, local: Option<&'static str>) -> Cow<'static, str> {
        match local {
            Some(local) if self.prefix.is_empty() => Cow::Borrowed(local),
            _ if self.prefix.is_empty() => owned(self.local),
            _ => owned(&[self.prefix, b":", self.local].concat()),
        }
    }
}

impl<'s, 'o> Finder<'s, 'o> {
    fn new(source: &'s [u8], encoding: &'static Encoding, options: &'o Options) -> Self {
        Self {
            source,
            encoding,
            options,
            lexer: Lexer::new(source),
            links: Vec::new(),
            anchors: Vec::new(),
            scopes: Scopes::default(),
            open: Vec::new(),
            root: None,
            bare: Namespace::None,
            content: None,
            tag: None,
            sheet: SmallVec::new(),
            base: None,
            base_elements: Vec::new(),
        }
    }

    /// The links and anchors, the base that holds for the document, and the BASE elements.
    fn run(mut self, document: &Source) -> Read<'s> {
        while let Some(token) = self.lexer.next() {
            match token {
                Token::Start(tag) => self.start_tag(tag),
                Token::End(name) => self.end_tag(name),
                Token::Text(span) => self.text(span, Within::Content),
                Token::Cdata(span) => self.text(span, Within::Cdata),
                // It counts before the root only (Associating Style Sheets, section 3).
                Token::Stylesheet(_) if self.root.is_none() => self.stylesheet(),
                Token::Stylesheet(_) => {}
            }
        }
        self.end_sheet();
        let outer = document.base.as_ref();
        let base = match self.base {
            Some(None) => None,
            Some(Some(it)) => {
                base_of_element(&it, outer, &self.options.resolver).or_else(|| outer.cloned())
            }
            None => outer.cloned(),
        };
        Read {
            links: self.links,
            anchors: self.anchors,
            base,
            base_elements: self.base_elements,
        }
    }

    fn start_tag(&mut self, tag: Tag) {
        // What is mixed with elements is no URL, but its end tag may be missing.
        self.end_content();
        // One with elements in it is none.
        self.sheet.clear();
        if let Some(open) = self.open.last_mut() {
            open.is_css = false;
        }
        let scopes = self.scopes.len();
        let element = self.element(tag);
        self.tag = Some(tag);
        let mut seen: SmallVec<[&str; 4]> = SmallVec::new();
        for at in 0..self.lexer.attributes.len() {
            self.attribute(self.lexer.attributes[at], &element, &mut seen);
        }
        if self.options.anchors && !element.in_template {
            self.anchors(&element);
        }
        if tag.is_empty {
            self.scopes.leave(scopes);
            return;
        }
        self.begin_content(&element);
        let is_code = match element.namespace {
            Namespace::Xhtml | Namespace::Svg => matches!(element.local, b"script" | b"style"),
            _ => false,
        };
        let is_css = is_code && element.local == b"style" && {
            let kind = self.value_of("type").unwrap_or_default();
            kind.is_empty() || kind.eq_ignore_ascii_case("text/css")
        };
        self.open.push(Open {
            name: tag.name,
            scopes,
            base: element.base,
            in_template: element.in_template,
            is_code,
            is_css,
        });
    }

    /// What a tag is, its declarations and its `xml:base` obeyed.
    fn element(&mut self, tag: Tag) -> Element<'s> {
        let outer = self.open.last();
        let mut base = outer.and_then(|outer| outer.base.clone());
        let mut in_template = outer.is_some_and(|outer| outer.in_template);
        let mut has_base = false;
        for at in 0..self.lexer.attributes.len() {
            let Attribute { name, value, .. } = self.lexer.attributes[at];
            match &self.source[name.range()] {
                // Nothing else may be bound to this prefix, nor this to another.
                b"xml:base" if !has_base => {
                    has_base = true;
                    let reference = self.decode(value, Within::Attribute).text;
                    let nested = ScopedBase::new(&strip(reference), base.as_ref());
                    let nested = nested.map(|it| match self.has_entity(value) {
                        true => it.unknown(),
                        false => it,
                    });
                    base = nested.map(Arc::new).or(base);
                }
                name if name.starts_with(b"xmlns") => {
                    let prefix = match &name[5..] {
                        b"" => &b""[..],
                        [b':', prefix @ ..] if !prefix.is_empty() => prefix,
                        _ => continue,
                    };
                    // What it is bound to is told by the document type, then: it has its usual meaning.
                    if self.has_entity(value) {
                        continue;
                    }
                    let value = self.decode(value, Within::Attribute);
                    self.scopes.declare(prefix, Namespace::of_name(&value.text));
                }
                _ => {}
            }
        }
        let (prefix, local) = split(&self.source[tag.name.range()]);
        let mut namespace = self.scopes.get(prefix);
        if self.root.is_none() {
            if namespace == Namespace::None || namespace == Namespace::Rdf {
                self.bare = Namespace::of_root(local);
            }
            self.root = Some(namespace);
        }
        // In RDF the root tells what a name without a namespace means only where no declaration does: `xmlns=""` takes
        // a name out of all vocabularies.
        let is_taken_out = self.root == Some(Namespace::Rdf) && self.scopes.is_declared(prefix);
        if namespace == Namespace::None && !is_taken_out {
            namespace = self.bare;
        }
        in_template |= namespace == Namespace::Xhtml && local == b"template";
        Element {
            namespace,
            prefix,
            local,
            base,
            in_template,
        }
    }

    fn attribute(
        &mut self,
        attribute: Attribute,
        element: &Element<'s>,
        seen: &mut SmallVec<[&'static str; 4]>,
    ) {
        let written = &self.source[attribute.name.range()];
        let (prefix, local) = split(written);
        // Of attributes with the same name the first counts.
        let mut is_first = |name: &'static str| {
            let is_first = !seen.contains(&name);
            if is_first {
                seen.push(name);
            }
            is_first
        };
        if prefix.is_empty() {
            if element.namespace == Namespace::Xhtml {
                return self.xhtml(attribute, element, is_first);
            }
            if element.namespace == Namespace::Svg && local == b"style" && is_first("style") {
                return self.declarations(attribute, element);
            }
            let Some((row, known)) = table::row(element.namespace, element.local, local) else {
                return;
            };
            if is_first(row.attribute) {
                let role = match row.purpose {
                    Purpose::Is(role) => role,
                    Purpose::Rel => {
                        table::role_of_atom_rel(&self.value_of("rel").unwrap_or_default())
                    }
                    Purpose::PermaLink => Role::Navigate,
                };
                let names = (known, row.attribute.into());
                self.whole_value(attribute, element, names, role);
            }
            return;
        }
        let (name, role) = match (local, self.scopes.get(prefix)) {
            (b"base", _) if prefix == b"xml" => ("xml:base", Some(Role::Base)),
            (b"href", Namespace::Xlink) => ("xlink:href", None),
            (b"resource", Namespace::Rdf) => ("rdf:resource", Some(Role::Metadata)),
            _ => return,
        };
        if !is_first(name) {
            return;
        }
        let role = role.unwrap_or_else(|| {
            table::role_of_xlink(element.namespace, element.local, &self.xlink_show())
        });
        self.whole_value(attribute, element, (None, owned(written)), role);
    }

    /// A link that is the whole value of an attribute. `names` are the element's, if the table has it,
    /// and the attribute's.
    fn whole_value(
        &mut self,
        attribute: Attribute,
        element: &Element<'s>,
        names: (Option<&'static str>, Cow<'static, str>),
        role: Role,
    ) {
        let base = match role {
            // It is relative to the next one outside.
            Role::Base => self.open.last().and_then(|outer| outer.base.as_ref()),
            _ => element.base.as_ref(),
        };
        let against = against(base);
        let value = self.decode(attribute.value, Within::Attribute);
        let whole = Span::new(0, value.text.len());
        let reference = strip(join(&value.text, &smallvec![whole]));
        // In a style sheet that is a template: what is in braces is computed (XSLT, section 7.6.2).
        let is_template =
            self.root == Some(Namespace::Xslt) && element.namespace != Namespace::Xslt;
        if is_template && reference.contains('{') {
            return;
        }
        let place = Markup {
            language: Language::Xml,
            element: element.written(names.0),
            attribute: names.1,
            quoting: attribute.quoting,
            form: self.form(element),
            within: None,
        };
        self.links.push(LinkData {
            spans: smallvec![value.to_source(whole)],
            reference,
            place: Place::Markup(place),
            role,
            against,
            notes: value.notes(whole),
            alternatives: Vec::new(),
        });
    }

    /// The links of a `style` attribute.
    fn declarations(&mut self, attribute: Attribute, element: &Element<'s>) {
        let markup = Markup {
            language: Language::Xml,
            element: element.written(None),
            attribute: Cow::Borrowed("style"),
            quoting: attribute.quoting,
            form: Form::Whole,
            within: None,
        };
        let value = self.decode(attribute.value, Within::Attribute);
        let against = against(element.base.as_ref());
        css::links_within(&value, &markup, &against, &mut self.links);
    }

    /// The links in the text of a `style` element, which is the innermost one and ends.
    fn end_sheet(&mut self) {
        let Some(open) = self.open.last().filter(|_| !self.sheet.is_empty()) else {
            return;
        };
        let markup = Markup {
            language: Language::Xml,
            element: owned(&self.source[open.name.range()]),
            attribute: Cow::Borrowed(Markup::CONTENT),
            quoting: Quoting::Content,
            form: Form::Whole,
            within: None,
        };
        let against = against(open.base.as_ref());
        let pieces: SmallVec<[_; 1]> = std::mem::take(&mut self.sheet)
            .into_iter()
            .map(|(span, within)| match within {
                Within::Cdata => (self.decode(span, within), Quoting::Cdata),
                Within::Content | Within::Attribute => {
                    (self.decode(span, within), Quoting::Content)
                }
            })
            .collect();
        css::links_of_pieces(&pieces, &markup, &against, &mut self.links);
    }

    /// How the link of an element stands in its value.
    fn form(&self, element: &Element<'s>) -> Form {
        let root = match self.root {
            Some(Namespace::None) => self.bare,
            root => root.unwrap_or_default(),
        };
        if root.is_absolute() || element.namespace.is_absolute() {
            Form::Absolute
        } else {
            Form::Whole
        }
    }

    /// The decoded value of the tag's attribute `name`, as it is written.
    fn value_of(&self, name: &str) -> Option<Cow<'s, str>> {
        let mut attributes = self.lexer.attributes.iter();
        let named = |it: &&Attribute| &self.source[it.name.range()] == name.as_bytes();
        let attribute = attributes.find(named)?;
        Some(self.decode(attribute.value, Within::Attribute).text)
    }

    /// The value of `xlink:show`.
    fn xlink_show(&self) -> Cow<'s, str> {
        let is_show = |attribute: &&Attribute| {
            let (prefix, local) = split(&self.source[attribute.name.range()]);
            local == b"show" && self.scopes.get(prefix) == Namespace::Xlink
        };
        let found = self.lexer.attributes.iter().find(is_show);
        found.map_or(Cow::Borrowed(""), |attribute| {
            self.decode(attribute.value, Within::Attribute).text
        })
    }

    /// The `href` of a processing instruction `xml-stylesheet`.
    fn stylesheet(&mut self) {
        let named = |it: &&Attribute| &self.source[it.name.range()] == b"href";
        let Some(&attribute) = self.lexer.attributes.iter().find(named) else {
            return;
        };
        let element = Element {
            namespace: Namespace::None,
            prefix: b"",
            local: b"xml-stylesheet",
            base: None,
            in_template: false,
        };
        let names = (Some("xml-stylesheet"), Cow::Borrowed("href"));
        self.whole_value(attribute, &element, names, Role::Style);
    }

    /// Looks for a link in the content of the element, if that is one.
    fn begin_content(&mut self, element: &Element<'s>) {
        let name = Markup::CONTENT.as_bytes();
        let Some((row, known)) = table::row(element.namespace, element.local, name) else {
            return;
        };
        let is_no_link = row.purpose == Purpose::PermaLink
            && self
                .value_of("isPermaLink")
                .is_some_and(|value| !value.trim().eq_ignore_ascii_case("true"));
        if is_no_link {
            return;
        }
        self.content = Some(Content {
            row,
            element: element.written(known),
            against: against(element.base.as_ref()),
            form: self.form(element),
            pieces: SmallVec::new(),
        });
    }

    /// The content ends: it is a link if it is not blank.
    fn end_content(&mut self) {
        let Some(content) = self.content.take() else {
            return;
        };
        let decode = |&(piece, within)| self.decode(piece, within);
        let values: SmallVec<[Value<'s>; 1]> = content.pieces.iter().map(decode).collect();
        let text: Cow<'s, str> = match values.as_slice() {
            [value] => value.text.clone(),
            values => values.iter().map(|value| &*value.text).collect(),
        };
        let trimmed = text.trim_start_matches(is_blank);
        let begin = text.len() - trimmed.len();
        let len = trimmed.trim_end_matches(is_blank).len();
        if len == 0 {
            return;
        }
        let whole = Span::new(begin, begin + len);
        let mut spans = Spans::new();
        let mut notes = Notes::NONE;
        let mut quoting = None;
        let mut at = 0;
        for (value, (_, within)) in values.iter().zip(&content.pieces) {
            let end = at + value.text.len();
            let (begin, end) = (whole.start.clamp(at, end), whole.end.clamp(at, end));
            let piece = Span::new(begin - at, end - at);
            at += value.text.len();
            if piece.is_empty() {
                continue;
            }
            spans.push(value.to_source(piece));
            notes = value.notes(piece).iter().fold(notes, Notes::with);
            quoting = quoting.or(Some(match within {
                Within::Cdata => Quoting::Cdata,
                Within::Content | Within::Attribute => Quoting::Content,
            }));
        }
        if spans.len() > 1 {
            notes = notes.with(Note::Rejoined);
        }
        let reference = strip(join(&text, &smallvec![whole]));
        let role = match content.row.purpose {
            Purpose::Is(role) => role,
            Purpose::Rel => Role::Navigate,
            Purpose::PermaLink => {
                if Reference::split(&reference).parts().scheme.is_none() {
                    return;
                }
                Role::Navigate
            }
        };
        let place = Markup {
            language: Language::Xml,
            element: content.element,
            attribute: Cow::Borrowed(Markup::CONTENT),
            quoting: quoting.unwrap_or(Quoting::Content),
            form: content.form,
            within: None,
        };
        self.links.push(LinkData {
            spans,
            reference,
            place: Place::Markup(place),
            role,
            against: content.against,
            notes,
            alternatives: Vec::new(),
        });
    }

    fn end_tag(&mut self, name: Span) {
        self.end_content();
        self.end_sheet();
        let name = &self.source[name.range()];
        // One that closes nothing, and one whose element has unclosed ones in it, are not rare.
        let mut inner = self.open.iter().rev().take(MAX_UNCLOSED);
        let Some(inner) = inner.position(|open| &self.source[open.name.range()] == name) else {
            return;
        };
        let left = self.open.len() - inner - 1;
        self.scopes.leave(self.open[left].scopes);
        self.open.truncate(left);
    }

    /// A piece of character data: of a link, or with URLs in it.
    fn text(&mut self, span: Span, within: Within) {
        if let Some(content) = &mut self.content {
            content.pieces.push((span, within));
            return;
        }
        if self.open.last().is_some_and(|open| open.is_css) {
            return self.sheet.push((span, within));
        }
        let is_code = self.open.last().is_some_and(|open| open.is_code);
        if !self.options.html_text || is_code {
            return;
        }
        let TextOptions {
            abbreviated,
            emails,
            ..
        } = self.options.text;
        let colon_needed = !abbreviated && !emails;
        if colon_needed && memchr::memchr2(b':', b'&', &self.source[span.range()]).is_none() {
            return;
        }
        let value = self.decode(span, within);
        text::scan(
            &value.text,
            &self.options.text_joining(Join::Angle),
            |url| {
                let spans = url.spans.iter().map(|&span| value.to_source(span));
                let reference = join(&value.text, &url.spans);
                let mut link = link_of_url(&url, &value.text, spans.collect(), reference);
                let notes = url.spans.iter().map(|&span| value.notes(span));
                link.notes = notes.flat_map(Notes::iter).fold(link.notes, Notes::with);
                self.links.push(link);
            },
        );
    }

    /// Whether an entity of a document type is named there, which is not read.
    fn has_entity(&self, span: Span) -> bool {
        names_entity(&String::from_utf8_lossy(&self.source[span.range()]))
    }

    fn decode(&self, span: Span, within: Within) -> Value<'s> {
        value(self.source, span, self.encoding, within)
    }
}

fn against(base: Option<&Arc<ScopedBase>>) -> BaseScope {
    base.map_or(BaseScope::Base, |base| BaseScope::Nested(Arc::clone(base)))
}

fn owned(name: &[u8]) -> Cow<'static, str> {
    Cow::Owned(String::from_utf8_lossy(name).into_owned())
}

/// What is no part of a URL at its ends (URL standard, section 4.4).
fn is_blank(character: char) -> bool {
    character <= ' '
}
