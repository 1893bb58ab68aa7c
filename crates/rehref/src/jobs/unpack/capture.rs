//! The captures in records.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::block::{MAX_FILE, RecordBlock};
use super::pass::RecordWork;
use crate::container::http::{
    BodyPart, Flaws, LongBody, ResponseReader, decode_long_body, document_kind, request_method,
};
use crate::container::warc::{RawRecord, Reading, RecordFilter, RecordHead, target_of};
use crate::error::{Error, ErrorKind};
use crate::source::CaptureDate;
use crate::unpack::captures::{
    Capture, CapturePart, Captures, FileType, MAX_URL, RecordPosition, Revisit, RevisitRecord,
    is_of_web, url_key,
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
pub(super) const BEGINNING: usize = 2 << 20;

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
    /// The part of the body that the head declares.
    part: Option<BodyPart>,
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
                part: None,
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
                part: None,
            }),
            Reading::Http | Reading::HttpHead => {
                // Of a long block, only the head and the beginning of the body are wanted here.
                let block = match continues {
                    true => &raw.block[..raw.block.len().min(BEGINNING)],
                    false => raw.block,
                };
                let response = responses.read(block);
                let flaws = response.flaws;
                let part =
                    BodyPart::of_head(response.head, response.status == Some(PARTIAL_CONTENT));
                let mut content = Self {
                    status: response.status,
                    is_long: continues
                        || flaws.exceeds_limit && response.body.len() >= ResponseReader::MAX_BODY,
                    exceeds_limit: flaws.exceeds_limit,
                    is_response: true,
                    is_truncated: false,
                    is_short: response.is_short,
                    content_type: response.content_type,
                    location: response.location,
                    body: response.body,
                    part,
                };
                if !content.is_long {
                    content.set_len(content.body.len() as u64, is_cut, flaws);
                }
                Some(content)
            }
        }
    }

    /// Sets the length of the body, true if a part of its record is missing, and its flaws.
    fn set_len(&mut self, len: u64, is_cut: bool, flaws: Flaws) {
        let is_partial = self.status == Some(PARTIAL_CONTENT);
        let is_whole = self.part.as_ref().is_some_and(|it| {
            let is_all = it.start == 0 && it.end == it.total;
            is_all && (it.is_coded && !self.is_short || len >= it.total)
        });
        self.is_truncated = is_cut || is_lossy(flaws) || is_partial && !is_whole;
        // One that contradicts its range, or was not decoded, is not what the range declares.
        let is_known = !is_lossy(Flaws { is_cut: false, ..flaws });
        self.part =
            self.part.take().filter(|it| is_known && (it.is_coded || len <= it.end - it.start));
        if let Some(part) = &mut self.part {
            part.end = part.end.min(part.start.saturating_add(len));
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

/// Finds the captures of records.
pub(super) struct Indexer;

/// The captures and messages of adjacent records.
#[derive(Default)]
pub(super) struct FoundCaptures {
    found: Vec<Found>,
    /// The number of records of other URLs than those of the web.
    pub(super) others: usize,
    pub(super) has_records: bool,
}

/// Something that was found, in order.
pub(super) enum Found {
    Capture(Box<OwnedCapture>),
    /// The method, the id and the ids of the records of the same exchange.
    Request(String, String, Vec<String>),
    Error(Error),
    Warning(Error),
}

/// A capture, which owns its texts.
pub(super) struct OwnedCapture {
    url: String,
    /// The number of the record from the first one of the results.
    number: u32,
    name: PathBuf,
    record_id: Option<String>,
    concurrent_to: Option<String>,
    date: Option<String>,
    status: Option<u16>,
    file_type: Option<FileType>,
    location: Option<String>,
    has_body: bool,
    is_truncated: bool,
    is_short: bool,
    is_converted: bool,
    digest: Option<String>,
    part: Option<BodyPart>,
    is_tail: bool,
    may_be_script: bool,
    revisit: Option<OwnedRevisit>,
}

struct OwnedRevisit {
    url: Option<String>,
    date: Option<String>,
    record_id: Option<String>,
    content_type: Option<String>,
    own: RevisitRecord,
}

impl FoundCaptures {
    /// Adds the captures to an index, with the position of the first record. Calls `each` with each
    /// message, and true if it is an error.
    pub(super) fn add_to(
        self,
        captures: &mut Captures,
        first: RecordPosition,
        mut each: impl FnMut(&Error, bool),
    ) {
        for found in self.found {
            match found {
                Found::Error(error) => each(&error, true),
                Found::Warning(warning) => each(&warning, false),
                Found::Request(method, id, concurrent_to) => {
                    let concurrent_to: Vec<&str> = concurrent_to.iter().map(|it| &**it).collect();
                    captures.add_request(&method, &id, &concurrent_to);
                }
                Found::Capture(capture) => {
                    if !capture.add_to(captures, first) {
                        let problem =
                            "the URLs of the archives are too long to hold them all: left out";
                        each(&left_out(capture.name, problem.to_owned()), false);
                    }
                }
            }
        }
    }
}

impl OwnedCapture {
    fn add_to(&self, captures: &mut Captures, first: RecordPosition) -> bool {
        let concurrent_to: Vec<&str> = self.concurrent_to.iter().map(|it| &**it).collect();
        let record = first.record + self.number;
        captures.add(&Capture {
            url: &self.url,
            position: RecordPosition { record, ..first },
            record_id: self.record_id.as_deref().unwrap_or_default(),
            concurrent_to: &concurrent_to,
            date: CaptureDate::of_record(self.date.as_deref().unwrap_or_default()),
            status: self.status,
            file_type: self.file_type,
            location: self.location.as_deref(),
            has_body: self.has_body,
            is_truncated: self.is_truncated,
            is_short: self.is_short,
            is_converted: self.is_converted,
            digest: self.digest.as_deref(),
            part: self.part.as_ref().and_then(|it| part_to_join(it, self.status)),
            may_be_script: self.may_be_script,
            is_tail: self.is_tail,
            revisit: self.revisit.as_ref().map(|revisit| Revisit {
                url: revisit.url.as_deref(),
                date: revisit.date.as_deref().map(CaptureDate::of_record),
                record_id: revisit.record_id.as_deref(),
                content_type: revisit.content_type.as_deref(),
                own: Some(&revisit.own),
            }),
        })
    }
}

impl RecordWork for Indexer {
    type State = ResponseReader;
    type Results = FoundCaptures;

    fn state(&self) -> ResponseReader {
        ResponseReader::new()
    }

    fn begin(&self) -> FoundCaptures {
        FoundCaptures::default()
    }

    fn message(&self, message: Error, is_loss: bool, results: &mut FoundCaptures) {
        results.found.push(if is_loss { Found::Error(message) } else { Found::Warning(message) });
    }

    fn record(
        &self,
        mut block: RecordBlock<'_>,
        archive: &Arc<Path>,
        position: RecordPosition,
        (responses, results): (&mut ResponseReader, &mut FoundCaptures),
    ) {
        results.has_records = true;
        let others = &mut results.others;
        let found = found(&mut block, archive, position.record, others, responses);
        results.found.extend(found);
    }
}

/// The capture of a record, or its request; or a warning if the capture is left out because of a
/// long URL.
fn found(
    block: &mut RecordBlock<'_>,
    archive: &Arc<Path>,
    number: u32,
    others: &mut usize,
    responses: &mut ResponseReader,
) -> Option<Found> {
    let raw = &{ block.raw };
    let head = raw.fields();
    let record_id = text_of(head.record_id.as_ref());
    let concurrent_to = text_of(head.concurrent_to.as_ref());
    if head.is("request") {
        let method = request_method(raw.block)?;
        return Some(Found::Request(
            method.to_owned(),
            record_id?,
            concurrent_to.into_iter().collect(),
        ));
    }
    let mut content = RecordContent::read(raw, &head, block.rest.is_some(), responses)?;
    let url = target_of(&head).and_then(|it| url_key(&it));
    let Some(url) = url.filter(|it| is_of_web(it)) else {
        *others += 1;
        return None;
    };
    let name = || {
        let mut name = archive.as_os_str().to_owned();
        name.push(format!("!{}", raw.record_offset));
        PathBuf::from(name)
    };
    if url.len() > MAX_URL {
        let problem = format!("the URL has more than {} KiB: left out", MAX_URL >> 10);
        return Some(Found::Warning(left_out(name(), problem)));
    }
    if content.is_long {
        // Only what is wrong with the body is wanted.
        let is_response = content.is_response;
        let done = write_long_body(block, is_response, &mut io::sink()).unwrap_or_default();
        content.is_short = done.is_short;
        content.set_len(done.len, is_cut_record(raw, &head), done.flaws);
    }
    let date = text_of(head.date.as_ref());
    let is_around = |it: char| matches!(it, '<' | '>' | ' ');
    let refers_to_url = text_of(head.refers_to_target_uri.as_ref());
    let revisit = head.is("revisit").then(|| OwnedRevisit {
        url: refers_to_url.and_then(|it| url_key(it.trim_matches(is_around))),
        date: text_of(head.refers_to_date.as_ref()),
        record_id: text_of(head.refers_to.as_ref()),
        content_type: content.content_type.as_deref().map(str::to_owned),
        own: RevisitRecord {
            archive: archive.clone(),
            record_offset: raw.record_offset,
            member_offset: raw.member_offset,
            record_id: record_id.clone(),
            date: date.clone(),
        },
    });
    let location = content.location.as_deref();
    // A longer one is left out in any case, and need not be resolved.
    let location = location.filter(|it| it.len() <= MAX_URL);
    let location = location.and_then(|it| resolved(&url, it));
    Some(Found::Capture(Box::new(OwnedCapture {
        number,
        name: name(),
        record_id,
        concurrent_to,
        date,
        status: content.status,
        file_type: file_type(&content, &url, revisit.is_some()),
        location,
        has_body: !content.body.is_empty(),
        is_truncated: content.is_truncated,
        is_short: content.is_short,
        is_converted: head.is("conversion"),
        digest: text_of(head.payload_digest.as_ref()),
        may_be_script: may_be_script(content.body),
        is_tail: content.status == Some(PARTIAL_CONTENT)
            && content.is_truncated
            && content.part.as_ref().is_none_or(|it| it.start > 0),
        part: content.part,
        revisit,
        url,
    })))
}

/// The part of a body, if it can be joined with others: a range, or a page that was cut.
fn part_to_join(part: &BodyPart, status: Option<u16>) -> Option<CapturePart<'_>> {
    let BodyPart { start, end, total, is_coded, .. } = *part;
    let is_part = status == Some(PARTIAL_CONTENT) || status == Some(200) && end < total;
    let validator = part.validator.as_deref().filter(|_| is_part && !is_coded)?;
    Some(CapturePart { start, end, total, validator })
}

/// Returns true for a body that does not begin as pages do. It may be a script, whatever its media
/// type is.
fn may_be_script(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body).trim_ascii_start();
    !body.is_empty() && !body.starts_with(b"<")
}

/// The warning about a capture that is left out.
fn left_out(name: PathBuf, problem: String) -> Error {
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
