//! Large files of every kind that is divided.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

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
pub(crate) fn kinds(size: usize) -> impl Iterator<Item = Kind> {
    let makers: [(&str, &str, fn(usize) -> Vec<u8>); 6] = [
        ("text", "txt", |size| texts::prose(Language::English, size).into_bytes()),
        ("text of links", "txt", |size| texts::links(size).into_bytes()),
        ("mailbox", "mbox", mailbox::mailbox),
        (".warc.gz", "warc.gz", archive::archive),
        (".warc", "warc", |size| {
            let mut records = Vec::new();
            let archive = archive::archive(size);
            let read = MultiGzDecoder::new(&*archive).read_to_end(&mut records);
            read.expect("an archive that was made here");
            records
        }),
        (".wacz", "wacz", archive::archive),
    ];
    makers.into_iter().map(move |(name, extension, make)| Kind {
        name,
        extension,
        piece: make(size),
    })
}

impl Kind {
    /// Writes a file of about `size` bytes to a directory. Returns its size.
    ///
    /// # Panics
    /// If it cannot be written.
    pub(crate) fn write(&self, directory: &Path, number: usize, size: usize) -> u64 {
        let path = directory.join(format!("{number}.{}", self.extension));
        if self.extension != "wacz" {
            return programs::write_repeated(&path, &self.piece, size);
        }
        let mut zip = ZipWriter::new(File::create(&path).expect("a scratch file"));
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        let begun = zip.start_file("archive/data.warc.gz", options.large_file(true));
        begun.expect("space for scratch files");
        for _ in 0..(size / self.piece.len()).max(1) {
            zip.write_all(&self.piece).expect("space for scratch files");
        }
        let file = zip.finish().expect("space for scratch files");
        file.sync_all().expect("space for scratch files");
        fs::metadata(&path).map_or(0, |it| it.len())
    }
}
