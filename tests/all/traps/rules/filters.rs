//! Filters that would match nothing, or overlook links.

use super::*;

const PAGE: &str = "<a href=http://a.example/1>1</a> <a href=HTTPS://B.example:8/2>2</a> \
                    <a href=ftp://c.example/3>3</a>";

#[test]
fn scheme_filter_may_have_a_colon_or_capitals() {
    let tree = Tree::new(&[("page.html", PAGE)]);
    let extract = |schemes| tree.run(format!("extract --scheme '{schemes}' page.html"));
    for schemes in ["http:,ftp", "HTTP,Ftp:", "http://,ftp://"] {
        let found = ["http://a.example/1", "ftp://c.example/3"];
        assert_eq!(extract(schemes).lines(), found, "{schemes}");
    }
    for invalid in ["http,", "ht tp", "http://a.example", "*"] {
        extract(invalid).refused().has("is not a scheme");
    }
}

#[test]
fn hosts_are_a_list_and_more_than_a_host_is_refused() {
    let tree = Tree::new(&[("page.html", PAGE)]);
    let extract = |hosts| tree.run(format!("extract --host {hosts} page.html"));
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
        extract(invalid).refused().has(way_out);
    }
}

#[test]
fn globs_with_an_exclamation_mark_leave_out_what_they_match() {
    let tree = Tree::new(&[
        ("a.html", "<a href=http://h.example/a>"),
        ("d/b.html", "<a href=http://h.example/b>"),
        ("d/c.txt", "http://h.example/c"),
    ]);
    let extract = |arguments: &str| {
        let arguments = format!("extract {arguments} .");
        let ran = tree.run(&arguments);
        let lines = ran.lines();
        lines.iter().map(|line| line[line.len() - 1..].to_owned()).collect::<String>()
    };
    assert_eq!(extract("-g *.html"), "ab");
    assert_eq!(extract("-g !*.html"), "c");
    assert_eq!(extract("-g *.html -g !d"), "a");
    assert_eq!(extract("-g !b.*"), "ac");
    assert_eq!(extract("-g !d/* -g d/b.*"), "b");
    assert_eq!(extract("--exclude *.html --exclude !a.html"), "ac");
}

#[test]
fn globs_that_match_nothing_are_refused_or_named() {
    let tree = Tree::new(&[("a.html", "<a href=http://h.example/a>")]);
    for invalid in ["[", "../*.html", "a//b", "", "!"] {
        tree.run(format!("extract -g '{invalid}' .")).refused();
    }
    tree.run("extract --exclude !a.html .").refused().has("is no earlier --exclude");
    let absolute = tree.path().canonicalize().expect("a path").join("*.html");
    let absolute = absolute.to_str().expect("UTF-8");
    let ran = tree.run(format!("extract -g {absolute} ."));
    assert_eq!(ran.lines(), [""; 0]);
    ran.err.has("below the directory that is walked");
    // A `/` at the beginning means the directory that is walked.
    let ran = tree.run("extract -g /a.* .");
    assert_eq!((ran.lines().len(), &*ran.err), (1, ""));
}

#[test]
fn network_path_references_have_a_host_without_a_base() {
    let tree = Tree::new(&[(
        "page.html",
        "<img src=//CDN.example/x.png> <a href=http://a.example/>a</a> <a href=y>y</a>",
    )]);
    let extract = |arguments: &str| {
        let ran = tree.run(format!("extract {arguments} page.html"));
        ran.lines().join(" ")
    };
    assert_eq!(extract("--host cdn.example"), "//CDN.example/x.png");
    assert_eq!(extract("-l --host cdn.example"), "page.html");
    assert_eq!(extract("--exclude-host cdn.example,a.example"), "y");
    extract("--count-by host").has("cdn.example");
    extract("--host cdn.example --json").has("\"uri\":null");
}

#[test]
fn path_in_place_of_a_host_is_called_a_path() {
    let tree = Tree::new(&[("mail/in.mbox", "http://a.example/")]);
    for option in ["--host", "--exclude-host"] {
        let ran = tree.run(format!("extract {option} mail/in.mbox"));
        ran.refused().has(format!("{option}: mail/in.mbox is a path, not a host"));
    }
}
