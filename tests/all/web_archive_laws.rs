//! A web archive has the same records however its members are cut, however it is read, and in
//! slices. Damage to a member and wrong lengths do not change the records around them.

use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;
use rehref::container::warc::{DocumentReader, Entry, Flaw, FlawKind, RecordFilter, Records};
use rehref::document::Document;
use rehref::format::{Format, Options};

use crate::support::compressed::gzip;
use crate::tier;

/// Bodies are made of these, so that some look like records, members and chunks.
const PIECES: [&str; 16] = strings![
    "<a href=b>c</a>" "<a href='/d?e#f'>" "<img src=\"../g.png\">" "<base href=h/>"
    "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n" "WARC/1.1\r\n"
    "WARC/" "\r\n\r\n" "\r\n" "\n" "5\r\nabcde\r\n0\r\n\r\n" "HTTP/1.1 200 OK\r\n\r\n"
    "http://i.example/ 1.2.3.4 20080101000000 text/html 5\n" "\u{1F}\u{8B}\u{8}" "text " "é"
];

/// The head of a response.
const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n";

/// The division of the records of an archive into members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Plain,
    /// A member for each record.
    Each,
    /// A member for every two records.
    Pairs,
    /// A member for all records.
    One,
    /// Members of this many inflated bytes, whatever is in them.
    Equal(usize),
}

/// Reads bytes in pieces of this length.
struct Slow(Cursor<Vec<u8>>, usize);

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.1.min(buffer.len());
        self.0.read(&mut buffer[..len])
    }
}

/// The properties of a record that are compared: its ID, its block, and true if it is cut.
type Found = (String, String, bool);

#[derive(Clone, Debug)]
struct Record {
    record_type: &'static str,
    number: usize,
    block: String,
}

impl Record {
    fn id(&self) -> String {
        format!("<urn:uuid:{:08}>", self.number)
    }

    /// The record with this value of `Content-Length`, and the blank lines behind it.
    fn with_length(&self, len: &str) -> Vec<u8> {
        let Self { record_type, number, block } = self;
        let head = format!(
            "WARC/1.0\r\nWARC-Type: {record_type}\r\nWARC-Record-ID: {}\r\nWARC-Date: 2024-05-01T10:00:00Z\r\n\
             WARC-Target-URI: http://mill.example/{number}/index.html\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {len}\r\n\r\n",
            self.id()
        );
        [&head, &**block, "\r\n\r\n"].concat().into_bytes()
    }

    fn bytes(&self) -> Vec<u8> {
        self.with_length(&self.block.len().to_string())
    }

    fn found(&self) -> Found {
        (self.id(), self.block.clone(), false)
    }
}

fn records() -> impl Strategy<Value = Vec<Record>> {
    let body = prop::collection::vec(prop::sample::select(&PIECES[..]), 0..12);
    let body = body.prop_map(|pieces| pieces.concat());
    let kind = prop::sample::select(&["response", "resource", "request", "metadata"][..]);
    prop::collection::vec((kind, body, any::<bool>()), 1..9).prop_map(|records| {
        let record = |(number, (record_type, body, has_head)): (_, (_, String, bool))| {
            let head = if has_head { HEAD } else { "" };
            Record {
                record_type,
                number,
                // Blank lines at the end may be part of a block or not, where its length is wrong.
                block: format!("{head}{body}."),
            }
        };
        records.into_iter().enumerate().map(record).collect()
    })
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        Just(Shape::Plain),
        Just(Shape::Each),
        Just(Shape::Pairs),
        Just(Shape::One),
        (40usize..900).prop_map(Shape::Equal),
    ]
}

/// Returns true if a member begins like a record within a record. Such members cannot be
/// distinguished from others.
fn is_ambiguous(records: &[Record], shape: Shape) -> bool {
    let Shape::Equal(len) = shape else {
        return false;
    };
    let bytes: Vec<Vec<u8>> = records.iter().map(Record::bytes).collect();
    let ends = bytes.iter().scan(0, |end, it| {
        *end += it.len();
        Some(*end)
    });
    let ends: Vec<usize> = ends.collect();
    let bytes = bytes.concat();
    (len..bytes.len()).step_by(len).any(|start| {
        let blank = bytes[start..].iter().take_while(|it| b"\r\n".contains(it)).count();
        bytes[start + blank..].starts_with(b"WARC/") && !ends.contains(&(start + blank))
    })
}

