//! `rehref move` and git: it is told of moves, and takes the diff.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::moving::{SITE, Tree, ended, skipped};

/// A program in the place of git that notes what it is asked for, and moves what it is said to know.
#[cfg(unix)]
const GIT: &str = "#!/bin/sh
echo \"$*\" >> \"$GIT_NOTES\"
case \"$*\" in
--version) exit 0;;
*/unknown*) exit 128;;
esac
test \"$3 $4\" = 'mv --' && exec mv \"$5\" \"$6\"
exit 1
";

#[cfg(unix)]
#[test]
fn git_is_asked_to_move_what_it_knows() {
    use std::os::unix::fs::PermissionsExt;

    let tree = Tree::new(&SITE);
    fs::write(tree.path().join("unknown.html"), "").expect("written");
    let old = tree.files();
    let programs = tempfile::tempdir().expect("a folder");
    let (git, notes) = (programs.path().join("git"), programs.path().join("notes"));
    fs::write(&git, GIT).expect("written");
    fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).expect("set");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = [programs.path().to_owned()].into_iter();
    let path = std::env::join_paths(folders.chain(std::env::split_paths(&path))).expect("a path");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rehref"));
        command.args(arguments).current_dir(tree.path());
        command.env("PATH", &path).env("GIT_NOTES", &notes);
        ended(
            0,
            &command.stdin(Stdio::null()).output().expect("rehref runs"),
        );
        let asked = fs::read_to_string(&notes).expect("notes");
        fs::remove_file(&notes).expect("removed");
        let root = format!("{}/", tree.path().canonicalize().expect("there").display());
        asked.replace(&root, "")
    };
    let asked = run(&["move", "-w", "--git", "a", "unknown.html", "b/"]);
    let mut lines: Vec<&str> = asked.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines.len(), 3, "{asked}");
    assert_eq!(lines[0], "--version");
    assert!(lines[1].ends_with(" mv -- a b/a"), "{asked}");
    assert!(
        lines[2].ends_with(" mv -- unknown.html b/unknown.html"),
        "{asked}"
    );
    assert!(tree.path().join("b/a/x.html").exists());
    assert!(tree.path().join("b/unknown.html").exists());
    let asked = run(&["move", "--git", "--undo"]);
    assert!(asked.contains(" mv -- b/a a\n"), "{asked}");
    assert_eq!(tree.files(), old);
}

#[test]
fn git_is_told() {
    let tree = Tree::new(&SITE);
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command
            .args(["-c", "user.name=n", "-c", "user.email=e@h.example"])
            .args(arguments);
        let output = command.current_dir(tree.path()).output();
        output
            .ok()
            .map(|it| String::from_utf8_lossy(&it.stdout).into_owned())
    };
    // Where there is no git, nobody can be told.
    if git(&["init", "-q"]).is_none() {
        return skipped("no git that could be told");
    }
    git(&["add", "."]);
    git(&["commit", "-qm", "m"]);
    fs::write(tree.path().join("a/new.html"), "").expect("written");
    tree.ends(0, &["move", "-w", "--git", "a", "b"]);
    let status = git(&["status", "--porcelain"]).expect("git");
    assert!(status.contains("R  a/y.html -> b/y.html\n"), "{status}");
    assert!(tree.path().join(".rehref/journal").exists());
    assert!(!status.contains(".rehref"), "{status}");
    assert!(tree.path().join("b/new.html").exists());
    tree.ends(0, &["move", "--git", "--undo"]);
    let status = git(&["status", "--porcelain"]).expect("git");
    assert_eq!(status, "?? a/new.html\n");
}

#[test]
fn git_applies_the_diff() {
    let git = |folder: &Path, arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(folder);
        command.env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap_or(folder));
        command.output()
    };
    let files: [(&str, &str); 7] = [
        (
            "i.html",
            "<a href=a.html>a</a><a href=b/x%20y.html>b</a><img src='p%20q.png'>\n",
        ),
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
        let name = if kind == "apache" {
            ".htaccess"
        } else {
            "_redirects"
        };
        for tree in [&one, &two] {
            if let Some(text) = rules {
                fs::write(tree.path().join(name), text).expect("written");
            }
        }
        let move_ = ["move", "--from-list", "list.csv", "--redirects", kind];
        let diff = one.rehref(&move_).stdout;
        let text = String::from_utf8_lossy(&diff);
        let heads = text.lines().filter(|it| it.starts_with("diff --git "));
        let sides = text.lines().filter(|it| it.starts_with("--- "));
        let pure = text.matches("similarity index 100%\n").count();
        assert_eq!(pure, 2, "{text}");
        assert_eq!(heads.count(), sides.count() + pure, "{text}");
        assert!(
            text.contains("\nrename from \"tab\\t\\\"1\\\".png\"\n"),
            "{text}"
        );
        two.ends(0, &[&move_[..], &["-w"]].concat());
        let patch = one.path().join("moves.diff");
        fs::write(&patch, &diff).expect("written");
        // Where there is no git, what it would read has been looked at.
        let Ok(applied) = git(one.path(), &["apply", "moves.diff"]) else {
            skipped("no git that could apply a diff");
            continue;
        };
        let said = String::from_utf8_lossy(&applied.stderr);
        assert!(applied.status.success(), "{kind} {rules:?}: {said}{text}");
        fs::remove_file(patch).expect("removed");
        assert_eq!(one.files(), two.files());
    }
}
