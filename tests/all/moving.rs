//! `rehref move`: the resulting trees, messages, and refusals.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use crate::support::tree::{Has, SITE, Tree};

#[test]
fn moved_option_rewrites_like_a_move() {
    for (old, new) in [("a", "b/c"), ("a/x.html", "x.html"), ("p 1.png", "i/p.png")] {
        let (one, two) = (Tree::new(&SITE), Tree::new(&SITE));
        one.ends(0, ["move", "-w", old, new]);
        two.make(Path::new(new).parent().expect("a directory"));
        two.rename(old, new);
        two.ends(0, ["move", "-w", "--moved", &format!("{old}={new}")]);
        assert_eq!(one.files(), two.files());
        one.ends(0, "check");
    }
    let tree = Tree::new(&SITE);
    tree.ends(2, "move --moved index.html=none.html").has("NEW does not exist");
    tree.ends(2, "move --moved index.html=a/x.html").has("index.html: still exists");
}

#[test]
fn references_that_begin_with_dot_segments_keep_their_targets() {
    let tree = Tree::new(&[
        ("d.html", "D"),
        ("d/x.html", "<a href='././../d.html'></a><a href='./././y.html'></a>"),
        ("d/y.html", "Y"),
    ]);
    tree.run("move -w --root . d/x.html x.html").ends(0);
    assert_eq!(tree.files()["x.html"], "<a href='./d.html'></a><a href='./d/y.html'></a>");
}

#[test]
fn names_can_be_exchanged_and_change_case() {
    let tree = Tree::new(&SITE);
    let old = tree.files();
    tree.write("list.csv", "a/x.html,a/y.html\na/y.html,a/x.html\nindex.html,Index.html\n");
    tree.ends(0, "move -w --from-list list.csv");
    tree.remove("list.csv");
    let new = tree.files();
    assert_eq!(new["a/x.html"], "<p id=f><a href=y.html>x</a>");
    assert_eq!(new["Index.html"], "<a href=a/y.html>x</a><a href=a/>a</a><img src='p 1.png'>");
    assert!(new["a/y.html"].contains("../Index.html>up</a><a href=x.html#f>"));
    tree.ends(0, "move --undo");
    assert_eq!(tree.files(), old);
    assert!(!tree.has(".rehref"));
}

#[cfg(unix)]
#[test]
fn names_not_in_utf_8_can_move() {
    use std::os::unix::ffi::OsStrExt;

    let name = OsStr::from_bytes;
    let site = || {
        let tree = Tree::new(&[("index.html", "<a href='%FF=1.html'>1</a><a href=b.html>b</a>")]);
        tree.write(name(b"\xFF=1.html"), "");
        tree.write("b.html", "");
        tree
    };
    let index = |tree: &Tree| tree.read("index.html");
    let expected = "<a href='%FE=2.html'>1</a><a href=%E9.html>b</a>";

    // As arguments, in a list, on standard input, and with `--moved`.
    let tree = site();
    let old = [name(b"move"), name(b"-w"), name(b"\xFF=1.html"), name(b"\xFE=2.html")];
    tree.ends(0, old);
    tree.ends(0, [name(b"move"), name(b"-w"), name(b"b.html"), name(b"\xE9.html")]);
    assert_eq!(index(&tree), expected);

    let rows = b"\xFF=1.html,\xFE=2.html\nb.html,\xE9.html\n";
    let tree = site();
    tree.write("list.csv", rows);
    tree.ends(0, "move -w --from-list list.csv");
    assert_eq!(index(&tree), expected);

    let tree = site();
    tree.run_reading("move -w --from-list -", rows).ends(0);
    assert_eq!(index(&tree), expected);

    let tree = site();
    for (old, new) in [(&b"\xFF=1.html"[..], &b"\xFE=2.html"[..]), (b"b.html", b"\xE9.html")] {
        tree.rename(name(old), name(new));
        let entry = [old, b"=", new].concat();
        tree.ends(0, [name(b"move"), name(b"-w"), name(b"--moved"), name(&entry)]);
    }
    assert_eq!(index(&tree), expected);
}

