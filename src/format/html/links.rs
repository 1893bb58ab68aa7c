//! From tags to links.

use std::borrow::Cow;
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::charref::Within;
use super::found::{BaseFound, Found, Nested};
use super::lexer::Lexer;
use super::names::{self, Wanted};
use super::namespace::Space;
use super::page::{Page, is_literal};
use super::scripted::{self, scripted_links};
use super::table::{self, Rebased, Row};
use super::tag_classifier::{Doubt, Meaning, Meant};
use super::token::{Attribute, RawText, Tag, TextKind, Token};
use super::values::{self, Syntax};
use super::visible::Visible;
use super::{anchors, integrity, json};
use crate::bytes::Span;
use crate::format::css;
use crate::format::value::Value;
use crate::format::value::{join, strip};
use crate::link::{
    BaseScope, Form, Language, LinkData, Markup, Notes, Place, Quoting, Role, ScopedBase, removal,
};

/// Goes over a page and finds its links.
pub(super) struct Finder<'p, 's, 'o, M> {
    pub(super) page: &'p Page<'s, 'o>,
    pub(super) lexer: Lexer<'s>,
    pub(super) meaning: M,
    pub(super) found: Found<'s>,
    /// How many start tags there were.
    tags: usize,
    /// What the text that follows is.
    content: Content,
    /// The pieces of the style sheet that stands in an element of SVG: it may have several, and none
    /// counts if there is an element among them.
    sheet: SmallVec<[(Span, TextKind); 1]>,
    /// The link attributes that the `html` and the `body` element have: of those that come again the
    /// first counts.
    pub(super) given: [Vec<&'static str>; 2],
    /// Whether the last start tag began a script whose links are counted.
    is_script: bool,
    /// The text that goes on after a `wbr`.
    visible: Visible<'s>,
}

/// What text means as the content of the last element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// Just text.
    Text,
    /// A style sheet; of SVG with character references.
    Style(Space),
    /// An import map (HTML standard, section 8.1.6.2).
    ImportMap,
    /// Rules for speculative loading.
    Speculation,
    /// Linked data, in which absolute URLs are links.
    Data,
}

impl<'p, 's, 'o, M: Meaning> Finder<'p, 's, 'o, M> {
    pub(super) fn new(page: &'p Page<'s, 'o>, meaning: M) -> Self {
        let mut lexer = Lexer::new(page.bytes);
        lexer.wanted = Wanted::of(page.anchors, page.options.scripted);
        Self {
            page,
            lexer,
            meaning,
            found: Found {
                // So many are usual.
                links: Vec::with_capacity(page.bytes.len() / 256),
                ..Found::default()
            },
            tags: 0,
            content: Content::Text,
            sheet: SmallVec::new(),
            given: Default::default(),
            is_script: false,
            visible: Visible::default(),
        }
    }

    /// All links of the page, or the doubt that makes an end of it.
    pub(super) fn run(mut self) -> Result<(Found<'s>, M), Doubt> {
        while let Some(token) = self.lexer.next() {
            match token {
                Token::Start => self.start_tag()?,
                Token::End => {
                    self.end_text();
                    if !self.sheet.is_empty() {
                        self.end_sheet();
                    }
                    self.content = Content::Text;
                    self.meaning.end_tag(&mut self.lexer)?;
                    self.lexer.skips_tags = self.meaning.passes_tags();
                }
                Token::Text(span, kind) => {
                    self.meaning.other(token, &mut self.lexer)?;
                    self.text(span, kind);
                }
                Token::Comment(span) => {
                    self.end_text();
                    self.meaning.other(token, &mut self.lexer)?;
                    if self.page.options.extra.comments {
                        self.comment(span);
                    }
                }
                Token::Doctype(_) => self.meaning.other(token, &mut self.lexer)?,
            }
        }
        // What is not closed ends with the page.
        self.end_text();
        if !self.sheet.is_empty() {
            self.end_sheet();
        }
        Ok((self.found, self.meaning))
    }

