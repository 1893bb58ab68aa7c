//! Paths: below a directory, and as bytes.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Returns a path relative to a directory that contains it, as [`Path::strip_prefix`] does. That
/// compares name by name. A walk has thousands of paths that begin with the bytes of its directory.
pub(crate) fn path_below<'p>(path: &'p Path, directory: &Path) -> Option<&'p Path> {
    bytes_below(path, directory).or_else(|| path.strip_prefix(directory).ok())
}

/// As `path_below`, for a path that begins with the bytes of the directory, without a dot or slash
/// to leave out at either end.
#[cfg(unix)]
fn bytes_below<'p>(path: &'p Path, directory: &Path) -> Option<&'p Path> {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let bytes = |path: &'p Path| path.as_os_str().as_bytes();
    let directory = directory.as_os_str().as_bytes();
    let rest = bytes(path).strip_prefix(directory)?;
    let is_whole_name = directory.ends_with(b"/") || rest.starts_with(b"/");
    if directory.is_empty() || !is_whole_name {
        return None;
    }
    let slashes = rest.iter().take_while(|byte| **byte == b'/').count();
    match &rest[slashes..] {
        [] | [b'.', ..] | [.., b'/'] | [.., b'/', b'.'] => None,
        below => Some(Path::new(OsStr::from_bytes(below))),
    }
}

#[cfg(not(unix))]
fn bytes_below<'p>(_: &'p Path, _: &Path) -> Option<&'p Path> {
    None
}

/// Joins paths as [`Path::join`] does, with one allocation. To make a path longer, an allocator may
/// have to wait for another thread.
pub(crate) fn path_in(directory: &Path, below: &Path) -> PathBuf {
    let len = directory.as_os_str().len() + below.as_os_str().len();
    let mut path = PathBuf::with_capacity(len + 1);
    path.push(directory);
    path.push(below);
    path
}

/// The directory that contains a path: `.` for a name alone.
pub(crate) fn directory_of(path: &Path) -> &Path {
    let directory = path.parent().filter(|it| !it.as_os_str().is_empty());
    directory.unwrap_or(Path::new("."))
}

/// Converts a relative path to the form of a listing: with `/` between names.
pub fn bytes_of_path(path: &Path) -> Cow<'_, [u8]> {
    let bytes = path.as_os_str().as_encoded_bytes();
    match std::path::MAIN_SEPARATOR {
        '/' => Cow::Borrowed(bytes),
        separator => {
            let slash = |&byte: &u8| match char::from(byte) == separator {
                true => b'/',
                false => byte,
            };
            Cow::Owned(bytes.iter().map(slash).collect())
        }
    }
}

/// Converts a path of a listing to a system path: the inverse of [`bytes_of_path`].
pub fn path_of_bytes(bytes: &[u8]) -> PathBuf {
    os_string(bytes).into()
}

#[cfg(unix)]
pub(in crate::fs) fn os_string(bytes: &[u8]) -> OsString {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    OsStr::from_bytes(bytes).to_owned()
}

#[cfg(not(unix))]
pub(in crate::fs) fn os_string(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_below_are_those_that_comparing_names_gives() {
        let pieces = ["a", "b", ".", "..", "/", ".c"];
        let mut paths = vec![String::new()];
        let mut start = 0;
        for _ in 0..5 {
            let end = paths.len();
            for at in start..end {
                let longer = pieces.map(|piece| format!("{}{piece}", paths[at]));
                paths.extend(longer);
            }
            start = end;
        }
        let directories = ["", ".", "./", "/", "//", "a", "a/", "a//", "a/.", "/a", "a/b", ".."];
        let mut below = 0;
        for directory in directories.map(Path::new) {
            for path in paths.iter().map(Path::new) {
                let expected = path.strip_prefix(directory).ok();
                let found = path_below(path, directory);
                // Equal paths may have different bytes.
                let bytes = |path: Option<&'_ Path>| path.map(|it| it.as_os_str().to_owned());
                assert_eq!(found, expected, "{path:?} {directory:?}");
                assert_eq!(bytes(found), bytes(expected), "{path:?} {directory:?}");
                below += usize::from(found.is_some());
            }
        }
        assert!(below > 10_000);
    }
}
