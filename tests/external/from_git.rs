//! `rehref move --from-git REV`: links follow renames that git finds after the fact.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::support::linked_tree::{LinkedTree, linked_trees};
use crate::support::tree::{Arguments, Has, Ran, SITE, Tree};

/// A command that finds no settings of the user.
pub(crate) fn isolated(program: impl AsRef<OsStr>, directory: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir(directory)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CEILING_DIRECTORIES", std::env::temp_dir());
    for role in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{role}_NAME"), "n");
        command.env(format!("GIT_{role}_EMAIL"), "e@h.example");
    }
    command
}

/// Runs git. Panics if it fails. Returns its output.
#[track_caller]
pub(crate) fn git(directory: &Path, arguments: impl Arguments) -> String {
    Ran::of(isolated("git", directory).args(arguments.words())).ends(0).out
}

/// Commits all files.
#[track_caller]
pub(crate) fn commit(directory: &Path) {
    git(directory, "add --all");
    git(directory, "commit --quiet --message m --allow-empty");
}

/// A repository with these files in one commit.
pub(crate) fn repository(files: &[(&str, &str)]) -> Tree {
    let tree = Tree::new(files);
    git(tree.path(), "init --quiet --initial-branch main");
    commit(tree.path());
    tree
}

pub(crate) fn rehref(directory: &Path, arguments: impl Arguments) -> Ran {
    let mut command = isolated(env!("CARGO_BIN_EXE_rehref"), directory);
    Ran::of(command.args(arguments.words()))
}

/// Runs `rehref move --from-git`. Returns standard output and standard error.
#[track_caller]
fn follow(directory: &Path, code: i32, arguments: &str) -> (String, String) {
    let ran = rehref(directory, format!("move --from-git {arguments}")).ends(code);
    (ran.out, ran.err)
}

const CASES: u32 = 24;

pub(crate) fn links_follow_committed_renames_as_by_the_move() {
    let law = |plot: LinkedTree| {
        let files = plot.files();
        let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
        let (one, two) = (Tree::new(&files), repository(&files));
        let mut list = String::new();
        for (old, new) in plot.moves() {
            list += &format!("{old},{new}\n");
        }
        one.run_reading("move -w --from-list -", list).ends(0);
        plot.make_moves(two.path(), |old, new| {
            git(two.path(), ["mv".as_ref(), old, new]);
        });
        commit(two.path());
        follow(two.path(), 0, "HEAD~1 -w");
        prop_assert_eq!(one.files(), two.files());
        for revision in ["HEAD~1", "HEAD~1..HEAD", "HEAD~1...HEAD"] {
            let (found, said) = follow(two.path(), 0, &format!("{revision} --check"));
            prop_assert_eq!(found, "", "{}", said);
        }
        follow(two.path(), 0, "HEAD~1..HEAD -w");
        prop_assert_eq!(one.files(), two.files());
        Ok(())
    };
    let cases =
        ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() };
    if let Err(error) = TestRunner::new(cases).run(&linked_trees(), law) {
        panic!("{error}");
    }
}

