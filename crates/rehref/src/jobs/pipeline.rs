//! Parallel work on the items of one stream, with the results in order.
//!
//! To read an item takes long here: a file is read, or inflated. One thread reads at a time, while
//! the others work on what was read.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The most items that are read and not begun. Without any, a thread would wait for each item that
/// takes long to read.
const READ_AHEAD: usize = 2;

/// The most results that wait for an earlier one.
const RESULTS_WAITING: usize = 2;

/// The bytes of the items in work or waiting from which on no more are read: these, and as many for
/// each thread. The next item may be of any size.
const MOST_HELD: usize = 1 << 20;

/// Runs `work` on each of `items` in `threads` threads, and passes the results to `take` in the
/// order of the items.
///
/// `size` is the number of bytes of an item. While the items in work or waiting are large, no more
/// are read. After `take` breaks, no more items are begun and no more results are taken. The
/// calling thread works too.
pub(super) fn for_each<I, T>(
    items: I,
    threads: NonZeroUsize,
    size: impl Fn(&I::Item) -> usize + Sync,
    work: impl Fn(I::Item) -> T + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()> + Send,
) where
    I: Iterator + Send,
    I::Item: Send,
    T: Send,
{
    let threads = threads.get();
    if threads == 1 {
        let mut items = items;
        let _: ControlFlow<()> = items.try_for_each(|item| take(work(item)));
        return;
    }
    let pipeline = Pipeline {
        state: Mutex::new(State {
            items: Some(items),
            read: VecDeque::new(),
            results: VecDeque::new(),
            count: 0,
            held: 0,
            take: Some(take),
            is_reading: false,
            is_stopped: false,
        }),
        changed: Condvar::new(),
        threads,
    };
    let run = || {
        let _stop = StopOnPanic(&pipeline);
        while let Some(step) = pipeline.next_step() {
            match step {
                Step::Read(mut items) => {
                    let item = items.next();
                    let sized = item.map(|item| (size(&item), item));
                    pipeline.update(|state| state.was_read(items, sized));
                }
                Step::Work(number, size, item) => {
                    let result = work(item);
                    pipeline.update(|state| state.was_done(number, size, result));
                }
                Step::Take(size, result, mut take) => {
                    let flow = take(result);
                    pipeline.update(|state| state.was_taken(size, take, flow));
                }
            }
        }
    };
    thread::scope(|scope| {
        let run = &run;
        // If the system refuses a thread, fewer do the work.
        let start = |_: &usize| thread::Builder::new().spawn_scoped(scope, run).is_ok();
        let _: usize = (1..threads).take_while(start).count();
        run();
    });
}

struct Pipeline<I: Iterator, T, F> {
    state: Mutex<State<I, T, F>>,
    /// Signaled when the state has changed. Items are large, so this is rare.
    changed: Condvar,
    threads: usize,
}

struct State<I: Iterator, T, F> {
    /// `None` while a thread reads, and after the end.
    items: Option<I>,
    is_reading: bool,
    /// The items that were not begun, with their numbers and sizes.
    read: VecDeque<(usize, usize, I::Item)>,
    /// The results that were not taken, with the sizes of their items. `None` for an item in work.
    results: VecDeque<Option<(usize, T)>>,
    /// The number of items read.
    count: usize,
    /// The size of the items that were read and whose results were not taken.
    held: usize,
    /// `None` while a thread uses it.
    take: Option<F>,
    is_stopped: bool,
}

/// What a thread does next.
enum Step<I: Iterator, T, F> {
    Read(I),
    Work(usize, usize, I::Item),
    Take(usize, T, F),
}

