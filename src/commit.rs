//! Putting bytes into files, so that each file is wholly old or wholly new at every moment. This is
//! the only place that writes files.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use crate::error::{Error, ErrorKind};

/// Replaces the content of a file, and keeps its mode. A symbolic link stays one: the file it leads
/// to is replaced. The new content is on the disk when this returns.
///
/// # Errors
/// When the system refuses, or the file is write-protected; the file then is as it was.
pub fn replace(path: &Path, content: &[u8]) -> Result<(), Error> {
    let refused = |error| Error::new(path, ErrorKind::Write(error));
    let path = path.canonicalize().map_err(refused)?;
    let permissions = fs::metadata(&path).map_err(refused)?.permissions();
    if permissions.readonly() {
        return Err(Error::new(path, ErrorKind::ReadOnly));
    }
    let written = || -> io::Result<()> {
        let mut file = temporary_beside(&path)?;
        file.write_all(content)?;
        file.as_file().set_permissions(permissions)?;
        file.as_file().sync_all()?;
        file.persist(&path)?;
        sync_folder_of(&path)
    };
    written().map_err(refused)
}

/// Writes `content` as a new tree's counterpart of the file `like`, with its mode. Folders are made
/// as needed; a file that is there is replaced.
///
/// # Errors
/// When the system refuses.
pub fn write_like(path: &Path, content: &[u8], like: &Path) -> Result<(), Error> {
    let written = || -> io::Result<()> {
        let mut file = temporary_for(path)?;
        file.write_all(content)?;
        file.as_file()
            .set_permissions(fs::metadata(like)?.permissions())?;
        file.persist(path)?;
        Ok(())
    };
    written().map_err(|error| Error::new(path, ErrorKind::Write(error)))
}

/// Copies a file as it is, with its mode and its time of modification. Folders are made as needed; a
/// file that is there is replaced.
///
/// # Errors
/// When the system refuses.
pub fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    let mut source = File::open(from).map_err(|error| Error::new(from, ErrorKind::Read(error)))?;
    let mut copied = || -> io::Result<()> {
        let metadata = source.metadata()?;
        let mut file = temporary_for(to)?;
        io::copy(&mut source, file.as_file_mut())?;
        file.as_file().set_permissions(metadata.permissions())?;
        file.as_file().set_modified(metadata.modified()?)?;
        file.persist(to)?;
        Ok(())
    };
    copied().map_err(|error| Error::new(to, ErrorKind::Write(error)))
}

/// Makes a symbolic link like another: it holds the same path. What is there is replaced.
///
/// # Errors
/// When the system refuses, or has no symbolic links.
pub fn copy_link(from: &Path, to: &Path) -> Result<(), Error> {
    let target = fs::read_link(from).map_err(|error| Error::new(from, ErrorKind::Read(error)))?;
    let made = || -> io::Result<()> {
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        match fs::remove_file(to) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => symlink(&target, to),
        }
    };
    made().map_err(|error| Error::new(to, ErrorKind::Write(error)))
}

#[cfg(unix)]
fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

fn temporary_for(path: &Path) -> io::Result<NamedTempFile> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    temporary_beside(path)
}

/// A file in the same folder, so that renaming it cannot cross file systems.
fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    Builder::new()
        .prefix(".rehref-")
        .tempfile_in(folder.unwrap_or(Path::new(".")))
}

/// A rename is lasting once the folder is on the disk.
#[cfg(unix)]
fn sync_folder_of(path: &Path) -> io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder_of(_: &Path) -> io::Result<()> {
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

    #[test]
    fn copies_keep_time_and_never_write_through_a_hard_link() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("a"), folder.path().join("b/c"));
        fs::write(&from, "old").unwrap();
        copy(&from, &to).unwrap();
        let time = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
        assert_eq!(time(&from), time(&to));
        let linked = folder.path().join("linked");
        fs::hard_link(&from, &linked).unwrap();
        write_like(&linked, b"new", &from).unwrap();
        assert_eq!(fs::read(&from).unwrap(), b"old");
    }
}
