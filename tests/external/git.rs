//! git reads the diffs of `rehref move`, and sees the renames of `rehref move --git`.

use std::fs;
use std::process::Command;

use crate::from_git::{commit, git};
use crate::support::tree::{Has, Ran, SITE, Tree};

/// Applies a diff to a tree with `git apply`.
#[track_caller]
fn apply(tree: &Tree, diff: &[u8]) {
    fed(tree.path(), "git", &["apply"], diff);
}

pub(crate) fn git_sees_renames_of_moved_files() {
    let tree = Tree::new(&SITE);
    let git = |arguments: &str| git(tree.path(), arguments);
    git("init -q");
    commit(tree.path());
    tree.write("a/new.html", "");
    tree.ends(0, "move -w --git a b");
    let status = git("status --porcelain");
    status.has("R  a/y.html -> b/y.html\n");
    assert!(tree.has(".rehref/journal"));
    status.lacks(".rehref");
    assert!(tree.has("b/new.html"));
    tree.ends(0, "move --git --undo");
    let status = git("status --porcelain");
    assert_eq!(status, "?? a/new.html\n");
}

pub(crate) fn git_applies_diffs_of_moves() {
    let files: [(&str, &str); 7] = [
        ("i.html", "<a href=a.html>a</a><a href=b/x%20y.html>b</a><img src='p%20q.png'>\n"),
        ("a.html", "<a href=i.html>i</a>"),
        ("b/x y.html", "<a href=../a.html>a</a>\n"),
        ("p q.png", "1"),
        ("tab\t\"1\".png", "2"),
        ("z.html", "<a href='tab%09%221%22.png'>z</a>\n"),
        (
            "list.csv",
            "a.html,n/a.html\nb/x y.html,c d/x y.html\np q.png,img/p q.png\n\"tab\t\"\"1\"\".png\",\"img/tab\t\"\"1\"\".png\"\n",
        ),
    ];
    for (kind, rules) in [
        ("html", None),
        ("netlify", None),
        ("netlify", Some("")),
        ("netlify", Some("/1 /2\n")),
        ("apache", Some("1\n2\n3\n4\n5")),
    ] {
        let (one, two) = (Tree::new(&files), Tree::new(&files));
        let name = if kind == "apache" { ".htaccess" } else { "_redirects" };
        for tree in [&one, &two] {
            if let Some(text) = rules {
                tree.write(name, text);
            }
        }
        let move_ = ["move", "--from-list", "list.csv", "--redirects", kind];
        let text = one.run(move_).out;
        let heads = text.lines().filter(|it| it.starts_with("diff --git "));
        let sides = text.lines().filter(|it| it.starts_with("--- "));
        let pure = text.matches("similarity index 100%\n").count();
        assert_eq!(pure, 2, "{text}");
        assert_eq!(heads.count(), sides.count() + pure, "{text}");
        text.has("\nrename from \"tab\\t\\\"1\\\".png\"\n");
        two.ends(0, &[&move_[..], &["-w"]].concat());
        apply(&one, text.as_bytes());
        assert_eq!(one.files(), two.files());
    }
}

pub(crate) fn git_applies_diffs_with_redirect_rules() {
    for (kind, name) in
        [("netlify", "_redirects"), ("apache", ".htaccess"), ("nginx", "redirects.nginx.conf")]
    {
        for end in ["", "\n"] {
            let rules = format!("/1 http://h.example/a.html\n/2 http://h.example/a.html{end}");
            let files = [("a.html", ""), (name, rules.as_str())];
            let arguments = ["move", "--redirects", kind, "a.html", "b.html"];
            let (one, two) = (Tree::new(&files), Tree::new(&files));
            apply(&one, &one.run(arguments).out_bytes);
            two.ends(0, &[&arguments[..], &["-w"]].concat());
            assert_eq!(one.files(), two.files());
        }
    }
}

#[cfg(unix)]
pub(crate) fn git_applies_diffs_of_moved_symlinks() {
    let site = || {
        let tree = Tree::new(&[("a/x.html", "")]);
        for (target, link) in [("x.html", "a/l.html"), ("/", "a/out"), ("nowhere", "a/lost")] {
            tree.symlink(target, link);
        }
        tree
    };
    let (one, two) = (site(), site());
    apply(&one, &one.run("move a b").out_bytes);
    two.ends(0, "move -w a b");
    assert_eq!(one.files(), two.files());
}

/// Runs a program in a directory, with this standard input.
fn fed(directory: &std::path::Path, program: &str, arguments: &[&str], input: &[u8]) {
    let input_file = directory.join("input.diff");
    fs::write(&input_file, input).expect("written");
    let mut command = Command::new(program);
    command.args(arguments).current_dir(directory);
    command.env("GIT_CEILING_DIRECTORIES", directory);
    command.stdin(fs::File::open(&input_file).expect("there"));
    Ran::of(&mut command).ends(0);
    fs::remove_file(input_file).expect("removed");
}

pub(crate) fn diffs_of_paths_elsewhere_are_applied_where_they_say() {
    let page = "<a href=http://old.example/>x</a>\n";
    let files = [("a/b/x.html", page), ("d/z.html", page), ("d/e.html", page)];
    let map = "--map=http://old.example/=http://new.example/";
    for (program, arguments) in [("patch", &["-p1", "-s"][..]), ("git", &["apply"])] {
        for (directory, paths) in [
            ("a/b", &["../../d"][..]),
            ("a/b", &["x.html", "../../d/z.html"]),
            ("a", &["../a/b"]),
            ("", &["./d/../d", "./a//b/x.html"]),
        ] {
            let tree = Tree::new(&files);
            let root = tree.path().canonicalize().expect("a path");
            let here = root.join(directory);
            let run = |options: &str| {
                tree.run_in(directory, format!("rewrite {map} {options} {}", paths.join(" ")))
                    .ends(0)
            };
            let Ran { out: text, out_bytes: diff, .. } = run("");
            let header = text.lines().next().and_then(|it| it.strip_prefix("# Apply this in "));
            let there = header.map_or(here.clone(), Into::into);
            fed(&there, program, arguments, &diff);
            let applied = tree.files();
            fed(&there, program, &[arguments, &["-R"]].concat(), &diff);
            assert_ne!(applied, tree.files());
            run("-w");
            assert_eq!(applied, tree.files(), "{program} {paths:?}");
        }
    }
}
