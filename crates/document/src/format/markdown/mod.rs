//! Markdown: CommonMark 0.31.2 with tables, URLs without brackets, footnotes and task lists of
//! GitHub (GFM 0.29).
//!
//! # Design
//! * **Two passes.** `blocks` divides the document into blocks and collects the labels of
//!   definitions, since a definition may follow its use. Then `inlines` reads the text of each
//!   block. No tree is built.
//! * **Links are delivered as they are found.** A long document is read block after block, and no
//!   block is held. It is read once for the definitions, once for their uses if there are images,
//!   and once to deliver the links.
//! * **Only syntax that determines links** is read. Emphasis, the tightness of lists and similar
//!   syntax never do.
//! * **Spans.** A destination never holds a line end, so it is one span of the document. The text
//!   of a block without the prefixes of its containers (`> `) is a slice of the document where
//!   nothing was removed, else a copy with a map (`joined`).
//! * **HTML** is read by `format/html`, one piece after another: a block, or a tag between text.
//! * **MDX** (`mdx`) is another syntax: no HTML and no indented code, but tags, expressions and
//!   statements.
//! * **On demand**: the ids of headings (`headings`, `slugs`), the text of links (`contexts`), and
//!   the constructs of the programs that make sites (`dialect`).
//! * **Time is linear.** A search without a result is not repeated: for the end of a code span, of
//!   a comment, of a host. The nesting of lists is limited to 100, as on GitHub, since a blank line
//!   continues all of them.
//! * **Destinations, titles and labels** are read by `destination`, for links and definitions alike.
//! * **Writing** escapes only the changed part of a destination, in the form of the link (`write`).
//!   The rest keeps its bytes.
//! * **Verifying** compares the events of another parser (`compare`).

mod block;
mod blocks;
mod bodies;
mod classes;
mod comments;
mod compare;
mod containers;
mod contexts;
mod defanged;
mod definition;
mod destination;
mod dialect;
mod emphasis;
mod footnote_ids;
mod front_matter;
mod heading_text;
mod headings;
mod inlines;
mod joined;
mod language;
mod line;
mod literal;
mod markers;
mod mdx;
mod raw_html;
mod reader;
mod slugs;
mod table;
mod uses;
mod write;
mod write_path;

pub(super) use comments::exempt_in_part;
pub(crate) use language::LANGUAGE;
pub use slugs::{obsidian as obsidian_heading, slug_of_name, vitepress as vitepress_id};
pub(super) use write::write;

pub use super::options::{Dashes, Dialect, MarkdownOptions, PythonIds, Rendering, Slugify, Slugs};
pub use slugs::{Heading, ids};

use std::borrow::Cow;

use self::front_matter::FrontMatter;
use self::reader::Reader;
use super::batch::Take;
use super::value::notes_of;
use super::{Options, ParsedLinks};
use crate::link::ParsedLink;
use crate::source::{Source, Text};

/// The links of a Markdown document, in source order.
pub(crate) fn find<'d>(document: &'d Source, options: &Options) -> ParsedLinks<'d> {
    let decoded = document.text();
    let (links, anchors) = match &decoded.text {
        Cow::Borrowed(text) => {
            let read = Reader::read(text, options, FrontMatter::of(text.as_bytes()), Slugs::None);
            (mapped(read.links, &decoded), read.anchors)
        }
        Cow::Owned(text) => {
            let read = Reader::read(text, options, FrontMatter::of(text.as_bytes()), Slugs::None);
            let links = mapped(read.links, &decoded).into_iter();
            let links = links.map(|link| link.in_document(&document.bytes)).collect();
            let anchors = read.anchors.into_iter();
            let anchors = anchors.map(|it| Cow::Owned(it.into_owned())).collect();
            (links, anchors)
        }
    };
    ParsedLinks {
        anchors,
        ..ParsedLinks::of_links(links, document.base.clone(), decoded.malformed)
    }
}

/// Delivers the links of a Markdown document, in source order, as they are found. Returns
/// everything except the links.
pub(crate) fn find_each<'d>(
    document: &'d Source,
    options: &Options,
    take: &mut Take<'_, 'd>,
) -> ParsedLinks<'d> {
    let decoded = document.text();
    let front_matter = FrontMatter::of(decoded.text.as_bytes());
    let is_read = match &decoded.text {
        Cow::Borrowed(text) => Reader::read_each(text, options, front_matter, &mut |links| {
            map(links, &decoded);
            take(links);
        }),
        Cow::Owned(text) => Reader::read_each(text, options, front_matter, &mut |links| {
            map(links, &decoded);
            let links = links.drain(..).map(|link| link.in_document(&document.bytes));
            take(&mut links.collect());
        }),
    };
    if is_read {
        return ParsedLinks::of_links(Vec::new(), document.base.clone(), decoded.malformed);
    }
    let mut found = find(document, options);
    take(&mut found.links);
    found
}

/// Delivers the links of Markdown in another document, and returns the anchors, with the ids of a
/// second rule. It has no front matter.
pub(super) fn read_text<'t>(
    text: &'t str,
    options: &Options,
    also_slugs: Slugs,
    take: &mut Take<'_, 't>,
) -> Vec<Cow<'t, str>> {
    if Reader::read_each(text, options, None, &mut |links| take(links)) {
        return Vec::new();
    }
    let mut read = Reader::read(text, options, None, also_slugs);
    take(&mut read.links);
    read.anchors
}

/// Maps the spans of links in decoded text to the document.
fn mapped<'t>(mut links: Vec<ParsedLink<'t>>, decoded: &Text<'_>) -> Vec<ParsedLink<'t>> {
    map(&mut links, decoded);
    links
}

fn map(links: &mut [ParsedLink<'_>], decoded: &Text<'_>) {
    for link in links {
        for span in &mut link.spans {
            link.notes = link.notes.union(notes_of(decoded, *span));
            *span = decoded.to_source(*span);
        }
    }
}
