//! Messages: each once, with its place and the way out, and one message per line.

#[cfg(unix)]
use std::process::Command;

use crate::support::tree::{Has, Ran, Tree};
#[cfg(unix)]
use crate::terminal::printed_on_terminals;

/// `rehref` with these arguments and colors as the user chooses.
#[cfg(unix)]
fn command(site: &Tree, arguments: &str) -> Command {
    let mut command = site.command(arguments);
    command.env_remove("NO_COLOR");
    command
}

#[cfg(unix)]
#[test]
fn terminal_shows_the_line_with_the_link_underlined() {
    let site = Tree::new(&[("a.html", "<p>\n<a href=\"b.html\">b</a>\n")]);
    let arguments = "rewrite --absolute --explain a.html";
    let (_, err) = printed_on_terminals(command(&site, arguments).env("NO_COLOR", "1"));
    let expected = "\
rehref: a.html:2:10: unchanged: \"b.html\" could not be resolved: the URL of the page is unknown
  |
2 | <a href=\"b.html\">b</a>
  |          ^^^^^^
  help: use --base URL=DIR
";
    err.begins(expected);
    // Without a terminal the line is left out, and the help stays.
    let err = site.run(arguments).err;
    let lines: Vec<_> = expected.lines().collect();
    let expected = format!("{}\n{}\n", lines[0], lines[4]);
    err.begins(&expected);
    // Neither the line nor a summary is shown if the run is quiet.
    let (_, err) = printed_on_terminals(command(&site, arguments).arg("-q").env("NO_COLOR", "1"));
    assert_eq!(err, expected);
}

#[cfg(unix)]
#[test]
fn underline_is_in_place_after_tabs_wide_and_harmful_characters() {
    let site = Tree::new(&[("a.html", "\t\u{4E2D}\u{202E}\x1B <a href=\"\u{4E2D}\">b</a>")]);
    let arguments = "rewrite --absolute --explain a.html";
    let (_, err) = printed_on_terminals(command(&site, arguments).env("NO_COLOR", "1"));
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
    let site = Tree::new(&[("a.html", &line)]);
    let arguments = "rewrite --absolute --explain a.html";
    let (_, err) = printed_on_terminals(command(&site, arguments).env("NO_COLOR", "1"));
    let lines: Vec<_> = err.lines().collect();
    assert!(lines[2].contains("<a href=\"b\">c</a>") && lines[2].len() <= 80, "{}", lines[2]);
    assert_eq!(lines[2].find("\"b").map(|at| at + 1), lines[3].find('^'), "{err}");
}

#[cfg(unix)]
#[test]
fn messages_are_colored_by_the_choice_of_the_user() {
    let site = Tree::new(&[("a.html", "<a href=\"b\">c</a>")]);
    let arguments = "rewrite --absolute --explain a.html";
    let is_colored = |more: &str, variable: &str| {
        let mut command = command(&site, &format!("{arguments} {more}"));
        let (_, err) = printed_on_terminals(command.env("NO_COLOR", variable));
        err.contains("\x1B[")
    };
    assert!(is_colored("", ""));
    assert!(!is_colored("", "1"));
    assert!(!is_colored("--color=never", ""));
    assert!(is_colored("--color=always", "1"));
    let err = site.run(arguments).err;
    assert!(!err.contains('\x1B'), "{err}");
}

