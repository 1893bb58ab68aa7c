//! Help, and the explanations of wrong command lines.

mod mistakes;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use regex::Regex;

use crate::support::tree::{Arguments, Has, Ran, Tree, rehref};

#[path = "../../src/args/mistakes/neighbors.rs"]
#[allow(dead_code, reason = "used by the command")]
mod neighbors;

const COMMANDS: [&str; 12] = [
    "extract", "check", "rewrite", "move", "linkify", "report", "unpack", "resolve", "parse",
    "man", "completions", "schema",
];

/// Commands that do something without arguments.
const WORK_BARE: [&str; 3] = ["check", "man", "schema"];

fn run(arguments: impl Arguments) -> Ran {
    Ran::of(rehref(Path::new("."), arguments).env("COLUMNS", "100"))
}

fn stdout(arguments: impl Arguments) -> String {
    run(arguments).ends(0).out
}

/// The message of a wrong command line.
fn mistake(arguments: impl Arguments) -> String {
    run(arguments).refused().to_owned()
}

/// The arguments of a page of help: of the whole command if the name is empty.
fn page<'a>(command: &'a str, option: &'a str) -> Vec<&'a str> {
    let arguments = [command, option].into_iter();
    arguments.filter(|it| !it.is_empty()).collect()
}

/// The whole command and all subcommands.
fn pages() -> impl Iterator<Item = &'static str> {
    [""].into_iter().chain(COMMANDS)
}

#[test]
fn each_command_is_tested() {
    let help = stdout("-h");
    let (_, list) = help.split_once("Commands:\n").expect("a list");
    let names = list.lines().map_while(|line| {
        let name = line.strip_prefix("  ")?;
        name.split(' ').next()
    });
    let names: Vec<_> = names.filter(|&it| it != "help").collect();
    assert_eq!(names, COMMANDS);
}

#[test]
fn bare_command_prints_at_most_12_lines() {
    for command in pages().filter(|it| !WORK_BARE.contains(it)) {
        // Without a terminal, these read standard input.
        if "extract linkify parse".contains(command) {
            continue;
        }
        let help = mistake(&page(command, ""));
        assert!(help.lines().count() <= 12, "{help}");
        help.has(format!("Usage: rehref {}", command.to_lowercase()));
        help.has("\nHelp: `rehref");
    }
}

#[test]
fn help_after_two_dashes_is_the_brief_help() {
    assert_eq!(mistake("-- help"), mistake(""));
}

#[test]
fn short_help_fits_one_screen() {
    for command in pages() {
        let help = stdout(&page(command, "-h"));
        assert!(help.lines().count() <= 45, "{} lines: {help}", help.lines().count());
        let longest = help.lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(100), "{help}");
    }
}

#[test]
fn long_help_begins_with_examples_and_ends_with_exit_codes() {
    for command in pages() {
        let help = stdout(&page(command, "--help"));
        let mut lines = help.lines();
        assert!(lines.next().is_some_and(|it| it.len() <= 100), "{help}");
        assert_eq!(lines.next(), Some(""), "{help}");
        assert!(lines.next().is_some_and(|it| it.starts_with("Usage: rehref ")), "{help}");
        assert_eq!(lines.next(), Some(""), "{help}");
        assert_eq!(lines.next(), Some("Examples:"), "{help}");
        let (_, codes) = help.split_once("\nExit codes:\n").expect("exit codes");
        assert!(codes.lines().all(|it| it.starts_with("  ") && it.len() <= 100), "{codes}");
        let short = stdout(&page(command, "-h"));
        assert_eq!(short.lines().next(), help.lines().next());
        short.lacks("Examples:");
    }
}

#[test]
fn options_are_grouped_in_one_order() {
    let groups = [
        "Rules", "Moves", "Checks", "Input", "What counts as a link", "Base and resolving",
        "Filters", "Output", "Writing", "Safety", "Exit codes",
    ];
    let heading = Regex::new("(?m)^([A-Z][a-z ]+):$").expect("a regex");
    for command in COMMANDS {
        let help = stdout([command, "--help"]);
        let found = heading.captures_iter(&help).map(|it| it[1].to_owned()).skip(1);
        let at = found.map(|name| groups.iter().position(|&it| it == name).expect("a group"));
        assert!(at.is_sorted(), "{help}");
    }
}

