//! The inflating function of libdeflate, in C. It has no interface for pieces of a stream.
//!
//! No safe crate returns the compressed length of a stream, which is needed to find the next
//! member. So this is the only `unsafe` of the library, behind a feature. Measured with an archive
//! of pages, 362 MB in 199,279 members: inflating them at 930 MB/s, in place of 487 MB/s by
//! zlib-rs, both with checksums; `rehref extract -c -j1` takes 0.83 of the processor time.

#![allow(unsafe_code)]

use std::ptr::NonNull;

use libdeflate_sys as c;

/// A decompressor, with its tables.
pub(super) struct Decompressor(NonNull<c::libdeflate_decompressor>);

// SAFETY: it is an allocation that only its owner uses. No function of libdeflate depends on the
// thread.
unsafe impl Send for Decompressor {}

/// The lengths of a stream.
pub(super) struct Lengths {
    pub(super) compressed: usize,
    pub(super) inflated: usize,
}

impl Decompressor {
    /// Allocates a decompressor. `None` without memory.
    pub(super) fn new() -> Option<Self> {
        // SAFETY: the function has no conditions. It returns null without memory.
        let decompressor = unsafe { c::libdeflate_alloc_decompressor() };
        NonNull::new(decompressor).map(Self)
    }

    /// Inflates the stream at the beginning of `bytes`. `None` if it is invalid, has no end in
    /// `bytes`, or does not fit `room`, whose content is not specified then.
    pub(super) fn inflate(&mut self, bytes: &[u8], room: &mut [u8]) -> Option<Lengths> {
        let (mut compressed, mut inflated) = (0, 0);
        // SAFETY: the pointers and lengths are those of slices, which exist during the call. The
        // function reads the first and writes the second within these lengths, and writes the
        // numbers. Nothing else uses the decompressor meanwhile.
        let result = unsafe {
            c::libdeflate_deflate_decompress_ex(
                self.0.as_ptr(),
                bytes.as_ptr().cast(),
                bytes.len(),
                room.as_mut_ptr().cast(),
                room.len(),
                &raw mut compressed,
                &raw mut inflated,
            )
        };
        (result == c::libdeflate_result_LIBDEFLATE_SUCCESS)
            .then_some(Lengths { compressed, inflated })
    }
}

impl Drop for Decompressor {
    fn drop(&mut self) {
        // SAFETY: the pointer is of an allocated decompressor, and is not used afterwards.
        unsafe { c::libdeflate_free_decompressor(self.0.as_ptr()) }
    }
}
