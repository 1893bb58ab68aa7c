//! Memory limits.

use std::num::NonZeroUsize;

/// The default limit of documents held in memory: 1 GiB. HTML, XML, style sheets and all rewritten
/// documents are held in memory. Text and mail are read as streams.
pub const MAX_DOCUMENT: u64 = 1 << 30;

/// The number of bytes of a stream from which its format and charset are detected. They apply to
/// the rest too.
pub(super) const STREAM_HEAD: usize = 1 << 20;

/// The maximum length of a file that is always read whole, in bytes. A longer one may be a stream.
pub(super) const LARGE: u64 = 16 << 20;

/// The memory that a document may need, as a multiple of its length: links take 176 bytes each,
/// edits 96, and there are records and the edited document.
const MEMORY_FACTOR: u64 = 32;

/// The longest document that fits into memory: a 32nd of the address space if that is limited
/// (`ulimit -v`), and at most [`MAX_DOCUMENT`].
pub fn max_document() -> u64 {
    match address_space() {
        Some(limit) => (limit / MEMORY_FACTOR).min(MAX_DOCUMENT),
        None => MAX_DOCUMENT,
    }
}

/// The address space of a thread, in bytes: its stack, its heap, and as much again for its data.
const THREAD_MEMORY: u64 = 128 << 20;

/// The number of threads that fit into memory: at least one.
pub fn max_threads() -> NonZeroUsize {
    let fitting = address_space().map(|limit| limit / THREAD_MEMORY);
    let fitting = fitting.and_then(|it| usize::try_from(it).ok());
    let fitting = fitting.unwrap_or(usize::MAX);
    NonZeroUsize::new(fitting).unwrap_or(NonZeroUsize::MIN)
}

#[cfg(all(unix, not(target_os = "openbsd")))]
fn address_space() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::As).current
}

#[cfg(not(all(unix, not(target_os = "openbsd"))))]
fn address_space() -> Option<u64> {
    None
}
