//! Markdown made to be slow: nested and unclosed syntax takes linear time. Many of the inputs take
//! other parsers quadratic time.

use std::hint::black_box;

use rehref::format::Options;
use rehref::format::markdown::Dialect;
use rehref::rewrite::{Plan, Rule};

use crate::edit_laws::rules_of;
use crate::linear::{assert_linear, assert_linear_in};
use crate::markdown_laws::document_of;

/// The beginning, the unit that is repeated, and the end.
const REPEATED: &[(&str, &str, &str)] = &[
    // Brackets.
    ("", "[", ""),
    ("", "[", "a](b)"),
    ("", "]", ""),
    ("", "![", ""),
    ("", "[a](", ""),
    ("", "[a](<", ""),
    ("", "[a](b \"", ""),
    ("", "[a](\\", ""),
    ("", "[a](((", ""),
    ("", "[a](b", ""),
    ("", "](", ""),
    ("", "][", ""),
    ("", "[]", ""),
    ("", "[a][", ""),
    ("", "[a] ", ""),
    ("", "![[]()", ""),
    ("", "[[a](b)](c)", ""),
    ("", "[![a](b)](c)", ""),
    ("[a](", "(", ")"),
    ("[a](", "\\", ")"),
    ("[a](", "&", ")"),
    ("[a](", "&#", ")"),
    ("[a](b '", "\\'", "')"),
    ("[", "a\n", "](b)"),
    // Code, HTML and autolinks.
    ("", "`", ""),
    ("", "` `` ", ""),
    ("", "a`b``", ""),
    ("`", "a``", "`"),
    ("", "<", ""),
    ("", "<a ", ""),
    ("", "<a href=", ""),
    ("", "<a href='", ""),
    ("", "<a href=\"b\" ", ""),
    ("", "</", ""),
    ("", "a<!--", ""),
    ("", "<!--\n", ""),
    ("", "a<!-- -", ""),
    ("", "a<?", ""),
    ("", "a<!A", ""),
    ("", "a<![CDATA[", ""),
    ("", "<http://a", ""),
    ("", "<a@b", ""),
    ("", "<div>\n", ""),
    ("", "<script>\n", ""),
    ("", "<div>\n\n", ""),
    // URLs in text.
    ("", "http://", ""),
    ("", "http://a/(", ""),
    ("http://a/", "(", ")"),
    ("http://a/", ")", ""),
    ("http://a/", "&amp;", ""),
    ("http://a/", ".", ""),
    ("http://a", "._", ""),
    ("", "www.", ""),
    ("", "www.a", ""),
    ("", "a@", ""),
    ("", "a@b.", ""),
    ("", "a.", "@b.c"),
    ("", "a@b.c ", ""),
    ("[", "http://a/ ", ""),
    // Emphasis, which does not count.
    ("", "*a_ ", ""),
    ("", "*", ""),
    ("", "**a *", ""),
    ("", "~", ""),
    // Containers.
    ("", "> ", ""),
    ("", "> ", "[a](b)"),
    ("", "> a\n", ""),
    ("", ">", "\n\n"),
    ("", "- ", ""),
    ("", "- ", "[a](b)"),
    ("", "- a\n", ""),
    ("", "- a\n\n", ""),
    ("", "1. ", ""),
    ("", "> - ", ""),
    ("", " ", "a"),
    ("", "\t", "a"),
    ("- a\n", "\n", ""),
    ("- - - - a\n", "\n", "  b"),
    ("> ```\n", "> a\n", ""),
    ("```\n", "a\n", ""),
    ("", "```\n", ""),
    ("", "~~~ \n", ""),
    ("", "    a\n", ""),
    ("", "# a\n", ""),
    ("", "a\n", "===\n"),
    ("", "a\n===\n", ""),
    ("", "-\n", ""),
    ("", "* *", ""),
    ("", "\r", ""),
    ("", "\0", ""),
    // Tables.
    ("", "|", ""),
    ("", "|", "\n|-|\n"),
    ("|a|\n|-|\n", "|a|b|\n", ""),
    ("|a|\n|-|\n", "|\\|", ""),
    ("", "|a|\n|-|\n", ""),
    ("", "a|b\n", ""),
    ("", "a\n-|-\n", ""),
    // Definitions.
    ("", "[a]: b\n", ""),
    ("", "[a]:\n", ""),
    ("", "[a]: b '\n", ""),
    ("", "[a]: b 'c\n", ""),
    ("", "[a", "]: b\n"),
    ("[", "a ", "]: b\n"),
    ("", "[a\n", ""),
    ("", "[^a]: ", ""),
    ("", "[^a]: b\n", ""),
    ("", "[^a]", ""),
    ("[a]: b\n\n", "[a]", ""),
    ("[a]: b\n\n", "[a][b]", ""),
    ("[a]: b\n\n", "[c][a] ", ""),
    // Front matter.
    ("---\n", "a: b\n", ""),
    ("---\n", "a: b\n", "---\n"),
];

