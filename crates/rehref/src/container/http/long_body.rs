//! Bodies that are decoded piece by piece, because they are too long to be held.

use std::cell::{Cell, RefCell};
use std::io::{self, BufRead, Read};
use std::rc::Rc;

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use flate2::{Decompress, FlushDecompress, Status};

use super::chunked;
use super::coding::{Coding, Compression, codings_of};
use super::decoder::{GZIP, MAX_WINDOW, ZSTD, end_of_zstd, is_skippable_frame, is_text};
use super::end::End;
use super::{Flaws, ResponseReader, content_length};
use crate::container::gzip_frame;
use crate::container::zstd::ZstdReader;
use crate::format::http::Head;

/// The bytes that are decoded at once.
const PIECE: usize = 64 << 10;

/// The maximum length of the header of a gzip member, in bytes.
const MAX_GZIP_HEADER: usize = 1 << 20;

/// A decoded body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LongBody {
    /// The length of the decoded body, in bytes.
    pub(crate) len: u64,
    /// See [`Response::is_short`](super::Response::is_short).
    pub(crate) is_short: bool,
    /// The flaws of the body.
    pub(crate) flaws: Flaws,
}

/// Decodes the body of a response whose block is `block` and then `rest`, as [`ResponseReader`]
/// does, and calls `each` with its pieces. With `is_response` false, the block is a document. At
/// most `limit` bytes are decoded.
///
/// Cost: linear. Memory for a piece of each coding, and for their windows: 24 MiB for br, 8 MiB for
/// zstd.
///
/// # Errors
/// Those of `each` and of `rest`.
pub(crate) fn decode_long_body(
    is_response: bool,
    block: &[u8],
    rest: &mut dyn Read,
    limit: u64,
    each: &mut dyn FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<LongBody> {
    let head = match is_response {
        true => Head::read(block),
        false => None,
    };
    let (start, codings) = match &head {
        Some(head) if head.is_too_long => (block.len(), Default::default()),
        Some(head) => (head.end, codings_of(head, block)),
        None => (0, Default::default()),
    };
    let shared = Rc::new(Shared {
        stored: Cell::new((block.len() - start) as u64),
        flaws: RefCell::default(),
        limit,
    });
    let has_codings = !codings.is_empty();
    let rest = Counted { rest, shared: Rc::clone(&shared) };
    let mut body: Box<dyn Read + '_> = Box::new(block[start..].chain(rest));
    for coding in codings.into_iter().rev() {
        body = Stage::of(coding, Input::new(body), &shared)?;
    }
    let mut done = LongBody::default();
    let mut piece = vec![0; PIECE];
    loop {
        let read = match body.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let room = usize::try_from(limit - done.len).unwrap_or(read).min(read);
        each(&piece[..room])?;
        done.len += room as u64;
        if room < read {
            shared.flaw(End::Limit);
            break;
        }
    }
    drop(body);
    let claimed = head.as_ref().and_then(|head| content_length(head, block));
    done.is_short = !has_codings && claimed.is_some_and(|len| shared.stored.get() < len);
    done.flaws = *shared.flaws.borrow();
    Ok(done)
}

/// The state that the codings of a body share.
struct Shared {
    /// The number of stored bytes of the body that were read.
    stored: Cell<u64>,
    flaws: RefCell<Flaws>,
    limit: u64,
}

impl Shared {
    fn flaw(&self, end: End) {
        self.flaws.borrow_mut().add(end);
    }

    /// The maximum number of bytes that a coding may decode to.
    fn most(&self) -> u64 {
        let by_ratio = self.stored.get().saturating_mul(ResponseReader::MAX_RATIO as u64);
        by_ratio.max(ResponseReader::ALWAYS_ALLOWED as u64).min(self.limit)
    }
}

struct Counted<'r> {
    rest: &'r mut dyn Read,
    shared: Rc<Shared>,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.rest.read(buffer)?;
        let stored = &self.shared.stored;
        stored.set(stored.get() + read as u64);
        Ok(read)
    }
}

/// A reader whose next bytes can be examined.
struct Input<'r> {
    reader: Box<dyn Read + 'r>,
    buffer: Vec<u8>,
    /// The next bytes in the buffer, which is longer.
    at: usize,
    end: usize,
    is_ended: bool,
}

