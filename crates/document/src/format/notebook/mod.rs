//! Notebooks of Jupyter (nbformat 3 and 4): JSON with Markdown and HTML in its cells.
//!
//! # Design
//! * **Cells** are found by the names and objects around each string (`format/json`), in any order
//!   of the names.
//! * **The source of a cell** is a string or a list of strings, which are joined. The text has a
//!   map to the file, over the escapes of JSON and over the bytes between the strings.
//!   `format/markdown` and `format/html` read each cell as a separate document: definitions of a
//!   cell do not apply in another.
//! * **Outputs** are not read: the next run of the notebook replaces them.
//! * **Writing** (`write`) escapes a reference for Markdown or HTML, and the result for JSON.

mod fault;
mod language;
mod write;

pub(crate) use language::LANGUAGE;

use std::borrow::Cow;

use super::batch::Take;
use super::comments::{Exempt, exempt_lines};
use super::html::{self, read_fragment};
use super::json::{characters, strings};
use super::markdown::{self, Slugs, read_text};
use super::value::notes_of;
use super::{Options, ParsedLinks};
use crate::bytes::{OffsetMap, OffsetMapBuilder, Span};
use crate::link::ParsedLink;
use crate::source::{Source, Text};

/// The language of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Markdown,
    Html,
    /// Raw text, whose metadata may name a media type.
    Raw,
    Other,
}

impl Kind {
    fn of_type(name: &str) -> Self {
        match name {
            "markdown" => Self::Markdown,
            "html" => Self::Html,
            "raw" => Self::Raw,
            _ => Self::Other,
        }
    }

    fn of_media_type(name: &str) -> Self {
        match name {
            "text/html" => Self::Html,
            "text/markdown" => Self::Markdown,
            _ => Self::Other,
        }
    }
}

/// A cell.
struct Cell {
    /// The offset of its object.
    object: usize,
    kind: Kind,
    /// The language of its text if it is raw.
    raw: Kind,
    /// The strings of its source, without quotes.
    source: Vec<Span>,
}

impl Cell {
    /// The language of its source.
    fn language(&self) -> Kind {
        match self.kind {
            Kind::Raw => self.raw,
            kind => kind,
        }
    }
}

/// Finds the links of a notebook.
fn find<'d>(document: &'d Source, options: &Options) -> ParsedLinks<'d> {
    ParsedLinks::collected(|take| find_each(document, options, take))
}

/// Delivers the links of a notebook, cell after cell. Returns everything except the links.
fn find_each<'d>(
    document: &'d Source,
    options: &Options,
    take: &mut Take<'_, 'd>,
) -> ParsedLinks<'d> {
    let decoded = document.text();
    let mut anchors: Vec<Cow<'d, str>> = Vec::new();
    // Jupyter derives ids by one rule, and sites that show notebooks by others.
    let also_slugs = match options.markdown.slugs {
        Slugs::None => Slugs::None,
        _ => Slugs::Jupyter,
    };
    cells(&decoded.text, |cell| {
        let (text, map) = source_of(&decoded.text, &cell.source);
        let mut found = |links: &mut Vec<ParsedLink<'_>>| {
            let links = links.drain(..).map(|link| mapped(link, &map, &decoded));
            take(&mut links.collect());
        };
        let names = match cell.language() {
            Kind::Markdown => read_text(&text, options, also_slugs, &mut found),
            Kind::Html => read_fragment(&text, options, &mut found),
            Kind::Raw | Kind::Other => return,
        };
        anchors.extend(names.into_iter().map(|it| Cow::Owned(it.into_owned())));
    });
    ParsedLinks {
        anchors,
        ..ParsedLinks::of_links(Vec::new(), document.base.clone(), decoded.malformed)
    }
}

/// The links that comments exempt: those of lines of cells.
fn exempt(document: &Source) -> Exempt {
    Exempt::of(document, |text| {
        let mut lines = Vec::new();
        cells(text, |cell| {
            let (source, map) = source_of(text, &cell.source);
            let exempt = match cell.language() {
                Kind::Markdown => markdown::exempt_in_part(&source),
                Kind::Html => exempt_lines(&source, &html::comments(&source), false),
                Kind::Raw | Kind::Other => return,
            };
            for line in exempt {
                let pieces = map.pieces(Span::new(line.start, line.end));
                if let (Some(first), Some(last)) = (pieces.first(), pieces.last()) {
                    lines.push(first.start..last.end);
                }
            }
        });
        lines
    })
}

/// A link in the text of a cell as a link of the document.
fn mapped(link: ParsedLink<'_>, map: &OffsetMap, decoded: &Text<'_>) -> ParsedLink<'static> {
    let mut link = link.into_owned();
    let spans = link.spans.iter().flat_map(|span| map.pieces(*span));
    link.spans = spans.collect();
    for span in &mut link.spans {
        link.notes = link.notes.union(notes_of(decoded, *span));
        *span = decoded.to_source(*span);
    }
    link
}

/// Passes the cells of a notebook. In nbformat 3 they are in worksheets.
fn cells(text: &str, mut each: impl FnMut(Cell)) {
    let mut last: Option<Cell> = None;
    strings(text, |string, path, objects| {
        let is_in_worksheet = path.first().is_some_and(|name| name == "worksheets");
        let path = &path[usize::from(is_in_worksheet)..];
        // The notebook, perhaps a worksheet, and the cell.
        let object = objects.get(1 + usize::from(is_in_worksheet));
        let (Some((first, path)), Some(&object)) = (path.split_first(), object) else {
            return;
        };
        if first != "cells" || string.is_name {
            return;
        }
        if last.as_ref().is_none_or(|cell| cell.object != object) {
            let next = Cell { object, kind: Kind::Other, raw: Kind::Other, source: Vec::new() };
            if let Some(cell) = last.replace(next) {
                each(cell);
            }
        }
        let Some(cell) = &mut last else { return };
        let value = &*string.value;
        match path {
            [name] if name == "cell_type" => cell.kind = Kind::of_type(value),
            [name] if name == "source" => cell.source.push(string.span),
            [name, key] if name == "metadata" && matches!(&**key, "raw_mimetype" | "format") => {
                cell.raw = Kind::of_media_type(value);
            }
            _ => {}
        }
    });
    if let Some(cell) = last {
        each(cell);
    }
}

/// The text of a source, and its map to the document.
fn source_of(text: &str, strings: &[Span]) -> (String, OffsetMap) {
    let mut joined = String::with_capacity(strings.iter().map(|it| it.end - it.start).sum());
    let mut map = OffsetMapBuilder::default();
    let mut at = 0;
    for string in strings {
        map.push(1, 0, string.start - at);
        for (character, spelled) in characters(&text[string.range()]) {
            joined.push(character);
            map.push(1, character.len_utf8(), spelled.len());
        }
        at = string.end;
    }
    (joined, map.finish())
}
