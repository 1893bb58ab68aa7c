//! Moves that were made before the run: `rehref move --moved`, and renames that git or another
//! program found.

use std::fs;

use proptest::prelude::*;
use rehref::jobs::{
    EditEvent, MoveOutcome, MoveRequest, NotFollowed, OldContent, Relocate, Rename, Renames,
};

use crate::support::linked_tree::linked_trees;
use crate::support::tree::{Files, Has, Tree};
use crate::tier;

/// Renames with the old content of each file, or an unknown one.
fn renames(tree: &Tree, pairs: &[(&str, &str)], content: &OldContent) -> Renames {
    let mut renames = Renames::default();
    for (old, new) in pairs {
        let mut rename = Rename::new(tree.at(old), tree.at(new));
        rename.content = content.clone();
        renames.files.push(rename);
    }
    renames
}

/// Follows renames and writes. Returns those that are not followed, with the reasons.
fn follow(tree: &Tree, renames: Renames) -> Vec<(String, NotFollowed)> {
    let mut relocate = Relocate::new(tree.path());
    relocate.requests.push(MoveRequest::Renames(renames));
    let mut problems = Vec::new();
    relocate.outcome = MoveOutcome::Apply;
    relocate
        .for_each(|event| {
            if let EditEvent::NotFollowed { old, reason, .. } = event {
                let old = old.strip_prefix(tree.path()).expect("below");
                problems.push((old.display().to_string(), reason));
            }
        })
        .expect("written");
    problems
}

#[test]
fn a_link_that_works_at_the_new_path_stays() {
    let page = concat!(
        // Updated by hand; not updated; working at both paths; broken at both; above the root.
        "<a href=../one.html>1</a>\n",
        "<a href=two.html>2</a>\n",
        "<a href=both.html>3</a>\n",
        "<a href=none.html>4</a>\n",
        "<a href='#f'>5</a><a href='?q'>6</a>\n",
    );
    let files = [
        ("one.html", ""),
        ("two.html", ""),
        ("both.html", ""),
        ("d/both.html", ""),
        ("d/page.html", page),
    ];
    let tree = Tree::new(&files);
    let said = tree.ends(0, "move -w --moved page.html=d/page.html");
    let expected = page.replace("=two.html", "=../two.html");
    assert_eq!(tree.files()["d/page.html"], expected);
    said.has("unchanged: 1 link worked at the old and at the new path of the file");
    let said = tree.ends(0, "move --explain --moved page.html=d/page.html");
    said.has("d/page.html:3:9: unchanged: \"both.html\" worked at the old and at the new path");
    said.has("1 rename: nothing to change in");
    said.lacks("loses its target");
}

#[test]
fn links_of_markdown_follow_or_stay() {
    let page = concat!(
        "# Start\n\n[a](a.md#h) ![p](<img/p q.png> \"t\") [b] `[a](a.md)` <img src=img/l.png>\n\n",
        "[b]: ../b.md\n[c]: c.md\n",
    );
    let files = [
        ("guide/start.md", page),
        ("a.md", "[s](start.md) [g](guide/start.md)\n"),
        ("b.md", ""),
        ("c.md", ""),
        ("img/p q.png", ""),
        ("img/l.png", ""),
    ];
    let tree = Tree::new(&files);
    let moved = ["move", "--moved", "start.md=guide/start.md"];
    let output = tree.run(&[&moved[..], &["--check"]].concat()).ends(1);
    let expected = concat!(
        "a.md:1:5: start.md: moved to guide/start.md\n",
        "guide/start.md:3:5: a.md#h: moved to ../a.md#h\n",
        "guide/start.md:3:19: img/p q.png: moved to ../img/p q.png\n",
        "guide/start.md:3:62: img/l.png: moved to ../img/l.png\n",
        "guide/start.md:6:6: c.md: moved to ../c.md\n",
    );
    assert_eq!(output.out, expected);
    tree.ends(0, &[&moved[..], &["-w"]].concat());
    tree.ends(0, &[&moved[..], &["--check"]].concat());
    assert_eq!(
        tree.files()["guide/start.md"],
        page.replace("(a.md#h", "(../a.md#h")
            .replace("<img/", "<../img/")
            .replace("=img/", "=../img/")
            .replace(": c.md", ": ../c.md")
    );
}

#[test]
fn links_above_the_root_stay_if_they_work_at_the_new_path() {
    let up = "<a href=../out.html></a><a href=../../out.html></a>";
    let tree = Tree::new(&[("out.html", ""), ("s/d/page.html", up), ("s/i.html", "")]);
    tree.ends(0, "move -w --root s --moved s/page.html=s/d/page.html");
    assert_eq!(
        tree.files()["s/d/page.html"],
        "<a href=../../out.html></a><a href=../../out.html></a>"
    );
}