    fn end_text(&mut self) {
        if !self.visible.is_empty() {
            self.visible.end_text(self.page, &mut self.found.links);
        }
    }

    fn start_tag(&mut self) -> Result<(), Doubt> {
        let number = self.tags;
        self.tags += 1;
        self.visible
            .end_text_before_tag(self.page, self.lexer.tag.start, &mut self.found.links);
        if M::COUNTS_LINKS {
            self.found.before.push(self.found.links.len());
        }
        let meant = self.meaning.start_tag(&mut self.lexer)?;
        let tag = self.lexer.tag;
        let space = match meant {
            Meant::Element(space) => space,
            Meant::Attributes | Meant::Unsure => Space::Html,
            Meant::Nothing => return Ok(()),
        };
        if M::COUNTS_LINKS && meant == Meant::Attributes && tag.key == names::HTML {
            self.found.merged.push(number);
        }
        self.content = self.content_of(tag, space);
        self.is_script = self.page.options.scripted
            && tag.key == names::SCRIPT
            && space == Space::Html
            && scripted::is_program(&self.value_of("type").unwrap_or_default());
        if !self.sheet.is_empty() {
            self.sheet.clear();
        }
        let is_read = self.page.options.html_text || self.content != Content::Text;
        self.lexer.skips_text = !is_read && !self.meaning.needs_text();
        self.lexer.skips_tags = self.content == Content::Text && self.meaning.passes_tags();
        self.found.has_templates |= space == Space::Html && tag.key == names::TEMPLATE;
        if !self.lexer.may_link {
            return Ok(());
        }
        let before = self.found.links.len();
        self.attributes(tag, space);
        let has_links = self.found.links.len() > before;
        let has_anchors = self.page.anchors
            && !self.meaning.is_in_template()
            && anchors::find(
                self.page,
                &self.lexer,
                (number, meant, space),
                &mut self.given,
                &mut self.found.anchors,
            );
        if self.page.options.scripted {
            let (attributes, links) = (&self.lexer.attributes, &self.found.links[before..]);
            self.found.scripted += scripted::links_of_tag(self.page.bytes, attributes, links);
        }
        if has_links && space == Space::Html && matches!(tag.key, names::LINK | names::SCRIPT) {
            let (attributes, links) = (&self.lexer.attributes, &self.found.links);
            let found = integrity::of_tag(self.page.bytes, tag, attributes, links, before);
            self.found.integrity.extend(found);
        }
        if (has_links || has_anchors) && meant == Meant::Unsure {
            return Err(Doubt);
        }
        let is_base = space == Space::Html && tag.key == names::BASE;
        if is_base && has_links && !self.meaning.in_template() {
            // The tag may have a style, too.
            let mut links = self.found.links[before..].iter();
            let Some(at) = links.position(|link| link.role == Role::Base) else {
                return Ok(());
            };
            let attributes = self.lexer.attributes.iter();
            let removal = removal(
                self.page.bytes,
                Span::new(tag.start, self.lexer.at()),
                false,
                attributes.map(|it| (it.name, it.value, it.quoting)),
            );
            self.found.bases.push(BaseFound {
                tag: number,
                link: before + at,
                removal,
            });
            // In a table they may change places.
            if self.found.bases.len() > 1 && !self.meaning.keeps_order() {
                return Err(Doubt);
            }
        }
        Ok(())
    }

