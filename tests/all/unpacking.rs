//! Unpacking web archives: the rules, one by one, and hostile archives.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rehref::jobs::{CaptureChoice, MissingLinks, Put, Unpack, UnpackEvent, UnpackReport};

use crate::support::tree::Tree;
use crate::web_archives::{Archive, Response};

/// A directory with archives, and the directory for their files.
pub(crate) struct Workplace {
    pub(crate) directory: Tree,
    pub(crate) unpack: Unpack,
}

impl Workplace {
    pub(crate) fn new(archives: &[Vec<u8>]) -> Self {
        let directory = Tree::empty();
        let mut unpack = Unpack::new(directory.at("out"));
        for (number, archive) in archives.iter().enumerate() {
            let name = format!("{number}.warc.gz");
            directory.write(&name, archive);
            unpack.archives.push(directory.at(name).into());
        }
        Self { directory, unpack }
    }

    pub(crate) fn of(archive: &Archive) -> Self {
        Self::new(&[archive.gzipped()])
    }

    /// The directory for the files.
    pub(crate) fn out(&self) -> PathBuf {
        self.unpack.directory.clone()
    }

    pub(crate) fn run(&self) -> UnpackReport {
        self.events(|_| {})
    }

    pub(crate) fn events(&self, each: impl FnMut(UnpackEvent<'_>) + Send) -> UnpackReport {
        self.unpack.for_each(each).expect("it runs")
    }

    /// The errors of a run.
    pub(crate) fn errors(&self) -> Vec<String> {
        let mut errors = Vec::new();
        self.events(|event| {
            if let UnpackEvent::Error(error) = event {
                errors.push(error.to_string());
            }
        });
        errors
    }

    /// The missing URLs of a run, with the reasons.
    pub(crate) fn missing(&self) -> BTreeMap<String, (usize, String, &'static str)> {
        let mut missing = BTreeMap::new();
        self.events(|event| {
            if let UnpackEvent::Missing(record) = event {
                let value = (record.count, record.from.to_string(), record.why);
                missing.insert(record.uri.to_string(), value);
            }
        });
        missing
    }

    /// The files, with their contents.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let out = self.out();
        let files = files_below(&out).into_iter();
        let files = files.filter(|(path, _)| !path.starts_with(".rehref/"));
        files.collect()
    }

    pub(crate) fn text(&self, path: &str) -> String {
        let files = self.files();
        let bytes = files.get(path).unwrap_or_else(|| panic!("{path}: {files:?}"));
        String::from_utf8_lossy(bytes).into_owned()
    }
}

/// The files below a directory, by their paths, with their contents.
pub(crate) fn files_below(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = walkdir::WalkDir::new(directory).into_iter();
    let entries = entries.map(|entry| entry.expect("an entry"));
    let files = entries.filter(|entry| !entry.file_type().is_dir());
    files
        .map(|entry| {
            let below = entry.path().strip_prefix(directory).expect("below");
            let content = fs::read(entry.path()).expect("a file");
            (below.to_str().expect("UTF-8").to_owned(), content)
        })
        .collect()
}

#[test]
fn pages_refer_to_each_other_as_files() {
    let mut archive = Archive::default();
    archive
        .page(
            "http://h.example/",
            "<a href=/a/b?c=d#e>x</a> <a href=http://o.example/>y</a> <a href=z>z</a>",
        )
        .page("http://h.example/a/b?c=d", "<base href=/a/><a href=../>x</a>");
    let work = Workplace::of(&archive);
    let report = work.run();
    assert_eq!((report.new, report.same, report.summary.errors), (2, 0, 0));
    assert_eq!(
        work.text("http/h.example/index.html"),
        "<a href=\"a/b%5Ec=d%5E.html#e\">x</a> <a href=http://o.example/>y</a> <a href=http://h.example/z>z</a>"
    );
    assert_eq!(work.text("http/h.example/a/b^c=d^.html"), "<a href=../index.html>x</a>");
    assert_eq!(work.missing().len(), 1);
    let map = work.directory.read("out/.rehref/map.tsv");
    assert!(map.contains("http://h.example/a/b?c=d\thttp/h.example/a/b^c=d^.html\n"), "{map}");
}

