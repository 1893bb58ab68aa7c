//! Names of files.

use std::path::{Path, PathBuf};

/// Returns true if a file has the name of a page that browsers read as XML.
pub(super) fn is_xhtml(name: &Path) -> bool {
    has_extension(name, &["xhtml", "xht"])
}

/// Returns true if a file has one of these extensions, in any case.
pub(super) fn has_extension(name: &Path, extensions: &[&str]) -> bool {
    let extension = name.extension();
    extension.is_some_and(|it| extensions.iter().any(|known| it.eq_ignore_ascii_case(known)))
}

/// The extensions of compressed copies of documents.
pub(super) const COPIES: [&str; 5] = ["gz", "br", "zst", "bz2", "xz"];

/// Returns the name of the document whose compressed copy a file is by its name.
pub(super) fn copied(name: &Path) -> Option<PathBuf> {
    has_extension(name, &COPIES).then(|| name.with_extension(""))
}

/// Returns the name of a path below a directory, without the directory if that is the current one.
pub(super) fn joined(directory: &Path, below: &Path) -> PathBuf {
    match directory == Path::new(".") {
        true => below.to_owned(),
        false => directory.join(below),
    }
}
