//! The captures in records.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use super::pass::{MAX_FILE, RecordBlock};
use crate::container::http::{
    Flaws, LongBody, ResponseReader, decode_long_body, document_kind, request_method,
};
use crate::container::warc::{RawRecord, Reading, RecordFilter, RecordHead, target_of};
use crate::error::{Error, ErrorKind};
use crate::source::CaptureDate;
use crate::unpack::captures::{
    Capture, Captures, FileType, MAX_URL, RecordPosition, Revisit, RevisitRecord, is_of_web,
    url_key,
};
use crate::uri::{AboveRoot, Outcome, Profile, Resolver, SameScheme};

/// References are resolved as browsers do.
pub(super) const RESOLVER: Resolver = Resolver {
    profile: Profile::Whatwg,
    above_root: AboveRoot::Retain,
    same_scheme: SameScheme::Strict,
};

/// The status of a response with a part of a document.
const PARTIAL_CONTENT: u16 = 206;

/// The beginning of a long block that has its head, and enough of its body to determine what it is,
/// in bytes.
const BEGINNING: usize = 2 << 20;

/// The content of a record: its status, two headers, and the body.
pub(super) struct RecordContent<'b> {
    pub(super) status: Option<u16>,
    pub(super) content_type: Option<Cow<'b, str>>,
    location: Option<Cow<'b, str>>,
    /// The body, or its beginning.
    pub(super) body: &'b [u8],
    /// True if the body is longer, so that it has to be [written](write_long_body) piece by piece.
    pub(super) is_long: bool,
    /// True if the body exceeds a limit. The rest of one that is not long is lost.
    pub(super) exceeds_limit: bool,
    /// True if the block is a response with a head.
    pub(super) is_response: bool,
    is_truncated: bool,
    is_short: bool,
}

/// Writes the body of a record that is too long to be held.
pub(super) fn write_long_body(
    block: &mut RecordBlock<'_>,
    is_response: bool,
    out: &mut dyn Write,
) -> io::Result<LongBody> {
    let each = &mut |piece: &[u8]| out.write_all(piece);
    let bytes = block.raw.block;
    match &mut block.rest {
        Some(rest) => {
            let mut done = decode_long_body(is_response, bytes, &mut **rest, MAX_FILE, each)?;
            done.flaws.is_cut |= rest.is_cut();
            Ok(done)
        }
        None => decode_long_body(is_response, bytes, &mut io::empty(), MAX_FILE, each),
    }
}

impl<'b> RecordContent<'b> {
    /// Reads a record. `None` if it is not a capture.
    pub(super) fn read(
        raw: &RawRecord<'b>,
        head: &RecordHead<'b>,
        continues: bool,
        responses: &'b mut ResponseReader,
    ) -> Option<Self> {
        let is_cut = is_cut_record(raw, head);
        match RecordFilter::default().reading(head) {
            // The body of a revisit is in another record.
            Reading::Skip if head.is("revisit") => Some(Self {
                status: None,
                content_type: None,
                location: None,
                body: &[],
                is_long: false,
                exceeds_limit: false,
                is_response: true,
                is_truncated: false,
                is_short: false,
            }),
            Reading::Skip => None,
            Reading::Block => Some(Self {
                status: None,
                content_type: text_of(head.content_type.as_ref()).map(Cow::Owned),
                location: None,
                body: raw.block,
                is_long: continues,
                exceeds_limit: false,
                is_response: false,
                is_truncated: is_cut,
                is_short: false,
            }),
            Reading::Http | Reading::HttpHead => {
                // Of a long block, only the head and the beginning of the body are wanted here.
                let block = match continues {
                    true => &raw.block[..raw.block.len().min(BEGINNING)],
                    false => raw.block,
                };
                let response = responses.read(block);
                let flaws = response.flaws;
                Some(Self {
                    status: response.status,
                    is_long: continues
                        || flaws.exceeds_limit && response.body.len() >= ResponseReader::MAX_BODY,
                    exceeds_limit: flaws.exceeds_limit,
                    is_response: true,
                    is_truncated: is_cut
                        || is_lossy(flaws)
                        || response.status == Some(PARTIAL_CONTENT),
                    is_short: response.is_short,
                    content_type: response.content_type,
                    location: response.location,
                    body: response.body,
                })
            }
        }
    }
}

/// Returns true if a record has only a part of its block.
fn is_cut_record(raw: &RawRecord<'_>, head: &RecordHead<'_>) -> bool {
    raw.is_cut || head.truncated.is_some() || head.segment_number.is_some()
}

/// Returns true if a part of a body is missing.
pub(super) fn is_lossy(flaws: Flaws) -> bool {
    flaws.is_cut
        || flaws.is_damaged
        || flaws.exceeds_limit
        || flaws.has_unknown_coding
        || flaws.head_is_too_long
}

/// Adds the captures of records to an index.
pub(super) struct Indexer {
    captures: Captures,
    /// The number of records of other URLs than those of the web.
    pub(super) others: usize,
    responses: ResponseReader,
}

impl Indexer {
    pub(super) fn new() -> Self {
        Self { captures: Captures::default(), others: 0, responses: ResponseReader::new() }
    }