pub(crate) fn checks_list_the_links_left_behind() {
    let tree = repository(&SITE);
    git(tree.path(), "mv a/x.html x.html");
    let expected = concat!(
        "a/y.html:1:17: x.html: moved to ../x.html\n",
        "index.html:1:9: a/x.html: moved to x.html\n",
        "x.html:1:9: ../index.html: moved to index.html\n",
        "x.html:1:37: y.html#f: moved to a/y.html#f\n",
        "x.html:1:60: ../p%201.png: moved to p%201.png\n",
    );
    // Not committed, committed, by a range.
    for revision in ["HEAD", "HEAD~1", "main~1", "main~1..main", "HEAD^!"] {
        if revision == "HEAD~1" {
            commit(tree.path());
        }
        let (found, said) = follow(tree.path(), 1, &format!("{revision} --check"));
        assert_eq!(found, expected, "{revision}");
        assert_eq!(said, "rehref: 1 rename: would change 5 links in 3 of 5 files\n");
    }
    let (found, said) = follow(tree.path(), 1, "HEAD~1 --check -q");
    assert_eq!((found, said), (String::new(), String::new()));
    let (found, _) = follow(tree.path(), 1, "HEAD~1 --check --json");
    found.has(r#"{"type":"move","old":"a/x.html","new":"x.html","done":true}"#);
    found.has(
        r#""doc":"index.html","line":1,"col":9,"span":[8,16],"old":"a/x.html","new":"x.html""#,
    );
    // Written, checked, undone.
    let before = tree.files();
    follow(tree.path(), 0, "HEAD~1 -w");
    follow(tree.path(), 0, "HEAD~1 --check");
    tree.ends(0, "move --undo");
    assert_eq!(tree.files(), before);
    let (found, said) = follow(tree.path(), 0, "HEAD --check");
    assert_eq!((found.as_str(), said.as_str()), ("", "rehref: no renames\n"));
}

pub(crate) fn roots_below_the_top_of_the_work_tree_have_their_renames() {
    let tree = repository(&[
        ("docs/index.html", "<a href=a.html>a</a><a href=in.html>in</a>"),
        ("docs/a.html", "aaa aaa aaa"),
        ("docs/out.html", "<p>bbb bbb"),
        ("src/in.html", "<p>ccc ccc"),
        ("src/x.html", "<p>ddd ddd"),
        // Its name begins with that of the root.
        ("docs2/y.html", "<p>eee eee"),
    ]);
    for (old, new) in [
        ("docs/a.html", "docs/b.html"),
        ("docs/out.html", "src/out.html"),
        ("src/in.html", "docs/in.html"),
        ("src/x.html", "src/z.html"),
        ("docs2/y.html", "docs2/z.html"),
    ] {
        git(tree.path(), format!("mv {old} {new}"));
    }
    let docs = tree.at("docs");
    for (directory, arguments, prefix) in
        [(tree.path(), "HEAD --check --root docs", "docs/"), (&docs, "HEAD --check", "")]
    {
        let (found, said) = follow(directory, 1, arguments);
        assert_eq!(found, format!("{prefix}index.html:1:9: a.html: moved to b.html\n"));
        said.has("out.html: moved to ");
        said.has("in.html: moved here from ");
        said.has("help: use --root DIR with a directory that contains both");
        assert_eq!(said.matches("outside of the root").count(), 2, "{said}");
    }
    // By way of a symbolic link.
    #[cfg(unix)]
    {
        let other = Tree::empty();
        let link = other.path().join("link");
        std::os::unix::fs::symlink(&docs, &link).expect("a link");
        let (found, _) = follow(&link, 1, "HEAD --check");
        assert_eq!(found, "index.html:1:9: a.html: moved to b.html\n");
    }
}

#[cfg(unix)]
pub(crate) fn names_of_any_bytes_are_followed() {
    use std::os::unix::ffi::OsStrExt;
    let names: [(&[u8], &[u8], &str, &str); 4] = [
        (b"a b.html", b"n/a \"b\".html", "a%20b.html", "n/a%20%22b%22.html"),
        (b"\xE9.html", b"n/\xFF.html", "%E9.html", "n/%FF.html"),
        (b"c\nd.html", b"n/e\n\tf.html", "c%0Ad.html", "n/e%0A%09f.html"),
        ("é.html".as_bytes(), "n/ü\\.html".as_bytes(), "é.html", "n/%C3%BC%5C.html"),
    ];
    let link = |to: &str| format!("<a href=\"{to}\">a</a>\n");
    let old: String = names.iter().map(|it| link(it.2)).collect();
    let new: String = names.iter().map(|it| link(it.3)).collect();
    let tree = Tree::new(&[("index.html", &old), ("n/z.html", "")]);
    for (number, (name, ..)) in names.iter().enumerate() {
        let path = tree.at(OsStr::from_bytes(name));
        fs::write(path, format!("<a href=index.html>i</a> {number}\n")).expect("written");
    }
    git(tree.path(), "init --quiet");
    commit(tree.path());
    for (from, to, ..) in names {
        git(tree.path(), ["mv".as_ref(), OsStr::from_bytes(from), OsStr::from_bytes(to)]);
    }
    commit(tree.path());
    follow(tree.path(), 0, "HEAD~1..HEAD -w");
    assert_eq!(tree.read("index.html"), new);
    for (number, (_, name, ..)) in names.iter().enumerate() {
        let path = tree.at(OsStr::from_bytes(name));
        let text = fs::read_to_string(path).expect("text");
        assert_eq!(text, format!("<a href=../index.html>i</a> {number}\n"));
    }
}

pub(crate) fn files_that_were_edited_since_keep_their_updated_links() {
    let text = "<p>Some text, so that git finds the rename.\n".repeat(9);
    let page = format!("{text}<a href=both.html>b</a><a href=c.html>c</a>\n");
    let tree = repository(&[
        ("page.html", &page),
        ("both.html", "1"),
        ("d/both.html", "2"),
        ("c.html", "3"),
    ]);
    git(tree.path(), "mv page.html d/page.html");
    let moved = tree.at("d/page.html");
    // Only a link was updated, so that the other ones were not.
    fs::write(&moved, page.replace("=c.html", "=../c.html")).expect("written");
    commit(tree.path());
    for revision in ["HEAD~1", "HEAD~1..HEAD"] {
        let (found, _) = follow(tree.path(), 1, &format!("{revision} --check"));
        let expected = "d/page.html:10:9: both.html: moved to ../both.html\n";
        assert_eq!(found, expected, "{revision}");
    }
    // With other edits, a link that works stays.
    fs::write(&moved, format!("{page}<p>More text.\n")).expect("written");
    let (found, said) = follow(tree.path(), 1, "HEAD~1 --check");
    let expected = "d/page.html:10:32: c.html: moved to ../c.html\n";
    assert_eq!(found, expected);
    said.has("unchanged: 1 link worked at the old and at the new path");
}

pub(crate) fn what_git_cannot_say_is_explained() {
    let tree = repository(&SITE);
    let refused = |arguments: &str| follow(tree.path(), 2, arguments).1;
    assert_eq!(refused("none"), "rehref: --from-git: git: bad revision 'none'\n");
    let output = tree.at("output");
    for revision in ["--output=output", "-p", "a..none"] {
        let said = rehref(tree.path(), format!("move --from-git={revision}")).ends(2).err;
        said.begins("rehref: --from-git: git: bad revision");
    }
    assert!(!output.exists());
    // Files that are moved without git.
    fs::rename(tree.at("a/x.html"), tree.at("x.html")).expect("renamed");
    let (found, said) = follow(tree.path(), 0, "HEAD --check");
    assert_eq!(found, "");
    assert_eq!(
        said,
        "rehref: --from-git: 1 untracked file: git sees no renames to them\n  help: if one was renamed, add it first: \
         git add --intent-to-add FILE\nrehref: no renames\n"
    );
    git(tree.path(), "add --intent-to-add x.html");
    follow(tree.path(), 1, "HEAD --check");
    // A file that moved on, and a new file at an old path.
    commit(tree.path());
    tree.write("a/x.html", "new");
    fs::rename(tree.at("x.html"), tree.at("z.html")).expect("renamed");
    let (_, said) = follow(tree.path(), 0, "HEAD~1..HEAD --check");
    said.has("a/x.html: moved to x.html, which does not exist now: not followed");

    let bare = Tree::new(&[("a.html", "")]);
    let (_, said) = follow(bare.path(), 2, "HEAD");
    said.has("--from-git: git: not a git repository");
    git(bare.path(), "init --quiet --bare r");
    let (_, said) = follow(&bare.path().join("r"), 2, "HEAD");
    said.has("a git directory, not a work tree");
    // Without git.
    let mut command = isolated(env!("CARGO_BIN_EXE_rehref"), tree.path());
    command.args(["move", "--from-git", "HEAD"]).env("PATH", bare.path());
    Ran::of(&mut command).ends(2).err.begins("rehref: --from-git: git cannot be run");
}

pub(crate) fn shallow_clones_are_named() {
    let tree = repository(&SITE);
    commit(tree.path());
    let clones = Tree::empty();
    let url = format!("file://{}", tree.path().canonicalize().expect("there").display());
    git(clones.path(), format!("clone --quiet --depth 1 {url} c"));
    let clone = clones.at("c");
    let (_, said) = follow(&clone, 2, "HEAD~1");
    said.has("bad revision 'HEAD~1'\n  help: this clone is shallow");
}

#[cfg(unix)]
pub(crate) fn a_hook_sees_what_is_committed() {
    let docs: Vec<(String, &str)> =
        SITE.iter().map(|(path, text)| (format!("docs/{path}"), *text)).collect();
    let docs: Vec<(&str, &str)> = docs.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let tree = repository(&docs);
    let program = env!("CARGO_BIN_EXE_rehref");
    let hook = format!(
        "#!/bin/sh\nexport GIT_DIR=.git\nexec '{program}' move --from-git HEAD --check --root docs\n"
    );
    tree.write_program(".git/hooks/pre-commit", &hook);
    git(tree.path(), "mv docs/a/x.html docs/x.html");
    let mut commit = isolated("git", tree.path());
    Ran::of(commit.args(["commit", "-am", "m"]))
        .ends(1)
        .err
        .has("docs/index.html:1:9: a/x.html: moved to x.html\n");
    follow(tree.path(), 0, "HEAD -w --root docs");
    git(tree.path(), "commit --quiet -am m");
}

/// The first value of a key in a file of the repository, after these words.
fn value_after(file: &str, words: &str, key: &str) -> String {
    let text = fs::read_to_string(file).expect("a file");
    let (_, rest) = text.split_once(words).unwrap_or_else(|| panic!("{file}: no {words}"));
    let mut lines = rest.lines();
    let value = lines.find_map(|it| it.trim_start().strip_prefix(key));
    value.unwrap_or_else(|| panic!("{file}: no {key}")).trim().to_owned()
}

/// A command that finds `rehref` by its name.
fn with_rehref_in_path(program: &str, directory: &Path) -> Command {
    let rehref = Path::new(env!("CARGO_BIN_EXE_rehref"));
    let first = rehref.parent().expect("a directory").to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(first).chain(std::env::split_paths(&path)));
    let mut command = isolated(program, directory);
    command.env("PATH", path.expect("a path"));
    command
}

