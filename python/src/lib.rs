//! The extension module of the Python package. What users see is in `rehref/`: its functions have
//! the types and the documentation, and pass their arguments on. The options are checked here.
#![deny(unsafe_code)]

mod containers;
mod document;
mod errors;
mod extract;
mod file;
mod found_links;
mod input;
mod items;
mod last_options;
mod lazy;
mod link;
mod linkify;
mod name;
mod options;
mod plain_class;
mod process;
mod rewrite;
mod table;
mod trees;
mod units;
mod untracked;
mod uri;

use pyo3::prelude::*;

/// The extension module. It needs no global interpreter lock.
#[pymodule(gil_used = false)]
mod _rehref {
    /// The version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use super::containers::{Message, Record, archive, mailbox};
    #[pymodule_export]
    use super::document::{Document, open};
    #[pymodule_export]
    use super::extract::{Warning, extract, iter_files, links};
    #[pymodule_export]
    use super::items::Items;
    #[pymodule_export]
    use super::link::Link;
    #[pymodule_export]
    use super::linkify::linkify;
    #[pymodule_export]
    use super::rewrite::rewrite;
    #[pymodule_export]
    use super::table::{Table, table_of_paths, table_of_values};
    #[pymodule_export]
    use super::trees::{Broken, Edit, MovePlan, UnpackReport, check, plan_move, undo, unpack};
    #[pymodule_export]
    use super::uri::{normalize, parse, relativize, resolve};
}
