//! Finds every URL in text, HTML, CSS, XML and mail, and rewrites links without touching any other
//! byte.
//!
//! # The links of a file
//!
//! [`open`] reads any file: a page, a text, a style sheet, a feed, a message or a mailbox,
//! compressed or not. It returns one [`Document`] after another, each with its [`Links`]:
//!
//! ```
//! for document in rehref::open("corpus/sites/bakery/notes.txt")? {
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
//! # The rooms below
//!
//! - [`uri`] resolves, relativizes, checks and normalizes references, without documents.
//! - [`format`](mod@format) has the languages, [`link`] what a link is, [`container`] mail and
//!   compressed files.
//! - [`rewrite`] has rules and plans, [`site`] trees of files with their URLs, [`fs`] files and
//!   journals.
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
//! Without default features the crate finds and resolves the URLs of plain text and of shortcuts:
//! [`uri`], [`bytes`], [`Document`] and [`Links`], with five direct dependencies (`chardetng`,
//! `encoding_rs`, `memchr`, `smallvec`, `wide`). Each feature adds to that:
//!
//! | feature | adds | dependencies | includes |
//! |---|---|---|---|
//! | `html` | links of HTML, XML and style sheets; [`rewrite`]; [`site`] | `html5ever`, `markup5ever_rcdom`; `regex`, `indexmap`, `md5`, `strsim`, `unicode-normalization`, `granit-parser`, `toml_parser` | |
//! | `mail` | [`container`]: messages and mailboxes, whose parts may be HTML | `mail-parser` | `html` |
//! | `fs` | [`open`], [`fs`], and the [`jobs`] that only read: extract and check | `walkdir`, `globset`, `ignore`, `infer`, `rustix` | `mail` |
//! | `journal` | the [`jobs`] that write and can be undone ([`fs::journal`]): rewrite, relocate, undo, resume | `csv`, `xxhash-rust` | `fs`, `serde`, `whatwg` |
//! | `compress` | reading gzip, bzip2, xz and zstd | `bzip2`, `flate2`, `lzma-rust2`, `ruzstd` | `fs` |
//! | `warc` | reading web archives: WARC, WACZ and ARC | `brotli-decompressor`, `crc32fast`, `zip` | `compress` |
//! | `libdeflate` | inflating members of web archives in gzip with libdeflate, which is faster and needs a C compiler | `libdeflate-sys` | `warc` |
//! | `unpack` | the job that makes a tree to browse offline of web archives | `sha2` | `journal`, `warc`, `whatwg` |
//! | `whatwg` | the [profile](uri::Profile) of browsers | `url` | |
//! | `serde` | serializable [`records`] of what the other features find | `serde`, `serde_json`, `base64`, `itoa` | |
//! | `arrow` | links as record batches of Arrow: `LinkColumns` in [`records`] | `arrow-array`, `arrow-buffer`, `arrow-schema` | `fs` |
//! | `schema` | the JSON Schema of the records | `schemars` | `fs`, `serde` |
//! | `cli` | the command | `annotate-snippets`, `anyhow`, `clap`, `clap_complete`, `clap_mangen`, `indicatif`, `sha2`, `signal-hook`, `supports-hyperlinks`, `terminal_size` | `journal`, `schema`, `warc` |
//!
//! The default features are those of the command: `cli`, `unpack` and `whatwg`.
//!
//! Every build recognizes every [`Format`]. So a document in a format that the build does not read
//! is an error ([`BuildError::MissingFeature`], [`BuildError::Mail`]), and never taken for plain
//! text.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]

pub mod bytes;
#[cfg(feature = "mail")]
pub mod container;
pub mod document;
#[cfg(feature = "fs")]
pub mod error;
pub mod format;
#[cfg(feature = "fs")]
pub mod fs;
#[cfg(feature = "fs")]
pub mod jobs;
pub mod link;
#[cfg(any(feature = "fs", feature = "serde"))]
pub mod records;
#[cfg(feature = "html")]
pub mod rewrite;
#[cfg(feature = "html")]
#[doc(hidden)]
pub mod settings;
#[cfg(feature = "html")]
pub mod site;
#[doc(hidden)]
pub mod source;
pub mod uri;

pub use document::{BuildError, Document, DocumentBuilder, FoundLink, Link, Links};
pub use format::{Format, Options};
#[cfg(feature = "warc")]
pub use fs::WebArchive;
#[cfg(feature = "fs")]
pub use fs::{Documents, Mailbox, open};
#[cfg(feature = "html")]
pub use {
    document::Rewriter,
    rewrite::{Action, Linkify, Plan, Rules},
};

/// The programs of the guide are documentation tests.
#[cfg(all(doctest, feature = "cli"))]
#[doc = include_str!("../docs/library.md")]
#[doc = include_str!("../docs/linkify.md")]
mod guide {}

#[cfg(test)]
#[path = "../tests/all/tier.rs"]
mod tier;