pub(crate) fn the_action_of_the_guide_fails_where_links_were_left_behind() {
    let origin = repository(&SITE);
    let clones = Tree::empty();
    let url = origin.path().canonicalize().expect("there");
    git(clones.path(), ["clone".as_ref(), "--quiet".as_ref(), url.as_os_str(), "c".as_ref()]);
    let clone = clones.at("c");
    git(&clone, "switch --quiet --create branch");
    git(&clone, "mv a/x.html x.html");
    commit(&clone);
    // The base branch has a new commit.
    fs::write(origin.path().join("new.html"), "").expect("written");
    commit(origin.path());
    git(&clone, "fetch --quiet");
    assert_eq!(value_after("docs/move.md", "runs-on:", "fetch-depth:"), "0");
    let range = value_after("docs/move.md", "runs-on:", "moved-since:");
    let range = range.replace("${{ github.base_ref }}", "main");
    let action = fs::read_to_string("action.yml").expect("the action");
    let (_, run) = action.rsplit_once("run: |\n").expect("a step");
    let step = || {
        let mut shell = isolated("bash", &clone);
        let shell = shell.args(["-euc", run]).env("REHREF", env!("CARGO_BIN_EXE_rehref"));
        Ran::of(shell.env("RANGE", &range).env("ROOT", "."))
    };
    step().ends(1).out.has("index.html:1:9: a/x.html: moved to x.html\n");
    follow(&clone, 0, "origin/main...HEAD -w");
    step().ends(0);
}

