//! Parallel work with the results in order.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

/// The bounds of the items in work and of the results that wait for an earlier one.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    threads: NonZeroUsize,
    /// The most items in work or waiting.
    window: usize,
    /// The bytes of the items in work or waiting from which on no more are read. The next item may
    /// be of any size.
    bytes: Option<usize>,
}

impl Bounds {
    /// Items such as files, whose results may be large.
    pub(super) fn of_files(threads: NonZeroUsize) -> Self {
        Self { threads, window: threads.get().saturating_mul(16), bytes: None }
    }

    /// Items with small results: one file may take as long as a thousand others.
    pub(super) fn of_small(threads: NonZeroUsize) -> Self {
        Self { threads, window: 4096, bytes: None }
    }

    /// Parts of one stream. To read one takes long, and its bytes are held until its result is
    /// taken.
    pub(super) fn of_parts(threads: NonZeroUsize) -> Self {
        let count = threads.get();
        Self { threads, window: count + 4, bytes: Some((count + 1) << 20) }
    }

    /// The number of items that a thread gets at once after this many were given. `left` are known
    /// to be left.
    fn at_once(self, given: usize, left: usize) -> usize {
        let threads = self.threads.get();
        let part = |items: usize| items / (8 * threads);
        let most = part(given).min(MOST_AT_ONCE).max(part(left).min(MOST_OF_KNOWN));
        most.min(self.window / (4 * threads)).max(1)
    }
}

/// The most items that a thread gets at once.
const MOST_AT_ONCE: usize = 16;

/// The most items that a thread gets at once if many are known to be left. With larger groups,
/// threads are more often in different directories: a system creates only one file at a time in
/// each.
const MOST_OF_KNOWN: usize = 64;

/// Runs `work` on each of `items` in threads and passes the results to `take` in the order of the
/// items.
///
/// After `take` breaks, no more items are begun; the results of items already begun are still
/// taken, which may not be all up to the last of them. Only a bounded number of results wait,
/// however long one item takes.
///
/// One thread at a time gets items from the iterator, while the others work. The thread with the
/// next result in order takes it and the waiting results after it. Waking another thread for that
/// would cost more than most results do. For the same reason, a thread gets several items at once
/// where there are many: a thread that waits for the next item sleeps for longer than a small file
/// takes. No thread gets more than a small part of the items so far, so at the end the others do
/// not wait long for it. The calling thread works too.
pub(super) fn for_each<I, T>(
    bounds: Bounds,
    items: I,
    work: impl Fn(I::Item) -> T + Sync,
    take: impl FnMut(T) -> ControlFlow<()> + Send,
) where
    I: Iterator + Send,
    I::Item: Send,
    T: Send,
{
    for_each_in_turns(bounds, items, |_| 0, |item, _| work(item), take);
}

/// The turn of an item: when all results of earlier items were taken.
pub(super) struct Turn<'t, T> {
    has_come: &'t dyn Fn() -> bool,
    pass: &'t mut dyn FnMut(Option<T>) -> ControlFlow<()>,
}

impl<T> Turn<'_, T> {
    /// Returns true if nothing has to wait.
    pub(super) fn has_come(&self) -> bool {
        (self.has_come)()
    }

    /// Waits for the turn. Breaks if nothing more is taken.
    pub(super) fn wait(&mut self) -> ControlFlow<()> {
        (self.pass)(None)
    }

    /// Waits for the turn, and passes a result to `take`. Breaks if nothing more is taken.
    pub(super) fn pass(&mut self, result: T) -> ControlFlow<()> {
        (self.pass)(Some(result))
    }
}

