use super::*;
use crate::link::{ParsedLink, Role};
use crate::unpack::captures::{Capture, CaptureChoice, Captures, Chosen, FileType, Found};
use crate::uri::{Profile, Resolver};

/// An archive of pages and style sheets.
fn archive() -> Chosen {
    let mut captures = Captures::default();
    let mut add = |url, media_type, location: Option<&str>| {
        captures.add(&Capture {
            url,
            status: Some(if location.is_some() { 301 } else { 200 }),
            file_type: Some(FileType::of_media_type(media_type)),
            has_body: true,
            location,
            ..Capture::default()
        });
    };
    for url in
        ["http://h/", "http://h/d/a", "http://h/b.html", "http://i/x.html", "http://h/?q=1&r"]
    {
        add(url, "text/html", None);
    }
    add("http://h/s.css", "text/css", None);
    add("http://h/i.png", "image/png", None);
    add("http://h/m.js", "text/javascript", None);
    add("http://h/moved", "text/html", Some("http://h/b.html#part"));
    Chosen::new(captures, &CaptureChoice::default())
}

fn options() -> Options {
    Options {
        resolver: Resolver { profile: Profile::Whatwg, ..Resolver::default() },
        cors: true,
        ..Options::default()
    }
}

/// The content of the file for a document.
fn content(content_type: &str, url: &str, bytes: &[u8]) -> OfflineContent {
    let chosen = archive();
    let document =
        Document::from_bytes(bytes.to_vec()).content_type(content_type).url(url).build().unwrap();
    let path = LocalPath::new(url, FileType::of_media_type(content_type));
    let find = |uri: &str| match chosen.find(uri) {
        Found::File { url, fragment, .. } => Some((chosen.path(url), fragment.map(str::to_owned))),
        Found::Lacks(..) => None,
    };
    let options = options();
    let whole =
        OfflineContent::new(&document, &path, &options, &|| false, &mut |uri, _, _| find(uri));
    let whole = whole.unwrap();
    // Without memory for links. Each is counted once.
    let mut counted = 0;
    let mut find = |uri: &str, _: &ParsedLink<'_>, counts: bool| {
        counted += usize::from(counts);
        find(uri)
    };
    let mut long =
        OfflineContent::within(0, &document, &path, &options, &|| false, &mut find).unwrap();
    if long.bytes == OfflineBytes::Long {
        let mut new = Vec::new();
        let stop = &|| false;
        OfflineContent::write_long(&document, &path, &options, stop, &mut find, &mut new).unwrap();
        long.bytes = OfflineBytes::New(new);
    }
    let links = document.links_with(&options);
    let mut targets = links.resolving();
    let found = links.found().links.iter().filter(|it| it.role != Role::Base);
    let found = found.filter(|it| targets.target(it).uri.is_some()).count();
    if !matches!(long.bytes, OfflineBytes::Same) {
        assert_eq!(counted, found, "{}", String::from_utf8_lossy(bytes));
    }
    // A BASE element is kept in a long page, and an edit that is not read back leaves it unchanged.
    let has_base = links.found().links.iter().any(|it| it.role == Role::Base);
    if !has_base && long.bytes != OfflineBytes::Unwritten {
        assert_eq!(long, whole, "{}", String::from_utf8_lossy(bytes));
    }
    whole
}

/// The new bytes. `None` if nothing changes.
fn new_bytes(content: OfflineContent) -> Option<Vec<u8>> {
    match content.bytes {
        OfflineBytes::New(bytes) => Some(bytes),
        _ => None,
    }
}

/// The page `http://h/d/a` as a file.
fn page(html: &str) -> String {
    text(&content("text/html", "http://h/d/a", html.as_bytes()), html)
}

