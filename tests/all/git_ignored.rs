//! Changed files that git ignores are counted, and lists of its diffs have a hint.

use std::fs;

use crate::support::tree::{Has, Tree};

const OLD: &str = "<a href=http://old.example/>x</a><a href=a.html>a</a>\n";
const MAP: [&str; 3] = ["rewrite", "--map", "old.example=new.example"];

/// The note about ignored files.
fn note(said: &str) -> &str {
    let mut lines = said.lines().filter_map(|it| it.strip_prefix("rehref: note: "));
    lines.next().unwrap_or_default()
}

fn tree() -> Tree {
    Tree::new(&[
        (".gitignore", "vendor\n!docs/vendor\nnode_modules/\n/build/*\n*.tmp.html\n"),
        (".git/info/exclude", "private.html\n"),
        ("a.html", OLD),
        ("private.html", OLD),
        ("vendor/deep/b.html", OLD),
        ("docs/vendor/c.html", OLD),
        ("docs/build/d.html", OLD),
        ("docs/d.tmp.html", OLD),
        ("docs/.gitignore", "*.old.html\n!keep.old.html\n"),
        ("docs/e.old.html", OLD),
        ("docs/keep.old.html", OLD),
        ("build/f.html", OLD),
        ("node_modules/x/README.html", OLD),
        // A repository of its own.
        ("module/.git/HEAD", "ref: refs/heads/main\n"),
        ("module/private.html", OLD),
        ("module/g.tmp.html", OLD),
    ])
}

#[test]
fn changed_files_that_git_ignores_are_counted() {
    let tree = tree();
    let said = |arguments: &[&str]| tree.ends(0, &[&MAP, arguments].concat());
    for (arguments, expected) in [
        (&["."][..], "6 of these files are ignored by git (--gitignore skips such files)"),
        (&["docs"], "2 of these files are ignored by git (--gitignore skips such files)"),
        (&["docs", "build"], "3 of these files are ignored by git (--gitignore skips such files)"),
        (&["--gitignore", "."], ""),
        (&["docs/vendor"], ""),
        // Named, so read.
        (&["private.html", "docs/d.tmp.html"], ""),
        (&["node_modules"], ""),
        (&["module"], ""),
        (&["-q", "."], ""),
    ] {
        assert_eq!(note(&said(arguments)), expected, "{arguments:?}");
    }
    // The note is true: as many files fewer change.
    let changed = |said: &str| {
        let words = said.split(" in ").last().expect("a summary").to_owned();
        let number = words.split(' ').next().expect("a number").to_owned();
        number.parse::<usize>().expect("a number")
    };
    for path in [".", "docs", "build"] {
        let (all, left) = (said(&[path]), said(&["--gitignore", path]));
        let ignored = note(&all).split(' ').next().map_or(0, |it| match it {
            "" => 0,
            "this" => 1,
            number => number.parse().expect("a number"),
        });
        let left = if left.contains("nothing") { 0 } else { changed(&left) };
        assert_eq!(changed(&all) - ignored, left, "{path}");
    }
    let moved = tree.ends(0, "move a.html z.html");
    assert_eq!(note(&moved), "1 of these files is ignored by git", "{moved}");
    let said = tree.ends(0, &[&MAP[..], &["-w", "."]].concat());
    assert!(note(&said).starts_with("6 of these files"), "{said}");
    // Nothing changes any more.
    assert_eq!(note(&tree.ends(0, &[&MAP[..], &["."]].concat())), "");
}

#[test]
fn files_of_a_repository_below_the_path_are_ignored() {
    let tree = Tree::new(&[
        ("a.html", OLD),
        ("repository/.git/HEAD", ""),
        ("repository/.gitignore", "/build/\n"),
        ("repository/build/a.html", OLD),
        ("repository/docs/a.html", OLD),
        ("repository/docs/build/a.html", OLD),
    ]);
    tree.ends(0, &[&MAP[..], &["."]].concat()).has("1 of these files is ignored by git");
}

#[test]
fn files_outside_of_a_repository_are_not_ignored() {
    let tree = tree();
    for path in [".git", "module/.git"] {
        tree.remove(path);
    }
    let said = tree.ends(0, &[&MAP[..], &["."]].concat());
    assert_eq!(note(&said), "", "{said}");
}

#[test]
fn lists_with_deleted_files_name_the_option_of_git() {
    let hint = "help: if the list is from `git diff --name-only`, add --diff-filter=d there: it leaves out deleted files";
    let tree = Tree::new(&[
        ("a.html", OLD),
        (".git/HEAD", ""),
        ("list", "a.html\ngone.html\ndocs/gone.html\n"),
        ("whole", "a.html\n"),
    ]);
    for command in [&MAP[..], &["extract"], &["check"]] {
        let said = tree.ends(2, &[command, &["--files-from", "list"]].concat());
        said.has("--files-from list: 2 files do not exist\n");
        assert!(said.contains(hint) && said.contains("gone.html: cannot read"), "{said}");
        tree.ends(0, &[command, &["--files-from", "whole"]].concat()).lacks("--diff-filter");
    }
    for (list, hint) in [
        ("\"caf\\303\\251.html\"\n", "add -z there and -0 here"),
        ("sub/b.html\n", "add --relative there"),
    ] {
        let file = tree.at("sub/list");
        tree.make("sub");
        tree.write("sub/b.html", OLD);
        fs::write(&file, list).expect("written");
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rehref"));
        command.args(["extract", "--files-from", "list"]);
        let output = command.current_dir(tree.at("sub")).output();
        String::from_utf8_lossy(&output.expect("rehref runs").stderr).into_owned().has(hint);
    }
    // Not in a work tree.
    tree.remove(".git");
    tree.ends(2, "extract --files-from list").lacks("--diff-filter");
}
