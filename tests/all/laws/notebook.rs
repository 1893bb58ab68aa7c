//! Generated notebooks of Jupyter.

use proptest::prelude::*;
use proptest::sample::select;
use rehref::document::Document;
use rehref::format::Format;
use rehref::link::{ParsedLink, Quoting};
use serde_json::to_string as json;

use super::markdown::read_back as read_back_in_markdown;
use super::{Row, config};
use crate::markdown_soup::{PLACES, piece, texts};
use crate::support::links::references;
use crate::support::planned::{Planned, Say};

laws! { notebooks: ROW; }

const ROW: Row = Row {
    read_back,
    // New quotes around a value of HTML are bytes outside of the link.
    is_verified_otherwise: |document| {
        let links = document.links();
        let mut places = links.found().links.iter().filter_map(|link| link.place.markup());
        places.any(|place| place.quoting == Quoting::Unquoted)
    },
    hostile: &[
        "⟦{\"cells\":[⟧",
        "{\"cells\":[⟦{\"cell_type\":\"markdown\",\"source\":[\"[a](b)\"]},⟧",
        "{\"cells\":[{\"cell_type\":\"markdown\",\"source\":[⟦\"[a](b)\\n\",⟧\"\"]}]}",
        "{\"cells\":[{\"cell_type\":\"markdown\",\"source\":[⟦\"[\",⟧\"a](b)\"]}]}",
        "{\"cells\":[{\"cell_type\":\"markdown\",\"source\":\"⟦[a](b\\u0062)⟧\"}]}",
        "{\"cells\":[{\"cell_type\":\"markdown\",\"source\":\"⟦\\\\⟧\"}]}",
    ],
    ..Row::new(
        Format::Notebook,
        "a.ipynb",
        |row| row.encoded(notebooks(), &["utf-8", "utf-16le"]),
        || prop_oneof![piece(), cell(), select(&PIECES[..]).prop_map(str::to_owned)].boxed(),
    )
};

const PIECES: [&str; 10] = strings![
    "{\"cells\":[" "{\"cell_type\":\"markdown\",\"source\":[\"" "\"]}" "\"source\":\"" "\\u005B"
    "\\\\" "\\\"" "\",\"" "\\/" "\\uD83D"
];

/// A string of JSON, perhaps with escapes that are not needed.
fn string(text: &str, style: u8) -> String {
    let spelled = json(text).expect("JSON");
    match style % 4 {
        0 => spelled.replace('/', "\\/"),
        1 => spelled.replace('h', "\\u0068").replace('[', "\\u005B"),
        _ => spelled,
    }
}

fn cell() -> impl Strategy<Value = String> {
    let kind = select(vec![
        MARKDOWN,
        MARKDOWN,
        MARKDOWN,
        "\"cell_type\":\"html\"",
        "\"cell_type\":\"raw\",\"metadata\":{\"format\":\"text/html\"}",
        "\"cell_type\":\"code\",\"outputs\":[]",
    ]);
    (kind, texts(), any::<u8>(), any::<bool>())
        .prop_map(|(kind, text, style, is_list)| cell_of(kind, &text, style, is_list))
}

fn cell_of(kind: &str, text: &str, style: u8, is_list: bool) -> String {
    let lines = text.split_inclusive('\n').map(|line| string(line, style));
    let source = match is_list {
        true => format!("[{}]", lines.collect::<Vec<_>>().join(",\n   ")),
        false => string(text, style),
    };
    format!("{{{kind},\n  \"source\": {source}}}")
}

fn notebooks() -> impl Strategy<Value = String> {
    prop::collection::vec(cell(), 0..4)
        .prop_map(|cells| format!("{{\"cells\": [{}], \"nbformat\": 4}}", cells.join(", ")))
}

fn read_back(
    read: &dyn Fn(&str) -> String,
    link: &ParsedLink<'_>,
    spelled: &str,
) -> Option<String> {
    let markdown: String = serde_json::from_str(&format!("\"{spelled}\"")).ok()?;
    let read_cell = |markdown: &str| {
        let source = json(markdown).expect("JSON");
        read(&format!("{{\"cells\":[{{\"cell_type\":\"markdown\",\"source\":{source}}}]}}"))
    };
    read_back_in_markdown(&read_cell, link, &markdown)
}

proptest! {
    #![proptest_config(config())]

    /// No link of a cell is lost, and no cell takes part in another.
    #[test]
    fn cells_have_the_links_of_their_texts(
        texts in prop::collection::vec(texts(), 0..4), style in any::<u8>(), is_list in any::<bool>(),
    ) {
        let expected: Vec<String> = texts.iter().flat_map(|it| references(&in_markdown(it))).collect();
        let cells = texts.iter().map(|it| cell_of(MARKDOWN, it, style, is_list));
        prop_assert_eq!(references(&notebook_of(cells)), expected);
    }

    #[test]
    fn references_are_written_as_in_markdown(
        reference in "(http:|x)?[ -~é日\x01-\x1F\x7F\r\n]{0,12}", style in any::<u8>(),
    ) {
        let written = |document: Document| {
            let plan = Planned::new(&document.links(), &Say(reference.clone()));
            references(&plan.applied_to(&document))
        };
        for (before, after) in PLACES {
            let text = format!("{before}http://old/{after}");
            let notebook = notebook_of([cell_of(MARKDOWN, &text, style, false)]);
            prop_assert_eq!(written(notebook), written(in_markdown(&text)), "{:?}", text);
        }
    }
}

const MARKDOWN: &str = "\"cell_type\":\"markdown\"";

fn notebook_of(cells: impl IntoIterator<Item = String>) -> Document {
    let cells: Vec<_> = cells.into_iter().collect();
    Document::new("a.ipynb", format!("{{\"cells\": [{}]}}", cells.join(", ")).into_bytes())
}

/// The text after a byte order mark, so that U+FEFF is a character of the text as in a cell.
fn in_markdown(text: &str) -> Document {
    Document::new("a.md", format!("\u{feff}{text}").into_bytes())
}
