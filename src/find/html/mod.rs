//! Links in HTML: of every attribute that the standard, or its past, gives a URL.
//!
//! The bytes are read once by a lexer of our own, so that each value is known by its exact span.
//! Scripting counts as off: `noscript` is markup. Comments, scripts and style sheets are passed
//! over.
//!
//! What a tag means is judged from the tag, and from what opens and closes SVG and MathML before it.
//! Where a browser's tree builder decides otherwise (it drops a `frame` outside a `frameset`, for
//! example), the link is reported all the same.

mod charref;
mod foreign;
mod lexer;
pub(super) mod table;
pub(super) mod values;

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};
use smallvec::{SmallVec, smallvec};

use self::charref::Within;
use self::foreign::Foreign;
use self::lexer::{Attribute, Lexer, RawText, Tag, Token};
use self::table::{Rebased, Row};
use self::values::Syntax;
use super::target::uri_of;
use super::{
    Against, FindOptions, Findings, Form, Language, Link, Markup, Note, Notes, Place, Quoting,
    TextOptions, join, text,
};
use crate::document::{Base, BaseFrom, CharsetFrom, Document, Media, Text, decode_with_map};
use crate::span::{OffsetMap, Span};
use crate::uri::{Parts, Reference};

pub(crate) use charref::{Within as ReferenceWithin, begins_with_reference};

/// The links of an HTML document, in source order.
pub(super) fn find<'d>(document: &'d Document, options: &FindOptions) -> Findings<'d> {
    let charset = document.charset;
    if charset.is_ascii_compatible() {
        let start = charset.bom_len();
        let mut finder = Finder::new(&document.bytes[start..], charset.encoding(), options);
        finder.run();
        let (mut links, base) = finder.finish(document);
        if start > 0 {
            links
                .iter_mut()
                .flat_map(|link| &mut link.spans)
                .for_each(|span| {
                    *span = span.shifted(start);
                });
        }
        let undecodable = links
            .iter()
            .find(|link| link.notes.contains(Note::Undecodable));
        let malformed = undecodable.map(|link| link.extent().start).or_else(|| {
            // A stream was taken for UTF-8 by its beginning.
            let by_beginning = charset.from() == CharsetFrom::Valid;
            let error = std::str::from_utf8(&document.bytes)
                .err()
                .filter(|_| by_beginning);
            error.map(|error| error.valid_up_to())
        });
        return Findings {
            links,
            base,
            malformed,
        };
    }
    // The markup of UTF-16 and ISO-2022-JP is not ASCII: it is read from the text, and the spans
    // are led back.
    let text = document.text();
    let mut finder = Finder::new(text.text.as_bytes(), UTF_8, options);
    finder.run();
    let (links, base) = finder.finish(document);
    let links = links
        .into_iter()
        .map(|link| lead_back(link.into_owned(), &text))
        .collect();
    Findings {
        links,
        base,
        malformed: text.malformed,
    }
}

fn lead_back(mut link: Link<'static>, text: &Text<'_>) -> Link<'static> {
    for span in &mut link.spans {
        *span = text.to_source(*span);
    }
    link
}

struct Finder<'s, 'o> {
    source: &'s [u8],
    encoding: &'static Encoding,
    options: &'o FindOptions,
    lexer: Lexer<'s>,
    links: Vec<Link<'s>>,
    /// The value of the first BASE that has an `href`.
    base: Option<String>,
    /// How many `template` elements stand open: a BASE inside one does not count.
    templates: usize,
    foreign: Foreign,
}

impl<'s, 'o> Finder<'s, 'o> {
    fn new(source: &'s [u8], encoding: &'static Encoding, options: &'o FindOptions) -> Self {
        Self {
            source,
            encoding,
            options,
            lexer: Lexer::new(source),
            links: Vec::new(),
            base: None,
            templates: 0,
            foreign: Foreign::default(),
        }
    }

