//! Undoes the codings that compress.

use std::fmt;
use std::io::{self, Read};

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use flate2::{Decompress, FlushDecompress, Status};

use super::coding::Compression;
use super::end::End;
use crate::container::gzip_frame;
use crate::container::zstd::{ZstdReader, is_window_error};

/// The first bytes of a member of gzip (RFC 1952, section 2.3.1).
pub(super) const GZIP: &[u8] = &[0x1F, 0x8B];

/// The first bytes of a frame of Zstandard (RFC 8878, section 3.1.1).
pub(super) const ZSTD: &[u8] = &[0x28, 0xB5, 0x2F, 0xFD];

/// The maximum window of Zstandard, in bytes (RFC 9659, section 3).
pub(super) const MAX_WINDOW: u64 = 8 << 20;

/// The minimum room for decoded bytes.
const ROOM: usize = 16 << 10;

/// Undoes codings. Keeps its memory.
pub(super) struct Decoder {
    inflater: Decompress,
}

impl Default for Decoder {
    fn default() -> Self {
        Self { inflater: Decompress::new(false) }
    }
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder").finish_non_exhaustive()
    }
}

impl Decoder {
    /// Appends the decoded bytes to the empty `output`, at most `limit`. `None` if the coding was
    /// already undone.
    pub(super) fn undo(
        &mut self,
        compression: Compression,
        input: &[u8],
        output: &mut Vec<u8>,
        limit: usize,
    ) -> Option<End> {
        // The first bytes are more reliable than the name of a coding.
        if input.starts_with(GZIP) {
            return Some(self.gunzip(input, output, limit));
        }
        if input.starts_with(ZSTD) {
            return Some(unzstd(input, output, limit));
        }
        let (end, len) = match compression {
            Compression::Gzip => return None,
            Compression::Zstd if is_skippable_frame(input) => {
                return Some(unzstd(input, output, limit));
            }
            Compression::Zstd => return None,
            Compression::Deflate => self.undo_deflate(input, output, limit),
            Compression::Brotli => unbrotli(input, output, limit),
        };
        // These two begin with any byte. A text may decode to a few bytes by chance.
        let is_whole = end == End::Complete && input[len..].trim_ascii().is_empty();
        (is_whole || end == End::Limit || !is_text(input)).then_some(end)
    }

    /// Decodes members of gzip, one after another. Other data after a member is ignored.
    fn gunzip(&mut self, input: &[u8], output: &mut Vec<u8>, limit: usize) -> End {
        let mut rest = input;
        loop {
            let Some(header) = gzip_frame::header_len(rest) else {
                return End::Cut;
            };
            let (end, len) = self.inflate(&rest[header..], output, limit);
            // A checksum and a length follow.
            rest = rest.get(header + len + 8..).unwrap_or_default();
            if end != End::Complete || !rest.starts_with(GZIP) {
                return end;
            }
        }
    }

    /// Decodes deflate, after a header of zlib or without one. Also returns the number of bytes
    /// read.
    fn undo_deflate(&mut self, input: &[u8], output: &mut Vec<u8>, limit: usize) -> (End, usize) {
        if let [method, flags, data @ ..] = input
            && method & 0xF == 8
            && u16::from_be_bytes([*method, *flags]) % 31 == 0
        {
            let (end, len) = self.inflate(data, output, limit);
            if end != End::Damaged || !output.is_empty() {
                // The checksum is ignored.
                return (end, (2 + len + 4).min(input.len()));
            }
        }
        self.inflate(input, output, limit)
    }

    /// Appends decoded data of deflate to `output`, which may then have `limit` bytes. Also returns
    /// the number of bytes read.
    fn inflate(&mut self, input: &[u8], output: &mut Vec<u8>, limit: usize) -> (End, usize) {
        self.inflater.reset(false);
        let mut at = 0;
        loop {
            let before = output.len();
            if before > limit {
                output.truncate(limit);
                return (End::Limit, at);
            }
            if before == output.capacity() {
                // All of the room is touched.
                output.reserve_exact(before.max(ROOM).min(limit + 1 - before));
            }
            let flush = FlushDecompress::None;
            let status = self.inflater.decompress_vec(&input[at..], output, flush);
            let read = usize::try_from(self.inflater.total_in()).unwrap_or(input.len());
            let has_progress = read > at || output.len() > before;
            at = read.min(input.len());
            let end = match status {
                Ok(Status::StreamEnd) => End::Complete,
                Ok(_) if has_progress => continue,
                Ok(_) => End::Cut,
                Err(_) => End::Damaged,
            };
            if output.len() > limit {
                continue;
            }
            return (end, at);
        }
    }
}

