//! Unpacked files: which URLs have one, their names, and what is reported about them.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::path::Path;

use rehref::fs::Item;
use rehref::jobs::{MissingLinks, UnpackEvent};
use rehref::records::LeftOut;
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::support::tree::{Ran, rehref};
use crate::unpacking::{Workplace, files_below};
use crate::web_archives::{Archive, Response};

/// Unpacks the archives on the command line, with more arguments. Returns the exit code and the
/// messages.
fn command(work: &Workplace, arguments: &str) -> (i32, String) {
    let mut command = rehref(Path::new("."), format!("unpack {arguments}"));
    let ran = Ran::of(
        command.args(work.unpack.archives.iter().map(Item::name)).arg("-o").arg(work.out()),
    );
    (ran.code, ran.err.replace(work.out().to_str().expect("UTF-8"), "OUT"))
}

#[test]
fn only_urls_of_the_web_become_files() {
    let urls = [
        "javascript:void(0)", "about:blank", "mailto:a@h.example", "data:text/html,x",
        "file:///etc/passwd",
    ];
    let links: String = urls.iter().map(|it| format!("<a href='{it}'>x</a>")).collect();
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

#[test]
fn captures_without_a_file_are_counted_by_reason() {
    let at = |url, status| Response { url, status, body: b"x", ..Response::default() };
    let posted = Response {
        record_fields: "WARC-Record-ID: <urn:uuid:answer>\r\n",
        ..at("http://h.example/posted", 200)
    };
    let lost = Response {
        record_fields: "WARC-Payload-Digest: sha1:NONE\r\n",
        body: b"",
        ..at("http://h.example/lost", 200)
    };
    let mut archive = Archive::default();
    archive
        .add(at("http://h.example/", 500))
        .add(at("http://h.example/b", 404))
        .add(at("http://h.example/b", 403))
        .record(
            "WARC-Type: request\r\nWARC-Concurrent-To: <urn:uuid:answer>\r\n\
             Content-Type: application/http; msgtype=request\r\n",
            b"POST /posted HTTP/1.1\r\n\r\n",
        )
        .add(posted)
        .http("revisit", lost)
        .redirect("http://h.example/c", "/b")
        .record(
            "WARC-Type: resource\r\nWARC-Target-URI: about:blank\r\nContent-Type: text/html\r\n",
            b"x",
        );
    let work = Workplace::of(&archive);
    let report = work.run();
    let expected = LeftOut { status: 2, method: 1, revisit: 1, redirect: 1, scheme: 1 };
    assert_eq!((report.summary.files, report.summary.left_out), (0, expected));
    assert_eq!(report.summary.start, None);
    let messages = "rehref: wrote 0 files to OUT\n\
                    rehref: 6 captured URLs left out: 2 status, 1 method, 1 revisit, 1 redirect, 1 scheme\n  \
                    help: --errors writes error pages, too\n";
    assert_eq!(command(&work, ""), (0, messages.to_owned()));
}

#[test]
fn truncated_files_are_reported_without_a_link_to_them() {
    let mut archive = Archive::default();
    archive
        .add(Response {
            record_fields: "WARC-Truncated: length\r\n",
            body: b"<p>a",
            ..Response::default()
        })
        .page("http://h.example/b", "b");
    let mut truncated = Vec::new();
    let work = Workplace::of(&archive);
    let report = work.events(|event| {
        if let UnpackEvent::File(record, _) = event {
            truncated.push((record.path.to_string(), record.truncated));
        }
    });
    let expected = [
        ("http/h.example/index.html".to_owned(), true),
        ("http/h.example/b^.html".to_owned(), false),
    ];
    assert_eq!(truncated, expected);
    assert_eq!((report.summary.truncated, report.summary.missing), (1, 0));
    assert_eq!(report.summary.start.as_deref(), Some("http/h.example/index.html"));
    let messages = "rehref: wrote 0 files to OUT; 2 files existed already\n  \
                    help: open OUT/http/h.example/index.html\n\
                    rehref: 1 file truncated: the archives have only a part\n";
    assert_eq!(command(&work, ""), (0, messages.to_owned()));
}

#[test]
fn scripts_and_texts_in_unicode_have_a_mark_if_only_the_header_says_so() {
    let mut archive = Archive::default();
    let cases = [
        ("a.js", "text/javascript; charset=utf-8", "'\u{E9}'", true),
        ("b.js", "application/javascript;charset=\"UTF-8\"", "'\u{E9}'", true),
        ("c.txt", "text/plain; charset=utf8", "\u{E9}", true),
        ("d.js", "text/javascript", "'\u{E9}'", false),
        ("e.js", "text/javascript; charset=utf-8", "'e'", false),
        ("f.js", "text/javascript; charset=utf-8", "\u{FEFF}'\u{E9}'", false),
        ("g.js", "text/javascript; charset=koi8-r", "'\u{E9}'", false),
        ("i.sh", "text/plain; charset=utf-8", "#!/bin/sh\n# \u{E9}", false),
        ("j.bin", "text/plain; charset=utf-8", "\0\u{E9}", false),
        ("h.bin", "application/octet-stream; charset=utf-8", "\u{E9}", false),
    ];
    for (name, content_type, body, _) in cases {
        archive.add(Response {
            url: &format!("http://h.example/{name}"),
            fields: &format!("Content-Type: {content_type}\r\n"),
            body: body.as_bytes(),
            ..Response::default()
        });
    }
    archive.add(Response {
        url: "http://h.example/i.js",
        fields: "Content-Type: text/javascript; charset=utf-16\r\n",
        body: b"i\0",
        ..Response::default()
    });
    let work = Workplace::of(&archive);
    work.run();
    assert_eq!(work.files()["http/h.example/i.js"], b"\xFF\xFEi\0");
    for (name, content_type, body, has_mark) in cases {
        let mark = if has_mark { "\u{FEFF}" } else { "" };
        let text = work.text(&format!("http/h.example/{name}"));
        assert_eq!(text, format!("{mark}{body}"), "{name} {content_type}");
    }
}

#[test]
fn archives_outside_of_their_directory_in_a_wacz_are_warnings() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let mut archive = Archive::default();
    let archive = archive.page("http://h.example/", "a").gzipped();
    let names = ["archive/a.warc.gz", "../b.warc.gz", "c.WARC", "archive-d/e.arc", "f.txt"];
    for name in names {
        let options = SimpleFileOptions::default();
        zip.start_file(name, options).expect("in memory");
        zip.write_all(&archive).expect("in memory");
    }
    let work = Workplace::new(&[zip.finish().expect("in memory").into_inner()]);
    let mut warnings = Vec::new();
    let report = work.events(|event| {
        if let UnpackEvent::Warning(warning) = event {
            let name = warning.path().to_str().expect("UTF-8").to_owned();
            let (_, name) = name.split_once('!').expect("in the WACZ");
            warnings.push(name.to_owned());
            assert!(warning.to_string().ends_with("not below archive/ in the WACZ: not read"));
        }
    });
    assert_eq!(warnings, ["../b.warc.gz!0", "c.WARC!0", "archive-d/e.arc!0"]);
    assert_eq!((report.summary.files, report.summary.errors), (1, 0));
}

