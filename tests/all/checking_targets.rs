//! Broken links by their targets, and definitions that nothing uses.

use crate::support::tree::{Has, Tree};

fn tree() -> Tree {
    Tree::new(&[
        ("s/a.html", "<a href=gon.html>1</a><a href=d/none.png?x#y>2</a><h1 id=install>a</h1>"),
        ("s/gone.html", "<a href=a.html#instal>3</a><a href=../../up.html>4</a>"),
        ("s/d/b.html", "<a href=none.png>5</a><a href=../gon.html>6</a><img src=none.png>"),
    ])
}

#[test]
fn each_target_is_printed_once_with_its_number_of_places() {
    let tree = tree();
    let ran = tree.run("check --summary s");
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.out,
        "3\ts/d/none.png: missing\n2\ts/gon.html: missing (near: s/gone.html)\n\
         1\t../up.html: missing\n1\ts/a.html#instal: anchor (near: s/a.html#install)\n"
    );
    ran.err.has("checked 3 files, 7 local links: 7 broken");
    // The names of targets are in the form of the names of documents.
    for (arguments, target) in [
        ("s/a.html", "1\ts/gon.html: missing (near: s/gone.html)\n"),
        ("--root s s/d", "1\ts/gon.html: missing (near: s/gone.html)\n"),
        (
            "--base http://h.example/=s s",
            "2\thttp://h.example/gon.html: missing (near: http://h.example/gone.html)\n",
        ),
        ("--base http://h.example/=s s", "3\thttp://h.example/d/none.png: missing\n"),
        (
            "--base http://h.example/=s s",
            "1\thttp://h.example/a.html#instal: anchor (near: http://h.example/a.html#install)\n",
        ),
        ("-0 s", "\u{0}2\ts/gon.html: missing (near: s/gone.html)\u{0}"),
    ] {
        for threads in [1, 4] {
            tree.run(format!("check -j {threads} --summary {arguments}")).out.has(target);
        }
    }
    assert_eq!(tree.run("check -q --summary s").out, "");
}

#[test]
fn spellings_of_a_target_are_counted_together() {
    let tree = Tree::new(&[
        (
            "s/a.html",
            "<a href=gone.html>1</a><a href='gone.html?q=1'>2</a><a href=g%6Fne.html>3</a>\
             <a href='#a b'>4</a><a href='#a%20b'>5</a><a href=../up/>6</a><a href=t%09.html>7</a>",
        ),
        ("s/d/b.html", "<a href=../a.html#a%20b>8</a>"),
    ]);
    for (arguments, expected) in [
        (
            "s",
            "3\ts/a.html#a b: anchor\n3\ts/gone.html: missing\n1\ts/t%09.html: missing\n1\tup/: missing\n",
        ),
        (
            "--base http://h.example/=s s",
            "3\thttp://h.example/a.html#a%20b: anchor\n3\thttp://h.example/gone.html: missing\n\
             1\thttp://h.example/t%09.html: missing\n1\thttp://h.example/up/: missing\n",
        ),
    ] {
        assert_eq!(tree.run(format!("check --summary {arguments}")).out, expected);
    }
    tree.run("check --summary -0 s").out.has("\u{0}1\ts/t\t.html: missing\u{0}");
}

#[test]
fn targets_are_records_too() {
    let tree = tree();
    let ran = tree.run("check --summary --json s");
    let lines: Vec<_> = ran.out.lines().collect();
    assert_eq!(ran.code, 1);
    assert_eq!(
        lines[1],
        "{\"type\":\"target\",\"target\":\"s/gon.html\",\"why\":\"missing\",\"near\":\"s/gone.html\",\"links\":2}"
    );
    assert_eq!(lines.len(), 5);
    lines[4].has("\"broken\":7");
    for format in ["github", "junit", "sarif"] {
        let ran = tree.run(format!("check --summary --format {format} s"));
        ran.refused().has("use --format text or jsonl");
    }
}

#[test]
fn summaries_leave_out_what_a_baseline_accepts() {
    let tree = tree();
    let ran = tree.run("check --summary --write-baseline accepted.txt s/d");
    assert_eq!((ran.code, ran.out.lines().count()), (0, 2));
    let ran = tree.run("check --summary --baseline accepted.txt s");
    assert_eq!(ran.out.lines().count(), 4, "{}", ran.out);
    ran.out.has("1\ts/d/none.png: missing\n");
    ran.err.has("3 accepted by the baseline");
}

#[test]
fn definitions_that_nothing_uses_are_counted_apart() {
    let used = "[a]: gone-a.md\n[b]: gone-b.md\n";
    for (text, broken) in [
        ("[a] ![x][b]", 2),
        ("[a]\n\n[a]: gone-again.md", 1),
        // The text of an admonition of MkDocs is code for CommonMark.
        ("!!! note\n\n    See [B ] there.", 1),
        ("none", 0),
        ("[A](a.md) ![b](a.md)", 0),
    ] {
        let tree = Tree::new(&[("a.md", &*format!("{text}\n\n{used}"))]);
        let ran = tree.run("check .");
        assert_eq!(ran.out.lines().count(), broken, "{text}: {}", ran.out);
        assert_eq!(ran.code, i32::from(broken > 0), "{text}");
        let unused = 2 - broken + usize::from(text.contains("again"));
        match unused {
            0 => assert!(!ran.err.contains("unused"), "{}", ran.err),
            1 => _ = ran.err.has("; 1 unused link definition without a target"),
            _ => _ = ran.err.has("; 2 unused link definitions without a target"),
        }
    }
    let tree = Tree::new(&[("a.md", "[a]: b.md\n"), ("b.md", "# B\n")]);
    assert!(!tree.run("check .").err.contains("unused"));
    let tree = Tree::new(&[("a.md", "[a]: none.md\n")]);
    tree.run("check --json .").out.has("\"broken\":0").has("\"unused\":1");
}
