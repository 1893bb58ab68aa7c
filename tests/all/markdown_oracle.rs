//! The destinations of Markdown are those that pulldown-cmark reads, in the same order; those of
//! definitions too. They are compared on generated and changed documents.

use proptest::prelude::*;
use pulldown_cmark::{Event, LinkType, Options as Extensions, Parser, Tag, TagEnd};
use rehref::document::Document;
use rehref::format::Options;
use rehref::link::{Delimiter, MarkdownForm, ParsedLink, Place};

use crate::document_corpus::fixtures;
use crate::laws::markdown::document_of;
use crate::markdown_soup::{changed_texts, texts};
use crate::tier;

/// A destination with the kind of its link.
type Destination = (&'static str, String);

/// The result of reading a document.
#[derive(Debug, Default)]
struct Read {
    /// Links, images and URLs in brackets, in the order of their destinations.
    links: Vec<Destination>,
    /// The first definition of each label.
    definitions: Vec<String>,
    /// The cells of tables, and the rows with what follows the last cell.
    cells: Vec<std::ops::Range<usize>>,
    rows: Vec<std::ops::Range<usize>>,
}

/// Reads a document with pulldown-cmark.
fn read(text: &str) -> Read {
    let extensions = Extensions::ENABLE_TABLES
        | Extensions::ENABLE_FOOTNOTES
        | Extensions::ENABLE_STRIKETHROUGH
        | Extensions::ENABLE_TASKLISTS
        | Extensions::ENABLE_GFM;
    let parser = Parser::new_ext(text, extensions);
    let definitions = parser.reference_definitions().iter();
    let mut definitions: Vec<_> = definitions
        .map(|(_, definition)| (definition.span.start, definition.dest.to_string()))
        .collect();
    definitions.sort();
    let mut read =
        Read { definitions: definitions.into_iter().map(|it| it.1).collect(), ..Read::default() };
    let mut open = Vec::new();
    for (event, range) in parser.into_offset_iter() {
        match event {
            Event::Start(
                Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. },
            ) => open.push((link_type, dest_url)),
            // A link ends after the links and images in its text, as its destination does.
            Event::End(TagEnd::Link | TagEnd::Image) => {
                let (link_type, destination) = open.pop().expect("a link ends after its start");
                match link_type {
                    LinkType::Inline => read.links.push(("inline", destination.to_string())),
                    LinkType::Autolink => read.links.push(("angle", destination.to_string())),
                    _ => {}
                }
            }
            Event::Start(Tag::TableCell) => read.cells.push(range),
            Event::Start(Tag::TableRow) => read.rows.push(range),
            _ => {}
        }
    }
    read
}

/// The links of rehref in the same form.
fn found(document: &Document, oracle: &Read) -> (Vec<Destination>, Vec<String>) {
    let (mut links, mut definitions) = (Vec::new(), Vec::new());
    let is_in = |ranges: &[std::ops::Range<usize>], link: &ParsedLink<'_>| {
        let start = link.extent().start;
        ranges.iter().any(|range| range.contains(&start))
    };
    for link in document.found(&Options::default()).links {
        let Place::Markdown(place) = link.place else {
            continue;
        };
        // Cells beyond those of the header are not rendered.
        if is_in(&oracle.rows, &link) && !is_in(&oracle.cells, &link) {
            continue;
        }
        let reference = link.reference.to_string();
        match place.form {
            MarkdownForm::Inline => links.push(("inline", reference)),
            MarkdownForm::Url(Delimiter::Angle) => links.push(("angle", reference)),
            MarkdownForm::Definition => definitions.push(reference),
            _ => {}
        }
    }
    (links, definitions)
}

/// Returns true if pulldown-cmark is known to depart from CommonMark on a text, or lacks an
/// extension that matters.
fn is_known_difference(text: &str, document: &Document, oracle: &Read) -> bool {
    let has = |any: &[&str]| any.iter().any(|it| text.contains(it));
    // It does not recognize URLs in text, which may hold the syntax of links and code.
    let is_in_url = document.found(&Options::default()).links.iter().any(|link| {
        let is_bare = link.place.delimiter().is_some_and(|it| it != Delimiter::Angle);
        is_bare && link.reference.contains(['[', ']', '`', '<', '\\', '&'])
    });
    is_in_url
        // NUL reads as U+FFFD, which is not a control character (2.3).
        || text.contains('\0')
        // A title needs white space before it (6.3).
        || has(&[">\"", ">'", ">("])
        // A quote in a title is escaped also after a line break.
        || has(&["\\\"", "\\'", "\\)"])
        // A declaration in text does not end at the `>` of a block quote (6.6), and CDATA holds
        // brackets.
        || text.contains("<!")
        // HTML of kind 1 ends at any end tag of the kind (4.6).
        || has(&["<script", "<style", "<pre"])
        // A link may hold a footnote.
        || text.contains("[^")
        // A table goes before a definition without a destination on its line.
        || text.contains("-|")
        // The last line of a paragraph may be the head of a table: what begins before it ends
        // there.
        || has_table_after_text(text)
        // Code or HTML ends a table (GFM, 4.10).
        || !oracle.cells.is_empty() && has(&["<", "\t", "    "])
}

/// Returns true if the text has a delimiter row whose head follows another line of text.
fn has_table_after_text(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    lines.windows(3).any(|lines| {
        let is_delimiter = lines[2].contains('-')
            && lines[2].chars().all(|it| matches!(it, '|' | '-' | ':' | ' ' | '>'));
        is_delimiter && !lines[0].trim().is_empty() && !lines[1].trim().is_empty()
    })
}

/// The text as both parsers read it: pulldown-cmark reads front matter also elsewhere, and neither
/// a byte order mark nor a lone CR.
fn prepared(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = text.trim_start_matches('\u{FEFF}');
    match ["---", "+++"].iter().any(|it| text.starts_with(it)) {
        true => format!("\n{text}"),
        false => text.to_owned(),
    }
}

fn same_links(text: &str) -> Result<(), TestCaseError> {
    let text = prepared(text);
    let oracle = read(&text);
    let document = document_of(&text);
    let (links, definitions) = found(&document, &oracle);
    if (&links, &definitions) == (&oracle.links, &oracle.definitions) {
        return Ok(());
    }
    if is_known_difference(&text, &document, &oracle) {
        return Ok(());
    }
    prop_assert_eq!(&links, &oracle.links, "{:?}", text);
    // A definition of a label that is defined already is a link for rehref.
    let mut rest = definitions.iter();
    let is_among = oracle.definitions.iter().all(|it| rest.any(|found| found == it));
    prop_assert!(is_among, "{:?} {:?} in {:?}", definitions, oracle.definitions, text);
    Ok(())
}

#[test]
fn fixtures_have_the_links_of_the_oracle() {
    for fixture in fixtures("markdown") {
        let text = fixture.document.text();
        same_links(&text.text).unwrap_or_else(|error| panic!("{}: {error}", fixture.name));
    }
}

proptest! {
    #![proptest_config(tier::cases(20_000))]

    #[test]
    fn documents_have_the_links_of_the_oracle(text in texts()) {
        same_links(&text)?;
    }

    #[test]
    fn changed_documents_have_the_links_of_the_oracle(text in changed_texts()) {
        same_links(&text)?;
    }
}
