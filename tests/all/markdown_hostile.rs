//! Markdown made to be slow: nested and unclosed syntax takes linear time. Many of the inputs take
//! other parsers quadratic time.

use std::hint::black_box;

use rehref::format::Options;
use rehref::format::markdown::Dialect;

use crate::laws::markdown::document_of;
use crate::linear::{assert_linear, assert_linear_in, repeated};

/// Families of texts, as for [`assert_linear`].
const REPEATED: &[&str] = &[
    // Brackets.
    "⟦[⟧", "⟦[⟧a](b)", "⟦]⟧", "⟦![⟧", "⟦[a](⟧", "⟦[a](<⟧", "⟦[a](b \"⟧", "⟦[a](\\⟧", "⟦[a](((⟧",
    "⟦[a](b⟧", "⟦](⟧", "⟦][⟧", "⟦[]⟧", "⟦[a][⟧", "⟦[a] ⟧", "⟦![[]()⟧", "⟦[[a](b)](c)⟧",
    "⟦[![a](b)](c)⟧", "[a](⟦(⟧)", "[a](⟦\\⟧)", "[a](⟦&⟧)", "[a](⟦&#⟧)", "[a](b '⟦\\'⟧')",
    "[⟦a\n⟧](b)", // Code, HTML and autolinks.
    "⟦`⟧", "⟦` `` ⟧", "⟦a`b``⟧", "`⟦a``⟧`", "⟦<⟧", "⟦<a ⟧", "⟦<a href=⟧", "⟦<a href='⟧",
    "⟦<a href=\"b\" ⟧", "⟦</⟧", "⟦a<!--⟧", "⟦<!--\n⟧", "⟦a<!-- -⟧", "⟦a<?⟧", "⟦a<!A⟧",
    "⟦a<![CDATA[⟧", "⟦<http://a⟧", "⟦<a@b⟧", "⟦<div>\n⟧", "⟦<script>\n⟧", "⟦<div>\n\n⟧",
    // URLs in text.
    "⟦http://⟧", "⟦http://a/(⟧", "http://a/⟦(⟧)", "http://a/⟦)⟧", "http://a/⟦&amp;⟧",
    "http://a/⟦.⟧", "http://a⟦._⟧", "⟦www.⟧", "⟦www.a⟧", "⟦a@⟧", "⟦a@b.⟧", "⟦a.⟧@b.c", "⟦a@b.c ⟧",
    "[⟦http://a/ ⟧", // Emphasis, which does not count.
    "⟦*a_ ⟧", "⟦*⟧", "⟦**a *⟧", "⟦~⟧", // Containers.
    "⟦> ⟧", "⟦> ⟧[a](b)", "⟦> a\n⟧", "⟦>⟧\n\n", "⟦- ⟧", "⟦- ⟧[a](b)", "⟦- a\n⟧", "⟦- a\n\n⟧",
    "⟦1. ⟧", "⟦> - ⟧", "⟦ ⟧a", "⟦\t⟧a", "- a\n⟦\n⟧", "- - - - a\n⟦\n⟧  b", "> ```\n⟦> a\n⟧",
    "```\n⟦a\n⟧", "⟦```\n⟧", "⟦~~~ \n⟧", "⟦    a\n⟧", "⟦# a\n⟧", "⟦a\n⟧===\n", "⟦a\n===\n⟧",
    "⟦-\n⟧", "⟦* *⟧", "⟦\r⟧", "⟦\0⟧", // Tables.
    "⟦|⟧", "⟦|⟧\n|-|\n", "|a|\n|-|\n⟦|a|b|\n⟧", "|a|\n|-|\n⟦|\\|⟧", "⟦|a|\n|-|\n⟧", "⟦a|b\n⟧",
    "⟦a\n-|-\n⟧", // Definitions.
    "⟦[a]: b\n⟧", "⟦[a№]: b\n⟧", "⟦[a]:\n⟧", "⟦[a]: b '\n⟧", "⟦[a]: b 'c\n⟧", "⟦[a⟧]: b\n",
    "[⟦a ⟧]: b\n", "⟦[a\n⟧", "⟦[^a]: ⟧", "⟦[^a]: b\n⟧", "⟦[^a]⟧", "[a]: b\n\n⟦[a]⟧",
    "[a]: b\n\n⟦[a][b]⟧", "[a]: b\n\n⟦[c][a] ⟧", // Front matter.
    "---\n⟦a: b\n⟧", "---\n⟦a: b\n⟧---\n",
];

