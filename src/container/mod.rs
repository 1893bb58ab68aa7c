//! Containers of documents: compressed files, mailboxes and messages, and responses of HTTP. Pure
//! readers.

#[cfg(feature = "fs")]
pub(crate) mod compressed;
#[cfg(feature = "warc")]
mod gzip_frame;
#[cfg(feature = "warc")]
pub mod http;
pub mod mail;
#[cfg(feature = "warc")]
pub mod warc;
#[cfg(feature = "compress")]
mod zstd;