#[test]
fn list_errors_have_their_line() {
    let tree = Tree::new(&SITE);
    for (rows, message) in [
        ("a,b\r\n\r\n# c\nnone,x\n", "list.csv:4:1: none: no such file or directory"),
        (
            "old,new\na/x.html,index.html\n",
            "list.csv:2:1: a/x.html: cannot be moved to index.html, ",
        ),
        (
            "a,b\na/x.html,c\n",
            "list.csv:2:1: a/x.html: it, or a directory that contains it, is moved twice",
        ),
        ("a,b\n\"p 1.png\",c\na,b\n", "list.csv:3:1: a: it, or a directory"),
        ("a,b\na/x.html,\"c\nindex.html,d\n", "list.csv:2:1: a quote is not closed"),
        ("a,a/b\n", "list.csv:1:1: a: cannot be moved into itself"),
        ("a,b\na/x.html,../c\n", "list.csv:2:1: ../c: not in the tree "),
    ] {
        tree.write("list.csv", rows);
        let said = tree.ends(2, "move --from-list list.csv");
        assert!(said.starts_with(&format!("rehref: {message}")), "{said}");
    }
    let output = tree.run_reading("move --from-list -", b"none,x").ends(2);
    let said = &output.err;
    assert!(said.starts_with("rehref: -:1:1: none: "), "{said}");
}

#[test]
fn undo_moves_nothing_if_a_rewritten_file_was_changed() {
    let tree = Tree::new(&SITE);
    let old = tree.files();
    tree.ends(0, "move -w a d/b");
    let left = tree.read("d/b/x.html");
    tree.write("d/b/x.html", "<a href=../../index.html>mine</a>");
    let changed = tree.files();
    for _ in 0..2 {
        tree.ends(2, "move --undo")
            .has("nothing was undone: d/b/x.html changed since the run, and");
        assert_eq!(tree.files(), changed);
    }
    // Files that were not rewritten may change.
    tree.write("d/b/x.html", left);
    tree.write("d/b/y.html", "mine");
    tree.ends(0, "move --undo").has(", 1 moved, 1 new directory\n");
    let mut back = old.clone();
    back.insert("a/y.html".to_owned(), "mine".to_owned());
    assert_eq!(tree.files(), back);
    assert!(!tree.has(".rehref"));
}

#[test]
fn undo_recreates_removed_directories() {
    let tree = Tree::new(&[("a/b/x", "x"), ("a/y", "y"), ("c/z", "z"), ("d/e/w", "w")]);
    let old = tree.files();
    tree.write("list.csv", "a/b/x,n/x\na/y,n/y\nc,n/c\nd/e/w,m/w\n");
    tree.ends(0, "move -w --from-list list.csv");
    tree.remove("list.csv");
    // Directories that the run removed were created again; those that it created were removed with
    // their contents.
    tree.make("c");
    tree.remove("m");
    let said = tree.ends(2, "move --undo");
    said.has("m/w: no longer exists");
    let done = "undone: 0 links in 0 files, 3 moved, 2 new directories, 4 removed directories; 1 file left unchanged\n";
    said.has(done);
    let mut back = old;
    back.remove("d/e/w");
    assert_eq!(tree.files(), back);
}

#[test]
fn messages_name_files_below_the_root_as_given() {
    let tree = Tree::new(&[("s/a/x.html", "<a href=../y>y</a>"), ("s/y", ""), ("s/z/w", "")]);
    let real = tree.at("s").display().to_string();
    for root in ["s", "./s", ".", "../", &real] {
        let here = match root {
            "." => "s",
            "../" => "s/z",
            _ => "",
        };
        let run = |code: i32, line: String| tree.run_in(here, line).ends(code).err;
        let below = |path: &str| Path::new(root).join(path).display().to_string();
        let line = |path: &str, what: &str| format!("rehref: {}: {what}", below(path));
        let none = format!("rehref: {root}: there is no run to undo");
        run(2, format!("move --undo --root {root}")).has(&none);
        run(2, format!("rewrite --undo {root}")).has(&none);
        let old = tree.read("s/a/x.html");
        for path in [below(""), below("a/x.html")] {
            let root = if path == below("") { String::new() } else { format!("--root {root}") };
            run(0, format!("rewrite -w --absolute --base http://h/ {path} {root}"));
            tree.write("s/a/x.html", "mine");
            let undo = format!("rewrite --undo {path} {root}");
            run(2, undo.clone()).has(line("a/x.html", "changed since the run"));
            tree.write("s/a/x.html", &old);
            run(0, undo);
        }
        run(0, format!("move -w --root {root} {} {}", below("a"), below("b/c")));
        tree.remove("s/b");
        let said = run(2, format!("move --undo --root {root}"));
        let name = if root == "." { "b/c".to_owned() } else { below("b/c") };
        said.has(format!("rehref: {name}: no longer exists"));
        tree.remove("s/.rehref");
        tree.write("s/a/x.html", &old);
    }
}

