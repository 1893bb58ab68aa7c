//! Memory that the lexers of a thread use one after another: small pages would take as long to get it as to be read.

use std::cell::Cell;

use super::fast_path::Memory;
use super::token::Attribute;

/// The number of attributes that memory is kept for: a hostile tag may have millions.
const MOST_KEPT: usize = 256;

/// The memory of a lexer. Its content does not matter.
#[derive(Default)]
pub(super) struct Scratch {
    /// The memory of marks.
    pub(super) memory: Option<Box<Memory>>,
    pub(super) attributes: Vec<Attribute>,
}

thread_local! {
    static SPARE: Cell<Option<Scratch>> = const { Cell::new(None) };
}

impl Scratch {
    /// The memory of the last lexer of this thread, if there was one.
    pub(super) fn take() -> Self {
        let spare = SPARE.try_with(Cell::take).ok().flatten();
        spare.unwrap_or_default()
    }

    /// Keeps the memory for the next lexer of this thread.
    pub(super) fn keep(mut self) {
        self.attributes.clear();
        self.attributes.shrink_to(MOST_KEPT);
        // It is freed instead where the thread ends.
        let _ = SPARE.try_with(|spare| spare.set(Some(self)));
    }
}
