//! Positions at which an archive in a WACZ can be divided, by its index (CDXJ).
//!
//! An index may be wrong, so each position has to be proved. A wrong name or number in it costs
//! only time.

use std::io::{BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use memchr::memmem::find;

use super::first_line::number;
use super::gzip::{self, Gunzip};
use super::start;

/// The minimum distance of two positions, in bytes.
const LEAST: u64 = 256 << 10;

/// The maximum distance of two positions, in bytes. A part is held in memory, and so are its
/// results.
const GREATEST: u64 = 4 << 20;

/// The maximum length of a line of an index, in bytes. Longer ones are skipped in pieces.
const MAX_LINE: u64 = 64 << 10;

/// The offsets of records of an archive in its index, at most one for each stretch.
#[derive(Clone, Debug)]
pub struct Splits {
    /// The file name in the index, which has no directory.
    name: String,
    /// For each stretch of [`LEAST`] bytes, the first offset in it.
    first: Vec<Option<u64>>,
}

impl Splits {
    /// Creates an empty set for an archive of this name in a WACZ, with this length in bytes.
    pub fn new(name: &str, len: u64) -> Self {
        let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let stretches = usize::try_from(len / LEAST).unwrap_or(usize::MAX);
        Self {
            name: name.to_owned(),
            // Longer archives are not divided.
            first: vec![None; stretches.min(1 << 24)],
        }
    }

    /// Adds the offsets of an index, compressed by gzip or not. Stops at the first error.
    pub fn read_index(archives: &mut [Self], index: impl Read) {
        let mut index = BufReader::new(index);
        let is_compressed = index.fill_buf().is_ok_and(|it| it.starts_with(&gzip::MAGIC));
        match is_compressed {
            true => Self::read_lines(archives, BufReader::new(MultiGzDecoder::new(index))),
            false => Self::read_lines(archives, index),
        }
    }

    fn read_lines(archives: &mut [Self], mut index: impl BufRead) {
        let mut line = Vec::new();
        loop {
            line.clear();
            match index.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
                Ok(1..) => {}
                Ok(0) | Err(_) => return,
            }
            let Some(offset) = value(&line, b"\"offset\"").and_then(number) else {
                continue;
            };
            let name = value(&line, b"\"filename\"").unwrap_or_default();
            let own = |it: &&mut Self| {
                let name = name.rsplit(|byte| matches!(byte, b'/' | b'\\')).next();
                name == Some(it.name.as_bytes())
            };
            if let Some(archive) = archives.iter_mut().find(own) {
                archive.add(offset);
            }
        }
    }

    fn add(&mut self, offset: u64) {
        let stretch = usize::try_from(offset / LEAST).unwrap_or(usize::MAX);
        if let Some(first) = self.first.get_mut(stretch)
            && offset > 0
            && first.is_none_or(|first| offset < first)
        {
            *first = Some(offset);
        }
    }

    /// The ends of the parts of an archive of this length, but the last. `is_proved` returns true
    /// if a record begins in the member at an offset. Empty if a part would be too long.
    pub fn ends(&self, len: u64, mut is_proved: impl FnMut(u64) -> bool) -> Vec<u64> {
        let mut ends = Vec::new();
        let mut last = 0;
        for &offset in self.first.iter().flatten() {
            if offset >= last + LEAST / 2 && is_proved(offset) {
                if offset - last > GREATEST {
                    return Vec::new();
                }
                ends.push(offset);
                last = offset;
            }
        }
        if len.saturating_sub(last) > GREATEST {
            return Vec::new();
        }
        ends
    }
}

/// Returns true if a record begins in the gzip member that begins with these bytes: [`PROOF`] of
/// them decide.
pub fn begins_member(bytes: &[u8]) -> bool {
    let mut out = [0; gzip::PROOF_INFLATED];
    let inflated = Gunzip::new().proof(bytes, &mut out);
    inflated.is_some_and(start::begins_record)
}

/// The number of bytes that are needed to decide about the start of a member.
pub const PROOF: usize = gzip::PROOF;

/// The value of a key in a line of JSON, without quotes, if it has no escapes.
fn value<'l>(line: &'l [u8], key: &[u8]) -> Option<&'l [u8]> {
    let after = &line[find(line, key)? + key.len()..];
    let after = after.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
    let after = after.strip_prefix(b"\"").unwrap_or(after);
    let is_end = |byte: &u8| matches!(byte, b'"' | b',' | b'}' | b'\\');
    let end = after.iter().position(is_end)?;
    Some(after[..end].trim_ascii_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn splits(index: &str, len: u64) -> Splits {
        let mut archives = [Splits::new("archive/a.warc.gz", len)];
        Splits::read_index(&mut archives, index.as_bytes());
        let [archive] = archives;
        archive
    }

    fn line(offset: u64, name: &str) -> String {
        format!(
            "example,a)/ 20240501 {{\"url\": \"u\", \"offset\": \"{offset}\", \"filename\": \"{name}\"}}\n"
        )
    }

    #[test]
    fn parts_end_at_offsets_of_the_index_that_are_proved() {
        let offsets = [900 << 10, 1, 300 << 10, 310 << 10, 600 << 10];
        let index: String = offsets.iter().map(|&it| line(it, "a.warc.gz")).collect();
        let splits = splits(&index, 1 << 20);
        assert_eq!(splits.ends(1 << 20, |_| true), [300 << 10, 600 << 10, 900 << 10]);
        let not_second = |offset| offset != 600 << 10;
        assert_eq!(splits.ends(1 << 20, not_second), [300 << 10, 900 << 10]);
        assert_eq!(splits.ends(1 << 20, |_| false), [] as [u64; 0]);
    }

    #[test]
    fn archives_with_a_long_part_are_not_divided() {
        let index = line(300 << 10, "a.warc.gz");
        assert_eq!(splits(&index, 4 << 20).ends(4 << 20, |_| true), [300 << 10]);
        assert_eq!(splits(&index, 9 << 20).ends(9 << 20, |_| true), [] as [u64; 0]);
    }

    #[test]
    fn other_archives_and_lines_that_are_not_of_an_index_do_not_count() {
        let index = [
            line(300 << 10, "b.warc.gz"),
            "not JSON\n".to_owned(),
            "{\"offset\": -5, \"filename\": \"a.warc.gz\"}\n".to_owned(),
            "{\"offset\": 18446744073709551615, \"filename\": \"a.warc.gz\"}\n".to_owned(),
            "{\"offset\"".to_owned(),
        ];
        let splits = splits(&index.concat(), 1 << 20);
        assert_eq!(splits.ends(1 << 20, |_| true), [] as [u64; 0]);
    }
}