#[cfg(unix)]
#[test]
fn diff_shows_moves_of_symlinks_and_empty_directories() {
    let site = || {
        let tree = Tree::new(&[("a/x.html", "")]);
        tree.make("a/none");
        for (to, link) in [("x.html", "a/l.html"), ("/", "a/out"), ("nowhere", "a/lost")] {
            tree.symlink(to, link);
        }
        tree
    };
    let tree = site();
    let output = tree.run("move --json a b");
    let names = ["l.html", "lost", "none", "out", "x.html"];
    let records = names.map(|name| {
        format!("{{\"type\":\"move\",\"old\":\"a/{name}\",\"new\":\"b/{name}\",\"done\":false}}\n")
    });
    assert_eq!(output.out, records.concat());

    let output = tree.run("move a b").ends(0);
    output.err.has("a/none: moves to b/none; the diff cannot show an empty directory\n");
    let diff = output.out;
    let links = names.into_iter().filter(|it| *it != "none").map(|name| {
        format!("diff --git a/a/{name} b/b/{name}\nsimilarity index 100%\nrename from a/{name}\nrename to b/{name}\n")
    });
    assert_eq!(diff, links.collect::<String>());
}

#[test]
fn unwritable_references_prevent_the_move() {
    let tree = Tree::new(&SITE);
    let index = tree.at("index.html");
    let mut permissions = fs::metadata(&index).expect("there").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&index, permissions).expect("set");
    let old = tree.files();
    let said = tree.ends(2, "move -w a b");
    assert!(said.contains("read-only") && said.contains("nothing was moved"), "{said}");
    assert_eq!(tree.files(), old);
    assert!(!tree.has(".rehref"));
    // A file without edits in the read-only file moves.
    tree.ends(0, "move -w a/y.html a/z.html");
}

#[test]
fn impossible_moves_are_refused_before_writing() {
    let tree = Tree::new(&SITE);
    let old = tree.files();
    tree.ends(2, ["move", "-w", "a/x.html", &format!("{}.html", "x".repeat(300))])
        .has("cannot write: ");
    assert_eq!(tree.files(), old);
    assert!(!tree.has(".rehref"));
}

#[test]
fn links_that_would_break_are_reported() {
    let tree = Tree::new(&[("a/b/x.html", "<a href=../>up</a>"), ("c", "")]);
    tree.ends(1, "move --check a/b d")
        .has("a/b/x.html:1:9: \"../\" loses its target")
        .has("1 link would break");
}

#[test]
fn unwritable_links_with_changed_targets_are_reported() {
    let tree = Tree::new(&[
        ("index.html", "<img srcset='a.png 1x'>"),
        ("a.png", "A"),
        ("b.png", "B"),
        ("list.csv", "a.png,\",z,\"\nb.png,a.png\n"),
    ]);
    tree.ends(0, "move --from-list list.csv").has("\"a.png\" loses its target");
}

#[test]
fn compressed_documents_with_links_are_reported() {
    let tree = Tree::new(&[("a/x.html", ""), ("b", "")]);
    // `<a href=../a/x.html>` in one stored block.
    let text = b"<a href=../a/x.html>";
    let mut bytes = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1];
    let len = u16::try_from(text.len()).expect("short");
    bytes.extend(len.to_le_bytes());
    bytes.extend((!len).to_le_bytes());
    bytes.extend(text);
    let crc = text.iter().fold(!0_u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ if crc & 1 == 1 { 0xEDB8_8320 } else { 0 }
        })
    });
    bytes.extend((!crc).to_le_bytes());
    bytes.extend(u32::from(len).to_le_bytes());
    tree.make("d");
    tree.write("d/p.html.gz", bytes);
    tree.ends(0, "check");
    tree.ends(0, "move a c")
        .has("p.html.gz: compressed file not rewritten; links that break: 1\n")
        .has("1 link would break");
}

