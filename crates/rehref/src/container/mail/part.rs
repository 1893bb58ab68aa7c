//! The documents of a message, and the options for reading them.

use super::batch::MessageNames;
use super::format::MboxFormat;
use crate::document::Document;
use crate::source::Base;
use crate::uri::Resolver;

/// Options for reading messages. The job [`Extract`](crate::jobs::Extract) derives them from its
/// options. No public function takes them.
#[derive(Clone, Debug, Default)]
pub struct MailOptions {
    /// The resolver of bases.
    pub resolver: Resolver,
    /// True if headers are documents too.
    pub headers: bool,
    /// The quoting of messages in a mailbox. `None` for a message in a separate file.
    pub quoting: Option<MboxFormat>,
    /// The charset of all parts, by a label of the Encoding standard. `None` uses the label of each
    /// part.
    pub charset: Option<String>,
    /// The base of messages that have none.
    pub base: Option<Base>,
    /// The names of messages, and so of their parts.
    pub names: MessageNames,
    /// True to read the fields that describe a message, for the contexts of links.
    pub contexts: bool,
}

/// A document of a message.
#[derive(Clone, Debug)]
pub struct Part {
    /// The document, without its transfer encoding.
    pub document: Document,
    /// The alternatives that the document is part of, from the outside to the inside: the index of
    /// each `multipart/alternative` among the entities of the message, and the number of its part,
    /// from 1.
    pub alternatives: Vec<(usize, usize)>,
    /// True if the transfer encoding is damaged. The document has the parts that could be decoded.
    pub is_repaired: bool,
    /// True if the transfer encoding is unknown, and the part was read undecoded.
    pub is_unknown: bool,
}

/// The parts of a message that are not read: the rest after a limit that it exceeds, and parts of
/// other kinds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unread {
    /// The message is longer than [`MAX_MESSAGE`](super::MAX_MESSAGE).
    pub is_cut: bool,
    /// The message has more parts than [`MAX_PARTS`](super::MAX_PARTS), or nests deeper than
    /// [`MAX_DEPTH`](super::MAX_DEPTH).
    pub has_too_many_parts: bool,
    /// The parts that are not documents, such as images and signed or encrypted data.
    pub parts: Vec<UnreadPart>,
}

/// A part of a message that is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadPart {
    /// The media type in lower case, without parameters. Empty if it is invalid.
    pub media_type: String,
    /// The name of the file, or an empty one.
    pub name: String,
    /// True if it begins as an encrypted message of OpenPGP (RFC 4880, section 6.2).
    pub is_pgp: bool,
}
