//! Parallel work on files and parts of files, with the results in order.
//!
//! # Design
//!
//! - **A unit of work** is a file, or a part of one. The work on a file returns its result, or the
//!   [`Parts`] of the file, on which all threads then work ([`Work`]).
//! - **Order.** The results are taken in the order of the files, and in each file in the order of
//!   its parts. The thread with the next result takes it and the waiting results after it. Waking
//!   another thread for that would cost more than most results do.
//! - **The next unit** of a thread is a part of the first divided file that has one, else a file.
//!   So no file has to wait for another one, and a run ends soon after its last file.
//! - **Streams.** One thread at a time reads the next part of a stream, a little ahead, while the
//!   others work on parts that were read.
//! - **Bounds.** Only a bounded number of results, and of bytes of parts, wait for an earlier
//!   result, however long one unit takes.

pub(super) mod measure;
mod queue;
mod state;

use std::convert::Infallible;
use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::thread;

use self::queue::Queue;

/// The bounds of the units in work and of the results that wait for an earlier one.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    threads: NonZeroUsize,
    /// The most files in work or waiting.
    window: usize,
}

impl Bounds {
    /// Files whose results may be large.
    pub(super) fn of_files(threads: NonZeroUsize) -> Self {
        Self { threads, window: threads.get().saturating_mul(16) }
    }

    /// Files with small results: one file may take as long as a thousand others.
    pub(super) fn of_small(threads: NonZeroUsize) -> Self {
        Self { threads, window: 4096 }
    }

    /// The number of files that a thread gets at once after this many were given. `left` are known
    /// to be left.
    fn at_once(self, given: usize, left: usize) -> usize {
        let threads = self.threads.get();
        let part = |files: usize| files / (8 * threads);
        let most = part(given).min(MOST_AT_ONCE).max(part(left).min(MOST_OF_KNOWN));
        most.min(self.window / (4 * threads)).max(1)
    }

    /// The most parts of files in work or waiting.
    fn parts(self) -> usize {
        2 * self.threads.get() + 4
    }

    /// The bytes of parts in work or waiting from which on no more are begun.
    fn bytes(self) -> usize {
        (self.threads.get() + 2) * PART_BYTES
    }
}

/// The most files that a thread gets at once.
const MOST_AT_ONCE: usize = 16;

/// The same, where at least as many are left for each thread. So threads are more often in
/// different directories: a system creates only one file at a time in each.
const MOST_OF_KNOWN: usize = 64;

/// The bytes of parts for each thread, and twice as many more.
const PART_BYTES: usize = 2 << 20;

/// The work on files and their parts, in any thread.
pub(super) trait Work<'p>: Sync {
    /// A file.
    type File: Send;
    /// A part of a file.
    type Part: Send;
    /// The result of a file, or of a part.
    type Done: Send;

    /// Works on a file. It may pass all but its last result to its turn.
    fn file(
        &self,
        file: Self::File,
        turn: &mut Turn<'_, Self::Done>,
    ) -> Outcome<'p, Self::Done, Self::Part>;

    /// Works on a part. It may pass all but its last result to its turn.
    fn part(&self, part: Self::Part, turn: &mut Turn<'_, Self::Done>) -> Self::Done;

    /// The number of bytes that are held for a part until its result is taken.
    fn size(part: &Self::Part) -> usize;
}

/// The outcome of the work on a file.
pub(super) enum Outcome<'p, T, U> {
    /// The result.
    Done(T),
    /// The file is divided.
    Parts(Parts<'p, U>),
}

/// The parts of a file, in order. An iterator of parts that ends early ends the file.
pub(super) struct Parts<'p, U> {
    parts: Box<dyn Iterator<Item = U> + Send + 'p>,
    /// True if one part is read after another, which takes time.
    is_stream: bool,
}

impl<'p, U> Parts<'p, U> {
    /// Parts that are cheap to list, such as ranges.
    pub(super) fn listed(parts: impl Iterator<Item = U> + Send + 'p) -> Self {
        Self { parts: Box::new(parts), is_stream: false }
    }

    /// Parts of a stream, which one thread at a time reads.
    pub(super) fn of_stream(parts: impl Iterator<Item = U> + Send + 'p) -> Self {
        Self { parts: Box::new(parts), is_stream: true }
    }
}

