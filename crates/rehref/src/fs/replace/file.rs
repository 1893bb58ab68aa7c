//! Replacing the content of one file.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::attributes::keep;
use super::dir::Dir;
use super::stamp::Access;
use super::temporary::{Temporaries, Temporary};
use crate::error::{Error, ErrorKind};
use crate::fs::directory_of;
use crate::fs::pieces::write_pieces;

/// The side effects of replacing a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The number of other hard links of the old file, which keep the old content.
    pub links: u64,
    /// True if some extended attributes of the old file, such as its access control list, could not
    /// be copied.
    pub is_stripped: bool,
}

/// Replaces the content of a file. Keeps its mode, its owner and, on Linux, its extended
/// attributes. Follows symbolic links. The new content is synced to disk.
///
/// # Errors
/// If writing fails, the file is write-protected, or its owner cannot be kept. The file is then
/// unchanged.
pub fn replace(path: &Path, content: &[u8]) -> Result<Replaced, Error> {
    let refused = |error| Error::new(path, ErrorKind::Write(error));
    let place = Place::of_file(path).map_err(refused)?;
    let old = match place.dir.file(&place.name, Access::Read) {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
            return Err(Error::new(&place.path, ErrorKind::NotAFile));
        }
        other => other.map_err(refused)?,
    };
    let metadata = old.metadata().map_err(refused)?;
    if metadata.permissions().readonly() {
        return Err(Error::new(&place.path, ErrorKind::ReadOnly));
    }
    let written = || -> io::Result<Replaced> {
        let temporaries = Temporaries::of_output();
        let (file, replaced) =
            prepared(&temporaries, &place.dir, [content], (&old, &metadata), None)?;
        file.persist(&place.name)?;
        place.dir.sync()?;
        Ok(replaced)
    };
    written().map_err(|error| Error::new(path, NotKept::kind_of(error)))
}

/// Removes the temporary files in a directory that a process left, killed while it replaced files.
pub(crate) fn sweep(directory: &Path) {
    if let Ok(dir) = Dir::open(directory) {
        Temporaries::of_output().sweep(&dir);
    }
}

/// Backs up a file under its name with this suffix. An existing backup is kept, so that the backup
/// is always the oldest content. Follows symbolic links, as [`replace`] does.
///
/// # Errors
/// If writing fails.
pub fn back_up(path: &Path, suffix: &str) -> Result<(), Error> {
    let refused = |error| Error::new(path, ErrorKind::Write(error));
    let place = Place::of_file(path).map_err(refused)?;
    let backup = Place {
        dir: place.dir.clone(),
        name: with_suffix(&place.name, suffix),
        path: backup_of(&place.path, suffix),
    };
    keep_old(&Temporaries::of_output(), &place, &backup, true).map_err(refused)
}

/// A name in an open directory.
#[derive(Clone, Debug)]
pub(in crate::fs) struct Place {
    pub(in crate::fs) dir: Arc<Dir>,
    pub(in crate::fs) name: OsString,
    /// The path in messages.
    pub(in crate::fs) path: PathBuf,
}

impl Place {
    /// The place of an existing file, with symbolic links followed.
    fn of_file(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize()?;
        let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        Ok(Self {
            dir: Arc::new(Dir::open_real(directory_of(&path))?),
            name: name.to_owned(),
            path,
        })
    }

    /// Returns true if the name exists, even as a broken symbolic link.
    pub(in crate::fs) fn exists(&self) -> bool {
        self.dir.has(&self.name)
    }

    /// The content of a regular file of this length. `None` for any other file.
    pub(in crate::fs) fn content_of(&self, len: u64) -> io::Result<Option<Vec<u8>>> {
        use super::stamp::Kind;
        match self.dir.stamp_of(&self.name)? {
            Some(stamp) if stamp.kind == Kind::File && stamp.len == len => {}
            _ => return Ok(None),
        }
        let mut content = Vec::new();
        let mut file = self.dir.file(&self.name, Access::Read)?;
        io::Read::read_to_end(&mut file, &mut content)?;
        Ok(Some(content))
    }
}

/// The path of the backup of a file.
pub(in crate::fs) fn backup_of(path: &Path, suffix: &str) -> PathBuf {
    with_suffix(path.as_os_str(), suffix).into()
}

fn with_suffix(name: &OsStr, suffix: &str) -> OsString {
    let mut name = name.to_owned();
    name.push(suffix);
    name
}

