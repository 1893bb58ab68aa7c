//! Directories without a URL, and those of mirrors: what is the root of their site.

use super::*;

const LOCAL: &str = "<a href=/a/b.html>1</a> <a href=/d/e.html?q#f>2</a> <a href=c.html>3</a> \
                     <a href=http://h.example/x>4</a> <a href=//h.example/y>5</a>";

#[test]
fn directory_without_base_is_the_root_for_relative_links() {
    let tree = Tree::new(&[
        ("one/a/b.html", ""),
        ("one/d/e.html", LOCAL),
        ("two/index.html", LOCAL),
        ("two/a/b.html", ""),
        ("two/d/e.html", ""),
    ]);
    let both = edits(&tree, "--relative one two");
    assert_eq!(both, ["../a/b.html", "?q#f", "a/b.html", "d/e.html?q#f"]);
    assert_eq!(edits(&tree, "--root-relative one"), ["/d/c.html"]);
    // Private URLs are not written, not even to records.
    let ran = tree.run("rewrite --json --relative one");
    ran.out.has(r#""old_uri":null,"new_uri":null"#);
    ran.err.lacks("named no file");
    // Other rules have no URL to write.
    let others = "--map http://tree.invalid=http://n.example --absolute --relative one";
    assert_eq!(edits(&tree, others), [""; 0]);
}

#[test]
fn file_without_base_has_no_root_and_the_message_names_the_option() {
    let tree = Tree::new(&[("d/e.html", LOCAL)]);
    let ran = tree.run("rewrite --relative d/e.html");
    assert_eq!(ran.lines(), [""; 0]);
    ran.err.has("--base");
}

#[test]
fn links_that_name_no_file_in_a_directory_without_base_are_counted() {
    let tree = Tree::new(&[("site/a/b.html", ""), ("site/d/e.html", LOCAL)]);
    let ran = tree.run("rewrite --relative site/d").ends(0);
    ran.err.has("2 links from the root named no file");
    ran.err.has("--base URL=DIR");
}

#[test]
fn links_above_a_directory_without_base_stay() {
    let page = "<a href=../../up.html>1</a> <a href=/../up.html>2</a> <a href=../x.html>3</a>";
    let tree = Tree::new(&[("site/d/e.html", page)]);
    assert_eq!(edits(&tree, "--root-relative site"), ["/x.html"]);
}

#[test]
fn base_element_of_a_directory_without_base_stays_where_links_need_it() {
    let page = "<base href=/d/><a href=e.html>1</a> <a href=/a.html>2</a>";
    let tree = Tree::new(&[("site/p.html", page), ("site/a.html", ""), ("site/d/e.html", "")]);
    assert_eq!(edits(&tree, "--relative site"), ["../a.html"]);
    tree.run("rewrite --relative --base-element strip site")
        .out
        .has("+<a href=d/e.html>1</a> <a href=a.html>2</a>");
    tree.run("rewrite --relative --base-element http://h.example/ site").out.lacks("tree.invalid");
}

#[test]
fn mirror_without_path_works_on_its_directory() {
    let page = "<a href=http://h.example/b.html>1</a>";
    let tree = Tree::new(&[("copy/a.html", page), ("copy/b.html", ""), ("copy/sub/c.html", page)]);
    let mirror = "rewrite --mirror http://h.example/=copy";
    tree.run(mirror).out.has("+++ b/copy/a.html\n").has("+<a href=../b.html>1</a>");
    // A directory within another is not read again.
    let nested = format!("{mirror} --mirror http://i.example/=copy/sub --json");
    assert_eq!(tree.run(&nested).lines().len(), 2);
    tree.run("rewrite --mirror auto").refused().has("missing PATH");
    tree.run("rewrite --mirror http://h.example/?a=copy").refused().has("it has a query");
}

#[test]
fn parent_of_a_mirror_is_warned_of() {
    let tree = Tree::new(&[("saved/x.example/a.html", "<a href=b>b</a>")]);
    let mirror = |value: &str| tree.run(format!("rewrite --mirror {value}")).err;
    let parent = mirror("http://x.example/=saved");
    let help = "use --mirror http://x.example/=saved/x.example\n";
    parent.has(help);
    mirror("http://x.example/=saved/x.example").lacks("help: if that");
}

#[test]
fn mirror_with_names_of_wget_names_the_option() {
    let page = "<a href=http://x.example/page?id=1>1</a> <a href=about>2</a> \
                <link rel=stylesheet href=css/a.css?v=3> <a href=gone>3</a> <a href=index.html>4</a>";
    let tree = Tree::new(&[
        ("copy/index.html", page),
        ("copy/page?id=1.html", ""),
        ("copy/about.html", ""),
        ("copy/css/a.css?v=3.css", ""),
    ]);
    let mirror = |arguments: &str| {
        let mirror = "rewrite --mirror http://x.example/=copy";
        let ran = tree.run(format!("{mirror} {arguments}")).ends(0);
        ran.err
    };
    let message = "rehref: 3 links to the copy have a file only by the names of wget\n  \
                   help: use --local-name wget\n";
    mirror("").has(message);
    for names in ["raw", "wget", "httrack"] {
        mirror(&format!("--local-name {names}")).lacks("by the names of");
    }
}
