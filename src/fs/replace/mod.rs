//! Replacing files, and the directory operations that this needs.

mod attributes;
// Some operations are used by journals only.
#[cfg_attr(not(feature = "serde"), allow(dead_code, unused_imports))]
pub(super) mod dir;
mod file;
#[cfg_attr(not(feature = "serde"), allow(dead_code, unused_imports))]
pub(super) mod stamp;
#[cfg(not(unix))]
mod system_by_path;
#[cfg(unix)]
#[cfg_attr(not(feature = "serde"), allow(dead_code, unused_imports))]
mod system_unix;
pub(super) mod temporary;

pub(in crate::fs) use file::folder_of;
#[cfg(feature = "serde")]
pub(in crate::fs) use file::{Owner, Place, backup_of, keep_old, other_links, prepared};
pub use file::{Replaced, back_up, replace};
