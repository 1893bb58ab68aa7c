//! Traps of runs that write: new trees, moves, journals, diffs.

mod moves;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::{files, rehref};

/// Runs `rehref` in a directory. Panics unless it ends with this code. Returns its messages.
#[track_caller]
fn ends(code: i32, directory: &Path, arguments: &[&str]) -> String {
    messages_of(code, rehref(directory, arguments).output())
}

#[track_caller]
fn messages_of(code: i32, output: std::io::Result<Output>) -> String {
    let output = output.expect("rehref runs");
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{messages}");
    messages
}

#[track_caller]
fn says(messages: &str, what: &str) {
    assert!(messages.contains(what), "{what:?} is not said: {messages}");
}

/// A directory with these files, and its canonical path.
fn with_files(content: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
    let directory = files(content);
    let root = directory.path().canonicalize().expect("a path");
    (directory, root)
}

fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    let content = fs::read_to_string(path);
    content.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
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
    let (_directory, root) = with_files(&files);
    let command = ["rewrite", MAP, "-o", "out", "site"];
    let messages = ends(2, &root, &command);
    says(&messages, "out: nothing was written: 2 files exist already: a.html, d/e.html");
    says(&messages, "--force");
    for (name, content) in files {
        assert_eq!(read(root.join(name)), content);
    }
    assert!(!root.join("out/b.html").exists() && !root.join("out/c.css").exists());
    ends(0, &root, &[&command[..], &["--force"]].concat());
    assert_eq!(read(root.join("out/a.html")), NEW);
    assert_eq!(read(root.join("out/d/e.html")), NEW);
    assert_eq!(read(root.join("out/mine.html")), OLD);
}

#[test]
fn new_tree_in_an_empty_directory_is_written_once() {
    let (_directory, root) = with_files(&[("site/1.html", OLD), ("site/2.html", OLD)]);
    for number in 3..=5 {
        fs::write(root.join(format!("site/{number}.html")), OLD).expect("written");
    }
    fs::create_dir(root.join("out")).expect("a directory");
    let command = ["rewrite", MAP, "-o", "out", "site"];
    ends(0, &root, &command);
    let messages = ends(2, &root, &command);
    says(&messages, "5 files exist already: 1.html, 2.html, 3.html and 2 more");
}

#[test]
fn new_tree_refuses_files_and_directories_that_would_replace_each_other() {
    for option in [None, Some("--force")] {
        let (_directory, root) = with_files(&[("site/a/b", ""), ("site/c", ""), ("out/a", "mine")]);
        let mut command = vec!["rewrite", MAP, "-o", "out", "site"];
        command.extend(option);
        says(&ends(2, &root, &command), "out/a: not a directory");
        assert!(!root.join("out/c").exists());
        fs::remove_file(root.join("out/a")).expect("removed");
        fs::create_dir(root.join("out/c")).expect("a directory");
        let messages = ends(2, &root, &command);
        says(&messages, "site/c would be at the path of out/c, a directory");
        assert!(!root.join("out/a").exists());
    }
}

#[cfg(unix)]
#[test]
fn new_tree_is_written_again_over_its_symbolic_links() {
    let (_directory, root) = with_files(&[("site/a.html", OLD), ("outside.html", OLD)]);
    let outside = root.join("outside.html");
    std::os::unix::fs::symlink(&outside, root.join("site/link.html")).expect("a link");
    ends(0, &root, &["rewrite", MAP, "site", "-o", "new"]);
    let refusal = ends(2, &root, &["rewrite", MAP, "site", "-o", "new"]);
    says(&refusal, "exist already: a.html, link.html");
    ends(0, &root, &["rewrite", MAP, "site", "-o", "new", "--force"]);
    assert_eq!(read(root.join("new/a.html")), NEW);
    let link = fs::read_link(root.join("new/link.html")).expect("a link");
    assert_eq!(link, outside);
    assert_eq!(read(outside), OLD);
}