impl<'r> Input<'r> {
    fn new(reader: Box<dyn Read + 'r>) -> Self {
        Self { reader, buffer: Vec::new(), at: 0, end: 0, is_ended: false }
    }

    /// The next bytes: at least this number, unless the input ends.
    fn need(&mut self, len: usize) -> io::Result<&[u8]> {
        while self.end - self.at < len && !self.is_ended {
            self.buffer.copy_within(self.at..self.end, 0);
            self.end -= self.at;
            self.at = 0;
            if self.buffer.len() < self.end + PIECE {
                self.buffer.resize(self.end + PIECE, 0);
            }
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.is_ended = true,
                Ok(read) => self.end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(&self.buffer[self.at..self.end])
    }

    fn skip(&mut self, len: usize) {
        self.at = (self.at + len).min(self.end);
    }
}

impl Read for Input<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.need(1)?.read(buffer)?;
        self.skip(read);
        Ok(read)
    }
}

impl BufRead for Input<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.need(1)
    }

    fn consume(&mut self, len: usize) {
        self.skip(len);
    }
}

/// A coding that is undone. Its input ends with it, so a short read is not an error.
struct Stage<'r> {
    undo: Undo<'r>,
    len: u64,
    is_ended: bool,
    shared: Rc<Shared>,
}

enum Undo<'r> {
    /// The rest of a chunk; and true after the start of one.
    Chunks(Input<'r>, usize, bool),
    /// True if the data is in members of gzip; and true after the start of one.
    Deflate(Input<'r>, Box<Decompress>, bool, bool),
    Brotli(Input<'r>, Box<BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>>),
    Zstd(Box<ZstdReader<Input<'r>>>),
}

impl<'r> Stage<'r> {
    /// Undoes a coding. Returns the input if it is not in the coding: see [`ResponseReader`].
    fn of(
        coding: Coding,
        mut input: Input<'r>,
        shared: &Rc<Shared>,
    ) -> io::Result<Box<dyn Read + 'r>> {
        let bytes = input.need(PIECE)?;
        let deflate = |input, is_gzip| {
            let inflater = Box::new(Decompress::new(false));
            Undo::Deflate(input, inflater, is_gzip, false)
        };
        let undo = match coding {
            Coding::Chunked if chunked::begins(bytes) => Undo::Chunks(input, 0, false),
            Coding::Chunked => return Ok(Box::new(input)),
            Coding::Compressed(_) if bytes.starts_with(GZIP) => deflate(input, true),
            Coding::Compressed(compression)
                if bytes.starts_with(ZSTD)
                    || compression == Compression::Zstd && is_skippable_frame(bytes) =>
            {
                Undo::Zstd(Box::new(ZstdReader::new(input, MAX_WINDOW)))
            }
            // These two begin with any byte.
            Coding::Compressed(Compression::Deflate) if !is_text(bytes) => {
                if let [method, flags, ..] = bytes
                    && method & 0xF == 8
                    && u16::from_be_bytes([*method, *flags]) % 31 == 0
                {
                    input.skip(2);
                }
                deflate(input, false)
            }
            Coding::Compressed(Compression::Brotli) if !is_text(bytes) => {
                let alloc = StandardAlloc::default;
                let state = BrotliState::new(alloc(), alloc(), alloc());
                Undo::Brotli(input, Box::new(state))
            }
            Coding::Compressed(_) | Coding::Unknown => {
                shared.flaws.borrow_mut().has_unknown_coding |= !is_text(bytes);
                return Ok(Box::new(input));
            }
        };
        Ok(Box::new(Self { undo, len: 0, is_ended: false, shared: Rc::clone(shared) }))
    }
}

impl Read for Stage<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !self.is_ended && !buffer.is_empty() {
            let (written, end) = self.undo.step(buffer)?;
            if let Some(end) = end {
                self.shared.flaw(end);
                self.is_ended = true;
            }
            let most = match self.undo {
                // Chunks are shorter than they were.
                Undo::Chunks(..) => u64::MAX,
                _ => self.shared.most(),
            };
            let room = most.saturating_sub(self.len);
            let room = usize::try_from(room).unwrap_or(written).min(written);
            self.len += room as u64;
            if room < written {
                self.shared.flaw(End::Limit);
                self.is_ended = true;
            }
            if room > 0 {
                return Ok(room);
            }
        }
        Ok(0)
    }
}

