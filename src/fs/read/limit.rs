//! How much is held in memory.

use std::num::NonZeroUsize;

/// The longest document that is held in memory, in bytes, where no other limit is set: 1 GiB. Held are HTML, XML, style
/// sheets, and all that is rewritten. Text and mail are read as streams.
pub const MAX_DOCUMENT: u64 = 1 << 30;

/// The most that compressed data may inflate to where it is held in memory, in bytes: 32 MiB. A few megabytes could fill
/// the memory otherwise: each link takes 176 bytes besides. No web page is as long.
pub const MAX_INFLATED: u64 = 32 << 20;

/// The same for XML: 64 MiB. A sitemap may have 50 MB (sitemaps.org), and few links for its length.
pub const MAX_INFLATED_XML: u64 = 64 << 20;

/// How far into a stream its kind and charset are looked for, in bytes; what comes later is decoded by
/// it.
pub(super) const STREAM_HEAD: usize = 1 << 20;

/// How long a file is read whole, in bytes; a longer one may be a stream.
pub(super) const LARGE: u64 = 16 << 20;

/// How many times its own length a document may need: its links take 176 bytes each, an edit 96, and there are records
/// and the edited document.
const TIMES: u64 = 32;

/// The longest document that fits in the memory that this process may have: a 32th of its address space where that is
/// limited (`ulimit -v`), and at most [`MAX_DOCUMENT`].
pub fn max_document() -> u64 {
    match address_space() {
        Some(limit) => (limit / TIMES).min(MAX_DOCUMENT),
        None => MAX_DOCUMENT,
    }
}

/// How much address space a thread takes, in bytes: its stack, and the heap that the system's allocator reserves for it;
/// and as much again for what it works on.
const OF_THREAD: u64 = 128 << 20;

/// How many threads fit in the memory that this process may have: at least one.
pub fn max_threads() -> NonZeroUsize {
    let fitting = address_space().map(|limit| limit / OF_THREAD);
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
