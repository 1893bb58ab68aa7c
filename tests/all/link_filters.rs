//! The filter of links, in every command that reads documents.

use crate::support::tree::{Has, Tree};

const PAGE: &str = "<a href=http://h.example/x rel='nofollow UGC'>a</a>\n<a href=b.html rel=me>b</a>\n\
                    <a href=https://o.example/d/y>c</a>\n<a href=mailto:x@y.example>m</a>\n\
                    <img src=//h.example/d/i.png>\n<a href=/root.html#a>r</a>\n";

fn tree() -> Tree {
    Tree::new(&[
        ("s/a.html", PAGE),
        ("s/b.html", ""),
        (
            "feed.xml",
            "<feed xmlns='http://www.w3.org/2005/Atom'><link rel='self' href='http://h.example/f'/><link href='http://h.example/g'/></feed>",
        ),
    ])
}

#[test]
fn links_are_filtered_by_each_property_and_without_it() {
    let tree = tree();
    let all = "http://h.example/x\nb.html\nhttps://o.example/d/y\nmailto:x@y.example\n//h.example/d/i.png\n/root.html#a\n";
    assert_eq!(tree.prints("extract s"), all);
    for (option, taken) in [
        ("--rel nofollow", "http://h.example/x\n"),
        ("--rel ugc,me", "http://h.example/x\nb.html\n"),
        ("--rel ugc --exclude-rel nofollow", ""),
        ("--internal", "b.html\n/root.html#a\n"),
        ("--external", "http://h.example/x\nhttps://o.example/d/y\n//h.example/d/i.png\n"),
        ("--scheme mailto", "mailto:x@y.example\n"),
        (
            "--exclude-scheme mailto,https",
            "http://h.example/x\nb.html\n//h.example/d/i.png\n/root.html#a\n",
        ),
        ("--role embed", "//h.example/d/i.png\n"),
        ("--match x$ --match ^/", "http://h.example/x\n//h.example/d/i.png\n/root.html#a\n"),
        ("--exclude-match html --exclude-link example", ""),
        ("--host H.EXAMPLE --exclude-role embed", "http://h.example/x\n"),
        ("--place css", ""),
    ] {
        assert_eq!(tree.prints(format!("extract s {option}")), taken, "{option}");
    }
    let excluded =
        tree.prints("extract s --exclude-rel nofollow --exclude-role embed --exclude-place text");
    assert_eq!(excluded, "b.html\nhttps://o.example/d/y\nmailto:x@y.example\n/root.html#a\n");
    assert_eq!(tree.prints("extract feed.xml --rel self"), "http://h.example/f\n");
    tree.ends(2, "extract s --internal --external");
}

#[test]
fn words_of_rel_that_no_link_has_are_refused() {
    for rel in ["no*", "a b", ""] {
        tree().ends(2, ["extract", "--rel", rel, "s"]).has("a value is one word, such as nofollow");
    }
}

#[test]
fn the_site_of_internal_links_is_the_base() {
    let tree = tree();
    let internal = |base: &str| tree.prints(format!("extract s --raw --internal --base {base}"));
    assert_eq!(
        internal("http://h.example/=s"),
        "http://h.example/x\nb.html\n//h.example/d/i.png\n/root.html#a\n"
    );
    assert_eq!(internal("https://H.example/d/=s"), "b.html\n//h.example/d/i.png\n/root.html#a\n");
    assert_eq!(internal("http://h.example/d2/=s"), "b.html\n/root.html#a\n");
    let external = tree.prints("extract s --raw --external --base http://h.example/d/=s");
    assert_eq!(external, "http://h.example/x\nhttps://o.example/d/y\n");
}

#[test]
fn hosts_are_equal_in_each_spelling() {
    let links =
        ["b%C3%BC.example", "B\u{dc}.example", "xn--b-eha.example", "%62.example", "xn--a.example"]
            .map(|host| format!("<a href='http://{host}/'></a>\n"));
    let tree = Tree::new(&[("a.html", &*links.concat())]);
    for glob in ["b\u{fc}.example", "b%c3%BC.*", "BÜ.EXAMPLE", "XN--B-EHA.example"] {
        let found = tree.prints(format!("extract -c --host {glob} a.html"));
        assert_eq!(found, "3\n", "{glob}");
    }
    let others = tree.prints("extract --exclude-host b\u{fc}.example a.html");
    assert_eq!(others, "http://%62.example/\nhttp://xn--a.example/\n");
    assert_eq!(
        tree.prints("extract --count-by host a.html"),
        "3\txn--b-eha.example\n1\tb.example\n1\txn--a.example\n"
    );
}

#[test]
fn default_ports_and_backslashes_are_read_as_browsers_read_them() {
    let page = "<a href=http://h.example:80/d/a></a>\n<a href=https://h.example:443/d/b></a>\n<a href=http://h.example:443/d/c></a>\n\
                <a href=//H.example:80/d/d></a>\n<a href='\\\\o.example/e'></a>\n<a href='/\\o.example/f'></a>\n";
    let tree = Tree::new(&[("a.html", page)]);
    let external =
        |options: &str| tree.prints(format!("extract --raw --external {options} a.html"));
    assert_eq!(external("--base http://h.example/d/"), "http://h.example:443/d/c\n");
    assert_eq!(
        external("--base http://h.example/d/ --profile whatwg"),
        "http://h.example:443/d/c\n\\\\o.example/e\n/\\o.example/f\n"
    );
}

#[test]
fn rewrite_leaves_filtered_links_unchanged_with_the_reason() {
    let tree = tree();
    let map = "rewrite --map h.example=n.example s";
    let said = tree.ends(0, format!("{map} --exclude-rel nofollow"));
    said.has("1 link left out by the filter");
    let diff = tree.prints(format!("{map} --exclude-rel nofollow"));
    diff.has("+<img src=//n.example/d/i.png>");
    diff.lacks("+<a href=http://n.example/x");
    tree.ends(0, format!("{map} --rel nofollow --explain"))
        .has("s/a.html:5:10: unchanged: \"//h.example/d/i.png\" left out by the filter");
    let records = tree.prints(format!("{map} --json --role navigate"));
    assert_eq!(records.matches("\"type\":\"edit\"").count(), 1, "{records}");
    // A reference or a URL matches.
    let absolute = "rewrite --absolute --base http://b.example/=s s --match ^b.html$ --match ^http://b.example/root";
    let records = tree.prints(format!("{absolute} --json"));
    assert_eq!(records.matches("\"type\":\"edit\"").count(), 2, "{records}");
}

#[test]
fn check_and_move_take_only_links_that_pass() {
    let tree = tree();
    let said = tree.run("check s --exclude-match ^/");
    assert_eq!((said.code, said.out.as_str()), (0, ""), "{}", said.err);
    said.err.has("1 link excluded");
    tree.ends(0, "check s --rel me");
    tree.ends(1, "check s --exclude-rel me");
    tree.ends(0, "check s --external").has("check finds local links only");
    let moved = |option: &str| tree.prints(format!("move s/b.html s/c.html {option}"));
    moved("--rel me").has("+<a href=c.html rel=me>");
    moved("--exclude-rel me").lacks("+<a");
    moved("--scheme http").lacks("+<a");
}

#[test]
fn reports_have_the_links_that_pass() {
    let tree = tree();
    tree.ends(0, "report s -o r.html --external").has("wrote r.html: 3 links in 2 documents");
}
