//! Links counted by what they have in common.

use crate::support::tree::{Has, Tree};

const PAGE: &str = "<a href=http://H.example/x>1</a><a href=http://h.example/x#a>2</a>\
                    <a href=http://h.example/x#a>3</a><a href=b.html#c>4</a><a href=b.html>5</a>\
                    <a href=#top>6</a><a href=MAILTO:x@y.example>7</a><a href=//h.example/z?q>8</a>";

const MAIL: &str = "From: a@y.example\nMessage-ID: <1@y.example>\nMIME-Version: 1.0\n\
                    Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://h.example/x\n\
                    --b\n\nhttp://h.example/x http://h.example/w\n--b--\n";

fn tree() -> Tree {
    Tree::new(&[("s/a.html", PAGE), ("s/b.txt", "http://h.example/x"), ("one.eml", MAIL)])
}

#[test]
fn links_are_counted_by_each_property_most_frequent_first() {
    let tree = tree();
    for (arguments, counts) in [
        ("host s", "5\th.example\n4\t-\n"),
        (
            "url s",
            "2\thttp://h.example/x#a\n1\t#top\n1\t//h.example/z?q\n1\tMAILTO:x@y.example\n\
             1\tb.html\n1\tb.html#c\n1\thttp://H.example/x\n1\thttp://h.example/x\n",
        ),
        ("scheme s", "4\t-\n4\thttp\n1\tmailto\n"),
        ("doc s", "8\ts/a.html\n1\ts/b.txt\n"),
        (
            "target s",
            "3\thttp://h.example/x\n2\tb.html\n1\t-\n1\t//h.example/z?q\n1\tMAILTO:x@y.example\n\
             1\thttp://H.example/x\n",
        ),
        ("doc one.eml", "2\tone.eml!1!2\n1\tone.eml!1!1\n"),
        // Each URL once, in the document where it comes first.
        ("doc -u one.eml", "1\tone.eml!1!1\n1\tone.eml!1!2\n"),
        (
            "target -u s",
            "2\tb.html\n2\thttp://h.example/x\n1\t-\n1\t//h.example/z?q\n1\tMAILTO:x@y.example\n1\thttp://H.example/x\n",
        ),
        (
            "target --host h.example s/a.html",
            "2\thttp://h.example/x\n1\t//h.example/z?q\n1\thttp://H.example/x\n",
        ),
        (
            "target --base http://h.example/d/ s/a.html --match ^http://h",
            "2\thttp://h.example/d/b.html\n2\thttp://h.example/x\n1\thttp://h.example/d/\n1\thttp://h.example/z?q\n",
        ),
        (
            "target --raw --base http://h.example/ s/a.html --exclude-match :",
            "2\tb.html\n1\t-\n1\t//h.example/z?q\n",
        ),
        ("scheme --base https://h.example/ s/a.html", "4\thttps\n3\thttp\n1\tmailto\n"),
    ] {
        for threads in [1, 4] {
            let ran = tree.prints(format!("extract -j {threads} --count-by {arguments}"));
            assert_eq!(ran, counts, "{arguments}");
        }
    }
}

#[test]
fn counts_are_rows_and_records_too_and_end_with_nul() {
    let tree = tree();
    for (arguments, counts) in [
        ("scheme --format csv s/b.txt", "scheme,links\nhttp,1\n"),
        ("target --format csv --match ^# s", "target,links\n,1\n"),
        ("target --json --match top s", "{\"type\":\"count\",\"target\":null,\"links\":1}\n"),
        ("doc --json s/b.txt", "{\"type\":\"count\",\"doc\":\"s/b.txt\",\"links\":1}\n"),
        ("url --json s/b.txt", "{\"type\":\"count\",\"url\":\"http://h.example/x\",\"links\":1}\n"),
        ("scheme -0 s", "4\t-\u{0}4\thttp\u{0}1\tmailto\u{0}"),
        ("url -q s", ""),
    ] {
        let found = tree.prints(format!("extract --count-by {arguments}"));
        let found: String =
            found.split_inclusive('\n').filter(|it| !it.contains("summary")).collect();
        assert_eq!(found, counts, "{arguments}");
    }
}

#[test]
fn keys_with_tabs_are_escaped_in_lines() {
    let tree = Tree::new(&[("a\tb.html", "<a href='c&#9;d&#27;e'>x</a>")]);
    let counts = |arguments: &str| tree.prints(format!("extract --count-by {arguments} ."));
    assert_eq!(counts("doc"), "1\t\"./a\\tb.html\"\n");
    assert_eq!(counts("doc -0"), "1\t./a\tb.html\0");
    assert_eq!(counts("target --raw"), "1\tcd%1Be\n");
}

#[test]
fn other_properties_are_refused_with_those_that_are_counted() {
    let ran = tree().run("extract --count-by page s");
    ran.refused().has("use host, url, scheme, doc or target");
    for option in ["-c", "-H", "-n", "-b", "--context"] {
        tree().ends(2, format!("extract --count-by host {option} s")).has("--count-by");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf_8_are_counted_as_they_are() {
    use std::os::unix::ffi::OsStrExt;

    let tree = tree();
    let name = std::ffi::OsStr::from_bytes(b"s/\xe9\n.txt");
    std::fs::write(tree.path().join(name), "http://h.example/x").expect("a file");
    let ran = tree.run("extract --count-by doc -t text s");
    ran.out.has("1\t\"s/\u{fffd}\\n.txt\"");
    let ran = tree.run("extract --count-by doc --json -t text s");
    ran.out.has("{\"type\":\"count\",\"doc\":{\"bytes\":\"cy/pCi50eHQ=\"},\"links\":1}");
}
