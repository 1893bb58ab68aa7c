//! Finds the links in the tags and the text of a document.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use encoding_rs::Encoding;
use smallvec::{SmallVec, smallvec};

use super::content::Content;
use super::found::Found;
use super::input::{Element, Input, Root, base_scope, owned};
use super::lexer::{Attribute, Lexer, Tag, Token};
use super::namespace::{Namespace, Scopes, declared_prefix, split};
use super::office::{Office, OfficeText};
use super::pieces::{PieceSpans, quoting};
use super::table::{self, Purpose};
use super::unread;
use super::{anchors, escaped, office, relationships, styles, urls, xhtml};
use crate::bytes::{Span, join};
use crate::format::Options;
use crate::format::batch::{Batch, Take};
use crate::format::markup::xml_value::Within;
use crate::format::value::strip;
use crate::link::{
    Absoluteness, Form, Language, Markup, Note, ParsedLink, Place, Role, ScopedBase,
};
use crate::source::PackagePart;

/// The largest number of open elements that an end tag may close. A tag that would close more is
/// ignored.
const MAX_UNCLOSED: usize = 64;

pub(super) struct Finder<'b, 's, 'o> {
    input: Input<'s, 'o>,
    found: Found<'b, 's>,
    scopes: Scopes<'s>,
    /// The open elements, innermost last.
    open: Vec<Open>,
    root: Root,
    /// The content of the innermost element, if it is a link.
    content: Option<Content>,
    /// The pieces of the style sheet in the innermost element.
    sheet: PieceSpans,
    /// The pieces of the HTML in the innermost element.
    html: PieceSpans,
    /// The fields and formulas of documents of offices.
    office: Office<'s>,
    /// The declared names of vocabularies without rules.
    names: HashSet<Cow<'s, str>>,
    /// True if URLs in values of vocabularies without rules are links.
    finds_urls: bool,
}

/// An open element.
struct Open {
    name: Span,
    /// The number of namespace declarations outside of it.
    scopes: usize,
    /// The `xml:base` of its content.
    base: Option<Arc<ScopedBase>>,
    /// True if it is a `template` of XHTML, or in one.
    in_template: bool,
    /// True if its text is a script or a style sheet.
    is_code: bool,
    /// True if it is a CSS style sheet.
    is_css: bool,
    /// Set if its text is HTML: whether the links of that must be absolute.
    html: Option<Absoluteness>,
    /// True if absolute URLs in its text are links.
    has_urls: bool,
    /// The kind of its text in a document of an office.
    office: Option<OfficeText>,
}

impl<'b, 's, 'o> Finder<'b, 's, 'o> {
    /// `take` receives the links as they are found.
    pub(super) fn new(
        source: &'s [u8],
        encoding: &'static Encoding,
        options: &'o Options,
        take: &'b mut Take<'b, 's>,
    ) -> Self {
        Self {
            input: Input {
                source,
                encoding,
                options,
                lexer: Lexer::new(source),
                has_hyperlink_base: false,
                uses: None,
            },
            found: Found::new(Batch::new(take)),
            scopes: Scopes::default(),
            open: Vec::new(),
            root: Root::default(),
            content: None,
            sheet: PieceSpans::new(),
            html: PieceSpans::new(),
            office: Office::default(),
            names: HashSet::new(),
            finds_urls: true,
        }
    }

    /// Reads the document as a part of a package.
    pub(super) fn of_part(mut self, part: Option<&'o PackagePart>) -> Self {
        self.input.uses = part.and_then(|it| it.uses.as_ref());
        self.input.has_hyperlink_base = part.is_some_and(|it| it.has_hyperlink_base);
        self
    }