    /// The index, without the memory for bodies.
    pub(super) fn into_captures(self) -> Captures {
        self.captures
    }

    /// Adds the capture of a record, or its request. Returns a warning if the capture is left out
    /// because of a long URL.
    pub(super) fn add(
        &mut self,
        block: &mut RecordBlock<'_>,
        archive: &Arc<Path>,
        position: RecordPosition,
    ) -> Option<Error> {
        let raw = &{ block.raw };
        let head = raw.fields();
        let record_id = text_of(head.record_id.as_ref());
        let concurrent_to = text_of(head.concurrent_to.as_ref());
        let concurrent_to: Vec<&str> = concurrent_to.iter().map(|it| &**it).collect();
        if head.is("request") {
            if let (Some(method), Some(id)) = (request_method(raw.block), &record_id) {
                self.captures.add_request(method, id, &concurrent_to);
            }
            return None;
        }
        let Self { captures, others, responses } = self;
        let mut content = RecordContent::read(raw, &head, block.rest.is_some(), responses)?;
        let url = target_of(&head).and_then(|it| url_key(&it));
        let Some(url) = url.filter(|it| is_of_web(it)) else {
            *others += 1;
            return None;
        };
        if url.len() > MAX_URL {
            let problem = format!("the URL has more than {} KiB: left out", MAX_URL >> 10);
            return Some(left_out(archive, raw, problem));
        }
        if content.is_long {
            // Only what is wrong with the body is wanted.
            let is_response = content.is_response;
            let done = write_long_body(block, is_response, &mut io::sink()).unwrap_or_default();
            let is_partial = content.status == Some(PARTIAL_CONTENT);
            content.is_truncated = is_cut_record(raw, &head) || is_partial || is_lossy(done.flaws);
            content.is_short = done.is_short;
        }
        let date = text_of(head.date.as_ref());
        let own = head.is("revisit").then(|| RevisitRecord {
            archive: archive.clone(),
            record_offset: raw.record_offset,
            member_offset: raw.member_offset,
            record_id: record_id.clone(),
            date: date.clone(),
        });
        let refers_to = text_of(head.refers_to.as_ref());
        let refers_to_url = text_of(head.refers_to_target_uri.as_ref());
        let is_around = |it: char| matches!(it, '<' | '>' | ' ');
        let refers_to_url = refers_to_url.and_then(|it| url_key(it.trim_matches(is_around)));
        let refers_to_date = text_of(head.refers_to_date.as_ref());
        let location = content.location.as_deref();
        // A longer one is left out in any case, and need not be resolved.
        let location = location.filter(|it| it.len() <= MAX_URL);
        let location = location.and_then(|it| resolved(&url, it));
        let digest = text_of(head.payload_digest.as_ref());
        let is_added = captures.add(&Capture {
            url: &url,
            position,
            record_id: record_id.as_deref().unwrap_or_default(),
            concurrent_to: &concurrent_to,
            date: CaptureDate::of_record(date.as_deref().unwrap_or_default()),
            status: content.status,
            file_type: file_type(&content, &url, own.is_some()),
            location: location.as_deref(),
            has_body: !content.body.is_empty(),
            is_truncated: content.is_truncated,
            is_short: content.is_short,
            is_converted: head.is("conversion"),
            digest: digest.as_deref(),
            revisit: own.as_ref().map(|own| Revisit {
                url: refers_to_url.as_deref(),
                date: refers_to_date.as_deref().map(CaptureDate::of_record),
                record_id: refers_to.as_deref(),
                content_type: content.content_type.as_deref(),
                own: Some(own),
            }),
        });
        let problem = "the URLs of the archives are too long to hold them all: left out";
        (!is_added).then(|| left_out(archive, raw, problem.to_owned()))
    }
}

/// The warning about a capture that is left out.
fn left_out(archive: &Path, raw: &RawRecord<'_>, problem: String) -> Error {
    let mut name = archive.as_os_str().to_owned();
    name.push(format!("!{}", raw.record_offset));
    Error::new(name, ErrorKind::WebArchive { problem })
}

/// The text of a field.
pub(super) fn text_of(value: Option<&Cow<'_, [u8]>>) -> Option<String> {
    Some(String::from_utf8_lossy(value?).into_owned())
}

/// The type of the file of a record: by its media type, else by its content. `None` for a revisit
/// without a media type.
fn file_type(content: &RecordContent<'_>, url: &str, is_revisit: bool) -> Option<FileType> {
    let media_type = content.content_type.as_deref();
    let declared = FileType::of_media_type(media_type.unwrap_or_default());
    if declared != FileType::OTHER || is_revisit {
        return media_type.map(|_| declared);
    }
    let kind = document_kind(media_type, url, content.body);
    let found = kind.and_then(|(format, _)| match format.is_text() {
        true => Some("text/plain"),
        false => format.media_type(),
    });
    Some(found.map_or(declared, FileType::of_media_type))
}

/// The URL that the `Location` of a response names.
fn resolved(url: &str, location: &str) -> Option<String> {
    let base = RESOLVER.base(url).ok()?;
    let mut target = String::new();
    let outcome = base.resolve_into(location.trim(), &mut target);
    (outcome == Ok(Outcome::Target)).then_some(target)
}
