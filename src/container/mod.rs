//! Containers of documents: compressed files, mailboxes and messages. Pure readers.

#[cfg(feature = "fs")]
pub(crate) mod compressed;
pub mod mail;
#[cfg(feature = "compress")]
mod zstd;
