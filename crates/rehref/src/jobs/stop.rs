//! A token that ends a run early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A token that ends a run early, from another thread or a signal handler.
///
/// Clones share one state. Jobs look at it between documents, and inside long ones between pieces.
/// A run that writes files ends between two files, so that every file is either old or new.
///
/// ```
/// let stop = rehref::jobs::Stop::default();
/// let of_job = stop.clone();
/// stop.stop();
/// assert!(of_job.is_stopped());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends the runs that have this token.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns true after [`stop`](Self::stop).
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A token with an existing flag, such as one that a signal handler sets.
impl From<Arc<AtomicBool>> for Stop {
    fn from(flag: Arc<AtomicBool>) -> Self {
        Self(flag)
    }
}
