//! Rules and bases that look right and would match nothing, or something else.

mod filters;
mod roots;

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use rehref::jobs::{Outcome, Rewrite};
use rehref::rewrite::Rules;

use crate::support::tree::{Has, Tree};
use crate::tier;

/// The new references of a dry run over these arguments.
#[track_caller]
fn edits(tree: &Tree, arguments: &str) -> Vec<String> {
    let ran = tree.run(format!("rewrite --json {arguments}"));
    let record = |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON");
    let records = ran.lines().into_iter().map(record);
    let text = |it: &serde_json::Value| it.as_str().expect("a string").to_owned();
    records.map(|it| text(&it["new"])).collect()
}

#[test]
fn map_without_scheme_is_about_http_https_and_no_scheme() {
    let page = "<a href=http://old.example/a>1</a> <a href=https://old.example/b>2</a> \
                <a href=//old.example/c>3</a> <a href=ftp://old.example/d>4</a> \
                <a href=old.example/e>5</a> <a href=http://old.example/docs/f>6</a>";
    let tree = Tree::new(&[("p.html", page), ("t.txt", "See https://old.example/t.\n")]);
    let map = |entry| edits(&tree, &format!("--map {entry} p.html t.txt"));
    assert_eq!(
        map("old.example=new.example"),
        [
            "http://new.example/a", "https://new.example/b", "//new.example/c",
            "http://new.example/docs/f", "https://new.example/t",
        ]
    );
    let with_scheme = map("old.example=https://new.example");
    assert_eq!(
        with_scheme[..3],
        ["https://new.example/a", "https://new.example/b", "https://new.example/c"]
    );
    assert_eq!(map("old.example/docs=new.example/manual"), ["http://new.example/manual/f"]);
    tree.write("map.csv", "old.example/docs,new.example/manual\n");
    let row = edits(&tree, "--map-file map.csv p.html");
    assert_eq!(row, ["http://new.example/manual/f"]);
}

#[test]
fn map_with_scheme_is_also_about_links_without_one_if_the_page_has_none() {
    let tree = Tree::new(&[("p.html", "<a href=//old.example/a>1</a>")]);
    let map = |arguments: &str| edits(&tree, &format!("{arguments} p.html"));
    assert_eq!(map("--map http://old.example=http://new.example"), ["//new.example/a"]);
    assert_eq!(map("--map http://old.example=https://new.example"), ["https://new.example/a"]);
    assert_eq!(map("--map https://old.example=https://new.example"), ["//new.example/a"]);
    // The page has a scheme.
    let https = "--map http://old.example=http://new.example --base https://h.example/";
    assert_eq!(map(https), [""; 0]);
}

#[test]
fn map_swaps_hosts_without_schemes() {
    let page = "<a href=http://a.example/x>1</a> <a href=//b.example/y>2</a>";
    let tree = Tree::new(&[("p.html", page)]);
    let swap = "--map a.example=b.example --map b.example=a.example p.html";
    assert_eq!(edits(&tree, swap), ["http://b.example/x", "//a.example/y"]);
}

#[test]
fn map_of_something_like_a_path_is_refused() {
    let tree = Tree::new(&[("p.html", "<a href=index.html>1</a>")]);
    for (entry, message) in [
        ("index.html=start.html", "OLD looks like a file"),
        ("docs/a=docs/b", "OLD is neither"),
        ("http://old.example=/new", "NEW is neither"),
        ("http://h.example/?a=b.example/=n.example", "several `=`"),
    ] {
        tree.run(format!("rewrite --map {entry} p.html")).refused().has(message);
    }
}

#[test]
fn map_re_replaces_what_matches_within_the_url() {
    let page = "<a href=http://old.example/p?id=7&x=old>1</a> <a href=http://h.example/>2</a>";
    let tree = Tree::new(&[("p.html", page)]);
    let map = |entry| edits(&tree, &format!("--map-re {entry} p.html"));
    assert_eq!(map("old=new"), ["http://new.example/p?id=7&x=old"]);
    assert_eq!(map("old$=new"), ["http://old.example/p?id=7&x=new"]);
    assert_eq!(map(r"\?id\=(\d+).*=/$1"), ["http://old.example/p/7"]);
    assert_eq!(map("p.id=q?n=1&id"), ["http://old.example/q?n=1&id=7&x=old"]);
    assert_eq!(map("^http:=https:")[1], "https://h.example/");
    for (entry, reason) in [
        ("^http://=", "the result is not an absolute URL"),
        ("example/=example:port/", "the result is not a valid URL"),
    ] {
        let ran = tree.run(format!("rewrite --map-re {entry} p.html"));
        assert_eq!(ran.lines(), [""; 0]);
        ran.err.has(reason);
    }
    for (entry, way_out) in [
        (r"\?id=(\d+)=/$1", r"write \= for a `=` in RE"),
        ("(a=b)=c", r"write \= for a `=` in RE"),
        (r"(a)=\1", "${1}"),
        ("=x", "RE is empty"),
    ] {
        tree.run(format!("rewrite --map-re {entry} p.html")).refused().has(way_out);
    }
}