#[cfg(unix)]
#[test]
fn dumb_terminals_get_no_escape_sequences() {
    let site = Tree::new(&[("a.html", "<a href=\"b\">c</a>\n")]);
    let commands: [&str; 3] = [
        "rewrite --absolute --base=http://mill.example/ a.html",
        "extract -H a.html none.html",
        "check a.html",
    ];
    for arguments in commands {
        let printed = |terminal: &str| {
            let mut command = command(&site, arguments);
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
    let site = Tree::new(&[("a.html", "<a href=b></a><a href=c></a>")]);
    let err = site.run("rewrite --absolute --explain a.html").err;
    assert_eq!(err.matches("unchanged: \"").count(), 2, "{err}");
    assert_eq!(err.matches("  help: ").count(), 1, "{err}");
}

#[test]
fn invalid_inputs_are_reported_once() {
    let site = Tree::empty();
    for arguments in [
        "parse http://[x/ http://a.example/%",
        "resolve 'not a base' b",
        "resolve --profile=whatwg http://a.example/ http://[x/",
    ] {
        let Ran { out, err, .. } = site.run(arguments).ends(1);
        assert!(!out.is_empty(), "{arguments:?}");
        assert_eq!(err, "", "{arguments:?}");
        let json = format!("--color=never {arguments} --json");
        let Ran { out, err, .. } = site.run(&json).ends(1);
        out.has("\"error\":{");
        assert_eq!(err, "", "{json:?}");
    }
}

#[test]
fn warning_records_are_not_repeated_as_messages() {
    let site = Tree::new(&[("a.txt", "http://a.example/")]);
    site.write("b.txt", b"http://b.example/\0");
    let Ran { out, err, .. } = site.run("extract --json b.txt none a.txt").ends(2);
    assert_eq!(out.matches("\"type\":\"warning\"").count(), 2, "{out}");
    let expected = "rehref: 1 input could not be read; a \"warning\" record names it\n";
    assert_eq!(err, expected);
    // Without records there are messages, and a way out.
    let Ran { out, err, .. } = site.run("extract b.txt none a.txt");
    assert_eq!(out, "http://a.example/\n");
    assert_eq!(err.lines().count(), 4, "{err}");
}

#[test]
fn text_of_warning_records_does_not_repeat_the_document() {
    let site = Tree::empty();
    let out = site.run("extract --json no/such.html").out;
    let record: serde_json::Value =
        serde_json::from_str(out.lines().next().expect("a record")).expect("JSON");
    assert_eq!(record["doc"], "no/such.html");
    assert_eq!(record["code"], "unreadable");
    record["text"].as_str().expect("a text").begins("cannot read: ");
}

#[cfg(unix)]
#[test]
fn message_about_a_name_with_a_line_break_is_one_line() {
    let site = Tree::new(&[("a\nb.html", "<a href=c></a>")]);
    let arguments = "rewrite --absolute --explain .";
    let err = site.run(arguments).err;
    err.lines().next().expect("a message").begins("rehref: \"./a\\nb.html\":1:9: unchanged: ");
    let err = site.run(["extract", "x\ny"]).err;
    err.begins("rehref: \"x\\ny\": cannot read: ");
    assert_eq!(err.lines().count(), 1, "{err}");
}

#[cfg(unix)]
#[test]
fn name_with_a_line_break_is_one_line_on_a_terminal() {
    let site = Tree::new(&[("a\nb.html", "<a href=http://c.example/></a><a href=none></a>")]);
    let quoted = "\"./a\\nb.html\":";
    for (arguments, expected) in
        [("extract -H .", "http://c.example/"), ("extract -c -H .", "2"), ("check .", "1:")]
    {
        let (out, _) = printed_on_terminals(command(&site, arguments).arg("--color=never"));
        out.begins(format!("{quoted}{expected}"));
    }
    let map = "http://c.example/=http://d.example/";
    let (out, _) = printed_on_terminals(
        command(&site, &format!("rewrite --map {map} .")).arg("--color=never"),
    );
    out.begins("--- \"a/a\\nb.html\"\n+++ \"b/a\\nb.html\"\n");
}

#[test]
fn quiet_runs_print_errors_only() {
    let site = Tree::new(&[("a.html", "<a href=\"http://a.example/\">a</a><a href=none>b</a>")]);
    let map = "http://a.example/=http://b.example/";
    let prints = |arguments: &str| {
        let Ran { code, out, err, .. } = site.run(arguments);
        (code, out + &err)
    };
    let nothing = String::new;
    assert_eq!(prints(&format!("rewrite --check -q --map {map} a.html")), (1, nothing()));
    assert_eq!(prints("check -q ."), (1, nothing()));
    assert_eq!(prints("move --check -q a.html b.html"), (1, nothing()));
    assert_eq!(prints("move -w -q a.html b.html"), (0, nothing()));
    assert_eq!(prints("move --undo -q"), (0, nothing()));
    assert_eq!(prints(&format!("rewrite -w -q --map {map} a.html")), (0, nothing()));
    let (status, printed) = prints(&format!("rewrite --check -q --map {map} none.html"));
    assert_eq!(status, 2);
    printed.begins("rehref: none.html: cannot read: ");
}

#[test]
fn skip_reasons_are_grouped_and_the_most_frequent_is_first() {
    let page = "<a href=\"http://c.example/\"></a><a href=a></a><a href=b></a>";
    let site = Tree::new(&[("a.html", page)]);
    let err = site.run("rewrite --absolute a.html").err;
    let first = err.lines().next().expect("a summary");
    let relative = first.find("2 links could not be resolved").expect("a group");
    let absolute = first.find("1 link already had").expect("a group");
    assert!(relative < absolute, "{first}");
    first.has("(use --base URL=DIR)");
}

#[test]
fn missing_root_is_reported_once() {
    let site = Tree::empty();
    let err = site.ends(2, "move --root none a.html b.html");
    assert_eq!(err.lines().count(), 1, "{err}");
    err.begins("rehref: none: ");
}

#[test]
fn move_explains_only_the_links_that_it_affects() {
    let page = "<a href=\"http://a.example/\"></a><a href=\"b.html\"></a>";
    let site = Tree::new(&[("a.html", page), ("b.txt", "http://b.example/")]);
    let Ran { out, err, .. } = site.run("move --explain a.html c/a.html");
    out.has("+<a href=\"http://a.example/\"></a><a href=\"../b.html\">");
    assert_eq!(err.matches("unchanged").count(), 0, "{err}");
}

#[test]
fn run_without_documents_says_that_there_is_nothing_to_rewrite() {
    let site = Tree::new(&[("a.rtf", "PK\x03\x04\0\0")]);
    let err = site.run("rewrite --absolute .").err;
    assert_eq!(err, "rehref: nothing to rewrite; 1 .rtf file: links not read\n");
}

#[cfg(unix)]
#[test]
fn faulty_row_of_a_list_is_named_and_shown() {
    let site = Tree::new(&[("map.csv", "old,new\nhttp://a.example/\n")]);
    let arguments = "rewrite --map-file map.csv .";
    let err = site.run(arguments).err;
    let message = "rehref: map.csv:2:1: missing NEW column: each row is old,new\n";
    assert_eq!(err, message);
    let (_, err) = printed_on_terminals(command(&site, arguments).env("NO_COLOR", "1"));
    let expected = format!("{message}  |\n2 | http://a.example/\n  | ^^^^^^^^^^^^^^^^^\n");
    assert_eq!(err, expected);
}

#[test]
fn messages_name_the_way_out() {
    let site = Tree::new(&[("a.html", "<a href=b.html></a>")]);
    let url = "--base=http://a.example/=.";
    for (arguments, help) in [
        ("rewrite --absolute -w -", "leave out -w"),
        ("move a.html", "write `rehref move SRC... DST`"),
        ("move a.html ../b.html", "use --root"),
        ("move --moved a.html=b.html", "move the file first"),
        (&format!("rewrite --absolute {url} -o b ."), "use -o with"),
        ("rewrite --mirror auto .", "use --mirror URL=DIR"),
        ("rewrite --undo .", "name the directory of the run"),
    ] {
        let Ran { out, err, .. } = site.run(arguments).ends(2);
        err.has(format!("  help: {help}"));
        assert_eq!(err.matches("rehref: ").count(), 1, "{err}");
        assert_eq!(out, "");
    }
}

#[cfg(unix)]
#[test]
fn long_check_shows_its_progress_on_terminals_only() {
    let page = |links: usize| "<a href=\"#\">a</a>".repeat(links);
    let site = Tree::new(&[("a.html", ""), ("b.html", "<a href=a.html>a</a>")]);
    let mut links = 50_000;
    // A run of less than half a second has no progress.
    loop {
        site.write("a.html", page(links));
        let (_, err) = printed_on_terminals(&mut command(&site, "check ."));
        let (progress, _) = err.split_once("checked 2 files, ").expect("a summary");
        if progress.contains(" files, ") {
            break;
        }
        assert!(links < 10_000_000, "no progress is shown: {err:?}");
        links *= 2;
    }
    let (_, err) = printed_on_terminals(&mut command(&site, "check -q ."));
    assert_eq!(err, "");
    let err = site.run("check .").err;
    err.begins("rehref: checked 2 files, ");
    assert_eq!(err.lines().count(), 1, "{err:?}");
}

#[test]
fn summary_record_of_check_is_not_repeated_as_a_message() {
    let site = Tree::new(&[("a.html", "<a href=a.html></a>")]);
    let Ran { out, err, .. } = site.run("check --json .");
    out.has("\"type\":\"summary\"");
    assert_eq!(err, "");
}

#[test]
fn undo_of_an_edited_file_names_two_ways_out() {
    let site = Tree::new(&[("a.html", "<a href=\"http://a.example/\">a</a>")]);
    let map = "a.example=b.example";
    site.run(format!("rewrite -w --map {map} ."));
    site.write("a.html", "mine");
    site.ends(2, "rewrite --undo .")
        .has("nothing was undone; 1 file left unchanged\n")
        .has("  help: restore ")
        .has(".rehref to forget the run")
        .lacks("nothing left to undo");
}

#[test]
fn undo_names_the_only_run_in_a_subdirectory() {
    let site = Tree::empty();
    let page = "<a href=\"http://a.example/\">a</a>";
    let map = "a.example=b.example";
    for (name, is_named) in [("one", true), ("two", false)] {
        site.write(format!("{name}/a.html"), page);
        site.run(format!("rewrite -w --map {map} {name}"));
        let err = site.ends(2, "rewrite --undo .");
        assert_eq!(err.contains("of the run: ./one"), is_named, "{err}");
    }
}

#[test]
fn empty_standard_input_is_reported_if_no_path_is_named() {
    let site = Tree::empty();
    let map = "a.example=b.example";
    for arguments in ["extract -g site", &format!("rewrite --map {map}")] {
        site.ends(0, arguments).begins("rehref: standard input was empty\n  help: name a PATH");
        assert_eq!(site.run(format!("{arguments} -")).err, "");
    }
}

#[test]
fn host_in_place_of_a_path_is_explained() {
    let site = Tree::empty();
    site.run("extract old.example .").err.has("  help: use --host old.example ");
    site.run("extract index.html .").err.lacks("help: ");
}

#[test]
fn dry_run_without_changes_says_so() {
    let site = Tree::new(&[("a.html", "<a href=b></a>"), ("b.html", "")]);
    let err = site.run("rewrite --map a.example=b.example .").err;
    assert!(err.ends_with("nothing to change in 2 files\n"), "{err}");
}

#[cfg(unix)]
#[test]
fn manual_page_on_a_terminal_names_the_reader() {
    let site = Tree::empty();
    let (_, err) = printed_on_terminals(&mut command(&site, "man rewrite"));
    err.has("rehref man rewrite | man -l -");
    let err = site.run("man rewrite").err;
    assert_eq!(err, "");
}
