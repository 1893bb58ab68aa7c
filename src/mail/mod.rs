//! Mail: messages, the mailboxes that they stand in, and their parts.

mod content;
mod header;
mod mbox;
mod message;
mod separator;
mod structure;
mod transfer;
pub(crate) mod words;

pub(crate) use content::is_external;
pub(crate) use header::{FieldKind, Header};
pub use mbox::{Batch, Mbox, RawMessage};
pub(crate) use message::location;
pub use message::{MailOptions, Part, Unread, documents};
pub use separator::{MboxFormat, UnknownMboxFormat};
pub use structure::{MAX_DEPTH, MAX_PARTS};

/// How much of a message is read, in bytes. What comes after it is passed over, and that is told.
pub const MAX_MESSAGE: usize = 32 << 20;
