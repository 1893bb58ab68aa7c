//! The flaws of an archive.

use std::fmt;

use super::MAX_HEAD;

/// A flaw of an archive, at an offset of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The offset in the archive file of the member or record, from 0.
    pub offset: u64,
    /// The kind of the flaw.
    pub kind: FlawKind,
}

/// A kind of [`Flaw`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FlawKind {
    /// The file has no byte.
    Empty,
    /// The file is not a web archive: it has no record.
    NoRecord,
    /// Bytes that are not part of a record were skipped.
    Junk,
    /// A gzip member or zstd frame is damaged. Records after it are read.
    DamagedMember,
    /// The file ends within a gzip member or zstd frame.
    TruncatedMember,
    /// The checksum of a gzip member or zstd frame is wrong. Its records are read, but may be
    /// damaged.
    Checksum,
    /// The dictionary for zstd frames is damaged.
    Dictionary,
    /// `Content-Length` is missing or wrong. The record ends before the next one.
    Length,
    /// The file ends, or is damaged, within a record.
    TruncatedRecord,
    /// The head of a record is longer than [`MAX_HEAD`]. The record is skipped.
    LongHead,
    /// The block of a record is longer than the limit. The rest of it is skipped.
    LongBlock {
        /// The limit, in bytes.
        limit: usize,
    },
    /// A file in a WACZ has the name of an archive, but is not below `archive/`. It is not read.
    Misplaced,
}

impl FlawKind {
    /// Returns true if records or parts of them were not read.
    pub fn is_loss(self) -> bool {
        !matches!(self, Self::Junk | Self::Length | Self::Misplaced)
    }
}

impl fmt::Display for FlawKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the archive is empty: 0 bytes"),
            Self::NoRecord => write!(f, "not a web archive: no record found"),
            Self::Junk => write!(f, "bytes outside of records were skipped"),
            Self::DamagedMember => {
                write!(f, "damaged compressed data; reading continues at the next record")
            }
            Self::TruncatedMember => write!(f, "the archive is truncated in compressed data"),
            Self::Checksum => write!(f, "wrong checksum: the record may be damaged"),
            Self::Dictionary => write!(f, "damaged or unsupported zstd dictionary"),
            Self::Length => {
                write!(f, "missing or wrong Content-Length; used the next record's start")
            }
            Self::TruncatedRecord => write!(f, "the record is truncated"),
            Self::LongHead => write!(f, "the record's header is longer than {MAX_HEAD} bytes"),
            Self::Misplaced => write!(f, "not below archive/ in the WACZ: not read"),
            Self::LongBlock { limit } => {
                write!(f, "the record is longer than {limit} bytes: the rest was not read")
            }
        }
    }
}
