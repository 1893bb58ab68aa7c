//! A long mailbox or web archive whose parts are in work.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A long mailbox or web archive.
pub(super) struct Container {
    /// The name of the file.
    pub(super) name: Arc<Path>,
    /// The name of the input: of the file or of a slice of it.
    pub(super) input: PathBuf,
    /// The length in bytes, if known.
    pub(super) len: Option<u64>,
    is_done: AtomicBool,
}

impl Container {
    pub(super) fn new(name: &Arc<Path>, input: &Path, len: Option<u64>) -> Arc<Self> {
        let (name, input) = (Arc::clone(name), input.to_owned());
        Arc::new(Self { name, input, len, is_done: AtomicBool::new(false) })
    }

    /// Returns true if no more links are wanted.
    pub(super) fn is_done(&self) -> bool {
        self.is_done.load(Ordering::Relaxed)
    }

    pub(super) fn end(&self) {
        self.is_done.store(true, Ordering::Relaxed);
    }
}