    fn run(&mut self) {
        while let Some(token) = self.lexer.next() {
            match token {
                Token::Start(tag) => self.start_tag(tag),
                Token::End(tag) => self.end_tag(tag),
                Token::Text(span) if self.options.html_text => self.text(span),
                Token::Text(_) => {}
            }
        }
    }

    /// The links, and the base that holds for the document (RFC 3986, section 5.1): the first BASE
    /// element if it has a usable URL, else the one from outside.
    fn finish(self, document: &Document) -> (Vec<Link<'s>>, Option<Base>) {
        let outer = document.base.as_ref();
        let element = self.base.and_then(|reference| {
            let resolver = &self.options.resolver;
            let outer = outer.and_then(|base| resolver.base(&base.uri).ok());
            let uri = uri_of(resolver, outer.as_ref(), &reference)?;
            // HTML standard, section 4.2.3: such a URL is no base, and no later BASE is one either.
            let parts = Parts::split(&uri);
            let is_code = ["data", "javascript"].iter().any(|it| {
                parts
                    .scheme
                    .is_some_and(|scheme| scheme.eq_ignore_ascii_case(it))
            });
            // A blank in the path is mended by browsers; a host that is none is not.
            let host = parts.authority.and_then(|it| it.rsplit('@').next());
            let site = Parts {
                authority: host,
                path: "",
                query: None,
                fragment: None,
                ..parts
            };
            let usable = !is_code && Reference::parse(&site.to_string()).is_ok();
            usable.then_some(Base {
                uri,
                from: BaseFrom::Element,
            })
        });
        (self.links, element.or_else(|| outer.cloned()))
    }

    fn start_tag(&mut self, tag: Tag) {
        let name = &self.source[tag.name.range()];
        let mut foreign = std::mem::take(&mut self.foreign);
        let is_foreign = foreign.start(name, tag.self_closing, || {
            let font = ["color", "face", "size"];
            font.iter().any(|it| self.value_of(it).is_some())
        });
        self.foreign = foreign;
        let mut seen: SmallVec<[&str; 4]> = SmallVec::new();
        for at in 0..self.lexer.attributes.len() {
            let attribute = self.lexer.attributes[at];
            let attribute_name = &self.source[attribute.name.range()];
            let Some(found) = table::attribute(attribute_name) else {
                continue;
            };
            let Some((row, element)) = found.on(name, is_foreign) else {
                continue;
            };
            // Of attributes with the same name the first counts, be it a link or not.
            if seen.contains(&found.name) {
                continue;
            }
            seen.push(found.name);
            if !self.is_link(found.name, name, is_foreign) {
                continue;
            }
            let element = match element {
                // The HTML parser makes an `img` of it.
                Some("image") if !is_foreign => Cow::Borrowed("img"),
                Some(element) => Cow::Borrowed(element),
                None => lower(name),
            };
            self.links_of(&attribute, element, found.name, row);
        }
        self.enter(tag, name, is_foreign);
    }

    /// Whether the other attributes of the tag let this one hold a URL.
    fn is_link(&self, attribute: &str, element: &[u8], is_foreign: bool) -> bool {
        const URL_PARAMETERS: [&str; 6] = ["movie", "src", "href", "url", "data", "filename"];
        match attribute {
            "content" => self
                .value_of("http-equiv")
                .is_some_and(|it| it.eq_ignore_ascii_case("refresh")),
            "value" => {
                self.value_of("valuetype")
                    .is_some_and(|it| it.eq_ignore_ascii_case("ref"))
                    || self.value_of("name").is_some_and(|name| {
                        URL_PARAMETERS
                            .iter()
                            .any(|it| name.eq_ignore_ascii_case(it))
                    })
            }
            // In SVG a `base` is no base, and an `image` no `img`.
            "href" => !is_foreign || !element.eq_ignore_ascii_case(b"base"),
            "src" | "srcset" => !is_foreign || !element.eq_ignore_ascii_case(b"image"),
            _ => true,
        }
    }

