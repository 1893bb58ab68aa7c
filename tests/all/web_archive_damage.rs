//! Damage of web archives, each kind at every byte: records around it are read, and what is lost is
//! an error.

use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use rehref::container::warc::{Entry, FlawKind, MAX_BLOCK, Records};

use crate::support::compressed::gzip;
use crate::support::tree::{Has, Tree};

/// The file offset of a record and its block.
type Found = (u64, String);

const ARC: &str = "filedesc://a.arc 0.0.0.0 20080102030405 text/plain 5\n1 0 a\n";

fn page(number: usize) -> String {
    format!(
        "<title>{number}</title><a href={number}/a.html>a</a><img src=b.png><a href=c>{number} c</a>"
    )
}

fn with_length(number: usize, block: &str, len: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://mill.example/{number}\r\n\
         Content-Type: text/html\r\nContent-Length: {len}\r\n\r\n{block}\r\n\r\n"
    )
}

fn record(number: usize) -> String {
    let block = page(number);
    with_length(number, &block, &block.len().to_string())
}

fn arc_record(number: usize) -> String {
    let block = page(number);
    let len = block.len();
    format!("http://mill.example/{number} 10.0.0.1 20080102030405 text/html {len}\n{block}\n")
}

fn zstd(text: &str) -> Vec<u8> {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    compress_to_vec(text.as_bytes(), CompressionLevel::Fastest)
}