#[test]
fn backup_with_a_name_that_is_too_long_refuses_the_file_and_not_the_run() {
    let long = format!("{}.html", "x".repeat(249));
    let (_directory, root) = with_files(&[("a.html", OLD), (&long, OLD)]);
    let arguments = ["rewrite", MAP, "-w", "--backup", "."];
    says(&ends(2, &root, &arguments), "too long");
    assert_eq!(read(root.join("a.html")), NEW);
    assert_eq!(read(root.join(&long)), OLD);
    says(&ends(0, &root, &["rewrite", "--undo"]), "undone: 1 link");
    assert_eq!(read(root.join("a.html")), OLD);
}

#[test]
fn unwritable_output_directory_is_one_error() {
    let (_directory, root) = with_files(&[("site/a.html", OLD), ("site/b.html", OLD), ("f", "")]);
    for (out, what) in [("f", "f: not a directory"), ("f/x", "f: not a directory")] {
        let messages = ends(2, &root, &["rewrite", MAP, "-o", out, "site"]);
        assert_eq!(messages, format!("rehref: {what}\n"));
    }
    #[cfg(target_os = "linux")]
    {
        let messages = ends(2, &root, &["rewrite", MAP, "-o", "/proc/self", "site"]);
        assert_eq!(messages.lines().count(), 1, "{messages}");
        says(&messages, "/proc/self: cannot write");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        symlink("none", root.join("dangling")).expect("a link");
        let messages = ends(2, &root, &["rewrite", MAP, "-o", "dangling", "site"]);
        assert_eq!(messages.lines().count(), 1, "{messages}");
        let out = root.join("out");
        fs::create_dir(&out).expect("a directory");
        fs::set_permissions(&out, fs::Permissions::from_mode(0o555)).expect("a mode");
        // The superuser may write anywhere.
        if fs::write(out.join("probe"), "").is_err() {
            let messages = ends(2, &root, &["rewrite", MAP, "-o", "out", "site"]);
            assert_eq!(messages.lines().count(), 1, "{messages}");
            says(&messages, "out: cannot write");
        }
        fs::set_permissions(&out, fs::Permissions::from_mode(0o755)).expect("a mode");
    }
}

#[cfg(unix)]
#[test]
fn interrupted_new_tree_says_that_it_is_incomplete() {
    use std::time::Duration;
    let (_directory, root) = with_files(&[("site/a.html", OLD)]);
    // Files that take a while.
    let large = OLD.repeat(30_000);
    for number in 0..40 {
        fs::write(root.join(format!("site/{number}.html")), &large).expect("written");
    }
    let arguments = ["rewrite", MAP, "-j1", "-o", "out", "site"];
    let mut command = rehref(&root, &arguments);
    let child = command.stderr(Stdio::piped()).spawn();
    let mut child = child.expect("rehref runs");
    while !root.join("out/0.html").exists() {
        let ended = child.try_wait().expect("a state");
        assert!(ended.is_none(), "{ended:?} before the first file");
        std::thread::sleep(Duration::from_millis(1));
    }
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("kill runs").success());
    let messages = messages_of(130, child.wait_with_output());
    let count = fs::read_dir(root.join("out")).expect("a tree").count();
    says(
        &messages,
        &format!("interrupted: wrote {count} of 41 files to out: the tree is incomplete"),
    );
    let new = NEW.repeat(30_000);
    for entry in fs::read_dir(root.join("out")).expect("a tree") {
        let path = entry.expect("there").path();
        assert!(read(&path) == new, "{} is not whole", path.display());
    }
}

