//! Replacing files, and the directory operations that this needs.

mod attributes;
pub(super) mod dir;
mod file;
pub(super) mod stamp;
#[cfg(not(unix))]
mod system_by_path;
#[cfg(unix)]
mod system_unix;
pub(super) mod temporary;

pub(crate) use file::sweep;
pub(in crate::fs) use file::{Owner, Place, backup_of, keep_old, other_links, prepared};
pub use file::{Replaced, back_up, replace};
