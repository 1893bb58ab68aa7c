//! Walks leave out the files that git ignores: random patterns, compared with git.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::from_git::{git, rehref};
use crate::support::tree::Tree;

/// Pieces of patterns.
const PIECES: [&str; 35] = [
    "a", "b", "A", "ä", "*", "**", "**/", "/**", "?", "/", "/", "{", "}", ",", "{a,b}", "\\{",
    "\\a", "\\*", "[ab]", "[!a]", "[^b]", "[]a]", "[a-c]", "[[:alpha:]]", "[{]", "[", "]", "!",
    " ", "\\ ", "-", ".html", "#", "\u{FEFF}", "\r",
];

/// Names of files, each in a few directories.
const NAMES: [&str; 16] = [
    "a", "b", "ab", "A", "B.html", "a.html", "ä", "{a,b}", "{", "a}", "[a]", "]", "a b", "a ", "#",
    "!",
];

fn patterns() -> impl Strategy<Value = String> {
    let line = prop::collection::vec(prop::sample::select(&PIECES[..]), 1..6);
    let line = line.prop_map(|pieces| pieces.concat());
    prop::collection::vec(line, 1..4).prop_map(|lines| lines.join("\n") + "\n")
}

pub(crate) fn walks_leave_out_what_git_ignores() {
    let tree = Tree::empty();
    git(tree.path(), "init --quiet");
    for directory in ["", "a/", "b/", "a/b/", "{a,b}/", "A/a/", "c/[a]/"] {
        for name in NAMES {
            let path = format!("{directory}d{name}");
            tree.write(path, "x");
            tree.write(format!("{directory}f/{name}"), "x");
        }
    }
    let compared = |(top, nested, ignores_case): (String, Option<String>, bool)| {
        tree.write(".gitignore", &top);
        tree.write("a/.gitignore", nested.as_deref().unwrap_or_default());
        git(tree.path(), format!("config core.ignoreCase {ignores_case}").as_str());
        let listed = git(tree.path(), "ls-files --others --exclude-standard -z");
        let mut expected: Vec<_> = listed.split_terminator('\0').collect();
        expected.sort_unstable();
        let read = rehref(tree.path(), "extract --files -0 .").ends(0).out;
        let mut read: Vec<_> = read.split_terminator('\0').map(|it| &it[2..]).collect();
        read.sort_unstable();
        prop_assert_eq!(read, expected);
        Ok(())
    };
    let config =
        ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() };
    let inputs = (patterns(), prop::option::of(patterns()), prop::bool::weighted(0.2));
    if let Err(error) = TestRunner::new(config).run(&inputs, compared) {
        panic!("{error}");
    }
}
