//! Standard streams that fail: each command ends with 2 and a message if its output is lost, except
//! where the reader has closed the pipe.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::tree::{Has, Ran, Tree};

/// Commands that print something, in a directory of [`inputs`]. Each subcommand has a row.
const COMMANDS: &[&str] = &strings![
    "extract a.html" "extract -" "extract --json a.html" "extract --json ."
    "extract --format csv a.html" "extract --format vimgrep a.html" "extract -c a.html"
    "extract -l ." "extract -u -n a.html" "extract --count-by host a.html" "check a.html"
    "check --format jsonl a.html" "check --format github a.html" "check --format junit a.html"
    "check --format sarif a.html" "rewrite --absolute --base http://h/ a.html"
    "rewrite --absolute --base http://h/ --json a.html"
    "rewrite --map a.example=b.example --media html -" "rewrite --map a.example=b.example -"
    "rewrite --map a.example=b.example --diff -"
    "rewrite --map a.example=b.example --json -w a.html"
    "rewrite --map a.example=b.example --json -o out a.html" "move a.html c.html"
    "move --json a.html c.html" "move --json -w a.html c.html" "linkify note.txt" "linkify -"
    "report a.html -o -" "unpack -n --json bakery.warc.gz -o out"
    "unpack --json bakery.warc.gz -o out" "resolve http://a.example/ b"
    "resolve --json http://a.example/ b" "parse http://a.example/" "parse --json -" "man"
    "man extract" "completions bash" "schema" "--help" "-h" "--version" "help" "help move"
    "extract --help" "move -h"
];

fn inputs() -> Tree {
    let tree = Tree::new(&[
        ("a.html", "<a href=b.html>b</a> <a href=http://a.example/>a</a>"),
        ("index.html", "<a href=a.html>a</a>"),
        ("note.txt", "http://a.example/"),
    ]);
    tree.copy("corpus/warc/bakery.warc.gz", "bakery.warc.gz");
    tree
}

/// Runs a command line in a shell, which sets up the streams. Its standard input is a page.
fn shell(tree: &Tree, script: &str) -> Ran {
    Ran::of(&mut in_shell(tree, script))
}

fn in_shell(tree: &Tree, script: &str) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).current_dir(tree.path());
    command.env("REHREF", env!("CARGO_BIN_EXE_rehref"));
    command.stdin(fs::File::open(tree.at("a.html")).expect("a file"));
    command
}

#[test]
fn each_subcommand_has_a_row() {
    let help = shell(&inputs(), "\"$REHREF\" -h").out;
    let (_, list) = help.split_once("Commands:\n").expect("a list");
    let names = list.lines().map_while(|line| line.strip_prefix("  ")?.split(' ').next());
    let rows: BTreeSet<_> = COMMANDS.iter().filter_map(|it| it.split(' ').next()).collect();
    let missing: Vec<_> = names.filter(|name| !rows.contains(name)).collect();
    assert_eq!(missing, [""; 0]);
}

/// Asserts that a command whose output is lost ends with 2 and one message about that.
#[track_caller]
fn assert_told(tree: &Tree, script: &str) {
    let messages = shell(tree, script).ends(2).err;
    let told = messages.matches("rehref: standard output: ").count();
    assert_eq!(told, 1, "{script}: {messages}");
    messages.lacks("panicked");
}

#[test]
fn lost_output_is_an_error() {
    // Closed, and open for reading only.
    let mut sinks = vec![">&-", "1</dev/null"];
    if Path::new("/dev/full").exists() {
        sinks.push(">/dev/full");
    }
    for command in COMMANDS {
        for sink in &sinks {
            assert_told(&inputs(), &format!("\"$REHREF\" {command} {sink}"));
        }
    }
}

#[test]
fn limit_for_the_size_of_files_is_an_error() {
    // Ended by a signal, or not.
    for trap in ["", "trap '' XFSZ; "] {
        for command in COMMANDS {
            // What writes other files too cannot write these either.
            let writes = command.contains("-w ") || command.contains("-o out");
            if !writes {
                let script = format!("{trap}ulimit -f 0; \"$REHREF\" {command} >printed");
                assert_told(&inputs(), &script);
            }
        }
        // Part of it is written.
        let script = format!("{trap}ulimit -f 1; \"$REHREF\" schema >printed");
        assert_told(&inputs(), &script);
    }
}

#[test]
fn closed_pipe_is_quiet() {
    for command in COMMANDS.iter().filter(|it| !it.contains("-w ") && !it.contains("-o out")) {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let tree = inputs();
        let mut sh = in_shell(&tree, &format!("exec \"$REHREF\" {command}"));
        let output = sh.stdout(writer).stderr(Stdio::piped()).output().expect("sh runs");
        let messages = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*messages), (Some(0), ""), "{command}");
    }
}

#[test]
fn runs_that_write_files_finish_without_standard_output() {
    for sink in [">&-", "1</dev/null"] {
        let tree = inputs();
        assert_told(&tree, &format!("\"$REHREF\" move --json -w a.html c.html {sink}"));
        assert!(tree.has("c.html"));
        let tree = inputs();
        let rewrite = "rewrite --map a.example=b.example --json -w note.txt";
        assert_told(&tree, &format!("\"$REHREF\" {rewrite} {sink}"));
        assert_eq!(tree.read("note.txt"), "http://b.example/");
    }
}

#[test]
fn lost_messages_change_nothing_else() {
    for sink in ["2>&-", "2</dev/null", "2>/dev/full"] {
        let tree = inputs();
        let output = shell(&tree, &format!("\"$REHREF\" extract missing a.html {sink}")).ends(2);
        assert_eq!(output.out, "b.html\nhttp://a.example/\n", "{sink}");
        shell(&tree, &format!("\"$REHREF\" extract {sink} --nonsense")).ends(2);
    }
}

#[test]
fn closed_standard_input_is_an_error_where_it_is_read() {
    let tree = inputs();
    for command in strings![
        "extract" "extract -" "rewrite --map a.example=b.example"
        "rewrite --map a.example=b.example -" "linkify" "report -o - -" "resolve http://a.example/"
        "parse" "extract --files-from -"
    ] {
        for source in ["<&-", "0>/dev/null"] {
            let output = shell(&tree, &format!("\"$REHREF\" {command} {source}")).ends(2);
            let told = output.err.matches("-: cannot read: Bad file descriptor").count();
            assert_eq!((told, &*output.out), (1, ""), "{command} {source}: {}", output.err);
        }
    }
    // It is not read.
    shell(&tree, "\"$REHREF\" extract a.html <&-").ends(0);
}

#[test]
fn files_that_cannot_be_written_are_named() {
    for (command, name) in [
        ("report a.html -o page.html", "page.html"),
        ("man -o pages", "rehref.1"),
        ("check --write-baseline base.txt a.html", "base.txt"),
        ("rewrite --map a.example=b.example -o out a.html", "out"),
        ("rewrite --map a.example=b.example -w --no-journal a.html", "a.html"),
        ("rewrite --map a.example=b.example -w a.html", "journal"),
        ("move -w a.html c.html", "journal"),
        ("unpack bakery.warc.gz -o out", "out"),
    ] {
        for trap in ["", "trap '' XFSZ; "] {
            let tree = inputs();
            tree.make("pages");
            let before = tree.read("a.html");
            let script = format!("{trap}ulimit -f 0; \"$REHREF\" {command}");
            shell(&tree, &script).ends(2).err.has(name).has("cannot write").lacks("panicked");
            assert_eq!(tree.read("a.html"), before);
        }
    }
}
