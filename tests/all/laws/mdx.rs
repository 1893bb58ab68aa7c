//! Generated MDX.

use proptest::prelude::*;
use proptest::sample::select;
use rehref::format::Format;

use super::{CHARSETS, Row, config, edits_are_read_back};
use crate::markdown_mdx::options;
use crate::support::planned::{Planned, Say};

laws! { soups: ROW; }

const ROW: Row = Row {
    options: || Just(options()).boxed(),
    // Verification reads Markdown: MDX has no indented code, and backquotes in expressions.
    is_verified_otherwise: |document| {
        let text = document.text().text;
        text.contains("    ") || text.contains('`')
    },
    ..Row::new(
        Format::Markdown,
        "a.mdx",
        |row| row.encoded(soups(), &CHARSETS),
        || select(&PIECES[..]).prop_map(str::to_owned).boxed(),
    )
};

/// Pieces of documents, with many that do not fit together.
const PIECES: [&str; 44] = [
    "<A ", "<a ", "href=", "to=", "srcSet=", "\"./b\"", "'./c d'", "\"x 1x, y 2x\"", "/>", ">",
    "</A>", "<>", "{", "}", "{'./e'}", "{`./f`}", "`", "'", "\"", "${", "\\", "/*", "*/", "//",
    "<!--", "-->", "import ", "export ", " from './g'", "require('./h')", "useBaseUrl('/i')",
    "[j](k)", "[l]: m", "\n", "\n\n", "> ", "- ", "    ", "# ", "|", "\n|-|\n", "é", "{#", "(",
];

fn soups() -> impl Strategy<Value = String> {
    prop::collection::vec(select(&PIECES[..]), 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn new_references_are_read_back(
        text in soups(),
        reference in select(vec!["./new", "/n/e'w", "x&amp;\"y", "http://n/{a}?b&c", "é `|` <", "#"]),
    ) {
        let document = ROW.document(text.into(), "utf-8").with_options(options());
        let plan = Planned::new(&document.links(), &Say(reference.to_owned()));
        edits_are_read_back(&document, &plan)?;
    }
}