/// Backs up a file, without following symbolic links, and syncs the backup to disk, so that it
/// exists before the file is replaced. `is_replaced` if it will be a new file; otherwise it is
/// written in place.
pub(in crate::fs) fn keep_old(
    temporaries: &Temporaries,
    place: &Place,
    backup: &Place,
    is_replaced: bool,
) -> io::Result<()> {
    let link = || match is_replaced {
        true => place.dir.link(&place.name, &backup.dir, &backup.name),
        // The link would get the new content.
        false if backup.exists() => Err(io::ErrorKind::AlreadyExists.into()),
        false => Err(io::ErrorKind::Unsupported.into()),
    };
    // A hard link: the file gets a second name, and loses the first when it is replaced.
    match link() {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(()),
        Err(_) => {
            // Some file systems have no hard links.
            let mut old = place.dir.file(&place.name, Access::Read)?;
            let metadata = old.metadata()?;
            let mut copy = temporaries.file_in(&backup.dir, PRIVATE)?;
            io::copy(&mut old, &mut copy.file)?;
            copy.file.set_permissions(metadata.permissions())?;
            copy.file.set_modified(metadata.modified()?)?;
            copy.file.sync_all()?;
            match copy.persist_new(&backup.name) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
    }
    backup.dir.sync()
}

/// The mode of temporary files: readable by the owner only.
const PRIVATE: u32 = 0o600;

/// Writes the new content of a file, in pieces, to a temporary file in its directory, synced to
/// disk, with the mode, owner and attributes of the old file, and this modification time, if given.
/// It is deleted unless it replaces the file.
pub(in crate::fs) fn prepared<'c>(
    temporaries: &Temporaries,
    dir: &Arc<Dir>,
    content: impl IntoIterator<Item = &'c [u8]>,
    (old, like): (&File, &Metadata),
    modified: Option<SystemTime>,
) -> io::Result<(Temporary, Replaced)> {
    let mut new = temporaries.file_in(dir, PRIVATE)?;
    write_pieces(content, usize::MAX, &mut new.file)?;
    Owner::of(like).give(&new.file)?;
    // Before the mode, whose meaning depends on an access control list.
    let has_all = keep(old, &new.file);
    new.file.set_permissions(like.permissions())?;
    modified.map_or(Ok(()), |time| new.file.set_modified(time))?;
    new.file.sync_all()?;
    let replaced = Replaced { links: other_links(like), is_stripped: !has_all };
    Ok((new, replaced))
}

/// The owner and group of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::fs) struct Owner {
    pub(in crate::fs) user: u32,
    pub(in crate::fs) group: u32,
}

#[cfg(unix)]
impl Owner {
    pub(in crate::fs) fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self { user: metadata.uid(), group: metadata.gid() }
    }

    /// The owner that new files of this process mostly have.
    pub(in crate::fs) fn of_process() -> Self {
        use rustix::process::{getegid, geteuid};
        Self { user: geteuid().as_raw(), group: getegid().as_raw() }
    }

    /// Changes the owner and group of a file, unless they are right already.
    pub(in crate::fs) fn give(self, file: &File) -> io::Result<()> {
        if Self::of(&file.metadata()?) == self {
            return Ok(());
        }
        let given = std::os::unix::fs::fchown(file, Some(self.user), Some(self.group));
        given.map_err(|error| match error.kind() {
            io::ErrorKind::PermissionDenied => self.not_kept(),
            _ => error,
        })
    }
}

/// Systems without such owners.
#[cfg(not(unix))]
impl Owner {
    pub(in crate::fs) fn of(_: &Metadata) -> Self {
        Self { user: 0, group: 0 }
    }

    pub(in crate::fs) fn of_process() -> Self {
        Self { user: 0, group: 0 }
    }

    pub(in crate::fs) fn give(self, _: &File) -> io::Result<()> {
        Ok(())
    }
}

impl Owner {
    /// The error of a file that cannot be replaced, since the new file would have another owner.
    pub(in crate::fs) fn not_kept(self) -> io::Error {
        io::Error::new(io::ErrorKind::PermissionDenied, NotKept(self))
    }
}

/// A new file would have another owner than the one that it replaces.
#[derive(Debug)]
struct NotKept(Owner);

impl NotKept {
    /// The kind of an error of writing.
    fn kind_of(error: io::Error) -> ErrorKind {
        let inner = error.get_ref().and_then(|it| it.downcast_ref());
        match inner {
            Some(&Self(Owner { user, group })) => ErrorKind::OwnerNotKept { user, group },
            None => ErrorKind::Write(error),
        }
    }
}

impl fmt::Display for NotKept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Owner { user, group } = self.0;
        write!(f, "its owner (uid {user}, gid {group}) cannot be kept")
    }
}

impl std::error::Error for NotKept {}

#[cfg(unix)]
pub(in crate::fs) fn other_links(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata).saturating_sub(1)
}

#[cfg(not(unix))]
pub(in crate::fs) fn other_links(_: &Metadata) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Tree;
    use std::fs;

    #[test]
    fn a_replaced_file_keeps_its_mode_and_leaves_nothing_behind() {
        let tree = Tree::new(&[("a", "old")]);
        let path = tree.at("a");
        #[cfg(unix)]
        tree.set_mode("a", 0o640);
        let before = fs::metadata(&path).unwrap().permissions();
        replace(&path, b"new").unwrap();
        assert_eq!(tree.read("a"), "new");
        assert_eq!(fs::metadata(&path).unwrap().permissions(), before);
        assert_eq!(tree.count("."), 1);
    }

    #[test]
    fn a_write_protected_file_is_left_alone() {
        let tree = Tree::new(&[("a", "old")]);
        let path = tree.at("a");
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert!(matches!(replace(&path, b"new").unwrap_err().kind(), ErrorKind::ReadOnly));
        assert_eq!(tree.read("a"), "old");
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_links_are_kept() {
        let tree = Tree::new(&[("a", "old")]);
        tree.symlink("a", "b");
        replace(&tree.at("b"), b"new").unwrap();
        assert!(tree.at("b").is_symlink());
        assert_eq!(tree.read("a"), "new");
    }
}
