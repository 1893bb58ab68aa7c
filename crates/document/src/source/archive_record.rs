//! Records of web archives: where a document is in its archive, and how it was retrieved.

use std::path::Path;
use std::sync::Arc;

/// The record of a web archive that a document was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArchiveRecord {
    /// The archive, as named in records: `X.wacz!archive/Y.warc.gz` in a WACZ.
    pub archive: Arc<Path>,
    /// The byte offset in the archive of the gzip member, zstd frame or uncompressed record in
    /// which the record begins.
    pub record_offset: u64,
    /// The byte offset of the record in the inflated member or frame.
    pub member_offset: u64,
    /// `WARC-Record-ID` as written.
    pub record_id: Option<String>,
    /// `WARC-Target-URI` without angle brackets, and with spaces as `%20`.
    pub retrieved: Option<String>,
    /// The status code of an HTTP response.
    pub status: Option<u16>,
    /// `WARC-Date` as written. The date of an ARC record in the same form.
    pub date: Option<String>,
    /// `WARC-Type` in lower case. `response` for a record of an ARC file.
    pub record_type: String,
    /// `Content-Type` as written: that of the HTTP response, or of the record if it is not one.
    pub content_type: Option<String>,
    /// True if the document is incomplete: the record, or a coding of its body, is truncated or
    /// damaged.
    pub is_truncated: bool,
}

impl ArchiveRecord {
    /// An empty record of an archive.
    pub fn new(archive: &Arc<Path>) -> Self {
        Self {
            archive: Arc::clone(archive),
            record_offset: 0,
            member_offset: 0,
            record_id: None,
            retrieved: None,
            status: None,
            date: None,
            record_type: String::new(),
            content_type: None,
            is_truncated: false,
        }
    }
}
