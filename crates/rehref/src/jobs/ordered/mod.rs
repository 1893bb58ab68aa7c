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
//!   So no file has to wait for another one, and a run ends soon after its last file. If few parts
//!   are left, one thread opens the next file before that, since the others would wait for it.
//! - **Streams.** One thread at a time reads the next part of a stream, a little ahead, while the
//!   others work on parts that were read.
//! - **Bounds.** Only a bounded number of results, and of bytes of parts, wait for an earlier
//!   result, however long one unit takes.

pub(super) mod measure;
mod queue;
mod state;
mod work;

use std::convert::Infallible;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::thread;

use self::queue::Queue;
pub(super) use self::work::{Bounds, Outcome, Parts, Turn, Work};

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
