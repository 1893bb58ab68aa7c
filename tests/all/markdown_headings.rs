//! The anchors of Markdown documents: ids of headings by the rule of a site, and those of HTML in
//! the document.

use rehref::document::Document;
use rehref::format::markdown::{Dialect, MarkdownOptions, Slugs};
use rehref::format::{Format, Options};

use crate::linear::assert_linear;

fn of(slugs: Slugs) -> MarkdownOptions {
    MarkdownOptions { slugs, ..MarkdownOptions::default() }
}

fn anchors(slugs: Slugs, text: &str) -> Vec<String> {
    anchors_with(of(slugs), text)
}

fn anchors_with(markdown: MarkdownOptions, text: &str) -> Vec<String> {
    let document = Document::new("a.md", text.as_bytes().to_vec()).with_format(Format::Markdown);
    let options = Options { anchors: true, markdown, ..Options::default() };
    let found = document.links_with(&options);
    let mut anchors: Vec<String> = found.anchors().map(str::to_owned).collect();
    anchors.sort();
    anchors
}

#[test]
fn headings_of_any_form_have_ids() {
    let text = "---\ntitle: x\n---\n# A ##\n\nB\n===\n\n> C\n> c\n> ---\n\n* # D\n\n      # E\n\n```\n# F\n```\n\n##\n#G\n";
    assert_eq!(anchors(Slugs::Github, text), ["a", "b", "cc", "d"]);
    let text = "# `code` [link](u) ![image](v) <b>tag</b> *em* a_b [r] &amp;\n\n[r]: w\n";
    assert_eq!(anchors(Slugs::Github, text), ["code-link--tag-em-a_b-r-"]);
}

#[test]
fn headings_of_the_first_level_have_no_ids_in_docusaurus() {
    let text =
        "# A\n\n## A\n\nB\nb\n===\n\n> # C {#c}\n\nD\n---\n\n* # E\n\n#\n\n### F = #\n\nG\n--\n=\n";
    let of_rule = ["a", "a-1", "bb", "c", "d", "e", "f-", "g"];
    assert_eq!(anchors(Slugs::Docusaurus, text), of_rule);
    let site = MarkdownOptions { dialect: Dialect::Mdx, ..of(Slugs::Docusaurus) };
    assert_eq!(anchors_with(site, text), ["a-1", "d", "f-", "g"]);
    assert_eq!(anchors(Slugs::Nextra, text), ["a", "a-1", "bb", "c-c", "d", "e", "f-", "g"]);
}

/// Pandoc makes ids before it has read definitions.
#[test]
fn definitions_count_except_in_pandoc() {
    let text = "# [a][r] b[^f] [r] [c](u)\n\n[r]: v\n\n[^f]: n\n";
    assert_eq!(anchors(Slugs::Github, text), ["a-b-r-c"]);
    assert_eq!(anchors(Slugs::Mkdocs, text), ["a-b-r-c", "fn:f", "fnref:f"]);
    assert_eq!(anchors(Slugs::Pandoc, text), ["ar-bf-r-c", "fn1", "fnref1"]);
}

#[test]
fn ids_of_html_are_anchors_with_any_rule() {
    let text = "<a name=\"a\"></a>\n\n## B <i id=\"c\">d</i>\n\n<div id=\"e\">\n\nx <!-- <p id=f> --> `<p id=g>`\n";
    assert_eq!(anchors(Slugs::Github, text), ["a", "b-d", "c", "e"]);
    assert_eq!(anchors(Slugs::None, text), ["a", "c", "e"]);
}

#[test]
fn headings_of_html_have_ids_where_the_site_gives_them() {
    let text = "# A\n\n<h1 align=\"center\">\n  A <em>b</em> &amp; c\n</h1>\n\n<!-- <h1>d</h1> -->\n\n<h2>a</h2>\n";
    // The blanks at the ends count or not, depending on the version.
    assert_eq!(anchors(Slugs::Github, text), ["--a-b--c", "a", "a-1", "a-b--c"]);
    assert_eq!(anchors(Slugs::Gitlab, text), ["a", "a-1", "a-b-c"]);
    assert_eq!(anchors(Slugs::Mdbook, text), ["a"]);
}

#[test]
fn lines_of_attributes_state_ids() {
    let text = "# A\n{: #b .c}\n\nD\n---\n{: #e}\n\n# F\n\n{: #g}\n\nh\n{: #i}\n\n# J\n{: .k}\n";
    let expected = ["b", "e", "f", "g", "i", "j"];
    assert_eq!(anchors(Slugs::Kramdown, text), expected);
    assert_eq!(anchors(Slugs::Jekyll, text), expected);
    assert_eq!(anchors(Slugs::Mkdocs, text), ["a", "d", "f", "i", "j"]);
    // The id of the text is taken before that of the heading.
    assert_eq!(anchors(Slugs::Mkdocs, "# A\n\nb\n{: #a}\n"), ["a", "a_1"]);
    assert_eq!(anchors(Slugs::Github, text), ["a", "d", "f", "j"]);
}

