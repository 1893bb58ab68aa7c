//! The process of a thread. A forked process has the objects of its parent, but not its threads: it
//! would wait forever.

use std::process;

/// The message of an iterator in a forked process.
pub(crate) const FORKED: &str = "this process was forked after the iteration began, and has no part in its thread: begin again here";

/// The process in which a thread runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProcessId(u32);

impl ProcessId {
    /// The process that calls this.
    pub(crate) fn current() -> Self {
        Self(process::id())
    }

    /// Returns true if this is the process that calls.
    pub(crate) fn is_current(self) -> bool {
        self == Self::current()
    }
}
