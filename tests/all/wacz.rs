//! Archives in a WACZ: its index only divides the work.

use std::io::{Cursor, Write};
use std::num::NonZeroUsize;
use std::path::Path;

use rehref::jobs::{Extract, ExtractEvent};
use zip::CompressionMethod;
use zip::write::SimpleFileOptions;

use crate::support::tree::{Has, Ran, Tree};
use crate::web_archives::Archive;

/// A ZIP file.
fn zip(files: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, content) in files {
        zip.start_file(*name, options).expect("in memory");
        zip.write_all(content).expect("in memory");
    }
    zip.finish().expect("in memory").into_inner()
}

/// Writes a WACZ with an archive and an index of its members at these offsets.
fn write_wacz(path: &Path, archive: &[u8], offsets: &[u64], method: CompressionMethod) {
    let line = |offset: &u64| {
        format!("example,h)/ 2024 {{\"offset\": \"{offset}\", \"filename\": \"data.warc.gz\"}}\n")
    };
    let index: String = offsets.iter().map(line).collect();
    let files = [
        ("indexes/index.cdx", index.as_bytes()),
        ("archive/data.warc.gz", archive),
        ("archive-of-nothing/a.txt", b"WARC/1.0\r\nno: archive\r\n"),
    ];
    std::fs::write(path, zip(&files, method)).expect("written");
}

/// The links with the offsets of their records, and the number of messages about the archive.
fn links(path: &Path, threads: usize) -> (Vec<(u64, String)>, usize) {
    let mut extract = Extract::new().path(path);
    extract.inputs.threads = NonZeroUsize::new(threads).expect("one or more");
    let mut links = Vec::new();
    let render = |event: ExtractEvent<'_>, out: &mut Vec<(u64, String)>| {
        if let ExtractEvent::Link(link, _) = event {
            let record = link.document().archive_record().expect("of an archive");
            out.push((record.record_offset, link.url_or_reference().to_owned()));
        }
    };
    let totals = extract.run(render, |mut piece| {
        links.append(&mut piece);
        std::ops::ControlFlow::Continue(())
    });
    (links, totals.warnings)
}

#[test]
fn an_index_divides_an_archive_and_changes_nothing() {
    let mut archive = Archive::default();
    for page in 0_u32..600 {
        // Bytes that gzip does not compress.
        let noise = (0..2_000_u32).map(|it| {
            let it = (page * 2_000 + it).wrapping_mul(2_654_435_761);
            char::from(b'!' + (it >> 24) as u8 % 90).to_string().replace(['<', '&'], "-")
        });
        let noise: String = noise.collect();
        archive
            .page(&format!("http://h.example/{page}/"), &format!("<a href=x{page}>x</a> {noise}"));
    }
    let tree = Tree::empty();
    let path = tree.at("a.wacz");
    let (bytes, offsets) = (archive.gzipped(), archive.member_offsets());
    assert!(bytes.len() > 600 << 10, "{} bytes", bytes.len());

    write_wacz(&path, &bytes, &[], CompressionMethod::Stored);
    let (whole, warnings) = links(&path, 1);
    assert_eq!((whole.len(), warnings), (600, 0));
    assert_eq!(whole[599].1, "http://h.example/599/x599");
    for (offsets, method) in [
        (offsets.clone(), CompressionMethod::Stored),
        // Deflated once more, the offsets are not those of bytes in the file.
        (offsets.clone(), CompressionMethod::Deflated),
        // Wrong ones.
        (offsets.iter().map(|it| it + 1).collect(), CompressionMethod::Stored),
        (vec![u64::MAX, 1 << 40, 0], CompressionMethod::Stored),
    ] {
        write_wacz(&path, &bytes, &offsets, method);
        for threads in [1, 2, 5] {
            let (links, warnings) = links(&path, threads);
            assert_eq!(warnings, 0);
            assert!(links == whole, "{method} by {threads} threads");
        }
    }
}

/// An archive of pages that have one link each.
fn pages(count: u32) -> Archive {
    let mut archive = Archive::default();
    for page in 0..count {
        let url = format!("http://h.example/{page}/");
        archive.page(&url, &format!("<a href=x{page}>x</a>"));
    }
    archive
}

/// Extracts the links of a file with these bytes. Returns the exit code, the links and the
/// messages.
fn extract(name: &str, bytes: &[u8]) -> (i32, Vec<String>, String) {
    let Ran { code, out, err, .. } = Tree::of_bytes(&[(name, bytes)]).run(["extract", name]);
    (code, out.lines().map(str::to_owned).collect(), err)
}

