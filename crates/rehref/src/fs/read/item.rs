//! Inputs: files, slices of files, bytes in memory, and standard input.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::fs::Metadata;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::limit::{LARGE, MAX_DOCUMENT, STREAM_HEAD};
use super::opened::Opened;
use super::shared_file::SharedFile;
use super::standard_input::standard_input;
use crate::container::compressed::InflateError;
use crate::error::{Error, ErrorKind};
use crate::fs::paths::os_string;

/// An input, as named by an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Item {
    /// Standard input, `-`.
    Stdin,
    /// A file, or a directory to walk.
    Path(PathBuf),
    /// A slice of a file, `PATH#OFFSET,LENGTH`.
    Slice(Slice),
    /// Bytes in memory. No argument names them: programs that embed the library do.
    Memory(Memory),
    /// A file that the program reads itself. No argument names it.
    Opened(Opened),
}

/// A slice of a file. It is a document of its own; spans count from its first byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The name as given.
    pub name: PathBuf,
    /// The file.
    pub path: PathBuf,
    /// The offset of its first byte, from 0.
    pub offset: u64,
    /// The maximum length in bytes; the slice ends at the end of the file.
    pub len: u64,
}

impl Slice {
    /// The bytes of a file in this range, from 0.
    pub fn of_range(path: impl Into<PathBuf>, range: Range<u64>) -> Self {
        let path = path.into();
        let len = range.end.saturating_sub(range.start);
        let name = Self::name_of(&path, &range);
        Self { name, path, offset: range.start, len }
    }

    /// The name of a slice of a file with this name, `NAME#OFFSET,LENGTH`.
    fn name_of(name: &Path, range: &Range<u64>) -> PathBuf {
        let len = range.end.saturating_sub(range.start);
        let mut name = name.as_os_str().to_owned();
        name.push(format!("#{},{len}", range.start));
        name.into()
    }
}

/// Bytes in memory. They are read as a file with these bytes and this name would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The name in messages and records. Its extension may name the format.
    pub name: PathBuf,
    /// The bytes, compressed or not.
    pub bytes: Arc<[u8]>,
    /// The absolute URL that they were retrieved from, if it is not that of
    /// [`ReadOptions::retrieval`](super::ReadOptions::retrieval).
    pub url: Option<Arc<str>>,
}

impl Memory {
    /// Bytes with this name.
    pub fn new(name: impl Into<PathBuf>, bytes: impl Into<Arc<[u8]>>) -> Self {
        Self { name: name.into(), bytes: bytes.into(), url: None }
    }
}

impl<P: Into<PathBuf>> From<P> for Item {
    fn from(path: P) -> Self {
        Self::Path(path.into())
    }
}

impl Item {
    /// Parses an argument. `PATH#OFFSET,LENGTH` is a slice unless a file of that whole name exists.
    pub fn from_argument(argument: &OsStr) -> Self {
        if argument == "-" {
            return Self::Stdin;
        }
        let path = PathBuf::from(argument);
        let slice = argument.to_str().and_then(|text| {
            let (file, range) = text.rsplit_once('#')?;
            let (offset, len) = range.split_once(',')?;
            Some((PathBuf::from(file), parse_number(offset)?, parse_number(len)?))
        });
        match slice {
            Some((file, offset, len)) if !path.exists() => {
                Self::Slice(Slice { name: path, path: file, offset, len })
            }
            _ => Self::Path(path),
        }
    }

    /// The name in messages and records.
    pub fn name(&self) -> &Path {
        match self {
            Self::Stdin => Path::new("-"),
            Self::Path(path) => path,
            Self::Slice(slice) => &slice.name,
            Self::Memory(memory) => &memory.name,
            Self::Opened(opened) => opened.name(),
        }
    }

    /// The range of bytes of its file that is read, if it is a slice.
    pub(super) fn range(&self) -> Option<Range<u64>> {
        match self {
            Self::Slice(slice) => Some(slice.offset..slice.offset.saturating_add(slice.len)),
            Self::Opened(opened) => opened.range().cloned(),
            Self::Stdin | Self::Path(_) | Self::Memory(_) => None,
        }
    }

