//! The documents of records: the head of an HTTP response, and its body.

use std::path::Path;
use std::sync::Arc;

use super::batch::RawRecord;
use super::filter::{Reading, RecordFilter};
use super::head::RecordHead;
use crate::container::http::{Flaws, ResponseReader, document_kind};
use crate::document::Document;
use crate::format::Format;
use crate::source::{ArchiveRecord, Base, BaseFrom, Charset, Source};

/// The character encoding of the head of a response (RFC 9110, section 5.5): other bytes than ASCII
/// are read as UTF-8, as browsers do.
const HEAD_CHARSET: Charset = Charset::VALID;

/// Reads the documents of records. It reuses the memory of one document for the next.
pub struct DocumentReader<'o> {
    filter: &'o RecordFilter,
    responses: ResponseReader,
    document: Option<Document>,
    record: Arc<ArchiveRecord>,
}

impl<'o> DocumentReader<'o> {
    /// A reader of the records of an archive that pass a filter.
    pub fn new(archive: &Arc<Path>, filter: &'o RecordFilter) -> Self {
        Self {
            filter,
            responses: ResponseReader::new(),
            document: None,
            record: Arc::new(ArchiveRecord::new(archive)),
        }
    }

    /// Calls `each` with the documents of a record: the head of the response if it has links, then
    /// the body if it is in a format that is read. Returns the flaws of the response.
    pub fn read(&mut self, raw: &RawRecord<'_>, each: impl FnMut(&Document)) -> Flaws {
        // Without a limit, no document is too long.
        self.read_short(usize::MAX, raw, each).unwrap_or_default()
    }

    /// Reads documents as [`read`](Self::read) does, except those longer than `limit` in bytes:
    /// they are not decoded or copied, and the result is `None`.
    pub(crate) fn read_short(
        &mut self,
        limit: usize,
        raw: &RawRecord<'_>,
        mut each: impl FnMut(&Document),
    ) -> Option<Flaws> {
        let head = raw.fields();
        let reading = self.filter.reading(&head);
        if reading == Reading::Skip {
            return Some(Flaws::default());
        }
        self.set_record(raw, &head);
        let Self { filter, responses, document, record } = self;
        if reading == Reading::Block {
            let content_type = record.content_type.as_deref();
            if filter.passes(None, content_type)
                && let Some(kind) = kind_of(content_type, record, raw.block)
            {
                if raw.block.len() > limit {
                    return None;
                }
                let document = next_document(document, record, "", kind);
                set_all(bytes_of(document), raw.block);
                each(document);
            }
            return Some(Flaws::default());
        }
        let response = responses.read_within(limit, raw.block);
        let is_truncated = is_truncated(raw, &head) || response.flaws.is_cut;
        let fields = Arc::make_mut(record);
        fields.status = response.status;
        set(&mut fields.content_type, response.content_type.as_deref());
        fields.is_truncated =
            is_truncated || response.flaws.is_damaged || response.flaws.exceeds_limit;
        if !filter.passes(response.status, response.content_type.as_deref()) {
            return Some(Flaws::default());
        }
        // Perhaps only this limit. Then the record is read again, and is not truncated.
        if response.flaws.exceeds_limit && limit < usize::MAX {
            return None;
        }
        if response.may_have_links {
            let kind = (Format::Http, HEAD_CHARSET);
            let document = next_document(document, record, "!HEADER", kind);
            set_all(bytes_of(document), response.head);
            each(document);
        }
        if reading == Reading::HttpHead {
            return Some(Flaws::default());
        }
        let content_type = response.content_type.as_deref();
        if let Some(kind) = kind_of(content_type, record, response.body) {
            if response.body.len() > limit {
                return None;
            }
            let flaws = response.flaws;
            let document = next_document(document, record, "", kind);
            match response.buffer() {
                // A decoded body may be long, so it is not copied.
                Some(buffer) => responses.take_body(buffer, bytes_of(document)),
                None => set_all(bytes_of(document), response.body),
            }
            each(document);
            return Some(flaws);
        }
        Some(response.flaws)
    }

    /// Sets the record of the document, from its head.
    fn set_record(&mut self, raw: &RawRecord<'_>, head: &RecordHead<'_>) {
        if let Some(document) = &mut self.document {
            document.source_mut(document.format()).record = None;
        }
        let record = Arc::make_mut(&mut self.record);
        record.record_offset = raw.record_offset;
        record.member_offset = raw.member_offset;
        set_bytes(&mut record.record_id, head.record_id.as_deref());
        set_bytes(&mut record.date, head.date.as_deref());
        set_bytes(&mut record.content_type, head.content_type.as_deref());
        set_bytes(&mut record.retrieved, head.target_uri.as_deref().and_then(target));
        if let Some(url) = &mut record.retrieved
            && url.contains([' ', '\t'])
        {
            *url = url.replace([' ', '\t'], "%20");
        }
        record.record_type.clear();
        let record_type = head.record_type.as_deref().unwrap_or_default();
        record.record_type.push_str(&String::from_utf8_lossy(record_type));
        record.record_type.make_ascii_lowercase();
        record.status = None;
        record.is_truncated = is_truncated(raw, head);
    }
}

