//! Finds the links in tags and their content.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::content::Content;
use super::found::{BaseFound, Found, Nested};
use super::lexer::Lexer;
use super::names::{self, Wanted};
use super::namespace::Namespace;
use super::page::{Page, is_literal};
use super::scripted::{self, scripted_links};
use super::table::{self, Element, Rebased, Row};
use super::tag_classifier::{NeedsTree, TagClassifier, TagEffect};
use super::token::{Attribute, RawText, Tag, TextKind, Token};
use super::values::{self, Items, Syntax};
use super::visible::{Visible, wbr_len};
use super::{anchors, integrity, json};
use crate::bytes::{Span, join};
use crate::format::css;
use crate::format::markup::charref::Within;
use crate::format::markup::value::Value;
use crate::format::value::strip;
use crate::link::{
    Absoluteness, AttributeSpan, BaseScope, Form, Markup, MarkupPlace, Notes, ParsedLink, Place,
    Quoting, Role, ScopedBase, removal,
};

/// The number of links of a tag or a text from which on they are delivered before its end.
const MANY: usize = if cfg!(test) { 3 } else { 1024 };

/// Reads a page and finds its links.
pub(super) struct Finder<'p, 's, 'o, M, D> {
    pub(super) page: &'p Page<'s, 'o>,
    pub(super) lexer: Lexer<'s>,
    pub(super) classifier: M,
    pub(super) found: Found<'s>,
    /// The number of start tags so far.
    tags: usize,
    /// The classifier of the text that follows.
    content: Content,
    /// The pieces of the style sheet in an SVG element. There may be several; none counts if the
    /// element has child elements.
    sheet: SmallVec<[(Span, TextKind); 1]>,
    /// The link attributes of the `html` and the `body` element. Of duplicates, also in later tags,
    /// the first counts.
    pub(super) given: [Vec<&'static str>; 2],
    /// True if the last start tag opened a script whose links are counted.
    is_script: bool,
    /// The text that continues after a `wbr`.
    visible: Visible<'s>,
    deliver: D,
    /// True if it is certain that the links of the last tag count.
    is_sure: bool,
    /// True if `deliver` broke within a tag or a text.
    has_broken: bool,
}

