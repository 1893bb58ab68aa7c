//! Files in a temporary directory, also for unit tests of `rehref`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Texts of files by their names.
pub(crate) type Files = BTreeMap<String, String>;

/// A tree in a temporary directory.
pub(crate) struct Tree {
    _directory: TempDir,
    path: PathBuf,
}

impl Tree {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        Self::empty().with(files.iter().copied())
    }

    pub(crate) fn of_bytes(files: &[(&str, &[u8])]) -> Self {
        Self::empty().with(files.iter().copied())
    }

    pub(crate) fn empty() -> Self {
        Self::within(tempfile::tempdir().expect("a directory"))
    }

    pub(crate) fn within(directory: TempDir) -> Self {
        let path = directory.path().canonicalize().expect("a path");
        Self { _directory: directory, path }
    }

    /// A tree in a directory `site`: `../outside` is the name of a file that is not in the tree.
    pub(crate) fn site_within(directory: TempDir) -> Self {
        let path = directory.path().canonicalize().expect("a path").join("site");
        fs::create_dir(&path).expect("a directory");
        Self { _directory: directory, path }
    }

    pub(crate) fn with<'f, C: AsRef<[u8]>>(
        self,
        files: impl IntoIterator<Item = (&'f str, C)>,
    ) -> Self {
        for (name, content) in files {
            self.write(name, content);
        }
        self
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file of this name.
    pub(crate) fn at(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file, in new directories if they are needed.
    pub(crate) fn write(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, content).expect("written");
    }

    /// Copies a file, or a directory with its files, into the tree.
    pub(crate) fn copy(&self, from: impl AsRef<Path>, name: &str) {
        for entry in walkdir::WalkDir::new(&from) {
            let entry = entry.expect("an entry");
            let below = entry.path().strip_prefix(&from).expect("below");
            if entry.file_type().is_file() {
                let name = Path::new(name).join(below).components().collect::<PathBuf>();
                self.write(name, fs::read(entry.path()).expect("a file"));
            }
        }
    }

    /// Writes a program.
    #[cfg(unix)]
    pub(crate) fn write_program(&self, name: impl AsRef<Path>, script: &str) {
        self.write(&name, script);
        self.set_mode(name, 0o755);
    }

    #[cfg(unix)]
    pub(crate) fn set_mode(&self, name: impl AsRef<Path>, mode: u32) {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(self.at(name), fs::Permissions::from_mode(mode)).expect("a mode");
    }

    /// The mode of a file or directory, or of a symbolic link itself.
    #[cfg(unix)]
    pub(crate) fn mode(&self, name: impl AsRef<Path>) -> u32 {
        use std::os::unix::fs::PermissionsExt;
        self.at(name).symlink_metadata().expect("there").permissions().mode() & 0o7777
    }

    #[cfg(unix)]
    pub(crate) fn symlink(&self, to: impl AsRef<Path>, name: impl AsRef<Path>) {
        std::os::unix::fs::symlink(to, self.at(name)).expect("a link");
    }

    #[track_caller]
    pub(crate) fn read(&self, name: impl AsRef<Path>) -> String {
        String::from_utf8(self.bytes(name)).expect("text")
    }

    #[track_caller]
    pub(crate) fn bytes(&self, name: impl AsRef<Path>) -> Vec<u8> {
        let path = self.at(name);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Creates a directory, and those that it is in.
    pub(crate) fn make(&self, name: impl AsRef<Path>) {
        fs::create_dir_all(self.at(name)).expect("a directory");
    }

    /// Removes a file, or a directory with its content.
    pub(crate) fn remove(&self, name: impl AsRef<Path>) {
        let path = self.at(name);
        let is_directory = path.symlink_metadata().expect("there").is_dir();
        match is_directory {
            true => fs::remove_dir_all(path),
            false => fs::remove_file(path),
        }
        .expect("removed");
    }

    pub(crate) fn rename(&self, from: impl AsRef<Path>, to: impl AsRef<Path>) {
        fs::rename(self.at(from), self.at(to)).expect("renamed");
    }

    pub(crate) fn has(&self, name: impl AsRef<Path>) -> bool {
        self.at(name).exists()
    }

    /// All files, without the state of runs and of git. A symbolic link has its target. What is not
    /// UTF-8 is escaped.
    pub(crate) fn files(&self) -> Files {
        self.files_except(&[".rehref", ".git"])
    }

    /// All files that are not in directories of these names.
    pub(crate) fn files_except(&self, directories: &[&str]) -> Files {
        let walk = walkdir::WalkDir::new(self.path()).into_iter();
        let is_in = |it: &walkdir::DirEntry| directories.iter().all(|name| it.file_name() != *name);
        let entries = walk.filter_entry(is_in);
        let files = entries.map(|it| it.expect("there")).filter(|it| !it.file_type().is_dir());
        let content = |path: &Path| match fs::read_link(path) {
            Ok(to) => format!("-> {}", to.display()),
            Err(_) => {
                let text = String::from_utf8(fs::read(path).expect("readable"));
                text.unwrap_or_else(|error| error.as_bytes().escape_ascii().to_string())
            }
        };
        let name = |path: &Path| {
            let below = path.strip_prefix(self.path()).expect("below");
            below.to_str().expect("UTF-8").to_owned()
        };
        files.map(|it| (name(it.path()), content(it.path()))).collect()
    }

    /// The number of files and directories in a directory.
    pub(crate) fn count(&self, name: impl AsRef<Path>) -> usize {
        fs::read_dir(self.at(name)).expect("a directory").count()
    }
}