#[test]
fn equals_sign_in_a_query_never_names_a_directory() {
    let tree = Tree::new(&[("b/c.html", "<a href=d>1</a>"), ("p.html", "<a href=d>1</a>")]);
    let extract = |base| tree.run(format!("extract --base {base} p.html"));
    for base in ["http://x.example/t.html?from=b", "http://x.example/#b=b", "http://x.example/;v=b"]
    {
        let ran = extract(base);
        assert_eq!(ran.lines(), ["http://x.example/d"], "{base}");
        ran.err.has("read as one URL");
    }
    let ran = extract("http://x.example/t.html?from=nowhere");
    assert_eq!((ran.lines(), &*ran.err), (vec!["http://x.example/d"], ""));
    // After a semicolon a directory can be named.
    let ran = tree.run("extract --base http://x.example/y;v=1=./b b");
    assert_eq!((ran.lines(), &*ran.err), (vec!["http://x.example/y;v=1/d"], ""));
    tree.run("check --base http://x.example/?from=b b").err.has("read as one URL");
}

#[test]
fn lychee_report_is_a_map_of_exact_urls() {
    let page = "<a href=http://h.example/old#f>1</a> <a href=http://h.example/old/below>2</a> \
                <a href=http://h.example/moved>3</a> <a href=http://h.example/dead>4</a> \
                <a href=http://h.example/gone>5</a> <a href=http://h.example/login>6</a> \
                <a href=http://h.example/listed>7</a> <a href=http://h.example/status>8</a>";
    let report = r#"{"total": 9, "detailed_stats": true,
        "error_map": {"p.html": [
            {"url": "http://h.example/dead", "status": {"text": "404 Not Found", "code": 404}},
            {"url": "http://h.example/gone", "status": {"text": "410 Gone", "code": 410}}]},
        "suggestion_map": {"p.html": [
            {"original": "http://h.example/gone", "suggestion": "http://archive.example/2/http://h.example/gone"}]},
        "redirect_map": {"p.html": [
            {"origin": "http://h.example/old#f", "redirects": [
                {"url": "https://h.example/old#f", "code": 301}, {"url": "https://h.example/new#f", "code": 308}]},
            {"origin": "http://h.example/moved", "redirects": [
                {"url": "http://h.example/here", "code": 301}, {"url": "http://h.example/session", "code": 302}]},
            {"origin": "http://h.example/login", "redirects": [{"url": "http://h.example/form", "code": 302}]},
            {"url": "http://h.example/listed", "status": {"text": "Redirect", "code": 200,
                "redirects": ["http://h.example/listed", "http://h.example/a", "http://h.example/b"]}},
            {"url": "http://h.example/status", "status": {"text": "Redirect", "code": 200, "redirects":
                {"origin": "http://h.example/status", "redirects": [{"url": "http://h.example/c", "code": 301}]}}}]}}"#;
    let tree = Tree::new(&[("p.html", page), ("report.json", report)]);
    assert_eq!(
        edits(&tree, "--map-file report.json p.html"),
        [
            "https://h.example/new#f",
            "http://h.example/here",
            "http://archive.example/2/http://h.example/gone",
            "http://h.example/b",
            "http://h.example/c",
        ]
    );
    let ran = tree.run("rewrite --map-file report.json p.html");
    let message = "report.json: 4 redirects and 1 suggestion to apply; 1 redirect without a status code among them; \
                   1 URL left: the redirect is temporary; 1 broken URL left: no replacement is known";
    ran.err.has(message);
}

