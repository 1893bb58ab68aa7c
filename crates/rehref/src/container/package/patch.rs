//! Replacing contents of files in a ZIP file, as edits of its bytes.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::directory::{DEFLATED, Directory, Edit, Entry, Lengths, STORED};

/// The edits that give files, by their numbers, new contents. All other bytes stay, but for lengths,
/// checksums and offsets. The edits are sorted.
///
/// # Errors
/// If a file is encrypted or compressed by another method than deflate, or if a length or an offset
/// does not fit into its field.
pub(super) fn edits(
    bytes: &[u8],
    directory: &Directory,
    contents: &[(usize, Vec<u8>)],
) -> Result<Vec<Edit>, String> {
    let mut edits = Vec::new();
    for (number, content) in contents {
        replace(&directory.entries[*number], content, &mut edits)?;
    }
    in_order(&mut edits);
    let moved = Moved::by(&edits);
    let places = directory.entries.iter().map(|it| (it.local_field, it.local));
    let places = places.chain(directory.starts.iter().map(|it| (*it, directory.start)));
    for (field, place) in places.chain(directory.end_64.map(|(place, field)| (field, place))) {
        let old = field.read(bytes);
        let new = old.wrapping_add_signed(moved.distance(place));
        if new != old {
            edits.push(field.edit(new)?);
        }
    }
    in_order(&mut edits);
    Ok(edits)
}

/// Sorts edits. A file without data begins where its lengths do.
fn in_order(edits: &mut [Edit]) {
    edits.sort_unstable_by_key(|it| (it.0.start, it.0.end));
}

/// Adds the edits of one file.
fn replace(entry: &Entry, content: &[u8], edits: &mut Vec<Edit>) -> Result<(), String> {
    let name = || String::from_utf8_lossy(&entry.name);
    let data = match entry.method {
        _ if entry.is_encrypted => return Err(format!("{} is encrypted", name())),
        STORED => content.to_vec(),
        DEFLATED => deflated(content).map_err(|error| error.to_string())?,
        method => return Err(format!("{} is compressed by method {method}", name())),
    };
    let checksum = crc32fast::hash(content);
    let all = [Some(entry.central_lengths), entry.local_lengths, entry.descriptor];
    for Lengths { checksum: at, compressed, len } in all.into_iter().flatten() {
        edits.push((at..at + 4, checksum.to_le_bytes().to_vec()));
        edits.push(compressed.edit(data.len() as u64)?);
        edits.push(len.edit(content.len() as u64)?);
    }
    edits.push((entry.data.clone(), data));
    Ok(())
}

fn deflated(content: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content)?;
    encoder.finish()
}

/// The distances by which edits move the bytes after them.
struct Moved(Vec<(usize, i64)>);

impl Moved {
    /// The edits are sorted.
    fn by(edits: &[Edit]) -> Self {
        let mut sum = 0;
        let moved = edits.iter().map(|(range, new)| {
            sum += new.len() as i64 - range.len() as i64;
            (range.end, sum)
        });
        Self(moved.collect())
    }

    /// The distance by which the byte at this offset moves.
    fn distance(&self, at: usize) -> i64 {
        let before = self.0.partition_point(|it| it.0 <= at);
        before.checked_sub(1).map_or(0, |it| self.0[it].1)
    }
}
