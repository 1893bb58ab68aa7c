//! Files that git ignores are left out and counted, and lists of its diffs have a hint.

use std::fs;

use crate::support::tree::{Has, Ran, Tree};

const OLD: &str = "<a href=http://old.example/>x</a><a href=a.html>a</a>\n";
const MAP: [&str; 3] = ["rewrite", "--map", "old.example=new.example"];

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

/// The number of paths that a summary says git ignores.
fn ignored(said: &str) -> usize {
    let Some(at) = said.find(" git-ignored path") else {
        return 0;
    };
    let number = said[..at].rsplit(' ').next().expect("a number");
    number.parse().expect("a number")
}

/// The number of files that a dry run would change.
fn changed(said: &str) -> usize {
    let words = said.split(" in ").last().expect("a summary");
    words.split(' ').next().expect("a number").parse().unwrap_or_default()
}

#[test]
fn files_that_git_ignores_are_left_out_and_counted() {
    let tree = tree();
    let said = |arguments: &[&str]| tree.ends(0, &[&MAP, arguments].concat());
    for (arguments, read, left) in [
        (&["."][..], 6, 6),
        (&["docs"], 3, 2),
        (&["docs", "build"], 3, 3),
        (&["--gitignore", "."], 6, 6),
        (&["--no-ignore", "."], 12, 0),
        (&["docs/vendor"], 1, 0),
        // Named, so read.
        (&["private.html", "docs/d.tmp.html"], 2, 0),
        (&["node_modules"], 1, 0),
        (&["node_modules/x", "vendor/deep"], 2, 0),
        (&["module"], 2, 0),
    ] {
        let said = said(arguments);
        assert_eq!((changed(&said), ignored(&said)), (read, left), "{arguments:?}: {said}");
        assert_eq!(said.contains("(--no-ignore reads them)"), left > 0, "{said}");
    }
    said(&["-q", "."]).lacks("ignore");
    for (command, exit) in [("check .", 1), ("extract .", 0), ("check --root . docs", 1)] {
        let said = tree.ends(exit, command);
        let expected = if command.contains("docs") { 2 } else { 6 };
        assert_eq!(ignored(&said), expected, "{command}: {said}");
    }
    tree.prints("extract --json .").has("\"unread\":{\"git-ignored\":6}");
}

#[test]
fn new_trees_have_copies_of_files_that_git_ignores() {
    let tree = tree();
    let said = tree.ends(0, &[&MAP[..], &["-o", "new", "docs"]].concat());
    assert_eq!(ignored(&said), 2, "{said}");
    assert_eq!(tree.read("new/e.old.html"), OLD);
    assert_ne!(tree.read("new/keep.old.html"), OLD);
}

#[test]
fn moves_update_no_files_that_git_ignores_and_all_that_move() {
    let tree = tree();
    let said = tree.ends(0, "move -w a.html z.html");
    assert_eq!(ignored(&said), 6, "{said}");
    tree.read("module/g.tmp.html").has("a.html");
    tree.ends(0, "move --undo");
    let said = tree.ends(0, "move -w --no-ignore a.html z.html");
    said.lacks("ignored");
    tree.ends(0, "move --undo");
    // Its own links follow.
    tree.ends(0, "move -w build/f.html docs/build/deep/f.html");
    assert!(tree.read("docs/build/deep/f.html").contains("../../../build/a.html"));
}

#[test]
fn rules_hold_in_work_trees_only() {
    let tree = Tree::new(&[
        (".gitignore", "*.html\n"),
        ("a.html", OLD),
        ("repository/.git/HEAD", ""),
        ("repository/.gitignore", "/build/\n"),
        ("repository/build/a.html", OLD),
        ("repository/docs/a.html", OLD),
        ("repository/docs/build/a.html", OLD),
    ]);
    let said = tree.ends(0, &[&MAP[..], &["."]].concat());
    assert_eq!((changed(&said), ignored(&said)), (3, 1), "{said}");
    tree.remove("repository/.git");
    let said = tree.ends(0, &[&MAP[..], &["."]].concat());
    assert_eq!((changed(&said), ignored(&said)), (4, 0), "{said}");
}

#[test]
fn linked_work_trees_have_the_rules_of_their_repository() {
    let tree = Tree::new(&[
        ("main/.git/info/exclude", "private.html\n"),
        ("main/.git/worktrees/w/commondir", "../..\n"),
        ("w/.git", "gitdir: ../main/.git/worktrees/w\n"),
        ("w/private.html", OLD),
        ("w/a.html", OLD),
        // Without that file, as in a submodule.
        ("main/.git/modules/m/info/exclude", "a.html\n"),
        ("m/.git", "gitdir: ../main/.git/modules/m\n"),
        ("m/a.html", OLD),
        ("m/private.html", OLD),
    ]);
    assert_eq!(tree.run("extract --files w m").out, "w/a.html\nm/private.html\n");
}

