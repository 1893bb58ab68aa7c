//! Replacing the content of one file.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::{Builder, NamedTempFile};

use super::attributes::keep;
use crate::error::{Error, ErrorKind};

/// How the names of temporary files begin. Walks pass them over.
const TEMPORARY: &str = ".rehref-";

/// How many characters that are chosen at random end these names.
const RANDOM: usize = 6;

/// The temporary files of a run, or of nobody in particular.
#[derive(Clone, Debug)]
pub(super) struct Temporaries {
    prefix: String,
}

impl Temporaries {
    /// Those that nobody has to find again.
    pub(super) fn of_nobody() -> Self {
        let prefix = TEMPORARY.to_owned();
        Self { prefix }
    }

    /// Those of the run with this nonce, so that they are known from those of all others.
    #[cfg(feature = "serde")]
    pub(super) fn of_run(nonce: &str) -> Self {
        let prefix = format!("{TEMPORARY}{nonce}-");
        Self { prefix }
    }

    /// Whether a file of this name is one of them.
    #[cfg(feature = "serde")]
    pub(super) fn has(&self, name: &std::ffi::OsStr) -> bool {
        let random = name.as_encoded_bytes().strip_prefix(self.prefix.as_bytes());
        random.is_some_and(|it| it.len() == RANDOM && it.iter().all(u8::is_ascii_alphanumeric))
    }

    pub(super) fn builder(&self) -> Builder<'_, '_> {
        let mut builder = Builder::new();
        builder.prefix(&self.prefix).rand_bytes(RANDOM);
        builder
    }

    /// A file in the folder that it is for, so that renaming it cannot cross file systems.
    pub(super) fn file_in(&self, folder: &Path) -> io::Result<NamedTempFile> {
        self.builder().tempfile_in(folder)
    }
}

/// What becomes of a file that is replaced, besides its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// How many other hard links it had, which keep the old content.
    pub links: u64,
    /// Whether the system refused to give the new file all extended attributes of the old one, such as its access
    /// control list.
    pub is_stripped: bool,
}

/// Replaces the content of a file, and keeps its mode, its owner and, on Linux, its extended attributes. A symbolic link stays one: the file
/// it leads to is replaced. The new content is on the disk when this returns.
///
/// # Errors
/// When the system refuses, or the file is write-protected, or its owner cannot be kept; the file
/// then is as it was.
pub fn replace(path: &Path, content: &[u8]) -> Result<Replaced, Error> {
    let refused = |error| Error::new(path, ErrorKind::Write(error));
    let path = path.canonicalize().map_err(refused)?;
    let metadata = fs::metadata(&path).map_err(refused)?;
    if !metadata.is_file() {
        return Err(Error::new(path, ErrorKind::NotAFile));
    }
    if metadata.permissions().readonly() {
        return Err(Error::new(path, ErrorKind::ReadOnly));
    }
    let written = || -> io::Result<Replaced> {
        let temporaries = Temporaries::of_nobody();
        let (file, replaced) = prepared(&temporaries, &path, content, &metadata, None)?;
        file.persist(&path)?;
        sync_folder(folder_of(&path))?;
        Ok(replaced)
    };
    written().map_err(refused)
}

/// Keeps the content of a file under a second name: its own with this ending. If there is something of that
/// name it stays, so that it is always the oldest content that is kept. A symbolic link is followed, as
/// [`replace`] does.
///
/// # Errors
/// When the system refuses.
pub fn back_up(path: &Path, suffix: &str) -> Result<(), Error> {
    let refused = |error| Error::new(path, ErrorKind::Write(error));
    let path = path.canonicalize().map_err(refused)?;
    keep_old(&Temporaries::of_nobody(), &path, &backup_of(&path, suffix)).map_err(refused)
}

/// What the backup of a file is called.
pub(super) fn backup_of(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(suffix);
    name.into()
}

/// The same for a file without symbolic links, and the name of its backup. It is on the disk then, so that it is
/// there before the file is replaced.
pub(super) fn keep_old(temporaries: &Temporaries, path: &Path, backup: &Path) -> io::Result<()> {
    // The file itself gets a second name, and loses the first when it is replaced.
    match fs::hard_link(path, backup) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(()),
        Err(_) => {
            // Not every file system has hard links.
            let mut old = File::open(path)?;
            let metadata = old.metadata()?;
            let mut copy = temporaries.file_in(folder_of(backup))?;
            io::copy(&mut old, copy.as_file_mut())?;
            copy.as_file().set_permissions(metadata.permissions())?;
            copy.as_file().set_modified(metadata.modified()?)?;
            copy.as_file().sync_all()?;
            match copy.persist_noclobber(backup) {
                Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(error.error);
                }
                _ => {}
            }
        }
    }
    sync_folder(folder_of(backup))
}

/// The new content of a file, beside it and on the disk, with the mode, owner and attributes of the old one, and this
/// time of modification if there is one. It is gone again unless it is put into the place of the file.
pub(super) fn prepared(
    temporaries: &Temporaries,
    path: &Path,
    content: &[u8],
    like: &Metadata,
    modified: Option<SystemTime>,
) -> io::Result<(NamedTempFile, Replaced)> {
    let mut file = temporaries.file_in(folder_of(path))?;
    file.write_all(content)?;
    Owner::of(like).give(file.as_file())?;
    // Before the mode, which means less where there is an access control list.
    let has_all = keep(path, file.as_file());
    file.as_file().set_permissions(like.permissions())?;
    modified.map_or(Ok(()), |time| file.as_file().set_modified(time))?;
    file.as_file().sync_all()?;
    let replaced = Replaced {
        links: other_links(like),
        is_stripped: !has_all,
    };
    Ok((file, replaced))
}

/// The user and the group that a file belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Owner {
    pub(super) user: u32,
    pub(super) group: u32,
}

#[cfg(unix)]
impl Owner {
    pub(super) fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self {
            user: metadata.uid(),
            group: metadata.gid(),
        }
    }

    /// Gives a file to them, unless it is theirs.
    pub(super) fn give(self, file: &File) -> io::Result<()> {
        if Self::of(&file.metadata()?) == self {
            return Ok(());
        }
        std::os::unix::fs::fchown(file, Some(self.user), Some(self.group))
    }
}

/// Where files have no such owners, all have the same.
#[cfg(not(unix))]
impl Owner {
    pub(super) fn of(_: &Metadata) -> Self {
        Self { user: 0, group: 0 }
    }

    pub(super) fn give(self, _: &File) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(unix)]
pub(super) fn other_links(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata).saturating_sub(1)
}

#[cfg(not(unix))]
pub(super) fn other_links(_: &Metadata) -> u64 {
    0
}

/// The folder that a path names something in.
pub(super) fn folder_of(path: &Path) -> &Path {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// A rename is lasting once the folder is on the disk.
#[cfg(unix)]
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
pub(super) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replaced_file_keeps_its_mode_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "old").unwrap();
        #[cfg(unix)]
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o640)).unwrap();
        let before = fs::metadata(&path).unwrap().permissions();
        replace(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::metadata(&path).unwrap().permissions(), before);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_write_protected_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert!(matches!(
            replace(&path, b"new").unwrap_err().kind(),
            ErrorKind::ReadOnly
        ));
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }

    #[cfg(unix)]
    #[test]
    fn a_symbolic_link_stays_one() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&path, "old").unwrap();
        std::os::unix::fs::symlink("a", &link).unwrap();
        replace(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }
}
