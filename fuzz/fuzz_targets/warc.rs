//! Reads any bytes as a web archive, as they are or in gzip members. Reading never panics, pieces
//! and slices have the records of the whole archive, and spans are within their documents.

#![no_main]

use std::io::{self, Cursor, Read, Write};
use std::path::Path;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use libfuzzer_sys::fuzz_target;
use rehref::container::warc::{DocumentReader, Entry, Flaw, RecordFilter, Records};
use rehref::format::Options;

/// Ends a gzip member of an input.
const MEMBER: u8 = 0xFF;

/// Reads bytes in pieces of this length.
struct Slow(Cursor<Vec<u8>>, usize);

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.1.min(buffer.len());
        self.0.read(&mut buffer[..len])
    }
}

/// A record: its place, head and block, and whether it is cut.
type Found = (u64, u64, Vec<u8>, Vec<u8>, bool);

fn entries(records: Records) -> (Vec<Found>, Vec<Flaw>) {
    let (mut found, mut flaws) = (Vec::new(), Vec::new());
    for batch in records {
        let batch = batch.expect("memory can be read");
        for entry in batch.entries() {
            match entry {
                Entry::Record(record) => found.push((
                    record.record_offset,
                    record.member_offset,
                    record.head.to_vec(),
                    record.block.to_vec(),
                    record.is_cut,
                )),
                Entry::Flaw(flaw) => flaws.push(flaw.clone()),
            }
        }
    }
    (found, flaws)
}

/// Finds the links of all records.
fn read_documents(records: Records, archive: &Arc<Path>) {
    let filter = RecordFilter::default();
    let mut reader = DocumentReader::new(archive, &filter);
    for batch in records {
        for entry in batch.expect("memory can be read").entries() {
            let Entry::Record(record) = entry else {
                continue;
            };
            reader.read(&record, |document| {
                let mut end = 0;
                for link in document.found(&Options::default()).links {
                    for span in &link.spans {
                        assert!(end <= span.start && span.start <= span.end);
                        end = span.end;
                    }
                }
                assert!(end <= document.bytes().len());
            });
        }
    }
}

fuzz_target!(|input: (bool, u16, u16, &[u8])| {
    let (is_compressed, piece, cut, bytes) = input;
    let bytes = if is_compressed {
        let members = bytes.split(|byte| *byte == MEMBER).map(|member| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(member).expect("memory can be written");
            encoder.finish().expect("memory can be written")
        });
        members.collect::<Vec<_>>().concat()
    } else {
        bytes.to_vec()
    };
    let archive: Arc<Path> = Path::new("fuzz").into();
    let len = bytes.len() as u64;
    let whole = || Box::new(Cursor::new(bytes.clone()));
    let all = |reader| Records::new(Arc::clone(&archive), reader, Some(len));
    let (found, flaws) = entries(all(whole()));
    let piece = usize::from(piece).max(1);
    let slowly = entries(all(Box::new(Slow(Cursor::new(bytes.clone()), piece))));
    assert_eq!(slowly, (found.clone(), flaws.clone()));
    read_documents(all(whole()), &archive);
    let cut = u64::from(cut) % (len + 1);
    if cut == 0 {
        return;
    }
    let slice = |wanted| {
        let open = |from| {
            let mut reader = whole();
            reader.set_position(from);
            Ok(reader as Box<dyn Read + Send>)
        };
        let records = Records::slice(Arc::clone(&archive), open, wanted, Some(len));
        entries(records.expect("memory can be read")).0
    };
    let (mut first, second) = (slice(0..cut), slice(cut..u64::MAX));
    assert!(first.iter().all(|record| record.0 < cut));
    assert!(second.iter().all(|record| record.0 >= cut));
    // Where members are damaged, the second slice may begin within one.
    if flaws.is_empty() {
        first.extend(second);
        assert_eq!(first, found);
    }
});
