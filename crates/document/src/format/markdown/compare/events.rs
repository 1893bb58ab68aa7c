//! The events of a document as pulldown-cmark reads them.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::bytes::Span;

/// The result of reading a document.
pub(super) struct Read<'t> {
    pub(super) items: Vec<Item<'t>>,
    pub(super) definitions: Vec<Definition>,
    /// For each wanted link, true if it is in text, and not the destination of a link.
    pub(super) in_text: Vec<bool>,
    /// The position of a wanted link in code.
    pub(super) in_code: Option<usize>,
}

pub(super) enum Item<'t> {
    /// An event, and the wanted link that is its destination.
    Event(Event<'t>, Range<usize>, Option<usize>),
    /// Text up to the next event of another kind, with a NUL in place of each wanted link.
    Text(String),
    /// A piece of HTML, without the prefixes of the containers around it.
    Html(Vec<Span>),
}

/// A reference definition.
pub(super) struct Definition {
    pub(super) label: String,
    pub(super) destination: String,
    pub(super) title: Option<String>,
    pub(super) span: Range<usize>,
}

/// Reads the events of a document.
pub(super) struct Reader<'t, 'l> {
    text: &'t str,
    /// The spans of all links.
    links: &'l [Span],
    /// The numbers of the links that are wanted, in order.
    wanted: &'l [usize],
    read: Read<'t>,
    /// The links and images around the next event: the item, and the end of the content so far.
    open: Vec<(usize, usize)>,
    /// For each wanted link, true if it was found as a destination.
    is_destination: Vec<bool>,
    /// The last wanted link that was found in text, by its number among the wanted ones.
    last_in_text: Option<usize>,
    /// True if the next event is in a code block.
    is_code: bool,
    /// The item of the HTML block around the next event.
    block: Option<usize>,
}

impl<'t, 'l> Reader<'t, 'l> {
    pub(super) fn new(text: &'t str, links: &'l [Span], wanted: &'l [usize]) -> Self {
        Self {
            text,
            links,
            wanted,
            read: Read {
                items: Vec::new(),
                definitions: Vec::new(),
                in_text: vec![false; wanted.len()],
                in_code: None,
            },
            open: Vec::new(),
            is_destination: vec![false; wanted.len()],
            last_in_text: None,
            is_code: false,
            block: None,
        }
    }