fn plain(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

fn read(bytes: &[u8]) -> (Vec<Found>, Vec<FlawKind>) {
    read_with(bytes, MAX_BLOCK)
}

/// Reads records with blocks of at most this length.
fn read_with(bytes: &[u8], max_block: usize) -> (Vec<Found>, Vec<FlawKind>) {
    let name: Arc<Path> = Path::new("in.warc.gz").into();
    let reader = Box::new(Cursor::new(bytes.to_vec()));
    let (mut found, mut flaws) = (Vec::new(), Vec::new());
    let records = Records::new(name, reader, Some(bytes.len() as u64)).max_block(max_block);
    for batch in records {
        let batch = batch.expect("memory can be read");
        for entry in batch.entries() {
            match entry {
                Entry::Flaw(flaw) => flaws.push(flaw.kind),
                Entry::Record(record) => {
                    let block = String::from_utf8_lossy(record.block).into_owned();
                    found.push((record.record_offset, block));
                }
            }
        }
    }
    (found, flaws)
}

fn is_loss(flaws: &[FlawKind]) -> bool {
    flaws.iter().any(|it| it.is_loss())
}

/// The parts of an archive, and where they begin.
fn parts(records: &[String], part: fn(&str) -> Vec<u8>) -> (Vec<u8>, Vec<usize>) {
    let (mut bytes, mut starts) = (Vec::new(), Vec::new());
    for record in records {
        starts.push(bytes.len());
        bytes.extend(part(record));
    }
    (bytes, starts)
}

#[test]
fn a_cut_anywhere_is_an_error_unless_a_record_ends_there() {
    let warc: Vec<String> = (0..4).map(record).collect();
    let arc: Vec<String> = std::iter::once(ARC.to_owned()).chain((1..4).map(arc_record)).collect();
    for (name, records, part, blank) in [
        ("warc", &warc, plain as fn(&str) -> Vec<u8>, 4),
        ("warc.gz", &warc, |it| gzip(it), 0),
        ("warc.zst", &warc, zstd, 0),
        ("arc", &arc, plain, 1),
        ("arc.gz", &arc, |it| gzip(it), 0),
    ] {
        let (bytes, starts) = parts(records, part);
        let whole = read(&bytes);
        assert_eq!((whole.0.len(), &whole.1[..]), (4, &[][..]), "{name}");
        let ends: Vec<usize> = starts[1..].iter().copied().chain([bytes.len()]).collect();
        for len in starts[1]..bytes.len() {
            let (found, flaws) = read(&bytes[..len]);
            let complete = ends.iter().filter(|&&end| len + blank >= end).count();
            assert_eq!(&found[..complete], &whole.0[..complete], "{name}, {len}: {flaws:?}");
            let ends_record = ends.iter().any(|end| (end - blank..=*end).contains(&len));
            assert_eq!(is_loss(&flaws), !ends_record, "{name}, {len}: {flaws:?}");
        }
    }
}

#[test]
fn a_damaged_byte_loses_only_its_member_and_is_an_error() {
    let records: Vec<String> = (0..3).map(record).collect();
    for (name, part) in [("zst", zstd as fn(&str) -> Vec<u8>), ("gz", |it| gzip(it))] {
        let (bytes, starts) = parts(&records, part);
        let whole = read(&bytes).0;
        for (at, bits) in (0..bytes.len()).flat_map(|at| [(at, 0xFF), (at, 1), (at, 0x20)]) {
            let mut bytes = bytes.clone();
            bytes[at] ^= bits;
            let own = starts.partition_point(|&start| start <= at) - 1;
            let (found, flaws) = read(&bytes);
            for record in whole.iter().filter(|it| it.0 != starts[own] as u64) {
                assert!(found.contains(record), "{name}, {at} ^ {bits}: {record:?} is missing");
            }
            let is_whole = found.contains(&whole[own]);
            assert!(is_whole || is_loss(&flaws), "{name}, {at} ^ {bits}: {found:?} {flaws:?}");
        }
    }
}

#[test]
fn a_length_that_is_far_too_large_changes_no_other_record() {
    let block = format!("{}<p>", "0123456789abcdef\n".repeat(4000));
    let wrong = (block.len() + 3_000_000).to_string();
    let mut text: String = with_length(0, "a", "1");
    text += &with_length(1, &block, &wrong);
    for number in 2..90 {
        text += &with_length(number, &block, &block.len().to_string());
    }
    for bytes in [plain(&text), gzip(&text)] {
        let (found, flaws) = read(&bytes);
        assert_eq!(found.len(), 90);
        assert!(found[1..].iter().all(|it| it.1 == block));
        assert_eq!(flaws, [FlawKind::Length]);
    }
    // A pipe has no length that disproves this one.
    let absurd = text.replacen(&wrong, "999999999999999", 1);
    let reader = Box::new(Cursor::new(absurd.into_bytes()));
    let records = Records::new(Path::new("-").into(), reader, None).max_block(1 << 20);
    let count = |batch: std::io::Result<_>| {
        let batch: rehref::container::warc::Batch = batch.expect("memory can be read");
        let is_record = |it: &Entry<'_>| matches!(it, Entry::Record(_));
        batch.entries().filter(is_record).count()
    };
    assert_eq!(records.map(count).sum::<usize>(), 90);
}

#[test]
fn a_block_without_a_length_has_the_same_limit_in_every_container() {
    const LIMIT: usize = 100_000;
    for len in [LIMIT - 1, LIMIT, LIMIT + 1, LIMIT + 1000] {
        let block = "0123456789abcde\n".repeat(len / 16 + 1)[..len - 1].to_owned() + ".";
        let text = record(0) + &with_length(1, &block, "x") + &record(2);
        for bytes in [plain(&text), gzip(&text), zstd(&text)] {
            let (found, flaws) = read_with(&bytes, LIMIT);
            let is_whole = found.iter().any(|it| it.1 == block);
            assert_eq!(is_whole, len <= LIMIT, "{len}: {flaws:?}");
            assert_eq!(flaws.contains(&FlawKind::Length), len <= LIMIT, "{len}: {flaws:?}");
            assert!(found.iter().any(|it| it.1 == page(2)), "{len}: {flaws:?}");
        }
    }
}

#[test]
fn a_length_that_is_too_small_does_not_cut_the_last_record() {
    let text = record(0) + &with_length(1, &page(1), &(page(1).len() - 1).to_string());
    for bytes in [plain(&text), gzip(&text)] {
        let (found, flaws) = read(&bytes);
        assert_eq!(found[1].1, page(1));
        assert_eq!(flaws, [FlawKind::Length]);
    }
}

#[test]
fn a_head_without_its_block_is_cut() {
    let text = record(0);
    let head = text.len() - page(0).len() - 4;
    let (found, flaws) = read(&gzip(&text[..head]));
    assert_eq!((found.len(), flaws), (1, vec![FlawKind::TruncatedRecord]));
}

#[test]
fn a_damaged_line_end_before_a_record_does_not_hide_it() {
    let first = record(0);
    let mut bytes = (first.clone() + &record(1)).into_bytes();
    for at in first.len() - 4..first.len() {
        bytes[at] ^= 0xFF;
        let (found, flaws) = read(&bytes);
        bytes[at] ^= 0xFF;
        assert_eq!(found.len(), 2, "{at}");
        assert_eq!(found[1], (first.len() as u64, page(1)), "{at}");
        assert!(!flaws.is_empty());
    }
}

#[test]
fn few_bytes_behind_the_last_member_are_reported() {
    let bytes = gzip(record(0));
    for rest in [&b"a"[..], b"ab", b"abc", b"\0"] {
        assert_eq!(read(&[&bytes, rest].concat()).1, [FlawKind::Junk], "{rest:?}");
    }
}

#[test]
fn archives_in_a_pipe_are_recognized_after_a_damaged_first_member() {
    let mut bytes = gzip(record(1));
    let damaged = bytes.len() / 2;
    bytes[10..damaged].fill(0xFF);
    bytes.extend(gzip(record(2)));
    let tree = Tree::of_bytes(&[("in.warc.gz", &bytes)]);
    let of_file = tree.run("extract in.warc.gz").ends(2);
    let of_pipe = tree.run_reading("extract -", &bytes).ends(2);
    assert_eq!(of_pipe.out, of_file.out);
    of_pipe.out.has("http://mill.example/2/a.html");
}

#[test]
fn the_name_says_that_a_damaged_beginning_is_that_of_an_archive() {
    let arc: String = std::iter::once(ARC.to_owned()).chain((1..4).map(arc_record)).collect();
    let warc: String = (0..4).map(record).collect();
    let compressed = [&gzip(ARC)[..], &gzip(&arc[ARC.len()..])].concat();
    let end_of_line = ARC.find('\n').expect("a line");
    for (name, bytes, damaged) in [
        ("in.arc", plain(&arc), end_of_line),
        ("in.arc", plain(&arc), ARC.len() - 1),
        ("in.warc", plain(&warc), 6),
        ("in.arc.gz", compressed, 10),
    ] {
        for byte in [0xFF, 0, b'x'] {
            let mut bytes = bytes.clone();
            bytes[..damaged].fill(byte);
            let output = Tree::of_bytes(&[(name, &bytes)]).run(["extract", name]);
            let expected: String = (1..4)
                .map(|it| {
                    let base = "http://mill.example";
                    format!("{base}/{it}/a.html\n{base}/b.png\n{base}/c\n")
                })
                .collect();
            assert_eq!(output.out, expected, "{name}, {damaged} bytes {byte}");
            output.err.has(format!("{name}!0: "));
        }
    }
    // Files of other programs have the extension, too.
    let tree = Tree::new(&[("in.arc", "(def x 20080102030405)\nhttp://mill.example/")]);
    assert_eq!(tree.run("extract in.arc").out, "http://mill.example/\n");
}

#[test]
fn a_line_of_arc_in_a_damaged_first_record_does_not_hide_the_others() {
    let damaged = format!("warc/1.0\r\nContent-Length: 9\r\n\r\n{}", arc_record(0));
    for (compress, others) in [
        ((|it| gzip(it)) as fn(&str) -> Vec<u8>, [1, 2].map(|it| gzip(record(it)))),
        (plain, [1, 2].map(|it| plain(&record(it)))),
    ] {
        let (found, flaws) = read(&[&compress(&damaged)[..], &others.concat()].concat());
        let blocks: Vec<String> = found.into_iter().map(|it| it.1).collect();
        assert_eq!(blocks, [1, 2].map(page), "{flaws:?}");
    }
}
