//! Containers of documents: compressed files, mailboxes and messages, and responses of HTTP. Pure
//! readers.

pub(crate) mod compressed;
mod gzip_frame;
pub mod http;
pub mod mail;
pub mod package;
pub mod warc;
mod zstd;
