//! Parallel work with the results in order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The number of results per worker that may wait for an earlier one. Bounds memory.
pub(super) const WINDOW_OF_JOB: NonZeroUsize = NonZeroUsize::new(16).unwrap();

/// The number of results that may wait where they are small: one file may take as long as a thousand others.
pub(super) const WINDOW_OF_SMALL: NonZeroUsize = NonZeroUsize::new(4096).unwrap();

/// Runs `work` on each of `items` in `jobs` threads and passes the results to `take` in the order of the items.
///
/// After `take` breaks, no more items are begun; the results of items already begun are still taken. Only a bounded
/// number of results wait, however long one item takes.
///
/// The thread with the next result in order takes it and the waiting results after it. Waking another thread for that
/// would cost more than most results do.
pub(super) fn for_each<I, T>(
    items: I,
    jobs: NonZeroUsize,
    work: impl Fn(I::Item) -> T + Sync,
    take: impl FnMut(T) -> ControlFlow<()> + Send,
) where
    I: Iterator + Send,
    T: Send,
{
    for_each_within(jobs.saturating_mul(WINDOW_OF_JOB), items, jobs, work, take);
}

/// Like [`for_each`], with at most `window` items in work or waiting.
pub(super) fn for_each_within<I, T>(
    window: NonZeroUsize,
    items: I,
    jobs: NonZeroUsize,
    work: impl Fn(I::Item) -> T + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()> + Send,
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
            take: Some(take),
            taken: 0,
            waiting: 0,
            stopped: false,
        }),
        room: Condvar::new(),
        window: window.get(),
    };
    let run = || {
        let _stop = StopOnPanic(&queue);
        while let Some((number, item)) = queue.next() {
            queue.put(number, work(item));
        }
    };
    thread::scope(|scope| {
        let start = |_: &usize| thread::Builder::new().spawn_scoped(scope, run).is_ok();
        // If the system refuses a thread, fewer do the work.
        if (0..jobs).take_while(start).count() == 0 {
            run();
        }
    });
}

struct Queue<I, T, F> {
    /// The items left, and the number of items begun. Has its own lock: waiting for an item must not block `take`.
    items: Mutex<(I, usize)>,
    state: Mutex<State<T, F>>,
    /// Signaled when a result was taken, and when no more will be.
    room: Condvar,
    window: usize,
}

struct State<T, F> {
    /// The waiting results by number.
    ready: BTreeMap<usize, T>,
    /// The receiver of results. `None` while a thread uses it.
    take: Option<F>,
    taken: usize,
    /// The number of threads that wait for room. A notification costs the same without a waiting thread.
    waiting: usize,
    stopped: bool,
}

impl<I: Iterator, T, F> Queue<I, T, F> {
    fn next(&self) -> Option<(usize, I::Item)> {
        let mut items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        let (items, given) = &mut *items;
        let mut state = self.state();
        state.waiting += 1;
        let far_ahead =
            |state: &mut State<T, F>| !state.stopped && *given - state.taken >= self.window;
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

impl<I, T, F: FnMut(T) -> ControlFlow<()>> Queue<I, T, F> {
    /// Adds a result, then takes all results that are next in order unless another thread does.
    fn put(&self, number: usize, result: T) {
        let mut state = self.state();
        state.ready.insert(number, result);
        while let Some(mut take) = state.take.take() {
            let next = state.taken;
            let Some(result) = state.ready.remove(&next) else {
                state.take = Some(take);
                break;
            };
            drop(state);
            let is_break = take(result).is_break();
            state = self.state();
            state.take = Some(take);
            state.taken += 1;
            state.stopped |= is_break;
            if state.waiting > 0 {
                self.room.notify_all();
            }
        }
    }
}

impl<I, T, F> Queue<I, T, F> {
    fn state(&self) -> MutexGuard<'_, State<T, F>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stops the queue if a thread panics. Otherwise the other threads would wait for its result forever.
struct StopOnPanic<'q, I, T, F>(&'q Queue<I, T, F>);

impl<I, T, F> Drop for StopOnPanic<'_, I, T, F> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.state().stopped = true;
            self.0.room.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs(count: usize) -> NonZeroUsize {
        NonZeroUsize::new(count).unwrap()
    }

    #[test]
    fn results_come_in_order_of_items() {
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
    fn break_ends_infinite_run() {
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
    fn panic_of_worker_propagates() {
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
