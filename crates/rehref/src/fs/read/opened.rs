//! Files that the program reads itself.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::shared_file::{FileRange, ReadAt, SharedFile};

/// A file that the program reads itself, or a slice of it.
#[derive(Clone)]
pub struct Opened {
    /// The name in messages and records.
    name: PathBuf,
    /// The name of the file. Its extension may name the format.
    file_name: PathBuf,
    file: Arc<dyn ReadAt>,
    slice: Option<Range<u64>>,
}

impl Opened {
    /// A file with this name, which need not be a path.
    pub fn new(name: impl Into<PathBuf>, file: impl ReadAt + 'static) -> Self {
        let name = name.into();
        Self { file_name: name.clone(), name, file: Arc::new(file), slice: None }
    }

    /// The slice with this name and range.
    pub(super) fn slice(self, name: PathBuf, range: Range<u64>) -> Self {
        Self { name, slice: Some(range), ..self }
    }

    pub(super) fn name(&self) -> &Path {
        &self.name
    }

    pub(super) fn file_name(&self) -> &Path {
        &self.file_name
    }

    pub(super) fn range(&self) -> Option<&Range<u64>> {
        self.slice.as_ref()
    }

    pub(super) fn byte_len(&self) -> io::Result<u64> {
        self.file.byte_len()
    }

    /// A reader of the bytes from an offset to an end, or to the end of the file.
    pub(super) fn reader(&self, offset: u64, end: u64) -> FileRange {
        FileRange::of_program(Arc::clone(&self.file), offset, end)
    }

    /// The file as one that several threads read.
    pub(super) fn shared_file(&self) -> io::Result<SharedFile> {
        Ok(SharedFile::of_program(Arc::clone(&self.file), self.byte_len()?))
    }
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opened")
            .field("name", &self.name)
            .field("slice", &self.slice)
            .finish_non_exhaustive()
    }
}

impl PartialEq for Opened {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.slice) == (&other.name, &other.slice)
            && Arc::ptr_eq(&self.file, &other.file)
    }
}

impl Eq for Opened {}

#[cfg(test)]
mod tests {
    use std::io::{Read, Seek, SeekFrom};
    use std::sync::Mutex;

    use super::*;
    use crate::fs::{Item, Messages, ReadOptions};

    /// The lengths that were read.
    type Reads = Arc<Mutex<Vec<usize>>>;

    struct Bytes(Vec<u8>, Reads);

    impl ReadAt for Bytes {
        fn byte_len(&self) -> io::Result<u64> {
            Ok(self.0.len() as u64)
        }

        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
            let read = self.0.get(offset as usize..).unwrap_or_default().read(buffer)?;
            self.1.lock().unwrap().push(read);
            Ok(read)
        }
    }

    fn opened(bytes: &[u8]) -> (Opened, Reads) {
        let reads = Arc::default();
        (Opened::new("list.mbox", Bytes(bytes.to_vec(), Arc::clone(&reads))), reads)
    }

    #[test]
    fn a_reader_reads_growing_blocks_and_each_byte_once() {
        let bytes: Vec<u8> = (0..3_000_000_u32).map(|it| (it % 251) as u8).collect();
        let (file, reads) = opened(&bytes);
        let mut reader = file.reader(10, 2_900_000);
        let (mut read, mut piece) = (Vec::new(), [0; 1000]);
        while let Ok(len @ 1..) = reader.read(&mut piece) {
            read.extend_from_slice(&piece[..len]);
        }
        assert!(read == bytes[10..2_900_000]);
        let rest = 2_900_000 - 10 - (64 << 10) - (256 << 10) - 2 * (1 << 20);
        assert_eq!(*reads.lock().unwrap(), [64 << 10, 256 << 10, 1 << 20, 1 << 20, rest]);
    }

    #[test]
    fn a_reader_has_the_bytes_of_the_place_it_was_moved_to() {
        let bytes: Vec<u8> = (0..300_000_u32).map(|it| (it % 251) as u8).collect();
        let (file, _) = opened(&bytes);
        let mut reader = file.reader(0, u64::MAX);
        for at in [0, 70_000, 69_999, 5, 299_990, 200_000, 64 << 10] {
            reader.seek(SeekFrom::Start(at)).unwrap();
            let mut piece = [0; 10];
            reader.read_exact(&mut piece).unwrap();
            assert_eq!(piece, bytes[at as usize..at as usize + 10], "{at}");
        }
    }

    #[test]
    fn a_slice_has_the_messages_that_begin_in_it() {
        let messages =
            (0..50).map(|it| format!("From a@b Mon Jan  1 00:00:00 2024\n\nmail {it}\n\n"));
        let bytes = messages.collect::<String>().into_bytes();
        let mut found = Vec::new();
        for start in (0..bytes.len() as u64).step_by(100) {
            let item = Item::Opened(opened(&bytes).0).slice(start..start + 100);
            assert_eq!(item.name(), Path::new(&format!("list.mbox#{start},100")));
            for message in Messages::new(&item, &ReadOptions::default()).unwrap() {
                found.extend_from_slice(message.unwrap().bytes());
            }
        }
        assert!(found == bytes);
        let past = Item::Opened(opened(&bytes).0).slice(1 << 30..1 << 31);
        assert!(Messages::new(&past, &ReadOptions::default()).is_err());
    }
}
