//! Compressed data.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

/// The bytes as one member of gzip.
pub(crate) fn gzip(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes.as_ref()).expect("memory can be written");
    encoder.finish().expect("memory can be written")
}
