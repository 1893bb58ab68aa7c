//! HTTP responses as archives of the web capture them.
//!
//! [`ResponseReader`] reads a response: its head, and its body with chunks and codings undone.
//! [`document_kind`] determines the format of the body. A malformed response is never rejected: see
//! [`Flaws`].
//!
//! # Rules
//! * **Head.** Lines end with LF and any number of CR before it. Fields may be folded. The status
//!   line is that of any version of HTTP, or that of SHOUTcast (`ICY 200 OK`), with or without a
//!   reason. Without one, all is body (HTTP/0.9). A line that begins a page ends the head too.
//!   Interim responses (100 to 199, but not 101) before the response are skipped.
//! * **Chunks.** Crawlers often undo the transfer coding and keep its field. So a body is chunked
//!   if a field says so and it begins with a chunk. Trailers are not part of the body.
//! * **Codings.** gzip, deflate (with the header of zlib or without it), br and zstd, also in lists
//!   and in several fields, are undone in reverse order. A body that does not begin like the
//!   coding, or that is text and not valid in the coding, was undone before. Checksums are not
//!   compared.
//! * **Limits.** A head of more than 1 MiB has no body. A decoded body has at most 4,096 times its
//!   stored length, or 1 MiB if that is more, and at most [`ResponseReader::MAX_BODY`] bytes.

mod chunked;
mod coding;
mod decoder;
mod end;
mod kind;
mod long_body;
mod part;

use std::borrow::Cow;
use std::ops::Range;

pub use kind::document_kind;
pub(crate) use long_body::{LongBody, decode_long_body};
pub(crate) use part::BodyPart;

use crate::format::http::{FieldKind, Head};
use chunked::Unchunked;
use coding::{Coding, codings_of};
use decoder::{Decoder, is_text};
use end::End;

/// Reads responses. It reuses its memory from one response to the next.
///
/// ```
/// use rehref::container::http::{ResponseReader, document_kind};
/// use rehref::format::Format;
///
/// let block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n\
///               5\r\n<a hr\r\n5\r\nef=b>\r\n0\r\n\r\n";
/// let mut reader = ResponseReader::new();
/// let response = reader.read(block);
/// assert_eq!(response.status, Some(200));
/// assert_eq!(response.body, b"<a href=b>");
/// let kind = document_kind(response.content_type.as_deref(), "http://a.example/", response.body);
/// assert_eq!(kind.map(|(format, _)| format), Some(Format::Html));
/// ```
#[derive(Debug)]
pub struct ResponseReader {
    decoder: Decoder,
    /// Each coding is undone from one buffer to the other.
    buffers: [Vec<u8>; 2],
    max_body: usize,
}

impl Default for ResponseReader {
    fn default() -> Self {
        Self::new()
    }
}

/// A response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response<'b> {
    /// The status code. `None` for HTTP/0.9.
    pub status: Option<u16>,
    /// The bytes of the head, with the empty line at its end. Empty for HTTP/0.9.
    pub head: &'b [u8],
    /// True if the head has fields that may have links. They are those of a document in the format
    /// [`Http`](crate::format::Format::Http) with the bytes of the head, in UTF-8.
    pub may_have_links: bool,
    /// The value of `Content-Type`, on one line. Of several fields, the last with a type counts.
    pub content_type: Option<Cow<'b, str>>,
    /// The value of the first `Location`, on one line.
    pub location: Option<Cow<'b, str>>,
    /// The body, without chunks and codings. Borrowed from the block if it has neither.
    pub body: &'b [u8],
    /// True if the body has no chunks and codings, and is shorter than `Content-Length`. Only a
    /// hint: programs that process archives keep that field.
    pub is_short: bool,
    /// The flaws of the response.
    pub flaws: Flaws,
    /// The number of the buffer that has only the body.
    buffer: Option<usize>,
}

/// The flaws of a response. The body consists of the parts that could be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Flaws {
    /// The body ends within a chunk or a coding, or without the last chunk.
    pub is_cut: bool,
    /// The body is damaged: after it, data that is not valid was left out.
    pub is_damaged: bool,
    /// The decoded body is longer than the limit, or its coding needs more memory. The rest was
    /// left out.
    pub exceeds_limit: bool,
    /// The body is in a coding that is unknown, or in another one than fields declare. It was not
    /// decoded.
    pub has_unknown_coding: bool,
    /// The head is longer than 1 MiB. The response has no body, and fields beyond that length were
    /// left out.
    pub head_is_too_long: bool,
}

