//! Large files of every kind that is divided.

use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::texts;
use super::words::Language;
use super::{archive, mailbox};
use crate::programs;

/// A kind of large files.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// The end of the names of its files.
    extension: &'static str,
    /// The content that a file repeats.
    pub(crate) piece: Vec<u8>,
}

/// All kinds. Their files repeat about `size` bytes, compressed ones what that is compressed to.
pub(crate) fn kinds(size: usize) -> [Kind; 5] {
    let archive = archive::archive(size);
    let mut records = Vec::new();
    let read = MultiGzDecoder::new(&*archive).read_to_end(&mut records);
    read.expect("an archive that was made here");
    let kind = |name, extension, piece| Kind { name, extension, piece };
    [
        kind("text", "txt", texts::prose(Language::English, size).into_bytes()),
        kind("text of links", "txt", texts::links(size).into_bytes()),
        kind("mailbox", "mbox", mailbox::mailbox(size)),
        kind(".warc.gz", "warc.gz", archive),
        kind(".warc", "warc", records),
    ]
}

impl Kind {
    /// Writes a file of about `size` bytes to a directory. Returns its size.
    ///
    /// # Panics
    /// If it cannot be written.
    pub(crate) fn write(&self, directory: &Path, number: usize, size: usize) -> u64 {
        let path = directory.join(format!("{number}.{}", self.extension));
        programs::write_repeated(&path, &self.piece, size)
    }
}
