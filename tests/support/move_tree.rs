//! A small site in a temporary directory, and runs of `rehref` in it.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A tree in a temporary directory.
pub(crate) struct Tree(tempfile::TempDir);

pub(crate) type Files = BTreeMap<String, String>;

impl Tree {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let tree = Self(tempfile::tempdir().expect("a directory"));
        for (path, text) in files {
            let path = tree.path().join(path);
            fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
            fs::write(path, text).expect("written");
        }
        tree
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn files(&self) -> Files {
        let walk = walkdir::WalkDir::new(self.path()).into_iter();
        let entries =
            walk.filter_entry(|it| it.file_name() != ".rehref" && it.file_name() != ".git");
        let files = entries.map(|it| it.expect("there")).filter(|it| !it.file_type().is_dir());
        let content = |path: &Path| match fs::read_link(path) {
            Ok(to) => format!("-> {}", to.display()),
            Err(_) => fs::read_to_string(path).expect("text"),
        };
        let name = |path: &Path| {
            let below = path.strip_prefix(self.path()).expect("below");
            below.to_str().expect("UTF-8").to_owned()
        };
        files.map(|it| (name(it.path()), content(it.path()))).collect()
    }

    pub(crate) fn rehref(&self, arguments: &[impl AsRef<OsStr>]) -> Output {
        self.rehref_reading(arguments, b"")
    }

    /// Runs `rehref` with these bytes on its standard input.
    pub(crate) fn rehref_reading(&self, arguments: &[impl AsRef<OsStr>], input: &[u8]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rehref"));
        command
            .args(arguments)
            .current_dir(self.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("rehref runs");
        let stdin = child.stdin.take();
        // A process that reads nothing may have ended already.
        let _ = stdin.expect("piped").write_all(input);
        child.wait_with_output().expect("rehref ends")
    }

    /// Runs `rehref`. Panics unless it ends with this code. Returns its standard error.
    #[track_caller]
    pub(crate) fn ends(&self, code: i32, arguments: &[impl AsRef<OsStr>]) -> String {
        ended(code, &self.rehref(arguments))
    }
}

/// Returns the standard error of a run. Panics unless it ended with this code.
#[track_caller]
pub(crate) fn ended(code: i32, output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{said}");
    said
}

pub(crate) const SITE: [(&str, &str); 5] = [
    ("index.html", "<a href=a/x.html>x</a><a href=a/>a</a><img src='p 1.png'>"),
    ("a/x.html", "<a href=../index.html>up</a><a href=y.html#f>y</a><img src=../p%201.png>"),
    ("a/y.html", "<p id=f><a href=x.html>x</a>"),
    ("a/index.html", "<a href=./>here</a>"),
    ("p 1.png", ""),
];
