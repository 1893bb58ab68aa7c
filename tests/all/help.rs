//! Help, and the explanations of wrong command lines.

mod mistakes;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use regex::Regex;

use crate::support::tree::{Arguments, Has, Ran, rehref};

#[path = "../../src/args/mistakes/neighbors.rs"]
#[allow(dead_code, reason = "used by the command")]
mod neighbors;

const COMMANDS: [&str; 12] = [
    "extract",
    "check",
    "rewrite",
    "move",
    "linkify",
    "report",
    "unpack",
    "resolve",
    "parse",
    "man",
    "completions",
    "schema",
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
        if "extract linkify parse".contains(&command) {
            continue;
        }
        let help = mistake(&page(command, ""));
        assert!(help.lines().count() <= 12, "{help}");
        help.has(&format!("Usage: rehref {}", command.to_lowercase()));
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
        "Rules",
        "Moves",
        "Checks",
        "Input",
        "What counts as a link",
        "Base and resolving",
        "Filters",
        "Output",
        "Writing",
        "Safety",
        "Exit codes",
    ];
    let heading = Regex::new("(?m)^([A-Z][a-z ]+):$").expect("a regex");
    for command in COMMANDS {
        let help = stdout(&[command, "--help"]);
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
fn files_of_examples() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let to = |name: &str| directory.path().join(name);
    for copy in ["site", "copy"] {
        copy_tree(&corpus.join("sites/bakery"), &to(copy));
    }
    fs::rename(to("copy/bread.html"), to("copy/loaf.html")).expect("renamed");
    fs::copy(corpus.join("sites/bakery/index.html"), to("page.html")).expect("copied");
    fs::copy(corpus.join("mail/bakery/in.mbox"), to("list.mbox")).expect("copied");
    fs::copy(corpus.join("warc/bakery.warc.gz"), to("bakery.warc.gz")).expect("copied");
    fs::copy(corpus.join("sites/bakery/notes.txt"), to("notes.txt")).expect("copied");
    fs::write(to("moves.csv"), "site/bread.html,site/shop/bread.html\n").expect("written");
    fs::write(to("domains.csv"), "http://mill.example,https://flour.example\n").expect("written");
    fs::write(to("references.txt"), "bread.html\n?month=5\n").expect("written");
    fs::write(to("urls.txt"), "http://MILL.example/a\nhttp://bakery.example/%7eb\n")
        .expect("written");
    fs::create_dir(to("docs")).expect("created");
    fs::write(to("docs/index.md"), "[flour](flour.md#grinding)\n").expect("written");
    fs::write(to("docs/flour.md"), "# Rye\n\n[oven](oven.md)\n").expect("written");
    directory
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

fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("created");
    for entry in fs::read_dir(from).expect("readable") {
        let entry = entry.expect("readable");
        let to = to.join(entry.file_name());
        match entry.file_type().expect("a type").is_dir() {
            true => copy_tree(&entry.path(), &to),
            false => _ = fs::copy(entry.path(), to).expect("copied"),
        }
    }
}

/// A directory of programs: this rehref, a curl that prints a page, and `cat` for other programs
/// that are not installed.
#[cfg(unix)]
fn programs(directory: &Path) {
    use std::os::unix::fs::{PermissionsExt, symlink};

    fs::create_dir_all(directory).expect("created");
    symlink(env!("CARGO_BIN_EXE_rehref"), directory.join("rehref")).expect("linked");
    let script = |name: &str, text: &str| {
        let path = directory.join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
    };
    script("curl", "exec cat page.html");
    for name in ["jq", "man"] {
        let found = Command::new(name).arg("--version").output();
        if found.is_err() {
            script(name, "exec cat");
        }
    }
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
        let tools = tempfile::tempdir().expect("a directory");
        programs(&tools.path().join("bin"));
        let path = std::env::var("PATH").expect("a path");
        let path = format!("{}/bin:{path}", tools.path().display());
        for example in examples {
            let mut shell = Command::new("sh");
            shell.args(["-c", example]).current_dir(files.path()).env("PATH", &path);
            if example.contains("--from-git") && !rename_in_git(&files.path().join("docs")) {
                continue;
            }
            let before = tree(files.path());
            let output = shell.stdin(Stdio::null()).output().expect("a shell");
            let finds_broken_links =
                example.starts_with("rehref check") && !example.contains("baseline");
            let expected = if finds_broken_links { 1 } else { 0 };
            assert_eq!(output.status.code(), Some(expected), "{example}: {output:?}");
            let is_silent = output.stdout.is_empty() && output.stderr.is_empty();
            assert!(!is_silent || tree(files.path()) != before, "{example} does nothing");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(
                !errors.contains("cannot") && !errors.contains("changed 0"),
                "{example}: {errors}"
            );
        }
    }
}

/// The files of a directory with their content.
fn tree(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in walkdir::WalkDir::new(directory).sort_by_file_name() {
        let entry = entry.expect("readable");
        if entry.file_type().is_file() {
            let content = fs::read(entry.path()).expect("readable");
            found.push((entry.path().display().to_string(), content));
        }
    }
    found
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
    let directory = tempfile::tempdir().expect("a directory");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(format!("completions {shell}"));
        script.has("--root-relative");
        let file = directory.path().join(shell);
        fs::write(&file, script).expect("written");
        // The other shells cannot check a script without running it.
        if ["bash", "zsh", "fish"].contains(&shell)
            && let Some(output) = lint(shell, "-n", &file)
        {
            assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn manual_pages_are_valid() {
    let directory = tempfile::tempdir().expect("a directory");
    let into = directory.path().to_str().expect("UTF-8");
    stdout(format!("man -o {into}"));
    // A second run replaces them.
    stdout(format!("man --dir {into}"));
    for command in pages() {
        let name = page("rehref", command).join("-");
        let file = directory.path().join(format!("{name}.1"));
        let text = fs::read_to_string(&file).expect("a page");
        assert_eq!(text, stdout(&page("man", command)));
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "\"EXIT STATUS\""] {
            text.has(&format!("\n.SH {section}\n"));
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
        let help = stdout(&[command, "--help"]);
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
fn missing_directory_of_manual_pages_is_named() {
    let directory = tempfile::tempdir().expect("a directory");
    let missing = directory.path().join("none");
    let into = missing.to_str().expect("UTF-8");
    assert_eq!(
        mistake(&format!("man -o {into}")),
        format!("rehref: man: {into}: no such directory\n")
    );
}

/// The options that a page of help lists.
fn own_options(help: &str) -> BTreeSet<String> {
    let item = Regex::new(r"(?m)^ +(?:(-\w), )?(--[a-z0-9-]+)").expect("a regex");
    let items = item.captures_iter(help);
    let names = items.flat_map(|it| [it.get(1), it.get(2)]).flatten();
    names.map(|it| it.as_str().to_owned()).collect()
}
