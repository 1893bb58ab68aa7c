//! Traps of runs that write: new trees, moves, journals, diffs.

mod moves;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::tree::{Arguments, Has, Ran, Tree, rehref};

/// Runs `rehref` in a directory. Panics unless it ends with this code. Returns its messages.
#[track_caller]
fn ends(code: i32, directory: &Path, arguments: impl Arguments) -> String {
    Ran::of(&mut rehref(directory, arguments)).ends(code).err
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).expect("readable")
}

const MAP: &str = "--map=http://old.example/=http://new.example/";
const OLD: &str = "<a href=http://old.example/>x</a>\n";
const NEW: &str = "<a href=http://new.example/>x</a>\n";

#[test]
fn new_tree_never_replaces_files_without_force() {
    let files = [
        ("site/a.html", OLD),
        ("site/b.html", OLD),
        ("site/c.css", ""),
        ("site/d/e.html", OLD),
        ("out/a.html", "mine"),
        ("out/d/e.html", "mine"),
        ("out/mine.html", OLD),
    ];
    let tree = Tree::new(&files);
    let command = &*format!("rewrite {MAP} -o out site");
    tree.ends(2, command)
        .has("out: nothing was written: 2 files exist already: a.html, d/e.html")
        .has("--force");
    for (name, content) in files {
        assert_eq!(tree.read(name), content);
    }
    assert!(!tree.has("out/b.html") && !tree.has("out/c.css"));
    tree.ends(0, format!("{command} --force"));
    assert_eq!(tree.read("out/a.html"), NEW);
    assert_eq!(tree.read("out/d/e.html"), NEW);
    assert_eq!(tree.read("out/mine.html"), OLD);
}

#[test]
fn new_tree_in_an_empty_directory_is_written_once() {
    let tree = Tree::new(&[("site/1.html", OLD), ("site/2.html", OLD)]);
    for number in 3..=5 {
        tree.write(format!("site/{number}.html"), OLD);
    }
    tree.make("out");
    let command = &*format!("rewrite {MAP} -o out site");
    tree.ends(0, command);
    tree.ends(2, command).has("5 files exist already: 1.html, 2.html, 3.html and 2 more");
}

#[test]
fn new_tree_refuses_files_and_directories_that_would_replace_each_other() {
    for option in ["", "--force"] {
        let tree = Tree::new(&[("site/a/b", ""), ("site/c", ""), ("out/a", "mine")]);
        let command = &*format!("rewrite {MAP} -o out site {option}");
        tree.ends(2, command).has("out/a: not a directory");
        assert!(!tree.has("out/c"));
        tree.remove("out/a");
        tree.make("out/c");
        tree.ends(2, command).has("site/c would be at the path of out/c, a directory");
        assert!(!tree.has("out/a"));
    }
}

#[cfg(unix)]
#[test]
fn new_tree_is_written_again_over_its_symbolic_links() {
    let tree = Tree::new(&[("site/a.html", OLD), ("outside.html", OLD)]);
    let outside = tree.at("outside.html");
    tree.symlink(&outside, "site/link.html");
    tree.ends(0, format!("rewrite {MAP} site -o new"));
    tree.ends(2, format!("rewrite {MAP} site -o new")).has("exist already: a.html, link.html");
    tree.ends(0, format!("rewrite {MAP} site -o new --force"));
    assert_eq!(tree.read("new/a.html"), NEW);
    let link = fs::read_link(tree.at("new/link.html")).expect("a link");
    assert_eq!(link, outside);
    assert_eq!(read(outside), OLD);
}

#[test]
fn backup_with_a_name_that_is_too_long_refuses_the_file_and_not_the_run() {
    let long = format!("{}.html", "x".repeat(249));
    let tree = Tree::new(&[("a.html", OLD), (&long, OLD)]);
    let arguments = format!("rewrite {MAP} -w --backup .");
    tree.ends(2, arguments).has("too long");
    assert_eq!(tree.read("a.html"), NEW);
    assert_eq!(tree.read(&long), OLD);
    tree.ends(0, "rewrite --undo").has("undone: 1 link");
    assert_eq!(tree.read("a.html"), OLD);
}

