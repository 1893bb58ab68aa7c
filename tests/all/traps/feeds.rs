//! Links in HTML that is escaped in feeds.

use std::fs;
use std::path::Path;
use std::process::Output;

use super::rehref;

const FEED: &str = r##"<?xml version="1.0"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
<link>https://site.example/</link>
<item><description>&lt;img src="/img/a.png?w=1&amp;amp;h=2"&gt; &lt;a href="posts/one.html"&gt;</description>
<content:encoded><![CDATA[<a href="#note">1</a><p id="note"><img src="/img/gone.png">]]></content:encoded></item>
</channel></rss>
"##;

/// A site with a feed.
fn site() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path();
    for name in ["img", "posts"] {
        fs::create_dir(path.join(name)).expect("a directory");
    }
    fs::write(path.join("feed.xml"), FEED).expect("written");
    fs::write(path.join("posts/one.html"), "<p>").expect("written");
    fs::write(path.join("img/a.png"), "").expect("written");
    directory
}

fn run(directory: &Path, arguments: &[&str]) -> Output {
    rehref(directory, arguments).output().expect("rehref runs")
}

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

#[test]
fn relative_images_in_a_feed_become_absolute_and_undo_restores_them() {
    let site = site();
    let path = site.path();
    let arguments = [
        "rewrite",
        "--absolute",
        "--base",
        "https://site.example/=.",
        "--verify",
        "-w",
        "feed.xml",
    ];
    assert_eq!(run(path, &arguments).status.code(), Some(0));
    let read = || fs::read_to_string(path.join("feed.xml")).expect("read");
    let absolute = FEED
        .replace("\"/img/", "\"https://site.example/img/")
        .replace("posts/one", "https://site.example/posts/one");
    assert_eq!(read(), absolute);
    assert_eq!(run(path, &["rewrite", "--undo", "."]).status.code(), Some(0));
    assert_eq!(read(), FEED);
}

#[test]
fn a_domain_changes_in_escaped_html_too() {
    let site = site();
    let path = site.path();
    let feed = FEED.replace("\"/img/", "\"http://old.example/img/");
    fs::write(path.join("feed.xml"), &feed).expect("written");
    let arguments = [
        "rewrite",
        "--map",
        "http://old.example=https://new.example",
        "-w",
        "--no-journal",
        "feed.xml",
    ];
    assert_eq!(run(path, &arguments).status.code(), Some(0));
    let edited = fs::read_to_string(path.join("feed.xml")).expect("read");
    assert_eq!(edited, feed.replace("http://old", "https://new"));
}

#[test]
fn the_fragment_of_a_footnote_in_a_feed_stays_a_fragment() {
    let site = site();
    let arguments =
        ["rewrite", "--absolute", "--base", "https://site.example/=.", "feed.xml", "--json"];
    let edits = printed(&run(site.path(), &arguments));
    assert_eq!(edits.lines().filter(|it| it.contains("\"edit\"")).count(), 3);
    assert!(!edits.contains("#note"), "{edits}");
}

#[test]
fn extract_lists_escaped_html_only_on_request() {
    let site = site();
    let links = |more: &[&str]| {
        let arguments = [&["extract", "feed.xml"], more].concat();
        printed(&run(site.path(), &arguments))
    };
    assert_eq!(links(&[]), "https://site.example/\n");
    let all = "https://site.example/\n/img/a.png?w=1&h=2\nposts/one.html\n#note\n/img/gone.png\n";
    assert_eq!(links(&["--html-text"]), all);
    let place = links(&["--html-text", "--place", "html", "--role", "embed", "--json"]);
    let first = place.lines().next().unwrap_or_default();
    for field in [
        r#""raw":"/img/a.png?w=1&amp;amp;h=2""#,
        r#""ref":"/img/a.png?w=1&h=2""#,
        r#""line":4,"col":33"#,
        r#""place":"html","cue":null,"element":"img","attr":"src","role":"embed""#,
    ] {
        assert!(first.contains(field), "{field} in {first}");
    }
}

#[test]
fn check_reports_broken_links_of_escaped_html_and_finds_its_anchors() {
    let site = site();
    let base = ["check", ".", "--base", "https://site.example/=.", "--anchors"];
    let output = run(site.path(), &base);
    assert_eq!(output.status.code(), Some(1));
    let broken = printed(&output);
    assert_eq!(broken.lines().count(), 1, "{broken}");
    assert!(broken.contains("feed.xml:5:") && broken.contains("/img/gone.png"), "{broken}");
}

#[test]
fn a_move_updates_references_in_escaped_html() {
    let site = site();
    let path = site.path();
    let moved = run(path, &["move", "-w", "posts/one.html", "two.html"]);
    assert_eq!(moved.status.code(), Some(0));
    let read = |name: &str| fs::read_to_string(path.join(name)).expect("read");
    assert_eq!(read("feed.xml"), FEED.replace("posts/one", "two"));
    let moved = run(path, &["move", "-w", "feed.xml", "feeds/all.xml"]);
    assert_eq!(moved.status.code(), Some(0));
    assert!(read("feeds/all.xml").contains("href=\"../two.html\""));
}

#[test]
fn a_feed_in_mail_is_read_as_html_is() {
    let message = format!(
        "From: a@b.example\nSubject: x\nMIME-Version: 1.0\nContent-Type: application/rss+xml\n\n{FEED}"
    );
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("a.eml"), message).expect("written");
    let links = printed(&run(directory.path(), &["extract", "--raw", "a.eml"]));
    assert!(links.contains("/img/gone.png\n"), "{links}");
}
