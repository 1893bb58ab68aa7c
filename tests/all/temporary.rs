//! Temporary directories.

/// A temporary directory, in memory if the system has such a place. Runs in place wait for the
/// disk, which takes most of the time of tests with many runs.
pub(crate) fn in_memory() -> tempfile::TempDir {
    let place = std::path::Path::new("/dev/shm");
    let made = place.is_dir().then(|| tempfile::tempdir_in(place));
    match made {
        Some(Ok(directory)) => directory,
        _ => tempfile::tempdir().expect("a directory"),
    }
}