#[test]
fn the_newest_page_is_chosen_and_never_an_error_or_an_answer_to_post() {
    let page = |date, status, body| Response { date, status, body, ..Response::default() };
    let posted = Response {
        record_fields: "WARC-Record-ID: <urn:uuid:answer>\r\n",
        ..page("2025", 200, b"posted")
    };
    let truncated =
        Response { record_fields: "WARC-Truncated: length\r\n", ..page("2025", 200, b"truncated") };
    let mut archive = Archive::default();
    archive
        .add(page("2022-01-01T00:00:00Z", 200, b"old"))
        .add(page("2024-01-01T00:00:00Z", 200, b"new"))
        .add(page("2023-01-01T00:00:00Z", 200, b"between"))
        .add(page("2025-01-01T00:00:00Z", 404, b"error"))
        .add(truncated)
        .record(
            "WARC-Type: request\r\nWARC-Target-URI: http://h.example/\r\nWARC-Concurrent-To: <urn:uuid:answer>\r\n\
             Content-Type: application/http; msgtype=request\r\n",
            b"POST / HTTP/1.1\r\n\r\n",
        )
        .add(posted);
    for (date, expected) in [(None, "new"), (Some("2023"), "between"), (Some("2021"), "old")] {
        let mut work = Workplace::of(&archive);
        work.unpack.choice.date = date.map(|it| it.parse().expect("a date"));
        work.run();
        assert_eq!(work.text("http/h.example/index.html"), expected);
    }
}

#[test]
fn what_is_missing_is_reported_with_the_reason() {
    let at = |url, status| Response { url, status, body: b"x", ..Response::default() };
    let links = ["none", "none#a", "error", "posted", "lost", "cut", "ring1", "to-error"];
    let links: String = links.iter().map(|it| format!("<a href={it}>x</a>")).collect();
    let posted = Response {
        record_fields: "WARC-Concurrent-To: <urn:uuid:post>\r\n",
        ..at("http://h.example/posted", 200)
    };
    let lost = Response {
        record_fields: "WARC-Payload-Digest: sha1:NONE\r\n",
        body: b"",
        ..at("http://h.example/lost", 200)
    };
    let cut =
        Response { record_fields: "WARC-Truncated: time\r\n", ..at("http://h.example/cut", 200) };
    let mut archive = Archive::default();
    archive
        .page("http://h.example/", &links)
        .add(at("http://h.example/error", 500))
        .record(
            "WARC-Type: request\r\nWARC-Record-ID: <urn:uuid:post>\r\nWARC-Target-URI: http://h.example/posted\r\n\
             Content-Type: application/http; msgtype=request\r\n",
            b"PUT /posted HTTP/1.1\r\n\r\n",
        )
        .add(posted)
        .http("revisit", lost)
        .add(cut)
        .redirect("http://h.example/ring1", "/ring2")
        .redirect("http://h.example/ring2", "/ring1")
        .redirect("http://h.example/to-error", "/error");
    let work = Workplace::of(&archive);
    let from = "http://h.example/".to_owned();
    let missing = |count, why| (count, from.clone(), why);
    let expected = [
        ("cut", missing(1, "truncated")),
        ("error", missing(2, "status")),
        ("lost", missing(1, "revisit")),
        ("none", missing(2, "not-captured")),
        ("posted", missing(1, "method")),
        ("ring1", missing(1, "ring")),
    ];
    let expected = expected.map(|(name, value)| (format!("http://h.example/{name}"), value));
    assert_eq!(work.missing(), BTreeMap::from(expected));
    assert_eq!(work.text("http/h.example/cut^.html"), "x");
    let mut work = Workplace::of(&archive);
    work.unpack.choice = CaptureChoice { errors: true, ..CaptureChoice::default() };
    work.run();
    assert_eq!(work.text("http/h.example/error^.html"), "x");
}

#[test]
fn a_revisit_has_its_own_head_and_the_body_of_another_archive() {
    let digest = "WARC-Payload-Digest: sha1:ABC\r\n";
    let mut first = Archive::default();
    first.add(Response {
        url: "http://h.example/a",
        fields: "Content-Type: text/plain\r\n",
        record_fields: digest,
        body: b"<a href=/b>b</a>",
        ..Response::default()
    });
    let mut second = Archive::default();
    second.page("http://h.example/b", "b").http(
        "revisit",
        Response { url: "http://h.example/c/", record_fields: digest, ..Response::default() },
    );
    for archives in [[&first, &second], [&second, &first]] {
        let work = Workplace::new(&archives.map(Archive::gzipped));
        let mut records = BTreeMap::new();
        work.events(|event| {
            if let UnpackEvent::File(record, _) = event {
                records.insert(record.path.to_string(), record.clone().into_owned());
            }
        });
        assert_eq!(work.text("http/h.example/a^.txt"), "<a href=/b>b</a>");
        assert_eq!(work.text("http/h.example/c/index.html"), "<a href=../b%5E.html>b</a>");
        let record = &records["http/h.example/c/index.html"];
        assert_eq!(record.record_id.as_deref(), Some("<urn:uuid:1>"));
        assert_eq!(record.content_type.as_deref(), Some("text/html"));
    }
}

