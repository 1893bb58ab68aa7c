//! Generated configurations of MkDocs.

use proptest::prelude::*;
use proptest::sample::select;
use rehref::format::markdown::Dialect;
use rehref::format::{Format, Options};
use rehref::link::Place;

use super::{CHARSETS, Row};

laws! { configurations: ROW; }

const ROW: Row = Row {
    options: || Just(options()).boxed(),
    read_back: |read, link, spelled| {
        // A URL in text is spelled as it is, and a path as a scalar of YAML in one of these styles.
        let styles = ["", "'", "\""].iter().filter(|_| matches!(link.place, Place::Markdown(_)));
        let mut read = styles.map(|it| read(&format!("nav:\n- {it}{spelled}{it}\n")));
        Some(read.find(|it| *it == link.reference).unwrap_or_else(|| spelled.to_owned()))
    },
    hostile: &[
        "nav:\n⟦  - a.md\n⟧", "nav:\n⟦  - 'a': a.md\n⟧", "nav:\n  - ⟦'⟧", "nav:\n  - \"⟦\\\"⟧",
        "nav:\n⟦  ⟧- a.md", "nav:\n  - ⟦a: ⟧b.md", "⟦nav:\n⟧  - a.md",
    ],
    ..Row::new(
        Format::SiteConfig,
        "mkdocs.yml",
        |row| row.encoded(configurations(), &CHARSETS),
        || line().boxed(),
    )
};

fn options() -> Options {
    let mut options = Options::default();
    options.markdown.dialect = Dialect::MkDocs;
    options
}

fn line() -> impl Strategy<Value = String> {
    let item = select(vec!["  - ", "  - ", "- ", "      - ", "  -", "  # - ", ""]);
    let title = select(vec!["", "A: ", "'A: b': ", "'What''s': ", "\"The \\\"x\\\"\": ", "A:\n"]);
    let piece = select(vec![
        "a", "b.md", "index.md", "../", "./", "/", "c d", "é", "日", "%20", "#f", " #", "?x=1",
        ":", ": ", "'", "\"", "\\", "*", "{", "http://h/d/", "http://h/", "https://h/",
    ]);
    let path = prop::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat());
    let quote = select(vec!["", "", "'", "\""]);
    let end = select(vec!["\n", "\n", " # c\n", "\r\n", " \n"]);
    let item = (item, title, quote, path, end).prop_map(|(item, title, quote, path, end)| {
        format!("{item}{title}{quote}{path}{quote}{end}")
    });
    let other = select(vec!["nav:\n", "nav: # c\n", "theme:\n", "site_name: x\n", "\n"]);
    prop_oneof![4 => item, 1 => other.prop_map(str::to_owned)]
}

fn configurations() -> impl Strategy<Value = String> {
    prop::collection::vec(line(), 0..10)
        .prop_map(|lines| format!("site_name: x\nnav:\n{}", lines.concat()))
}