fn archive(records: &[Record], shape: Shape) -> Vec<u8> {
    let bytes: Vec<Vec<u8>> = records.iter().map(Record::bytes).collect();
    let members = |len: usize| {
        let members = bytes.chunks(len).map(|records| gzip(records.concat()));
        members.collect::<Vec<_>>().concat()
    };
    match shape {
        Shape::Plain => bytes.concat(),
        Shape::Each => members(1),
        Shape::Pairs => members(2),
        Shape::One => members(records.len()),
        Shape::Equal(len) => bytes.concat().chunks(len).flat_map(gzip).collect(),
    }
}

fn name() -> Arc<Path> {
    Path::new("in.warc.gz").into()
}

fn whole(bytes: &[u8]) -> Records {
    let reader = Box::new(Cursor::new(bytes.to_vec()));
    Records::new(name(), reader, Some(bytes.len() as u64))
}

/// The records from `start` to `end`, as the command reads a slice.
fn slice(bytes: &[u8], start: u64, end: u64) -> Records {
    let bytes: Arc<[u8]> = bytes.into();
    let len = Some(bytes.len() as u64);
    let open = |from| {
        let mut reader = Cursor::new(Arc::clone(&bytes));
        reader.set_position(from);
        Ok(Box::new(reader) as Box<dyn Read + Send>)
    };
    Records::slice(name(), open, start..end, len).expect("memory can be read")
}

fn read(records: Records) -> (Vec<Found>, Vec<Flaw>) {
    let (mut found, mut flaws) = (Vec::new(), Vec::new());
    for batch in records {
        let batch = batch.expect("memory can be read");
        for entry in batch.entries() {
            match entry {
                Entry::Flaw(flaw) => flaws.push(flaw.clone()),
                Entry::Record(record) => {
                    let id = record.fields().record_id.unwrap_or_default();
                    let [id, block] = [&*id, record.block].map(String::from_utf8_lossy);
                    found.push((id.into_owned(), block.into_owned(), record.is_cut));
                }
            }
        }
    }
    (found, flaws)
}