    /// The name without the range of a slice: that of the file, or of the input if it is not from
    /// a file.
    pub fn name_of_file(&self) -> &Path {
        match self {
            Self::Opened(opened) => opened.file_name(),
            _ => self.file().unwrap_or(self.name()),
        }
    }

    /// The messages or records that begin in this range of bytes of a file, from 0. Of other files,
    /// the bytes. Standard input and bytes in memory have no slices.
    #[must_use]
    pub fn slice(self, range: Range<u64>) -> Self {
        match self {
            Self::Path(path) => Self::Slice(Slice::of_range(path, range)),
            Self::Opened(opened) => {
                let name = Slice::name_of(opened.file_name(), &range);
                Self::Opened(opened.slice(name, range))
            }
            other => other,
        }
    }

    /// The file that contains it.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Stdin | Self::Memory(_) | Self::Opened(_) => None,
            Self::Path(path) => Some(path),
            Self::Slice(slice) => Some(&slice.path),
        }
    }

    pub(super) fn error(&self, kind: ErrorKind) -> Error {
        Error::new(self.name(), kind)
    }

    /// Reads all bytes, up to a limit.
    pub(super) fn read(&self, limit: u64) -> Result<Vec<u8>, Error> {
        self.open()?.read(limit)
    }

    /// Reads all bytes, or the first ones if the item is long or of unknown length.
    pub(super) fn read_head(&self, limit: u64) -> Result<ReadHead, Error> {
        if let Self::Memory(memory) = self
            && memory.bytes.len() <= STREAM_HEAD
        {
            return Ok(ReadHead { bytes: memory.bytes.to_vec(), rest: None, file: None });
        }
        let opened = self.open()?;
        if opened.len.is_some_and(|len| len <= LARGE.min(limit)) {
            return Ok(ReadHead { bytes: opened.read(limit)?, rest: None, file: None });
        }
        let file = match &opened.input {
            Input::File(file, len) => SharedFile::new(file, *len),
            Input::Reader(_) => None,
        };
        let mut reader = opened.input.into_reader();
        let mut head = Vec::new();
        let first = reader.by_ref().take(STREAM_HEAD as u64 + 1);
        self.reading({ first }.read_to_end(&mut head))?;
        let rest = (head.len() > STREAM_HEAD).then_some(reader);
        Ok(ReadHead { bytes: head, rest, file })
    }

    /// Reads at most the first `len` bytes of its file, or of its bytes in memory, without
    /// decompressing them.
    ///
    /// # Errors
    /// If reading fails.
    pub fn head_of_file(&self, len: usize) -> Result<Vec<u8>, Error> {
        let reader: Reader = match self {
            Self::Opened(opened) => Box::new(opened.reader(0, len as u64)),
            _ => self.open_from(0)?.0,
        };
        let mut head = Vec::new();
        self.reading(reader.take(len as u64).read_to_end(&mut head))?;
        Ok(head)
    }

    /// Opens its file at `offset`. Returns also the length of the file.
    pub(super) fn open_from(&self, offset: u64) -> Result<(Reader, u64), Error> {
        self.reading(self.open_at(offset))
    }

    /// Like [`open_from`](Self::open_from), with the error of the system.
    pub(super) fn open_at(&self, offset: u64) -> io::Result<(Reader, u64)> {
        match self {
            Self::Memory(memory) => {
                let mut reader = Cursor::new(Arc::clone(&memory.bytes));
                reader.set_position(offset);
                Ok((Box::new(reader), memory.bytes.len() as u64))
            }
            Self::Opened(opened) => {
                let len = opened.byte_len()?;
                Ok((Box::new(opened.reader(offset, len)), len))
            }
            Self::Stdin | Self::Path(_) | Self::Slice(_) => {
                let mut file = File::open(self.name_of_file())?;
                let len = file.metadata()?.len();
                file.seek(SeekFrom::Start(offset))?;
                Ok((Box::new(file), len))
            }
        }
    }

    /// Its file, if several threads can read it.
    pub(super) fn shared_file(&self) -> Result<Option<SharedFile>, Error> {
        if let Self::Opened(opened) = self {
            return self.reading(opened.shared_file()).map(Some);
        }
        let Some(path) = self.file() else {
            return Ok(None);
        };
        let file = self.reading(File::open(path))?;
        let metadata = self.reading(file.metadata())?;
        Ok(SharedFile::new(&file, metadata.len()).filter(|_| metadata.is_file()))
    }

    /// The length in bytes, if known.
    pub fn byte_len(&self) -> Option<u64> {
        if let Self::Memory(memory) = self {
            return Some(memory.bytes.len() as u64);
        }
        if let Self::Slice(slice) = self {
            let len = std::fs::metadata(&slice.path).ok()?.len();
            return Some(slice.len.min(len.saturating_sub(slice.offset)));
        }
        if let Self::Opened(opened) = self {
            // Without a slice, the length may cost as much as reading the file.
            let slice = opened.range()?;
            let len = opened.byte_len().ok()?;
            return Some(slice.end.min(len).saturating_sub(slice.start));
        }
        let metadata = std::fs::metadata(self.file()?).ok()?;
        metadata.is_file().then_some(metadata.len())
    }

    /// Reads all bytes up to a limit. `head` has been read already; `len` is the total length, if
    /// known.
    pub(super) fn read_rest(
        &self,
        head: Vec<u8>,
        reader: Reader,
        len: Option<u64>,
        limit: u64,
    ) -> Result<Vec<u8>, Error> {
        let too_long = || self.error(ErrorKind::TooLong { limit });
        if len.is_some_and(|len| len > limit) {
            return Err(too_long());
        }
        let mut bytes = head;
        let more = len.unwrap_or(0).saturating_sub(bytes.len() as u64);
        self.reserve(&mut bytes, more)?;
        // Reading up to a limit avoids a second query of the file's length.
        let left = limit.saturating_sub(bytes.len() as u64);
        let mut reader = reader.take(left.saturating_add(1));
        self.reading(reader.read_to_end(&mut bytes))?;
        match bytes.len() as u64 > limit {
            true => Err(too_long()),
            false => Ok(bytes),
        }
    }

    /// Reads all bytes of a file that was opened, up to a limit. Returns fewer bytes than `len` if
    /// the file is shorter now.
    fn read_file(&self, file: &File, len: u64, limit: u64) -> Result<Vec<u8>, Error> {
        if len > limit {
            return Err(self.error(ErrorKind::TooLong { limit }));
        }
        let mut bytes = Vec::new();
        self.reserve(&mut bytes, len)?;
        self.reading(read_into(file, &mut bytes, len))?;
        Ok(bytes)
    }

    /// Makes room for more bytes. Running out of memory is an error of this document alone.
    fn reserve(&self, bytes: &mut Vec<u8>, more: u64) -> Result<(), Error> {
        let reserved = bytes.try_reserve_exact(usize::try_from(more).unwrap_or(usize::MAX));
        self.reading(reserved.map_err(|_| io::ErrorKind::OutOfMemory.into()))
    }

    /// Opens the item.
    ///
    /// # Errors
    /// If that fails, or a slice begins past the end of its file.
    pub(crate) fn open(&self) -> Result<OpenItem<'_>, Error> {
        let path = match self {
            Self::Stdin => {
                return Ok(OpenItem {
                    item: self,
                    input: Input::Reader(Box::new(self.reading(standard_input())?)),
                    len: None,
                    metadata: None,
                });
            }
            Self::Memory(memory) => {
                let bytes = Arc::clone(&memory.bytes);
                return Ok(OpenItem {
                    item: self,
                    len: Some(bytes.len() as u64),
                    input: Input::Reader(Box::new(Cursor::new(bytes))),
                    metadata: None,
                });
            }
            Self::Opened(opened) => {
                let (reader, len) = match opened.range() {
                    None => (opened.reader(0, u64::MAX), None),
                    Some(slice) => {
                        let len = self.reading(opened.byte_len())?;
                        if slice.start > len {
                            return Err(self.error(ErrorKind::SliceStart { len }));
                        }
                        let end = slice.end.min(len);
                        let reader = opened.reader(slice.start, end);
                        (reader, Some(end.saturating_sub(slice.start)))
                    }
                };
                let input = Input::Reader(Box::new(reader));
                return Ok(OpenItem { item: self, input, len, metadata: None });
            }
            Self::Path(path) => path,
            Self::Slice(slice) => &slice.path,
        };
        let mut file = self.reading(File::open(path))?;
        let metadata = self.reading(file.metadata())?;
        let file_len = metadata.len();
        let (input, len) = match self {
            Self::Slice(slice) if slice.offset > file_len => {
                return Err(self.error(ErrorKind::SliceStart { len: file_len }));
            }
            Self::Slice(slice) => {
                self.reading(file.seek(SeekFrom::Start(slice.offset)))?;
                let len = slice.len.min(file_len - slice.offset);
                (Input::Reader(Box::new(file.take(slice.len))), Some(len))
            }
            // Files of the system have no length.
            _ if metadata.is_file() && file_len > 0 => {
                (Input::File(file, file_len), Some(file_len))
            }
            _ => {
                let len = metadata.is_file().then_some(file_len);
                (Input::Reader(Box::new(file)), len)
            }
        };
        Ok(OpenItem { item: self, input, len, metadata: Some(metadata) })
    }

    fn reading<T>(&self, result: io::Result<T>) -> Result<T, Error> {
        result.map_err(|error| self.error(ErrorKind::Read(error)))
    }
}

