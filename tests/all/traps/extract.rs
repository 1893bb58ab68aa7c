//! What users of ripgrep expect of `rehref extract`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::terminal::printed_on_terminal;

fn rehref(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rehref"));
    command.current_dir(directory).args(arguments);
    command
}

fn run(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = rehref(directory, arguments);
    command.stdin(Stdio::null()).output().expect("rehref runs")
}

/// What a successful command prints.
fn printed(directory: &Path, arguments: &[&str]) -> String {
    let output = run(directory, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// A directory with these files.
fn files(files: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for (name, content) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, content).expect("written");
    }
    directory
}

const MAILBOX: &str = "From a Mon Jul 21 10:00:00 1997\nSubject: x\n\nhttp://a.example/1\n\n\
                       From b Mon Jul 21 11:00:00 1997\nSubject: y\n\nhttp://a.example/2\n";

#[test]
fn files_with_links_are_named_once_each_also_mailboxes() {
    let directory = files(&[
        ("a.txt", "http://a.example/ http://b.example/\n"),
        ("b.txt", "no link\n"),
        ("list.mbox", MAILBOX),
        ("c d.txt", "http://b.example/\n"),
    ]);
    let directory = directory.path();
    assert_eq!(
        printed(
            directory,
            &["extract", "-l", "a.txt", "b.txt", "list.mbox", "c d.txt"]
        ),
        "a.txt\nlist.mbox\nc d.txt\n"
    );
    let filtered = [
        "extract",
        "-l0",
        "--host",
        "b.example",
        "a.txt",
        "list.mbox",
        "c d.txt",
    ];
    assert_eq!(printed(directory, &filtered), "a.txt\0c d.txt\0");
}

#[test]
fn first_link_of_a_long_input_is_enough_to_name_it() {
    let directory = files(&[]);
    let line = "http://a.example/ and more words on the line\n";
    for (name, content) in [
        ("long.txt", line.repeat(400_000)),
        ("long.mbox", MAILBOX.repeat(20_000)),
    ] {
        fs::write(directory.path().join(name), content).expect("written");
    }
    let names = printed(
        directory.path(),
        &["extract", "-l", "long.txt", "long.mbox"],
    );
    assert_eq!(names, "long.txt\nlong.mbox\n");
    // A pipe is not read to its end: its writer fails once rehref has ended.
    let mut child = rehref(directory.path(), &["extract", "-l", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("rehref runs");
    let mut stdin = child.stdin.take().expect("piped");
    let chunk = line.repeat(1 << 12);
    let is_refused =
        (0..1 << 12).any(|_| std::io::Write::write_all(&mut stdin, chunk.as_bytes()).is_err());
    assert!(is_refused, "all of 800 MB was read");
    let output = child.wait_with_output().expect("rehref ends");
    assert_eq!(output.stdout, b"-\n");
}

#[test]
fn names_are_printed_on_a_terminal_for_several_inputs_and_never_in_a_pipe() {
    let directory = files(&[
        ("site/a.txt", "http://a.example/\n"),
        ("b.txt", "http://b.example/\n"),
    ]);
    let directory = directory.path();
    let cases: [(&[&str], &str, &str); 6] = [
        (&["b.txt"], "http://b.example/\n", "http://b.example/\n"),
        (
            &["site"],
            "site/a.txt:http://a.example/\n",
            "http://a.example/\n",
        ),
        (
            &["site/a.txt", "b.txt"],
            "site/a.txt:http://a.example/\nb.txt:http://b.example/\n",
            "http://a.example/\nhttp://b.example/\n",
        ),
        (
            &["-I", "site"],
            "http://a.example/\n",
            "http://a.example/\n",
        ),
        (
            &["-IH", "site"],
            "site/a.txt:http://a.example/\n",
            "site/a.txt:http://a.example/\n",
        ),
        (&["-c", "site", "b.txt"], "2\n", "2\n"),
    ];
    for (arguments, on_terminal, in_pipe) in cases {
        let arguments = [&["extract", "--color", "never"], arguments].concat();
        let shown = printed_on_terminal(&mut rehref(directory, &arguments));
        assert_eq!(shown, on_terminal, "{arguments:?}");
        assert_eq!(printed(directory, &arguments), in_pipe, "{arguments:?}");
    }
}

#[test]
fn case_is_ignored_in_patterns_only_with_the_option() {
    let directory = files(&[("a.txt", "http://a.example/News\nhttp://A.EXAMPLE/old\n")]);
    let directory = directory.path();
    let with =
        |arguments: &[&str]| printed(directory, &[&["extract", "a.txt"], arguments].concat());
    assert_eq!(with(&["--match", "news"]), "");
    assert_eq!(with(&["--match", "news", "-i"]), "http://a.example/News\n");
    assert_eq!(
        with(&["--exclude-match", "NEWS|example/$", "-i"]),
        "http://A.EXAMPLE/old\n"
    );
    assert_eq!(
        with(&["--host", "a.example"]).lines().count(),
        2,
        "hosts have no case"
    );
}

#[test]
fn excluded_hosts_and_patterns_are_left_out_and_links_without_host_stay() {
    let links = "<a href='http://a.example/'><a href='http://www.b.example/'><a href='/c'><a href='mailto:x@a.example'>";
    let directory = files(&[("a.html", links)]);
    let directory = directory.path();
    let arguments = [
        "extract",
        "--exclude-host",
        "a.example,*.b.example",
        "a.html",
    ];
    assert_eq!(printed(directory, &arguments), "/c\nmailto:x@a.example\n");
    let arguments = ["extract", "--exclude-match", "^mailto:|/c$", "a.html"];
    assert_eq!(
        printed(directory, &arguments),
        "http://a.example/\nhttp://www.b.example/\n"
    );
}

#[test]
fn count_has_a_record_for_each_file_with_links_in_json_and_csv() {
    let directory = files(&[
        ("a.txt", "http://a.example/ http://a.example/\n"),
        ("b.txt", "no link\n"),
        ("list.mbox", MAILBOX),
    ]);
    let directory = directory.path();
    let all = ["a.txt", "b.txt", "list.mbox"];
    let with = |arguments: &[&str]| printed(directory, &[&["extract"], arguments, &all].concat());
    assert_eq!(
        with(&["-c", "--json"]),
        "{\"type\":\"count\",\"doc\":\"a.txt\",\"links\":2}\n\
         {\"type\":\"count\",\"doc\":\"list.mbox\",\"links\":2}\n\
         {\"type\":\"summary\",\"docs\":6,\"links\":4,\"warnings\":0,\"messages\":2}\n"
    );
    assert_eq!(
        with(&["-c", "--format", "csv"]),
        "doc,links\na.txt,2\nlist.mbox,2\n"
    );
    assert_eq!(
        with(&["-c", "-u", "--format", "csv"]),
        "doc,links\na.txt,1\nlist.mbox,2\n"
    );
    assert_eq!(with(&["-cuH"]), "a.txt:1\nlist.mbox:2\n");
    assert_eq!(with(&["-cq", "--json"]), "");
}
