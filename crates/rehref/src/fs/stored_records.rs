//! The records of a web archive, as stored.

use std::collections::VecDeque;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::read::{Item, ReadOptions, Reading, Slice, WebArchiveReader, error_of};
use crate::container::http::ResponseReader;
use crate::container::warc::{Batch, DocumentReader, Entry, RawRecord, RecordFilter, RecordHead};
use crate::document::Document;
use crate::error::{Error, ErrorKind};

/// A web archive: WARC, ARC or WACZ, compressed or not.
///
/// ```no_run
/// use rehref::WebArchive;
///
/// for record in WebArchive::open("crawl.warc.gz")?.records() {
///     let record = record?;
///     println!("{}: {:?}", record.offset(), record.target());
/// }
/// # Ok::<(), rehref::error::Error>(())
/// ```
#[derive(Debug)]
pub struct WebArchive {
    path: PathBuf,
    records: Records,
}

/// The records of a web archive, in order. An item is an error where a part of the archive could
/// not be read; the iteration continues after it.
#[derive(Debug)]
pub struct Records {
    reader: Box<WebArchiveReader>,
    ready: VecDeque<Result<Record, Error>>,
}

/// A record of a web archive, as stored.
#[derive(Clone, Debug)]
pub struct Record {
    archive: Arc<Path>,
    record_offset: u64,
    member_offset: u64,
    head: Vec<u8>,
    block: Vec<u8>,
    is_cut: bool,
}

/// The response in a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordResponse {
    /// The status code. `None` for records without a response, and for HTTP/0.9.
    pub status: Option<u16>,
    /// The bytes of the head, with the empty line at its end.
    pub head: Vec<u8>,
    /// The body, without chunks and codings. The block of records without a response.
    pub body: Vec<u8>,
}

impl WebArchive {
    /// Opens a web archive.
    ///
    /// # Errors
    /// If the system refuses to read the file, or it is not a web archive.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, Error> {
        let path = path.into();
        let records = Records::new(&Item::Path(path.clone()))?;
        Ok(Self { path, records })
    }

    /// The records.
    pub fn records(self) -> Records {
        self.records
    }

    /// The records that begin in this range of bytes of the file: of compressed archives, those in
    /// the members that begin in it. Slices that together are the whole file have each record once.
    ///
    /// # Errors
    /// If the range begins past the end of the file, or the system refuses to read it.
    pub fn slice(self, range: Range<u64>) -> Result<Records, Error> {
        Records::new(&Item::Slice(Slice::of_range(self.path, range)))
    }
}

impl Records {
    /// The records of an item, such as a slice of a file.
    ///
    /// # Errors
    /// If the system refuses to read the file, it is not a web archive, or a slice begins past its
    /// end.
    pub fn new(item: &Item) -> Result<Self, Error> {
        match ReadOptions::default().read_or_stream(item)? {
            Reading::WebArchive(reader) => Ok(Self { reader, ready: VecDeque::new() }),
            _ => {
                let problem = "not a web archive".to_owned();
                Err(Error::new(item.name(), ErrorKind::WebArchive { problem }))
            }
        }
    }
}

impl Iterator for Records {
    type Item = Result<Record, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() {
            match self.reader.next()? {
                Ok(batch) => self.ready.extend(records_of(&batch)),
                Err(error) => return Some(Err(error)),
            }
        }
        self.ready.pop_front()
    }
}

fn records_of(batch: &Batch) -> impl Iterator<Item = Result<Record, Error>> {
    batch.entries().filter_map(|entry| match entry {
        Entry::Record(raw) => Some(Ok(Record {
            archive: Arc::clone(batch.archive()),
            record_offset: raw.record_offset,
            member_offset: raw.member_offset,
            head: raw.head.to_vec(),
            block: raw.block.to_vec(),
            is_cut: raw.is_cut,
        })),
        Entry::Flaw(flaw) => flaw.kind.is_loss().then(|| Err(error_of(batch, flaw))),
    })
}

impl Record {
    /// The name of the archive: `X.wacz!archive/Y.warc.gz` in a WACZ.
    pub fn archive(&self) -> &Path {
        &self.archive
    }

    /// The offset in the archive of the gzip member, zstd frame or uncompressed record in which it
    /// begins, from 0.
    pub fn offset(&self) -> u64 {
        self.record_offset
    }