/// Decodes br. Also returns the number of bytes read.
fn unbrotli(input: &[u8], output: &mut Vec<u8>, limit: usize) -> (End, usize) {
    let alloc = StandardAlloc::default;
    let mut state = BrotliState::new(alloc(), alloc(), alloc());
    let (mut left, mut at, mut total) = (input.len(), 0, 0);
    loop {
        let before = output.len();
        if before > limit {
            output.truncate(limit);
            return (End::Limit, at);
        }
        let mut room = before.max(ROOM).min(limit + 1 - before);
        output.resize(before + room, 0);
        let mut written = 0;
        let result = BrotliDecompressStream(
            &mut left,
            &mut at,
            input,
            &mut room,
            &mut written,
            &mut output[before..],
            &mut total,
            &mut state,
        );
        output.truncate(before + written);
        let end = match result {
            BrotliResult::NeedsMoreOutput => continue,
            _ if output.len() > limit => continue,
            BrotliResult::ResultSuccess => End::Complete,
            BrotliResult::NeedsMoreInput => End::Cut,
            BrotliResult::ResultFailure => End::Damaged,
        };
        return (end, at);
    }
}

/// Decodes frames of Zstandard.
fn unzstd(input: &[u8], output: &mut Vec<u8>, limit: usize) -> End {
    let mut reader = ZstdReader::new(input, MAX_WINDOW).take(limit as u64 + 1);
    match reader.read_to_end(output) {
        Ok(_) if output.len() > limit => {
            output.truncate(limit);
            End::Limit
        }
        Ok(_) => End::Complete,
        Err(error) => end_of_zstd(&error),
    }
}

/// The end that an error of a decoder of Zstandard means.
pub(super) fn end_of_zstd(error: &io::Error) -> End {
    match error.kind() {
        _ if is_window_error(error) => End::Limit,
        io::ErrorKind::UnexpectedEof => End::Cut,
        _ => End::Damaged,
    }
}