/// Like [`for_each`], where `size` is the number of bytes of an item, and where the work on an item
/// may have several results: it passes all but the last one to its [`Turn`]. Of parts of a stream,
/// one more thread reads ahead.
pub(super) fn for_each_in_turns<I, T>(
    bounds: Bounds,
    items: I,
    size: impl Fn(&I::Item) -> usize + Sync,
    work: impl Fn(I::Item, &mut Turn<'_, T>) -> T + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()> + Send,
) where
    I: Iterator + Send,
    I::Item: Send,
    T: Send,
{
    let threads = bounds.threads.get();
    if threads == 1 {
        let mut items = items;
        let _: ControlFlow<()> = items.try_for_each(|item| {
            let mut flow = ControlFlow::Continue(());
            let mut pass = |result: Option<T>| {
                if flow.is_continue()
                    && let Some(result) = result
                {
                    flow = take(result);
                }
                flow
            };
            let result = work(item, &mut Turn { has_come: &|| true, pass: &mut pass });
            flow?;
            take(result)
        });
        return;
    }
    let queue = Queue {
        source: Mutex::new(Source { items, given: 0, sizes: VecDeque::new() }),
        size,
        state: Mutex::new(State {
            ready: VecDeque::new(),
            spare: Vec::new(),
            take: Some(take),
            waiting: 0,
        }),
        taken: AtomicUsize::new(0),
        is_stopped: AtomicBool::new(false),
        room: Condvar::new(),
        bounds,
    };
    let (sender, receiver) = mpsc::channel();
    // Parts of a stream come from the thread that reads it.
    let receiver = Mutex::new(bounds.bytes.map(|_| receiver));
    let next_items = |items: &mut Vec<I::Item>| {
        let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(receiver) = &*receiver else {
            drop(receiver);
            return queue.next(items);
        };
        let (first, item) = receiver.recv().ok()?;
        items.push(item);
        Some(first)
    };
    let run = |mut next: Option<usize>, mut items: Vec<I::Item>| {
        let _stop = StopOnPanic(&queue);
        let mut results = Vec::new();
        while let Some(mut first) = next {
            for item in items.drain(..) {
                if queue.is_stopped() {
                    results.push(None);
                    continue;
                }
                let number = first + results.len();
                let mut held = None;
                let result = work(
                    item,
                    &mut Turn {
                        has_come: &|| queue.taken.load(Ordering::Acquire) == number,
                        pass: &mut |result| {
                            if held.is_none() {
                                // The results before it must not wait for it.
                                results = queue.put(first, std::mem::take(&mut results));
                                first = number;
                                held = queue.wait_for_turn(number);
                            }
                            queue.pass(&mut held, result)
                        },
                    },
                );
                match held {
                    None => results.push(Some(result)),
                    Some(take) => {
                        queue.end_turn(number, take, result);
                        first = number + 1;
                    }
                }
            }
            results = queue.put(first, results);
            next = next_items(&mut items);
        }
    };
    thread::scope(|scope| {
        let queue = &queue;
        let read_ahead = move || {
            let _stop = StopOnPanic(queue);
            let mut items = Vec::new();
            while let Some(first) = queue.next(&mut items) {
                for (at, item) in items.drain(..).enumerate() {
                    // If nothing receives it, the run ends.
                    let _: Result<(), _> = sender.send((first + at, item));
                }
            }
        };
        // If the system refuses a thread, the others do its work.
        let start = || thread::Builder::new().spawn_scoped(scope, read_ahead);
        if bounds.bytes.is_some() && start().is_err() {
            *receiver.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
        let mut items = Vec::new();
        let first = next_items(&mut items);
        // Without items there is no work for a thread.
        let others = if first.is_some() { threads - 1 } else { 0 };
        let (run, next_items) = (&run, &next_items);
        let start = |_: &usize| {
            let run = || {
                let mut items = Vec::new();
                run(next_items(&mut items), items);
            };
            thread::Builder::new().spawn_scoped(scope, run).is_ok()
        };
        let _: usize = (0..others).take_while(start).count();
        run(first, items);
    });
}

struct Queue<I, S, T, F> {
    /// Has its own lock: waiting for an item must not block `take`.
    source: Mutex<Source<I>>,
    size: S,
    state: Mutex<State<T, F>>,
    /// The number of results taken. Changes with `state` locked.
    taken: AtomicUsize,
    /// True if no more items are to be begun.
    is_stopped: AtomicBool,
    /// Signaled when a result was taken, and when no more will be.
    room: Condvar,
    bounds: Bounds,
}

struct Source<I> {
    /// The items left.
    items: I,
    /// The number of items given.
    given: usize,
    /// The sizes of the last items given, if their bytes are bounded.
    sizes: VecDeque<usize>,
}

struct State<T, F> {
    /// The waiting results in runs, in order, with the number of the first. `None` for an item that
    /// was not begun.
    ready: VecDeque<(usize, Vec<Option<T>>)>,
    /// Vectors of results that were taken, which are used again. To free what another thread has
    /// allocated, an allocator may have to wait for that thread.
    spare: Vec<Vec<Option<T>>>,
    /// The receiver of results. `None` while a thread uses it.
    take: Option<F>,
    /// The number of threads that wait for room. A notification costs the same without a waiting
    /// thread.
    waiting: usize,
}

impl<I: Iterator, S: Fn(&I::Item) -> usize, T, F> Queue<I, S, T, F> {
    /// Gets the next items. Returns the number of the first one, or `None` at the end.
    fn next(&self, next: &mut Vec<I::Item>) -> Option<usize> {
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        let source = &mut *source;
        if self.room_for(source) == 0 {
            let mut state = self.state();
            state.waiting += 1;
            let is_full = |_: &mut State<T, F>| !self.is_stopped() && self.room_for(source) == 0;
            let state = self.room.wait_while(state, is_full);
            state.unwrap_or_else(PoisonError::into_inner).waiting -= 1;
        }
        if self.is_stopped() {
            return None;
        }
        let count = self.bounds.at_once(source.given, source.items.size_hint().0);
        let count = count.min(self.room_for(source));
        next.extend(source.items.by_ref().take(count));
        if self.bounds.bytes.is_some() {
            source.sizes.extend(next.iter().map(&self.size));
        }
        let first = source.given;
        source.given += next.len();
        (!next.is_empty()).then_some(first)
    }

    /// The number of items that may be begun.
    fn room_for(&self, source: &mut Source<I>) -> usize {
        let held = source.given - self.taken.load(Ordering::Acquire);
        if let Some(bytes) = self.bounds.bytes {
            source.sizes.drain(..source.sizes.len() - held);
            if source.sizes.iter().sum::<usize>() >= bytes {
                return 0;
            }
        }
        self.bounds.window - held
    }
}

impl<I, S, T, F: FnMut(T) -> ControlFlow<()>> Queue<I, S, T, F> {
    /// Adds the results of a run of items, then takes all results that are next in order unless
    /// another thread does. Returns a vector for other results.
    fn put(&self, first: usize, results: Vec<Option<T>>) -> Vec<Option<T>> {
        if results.is_empty() {
            return results;
        }
        let mut state = self.state();
        let at = state.ready.partition_point(|(it, _)| *it < first);
        state.ready.insert(at, (first, results));
        self.take_ready(state).spare.pop().unwrap_or_default()
    }

    /// Waits until all results before this one were taken. Returns the receiver, or `None` if
    /// nothing more is taken.
    fn wait_for_turn(&self, number: usize) -> Option<F> {
        let mut state = self.state();
        state.waiting += 1;
        let is_early = |state: &mut State<T, F>| {
            let is_next = self.taken.load(Ordering::Acquire) == number && state.take.is_some();
            !self.is_stopped() && !is_next
        };
        let waited = self.room.wait_while(state, is_early);
        state = waited.unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        match self.is_stopped() {
            true => None,
            false => state.take.take(),
        }
    }

    /// Passes a result to the receiver of a turn.
    fn pass(&self, held: &mut Option<F>, result: Option<T>) -> ControlFlow<()> {
        if let Some(take) = held
            && !self.is_stopped()
        {
            if result.is_some_and(|result| take(result).is_break()) {
                self.is_stopped.store(true, Ordering::Release);
            } else {
                return ControlFlow::Continue(());
            }
        }
        ControlFlow::Break(())
    }

    /// Passes the last result of a turn, and all results that are next in order.
    fn end_turn(&self, number: usize, take: F, result: T) {
        let mut held = Some(take);
        let _: ControlFlow<()> = self.pass(&mut held, Some(result));
        let mut state = self.state();
        state.take = held;
        self.taken.store(number + 1, Ordering::Release);
        if state.waiting > 0 {
            self.room.notify_all();
        }
        drop(self.take_ready(state));
    }

    /// Takes all results that are next in order unless another thread does.
    fn take_ready<'q>(
        &'q self,
        mut state: MutexGuard<'q, State<T, F>>,
    ) -> MutexGuard<'q, State<T, F>> {
        while let Some(mut take) = state.take.take() {
            let taken = self.taken.load(Ordering::Relaxed);
            let is_next = state.ready.front().is_some_and(|(it, _)| *it == taken);
            let next = is_next.then(|| state.ready.pop_front()).flatten();
            let Some((_, mut results)) = next else {
                state.take = Some(take);
                break;
            };
            drop(state);
            let count = results.len();
            for result in results.drain(..).flatten() {
                if take(result).is_break() {
                    self.is_stopped.store(true, Ordering::Release);
                }
            }
            state = self.state();
            state.take = Some(take);
            state.spare.push(results);
            self.taken.store(taken + count, Ordering::Release);
            if state.waiting > 0 {
                self.room.notify_all();
            }
        }
        state
    }
}

