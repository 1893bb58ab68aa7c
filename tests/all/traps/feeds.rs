//! Links in HTML that is escaped in feeds.

use crate::support::tree::{Has, Tree};

const FEED: &str = r##"<?xml version="1.0"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
<link>https://site.example/</link>
<item><description>&lt;img src="/img/a.png?w=1&amp;amp;h=2"&gt; &lt;a href="posts/one.html"&gt;</description>
<content:encoded><![CDATA[<a href="#note">1</a><p id="note"><img src="/img/gone.png">]]></content:encoded></item>
</channel></rss>
"##;

/// A site with a feed.
fn site() -> Tree {
    Tree::new(&[("feed.xml", FEED), ("posts/one.html", "<p>"), ("img/a.png", "")])
}

#[test]
fn relative_images_in_a_feed_become_absolute_and_undo_restores_them() {
    let site = site();
    let arguments = "rewrite --absolute --base https://site.example/=. --verify -w feed.xml";
    site.ends(0, arguments);
    let read = || site.read("feed.xml");
    let absolute = FEED
        .replace("\"/img/", "\"https://site.example/img/")
        .replace("posts/one", "https://site.example/posts/one");
    assert_eq!(read(), absolute);
    site.ends(0, "rewrite --undo .");
    assert_eq!(read(), FEED);
}

#[test]
fn a_domain_changes_in_escaped_html_too() {
    let site = site();
    let feed = FEED.replace("\"/img/", "\"http://old.example/img/");
    site.write("feed.xml", &feed);
    let arguments = "rewrite --map http://old.example=https://new.example -w --no-journal feed.xml";
    site.ends(0, arguments);
    let edited = site.read("feed.xml");
    assert_eq!(edited, feed.replace("http://old", "https://new"));
}

#[test]
fn the_fragment_of_a_footnote_in_a_feed_stays_a_fragment() {
    let site = site();
    let arguments = "rewrite --absolute --base https://site.example/=. feed.xml --json";
    let edits = site.run(arguments).out;
    assert_eq!(edits.lines().filter(|it| it.contains("\"edit\"")).count(), 3);
    edits.lacks("#note");
}

#[test]
fn extract_lists_escaped_html_only_on_request() {
    let site = site();
    let links = |more: &str| {
        let arguments = format!("extract feed.xml {more}");
        site.run(arguments).out
    };
    assert_eq!(links(""), "https://site.example/\n");
    let all = "https://site.example/\n/img/a.png?w=1&h=2\nposts/one.html\n#note\n/img/gone.png\n";
    assert_eq!(links("--html-text"), all);
    let place = links("--html-text --place html --role embed --json");
    let first = place.lines().next().unwrap_or_default();
    for field in [
        r#""raw":"/img/a.png?w=1&amp;amp;h=2""#,
        r#""ref":"/img/a.png?w=1&h=2""#,
        r#""line":4,"col":33"#,
        r#""place":"html","cue":null,"element":"img","attr":"src","role":"embed""#,
    ] {
        first.has(field);
    }
}

#[test]
fn check_reports_broken_links_of_escaped_html_and_finds_its_anchors() {
    let site = site();
    let broken = site.run("check . --base https://site.example/=.").ends(1).out;
    assert_eq!(broken.lines().count(), 1, "{broken}");
    assert!(broken.contains("feed.xml:5:") && broken.contains("/img/gone.png"), "{broken}");
}

#[test]
fn a_move_updates_references_in_escaped_html() {
    let site = site();
    site.ends(0, "move -w posts/one.html two.html");
    assert_eq!(site.read("feed.xml"), FEED.replace("posts/one", "two"));
    site.ends(0, "move -w feed.xml feeds/all.xml");
    site.read("feeds/all.xml").has("href=\"../two.html\"");
}

#[test]
fn a_feed_in_mail_is_read_as_html_is() {
    let message = format!(
        "From: a@b.example\nSubject: x\nMIME-Version: 1.0\nContent-Type: application/rss+xml\n\n{FEED}"
    );
    Tree::new(&[("a.eml", &message)]).prints("extract --raw a.eml").has("/img/gone.png\n");
}
