//! Files for the output of a run.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::directory_of;
use super::replace::dir::Dir;
use super::replace::temporary::Temporaries;
use super::replace::{replace, sweep};
use crate::error::{Error, ErrorKind};

/// The number of bytes of an existing file that decide whether it may be replaced.
const HEAD: u64 = 1 << 10;

/// A file for the output of a run. At every moment it is missing, or wholly old or new.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    state: State,
}

/// The file at the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Missing,
    File,
    /// A device or pipe, which is written to.
    Special,
}

impl OutputFile {
    /// Looks at the path, before a long run. `may_replace` gets the first 1024 bytes of an existing
    /// file. Nothing is written.
    ///
    /// # Errors
    /// If the path is a directory, its directory does not exist, or the file may not be replaced.
    pub fn new(path: &Path, may_replace: impl FnOnce(&[u8]) -> bool) -> Result<Self, Error> {
        let read = |error| Error::new(path, ErrorKind::Read(error));
        let state = match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                return Err(Error::new(path, ErrorKind::NotAFile));
            }
            Ok(metadata) if metadata.is_file() => State::File,
            Ok(_) => State::Special,
            Err(error) if error.kind() == io::ErrorKind::NotFound => State::Missing,
            Err(error) => return Err(read(error)),
        };
        if state == State::Missing {
            let directory = directory_of(path);
            let found = Dir::open(directory).map(drop);
            found.map_err(|error| Error::new(directory, ErrorKind::Write(error)))?;
        }
        if state == State::File {
            let mut head = Vec::new();
            let file = File::open(path).map_err(read)?;
            file.take(HEAD).read_to_end(&mut head).map_err(read)?;
            if !may_replace(&head) {
                return Err(Error::new(path, ErrorKind::AlreadyExists));
            }
        }
        let path = path.to_owned();
        Ok(Self { path, state })
    }

    /// Writes the content. A file that was replaced keeps its mode.
    ///
    /// # Errors
    /// If writing fails, or another program created the file in the meantime. Then the file is
    /// unchanged.
    pub fn write(self, content: &[u8]) -> Result<(), Error> {
        let path = &self.path;
        sweep(directory_of(path));
        let refused = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => Error::new(path, ErrorKind::AlreadyExists),
            _ => Error::new(path, ErrorKind::Write(error)),
        };
        match self.state {
            State::File => replace(path, content).map(drop),
            State::Special => fs::write(path, content).map_err(refused),
            State::Missing => create(path, content).map_err(refused),
        }
    }
}

/// The mode of new files, before the umask.
const MODE: u32 = 0o666;

fn create(path: &Path, content: &[u8]) -> io::Result<()> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let directory = Arc::new(Dir::open(directory_of(path))?);
    let mut new = Temporaries::of_output().file_in(&directory, MODE)?;
    new.file.write_all(content)?;
    new.file.sync_all()?;
    new.persist_new(name)?;
    directory.sync()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Tree;

    #[test]
    fn a_file_is_replaced_only_if_its_head_allows_it() {
        let tree = Tree::empty();
        let path = tree.at("a.html");
        let of_head = |head: &[u8]| OutputFile::new(&path, |found| found == head);
        of_head(b"").unwrap().write(b"first").unwrap();
        let error = of_head(b"other").unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::AlreadyExists));
        of_head(b"first").unwrap().write(b"second").unwrap();
        assert_eq!(tree.read("a.html"), "second");
        assert_eq!(tree.count("."), 1);
    }

    #[test]
    fn a_file_that_appears_during_the_run_is_kept() {
        let tree = Tree::empty();
        let output = OutputFile::new(&tree.at("a.html"), |_| true).unwrap();
        tree.write("a.html", "theirs");
        let error = output.write(b"ours").unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::AlreadyExists));
        assert_eq!(tree.read("a.html"), "theirs");
    }

    #[test]
    fn a_missing_directory_is_found_before_the_run() {
        let tree = Tree::empty();
        assert!(OutputFile::new(&tree.at("none/a.html"), |_| true).is_err());
        assert!(OutputFile::new(tree.path(), |_| true).is_err());
    }
}
