//! The links of mail as records, and the properties of every file of mail.

use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rehref::container::mail::{MailOptions, Mbox, MboxFormat, Part, RawMessage, documents};
use rehref::format::{Format, Options};
use rehref::records::{LinkRecord, LinkReport};
use serde_json::{Value, to_value};

use super::stopwatch::Stopwatch;

/// Far more time than a damaged file needs, unoptimized and on a busy machine.
pub(crate) const LIMIT: Duration = Duration::from_secs(20);

/// The fields of links except for their places.
const WHAT: &str = "doc part message_id header place cue element attr role ref uri base_from charset \
     target_part same_document notes";

/// Options that read header fields, too.
pub(crate) fn options() -> MailOptions {
    MailOptions { headers: true, ..MailOptions::default() }
}

/// The links of a file.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The links, in the records of `rehref extract --json`.
    pub(crate) links: Vec<Value>,
    /// The documents with a transfer encoding that had to be repaired.
    pub(crate) repaired: Vec<String>,
    /// The numbers of messages with unread parts.
    pub(crate) unread: Vec<usize>,
    pub(crate) messages: usize,
}

impl Found {
    /// Adds the links of a message.
    pub(crate) fn take(
        &mut self,
        message: RawMessage<'_>,
        name: &Arc<Path>,
        options: &MailOptions,
    ) {
        self.messages += 1;
        let unread = documents(message, name, options, |part| self.take_part(&part));
        if unread.is_cut || unread.has_too_many_parts {
            self.unread.push(message.number);
        }
    }

    fn take_part(&mut self, part: &Part) {
        let document = &part.document;
        let links = document.links_with(&Options::default());
        let mut resolving = links.resolving();
        let mut lines = document.lines();
        let charset = document.charset().name();
        for link in &links.found().links {
            let position = lines.position(link.extent().start);
            let report = LinkReport::new(document, link, resolving.target(link), position);
            let record = LinkRecord::new(&report, &charset);
            self.links.push(to_value(record).expect("a record is JSON"));
        }
        if part.is_repaired || part.is_unknown {
            let mail_part = document.mail_part().expect("it is in mail");
            self.repaired.push(format!("!{}!{}", mail_part.message_or_offset(), mail_part.part));
        }
    }

    /// The links with these fields, except for those that are null, false or empty.
    pub(crate) fn records(&self, fields: &str) -> Vec<String> {
        let record = |link: &Value| {
            let mut record = Vec::new();
            for field in fields.split_whitespace() {
                let value = match field {
                    "doc" => Value::from(doc(link)),
                    _ => link[field].clone(),
                };
                let is_empty = match &value {
                    Value::Array(items) => items.is_empty(),
                    other => other.is_null() || *other == false,
                };
                if !is_empty {
                    record.push(format!("\"{field}\":{value}"));
                }
            }
            format!("{{{}}}", record.join(","))
        };
        self.links.iter().map(record).collect()
    }

    /// The content of `links.jsonl`.
    pub(crate) fn lines(&self) -> Vec<u8> {
        const FIELDS: &str = "doc message message_offset message_id part header place cue element attr role \
             ref uri base_from charset spans file_spans target_part \
             same_document notes";
        let mut lines = self.records(FIELDS);
        for doc in &self.repaired {
            lines.push(format!("{{\"doc\":\"{doc}\",\"repaired\":true}}"));
        }
        lines.push(format!("{{\"messages\":{}}}", self.messages));
        assert!(self.unread.is_empty(), "all of a message is read");
        lines.push(String::new());
        lines.join("\n").into_bytes()
    }
}

/// The name of the document after that of the file.
fn doc(link: &Value) -> String {
    let doc = link["doc"].as_str().expect("a name in UTF-8");
    let archive = link["archive"].as_str().expect("a name in UTF-8");
    doc.strip_prefix(archive).expect("it begins with that of the file").to_owned()
}

/// The format of a mailbox, by its first bytes.
pub(crate) fn format_of(bytes: &[u8]) -> MboxFormat {
    match bytes.trim_ascii_start() {
        [b'=', b'=', b'=', b'=', ..] => MboxFormat::Listserv,
        [1, 1, 1, 1, ..] => MboxFormat::Mmdf,
        _ => MboxFormat::Auto,
    }
}

/// Calls `each` with every message of a mailbox.
pub(crate) fn for_each_message(
    reader: impl Read,
    format: MboxFormat,
    mut each: impl FnMut(RawMessage<'_>),
) {
    for batch in Mbox::new(reader, format) {
        batch.expect("nothing fails").messages().for_each(&mut each);
    }
}

/// Calls `each` with the messages of a file in memory, and the options to read them.
pub(crate) fn for_each_message_of(
    bytes: &[u8],
    format: Format,
    mut each: impl FnMut(RawMessage<'_>, &MailOptions),
) {
    if format == Format::Mbox {
        let format = format_of(bytes);
        let options = MailOptions { quoting: Some(format), ..options() };
        for_each_message(bytes, format, |message| each(message, &options));
        return;
    }
    let batch = rehref::container::mail::Batch::of_one(bytes.to_vec(), 0, false);
    batch.messages().for_each(|message| each(message, &options()));
}

/// The links of a file with these bytes.
pub(crate) fn found_in(bytes: &[u8], format: Format) -> Found {
    let name: Arc<Path> = Path::new("in").into();
    let mut found = Found::default();
    for_each_message_of(bytes, format, |message, options| {
        found.take(message, &name, options);
    });
    found
}

pub(crate) fn spans(link: &Value, field: &str) -> Option<Vec<Range<usize>>> {
    let spans = link[field].as_array()?.iter();
    let bound = |span: &Value, at: usize| span[at].as_u64().expect("an offset") as usize;
    Some(spans.map(|span| bound(span, 0)..bound(span, 1)).collect())
}

/// The bytes with LF as line endings.
fn with_lf(bytes: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    let is_kept = |at: usize| bytes[at] != b'\r' || bytes.get(at + 1) != Some(&b'\n');
    let mut at = 0..;
    out.retain(|_| at.next().is_some_and(is_kept));
    out
}

pub(crate) fn with_crlf(bytes: &[u8]) -> Vec<u8> {
    let lines = with_lf(bytes);
    let lines = lines.iter().flat_map(|byte| match byte {
        b'\n' => &b"\r\n"[..],
        other => std::slice::from_ref(other),
    });
    lines.copied().collect()
}

/// Panics unless the file has the same links with LF and with CR LF.
pub(crate) fn check_line_ends(name: &str, bytes: &[u8], format: Format) {
    let lf = found_in(&with_lf(bytes), format);
    let crlf = found_in(&with_crlf(bytes), format);
    assert_eq!(lf.messages, crlf.messages, "{name}: messages");
    assert_eq!(lf.records(WHAT), crlf.records(WHAT), "{name}");
    assert_eq!(lf.repaired, crlf.repaired, "{name}");
}

/// Panics if reading takes too long, or if spans are outside of the file.
pub(crate) fn check_damaged(name: &str, bytes: &[u8], format: Format) -> Found {
    let watch = Stopwatch::start();
    let found = found_in(bytes, format);
    let time = watch.elapsed();
    assert!(time < LIMIT, "{name}: {time:?}");
    for link in &found.links {
        let file_range = spans(link, "file_spans").unwrap_or_default();
        assert!(file_range.iter().all(|span| span.end <= bytes.len()), "{name}: {link}");
    }
    found
}