impl<I: Iterator, T, F> Pipeline<I, T, F> {
    /// Waits for something to do. `None` at the end.
    fn next_step(&self) -> Option<Step<I, T, F>> {
        let mut state = self.state();
        loop {
            if state.is_stopped {
                return None;
            }
            if let Some(step) = state.step(self.threads) {
                return Some(step);
            }
            let is_ended = state.items.is_none() && !state.is_reading;
            if is_ended && state.read.is_empty() {
                return None;
            }
            let changed = self.changed.wait(state);
            state = changed.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn update(&self, change: impl FnOnce(&mut State<I, T, F>)) {
        change(&mut self.state());
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State<I, T, F>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<I: Iterator, T, F> State<I, T, F> {
    /// The first of: a result is taken, an item is read, an item is worked on.
    fn step(&mut self, threads: usize) -> Option<Step<I, T, F>> {
        if let Some(Some(_)) = self.results.front()
            && let Some(take) = self.take.take()
        {
            let (size, result) = self.results.pop_front().flatten()?;
            return Some(Step::Take(size, result, take));
        }
        let begun = self.results.len() + usize::from(self.take.is_none());
        let has_room = self.read.len() < READ_AHEAD
            && begun < threads + READ_AHEAD + RESULTS_WAITING
            && self.held < (threads + 1) * MOST_HELD;
        if has_room && let Some(items) = self.items.take() {
            self.is_reading = true;
            return Some(Step::Read(items));
        }
        let (number, size, item) = self.read.pop_front()?;
        Some(Step::Work(number, size, item))
    }

    fn was_read(&mut self, items: I, item: Option<(usize, I::Item)>) {
        self.is_reading = false;
        let Some((size, item)) = item else {
            return;
        };
        self.items = Some(items);
        self.read.push_back((self.count, size, item));
        self.results.push_back(None);
        self.count += 1;
        self.held += size;
    }

    fn was_done(&mut self, number: usize, size: usize, result: T) {
        // A result in `take` is not in `results`.
        let first = self.count - self.results.len();
        self.results[number - first] = Some((size, result));
    }

    fn was_taken(&mut self, size: usize, take: F, flow: ControlFlow<()>) {
        self.take = Some(take);
        self.held -= size;
        self.is_stopped |= flow.is_break();
    }
}

/// Stops the pipeline if a thread panics. Otherwise the other threads would wait for its result
/// forever.
struct StopOnPanic<'p, I: Iterator, T, F>(&'p Pipeline<I, T, F>);

impl<I: Iterator, T, F> Drop for StopOnPanic<'_, I, T, F> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.update(|state| state.is_stopped = true);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::{Duration, Instant};

    use super::*;

    fn threads(count: usize) -> NonZeroUsize {
        NonZeroUsize::new(count).unwrap()
    }

    #[test]
    fn results_come_in_order_of_items() {
        for count in [1, 2, 7] {
            let mut taken = Vec::new();
            let slow = |item: usize| {
                if item.is_multiple_of(50) {
                    thread::sleep(Duration::from_millis(2));
                }
                item * 2
            };
            for_each(
                0..500,
                threads(count),
                |_| 1,
                slow,
                |result| {
                    taken.push(result);
                    ControlFlow::Continue(())
                },
            );
            assert!(taken.into_iter().eq((0..500).map(|item| item * 2)));
        }
    }

    #[test]
    fn nothing_is_taken_after_a_break() {
        for count in [1, 3] {
            let mut taken = 0;
            for_each(
                0..,
                threads(count),
                |_| 1,
                |item: u64| item,
                |item| {
                    taken += 1;
                    match item {
                        9 => ControlFlow::Break(()),
                        _ => ControlFlow::Continue(()),
                    }
                },
            );
            assert_eq!(taken, 10);
        }
    }

    #[test]
    fn few_items_are_held_and_large_ones_alone() {
        for (size, most) in [(1, 4 + READ_AHEAD + RESULTS_WAITING), (64 << 20, 1)] {
            let held = AtomicUsize::new(0);
            let items = (0..200).inspect(|_| {
                assert!(held.fetch_add(1, Ordering::Relaxed) < most);
            });
            let work = |item| thread::sleep(Duration::from_micros(item));
            for_each(
                items,
                threads(4),
                |_| size,
                work,
                |()| {
                    held.fetch_sub(1, Ordering::Relaxed);
                    ControlFlow::Continue(())
                },
            );
        }
    }

    #[test]
    fn a_thread_reads_while_the_others_work() {
        // Each item is begun only when two more were read.
        let start = Instant::now();
        let count = AtomicUsize::new(0);
        let items = (0..100).inspect(|_| {
            count.fetch_add(1, Ordering::Relaxed);
        });
        let work = |item: usize| {
            while count.load(Ordering::Relaxed) < (item + 2).min(100) {
                assert!(start.elapsed() < Duration::from_secs(60), "no thread reads");
                thread::yield_now();
            }
        };
        let mut taken = 0;
        for_each(
            items,
            threads(2),
            |_| 1,
            work,
            |()| {
                taken += 1;
                ControlFlow::Continue(())
            },
        );
        assert_eq!(taken, 100);
    }

    #[test]
    fn panic_of_a_worker_propagates() {
        let run = || {
            let work = |item| assert_ne!(item, 3);
            for_each(0..1000, threads(2), |_| 1, work, |()| ControlFlow::Continue(()))
        };
        assert!(std::panic::catch_unwind(run).is_err());
    }
}
