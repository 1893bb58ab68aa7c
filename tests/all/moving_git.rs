//! `rehref move --git` moves tracked files with git. tests/external has the tests that need git.

use std::ffi::OsString;

use crate::support::tree::{Has, Ran, SITE, Tree};

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

/// A directory with this program in place of git, and a PATH that begins with it.
fn with_git(script: &str) -> (Tree, OsString) {
    let programs = Tree::empty();
    programs.write_program("git", script);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let directories = [programs.path().to_owned()].into_iter();
    let path = std::env::join_paths(directories.chain(std::env::split_paths(&path)));
    (programs, path.expect("a path"))
}

#[test]
fn git_moves_the_files_that_it_tracks() {
    let tree = Tree::new(&SITE);
    tree.write("unknown.html", "");
    let old = tree.files();
    let (programs, path) = with_git(GIT);
    let run = |line: &str| {
        let mut command = tree.command(line);
        command.env("PATH", &path).env("GIT_NOTES", programs.at("notes"));
        let said = Ran::of(&mut command).ends(0).err;
        let asked = programs.read("notes");
        programs.remove("notes");
        (asked.replace(&format!("{}/", tree.path().display()), ""), said)
    };
    let (asked, said) = run("move -w --git a unknown.html b/");
    let mut lines: Vec<&str> = asked.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines.len(), 2, "{asked}");
    assert!(lines[0].ends_with(" mv -- a b/a"), "{asked}");
    for setting in [
        "core.fsmonitor=", "core.hooksPath=/dev/null", "filter.trap.clean=",
        "filter.trap.required=false", "filter.Trap.x.process=", "hook.h.enabled=false",
        "safe.bareRepository=explicit",
    ] {
        asked.has(format!(" -c {setting} "));
    }
    assert!(lines[1].ends_with(" mv -- unknown.html b/unknown.html"), "{asked}");
    assert!(tree.has("b/a/x.html"));
    assert!(tree.has("b/unknown.html"));
    // git does not track it.
    said.lacks("without git");
    let (asked, _) = run("move --git --undo");
    asked.has(" mv -- b/a a\n");
    assert_eq!(tree.files(), old);
    tree.write("locked.html", "");
    let (_, said) = run("move -w --git locked.html b/");
    let warning =
        "locked.html: renamed without git: git: Unable to create '.git/index.lock': File exists.";
    said.has(warning);
    assert!(tree.has("b/locked.html"));
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
    let (_programs, path) = with_git(MANY_FILTERS);
    Ran::of(tree.command("move -w --git a b/").env("PATH", path))
        .ends(2)
        .err
        .has("too many filters and hooks\n  help: remove");
    assert_eq!(tree.files(), old);
}
