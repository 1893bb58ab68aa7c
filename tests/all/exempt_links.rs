//! Comments `rehref: ignore` exempt links from checking and from every rule.

use crate::support::tree::{Has, Tree};

#[test]
fn exempt_links_are_not_checked_and_are_counted() {
    let tree = Tree::new(&[
        (
            "a.html",
            "<a href=1.html>1</a><!-- rehref: ignore -->\n<!-- rehref: ignore, is made later -->\n<a href=2.html>2</a>\n<a href=3.html>3</a>\n",
        ),
        (
            "b.md",
            "[1](1.md) <!-- rehref: ignore -->\n\n[//]: # (rehref: ignore)\n[2](2.md)\n\n[3](3.md)\n",
        ),
        (
            "c.css",
            "a { background: url(1.png) /* rehref: ignore */ }\nb { background: url(3.png) }\n",
        ),
        (
            "d.svg",
            "<svg xmlns='http://www.w3.org/2000/svg'>\n<!-- rehref: ignore -->\n<a href='1.svg'/>\n<a href='3.svg'/></svg>",
        ),
        ("e.html", "<a href=3.html>3</a> rehref: ignore\n"),
    ]);
    let said = tree.run("check .");
    let expected = "./a.html:4:9: 3.html: missing\n./b.md:6:5: 3.md: missing\n./c.css:2:21: 3.png: missing\n\
                    ./d.svg:4:10: 3.svg: missing\n./e.html:1:9: 3.html: missing (near: a.html)\n";
    assert_eq!((said.code, said.out.as_str()), (1, expected));
    said.err.has("checked 5 files, 6 local links: 5 broken; 6 links exempt by comments");
    tree.run("check --json .").out.has("\"exempt\":6");
    // Only an exempt link refers to it.
    tree.write("1.html", "");
    tree.run("check --orphans .").out.lacks("1.html: no document");
}

#[test]
fn exempt_links_stay_under_every_rule() {
    let page = "<a href=http://o.example/1>1</a>\n<!-- rehref: ignore -->\n<a href=http://o.example/2>2</a>\n<a href=/3>3</a><!-- rehref: ignore -->\n\
                <a href=http://o.example/4>4</a>\n";
    let text = "# http://o.example/1\nurl: http://o.example/2 # rehref: ignore\n# rehref: ignore\nurl: http://o.example/3\nurl: http://o.example/4\n";
    let tree = Tree::new(&[("s/a.html", page), ("s/b.yaml", text), ("s/c.txt", text)]);
    let map = "rewrite --map o.example=n.example s";
    let said = tree.ends(0, format!("{map} --verify -w"));
    said.has("4 links exempt by a comment").has("changed 8 links in 3 files");
    let new = page.replace("http://o.example/1", "http://n.example/1");
    assert_eq!(tree.read("s/a.html"), new.replace("http://o.example/4", "http://n.example/4"));
    let new = text.replace("http://o.example/1", "http://n.example/1");
    assert_eq!(tree.read("s/b.yaml"), new.replace("http://o.example/4", "http://n.example/4"));
    assert_eq!(
        tree.read("s/c.txt"),
        text.replace("o.example", "n.example"),
        "prose has no comments"
    );
    tree.ends(0, "rewrite --undo s");
    let said = tree.ends(0, "rewrite --absolute --base http://b.example/=s s --explain");
    said.has("s/a.html:4:9: unchanged: \"/3\" exempt by a comment");
    tree.ends(0, "rewrite --map o.example=n.example s -o new");
    tree.read("new/a.html").has("http://o.example/2").has("http://n.example/4");
}

#[test]
fn exempt_links_stay_when_files_move() {
    let tree =
        Tree::new(&[("a.md", "[b](b.md)\n[b](b.md) <!-- rehref: ignore -->\n"), ("b.md", "# B\n")]);
    tree.ends(0, "move -w b.md c.md").has("1 link exempt by a comment").lacks("broken");
    assert_eq!(tree.read("a.md"), "[b](c.md)\n[b](b.md) <!-- rehref: ignore -->\n");
}

#[test]
fn comments_of_utf16_documents_are_read() {
    let page = "\u{feff}<p>ü\u{1f35e}\n<a href=1.html>1</a> <!-- rehref: ignore -->\n\
                <!-- rehref: ignore -->\n<a href=2.html>2</a>\n<a href=3.html>3</a>\n";
    let (le, be): (Vec<_>, Vec<_>) =
        page.encode_utf16().map(|unit| (unit.to_le_bytes(), unit.to_be_bytes())).unzip();
    let tree = Tree::of_bytes(&[("le.html", &le.concat()), ("be.html", &be.concat())]);
    let said = tree.run("check .");
    let expected =
        "./be.html:5:17: 3.html: missing\n./le.html:5:17: 3.html: missing (near: be.html)\n";
    assert_eq!((said.code, said.out.as_str()), (1, expected));
    said.err.has("4 links exempt by comments");
    let said = tree.ends(0, "rewrite --absolute --base http://b.example/=. . --explain");
    said.has("4 links exempt by a comment").has("would change 2 links");
}

/// The references that `check` reports in a file, in order.
fn broken(name: &str, text: &str) -> String {
    let tree = Tree::new(&[(name, text)]);
    let out = tree.run(format!("check --root . --media auto {name}")).out;
    let references = out.lines().filter_map(|line| line.rsplit(": ").nth(1));
    references.collect::<Vec<_>>().join(" ")
}

