//! Containers of documents: compressed files, mailboxes and messages. Pure readers.

#[cfg(feature = "fs")]
pub(crate) mod gzip;
pub mod mail;