#[test]
fn records_before_damage_of_a_deflated_archive_are_read() {
    let archive = pages(200);
    for (name, content) in
        [("archive/data.warc", archive.plain()), ("archive/data.warc.gz", archive.gzipped())]
    {
        let wacz = zip(&[(name, &content)], CompressionMethod::Deflated);
        let (code, whole, messages) = extract("a.wacz", &wacz);
        assert_eq!((code, whole.len(), &*messages), (0, 200, ""));
        let mut damaged = wacz.clone();
        let middle = damaged.len() / 2;
        damaged[middle..middle + 300].fill(0xFF);
        let (code, links, messages) = extract("a.wacz", &damaged);
        assert_eq!(code, 2, "{name}: {messages}");
        messages.has(format!("a.wacz!{name}: cannot read: "));
        assert!(links.len() > 50, "{name}: {} links", links.len());
        assert_eq!(links[..50], whole[..50], "{name}");
    }
}

#[test]
fn other_bytes_may_come_before_the_zip_file() {
    let archive = pages(3).gzipped();
    let wacz = zip(&[("archive/data.warc.gz", &archive)], CompressionMethod::Stored);
    let (_, whole, _) = extract("a.wacz", &wacz);
    assert_eq!(whole.len(), 3);
    for before in [&b"#!/bin/sh\nexit\n"[..], b"MZ\0\0", &[0; 100_000]] {
        let (code, links, messages) = extract("a.wacz", &[before, &wacz].concat());
        assert_eq!((code, links, &*messages), (0, whole.clone(), ""));
    }
    // The name may be wrong.
    let (code, links, messages) = extract("a.wacz", &archive);
    assert_eq!((code, links, &*messages), (0, whole, ""));
}

#[test]
fn archives_of_one_name_are_reported() {
    let (first, second) = (pages(3).gzipped(), pages(2).gzipped());
    let mut files = vec![
        ("archive/a.warc.gz", &first[..]),
        ("archive/b.warc.gz", &second),
        ("pages/pages.jsonl", b"{}"),
        ("pages/qages.jsonl", b"{}"),
        ("archive/c.warc.gz", &second),
    ];
    // A writer of ZIP files does not repeat a name.
    let wacz = |files: &[(&str, &[u8])], other: &str, name: &str| {
        let bytes = zip(files, CompressionMethod::Stored);
        let mut bytes = bytes;
        let places: Vec<usize> = memchr::memmem::find_iter(&bytes, other).collect();
        for at in places {
            bytes[at..at + name.len()].copy_from_slice(name.as_bytes());
        }
        bytes
    };
    let pages = wacz(&files, "qages.", "pages.");
    let (code, links, messages) = extract("a.wacz", &pages);
    assert_eq!((code, links.len(), &*messages), (0, 7, ""));
    let archives = wacz(&files, "c.warc", "a.warc");
    let (code, links, messages) = extract("a.wacz", &archives);
    assert_eq!((code, links.len()), (2, 4));
    messages.has("archive/a.warc.gz occurs several times: only the last one is read");
    files.pop();
    let (code, _, messages) = extract("a.wacz", &zip(&files, CompressionMethod::Stored));
    assert_eq!((code, &*messages), (0, ""));
}

#[test]
fn a_wacz_in_a_pipe_is_an_error() {
    let archive = pages(3).gzipped();
    let tree = Tree::empty();
    let files = [("datapackage.json", &b"{}"[..]), ("archive/a.warc.gz", &archive)];
    let wacz = zip(&files, CompressionMethod::Deflated);
    tree.run_reading("extract -", &wacz).ends(2).err.has("-: a WACZ can only be read from a file");
    // Another ZIP file is binary.
    let other = zip(&[("word/document.xml", b"<a/>")], CompressionMethod::Stored);
    tree.run_reading("extract -", &other).err.has("binary file skipped");
}

/// A file in which one archive has several names in the directory.
#[test]
fn an_archive_is_not_read_again_under_another_name() {
    let mut archive = Archive::default();
    archive.page("http://a.example/", "<a href=b>c</a>");
    let names = ["archive/a.warc.gz", "archive/b.warc.gz"];
    let archive = archive.gzipped();
    let files = names.map(|name| (name, &*archive));
    let mut zip = zip(&files, CompressionMethod::Stored);
    // Both headers in the directory have the offset of the first file, 0.
    let second = zip
        .windows(names[1].len())
        .rposition(|it| it == names[1].as_bytes())
        .expect("in the directory");
    zip[second - 4..second].fill(0);
    let tree = Tree::of_bytes(&[("a.wacz", &zip)]);
    let (links, messages) = links(&tree.at("a.wacz"), 1);
    assert_eq!((links.len(), messages), (1, 1));
}