#[cfg(unix)]
#[test]
fn files_of_git_that_would_block_are_not_read() {
    for name in [".gitignore", ".git/info/exclude", ".git/config"] {
        let tree = Tree::new(&[(".git/info/x", ""), ("a.html", OLD)]);
        let made = std::process::Command::new("mkfifo").arg(tree.at(name)).status();
        assert!(made.expect("mkfifo runs").success());
        tree.prints("extract --files . -t html").has("./a.html");
    }
    let tree = Tree::new(&[(".git/info/x", ""), ("a.html", OLD), ("rules", "*.html\n")]);
    for target in ["/dev/zero", "rules"] {
        // git reads no symbolic link of this name.
        tree.symlink(target, ".gitignore");
        tree.prints("extract --files . -t html").has("./a.html");
        tree.remove(".gitignore");
    }
    tree.symlink("../../rules", ".git/info/exclude");
    tree.prints("extract --files . -t html").lacks("./a.html");
}

#[test]
fn settings_of_git_name_a_file_with_rules() {
    let tree = Tree::new(&[
        ("w/.git/HEAD", ""),
        ("w/a.html", OLD),
        ("w/b.html", OLD),
        ("w/BUILD/c.html", OLD),
        ("w/.gitignore", "build/\n"),
        ("home/a rules", "a.html\n"),
        ("home/b", "b.html\n"),
        ("home/.config/git/ignore", "b.html\n"),
    ]);
    let home = tree.at("home");
    let files = |of_user: &str, of_repository: &str| {
        tree.write("home/.gitconfig", of_user);
        tree.write("w/.git/config", of_repository);
        let mut command = tree.command("extract --files -t html w");
        command.env("HOME", &home).env_remove("XDG_CONFIG_HOME").env("GIT_CONFIG_NOSYSTEM", "1");
        command.env_remove("GIT_CONFIG_GLOBAL");
        let out = Ran::of(&mut command).ends(0).out;
        out.replace("w/", "").replace(".html", "").replace('\n', " ")
    };
    let quoted = "[core]\n\texcludesFile = \"~/a rules\" # of all\n";
    for (of_user, of_repository, expected) in [
        ("", "", "BUILD/c a "),
        (quoted, "", "BUILD/c b "),
        ("[user]\nname=x\n[include] path=more\n", "", "BUILD/c a "),
        (quoted, "[Core] ExcludesFile = ../home/b\n", "BUILD/c a "),
        ("[core]\nexcludesfile = ~/none", "[core]\nignoreCase", "a b "),
        (quoted, "[core]\nignorecase = true\nexcludesFile=\n", "a b "),
    ] {
        assert_eq!(files(of_user, of_repository), expected, "{of_user} {of_repository}");
    }
    tree.write(
        "home/more",
        "[include]\npath = more\n[core]\nexcludesfile = ~/\\\na\\\n\" rules\"\n",
    );
    assert_eq!(files("[include]\npath=more\npath=~/more", ""), "BUILD/c b ");
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_is_not_a_directory_for_git() {
    let tree = Tree::new(&[
        (".git/HEAD", ""),
        (".gitignore", "lk/\nother\n"),
        ("site/a.html", OLD),
        ("x/lk/b.html", OLD),
    ]);
    tree.symlink("site", "lk");
    tree.symlink("site", "other");
    let read = tree.prints("extract --files -L . -t html");
    assert_eq!(read, "./lk/a.html\n./site/a.html\n");
}

#[test]
fn links_to_ignored_files_are_not_broken() {
    let tree = Tree::new(&[
        (".git/HEAD", ""),
        (".gitignore", "out\n"),
        ("a.html", "<a href=out/b.html#x>b</a> <a href=out/none.html>n</a>"),
        ("out/b.html", "<p id=x><a href=gone.html>g</a>"),
    ]);
    let said = tree.run("check .").out;
    said.has("out/none.html");
    said.lacks("gone.html");
    said.lacks("b.html#x");
    tree.run("check out").out.has("gone.html");
}

#[test]
fn files_of_a_run_and_types_are_listed() {
    let tree = tree();
    for command in ["extract", "check", "rewrite"] {
        let said = tree.prints(format!("{command} --files . -T text"));
        assert_eq!(said.lines().filter(|it| it.ends_with(".html")).count(), 6, "{said}");
        said.lacks("private.html\n./");
        tree.prints(format!("{command} --type-list")).has("\nhtml: *.htm, *.html, ");
    }
    tree.prints("extract --files -T html .").lacks(".html");
    tree.prints("extract --files -0 -g c.html .").has("./docs/vendor/c.html\0");
    tree.ends(2, "extract --files -T htlm .").has("--type-not: no type of files is named");
    tree.ends(2, "extract --files none").has("none");
    tree.write("m.txt", "");
    tree.prints("check --files .").has("./a.html\n").lacks("m.txt");
    tree.prints("report --files .").has("./a.html\n");
    tree.prints("report --type-list").has("html: ");
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
        ("\"caf\\303\\251.html\"\n", "add -z there: git quotes unusual names"),
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