/// An item whose first bytes were read.
pub(super) struct ReadHead {
    pub(super) bytes: Vec<u8>,
    /// A reader of the rest. `None` if all were read.
    pub(super) rest: Option<Reader>,
    /// The file of a long item, if several threads can read it.
    pub(super) file: Option<SharedFile>,
}

/// An item that was opened.
pub(crate) struct OpenItem<'i> {
    pub(super) item: &'i Item,
    input: Input,
    len: Option<u64>,
    /// That of the file.
    metadata: Option<Metadata>,
}

impl OpenItem<'_> {
    /// The length in bytes, if known.
    pub(crate) fn byte_len(&self) -> Option<u64> {
        self.len
    }

    /// The metadata of the file. `None` for standard input, bytes in memory and files that the
    /// program reads.
    pub(crate) fn metadata(&self) -> Option<&Metadata> {
        self.metadata.as_ref()
    }

    /// Reads all bytes, up to a limit.
    pub(super) fn read(self, limit: u64) -> Result<Vec<u8>, Error> {
        let item = self.item;
        match self.input {
            Input::File(file, len) => item.read_file(&file, len, limit),
            Input::Reader(reader) => item.read_rest(Vec::new(), reader, self.len, limit),
        }
    }
}

/// The bytes of an item that was opened.
enum Input {
    /// A file of this length.
    File(File, u64),
    /// Anything else.
    Reader(Reader),
}

