//! A value that the parts of a file hand on in their order.

use std::sync::{Condvar, Mutex, PoisonError};

use super::ordered::measure;
use super::sink::lock;

/// A value that the parts of a file hand on in their order, such as the line at which a part begins.
pub(super) struct Chain<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    /// The number of the part that has the value.
    next: u64,
    value: T,
    /// True if a part ended without passing it on: its thread panicked.
    is_broken: bool,
}

/// The place of a part in a chain. Each part takes its place when it is begun.
pub(super) struct Link<'c, T> {
    chain: &'c Chain<T>,
    number: u64,
    is_passed: bool,
}

impl<T> Chain<T> {
    pub(super) fn new(value: T) -> Self {
        let state = State { next: 0, value, is_broken: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// The place of the part with this number, from 0.
    pub(super) fn link(&self, number: u64) -> Link<'_, T> {
        Link { chain: self, number, is_passed: false }
    }
}

impl<T> Link<'_, T> {
    /// Waits until the parts before this one have passed the value on, changes it, and passes it on.
    pub(super) fn pass<R>(mut self, change: impl FnOnce(&mut T) -> R) -> R {
        let Chain { state, changed } = self.chain;
        let is_early = |state: &mut State<T>| state.next < self.number && !state.is_broken;
        let state = changed.wait_while(lock(state), is_early);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        let _serial = measure::serial();
        let result = change(&mut state.value);
        state.next = self.number + 1;
        self.is_passed = true;
        changed.notify_all();
        drop(state);
        result
    }
}

/// The parts after one whose thread panicked must not wait forever.
impl<T> Drop for Link<'_, T> {
    fn drop(&mut self) {
        if !self.is_passed {
            lock(&self.chain.state).is_broken = true;
            self.chain.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_value_is_handed_on_in_the_order_of_the_parts() {
        let chain = &Chain::new(Vec::new());
        thread::scope(|scope| {
            for number in (0..20).rev() {
                scope.spawn(move || chain.link(number).pass(|numbers| numbers.push(number)));
            }
        });
        let all = chain.link(20).pass(|numbers| numbers.clone());
        assert_eq!(all, (0..20).collect::<Vec<_>>());
    }

    #[test]
    fn parts_do_not_wait_for_one_that_panicked() {
        let chain = Chain::new(0);
        drop(chain.link(0));
        chain.link(1).pass(|value| *value += 1);
        assert_eq!(chain.link(2).pass(|value| *value), 1);
    }
}
