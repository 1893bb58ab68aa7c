//! Work on many things at once, with the results in order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// How many results may wait for one that takes longer, for each worker. It bounds the memory.
const WINDOW_OF_JOB: NonZeroUsize = NonZeroUsize::new(16).unwrap();

/// Does `work` on each of `items` in `jobs` threads, and gives the results to `take` in the order of
/// the items. Where it breaks, no more work is begun, and what has begun is still taken. However long
/// one item takes, only a bounded number of results wait.
pub(crate) fn for_each<I, T>(
    items: I,
    jobs: NonZeroUsize,
    work: impl Fn(I::Item) -> T + Sync,
    take: impl FnMut(T) -> ControlFlow<()>,
) where
    I: Iterator + Send,
    T: Send,
{
    for_each_within(jobs.saturating_mul(WINDOW_OF_JOB), items, jobs, work, take);
}

/// The same where no more than `window` items are worked on or wait.
pub(crate) fn for_each_within<I, T>(
    window: NonZeroUsize,
    items: I,
    jobs: NonZeroUsize,
    work: impl Fn(I::Item) -> T + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) where
    I: Iterator + Send,
    T: Send,
{
    let jobs = jobs.min(window).get();
    if jobs == 1 {
        let mut items = items;
        let _: ControlFlow<()> = items.try_for_each(|item| take(work(item)));
        return;
    }
    let queue = Queue {
        items: Mutex::new((items, 0)),
        state: Mutex::new(State {
            ready: BTreeMap::new(),
            taken: 0,
            workers: jobs,
            waiting: 0,
            stopped: false,
        }),
        room: Condvar::new(),
        next_is_ready: Condvar::new(),
        window: window.get(),
    };
    thread::scope(|scope| {
        for _ in 0..jobs {
            let (queue, work) = (&queue, &work);
            scope.spawn(move || {
                let _leave = Leave(queue);
                while let Some((number, item)) = queue.next() {
                    queue.put(number, work(item));
                }
            });
        }
        let _stop = Stop(&queue);
        while let Some(results) = queue.ready() {
            for result in results {
                let is_break = take(result).is_break();
                queue.taken(is_break);
            }
        }
    });
}

struct Queue<I, T> {
    /// The items left, and how many were given. Waiting for one keeps nobody from telling what was taken.
    items: Mutex<(I, usize)>,
    state: Mutex<State<T>>,
    /// Something was taken, or nothing more is.
    room: Condvar,
    /// The result that is next in order is there, or never will be.
    next_is_ready: Condvar,
    window: usize,
}

struct State<T> {
    /// The results that wait, by their numbers.
    ready: BTreeMap<usize, T>,
    taken: usize,
    /// How many threads are at work.
    workers: usize,
    /// How many of them wait for room. To wake nobody would cost as much as to wake somebody.
    waiting: usize,
    stopped: bool,
}

impl<I: Iterator, T> Queue<I, T> {
    fn next(&self) -> Option<(usize, I::Item)> {
        let mut items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        let (items, given) = &mut *items;
        let mut state = self.state();
        state.waiting += 1;
        let far_ahead =
            |state: &mut State<T>| !state.stopped && *given - state.taken >= self.window;
        let state = self.room.wait_while(state, far_ahead);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        let stopped = state.stopped;
        drop(state);
        if stopped {
            return None;
        }
        let item = items.next()?;
        *given += 1;
        Some((*given - 1, item))
    }
}

impl<I, T> Queue<I, T> {
    /// Puts a result where it waits for its turn.
    fn put(&self, number: usize, result: T) {
        let mut state = self.state();
        let is_next = number == state.taken;
        state.ready.insert(number, result);
        drop(state);
        if is_next {
            self.next_is_ready.notify_one();
        }
    }

    /// The results whose turn it is, as soon as there is one; none once all were taken.
    fn ready(&self) -> Option<Vec<T>> {
        let is_to_come = |state: &mut State<T>| {
            let is_ready = state.ready.contains_key(&state.taken);
            !is_ready && state.workers > 0
        };
        let state = self.next_is_ready.wait_while(self.state(), is_to_come);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        let mut results = Vec::new();
        let next = state.taken;
        while let Some(result) = state.ready.remove(&(next + results.len())) {
            results.push(result);
        }
        (!results.is_empty()).then_some(results)
    }

    /// Notes that a result was taken, and whether nothing more is to be begun.
    fn taken(&self, stop: bool) {
        let mut state = self.state();
        state.taken += 1;
        state.stopped |= stop;
        let is_awaited = state.waiting > 0;
        drop(state);
        if is_awaited {
            self.room.notify_all();
        }
    }

    fn stop(&self) {
        self.state().stopped = true;
        self.room.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Without what a thread that panicked was to give or take the others would wait for ever.
struct Stop<'q, I, T>(&'q Queue<I, T>);

impl<I, T> Drop for Stop<'_, I, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// A thread at work, which leaves when this goes.
struct Leave<'q, I, T>(&'q Queue<I, T>);

impl<I, T> Drop for Leave<'_, I, T> {
    fn drop(&mut self) {
        let _stop = Stop(self.0);
        self.0.state().workers -= 1;
        self.0.next_is_ready.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs(count: usize) -> NonZeroUsize {
        NonZeroUsize::new(count).unwrap()
    }

    #[test]
    fn results_come_in_order_whatever_they_take() {
        for count in [1, 2, 7] {
            let mut taken = Vec::new();
            let slow_first = |item: usize| {
                if item.is_multiple_of(50) {
                    thread::sleep(std::time::Duration::from_millis(2));
                }
                item * 2
            };
            for_each(0..500, jobs(count), slow_first, |result| {
                taken.push(result);
                ControlFlow::Continue(())
            });
            assert!(taken.into_iter().eq((0..500).map(|item| item * 2)));
        }
    }

    #[test]
    fn a_break_ends_an_endless_run() {
        for count in [1, 3] {
            let mut taken = 0;
            for_each(
                0..,
                jobs(count),
                |item: u64| item,
                |item| {
                    taken += 1;
                    if item == 9 {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                },
            );
            assert!(
                (10..=10 + count * WINDOW_OF_JOB.get()).contains(&taken),
                "{taken}"
            );
        }
    }

    #[test]
    fn a_panic_is_passed_on() {
        let run = || {
            for_each(
                0..1000,
                jobs(2),
                |item| assert_ne!(item, 3),
                |()| ControlFlow::Continue(()),
            )
        };
        assert!(std::panic::catch_unwind(run).is_err());
    }
}