/// The target URI of a record, repaired.
pub(crate) fn target_of(head: &RecordHead<'_>) -> Option<String> {
    let target = target(head.target_uri.as_deref()?)?;
    Some(String::from_utf8_lossy(target).replace([' ', '\t'], "%20"))
}

/// Returns true if the block of a record is incomplete. Of a record in segments, this is only the
/// first one.
fn is_truncated(raw: &RawRecord<'_>, head: &RecordHead<'_>) -> bool {
    head.truncated.is_some() || head.segment_number.is_some() || raw.is_cut
}

/// The target URI without angle brackets around it and blanks. `None` if it is empty.
fn target(value: &[u8]) -> Option<&[u8]> {
    let value = value.trim_ascii();
    let inner = value.strip_prefix(b"<").and_then(|it| it.strip_suffix(b">"));
    let value = inner.unwrap_or(value).trim_ascii();
    (!value.is_empty()).then_some(value)
}

fn kind_of(
    content_type: Option<&str>,
    record: &ArchiveRecord,
    body: &[u8],
) -> Option<(Format, Charset)> {
    document_kind(content_type, record.retrieved.as_deref().unwrap_or_default(), body)
}

/// Sets a value, in the memory of the last one.
fn set(text: &mut Option<String>, value: Option<&str>) {
    match (text.as_mut(), value) {
        (Some(text), Some(value)) => {
            text.clear();
            text.push_str(value);
        }
        (_, value) => *text = value.map(str::to_owned),
    }
}

fn set_bytes(text: &mut Option<String>, value: Option<&[u8]>) {
    match value.map(String::from_utf8_lossy) {
        Some(value) => set(text, Some(&value)),
        None => *text = None,
    }
}

fn bytes_of(document: &mut Document) -> &mut Vec<u8> {
    &mut document.source_mut(document.format()).bytes
}

fn set_all(bytes: &mut Vec<u8>, all: &[u8]) {
    bytes.clear();
    bytes.extend_from_slice(all);
}

/// Creates the next document of a record, in the memory of the last one, except for its bytes.
fn next_document<'d>(
    document: &'d mut Option<Document>,
    record: &Arc<ArchiveRecord>,
    suffix: &str,
    (format, charset): (Format, Charset),
) -> &'d mut Document {
    let document = document
        .get_or_insert_with(|| Document::from_source(Source::new(Vec::new(), charset), format));
    let source = document.source_mut(format);
    let mut name = std::mem::take(&mut source.name).into_os_string();
    name.clear();
    name.push(&*record.archive);
    name.push(format!("!{}", record.record_offset));
    if record.member_offset > 0 {
        name.push(format!("+{}", record.member_offset));
    }
    name.push(suffix);
    source.name = name.into();
    source.charset = charset;
    // Texts without a scheme are not bases: every reference would resolve to nonsense.
    let url = record.retrieved.as_deref().filter(|url| has_scheme(url));
    match (&mut source.base, url) {
        (Some(base), Some(url)) => {
            base.uri.clear();
            base.uri.push_str(url);
        }
        (base, url) => {
            *base = url.map(|url| Base { uri: url.to_owned(), from: BaseFrom::Retrieval });
        }
    }
    source.record = Some(Arc::clone(record));
    document
}

fn has_scheme(url: &str) -> bool {
    crate::uri::Parts::split(url).scheme.is_some()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn a_long_document_is_neither_decoded_nor_truncated_by_a_limit() {
        let mut body = GzEncoder::new(Vec::new(), Compression::fast());
        body.write_all(&b"<a href=b>c</a>\n".repeat(10_000)).unwrap();
        let head = "HTTP/1.1 200 OK\r\nLink: <a>\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n";
        let block = [head.as_bytes(), &body.finish().unwrap()].concat();
        let raw = RawRecord {
            record_offset: 0,
            member_offset: 0,
            head: b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n\
                Content-Type: application/http\r\n\r\n",
            block: &block,
            is_cut: false,
        };
        let filter = RecordFilter::default();
        let mut reader = DocumentReader::new(&Path::new("a.warc").into(), &filter);
        let mut read = |limit| {
            let mut documents = Vec::new();
            let flaws = reader.read_short(limit, &raw, |document| {
                documents.push((document.bytes().len(), document.source().is_truncated()));
            });
            (flaws, documents)
        };
        assert_eq!(read(100_000), (None, Vec::new()));
        let whole = vec![(head.len(), false), (160_000, false)];
        assert_eq!(read(160_000), (Some(Flaws::default()), whole));
    }
}
