//! Unpacking web archives: the job [`Unpack`].
//!
//! # Inside
//!
//! - **Two passes** (`run`, `pass`), by all threads. The first adds the captures of all archives to an index
//!   (`capture`), which chooses one for each URL (`site::captures`). The second reads the archives
//!   again, and writes each file when its record is read (`write`). So memory grows with the number of
//!   records, and not with their bodies.
//! - **A page is written with links to files** (`pages`, `rewrite::OfflineContent`). The names of
//!   files are a function of their URLs, so a link is written before its target is.
//! - **A run that was interrupted is repeated.** A file is whole or missing, and an existing one is
//!   not written again.
//! - **Runs add to one directory** (`run_files`). The map and the records of files that still exist
//!   are kept.

mod block;
mod capture;
mod event;
mod missing;
mod options;
mod pages;
mod pass;
mod run;
mod run_files;
mod write;

pub use event::{UnpackEvent, UnpackReport};
pub use options::{MissingLinks, Unpack};
