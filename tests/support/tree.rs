//! Files in a temporary directory, and runs of `rehref` there.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

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

    /// `rehref` with these arguments in the tree.
    pub(crate) fn command(&self, arguments: impl Arguments) -> Command {
        rehref(self.path(), arguments)
    }

    /// `rehref` for a user who cannot read everything. The superuser can, so there another user runs
    /// a copy of the program in the tree, which must be accessible to all.
    #[cfg(unix)]
    pub(crate) fn command_of_another_user(&self, arguments: impl Arguments) -> Command {
        use std::os::unix::process::CommandExt;
        let mut command = self.command(&[] as &[&str]);
        if rustix::process::geteuid().is_root() {
            self.make(".program");
            fs::copy(command.get_program(), self.at(".program/rehref")).expect("a copy");
            self.set_mode(".program/rehref", 0o755);
            command = Command::new(self.at(".program/rehref"));
            command.current_dir(self.path()).stdin(Stdio::null()).uid(65534).gid(65534);
        }
        command.args(arguments.words());
        command
    }

    pub(crate) fn run(&self, arguments: impl Arguments) -> Ran {
        Ran::of(&mut self.command(arguments))
    }

    /// Runs `rehref` in a directory of the tree.
    pub(crate) fn run_in(&self, directory: impl AsRef<Path>, arguments: impl Arguments) -> Ran {
        Ran::of(self.command(arguments).current_dir(self.at(directory)))
    }

    /// Runs `rehref` with these bytes on its standard input.
    pub(crate) fn run_reading(&self, arguments: impl Arguments, input: impl AsRef<[u8]>) -> Ran {
        Ran::reading(&mut self.command(arguments), input)
    }

    /// Runs `rehref`. Panics unless it ends with this code. Returns its messages.
    #[track_caller]
    pub(crate) fn ends(&self, code: i32, arguments: impl Arguments) -> String {
        self.run(arguments).ends(code).err
    }

    /// Runs `rehref`. Panics unless it ends with 0. Returns its standard output.
    #[track_caller]
    pub(crate) fn prints(&self, arguments: impl Arguments) -> String {
        self.run(arguments).ends(0).out
    }
}

/// `rehref` with these arguments in a directory, without standard input.
pub(crate) fn rehref(directory: &Path, arguments: impl Arguments) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rehref"));
    command.args(arguments.words()).current_dir(directory).stdin(Stdio::null());
    command
}

/// Arguments of a command: strings, or a line of words. Single quotes are around words with spaces.
pub(crate) trait Arguments {
    fn words(&self) -> Vec<OsString>;
}

impl Arguments for &str {
    fn words(&self) -> Vec<OsString> {
        let mut words = Vec::new();
        let (mut word, mut is_quoted) = (None::<String>, false);
        for character in self.chars() {
            match character {
                '\'' => {
                    is_quoted = !is_quoted;
                    word.get_or_insert_default();
                }
                ' ' | '\n' if !is_quoted => words.extend(word.take().map(OsString::from)),
                _ => word.get_or_insert_default().push(character),
            }
        }
        words.extend(word.map(OsString::from));
        words
    }
}

impl Arguments for &&str {
    fn words(&self) -> Vec<OsString> {
        (**self).words()
    }
}

impl Arguments for &String {
    fn words(&self) -> Vec<OsString> {
        self.as_str().words()
    }
}

impl Arguments for String {
    fn words(&self) -> Vec<OsString> {
        self.as_str().words()
    }
}

impl<S: AsRef<OsStr>> Arguments for &[S] {
    fn words(&self) -> Vec<OsString> {
        self.iter().map(|it| it.as_ref().to_owned()).collect()
    }
}

impl<S: AsRef<OsStr>> Arguments for &Vec<S> {
    fn words(&self) -> Vec<OsString> {
        self.as_slice().words()
    }
}

impl<S: AsRef<OsStr>, const N: usize> Arguments for &[S; N] {
    fn words(&self) -> Vec<OsString> {
        self.as_slice().words()
    }
}

impl<S: AsRef<OsStr>, const N: usize> Arguments for [S; N] {
    fn words(&self) -> Vec<OsString> {
        self.as_slice().words()
    }
}

/// A command that has ended.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The exit code, -1 after a signal.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) out: String,
    pub(crate) out_bytes: Vec<u8>,
    /// Standard error.
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn of(command: &mut Command) -> Self {
        command.output().expect("the command runs").into()
    }

    /// Runs a command with these bytes on its standard input.
    pub(crate) fn reading(command: &mut Command, input: impl AsRef<[u8]>) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command runs");
        let mut stdin = child.stdin.take().expect("piped");
        let input = input.as_ref();
        let output = std::thread::scope(|scope| {
            // A process that reads nothing may have ended already.
            scope.spawn(move || stdin.write_all(input).ok());
            child.wait_with_output()
        });
        output.expect("the command ends").into()
    }

    /// Panics unless it ended with this code.
    #[track_caller]
    pub(crate) fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}{}", self.out, self.err);
        self
    }

    /// The lines on standard output. Panics unless it ended with 0.
    #[track_caller]
    pub(crate) fn lines(&self) -> Vec<&str> {
        assert_eq!(self.code, 0, "{}", self.err);
        self.out.lines().collect()
    }

    /// The messages. Panics unless it ended with 2 and printed nothing on standard output.
    #[track_caller]
    pub(crate) fn refused(&self) -> &str {
        assert_eq!((self.code, &*self.out), (2, ""), "{}", self.err);
        &self.err
    }

    /// The last message.
    #[track_caller]
    pub(crate) fn summary(&self) -> &str {
        self.err.lines().last().expect("a message")
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let [out, err] =
            [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it).into_owned());
        Self { code: output.status.code().unwrap_or(-1), out, out_bytes: output.stdout, err }
    }
}

/// Assertions about what was printed.
pub(crate) trait Has {
    /// Panics unless it contains this.
    fn has(&self, text: impl AsRef<str>) -> &Self;

    /// Panics if it contains this.
    fn lacks(&self, text: impl AsRef<str>) -> &Self;

    /// Panics unless it begins with this.
    fn begins(&self, text: impl AsRef<str>) -> &Self;
}

impl Has for str {
    #[track_caller]
    fn has(&self, text: impl AsRef<str>) -> &Self {
        let text = text.as_ref();
        assert!(self.contains(text), "{text:?} is not in: {self}");
        self
    }

    #[track_caller]
    fn lacks(&self, text: impl AsRef<str>) -> &Self {
        let text = text.as_ref();
        assert!(!self.contains(text), "{text:?} is in: {self}");
        self
    }

    #[track_caller]
    fn begins(&self, text: impl AsRef<str>) -> &Self {
        let text = text.as_ref();
        assert!(self.starts_with(text), "{text:?} is not the beginning of: {self}");
        self
    }
}

/// A small site.
pub(crate) const SITE: [(&str, &str); 5] = [
    ("index.html", "<a href=a/x.html>x</a><a href=a/>a</a><img src='p 1.png'>"),
    ("a/x.html", "<a href=../index.html>up</a><a href=y.html#f>y</a><img src=../p%201.png>"),
    ("a/y.html", "<p id=f><a href=x.html>x</a>"),
    ("a/index.html", "<a href=./>here</a>"),
    ("p 1.png", ""),
];