impl Undo<'_> {
    /// Decodes some bytes. Returns their number and, if no more follow, the end.
    fn step(&mut self, buffer: &mut [u8]) -> io::Result<(usize, Option<End>)> {
        match self {
            Self::Chunks(input, left, is_begun) => {
                let mut written = 0;
                while written < buffer.len() {
                    if *left == 0 {
                        let bytes = input.need(2 * chunked::MAX_LINE)?;
                        let line_break = match *is_begun {
                            true => chunked::line_break_len(bytes),
                            false => 0,
                        };
                        let Some((size, len)) = chunked::size(&bytes[line_break..]) else {
                            let is_incomplete = chunked::is_incomplete(&bytes[line_break..]);
                            let end = [End::Damaged, End::Cut][usize::from(is_incomplete)];
                            return Ok((written, Some(end)));
                        };
                        input.skip(line_break + len);
                        (*left, *is_begun) = (size, true);
                        if size == 0 {
                            return Ok((written, Some(End::Complete)));
                        }
                    }
                    let most = (buffer.len() - written).min(*left);
                    let read = input.read(&mut buffer[written..written + most])?;
                    *left -= read;
                    written += read;
                    if read == 0 {
                        return Ok((written, Some(End::Cut)));
                    }
                }
                Ok((written, None))
            }
            Self::Deflate(input, inflater, is_gzip, is_begun) => {
                if *is_gzip && !*is_begun {
                    let bytes = input.need(PIECE)?;
                    let mut header = gzip_frame::header_len(bytes);
                    if header.is_none() {
                        header = gzip_frame::header_len(input.need(MAX_GZIP_HEADER)?);
                    }
                    let Some(header) = header else {
                        return Ok((0, Some(End::Cut)));
                    };
                    input.skip(header);
                    inflater.reset(false);
                    *is_begun = true;
                }
                let bytes = input.need(1)?;
                let is_ended = bytes.is_empty();
                let (read, written) = (inflater.total_in(), inflater.total_out());
                let status = inflater.decompress(bytes, buffer, FlushDecompress::None);
                let read = (inflater.total_in() - read) as usize;
                let written = (inflater.total_out() - written) as usize;
                input.skip(read);
                let end = match status {
                    Ok(Status::StreamEnd) if *is_gzip => {
                        input.need(gzip_frame::TRAILER)?;
                        input.skip(gzip_frame::TRAILER);
                        *is_begun = false;
                        (!input.need(GZIP.len())?.starts_with(GZIP)).then_some(End::Complete)
                    }
                    Ok(Status::StreamEnd) => Some(End::Complete),
                    Ok(_) if read > 0 || written > 0 => None,
                    Ok(_) if is_ended => Some(End::Cut),
                    Ok(_) | Err(_) => Some(End::Damaged),
                };
                Ok((written, end))
            }
            Self::Brotli(input, state) => {
                let bytes = input.need(1)?;
                let is_ended = bytes.is_empty();
                let (mut left, mut read) = (bytes.len(), 0);
                let (mut room, mut written, mut total) = (buffer.len(), 0, 0);
                let result = BrotliDecompressStream(
                    &mut left, &mut read, bytes, &mut room, &mut written, buffer, &mut total, state,
                );
                input.skip(read);
                let end = match result {
                    BrotliResult::ResultSuccess => Some(End::Complete),
                    BrotliResult::ResultFailure => Some(End::Damaged),
                    BrotliResult::NeedsMoreInput if is_ended => Some(End::Cut),
                    BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => None,
                };
                Ok((written, end))
            }
            Self::Zstd(reader) => Ok(match reader.read(buffer) {
                Ok(0) => (0, Some(End::Complete)),
                Ok(read) => (read, None),
                Err(error) => (0, Some(end_of_zstd(&error))),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression as Level;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Level::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn chunks(bytes: &[u8], len: usize) -> Vec<u8> {
        let mut chunked = Vec::new();
        for chunk in bytes.chunks(len) {
            chunked.extend(format!("{:x}\r\n", chunk.len()).into_bytes());
            chunked.extend([chunk, b"\r\n"].concat());
        }
        chunked.extend(b"0\r\n\r\n");
        chunked
    }

    /// Bytes that are not repeated.
    fn numbers() -> Vec<u8> {
        let squares = (0..100_000_u32).map(|it| it.wrapping_mul(it));
        squares.flat_map(u32::to_be_bytes).collect()
    }

    /// The stored bodies with their fields.
    fn stored() -> Vec<(&'static str, Vec<u8>)> {
        use ruzstd::encoding::{CompressionLevel, compress_to_vec};
        let body = numbers();
        let mut zlib = ZlibEncoder::new(Vec::new(), Level::fast());
        zlib.write_all(&body).unwrap();
        let mut deflate = DeflateEncoder::new(Vec::new(), Level::fast());
        deflate.write_all(&body).unwrap();
        let two = [gzip(&body[..1000]), gzip(&body[1000..])].concat();
        let coded = "Content-Encoding: gzip\r\nTransfer-Encoding: chunked";
        vec![
            ("X: a", body.clone()),
            ("Content-Encoding: gzip", gzip(&body)),
            ("Content-Encoding: gzip", two),
            ("Content-Encoding: gzip, gzip", gzip(&gzip(&body))),
            ("Content-Encoding: deflate", zlib.finish().unwrap()),
            ("Content-Encoding: deflate", deflate.finish().unwrap()),
            ("Content-Encoding: zstd", compress_to_vec(&body[..], CompressionLevel::Fastest)),
            ("Transfer-Encoding: chunked", chunks(&body, 70_000)),
            ("Transfer-Encoding: chunked", body.clone()),
            (coded, chunks(&gzip(&body), 999)),
            (coded, gzip(&body)),
            ("Content-Encoding: br", gzip(&body)),
            ("Content-Encoding: compress", body),
        ]
    }

    fn decoded(block: &[u8], cut: usize, limit: u64) -> (Vec<u8>, LongBody) {
        let (block, mut rest) = block.split_at(cut);
        let mut bytes = Vec::new();
        let done = decode_long_body(true, block, &mut rest, limit, &mut |piece| {
            bytes.extend_from_slice(piece);
            Ok(())
        });
        (bytes, done.unwrap())
    }

    #[test]
    fn pieces_are_the_body_that_is_decoded_at_once() {
        for (fields, body) in stored() {
            let whole = [format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n").as_bytes(), &body].concat();
            for end in [whole.len(), whole.len() * 2 / 3] {
                let block = &whole[..end];
                for (cut, limit) in [(end, 1 << 20), (200_000.min(end), 1 << 20), (end, 70_000)] {
                    let (bytes, done) = decoded(block, cut, limit);
                    let mut reader = ResponseReader::new();
                    let response = reader.read_within(limit as usize, block);
                    let is_limited = limit == 70_000;
                    assert_eq!(done.len, bytes.len() as u64);
                    if is_limited {
                        let most = response.body.len().min(70_000);
                        assert!(bytes == response.body[..most], "{fields} {cut} {limit}");
                    } else {
                        assert!(bytes == response.body, "{fields} {cut} {limit}");
                        assert_eq!(done.flaws, response.flaws, "{fields} {cut} {end}");
                        assert_eq!(done.is_short, response.is_short);
                    }
                }
            }
        }
    }

    /// Short chunks are joined, so that their number does not count.
    #[test]
    fn pieces_of_short_chunks_are_long() {
        let body = numbers();
        let chunked = chunks(&body, 10);
        let fields = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        let block = [&fields[..], &chunked].concat();
        let mut pieces = 0;
        let done = decode_long_body(true, &block, &mut io::empty(), u64::MAX, &mut |_| {
            pieces += 1;
            Ok(())
        });
        assert_eq!(done.unwrap().len, body.len() as u64);
        assert_eq!(pieces, body.len().div_ceil(PIECE));
    }

    #[test]
    fn what_inflates_too_far_is_limited() {
        let mut bomb = vec![0; 64 << 20];
        for _ in 0..3 {
            bomb = gzip(&bomb);
        }
        let head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip, gzip\r\n\r\n";
        let block = [&head[..], &bomb].concat();
        let (bytes, done) = decoded(&block, block.len(), 1 << 30);
        assert!(done.flaws.exceeds_limit);
        assert!(bytes.len() <= bomb.len() * ResponseReader::MAX_RATIO);
    }
}