#[test]
fn an_updated_base_element_moves_all_links_of_its_page() {
    let page = "<base href=../a/><a href=y.html></a>";
    let files = [("d/page.html", page), ("a/y.html", ""), ("a/a/y.html", "")];
    let tree = Tree::new(&files);
    tree.ends(0, "move -w --moved page.html=d/page.html");
    assert_eq!(tree.files()["d/page.html"], page);
    let page = "<base href=a/><a href=y.html></a>";
    let tree = Tree::new(&[("d/page.html", page), ("a/y.html", "")]);
    tree.ends(0, "move -w --moved page.html=d/page.html");
    assert_eq!(tree.files()["d/page.html"], "<base href=../a/><a href=y.html></a>");
}

#[test]
fn the_old_content_shows_which_links_were_updated() {
    let old = "<a href=both.html>1</a><a href=both.html>2</a><a href=none.html>3</a>";
    let new = "<a href=both.html>1</a><a href=./both.html>2</a><a href=none.html>3</a>";
    let files = [("both.html", ""), ("d/both.html", ""), ("d/page.html", new)];
    for (content, expected) in [
        (
            OldContent::Same,
            "<a href=../both.html>1</a><a href=./../both.html>2</a><a href=../none.html>3</a>",
        ),
        (
            OldContent::Bytes(old.as_bytes().into()),
            "<a href=../both.html>1</a><a href=./both.html>2</a><a href=../none.html>3</a>",
        ),
        // More than links changed.
        (OldContent::Bytes(b"<p>".as_slice().into()), new),
        (OldContent::Bytes(format!("{old}<p>").into_bytes().into()), new),
        (OldContent::Unknown, new),
    ] {
        let tree = Tree::new(&files);
        let pairs = [("page.html", "d/page.html")];
        assert_eq!(follow(&tree, renames(&tree, &pairs, &content)), []);
        assert_eq!(tree.files()["d/page.html"], expected, "{content:?}");
    }
}

#[test]
fn an_updated_link_with_the_same_target_at_both_paths_stays() {
    let old = "<a href=y.html>y</a><a href=../b/z.html>z</a>";
    let new = "<a href=../a/y.html>y</a><a href=z.html>z</a>";
    for content in [OldContent::Unknown, OldContent::Bytes(old.as_bytes().into())] {
        let tree = Tree::new(&[("d/a/y.html", ""), ("d/b/z.html", ""), ("d/b/x.html", old)]);
        for _ in 0..2 {
            let pairs = [("d/a/x.html", "d/b/x.html")];
            assert_eq!(follow(&tree, renames(&tree, &pairs, &content)), []);
            let found = &tree.files()["d/b/x.html"];
            match content {
                // The second link works at the new path.
                OldContent::Unknown => {
                    assert_eq!(*found, new.replace("=z.html", "=../b/z.html"));
                }
                _ => assert_eq!(found, new),
            }
        }
    }
}

#[test]
fn links_to_a_directory_follow_if_all_of_its_files_moved_to_another() {
    let index = "<a href=a>a</a><a href=a/>a</a><a href='a/b/?q#f'>b</a><a href=a/x.css>x</a>";
    let pairs = [("a/x.css", "d/n/x.css"), ("a/b/y.css", "d/n/b/y.css")];
    let follows =
        "<a href=d/n>a</a><a href=d/n/>a</a><a href='d/n/b/?q#f'>b</a><a href=d/n/x.css>x</a>";
    let partly = "<a href=a>a</a><a href=a/>a</a><a href='d/n/b/?q#f'>b</a><a href=d/n/x.css>x</a>";
    for (others, removed, expected) in [
        (&[][..], &[][..], follows),
        // Another file was there before.
        (&["d/n/z.css", "d/n/b/z.css"], &[], follows),
        // A file stayed.
        (&["a/z.css"], &[], partly),
        // A file was removed.
        (&[], &["a/z.css"], partly),
    ] {
        let tree = Tree::new(&[("index.html", index), ("d/n/x.css", ""), ("d/n/b/y.css", "")]);
        for other in others {
            tree.make("a");
            tree.write(other, "");
        }
        if !others.contains(&"a/z.css") {
            drop(fs::remove_dir(tree.at("a")));
        }
        let mut renames = renames(&tree, &pairs, &OldContent::Unknown);
        renames.removed = removed.iter().map(|it| tree.at(it)).collect();
        assert_eq!(follow(&tree, renames), []);
        assert_eq!(tree.files()["index.html"], expected, "{others:?} {removed:?}");
    }
}

