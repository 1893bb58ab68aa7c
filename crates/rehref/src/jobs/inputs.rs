//! The documents of a run, and how they are read.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use crate::error::Error;
use crate::fs::{
    Content, Item, ReadOptions, WalkOptions, items_of_list, max_document, max_threads,
};

/// The documents of a run, and how they are read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Inputs {
    /// Files, directories, slices of files and standard input, in the order of the output.
    pub items: Vec<Item>,
    /// The files of directories that are read.
    pub walk: WalkOptions,
    /// The options for reading documents.
    pub read: ReadOptions,
    /// The number of documents in work at a time. See [`threads`].
    pub threads: NonZeroUsize,
}

impl Default for Inputs {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            walk: WalkOptions::default(),
            read: ReadOptions { max_document: max_document(), ..ReadOptions::default() },
            threads: threads(None),
        }
    }
}

impl Inputs {
    /// Adds a path as the command line has it: a file, a directory, `-` or `PATH#OFFSET,LENGTH`.
    pub fn add_argument(&mut self, argument: impl AsRef<OsStr>) {
        self.items.push(Item::from_argument(argument.as_ref()));
    }

    /// Adds the paths in a list, which is a file or `-` for standard input: separated by NUL if it
    /// has any, else one per line. Each is as in [`add_argument`](Self::add_argument).
    ///
    /// # Errors
    /// If the list cannot be read.
    pub fn add_list(&mut self, list: impl AsRef<OsStr>) -> Result<(), Error> {
        let paths = items_of_list(list.as_ref())?;
        paths.iter().for_each(|path| self.add_argument(path));
        Ok(())
    }

    /// Adds a file or directory.
    pub fn add_path(&mut self, path: impl AsRef<Path>) {
        self.items.push(Item::Path(path.as_ref().to_owned()));
    }
}

/// The most threads of a run. More only cost memory.
const MAX_THREADS: NonZeroUsize = NonZeroUsize::new(256).unwrap();

/// The open files of a thread at most: the document, its directory, the replacement, and one for a
/// look-up.
const FILES_OF_THREAD: usize = 4;

/// The open files of the rest of the program: standard streams, walks, directories of the output, a
/// journal.
const OTHER_FILES: usize = 24;

/// Returns the number of threads for a run: `wanted` or one per processor, within the limits of the
/// system for threads and open files.
pub fn threads(wanted: Option<NonZeroUsize>) -> NonZeroUsize {
    let threads = wanted.unwrap_or_else(processors).min(MAX_THREADS);
    let threads = threads.min(max_threads());
    let files = max_open_files().map(|files| files.saturating_sub(OTHER_FILES) / FILES_OF_THREAD);
    files
        .map_or(threads, |files| threads.min(NonZeroUsize::new(files).unwrap_or(NonZeroUsize::MIN)))
}

/// The number of processors for this process. It is queried once: the system may read several files
/// for it.
fn processors() -> NonZeroUsize {
    static PROCESSORS: OnceLock<NonZeroUsize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
}

/// The number of files that this process may have open, if the system limits it.
#[cfg(unix)]
fn max_open_files() -> Option<usize> {
    use rustix::process::{Resource, getrlimit};
    let limit = getrlimit(Resource::Nofile).current?;
    usize::try_from(limit).ok()
}

#[cfg(not(unix))]
fn max_open_files() -> Option<usize> {
    None
}

/// The size in bytes from which on documents are processed one at a time. So their memory does not
/// grow with threads.
const LARGE: u64 = 32 << 20;

/// Waits until no other large document is in work if one of this length is large. The guard ends
/// the turn.
pub(super) fn turn(len: Option<u64>, options: &ReadOptions) -> Option<MutexGuard<'static, ()>> {
    static TURN: Mutex<()> = Mutex::new(());
    is_large(len, options).then(|| TURN.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Returns true if a document of this length is processed when no other large one is.
pub(super) fn is_large(len: Option<u64>, options: &ReadOptions) -> bool {
    let large = LARGE.min(options.max_document / 8);
    len.is_some_and(|len| len > large)
}

/// A document in work.
pub(super) struct InWork {
    pub(super) content: Content,
    /// The metadata of its file.
    pub(super) metadata: Option<Metadata>,
    /// Ends its turn.
    pub(super) turn: Option<MutexGuard<'static, ()>>,
}

/// Reads an item in its turn: see [`turn`].
///
/// # Errors
/// Those of [`ReadOptions::read`].
pub(super) fn read_in_turn(item: &Item, options: &ReadOptions) -> Result<InWork, Error> {
    let opened = item.open()?;
    let turn = turn(opened.byte_len(), options);
    Ok(InWork { metadata: opened.metadata().cloned(), content: options.read_open(opened)?, turn })
}
