//! Web archives compressed by gzip: a generated one, and the members and pages of any.

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use flate2::write::GzEncoder;
use flate2::{Compression, Decompress, FlushDecompress, Status};
use memchr::memmem;
use rehref::document::Document;
use rehref::format::Format;

use super::pages;

/// An archive of generated pages of `size` bytes: the records of requests and responses, each in a
/// member of its own.
pub(crate) fn archive(size: usize) -> Vec<u8> {
    let mut archive = Vec::new();
    for (number, page) in pages::pages(size, false).iter().enumerate() {
        let url = format!("https://www.example.org/docs/part{}/page{number}.html", number % 50);
        let request = "GET / HTTP/1.1\r\nHost: www.example.org\r\nAccept: text/html\r\n\r\n";
        let response = format!(
            "HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n{page}",
            page.len()
        );
        for (kind, block) in [("request", request), ("response", &response)] {
            let record = format!(
                "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Date: 2024-05-18T10:00:00Z\r\nWARC-Target-URI: {url}\r\n\
                 WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n\
                 Content-Type: application/http; msgtype={kind}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
                block.len()
            );
            let mut member = GzEncoder::new(&mut archive, Compression::default());
            let written = member.write_all(record.as_bytes());
            written.and_then(|()| member.finish().map(drop)).expect("memory can be written");
        }
    }
    archive
}

/// Inflates the members of an archive one after another, with one decoder and no checksums.
pub(crate) struct Members<'a> {
    archive: &'a [u8],
    at: usize,
    decoder: Decompress,
}

impl<'a> Members<'a> {
    pub(crate) fn new(archive: &'a [u8]) -> Self {
        Self { archive, at: 0, decoder: Decompress::new(false) }
    }

    /// Inflates the next member: calls `each` with its pieces, and returns its place in the
    /// archive.
    ///
    /// # Panics
    /// If there are other bytes than members.
    pub(crate) fn next(
        &mut self,
        buffer: &mut [u8],
        mut each: impl FnMut(&[u8]),
    ) -> Option<Range<usize>> {
        let start = self.at;
        if start == self.archive.len() {
            return None;
        }
        self.at += head_len(&self.archive[start..]).expect("a member of gzip");
        self.decoder.reset(false);
        loop {
            let (taken, given) = (self.decoder.total_in(), self.decoder.total_out());
            let input = &self.archive[self.at..];
            let status = self
                .decoder
                .decompress(input, buffer, FlushDecompress::None)
                .expect("an undamaged member");
            self.at += (self.decoder.total_in() - taken) as usize;
            let len = (self.decoder.total_out() - given) as usize;
            each(&buffer[..len]);
            if status == Status::StreamEnd {
                break;
            }
            assert!(len > 0, "a whole member");
        }
        // The checksum and the length.
        self.at += 8;
        Some(start..self.at)
    }
}

/// The length of the head of a member (RFC 1952, section 2.3).
fn head_len(member: &[u8]) -> Option<usize> {
    let [0x1F, 0x8B, 8, flags, ..] = *member else {
        return None;
    };
    let mut len = 10;
    if flags & 4 != 0 {
        let extra = member.get(len..len + 2)?;
        len += 2 + usize::from(u16::from_le_bytes([extra[0], extra[1]]));
    }
    // A name, and a comment.
    for flag in [8, 16] {
        if flags & flag != 0 {
            len += 1 + memchr::memchr(0, member.get(len..)?)?;
        }
    }
    Some(len + if flags & 2 != 0 { 2 } else { 0 })
}

/// The first members of an archive, of at least `size` bytes together.
pub(crate) fn beginning(archive: &[u8], size: usize) -> &[u8] {
    let mut members = Members::new(archive);
    let mut buffer = vec![0; 1 << 18];
    while members.at < size && members.next(&mut buffer, |_| ()).is_some() {}
    &archive[..members.at]
}

/// The HTML pages of an archive, and the number of its inflated bytes. Pages in a coding are left
/// out: rehref decodes them, so their archives are compared with less.
pub(crate) fn documents(archive: &[u8]) -> (Vec<Document>, usize) {
    let mut members = Members::new(archive);
    let mut buffer = vec![0; 1 << 18];
    let mut record = Vec::new();
    let (mut pages, mut size) = (Vec::new(), 0);
    loop {
        record.clear();
        let member = members.next(&mut buffer, |piece| record.extend_from_slice(piece));
        if member.is_none() {
            return (pages, size);
        }
        size += record.len();
        pages.extend(document(&record));
    }
}

/// The page of a record.
fn document(record: &[u8]) -> Option<Document> {
    let split = |bytes: &[u8]| {
        let end = memmem::find(bytes, b"\r\n\r\n")?;
        Some((String::from_utf8_lossy(&bytes[..end]).into_owned(), end + 4))
    };
    let (head, start) = split(record)?;
    if field(&head, "WARC-Type") != Some("response") {
        return None;
    }
    let (http, len) = split(&record[start..])?;
    let content_type = field(&http, "Content-Type")?;
    let is_coded =
        ["Content-Encoding", "Transfer-Encoding"].iter().any(|name| field(&http, name).is_some());
    if is_coded || !content_type.starts_with("text/html") {
        return None;
    }
    let body = record[start + len..].strip_suffix(b"\r\n\r\n")?;
    let url = field(&head, "WARC-Target-URI")?;
    Document::from_bytes(body.to_vec())
        .name(Path::new("page.html"))
        .format(Format::Html)
        .content_type(content_type)
        .url(url.trim_matches(['<', '>']))
        .build()
        .ok()
}

/// The value of a field.
fn field<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    head.lines().find_map(|line| {
        let (found, value) = line.split_once(':')?;
        found.eq_ignore_ascii_case(name).then(|| value.trim())
    })
}