    /// Delivers the links of the document. Returns its anchors and BASE elements.
    pub(super) fn run(mut self) -> Found<'b, 's> {
        while let Some(token) = self.input.lexer.next() {
            match token {
                Token::Start(tag) => self.start_tag(tag),
                Token::End(name) => self.end_tag(name),
                Token::Text(span) => self.text(span, Within::Content),
                Token::Cdata(span) => self.text(span, Within::Cdata),
                // It counts only before the root (Associating Style Sheets, section 3).
                Token::Stylesheet(_) if self.root.namespace.is_none() => self.stylesheet(),
                Token::Stylesheet(_) => {}
            }
        }
        self.end_sheet();
        self.end_html();
        self.office.finish(&self.input, &mut self.found);
        self.found.is_unbalanced |= !self.open.is_empty() || self.root.namespace.is_none();
        self.found.links.deliver();
        self.found
    }

    /// Returns true if values of a vocabulary without rules look like relative references.
    pub(super) fn has_unread(mut self) -> bool {
        self.finds_urls = false;
        while let Some(token) = self.input.lexer.next() {
            match token {
                Token::Start(tag) => {
                    let links = self.found.links.count();
                    self.start_tag(tag);
                    // Of a link in the content, the text follows.
                    let is_known = |it| !matches!(it, Namespace::None | Namespace::Other);
                    if self.root.vocabulary().is_some_and(is_known) || is_known(self.root.bare) {
                        return false;
                    }
                    // A tag with a link is of a known element.
                    if self.found.links.count() == links && unread::is_tag(&self.input) {
                        return true;
                    }
                }
                Token::End(name) => self.end_tag(name),
                Token::Text(span) if self.text_looks_unread(span, Within::Content) => return true,
                Token::Cdata(span) if self.text_looks_unread(span, Within::Cdata) => return true,
                Token::Text(_) | Token::Cdata(_) | Token::Stylesheet(_) => {}
            }
        }
        false
    }

    fn text_looks_unread(&self, span: Span, within: Within) -> bool {
        self.content.is_none() && unread::is_text(&self.input, span, within)
    }

    /// Delivers the links, and returns the texts that were read as HTML.
    pub(super) fn html(mut self) -> Vec<PieceSpans> {
        self.found.html = Some(Vec::new());
        self.run().html.unwrap_or_default()
    }