#[test]
fn binary_documents_with_links_are_reported() {
    let tree = Tree::new(&[
        ("a/x.html", ""),
        ("p.md", "[a](a/x.html)\0"),
        ("q.bin", "words <a href=a/x.html>\0"),
    ]);
    tree.ends(0, "move a c")
        .has("p.md: binary file not rewritten; links that break: 1\n")
        .lacks("q.bin");
}

#[test]
fn placeholder_url_of_a_tree_is_never_written() {
    let tree = Tree::new(&[("index.html", "<a href=http:a.html>"), ("a.html", "")]);
    let arguments = ["move", "-w", "--profile", "whatwg", "a.html", "b.html"];
    tree.ends(0, arguments).has("; 1 link broken");
    assert_eq!(tree.files()["index.html"], "<a href=http:a.html>");
    let output = tree.run("move --json index.html c/index.html");
    assert!(!output.out.contains("invalid"));
}

#[test]
fn references_above_the_root_are_local_only_with_a_url() {
    let files = [("index.html", "<a href=../docs/x.html>x</a>"), ("docs/x.html", "")];
    let tree = Tree::new(&files);
    tree.ends(0, "move -w docs manual").lacks("broken");
    assert_eq!(tree.files()["index.html"], files[0].1);
    let tree = Tree::new(&files);
    tree.ends(0, "move -w --base http://h/=. docs manual");
    assert_eq!(tree.files()["index.html"], "<a href=../manual/x.html>x</a>");
}

#[test]
fn encoded_slashes_are_not_lost() {
    let files = [
        (
            "index.html",
            "<base href=docs/><a href=a%2Fb.html>x</a><img srcset='proxy/http%3A%2F%2Fe.example%2Fx.png 1x'>",
        ),
        ("docs/x.html", "<a href=a%2Fb.html#f>x</a><a href=img//%00>y</a>"),
        ("docs/s.css", "a{b:url(a%2Fb.png)} c{d:url(img/a\\ b.png)}"),
        ("docs/img/a b.png", ""),
    ];
    let tree = Tree::new(&files);
    let old = tree.files();
    tree.ends(0, "move -w docs manual");
    let new = tree.files();
    assert_eq!(new["index.html"], files[0].1.replace("docs", "manual"));
    assert_eq!(new["manual/x.html"], files[1].1);
    assert_eq!(new["manual/s.css"], files[2].1);
    tree.ends(0, "move -w manual docs");
    assert_eq!(tree.files(), old);
    tree.ends(0, "move -w docs/s.css s.css");
    assert_eq!(tree.files()["s.css"], "a{b:url(docs/a%2Fb.png)} c{d:url(docs/img/a\\ b.png)}");
    tree.ends(0, "move -w s.css docs/s.css");
    assert_eq!(tree.files(), old);
}

#[test]
fn files_above_the_root_do_not_move() {
    let tree = Tree::new(&[
        ("docs/a/x.html", "<a href=../../src/y>y</a>"),
        ("docs/src/y", ""),
        ("src/y", ""),
    ]);
    tree.ends(0, "move -w --root docs docs/src/y docs/src/z");
    assert_eq!(tree.files()["docs/a/x.html"], "<a href=../../src/y>y</a>");
    tree.ends(0, "move -w --root docs docs/a/x.html docs/b/c/x.html");
    assert_eq!(tree.files()["docs/b/c/x.html"], "<a href=../../../src/y>y</a>");
    tree.ends(0, "check");
}

#[test]
fn diff_names_files_relative_to_the_current_directory() {
    let tree = Tree::new(&[("s/a.html", ""), ("s/_redirects", "/1 /2\n")]);
    let arguments = ["move", "--root", "s", "--redirects", "netlify", "s/a.html", "s/b.html"];
    let output = tree.run(arguments);
    assert_eq!(
        output.out,
        "diff --git a/s/_redirects b/s/_redirects\n--- a/s/_redirects\n+++ b/s/_redirects\n\
         @@ -1 +1,2 @@\n /1 /2\n+/a.html /b.html 301!\n\
         diff --git a/s/a.html b/s/b.html\nsimilarity index 100%\nrename from s/a.html\nrename to s/b.html\n",
        "{}",
        output.err
    );
}

