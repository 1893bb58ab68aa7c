//! A value that the parts of a file hand on in their order.

use std::sync::{Condvar, Mutex, PoisonError};

use super::ordered::measure;

/// A value that the parts of a file hand on in their order, such as the line at which a part begins.
/// Every part that is begun has to [pass](Self::pass) it on, as early as it can.
pub(super) struct Chain<T> {
    /// The number of the part that has the value, and the value.
    state: Mutex<(u64, T)>,
    changed: Condvar,
}

impl<T> Chain<T> {
    pub(super) fn new(value: T) -> Self {
        Self { state: Mutex::new((0, value)), changed: Condvar::new() }
    }

    /// Waits until the parts before this one have passed the value on, changes it, and passes it on.
    pub(super) fn pass<R>(&self, number: u64, change: impl FnOnce(&mut T) -> R) -> R {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let state = self.changed.wait_while(state, |(next, _)| *next < number);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        let _serial = measure::serial();
        let result = change(&mut state.1);
        state.0 = number + 1;
        self.changed.notify_all();
        result
    }
}
