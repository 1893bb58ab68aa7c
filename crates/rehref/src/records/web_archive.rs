//! The fields of records about documents in web archives.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::bytes::{Bytes, owned, owned_option};
use crate::source::ArchiveRecord;

/// The place of a document in a web archive, and how it was retrieved.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct WebArchiveRecord<'r> {
    /// The name of the archive.
    pub archive: Bytes<'r>,
    /// The first byte in the archive of the gzip member, zstd frame or uncompressed record in which
    /// the record begins, from 0.
    pub record_offset: u64,
    /// The first byte of the record in the inflated member or frame, from 0.
    pub member_offset: u64,
    /// The ID of the record.
    pub record_id: Option<Cow<'r, str>>,
    /// The URL that the document was retrieved from.
    pub retrieved: Option<Cow<'r, str>>,
    /// The status code of the HTTP response.
    pub status: Option<u16>,
    /// The date of the record, as written.
    pub date: Option<Cow<'r, str>>,
    /// The type of the record.
    pub record_type: Cow<'r, str>,
    /// The `Content-Type` of the HTTP response, or of the record if it is not one.
    pub content_type: Option<Cow<'r, str>>,
}

impl Serialize for WebArchiveRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("WebArchiveRecord", Self::FIELDS)?;
        self.serialize_fields(&mut record)?;
        record.end()
    }
}

impl<'r> WebArchiveRecord<'r> {
    pub(super) const FIELDS: usize = 9;

    /// Serializes the fields as those of another record.
    pub(super) fn serialize_fields<S: SerializeStruct>(
        &self,
        record: &mut S,
    ) -> Result<(), S::Error> {
        let Self {
            archive,
            record_offset,
            member_offset,
            record_id,
            retrieved,
            status,
            date,
            record_type,
            content_type,
        } = self;
        record.serialize_field("archive", archive)?;
        record.serialize_field("record_offset", record_offset)?;
        record.serialize_field("member_offset", member_offset)?;
        record.serialize_field("record_id", record_id)?;
        record.serialize_field("retrieved", retrieved)?;
        record.serialize_field("status", status)?;
        record.serialize_field("date", date)?;
        record.serialize_field("record_type", record_type)?;
        record.serialize_field("content_type", content_type)
    }

    /// The fields of a document from this record of an archive.
    pub(super) fn new(record: &'r ArchiveRecord) -> Self {
        let borrowed = |text: &'r Option<String>| text.as_deref().map(Cow::Borrowed);
        Self {
            archive: Bytes::of_name(&record.archive),
            record_offset: record.record_offset,
            member_offset: record.member_offset,
            record_id: borrowed(&record.record_id),
            retrieved: borrowed(&record.retrieved),
            status: record.status,
            date: borrowed(&record.date),
            record_type: Cow::Borrowed(&record.record_type),
            content_type: borrowed(&record.content_type),
        }
    }

    /// Returns the record without a borrow.
    pub fn into_owned(self) -> WebArchiveRecord<'static> {
        WebArchiveRecord {
            archive: self.archive.into_owned(),
            record_offset: self.record_offset,
            member_offset: self.member_offset,
            record_id: owned_option(self.record_id),
            retrieved: owned_option(self.retrieved),
            status: self.status,
            date: owned_option(self.date),
            record_type: owned(self.record_type),
            content_type: owned_option(self.content_type),
        }
    }
}
