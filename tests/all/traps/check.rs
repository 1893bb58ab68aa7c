//! Behavior of `rehref check`: files that exist, accepted findings, and messages.

use std::path::PathBuf;

use serde_json::Value;

use crate::support::compressed::gzip;
use crate::support::tree::{Has, Ran, Tree};

/// Checks with these arguments.
fn check(tree: &Tree, arguments: &str) -> Ran {
    tree.run(format!("check {arguments}"))
}

/// The exit code and what is printed.
fn checked(tree: &Tree, arguments: &str) -> (i32, String) {
    let Ran { code, out, .. } = check(tree, arguments);
    (code, out)
}

#[test]
fn check_that_read_no_document_is_an_error() {
    let tree = Tree::new(&[("notes.txt", "http://a.example/"), ("README.rst", "`a <b>`_")]);
    let output = check(&tree, "").ends(2);
    assert_eq!(
        output.summary(),
        "rehref: nothing was checked: no HTML, Markdown, XML or CSS document was found; 1 .rst file: relative links not read"
    );
    check(&tree, "-q").ends(2);
    tree.write("list", "");
    check(&tree, "--files-from list").ends(2);
}

#[test]
fn files_outside_of_the_directory_are_not_broken() {
    let tree = Tree::new(&[
        (
            "site/a.html",
            "<a href=../other/b.html>1</a><a href=../none.html>2</a><a href=../site/a.html>3</a><a href=/../other/b.html>4",
        ),
        ("other/b.html", "<p>"),
    ]);
    let expected = "site/a.html:1:38: ../none.html: missing\n";
    assert_eq!(checked(&tree, "site"), (1, expected.to_owned()));
    let (status, printed) = checked(&tree, "--root site");
    assert_eq!(status, 1);
    let outside = printed.lines().filter(|line| line.ends_with(": outside"));
    assert_eq!(outside.count(), 4, "the root says what exists: {printed}");
    assert_eq!(checked(&tree, "--root . site").1.lines().count(), 2);
}

#[test]
fn files_that_the_walk_leaves_out_exist() {
    let tree = Tree::new(&[
        ("a.html", "<a href=.git/config>1</a><a href=.git/none>2</a>"),
        (".git/config", ""),
    ]);
    let expected = "a.html:1:34: .git/none: missing\n";
    assert_eq!(checked(&tree, ""), (1, expected.to_owned()));
}

#[cfg(unix)]
#[test]
fn symbolic_links_out_of_the_directory_are_followed() {
    let tree = Tree::new(&[
        ("site/a.html", "<a href=out/b.html>1</a><a href=out/none.html>2</a>"),
        ("other/b.html", "<p>"),
    ]);
    tree.symlink("../other", "site/out");
    let expected = "site/a.html:1:33: out/none.html: missing\n";
    assert_eq!(checked(&tree, "site"), (1, expected.to_owned()));
}

#[cfg(unix)]
#[test]
fn target_in_an_unreadable_directory_is_not_called_missing() {
    let tree = Tree::new(&[
        ("site/a.html", "<a href=../closed/x.html>1</a><a href=in/y.html>2</a>"),
        ("closed/x.html", ""),
        ("site/in/y.html", ""),
    ]);
    tree.set_mode("", 0o755);
    let closed = ["closed", "site/in"];
    closed.iter().for_each(|name| tree.set_mode(name, 0));
    let run = |arguments| Ran::of(&mut tree.command_of_another_user(arguments));
    let (lines, json) = (run("check site"), run("check site --json"));
    closed.iter().for_each(|name| tree.set_mode(name, 0o755));
    assert_eq!(lines.code, 2);
    assert_eq!(lines.out, "");
    let errors = lines.err;
    for link in ["1:9: ../closed/x.html", "1:39: in/y.html"] {
        errors.has(format!("rehref: site/a.html:{link}: could not be looked up\n"));
    }
    errors.has("1 unreadable directory: links not read");
    assert_eq!(json.code, 2);
    let records = json.out;
    assert_eq!(records.matches("\"code\":\"unknown-target\"").count(), 2, "{records}");
}