#[test]
fn undo_and_resume_find_the_run_of_a_directory_above() {
    let files = [("site/a.html", OLD), ("site/sub/deep/b.html", OLD)];
    let (_directory, root) = with_files(&files);
    let (site, deep) = (root.join("site"), root.join("site/sub/deep"));
    let named = format!("{}: the last run is in this directory\n", site.display());
    let is_old = || files.iter().all(|(name, old)| read(root.join(name)) == *old);
    for (directory, arguments) in [
        (&deep, &["rewrite", "--undo"][..]),
        (&root, &["rewrite", "--undo", "site/sub"]),
        (&root, &["rewrite", "--undo", "site/sub/deep/b.html"]),
        (&deep, &["move", "--undo"]),
    ] {
        ends(0, &root, &["rewrite", "-w", MAP, "site"]);
        assert!(!is_old());
        let messages = ends(0, directory, arguments);
        let before = messages.find(&named).expect("the directory is named");
        assert!(before < messages.find("undone: 2 links").expect("a summary"));
        assert!(is_old(), "{arguments:?}");
        assert!(!site.join(".rehref").exists());
    }
    // Nothing is named if the run is where the user is.
    ends(0, &root, &["rewrite", "-w", MAP, "site"]);
    says(&ends(2, &deep, &["rewrite", "--resume"]), "no interrupted run");
    let messages = ends(0, &site, &["rewrite", "--undo"]);
    assert_eq!(messages, "rehref: undone: 2 links in 2 files\n");
    // An explicit root is that root.
    ends(0, &root, &["rewrite", "-w", MAP, "site"]);
    let messages = ends(2, &site, &["rewrite", "--undo", "--root", "sub"]);
    says(&messages, "sub: there is no run to undo");
    ends(2, &site, &["move", "--undo", "--root", "sub"]);
    // A run below is not found, but the message says what to do.
    says(&ends(2, &root, &["rewrite", "--undo"]), "name the directory");
    ends(0, &root, &["rewrite", "--undo", "site"]);
}

#[test]
fn undo_takes_the_nearest_run() {
    let (_directory, root) = with_files(&[("a.html", OLD), ("sub/b.html", OLD), ("sub/c/d", "")]);
    ends(0, &root, &["rewrite", "-w", MAP, "a.html"]);
    ends(0, &root, &["rewrite", "-w", MAP, "sub"]);
    ends(0, &root.join("sub/c"), &["rewrite", "--undo"]);
    assert_eq!(read(root.join("sub/b.html")), OLD);
    assert_eq!(read(root.join("a.html")), NEW);
    ends(0, &root.join("sub/c"), &["rewrite", "--undo"]);
    assert_eq!(read(root.join("a.html")), OLD);
}

#[cfg(unix)]
#[test]
fn journal_in_a_shared_parent_is_not_used() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (_directory, root) = with_files(&[("site/a.html", OLD), ("mine/x/y", "")]);
    let (site, mine) = (root.join("site"), root.join("mine/x"));
    ends(0, &root, &["rewrite", "-w", MAP, "site"]);
    let state = site.join(".rehref");
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
    };
    let unused = |directory: &Path| {
        let messages = ends(2, directory, &["rewrite", "--undo"]);
        says(&messages, "there is no run to undo");
        assert_eq!(read(site.join("a.html")), NEW);
    };
    fs::create_dir(site.join("sub")).expect("a directory");
    for path in [&state, &state.join("journal")] {
        let old = fs::metadata(path).expect("there").permissions().mode();
        mode(path, old | 0o022);
        unused(&site.join("sub"));
        mode(path, old);
        // Only the superuser can give it to another user.
        if std::os::unix::fs::chown(path, Some(12345), None).is_ok() {
            unused(&site.join("sub"));
            std::os::unix::fs::chown(path, Some(0), None).expect("an owner");
        }
    }
    symlink(&state, root.join("mine/.rehref")).expect("a link");
    unused(&mine);
    // A copy of the state has the right owner, but was written for another directory.
    fs::remove_file(root.join("mine/.rehref")).expect("removed");
    fs::rename(&state, root.join("mine/.rehref")).expect("moved");
    let messages = ends(2, &mine, &["rewrite", "--undo"]);
    says(&messages, "the journal does not belong to this directory");
    assert_eq!(read(site.join("a.html")), NEW);
}

