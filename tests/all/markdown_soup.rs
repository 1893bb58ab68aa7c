//! Generated Markdown: pieces whose meaning depends on what is around them, links in many places,
//! and changed documents of the corpus.

use proptest::prelude::*;

use crate::document_corpus::fixtures;

/// Parts of Markdown whose meaning depends on what is around them.
const PIECES: [&str; 105] = [
    "[", "]", "(", ")", "![", "](", "][", "[]", "]:", "]: ", "[a]", "[a][]", "[a]: ", "[A]:",
    "\n[a]: b\n", "[b][a]", "<", ">", "<>", "<a href=", "<a href='", "'>", "\">", "<img src=\"",
    "</a>", "<div>\n", "</div>\n", "<!--", "-->", "<?", "?>", "<!A", "<![CDATA[", "]]>",
    "<script>", "</script>", "<style>", "</style>", "<pre>", "<br/>", "`", "``", "```", "```\n",
    "~~~\n", "~", "*", "**", "_", "~~", "\\", "\\[", "\\]", "\\\"", "\\|", "\\\\", "\\\n", "&amp;",
    "&", ";", "&#91;", "|", "|-|\n", "|-|-|\n", "-|-\n", "> ", ">", "- ", "* ", "+ ", "1. ", "1) ",
    "# ", "---\n", "===\n", "***\n", "\n", "\n\n", "\r\n", "\r", " ", "  ", "    ", "\t", "\0",
    "\u{FEFF}", "\u{A0}", "é", "日", "ソ", "a", "b c", "\"", "'", "\"t\"", "'t'", "(t)", "[^1]",
    "[^1]: ", "[ ] ", "[x] ", "www.", "a@b.c", "+++\n", "!",
];

/// Parts of references, as a destination spells them.
const REFERENCES: [&str; 40] = [
    "http://h/", "http://h", "HTTP://H/", "https://h/", "//h/", "http://h/d/e/", "/", "/d/", "../",
    "./", "..", "a", "b.c", "a:b", "?x=1", "#f", "&amp;", "&copy=", "&copy;", "&", "&#47;", "\\(",
    "\\)", "(a)", "(", "\\\\", "\\", "\\a", "\\|", "%20", "%zz", "é", "日", "ソ", "|", "*", "_",
    "[", "]", "\u{A0}",
];

/// The text before and after a reference.
pub(crate) const PLACES: [(&str, &str); 27] = [
    ("[a](", ")"),
    ("![a](", ")"),
    ("[a](<", ">)"),
    ("[a](", " \"t\")"),
    ("[a](", " \"t \\\"u\\\" v\")"),
    ("[a](", " 'it\\'s')"),
    ("[a](", " (\\(t\\)))"),
    ("[a]( ", "\n't' )"),
    ("[![a](", ")](b)"),
    ("[![a](b)](", ")"),
    ("\n\n[a]: ", "\n"),
    ("\n\n[a]: <", ">\n"),
    ("\n\n[a]:\n", " 't'\n"),
    ("<", ">"),
    (" ", " "),
    ("(", ")."),
    ("<a href='", "'>"),
    ("<a href=", ">"),
    ("\n\n<div>\n<a href=\"", "\">\n\n"),
    ("\n|a|b|\n|-|-|\n|[c](", ")|d|\n"),
    ("\n|a|b|\n|-|-|\n|c| ", " |\n"),
    ("\n> - [a](", ")\n>   b\n"),
    ("\n- a\n\n  [b](", ")\n"),
    ("\n> <a\n> href='", "'>\n"),
    ("\n# [a](", ")\n"),
    ("\n[^1]: [a](", ")\n"),
    ("`[a](", ")`"),
];

fn reference() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&REFERENCES[..]), 0..5).prop_map(|it| it.concat())
}

pub(crate) fn piece() -> impl Strategy<Value = String> {
    let link = (prop::sample::select(&PLACES[..]), reference())
        .prop_map(|((before, after), reference)| format!("{before}{reference}{after}"));
    let piece = prop::sample::select(&PIECES[..]);
    prop_oneof![
        3 => link,
        3 => piece.prop_map(str::to_owned),
        1 => reference(),
    ]
}

/// The lines of a text in a container, and perhaps with other line ends.
fn contained(text: &str, prefix: &str, end: &str) -> String {
    if prefix.is_empty() && end == "\n" {
        return text.to_owned();
    }
    let lines = text.split('\n').map(|line| format!("{prefix}{line}"));
    lines.collect::<Vec<_>>().join(end)
}

pub(crate) fn texts() -> impl Strategy<Value = String> {
    let prefix = prop::sample::select(vec!["", "", "", "", "> ", ">", "  ", "    ", "> > ", "\t"]);
    let end = prop::sample::select(vec!["\n", "\n", "\n", "\r\n", "\r"]);
    let first = prop::sample::select(vec![
        "", "", "", "- ", "---\na: b\n---\n", "\u{FEFF}", "| a |\n|---|\n", "x\n",
    ]);
    (first, prop::collection::vec(piece(), 0..10), prefix, end).prop_map(
        |(first, pieces, prefix, end)| {
            contained(&format!("{first}{}", pieces.concat()), prefix, end)
        },
    )
}

/// Documents of the corpus with pieces added, replaced and removed.
pub(crate) fn changed_texts() -> impl Strategy<Value = String> {
    let texts = fixtures("markdown").into_iter();
    let texts = texts.map(|it| it.document.text().text.into_owned());
    let change = (any::<prop::sample::Index>(), 0usize..12, piece());
    (prop::sample::select(texts.collect::<Vec<String>>()), prop::collection::vec(change, 1..6))
        .prop_map(|(mut text, changes)| {
            for (at, removed, piece) in changes {
                let positions = text.char_indices().map(|it| it.0);
                let positions: Vec<usize> = positions.chain([text.len()]).collect();
                let at = at.index(positions.len());
                let end = (at + removed).min(positions.len() - 1);
                text.replace_range(positions[at]..positions[end], &piece);
            }
            text
        })
}
