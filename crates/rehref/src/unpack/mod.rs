//! Web archives as trees of files to browse offline: which captures become files, their names and
//! the references between them.

pub mod captures;
mod offline;

pub use offline::{FindFile, OfflineBytes, OfflineContent};
