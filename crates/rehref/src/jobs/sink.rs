//! The receiver of the events of a run.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A type of events, for any lifetime.
pub(super) trait Event: 'static {
    type Of<'e>;
}

/// The receiver of a run. Worker threads render events into pieces. One thread at a time takes the
/// pieces, in order.
pub(super) struct Sink<'s, E: Event, P> {
    render: &'s (dyn Fn(E::Of<'_>, &mut P) + Sync),
    take: Mutex<&'s mut (dyn FnMut(P) -> ControlFlow<()> + Send)>,
}

impl<'s, E: Event, P: Default> Sink<'s, E, P> {
    pub(super) fn new(
        render: &'s (dyn Fn(E::Of<'_>, &mut P) + Sync),
        take: &'s mut (dyn FnMut(P) -> ControlFlow<()> + Send),
    ) -> Self {
        Self { render, take: Mutex::new(take) }
    }

    /// Renders an event into a piece.
    pub(super) fn render(&self, event: E::Of<'_>, piece: &mut P) {
        (self.render)(event, piece);
    }

    /// Delivers a piece.
    pub(super) fn take(&self, piece: P) -> ControlFlow<()> {
        lock(&self.take)(piece)
    }

    /// Does work whose events are one piece.
    pub(super) fn piece<T>(&self, work: impl FnOnce(&mut dyn FnMut(E::Of<'_>)) -> T) -> (P, T) {
        let mut piece = P::default();
        let result = work(&mut |event| self.render(event, &mut piece));
        (piece, result)
    }

    /// Delivers an event as a piece of its own.
    pub(super) fn deliver(&self, event: E::Of<'_>) -> ControlFlow<()> {
        self.take(self.piece(|render| render(event)).0)
    }

    /// Like [`deliver`](Self::deliver). A break takes effect with the next piece.
    pub(super) fn event(&self, event: E::Of<'_>) {
        let _: ControlFlow<()> = self.deliver(event);
    }
}

/// Locks a callback that gets the events of a run one at a time.
pub(super) fn lock<F>(callback: &Mutex<F>) -> MutexGuard<'_, F> {
    callback.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Receives the empty pieces of a run whose events are not rendered.
pub(super) fn no_piece((): ()) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
