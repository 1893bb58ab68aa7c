//! Work on files and their parts, and its bounds.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

/// The bounds of the units in work and of the results that wait for an earlier one.
#[derive(Clone, Copy)]
pub(in crate::jobs) struct Bounds {
    pub(super) threads: NonZeroUsize,
    /// The most files in work or waiting.
    pub(super) window: usize,
}

impl Bounds {
    /// Files whose results may be large.
    pub(in crate::jobs) fn of_files(threads: NonZeroUsize) -> Self {
        Self { threads, window: threads.get().saturating_mul(16) }
    }

    /// Files with small results: one file may take as long as a thousand others.
    pub(in crate::jobs) fn of_small(threads: NonZeroUsize) -> Self {
        Self { threads, window: 4096 }
    }

    /// The number of files that a thread gets at once after this many were given. `left` are known
    /// to be left.
    pub(super) fn at_once(self, given: usize, left: usize) -> usize {
        let threads = self.threads.get();
        let part = |files: usize| files / (8 * threads);
        let most = part(given).min(MOST_AT_ONCE).max(part(left).min(MOST_OF_KNOWN));
        most.min(self.window / (4 * threads)).max(1)
    }

    /// The most parts of files in work or waiting.
    pub(super) fn parts(self) -> usize {
        4 * self.threads.get()
    }

    /// The bytes of parts in work or waiting from which on no more are begun.
    pub(super) fn bytes(self) -> usize {
        (self.threads.get() + 2) * PART_BYTES
    }
}

/// The most files that a thread gets at once.
const MOST_AT_ONCE: usize = 16;

/// Their number where at least as many are left for each thread. So threads are more often in
/// different directories: a system creates only one file at a time in each.
const MOST_OF_KNOWN: usize = 64;

/// The bytes of parts for each thread, and twice as many more.
const PART_BYTES: usize = 2 << 20;

/// The work on files and their parts, in any thread.
pub(in crate::jobs) trait Work<'p>: Sync {
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
pub(in crate::jobs) enum Outcome<'p, T, U> {
    /// The result.
    Done(T),
    /// The file is divided.
    Parts(Parts<'p, U>),
}

/// The parts of a file, in order. An iterator of parts that ends early ends the file.
pub(in crate::jobs) struct Parts<'p, U> {
    pub(in crate::jobs) parts: Box<dyn Iterator<Item = U> + Send + 'p>,
    /// True if one part is read after another, which takes time.
    pub(super) is_stream: bool,
}

impl<'p, U> Parts<'p, U> {
    /// Parts that are cheap to list, such as ranges.
    pub(in crate::jobs) fn listed(parts: impl Iterator<Item = U> + Send + 'p) -> Self {
        Self { parts: Box::new(parts), is_stream: false }
    }

    /// Parts of a stream, which one thread at a time reads.
    pub(in crate::jobs) fn of_stream(parts: impl Iterator<Item = U> + Send + 'p) -> Self {
        Self { parts: Box::new(parts), is_stream: true }
    }
}

/// The turn of a unit: when all results of earlier units were taken.
pub(in crate::jobs) struct Turn<'t, T> {
    pub(super) has_come: &'t dyn Fn() -> bool,
    pub(super) pass: &'t mut dyn FnMut(Option<T>) -> ControlFlow<()>,
}

impl<T> Turn<'_, T> {
    /// Returns true if nothing has to wait.
    pub(in crate::jobs) fn has_come(&self) -> bool {
        (self.has_come)()
    }

    /// Waits for the turn. Breaks if nothing more is taken.
    pub(in crate::jobs) fn wait(&mut self) -> ControlFlow<()> {
        (self.pass)(None)
    }

    /// Does work whose results count only if `is_right` returns true in the turn. Otherwise no
    /// result of it is passed.
    pub(in crate::jobs) fn checked<R>(
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
    pub(in crate::jobs) fn pass(&mut self, result: T) -> ControlFlow<()> {
        (self.pass)(Some(result))
    }
}
