//! Where tests write.

/// A temporary folder that lies in memory where the system has such a place. Runs in place wait until what they write is
/// on the disk, which takes most of the time of tests that make many of them.
pub(crate) fn in_memory() -> tempfile::TempDir {
    let place = std::path::Path::new("/dev/shm");
    let made = place.is_dir().then(|| tempfile::tempdir_in(place));
    match made {
        Some(Ok(folder)) => folder,
        _ => tempfile::tempdir().expect("a folder"),
    }
}