#[test]
fn nothing_is_created_before_an_archive_was_read() {
    let mut archive = Archive::default();
    let archive = archive.page("http://h.example/", "a").gzipped();
    let mut work = Workplace::new(&[b"words".to_vec()]);
    work.unpack.archives.push(work.out().join("none").into());
    assert_eq!(work.errors().len(), 2);
    assert!(!work.out().exists());
    // What another run wrote is left alone.
    let mut good = Workplace::new(&[archive]);
    good.run();
    let before = files_below(&good.out());
    good.unpack.archives.clone_from(&work.unpack.archives);
    assert_eq!(good.errors().len(), 2);
    assert_eq!(files_below(&good.out()), before);
}

#[test]
fn a_file_in_place_of_the_directory_is_an_error_in_a_dry_run_too() {
    let mut archive = Archive::default();
    archive.page("http://h.example/", "a");
    let work = Workplace::of(&archive);
    work.directory.write("out", "x");
    for arguments in ["-n", ""] {
        let message = "rehref: OUT: not a directory\n".to_owned();
        assert_eq!(command(&work, arguments), (2, message));
    }
}

#[test]
fn the_order_of_the_arguments_does_not_matter() {
    let archives = ["one", "two"].map(|body| {
        let mut archive = Archive::default();
        archive.page("http://h.example/", body).gzipped()
    });
    let mut work = Workplace::new(&archives);
    for _ in 0..2 {
        assert_eq!(work.run().summary.errors, 0);
        assert_eq!(work.text("http/h.example/index.html"), "two");
        work.unpack.archives.reverse();
    }
    // An archive that is named twice is read once.
    let none = Item::from(work.out().join("none"));
    work.unpack.archives.extend([none.clone(), none]);
    assert_eq!(work.errors().len(), 1);
}

#[test]
fn archives_without_captures_are_reported() {
    let mut archive = Archive::default();
    archive.record("WARC-Type: warcinfo\r\n", b"software: x\r\n");
    let messages = "rehref: wrote 0 files to OUT\n\
                    rehref: the archives have no pages or other files\n";
    let work = Workplace::of(&archive);
    assert_eq!(command(&work, ""), (0, messages.to_owned()));
}

#[test]
fn a_hint_does_not_decide_the_path_of_a_missing_page() {
    let mut archive = Archive::default();
    archive.page("http://h.example/a", "<link rel=preconnect href=//h.example><a href=/>x</a>");
    let mut work = Workplace::of(&archive);
    work.unpack.missing_links = MissingLinks::Local;
    work.run();
    assert_eq!(
        work.text("http/h.example/a^.html"),
        "<link rel=preconnect href=index.html><a href=index.html>x</a>"
    );
}
