//! Messages: each once, with its place and the way out, and one message per line.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::files;
#[cfg(unix)]
use crate::terminal::printed_on_terminals;

fn rehref(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = super::rehref(directory, arguments);
    command.env_remove("NO_COLOR");
    command
}

fn run(directory: &Path, arguments: &[&str]) -> (Output, String, String) {
    let output = rehref(directory, arguments).output().expect("rehref runs");
    let [out, err] =
        [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it).into_owned());
    (output, out, err)
}

#[cfg(unix)]
#[test]
fn terminal_shows_the_line_with_the_link_underlined() {
    let site = files(&[("a.html", "<p>\n<a href=\"b.html\">b</a>\n")]);
    let arguments = ["rewrite", "--absolute", "--explain", "a.html"];
    let (_, err) = printed_on_terminals(rehref(site.path(), &arguments).env("NO_COLOR", "1"));
    let expected = "\
rehref: a.html:2:10: unchanged: \"b.html\" could not be resolved: the URL of the page is unknown
  |
2 | <a href=\"b.html\">b</a>
  |          ^^^^^^
  help: use --base URL=DIR
";
    assert!(err.starts_with(expected), "{err}");
    // Without a terminal the line is left out, and the help stays.
    let (_, _, err) = run(site.path(), &arguments);
    let lines: Vec<_> = expected.lines().collect();
    let expected = format!("{}\n{}\n", lines[0], lines[4]);
    assert!(err.starts_with(&expected), "{err}");
    // Neither the line nor a summary is shown if the run is quiet.
    let (_, err) =
        printed_on_terminals(rehref(site.path(), &arguments).arg("-q").env("NO_COLOR", "1"));
    assert_eq!(err, expected);
}

#[cfg(unix)]
#[test]
fn underline_is_in_place_after_tabs_wide_and_harmful_characters() {
    let site = files(&[("a.html", "\t\u{4E2D}\u{202E}\x1B <a href=\"\u{4E2D}\">b</a>")]);
    let arguments = ["rewrite", "--absolute", "--explain", "a.html"];
    let (_, err) = printed_on_terminals(rehref(site.path(), &arguments).env("NO_COLOR", "1"));
    let lines: Vec<_> = err.lines().collect();
    assert_eq!(lines[2], "1 |     \u{4E2D}\\u{202e}\\u{1b} <a href=\"\u{4E2D}\">b</a>");
    // The first character is two columns wide.
    let columns = lines[2].find("\">").expect("a tag") - '\u{4E2D}'.len_utf8() - 1;
    assert_eq!(lines[3], format!("  |{}^^", " ".repeat(columns - 3)));
}

#[cfg(unix)]
#[test]
fn long_line_is_cut_around_the_link() {
    let line = format!("{}<a href=\"b\">c</a>{}", "x".repeat(5000), "y".repeat(1 << 20));
    let site = files(&[("a.html", &line)]);
    let arguments = ["rewrite", "--absolute", "--explain", "a.html"];
    let (_, err) = printed_on_terminals(rehref(site.path(), &arguments).env("NO_COLOR", "1"));
    let lines: Vec<_> = err.lines().collect();
    assert!(lines[2].contains("<a href=\"b\">c</a>") && lines[2].len() <= 80, "{}", lines[2]);
    assert_eq!(lines[2].find("\"b").map(|at| at + 1), lines[3].find('^'), "{err}");
}

#[cfg(unix)]
#[test]
fn messages_are_colored_by_the_choice_of_the_user() {
    let site = files(&[("a.html", "<a href=\"b\">c</a>")]);
    let arguments = ["rewrite", "--absolute", "--explain", "a.html"];
    let is_colored = |more: &[&str], variable: &str| {
        let mut command = rehref(site.path(), &arguments);
        let (_, err) = printed_on_terminals(command.args(more).env("NO_COLOR", variable));
        err.contains("\x1B[")
    };
    assert!(is_colored(&[], ""));
    assert!(!is_colored(&[], "1"));
    assert!(!is_colored(&["--color=never"], ""));
    assert!(is_colored(&["--color=always"], "1"));
    let (_, _, err) = run(site.path(), &arguments);
    assert!(!err.contains('\x1B'), "{err}");
}

#[cfg(unix)]
#[test]
fn dumb_terminals_get_no_escape_sequences() {
    let site = files(&[("a.html", "<a href=\"b\">c</a>\n")]);
    let commands: [&[&str]; 3] = [
        &["rewrite", "--absolute", "--base=http://mill.example/", "a.html"],
        &["extract", "-H", "a.html", "none.html"],
        &["check", "a.html"],
    ];
    for arguments in commands {
        let printed = |terminal: &str| {
            let mut command = rehref(site.path(), arguments);
            let (out, err) = printed_on_terminals(
                command.env_remove("NO_COLOR").env("TERM", terminal).env("FORCE_HYPERLINK", "1"),
            );
            out + &err
        };
        assert!(printed("xterm").contains('\x1B'), "{arguments:?}");
        assert!(!printed("dumb").contains('\x1B'), "{arguments:?}");
    }
}

