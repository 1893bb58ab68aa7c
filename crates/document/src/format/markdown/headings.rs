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
use crate::format::options::{Dialect, MarkdownOptions, Slugs};

/// The ids of the headings of a document with these blocks, and the explicit ids of attributes in
/// braces (`{: #id}`).
pub(super) fn heading_ids(text: &str, blocks: &Blocks, options: MarkdownOptions) -> Vec<String> {
    let slugs = options.slugs;
    let mut headings = Vec::new();
    if slugs == Slugs::Astro {
        // The title of a page of Starlight.
        headings.push(Heading::Explicit("_top".into()));
    }
    // The theme of Docusaurus writes no ids of titles. The rule alone derives them.
    let titles_have_none = slugs == Slugs::Docusaurus && options.dialect != Dialect::None;
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
                headings.push(match titles_have_none && is_title(text, blocks, lines) {
                    true => Heading::Title(source),
                    false => Heading::Markdown(source),
                });
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
            Block::Cell(span) => {
                let source = &text[span.range()];
                add_inline_ids(source, slugs, &mut headings);
                // Alone in the last row of a table.
                let id = id_in_braces(slugs, source.trim_ascii()).filter(|_| options.block_ids);
                headings.extend(id.map(|id| Heading::Explicit(id.into())));
            }
            Block::Text(lines) => {
                add_block_names(text, blocks, slugs, lines, &mut headings);
                if slugs.has_inline_attributes() {
                    add_inline_ids(&blocks.joined(text, lines).text, slugs, &mut headings);
                }
                if let Some((id, is_first)) = attributes(text, blocks, options, lines) {
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
                if slugs == Slugs::Pandoc && info.starts_with('{') {
                    let after = span_after(text, info);
                    headings.extend(label_of_cell(after).map(|id| Heading::Explicit(id.into())));
                }
            }
            Block::Tab { title, set, number } => {
                let title = &text[title.range()];
                headings.push(Heading::Tab { title, set, number });
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
    let has_emoji = options.python.emoji || slugs == Slugs::Vitepress;
    ids(options, &headings, |source, rendering| match has_emoji {
        true => heading_text(&without_emoji(source), labels, syntax, rendering),
        false => heading_text(source, labels, syntax, rendering),
    })
}

/// Returns true for a heading of the first level.
fn is_title(text: &str, blocks: &Blocks, lines: Lines) -> bool {
    let lines = blocks.lines(lines);
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return false;
    };
    let start = text[..first.start].rfind('\n').map_or(0, |at| at + 1);
    let marks = text[start..first.start].trim_end();
    match marks.ends_with('#') {
        true => !marks.ends_with("##"),
        false => {
            let mut after = text[last.end..].split('\n').skip(1);
            after.next().is_some_and(|underline| underline.trim_end().ends_with('='))
        }
    }
}

/// The text after a part of it.
fn span_after<'t>(text: &'t str, part: &str) -> &'t str {
    &text[part.as_ptr().addr() - text.as_ptr().addr() + part.len()..]
}

/// The label among the options of a cell of Quarto, which are comments in its first lines:
/// `#| label: fig-x`.
fn label_of_cell(text: &str) -> Option<&str> {
    let options = text.lines().skip(1).map_while(|line| {
        let mut marks = ["#|", "//|", "%%|", "--|"].into_iter();
        marks.find_map(|mark| line.trim_start().strip_prefix(mark))
    });
    let mut labels = options.filter_map(|it| it.trim().strip_prefix("label:"));
    labels.next().map(|it| it.trim().trim_matches(['"', '\'']))
}

/// The source of a heading without shortcodes of emoji, such as `:rocket:`, except in code.
fn without_emoji(source: &str) -> Cow<'_, str> {
    if !source.contains(':') {
        return Cow::Borrowed(source);
    }
    let mut text = String::with_capacity(source.len());
    let mut rest = source;
    let mut is_in_code = false;
    while let Some((before, after)) = rest.split_once(':') {
        text.push_str(before);
        is_in_code ^= before.matches('`').count() % 2 == 1;
        let is_name = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | '+');
        let name = after.split_once(':').filter(|(name, _)| name.chars().all(is_name));
        rest = match name.filter(|(name, _)| !is_in_code && is_emoji(name)) {
            Some((_, rest)) => rest,
            None => {
                text.push(':');
                after
            }
        };
    }
    Cow::Owned(text + rest)
}

/// Returns true for the name of an emoji, or of an icon of Material for MkDocs.
fn is_emoji(name: &str) -> bool {
    let icons = ["material-", "fontawesome-", "octicons-", "simple-"];
    emojis::get_by_shortcode(name).is_some() || icons.iter().any(|it| name.starts_with(it))
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
    options: MarkdownOptions,
    lines: Lines,
) -> Option<(&'t str, bool)> {
    let slugs = options.slugs;
    let lines = blocks.lines(lines);
    let id = |line: &Span| id_in_braces(slugs, text[line.range()].trim_ascii());
    match slugs {
        Slugs::Kramdown | Slugs::Jekyll => {
            let first = lines.first().and_then(id).map(|id| (id, true));
            first.or_else(|| Some((lines.last().and_then(id)?, false)))
        }
        // In this position, the attributes belong to the text before them.
        Slugs::Mkdocs if lines.len() > 1 => Some((lines.last().and_then(id)?, false)),
        Slugs::Hugo if options.block_ids => Some((lines.last().and_then(id)?, false)),
        // A fenced div, or the caption of a table; and other programs that read braces at the end.
        Slugs::Pandoc | Slugs::Vitepress => {
            let end = |line: &Span| {
                let line = text[line.range()].trim_ascii();
                // Those of an inline are found with it.
                let open = line.rfind('{').filter(|&open| line[..open].ends_with([' ', '\t']));
                id_in_braces(slugs, &line[open?..])
            };
            let of_line = |line: &Span| end(line).or_else(|| id(line));
            let is_known = |line: &&Span| {
                slugs != Slugs::Pandoc || text[line.range()].trim_ascii().starts_with([':', '$'])
            };
            let last = lines.last().filter(is_known).and_then(of_line);
            let first = || lines.first().filter(is_known).and_then(of_line);
            Some((last.or_else(first)?, false))
        }
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
