//! A callback on one thread, for jobs that render on several.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A callback that gets the events of a run, one at a time.
pub(super) struct Callback<F>(Mutex<F>);

impl<F> Callback<F> {
    pub(super) fn new(each: F) -> Self {
        Self(Mutex::new(each))
    }

    /// Returns the callback, to be called once.
    pub(super) fn get(&self) -> MutexGuard<'_, F> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Receives the empty pieces of a run whose events are not rendered.
pub(super) fn no_piece((): ()) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