/// The command lines of the examples of a page.
fn examples(help: &str) -> Vec<&str> {
    let (_, rest) = help.split_once("Examples:\n").expect("examples");
    let (examples, _) = rest.split_once("\n\n").expect("an end");
    let lines: Vec<_> = examples.lines().collect();
    assert!(lines.len() % 2 == 0, "each example has two lines: {examples}");
    let pairs = lines.chunks(2).map(|pair| {
        assert!(pair[0].starts_with("  ") && pair[0].ends_with(':'), "{pair:?}");
        pair[1].strip_prefix("    ").expect("a command line")
    });
    pairs.collect()
}

/// The files that examples name, from the corpus.
fn files_of_examples() -> Tree {
    let tree = Tree::new(&[
        ("moves.csv", "site/bread.html,site/shop/bread.html\n"),
        ("domains.csv", "http://mill.example,https://flour.example\n"),
        ("references.txt", "bread.html\n?month=5\n"),
        ("urls.txt", "http://MILL.example/a\nhttp://bakery.example/%7eb\n"),
        ("docs/index.md", "[flour](flour.md#grinding)\n"),
        ("docs/flour.md", "# Rye\n\n[oven](oven.md)\n"),
    ]);
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for (from, name) in [
        ("sites/bakery", "site"),
        ("sites/bakery", "copy"),
        ("sites/bakery/index.html", "page.html"),
        ("mail/bakery/in.mbox", "list.mbox"),
        ("warc/bakery.warc.gz", "bakery.warc.gz"),
        ("sites/bakery/notes.txt", "notes.txt"),
    ] {
        tree.copy(corpus.join(from), name);
    }
    tree.rename("copy/bread.html", "copy/loaf.html");
    tree
}

/// Makes a repository of a directory with a branch `main`, and renames a file. Returns false if git
/// is not installed.
#[cfg(unix)]
fn rename_in_git(directory: &Path) -> bool {
    let git = |arguments: &str| {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@b.example"]);
        git.args(arguments.split(' ')).current_dir(directory).output()
    };
    if git("--version").is_err() {
        return false;
    }
    for arguments in [
        "init --quiet --initial-branch=main",
        "add .",
        "commit --quiet --message=docs",
        "mv flour.md meal.md",
    ] {
        let output = git(arguments).expect("git runs");
        assert!(output.status.success(), "{output:?}");
    }
    true
}

/// A directory of programs: this rehref, a curl that prints a page, and `cat` for other programs
/// that are not installed.
#[cfg(unix)]
fn programs() -> Tree {
    let tree = Tree::empty();
    tree.symlink(env!("CARGO_BIN_EXE_rehref"), "rehref");
    tree.write_program("curl", "#!/bin/sh\nexec cat page.html\n");
    for name in ["jq", "man"] {
        if Command::new(name).arg("--version").output().is_err() {
            tree.write_program(name, "#!/bin/sh\nexec cat\n");
        }
    }
    tree
}

#[cfg(unix)]
#[test]
fn examples_of_help_succeed() {
    for command in pages() {
        let help = stdout(&page(command, "--help"));
        let examples = examples(&help);
        let expected = match command {
            "man" | "completions" | "schema" => 2,
            _ => 5,
        };
        assert!(examples.len() >= expected, "{command} has {} examples", examples.len());
        // The examples of a page are steps: some undo the one before.
        let files = files_of_examples();
        let tools = programs();
        let path = std::env::var("PATH").expect("a path");
        let path = format!("{}:{path}", tools.path().display());
        for example in examples {
            let mut shell = Command::new("sh");
            shell.args(["-c", example]).current_dir(files.path()).env("PATH", &path);
            if example.contains("--from-git") && !rename_in_git(&files.at("docs")) {
                continue;
            }
            let before = files.files();
            let output = Ran::of(shell.stdin(Stdio::null()));
            let finds_broken_links =
                example.starts_with("rehref check") && !example.contains("baseline");
            assert_eq!(output.code, i32::from(finds_broken_links), "{example}: {output:?}");
            let is_silent = output.out.is_empty() && output.err.is_empty();
            assert!(!is_silent || files.files() != before, "{example} does nothing");
            output.err.lacks("cannot").lacks("changed 0");
        }
    }
}

