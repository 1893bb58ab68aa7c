//! Finds every URL in text, HTML, CSS, XML, Markdown, mail and web archives, and rewrites links
//! without touching any other byte.
//!
//! # The links of a file
//!
//! [`open`] reads any file: a page, a text, a style sheet, a feed, a message or a mailbox,
//! compressed or not. It returns one [`Document`] after another, each with its [`Links`]:
//!
//! ```
//! # std::env::set_current_dir("../../corpus/sites/bakery").unwrap();
//! for document in rehref::open("notes.txt")? {
//!     let document = document?;
//!     for link in &document.links() {
//!         println!("{}:{}: {}", document.name(), link.line(), link.url_or_reference());
//!     }
//! }
//! # Ok::<(), rehref::error::Error>(())
//! ```
//!
//! A document in memory is built from its bytes and what is known about them:
//!
//! ```
//! use rehref::Document;
//!
//! let note = Document::from_bytes(b"See <URL:http://a.example/\n  b>.".to_vec()).build()?;
//! let links = note.links();
//! let link = links.iter().next().expect("one link");
//! assert_eq!(link.url(), Some("http://a.example/b"));
//! assert_eq!(link.spans().len(), 2, "it is broken over two lines");
//! # Ok::<(), rehref::BuildError>(())
//! ```
//!
//! # Rewriting
//!
//! [`Links::rewrite`] plans edits by [`Rules`], or by a function from a link to an [`Action`]. No
//! other byte changes, and every other link is read as before. [`Plan::verify`] parses both
//! versions independently.
//!
//! ```
//! use rehref::{Document, Rules};
//!
//! let page = Document::from_bytes(b"<A HREF = ../c >".to_vec())
//!     .content_type("text/html")
//!     .url("http://a.example/b/")
//!     .build()?;
//! let links = page.links();
//! let plan = links.rewrite(&Rules::new().absolute());
//! plan.verify()?;
//! assert_eq!(plan.bytes(), b"<A HREF = http://a.example/c >");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Document::rewrite_into`] writes the same bytes into a buffer, in one pass over most HTML, and
//! keeps no edits.
//!
//! [`Linkify`] makes links of the URLs in plain text and in the text of HTML.
//!
//! # Whole trees
//!
//! [`jobs`] extract, check, rewrite and move whole trees in parallel. They report typed events, and
//! a run that writes can be resumed and undone. The programs in `examples/` of the repository are
//! as short as these.
//!
//! # Below
//!
//! - [`uri`] resolves, relativizes, checks and normalizes references, without documents. It is the
//!   package `rehref-uri`.
//! - [`format`](mod@format) has the languages, [`link`] what a link is, [`rewrite`] rules and plans.
//!   These are the package `rehref-document`, for programs that read no files.
//! - [`container`] has mail and compressed files, [`site`] trees of files with their URLs, [`fs`]
//!   files and journals.
//! - [`records`] are the serializable results.
//!
//! # Limits
//!
//! - Nothing is fetched.
//! - A document and its links are held in memory, except where mail and long texts are streamed.
//! - Mail and compressed files are never rewritten.
//! - In scripts, only import maps are read, and other JSON on demand.
//! - The document type of XML is not read: entities that it declares stay as they are written.
//! - A page that nests more than about 1000 deep has no tree: its contexts are empty, and it cannot
//!   be verified.
//! - A base URL of more than [`MAX_BASE`](link::MAX_BASE) bytes is not used.
//!
//! # Features
//!
//! | feature | adds | dependencies |
//! |---|---|---|
//! | `arrow` | links as record batches of Arrow: `LinkColumns` in [`records`] | `arrow-array`, `arrow-buffer`, `arrow-schema` |
//! | `schema` | the JSON Schema of the records | `schemars` |
//! | `libdeflate` | inflating members of web archives in gzip with libdeflate, which is faster and needs a C compiler | `libdeflate-sys` |
//!
//! None is on by default.
#![deny(unsafe_code)]

// Hidden rooms are for the command, the tests and the Python package.
#[doc(hidden)]
pub mod check;
pub mod container;
#[doc(hidden)]
pub mod docs_site;
pub mod error;
pub mod fs;
pub mod jobs;
#[doc(hidden)]
pub mod listing;
#[doc(hidden)]
pub mod mirror;
pub mod records;
#[doc(hidden)]
pub mod rules;
#[doc(hidden)]
pub mod site;
#[doc(hidden)]
pub mod unpack;

pub use rehref_document::{document, format, link, rewrite, source};
pub use rehref_uri::{self as uri, bytes};

#[doc(hidden)]
pub use rehref_document::settings;

pub use document::{BuildError, Document, DocumentBuilder, Link, Links, Rewriter};
pub use format::{Format, Options};
pub use fs::{Documents, Mailbox, WebArchive, open};
pub use link::ParsedLink;
pub use rewrite::{Action, Linkify, Plan, Rules};

/// The programs of the guide are documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
#[doc = include_str!("../../../docs/linkify.md")]
mod guide {}

#[cfg(test)]
#[allow(dead_code, reason = "used by the integration tests")]
#[path = "../../../tests/support/files.rs"]
mod files;
#[cfg(test)]
#[path = "../../../tests/all/tier.rs"]
mod tier;
