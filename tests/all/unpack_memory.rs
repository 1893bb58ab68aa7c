//! The memory of runs that unpack web archives: however many links a page has, and however long a
//! body is.

use rehref::jobs::UnpackEvent;

use crate::support::compressed::gzip;
use crate::tier;
use crate::unpacking::Workplace;
use crate::web_archives::{Archive, Response};

const MIB: usize = 1 << 20;

/// An archive with a body in gzip at `http://h.example/0`, and a page at `http://h.example/x`.
fn archive(content_type: &str, body: &[u8]) -> Archive {
    let fields = format!("Content-Type: {content_type}\r\nContent-Encoding: gzip\r\n");
    let mut archive = Archive::default();
    archive.page("http://h.example/x", "x").add(Response {
        url: "http://h.example/0",
        fields: &fields,
        body: &gzip(body),
        ..Response::default()
    });
    archive
}

/// The peak memory of a run in bytes, its errors and warnings, and the number of files whose links
/// stay.
fn run(work: &Workplace) -> (usize, Vec<String>, usize) {
    let (mut messages, mut unwritten) = (Vec::new(), 0);
    let taken = allocation_counter::measure(|| {
        let report = work.events(|event| {
            if let UnpackEvent::Error(error) | UnpackEvent::Warning(error) = event {
                messages.push(error.to_string());
            }
        });
        unwritten = report.summary.unwritten;
    });
    let most = usize::try_from(taken.bytes_max).expect("a number");
    (most, messages, unwritten)
}

/// A document of this length: the beginning, links, and the end.
fn document(len: usize, begin: &str, links: &str, end: &str) -> Vec<u8> {
    let count = (len - begin.len() - end.len()) / links.len();
    [begin, &links.repeat(count), end].concat().into_bytes()
}

#[test]
fn links_of_a_document_are_not_held() {
    let len = tier::pick(MIB / 2, 4 * MIB);
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/1999/xlink'>";
    let documents = [
        ("text/html", "<body>", "<a href=/x>x</a>", "", "<a href=x^.html>x</a>"),
        ("text/html", "<body>", "<a href=n>x</a>", "", "<a href=http://h.example/n>x</a>"),
        (
            "text/html",
            "<body>",
            "<link rel=stylesheet integrity=a crossorigin href=/x>",
            "",
            "<link rel=stylesheet href=x^.html>",
        ),
        (
            "text/html; charset=windows-1252",
            "<head></head><body>",
            "<a href=/x>x</a>",
            "",
            "<a href=x^.html>x</a>",
        ),
        ("text/css", "", "a{b:url(/x)}\n", "", "a{b:url(x^.html)}\n"),
        ("image/svg+xml", svg, "<a x:href='/x'/>", "</svg>", "<a x:href='x^.html'/>"),
    ];
    let documents = documents.into_iter().take(tier::pick(2, usize::MAX));
    for (content_type, begin, links, end, new) in documents {
        let body = document(len, begin, links, end);
        let work = Workplace::of(&archive(content_type, &body));
        let (most, messages, unwritten) = run(&work);
        assert_eq!((messages, unwritten), (Vec::new(), 0), "{content_type}");
        let files = work.files();
        let (_, file) =
            files.iter().find(|(path, _)| path.starts_with("http/h.example/0")).expect("the file");
        let count = (len - begin.len() - end.len()) / links.len();
        let new = new.replace('^', "%5E");
        let written = String::from_utf8_lossy(file).matches(&new).count();
        assert_eq!(written, count, "{content_type} {links}");
        // The body, the document and, where edits are proved, the new document.
        let bound = 2 * len + 2 * file.len() + 12 * MIB;
        assert!(most < bound, "{content_type} {links}: {} MiB", most / MIB);
    }
}