#[test]
fn unwritable_output_directory_is_one_error() {
    let tree = Tree::new(&[("site/a.html", OLD), ("site/b.html", OLD), ("f", "")]);
    for (out, what) in [("f", "f: not a directory"), ("f/x", "f: not a directory")] {
        let messages = tree.ends(2, format!("rewrite {MAP} -o {out} site"));
        assert_eq!(messages, format!("rehref: {what}\n"));
    }
    #[cfg(target_os = "linux")]
    {
        let messages = tree.ends(2, format!("rewrite {MAP} -o /proc/self site"));
        assert_eq!(messages.lines().count(), 1, "{messages}");
        messages.has("/proc/self: cannot write");
    }
    #[cfg(unix)]
    {
        tree.symlink("none", "dangling");
        let messages = tree.ends(2, format!("rewrite {MAP} -o dangling site"));
        assert_eq!(messages.lines().count(), 1, "{messages}");
        tree.make("out");
        tree.set_mode("out", 0o555);
        // The superuser may write anywhere.
        if fs::write(tree.at("out/probe"), "").is_err() {
            let messages = tree.ends(2, format!("rewrite {MAP} -o out site"));
            assert_eq!(messages.lines().count(), 1, "{messages}");
            messages.has("out: cannot write");
        }
        tree.set_mode("out", 0o755);
    }
}

#[cfg(unix)]
#[test]
fn interrupted_new_tree_says_that_it_is_incomplete() {
    use std::time::Duration;
    let tree = Tree::new(&[("site/a.html", OLD)]);
    let root = tree.path();
    // Files that take a while.
    let large = OLD.repeat(30_000);
    for number in 0..40 {
        tree.write(format!("site/{number}.html"), &large);
    }
    let arguments = format!("rewrite {MAP} -j1 -o out site");
    let mut command = rehref(root, &arguments);
    let child = command.stderr(Stdio::piped()).spawn();
    let mut child = child.expect("rehref runs");
    while !tree.has("out/0.html") {
        let ended = child.try_wait().expect("a state");
        assert!(ended.is_none(), "{ended:?} before the first file");
        std::thread::sleep(Duration::from_millis(1));
    }
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("kill runs").success());
    let messages = Ran::from(child.wait_with_output().expect("ended")).ends(130).err;
    let count = tree.count("out");
    messages.has(format!("interrupted: wrote {count} of 41 files to out: the tree is incomplete"));
    let new = NEW.repeat(30_000);
    for entry in fs::read_dir(tree.at("out")).expect("a tree") {
        let path = entry.expect("there").path();
        assert!(read(&path) == new, "{} is not whole", path.display());
    }
}

#[test]
fn undo_and_resume_find_the_run_of_a_directory_above() {
    let files = [("site/a.html", OLD), ("site/sub/deep/b.html", OLD)];
    let tree = Tree::new(&files);
    let root = tree.path();
    let (site, deep) = (tree.at("site"), tree.at("site/sub/deep"));
    let named = format!("{}: the last run is in this directory\n", site.display());
    let is_old = || files.iter().all(|(name, old)| tree.read(name) == *old);
    for (directory, arguments) in [
        (&*deep, "rewrite --undo"),
        (root, "rewrite --undo site/sub"),
        (root, "rewrite --undo site/sub/deep/b.html"),
        (&deep, "move --undo"),
    ] {
        tree.ends(0, format!("rewrite -w {MAP} site"));
        assert!(!is_old());
        let messages = ends(0, directory, arguments);
        let before = messages.find(&named).expect("the directory is named");
        assert!(before < messages.find("undone: 2 links").expect("a summary"));
        assert!(is_old(), "{arguments:?}");
        assert!(!site.join(".rehref").exists());
    }
    // Nothing is named if the run is where the user is.
    tree.ends(0, format!("rewrite -w {MAP} site"));
    ends(2, &deep, "rewrite --resume").has("no interrupted run");
    let messages = ends(0, &site, "rewrite --undo");
    assert_eq!(messages, "rehref: undone: 2 links in 2 files\n");
    // An explicit root is that root.
    tree.ends(0, format!("rewrite -w {MAP} site"));
    ends(2, &site, "rewrite --undo --root sub").has("sub: there is no run to undo");
    ends(2, &site, "move --undo --root sub");
    // A run below is not found, but the message says what to do.
    tree.ends(2, "rewrite --undo").has("name the directory");
    tree.ends(0, "rewrite --undo site");
}

#[test]
fn undo_takes_the_nearest_run() {
    let tree = Tree::new(&[("a.html", OLD), ("sub/b.html", OLD), ("sub/c/d", "")]);
    tree.ends(0, format!("rewrite -w {MAP} a.html"));
    tree.ends(0, format!("rewrite -w {MAP} sub"));
    ends(0, &tree.at("sub/c"), "rewrite --undo");
    assert_eq!(tree.read("sub/b.html"), OLD);
    assert_eq!(tree.read("a.html"), NEW);
    ends(0, &tree.at("sub/c"), "rewrite --undo");
    assert_eq!(tree.read("a.html"), OLD);
}

