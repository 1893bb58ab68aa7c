//! The page of `rehref report` in a browser: keys, the filter, requests, contrast, time.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use crate::needs::{is_deep, repository};
use crate::support::tree::{Ran, Tree};

/// Uses a report about this file or directory as people do.
fn use_report_of(path: &Path, arguments: &str) {
    let tree = Tree::empty();
    tree.ends(0, format!("report {arguments} '{}' -o report.html", path.display()));
    let mut browser = Command::new("python3");
    browser.arg(repository().join("scripts/report_browser.py")).arg(tree.at("report.html"));
    // On a busy machine an interaction may take long, so only the deep tier has a bound for it.
    if is_deep() {
        browser.arg("--numbers");
    }
    Ran::of(&mut browser).ends(0);
}

pub(crate) fn a_page_reacts_to_keys_and_makes_no_request() {
    let corpus = repository().join("corpus");
    let map = "--map http://mill.example=https://mill.example";
    use_report_of(&corpus.join("sites/bakery"), map);
    use_report_of(&corpus.join("mail/bakery/in.mbox"), "");
}

pub(crate) fn a_hostile_page_does_nothing() {
    let page = "<title></title></script><script>alert(1)</script><img src=http://a.example/x.gif onerror=alert(2)>\
        <a href='javascript:alert(3)'>1</a><a href='data:text/html,<script>alert(4)</script>'>2</a>\
        <a href='http://b.example/&lt;/script>\u{202E}gnp.exe'>3</a><link rel=stylesheet href=//c.example/s.css>";
    use_report_of(&Tree::new(&[("a.html", page)]).at("a.html"), "");
}

pub(crate) fn ten_thousand_links_do_not_lag() {
    let mut text = String::new();
    for at in 0..5000 {
        let host = at % 40;
        writeln!(text, "See <http://host{host}.example/a/path/page-{at}.html> there,")
            .expect("written");
        writeln!(text, "and http://host{host}.example/another/{at} too.").expect("written");
    }
    use_report_of(&Tree::new(&[("many.txt", &text)]).at("many.txt"), "");
}