impl<I, S, T, F> Queue<I, S, T, F> {
    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Acquire)
    }

    fn state(&self) -> MutexGuard<'_, State<T, F>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stops the queue if a thread panics. Otherwise the other threads would wait for its result
/// forever.
struct StopOnPanic<'q, I, S, T, F>(&'q Queue<I, S, T, F>);

impl<I, S, T, F> Drop for StopOnPanic<'_, I, S, T, F> {
    fn drop(&mut self) {
        if thread::panicking() {
            let _state = self.0.state();
            self.0.is_stopped.store(true, Ordering::Release);
            self.0.room.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn files(threads: usize) -> Bounds {
        Bounds::of_files(NonZeroUsize::new(threads).unwrap())
    }

    fn parts(threads: usize) -> Bounds {
        Bounds::of_parts(NonZeroUsize::new(threads).unwrap())
    }

    #[test]
    fn results_come_in_order_of_items() {
        for count in [1, 2, 7] {
            let mut taken = Vec::new();
            let slow_first = |item: usize| {
                if item.is_multiple_of(50) {
                    thread::sleep(Duration::from_millis(2));
                }
                item * 2
            };
            for_each(files(count), 0..500, slow_first, |result| {
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
                files(count),
                0..,
                |item: u64| item,
                |item| {
                    taken += 1;
                    if item == 9 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                },
            );
            assert!((10..=10 + count * 16).contains(&taken), "{taken}");
        }
    }

    #[test]
    fn every_item_that_was_begun_is_taken_in_order_and_no_other() {
        for (count, window, last) in [(2, 64, 10), (3, 4096, 3000), (5, 4096, 999)] {
            let begun = AtomicUsize::new(0);
            let mut taken = Vec::new();
            let work = |item: usize| {
                begun.fetch_add(1, Ordering::Relaxed);
                item
            };
            for_each(Bounds { window, ..files(count) }, 0..100_000, work, |item| {
                taken.push(item);
                match item < last {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            });
            assert!(taken.is_sorted() && taken.len() > last);
            assert_eq!(taken[last], last);
            assert_eq!(taken.len(), begun.into_inner());
        }
    }

    #[test]
    fn few_items_are_shared_one_by_one() {
        let at_once = |window, given, left| Bounds { window, ..files(2) }.at_once(given, left);
        assert_eq!([0, 31, 32, 256, 9999].map(|it| at_once(4096, it, 0)), [1, 1, 2, 16, 16]);
        assert_eq!([15, 32, 999, 9999].map(|it| at_once(4096, 0, it)), [1, 2, 62, 64]);
        // A small window.
        assert_eq!(at_once(4, 9999, 0), 1);
        assert_eq!(parts(4).at_once(9999, 9999), 1);
    }

    /// Items with several results: some of them come when others wait.
    #[test]
    fn results_that_are_passed_in_turns_come_in_order() {
        for count in [1, 2, 3, 7] {
            let work = |item: usize, turn: &mut Turn<'_, (usize, usize)>| {
                let results = match item % 5 {
                    0 => item % 7,
                    _ => 0,
                };
                if item.is_multiple_of(15) {
                    assert!(turn.wait().is_continue());
                    assert!(turn.has_come());
                }
                for result in 0..results {
                    thread::sleep(Duration::from_micros(50));
                    assert!(turn.pass((item, result)).is_continue());
                }
                (item, results)
            };
            let mut taken = Vec::new();
            for_each_in_turns(
                files(count),
                0..3000,
                |_| 0,
                work,
                |result| {
                    taken.push(result);
                    ControlFlow::Continue(())
                },
            );
            assert!(taken.is_sorted(), "{count} threads");
            let all = (0..3000).map(|item| 1 + if item % 5 == 0 { item % 7 } else { 0 });
            assert_eq!(taken.len(), all.sum::<usize>());
        }
    }

    #[test]
    fn nothing_is_passed_after_a_break() {
        for count in [1, 3] {
            let work = |item: usize, turn: &mut Turn<'_, usize>| {
                if item.is_multiple_of(3) {
                    let mut flow = ControlFlow::Continue(());
                    while flow.is_continue() && item >= 30 {
                        flow = turn.pass(item);
                    }
                }
                item
            };
            let mut last = Vec::new();
            for_each_in_turns(
                files(count),
                0..100_000,
                |_| 0,
                work,
                |item| {
                    last.push(item);
                    match last.iter().filter(|it| **it == 30).count() {
                        5 => ControlFlow::Break(()),
                        _ => ControlFlow::Continue(()),
                    }
                },
            );
            assert!(last.is_sorted() && last.contains(&29));
            assert!(last.iter().filter(|it| **it == 30).count() == 5, "{count} threads");
        }
    }

    #[test]
    fn few_parts_are_held_and_large_ones_alone() {
        for (size, most) in [(1, 5 + 4), (64 << 20, 1)] {
            let held = AtomicUsize::new(0);
            let items = (0..200).inspect(|_| {
                assert!(held.fetch_add(1, Ordering::Relaxed) < most);
            });
            let work = |item, _: &mut Turn<'_, ()>| thread::sleep(Duration::from_micros(item));
            for_each_in_turns(
                parts(4),
                items,
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
    fn a_thread_reads_while_another_works() {
        // The work on an item ends only when the next one was read.
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
        for_each(parts(2), items, work, |()| {
            taken += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(taken, 100);
    }

    #[test]
    fn panic_of_worker_propagates() {
        let run = || {
            for_each(files(2), 0..1000, |item| assert_ne!(item, 3), |()| ControlFlow::Continue(()))
        };
        assert!(std::panic::catch_unwind(run).is_err());
    }
}
