//! Gzip, undone: at once or as it is read, within limits.

use std::io;

use super::item::Reader;
use crate::error::ErrorKind;

/// How gzip data with the only method there is begins (RFC 1952, section 2.3).
pub const GZIP: [u8; 3] = [0x1F, 0x8B, 0x08];

/// Why something could not be read, if it was perhaps inflated.
pub(super) fn failure(error: io::Error) -> ErrorKind {
    match error.get_ref().and_then(|inner| inner.downcast_ref()) {
        Some(&TooMuch { times }) => ErrorKind::Inflates { times },
        None => ErrorKind::Read(error),
    }
}

/// Compressed data inflates to more than it may.
#[derive(Clone, Copy, Debug)]
struct TooMuch {
    times: u64,
}

impl std::fmt::Display for TooMuch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "inflates to more than {} times its size", self.times)
    }
}

impl std::error::Error for TooMuch {}

#[cfg(feature = "compress")]
pub(super) use gzip::{inflate, inflating, peek};
#[cfg(not(feature = "compress"))]
pub(super) use without::{inflate, inflating, peek};

#[cfg(feature = "compress")]
mod gzip {
    use std::io::Read;

    use flate2::read::MultiGzDecoder;

    use super::{ErrorKind, Reader, TooMuch, io};

    /// What any compressed file may inflate to, in bytes.
    const INFLATED: u64 = 16 << 20;

    /// Undoes gzip, all members of it, as far as that can be done: to at most so many times its length, and to no more
    /// than `most`.
    pub(in crate::fs::read) fn inflate(
        bytes: &[u8],
        at_most: u64,
        most: u64,
    ) -> (Vec<u8>, Option<ErrorKind>) {
        let by_length = INFLATED.max(at_most.saturating_mul(bytes.len() as u64));
        let limit = by_length.min(most);
        let mut inflated = Vec::new();
        let mut decoder = MultiGzDecoder::new(bytes).take(limit);
        let damage = match decoder.read_to_end(&mut inflated) {
            Err(error) => Some(ErrorKind::Read(error)),
            // At the limit there may be nothing more to come.
            Ok(_) if matches!(decoder.into_inner().read(&mut [0]), Ok(1..)) => {
                Some(match limit == most {
                    true => ErrorKind::InflatesTooFar { limit },
                    false => ErrorKind::Inflates { times: at_most },
                })
            }
            Ok(_) => None,
        };
        (inflated, damage)
    }

    /// The first `len` bytes of what data inflates to that begins with `head`, or as many as that tells.
    pub(in crate::fs::read) fn peek(head: &[u8], len: usize) -> Option<Vec<u8>> {
        let mut inflated = Vec::new();
        let mut decoder = MultiGzDecoder::new(head).take(len as u64);
        // What is cut off is not there to be inflated.
        let _: io::Result<usize> = decoder.read_to_end(&mut inflated);
        Some(inflated).filter(|it| !it.is_empty())
    }

    /// What inflates as it is read, and fails where that comes to more than so many times what it has read, and to
    /// more than any file may.
    pub(in crate::fs::read) fn inflating(reader: Reader, at_most: u64) -> Reader {
        let counted = Counted { reader, read: 0 };
        Box::new(Inflating {
            decoder: MultiGzDecoder::new(counted),
            inflated: 0,
            at_most,
        })
    }

    struct Inflating {
        decoder: MultiGzDecoder<Counted>,
        inflated: u64,
        at_most: u64,
    }

    impl Read for Inflating {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let read = self.decoder.read(buffer)?;
            self.inflated += read as u64;
            let compressed = self.decoder.get_ref().read;
            let limit = INFLATED.max(self.at_most.saturating_mul(compressed));
            if self.inflated > limit {
                let times = self.at_most;
                return Err(io::Error::other(TooMuch { times }));
            }
            Ok(read)
        }
    }

    /// What counts the bytes that are read.
    struct Counted {
        reader: Reader,
        read: u64,
    }

    impl Read for Counted {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let read = self.reader.read(buffer)?;
            self.read += read as u64;
            Ok(read)
        }
    }
}

#[cfg(not(feature = "compress"))]
mod without {
    use super::{ErrorKind, Reader, io};

    pub(in crate::fs::read) fn inflate(_: &[u8], _: u64, _: u64) -> (Vec<u8>, Option<ErrorKind>) {
        let error = io::Error::other("built without the feature `compress`");
        (Vec::new(), Some(ErrorKind::Read(error)))
    }

    pub(in crate::fs::read) fn peek(_: &[u8], _: usize) -> Option<Vec<u8>> {
        None
    }

    pub(in crate::fs::read) fn inflating(reader: Reader, _: u64) -> Reader {
        reader
    }
}