/// The same for MDX.
const REPEATED_IN_MDX: &[(&str, &str, &str)] = &[
    ("", "{", ""),
    ("", "{\n", ""),
    ("", "{\n\n", ""),
    ("", "a {\n", ""),
    ("", "{`${", ""),
    ("", "{'", ""),
    ("{", "\"\\", ""),
    ("", "{/*", ""),
    ("", "{a}\n", "b"),
    ("", "{a} b\n", ""),
    ("", "<A ", ""),
    ("", "<A\n", ""),
    ("", "<A b={\n", ""),
    ("", "<A b={<A b='c' ", ""),
    ("", "a <A b={", ""),
    ("", "<A b='", ""),
    ("", "<A b=\"\n", ""),
    ("", "<A href=\"b\"/>", ""),
    ("", "<A href=\"b\"/>\n", "c"),
    ("", "<A href='b'/> c\n", ""),
    ("<A ", "href={'b'} ", "/>"),
    ("<a ", "href='b' ", "/>"),
    ("", "<a b={", "x"),
    ("<A", "\n", "/>"),
    ("> <A", "\n> ", ""),
    ("", "> <A\n", ""),
    ("", "<!--\n", ""),
    ("", "a <!--", ""),
    ("", "import a from './b'\n", ""),
    ("", "import a from './b'\n\n", ""),
    ("", "import {\n\n", ""),
    ("", "export a = (\n\n", ""),
    ("import ", "'./a' ", ""),
    ("import ", "}", ""),
    ("import a\n", " ", "\n"),
];

fn read_mdx(text: &str) {
    let document = document_of(text.as_bytes().to_vec(), "utf-8");
    let mut options = Options::default();
    options.markdown.dialect = Dialect::Mdx;
    black_box(document.found(&options).links.len());
}

#[test]
fn repeated_syntax_of_mdx_is_read_in_linear_time() {
    for (first, unit, last) in REPEATED_IN_MDX {
        assert_linear(first, unit, last, read_mdx);
    }
}

fn read(text: &str) {
    let document = document_of(text.as_bytes().to_vec(), "utf-8");
    black_box(document.found(&Options::default()).links.len());
}

#[test]
fn repeated_syntax_is_read_in_linear_time() {
    for (first, unit, last) in REPEATED {
        assert_linear(first, unit, last, read);
    }
}

#[test]
fn repeated_syntax_is_rewritten_in_linear_time() {
    for (first, unit, last) in [
        ("", "[a](b)", ""),
        ("", "[a](b) ", "c"),
        ("", "- [a](b)\n", ""),
        ("", "> ", "[a](b)"),
        ("", "[a]: b\n", ""),
        ("", "[![a](b)](c)", ""),
        ("", "<a href=b>", ""),
        ("", "<p><a href=b>\n\n", ""),
        ("|a|\n|-|\n", "|[a](b)|\n", ""),
        ("[a](", "\\(", ")"),
        ("[a](", "&amp;", ")"),
        ("[a](", "(", ")"),
    ] {
        assert_linear(first, unit, last, |text| {
            let document = document_of(text.as_bytes().to_vec(), "utf-8");
            let links = document.links();
            let rules = rules_of(Rule::Absolute);
            let plan = Plan::new(&links, &rules);
            black_box(plan.bytes().len());
        });
    }
}

/// Input that a repeated unit does not make.
#[test]
fn growing_syntax_is_read_in_linear_time() {
    let numbered = |len: usize, unit: &dyn Fn(usize) -> String| {
        let mut text = String::new();
        let mut number = 0;
        while text.len() < len {
            text.push_str(&unit(number));
            number += 1;
        }
        text
    };
    let half = |len: usize, unit: &str| unit.repeat(len / 2 / unit.len());
    let runs = |len: usize| {
        let mut text = String::new();
        let mut count = 1;
        while text.len() < len {
            text += &"`".repeat(count);
            text.push('a');
            count += 1;
        }
        text
    };
    assert_linear_in("runs of backquotes", runs, read);
    assert_linear_in(
        "definitions",
        |len| numbered(len, &|number| format!("[a{number}]: b\n")),
        read,
    );
    assert_linear_in(
        "definitions and uses",
        |len| {
            numbered(len / 2, &|it| format!("[a{it}]: b\n"))
                + &numbered(len / 2, &|it| format!("[a{it}]\n"))
        },
        read,
    );
    assert_linear_in(
        "a table of many columns",
        |len| {
            format!("{}\n{}\n{}", "a|".repeat(len / 6), "-|".repeat(len / 6), "b|".repeat(len / 6))
        },
        read,
    );
    assert_linear_in("brackets", |len| half(len, "[") + &half(len, "]"), read);
    assert_linear_in("brackets and parentheses", |len| half(len, "[a](") + &half(len, ")"), read);
    assert_linear_in("images", |len| half(len, "![") + &half(len, "](a)"), read);
    assert_linear_in(
        "quotes that end",
        |len| numbered(len, &|number| format!("{}a\n", "> ".repeat(20 - number % 20))),
        read,
    );
    assert_linear_in(
        "deep lists",
        |len| numbered(len, &|number| format!("{}- a\n", "  ".repeat(number % 60))),
        read,
    );
    assert_linear_in(
        "a long line in deep quotes",
        |len| format!("{}{}", half(len, ">"), half(len, "[a](b) ")),
        read,
    );
}