/// The turn of a unit: when all results of earlier units were taken.
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

    /// Does work whose results count only if `is_right` returns true in the turn. Otherwise no
    /// result of it is passed.
    pub(super) fn checked<R>(
        &mut self,
        mut is_right: impl FnMut() -> bool,
        work: impl FnOnce(&mut Turn<'_, T>) -> R,
    ) -> R {
        let (has_come, inner) = (self.has_come, &mut *self.pass);
        let mut known = None;
        let mut pass = |result| {
            inner(None)?;
            match *known.get_or_insert_with(&mut is_right) {
                true => inner(result),
                false => ControlFlow::Break(()),
            }
        };
        work(&mut Turn { has_come, pass: &mut pass })
    }

    /// Waits for the turn, and passes a result. Breaks if nothing more is taken.
    pub(super) fn pass(&mut self, result: T) -> ControlFlow<()> {
        (self.pass)(Some(result))
    }
}

/// Works on the files in threads and passes the results to `take`, in order.
///
/// After `take` breaks, no more units are begun; the results of files already begun are still
/// taken, which may not be all up to the last of them. The calling thread works too.
pub(super) fn run<'p, W: Work<'p>>(
    bounds: Bounds,
    files: impl Iterator<Item = W::File> + Send,
    work: &W,
    mut take: impl FnMut(W::Done) -> ControlFlow<()> + Send,
) {
    let _parallel = measure::parallel();
    if bounds.threads.get() == 1 {
        let _: ControlFlow<()> = in_one_thread(files, work, &mut take);
        return;
    }
    let queue = Queue::new(bounds, files, &mut take);
    let first = queue.first();
    // Without files there is no work for a thread.
    let others = if first.is_some() { bounds.threads.get() - 1 } else { 0 };
    thread::scope(|scope| {
        let queue = &queue;
        let start = |_: &usize| {
            thread::Builder::new().spawn_scoped(scope, || queue.work(work, None)).is_ok()
        };
        // If the system refuses a thread, fewer do the work.
        let _: usize = (0..others).take_while(start).count();
        queue.work(work, first);
    });
}

/// Like [`run`], in the calling thread.
fn in_one_thread<'p, W: Work<'p>>(
    files: impl Iterator<Item = W::File>,
    work: &W,
    take: &mut dyn FnMut(W::Done) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for file in files {
        let outcome = in_turn(take, |turn| work.file(file, turn))?;
        match outcome {
            Outcome::Done(result) => take(result)?,
            Outcome::Parts(parts) => {
                for part in parts.parts {
                    let result = in_turn(take, |turn| work.part(part, turn))?;
                    take(result)?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// Does work whose turn has come. Breaks if nothing more is taken.
pub(super) fn in_turn<T, R>(
    take: &mut dyn FnMut(T) -> ControlFlow<()>,
    work: impl FnOnce(&mut Turn<'_, T>) -> R,
) -> ControlFlow<(), R> {
    let mut flow = ControlFlow::Continue(());
    let mut pass = |result: Option<T>| {
        if flow.is_continue()
            && let Some(result) = result
        {
            flow = take(result);
        }
        flow
    };
    let result = work(&mut Turn { has_come: &|| true, pass: &mut pass });
    flow?;
    ControlFlow::Continue(result)
}

/// Runs `work` on each of `files` in threads and passes the results to `take`, as [`run`] does.
pub(super) fn for_each<I, T>(
    bounds: Bounds,
    files: I,
    work: impl Fn(I::Item) -> T + Sync,
    take: impl FnMut(T) -> ControlFlow<()> + Send,
) where
    I: Iterator + Send,
    I::Item: Send,
    T: Send,
{
    run(bounds, files, &Whole(work, PhantomData), take);
}

/// Work on whole files.
struct Whole<F, I, T>(F, PhantomData<fn(I) -> T>);

impl<'p, F: Fn(I) -> T + Sync, I: Send, T: Send> Work<'p> for Whole<F, I, T> {
    type File = I;
    type Part = Infallible;
    type Done = T;

    fn file(&self, file: I, _: &mut Turn<'_, T>) -> Outcome<'p, T, Infallible> {
        Outcome::Done((self.0)(file))
    }

    fn part(&self, part: Infallible, _: &mut Turn<'_, T>) -> T {
        match part {}
    }

    fn size(part: &Infallible) -> usize {
        match *part {}
    }
}

#[cfg(test)]
mod tests;