/// Programs compile them, and their strings are no links.
#[test]
fn components_that_name_moved_files_are_reported() {
    let tree = Tree::new(&[
        ("docs/.vitepress/config/index.ts", "export default {}\n"),
        (
            "docs/.vitepress/config/en.ts",
            "export default { sidebar: [{ link: '/guide/a.html' }] }\n",
        ),
        (
            "docs/.vitepress/theme/Aside.vue",
            "<script setup>const image = { src: '/logo.svg' }</script>\n<template><img src=\"/mark.svg\"></template>\n",
        ),
        ("docs/guide/a.md", "# A\n"),
        ("docs/public/logo.svg", "<svg/>"),
        ("docs/public/mark.svg", "<svg/>"),
        ("other/Aside.vue", "<script>x('/logo.svg')</script>\n"),
    ]);
    let said =
        tree.ends(0, "move -w docs/public/logo.svg docs/public/mark.svg docs/guide docs/new/");
    let named: Vec<&str> = said.lines().filter(|it| it.contains("names")).collect();
    assert_eq!(
        named,
        [
            "rehref: docs/.vitepress/theme/Aside.vue:1:37: names docs/public/logo.svg, which moves; not updated"
        ],
        "{said}"
    );
}

/// Those under the usual names follow. The id in front matter stays the same if a document is only
/// renamed.
#[test]
fn other_sidebars_of_docusaurus_that_name_documents_by_their_ids_are_reported() {
    let tree = Tree::new(&[
        ("docusaurus.config.js", "export default { presets: [['classic', { docs: {} }]] }\n"),
        ("sidebarsOfGuide.js", "export default { a: ['part/first', 'part/own', 'part/second'] }\n"),
        ("versions.json", "[\"1\"]\n"),
        (
            "versioned_sidebars/version-1-sidebars.json",
            "{ \"a\": [\"part/second\", \"part/old\"] }\n",
        ),
        ("docs/01-part/1_first.md", "# F\n"),
        ("docs/01-part/Renamed.md", "---\nid: own\n---\n# R\n"),
        ("docs/01-part/second.md", "# S\n"),
        ("versioned_docs/version-1/part/second.md", "# S\n"),
        ("versioned_docs/version-1/part/old.md", "# O\n"),
    ]);
    let named = |moves: &[&str]| {
        let said = tree.ends(0, &[&["move"], moves].concat());
        let named = said.lines().filter_map(|it| it.split_once("names ").map(|it| it.1.to_owned()));
        named.collect::<Vec<_>>()
    };
    let first = "docs/01-part/1_first.md";
    assert_eq!(named(&[first, "docs/begin.md"]), [format!("{first}, which moves; not updated")]);
    assert_eq!(named(&["docs/01-part/Renamed.md", "docs/01-part/own.md"]), [""; 0]);
    assert_eq!(named(&["docs/01-part/Renamed.md", "docs/own.md"]).len(), 1);
    let old = "versioned_docs/version-1/part/second.md";
    assert_eq!(named(&[old, "versioned_docs/version-1/"]), [""; 0]);
}

#[test]
fn configurations_that_name_moved_files_are_reported_once() {
    let tree = Tree::new(&[
        (
            "mkdocs.yml",
            "site_name: x\ntheme:\n  logo: &logo img/a.svg\nextra:\n  logo: &copy img/a.svg\n  icon: !!str img/a.svg\n  css: [img/b.css]\nnav:\n  - A: a.md\n",
        ),
        ("sidebars.json", "{\"docs\":[\"docs/a\"]}\n"),
        ("package.json", "{\"name\":\"a\",\"description\":\"The docs/a.md file\"}\n"),
        ("docs/a.md", "# A\n"),
        ("docs/img/a.svg", "<svg/>"),
        ("docs/img/b.css", "a{}"),
    ]);
    for write in [&[][..], &["-w"]] {
        let said =
            tree.ends(0, &[&["move"], write, &["docs/a.md", "docs/img/", "docs/new/"]].concat());
        let named: Vec<&str> = said.lines().filter(|it| it.contains("names")).collect();
        assert_eq!(
            named,
            [
                "rehref: mkdocs.yml:5:15: names docs/img/a.svg, which moves, and 1 other moving file; not updated",
                "rehref: sidebars.json:1:11: names docs/a.md, which moves; not updated",
            ],
            "{said}"
        );
    }
    assert!(tree.files()["mkdocs.yml"].contains("- A: new/a.md"));
    assert!(tree.files()["mkdocs.yml"].contains("  logo: &logo new/img/a.svg"));
}
