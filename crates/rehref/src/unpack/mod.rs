//! Web archives as trees of files to browse offline: the choice of captures, the names of the
//! files, and the references between them.

pub mod captures;
mod offline;

pub use offline::{FindFile, OfflineBytes, OfflineContent};
