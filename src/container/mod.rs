//! Containers of documents: compressed files, mailboxes and messages. Pure readers.

pub(crate) mod gzip;
pub mod mail;
