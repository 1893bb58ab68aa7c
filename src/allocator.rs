//! Limits the memory that the allocator of the system keeps.
//!
//! The allocator of glibc returns large blocks to the system, but raises the size from which on
//! they are large, up to 32 MiB, as large blocks are freed. Then each thread keeps the blocks that
//! it freed: for a web archive with pages of 20 MiB in four threads, 158 MB instead of 68 MB. Fixed
//! sizes prevent this.

/// The size in bytes from which on blocks are returned when they are freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 1 << 20;

/// The free bytes at the end of the heap from which on they are returned. With 1 MiB, the buffers of
/// a mailbox come new from the system each time, which takes a fifth of the processor time.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MOST_KEPT: libc::c_int = 4 << 20;

/// Fixes the sizes. Has no effect on allocators other than that of glibc.
pub(crate) fn limit() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[allow(unsafe_code)]
    // SAFETY: mallopt may be called at any time, and takes no pointer. If it refuses a value, the
    // default is kept.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_TRIM_THRESHOLD, MOST_KEPT);
    }
}