    /// The links of a tag's attributes.
    fn attributes(&mut self, tag: Tag, space: Space) {
        let name = &self.page.bytes[tag.name.range()];
        let mut seen: SmallVec<[&str; 4]> = SmallVec::new();
        for at in 0..self.lexer.attributes.len() {
            let attribute = self.lexer.attributes[at];
            let attribute_name = &self.page.bytes[attribute.name.range()];
            if !Wanted::LINKS.may_have(attribute_name[0], attribute_name.len()) {
                continue;
            }
            let Some(found) = table::attribute(attribute_name) else {
                continue;
            };
            let Some((row, element)) = found.on(name, space) else {
                continue;
            };
            // Of attributes with the same name the first counts, be it a link or not.
            if seen.contains(&found.name) {
                continue;
            }
            seen.push(found.name);
            if space == Space::Html && matches!(tag.key, names::HTML | names::BODY) {
                let given = &mut self.given[usize::from(tag.key == names::BODY)];
                if given.contains(&found.name) {
                    continue;
                }
                given.push(found.name);
            }
            if found.is_of_scripts() && !self.page.options.extra.data {
                continue;
            }
            let Some(syntax) = self.syntax(found.name, row) else {
                continue;
            };
            let element = match element {
                // The HTML parser makes an `img` of it.
                Some("image") if space == Space::Html => Cow::Borrowed("img"),
                Some(element) => Cow::Borrowed(element),
                None => lower(name),
            };
            self.links_of(&attribute, element, found.name, row, syntax);
        }
    }

    /// How the attribute's value is read, if the others of the tag let it hold a URL.
    fn syntax(&self, attribute: &str, row: &Row) -> Option<Syntax> {
        const URL_PARAMETERS: [&str; 6] = ["movie", "src", "href", "url", "data", "filename"];
        let is = |name: &str, wanted: &[&str]| {
            self.value_of(name)
                .is_some_and(|it| wanted.iter().any(|wanted| it.eq_ignore_ascii_case(wanted)))
        };
        let holds_url = match attribute {
            "content" if !is("http-equiv", &["refresh"]) => {
                let of_page = self.page.options.extra.meta && self.is_meta_url();
                return of_page.then_some(Syntax::Url);
            }
            "value" => is("valuetype", &["ref"]) || is("name", &URL_PARAMETERS),
            _ => true,
        };
        holds_url.then_some(row.syntax)
    }

    /// Whether a `meta` tells a URL about the page to those who show a link to it.
    fn is_meta_url(&self) -> bool {
        let named = |attribute: &str| {
            self.value_of(attribute)
                .is_some_and(|name| table::is_meta_url(&name))
        };
        ["property", "name", "itemprop"].into_iter().any(named)
    }

