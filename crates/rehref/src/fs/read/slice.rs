//! Slices of files.

use std::ops::Range;
use std::path::{Path, PathBuf};

/// A slice of a file. It is a document of its own; spans count from its first byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The name as given.
    pub name: PathBuf,
    /// The file.
    pub path: PathBuf,
    /// The offset of its first byte, from 0.
    pub offset: u64,
    /// The maximum length in bytes; the slice ends at the end of the file.
    pub len: u64,
}

impl Slice {
    /// The bytes of a file in this range, from 0.
    pub fn of_range(path: impl Into<PathBuf>, range: Range<u64>) -> Self {
        let path = path.into();
        let len = range.end.saturating_sub(range.start);
        let name = Self::name_of(&path, &range);
        Self { name, path, offset: range.start, len }
    }

    /// The name of a slice of a file with this name, `NAME#OFFSET,LENGTH`.
    pub fn name_of(name: &Path, range: &Range<u64>) -> PathBuf {
        let len = range.end.saturating_sub(range.start);
        let mut name = name.as_os_str().to_owned();
        name.push(format!("#{},{len}", range.start));
        name.into()
    }
}
