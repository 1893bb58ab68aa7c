//! Directories without a URL, and those of mirrors: what is the root of their site.

use super::*;

const LOCAL: &str = "<a href=/a/b.html>1</a> <a href=/d/e.html?q#f>2</a> <a href=c.html>3</a> \
                     <a href=http://h.example/x>4</a> <a href=//h.example/y>5</a>";

#[test]
fn directory_without_base_is_the_root_for_relative_links() {
    let tree = files(&[
        ("one/a/b.html", ""),
        ("one/d/e.html", LOCAL),
        ("two/index.html", LOCAL),
        ("two/a/b.html", ""),
        ("two/d/e.html", ""),
    ]);
    let root = tree.path();
    let both = edits(root, &["--relative", "one", "two"]);
    assert_eq!(both, ["../a/b.html", "?q#f", "a/b.html", "d/e.html?q#f"]);
    assert_eq!(edits(root, &["--root-relative", "one"]), ["/d/c.html"]);
    // Private URLs are not written, not even to records.
    let ran = run(root, &["rewrite", "--json", "--relative", "one"]);
    assert!(ran.stdout.contains(r#""old_uri":null,"new_uri":null"#), "{}", ran.stdout);
    assert!(!ran.stderr.contains("named no file"), "{}", ran.stderr);
    // Other rules have no URL to write.
    let others =
        ["--map", "http://tree.invalid=http://n.example", "--absolute", "--relative", "one"];
    assert_eq!(edits(root, &others), [""; 0]);
}

#[test]
fn file_without_base_has_no_root_and_the_message_names_the_option() {
    let tree = files(&[("d/e.html", LOCAL)]);
    let ran = run(tree.path(), &["rewrite", "--relative", "d/e.html"]);
    assert_eq!(ran.lines(), [""; 0]);
    assert!(ran.stderr.contains("--base"), "{}", ran.stderr);
}

#[test]
fn links_that_name_no_file_in_a_directory_without_base_are_counted() {
    let tree = files(&[("site/a/b.html", ""), ("site/d/e.html", LOCAL)]);
    let ran = run(tree.path(), &["rewrite", "--relative", "site/d"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stderr.contains("2 links from the root named no file"), "{}", ran.stderr);
    assert!(ran.stderr.contains("--base URL=DIR"), "{}", ran.stderr);
}

#[test]
fn links_above_a_directory_without_base_stay() {
    let page = "<a href=../../up.html>1</a> <a href=/../up.html>2</a> <a href=../x.html>3</a>";
    let tree = files(&[("site/d/e.html", page)]);
    assert_eq!(edits(tree.path(), &["--root-relative", "site"]), ["/x.html"]);
}

#[test]
fn base_element_of_a_directory_without_base_stays_where_links_need_it() {
    let page = "<base href=/d/><a href=e.html>1</a> <a href=/a.html>2</a>";
    let tree = files(&[("site/p.html", page), ("site/a.html", ""), ("site/d/e.html", "")]);
    assert_eq!(edits(tree.path(), &["--relative", "site"]), ["../a.html"]);
    let ran = run(tree.path(), &["rewrite", "--relative", "--base-element", "strip", "site"]);
    assert!(ran.stdout.contains("+<a href=d/e.html>1</a> <a href=a.html>2</a>"), "{}", ran.stdout);
    let replaced = ["--relative", "--base-element", "http://h.example/", "site"];
    let ran = run(tree.path(), &[&["rewrite"], &replaced[..]].concat());
    assert!(!ran.stdout.contains("tree.invalid"), "{}", ran.stdout);
}

#[test]
fn mirror_without_path_works_on_its_directory() {
    let page = "<a href=http://h.example/b.html>1</a>";
    let tree = files(&[("copy/a.html", page), ("copy/b.html", ""), ("copy/sub/c.html", page)]);
    let mirror = ["rewrite", "--mirror", "http://h.example/=copy"];
    let ran = run(tree.path(), &mirror);
    assert!(ran.stdout.contains("+++ b/copy/a.html\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("+<a href=../b.html>1</a>"), "{}", ran.stdout);
    // A directory within another is not read again.
    let nested = [&mirror[..], &["--mirror", "http://i.example/=copy/sub", "--json"]].concat();
    assert_eq!(run(tree.path(), &nested).lines().len(), 2);
    let auto = run(tree.path(), &["rewrite", "--mirror", "auto"]);
    assert!(auto.refused().contains("missing PATH"), "{}", auto.stderr);
    let query = run(tree.path(), &["rewrite", "--mirror", "http://h.example/?a=copy"]);
    assert!(query.refused().contains("it has a query"), "{}", query.stderr);
}

#[test]
fn parent_of_a_mirror_is_warned_of() {
    let tree = files(&[("saved/x.example/a.html", "<a href=b>b</a>")]);
    let mirror = |value: &str| run(tree.path(), &["rewrite", "--mirror", value]).stderr;
    let parent = mirror("http://x.example/=saved");
    let help = "use --mirror http://x.example/=saved/x.example\n";
    assert!(parent.contains(help), "{parent}");
    let copy = mirror("http://x.example/=saved/x.example");
    assert!(!copy.contains("help: if that"), "{copy}");
}

#[test]
fn mirror_with_names_of_wget_names_the_option() {
    let page = "<a href=http://x.example/page?id=1>1</a> <a href=about>2</a> \
                <link rel=stylesheet href=css/a.css?v=3> <a href=gone>3</a> <a href=index.html>4</a>";
    let tree = files(&[
        ("copy/index.html", page),
        ("copy/page?id=1.html", ""),
        ("copy/about.html", ""),
        ("copy/css/a.css?v=3.css", ""),
    ]);
    let mirror = |arguments: &[&str]| {
        let mirror = ["rewrite", "--mirror", "http://x.example/=copy"];
        let ran = run(tree.path(), &[&mirror, arguments].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stderr
    };
    let message = "rehref: 3 links to the copy have a file only by the names of wget\n  \
                   help: use --local-name wget\n";
    let guessed = mirror(&[]);
    assert!(guessed.contains(message), "{guessed}");
    for names in ["raw", "wget", "httrack"] {
        let given = mirror(&["--local-name", names]);
        assert!(!given.contains("by the names of"), "{given}");
    }
}