impl Flaws {
    /// Returns true without flaws.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn add(&mut self, end: End) {
        match end {
            End::Complete => {}
            End::Cut => self.is_cut = true,
            End::Damaged => self.is_damaged = true,
            End::Limit => self.exceeds_limit = true,
        }
    }
}

/// The location of a body.
struct Place {
    /// The number of a buffer. `None` for the block.
    buffer: Option<usize>,
    range: Range<usize>,
}

impl ResponseReader {
    /// The maximum length of a decoded body, in bytes, unless [`max_body`](Self::max_body) sets
    /// another.
    pub const MAX_BODY: usize = 16 << 20;

    /// The length of a decoded body that is always allowed, in bytes.
    const ALWAYS_ALLOWED: usize = 1 << 20;

    /// The maximum length of a decoded body, as a multiple of its stored length.
    pub(crate) const MAX_RATIO: usize = 4096;

    /// The memory that is kept from one response to the next, in bytes for each buffer.
    const KEPT: usize = 4 << 20;

    /// A reader without buffers.
    pub fn new() -> Self {
        Self { decoder: Decoder::default(), buffers: Default::default(), max_body: Self::MAX_BODY }
    }

    /// Returns the reader with this maximum length of a decoded body, in bytes.
    #[must_use]
    pub fn max_body(self, len: usize) -> Self {
        Self { max_body: len, ..self }
    }

    /// Reads the block of a record: a response with its head. Never fails.
    ///
    /// Cost: linear in the block and the decoded body. Memory for the decoded body, at most twice
    /// its limit for lists of codings, and 24 MiB for br.
    pub fn read<'b>(&'b mut self, block: &'b [u8]) -> Response<'b> {
        self.read_within(self.max_body, block)
    }

    /// Reads a block as [`read`](Self::read) does, with this maximum length of the decoded body, if
    /// it is less.
    pub(crate) fn read_within<'b>(&'b mut self, max_body: usize, block: &'b [u8]) -> Response<'b> {
        let Some(head) = Head::read(block) else {
            return Response {
                status: None,
                head: &[],
                may_have_links: false,
                content_type: None,
                location: None,
                body: block,
                is_short: false,
                flaws: Flaws::default(),
                buffer: None,
            };
        };
        let mut flaws = Flaws { head_is_too_long: head.is_too_long, ..Flaws::default() };
        let content_type = content_type(&head, block);
        let location = head.values(FieldKind::Location, block).next();
        let stored_len = block.len() - head.end;
        let is_short = content_length(&head, block).is_some_and(|len| (stored_len as u64) < len)
            && codings_of(&head, block).is_empty();
        let place = match head.is_too_long {
            true => Place::in_block(head.end..head.end),
            false => self.decode(block, &head, max_body.min(self.max_body), &mut flaws),
        };
        let bytes = match place.buffer {
            None => block,
            Some(buffer) => &self.buffers[buffer],
        };
        Response {
            status: head.status,
            head: &block[head.start..head.end],
            may_have_links: head.fields.iter().any(|field| field.kind.has_links()),
            content_type,
            location,
            buffer: place.buffer.filter(|_| place.range == (0..bytes.len())),
            body: &bytes[place.range],
            is_short,
            flaws,
        }
    }

    /// Exchanges the decoded body of the last response for a buffer that is used again. `buffer` is
    /// that of the response.
    pub(crate) fn take_body(&mut self, buffer: usize, bytes: &mut Vec<u8>) {
        std::mem::swap(&mut self.buffers[buffer], bytes);
    }

    /// Undoes the chunks and codings of a body.
    fn decode(&mut self, block: &[u8], head: &Head, max_body: usize, flaws: &mut Flaws) -> Place {
        let mut place = Place::in_block(head.end..block.len());
        let codings = codings_of(head, block);
        if codings.is_empty() {
            return place;
        }
        for buffer in &mut self.buffers {
            if buffer.capacity() > Self::KEPT {
                *buffer = Vec::new();
            }
        }
        let by_ratio = place.range.len().saturating_mul(Self::MAX_RATIO);
        let limit = by_ratio.max(Self::ALWAYS_ALLOWED).min(max_body);
        for coding in codings.into_iter().rev() {
            let [first, second] = &mut self.buffers;
            let (input, output, next) = match place.buffer {
                None => (block, first, 0),
                Some(0) => (&**first, second, 1),
                Some(_) => (&**second, first, 0),
            };
            let input = &input[place.range.clone()];
            output.clear();
            let end = match coding {
                Coding::Chunked => match chunked::undo(input, output) {
                    Some(Unchunked::Joined(end)) => Some(end),
                    Some(Unchunked::Single(range)) => {
                        let start = place.range.start;
                        place.range = start + range.start..start + range.end;
                        continue;
                    }
                    None => None,
                },
                Coding::Unknown => None,
                Coding::Compressed(compression) => {
                    self.decoder.undo(compression, input, output, limit)
                }
            };
            if end.is_none() && coding != Coding::Chunked {
                flaws.has_unknown_coding |= !is_text(input);
            }
            if let Some(end) = end {
                flaws.add(end);
                place = Place { buffer: Some(next), range: 0..output.len() };
            }
        }
        place
    }
}