#[test]
fn links_of_one_value_are_not_held() {
    let len = tier::pick(MIB / 4, 2 * MIB);
    let values = [
        ("<a href=/x ping='", "/x ", "'>"),
        ("<p style='", "b:url(/x);", "'>"),
        ("<applet archive='", "/x,", "'>"),
        ("<img srcset='", "/x 1x,", "'>"),
        ("<style>", "a{b:url(/x)}", "</style>"),
        ("<iframe srcdoc='", "<a href=/x>x</a>", "'>"),
    ];
    for (begin, links, end) in &values[..tier::pick(1, 6)] {
        let body = document(len, begin, links, end);
        let work = Workplace::of(&archive("text/html", &body));
        let (most, messages, unwritten) = run(&work);
        assert_eq!((messages, unwritten), (Vec::new(), 0), "{begin}");
        let bound = 4 * len + 7 * MIB;
        assert!(most < bound, "{begin}: {} MiB", most / MIB);
    }
}

#[test]
fn bodies_that_are_not_rewritten_are_not_held() {
    let noise: Vec<u8> =
        (0..10 * MIB as u32).flat_map(|it| it.wrapping_mul(2_654_435_761).to_be_bytes()).collect();
    let zeros = vec![0; 60 * MIB];
    for body in [&noise, &zeros] {
        let work = Workplace::of(&archive("video/mp4", body));
        let (most, messages, _) = run(&work);
        assert_eq!(messages, [] as [String; 0]);
        assert!(most < 40 * MIB, "{} MiB", most / MIB);
        assert!(work.files()["http/h.example/0^.mp4"] == **body);
        // A second run compares, and replaces nothing.
        assert_eq!(work.run().same, 2);
        assert_eq!(work.directory.count("out/.rehref"), 2);
    }
    let mut archive = Archive::default();
    archive.record(
        "WARC-Type: resource\r\nWARC-Target-URI: http://h.example/0\r\nContent-Type: video/mp4\r\n",
        &noise,
    );
    for archive in [archive.plain(), archive.gzipped()] {
        let work = Workplace::new(&[archive]);
        let (most, messages, _) = run(&work);
        assert_eq!(messages, [] as [String; 0]);
        assert!(most < 40 * MIB, "{} MiB", most / MIB);
        assert!(work.files()["http/h.example/0^.mp4"] == noise);
    }
}

#[test]
fn pages_that_are_too_long_keep_their_links_with_a_message() {
    let body = document(17 * MIB, "<body>", "<a href=/x>x</a>", "");
    let work = Workplace::of(&archive("text/html", &body));
    let (most, messages, unwritten) = run(&work);
    assert!(most < 40 * MIB, "{} MiB", most / MIB);
    assert_eq!((messages.len(), unwritten), (1, 1), "{messages:?}");
    let end = "http://h.example/0 keeps its links: longer than 16 MiB";
    assert!(messages[0].ends_with(end), "{messages:?}");
    assert!(work.files()["http/h.example/0^.html"] == body);
}

#[test]
fn bodies_that_inflate_too_far_are_errors_that_name_the_limit() {
    for content_type in ["text/html", "video/mp4"] {
        let fields =
            format!("Content-Type: {content_type}\r\nContent-Encoding: gzip, gzip, gzip\r\n");
        let body = gzip(gzip(gzip(vec![b' '; 60 * MIB])));
        let mut archive = Archive::default();
        archive.add(Response { fields: &fields, body: &body, ..Response::default() });
        let work = Workplace::of(&archive);
        let (most, messages, _) = run(&work);
        assert!(most < 40 * MIB, "{content_type}: {} MiB", most / MIB);
        let named = "the body of http://h.example/ has more than 4096 times its stored length";
        let of_limit = messages.iter().filter(|it| it.contains(named));
        assert_eq!(of_limit.count(), 1, "{messages:?}");
        assert!(messages[0].contains(".warc.gz!0: "), "{messages:?}");
    }
}

#[test]
fn empty_archives_are_errors() {
    for name in ["a.warc", "a.warc.gz", "a.wacz", "a.warc.zst"] {
        let mut work = Workplace::new(&[]);
        work.directory.write(name, "");
        work.unpack.archives.push(work.directory.at(name).into());
        let errors = work.errors();
        assert_eq!(errors.len(), 1, "{name}: {errors:?}");
        assert!(errors[0].ends_with("the archive is empty: 0 bytes"), "{errors:?}");
        assert!(!work.out().exists());
    }
}
