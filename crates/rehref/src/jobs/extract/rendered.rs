//! The rendered events of a document, and the results of units of work.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::container::Container;
use super::event::ExtractTotals;
use crate::container::mail::MailLines;
use crate::jobs::ordered::Turn;

/// The rendered events of a document, or of a piece of one.
#[derive(Default)]
pub(super) struct Rendered<P> {
    pub(super) piece: P,
    pub(super) totals: ExtractTotals,
    /// The approximate size of the reported links in bytes.
    pub(super) size: usize,
    /// The part of a long piece that counts as [`Held`].
    pub(super) held: usize,
    /// True if no more pieces are taken.
    pub(super) is_over: bool,
    /// The lines of the messages in work, if positions are those in the file.
    pub(super) mail_lines: Option<MailLines>,
}

/// The size of the long pieces that wait for their turn, in bytes.
#[derive(Debug)]
pub(super) struct Held {
    size: AtomicUsize,
    /// The size from which on a document waits for its turn.
    most: usize,
}

impl Held {
    /// The size for each thread. If a thread waits for its turn, the rest of its work is done while
    /// others wait.
    const OF_THREAD: usize = 8 << 20;

    pub(super) fn of_threads(threads: NonZeroUsize) -> Self {
        let most = threads.get().saturating_mul(Self::OF_THREAD);
        Self { size: AtomicUsize::new(0), most }
    }

    /// Adds the size of a part, if there is room for it. It is then part of the piece.
    pub(super) fn keeps<P>(&self, size: usize, out: &mut Rendered<P>) -> bool {
        let keeps = self.size.fetch_add(size, Ordering::Relaxed) + size <= self.most;
        match keeps {
            true => out.held += size,
            false => drop(self.size.fetch_sub(size, Ordering::Relaxed)),
        }
        keeps
    }

    /// Subtracts the size of a piece that was taken.
    pub(super) fn taken<P>(&self, out: &Rendered<P>) {
        if out.held > 0 {
            self.size.fetch_sub(out.held, Ordering::Relaxed);
        }
    }
}

/// The result of a unit of work.
pub(super) enum Worked<'w, P> {
    /// The events of a file, or of a piece of one.
    Piece(Rendered<P>),
    /// Those of a part of a mailbox or web archive.
    Part(Arc<Container>, Rendered<P>),
    /// Work that the results before it decide.
    InTurn(Box<InTurn<'w, P>>),
}

/// Work that is done when the results before it were taken.
pub(super) type InTurn<'w, P> =
    dyn FnOnce(&mut Turn<'_, Worked<'w, P>>) -> Worked<'w, P> + Send + 'w;

/// A function that delivers a piece.
pub(super) type Flush<'f, P> = dyn FnMut(&mut Rendered<P>) + 'f;
