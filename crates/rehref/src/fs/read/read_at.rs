//! Reading files that the program opened.

use std::io;

/// A file that the program reads itself: one of an object store, or in another file.
///
/// Readers ask for up to a megabyte at a time, and for following bytes where they can.
pub trait ReadAt: Send + Sync {
    /// The length in bytes. Only needed for slices and WACZ files.
    ///
    /// # Errors
    /// Those of the program.
    fn byte_len(&self) -> io::Result<u64>;

    /// Reads bytes from an offset on. Returns their number, which is 0 only at the end of the file,
    /// or if the buffer is empty.
    ///
    /// # Errors
    /// Those of the program. They are the [source](std::error::Error::source) of the error of the
    /// input.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;
}