proptest! {
    #![proptest_config(tier::cases(4000))]

    #[test]
    fn members_of_any_shape_have_the_records(
        records in records(),
        shape in shape(),
        piece in 1usize..400,
    ) {
        prop_assume!(!is_ambiguous(&records, shape));
        let expected: Vec<Found> = records.iter().map(Record::found).collect();
        let bytes = archive(&records, shape);
        prop_assert_eq!(read(whole(&bytes)), (expected.clone(), vec![]));
        let slow = Box::new(Slow(Cursor::new(bytes), piece));
        prop_assert_eq!(read(Records::new(name(), slow, None)), (expected, vec![]));
    }

    #[test]
    fn slices_have_each_record_once(
        records in records(),
        shape in shape(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 1..5),
    ) {
        prop_assume!(!is_ambiguous(&records, shape));
        let bytes = archive(&records, shape);
        let mut ends: Vec<u64> = cuts.iter().map(|cut| cut.index(bytes.len()) as u64).collect();
        ends.push(bytes.len() as u64);
        ends.sort_unstable();
        let (mut found, mut start) = (Vec::new(), 0);
        for end in ends {
            if start < end {
                let (records, flaws) = read(slice(&bytes, start, end));
                prop_assert_eq!(flaws, vec![]);
                found.extend(records);
            }
            start = end;
        }
        let expected: Vec<Found> = records.iter().map(Record::found).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn a_damaged_member_changes_no_other_record(
        records in records(),
        at in any::<prop::sample::Index>(),
        place in any::<prop::sample::Index>(),
        bits in 1u8..=255,
    ) {
        let at = at.index(records.len());
        let mut members: Vec<Vec<u8>> = records.iter().map(|it| gzip(it.bytes())).collect();
        let place = place.index(members[at].len());
        members[at][place] ^= bits;
        let (found, flaws) = read(whole(&members.concat()));
        let others = records.iter().filter(|it| it.number != at).map(Record::found);
        let kept: Vec<Found> = found.iter().filter(|it| it.0 != records[at].id()).cloned().collect();
        prop_assert!(others.clone().all(|it| kept.contains(&it)), "byte {place} ^ {bits}: {found:?}, {flaws:?}");
        let is_whole = found.contains(&records[at].found());
        prop_assert!(is_whole || !flaws.is_empty());
    }

    #[test]
    fn a_truncated_archive_has_the_records_before(
        records in records(),
        shape in shape(),
        len in any::<prop::sample::Index>(),
    ) {
        // A record that is quoted in a cut one may be the next, if the length of the other is
        // wrong.
        prop_assume!(records.iter().all(|it| !it.block.contains("WARC/1.")));
        let bytes = archive(&records, shape);
        let len = len.index(bytes.len());
        let (found, flaws) = read(whole(&bytes[..len]));
        prop_assert!(found.len() <= records.len());
        for (at, (id, block, is_cut)) in found.iter().enumerate() {
            let record = &records[at];
            let is_last = at + 1 == found.len();
            prop_assert!(*id == record.id(), "{len} of {}: {found:?}, {flaws:?}", bytes.len());
            // It may end within a character.
            let block = block.trim_end_matches('\u{FFFD}');
            // Where the file ends with a member, the length of the last record may be wrong.
            let is_reported = *is_cut || flaws.iter().any(|it| it.kind == FlawKind::Length);
            let is_prefix = record.block.starts_with(block);
            // Or it has the beginning of the next.
            let rest = block.strip_prefix(&*record.block).map(str::trim_start);
            let is_longer = rest.is_some_and(|rest| "WARC/1.0".starts_with(rest));
            let is_part = is_reported && is_last && (is_prefix || is_longer);
            prop_assert!(
                block == record.block || is_part,
                "{len} of {}: {found:?}, {flaws:?}", bytes.len()
            );
        }
        let is_loss = found.len() < records.len() || found.iter().any(|it| it.2);
        if is_loss && flaws.is_empty() {
            let before = &records[..found.len()];
            let end = if before.is_empty() { 0 } else { archive(before, shape).len() };
            // The blank lines behind a record may be missing.
            let slack = if shape == Shape::Plain { 4 } else { 0 };
            prop_assert!((end - slack.min(end)..=end).contains(&len), "{len}, {end}");
        }
    }

    #[test]
    fn wrong_lengths_change_no_record_in_a_member_of_its_own(
        records in records(),
        lens in prop::collection::vec(prop_oneof![
            Just(None),
            Just(Some("".to_owned())),
            Just(Some("-1".to_owned())),
            Just(Some("99999999999999999999".to_owned())),
            (0usize..2000).prop_map(|len| Some(len.to_string())),
        ], 9),
    ) {
        // A record behind a block of this length may be the second of its member.
        prop_assume!(records.iter().all(|it| !it.block.contains("WARC/1.")));
        let members = records.iter().zip(&lens).map(|(record, len)| match len {
            None => gzip(record.bytes()),
            Some(len) => gzip(record.with_length(len)),
        });
        let bytes = members.collect::<Vec<_>>().concat();
        // A length that leaves only line ends out is believed.
        let trimmed = |(id, block, is_cut): Found| {
            (id, block.trim_end_matches(['\r', '\n']).to_owned(), is_cut)
        };
        let expected: Vec<Found> = records.iter().map(Record::found).collect();
        let found: Vec<Found> = read(whole(&bytes)).0.into_iter().map(trimmed).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn documents_are_those_of_their_bodies(records in records(), shape in shape()) {
        prop_assume!(!is_ambiguous(&records, shape));
        let filter = RecordFilter::default();
        let name = name();
        let mut reader = DocumentReader::new(&name, &filter);
        let mut found = Vec::new();
        for batch in whole(&archive(&records, shape)) {
            for entry in batch.expect("memory can be read").entries() {
                if let Entry::Record(record) = entry {
                    reader.read(&record, |document| found.push(document.clone()));
                }
            }
        }
        let mut found = found.into_iter().filter(|it| it.format() == Format::Html);
        let is_document = |it: &&Record| ["response", "resource"].contains(&it.record_type);
        for record in records.iter().filter(is_document) {
            let Some(body) = record.block.strip_prefix(
                HEAD,
            ) else {
                continue;
            };
            let expected = Document::from_bytes(body.as_bytes().to_vec())
                .content_type("text/html; charset=utf-8")
                .url(format!("http://mill.example/{}/index.html", record.number))
                .build()
                .expect("HTML is read");
            let base = |document: &Document| document.base().map(|it| it.uri.clone());
            let document = found.find(|it| base(it) == base(&expected));
            let document = document.expect("the document of the record");
            prop_assert_eq!(document.bytes(), body.as_bytes());
            let [links, expected] = [&document, &expected].map(|it| it.found(&Options::default()).links);
            prop_assert_eq!(links, expected);
        }
    }
}
