//! Links with expressions of template engines: check, rewrite and move leave them, and count them.

use crate::support::tree::{Has, Tree};

/// Values that an engine makes, in double quotes.
const VALUES: [&str; 26] = [
    "{{ url }}", "{% url 'x' %}", "/{{ page.url }}", "img/{{ name }}.png", "{{{this.url}}}",
    "<?php echo $url; ?>", "<?= $x ?>/a", "<%= link %>", "<%# Eval(", "a/<%= link %>",
    "<c:url value='/x'/>", "<#if x>a</#if>", "<@spring.url '/x'/>", "${base}/x.html",
    "#{base}/x.html", "{base}/x.png", "/users/{id}", "{$base}/x", "[% base %]/x", "[[url]]",
    "@@BASE@@/x", "@project.url@/x", "%PUBLIC_URL%/x", "%(url)s", "$(BASE)/x", "~/x.css",
];

fn page() -> String {
    let link = |value: &&str| format!("<a href=\"{value}\">a</a>\n");
    VALUES.iter().map(link).collect::<String>()
        + "<img srcset=\"{{ image | resize: '3x, 4x' }} 2x, <?= a(1, 2) ?> 3x\">\n\
           <p style=\"background: url('{{ image }}')\">\n<meta http-equiv=refresh content=\"0; url={{ url }}\">\n"
}

#[test]
fn rules_leave_expressions_and_count_them() {
    let page = page();
    let plain = "<a href=\"y.html\">y</a>";
    let text = format!("{page}{plain}\n");
    for (options, written) in [
        (&["--absolute", "--base", "http://h.example/=."][..], "http://h.example/d/y.html"),
        (&["--root-relative"][..], "/d/y.html"),
        (
            &["--map", "http://h.example/=http://n.example/", "--base", "http://h.example/=."][..],
            "http://n.example/d/y.html",
        ),
    ] {
        let tree = Tree::new(&[("d/t.html", &text), ("d/y.html", "")]);
        let arguments = [&["rewrite", "-w", "--no-journal"], options, &["."]].concat();
        tree.ends(0, &arguments).has("contained a template expression");
        let mut expected = text.replace("y.html", written);
        if options[0] == "--map" {
            // The beginning is not of the engine.
            expected = { expected.lines() }
                .map(|line| match line.strip_prefix("<a href=\"/") {
                    Some(rest) => format!("<a href=\"http://n.example/{rest}\n"),
                    None => format!("{line}\n"),
                })
                .collect();
        }
        assert_eq!(tree.files()["d/t.html"], expected, "{options:?}");
    }
    let tree = Tree::new(&[("d/t.html", &text.replace("y.html\"", "/y.html\"")), ("y.html", "")]);
    tree.ends(0, "rewrite -w --no-journal --relative .");
    assert_eq!(tree.files()["d/t.html"], text.replace("y.html\"", "../y.html\""));
}

#[test]
fn moves_leave_expressions_and_check_does_not_report_them() {
    let page = page();
    let text = format!("{page}<a href=\"y.html\">y</a>\n");
    let tree = Tree::new(&[("d/t.html", &text), ("d/y.html", "")]);
    tree.ends(0, "check .").has("with templates not checked");
    tree.ends(0, "move -w d/t.html e/f/t.html").has("links contained a template expression");
    let expected = text.replace("y.html", "../../d/y.html");
    assert_eq!(tree.files()["e/f/t.html"], expected);
}

#[test]
fn what_only_looks_like_an_expression_is_a_link() {
    let names = [
        "a{b}.html", "%7Bx%7D.html", "%3Cx%3E.html", "a@2x.png", "Outer$Inner.html",
        "a%20%25b.html",
    ];
    let link = |name: &&str| format!("<a href=\"{name}\">a</a>");
    let text: String = names.iter().map(link).collect();
    let tree = Tree::new(&[("t.html", &text)]);
    let output = tree.run("check .");
    let reported = output.out;
    assert_eq!(reported.lines().count(), names.len(), "{reported}");
    // A file with such a name moves with its links.
    let tree = Tree::new(&[("t.html", "<a href='{x}.html'>a</a>"), ("{x}.html", "")]);
    tree.ends(0, "move -w {x}.html y.html");
    assert_eq!(tree.files()["t.html"], "<a href='y.html'>a</a>");
}

#[test]
fn expressions_of_components_are_anywhere_in_a_value() {
    let text = "<a href={url}>a</a><a {href}>a</a><img src=\"img/x-{name}.png\"><a href=\"y.html\">b</a>\n";
    let tree = Tree::new(&[("a/A.svelte", text), ("a/y.html", "")]);
    tree.ends(0, "check .");
    tree.ends(0, "move -w a/A.svelte b/A.svelte");
    assert_eq!(tree.files()["b/A.svelte"], text.replace("y.html", "../a/y.html"));
}

#[test]
fn links_relative_to_a_base_of_an_engine_stay() {
    let text = "<base href=\"{{ base }}\"><a href=\"y.html\">y</a>\n";
    let tree = Tree::new(&[("a/t.html", text), ("a/y.html", "")]);
    tree.ends(0, "move -w a/t.html b/t.html");
    assert_eq!(tree.files()["b/t.html"], text);
}

#[test]
fn destinations_with_blanks_in_expressions_are_counted_on_sites() {
    let text = "[a]({{< param base >}}/docs/a/) ![b](/img/{{% param v %}}/x.png)\n\n[c]: /docs/{{< param version >}}/a\n\n\
        [d]({{< ref \"a.md\" >}}) [e](a.md)\n";
    let files = [
        ("hugo.toml", "baseURL = \"https://h.example/\"\n"),
        ("content/t.md", text),
        ("content/a.md", "# A\n"),
    ];
    let tree = Tree::new(&files);
    tree.ends(0, "check .").has("3 links with templates not checked");
    tree.ends(0, "move -w content/a.md content/b.md")
        .has("unchanged: 3 links contained a template expression");
    let expected = text.replace("\"a.md\"", "\"b.md\"").replace("(a.md)", "(b.md)");
    assert_eq!(tree.files()["content/t.md"], expected);
}

/// Bundlers resolve these. The files of directories with such names exist.
#[test]
fn paths_in_packages_and_below_aliases_are_counted() {
    let tree = Tree::new(&[
        (
            "a.css",
            "@import \"@scope/name/a.css\"; @import '~name/b.css'; a { background: url(@dir/x.png) }\n",
        ),
        (
            "b.svelte",
            "<script>\n</script>\n<img src=\"@assets/x.png\"><img src=\"~assets/y.png\">\n",
        ),
        ("c.html", "<img src=\"@assets/x.png\">\n"),
        ("@dir/x.png", "x"),
    ]);
    let out = tree.run("check .");
    out.err.has("; 4 links with templates not checked");
    let found: Vec<&str> = out.out.lines().collect();
    assert_eq!(found.len(), 1, "{found:?}");
    out.out.has("c.html:1:11: @assets/x.png: missing");
}
