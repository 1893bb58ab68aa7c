//! Reads the links and anchors of decoded text.

use std::borrow::Cow;

use smallvec::smallvec;

use super::block::{Block, Blocks};
use super::blocks::{blocks_of, definitions_of, each_block};
use super::defanged::{self, defanged_urls};
use super::destination::decoded;
use super::dialect::{constructs, destinations, may_have_base, path_after_base};
use super::front_matter::FrontMatter;
use super::headings::heading_ids;
use super::inlines::{Brackets, Inline, Inlines, Syntax};
use super::joined::Joined;
use super::mdx;
use super::uses::{Uses, name_unused, role, uses_of};
use crate::bytes::{Span, Spans};
use crate::format::Options;
use crate::format::batch::{BATCH, Take};
use crate::format::html::read_fragment;
use crate::format::options::Slugs;
use crate::format::options::{Dialect, Join, MarkdownOptions};
use crate::format::text::is_defanged;
use crate::link::{
    Absoluteness, Directive, MarkdownForm, MarkdownPlace, Note, ParsedLink, Place, Role,
};

/// The maximum length of the destinations of all uses together, in lengths of the document: it
/// could have a use for every few bytes, of a long definition.
const MOST_USES: usize = 16;

/// Reads the decoded text of a document.
pub(super) struct Reader<'t, 'o, 'f> {
    text: &'t str,
    options: &'o Options,
    /// The links, or those that were not delivered.
    pub(super) links: Vec<ParsedLink<'t>>,
    pub(super) anchors: Vec<Cow<'t, str>>,
    /// The uses of definitions by their numbers: so far, or all if links are delivered.
    uses: Vec<Uses>,
    /// The number of bytes that the destinations of further uses may have.
    uses_left: usize,
    /// The definitions by number: the index of their link.
    definitions: Vec<usize>,
    /// The offset after the last link.
    end: usize,
    /// Receives links as they are found.
    take: Option<&'f mut Take<'f, 't>>,
}

impl<'t, 'o, 'f> Reader<'t, 'o, 'f> {
    /// Ids are those of the rule of the options, and of a second rule.
    pub(super) fn read(
        text: &'t str,
        options: &'o Options,
        front_matter: Option<FrontMatter>,
        also_slugs: Slugs,
    ) -> Self {
        let start = front_matter.map_or(0, |it| it.end);
        let blocks = blocks_of(text, start, options.markdown.dialect);
        let mut reader = Self::new(text, options, vec![Uses::default(); blocks.destinations.len()]);
        reader.definitions = vec![usize::MAX; blocks.destinations.len()];
        reader.front_matter(front_matter);
        for block in &blocks.blocks {
            reader.block(*block, &blocks, &blocks);
        }
        name_unused(text, &blocks, &mut reader.uses);
        reader.set_uses();
        reader.add_constructs();
        if options.markdown.defanged {
            let urls = defanged_urls(text, &options.text_joining(Join::Angle));
            defanged::add(text, urls, &mut reader.links);
        }
        for slugs in [options.markdown.slugs, also_slugs] {
            if options.anchors && slugs != Slugs::None {
                let markdown = MarkdownOptions { slugs, ..options.markdown };
                let ids = heading_ids(text, &blocks, markdown);
                reader.anchors.extend(ids.into_iter().map(Cow::Owned));
            }
        }
        reader
    }

