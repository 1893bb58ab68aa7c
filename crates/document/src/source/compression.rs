//! Compressed documents, recognized by their first bytes.

use std::ffi::OsStr;
use std::path::Path;

/// A way in which a document is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compression {
    /// gzip (RFC 1952).
    Gzip,
    /// bzip2.
    Bzip2,
    /// xz.
    Xz,
    /// Zstandard (RFC 8878).
    Zstd,
}

impl Compression {
    /// Every compression.
    pub const ALL: [Self; 4] = [Self::Gzip, Self::Bzip2, Self::Xz, Self::Zstd];

    /// The compression of data that begins with these bytes.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            // With the only defined method (section 2.3.1).
            [0x1F, 0x8B, 0x08, ..] => Some(Self::Gzip),
            // The digits of pi begin a block, those of its square root end data without one.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, ..] => {
                Some(Self::Bzip2)
            }
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            // A frame, or one that decoders skip (sections 3.1.1 and 3.1.2).
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Self::Zstd),
            _ => None,
        }
    }

    /// The name for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
            Self::Zstd => "zstd",
        }
    }

    /// The extension of files, in lower case.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Gzip => "gz",
            Self::Bzip2 => "bz2",
            Self::Xz => "xz",
            Self::Zstd => "zst",
        }
    }

    /// The name without the extension of a compression, if it has one.
    pub fn stripped(name: &Path) -> &Path {
        let extension = name.extension().and_then(OsStr::to_str);
        let is_compressed = extension.is_some_and(|it| {
            let is = |known: Self| known.extension().eq_ignore_ascii_case(it);
            Self::ALL.into_iter().any(is)
        });
        let stem = name.file_stem().filter(|_| is_compressed);
        stem.map_or(name, Path::new)
    }
}
