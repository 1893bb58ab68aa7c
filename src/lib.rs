//! Finds every URL in text, HTML, CSS, XML and mail, and rewrites links without touching any other byte.
//!
//! # The links of a document
//!
//! A [`Document`] is bytes with a format and a character encoding.
//! [`links_with`](document::Document::links_with) finds its links, each with the exact bytes that spell it:
//!
//! ```
//! use rehref::document::Document;
//! use rehref::format::Options;
//!
//! let note = Document::new("note.txt", b"See <URL:http://a.example/\n  b>.".to_vec());
//! let found = note.links_with(&Options::default());
//! let link = &found.links[0];
//! assert_eq!(link.reference, "http://a.example/b");
//! assert_eq!(link.spans.len(), 2, "it was broken over lines");
//! ```
//!
//! # Mail
//!
//! A [`Mbox`](container::mail::Mbox) parts the messages of a mailbox as it is read, and [`documents`](container::mail::documents) gives the
//! documents of each: its header, and the parts that have text. They are searched as any others.
//!
//! ```
//! # use rehref::format::Options;
//! use std::path::Path;
//! use rehref::container::mail::{MailOptions, Mbox, MboxFormat, documents};
//!
//! let list = "From a Mon Jul 21 10:00:00 1997\nSubject: x\n\n> <http://a.example/\n> b>\n";
//! let mut found = Vec::new();
//! for batch in Mbox::new(list.as_bytes(), MboxFormat::Auto) {
//!     for message in batch?.messages() {
//!         documents(message, &Path::new("list").into(), &MailOptions::default(), |part| {
//!             let links = part.document.links_with(&Options::default()).links;
//!             found.extend(links.iter().map(|link| link.reference.to_string()));
//!         });
//!     }
//! }
//! assert_eq!(found, ["http://a.example/b"]);
//! # std::io::Result::Ok(())
//! ```
//!
//! # Where they lead
//!
//! References are resolved against the base that holds for the document: its own BASE element, else
//! the URI that it was retrieved from (RFC 3986, section 5.1); in XML, against the `xml:base` round them.
//!
//! ```
//! # use rehref::document::Document;
//! # use rehref::format::Options;
//! use rehref::uri::Resolver;
//!
//! let page = Document::new("index.html", b"<a href=../c>".to_vec())
//!     .retrieved_from("http://a.example/b/index.html");
//! let found = page.links_with(&Options::default());
//! let mut resolving = found.resolving(&page, Resolver::default());
//! assert_eq!(resolving.target(&found.links[0]).uri, Some("http://a.example/c"));
//! ```
//!
//! # Rewriting them
//!
//! A [`Mapper`](rewrite::Mapper) decides about each link; [`Rules`](rewrite::Rules) are those of the command
//! line. A [`Plan`](rewrite::Plan) holds the edits, proved: where it was not certain anyway, the edited
//! document was read again.
//!
//! ```
//! # use rehref::document::Document;
//! # use rehref::format::Options;
//! use rehref::rewrite::Plan;
//! use rehref::rewrite::{Rule, Rules};
//!
//! let page = Document::new("index.html", b"<A HREF = ../c >".to_vec())
//!     .retrieved_from("http://a.example/b/index.html");
//! let options = Options::default();
//! let rules = Rules { rules: vec![Rule::Absolute], ..Rules::default() };
//! let plan = Plan::new(&page, &page.links_with(&options), &options, &rules);
//! assert_eq!(plan.apply(&page), b"<A HREF = http://a.example/c >");
//! ```
//!
//! # Moving files
//!
//! A [`Site`](site::Site) knows which file of a tree a URI leads to, [`Moves`](site::Moves) which path becomes
//! which, and a [`Relocation`](rewrite::Relocation) has a mapper for each document, which lets its references follow.
//! A [`PlanWriter`](fs::journal::PlanWriter) writes down what is to be done, and a [`Run`](fs::journal::Run) does it or
//! takes it back.
//!
//! ```
//! # use rehref::document::Document;
//! # use rehref::format::Options;
//! # use rehref::rewrite::Plan;
//! use rehref::rewrite::Relocation;
//! use rehref::site::{Listing, Move, Moves, Site};
//! use rehref::uri::Resolver;
//!
//! let listing = Listing::of_files(["index.html", "a/x.html"]);
//! let moves = Moves::new(&listing, [Move { from: b"a".to_vec(), to: b"b/c".to_vec() }])?;
//! let after = moves.applied_to(&listing);
//! let before = Site::new("http://h.example/", listing, vec!["index.html".into()]);
//! let after = before.with_listing(after);
//!
//! let page = Document::new("index.html", b"<a href=a/x.html#f>".to_vec())
//!     .retrieved_from(before.uri_of(b"index.html"));
//! let relocation = Relocation::new(&before, &after, &moves, Resolver::default());
//! let options = Options::default();
//! let mapper = relocation.of_document(b"index.html");
//! let plan = Plan::new(&page, &page.links_with(&options), &options, &mapper);
//! assert_eq!(plan.apply(&page), b"<a href=b/c/x.html#f>");
//! # Ok::<(), rehref::site::MoveError>(())
//! ```
//!
//! # Whether they are what was meant
//!
//! [`verify`](rewrite::verify) reads the old and the new document apart, HTML into trees, and holds one against
//! the other, whoever made the edits.
//!
//! # Whether they lead anywhere
//!
//! A [`Checker`](site::check::Checker) holds the links and fragments of a tree against what is in it; a
//! [`Site`](site::Site) says which file a URI leads to.
//!
//! # Writing them
//!
//! [`fs`] replaces files, so that each is wholly old or wholly new at every moment; a
//! [`PlanWriter`](fs::journal::PlanWriter) plans the edits and moves of many files, so that all can be finished or taken
//! back.
//!
//! # What stands round them
//!
//! [`Contexts`](format::html::Contexts) has the text of each link in HTML, and the heading before it.
//!
//! # What it does not do
//!
//! - It does not fetch anything.
//! - Of scripts in HTML it reads import maps, and on demand other JSON; of comments, on demand, those that
//!   old browsers read.
//! - Of pages that nest more than some 1000 deep it builds no tree: what browsers drop there is reported too,
//!   nothing is told of what stands round a link, and no edit can be verified.
//! - It reads no document type of XML: entities that one declares stay as they are written.
//! - It rewrites HTML, CSS, XML and, by maps, plain text; and neither mail nor what is compressed.
//! - It opens no encrypted parts of messages, and no formats of a single mail program.
//! - It holds a document in memory, and its links.
//! - It uses no base of more than [`MAX_BASE`](link::MAX_BASE) bytes.
//!
//! # Features
//!
//! All are on by default. `cli`: the command-line tool. `compress`: gzip. `serde`: the records of
//! `--json` and CSV, and runs in place that can be taken back ([`fs`]). `whatwg`: resolving as browsers do.
#![deny(unsafe_code)]

pub mod bytes;
pub mod container;
pub mod document;
pub mod error;
pub mod format;
pub mod fs;
pub mod jobs;
pub mod link;
pub mod records;
pub mod rewrite;
pub mod site;
pub mod source;
pub mod uri;

pub use document::{BuildError, Document, DocumentBuilder, Link, Links};
pub use format::{Format, Options};
pub use fs::{Documents, Mailbox, open};

#[cfg(test)]
#[path = "../tests/all/tier.rs"]
mod tier;
