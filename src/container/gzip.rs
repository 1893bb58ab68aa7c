//! Gzip (RFC 1952): decompression at once or while reading, within limits.

use std::fmt;
use std::io;

/// The first bytes of gzip data with the only defined compression method (RFC 1952, section 2.3).
pub const GZIP: [u8; 3] = [0x1F, 0x8B, 0x08];

/// An error while decompressing.
#[derive(Debug)]
pub(crate) enum InflateError {
    /// The data is damaged, or could not be read.
    Read(io::Error),
    /// The data inflates to more than a multiple of its size.
    Ratio {
        /// The limit.
        times: u64,
    },
    /// The data inflates to more than fits the memory limit.
    #[cfg(feature = "compress")]
    Length {
        /// The limit, in bytes.
        limit: u64,
    },
}

/// Recognizes the error of a reader that [`inflating`] made.
impl From<io::Error> for InflateError {
    fn from(error: io::Error) -> Self {
        match error.get_ref().and_then(|inner| inner.downcast_ref()) {
            Some(&RatioExceeded { times }) => Self::Ratio { times },
            None => Self::Read(error),
        }
    }
}

/// The error of a reader whose data inflates to more than a multiple of its size.
#[derive(Clone, Copy, Debug)]
struct RatioExceeded {
    times: u64,
}

impl fmt::Display for RatioExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "inflates to more than {} times its size", self.times)
    }
}

impl std::error::Error for RatioExceeded {}

#[cfg(not(feature = "compress"))]
pub(crate) use disabled::{inflate, inflating, peek};
#[cfg(feature = "compress")]
pub(crate) use enabled::{inflate, inflating, peek};

#[cfg(feature = "compress")]
mod enabled {
    use std::io::{self, Read};

    use flate2::read::MultiGzDecoder;

    use super::{InflateError, RatioExceeded};

    /// The size that any compressed file may inflate to, in bytes.
    const ALWAYS_ALLOWED: u64 = 16 << 20;

    /// Decompresses all members of gzip data: to at most `at_most` times its length, or [`ALWAYS_ALLOWED`] if that is
    /// more, and to at most `max_len` bytes. Returns the data up to an error, and the error.
    pub(crate) fn inflate(
        bytes: &[u8],
        at_most: u64,
        max_len: u64,
    ) -> (Vec<u8>, Option<InflateError>) {
        let by_length = ALWAYS_ALLOWED.max(at_most.saturating_mul(bytes.len() as u64));
        let limit = by_length.min(max_len);
        let mut inflated = Vec::new();
        let mut decoder = MultiGzDecoder::new(bytes).take(limit);
        let error = match decoder.read_to_end(&mut inflated) {
            Err(error) => Some(InflateError::Read(error)),
            // Data of exactly the limit is complete.
            Ok(_) if matches!(decoder.into_inner().read(&mut [0]), Ok(1..)) => {
                Some(match limit == max_len {
                    true => InflateError::Length { limit },
                    false => InflateError::Ratio { times: at_most },
                })
            }
            Ok(_) => None,
        };
        (inflated, error)
    }

    /// Decompresses the first `len` bytes of data that begins with `head`, or fewer if `head` is too short.
    pub(crate) fn peek(head: &[u8], len: usize) -> Option<Vec<u8>> {
        let mut inflated = Vec::new();
        let mut decoder = MultiGzDecoder::new(head).take(len as u64);
        // The data may be incomplete, so an error is expected.
        let _: io::Result<usize> = decoder.read_to_end(&mut inflated);
        Some(inflated).filter(|it| !it.is_empty())
    }

    /// Decompresses while reading. Fails if the output exceeds `at_most` times the input and [`ALWAYS_ALLOWED`].
    pub(crate) fn inflating<R: Read + Send + 'static>(
        reader: R,
        at_most: u64,
    ) -> Box<dyn Read + Send> {
        let counted = Counted { reader, read: 0 };
        Box::new(Inflating {
            decoder: MultiGzDecoder::new(counted),
            inflated: 0,
            at_most,
        })
    }

    struct Inflating<R> {
        decoder: MultiGzDecoder<Counted<R>>,
        inflated: u64,
        at_most: u64,
    }

    impl<R: Read> Read for Inflating<R> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let read = self.decoder.read(buffer)?;
            self.inflated += read as u64;
            let compressed = self.decoder.get_ref().read;
            let limit = ALWAYS_ALLOWED.max(self.at_most.saturating_mul(compressed));
            if self.inflated > limit {
                let times = self.at_most;
                return Err(io::Error::other(RatioExceeded { times }));
            }
            Ok(read)
        }
    }

    /// A reader that counts its bytes.
    struct Counted<R> {
        reader: R,
        read: u64,
    }

    impl<R: Read> Read for Counted<R> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let read = self.reader.read(buffer)?;
            self.read += read as u64;
            Ok(read)
        }
    }
}

#[cfg(not(feature = "compress"))]
mod disabled {
    use std::io::{self, Read};

    use super::InflateError;

    pub(crate) fn inflate(_: &[u8], _: u64, _: u64) -> (Vec<u8>, Option<InflateError>) {
        let error = io::Error::other("built without the feature `compress`");
        (Vec::new(), Some(InflateError::Read(error)))
    }

    pub(crate) fn peek(_: &[u8], _: usize) -> Option<Vec<u8>> {
        None
    }

    pub(crate) fn inflating<R: Read + Send + 'static>(reader: R, _: u64) -> Box<dyn Read + Send> {
        Box::new(reader)
    }
}
