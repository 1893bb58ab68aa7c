//! A file that is deflated in a ZIP file.

use std::io::{self, BufRead, BufReader, Read};

use crc32fast::Hasher;
use flate2::{Decompress, FlushDecompress, Status};

/// Inflates a file of a ZIP file. Reads all bytes before damage, then returns an error. Also
/// returns an error for a wrong checksum.
pub struct Deflated<R> {
    reader: BufReader<R>,
    decoder: Decompress,
    checksum: Hasher,
    /// The checksum by the directory of the ZIP file.
    expected: u32,
    end: Option<End>,
}

/// The end of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Complete,
    Truncated,
    Damaged,
    WrongChecksum,
}

impl<R: Read> Deflated<R> {
    /// A reader of deflated data. `checksum` is the CRC-32 of the inflated data.
    pub fn new(reader: R, checksum: u32) -> Self {
        Self {
            reader: BufReader::new(reader),
            decoder: Decompress::new(false),
            checksum: Hasher::new(),
            expected: checksum,
            end: None,
        }
    }

    /// Inflates some bytes. Returns their number and, if no more follow, the end of the data.
    fn inflate(&mut self, buffer: &mut [u8]) -> io::Result<(usize, Option<End>)> {
        let input = self.reader.fill_buf()?;
        let is_ended = input.is_empty();
        let (read, written) = (self.decoder.total_in(), self.decoder.total_out());
        let none = FlushDecompress::None;
        let status = self.decoder.decompress(input, buffer, none);
        let read = (self.decoder.total_in() - read) as usize;
        let written = (self.decoder.total_out() - written) as usize;
        self.reader.consume(read);
        self.checksum.update(&buffer[..written]);
        let end = match status {
            Err(_) => Some(End::Damaged),
            Ok(Status::StreamEnd) => {
                Some(match self.checksum.clone().finalize() == self.expected {
                    true => End::Complete,
                    false => End::WrongChecksum,
                })
            }
            Ok(_) if read > 0 || written > 0 => None,
            // Without progress the loop would not end.
            Ok(_) if is_ended => Some(End::Truncated),
            Ok(_) => Some(End::Damaged),
        };
        Ok((written, end))
    }
}

impl<R: Read> Read for Deflated<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while self.end.is_none() {
            let (written, end) = self.inflate(buffer)?;
            self.end = end;
            if written > 0 {
                return Ok(written);
            }
        }
        let problem = match self.end {
            None | Some(End::Complete) => return Ok(0),
            Some(End::Truncated) => "truncated compressed data",
            Some(End::Damaged) => "damaged compressed data",
            Some(End::WrongChecksum) => "wrong checksum: the data may be damaged",
        };
        Err(io::Error::new(io::ErrorKind::InvalidData, problem))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::DeflateEncoder;

    use super::*;

    /// The inflated bytes, and the error.
    fn inflated(bytes: &[u8], checksum: u32) -> (Vec<u8>, Option<String>) {
        let mut inflated = Vec::new();
        let error = Deflated::new(bytes, checksum).read_to_end(&mut inflated);
        (inflated, error.err().map(|it| it.to_string()))
    }

    #[test]
    fn all_bytes_before_damage_are_read() {
        let lines: Vec<String> =
            (0..20_000_u32).map(|it| format!("{}\n", it.wrapping_mul(2_654_435_761))).collect();
        let text = lines.concat().into_bytes();
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&text).unwrap();
        let bytes = encoder.finish().unwrap();
        let checksum = crc32fast::hash(&text);
        assert_eq!(inflated(&bytes, checksum), (text.clone(), None));

        let wrong = Some("wrong checksum: the data may be damaged".to_owned());
        assert_eq!(inflated(&bytes, !checksum), (text.clone(), wrong));

        let half = bytes.len() / 2;
        let (found, error) = inflated(&bytes[..half], checksum);
        assert_eq!(error.as_deref(), Some("truncated compressed data"));
        assert!(found.len() > text.len() / 3 && text.starts_with(&found));

        for at in (0..bytes.len()).step_by(997) {
            let mut damaged = bytes.clone();
            damaged[at..bytes.len().min(at + 9)].fill(0xFF);
            let (found, error) = inflated(&damaged, checksum);
            assert!(error.is_some(), "{at}");
            // A block of deflate has to be complete before its code can be read, but not its data.
            let least = (at * text.len() / bytes.len()).saturating_sub(64 << 10);
            assert!(found.len() >= least, "{at}: {} bytes", found.len());
            assert_eq!(found[..least], text[..least], "{at}");
        }
    }
}
