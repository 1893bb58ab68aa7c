//! The links of one document, and their rewriting, in memory.
//!
//! Most programs use the package `rehref`, which has this package's main types and reads files,
//! mail and web archives.
//!
//! - [`document`]: a [`Document`] is bytes with a format, a character encoding and a base URL. It
//!   has [`Links`].
//! - [`format`](mod@format) has the languages, [`link`] what a link is, [`source`] bytes and encodings.
//! - [`rewrite`] has rules and plans.
//! - [`settings`]: configuration files and front matter as one tree.
//! - [`uri`] resolves references, [`bytes`] has spans.
#![deny(unsafe_code)]

pub mod document;
pub mod format;
pub mod link;
pub mod rewrite;
pub mod settings;
pub mod source;

pub use rehref_uri as uri;
pub use rehref_uri::bytes;

pub use document::{BuildError, Document, DocumentBuilder, Link, Links, Rewriter};
pub use format::{Format, Options};
pub use link::ParsedLink;
pub use rewrite::{Action, Linkify, Plan, Rules};

#[cfg(test)]
#[path = "../../../tests/all/tier.rs"]
mod tier;