/// The settings of pre-commit with the hook of the repository and these arguments.
fn hook(arguments: &str) -> String {
    let entry = value_after(".pre-commit-hooks.yaml", "id: rehref-move", "entry:");
    let name = value_after(".pre-commit-hooks.yaml", "id: rehref-move", "name:");
    format!(
        "repos:\n- repo: local\n  hooks:\n  - {{id: m, name: {name}, entry: {entry}, args: [{arguments}], \
         language: system, always_run: true, pass_filenames: false}}\n"
    )
}

/// A repository with the hook, and a renamed file.
fn repository_with_hook() -> Tree {
    let tree = repository(&[]);
    tree.write(".pre-commit-config.yaml", hook("--check"));
    let tree = tree.with(SITE);
    commit(tree.path());
    git(tree.path(), "mv a/x.html x.html");
    tree
}

#[cfg(unix)]
pub(crate) fn the_hook_of_the_guide_refuses_a_commit() {
    let tree = repository_with_hook();
    let line = value_after("docs/move.md", "needs only the line", "");
    let line = line.trim_matches(['`', '.']);
    tree.write_program(".git/hooks/pre-commit", &format!("#!/bin/sh\n{line}\n"));
    let commit = || {
        let mut git = with_rehref_in_path("git", tree.path());
        Ran::of(git.args(["commit", "-am", "m"]))
    };
    commit().ends(1).err.has("index.html:1:9: a/x.html: moved to x.html\n");
    follow(tree.path(), 0, "HEAD -w");
    commit().ends(0);
    // Before the first commit there are no renames.
    let new = Tree::new(&SITE);
    git(new.path(), "init --quiet");
    let (_, said) = follow(new.path(), 0, "HEAD --check");
    assert_eq!(said, "rehref: no renames\n");
}

pub(crate) fn pre_commit_runs_the_hook_of_the_guide() {
    let tree = repository_with_hook();
    let home = Tree::empty();
    let run = || {
        let mut pre_commit = with_rehref_in_path("pre-commit", tree.path());
        Ran::of(pre_commit.arg("run").env("PRE_COMMIT_HOME", home.path()))
    };
    let found = run().ends(1).out;
    found.has("links follow renamed files");
    found.has("index.html:1:9: a/x.html: moved to x.html\n");
    follow(tree.path(), 0, "HEAD -w");
    git(tree.path(), "add --all");
    run().ends(0);
    // With -w it stops if it updates links.
    commit(tree.path());
    git(tree.path(), "mv x.html y.html");
    tree.write(".pre-commit-config.yaml", hook("-w"));
    git(tree.path(), "add .pre-commit-config.yaml");
    run().ends(1).out.has("files were modified by this hook");
    git(tree.path(), "add --all");
    run().ends(0);
}