    /// Delivers the links as they are found. Properties that need the whole document are read
    /// first: the definitions, and which links or images use them.
    ///
    /// Returns false without links if [`read`](Self::read) is needed: for anchors, and in a site
    /// whose program has constructs, or for defanged URLs.
    pub(super) fn read_each(
        text: &'t str,
        options: &'o Options,
        front_matter: Option<FrontMatter>,
        take: &'f mut Take<'f, 't>,
    ) -> bool {
        let has_constructs = || {
            let markdown = &options.markdown;
            !markdown.without_constructs
                && (may_have_base(markdown.dialect, text)
                    || !constructs(markdown.dialect, text).is_empty())
        };
        if options.anchors || has_constructs() {
            return false;
        }
        let has_defanged = || !defanged_urls(text, &options.text_joining(Join::Angle)).is_empty();
        if options.markdown.defanged && has_defanged() {
            return false;
        }
        let start = front_matter.map_or(0, |it| it.end);
        let syntax = Syntax::of(&options.markdown);
        let all = definitions_of(text, start, syntax.dialect);
        let uses = uses_of(text, start, syntax, &all);
        let mut reader = Self::new(text, options, uses);
        reader.take = Some(take);
        reader.front_matter(front_matter);
        each_block(text, start, syntax.dialect, |blocks| {
            for block in &blocks.blocks {
                reader.block(*block, blocks, &all);
            }
        });
        reader.deliver();
        true
    }

    fn new(text: &'t str, options: &'o Options, uses: Vec<Uses>) -> Self {
        Self {
            text,
            options,
            links: Vec::new(),
            anchors: Vec::new(),
            uses_left: MOST_USES * (text.len() + 1024),
            uses,
            definitions: Vec::new(),
            end: 0,
            take: None,
        }
    }

    fn front_matter(&mut self, front_matter: Option<FrontMatter>) {
        let Some(front_matter) = front_matter else {
            return;
        };
        let (text, options) = (self.text, &self.options.markdown);
        let mut found = Vec::new();
        if options.wiki {
            let wiki = |span| found.push((span, MarkdownForm::Wiki, Role::Navigate));
            front_matter.wiki_links(text, wiki);
        }
        if options.front_matter {
            front_matter.links(text.as_bytes(), |span, role| {
                // A wiki-link is the whole value.
                if !text[span.range()].starts_with("[[") || !options.wiki {
                    found.push((span, MarkdownForm::FrontMatter, role));
                }
            });
        }
        if !options.without_constructs {
            let form = MarkdownForm::Directive(Directive::Address);
            let address = |span| found.push((span, form, Role::Navigate));
            front_matter.addresses(text, options.dialect, address);
        }
        found.sort_by_key(|(span, ..)| span.start);
        found.dedup_by_key(|(span, ..)| span.start);
        for (span, form, role) in found {
            let place = MarkdownPlace::new(form);
            self.link(smallvec![span], text[span.range()].into(), place, role);
        }
    }

    /// Reads a block of `blocks`. `all` has the labels and destinations of the document.
    #[inline]
    fn block(&mut self, block: Block, blocks: &Blocks, all: &Blocks) {
        let text = self.text;
        match block {
            Block::Text(lines) | Block::Heading(lines) => {
                self.inlines(&blocks.joined(text, lines), all, false);
            }
            Block::Cell(span) => {
                let joined = Joined::of_cell(&text[span.range()], span.start);
                self.inlines(&joined, all, true);
            }
            Block::Html(lines) => {
                let joined = blocks.joined(text, lines);
                self.html(&joined, Span::new(0, joined.text.len()));
            }
            Block::Mdx { span, quotes } => {
                let read = mdx::read(text, span, quotes, self.options);
                self.anchors.extend(read.anchors);
                read.links.into_iter().for_each(|link| self.push(link));
            }
            Block::Footnote(_) | Block::Fence(_) | Block::Tab { .. } => {}
            Block::Definition { number, is_bracketed } => {
                let span = all.destinations[number];
                if let Some(at) = self.definitions.get_mut(number) {
                    *at = self.links.len();
                }
                let uses = self.uses[number];
                let place = MarkdownPlace {
                    is_bracketed,
                    is_unused: uses.are_none(),
                    ..MarkdownPlace::new(MarkdownForm::Definition)
                };
                let reference = decoded(&text[span.range()]);
                let role = uses.role();
                self.link(smallvec![span], reference, place, role);
            }
        }
    }

    fn push(&mut self, link: ParsedLink<'t>) {
        self.end = link.extent().end;
        self.links.push(link);
        if self.links.len() >= BATCH && self.take.is_some() {
            self.deliver();
        }
    }

    fn deliver(&mut self) {
        if let Some(take) = &mut self.take {
            take(&mut self.links);
            self.links.clear();
        }
    }