    /// Its offset in the inflated member or frame, from 0.
    pub fn member_offset(&self) -> u64 {
        self.member_offset
    }

    /// The head: the version and the fields of WARC, the line of ARC.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// The fields of the head.
    pub fn fields(&self) -> RecordHead<'_> {
        RecordHead::read(&self.head)
    }

    /// The URL that the record is about, without angle brackets.
    pub fn target(&self) -> Option<String> {
        let target = self.fields().target_uri?;
        let target = String::from_utf8_lossy(target.trim_ascii());
        let inner = target.strip_prefix('<').and_then(|it| it.strip_suffix('>'));
        Some(inner.unwrap_or(&target).to_owned())
    }

    /// The block as stored: an HTTP message with its head, or a document.
    pub fn block(&self) -> &[u8] {
        &self.block
    }

    /// Returns true if the block is not whole: the archive is truncated or damaged there.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The response, with chunks and codings of its body undone.
    ///
    /// Cost: linear in the block and the decoded body, which has at most 16 MiB.
    pub fn response(&self) -> RecordResponse {
        if !self.has_response() {
            return RecordResponse { body: self.block.clone(), ..RecordResponse::default() };
        }
        let mut reader = ResponseReader::new();
        let response = reader.read(&self.block);
        RecordResponse {
            status: response.status,
            head: response.head.to_vec(),
            body: response.body.to_vec(),
        }
    }

    /// Returns true if the record passes a filter. Records of all types pass one without types.
    ///
    /// Cost: that of reading the head, and the head of the response if the filter has statuses or
    /// media types.
    pub fn passes(&self, filter: &RecordFilter) -> bool {
        if !filter.has_type_and_date(&self.fields()) {
            return false;
        }
        if !filter.needs_response() {
            return true;
        }
        if !self.has_response() {
            let content_type = self.fields().content_type;
            let content_type = content_type.map(|it| String::from_utf8_lossy(&it).into_owned());
            return filter.passes(None, content_type.as_deref());
        }
        let mut reader = ResponseReader::new().max_body(0);
        let response = reader.read(&self.block);
        filter.passes(response.status, response.content_type.as_deref())
    }

    /// Returns true if the block is an HTTP response.
    fn has_response(&self) -> bool {
        let fields = self.fields();
        let content_type = fields.content_type.as_deref().unwrap_or_default();
        let is_http = content_type.to_ascii_lowercase().starts_with(b"application/http");
        is_http && !fields.is("request")
    }

    /// The documents of the record: the head of the response if it has links, and the body if it is
    /// in a format that is read.
    ///
    /// Cost: linear in the block and the decoded body.
    pub fn documents(&self) -> Vec<Document> {
        let raw = RawRecord {
            record_offset: self.record_offset,
            member_offset: self.member_offset,
            head: &self.head,
            block: &self.block,
            is_cut: self.is_cut,
        };
        let filter = RecordFilter::default();
        let mut found = Vec::new();
        DocumentReader::new(&self.archive, &filter).read(&raw, |document| {
            found.push(document.clone());
        });
        found
    }

    /// The named fields of the head, in order. Empty for ARC. Values are as written, with folded
    /// lines joined; bytes that are not UTF-8 are read as U+FFFD.
    pub fn named_fields(&self) -> Vec<(String, String)> {
        fields_of(&self.head)
    }
}

impl RecordResponse {
    /// The fields of the head, in order: see [`Record::named_fields`].
    pub fn fields(&self) -> Vec<(String, String)> {
        fields_of(&self.head)
    }
}

/// The fields after the first line of a head.
fn fields_of(head: &[u8]) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in String::from_utf8_lossy(head).lines().skip(1) {
        match (line.starts_with([' ', '\t']), line.split_once(':')) {
            (true, _) => {
                if let Some((_, value)) = fields.last_mut() {
                    value.push(' ');
                    value.push_str(line.trim());
                }
            }
            (false, Some((name, value))) => {
                fields.push((name.trim().to_owned(), value.trim().to_owned()));
            }
            (false, None) => {}
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_lines_are_joined() {
        let head = b"HTTP/1.1 200 OK\r\nA: b\r\n c\r\nno field\r\nLink:<x>\r\n\r\n";
        let own = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(fields_of(head), [own("A", "b c"), own("Link", "<x>")]);
    }
}