    /// The decoded value of the tag's attribute `name`.
    fn value_of(&self, name: &str) -> Option<Cow<'s, str>> {
        let is_named = |attribute: &&Attribute| {
            self.page.bytes[attribute.name.range()].eq_ignore_ascii_case(name.as_bytes())
        };
        let attribute = self.lexer.attributes.iter().find(is_named)?;
        Some(self.page.decode(attribute.value, Within::Attribute).text)
    }

    fn links_of(
        &mut self,
        attribute: &Attribute,
        element: Cow<'static, str>,
        name: &'static str,
        row: &Row,
        syntax: Syntax,
    ) {
        let mut markup = Markup {
            language: Language::Html,
            element,
            attribute: Cow::Borrowed(name),
            quoting: attribute.quoting,
            form: Form::Whole,
            within: self.page.within.clone(),
        };
        // Nearly all values are one URL that stands there as it is.
        if syntax == Syntax::Url
            && let Some(text) = self.page.text
            && let reference = &text[attribute.value.range()]
            && is_literal(reference)
        {
            let (role, against) = self.role_and_base(row);
            let against = against.of(reference, role);
            markup.form = self.form(row, name);
            self.found.links.push(LinkData {
                spans: smallvec![attribute.value],
                reference: Cow::Borrowed(reference),
                place: Place::Markup(markup),
                role,
                against,
                notes: Notes::NONE,
                alternatives: Vec::new(),
            });
            return;
        }
        let value = self.page.decode(attribute.value, Within::Attribute);
        let whole = Span::new(0, value.text.len());
        let (items, form): (SmallVec<[Span; 1]>, Form) = match syntax {
            Syntax::Url => (smallvec![whole], self.form(row, name)),
            Syntax::SpaceList => (values::list(&value.text, false).collect(), Form::Item),
            Syntax::CommaList => (values::list(&value.text, true).collect(), Form::Item),
            Syntax::Srcset => (values::srcset(&value.text).collect(), Form::Candidate),
            Syntax::Refresh => match values::refresh(&value.text) {
                Some((span, quote)) => (smallvec![span], Form::Refresh { quote }),
                None => return,
            },
            Syntax::Css => return self.css(&value, &markup),
            Syntax::Page => return self.page_within(value, markup),
        };
        markup.form = form;
        let (role, against) = self.role_and_base(row);
        for item in items {
            let reference = strip(join(&value.text, &smallvec![item]));
            self.found.links.push(LinkData {
                spans: smallvec![value.to_source(item)],
                against: against.clone().of(&reference, role),
                reference,
                place: Place::Markup(markup.clone()),
                role,
                notes: value.notes(item),
                alternatives: Vec::new(),
            });
        }
    }

    /// How a URL stands in the tag's attribute of this name that is the whole value.
    fn form(&self, row: &Row, name: &str) -> Form {
        let is_canonical = if row.role.is_none() {
            let rel = self.value_of("rel").unwrap_or_default();
            table::is_canonical(&rel, self.value_of("hreflang").is_some())
        } else {
            name == "content" && {
                let names = ["property", "name"].into_iter();
                let mut names = names.filter_map(|it| self.value_of(it));
                let begins = |name: &str, start: &str| {
                    let name = name.get(..start.len());
                    name.is_some_and(|it| it.eq_ignore_ascii_case(start))
                };
                names.any(|it| begins(&it, "og:") || begins(&it, "twitter:"))
            }
        };
        if is_canonical {
            Form::Canonical
        } else {
            Form::Whole
        }
    }

    /// What the links of the tag's attribute are for, and what they are relative to.
    fn role_and_base(&self, row: &Row) -> (Role, BaseScope) {
        let role = row.role.unwrap_or_else(|| {
            table::role_of_rel(self.value_of("rel").as_deref().unwrap_or_default())
        });
        let against = match row.against {
            Rebased::No => BaseScope::Base,
            Rebased::Document => BaseScope::Document,
            Rebased::Codebase => match self.value_of("codebase") {
                Some(codebase) => against(ScopedBase::new(&strip(codebase), None)),
                None => BaseScope::Base,
            },
        };
        (role, against)
    }

    /// What the content of the element of this tag is.
    fn content_of(&self, tag: Tag, space: Space) -> Content {
        let is_type = |wanted: &[&str]| {
            let value = self.value_of("type").unwrap_or_default();
            wanted.iter().any(|it| value.eq_ignore_ascii_case(it))
        };
        let extra = &self.page.options.extra;
        match tag.key {
            names::STYLE if space != Space::MathMl && is_type(&["", "text/css"]) => {
                Content::Style(space)
            }
            names::SCRIPT if space == Space::Html && !self.lexer.attributes.is_empty() => {
                if is_type(&["importmap"]) {
                    Content::ImportMap
                } else if extra.json && is_type(&["speculationrules"]) {
                    Content::Speculation
                } else if extra.json && is_type(&["application/ld+json"]) {
                    Content::Data
                } else {
                    Content::Text
                }
            }
            _ => Content::Text,
        }
    }

    /// What character data holds: as content of the last element, or URLs as they stand in text.
    fn text(&mut self, span: Span, kind: TextKind) {
        match (self.content, kind) {
            (Content::Style(Space::Html), TextKind::Raw(_)) => {
                let markup = self.content_markup("style", Quoting::RawText, Form::Whole);
                self.css(&self.page.decode_plain(span), &markup);
            }
            (Content::Style(_), _) => self.sheet.push((span, kind)),
            (Content::Text, TextKind::Raw(RawText::Rawtext | RawText::Script)) => {
                if self.is_script {
                    self.found.scripted += scripted_links(&self.page.bytes[span.range()]);
                }
            }
            (Content::Text, _) => {
                if self.page.options.html_text {
                    self.visible
                        .urls(self.page, span, kind, &mut self.found.links);
                }
            }
            (content, _) => {
                let markup = self.content_markup("script", Quoting::RawText, Form::Json);
                self.json(span, content, &markup);
            }
        }
    }

    /// A tag ends the style sheet of SVG that may stand before it.
    fn end_sheet(&mut self) {
        let pieces: SmallVec<[_; 1]> = std::mem::take(&mut self.sheet)
            .into_iter()
            .map(|(span, kind)| match kind {
                TextKind::Cdata => (self.page.decode_plain(span), Quoting::Cdata),
                _ => (self.page.decode(span, Within::Text), Quoting::Content),
            })
            .collect();
        let markup = self.content_markup("style", Quoting::Content, Form::Whole);
        css::links_of_pieces(&pieces, &markup, &BaseScope::Base, &mut self.found.links);
    }

    /// The content of an element as a place of links.
    fn content_markup(&self, element: &'static str, quoting: Quoting, form: Form) -> Markup {
        Markup {
            language: Language::Html,
            element: Cow::Borrowed(element),
            attribute: Cow::Borrowed(Markup::CONTENT),
            quoting,
            form,
            within: self.page.within.clone(),
        }
    }

    /// The URLs of a style sheet, or of declarations.
    fn css(&mut self, value: &Value<'s>, markup: &Markup) {
        css::links_within(value, markup, &BaseScope::Base, &mut self.found.links);
    }

    /// The URLs of a script's data.
    fn json(&mut self, span: Span, content: Content, markup: &Markup) {
        let value = self.page.decode_plain(span);
        let links = &mut self.found.links;
        json::strings(&value.text, |string, path| {
            let role = match content {
                Content::ImportMap => json::is_in_import_map(&string, path).then_some(Role::Script),
                Content::Speculation => {
                    let is_url = path.len() == 2 && path[1] == "urls" && !string.is_name;
                    is_url.then_some(Role::Navigate)
                }
                _ => json::is_linked_data(&string, path).then_some(Role::Metadata),
            };
            if let Some(role) = role {
                links.push(LinkData {
                    spans: smallvec![value.to_source(string.span)],
                    reference: Cow::Owned(strip(string.value).into_owned()),
                    place: Place::Markup(markup.clone()),
                    role,
                    against: BaseScope::Base,
                    notes: value.notes(string.span),
                    alternatives: Vec::new(),
                });
            }
        });
    }

    /// The links of a conditional comment, which old browsers read as part of the page.
    fn comment(&mut self, span: Span) {
        let text = &self.page.bytes[span.range()];
        let condition = text.trim_ascii_start().get(..3).unwrap_or_default();
        // In a style sheet it could only stand between two links.
        if condition.eq_ignore_ascii_case(b"[if") && self.sheet.is_empty() {
            let markup = self.content_markup(Markup::COMMENT, Quoting::Comment, Form::Whole);
            self.page_within(self.page.decode_plain(span), markup);
        }
    }

    /// A page that `value` is the text of.
    fn page_within(&mut self, value: Value<'s>, markup: Markup) {
        self.found.nested.push(Nested {
            at: self.found.links.len(),
            tag: self.tags.checked_sub(1),
            value,
            markup,
        });
    }
}

fn against(base: Option<ScopedBase>) -> BaseScope {
    base.map_or(BaseScope::Base, |base| BaseScope::Nested(Arc::new(base)))
}

fn lower(name: &[u8]) -> Cow<'static, str> {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    Cow::Owned(name.replace('\0', "\u{FFFD}"))
}
