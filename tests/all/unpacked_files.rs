//! Unpacked files: which URLs have one, their names, and what is reported about them.

use std::collections::BTreeMap;

use crate::unpacking::Workplace;
use crate::web_archives::Archive;

#[test]
fn only_urls_of_the_web_become_files() {
    let urls = [
        "javascript:void(0)",
        "about:blank",
        "mailto:a@h.example",
        "data:text/html,x",
        "file:///etc/passwd",
    ];
    let links: String = urls
        .iter()
        .map(|it| format!("<a href='{it}'>x</a>"))
        .collect();
    let page = links + "<a href=\"ftp://h.example/a.txt\">x</a>";
    let mut archive = Archive::default();
    archive.page("http://h.example/", &page);
    for url in urls.iter().chain(&["ftp://h.example/a.txt"]) {
        archive.record(
            &format!(
                "WARC-Type: resource\r\nWARC-Target-URI: {url}\r\nContent-Type: text/html\r\n"
            ),
            b"evil",
        );
    }
    let work = Workplace::of(&archive);
    work.run();
    assert_eq!(work.files().len(), 2);
    let local = page.replace("ftp://h.example/a.txt", "../../ftp/h.example/a.txt%5E.html");
    assert_eq!(work.text("http/h.example/index.html"), local);
}

#[test]
fn hints_and_previews_are_not_missing() {
    let mut archive = Archive::default();
    archive.page(
        "http://h.example/a",
        "<link rel=preconnect href=//h.example><link rel='dns-prefetch' href=http://h.example/>\
         <meta property=og:image content=/i.png><meta name=twitter:image content=j.png>\
         <meta itemprop=image content=k.png>\
         <a href=ftp://h.example/x>x</a>",
    );
    let work = Workplace::of(&archive);
    work.run();
    assert_eq!(work.missing(), BTreeMap::new());
    assert_eq!(
        work.text("http/h.example/a^.html"),
        "<link rel=preconnect href=http://h.example/><link rel='dns-prefetch' href=http://h.example/>\
         <meta property=og:image content=http://h.example/i.png><meta name=twitter:image content=http://h.example/j.png>\
         <meta itemprop=image content=http://h.example/k.png>\
         <a href=ftp://h.example/x>x</a>"
    );
}