impl Response<'_> {
    /// The number of the buffer that has only the body: see [`ResponseReader::take_body`].
    pub(crate) fn buffer(&self) -> Option<usize> {
        self.buffer
    }
}

impl Place {
    fn in_block(range: Range<usize>) -> Self {
        Self { buffer: None, range }
    }
}

/// The value of the last `Content-Type` with a type, else that of the last.
fn content_type<'b>(head: &Head, block: &'b [u8]) -> Option<Cow<'b, str>> {
    let mut values = head.values(FieldKind::ContentType, block).rev();
    let last = values.next()?;
    match last.contains('/') {
        true => Some(last),
        false => values.find(|it| it.contains('/')).or(Some(last)),
    }
}

/// The value of the first `Content-Length`, if it is a number.
fn content_length(head: &Head, block: &[u8]) -> Option<u64> {
    let value = head.values(FieldKind::ContentLength, block).next()?;
    value.trim().parse().ok()
}

/// The method of a request, such as `POST`. `None` if the block does not begin with a request line
/// of HTTP.
pub fn request_method(block: &[u8]) -> Option<&str> {
    let line = block.split(|byte| *byte == b'\n').next()?;
    let method = line.split(|byte| *byte == b' ').next()?;
    let is_method = !method.is_empty()
        && method.len() < line.len()
        && method.iter().all(|it| it.is_ascii_alphabetic() || *it == b'-');
    str::from_utf8(method).ok().filter(|_| is_method)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::write::GzEncoder;

    use super::*;

    const PAGE: &str = "<a href=b>b</a> and <a href=c>c</a>";

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn block(fields: &str, body: &[u8]) -> Vec<u8> {
        [format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n").as_bytes(), body].concat()
    }

    /// The body with these fields, and its flaws.
    fn body(fields: &str, stored: &[u8]) -> (String, Flaws) {
        let block = block(fields, stored);
        let mut reader = ResponseReader::new();
        let response = reader.read(&block);
        (String::from_utf8_lossy(response.body).into_owned(), response.flaws)
    }

    fn whole() -> (String, Flaws) {
        (PAGE.to_owned(), Flaws::default())
    }

    #[test]
    fn response_without_a_head_is_all_body() {
        let mut reader = ResponseReader::new();
        let response = reader.read(PAGE.as_bytes());
        assert_eq!((response.status, response.head), (None, &b""[..]));
        assert_eq!(response.body, PAGE.as_bytes());
        assert!(response.flaws.is_empty() && !response.may_have_links);
    }

    #[test]
    fn fields_of_the_head_are_read() {
        let block = block(
            "Content-Type: text/html;\r\n charset=utf-8\r\nLocation: a\r\ncontent-type: x\r\nlocation: b",
            b"c",
        );
        let mut reader = ResponseReader::new();
        let response = reader.read(&block);
        assert_eq!(response.status, Some(200));
        assert_eq!(response.content_type.as_deref(), Some("text/html; charset=utf-8"));
        assert_eq!(response.location.as_deref(), Some("a"));
        assert_eq!((response.head.len(), response.body), (block.len() - 1, &b"c"[..]));
        assert!(response.may_have_links);
        let block = &b"HTTP/1.0 404\nContent-Type: a\n\n"[..];
        let response = reader.read(block);
        assert_eq!(response.content_type.as_deref(), Some("a"));
        assert_eq!((response.head, response.body), (block, &b""[..]));
        assert!(!response.may_have_links);
    }

    #[test]
    fn body_without_codings_is_short_if_the_head_says_more() {
        for (fields, expected) in [
            ("X: a", false),
            ("Content-Length: 4", false),
            ("Content-Length: 5", true),
            ("content-length:  5 ", true),
            ("Content-Length: 5\r\nContent-Encoding: identity", true),
            ("Content-Length: 5\r\nContent-Encoding: gzip", false),
            ("Content-Length: 5\r\nTransfer-Encoding: chunked", false),
            ("Content-Length: -5", false),
        ] {
            let block = block(fields, b"text");
            let mut reader = ResponseReader::new();
            let response = reader.read(&block);
            assert_eq!(response.is_short, expected, "{fields}");
            assert!(response.flaws.is_empty() && !response.may_have_links);
        }
    }

    #[test]
    fn chunks_are_undone_if_the_body_has_them() {
        let chunked = format!("5\r\n{}\r\n1e\r\n{}\r\n0\r\n\r\n", &PAGE[..5], &PAGE[5..]);
        let field = "Transfer-Encoding: chunked";
        assert_eq!(body(field, chunked.as_bytes()), whole());
        assert_eq!(body(field, PAGE.as_bytes()), whole());
        assert_eq!(body("X: a", chunked.as_bytes()).0, chunked);
        let cut = &chunked.as_bytes()[..20];
        let (text, flaws) = body(field, cut);
        assert!(PAGE.starts_with(&text) && flaws.is_cut);
    }

    #[test]
    fn lists_of_codings_are_undone() {
        let once = gzip(PAGE.as_bytes());
        let twice = gzip(&once);
        let chunked =
            [format!("{:x}\r\n", once.len()).as_bytes(), &once, b"\r\n0\r\n\r\n"].concat();
        for (fields, stored) in [
            ("Content-Encoding: gzip", &once),
            ("Content-Encoding: gzip, gzip", &twice),
            ("Content-Encoding: gzip\r\nContent-Encoding: gzip", &twice),
            ("Content-Encoding: gzip, gzip", &once),
            ("Content-Encoding: identity, x-gzip, utf-8", &once),
            ("Transfer-Encoding: gzip, chunked", &chunked),
            ("Content-Encoding: gzip\r\nTransfer-Encoding: chunked", &chunked),
            ("Content-Encoding: gzip\r\nTransfer-Encoding: chunked", &once),
        ] {
            assert_eq!(body(fields, stored).0, PAGE, "{fields}");
        }
        assert_eq!(body("Content-Encoding: gzip, br", PAGE.as_bytes()), whole());
    }

    #[test]
    fn unknown_coding_is_a_flaw_unless_the_body_is_text() {
        assert_eq!(body("Content-Encoding: none", PAGE.as_bytes()), whole());
        let (_, flaws) = body("Content-Encoding: compress", b"\x1F\x9D\x90\x01\x02");
        assert!(flaws.has_unknown_coding);
    }

    #[test]
    fn decoded_bodies_have_a_maximum_length() {
        let mut reader = ResponseReader::new();
        let bomb = block("Content-Encoding: gzip, gzip", &gzip(&gzip(&vec![b' '; 32 << 20])));
        let response = reader.read(&bomb);
        assert!(response.flaws.exceeds_limit);
        let limit = (ResponseReader::MAX_RATIO * bomb.len()).max(ResponseReader::ALWAYS_ALLOWED);
        assert!(response.body.len() <= limit, "{}", response.body.len());
        let large = block("Content-Encoding: gzip", &gzip(&vec![b' '; 5 << 20]));
        assert_eq!(reader.read(&large).body.len(), 5 << 20);
        let short = block("Content-Encoding: gzip", &gzip(PAGE.as_bytes()));
        let response = reader.read(&short);
        assert_eq!(response.body, PAGE.as_bytes());
        assert!(reader.buffers.iter().all(|it| it.capacity() <= ResponseReader::KEPT));
    }

    #[test]
    fn head_that_is_too_long_has_no_body() {
        let fields = format!("Content-Type: text/html\r\nX: {}", "a".repeat(2 << 20));
        let block = block(&fields, b"b");
        let mut reader = ResponseReader::new();
        let response = reader.read(&block);
        assert_eq!(response.status, Some(200));
        assert_eq!(response.content_type.as_deref(), Some("text/html"));
        assert!(response.body.is_empty() && response.flaws.head_is_too_long);
    }

    #[test]
    fn requests_have_a_method() {
        assert_eq!(request_method(b"POST /a HTTP/1.1\r\n\r\n"), Some("POST"));
        assert_eq!(request_method(b"GET /"), Some("GET"));
        for block in [&b""[..], b"GET", b"GET\n/a HTTP/1.1", b" /a", b"\x16\x03 a"] {
            assert_eq!(request_method(block), None, "{block:?}");
        }
    }
}
