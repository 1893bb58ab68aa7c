//! What `rehref check` says exists, accepts and reports.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::Value;

use super::{files, rehref};

fn check(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = rehref(directory, &[&["check"], arguments].concat());
    command.output().expect("rehref runs")
}

fn write(directory: &Path, name: &str, content: &str) {
    let path = directory.join(name);
    fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
    fs::write(path, content).expect("written");
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// The exit status and what is printed.
fn checked(directory: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = check(directory, arguments);
    (output.status.code(), text(&output.stdout))
}

fn summary(output: &Output) -> String {
    let errors = text(&output.stderr);
    errors.lines().last().expect("a summary").to_owned()
}

#[test]
fn check_that_read_no_document_is_an_error() {
    let directory = files(&[("notes.txt", "http://a.example/"), ("README.rst", "`a <b>`_")]);
    let output = check(directory.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        summary(&output),
        "rehref: nothing was checked: no HTML, Markdown, XML or CSS document was found; 1 .rst file: relative links not read"
    );
    let output = check(directory.path(), &["-q"]);
    assert_eq!(output.status.code(), Some(2), "also with -q");
    write(directory.path(), "list", "");
    let output = check(directory.path(), &["--files-from", "list"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

#[test]
fn files_outside_of_the_directory_are_not_broken() {
    let directory = files(&[
        (
            "site/a.html",
            "<a href=../other/b.html>1</a><a href=../none.html>2</a><a href=../site/a.html>3</a><a href=/../other/b.html>4",
        ),
        ("other/b.html", "<p>"),
    ]);
    let expected = "site/a.html:1:38: ../none.html: missing\n";
    assert_eq!(checked(directory.path(), &["site"]), (Some(1), expected.to_owned()));
    let (status, printed) = checked(directory.path(), &["--root", "site"]);
    assert_eq!(status, Some(1));
    let outside = printed.lines().filter(|line| line.ends_with(": outside"));
    assert_eq!(outside.count(), 4, "the root says what exists: {printed}");
    assert_eq!(checked(directory.path(), &["--root", ".", "site"]).1.lines().count(), 2);
}

#[test]
fn files_that_the_walk_leaves_out_exist() {
    let directory = files(&[
        ("a.html", "<a href=.git/config>1</a><a href=.git/none>2</a>"),
        (".git/config", ""),
    ]);
    let expected = "a.html:1:34: .git/none: missing\n";
    assert_eq!(checked(directory.path(), &[]), (Some(1), expected.to_owned()));
}

#[cfg(unix)]
#[test]
fn symbolic_links_out_of_the_directory_are_followed() {
    let directory = files(&[
        ("site/a.html", "<a href=out/b.html>1</a><a href=out/none.html>2</a>"),
        ("other/b.html", "<p>"),
    ]);
    std::os::unix::fs::symlink("../other", directory.path().join("site/out")).expect("a link");
    let expected = "site/a.html:1:33: out/none.html: missing\n";
    assert_eq!(checked(directory.path(), &["site"]), (Some(1), expected.to_owned()));
}

#[cfg(unix)]
#[test]
fn target_in_an_unreadable_directory_is_not_called_missing() {
    use std::os::unix::fs::PermissionsExt;
    let directory = files(&[
        ("site/a.html", "<a href=../closed/x.html>1</a><a href=in/y.html>2</a>"),
        ("closed/x.html", ""),
        ("site/in/y.html", ""),
    ]);
    let mode = |name: &str, mode| {
        let path = directory.path().join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
    };
    mode("", 0o755);
    let closed = ["closed", "site/in"];
    closed.iter().for_each(|name| mode(name, 0));
    let run = |arguments: &[&str]| {
        let mut command = super::as_other_user(directory.path());
        command.arg("check").args(arguments).current_dir(directory.path());
        command.stdin(Stdio::null()).output().expect("rehref runs")
    };
    let lines = run(&["site"]);
    fs::remove_dir_all(directory.path().join(".program")).ok();
    let json = run(&["site", "--json"]);
    closed.iter().for_each(|name| mode(name, 0o755));
    assert_eq!(lines.status.code(), Some(2));
    assert_eq!(text(&lines.stdout), "");
    let errors = text(&lines.stderr);
    for link in ["1:9: ../closed/x.html", "1:39: in/y.html"] {
        let message = format!("rehref: site/a.html:{link}: could not be looked up\n");
        assert!(errors.contains(&message), "{errors}");
    }
    assert!(errors.contains("1 unreadable directory: links not read"), "{errors}");
    assert_eq!(json.status.code(), Some(2));
    let records = text(&json.stdout);
    assert_eq!(records.matches("\"code\":\"unknown-target\"").count(), 2, "{records}");
}

#[test]
fn files_and_directories_are_checked_in_their_order() {
    let directory = files(&[
        ("b/page.html", "<a href=none1>1</a><a href=../a/x.html>2</a><a href=/top.html>3</a>"),
        ("a/x.html", "<a href=none2>1</a><a href=/x.html>2</a><a href=/none3>3</a>"),
        ("list", "a\n"),
    ]);
    let output = check(directory.path(), &["b/page.html", "a"]);
    let expected = "b/page.html:1:9: none1: missing\n\
                    a/x.html:1:9: none2: missing\n\
                    a/x.html:1:49: /none3: missing\n";
    assert_eq!(text(&output.stdout), expected);
    let errors = text(&output.stderr);
    let message = "rehref: checked 2 files, 5 local links: 3 broken; 1 link from the root of the site not checked\n  \
                   help: use --root DIR to name the root of the site\n";
    assert_eq!(errors, message);
    let listed = check(directory.path(), &["b/page.html", "--files-from", "list"]);
    assert_eq!(text(&listed.stdout), expected);
    let arguments = ["a/x.html", "b/page.html", "a/x.html"];
    let (_, printed) = checked(directory.path(), &arguments);
    let documents: Vec<&str> = printed.lines().filter_map(|it| it.split(':').next()).collect();
    assert_eq!(documents, arguments, "{printed}");
    let absolute = directory.path().join("a");
    let (_, printed) = checked(directory.path(), &[&absolute.to_string_lossy()]);
    assert_eq!(printed.lines().count(), 2, "{printed}");
}

#[test]
fn anchors_of_files_that_are_not_checked_themselves_are_read() {
    let directory = files(&[
        ("a.html", "<a href=b.html#there>1</a><a href=b.html#none>2</a><a href=c.pdf#page=2>3</a>"),
        ("b.html", "<p id=there><a href=#nowhere>1</a>"),
        ("c.pdf", "%PDF-1.4"),
    ]);
    let expected = (Some(1), "a.html:1:35: b.html#none: anchor\n".to_owned());
    assert_eq!(checked(directory.path(), &["--anchors", "a.html"]), expected);
    assert_eq!(checked(directory.path(), &["--anchors", "--glob", "a.html"]), expected);
}

#[test]
fn paths_that_cannot_be_checked_are_errors() {
    let directory = files(&[("a/x.html", "<p>"), ("b/y.html", "<p>")]);
    for (arguments, message) in [
        (&["none.html", "a"][..], "none.html: cannot read"),
        (&["-"], "-: only files and directories are checked"),
        (&["--root", "a", "b"], "--root: b is not in the root a"),
        (&["--root", "none"], "none: not a directory"),
        (&["--base", "http://a.example/", "a", "b"], "--base: the URL could be that of a or b"),
        (&["--base", "http://a.example/=a", "b"], "--base: b is not in the directory of the URL"),
        (
            &["--base", "http://a.example/=a", "--root", "b"],
            "--base: the root b is not the directory of the URL",
        ),
    ] {
        let output = check(directory.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let errors = text(&output.stderr);
        assert!(errors.starts_with(&format!("rehref: {message}")), "{errors}");
    }
    let output = check(directory.path(), &["none.html", "a"]);
    assert!(summary(&output).starts_with("rehref: checked 1 file"), "the rest is checked");
}

#[test]
fn excluded_links_are_not_checked() {
    let page = "<a href=gen/1.html>1</a><a href=http://a.example/gen/2>2</a><a href=http://a.example/x>3</a>";
    let directory = files(&[("a.html", page)]);
    let arguments = [
        "--base",
        "http://a.example/=.",
        "--exclude-link",
        "^gen/",
        "--exclude-link",
        "example/gen/",
    ];
    let output = check(directory.path(), &arguments);
    assert_eq!(text(&output.stdout), "./a.html:1:69: http://a.example/x: missing\n");
    assert_eq!(
        summary(&output),
        "rehref: checked 1 file, 1 local link: 1 broken; 2 links excluded"
    );
    let output = check(directory.path(), &["--exclude-link", "("]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn accepted_findings_do_not_fail_and_new_ones_do() {
    let directory = files(&[
        ("site/a b.html", "<a href=none1>1</a>\n<a href='x y'>2</a>"),
        ("site/c.html", "<a href=none2>1</a>"),
    ]);
    let directory = directory.path();
    let written = check(directory, &["site", "--orphans", "--write-baseline", "ci/accepted"]);
    assert_eq!(written.status.code(), Some(2), "there is no directory ci");
    fs::create_dir(directory.join("ci")).expect("a directory");
    let written = check(directory, &["site", "--orphans", "--write-baseline", "ci/accepted"]);
    assert_eq!(written.status.code(), Some(0), "{}", text(&written.stderr));
    let baseline = fs::read_to_string(directory.join("ci/accepted")).expect("a baseline");
    let lines: Vec<&str> = baseline.lines().skip(1).collect();
    let expected = [
        "../site/a b.html\tmissing\tnone1",
        "../site/a b.html\tmissing\tx y",
        "../site/a b.html\torphan\t",
        "../site/c.html\tmissing\tnone2",
        "../site/c.html\torphan\t",
    ];
    assert_eq!(lines, expected);

    // Lines above a link do not change it, and neither does the current directory.
    write(directory, "site/a b.html", "\n\n<a href=none1>1</a>\n<a href='x y'>2</a>");
    let output = check(&directory.join("site"), &["--orphans", "--baseline", "../ci/accepted"]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), String::new()));
    assert_eq!(
        summary(&output),
        "rehref: checked 2 files, 3 local links: 0 broken, 0 orphans; 5 accepted by the baseline"
    );
    write(directory, "site/c.html", "<a href=none2>1</a><a href=none3>1</a>");
    let arguments = ["site", "--orphans", "--baseline", "ci/accepted"];
    let expected = "site/c.html:1:28: none3: missing\n";
    assert_eq!(checked(directory, &arguments), (Some(1), expected.to_owned()));
    let junit = check(directory, &[&arguments[..], &["--format", "junit"]].concat());
    assert!(text(&junit.stdout).contains("tests=\"2\" failures=\"1\""), "{}", text(&junit.stdout));
    let arguments =
        ["site", "--orphans", "--baseline", "ci/accepted", "--write-baseline", "ci/accepted"];
    assert_eq!(check(directory, &arguments).status.code(), Some(0));
    let baseline = fs::read_to_string(directory.join("ci/accepted")).expect("a baseline");
    assert_eq!(baseline.lines().count(), 7, "accepted and new findings");
}

#[test]
fn accepted_findings_that_are_gone_are_noted() {
    let directory = files(&[
        ("a.html", "<a href=none1>1</a><a href=none2>1</a>"),
        ("b.html", "<a href=none3>1</a>"),
    ]);
    let directory = directory.path();
    check(directory, &["--write-baseline", "accepted"]);
    write(directory, "a.html", "<a href=none1>1</a>");
    let stale = "rehref: accepted: 1 accepted finding no longer found: a.html: none2 missing\n  \
                 help: use --write-baseline to remove them\n";
    let output = check(directory, &["--baseline", "accepted"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).ends_with(stale), "{}", text(&output.stderr));
    let output = check(directory, &["b.html", "--baseline", "accepted"]);
    assert_eq!(text(&output.stderr).lines().count(), 1, "a.html was not checked");
    fs::remove_file(directory.join("a.html")).expect("removed");
    let output = check(directory, &["b.html", "--baseline", "accepted"]);
    assert!(text(&output.stderr).contains("2 accepted findings no longer found"));
}

#[test]
fn only_a_baseline_is_replaced_by_a_baseline() {
    let directory = files(&[("a.html", "<a href=none>1</a>"), ("notes", "mine\n")]);
    let output = check(directory.path(), &["--write-baseline", "notes"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(directory.path().join("notes")).expect("a file"), "mine\n");
    let output = check(directory.path(), &["--baseline", "notes"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stderr), "rehref: --baseline: notes: not a baseline\n");
    // A run that could not check everything would accept too little.
    let output = check(directory.path(), &["a.html", "none.html", "--write-baseline", "new"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!directory.path().join("new").exists());
}

#[test]
fn sarif_has_what_code_scanning_needs() {
    let directory = files(&[
        ("a b/é#.html", "<p>\u{1F600}é<a href=none>1</a><a href=none>2</a>\n<a href=b.html>3</a>"),
        ("c.html", "<p>"),
    ]);
    let output = check(directory.path(), &["--format", "sarif", "--orphans"]);
    assert_eq!(output.status.code(), Some(1));
    let log: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().is_some_and(|it| it.ends_with("sarif-2.1.0.json")));
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "utf16CodeUnits");
    assert_eq!(run["tool"]["driver"]["name"], "rehref");
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 5);
    let mut fingerprints = std::collections::BTreeSet::new();
    for result in results {
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]), "{result}");
        assert!(["error", "warning"].contains(&result["level"].as_str().expect("a level")));
        assert!(result["message"]["text"].as_str().is_some_and(|it| !it.is_empty()));
        let fingerprint = &result["partialFingerprints"]["primaryLocationLineHash"];
        assert!(fingerprints.insert(fingerprint.as_str().expect("a fingerprint").to_owned()));
    }
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a%20b/%C3%A9%23.html");
    // Two code units for the emoji.
    assert_eq!(
        (&place["region"]["startLine"], &place["region"]["startColumn"]),
        (&1.into(), &15.into())
    );
    let second = &results[1]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(second["startColumn"], 33);

    // A finding keeps its fingerprint where lines are added.
    let first = fingerprints.iter().next().expect("one").clone();
    write(
        directory.path(),
        "a b/é#.html",
        "\n\n<p>\u{1F600}é<a href=none>1</a><a href=none>2</a>\n<a href=b.html>3</a>",
    );
    let again = check(directory.path(), &["--format", "sarif", "--orphans"]);
    assert!(text(&again.stdout).contains(&first));
    // Without results, the log is well-formed too.
    let output = check(directory.path(), &["--format", "sarif", "c.html"]);
    let log: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(log["runs"][0]["results"], Value::Array(Vec::new()));
}

#[test]
fn reference_with_backslashes_has_the_file_of_browsers_as_near() {
    let directory = files(&[("a.html", "<a href='sub\\b.html'>1</a>"), ("sub/b.html", "<p>")]);
    let expected = "a.html:1:10: sub\\b.html: missing (near: sub/b.html)\n";
    assert_eq!(checked(directory.path(), &[]), (Some(1), expected.to_owned()));
}

#[test]
fn compressed_copy_of_a_checked_document_is_not_checked_again() {
    let directory = files(&[("a.html", "<a href=none.html>x</a>")]);
    let page = fs::read(directory.path().join("a.html")).expect("readable");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&page).expect("compressed");
    let gzip = gzip.finish().expect("compressed");
    for name in ["a.html.gz", "alone.html.gz"] {
        fs::write(directory.path().join(name), &gzip).expect("written");
    }
    fs::write(directory.path().join("a.html.br"), b"\x0B\x02\x80hello\xE9\x03").expect("written");
    let broken = |arguments: &[&str]| {
        let (code, stdout) = checked(directory.path(), arguments);
        assert_eq!(code, Some(1), "{stdout}");
        let names = stdout.lines().filter_map(|line| line.split_once(':'));
        names.map(|(name, _)| name.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(broken(&[]), ["a.html", "alone.html.gz"]);
    assert_eq!(
        summary(&check(directory.path(), &[])),
        "rehref: checked 2 files, 2 local links: 2 broken"
    );
    assert_eq!(broken(&["a.html", "a.html.gz"]), ["a.html", "a.html.gz"]);
    assert_eq!(broken(&["-g", "*.gz"]), ["a.html.gz", "alone.html.gz"]);
}

#[test]
fn accepted_findings_that_are_not_looked_for_are_not_gone() {
    let directory = files(&[
        ("index.html", "<a href=#none>1</a> <a href=INDEX.html>2</a> <a href=sub/>3</a>"),
        ("sub/a.html", "<p>"),
    ]);
    let directory = directory.path();
    let strict = ["--anchors", "--case", "--orphans", "--index"];
    let written = check(directory, &[&strict[..], &["--write-baseline", "accepted"]].concat());
    assert_eq!(written.status.code(), Some(0), "{written:?}");
    let lines = fs::read_to_string(directory.join("accepted")).expect("a baseline");
    for reason in ["anchor", "index", "orphan"] {
        assert!(lines.contains(&format!("\t{reason}\t")), "{lines}");
    }
    write(directory, "index.html", "<p>");
    write(directory, "sub/a.html", "<a href=../index.html>");
    let output = check(directory, &["--baseline", "accepted"]);
    let messages = text(&output.stderr);
    for reason in ["anchor", "index", "orphan"] {
        assert!(!messages.contains(&format!(" {reason}")), "{messages}");
    }
    let output = check(directory, &["--anchors", "--baseline", "accepted"]);
    assert!(text(&output.stderr).contains("index.html: #none anchor"));
}

#[test]
fn missing_baseline_has_the_option_that_writes_it() {
    let directory = files(&[("a.html", "<p>")]);
    let output = check(directory.path(), &["--baseline", "none"]);
    assert_eq!(output.status.code(), Some(2));
    let expected = "\n  help: write it with --write-baseline FILE\n";
    assert!(text(&output.stderr).ends_with(expected), "{output:?}");
}

#[test]
fn reasons_are_sentences_for_code_hosts_and_words_in_records() {
    let directory = files(&[("a.html", "<a href=#none>1</a>")]);
    let printed = |format| checked(directory.path(), &["--anchors", "--format", format]).1;
    let sentence = "#none: the file has no element with this name";
    for format in ["github", "junit", "sarif"] {
        assert!(printed(format).contains(sentence), "{}", printed(format));
    }
    assert!(printed("junit").contains("type=\"anchor\""));
    assert!(printed("jsonl").contains("\"why\":\"anchor\""));
}
