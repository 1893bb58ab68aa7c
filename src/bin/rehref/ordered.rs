//! Work on many things at once, with the results in order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

/// How many results may wait for one that takes longer, for each worker. It bounds the memory.
const WINDOW: usize = 16;

/// Does `work` on each of `items` in `jobs` threads, and gives the results to `take` in the order of
/// the items. Where it breaks, no more work is begun, and what has begun is still taken. However long
/// one item takes, only a bounded number of results wait.
pub(crate) fn for_each<I, T>(
    items: I,
    jobs: usize,
    work: impl Fn(I::Item) -> T + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) where
    I: Iterator + Send,
    T: Send,
{
    if jobs <= 1 {
        let mut items = items;
        let _: ControlFlow<()> = items.try_for_each(|item| take(work(item)));
        return;
    }
    let queue = Queue {
        state: Mutex::new(State {
            items,
            given: 0,
            taken: 0,
            stopped: false,
        }),
        changed: Condvar::new(),
        window: jobs * WINDOW,
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
    state: Mutex<State<I>>,
    changed: Condvar,
    window: usize,
}

struct State<I> {
    items: I,
    given: usize,
    taken: usize,
    stopped: bool,
}

impl<I: Iterator> Queue<I> {
    fn next(&self) -> Option<(usize, I::Item)> {
        let far_ahead =
            |state: &mut State<I>| !state.stopped && state.given - state.taken >= self.window;
        let state = self.changed.wait_while(self.lock(), far_ahead);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        if state.stopped {
            return None;
        }
        let item = state.items.next()?;
        state.given += 1;
        Some((state.given - 1, item))
    }
}

impl<I> Queue<I> {
    fn update(&self, change: impl FnOnce(&mut State<I>)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<I>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Without the result of a thread that panicked the others would wait for ever.
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

    #[test]
    fn results_come_in_order_whatever_they_take() {
        for jobs in [1, 2, 7] {
            let mut taken = Vec::new();
            let slow_first = |item: usize| {
                if item.is_multiple_of(50) {
                    thread::sleep(std::time::Duration::from_millis(2));
                }
                item * 2
            };
            for_each(0..500, jobs, slow_first, |result| {
                taken.push(result);
                ControlFlow::Continue(())
            });
            assert!(taken.into_iter().eq((0..500).map(|item| item * 2)));
        }
    }

    #[test]
    fn a_break_ends_an_endless_run() {
        for jobs in [1, 3] {
            let mut taken = 0;
            for_each(
                0..,
                jobs,
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
            assert!((10..=10 + jobs * WINDOW).contains(&taken), "{taken}");
        }
    }

    #[test]
    fn a_panic_is_passed_on() {
        let run = || {
            for_each(
                0..1000,
                2,
                |item| assert_ne!(item, 3),
                |()| ControlFlow::Continue(()),
            )
        };
        assert!(std::panic::catch_unwind(run).is_err());
    }
}
