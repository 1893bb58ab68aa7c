//! Runs of `rehref` in a tree of files.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

pub(crate) use super::files::{Files, Tree};

impl Tree {
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
            // By a process: while this one writes a program, those that other tests start may keep it
            // open, so that it does not run ("Text file busy").
            let mut copy = Command::new("cp");
            copy.arg(command.get_program()).arg(self.at(".program/rehref"));
            assert!(copy.status().is_ok_and(|it| it.success()), "a copy");
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
