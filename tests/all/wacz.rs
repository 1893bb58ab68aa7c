//! Archives in a WACZ: its index only divides the work.

use std::io::{Cursor, Write};
use std::num::NonZeroUsize;
use std::path::Path;

use rehref::jobs::{Extract, ExtractEvent};
use zip::CompressionMethod;
use zip::write::SimpleFileOptions;

use crate::web_archives::Archive;

/// Writes a WACZ with an archive and an index of its members at these offsets.
fn write_wacz(path: &Path, archive: &[u8], offsets: &[u64], method: CompressionMethod) {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    let line = |offset: &u64| {
        format!("example,h)/ 2024 {{\"offset\": \"{offset}\", \"filename\": \"data.warc.gz\"}}\n")
    };
    let index: String = offsets.iter().map(line).collect();
    for (name, content) in [
        ("indexes/index.cdx", index.as_bytes()),
        ("archive/data.warc.gz", archive),
        ("archive-of-nothing/a.txt", b"WARC/1.0\r\nno: archive\r\n"),
    ] {
        zip.start_file(name, options).expect("in memory");
        zip.write_all(content).expect("in memory");
    }
    let bytes = zip.finish().expect("in memory").into_inner();
    std::fs::write(path, bytes).expect("written");
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
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("a.wacz");
    let mut archive = Archive::default();
    for page in 0_u32..600 {
        // Bytes that gzip does not compress.
        let noise = (0..2_000_u32).map(|it| {
            let it = (page * 2_000 + it).wrapping_mul(2_654_435_761);
            char::from(b'!' + (it >> 24) as u8 % 90)
                .to_string()
                .replace(['<', '&'], "-")
        });
        let noise: String = noise.collect();
        archive.page(
            &format!("http://h.example/{page}/"),
            &format!("<a href=x{page}>x</a> {noise}"),
        );
    }
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
        (
            offsets.iter().map(|it| it + 1).collect(),
            CompressionMethod::Stored,
        ),
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
