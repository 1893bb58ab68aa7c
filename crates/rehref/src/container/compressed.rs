//! Compressed data: decompression at once or while reading, within limits.

use std::fmt;
use std::io;

use crate::source::Compression;

/// An error while decompressing.
#[derive(Debug)]
pub(crate) enum InflateError {
    /// The data could not be read.
    Read(io::Error),
    /// The data is damaged or incomplete.
    Damaged(Compression, io::Error),
    /// The data inflates to more than a multiple of its size.
    Ratio {
        /// The limit.
        times: u64,
    },
    /// The data refers back further than fits the memory limit.
    Window {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The data inflates to more than fits the memory limit.
    Length {
        /// The limit, in bytes.
        limit: u64,
    },
}

/// Recognizes the errors of the readers that [`inflating`] returns.
impl From<io::Error> for InflateError {
    fn from(error: io::Error) -> Self {
        match error.downcast::<Failure>() {
            Ok(Failure::Damaged(compression, error)) => Self::Damaged(compression, error),
            Ok(Failure::Ratio { times }) => Self::Ratio { times },
            Ok(Failure::Window { limit }) => Self::Window { limit },
            Err(error) => Self::Read(error),
        }
    }
}

/// The error of a reader that decompresses.
#[derive(Debug)]
pub(super) enum Failure {
    Damaged(Compression, io::Error),
    Ratio { times: u64 },
    Window { limit: u64 },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(compression, error) => write!(f, "{}: {error}", compression.as_str()),
            Self::Ratio { times } => write!(f, "inflates to more than {times} times its size"),
            Self::Window { limit } => write!(f, "a window of more than {limit} bytes"),
        }
    }
}

impl std::error::Error for Failure {}

pub(crate) use enabled::{inflate, inflating, peek};

mod enabled {
    use std::io::{self, BufReader, Read};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use bzip2::bufread::MultiBzDecoder;
    use flate2::bufread::MultiGzDecoder;
    use lzma_rust2::XzReader;

    use super::{Failure, InflateError};
    use crate::container::zstd::{self, ZstdReader};
    use crate::source::Compression;

    /// The size that any compressed file may inflate to, in bytes.
    const ALWAYS_ALLOWED: u64 = 16 << 20;

    /// The maximum window of a decoder: the distance that data may refer back, which is held in
    /// memory. `xz -9` and `zstd -19` use less, `zstd` refuses more without an option.
    const MAX_WINDOW: u64 = 128 << 20;

    /// The memory that a decoder of xz needs in addition to its window, in KiB.
    const XZ_OVERHEAD: u32 = 1 << 10;

    /// Decompresses all members of compressed data: to at most `at_most` times its length, or
    /// [`ALWAYS_ALLOWED`] if that is more, and to at most `max_len` bytes. Returns the data up to
    /// an error, and the error.
    pub(crate) fn inflate(
        compression: Compression,
        bytes: &[u8],
        at_most: u64,
        max_len: u64,
    ) -> (Vec<u8>, Option<InflateError>) {
        let by_length = ALWAYS_ALLOWED.max(at_most.saturating_mul(bytes.len() as u64));
        let limit = by_length.min(max_len);
        let mut inflated = Vec::new();
        let mut decoder = Decoder::new(compression, bytes).take(limit);
        let error = match decoder.read_to_end(&mut inflated) {
            Err(error) => Some(error.into()),
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

    /// Decompresses the first `len` bytes of data that begins with `head`, or fewer if `head` is
    /// too short.
    pub(crate) fn peek(compression: Compression, head: &[u8], len: usize) -> Option<Vec<u8>> {
        let mut inflated = Vec::new();
        let mut decoder = Decoder::new(compression, head).take(len as u64);
        // The data may be incomplete, so an error is expected.
        let _: io::Result<usize> = decoder.read_to_end(&mut inflated);
        Some(inflated).filter(|it| !it.is_empty())
    }

    /// Decompresses while reading. Fails if the output exceeds `at_most` times the input and
    /// [`ALWAYS_ALLOWED`].
    pub(crate) fn inflating<R: Read + Send + 'static>(
        compression: Compression,
        reader: R,
        at_most: u64,
    ) -> Box<dyn Read + Send> {
        let read = Arc::new(AtomicU64::new(0));
        let counted = Counted { reader, read: Arc::clone(&read) };
        Box::new(Inflating {
            decoder: Decoder::new(compression, counted),
            read,
            inflated: 0,
            at_most,
        })
    }

    /// Decompresses all members of compressed data.
    struct Decoder<'r> {
        compression: Compression,
        reader: Box<dyn Read + Send + 'r>,
    }

    impl<'r> Decoder<'r> {
        fn new(compression: Compression, reader: impl Read + Send + 'r) -> Self {
            let reader = BufReader::new(reader);
            let window_in_kib = (MAX_WINDOW >> 10) as u32;
            let reader: Box<dyn Read + Send + 'r> = match compression {
                Compression::Gzip => Box::new(MultiGzDecoder::new(reader)),
                Compression::Bzip2 => Box::new(MultiBzDecoder::new(reader)),
                Compression::Xz => {
                    Box::new(XzReader::new_mem_limit(reader, true, window_in_kib + XZ_OVERHEAD))
                }
                Compression::Zstd => Box::new(ZstdReader::new(reader, MAX_WINDOW)),
            };
            Self { compression, reader }
        }
    }

    impl Read for Decoder<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.reader.read(buffer).map_err(|error| {
                let is_out_of_memory = error.kind() == io::ErrorKind::OutOfMemory;
                let failure = match self.compression {
                    // The system failed, not the decoder.
                    _ if error.raw_os_error().is_some() => return error,
                    _ if error.kind() == io::ErrorKind::Interrupted => return error,
                    Compression::Xz if is_out_of_memory => Failure::Window { limit: MAX_WINDOW },
                    Compression::Zstd if zstd::is_window_error(&error) => {
                        Failure::Window { limit: MAX_WINDOW }
                    }
                    compression => Failure::Damaged(compression, error),
                };
                io::Error::other(failure)
            })
        }
    }

    struct Inflating {
        decoder: Decoder<'static>,
        /// The number of compressed bytes read.
        read: Arc<AtomicU64>,
        inflated: u64,
        at_most: u64,
    }

    impl Read for Inflating {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let read = self.decoder.read(buffer)?;
            self.inflated += read as u64;
            let compressed = self.read.load(Ordering::Relaxed);
            let limit = ALWAYS_ALLOWED.max(self.at_most.saturating_mul(compressed));
            if self.inflated > limit {
                let times = self.at_most;
                return Err(io::Error::other(Failure::Ratio { times }));
            }
            Ok(read)
        }
    }

    /// A reader that counts its bytes.
    struct Counted<R> {
        reader: R,
        read: Arc<AtomicU64>,
    }

    impl<R: Read> Read for Counted<R> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let read = self.reader.read(buffer)?;
            self.read.fetch_add(read as u64, Ordering::Relaxed);
            Ok(read)
        }
    }
}