    pub(super) fn read(mut self) -> Read<'t> {
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_GFM
            | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
            | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
        let parser = Parser::new_ext(self.text, options);
        let definitions = parser.reference_definitions().iter();
        let definitions = definitions.map(|(label, it)| Definition {
            label: label.to_owned(),
            destination: it.dest.to_string(),
            title: it.title.as_deref().map(str::to_owned),
            span: it.span.clone(),
        });
        let mut definitions: Vec<Definition> = definitions.collect();
        definitions.sort_by_key(|it| it.span.start);
        self.read.definitions = definitions;
        for (event, range) in parser.into_offset_iter() {
            if !matches!(event, Event::End(_))
                && let Some((_, end)) = self.open.last_mut()
            {
                *end = range.end.max(*end);
            }
            self.event(event, range);
        }
        self.read
    }

    fn event(&mut self, event: Event<'t>, range: Range<usize>) {
        let item = self.read.items.len();
        match &event {
            Event::Text(text) if self.block.is_none() => return self.push_text(text, range),
            Event::Html(text) | Event::Text(text) | Event::InlineHtml(text) => {
                return self.push_html(text, &range);
            }
            Event::Code(_) => self.mark_code(&range),
            Event::Start(Tag::CodeBlock(_)) => self.is_code = true,
            Event::End(TagEnd::CodeBlock) => self.is_code = false,
            Event::Start(Tag::HtmlBlock) => {
                self.read.items.push(Item::Event(event, range, None));
                self.block = Some(item + 1);
                return self.read.items.push(Item::Html(Vec::new()));
            }
            Event::End(TagEnd::HtmlBlock) => self.block = None,
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => {
                self.open.push((item, range.start));
            }
            Event::End(TagEnd::Link | TagEnd::Image) => self.close(range.end),
            _ => {}
        }
        let link = match &event {
            Event::Start(Tag::Link { link_type: LinkType::Autolink | LinkType::Email, .. }) => {
                self.destination_in(range.clone())
            }
            _ => None,
        };
        self.read.items.push(Item::Event(event, range, link));
    }

    /// Ends a link or an image. The destination is after its content.
    fn close(&mut self, end: usize) {
        let Some((item, content)) = self.open.pop() else {
            return;
        };
        let Item::Event(Event::Start(tag), ..) = &self.read.items[item] else {
            return;
        };
        let (Tag::Link { link_type, .. } | Tag::Image { link_type, .. }) = tag else {
            return;
        };
        if *link_type == LinkType::Inline {
            let found = self.destination_in(content..end);
            if let Item::Event(_, _, link) = &mut self.read.items[item] {
                *link = found;
            }
        }
    }

    /// The wanted link that is a destination in this range.
    fn destination_in(&mut self, range: Range<usize>) -> Option<usize> {
        let at = self.wanted.partition_point(|&link| self.links[link].start < range.start);
        let link = *self.wanted.get(at)?;
        if self.links[link].end > range.end {
            return None;
        }
        self.is_destination[at] = true;
        Some(link)
    }

    /// The wanted links that overlap a range, by their numbers among the wanted ones.
    fn overlapping(&self, range: &Range<usize>) -> Range<usize> {
        let first = self.wanted.partition_point(|&link| self.links[link].end <= range.start);
        let after =
            self.wanted[first..].partition_point(|&link| self.links[link].start < range.end);
        first..first + after
    }

    fn mark_code(&mut self, range: &Range<usize>) {
        if let Some(first) = self.overlapping(range).next() {
            let start = self.links[self.wanted[first]].start;
            self.read.in_code.get_or_insert(start);
        }
    }

    /// Adds text, with a NUL for each wanted link in it.
    fn push_text(&mut self, text: &str, range: Range<usize>) {
        let wanted = self.overlapping(&range);
        if self.is_code {
            self.mark_code(&range);
        }
        let is_verbatim = self.text.get(range.clone()) == Some(text);
        let mut out = match self.read.items.pop() {
            Some(Item::Text(out)) => out,
            other => {
                self.read.items.extend(other);
                String::new()
            }
        };
        if wanted.is_empty() {
            out.push_str(text);
        }
        let mut at = range.start;
        for number in wanted.clone() {
            let span = self.links[self.wanted[number]];
            if is_verbatim && at < span.start {
                out.push_str(&self.text[at..span.start]);
            }
            if self.last_in_text != Some(number) {
                out.push('\0');
                self.last_in_text = Some(number);
            }
            self.read.in_text[number] = !self.is_destination[number];
            at = span.end.min(range.end);
        }
        if !wanted.is_empty() {
            match is_verbatim {
                true => out.push_str(&self.text[at..range.end]),
                // The text may be other than its source only within the link.
                false if at < range.end => out.push_str(text),
                false => {}
            }
        }
        self.read.items.push(Item::Text(out));
    }

    /// Adds a piece of HTML, or to the HTML block around it.
    fn push_html(&mut self, text: &str, range: &Range<usize>) {
        let new = self.lines(text, range);
        let item = self.block.and_then(|item| self.read.items.get_mut(item));
        match item {
            Some(Item::Html(spans)) => spans.extend(new),
            _ => self.read.items.push(Item::Html(new)),
        }
    }

    /// The lines of the source that spell this text, without the prefixes of containers.
    fn lines(&self, text: &str, range: &Range<usize>) -> Vec<Span> {
        let whole = vec![Span::new(range.start, range.end)];
        let source = self.text.get(range.clone()).unwrap_or_default();
        if source == text {
            return whole;
        }
        let mut end = range.start;
        let mut lines = text.split_inclusive('\n');
        let mut spans = Vec::new();
        for line in source.split_inclusive('\n') {
            end += line.len();
            match lines.next() {
                Some(text) if line.ends_with(text) => spans.push(Span::new(end - text.len(), end)),
                _ => return whole,
            }
        }
        match lines.next() {
            Some(_) => whole,
            None => spans,
        }
    }
}
