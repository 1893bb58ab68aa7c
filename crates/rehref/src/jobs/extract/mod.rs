//! Finding the links of files, directory trees, mailboxes and web archives.
//!
//! A worker thread reads a document, finds its links and renders the events of each; one thread at
//! a time delivers the results in order. Long texts, mailboxes and web archives are divided into
//! parts, on which all threads work.

mod alternatives;
mod batches;
mod container;
mod document;
mod event;
mod link_counts;
mod long_text;
mod mailbox;
mod options;
mod package;
mod rendered;
mod run;
mod short;
mod unit;
mod web_archive;

pub use event::{ExtractEvent, ExtractTotals};
pub use link_counts::LinkCounts;
pub use options::Extract;