#[test]
fn long_bodies_are_whole() {
    let mut archive = Archive::default();
    let film = vec![b'x'; 17 << 20];
    archive.record(
        "WARC-Type: resource\r\nWARC-Target-URI: http://h.example/film.mp4\r\nContent-Type: video/mp4\r\n",
        &film,
    );
    let work = Workplace::new(&[archive.plain()]);
    assert_eq!(work.run().summary.errors, 0);
    assert!(work.files()["http/h.example/film.mp4"] == film);
}

#[test]
fn missing_links_become_local_on_request() {
    let mut archive = Archive::default();
    archive.page(
        "http://h.example/",
        "<a href=a/>a</a> <img src=i.png> <link rel=stylesheet href=s> <img src=http://o.example/i.png>",
    );
    let mut work = Workplace::of(&archive);
    work.unpack.missing_links = MissingLinks::Local;
    let report = work.run();
    assert_eq!(
        work.text("http/h.example/index.html"),
        "<a href=a/index.html>a</a> <img src=i.png> <link rel=stylesheet href=s%5E.css> <img src=http://o.example/i.png>"
    );
    assert_eq!((report.summary.missing, report.summary.remote), (3, 1));
}

#[test]
fn an_encoding_of_the_header_is_in_the_page() {
    let mut archive = Archive::default();
    archive.add(Response {
        fields: "Content-Type: text/html; charset=koi8-r\r\n",
        body: b"<!DOCTYPE html><title>\xC1</title>",
        ..Response::default()
    });
    let work = Workplace::of(&archive);
    work.run();
    let page = &work.files()["http/h.example/index.html"];
    assert_eq!(page, b"<!DOCTYPE html><meta charset=\"koi8-r\"><title>\xC1</title>");
}

#[test]
fn existing_files_with_other_contents_are_refused() {
    let mut archive = Archive::default();
    archive.page("http://h.example/", "new").page("http://h.example/b", "b");
    let mut work = Workplace::of(&archive);
    work.directory.write("out/http/h.example/index.html", "old");
    let errors = work.errors();
    assert!(errors.len() == 1 && errors[0].contains("exists already"), "{errors:?}");
    assert_eq!(work.text("http/h.example/index.html"), "old");
    assert_eq!(work.text("http/h.example/b^.html"), "b");
    work.unpack.replaces_files = true;
    let report = work.run();
    assert_eq!((report.replaced, report.same), (1, 1));
    assert_eq!(work.text("http/h.example/index.html"), "new");
}

#[test]
fn a_dry_run_reports_the_same_and_writes_nothing() {
    let mut archive = Archive::default();
    archive.page("http://h.example/", "<a href=x>x</a>");
    let mut work = Workplace::of(&archive);
    work.unpack.dry_run = true;
    let mut puts = Vec::new();
    let dry = work.events(|event| {
        if let UnpackEvent::File(_, put) = event {
            puts.push(put);
        }
    });
    assert_eq!(puts, [Put::New]);
    assert!(!work.out().exists());
    work.unpack.dry_run = false;
    assert_eq!(work.run(), dry);
}

#[test]
fn damaged_archives_and_other_files_are_errors() {
    let mut archive = Archive::default();
    archive.page("http://h.example/a.html", "a").page("http://h.example/b.html", &"b".repeat(5000));
    let bytes = archive.gzipped();
    let cut = bytes[..bytes.len() - 30].to_vec();
    let work = Workplace::new(&[b"words".to_vec(), cut]);
    let errors = work.errors();
    assert!(errors.len() >= 2 && errors[0].contains("not a web archive"), "{errors:?}");
    assert_eq!(work.text("http/h.example/a.html"), "a");
    let mut work = Workplace::new(&[bytes]);
    work.unpack.archives.insert(0, work.out().join("none").into());
    assert_eq!(work.errors().len(), 1);
    assert_eq!(work.files().len(), 2);
}