#[test]
fn help_is_printed_once_for_many_messages() {
    let site = files(&[("a.html", "<a href=b></a><a href=c></a>")]);
    let (_, _, err) = run(site.path(), &["rewrite", "--absolute", "--explain", "a.html"]);
    assert_eq!(err.matches("unchanged: \"").count(), 2, "{err}");
    assert_eq!(err.matches("  help: ").count(), 1, "{err}");
}

#[test]
fn invalid_inputs_are_reported_once() {
    let site = files(&[]);
    for arguments in [
        &["parse", "http://[x/", "http://a.example/%"][..],
        &["resolve", "not a base", "b"],
        &["resolve", "--profile=whatwg", "http://a.example/", "http://[x/"],
    ] {
        let (output, out, err) = run(site.path(), arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(!out.is_empty(), "{arguments:?}");
        assert_eq!(err, "", "{arguments:?}");
        let mut json = vec!["--color=never"];
        json.extend(arguments);
        json.push("--json");
        let (output, out, err) = run(site.path(), &json);
        assert_eq!(output.status.code(), Some(1), "{json:?}");
        assert!(out.contains("\"error\":{"), "{out}");
        assert_eq!(err, "", "{json:?}");
    }
}

#[test]
fn warning_records_are_not_repeated_as_messages() {
    let site = files(&[("a.txt", "http://a.example/")]);
    fs::write(site.path().join("b.txt"), b"http://b.example/\0").expect("a file");
    let (output, out, err) = run(site.path(), &["extract", "--json", "b.txt", "none", "a.txt"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(out.matches("\"type\":\"warning\"").count(), 2, "{out}");
    let expected = "rehref: 1 input could not be read; a \"warning\" record names it\n";
    assert_eq!(err, expected);
    // Without records there are messages, and a way out.
    let (_, out, err) = run(site.path(), &["extract", "b.txt", "none", "a.txt"]);
    assert_eq!(out, "http://a.example/\n");
    assert_eq!(err.lines().count(), 4, "{err}");
}

#[test]
fn text_of_warning_records_does_not_repeat_the_document() {
    let site = files(&[]);
    let (_, out, _) = run(site.path(), &["extract", "--json", "no/such.html"]);
    let record: serde_json::Value =
        serde_json::from_str(out.lines().next().expect("a record")).expect("JSON");
    assert_eq!(record["doc"], "no/such.html");
    assert_eq!(record["code"], "unreadable");
    let text = record["text"].as_str().expect("a text");
    assert!(text.starts_with("cannot read: "), "{text}");
}

#[cfg(unix)]
#[test]
fn message_about_a_name_with_a_line_break_is_one_line() {
    let site = files(&[("a\nb.html", "<a href=c></a>")]);
    let arguments = ["rewrite", "--absolute", "--explain", "."];
    let (_, _, err) = run(site.path(), &arguments);
    let first = err.lines().next().expect("a message");
    assert!(first.starts_with("rehref: \"./a\\nb.html\":1:9: unchanged: "), "{err}");
    let (_, _, err) = run(site.path(), &["extract", "x\ny"]);
    assert!(err.starts_with("rehref: \"x\\ny\": cannot read: "), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
}

#[cfg(unix)]
#[test]
fn name_with_a_line_break_is_one_line_on_a_terminal() {
    let site = files(&[("a\nb.html", "<a href=http://c.example/></a><a href=none></a>")]);
    let quoted = "\"./a\\nb.html\":";
    for (arguments, expected) in [
        (&["extract", "-H", "."][..], "http://c.example/"),
        (&["extract", "-c", "-H", "."], "2"),
        (&["check", "."], "1:"),
    ] {
        let (out, _) = printed_on_terminals(rehref(site.path(), arguments).arg("--color=never"));
        let prefix = format!("{quoted}{expected}");
        assert!(out.starts_with(&prefix), "{arguments:?}: {out}");
    }
    let map = "http://c.example/=http://d.example/";
    let (out, _) = printed_on_terminals(
        rehref(site.path(), &["rewrite", "--map", map, "."]).arg("--color=never"),
    );
    let head = "--- \"a/a\\nb.html\"\n+++ \"b/a\\nb.html\"\n";
    assert!(out.starts_with(head), "{out}");
}

#[test]
fn quiet_runs_print_errors_only() {
    let site = files(&[("a.html", "<a href=\"http://a.example/\">a</a><a href=none>b</a>")]);
    let map = "http://a.example/=http://b.example/";
    let prints = |arguments: &[&str]| {
        let (output, out, err) = run(site.path(), arguments);
        (output.status.code(), out + &err)
    };
    let nothing = String::new;
    assert_eq!(prints(&["rewrite", "--check", "-q", "--map", map, "a.html"]), (Some(1), nothing()));
    assert_eq!(prints(&["check", "-q", "."]), (Some(1), nothing()));
    assert_eq!(prints(&["move", "--check", "-q", "a.html", "b.html"]), (Some(1), nothing()));
    assert_eq!(prints(&["move", "-w", "-q", "a.html", "b.html"]), (Some(0), nothing()));
    assert_eq!(prints(&["move", "--undo", "-q"]), (Some(0), nothing()));
    assert_eq!(prints(&["rewrite", "-w", "-q", "--map", map, "a.html"]), (Some(0), nothing()));
    let (status, printed) = prints(&["rewrite", "--check", "-q", "--map", map, "none.html"]);
    assert_eq!(status, Some(2));
    assert!(printed.starts_with("rehref: none.html: cannot read: "), "{printed}");
}

#[test]
fn skip_reasons_are_grouped_and_the_most_frequent_is_first() {
    let page = "<a href=\"http://c.example/\"></a><a href=a></a><a href=b></a>";
    let site = files(&[("a.html", page)]);
    let (_, _, err) = run(site.path(), &["rewrite", "--absolute", "a.html"]);
    let first = err.lines().next().expect("a summary");
    let relative = first.find("2 links could not be resolved").expect("a group");
    let absolute = first.find("1 link already had").expect("a group");
    assert!(relative < absolute, "{first}");
    assert!(first.contains("(use --base URL=DIR)"), "{first}");
}

#[test]
fn missing_root_is_reported_once() {
    let site = files(&[]);
    let (output, _, err) = run(site.path(), &["move", "--root", "none", "a.html", "b.html"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(err.lines().count(), 1, "{err}");
    assert!(err.starts_with("rehref: none: "), "{err}");
}

#[test]
fn move_explains_only_the_links_that_it_affects() {
    let page = "<a href=\"http://a.example/\"></a><a href=\"b.html\"></a>";
    let site = files(&[("a.html", page), ("b.txt", "http://b.example/")]);
    let (_, out, err) = run(site.path(), &["move", "--explain", "a.html", "c/a.html"]);
    assert!(out.contains("+<a href=\"http://a.example/\"></a><a href=\"../b.html\">"), "{out}");
    assert_eq!(err.matches("unchanged").count(), 0, "{err}");
}

#[test]
fn run_without_documents_says_that_there_is_nothing_to_rewrite() {
    let site = files(&[("a.docx", "PK\x03\x04\0\0")]);
    let (_, _, err) = run(site.path(), &["rewrite", "--absolute", "."]);
    assert_eq!(err, "rehref: nothing to rewrite; 1 .docx file: links not read\n");
}

#[cfg(unix)]
#[test]
fn faulty_row_of_a_list_is_named_and_shown() {
    let site = files(&[("map.csv", "old,new\nhttp://a.example/\n")]);
    let arguments = ["rewrite", "--map-file", "map.csv", "."];
    let (_, _, err) = run(site.path(), &arguments);
    let message = "rehref: map.csv:2:1: missing NEW column: each row is old,new\n";
    assert_eq!(err, message);
    let (_, err) = printed_on_terminals(rehref(site.path(), &arguments).env("NO_COLOR", "1"));
    let expected = format!("{message}  |\n2 | http://a.example/\n  | ^^^^^^^^^^^^^^^^^\n");
    assert_eq!(err, expected);
}

#[test]
fn messages_name_the_way_out() {
    let site = files(&[("a.html", "<a href=b.html></a>")]);
    let url = "--base=http://a.example/=.";
    for (arguments, help) in [
        (&["rewrite", "--absolute", "-w", "-"][..], "leave out -w"),
        (&["move", "a.html"], "write `rehref move SRC... DST`"),
        (&["move", "a.html", "../b.html"], "use --root"),
        (&["move", "--moved", "a.html=b.html"], "move the file first"),
        (&["rewrite", "--absolute", url, "-o", "b", "."], "use -o with"),
        (&["rewrite", "--mirror", "auto", "."], "use --mirror URL=DIR"),
        (&["rewrite", "--undo", "."], "name the directory of the run"),
    ] {
        let (output, out, err) = run(site.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(err.contains(&format!("  help: {help}")), "{arguments:?}: {err}");
        assert_eq!(err.matches("rehref: ").count(), 1, "{err}");
        assert_eq!(out, "");
    }
}

#[cfg(unix)]
#[test]
fn long_check_shows_its_progress_on_terminals_only() {
    let page = |links: usize| "<a href=\"#\">a</a>".repeat(links);
    let site = files(&[("a.html", ""), ("b.html", "<a href=a.html>a</a>")]);
    let mut links = 50_000;
    // A run of less than half a second has no progress.
    loop {
        fs::write(site.path().join("a.html"), page(links)).expect("a file");
        let (_, err) = printed_on_terminals(&mut rehref(site.path(), &["check", "."]));
        let (progress, _) = err.split_once("checked 2 files, ").expect("a summary");
        if progress.contains(" files, ") {
            break;
        }
        assert!(links < 10_000_000, "no progress is shown: {err:?}");
        links *= 2;
    }
    let (_, err) = printed_on_terminals(&mut rehref(site.path(), &["check", "-q", "."]));
    assert_eq!(err, "");
    let (_, _, err) = run(site.path(), &["check", "."]);
    assert!(err.starts_with("rehref: checked 2 files, "), "{err:?}");
    assert_eq!(err.lines().count(), 1, "{err:?}");
}

#[test]
fn summary_record_of_check_is_not_repeated_as_a_message() {
    let site = files(&[("a.html", "<a href=a.html></a>")]);
    let (_, out, err) = run(site.path(), &["check", "--json", "."]);
    assert!(out.contains("\"type\":\"summary\""), "{out}");
    assert_eq!(err, "");
}

#[test]
fn undo_of_an_edited_file_names_two_ways_out() {
    let site = files(&[("a.html", "<a href=\"http://a.example/\">a</a>")]);
    let map = "a.example=b.example";
    run(site.path(), &["rewrite", "-w", "--map", map, "."]);
    fs::write(site.path().join("a.html"), "mine").expect("a file");
    let (output, _, err) = run(site.path(), &["rewrite", "--undo", "."]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err.contains("nothing was undone; 1 file left unchanged\n"), "{err}");
    assert!(err.contains("  help: restore "), "{err}");
    assert!(err.contains(".rehref to forget the run"), "{err}");
    assert!(!err.contains("nothing left to undo"), "{err}");
}

#[test]
fn undo_names_the_only_run_in_a_subdirectory() {
    let site = files(&[]);
    let page = "<a href=\"http://a.example/\">a</a>";
    let map = "a.example=b.example";
    for (name, is_named) in [("one", true), ("two", false)] {
        fs::create_dir(site.path().join(name)).expect("a directory");
        fs::write(site.path().join(name).join("a.html"), page).expect("a file");
        run(site.path(), &["rewrite", "-w", "--map", map, name]);
        let (output, _, err) = run(site.path(), &["rewrite", "--undo", "."]);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(err.contains("of the run: ./one"), is_named, "{err}");
    }
}

#[test]
fn empty_standard_input_is_reported_if_no_path_is_named() {
    let site = files(&[]);
    let map = "a.example=b.example";
    for arguments in [&["extract", "-g", "site"][..], &["rewrite", "--map", map]] {
        let mut command = rehref(site.path(), arguments);
        let output = command.stdin(Stdio::null()).output().expect("rehref runs");
        let err = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(0));
        assert!(err.starts_with("rehref: standard input was empty\n  help: name a PATH"), "{err}");
        let mut command = rehref(site.path(), arguments);
        let output = command.arg("-").stdin(Stdio::null()).output();
        assert_eq!(output.expect("rehref runs").stderr, b"");
    }
}

#[test]
fn host_in_place_of_a_path_is_explained() {
    let site = files(&[]);
    let (_, _, err) = run(site.path(), &["extract", "old.example", "."]);
    assert!(err.contains("  help: use --host old.example "), "{err}");
    let (_, _, err) = run(site.path(), &["extract", "index.html", "."]);
    assert!(!err.contains("help: "), "{err}");
}

#[test]
fn dry_run_without_changes_says_so() {
    let site = files(&[("a.html", "<a href=b></a>"), ("b.html", "")]);
    let (_, _, err) = run(site.path(), &["rewrite", "--map", "a.example=b.example", "."]);
    assert!(err.ends_with("nothing to change in 2 files\n"), "{err}");
}

#[cfg(unix)]
#[test]
fn manual_page_on_a_terminal_names_the_reader() {
    let site = files(&[]);
    let (_, err) = printed_on_terminals(&mut rehref(site.path(), &["man", "rewrite"]));
    assert!(err.contains("rehref man rewrite | man -l -"), "{err}");
    let (_, _, err) = run(site.path(), &["man", "rewrite"]);
    assert_eq!(err, "");
}