    /// Adds the constructs of the program of the site. Links inside a construct are dropped.
    fn add_constructs(&mut self) {
        let dialect = self.options.markdown.dialect;
        if self.options.markdown.without_constructs {
            return;
        }
        let found = constructs(dialect, self.text);
        let templates = match dialect {
            Dialect::None | Dialect::Mdx | Dialect::Starlight => Vec::new(),
            _ => destinations(self.text, &found),
        };
        if found.is_empty() && templates.is_empty() {
            return self.set_paths_after_base();
        }
        let link = |span: Span, form, role| {
            let place = MarkdownPlace::new(form);
            let reference = self.text[span.range()].into();
            ParsedLink::new(smallvec![span], reference, Place::Markdown(place), role)
        };
        let found = found.into_iter();
        let found = found.map(|(span, it)| link(span, MarkdownForm::Directive(it), Role::Embed));
        let templates = templates.into_iter();
        let templates = templates.map(|span| link(span, MarkdownForm::Inline, Role::Navigate));
        let mut links: Vec<ParsedLink<'t>> = found.chain(templates).collect();
        links.sort_by_key(|link| link.extent().start);
        let mut spans = links.iter().map(ParsedLink::extent).peekable();
        self.links.sort_by_key(|link| link.extent().start);
        self.links.retain(|link| {
            let extent = link.extent();
            while spans.next_if(|span| span.end <= extent.start).is_some() {}
            spans.peek().is_none_or(|span| extent.end <= span.start)
        });
        self.links.extend(links);
        self.links.sort_by_key(|link| link.extent().start);
        self.set_paths_after_base();
    }

    /// Makes links that begin with the base URL of the site constructs with the path after it.
    fn set_paths_after_base(&mut self) {
        let (dialect, text) = (self.options.markdown.dialect, self.text);
        if !may_have_base(dialect, text) {
            return;
        }
        for link in &mut self.links {
            let [span] = *link.spans else { continue };
            let Some(path) = path_after_base(dialect, &text[span.range()]) else {
                continue;
            };
            let start = path.as_ptr().addr() - text.as_ptr().addr();
            link.spans = smallvec![Span::new(start, start + path.len())];
            link.reference = path.into();
            let form = MarkdownForm::Directive(Directive::BaseUrl);
            link.place = Place::Markdown(MarkdownPlace::new(form));
        }
    }

    fn set_uses(&mut self) {
        for (uses, &link) in self.uses.iter().zip(&self.definitions) {
            if let Some(link) = self.links.get_mut(link) {
                link.role = uses.role();
                if let Place::Markdown(place) = &mut link.place {
                    place.is_unused = uses.are_none();
                }
            }
        }
    }

    fn inlines(&mut self, joined: &Joined<'t>, blocks: &Blocks, is_in_table: bool) {
        let syntax = Syntax::of(&self.options.markdown);
        let inlines = Inlines::new(&joined.text, &blocks.labels, syntax);
        inlines.read(|inline| match inline {
            Inline::Destination { destination, brackets } => {
                let place = MarkdownPlace {
                    is_bracketed: destination.is_bracketed,
                    is_in_table,
                    ..MarkdownPlace::new(MarkdownForm::Inline)
                };
                let role = role(brackets.is_image);
                self.spelled(joined, destination.span, place, role, decoded);
            }
            Inline::Url { literal, is_bracketed } => {
                let place = MarkdownPlace {
                    is_bracketed,
                    is_in_table,
                    ..MarkdownPlace::new(MarkdownForm::Url(literal.delimiter))
                };
                self.spelled(joined, literal.span, place, Role::Navigate, as_written);
            }
            Inline::Reference { label, definition, brackets: Brackets { is_image, .. } } => {
                self.uses[definition].add(is_image);
                let span = blocks.destinations[definition];
                if self.options.markdown.references && span.len() <= self.uses_left {
                    self.uses_left -= span.len();
                    self.reference(joined, label, decoded(&self.text[span.range()]), is_image);
                }
            }
            Inline::Html(span) => {
                // An end tag or a tag without a value has no link.
                if memchr::memchr(b'=', &joined.text.as_bytes()[span.range()]).is_some() {
                    self.html(joined, span);
                }
            }
            Inline::Mdx(span) => {
                let read = mdx::read(&joined.text, span, 0, self.options);
                self.add_part(read, joined, 0);
            }
            Inline::Wiki { target, is_embed } => {
                let place = MarkdownPlace { is_in_table, ..MarkdownPlace::new(MarkdownForm::Wiki) };
                self.spelled(joined, target, place, role(is_embed), as_written);
            }
            Inline::Footnote(_) | Inline::Code { .. } => {}
        });
    }