#[test]
fn files_and_directories_are_checked_in_their_order() {
    let tree = Tree::new(&[
        ("b/page.html", "<a href=none1>1</a><a href=../a/x.html>2</a><a href=/top.html>3</a>"),
        ("a/x.html", "<a href=none2>1</a><a href=/x.html>2</a><a href=/none3>3</a>"),
        ("list", "a\n"),
    ]);
    let output = check(&tree, "b/page.html a");
    let expected = "b/page.html:1:9: none1: missing\n\
                    a/x.html:1:9: none2: missing\n\
                    a/x.html:1:49: /none3: missing\n";
    assert_eq!(output.out, expected);
    let errors = output.err;
    let message = "rehref: checked 2 files, 5 local links: 3 broken; 1 link from the root of the site not checked\n  \
                   help: use --root DIR to name the root of the site\n";
    assert_eq!(errors, message);
    let listed = check(&tree, "b/page.html --files-from list");
    assert_eq!(listed.out, expected);
    let arguments = ["a/x.html", "b/page.html", "a/x.html"];
    let (_, printed) = checked(&tree, &arguments.join(" "));
    let documents: Vec<&str> = printed.lines().filter_map(|it| it.split(':').next()).collect();
    assert_eq!(documents, arguments, "{printed}");
    let (_, printed) = checked(&tree, &tree.at("a").to_string_lossy());
    assert_eq!(printed.lines().count(), 2, "{printed}");
}

#[test]
fn anchors_of_files_that_are_not_checked_themselves_are_read() {
    let tree = Tree::new(&[
        ("a.html", "<a href=b.html#there>1</a><a href=b.html#none>2</a><a href=c.pdf#page=2>3</a>"),
        ("b.html", "<p id=there><a href=#nowhere>1</a>"),
        ("c.pdf", "%PDF-1.4"),
    ]);
    let expected = (1, "a.html:1:35: b.html#none: anchor\n".to_owned());
    assert_eq!(checked(&tree, "a.html"), expected);
    assert_eq!(checked(&tree, "--glob a.html"), expected);
}

#[test]
fn paths_that_cannot_be_checked_are_errors() {
    let tree = Tree::new(&[("a/x.html", "<p>"), ("b/y.html", "<p>")]);
    for (arguments, message) in [
        ("none.html a", "none.html: cannot read"),
        ("-", "-: only files and directories are checked"),
        ("--root a b", "--root: b is not in the root a"),
        ("--root none", "none: not a directory"),
        ("--base http://a.example/ a b", "--base: the URL could be that of a or b"),
        ("--base http://a.example/=a b", "--base: b is not in the directory of the URL"),
        (
            "--base http://a.example/=a --root b",
            "--base: the root b is not the directory of the URL",
        ),
    ] {
        let output = check(&tree, arguments).ends(2);
        output.err.begins(format!("rehref: {message}"));
    }
    let output = check(&tree, "none.html a");
    assert!(output.summary().starts_with("rehref: checked 1 file"), "the rest is checked");
}

#[test]
fn excluded_links_are_not_checked() {
    let page = "<a href=gen/1.html>1</a><a href=http://a.example/gen/2>2</a><a href=http://a.example/x>3</a>";
    let tree = Tree::new(&[("a.html", page)]);
    let arguments = "--base http://a.example/=. --exclude-link ^gen/ --exclude-link example/gen/";
    let output = check(&tree, arguments);
    assert_eq!(output.out, "./a.html:1:69: http://a.example/x: missing\n");
    assert_eq!(
        output.summary(),
        "rehref: checked 1 file, 1 local link: 1 broken; 2 links excluded"
    );
    check(&tree, "--exclude-link (").ends(2);
}