/// Returns true if a skippable frame of Zstandard begins here (RFC 8878, section 3.1.2).
pub(super) fn is_skippable_frame(bytes: &[u8]) -> bool {
    matches!(bytes, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}

/// Returns true if bytes begin like text: without control characters.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let is_control = |it: &u8| matches!(it, 0..=8 | 0xE..=0x1A | 0x1C..=0x1F | 0x7F);
    !bytes[..bytes.len().min(512)].iter().any(is_control)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression as Level;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

    use super::*;
    use Compression::{Brotli, Deflate, Gzip, Zstd};

    const PAGE: &[u8] = b"<a href=b>b</a> and <a href=c>c</a>";

    /// `PAGE` as node writes it in br.
    const BR: &[u8] = &[
        0x1B, 0x22, 0x00, 0xF8, 0xA5, 0x79, 0x7C, 0xC4, 0xC6, 0xB4, 0x06, 0x8D, 0x68, 0x22, 0x8C,
        0x1C, 0xA1, 0x20, 0x86, 0x36, 0xD3, 0xB2, 0x23, 0x0A, 0x76,
    ];

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Level::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zlib(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Level::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn deflate(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Level::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(bytes: &[u8]) -> Vec<u8> {
        use ruzstd::encoding::{CompressionLevel, compress_to_vec};
        compress_to_vec(bytes, CompressionLevel::Fastest)
    }

    /// Bytes that are not repeated.
    fn numbers() -> Vec<u8> {
        let squares = (0..100_000_u32).map(|it| it.wrapping_mul(it));
        squares.flat_map(u32::to_be_bytes).collect()
    }

    fn undo(compression: Compression, input: &[u8], limit: usize) -> Option<(Vec<u8>, End)> {
        let mut output = Vec::new();
        let end = Decoder::default().undo(compression, input, &mut output, limit)?;
        Some((output, end))
    }

    fn encoded() -> [(Compression, Vec<u8>); 5] {
        [
            (Gzip, gzip(PAGE)),
            (Deflate, zlib(PAGE)),
            (Deflate, deflate(PAGE)),
            (Brotli, BR.to_vec()),
            (Zstd, zstd(PAGE)),
        ]
    }

    #[test]
    fn codings_are_undone() {
        for (compression, bytes) in encoded() {
            let whole = Some((PAGE.to_vec(), End::Complete));
            assert_eq!(undo(compression, &bytes, 99), whole, "{compression:?}");
            assert_eq!(undo(compression, &bytes, PAGE.len()), whole, "{compression:?}");
            let limited = Some((PAGE[..9].to_vec(), End::Limit));
            assert_eq!(undo(compression, &bytes, 9), limited, "{compression:?}");
        }
    }

    #[test]
    fn the_bytes_decide_about_a_false_coding() {
        let whole = Some((PAGE.to_vec(), End::Complete));
        for compression in [Gzip, Deflate, Brotli, Zstd] {
            assert_eq!(undo(compression, PAGE, 99), None, "{compression:?}");
            assert_eq!(undo(compression, &gzip(PAGE), 99), whole, "{compression:?}");
            assert_eq!(undo(compression, &zstd(PAGE), 99), whole, "{compression:?}");
        }
    }

    #[test]
    fn no_first_byte_makes_a_text_compressed() {
        for first in (b'!'..=b'~').map(char::from) {
            let text = format!("{first} text of several words, and <a href=b>more</a>");
            for compression in [Gzip, Deflate, Brotli, Zstd] {
                let found = undo(compression, text.as_bytes(), 1 << 20);
                assert_eq!(found, None, "{compression:?} {text}");
            }
        }
    }

    #[test]
    fn checksums_and_further_bytes_do_not_matter() {
        let whole = Some((PAGE.to_vec(), End::Complete));
        let bytes = gzip(PAGE);
        assert_eq!(undo(Gzip, &bytes[..bytes.len() - 8], 99), whole);
        assert_eq!(undo(Gzip, &[&bytes[..bytes.len() - 8], &[0; 8]].concat(), 99), whole);
        assert_eq!(undo(Gzip, &[&bytes[..], b"\r\n"].concat(), 99), whole);
        let bytes = zlib(PAGE);
        assert_eq!(undo(Deflate, &bytes[..bytes.len() - 4], 99), whole);
    }

    #[test]
    fn members_and_frames_are_joined() {
        for (compression, first, second) in [
            (Gzip, gzip(b"ab"), gzip(b"cd")),
            (Zstd, zstd(b"ab"), zstd(b"cd")),
            (
                Zstd,
                [&[0x50, 0x2A, 0x4D, 0x18, 1, 0, 0, 0, 9], &zstd(b"ab")[..]].concat(),
                zstd(b"cd"),
            ),
        ] {
            let whole = Some((b"abcd".to_vec(), End::Complete));
            assert_eq!(undo(compression, &[first, second].concat(), 99), whole);
        }
    }

    #[test]
    fn headers_of_gzip_may_have_every_field() {
        let bytes = gzip(PAGE);
        let mut header = bytes[..10].to_vec();
        header[3] = 0b1_1111;
        header.extend(b"\x02\0xyname\0comment\0\0\0");
        let bytes = [&header, &bytes[10..]].concat();
        assert_eq!(undo(Gzip, &bytes, 99), Some((PAGE.to_vec(), End::Complete)));
        for len in 2..header.len() {
            assert_eq!(undo(Gzip, &bytes[..len], 99), Some((Vec::new(), End::Cut)));
        }
    }

    #[test]
    fn incomplete_data_keeps_its_beginning() {
        let page = numbers();
        for (compression, bytes) in [
            (Gzip, gzip(&page)),
            (Deflate, zlib(&page)),
            (Deflate, deflate(&page)),
            (Zstd, zstd(&page)),
        ] {
            let (output, end) = undo(compression, &bytes[..bytes.len() / 2], 1 << 20).unwrap();
            assert_eq!(end, End::Cut, "{compression:?}");
            assert!(output.len() > page.len() / 4 && page.starts_with(&output), "{compression:?}");
        }
        let (output, end) = undo(Brotli, &BR[..BR.len() - 2], 99).unwrap();
        assert_eq!(end, End::Cut);
        assert!(!output.is_empty() && PAGE.starts_with(&output));
    }

    #[test]
    fn damaged_data_keeps_its_beginning() {
        let page = numbers();
        for (compression, mut bytes) in [(Gzip, gzip(&page)), (Deflate, zlib(&page))] {
            let middle = bytes.len() / 2;
            bytes[middle..].fill(0xFF);
            let (output, end) = undo(compression, &bytes, 1 << 20).unwrap();
            assert_eq!(end, End::Damaged, "{compression:?}");
            assert!(output.starts_with(&page[..page.len() / 4]), "{compression:?}");
        }
    }

    #[test]
    fn large_windows_are_refused() {
        let frame = [ZSTD, &[0, 0x88, 1, 0, 0]].concat();
        assert_eq!(undo(Zstd, &frame, 99), Some((Vec::new(), End::Limit)));
    }
}
