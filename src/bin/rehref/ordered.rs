//! Work on many things at once, with the results in order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// How many results may wait for one that takes longer, for each worker. It bounds the memory.
const WINDOW_OF_JOB: NonZeroUsize = NonZeroUsize::new(16).unwrap();

/// How many may wait where they are small: one file may take as long as a thousand others.
pub(crate) const WINDOW_OF_SMALL: NonZeroUsize = NonZeroUsize::new(4096).unwrap();

/// Does `work` on each of `items` in `jobs` threads, and gives the results to `take` in the order of
/// the items. Where it breaks, no more work is begun, and what has begun is still taken. However long
/// one item takes, only a bounded number of results wait.
///
/// Whoever has the result that is next in order takes it, and those after it that wait: to wake another thread for
/// that would cost more than most results do.
pub(crate) fn for_each<I, T>(
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

/// The same where no more than `window` items are worked on or wait.
pub(crate) fn for_each_within<I, T>(
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
        // Where the system gives no more threads, fewer do the work.
        if (0..jobs).take_while(start).count() == 0 {
            run();
        }
    });
}

struct Queue<I, T, F> {
    /// The items left, and how many were given. Waiting for one keeps nobody from telling what was taken.
    items: Mutex<(I, usize)>,
    state: Mutex<State<T, F>>,
    /// Something was taken, or nothing more is.
    room: Condvar,
    window: usize,
}

struct State<T, F> {
    /// The results that wait, by their numbers.
    ready: BTreeMap<usize, T>,
    /// What takes them; a thread that does has it.
    take: Option<F>,
    taken: usize,
    /// How many threads wait for room. To wake nobody would cost as much as to wake somebody.
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
    /// Puts a result where it waits for its turn, and takes those whose turn it is, unless another thread does.
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

/// Without what a thread that panicked was to give or take the others would wait for ever.
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
