//! The ids of the headings of a document.

use std::borrow::Cow;

use memchr::memmem;

use super::block::{Block, Blocks, Lines};
use super::footnote_ids::footnote_ids;
use super::heading_text::heading_text;
use super::inlines::{Inline, Inlines, Labels, Syntax};
use super::slugs::{Heading, block_name, id_in_braces, ids};
use crate::bytes::Span;
use crate::format::html::html_headings;
use crate::format::options::Slugs;

/// The ids of the headings of a document with these blocks, and the explicit ids of attributes in
/// braces (`{: #id}`).
pub(super) fn heading_ids(text: &str, blocks: &Blocks, slugs: Slugs) -> Vec<String> {
    let mut headings = Vec::new();
    // The end of the last heading, while only its underline follows.
    let mut heading_end = None;
    for block in &blocks.blocks {
        let before = heading_end.take();
        match *block {
            Block::Heading(lines) => {
                add_block_names(text, blocks, slugs, lines, &mut headings);
                let source = match blocks.joined(text, lines).text {
                    Cow::Borrowed(source) => Cow::Borrowed(source.trim_ascii()),
                    Cow::Owned(source) => Cow::Owned(source.trim_ascii().to_owned()),
                };
                add_inline_ids(&source, slugs, &mut headings);
                headings.push(Heading::Markdown(source));
                heading_end = blocks.lines(lines).last().map(|line| line.end);
            }
            Block::Html(lines) if slugs.include_html() => {
                let html = blocks.joined(text, lines).text;
                if memmem::find(html.as_bytes(), b"<h").is_some()
                    || memmem::find(html.as_bytes(), b"<H").is_some()
                {
                    for heading in html_headings(&html) {
                        headings.extend(heading.name.map(|it| Heading::Explicit(it.into())));
                        headings.push(Heading::Html(heading.text.into()));
                    }
                }
            }
            Block::Cell(span) => add_inline_ids(&text[span.range()], slugs, &mut headings),
            Block::Text(lines) => {
                add_block_names(text, blocks, slugs, lines, &mut headings);
                if slugs.has_inline_attributes() {
                    add_inline_ids(&blocks.joined(text, lines).text, slugs, &mut headings);
                }
                if let Some((id, is_first)) = attributes(text, blocks, slugs, lines) {
                    let start = blocks.lines(lines).first().map_or(0, |line| line.start);
                    let is_of_heading =
                        is_first && before.is_some_and(|end| is_next(&text[end..start]));
                    if is_of_heading {
                        headings.pop();
                    }
                    headings.push(Heading::Explicit(id.into()));
                }
            }
            Block::Fence(info) => {
                let info = text[info.range()].trim_ascii();
                let braces = &info[info.find('{').unwrap_or(info.len())..];
                let id = id_in_braces(slugs, braces);
                headings.extend(id.map(|id| Heading::Explicit(id.into())));
            }
            Block::Html(_) | Block::Mdx { .. } | Block::Footnote(_) | Block::Definition { .. } => {}
        }
    }
    let notes = footnote_ids(text, blocks, slugs).into_iter();
    headings.extend(notes.map(|id| Heading::Explicit(id.into())));
    let none = Labels::default();
    let labels = match slugs.ignores_definitions() {
        true => &none,
        false => &blocks.labels,
    };
    let syntax = Syntax { dialect: blocks.dialect, ..Syntax::default() };
    ids(slugs, &headings, |source, rendering| heading_text(source, labels, syntax, rendering))
}

/// Adds the names of blocks of Obsidian: `^name` at the end of a line.
fn add_block_names<'t>(
    text: &'t str,
    blocks: &Blocks,
    slugs: Slugs,
    lines: Lines,
    headings: &mut Vec<Heading<'t>>,
) {
    if slugs != Slugs::Obsidian {
        return;
    }
    let lines = blocks.lines(lines).iter();
    let names = lines.filter_map(|line| block_name(&text[line.range()]));
    headings.extend(names.map(|it| Heading::Explicit(it.into())));
}

/// The explicit id in the first or last line of a text, and true if it is in the first one.
fn attributes<'t>(
    text: &'t str,
    blocks: &Blocks,
    slugs: Slugs,
    lines: Lines,
) -> Option<(&'t str, bool)> {
    let lines = blocks.lines(lines);
    let id = |line: &Span| id_in_braces(slugs, text[line.range()].trim_ascii());
    match slugs {
        Slugs::Kramdown | Slugs::Jekyll => {
            let first = lines.first().and_then(id).map(|id| (id, true));
            first.or_else(|| Some((lines.last().and_then(id)?, false)))
        }
        // In this position, the attributes belong to the text before them.
        Slugs::Mkdocs if lines.len() > 1 => Some((lines.last().and_then(id)?, false)),
        _ => None,
    }
}

/// Returns true if the text between a heading and the text after it has no blank line. It may have
/// an underline.
fn is_next(between: &str) -> bool {
    let mut lines = between.split('\n').skip(1).peekable();
    while let Some(line) = lines.next() {
        if lines.peek().is_some() && line.trim().is_empty() {
            return false;
        }
    }
    true
}

/// Adds the explicit ids of attributes directly after emphasis, a link or code.
fn add_inline_ids(source: &str, slugs: Slugs, ids: &mut Vec<Heading<'_>>) {
    if !slugs.has_inline_attributes() || !source.contains('{') {
        return;
    }
    let mut codes = Vec::new();
    Inlines::new(source, &Labels::default(), Syntax::default()).read(|inline| {
        if let Inline::Code { span, .. } = inline {
            codes.push(span);
        }
    });
    let mut codes = codes.into_iter().peekable();
    for (open, _) in source.match_indices('{') {
        while codes.next_if(|code| code.end <= open).is_some() {}
        let is_in_code = codes.peek().is_some_and(|code| code.start < open);
        let is_direct = source[..open].ends_with(['*', '_', ')', ']', '`']);
        // A word of attributes holds no braces.
        let len = source[open + 1..].find(['{', '}']);
        if let Some(len) = len.filter(|_| is_direct && !is_in_code)
            && let Some(id) = id_in_braces(slugs, &source[open..open + len + 2])
        {
            ids.push(Heading::Explicit(id.to_owned().into()));
        }
    }
}