#[cfg(unix)]
#[test]
fn summary_has_the_command_that_undoes_the_run() {
    let program = env!("CARGO_BIN_EXE_rehref");
    for name in ["site", "it's one; two", "-w", "a/b c", "."] {
        let (_directory, root) = with_files(&[]);
        let page = root.join(name).join("x/a.html");
        fs::create_dir_all(page.parent().expect("a directory")).expect("a directory");
        for (arguments, old) in
            [(&["rewrite", "-w", MAP][..], OLD), (&["move", "-w", "--root"][..], OLD)]
        {
            fs::write(&page, old).expect("written");
            let directory = Path::new(".").join(name);
            let directory = directory.to_str().expect("a name");
            let mut command = [arguments, &[directory]].concat();
            let (from, to) = (format!("{directory}/x"), format!("{directory}/y"));
            if arguments[0] == "move" {
                command.extend([&*from, &*to]);
            }
            let messages = ends(0, &root, &command);
            let (_, undo) = messages.split_once("undo with: rehref ").expect("a command");
            assert!(!page.exists() || read(&page) == NEW);
            let script = format!("exec \"$0\" {undo}");
            let mut shell = Command::new("sh");
            shell.args(["-c", &script, program]).current_dir(&root);
            messages_of(0, shell.output());
            assert_eq!(read(&page), OLD, "{undo}");
        }
    }
}

/// The name of the first file in a diff.
fn name_in_diff(directory: &Path, arguments: &[&str]) -> (String, String) {
    let output = rehref(directory, arguments).output().expect("rehref runs");
    let diff = String::from_utf8(output.stdout).expect("UTF-8");
    let name = diff.lines().find_map(|it| it.strip_prefix("--- "));
    (name.expect("a diff").to_owned(), diff)
}

#[test]
fn diffs_name_files_from_the_current_directory_or_the_named_root() {
    let files = [("a/b/x.html", OLD), ("a/c/y.html", ""), ("d/z.html", OLD)];
    let (_directory, root) = with_files(&files);
    let here = root.join("a/b");
    let page = here.join("x.html");
    for path in
        ["x.html", "./x.html", "../b/x.html", ".", "../b/../b/.", page.to_str().expect("UTF-8")]
    {
        let (name, diff) = name_in_diff(&here, &["rewrite", MAP, path]);
        assert_eq!(name, "a/x.html", "{path}");
        assert!(diff.starts_with("--- "), "{diff}");
    }
    let header = |directory: &Path| format!("# Apply this in {}\n", directory.display());
    for paths in [&["../../d"][..], &["../../d/z.html"]] {
        let (name, diff) = name_in_diff(&here, &[&["rewrite", MAP], paths].concat());
        assert_eq!(name, "a/z.html");
        assert!(diff.starts_with(&header(&root.join("d"))), "{diff}");
    }
    let (name, diff) = name_in_diff(&here, &["rewrite", MAP, "x.html", "../../d"]);
    assert_eq!(name, "a/a/b/x.html");
    assert!(diff.contains("\n--- a/d/z.html\n"), "{diff}");
    assert!(diff.starts_with(&header(&root)), "{diff}");
    // The same for moves.
    let link = "<a href=../c/y.html>";
    fs::write(&page, link).expect("written");
    for (directory, tree, is_here) in
        [(&here, "..", false), (&root, "a", true), (&root, "./d/../a", true)]
    {
        let (from, to) = (format!("{tree}/c/y.html"), format!("{tree}/c/w.html"));
        let (name, diff) = name_in_diff(directory, &["move", "--root", tree, &from, &to]);
        assert_eq!(name, if is_here { "a/a/b/x.html" } else { "a/b/x.html" });
        assert_eq!(diff.starts_with(&header(&root.join("a"))), !is_here, "{diff}");
    }
}