impl Input {
    fn into_reader(self) -> Reader {
        match self {
            Self::File(file, len) => Box::new(file.take(len)),
            Self::Reader(reader) => reader,
        }
    }
}

/// Reads the first `len` bytes of a file into the room of an empty vector, usually by one call of
/// the system. Reading ends at the length: a read that returns nothing costs as much as another
/// one.
#[cfg(unix)]
fn read_into(file: &File, bytes: &mut Vec<u8>, len: u64) -> io::Result<()> {
    use rustix::{buffer::spare_capacity, io::Errno, io::read};
    while (bytes.len() as u64) < len {
        match read(file, spare_capacity(bytes)) {
            Ok(0) => break,
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    // The room may be larger.
    bytes.truncate(usize::try_from(len).unwrap_or(usize::MAX));
    Ok(())
}

#[cfg(not(unix))]
fn read_into(file: &File, bytes: &mut Vec<u8>, len: u64) -> io::Result<()> {
    file.take(len).read_to_end(bytes).map(drop)
}

/// The kind of a reading error, perhaps of compressed data.
pub(crate) fn kind_of(error: impl Into<InflateError>) -> ErrorKind {
    match error.into() {
        InflateError::Read(error) => ErrorKind::Read(error),
        InflateError::Ratio { times } => ErrorKind::Inflates { times },
        InflateError::Damaged(compression, error) => {
            let compression = compression.as_str();
            ErrorKind::DamagedCompression { compression, error }
        }
        InflateError::Window { limit } => ErrorKind::CompressionWindow { limit },
        InflateError::Length { limit } => ErrorKind::InflatesTooFar { limit },
    }
}

/// A source of bytes.
pub(super) type Reader = Box<dyn Read + Send>;

/// Accepts only digits: `parse` accepts a sign too.
fn parse_number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// Reads a list, which is a file, or standard input for `-`.
///
/// # Errors
/// If it cannot be read.
pub fn bytes_of_list(list: &OsStr) -> Result<Vec<u8>, Error> {
    match Item::from_argument(list) {
        Item::Slice(slice) => Item::Path(slice.name).read(MAX_DOCUMENT),
        item => item.read(MAX_DOCUMENT),
    }
}

/// Reads the arguments in a list: separated by NUL if it contains any, else one per line.
///
/// # Errors
/// If the list cannot be read.
pub fn items_of_list(list: &OsStr) -> Result<Vec<OsString>, Error> {
    let bytes = bytes_of_list(list)?;
    let separator = if bytes.contains(&0) { 0 } else { b'\n' };
    let lines = bytes.split(|&byte| byte == separator);
    let lines = lines.map(|line| match separator {
        b'\n' => line.strip_suffix(b"\r").unwrap_or(line),
        _ => line,
    });
    Ok(lines.filter(|line| !line.is_empty()).map(os_string).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Tree;

    fn item(argument: &str) -> Item {
        Item::from_argument(OsStr::new(argument))
    }

    #[test]
    fn arguments_are_parsed() {
        assert_eq!(item("-"), Item::Stdin);
        assert_eq!(item("no/such"), Item::Path("no/such".into()));
        for path in ["no#1", "no#1,", "no#+1,2", "no#a,2", "no#1,-2"] {
            assert_eq!(item(path), Item::Path(path.into()));
        }
        let Item::Slice(slice) = item("no#such#10,20") else { panic!("a slice") };
        assert_eq!(slice.path, Path::new("no#such"));
        assert_eq!((slice.offset, slice.len), (10, 20));
    }

    #[test]
    fn a_file_of_the_whole_name_is_not_a_slice() {
        let tree = Tree::new(&[("a#1,2", "x")]);
        let path = tree.at("a#1,2");
        assert_eq!(Item::from_argument(path.as_os_str()), Item::Path(path));
    }

    #[test]
    fn slices_are_cut_at_the_end_of_the_file() {
        let tree = Tree::new(&[("a", "0123456789")]);
        let slice =
            |range: &str| Item::from_argument(tree.at(format!("a{range}")).as_os_str()).read(100);
        assert_eq!(slice("#3,4").unwrap(), b"3456");
        assert_eq!(slice("#8,100").unwrap(), b"89");
        assert_eq!(slice("#10,1").unwrap(), b"");
        assert!(matches!(slice("#11,1").unwrap_err().kind(), ErrorKind::SliceStart { len: 10 }));
    }

    #[test]
    fn a_file_is_read_up_to_the_length_that_it_had() {
        let tree = Tree::new(&[("a", "0123456789")]);
        let item = Item::Path(tree.at("a"));
        for (len, expected) in [(4, "0123"), (10, "0123456789"), (99, "0123456789")] {
            let file = File::open(item.name()).unwrap();
            let bytes = item.read_file(&file, len, 99).unwrap();
            assert_eq!(bytes, expected.as_bytes(), "{len}");
        }
        let file = File::open(item.name()).unwrap();
        let error = item.read_file(&file, 10, 9).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::TooLong { limit: 9 }));
    }

    #[test]
    fn list_items_end_with_nul_or_line_break() {
        let tree = Tree::empty();
        let list = |content: &str| {
            tree.write("list", content);
            items_of_list(tree.at("list").as_os_str()).unwrap()
        };
        assert_eq!(list("a\r\n\nb c\n"), ["a", "b c"]);
        assert_eq!(list("a\nb\0c\0"), ["a\nb", "c"]);
        assert!(list("").is_empty());
    }
}
