//! Mail: messages, the mailboxes that they stand in, and their parts.
//!
//! [`Mbox`] parts the messages of a mailbox as it is read, and [`documents`] takes a message apart: into its header and
//! those of its parts, where they hold links, and the parts that have text. Each is a
//! [`Source`](crate::source::Source) with a [`MailPart`](crate::source::MailPart), which knows the way back to the
//! file, and is searched as any other.
//!
//! # What is read
//! - Messages by RFC 5322, and what is called so: with BOM, blank lines or a mailbox's line first, with lines that end
//!   in CR LF, LF or CR alone, with headers whose folding was lost, or that end with a line of blanks.
//! - Parts by RFC 2045 and 2046, numbered as IMAP does (RFC 9051, section 6.4.5.1); `message/rfc822` within them,
//!   encoded or not. A multipart ends where its last part or what it is part of ends. Where no boundary is named, or none
//!   that is there, the first line that looks like one parts the body. What stands before the first part and after the
//!   last one is not read: no program shows it.
//! - Of text: `text/*`, HTML, XML and CSS by their types, `message/*`, and of `application/octet-stream` what has the
//!   name of a text. All other parts are not even decoded.
//! - Transfer encodings once each, also quoted-printable that nobody declared. What is not encoded as it says is repaired.
//! - Charsets by their labels, but where the bytes show another
//!   ([`Charset::labeled`](crate::source::Charset::labeled)). UTF-7 is decoded as a transfer encoding is: what it
//!   spells is a document in UTF-8.
//! - `format=flowed` and `DelSp` (RFC 3676), when URLs are looked for in the text.
//!
//! # Bases
//! A reference is relative to the BASE of its page; else to the `Content-Base` of its part (RFC 2110), else its
//! `Content-Location` (RFC 2557), else those of what it is part of, from the inside to the outside, each resolved against
//! the one round it; else to what the file was retrieved from; else to `thismessage:/`. That is RFC 3986, section 5.1. A
//! `Content-Location` that is a `cid:` or `mid:` URL is no base.
//!
//! # Limits
//! [`MAX_MESSAGE`], [`MAX_PARTS`], [`MAX_DEPTH`]; and 4 messages that are encoded within encoded ones. What they leave
//! out is told: [`Unread`].
//!
//! # Cost
//! Linear in the bytes. A mailbox is never held as a whole.

mod appended;
mod content;
mod format;
mod mbox;
mod message;
mod quoting;
mod structure;
mod transfer;

pub(crate) use appended::appended_mailbox;
pub use format::{MboxFormat, UnknownMboxFormat};
pub use mbox::{Batch, Mbox, RawMessage};
pub use message::{MailOptions, Part, Unread, documents};
pub use structure::{MAX_DEPTH, MAX_PARTS};

/// How much of a message is read, in bytes. What comes after it is passed over, and that is told.
pub const MAX_MESSAGE: usize = 32 << 20;
