//! `rehref move --git` moves tracked files with git. tests/external has the tests that need git.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use crate::support::move_tree::{SITE, Tree, ended};

/// A program in place of git that writes its arguments to a file, and moves all files but `unknown`
/// and `locked`.
const GIT: &str = "#!/bin/sh
case \"$*\" in
*rev-parse*) echo /nowhere/.git; exit;;
*config*--list*) printf 'core.bare\\0filter.trap.clean\\0filter.Trap.x.process\\0hook.h.command\\0'; exit;;
*' ls-files '*/locked*) echo locked.html; exit;;
*' ls-files '*) exit;;
esac
echo \"$*\" >> \"$GIT_NOTES\"
case \"$*\" in
*/unknown*) exit 128;;
*/locked*) echo \"fatal: Unable to create '.git/index.lock': File exists.\" >&2; exit 128;;
*' mv -- '*) while test \"$1\" != --; do shift; done; exec mv \"$2\" \"$3\";;
esac
exit 1
";

#[test]
fn git_moves_the_files_that_it_tracks() {
    let tree = Tree::new(&SITE);
    fs::write(tree.path().join("unknown.html"), "").expect("written");
    let old = tree.files();
    let programs = tempfile::tempdir().expect("a directory");
    let (git, notes) = (programs.path().join("git"), programs.path().join("notes"));
    fs::write(&git, GIT).expect("written");
    fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).expect("set");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let directories = [programs.path().to_owned()].into_iter();
    let path =
        std::env::join_paths(directories.chain(std::env::split_paths(&path))).expect("a path");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rehref"));
        command.args(arguments).current_dir(tree.path());
        command.env("PATH", &path).env("GIT_NOTES", &notes);
        let said = ended(0, &command.stdin(Stdio::null()).output().expect("rehref runs"));
        let asked = fs::read_to_string(&notes).expect("notes");
        fs::remove_file(&notes).expect("removed");
        let root = format!("{}/", tree.path().canonicalize().expect("there").display());
        (asked.replace(&root, ""), said)
    };
    let (asked, said) = run(&["move", "-w", "--git", "a", "unknown.html", "b/"]);
    let mut lines: Vec<&str> = asked.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines.len(), 2, "{asked}");
    assert!(lines[0].ends_with(" mv -- a b/a"), "{asked}");
    for setting in [
        "core.fsmonitor=",
        "core.hooksPath=/dev/null",
        "filter.trap.clean=",
        "filter.trap.required=false",
        "filter.Trap.x.process=",
        "hook.h.enabled=false",
        "safe.bareRepository=explicit",
    ] {
        assert!(asked.contains(&format!(" -c {setting} ")), "{setting}: {asked}");
    }
    assert!(lines[1].ends_with(" mv -- unknown.html b/unknown.html"), "{asked}");
    assert!(tree.path().join("b/a/x.html").exists());
    assert!(tree.path().join("b/unknown.html").exists());
    // git does not track it.
    assert!(!said.contains("without git"), "{said}");
    let (asked, _) = run(&["move", "--git", "--undo"]);
    assert!(asked.contains(" mv -- b/a a\n"), "{asked}");
    assert_eq!(tree.files(), old);
    fs::write(tree.path().join("locked.html"), "").expect("written");
    let (_, said) = run(&["move", "-w", "--git", "locked.html", "b/"]);
    let warning =
        "locked.html: renamed without git: git: Unable to create '.git/index.lock': File exists.";
    assert!(said.contains(warning), "{said}");
    assert!(tree.path().join("b/locked.html").exists());
}

/// A program in place of git whose settings have very many filters.
const MANY_FILTERS: &str = "#!/bin/sh
case \"$*\" in
*rev-parse*) echo /nowhere/.git; exit;;
*config*--list*) seq 3000 | while read n; do printf 'filter.trap%s.clean\\0' $n; done; exit;;
esac
exit 1
";

#[test]
fn too_many_filters_are_refused_before_anything_is_written() {
    let tree = Tree::new(&SITE);
    let old = tree.files();
    let programs = tempfile::tempdir().expect("a directory");
    let git = programs.path().join("git");
    fs::write(&git, MANY_FILTERS).expect("written");
    fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).expect("set");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let directories = [programs.path().to_owned()].into_iter();
    let path =
        std::env::join_paths(directories.chain(std::env::split_paths(&path))).expect("a path");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rehref"));
    command.args(["move", "-w", "--git", "a", "b/"]).env("PATH", path);
    command.current_dir(tree.path()).stdin(Stdio::null());
    let said = ended(2, &command.output().expect("rehref runs"));
    assert!(said.contains("too many filters and hooks\n  help: remove"), "{said}");
    assert_eq!(tree.files(), old);
}
