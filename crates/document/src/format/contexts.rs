//! The contexts of links: the text of their elements, attributes of their tags, and the headings
//! before them.

use std::ops::Range;

use crate::bytes::Span;
use crate::link::{Context, Markup, ParsedLink, Place};

/// The longest text that is returned, in bytes.
const MOST_TEXT: usize = 4096;

/// The contexts of the links of a document.
#[derive(Clone, Debug, Default)]
pub struct Contexts {
    pub(in crate::format) tags: Vec<TagContext>,
    /// The text of the page in tree order, with white space collapsed. The contents of templates
    /// follow at the end.
    pub(in crate::format) text: String,
}

/// The context of a start tag.
#[derive(Clone, Debug, Default)]
pub(in crate::format) struct TagContext {
    /// The offsets in the document of the start of the tag and of the end of its last attribute.
    pub(in crate::format) span: (usize, usize),
    /// True if the text of its element is about its links.
    pub(in crate::format) is_about_links: bool,
    /// The range of its element in the text.
    pub(in crate::format) text: Option<Range<usize>>,
    /// True if its element is in the tree.
    pub(in crate::format) is_in_tree: bool,
    /// The tag of the heading.
    pub(in crate::format) heading: Option<usize>,
    pub(in crate::format) rel: Option<Box<str>>,
    pub(in crate::format) title: Option<Box<str>>,
    pub(in crate::format) alt: Option<Box<str>>,
}

impl Contexts {
    /// The context of a link of the document, if there is one.
    pub fn of_link(&self, link: &ParsedLink<'_>) -> Option<Context<'_>> {
        let Some((number, _)) = self.tag_of(link) else {
            // Before the first tag of a page with tags.
            let there = !self.tags.is_empty();
            return there.then(Context::default);
        };
        let tag = &self.tags[number];
        let heading = tag.heading.and_then(|heading| self.text_of(heading));
        let markup = link.place.markup();
        let is_in_tag = link.extent().start <= tag.span.1;
        let is_content = markup.is_some_and(|it| it.attribute == Markup::CONTENT);
        if matches!(link.place, Place::Text(_)) || !is_in_tag && !is_content {
            // In text or in a comment.
            return Some(Context { heading, ..Context::default() });
        }
        let text = || self.text_of(number).filter(|_| tag.is_about_links);
        Some(Context {
            text: tag.alt.as_deref().or_else(text),
            rel: tag.rel.as_deref(),
            title: tag.title.as_deref(),
            heading,
            ..Context::default()
        })
    }

    /// The number and the offset of the tag with a link, or of the last one before it.
    pub(in crate::format) fn tag_of(&self, link: &ParsedLink<'_>) -> Option<(usize, usize)> {
        let at = link.extent().start;
        let tag = self.tags.partition_point(|tag| tag.span.0 <= at).checked_sub(1)?;
        Some((tag, self.tags[tag].span.0))
    }

    /// The text of a tag's element, by the number of the tag.
    pub(crate) fn text_of(&self, tag: usize) -> Option<&str> {
        let range = self.tags[tag].text.clone()?;
        let text = cut(self.text[range].trim_start()).trim_end();
        (!text.is_empty()).then_some(text)
    }
}

/// Builds the contexts of links in another language, in the order of the document.
#[derive(Debug, Default)]
pub(in crate::format) struct ContextsBuilder {
    contexts: Contexts,
    heading: Option<usize>,
}

impl ContextsBuilder {
    /// Adds a heading that begins at the byte `at` of the document.
    pub(in crate::format) fn heading(&mut self, at: usize, text: &str) {
        let tag = self.add(Span::new(at, at), text, None);
        self.heading = Some(tag);
        self.contexts.tags[tag].heading = Some(tag);
    }

    /// Adds a link with these bytes of the document.
    pub(in crate::format) fn link(&mut self, span: Span, text: &str, title: Option<&str>) {
        let tag = self.add(span, text, title);
        self.contexts.tags[tag].is_about_links = true;
    }

    fn add(&mut self, span: Span, text: &str, title: Option<&str>) -> usize {
        let all = &mut self.contexts.text;
        let start = all.len();
        for (number, word) in text.split_whitespace().enumerate() {
            if number > 0 {
                all.push(' ');
            }
            all.push_str(word);
        }
        self.contexts.tags.push(TagContext {
            span: (span.start, span.end),
            text: Some(start..all.len()),
            is_in_tree: true,
            heading: self.heading,
            title: title.map(Box::from),
            ..TagContext::default()
        });
        self.contexts.tags.len() - 1
    }

    /// The contexts.
    pub(in crate::format) fn finish(self) -> Contexts {
        self.contexts
    }
}

/// The beginning of a text, up to [`MOST_TEXT`] bytes.
pub(in crate::format) fn cut(text: &str) -> &str {
    let mut end = text.len().min(MOST_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Texts that follow one another, with white space collapsed, cut off. `None` if they are blank.
pub(in crate::format) fn collapsed<'t>(texts: impl IntoIterator<Item = &'t str>) -> Option<String> {
    let (mut out, mut is_in_word) = (String::new(), false);
    for character in texts.into_iter().flat_map(str::chars) {
        let is_space = character.is_whitespace() || matches!(character, '\0' | '\u{FEFF}');
        match is_space {
            true => is_in_word = false,
            false if !is_in_word && !out.is_empty() => out.extend([' ', character]),
            false => out.push(character),
        }
        is_in_word |= !is_space;
        if out.len() > MOST_TEXT {
            break;
        }
    }
    let len = cut(&out).len();
    out.truncate(len);
    (!out.is_empty()).then_some(out)
}
