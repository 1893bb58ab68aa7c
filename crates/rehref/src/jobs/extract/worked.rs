//! The results of units of work.

use std::sync::Arc;

use super::container::Container;
use super::rendered::Rendered;
use crate::jobs::ordered::Turn;

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