    /// Adds the link that the bytes `span` of a text spell, as `decode` reads them.
    fn spelled(
        &mut self,
        joined: &Joined<'t>,
        span: Span,
        place: MarkdownPlace,
        role: Role,
        decode: for<'s> fn(&'s str) -> Cow<'s, str>,
    ) {
        let spans = joined.to_source(span);
        let source = spans.first().map(|span| &self.text[span.range()]);
        let read = &joined.text[span.range()];
        let reference = match source.filter(|source| *source == read) {
            Some(source) => decode(source),
            None => Cow::Owned(decode(read).into_owned()),
        };
        self.link(spans, reference, place, role);
    }

    /// Adds a use of a definition.
    fn reference(
        &mut self,
        joined: &Joined<'t>,
        label: Span,
        destination: Cow<'t, str>,
        is_image: bool,
    ) {
        let spans = joined.to_source(label);
        let start = spans.first().map_or(0, |span| span.start);
        // A label may hold a tag with a link.
        if self.end <= start {
            let place = MarkdownPlace::new(MarkdownForm::Reference);
            self.link(spans, destination, place, role(is_image));
        }
    }

    fn link(&mut self, spans: Spans, reference: Cow<'t, str>, place: MarkdownPlace, role: Role) {
        let absoluteness = match place.form {
            MarkdownForm::Url(_) => Absoluteness::Required,
            _ => Absoluteness::Optional,
        };
        let mut link = ParsedLink::new(spans, reference, Place::Markdown(place), role);
        link.absoluteness = absoluteness;
        if is_defanged(&link.reference) {
            link.notes = link.notes.with(Note::Defanged);
        }
        self.push(link);
    }

    /// Adds the links of a piece of HTML.
    fn html(&mut self, joined: &Joined<'t>, piece: Span) {
        let own = |it: Cow<'_, str>| Cow::Owned(it.into_owned());
        let start = piece.start;
        match &joined.text {
            Cow::Borrowed(text) => {
                let anchors = read_fragment(&text[piece.range()], self.options, &mut |links| {
                    links.drain(..).for_each(|link| self.part(link, joined, start));
                });
                self.anchors.extend(anchors);
            }
            Cow::Owned(text) => {
                let anchors = read_fragment(&text[piece.range()], self.options, &mut |links| {
                    let links = links.drain(..).map(ParsedLink::into_owned);
                    links.for_each(|link| self.part(link, joined, start));
                });
                self.anchors.extend(anchors.into_iter().map(own));
            }
        }
    }

    fn add_part(&mut self, part: mdx::Part, joined: &Joined<'_>, start: usize) {
        self.anchors.extend(part.anchors);
        let links = part.links.into_iter();
        links.for_each(|link| self.part(link, joined, start));
    }

    /// Adds a link of a part that begins at `start` of a text.
    fn part(&mut self, mut link: ParsedLink<'t>, joined: &Joined<'_>, start: usize) {
        let spans = link.spans.iter();
        link.spans = spans.flat_map(|span| joined.to_source(span.shifted(start))).collect();
        self.push(link);
    }
}

/// The reference of a URL, which has no escapes. A NUL reads as U+FFFD (CommonMark, section 2.3).
fn as_written(source: &str) -> Cow<'_, str> {
    match source.contains('\0') {
        true => source.replace('\0', "\u{FFFD}").into(),
        false => source.into(),
    }
}