fn text(content: &OfflineContent, old: &str) -> String {
    match &content.bytes {
        OfflineBytes::New(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        _ => old.to_owned(),
    }
}

#[test]
fn links_to_captured_urls_are_relative_and_others_absolute() {
    for (html, expected) in [
        ("<a href=/b.html>", "<a href=../b.html>"),
        ("<a href='http://h/b.html#x'>", "<a href='../b.html#x'>"),
        ("<a href=../moved>", "<a href=../b.html#part>"),
        ("<a href=../moved#own>", "<a href=../b.html#own>"),
        ("<a href=/>", "<a href=../index.html>"),
        ("<a href='/?q=1&amp;r'>", "<a href='../index%5Eq=1&amp;r%5E.html'>"),
        ("<a href=a>", "<a href=a%5E.html>"),
        ("<a href=//i/x.html>", "<a href=../../i/x.html>"),
        ("<a href=/none>", "<a href=http://h/none>"),
        ("<a href=none?a=b#c>", "<a href=\"http://h/d/none?a=b#c\">"),
        ("<a href=//o/x>", "<a href=http://o/x>"),
        ("<a href=http://o/x>", "<a href=http://o/x>"),
        ("<a href=#c>", "<a href=#c>"),
        ("<a href='http://h/d/a#c'>", "<a href='a%5E.html#c'>"),
        ("<a href=''>", "<a href=''>"),
        ("<a href=mailto:a@b>", "<a href=mailto:a@b>"),
        ("<a href='javascript:f(1)'>", "<a href='javascript:f(1)'>"),
        ("<img src='data:,x'>", "<img src='data:,x'>"),
        ("<img srcset='/i.png, /none.png 2x'>", "<img srcset='../i.png, http://h/none.png 2x'>"),
        ("<p style='background: url(/i.png)'>", "<p style='background: url(../i.png)'>"),
        ("<style>@import '/s.css';</style>", "<style>@import '../s.css';</style>"),
        (
            "<iframe srcdoc='<a href=&quot;/b.html&quot;>'>",
            "<iframe srcdoc='<a href=&quot;../b.html&quot;>'>",
        ),
        (
            "<iframe srcdoc='<base href=//i/><a href=x.html>'>",
            "<iframe srcdoc='<base href=a%5E.html><a href=../../i/x.html>'>",
        ),
        (
            "<meta http-equiv=refresh content='0; url=/b.html'>",
            "<meta http-equiv=refresh content='0; url=../b.html'>",
        ),
        ("<link rel=canonical href=/b.html>", "<link rel=canonical href=http://h/b.html>"),
        (
            "<script type=importmap>{\"imports\": {\"m\": \"/m.js\"}}</script>",
            "<script type=importmap>{\"imports\": {\"m\": \"../m.js\"}}</script>",
        ),
    ] {
        assert_eq!(page(html), expected);
    }
}

#[test]
fn base_is_removed_and_its_target_is_kept() {
    for (html, expected) in [
        ("<base href=/>\n<a href=b.html>", "\n<a href=../b.html>"),
        ("<base target=t href=/><a href=b.html>", "<base target=t><a href=../b.html>"),
        (
            "<base href=http://i/><a href=x.html><a href=y>",
            "<a href=../../i/x.html><a href=http://i/y>",
        ),
        (
            "<base href=http://i/x.html><a href=''><a href='#c'>",
            "<a href='../../i/x.html'><a href='../../i/x.html#c'>",
        ),
        ("<base href=http://i/><svg><use href='#c'></svg>", "<svg><use href='#c'></svg>"),
        ("<base href=http://i/><a href=mailto:a>", "<a href=mailto:a>"),
        ("<base href=../><a href=../b.html>", "<a href=../b.html>"),
        // The second attribute would take effect: the base would be the file.
        (
            "<base href=/ id=b href=/c><a href=b.html>",
            "<base href=a%5E.html id=b href=/c><a href=../b.html>",
        ),
    ] {
        assert_eq!(page(html), expected);
    }
}

#[test]
fn hashes_and_cors_of_local_files_are_removed() {
    for (html, expected) in [
        (
            "<script src=/m.js integrity=sha256-x crossorigin></script>",
            "<script src=../m.js></script>",
        ),
        (
            "<link rel=stylesheet crossorigin=anonymous href=/s.css>",
            "<link rel=stylesheet href=../s.css>",
        ),
        ("<img crossorigin src=/i.png>", "<img src=../i.png>"),
        (
            "<script src=http://o/m.js integrity=sha256-x crossorigin></script>",
            "<script src=http://o/m.js integrity=sha256-x crossorigin></script>",
        ),
    ] {
        assert_eq!(page(html), expected);
    }
    let content = content(
        "text/html",
        "http://h/d/a",
        b"<script src=/m.js integrity=x crossorigin></script>",
    );
    assert_eq!(content.edits, 3);
}

#[test]
fn style_sheets_and_feeds_are_rewritten() {
    let css = "a { background: url(\"i.png\") } b { background: url(/none.png) }";
    let rewritten = content("text/css", "http://h/s.css", css.as_bytes());
    assert_eq!(text(&rewritten, css), css.replace("/none", "http://h/none"));
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' xml:base='http://i/'><a href='x.html'/><use href='#a'/></svg>";
    let expected = svg.replace("http://i/", "v.svg").replace("x.html", "../i/x.html");
    assert_eq!(text(&content("image/svg+xml", "http://h/v.svg", svg.as_bytes()), svg), expected);
    let feed = "<rss><channel><link>http://h/</link><item><description>&lt;a href=\"/b.html\"></description></item></channel></rss>";
    let expected = feed.replace("http://h/", "index.html").replace("/b.html", "b.html");
    assert_eq!(
        text(&content("application/rss+xml", "http://h/f.xml", feed.as_bytes()), feed),
        expected
    );
}

#[test]
fn an_encoding_of_the_header_is_declared() {
    let bytes =
        |content_type: &str, bytes: &[u8]| new_bytes(content(content_type, "http://h/d/a", bytes));
    assert_eq!(
        bytes("text/html; charset=utf-8", b"<p>a").as_deref(),
        Some(&b"\xEF\xBB\xBF<p>a"[..])
    );
    assert_eq!(bytes("text/html; charset=utf-8", b"<meta charset=utf-8>"), None);
    assert_eq!(bytes("text/html", "<p>é".as_bytes()), None);
    assert_eq!(
        bytes("text/html; charset=koi8-r", b"<html>\xC1").as_deref(),
        Some(&b"<html><meta charset=\"koi8-r\">\xC1"[..])
    );
    assert_eq!(
        bytes("text/css; charset=koi8-r", b"a{}").as_deref(),
        Some(&b"@charset \"koi8-r\";a{}"[..])
    );
    let edited = bytes("text/html; charset=koi8-r", b"<html><a href=/b.html>");
    assert_eq!(edited.as_deref(), Some(&b"<html><meta charset=\"koi8-r\"><a href=../b.html>"[..]));
}

#[test]
fn edits_may_move_the_declaration_of_the_encoding() {
    let many = "<a href=/>".repeat(90);
    let html = format!("<html>{many}<meta charset=koi8-r>\u{E9}<a href=/b.html>");
    let expected = html
        .replace("<html>", "<html><meta charset=\"koi8-r\">")
        .replace("=/>", "=../index.html>")
        .replace("=/b", "=../b");
    let bytes = html.replace('é', "x");
    assert_eq!(page(&bytes), expected.replace('é', "x"));
}

#[test]
fn a_document_has_no_content_if_the_run_is_stopped_at_any_link() {
    let document = Document::from_bytes(b"<a href=/x>x</a><a href=/y>y</a>".to_vec())
        .content_type("text/html")
        .url("http://h/")
        .build()
        .unwrap();
    let path = LocalPath::new("http://h/", FileType::HTML);
    let calls = |most: usize| {
        let calls = std::cell::Cell::new(0);
        let is_stopped = || {
            calls.set(calls.get() + 1);
            calls.get() > most
        };
        let find = &mut |_: &str, _: &ParsedLink<'_>, _: bool| None;
        let content = OfflineContent::new(&document, &path, &options(), &is_stopped, find);
        (content.is_some(), calls.get())
    };
    let (is_some, all) = calls(usize::MAX);
    assert!(is_some && all >= 5, "{all}");
    for most in 0..all {
        assert!(!calls(most).0, "{most}");
    }
}