#[test]
fn hostile_urls_write_only_below_the_directory() {
    let long = format!("http://h.example/{}", "a".repeat(4000));
    let deep = format!("http://h.example/{}", "a/".repeat(1900));
    let dots = "../".repeat(50);
    let urls = [
        format!("http://h.example/{dots}etc/passwd"),
        format!("http://h.example/{}etc/passwd", "%2e%2e/".repeat(9)),
        format!("http://h.example/{}etc", "%2E%2E%2F".repeat(9)),
        format!("http://h.example/{}etc", "..%5c".repeat(9)),
        "http://h.example/a%00b".to_owned(),
        "http://h.example/%0a%0d%1b[2J".to_owned(),
        "http://h.example/CON".to_owned(),
        "http://h.example/aux/nul.html".to_owned(),
        "http://h.example/a.../b. ".to_owned(),
        "http://h.example/.git/hooks/post-checkout".to_owned(),
        "http://h.example/.rehref/records.jsonl".to_owned(),
        "http://../x".to_owned(),
        "http://..%2f..%2fx/".to_owned(),
        "http://CON:80/".to_owned(),
        "file:///etc/passwd".to_owned(),
        "file:../../x".to_owned(),
        "ftp://h.example/../x".to_owned(),
        "C:\\x".to_owned(),
        "x:../../../y".to_owned(),
        "x:/../../y".to_owned(),
        "x://..".to_owned(),
        "\\\\server\\share".to_owned(),
        "/etc/passwd".to_owned(),
        "http://h.example/Twin.html".to_owned(),
        "http://h.example/twin.html".to_owned(),
        "http://h.example/TWIN.html".to_owned(),
        "http://h.example//".to_owned(),
        "http://h.example/?".to_owned(),
        "http://h.example/a?../../x".to_owned(),
        "http://\u{202E}/".to_owned(),
        long,
        deep,
    ];
    let mut archive = Archive::default();
    for url in &urls {
        archive.page(url, url);
    }
    let work = Workplace::of(&archive);
    let mut paths = Vec::new();
    let report = work.events(|event| {
        if let UnpackEvent::File(record, _) = event {
            paths.push(record.path.to_string());
        }
    });
    assert_eq!(report.summary.errors, 0);
    assert!(report.new >= 20, "{report:?}");
    let all = files_below(work.directory.path());
    let outside = all.keys().filter(|path| !path.starts_with("out/"));
    assert_eq!(outside.count(), 1, "the archive: {:?}", all.keys());
    assert_eq!(work.files().len(), paths.len());
    let folded: Vec<String> = paths.iter().map(|it| it.to_lowercase()).collect();
    for path in &paths {
        assert!(work.files().contains_key(path), "{path}");
        for name in path.split('/') {
            assert!(name.len() <= 240 && !matches!(name, "" | "." | ".."), "{path}");
        }
    }
    assert_eq!(folded.iter().collect::<std::collections::BTreeSet<_>>().len(), paths.len());
}

#[test]
fn names_in_a_wacz_are_not_paths() {
    use std::io::Write;
    use zip::write::{SimpleFileOptions, ZipWriter};

    let mut archive = Archive::default();
    archive.page("http://h.example/", "<a href=/x>x</a>");
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    for name in ["archive/../../../evil.warc.gz", "archive/C:\\evil.warc.gz"] {
        zip.start_file(name, options).expect("in memory");
        zip.write_all(&archive.gzipped()).expect("in memory");
    }
    zip.start_file("../../evil.txt", options).expect("in memory");
    zip.write_all(b"evil").expect("in memory");
    let work = Workplace::new(&[zip.finish().expect("in memory").into_inner()]);
    let report = work.run();
    assert_eq!((report.new, report.summary.errors), (1, 0));
    let all = files_below(work.directory.path());
    assert!(all.keys().all(|path| !path.contains("evil")), "{:?}", all.keys());
    assert_eq!(all.len(), 4);
}

#[cfg(unix)]
#[test]
fn symbolic_links_in_the_directory_are_not_followed() {
    let mut archive = Archive::default();
    archive.page("http://h.example/a/b.html", "b").page("http://h.example/c.html", "c");
    let work = Workplace::of(&archive);
    let tree = &work.directory;
    tree.make("other");
    tree.make("out/http/h.example");
    tree.symlink(tree.at("other"), "out/http/h.example/a");
    tree.symlink(tree.at("other/c"), "out/http/h.example/c.html");
    assert_eq!(work.errors().len(), 2);
    assert_eq!(tree.count("other"), 0);
}
