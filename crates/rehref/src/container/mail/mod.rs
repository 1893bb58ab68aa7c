//! Mail: mailboxes, messages and their parts.
//!
//! To read mail, use [`open`](crate::open) or [`Mailbox`](crate::Mailbox), or the job
//! [`Extract`](crate::jobs::Extract). This module has the rules and
//! limits.
//!
//! A mailbox is split into messages as it is read, and a message into documents: each header with a
//! field that may have links, and each text part. Each is a [`Document`](crate::Document) with a
//! [`MailPart`](crate::document::MailPart), which maps spans to the file.
//!
//! # Input
//! - Messages by RFC 5322, also with a byte order mark, blank lines or a mailbox separator first;
//!   with lines that end in CR LF, LF or CR alone; and with headers whose folding was lost, or that
//!   end with a line of spaces.
//! - Parts by RFC 2045 and 2046, numbered as in IMAP (RFC 9051, section 6.4.5.1), and
//!   `message/rfc822` within them, encoded or not. A multipart ends where its last part or an
//!   enclosing part ends. If no boundary is declared, or none that occurs, the first line that
//!   looks like one is the boundary. Preamble and epilogue are not read, since no program shows
//!   them.
//! - Text: `text/*`, HTML, XML and CSS by their types, `message/*`, and `application/octet-stream`
//!   whose file name is that of a text. Calendars, address cards and LDIF under any type, if the file
//!   name says so. Other parts are not decoded.
//! - Signed messages in S/MIME parts (`cms`), as encoded messages. No signature is verified.
//! - Transfer encodings, once each, also undeclared quoted-printable. Invalid encodings are
//!   repaired.
//! - Charsets by their labels, unless the bytes contradict them (`charset`). UTF-7 is decoded like
//!   a transfer encoding: the result is a document in UTF-8.
//! - `format=flowed` and `DelSp` (RFC 3676), applied when the text is searched.
//!
//! # Bases
//! The base URL is the BASE of the page; else the `Content-Base` of the part (RFC 2110); else its
//! `Content-Location` (RFC 2557); else those of the enclosing parts, from the inside to the
//! outside, each resolved against the next outer one; else the retrieval URL of the file; else
//! `thismessage:/` (RFC 3986, section 5.1; RFC 2557, section 5). A `Content-Location` that is a
//! `cid:` or `mid:` URL is not a base.
//!
//! # Limits
//! [`MAX_MESSAGE`], [`MAX_PARTS`], [`MAX_DEPTH`]; and encoded messages nested 4 deep. Content
//! beyond them is an error: [`ErrorKind::LongMessage`](crate::error::ErrorKind) or `ManyParts`.
//!
//! # Cost
//! Linear in the bytes. A mailbox is never held in memory as a whole.
//!
//! # Inside
//!
//! ```text
//! bytes ──mbox──▶ RawMessage ──structure──▶ Entity* ──transfer, charset──▶ Document*, each with its MailPart
//! ```
//!
//! - **A message is a list of documents** (`message`): its headers, and each text part, decoded
//!   from its transfer encoding. Spans, lines and columns are those of the decoded part;
//!   `file_spans` are those of the file.
//! - **The memory of a document is that of an earlier one** (`reader`, `part_writer`): a caller
//!   returns a document that it no longer needs. Most messages are short, and their headers have no
//!   URLs. That is detected from their fields (`format/header`), which are located once.
//! - **Mailboxes are read in batches** (`mbox`), so that several threads can work on them.
//!   Separators are identified by a line and the one after it, never by `From ` alone. A
//!   `Content-Length` counts if a separator or the end of the file is at that position. Memory is
//!   bounded by a batch and the next message, and a message by `MAX_MESSAGE`.
//! - **Mail is detected by its beginning**, with or without NULs; blank lines and NULs may precede
//!   it. Other binary files with a mail extension are errors, so that archives are not skipped
//!   silently.
//! - **A mailbox appended to a message** (`appended`) is searched for after the end of its
//!   multipart, or in its text. No message of it ends before that, also in slices.
//! - **A slice of a mailbox has the messages that begin in it**, wherever it is cut. So adjacent
//!   slices have together the messages of the whole, and offsets are those of the file. Threads
//!   read a mailbox in such ranges (`ranges`).
//! - **Parts are found in one pass** over the lines that begin with `--`, compared with the open
//!   boundaries (`structure`), with limits on depth and number. mail-parser parses `Content-Type`
//!   (`content`) and base64 that is not in whole lines. Its traversal is not used: it decodes all
//!   parts, images too, searches the rest of the message for each missing boundary, and nests
//!   messages without a limit.
//! - **Malformed input is never rejected**: each repair is next to the rule that the input breaks.
//!   Repaired encodings are reported, and parts beyond the limits make the exit code 2.
//! - **`//host/path` is resolved to `https` if the base has no network scheme** (note
//!   `assumed-scheme`): under `thismessage:` the algorithm would give a host to a scheme without
//!   hosts.
//! - **Header fields are running text or a URI** (`format/header`). Encoded words are decoded with
//!   a map in which a word is one unit, so a link in one has the span of the word.
//! - **Texts of parts have the syntax of files** (`source::TextSyntax`): by their types, by their
//!   names, and diffs by their content. Calendars, cards, delivery reports and headers of returned
//!   messages are unfolded. Their lines are never joined by guess.
//! - **A guess over a line break yields to proof** (`format/mail/proof`): the URLs of the HTML
//!   version (`html_alternatives`), and those within lines or brackets of the text itself. They are
//!   collected as hashes on demand. Other messages do not count, since a slice would then differ
//!   from the whole mailbox.
//! - **Mail is never rewritten**: signatures and part lengths could become invalid.

mod appended;
mod bases;
mod batch;
mod charset;
mod cms;
mod content;
mod format;
mod html_alternatives;
mod marker;
mod mbox;
mod message;
mod part;
mod part_writer;
mod quoting;
mod ranges;
mod reader;
mod structure;
mod transfer;

pub use format::MboxFormat;

pub use self::{
    appended::appended_mailbox,
    batch::{Batch, MailLines, MessageNames, RawMessage},
    mbox::Mbox,
    part::{MailOptions, Part, Unread, UnreadPart},
    reader::{MessageReader, documents},
};
pub(crate) use self::{
    format::{NextMessage, Splitting},
    ranges::RangeOfMailbox,
};

pub use structure::{MAX_DEPTH, MAX_PARTS};

/// The maximum length of a message, in bytes. The rest of a longer message is skipped, with the
/// error [`ErrorKind::LongMessage`](crate::error::ErrorKind::LongMessage).
pub const MAX_MESSAGE: usize = 32 << 20;
