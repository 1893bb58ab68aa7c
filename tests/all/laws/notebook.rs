//! Generated notebooks of Jupyter.

use proptest::prelude::*;
use proptest::sample::select;
use rehref::format::Format;
use rehref::link::{LinkData, Quoting};
use serde_json::to_string as json;

use super::Row;
use super::markdown::read_back as read_back_in_markdown;
use crate::markdown_soup::{piece, texts};

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
        "\"cell_type\":\"markdown\"",
        "\"cell_type\":\"markdown\"",
        "\"cell_type\":\"markdown\"",
        "\"cell_type\":\"html\"",
        "\"cell_type\":\"raw\",\"metadata\":{\"format\":\"text/html\"}",
        "\"cell_type\":\"code\",\"outputs\":[]",
    ]);
    (kind, texts(), any::<u8>(), any::<bool>()).prop_map(|(kind, text, style, is_list)| {
        let lines = text.split_inclusive('\n').map(|line| string(line, style));
        let source = match is_list {
            true => format!("[{}]", lines.collect::<Vec<_>>().join(",\n   ")),
            false => string(&text, style),
        };
        format!("{{{kind},\n  \"source\": {source}}}")
    })
}

fn notebooks() -> impl Strategy<Value = String> {
    prop::collection::vec(cell(), 0..4)
        .prop_map(|cells| format!("{{\"cells\": [{}], \"nbformat\": 4}}", cells.join(", ")))
}

fn read_back(read: &dyn Fn(&str) -> String, link: &LinkData<'_>, spelled: &str) -> Option<String> {
    let markdown: String = serde_json::from_str(&format!("\"{spelled}\"")).ok()?;
    let read_cell = |markdown: &str| {
        let source = json(markdown).expect("JSON");
        read(&format!("{{\"cells\":[{{\"cell_type\":\"markdown\",\"source\":{source}}}]}}"))
    };
    read_back_in_markdown(&read_cell, link, &markdown)
}