    /// The decoded value of the tag's attribute `name`.
    fn value_of(&self, name: &str) -> Option<Cow<'s, str>> {
        let is_named = |attribute: &&Attribute| {
            self.source[attribute.name.range()].eq_ignore_ascii_case(name.as_bytes())
        };
        let attribute = self.lexer.attributes.iter().find(is_named)?;
        Some(self.decode(attribute.value, Within::Attribute).text)
    }

    fn links_of(
        &mut self,
        attribute: &Attribute,
        element: Cow<'static, str>,
        name: &'static str,
        row: &Row,
    ) {
        let value = self.decode(attribute.value, Within::Attribute);
        let whole = Span::new(0, value.text.len());
        let (items, form): (SmallVec<[Span; 1]>, Form) = match row.syntax {
            Syntax::Url => (smallvec![whole], Form::Whole),
            Syntax::SpaceList => (values::list(&value.text, false).collect(), Form::Item),
            Syntax::CommaList => (values::list(&value.text, true).collect(), Form::Item),
            Syntax::Srcset => (values::srcset(&value.text).collect(), Form::Candidate),
            Syntax::Refresh => match values::refresh(&value.text) {
                Some((span, quote)) => (smallvec![span], Form::Refresh { quote }),
                None => return,
            },
        };
        let role = row.role.unwrap_or_else(|| {
            table::role_of_rel(self.value_of("rel").as_deref().unwrap_or_default())
        });
        let against = match row.against {
            Rebased::No => Against::Base,
            Rebased::Document => Against::Document,
            Rebased::Codebase => match self.value_of("codebase") {
                Some(codebase) => Against::Codebase(strip(codebase).into()),
                None => Against::Base,
            },
        };
        for item in items {
            let reference = strip(join(&value.text, &smallvec![item]));
            if element == "base" && self.base.is_none() && self.templates == 0 {
                self.base = Some(reference.clone().into_owned());
            }
            let place = Markup {
                language: Language::Html,
                element: element.clone(),
                attribute: Cow::Borrowed(name),
                quoting: attribute.quoting,
                form,
                within: None,
            };
            self.links.push(Link {
                spans: smallvec![value.to_source(item)],
                reference,
                place: Place::Markup(place),
                role,
                against: against.clone(),
                notes: value.notes(item),
                alternatives: Vec::new(),
            });
        }
    }

    /// What the tag does to what follows it.
    fn enter(&mut self, tag: Tag, name: &[u8], is_foreign: bool) {
        self.lexer.cdata = self.foreign.is_here();
        if is_foreign {
            // There all content is markup.
            return;
        }
        let is = |other: &[u8]| name.eq_ignore_ascii_case(other);
        match name.len() {
            8 if is(b"template") => self.templates += 1,
            6 if is(b"script") => self.lexer.enter(RawText::Script, tag.name),
            5 if is(b"style") => self.lexer.enter(RawText::Rawtext, tag.name),
            3 if is(b"xmp") => self.lexer.enter(RawText::Rawtext, tag.name),
            6 if is(b"iframe") => self.lexer.enter(RawText::Rawtext, tag.name),
            7 if is(b"noembed") => self.lexer.enter(RawText::Rawtext, tag.name),
            8 if is(b"noframes") => self.lexer.enter(RawText::Rawtext, tag.name),
            5 if is(b"title") => self.lexer.enter(RawText::Rcdata, tag.name),
            8 if is(b"textarea") => self.lexer.enter(RawText::Rcdata, tag.name),
            9 if is(b"plaintext") => self.lexer.enter(RawText::Plaintext, tag.name),
            _ => {}
        }
    }

    fn end_tag(&mut self, tag: Tag) {
        let name = &self.source[tag.name.range()];
        if !self.foreign.is_here() && name.eq_ignore_ascii_case(b"template") {
            self.templates = self.templates.saturating_sub(1);
        }
        self.foreign.end(name);
        self.lexer.cdata = self.foreign.is_here();
    }

    /// The URLs in a piece of character data.
    fn text(&mut self, span: Span) {
        let TextOptions {
            abbreviated,
            emails,
            ..
        } = self.options.text;
        let colon_needed = !abbreviated && !emails;
        if colon_needed && memchr::memchr2(b':', b'&', &self.source[span.range()]).is_none() {
            return;
        }
        let value = self.decode(span, Within::Text);
        text::scan(&value.text, &self.options.text_of(Media::Html), |url| {
            let spans = url
                .spans
                .iter()
                .map(|&span| value.to_source(span))
                .collect();
            let reference = join(&value.text, &url.spans);
            let mut link = Link::of_text(&url, &value.text, spans, reference);
            let notes = url.spans.iter().map(|&span| value.notes(span));
            for note in notes.flat_map(Notes::iter) {
                link.notes = link.notes.with(note);
            }
            self.links.push(link);
        });
    }

    fn decode(&self, span: Span, within: Within) -> Value<'s> {
        Value::decode(
            &self.source[span.range()],
            span.start,
            self.encoding,
            within,
        )
    }
}