/// Families of texts in MDX, as for [`assert_linear`].
const REPEATED_IN_MDX: &[&str] = &strings![
    "⟦{⟧" "⟦{\n⟧" "⟦{\n\n⟧" "⟦a {\n⟧" "⟦{`${⟧" "⟦{'⟧" "{⟦\"\\⟧" "⟦{/*⟧" "⟦{a}\n⟧b" "⟦{a} b\n⟧"
    "⟦<A ⟧" "⟦<A\n⟧" "⟦<A b={\n⟧" "⟦<A b={<A b='c' ⟧" "⟦a <A b={⟧" "⟦<A b='⟧" "⟦<A b=\"\n⟧"
    "⟦<A href=\"b\"/>⟧" "⟦<A href=\"b\"/>\n⟧c" "⟦<A href='b'/> c\n⟧" "<A ⟦href={'b'} ⟧/>"
    "<a ⟦href='b' ⟧/>" "⟦<a b={⟧x" "<A⟦\n⟧/>" "> <A⟦\n> ⟧" "⟦> <A\n⟧" "⟦<!--\n⟧" "⟦a <!--⟧"
    "⟦import a from './b'\n⟧" "⟦import a from './b'\n\n⟧" "⟦import {\n\n⟧" "⟦export a = (\n\n⟧"
    "import ⟦'./a' ⟧" "import ⟦}⟧" "import a\n⟦ ⟧\n"
];

fn read_mdx(text: &str) {
    let document = document_of(text);
    let mut options = Options::default();
    options.markdown.dialect = Dialect::Mdx;
    black_box(document.found(&options).links.len());
}

#[test]
fn repeated_syntax_of_mdx_is_read_in_linear_time() {
    for family in REPEATED_IN_MDX {
        assert_linear(family, read_mdx);
    }
}

fn read(text: &str) {
    black_box(document_of(text).links().len());
}

#[test]
fn repeated_syntax_is_read_in_linear_time() {
    for family in REPEATED {
        assert_linear(family, read);
    }
}

/// Input that a repeated unit does not make.
#[test]
fn growing_syntax_is_read_in_linear_time() {
    let half = |len: usize, unit: &str| unit.repeat(len / 2 / unit.len());
    let grown = |len: usize, unit: &dyn Fn(usize) -> String| {
        let mut text = String::new();
        for number in 0.. {
            if text.len() >= len {
                break;
            }
            text.push_str(&unit(number));
        }
        text
    };
    let uses = |len| repeated("[a№]: b\n", len / 16) + &repeated("[a№]\n", len / 12);
    let columns = |len| ["a|", "-|", "b|"].map(|it| it.repeat(len / 6)).join("\n");
    let families: [(&str, &dyn Fn(usize) -> String); 9] = [
        ("runs of backquotes", &|len| grown(len, &|number| "`".repeat(number + 1) + "a")),
        ("definitions and uses", &uses),
        ("a table of many columns", &columns),
        ("brackets", &|len| half(len, "[") + &half(len, "]")),
        ("brackets and parentheses", &|len| half(len, "[a](") + &half(len, ")")),
        ("images", &|len| half(len, "![") + &half(len, "](a)")),
        ("quotes that end", &|len| grown(len, &|it| "> ".repeat(20 - it % 20) + "a\n")),
        ("deep lists", &|len| grown(len, &|it| "  ".repeat(it % 60) + "- a\n")),
        ("a long line in deep quotes", &|len| half(len, ">") + &half(len, "[a](b) ")),
    ];
    for (name, text) in families {
        assert_linear_in(name, text, read);
    }
}
