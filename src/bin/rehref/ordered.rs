//! Work on many things at once, with the results in order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
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
            taken: 0,
            stopped: false,
        }),
        changed: Condvar::new(),
        window: window.get(),
    };
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs {
            let (queue, work, send) = (&queue, &work, send.clone());
            scope.spawn(move || {
                let _stop = StopOnPanic(queue);
                while let Some((number, item)) = queue.next() {
                    if send.send((number, work(item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let _stop = StopOnPanic(&queue);
        let mut early = BTreeMap::new();
        let mut expected = 0;
        for (number, result) in receive {
            early.insert(number, result);
            while let Some(result) = early.remove(&expected) {
                expected += 1;
                queue.update(|state| state.taken = expected);
                if take(result).is_break() {
                    queue.update(|state| state.stopped = true);
                }
            }
        }
    });
}

struct Queue<I> {
    /// The items left, and how many were given. Waiting for one keeps nobody from telling what was taken.
    items: Mutex<(I, usize)>,
    state: Mutex<State>,
    changed: Condvar,
    window: usize,
}

struct State {
    taken: usize,
    stopped: bool,
}

impl<I: Iterator> Queue<I> {
    fn next(&self) -> Option<(usize, I::Item)> {
        let mut items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        let (items, given) = &mut *items;
        let far_ahead = |state: &mut State| !state.stopped && *given - state.taken >= self.window;
        let state = self.changed.wait_while(self.state(), far_ahead);
        let stopped = state.unwrap_or_else(PoisonError::into_inner).stopped;
        if stopped {
            return None;
        }
        let item = items.next()?;
        *given += 1;
        Some((*given - 1, item))
    }
}

impl<I> Queue<I> {
    fn update(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Without what a thread that panicked was to give or take the others would wait for ever.
struct StopOnPanic<'q, I>(&'q Queue<I>);

impl<I> Drop for StopOnPanic<'_, I> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.update(|state| state.stopped = true);
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