#[test]
fn accepted_findings_do_not_fail_and_new_ones_do() {
    let tree = Tree::new(&[
        ("site/a b.html", "<a href=none1>1</a>\n<a href='x y'>2</a>"),
        ("site/c.html", "<a href=none2>1</a>"),
    ]);
    check(&tree, "site --orphans --write-baseline ci/accepted").ends(2);
    tree.make("ci");
    check(&tree, "site --orphans --write-baseline ci/accepted").ends(0);
    let baseline = tree.read("ci/accepted");
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
    tree.write("site/a b.html", "\n\n<a href=none1>1</a>\n<a href='x y'>2</a>");
    let output = tree.run_in("site", "check --orphans --baseline ../ci/accepted");
    assert_eq!((output.code, &*output.out), (0, ""));
    assert_eq!(
        output.summary(),
        "rehref: checked 2 files, 3 local links: 0 broken, 0 orphans; 5 accepted by the baseline"
    );
    tree.write("site/c.html", "<a href=none2>1</a><a href=none3>1</a>");
    let arguments = "site --orphans --baseline ci/accepted";
    let expected = "site/c.html:1:28: none3: missing\n";
    assert_eq!(checked(&tree, arguments), (1, expected.to_owned()));
    let junit = check(&tree, &format!("{arguments} --format junit"));
    junit.out.has("tests=\"2\" failures=\"1\"");
    tree.ends(0, format!("check {arguments} --write-baseline ci/accepted"));
    let baseline = tree.read("ci/accepted");
    assert_eq!(baseline.lines().count(), 7, "accepted and new findings");
}

#[test]
fn accepted_findings_that_are_gone_are_noted() {
    let tree = Tree::new(&[
        ("a.html", "<a href=none1>1</a><a href=none2>1</a>"),
        ("b.html", "<a href=none3>1</a>"),
    ]);
    check(&tree, "--write-baseline accepted");
    tree.write("a.html", "<a href=none1>1</a>");
    let stale = "rehref: accepted: 1 accepted finding no longer found: a.html: none2 missing\n  \
                 help: use --write-baseline to remove them\n";
    let output = check(&tree, "--baseline accepted").ends(0);
    assert!(output.err.ends_with(stale), "{}", output.err);
    let output = check(&tree, "b.html --baseline accepted");
    assert_eq!(output.err.lines().count(), 1, "a.html was not checked");
    tree.remove("a.html");
    check(&tree, "b.html --baseline accepted").err.has("2 accepted findings no longer found");
}

#[test]
fn only_a_baseline_is_replaced_by_a_baseline() {
    let tree = Tree::new(&[("a.html", "<a href=none>1</a>"), ("notes", "mine\n")]);
    check(&tree, "--write-baseline notes").ends(2);
    assert_eq!(tree.read("notes"), "mine\n");
    let output = check(&tree, "--baseline notes").ends(2);
    assert_eq!(output.err, "rehref: --baseline: notes: not a baseline\n");
    // A run that could not check everything would accept too little.
    check(&tree, "a.html none.html --write-baseline new").ends(2);
    assert!(!tree.has("new"));
}

#[test]
fn sarif_has_what_code_scanning_needs() {
    let tree = Tree::new(&[
        ("a b/é#.html", "<p>\u{1F600}é<a href=none>1</a><a href=none>2</a>\n<a href=b.html>3</a>"),
        ("c.html", "<p>"),
    ]);
    let output = check(&tree, "--format sarif --orphans").ends(1);
    let log: Value = serde_json::from_str(&output.out).expect("JSON");
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
    tree.write(
        "a b/é#.html",
        "\n\n<p>\u{1F600}é<a href=none>1</a><a href=none>2</a>\n<a href=b.html>3</a>",
    );
    let again = check(&tree, "--format sarif --orphans");
    again.out.has(&first);
    // Without results, the log is well-formed too.
    let output = check(&tree, "--format sarif c.html");
    let log: Value = serde_json::from_str(&output.out).expect("JSON");
    assert_eq!(log["runs"][0]["results"], Value::Array(Vec::new()));
}