/// Runs a program on a file if it is installed. Returns its messages.
#[cfg(unix)]
fn lint(program: &str, arguments: &str, file: &Path) -> Option<Output> {
    let mut command = Command::new(program);
    command.args(arguments.split(' ')).arg(file).stdin(Stdio::null()).output().ok()
}

#[cfg(unix)]
#[test]
fn completions_are_valid_scripts() {
    let tree = Tree::empty();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(format!("completions {shell}"));
        script.has("--root-relative");
        tree.write(shell, script);
        // The other shells cannot check a script without running it.
        if ["bash", "zsh", "fish"].contains(&shell)
            && let Some(output) = lint(shell, "-n", &tree.at(shell))
        {
            assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn manual_pages_are_valid() {
    let tree = Tree::empty();
    let pages_directory = tree.at("share/man/man1");
    let into = pages_directory.display();
    stdout(format!("man -o {into}"));
    // A second run replaces them.
    stdout(format!("man --dir {into}"));
    for command in pages() {
        let name = page("rehref", command).join("-");
        let file = pages_directory.join(format!("{name}.1"));
        let text = tree.read(&file);
        assert_eq!(text, stdout(&page("man", command)));
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "\"EXIT STATUS\""] {
            text.has(format!("\n.SH {section}\n"));
        }
        if let Some(output) = lint("groff", "-man -ww -z", &file) {
            let messages = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && messages.is_empty(), "{name}: {messages}");
        }
        if let Some(output) = lint("mandoc", "-T lint -W error", &file) {
            assert!(output.status.success(), "{name}: {output:?}");
        }
    }
    assert_eq!(mistake("man mv"), "rehref: man: unknown command mv\n");
}

#[test]
fn manual_pages_describe_every_option() {
    for command in COMMANDS {
        let manual = stdout(format!("man {command}"));
        let items: Vec<(&str, &str)> = manual
            .split(".TP\n")
            .filter_map(|item| item.split_once('\n'))
            .filter(|(header, _)| header.starts_with(r"\fB\-"))
            .collect();
        for (header, text) in &items {
            let has_text = text.starts_with(|first: char| first.is_ascii_uppercase());
            assert!(has_text, "{command}: {header} has no description: {text:?}");
        }
        let help = stdout([command, "--help"]);
        for option in own_options(&help) {
            let name = format!(r"\fB{}\fR", option.replace('-', r"\-"));
            let has_item = items.iter().any(|(header, _)| header.contains(&name));
            assert!(has_item, "{command} has no {option}");
        }
    }
}

/// The options of a group of a page of help, in their order.
fn group(help: &str, name: &str) -> Vec<String> {
    let (_, rest) = help.split_once(&format!("\n{name}:\n")).expect(name);
    let heading = Regex::new("(?m)^[A-Z][a-z ]+:$").expect("a regex");
    let options = heading.split(rest).next().unwrap_or_default();
    let item = Regex::new("(?m)^ +(?:-., )?(--[a-z-]+)").expect("a regex");
    let items = item.captures_iter(options);
    items.map(|it| it[1].to_owned()).collect()
}

#[test]
fn rules_of_report_are_in_the_order_of_rewrite() {
    let of_rewrite = group(&stdout("rewrite --help"), "Rules");
    let place = |name: &String| of_rewrite.iter().position(|it| it == name);
    let daily = group(&stdout("report -h"), "Rules");
    let mut rare = group(&stdout("report --help"), "Rules");
    rare.retain(|name| !daily.contains(name));
    assert!(rare.len() > 5, "{rare:?}");
    for names in [daily, rare] {
        let places = names.iter().map(|name| place(name).expect("a rule"));
        assert!(places.is_sorted(), "{names:?}");
    }
}

#[test]
fn directory_of_manual_pages_that_cannot_be_created_is_named() {
    let tree = Tree::new(&[("file", "")]);
    let into = tree.at("file/man1").display().to_string();
    mistake(format!("man -o {into}")).begins(format!("rehref: {into}: cannot write: "));
}

/// The options that a page of help lists.
fn own_options(help: &str) -> BTreeSet<String> {
    let item = Regex::new(r"(?m)^ +(?:(-\w), )?(--[a-z0-9-]+)").expect("a regex");
    let items = item.captures_iter(help);
    let names = items.flat_map(|it| [it.get(1), it.get(2)]).flatten();
    names.map(|it| it.as_str().to_owned()).collect()
}
