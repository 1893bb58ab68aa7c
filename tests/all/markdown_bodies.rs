//! Bodies of blocks that programs add to Markdown: admonitions, tabs, definitions and elements of
//! Python-Markdown, and directives of MyST.

use rehref::document::Document;
use rehref::format::Options;
use rehref::format::markdown::Dialect;

/// The references of a document, in order.
fn references(dialect: Dialect, text: &str) -> Vec<String> {
    let document = Document::new("a.md", text.as_bytes().to_vec());
    let mut options = Options::default();
    options.markdown.dialect = dialect;
    let links = document.links_with(&options);
    links
        .iter()
        .map(|link| {
            assert_eq!(&text[link.spans()[0].range()], link.reference(), "{text}");
            link.reference().to_owned()
        })
        .collect()
}

#[track_caller]
fn assert_found(dialect: Dialect, text: &str, expected: &[&str]) {
    assert_eq!(references(dialect, text), expected, "{text}");
}

#[test]
fn indented_bodies_of_python_markdown_are_markdown() {
    let text = "!!! note \"See [t](t)\"\n\n    [a](a)\n\n    - [b](b)\n\n        [c](c)\n\n    ```\n    [no](no)\n    ```\n\n        [code](no)\n\n[d](d)\n\n    [no](no)\n";
    assert_found(Dialect::MkDocs, text, &["t", "a", "b", "c", "d"]);
    for begin in [
        "!!! note", "???+ tip \"T\"", "??? \"T\"", "=== \"Tab\"", "===! \"Tab\"", "words\n!!! note",
    ] {
        assert_found(Dialect::MkDocs, &format!("{begin}\n\n    [a](a)\n"), &["a"]);
        assert_found(Dialect::None, &format!("{begin}\n\n    [a](a)\n"), &[]);
    }
    for other in ["!!! note: text", "=== Tab", "!!!", "\\!!! note", "`!!! note`"] {
        assert_found(Dialect::MkDocs, &format!("{other}\n\n    [a](no)\n"), &[]);
    }
}

#[test]
fn bodies_of_python_markdown_may_be_nested() {
    let text = "- x\n\n    !!! a\n\n        [a](a)\n\n        === \"B\"\n\n            [b](b)\n\n        [c](c)\n\n    [d](d)\n\n> ??? e\n>     [e](e)\n";
    assert_found(Dialect::MkDocs, text, &["a", "b", "c", "d", "e"]);
}

#[test]
fn definitions_of_python_markdown_have_indented_text() {
    let text =
        "Term\n:   [a](a)\n\n    [b](b)\n\nTerm\n\n: [c](c)\n: [d](d)\n\n:    code [e](no)\n";
    assert_found(Dialect::MkDocs, text, &["a", "b", "c", "d", "no"]);
    assert_found(Dialect::None, "Term\n\n:   [a](a)\n\n    [b](no)\n", &["a"]);
}

#[test]
fn elements_with_an_attribute_hold_markdown() {
    let text = "<div class=x markdown>\n[a](a) <a href=b>\n</div>\n<div>\n[no](no)\n</div>\n\n\
        <section markdown=\"1\">[c](c)\n<p markdown='span'>[d](d)</p>\n</section> [e](e)\n";
    assert_found(Dialect::MkDocs, text, &["a", "b", "c", "d", "e"]);
    assert_found(Dialect::MkDocs, "<div markdown=\"0\">\n[no](no)\n</div>\n", &[]);
    assert_found(Dialect::None, "<div markdown>\n[no](no)\n</div>\n", &[]);
}

#[test]
fn directives_of_myst_hold_markdown() {
    let text = "```{note}\n:class: x\n[a](a)\n```\n```\n[no](no)\n```\n````{tip}\n---\nclass: [no](no)\n---\n\n```{warning}\n[b](b)\n```\n\
        ```sh\n[no](no)\n```\n[c](c)\n````\n:::{card}\n:link: no\n\n- [d](d)\n:::\n:::{code-block} md\n[no](no)\n:::\n\
        - ```{seealso} T\n  [e](e)\n  ```\n- [f](f)\n\n~~~{admonition} T\n> [g](g)\n~~~\n[h](h)\n";
    assert_found(Dialect::Myst, text, &["a", "b", "c", "d", "e", "f", "g", "h"]);
    assert_found(Dialect::None, "```{note}\n[no](no)\n```\n", &[]);
}

#[test]
fn bodies_that_are_not_closed_reach_to_the_end() {
    assert_found(Dialect::Myst, "```{note}\n[a](a)\n", &["a"]);
    assert_found(Dialect::Myst, "- ```{note}\n  [a](a)\n\n[b](b)\n", &["a", "b"]);
    assert_found(Dialect::MkDocs, "<div markdown>\n\n[a](a)\n", &["a"]);
}

#[test]
fn definitions_in_bodies_apply_to_the_document() {
    let text = "[x][a]\n\n!!! note\n\n    [a]: b\n";
    assert_found(Dialect::MkDocs, text, &["b"]);
}

/// Each opening begins a body in a body, or text in one.
#[test]
fn hostile_bodies_take_linear_time() {
    for piece in [
        "!!! a\n\n    ", "=== \"a\"\n", ": a\n", ":   ", "```{note}\n", "````{note}\n:::{tip}\n",
        ":::{a}\n---\n", "<div markdown>\n", "</div>\n", "<p markdown>", "- ```{a}\n  ",
        "> !!! a\n",
    ] {
        let text = piece.repeat(40_000);
        for dialect in [Dialect::MkDocs, Dialect::Myst] {
            let _ = references(dialect, &text);
        }
    }
}