#[test]
fn sarif_names_documents_by_uris_and_counts_columns_in_utf_16() {
    let page = "\u{FEFF}é\u{1F600}<a href=x><a href=y>\né<a href=z>";
    let tree = Tree::new(&[("w/a b/c#1.html", page), ("w/a:b.html", page), ("é.html", page)]);
    let (above, here) = (tree.at("é.html"), tree.at("w/a:b.html"));
    let paths = ["./a b/c#1.html".into(), "../é.html".into(), here, above];
    let options = ["check", "--format", "sarif"].map(PathBuf::from);
    let arguments: Vec<PathBuf> = options.into_iter().chain(paths).collect();
    let output = tree.run_in("w", &arguments);
    let log: Value = serde_json::from_str(&output.ends(1).out).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let places = results.iter().map(|it| &it["locations"][0]["physicalLocation"]);
    let found: Vec<_> = places
        .map(|it| (it["artifactLocation"]["uri"].as_str(), it["region"]["startColumn"].as_u64()))
        .collect();
    let above = format!("file://{}/%C3%A9.html", tree.path().display());
    let expected: Vec<_> = ["a%20b/c%231.html", "../%C3%A9.html", "./a:b.html", &above]
        .into_iter()
        .flat_map(|uri| [12, 22, 10].map(|column| (Some(uri), Some(column))))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn reference_with_backslashes_has_the_file_of_browsers_as_near() {
    let tree = Tree::new(&[("a.html", "<a href='sub\\b.html'>1</a>"), ("sub/b.html", "<p>")]);
    let expected = "a.html:1:10: sub\\b.html: missing (near: sub/b.html)\n";
    assert_eq!(checked(&tree, ""), (1, expected.to_owned()));
}

#[test]
fn compressed_copy_of_a_checked_document_is_not_checked_again() {
    let tree = Tree::new(&[("a.html", "<a href=none.html>x</a>")]);
    for name in ["a.html.gz", "alone.html.gz"] {
        tree.write(name, gzip(tree.bytes("a.html")));
    }
    tree.write("a.html.br", b"\x0B\x02\x80hello\xE9\x03");
    let broken = |arguments: &str| {
        let (code, stdout) = checked(&tree, arguments);
        assert_eq!(code, 1, "{stdout}");
        let names = stdout.lines().filter_map(|line| line.split_once(':'));
        names.map(|(name, _)| name.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(broken(""), ["a.html", "alone.html.gz"]);
    assert_eq!(check(&tree, "").summary(), "rehref: checked 2 files, 2 local links: 2 broken");
    assert_eq!(broken("a.html a.html.gz"), ["a.html", "a.html.gz"]);
    assert_eq!(broken("-g *.gz"), ["a.html.gz", "alone.html.gz"]);
}

#[test]
fn accepted_findings_that_are_not_looked_for_are_not_gone() {
    let tree = Tree::new(&[
        ("index.html", "<a href=#none>1</a> <a href=INDEX.html>2</a> <a href=sub/>3</a>"),
        ("sub/a.html", "<p>"),
    ]);
    let strict = "--case --orphans --index";
    check(&tree, &format!("{strict} --write-baseline accepted")).ends(0);
    let lines = tree.read("accepted");
    for reason in ["anchor", "index", "orphan"] {
        lines.has(format!("\t{reason}\t"));
    }
    tree.write("index.html", "<p>");
    tree.write("sub/a.html", "<a href=../index.html>");
    let output = check(&tree, "--no-anchors --baseline accepted");
    let messages = output.err;
    for reason in ["anchor", "index", "orphan"] {
        messages.lacks(format!(" {reason}"));
    }
    check(&tree, "--baseline accepted").err.has("index.html: #none anchor");
}

#[test]
fn missing_baseline_has_the_option_that_writes_it() {
    let tree = Tree::new(&[("a.html", "<p>")]);
    let output = check(&tree, "--baseline none").ends(2);
    let expected = "\n  help: write it with --write-baseline FILE\n";
    assert!(output.err.ends_with(expected), "{output:?}");
}

#[test]
fn reasons_are_sentences_for_code_hosts_and_words_in_records() {
    let tree = Tree::new(&[("a.html", "<a href=#none>1</a>")]);
    let printed = |format| checked(&tree, &format!("--format {format}")).1;
    let sentence = "#none: the file has no element with this name";
    for format in ["github", "junit", "sarif"] {
        assert!(printed(format).contains(sentence), "{}", printed(format));
    }
    assert!(printed("junit").contains("type=\"anchor\""));
    assert!(printed("jsonl").contains("\"why\":\"anchor\""));
}