impl<'p, 's, 'o, M, D> Finder<'p, 's, 'o, M, D>
where
    M: TagClassifier,
    D: FnMut(&mut Found<'s>) -> ControlFlow<()>,
{
    /// `deliver` is called when links were found: after a tag, a text or a comment. It may take
    /// them out of [`Found::links`]. In a tag or a text with many links it is called before the
    /// end, too: see [`Found::is_part`].
    pub(super) fn new(page: &'p Page<'s, 'o>, classifier: M, deliver: D) -> Self {
        let mut lexer = Lexer::new(page.bytes);
        lexer.search(Wanted::of(page.anchors, page.options.scripted));
        lexer.skips_comments = !page.options.extra.comments;
        Self {
            page,
            lexer,
            classifier,
            found: Found::default(),
            tags: 0,
            content: Content::Text,
            sheet: SmallVec::new(),
            given: Default::default(),
            is_script: false,
            visible: Visible::default(),
            deliver,
            is_sure: true,
            has_broken: false,
        }
    }

    /// Reads the page. An error means that the tree is needed, or that `deliver` broke.
    pub(super) fn run(mut self) -> Result<(Found<'s>, M), NeedsTree> {
        while let Some(token) = self.lexer.next() {
            let before = M::REMOVES.then(|| self.found.lens());
            match token {
                Token::Start => self.start_tag()?,
                Token::End => {
                    self.end_text();
                    if !self.sheet.is_empty() {
                        self.end_sheet();
                    }
                    self.content = Content::Text;
                    self.classifier.end_tag(&mut self.lexer)?;
                    self.set_skipped();
                }
                Token::Text(span, kind) => {
                    self.classifier.other(token, &mut self.lexer)?;
                    self.text(span, kind);
                }
                Token::Comment(span) => {
                    self.end_text();
                    self.classifier.other(token, &mut self.lexer)?;
                    if self.page.options.extra.comments {
                        self.comment(span);
                    }
                }
                Token::Doctype(_) => self.classifier.other(token, &mut self.lexer)?,
                Token::Section => {
                    self.classifier.section(&mut self.lexer)?;
                    self.set_skipped();
                }
            }
            if let Some(before) = before.filter(|_| self.classifier.is_removed()) {
                self.found.truncate(before);
            }
            if !self.found.links.is_empty() || !self.found.nested.is_empty() {
                self.deliver()?;
            }
        }
        // Unclosed content ends with the page.
        self.end_text();
        if !self.sheet.is_empty() {
            self.end_sheet();
        }
        self.deliver()?;
        Ok((self.found, self.classifier))
    }

    fn deliver(&mut self) -> Result<(), NeedsTree> {
        self.found.is_final = self.classifier.is_final();
        self.found.at = self.lexer.at();
        let flow = (self.deliver)(&mut self.found);
        match flow.is_break() || self.has_broken {
            true => Err(NeedsTree),
            false => Ok(()),
        }
    }

    /// Adds a link of a tag or a text that may have many.
    fn push(&mut self, link: ParsedLink<'s>) {
        if self.has_broken || M::REMOVES && self.classifier.is_removed() {
            return;
        }
        self.found.links.push(link);
        if self.found.links.len() >= MANY && self.is_sure {
            self.found.is_part = true;
            self.found.had_part = true;
            self.has_broken = self.deliver().is_err();
            self.found.is_part = false;
        }
    }

    fn end_text(&mut self) {
        if !self.visible.is_empty() {
            let mut visible = std::mem::take(&mut self.visible);
            visible.end(self.page, &mut |link| self.push(link));
        }
    }

    fn start_tag(&mut self) -> Result<(), NeedsTree> {
        let number = self.tags;
        self.tags += 1;
        if !self.visible.is_empty() && wbr_len(&self.page.bytes[self.lexer.tag.start..]) == 0 {
            self.end_text();
        }
        let is_plain = self.lexer.skips_plain(false);
        let effect = match is_plain {
            true => self.classifier.plain_start_tag(&mut self.lexer)?,
            false => self.classifier.start_tag(&mut self.lexer)?,
        };
        let tag = self.lexer.tag;
        let namespace = match effect {
            TagEffect::Element(namespace) => namespace,
            TagEffect::Attributes | TagEffect::Unsure => Namespace::Html,
            TagEffect::Nothing => {
                self.set_skipped();
                return Ok(());
            }
        };
        if !is_plain {
            self.enter(tag, namespace);
        }
        if !self.lexer.may_link {
            return Ok(());
        }
        let lens = self.found.lens();
        let before = self.found.links.len();
        self.found.had_part = false;
        // The links of a BASE are searched for its reference.
        self.is_sure = effect != TagEffect::Unsure && tag.key != names::BASE;
        self.attributes(tag, namespace);
        self.is_sure = true;
        let has_links = self.found.had_part || self.found.links.len() > before;
        let before = before.min(self.found.links.len());
        let has_anchors = self.page.anchors
            && !self.classifier.is_in_template()
            && anchors::find(
                self.page, &self.lexer, namespace, &mut self.given, &mut self.found.anchors,
            );
        if (has_links || has_anchors) && effect == TagEffect::Unsure {
            let decided = self.classifier.decide(&mut self.lexer)?;
            self.set_skipped();
            if decided == TagEffect::Nothing {
                self.found.truncate(lens);
                return Ok(());
            }
        }
        if self.page.options.scripted {
            let (attributes, links) = (&self.lexer.attributes, &self.found.links[before..]);
            self.found.scripted += scripted::links_of_tag(self.page.bytes, attributes, links);
        }
        if has_links && namespace == Namespace::Html {
            let attributes = &self.lexer.attributes;
            integrity::find(self.page, tag, attributes, before, &mut self.found);
        }
        let is_base = namespace == Namespace::Html && tag.key == names::BASE;
        if is_base && has_links && !self.classifier.in_template() {
            // The tag may also have a `style`.
            let mut links = self.found.links[before..].iter();
            let base = links.find(|link| link.role == Role::Base);
            let Some((base, &link)) = base.and_then(|it| Some((it, it.spans.first()?))) else {
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
                element: AttributeSpan::new(link, removal),
                reference: base.reference.clone(),
            });
            // In a table their order may change.
            if self.found.bases.len() > 1 && !self.classifier.keeps_order() {
                return Err(NeedsTree);
            }
        }
        Ok(())
    }

    /// Prepares for the content of the element of a start tag.
    fn enter(&mut self, tag: Tag, namespace: Namespace) {
        self.content = self.content_of(tag, namespace);
        self.is_script = self.page.options.scripted
            && tag.key == names::SCRIPT
            && namespace == Namespace::Html
            && scripted::is_program(&self.value_of("type").unwrap_or_default());
        self.sheet.clear();
        self.set_skipped();
    }

    /// Determines what the lexer skips.
    fn set_skipped(&mut self) {
        let is_text = self.content == Content::Text;
        let is_read = self.page.options.html_text || !is_text;
        self.lexer.skips_text = !is_read && !self.classifier.needs_text();
        self.lexer.skips_tags = is_text && self.classifier.skips_tags();
        self.lexer.skips_childless = is_text && self.classifier.skips_childless(self.page.bytes);
    }

    /// Finds the links in the attributes of a tag.
    fn attributes(&mut self, tag: Tag, namespace: Namespace) {
        let name = &self.page.bytes[tag.name.range()];
        // A bit for each attribute of the table.
        let mut seen = 0_u64;
        for at in 0..self.lexer.attributes.len() {
            let attribute = self.lexer.attributes[at];
            let attribute_name = &self.page.bytes[attribute.name.range()];
            if !Wanted::LINKS.may_have(attribute_name[0], attribute_name.len()) {
                continue;
            }
            let Some(found) = table::attribute(attribute_name) else {
                continue;
            };
            let Some((row, element)) = found.on_key(tag.key, name, namespace) else {
                continue;
            };
            // Of attributes with the same name, the first counts, whether or not it is a link.
            if seen >> found.number & 1 != 0 {
                continue;
            }
            seen |= 1 << found.number;
            if namespace == Namespace::Html && matches!(tag.key, names::HTML | names::BODY) {
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
            self.links_of(&attribute, (name, element), found.name, row, syntax);
        }
    }

    /// The syntax of an attribute, if the other attributes of the tag allow it to have a URL.
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

    /// Returns true if a `meta` tag has a URL about the page, for previews of links to it.
    fn is_meta_url(&self) -> bool {
        let named = |attribute: &str| {
            self.value_of(attribute).is_some_and(|name| table::is_meta_url(&name))
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
        (element, known): (&[u8], Option<&'static Element>),
        name: &'static str,
        row: &Row,
        syntax: Syntax,
    ) {
        let known = known.and_then(|it| it.place(attribute.quoting));
        let rel = match self.page.options.rels {
            true => self.value_of("rel").map(Arc::from),
            false => None,
        };
        let place = match (known, &self.page.within) {
            (Some(known), None) if rel.is_none() => known,
            (known, _) => {
                let element = known.map_or_else(|| names::lower(element), |it| it.element.clone());
                let (quoting, form) = (attribute.quoting, Form::Whole);
                Markup { rel, ..self.page.markup(element, name, quoting, form) }.into()
            }
        };
        // Most values are one URL without references or white space.
        if syntax == Syntax::Url
            && let Some(reference) = self.page.undecoded(attribute.value)
            && is_literal(reference)
        {
            let (role, base_scope) = self.role_and_base(row);
            self.found.links.push(ParsedLink {
                spans: smallvec![attribute.value],
                reference: Cow::Borrowed(reference),
                place: Place::Markup(place),
                role,
                absoluteness: self.absoluteness(row, name),
                base_scope: base_scope.of(reference, role),
                notes: Notes::NONE,
                alternatives: Box::default(),
            });
            return;
        }
        let value = self.page.decode(attribute.value, Within::Attribute);
        let whole = Span::new(0, value.text.len());
        let (items, form) = match syntax {
            Syntax::Url => (Items::One(Some(whole)), Form::Whole),
            Syntax::SpaceList => (Items::list(&value.text, false), Form::Item),
            Syntax::CommaList => (Items::list(&value.text, true), Form::Item),
            Syntax::Srcset => (Items::srcset(&value.text), Form::Candidate),
            Syntax::Refresh => match values::refresh(&value.text) {
                Some((span, quote)) => (Items::One(Some(span)), Form::Refresh { quote }),
                None => return,
            },
            Syntax::Css => return self.css(&value, &place),
            Syntax::Page => return self.page_within(value, Markup::clone(&place)),
        };
        let place = match form {
            Form::Whole => place,
            form => MarkupPlace::from(Markup { form, ..Markup::clone(&place) }),
        };
        let absoluteness = match form {
            Form::Whole => self.absoluteness(row, name),
            _ => Absoluteness::Optional,
        };
        let (role, base_scope) = self.role_and_base(row);
        for item in items {
            let reference = strip(join(&value.text, &smallvec![item]));
            self.push(ParsedLink {
                spans: smallvec![value.to_source(item)],
                base_scope: base_scope.clone().of(&reference, role),
                reference,
                place: Place::Markup(place.clone()),
                role,
                absoluteness,
                notes: value.notes(item),
                alternatives: Box::default(),
            });
        }
    }

    /// Returns true if the URL that is the whole value of the tag's attribute `name` must be
    /// absolute.
    #[inline]
    fn absoluteness(&self, row: &Row, name: &str) -> Absoluteness {
        // Only the URLs of `link` and `meta` may be public addresses.
        match row.role.is_some() && row.syntax != Syntax::Refresh {
            true => Absoluteness::Optional,
            false => self.absoluteness_by_attributes(row, name),
        }
    }

    fn absoluteness_by_attributes(&self, row: &Row, name: &str) -> Absoluteness {
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
        match is_canonical {
            true => Absoluteness::Recommended,
            false => Absoluteness::Optional,
        }
    }

    /// The role and the base scope of the links in the attribute of this row.
    #[inline]
    fn role_and_base(&self, row: &Row) -> (Role, BaseScope) {
        match (row.role, row.base_scope) {
            (Some(role), Rebased::No) => (role, BaseScope::Base),
            _ => self.role_and_base_by_attributes(row),
        }
    }

    fn role_and_base_by_attributes(&self, row: &Row) -> (Role, BaseScope) {
        let role = row.role.unwrap_or_else(|| {
            table::role_of_rel(self.value_of("rel").as_deref().unwrap_or_default())
        });
        let base_scope = match row.base_scope {
            Rebased::No => BaseScope::Base,
            Rebased::Document => BaseScope::Document,
            Rebased::Codebase => match self.value_of("codebase") {
                Some(codebase) => ScopedBase::new(&strip(codebase), None)
                    .map_or(BaseScope::Base, |base| BaseScope::Nested(Arc::new(base))),
                None => BaseScope::Base,
            },
        };
        (role, base_scope)
    }

    /// The classifier of the text in the element of this tag.
    fn content_of(&self, tag: Tag, namespace: Namespace) -> Content {
        let is_type = |wanted: &[&str]| {
            let value = self.value_of("type").unwrap_or_default();
            wanted.iter().any(|it| value.eq_ignore_ascii_case(it))
        };
        let extra = &self.page.options.extra;
        match tag.key {
            names::STYLE if namespace != Namespace::MathMl && is_type(&["", "text/css"]) => {
                Content::Style(namespace)
            }
            names::SCRIPT if namespace == Namespace::Html && !self.lexer.attributes.is_empty() => {
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

    /// Reads character data: as content of the last element, or as text with URLs.
    fn text(&mut self, span: Span, kind: TextKind) {
        match (self.content, kind) {
            (Content::Style(Namespace::Html), TextKind::Raw(_)) => {
                let markup = self.page.content("style", Quoting::RawText, Form::Whole);
                self.css(&self.page.decode_plain(span), &markup.into());
            }
            (Content::Style(_), _) => self.sheet.push((span, kind)),
            (Content::Text, TextKind::Raw(RawText::Rawtext | RawText::Script)) => {
                if self.is_script {
                    self.found.scripted += scripted_links(&self.page.bytes[span.range()]);
                }
            }
            (Content::Text, _) => {
                if self.page.options.html_text {
                    let mut visible = std::mem::take(&mut self.visible);
                    visible.urls(self.page, span, kind, &mut |link| self.push(link));
                    self.visible = visible;
                }
            }
            (content, _) => {
                let markup = self.page.content("script", Quoting::RawText, Form::Json);
                let value = self.page.decode_plain(span);
                json::links(&value, content, &markup.into(), |link| self.push(link));
            }
        }
    }

    /// Ends the style sheet of SVG before a tag.
    fn end_sheet(&mut self) {
        let pieces: SmallVec<[_; 1]> = std::mem::take(&mut self.sheet)
            .into_iter()
            .map(|(span, kind)| match kind {
                TextKind::Cdata => (self.page.decode_plain(span), Quoting::Cdata),
                _ => (self.page.decode(span, Within::Text), Quoting::Content),
            })
            .collect();
        let markup = self.page.content("style", Quoting::Content, Form::Whole);
        css::links_of_pieces(&pieces, &markup, &BaseScope::Base, |link| self.push(link));
    }

    /// Finds the URLs of a style sheet or of declarations.
    fn css(&mut self, value: &Value<'s>, markup: &MarkupPlace) {
        css::links_within(value, markup, &BaseScope::Base, |link| self.push(link));
    }

    /// Finds the links of a conditional comment, which old browsers read as part of the page.
    fn comment(&mut self, span: Span) {
        let text = &self.page.bytes[span.range()];
        let condition = text.trim_ascii_start().get(..3).unwrap_or_default();
        // In a style sheet, it would separate two links.
        if condition.eq_ignore_ascii_case(b"[if") && self.sheet.is_empty() {
            let markup = self.page.content(Markup::COMMENT, Quoting::Comment, Form::Whole);
            self.page_within(self.page.decode_plain(span), markup);
        }
    }

    /// Records a page whose text is `value`.
    fn page_within(&mut self, value: Value<'s>, markup: Markup) {
        self.found.nested.push(Nested { start: value.start(), value, markup });
    }
}