#[test]
fn text_outside_of_comments_exempts_nothing() {
    let ignore = "<!-- rehref: ignore -->";
    for (name, text, expected) in [
        ("a.html", format!("<a title='{ignore}' href=1></a>"), "1"),
        ("a.html", format!("<textarea>{ignore}</textarea><a href=1></a>"), "1"),
        ("a.html", format!("<title>{ignore}</title><a href=1></a>"), "1"),
        ("a.html", format!("<script>'{ignore}'</script><a href=1></a>"), "1"),
        ("a.html", "<style>a{b:'/* rehref: ignore */'}</style><a href=1></a>".to_owned(), "1"),
        (
            "a.svg",
            format!(
                "<a xmlns='http://www.w3.org/2000/svg' title='{ignore}' href='1'><![CDATA[{ignore}]]></a>"
            ),
            "1",
        ),
        ("a.md", format!("[x](1) `{ignore}` \\{ignore}\n\n    {ignore}\n[y](2)"), "1 2"),
        ("a.md", format!("```\n{ignore}\n```\n[x](1)\n\n`{{/* rehref: ignore */}}` [y](2)"), "1 2"),
        ("a.css", "a{content:'/* rehref: ignore */';background:url(1)}".to_owned(), "1"),
        ("a.css", "a{background:url(1/*rehref:ignore*/2)}".to_owned(), "1/*rehref:ignore*/2"),
    ] {
        assert_eq!(broken(name, &text), expected, "{text}");
    }
}

#[test]
fn comments_count_in_blocks_styles_scripts_and_after_a_byte_order_mark() {
    let ignore = "<!-- rehref: ignore -->";
    for (name, text) in [
        ("a.html", format!("\u{feff}{ignore}\n<a href=1></a>")),
        ("a.md", format!("\u{feff}{ignore}\n[x](1)")),
        ("a.css", "\u{feff}/* rehref: ignore */\na{b:url(1)}".to_owned()),
        ("a.md", format!("> {ignore}\n> [x](1)")),
        ("a.md", format!("1. {ignore}\n   [x](1)\n   - > {ignore}\n     > [y](2)")),
        ("a.md", format!("| a | b |\n|-|-|\n| [x](1) | {ignore} |")),
        ("a.md", format!("# [x](1) {ignore}")),
        (
            "a.md",
            "a\n\n[//]: # (rehref: ignore)\n[x](1)\n\n[//]: # \"rehref: ignore\"\n[x](2)"
                .to_owned(),
        ),
        ("a.md", format!("<div>\n{ignore}\n<a href=1></a></div>")),
        ("a.mdx", "[x](1) {/* rehref: ignore */}\n\n{/* rehref: ignore */}\n[y](2)".to_owned()),
        ("a.md", "[x](1) {/* rehref: ignore */}".to_owned()),
        ("a.html", "<style>\n/* rehref: ignore */\na{b:url(1)} c{d:url(2)}\n</style>".to_owned()),
        ("a.html", "<script>// rehref: ignore</script><a href=1></a>".to_owned()),
        ("a.svg", format!("<svg xmlns='http://www.w3.org/2000/svg'><a href='1'/>{ignore}</svg>")),
    ] {
        assert_eq!(broken(name, &text), "", "{text}");
    }
}

#[test]
fn front_matter_and_files_without_an_extension_have_comments() {
    let text = "cover: http://o.example/1 # rehref: ignore\nimage: http://o.example/2\n";
    let new = text.replace("o.example/2", "n.example/2");
    let all = text.replace("o.example", "n.example");
    let framed = |text: &str| format!("---\n{text}---\n");
    for (name, text, expected) in [
        ("a.md", &*framed(text), &*framed(&new)),
        ("Dockerfile", text, &*new),
        (".bashrc", text, &*new),
        ("README", text, &*all),
        ("LICENSE-MIT", text, &*all),
        ("a.csv", text, &*all),
        ("a.json", text, &*all),
    ] {
        let tree = Tree::new(&[(name, text)]);
        tree.ends(0, format!("rewrite -w --also front-matter --map o.example=n.example {name}"));
        assert_eq!(tree.read(name), expected, "{name}");
    }
}

#[test]
fn comments_of_a_notebook_exempt_lines_of_its_cells() {
    let cell =
        |kind: &str, source: &str| format!("{{\"cell_type\":\"{kind}\",\"source\":{source}}}");
    let cells = [
        cell("markdown", "[\"[a](1) <!-- rehref: ignore -->\\n\",\"[b](2)\"]"),
        cell("markdown", "\"<!-- rehref: ignore -->\\n[c](3)\\n[d](4)\""),
        cell("code", "\"# rehref: ignore\""),
        cell("markdown", "\"[e](5)\""),
    ];
    let notebook = format!("{{\"nbformat\":4,\"cells\":[{}]}}", cells.join(","));
    assert_eq!(broken("a.ipynb", &notebook), "2 4 5");
}

#[test]
fn many_comments_take_linear_time() {
    // On one line, without ends, after many blanks, and each alone: quadratic time would take
    // minutes.
    let count = 200_000;
    let blanks = " ".repeat(count);
    for (name, blanks, comment) in [
        ("a.html", "", "<!-- rehref: ignore --> "),
        ("a.html", "", "<!-- rehref: ignore "),
        ("a.html", "", "<!-- rehref: ignore -->\n"),
        ("a.html", &*blanks, "<!-- rehref: ignore -->"),
        ("a.py", "", "# rehref: ignore "),
    ] {
        let text =
            blanks.to_owned() + &comment.repeat(count) + "\n<a href=http://a.example/b>n</a>";
        let tree = Tree::new(&[(name, &text)]);
        let code = tree.run(format!("rewrite --map a.example=b.example {name}")).code;
        assert_eq!(code, 0, "{comment}");
    }
}
