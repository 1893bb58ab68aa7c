//! Rules, bases and filters that look right and would match nothing, or something else.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The result of a run: its exit code, and what it printed.
struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Ran {
    /// Asserts that the run ends with 0, and returns the lines on standard output.
    #[track_caller]
    fn lines(&self) -> Vec<&str> {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        self.stdout.lines().collect()
    }

    /// Asserts that the run ends with 2 and prints nothing on standard output.
    #[track_caller]
    fn refused(&self) -> &str {
        assert_eq!((self.code, &*self.stdout), (Some(2), ""), "{}", self.stderr);
        &self.stderr
    }
}

/// Runs the command in a directory.
fn run(directory: &Path, arguments: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rehref"));
    command.args(arguments).current_dir(directory);
    let output = command.stdin(Stdio::null()).output().expect("rehref runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Ran {
        code: output.status.code(),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// A directory with these files.
fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, text).expect("written");
    }
    directory
}

const PAGE: &str = "<a href=http://a.example/1>1</a> <a href=HTTPS://B.example:8/2>2</a> \
                    <a href=ftp://c.example/3>3</a>";

#[test]
fn scheme_filter_may_have_a_colon_or_capitals() {
    let tree = tree(&[("page.html", PAGE)]);
    let extract = |schemes| run(tree.path(), &["extract", "--scheme", schemes, "page.html"]);
    for schemes in ["http:,ftp", "HTTP,Ftp:", "http://,ftp://"] {
        let found = ["http://a.example/1", "ftp://c.example/3"];
        assert_eq!(extract(schemes).lines(), found, "{schemes}");
    }
    for invalid in ["http,", "ht tp", "http://a.example", "*"] {
        let message = extract(invalid);
        assert!(message.refused().contains("is not a scheme"), "{invalid}");
    }
}

#[test]
fn hosts_are_a_list_and_more_than_a_host_is_refused() {
    let tree = tree(&[("page.html", PAGE)]);
    let extract = |hosts| run(tree.path(), &["extract", "--host", hosts, "page.html"]);
    let found = ["http://a.example/1", "HTTPS://B.example:8/2"];
    assert_eq!(extract("a.example,b.example").lines(), found);
    assert_eq!(extract("{a,b}.example").lines(), found);
    assert_eq!(extract("[a,b].example").lines(), found);
    for (invalid, way_out) in [
        ("http://a.example/", "write \"a.example\""),
        ("a.example/b", "write \"a.example\""),
        ("b.example:8", "write \"b.example\""),
        ("a.example,", "is not a host"),
        ("[", "unclosed"),
    ] {
        let message = extract(invalid);
        assert!(message.refused().contains(way_out), "{}", message.stderr);
    }
}

#[test]
fn globs_with_an_exclamation_mark_leave_out_what_they_match() {
    let tree = tree(&[
        ("a.html", "<a href=http://h.example/a>"),
        ("d/b.html", "<a href=http://h.example/b>"),
        ("d/c.txt", "http://h.example/c"),
    ]);
    let extract = |arguments: &[&str]| {
        let arguments = [&["extract"], arguments, &["."]].concat();
        let ran = run(tree.path(), &arguments);
        let lines = ran.lines();
        lines
            .iter()
            .map(|line| line[line.len() - 1..].to_owned())
            .collect::<String>()
    };
    assert_eq!(extract(&["-g", "*.html"]), "ab");
    assert_eq!(extract(&["-g", "!*.html"]), "c");
    assert_eq!(extract(&["-g", "*.html", "-g", "!d"]), "a");
    assert_eq!(extract(&["-g", "!b.*"]), "ac");
    assert_eq!(extract(&["-g", "!d/*", "-g", "d/b.*"]), "b");
    assert_eq!(
        extract(&["--exclude", "*.html", "--exclude", "!a.html"]),
        "ac"
    );
}

#[test]
fn globs_that_match_nothing_are_refused_or_named() {
    let tree = tree(&[("a.html", "<a href=http://h.example/a>")]);
    for invalid in ["[", "../*.html", "a//b", "", "!"] {
        run(tree.path(), &["extract", "-g", invalid, "."]).refused();
    }
    let message = run(tree.path(), &["extract", "--exclude", "!a.html", "."]);
    assert!(message.refused().contains("is no earlier --exclude"));
    let absolute = tree.path().canonicalize().expect("a path").join("*.html");
    let absolute = absolute.to_str().expect("UTF-8");
    let ran = run(tree.path(), &["extract", "-g", absolute, "."]);
    assert_eq!(ran.lines(), [""; 0]);
    assert!(
        ran.stderr.contains("below the directory that is walked"),
        "{}",
        ran.stderr
    );
    // A `/` at the beginning means the directory that is walked.
    let ran = run(tree.path(), &["extract", "-g", "/a.*", "."]);
    assert_eq!((ran.lines().len(), &*ran.stderr), (1, ""));
}