/// Source text with its charset and character references decoded, and the way back.
struct Value<'s> {
    text: Cow<'s, str>,
    start: usize,
    malformed: bool,
    /// From the decoded text to the text with references; none where there are no references.
    references: Option<OffsetMap>,
    /// From there to the source; none where that is UTF-8 or ASCII.
    charset: Option<OffsetMap>,
}

impl<'s> Value<'s> {
    fn decode(source: &'s [u8], start: usize, encoding: &'static Encoding, within: Within) -> Self {
        let plain = std::str::from_utf8(source).ok();
        let plain = plain.filter(|text| encoding == UTF_8 || text.is_ascii());
        let (text, charset, malformed) = match plain {
            Some(text) => (Cow::Borrowed(text), None, false),
            None => {
                let (text, map, malformed) = decode_with_map(source, encoding);
                (Cow::Owned(text), Some(map), malformed.is_some())
            }
        };
        let value = Self {
            text,
            start,
            malformed,
            references: None,
            charset,
        };
        match charref::decode(&value.text, within) {
            Some((text, map)) => Self {
                text: Cow::Owned(text),
                references: Some(map),
                ..value
            },
            None => value,
        }
    }

    /// The bytes of the source that spell the bytes `span` of the decoded text.
    fn to_source(&self, span: Span) -> Span {
        let led =
            |map: &Option<OffsetMap>, span| map.as_ref().map_or(span, |map| map.to_source(span));
        led(&self.charset, led(&self.references, span)).shifted(self.start)
    }

    /// The notes on the part `span` of a value: bytes elsewhere in it say nothing about it.
    fn notes(&self, span: Span) -> Notes {
        if self.malformed && self.text[span.range()].contains('\u{FFFD}') {
            Notes::NONE.with(Note::Undecodable)
        } else {
            Notes::NONE
        }
    }
}

fn lower(name: &[u8]) -> Cow<'static, str> {
    Cow::Owned(String::from_utf8_lossy(name).to_ascii_lowercase())
}

/// What the URL parser does before it parses: C0 controls and blanks at both ends, and tabs and
/// line breaks anywhere, are no part of the URL (URL standard, section 4.4).
pub(super) fn strip(value: Cow<'_, str>) -> Cow<'_, str> {
    if !value.bytes().any(|byte| byte <= b' ') {
        return value;
    }
    let is_dropped = |character: char| matches!(character, '\t' | '\n' | '\r');
    let trimmed = match value {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim_matches(|character| character <= ' ')),
        Cow::Owned(text) => Cow::Owned(text.trim_matches(|character| character <= ' ').to_owned()),
    };
    if trimmed.contains(is_dropped) {
        Cow::Owned(trimmed.replace(is_dropped, ""))
    } else {
        trimmed
    }
}
