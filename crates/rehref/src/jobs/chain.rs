//! A value that the parts of a file change in their order.

use std::array;
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError};

use super::ordered::measure;
use super::sink::lock;

/// A value that the parts of a file change in their order, such as the line at which a part begins.
pub(super) struct Chain<T> {
    state: Mutex<State<T>>,
    /// Each wakes the parts whose number has one remainder: if all were woken, all but one would
    /// wait again.
    has_come: [Condvar; CONDITIONS],
}

/// The number of condition variables: few parts wait at once.
const CONDITIONS: usize = 32;

struct State<T> {
    /// The number of the part that changes the value next.
    next: u64,
    value: T,
    /// The changes that were left, by the numbers of their parts.
    left: BTreeMap<u64, Change<T>>,
    /// True if a part ended without a change: its thread panicked.
    is_broken: bool,
}

type Change<T> = Box<dyn FnOnce(&mut T) + Send>;

/// The place of a part in a chain. Each part takes its place when it is begun.
pub(super) struct Link<'c, T> {
    chain: &'c Chain<T>,
    number: u64,
    is_passed: bool,
}

impl<T> Chain<T> {
    pub(super) fn new(value: T) -> Self {
        let state = State { next: 0, value, left: BTreeMap::new(), is_broken: false };
        Self { state: Mutex::new(state), has_come: array::from_fn(|_| Condvar::new()) }
    }

    /// Signaled when the turn of a part with this number may have come.
    fn has_come(&self, number: u64) -> &Condvar {
        &self.has_come[(number % CONDITIONS as u64) as usize]
    }

    /// The place of the part with this number, from 0.
    pub(super) fn link(&self, number: u64) -> Link<'_, T> {
        Link { chain: self, number, is_passed: false }
    }
}

impl<T> State<T> {
    /// Makes the changes that were left and whose turn has come. Returns the next part.
    fn make_left(&mut self) -> u64 {
        while let Some(left) = self.left.first_entry()
            && (self.is_broken || *left.key() == self.next)
        {
            left.remove()(&mut self.value);
            self.next += 1;
        }
        self.next
    }
}

impl<T> Link<'_, T> {
    /// Waits until the parts before this one have changed the value, and changes it.
    pub(super) fn pass<R>(mut self, change: impl FnOnce(&mut T) -> R) -> R {
        let is_early = |state: &mut State<T>| state.next < self.number && !state.is_broken;
        let has_come = self.chain.has_come(self.number);
        let state = has_come.wait_while(lock(&self.chain.state), is_early);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        let _serial = measure::serial();
        let result = change(&mut state.value);
        state.next = self.number + 1;
        self.is_passed = true;
        let next = state.make_left();
        drop(state);
        self.chain.has_come(next).notify_all();
        result
    }

    /// Leaves a change to the thread that makes the one before it. Does not wait.
    pub(super) fn leave(mut self, change: impl FnOnce(&mut T) + Send + 'static) {
        self.is_passed = true;
        let mut state = lock(&self.chain.state);
        state.left.insert(self.number, Box::new(change));
        let next = state.make_left();
        drop(state);
        self.chain.has_come(next).notify_all();
    }
}

/// The parts after one whose thread panicked must not wait forever.
impl<T> Drop for Link<'_, T> {
    fn drop(&mut self) {
        if !self.is_passed {
            let mut state = lock(&self.chain.state);
            state.is_broken = true;
            state.make_left();
            self.chain.has_come.iter().for_each(Condvar::notify_all);
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
    fn changes_that_are_left_are_made_in_the_order_of_the_parts() {
        let chain = Chain::new(Vec::new());
        for number in [2, 0, 1, 4] {
            chain.link(number).leave(move |numbers| numbers.push(number));
        }
        assert_eq!(lock(&chain.state).value, [0, 1, 2]);
        chain.link(3).pass(|numbers| numbers.push(3));
        assert_eq!(lock(&chain.state).value, [0, 1, 2, 3, 4]);
        chain.link(6).leave(|numbers| numbers.push(6));
        drop(chain.link(5));
        assert_eq!(lock(&chain.state).value, [0, 1, 2, 3, 4, 6]);
    }

    #[test]
    fn parts_do_not_wait_for_one_that_panicked() {
        let chain = Chain::new(0);
        drop(chain.link(0));
        chain.link(1).pass(|value| *value += 1);
        assert_eq!(chain.link(2).pass(|value| *value), 1);
    }
}