#[test]
fn renames_that_cannot_be_followed_are_reported() {
    let tree = Tree::new(&[
        ("s/index.html", "<a href=a.html>a</a><a href=b.html>b</a><a href=../o.html>o</a>"),
        // A new file at an old path, and a directory in place of a file.
        ("s/a.html", ""),
        ("s/n/a.html", "<a href=b.html>b</a><a href=a.html>a</a>"),
        ("s/b.html", ""),
        ("s/f/g.html", ""),
        ("out/o.html", ""),
        ("s/o.html", ""),
        ("s/q.html", ""),
    ]);
    let outer = Tree::empty();
    let mut made = Renames::default();
    for (old, new) in [
        ("s/a.html", "s/n/a.html"),
        ("s/f", "s/f/g.html"),
        ("s/c.html", "s/none.html"),
        ("s/d.html", "out/o.html"),
        ("o.html", "s/o.html"),
        ("x.html", "y.html"),
        // A directory whose name differs in case.
        ("s/N/q.html", "s/q.html"),
    ] {
        let mut rename = Rename::new(tree.at(old), tree.at(new));
        rename.content = OldContent::Same;
        made.files.push(rename);
    }
    made.files.push(Rename::new(outer.path().join("1"), outer.path().join("2")));
    let mut relocate = Relocate::new(tree.at("s"));
    relocate.requests.push(MoveRequest::Renames(made));
    let plan = relocate.clone().plan().expect("a plan");
    let mut problems = Vec::new();
    relocate
        .for_each(|event| {
            let message = event.diagnostic();
            if let EditEvent::NotFollowed { reason, .. } = event {
                let message = message.expect("a message").to_string();
                problems
                    .push((reason, message.replace(&format!("{}/", tree.path().display()), "")));
            }
        })
        .expect("a dry run");
    problems.sort_by_key(|(_, message)| message.clone());
    let expected = [
        (
            NotFollowed::Taken,
            "s/N/q.html: moved to s/q.html, but exists again: links to it are unchanged",
        ),
        (
            NotFollowed::Taken,
            "s/a.html: moved to s/n/a.html, but exists again: links to it are unchanged",
        ),
        (
            NotFollowed::Missing,
            "s/c.html: moved to s/none.html, which does not exist now: not followed",
        ),
        (
            NotFollowed::ToOutside,
            "s/d.html: moved to out/o.html, outside of the root: links to it are not updated",
        ),
        (
            NotFollowed::Taken,
            "s/f: moved to s/f/g.html, but exists again: links to it are unchanged",
        ),
        (
            NotFollowed::FromOutside,
            "s/o.html: moved here from o.html, outside of the root: its links are not updated",
        ),
    ];
    assert_eq!(problems, expected.map(|(reason, text)| (reason, text.to_owned())));
    plan.apply().expect("written");
    // Links to the new file stay, those in the renamed file are updated.
    let files = tree.files();
    assert!(files["s/index.html"].starts_with("<a href=a.html>"));
    assert_eq!(files["s/n/a.html"], "<a href=../b.html>b</a><a href=../a.html>a</a>");
}

#[test]
fn plans_have_renames_and_texts_with_escapes() {
    let tree = Tree::new(&[("index.html", "<a href='a&amp;b.html'>a</a>"), ("n/a&b.html", "")]);
    let pairs = [("a&b.html", "n/a&b.html")];
    let mut relocate = Relocate::new(tree.path());
    let renames = renames(&tree, &pairs, &OldContent::Unknown);
    relocate.requests.push(MoveRequest::Renames(renames));
    let plan = relocate.plan().expect("a plan");
    let moved = serde_json::to_string(&plan.moves).expect("JSON");
    assert!(moved.ends_with("n/a&b.html\",\"done\":true}]"), "{moved}");
    let edit = serde_json::to_string(&plan.edits).expect("JSON");
    edit.has("\"span\":[9,21],\"old\":\"a&b.html\",\"new\":\"n/a&b.html\"");
    edit.has("\"text\":\"n/a&amp;b.html\"");
}

fn written(files: &Files) -> Tree {
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
    Tree::new(&files)
}

proptest! {
    #![proptest_config(tier::cases(tier::pick(40, 1000)))]

    #[test]
    fn links_are_updated_after_a_move_as_by_the_move(plot in linked_trees()) {
        let (one, two) = (written(&plot.files()), written(&plot.files()));
        let mut relocate = Relocate::new(one.path());
        for (old, new) in plot.moves() {
            relocate = relocate.rename(old, new);
        }
        relocate.plan().expect("a plan").apply().expect("moved");
        plot.make_moves(two.path(), |old, new| fs::rename(old, new).expect("renamed"));
        let files = plot.moved_files();
        let pairs: Vec<(&str, &str)> = files.iter().map(|(old, new)| (&**old, &**new)).collect();
        follow(&two, renames(&two, &pairs, &OldContent::Same));
        prop_assert_eq!(one.files(), two.files());
        // A second run has the old contents of the files.
        let old = plot.files();
        let mut again = Renames::default();
        for (from, to) in &files {
            let mut rename = Rename::new(two.path().join(from), two.path().join(to));
            rename.content = OldContent::Bytes(old[from].as_bytes().into());
            again.files.push(rename);
        }
        follow(&two, again);
        prop_assert_eq!(one.files(), two.files());
    }

    #[test]
    fn a_second_run_without_old_contents_changes_nothing(plot in linked_trees()) {
        let tree = written(&plot.files());
        plot.make_moves(tree.path(), |old, new| fs::rename(old, new).expect("renamed"));
        let files = plot.moved_files();
        let pairs: Vec<(&str, &str)> = files.iter().map(|(old, new)| (&**old, &**new)).collect();
        follow(&tree, renames(&tree, &pairs, &OldContent::Unknown));
        let once = tree.files();
        follow(&tree, renames(&tree, &pairs, &OldContent::Unknown));
        prop_assert_eq!(once, tree.files());
    }
}