    fn start_tag(&mut self, tag: Tag) {
        // Mixed content is not a URL, but the end tag may be missing.
        self.end_content();
        self.end_html();
        // A style sheet or a formula with child elements does not count.
        self.sheet.clear();
        if let Some(open) = self.open.last_mut() {
            open.is_css = false;
            open.office = open.office.filter(|it| *it != OfficeText::Formula);
        }
        let scopes = self.scopes.len();
        let element = self.element(tag);
        let mut seen: SmallVec<[&str; 4]> = SmallVec::new();
        for at in 0..self.input.lexer.attributes.len() {
            self.attribute(tag, self.input.lexer.attributes[at], &element, &mut seen);
        }
        if self.input.options.anchors && !element.in_template {
            anchors::find(&self.input, &element, &mut self.found.anchors);
        }
        let office = self.office.start_tag(&self.input, &element, &mut self.found);
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
            let kind = self.input.value_of("type").unwrap_or_default();
            kind.is_empty() || kind.eq_ignore_ascii_case("text/css")
        };
        let html = escaped::is_html(&self.input, &element);
        let html = html.then(|| self.root.absoluteness(&element));
        let has_urls = element.namespace.has_any_urls() && !unread::is_name(element.local);
        self.open.push(Open {
            name: tag.name,
            scopes,
            base: element.base,
            in_template: element.in_template,
            is_code,
            is_css,
            html,
            has_urls,
            office,
        });
    }

    /// The element of a tag, with its declarations and its `xml:base`.
    fn element(&mut self, tag: Tag) -> Element<'s> {
        let outer = self.open.last();
        let mut base = outer.and_then(|outer| outer.base.clone());
        let mut in_template = outer.is_some_and(|outer| outer.in_template);
        let mut has_base = false;
        for at in 0..self.input.lexer.attributes.len() {
            let Attribute { name, value, .. } = self.input.lexer.attributes[at];
            match &self.input.source[name.range()] {
                // This prefix cannot be bound to another namespace, nor another prefix to this one.
                b"xml:base" if !has_base => {
                    has_base = true;
                    let reference = self.input.decode(value, Within::Attribute).text;
                    let nested = ScopedBase::new(&strip(reference), base.as_ref());
                    let nested = nested.map(|it| match self.input.has_entity(value) {
                        true => it.unknown(),
                        false => it,
                    });
                    base = nested.map(Arc::new).or(base);
                }
                name => {
                    let Some(prefix) = declared_prefix(name) else { continue };
                    // Then only the document type has its namespace: the prefix has its usual
                    // meaning.
                    if self.input.has_entity(value) {
                        continue;
                    }
                    let name = self.input.decode(value, Within::Attribute).text;
                    let namespace = Namespace::of_name(&name);
                    self.scopes.declare(prefix, namespace);
                    if namespace == Namespace::Other {
                        self.names.insert(name);
                    }
                }
            }
        }
        let (prefix, local) = split(&self.input.source[tag.name.range()]);
        let mut namespace = self.scopes.get(prefix);
        if self.root.namespace.is_none() {
            if namespace == Namespace::None || namespace == Namespace::Rdf {
                self.root.bare = Namespace::of_root(local);
            }
            self.root.namespace = Some(namespace);
            self.finds_urls &= !namespace.has_only_known_links();
        }
        // In RDF, the root determines the vocabulary of a name without a namespace only if no
        // declaration does: `xmlns=""` removes a name from all vocabularies.
        let is_taken_out =
            self.root.namespace == Some(Namespace::Rdf) && self.scopes.is_declared(prefix);
        if namespace == Namespace::None && !is_taken_out {
            namespace = self.root.bare;
        }
        in_template |= namespace == Namespace::Xhtml && local == b"template";
        Element { namespace, prefix, local, base, in_template }
    }

    fn attribute(
        &mut self,
        tag: Tag,
        attribute: Attribute,
        element: &Element<'s>,
        seen: &mut SmallVec<[&'static str; 4]>,
    ) {
        let written = &self.input.source[attribute.name.range()];
        let (prefix, local) = split(written);
        // Of attributes with the same name, the first counts.
        let mut is_first = |name: &'static str| {
            let is_first = !seen.contains(&name);
            if is_first {
                seen.push(name);
            }
            is_first
        };
        if prefix.is_empty() {
            if element.namespace == Namespace::Xhtml {
                return xhtml::links_of_attribute(
                    &self.input,
                    self.root,
                    (tag, element),
                    attribute,
                    is_first,
                    &mut self.found,
                );
            }
            if element.namespace == Namespace::Svg && local == b"style" && is_first("style") {
                return styles::links_of_declarations(&self.input, attribute, element, |link| {
                    self.found.links.push(link)
                });
            }
            let Some((row, known)) = table::row(element.namespace, element.local, local) else {
                return self.urls_of_attribute(attribute, element);
            };
            if is_first(row.attribute) {
                let role = match row.purpose {
                    Purpose::Is(role) => role,
                    Purpose::Rel => {
                        table::role_of_atom_rel(&self.input.value_of("rel").unwrap_or_default())
                    }
                    Purpose::Copy | Purpose::PermaLink => Role::Navigate,
                    Purpose::Relationship => {
                        // Within the package, it is structure.
                        if self.input.value_of("TargetMode").as_deref() != Some("External") {
                            return;
                        }
                        table::role_of_relationship(
                            &self.input.value_of("Type").unwrap_or_default(),
                        )
                    }
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
            (b"href", Namespace::Vml) => ("o:href", Some(Role::Navigate)),
            (b"textref", _) if element.namespace == Namespace::Smil => {
                ("epub:textref", Some(Role::Embed))
            }
            (b"url", Namespace::Odf) => ("text:url", Some(Role::Navigate)),
            (b"dde-topic", Namespace::Odf) => ("office:dde-topic", Some(Role::Embed)),
            (_, Namespace::Word | Namespace::Odf) => {
                let attribute = (attribute, local);
                return office::links_of_attribute(
                    &self.input, element, attribute, &mut self.found,
                );
            }
            (_, Namespace::Other) => return self.urls_of_attribute(attribute, element),
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

    /// Adds a link that is the whole value of an attribute. `names` are the name of the element, if
    /// it is in the table, and that of the attribute.
    fn whole_value(
        &mut self,
        attribute: Attribute,
        element: &Element<'s>,
        names: (Option<&'static str>, Cow<'static, str>),
        role: Role,
    ) {
        let base = match role {
            // It is relative to the base of the parent.
            Role::Base => self.open.last().and_then(|outer| outer.base.as_ref()),
            _ => element.base.as_ref(),
        };
        let language = element.namespace.language();
        let value = self.input.decode(attribute.value, Within::Attribute);
        let whole = Span::new(0, value.text.len());
        let reference = strip(join(&value.text, &smallvec![whole]));
        // In a style sheet that is a template: the text in braces is computed (XSLT, section
        // 7.6.2).
        // Programs of offices write empty references where there is no link.
        let is_empty = reference.is_empty()
            || reference.starts_with('#') && element.namespace == Namespace::Vml;
        if language.is_of_office() && is_empty {
            return;
        }
        let is_template =
            self.root.namespace == Some(Namespace::Xslt) && element.namespace != Namespace::Xslt;
        if is_template && reference.contains('{') {
            return;
        }
        let unknown = office::unknown_base(&self.input, language, &names.1, role, &reference);
        let base_scope = unknown.unwrap_or_else(|| base_scope(base));
        let (fragment, is_used) = match language {
            Language::Ooxml if names.1 == "Target" => relationships::use_of(&self.input),
            _ => (None, true),
        };
        let notes = value.notes(whole);
        let notes = if is_used { notes } else { notes.with(Note::Unreferenced) };
        let place = Markup {
            language,
            element: element.written(names.0),
            attribute: names.1,
            quoting: attribute.quoting,
            form: Form::Whole,
            within: None,
            rel: self.input.rel(),
            fragment,
        };
        self.found.links.push(ParsedLink {
            spans: smallvec![value.to_source(whole)],
            reference,
            place: Place::Markup(place.into()),
            role,
            absoluteness: self.root.absoluteness(element),
            base_scope,
            notes,
            alternatives: Box::default(),
        });
    }

    /// Adds the absolute URLs of an attribute without a rule, if its vocabulary has no rules.
    fn urls_of_attribute(&mut self, attribute: Attribute, element: &Element<'s>) {
        let written = &self.input.source[attribute.name.range()];
        let (prefix, local) = split(written);
        let is_value = prefix != b"xmlns" && !unread::is_name(local);
        let has_rules = prefix.is_empty() && !element.namespace.has_any_urls();
        if !self.finds_urls || has_rules || !is_value {
            return;
        }
        let place = urls::place(element.written(None), owned(written), attribute.quoting);
        let (links, names) = (&mut self.found.links, &self.names);
        urls::find(&self.input, (attribute.value, Within::Attribute), place, names, |link| {
            links.push(link);
        });
    }

    /// The value of `xlink:show`.
    fn xlink_show(&self) -> Cow<'s, str> {
        let is_show = |attribute: &&Attribute| {
            let (prefix, local) = split(&self.input.source[attribute.name.range()]);
            local == b"show" && self.scopes.get(prefix) == Namespace::Xlink
        };
        let found = self.input.lexer.attributes.iter().find(is_show);
        found.map_or(Cow::Borrowed(""), |attribute| {
            self.input.decode(attribute.value, Within::Attribute).text
        })
    }

    /// The `href` of a processing instruction `xml-stylesheet`.
    fn stylesheet(&mut self) {
        let named = |it: &&Attribute| &self.input.source[it.name.range()] == b"href";
        let Some(&attribute) = self.input.lexer.attributes.iter().find(named) else {
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

    /// Begins the content of an element, if it is a link.
    fn begin_content(&mut self, element: &Element<'s>) {
        let name = Markup::CONTENT.as_bytes();
        let Some((row, known)) = table::row(element.namespace, element.local, name) else {
            return;
        };
        let is_no_link = row.purpose == Purpose::PermaLink
            && self
                .input
                .value_of("isPermaLink")
                .is_some_and(|value| !value.trim().eq_ignore_ascii_case("true"));
        let is_no_copy = row.purpose == Purpose::Copy && !self.office.is_target_of_copy();
        if is_no_link || is_no_copy {
            return;
        }
        self.content = Some(Content {
            row,
            language: element.namespace.language(),
            element: element.written(known),
            base_scope: base_scope(element.base.as_ref()),
            absoluteness: self.root.absoluteness(element),
            pieces: SmallVec::new(),
        });
    }

    /// Ends the content: it is a link if it is not blank.
    fn end_content(&mut self) {
        let content = self.content.take();
        if let Some(link) = content.and_then(|content| content.into_link(&self.input)) {
            self.found.links.push(link);
        }
    }

    /// Ends the style sheet in the innermost element.
    fn end_sheet(&mut self) {
        let Some(open) = self.open.last().filter(|_| !self.sheet.is_empty()) else {
            return;
        };
        let pieces = std::mem::take(&mut self.sheet);
        let links = &mut self.found.links;
        let found = |link| links.push(link);
        styles::links_of_element(&self.input, open.name, open.base.as_ref(), &pieces, found);
    }

    /// Ends the HTML in the innermost element.
    fn end_html(&mut self) {
        let Some(open) = self.open.last().filter(|_| !self.html.is_empty()) else {
            return;
        };
        let Some(absoluteness) = open.html else {
            return;
        };
        let pieces = std::mem::take(&mut self.html);
        let element = (open.name, open.base.as_ref(), absoluteness);
        escaped::read(&self.input, element, &pieces, &mut self.found);
        if let Some(html) = &mut self.found.html {
            html.push(pieces);
        }
    }

    fn end_tag(&mut self, name: Span) {
        self.office.end_tag(&self.input, name, &mut self.found);
        self.end_content();
        self.end_sheet();
        self.end_html();
        let name = &self.input.source[name.range()];
        // An end tag without a start tag, or with unclosed elements before it, is not rare.
        let mut inner = self.open.iter().rev().take(MAX_UNCLOSED);
        let Some(inner) = inner.position(|open| &self.input.source[open.name.range()] == name)
        else {
            self.found.is_unbalanced = true;
            return;
        };
        self.found.is_unbalanced |= inner > 0;
        let left = self.open.len() - inner - 1;
        self.scopes.leave(self.open[left].scopes);
        self.open.truncate(left);
    }

    /// Reads a piece of character data: of a link, or with URLs in it.
    fn text(&mut self, span: Span, within: Within) {
        if let Some(content) = &mut self.content {
            content.pieces.push((span, within));
            return;
        }
        if let Some((name, text)) = self.open.last().and_then(|it| Some((it.name, it.office?))) {
            return self.office.text(&self.input, (name, text), (span, within));
        }
        if self.open.last().is_some_and(|open| open.is_css) {
            return self.sheet.push((span, within));
        }
        if self.open.last().is_some_and(|open| open.html.is_some()) {
            return self.html.push((span, within));
        }
        if let Some(open) = self.open.last().filter(|open| open.has_urls && self.finds_urls) {
            let name = owned(&self.input.source[open.name.range()]);
            let place = urls::place(name, Cow::Borrowed(Markup::CONTENT), quoting(within));
            let (links, names) = (&mut self.found.links, &self.names);
            return urls::find(&self.input, (span, within), place, names, |link| links.push(link));
        }
        let is_code = self.open.last().is_some_and(|open| open.is_code);
        if !self.input.options.html_text || is_code {
            return;
        }
        urls::find_in_text(&self.input, (span, within), |link| self.found.links.push(link));
    }
}
