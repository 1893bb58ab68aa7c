//! The page of `rehref report` in a browser: keys, the filter, requests, contrast, time.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::needs::{is_deep, repository};

/// Uses a report about this file or directory as people do.
fn use_report_of(path: &Path, arguments: &[&str]) {
    let directory = tempfile::tempdir().expect("a directory");
    let page = directory.path().join("report.html");
    let mut report = Command::new(env!("CARGO_BIN_EXE_rehref"));
    report.arg("report").args(arguments).arg(path).arg("-o").arg(&page);
    assert!(report.status().expect("rehref runs").success());
    let script = repository().join("scripts/report_browser.py");
    let mut browser = Command::new("python3");
    browser.arg(script).arg(&page);
    // On a busy machine an interaction may take long, so only the deep tier has a bound for it.
    if is_deep() {
        browser.arg("--numbers");
    }
    let used = browser.output();
    let used = used.expect("python3 runs");
    let stderr = String::from_utf8_lossy(&used.stderr);
    assert!(used.status.success(), "{}: {stderr}", path.display());
}

pub(crate) fn a_page_reacts_to_keys_and_makes_no_request() {
    let corpus = repository().join("corpus");
    use_report_of(
        &corpus.join("sites/bakery"),
        &["--map", "http://mill.example=https://mill.example"],
    );
    use_report_of(&corpus.join("mail/bakery/in.mbox"), &[]);
}

pub(crate) fn a_hostile_page_does_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let page = "<title></title></script><script>alert(1)</script><img src=http://a.example/x.gif onerror=alert(2)>\
        <a href='javascript:alert(3)'>1</a><a href='data:text/html,<script>alert(4)</script>'>2</a>\
        <a href='http://b.example/&lt;/script>\u{202E}gnp.exe'>3</a><link rel=stylesheet href=//c.example/s.css>";
    fs::write(directory.path().join("a.html"), page).expect("written");
    use_report_of(&directory.path().join("a.html"), &[]);
}

pub(crate) fn ten_thousand_links_do_not_lag() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("many.txt");
    let mut text = String::new();
    for at in 0..5000 {
        let host = at % 40;
        writeln!(text, "See <http://host{host}.example/a/path/page-{at}.html> there,")
            .expect("written");
        writeln!(text, "and http://host{host}.example/another/{at} too.").expect("written");
    }
    fs::write(&path, text).expect("written");
    use_report_of(&path, &[]);
}