#[test]
fn attributes_of_inlines_state_ids() {
    let text = "*a*{#b} `c`{: #d} [e](u){ #f .g } `*h*{#i}` j {#k} l{#m}\n\n| n |\n|---|\n| **o**{: #p} |\n";
    assert_eq!(anchors(Slugs::Mkdocs, text), ["b", "d", "f", "p"]);
    assert_eq!(anchors(Slugs::Pandoc, text), ["b", "f"]);
    assert_eq!(anchors(Slugs::Kramdown, text), ["d", "p"]);
    assert!(anchors(Slugs::Github, text).is_empty());
}

/// GitHub keeps the `name` of any element. That of headings is common.
#[test]
fn names_of_headings_of_html_are_anchors() {
    let text = "<h3 name=\"a\">\nB\n</h3>\n";
    assert_eq!(anchors(Slugs::Github, text), ["a", "b"]);
    assert!(anchors(Slugs::Hugo, text).is_empty());
}

#[test]
fn ids_of_other_encodings_are_decoded() {
    let document = Document::new("a.md", b"# \xDCber\n".to_vec()).with_format(Format::Markdown);
    let options = Options { anchors: true, ..Options::default() };
    let found = document.links_with(&options);
    assert_eq!(found.anchors().collect::<Vec<_>>(), ["über"]);
}

fn assert_linear_ids(slugs: &[Slugs], family: &str) {
    for &slugs in slugs {
        assert_linear(family, |text| {
            anchors(slugs, text);
        });
    }
}

/// Equal ids, and numbers that are taken.
#[test]
fn repeated_ids_cost_linear_time() {
    for headings in ["⟦# a\n\n⟧", "# a\n\n⟦# a_1\n\n# a\n\n# a-1\n\n⟧", "⟦# {#a}\n\n# a\n\n⟧"]
    {
        assert_linear_ids(Slugs::ALL, headings);
    }
    assert_linear_ids(&[Slugs::Kramdown], "⟦a\n{: #b}\n\n⟧");
    for html in ["⟦<h1>a</h1>\n\n⟧", "<div>⟦<h1>⟧"] {
        assert_linear_ids(&[Slugs::Github], html);
    }
}

/// Delimiters, brackets and attributes that do not end.
#[test]
fn long_headings_cost_linear_time() {
    for unit in [
        "*a_ ", "*a **b __c ", "a*_~ ~_* ", "[*a](u) _", "[![a", "`a ``b ", "<a b='", "a-", "![",
        "[^a]",
    ] {
        assert_linear_ids(&[Slugs::Pandoc], &format!("# ⟦{unit}⟧"));
    }
    let attributes = [Slugs::Mdbook, Slugs::Mkdocs, Slugs::Pandoc, Slugs::Hugo];
    for heading in ["# a {⟦#a ⟧}", "# a ⟦{k=\"⟧}", "# a ⟦ {⟧}"] {
        assert_linear_ids(&attributes, heading);
    }
}

/// Each program has ids of its own for footnotes and the references to them.
#[test]
fn footnotes_have_the_ids_of_the_program() {
    let text = "A[^b] c[^A1], again[^b].\n\n[^b]: d\n[^A1]: e\n[^f]: unused\n";
    for (slugs, expected) in [
        (Slugs::Mkdocs, &["fnref:b", "fnref:A1", "fnref2:b", "fn:b", "fn:A1", "fn:f"][..]),
        (Slugs::Kramdown, &["fn:b", "fnref:b", "fn:A1", "fnref:A1", "fnref:b:1"]),
        (Slugs::Hugo, &["fn:1", "fnref:1", "fn:2", "fnref:2", "fnref1:1"]),
        (
            Slugs::Docusaurus,
            &[
                "user-content-fn-b", "user-content-fnref-b", "user-content-fn-A1",
                "user-content-fnref-A1", "user-content-fnref-b-2",
            ],
        ),
        (Slugs::Mdbook, &["footnote-b", "fr-b-1", "footnote-A1", "fr-A1-1", "fr-b-2"]),
        (Slugs::Github, &[]),
    ] {
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(anchors(slugs, text), expected, "{slugs:?}");
    }
}

#[test]
fn attributes_of_fences_have_ids() {
    let text = "~~~ { .py #a title=\"x\" }\n{#no}\n~~~\n\n```{ .sh }\n# no\n```\n";
    assert_eq!(anchors(Slugs::Mkdocs, text), ["a"]);
    assert_eq!(anchors(Slugs::Pandoc, text), ["a"]);
    assert!(anchors(Slugs::Github, text).is_empty());
}
