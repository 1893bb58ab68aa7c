//! Places in logs, and names for several sites.

use std::path::Path;

/// The URLs of several sites.
pub(crate) const ALL_URLS: &str = "the URLs of --mirror";

/// The directories of several sites.
pub(crate) const ALL_DIRECTORIES: &str = "the directories of --mirror";

/// A place in a log.
pub(crate) fn place(file: &Path, line: Option<u64>) -> String {
    match line {
        Some(line) => format!("{}:{line}:1", file.display()),
        None => file.display().to_string(),
    }
}