#[test]
fn old_lychee_report_has_only_failures_and_suggestions() {
    let report = r#"{"fail_map": {"p.html": [{"url": "http://h.example/a", "status": {"text": "Timeout"}},
        {"url": "http://h.example/b", "status": {"text": "404", "code": 404}}]},
        "suggestion_map": {"p.html": [{"original": "http://h.example/a", "suggestion": "http://n.example/"}]}}"#;
    let page = "<a href=http://h.example/a>1</a> <a href=http://h.example/b>2</a>";
    let tree =
        Tree::new(&[("p.html", page), ("old.json", report), ("none.json", r#"{"fail_map": {}}"#)]);
    let map = |report| edits(&tree, &format!("--map-file {report} p.html"));
    assert_eq!(map("old.json"), ["http://n.example/"]);
    assert_eq!(map("none.json"), [""; 0]);
    tree.run("rewrite --map-file none.json p.html").err.has("run the link checker with -v");
}

#[test]
fn linkchecker_report_is_a_map_of_exact_urls() {
    let header =
        "urlname;parentname;base;result;warningstring;infostring;valid;url;line;column;name\n";
    let rows = "/old;http://h.example/d/p.html;;200 OK;;\"Redirected to `http://h.example/new' status: 301 Moved.\n\
                Redirected to `http://h.example/tmp' status: 302 Found.\";True;http://h.example/tmp;1;1;x\n\
                http://h.example/dead;http://h.example/d/p.html;;404;;;False;http://h.example/dead;1;1;x\n\
                see;http://h.example/d/p.html;;200 OK;;Umgeleitet nach `http://h.example/t' Status: 307 T.;True;x;1;1;x\n";
    let report = format!("# created by LinkChecker\n{header}{rows}# Stopped\n");
    let page = "<a href=http://h.example/old>1</a> <a href=http://h.example/dead>2</a>";
    let tree = Tree::new(&[("p.html", page), ("report.csv", &report)]);
    let arguments = "--map-file report.csv p.html";
    assert_eq!(edits(&tree, arguments), ["http://h.example/new"]);
    let message = "1 redirect and 0 suggestions to apply; 1 URL left: the redirect is temporary; 1 broken URL left";
    tree.ends(0, format!("rewrite {arguments}")).has(message);
}

#[test]
fn unknown_report_is_an_error_that_names_what_was_expected() {
    let tree = Tree::new(&[("p.html", "")]);
    for (report, expected) in [
        ("{}", "redirect_map"),
        ("{", "not JSON"),
        (r#"{"redirect_map": []}"#, "redirect_map is not an object"),
        (r#"{"redirect_map": {"p": [{"url": "http://h.example/"}]}}"#, "no key redirects"),
        (r#"{"redirect_map": {"p": [{"origin": "http://h.example/"}]}}"#, "no key redirects"),
        (r#"{"suggestion_map": {"p": [{"original": "http://h.example/"}]}}"#, "no key suggestion"),
        ("urlname;valid\n", "no column parentname"),
    ] {
        tree.write("report", report);
        tree.run("rewrite --map-file report p.html").refused().has(expected);
    }
}

/// A reference within a site.
fn reference() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec!["a", "b", "c.html", "..", ".", "", "d%20e", "x:y"]);
    let path = prop::collection::vec(name, 0..5).prop_map(|names| names.join("/"));
    let root = prop::sample::select(vec!["", "/", "./", "../"]);
    let suffix = prop::sample::select(vec!["", "?q=../", "#f", "?#"]);
    let whole =
        (root, path, suffix).prop_map(|(root, path, suffix)| format!("{root}{path}{suffix}"));
    // Not a scheme, nor what servers and file systems read differently: two slashes, and paths
    // above the root.
    let is_within = |it: &String| {
        let is_above = it.starts_with('/') && place(it, &[]).is_none();
        !it.contains("//") && !it.starts_with("x:y") && !is_above
    };
    whole.prop_filter("within the site", is_within)
}

/// The name of the page in [`place`].
const PAGE_NAME: &str = "p.html";

/// The names of the path of a reference in a page of this directory, as a file system resolves it.
/// `None` above the root.
fn place(reference: &str, directory: &[&str]) -> Option<Vec<String>> {
    let path = &reference[..reference.find(['?', '#']).unwrap_or(reference.len())];
    let mut names: Vec<String> = match path.starts_with('/') {
        true => Vec::new(),
        false => directory.iter().map(|&it| it.to_owned()).collect(),
    };
    if path.is_empty() {
        names.push(PAGE_NAME.to_owned());
    }
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => _ = names.pop()?,
            name => names.push(name.to_owned()),
        }
    }
    Some(names)
}

#[test]
fn url_of_one_document_for_several_is_warned_of() {
    let tree =
        Tree::new(&[("site/a.html", "<a href=x>x</a>"), ("site/b/c.html", "<a href=x>x</a>")]);
    for command in ["extract", "rewrite --absolute"] {
        let start = "rehref: --base https://old.example/ is the URL of one document, but ";
        let directory = "site is a directory\n  help: use --base https://old.example/=site\n";
        let several = "several are read\n  help: use --base https://old.example/=DIR\n";
        let of = |paths| tree.ends(0, format!("{command} --base https://old.example/ {paths}"));
        of("site").begins(format!("{start}{directory}"));
        of("site/a.html site/b/c.html").begins(format!("{start}{several}"));
        of("site/a.html").lacks(start);
        of("-").lacks(start);
    }
}

#[test]
fn base_of_a_directory_without_any_input_is_warned_of() {
    let tree =
        Tree::new(&[("site/a.html", "<a href=x>x</a>"), ("other/b.html", "<a href=x>x</a>")]);
    let warns = |path| {
        let said = tree.ends(0, format!("extract --base http://x.example/=site {path}"));
        said.contains("no document is in that directory")
    };
    assert!(warns("other"));
    assert!(warns("other/b.html"));
    assert!(warns("-"));
    assert!(!warns("."));
    assert!(!warns("site"));
    assert!(!warns("site/a.html"));
}

#[test]
fn directory_before_its_url_is_refused_with_the_right_order() {
    let tree = Tree::new(&[("site/a.html", "<a href=x>x</a>")]);
    for option in ["--base", "--mirror"] {
        let arguments = format!("rewrite --absolute {option} site=http://x.example/ site");
        let ran = tree.run(&arguments);
        ran.refused().has(format!("\n  help: write URL=DIR: {option} http://x.example/=site\n"));
        let unknown = format!("rewrite --absolute {option} none=http://x.example/ site");
        tree.run(&unknown).refused().lacks("write URL=DIR");
    }
}

#[test]
fn relative_links_under_maps_are_not_called_unresolved() {
    let tree = Tree::new(&[(
        "a.html",
        "<base href=sub/><a href=x>x</a><a href=y>y</a><a href=http://old.example/>o</a>",
    )]);
    let map = "rewrite --map http://old.example/=http://new.example/";
    let maps = tree.run(format!("{map} a.html")).err;
    maps.has("2 relative links (maps change them only with --base URL=DIR)");
    maps.has("1 BASE element (use --base-element)");
    tree.run(format!("{map} --absolute a.html")).err.has("the URL of the page is unknown");
}

proptest! {
    #![proptest_config(tier::cases(200))]

    #[test]
    fn links_of_a_directory_without_base_keep_their_files(
        references in prop::collection::vec(reference(), 1..30),
        directory in prop::sample::select(vec![&[][..], &["a"], &["a", "b"]]),
        relative in any::<bool>(),
    ) {
        let page = references.iter().map(|it| format!("<a href='{it}'>\n")).collect::<String>();
        let name = [directory, &[PAGE_NAME]].concat().join("/");
        let tree = Tree::new(&[(&name, &page)]);
        let rules = if relative { Rules::new().relative() } else { Rules::new().root_relative() };
        let rewritten = |from: &Path| {
            let to = tempfile::tempdir().expect("a directory");
            let mut rewrite = Rewrite::new(rules.clone()).path(from);
            rewrite.outcome = Outcome::NewTree(to.path().join("new"));
            rewrite.for_each(|_| {}).expect("a run");
            let text = fs::read_to_string(to.path().join("new").join(&name)).expect("a page");
            (to, text)
        };
        let (to, new) = rewritten(tree.path());
        for (old, line) in references.iter().zip(new.lines()) {
            let reference = line.trim_start_matches("<a href='").trim_end_matches("'>");
            let file = place(reference, directory);
            prop_assert_eq!(place(old, directory), file.clone(), "{} became {}", old, reference);
            let suffix = |it: &str| it[it.find(['?', '#']).unwrap_or(it.len())..].to_owned();
            prop_assert_eq!(suffix(old), suffix(reference));
            if !old.is_empty() && !old.starts_with('#') && file.is_some() {
                prop_assert_eq!(reference.starts_with('/'), !relative, "{} became {}", old, reference);
            }
        }
        let (_, again) = rewritten(&to.path().join("new"));
        prop_assert_eq!(new, again);
    }
}

#[test]
fn absolute_link_of_a_page_without_url_is_not_called_unresolved() {
    let tree = Tree::new(&[("a.html", "<a href=http://mill.example/x>x</a>")]);
    for rule in ["--relative", "--root-relative"] {
        let ran = tree.run(format!("rewrite {rule} a.html"));
        let reason = "1 link may have a target on another site: the URL of the page is unknown (use --base URL=DIR)";
        ran.err.has(reason);
    }
}

#[test]
fn url_that_is_mapped_again_is_named_with_its_row() {
    let tree = Tree::new(&[
        ("a.html", "<a href=http://a.example/>x</a>"),
        ("map.csv", "http://a.example/,http://b.example/\nhttp://b.example/,http://c.example/\n"),
    ]);
    let again = "http://b.example/ is mapped again: a second run would change it again\n";
    let named = format!("rehref: map.csv:1:1: {again}");
    tree.ends(0, "rewrite --map-file=map.csv a.html").begins(named);
    let maps =
        "--map=http://a.example/=http://b.example/ --map=http://b.example/=http://c.example/";
    tree.ends(0, format!("rewrite {maps} a.html")).begins(format!("rehref: {again}"));
}