#[cfg(unix)]
#[test]
fn journal_in_a_shared_parent_is_not_used() {
    use std::os::unix::fs::chown;
    let tree = Tree::new(&[("site/a.html", OLD), ("mine/x/y", "")]);
    let (site, mine) = (tree.at("site"), tree.at("mine/x"));
    tree.ends(0, format!("rewrite -w {MAP} site"));
    let state = site.join(".rehref");
    let unused = |directory: &Path| {
        ends(2, directory, "rewrite --undo").has("there is no run to undo");
        assert_eq!(read(site.join("a.html")), NEW);
    };
    tree.make("site/sub");
    for path in [&state, &state.join("journal")] {
        let old = tree.mode(path);
        tree.set_mode(path, old | 0o022);
        unused(&site.join("sub"));
        tree.set_mode(path, old);
        // Only the superuser can give it to another user.
        if chown(path, Some(12345), None).is_ok() {
            unused(&site.join("sub"));
            chown(path, Some(0), None).expect("an owner");
        }
    }
    tree.symlink(&state, "mine/.rehref");
    unused(&mine);
    // A copy of the state has the right owner, but was written for another directory.
    tree.remove("mine/.rehref");
    tree.rename(&state, "mine/.rehref");
    ends(2, &mine, "rewrite --undo").has("the journal does not belong to this directory");
    assert_eq!(read(site.join("a.html")), NEW);
}

#[cfg(unix)]
#[test]
fn summary_has_the_command_that_undoes_the_run() {
    let program = env!("CARGO_BIN_EXE_rehref");
    for name in ["site", "it's one; two", "-w", "a/b c", "."] {
        let tree = Tree::empty();
        let root = tree.path();
        let page = tree.at(name).join("x/a.html");
        for arguments in [&["rewrite", "-w", MAP][..], &["move", "-w", "--root"]] {
            tree.write(&page, OLD);
            let directory = format!("./{name}");
            let (from, to) = (format!("{directory}/x"), format!("{directory}/y"));
            let mut command = [arguments, &[&*directory]].concat();
            if arguments[0] == "move" {
                command.extend([&*from, &*to]);
            }
            let messages = tree.ends(0, &command);
            let (_, undo) = messages.split_once("undo with: rehref ").expect("a command");
            assert!(!page.exists() || read(&page) == NEW);
            let script = format!("exec \"$0\" {undo}");
            let mut shell = Command::new("sh");
            Ran::of(shell.args(["-c", &script, program]).current_dir(root)).ends(0);
            assert_eq!(read(&page), OLD, "{undo}");
        }
    }
}

/// The name of the first file in a diff.
fn name_in_diff(directory: &Path, arguments: &str) -> (String, String) {
    let diff = Ran::of(&mut rehref(directory, arguments)).out;
    let name = diff.lines().find_map(|it| it.strip_prefix("--- "));
    (name.expect("a diff").to_owned(), diff)
}

#[test]
fn diffs_name_files_from_the_current_directory_or_the_named_root() {
    let files = [("a/b/x.html", OLD), ("a/c/y.html", ""), ("d/z.html", OLD)];
    let tree = Tree::new(&files);
    let root = tree.path();
    let here = tree.at("a/b");
    let page = here.join("x.html");
    for path in
        ["x.html", "./x.html", "../b/x.html", ".", "../b/../b/.", page.to_str().expect("UTF-8")]
    {
        let (name, diff) = name_in_diff(&here, &format!("rewrite {MAP} {path}"));
        assert_eq!(name, "a/x.html", "{path}");
        diff.begins("--- ");
    }
    let header = |directory: &Path| format!("# Apply this in {}\n", directory.display());
    for paths in ["../../d", "../../d/z.html"] {
        let (name, diff) = name_in_diff(&here, &format!("rewrite {MAP} {paths}"));
        assert_eq!(name, "a/z.html");
        diff.begins(header(&tree.at("d")));
    }
    let (name, diff) = name_in_diff(&here, &format!("rewrite {MAP} x.html ../../d"));
    assert_eq!(name, "a/a/b/x.html");
    diff.has("\n--- a/d/z.html\n");
    diff.begins(header(root));
    // The same for moves.
    let link = "<a href=../c/y.html>";
    tree.write(&page, link);
    for (directory, part, is_here) in
        [(&*here, "..", false), (root, "a", true), (root, "./d/../a", true)]
    {
        let (from, to) = (format!("{part}/c/y.html"), format!("{part}/c/w.html"));
        let (name, diff) = name_in_diff(directory, &format!("move --root {part} {from} {to}"));
        assert_eq!(name, if is_here { "a/a/b/x.html" } else { "a/b/x.html" });
        assert_eq!(diff.starts_with(&header(&tree.at("a"))), !is_here, "{diff}");
    }
}
