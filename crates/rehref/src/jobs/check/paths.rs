//! Paths of inputs.

use std::path::{Path, PathBuf};

use crate::fs::{Item, RealDirectory};

/// Returns the path of a file or directory below a directory without symbolic links. `None` if it
/// is outside.
pub(super) fn real_path_below(real: &Path, path: &Path) -> Option<PathBuf> {
    match path.is_dir() {
        true => Some(path.canonicalize().ok()?.strip_prefix(real).ok()?.to_owned()),
        false => RealDirectory::new(real).ok()?.path_below(&Item::Path(path.to_owned())),
    }
}
