//! Errors that end a run.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::bytes::Position;
use crate::error::{Diagnostic, Error, ErrorKind};
use crate::fs::BaseMappingError;
use crate::fs::journal::Run;
use crate::fs::path_of_bytes;
use crate::jobs::names::joined;
use crate::listing::MoveError;

/// An error that ends a run. Errors of single documents are events.
#[derive(Debug)]
#[non_exhaustive]
pub enum JobError {
    /// A file could not be read or written.
    File(Error),
    /// A run in this directory cannot begin, such as because of an interrupted run or an unreadable
    /// journal.
    Refused(Error),
    /// The journal could not be written, so nothing has been changed.
    NotJournaled(Error),
    /// The journal was not written for this directory.
    ForeignJournal(Box<ForeignJournal>),
    /// There is no run to undo in this directory.
    NoRun(PathBuf),
    /// There is no interrupted run in this directory.
    NotInterrupted(PathBuf),
    /// A path cannot be used, for this reason.
    Path(PathBuf, PathReason),
    /// A path is empty.
    EmptyPath,
    /// Two inputs have the same path in the new tree.
    SameOutput {
        /// One input.
        one: PathBuf,
        /// The other.
        other: PathBuf,
        /// The path of both.
        output: PathBuf,
    },
    /// A file would be at the path of a directory of the new tree.
    FileAtDirectory {
        /// The file.
        file: PathBuf,
        /// The directory, or a file in it.
        other: PathBuf,
        /// True if `other` is a file in the directory.
        is_below: bool,
    },
    /// Files of the new tree exist already, so nothing was written.
    OutputExists {
        /// The directory of the new tree.
        directory: PathBuf,
        /// The first of these files, below the directory.
        named: Vec<PathBuf>,
        /// The number of these files.
        count: usize,
    },
    /// The new tree and an input contain each other.
    Overlap {
        /// The input.
        input: PathBuf,
        /// The new tree.
        output: PathBuf,
    },
    /// The URL of a directory is invalid.
    Url(BaseMappingError),
    /// The root is not in the directory of its URL.
    NotBelow {
        /// The root.
        root: PathBuf,
        /// The directory that has the URL.
        directory: PathBuf,
    },
    /// Files cannot be moved.
    Moves {
        /// The root of the tree.
        root: PathBuf,
        /// The error.
        error: MoveError,
    },
    /// Some documents could not be read or edited, so nothing has been moved: references might
    /// break.
    Incomplete,
    /// A row of a list, with its line from 1.
    Row {
        /// The list.
        list: PathBuf,
        /// The line.
        line: u64,
        /// The error.
        error: Box<JobError>,
    },
    /// A list or log is malformed.
    Malformed {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: Option<u64>,
        /// The problem.
        message: String,
    },
    /// A mirror cannot be read.
    Mirror(MirrorError),
}

/// The reason that a path cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum PathReason {
    /// The system refused to resolve it.
    System(io::Error),
    /// Only files and directories can be written.
    NotWritable,
    /// The output would replace the input.
    WouldReplaceInput,
    /// It has `..` after a directory that does not exist.
    LeavesMissingDirectory,
    /// It is not a directory.
    NotADirectory,
    /// Several files move to it, and it is not a directory.
    MissingDirectory,
    /// It is not in the root of the tree.
    OutsideRoot {
        /// The root.
        root: PathBuf,
        /// The deepest directory that contains the root and the directory of the path.
        common: Option<PathBuf>,
    },
    /// It is not in the root of the tree, but this path, relative to the root, is.
    BelowRoot(PathBuf),
    /// It is the root of the tree.
    IsRoot,
    /// It is its own destination.
    SamePath,
    /// It still exists, so it has not been moved.
    StillExists,
    /// Its directory of this name holds the state of a tool.
    ToolState(String),
    /// It is not a file of the tree, so it cannot hold redirects.
    NotForRedirects,
    /// It is not of the form OLD=NEW.
    NotAMove,
    /// It has the form OLD=NEW, but NEW does not exist.
    NotMoved,
}

/// The reason that a mirror cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum MirrorError {
    /// A directory of the mirror could not be listed.
    Unlisted(PathBuf),
    /// No page has a mark with its URL.
    NoMarks,
    /// A new tree needs an input that holds all of the mirror, such as this directory.
    Partial(PathBuf),
    /// A given log cannot be used.
    Log(Box<JobError>),
    /// No URL of a log is below that of the mirror.
    OtherUrls {
        /// The log.
        file: PathBuf,
        /// The line of the first URL, from 1.
        line: Option<u64>,
        /// The URL of the mirror, if it has one site.
        site: Option<String>,
        /// The first URL.
        first: String,
    },
    /// No file of a log is in the directory of the mirror.
    OtherFiles {
        /// The log.
        file: PathBuf,
        /// The line of the first file, from 1.
        line: Option<u64>,
        /// The directory of the mirror, if it has one site.
        directory: Option<PathBuf>,
        /// The first file.
        first: String,
    },
}

/// A journal that was not written for its directory.
#[derive(Debug)]
pub struct ForeignJournal {
    /// The error with the origin of the journal.
    pub error: Error,
    /// The run, with its steps.
    pub run: Run,
    /// True if the steps would be undone.
    pub undoes: bool,
    /// The directory with the journal.
    pub state: PathBuf,
}

impl JobError {
    /// An error about a path.
    pub(super) fn path(path: impl Into<PathBuf>, reason: PathReason) -> Self {
        Self::Path(path.into(), reason)
    }

    /// Adds a path to an error of the system.
    pub(super) fn system(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::path(path, PathReason::System(error))
    }

    /// The error as a message for people.
    pub fn diagnostic(&self) -> Diagnostic<'_> {
        match self {
            Self::File(error) => error.diagnostic(),
            Self::NotJournaled(error) => {
                let mut diagnostic = error.diagnostic();
                diagnostic.text.insert_str(0, "nothing was changed: ");
                diagnostic
            }
            Self::Refused(error) => {
                let mut diagnostic = error.diagnostic();
                match error.kind() {
                    ErrorKind::Interrupted => {
                        diagnostic.text = "a run was interrupted here".to_owned();
                    }
                    ErrorKind::ForeignJournal(_) | ErrorKind::Journal { .. } => {
                        let state = error.path().parent().unwrap_or(Path::new(""));
                        let state = state.display();
                        diagnostic.text += &format!("; remove {state} if you do not know it");
                    }
                    _ => {}
                }
                diagnostic
            }
            Self::ForeignJournal(it) => it.error.diagnostic(),
            Self::NoRun(root) => Diagnostic::new(root, None, "there is no run to undo"),
            Self::NotInterrupted(root) => {
                Diagnostic::new(root, None, "there is no interrupted run")
            }
            Self::Path(path, reason) => Diagnostic::new(path, None, reason.to_string()),
            Self::Row { list, line, error } => {
                Diagnostic::new(list, Some(line_start(*line)), error.to_string())
            }
            Self::Malformed { file, line, message } => {
                Diagnostic::new(file, line.map(line_start), message)
            }
            Self::EmptyPath => Diagnostic::general("a path is empty"),
            Self::SameOutput { one, other, output } => {
                let (one, other, output) = (one.display(), other.display(), output.display());
                Diagnostic::general(format!("{one} and {other} would both become {output}"))
            }
            Self::FileAtDirectory { file, other, is_below } => {
                let (file, other) = (file.display(), other.display());
                Diagnostic::general(match is_below {
                    true => format!("{file} would be at the path of the directory of {other}"),
                    false => format!("{file} would be at the path of {other}, a directory"),
                })
            }
            Self::OutputExists { directory, named, count } => {
                let mut text = match count {
                    1 => "nothing was written: a file exists already".to_owned(),
                    _ => format!("nothing was written: {count} files exist already"),
                };
                for (number, path) in named.iter().enumerate() {
                    let before = if number == 0 { ": " } else { ", " };
                    text += &format!("{before}{}", path.display());
                }
                match count - named.len() {
                    0 => {}
                    more => text += &format!(" and {more} more"),
                }
                Diagnostic::new(directory, None, text)
            }
            Self::Overlap { input, output } => {
                let (input, output) = (input.display(), output.display());
                Diagnostic::general(format!("{input} and {output} overlap"))
            }
            Self::Url(error) => Diagnostic::general(error.to_string()),
            Self::NotBelow { root, directory } => {
                let text = format!("not in {}", directory.display());
                Diagnostic::new(root, None, text)
            }
            Self::Moves { root, error } => {
                let name = |path: &[u8]| joined(root, &path_of_bytes(path)).display().to_string();
                let from = name(&error.moved().from);
                Diagnostic::general(format!("{from}: {}", error.reason(name)))
            }
            Self::Incomplete => {
                Diagnostic::general("nothing was moved: some documents could not be read or edited")
            }
            Self::Mirror(error) => Diagnostic::general(error.to_string()),
        }
    }
}

impl From<Error> for JobError {
    fn from(error: Error) -> Self {
        Self::File(error)
    }
}

impl From<BaseMappingError> for JobError {
    fn from(error: BaseMappingError) -> Self {
        Self::Url(error)
    }
}

impl From<MirrorError> for JobError {
    fn from(error: MirrorError) -> Self {
        Self::Mirror(error)
    }
}

impl fmt::Display for JobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic().fmt(f)
    }
}

impl std::error::Error for JobError {}

/// The beginning of a line.
fn line_start(line: u64) -> Position {
    Position { line: usize::try_from(line).unwrap_or(usize::MAX), column: 1 }
}

impl fmt::Display for PathReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::System(error) => return error.fmt(f),
            Self::OutsideRoot { root, .. } => {
                return write!(f, "not in the tree {}", root.display());
            }
            Self::BelowRoot(path) => {
                let path = path.display();
                return write!(f, "not in the tree: from the current directory it is {path}");
            }
            Self::IsRoot => "the root of the tree cannot be moved or replaced",
            Self::SamePath => "source and destination are the same",
            Self::StillExists => "still exists, so it has not been moved",
            Self::ToolState(name) => {
                return write!(f, "cannot move into {name}, the state of a tool");
            }
            Self::NotWritable => "only files and directories can be written",
            Self::WouldReplaceInput => "the output would replace the input",
            Self::LeavesMissingDirectory => "`..` after a directory that does not exist",
            Self::NotADirectory => "not a directory",
            Self::MissingDirectory => "no such directory",
            Self::NotAMove => "not of the form OLD=NEW",
            Self::NotMoved => "NEW does not exist",
            Self::NotForRedirects => "not a file of the tree, so it cannot hold redirects",
        })
    }
}

impl fmt::Display for MirrorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unlisted(path) => write!(f, "{} could not be listed", path.display()),
            Self::NoMarks => f.write_str("no page has a mark with its URL"),
            Self::Partial(common) => write!(
                f,
                "a new tree needs an input that contains the whole mirror, such as {}",
                common.display()
            ),
            Self::Log(error) => error.fmt(f),
            Self::OtherUrls { file, line, site, first } => {
                let (place, site) = (place_in(file, *line), site.as_deref());
                let site = site.unwrap_or(ALL_URLS);
                write!(f, "{place}: no URL of the log is below {site}; the first is {first}")
            }
            Self::OtherFiles { file, line, directory, first } => {
                let (place, directory) = (place_in(file, *line), directory.as_deref());
                let directory = directory.unwrap_or(Path::new(ALL_DIRECTORIES)).display();
                write!(f, "{place}: no file of the log is in {directory}; the first is {first}")
            }
        }
    }
}

/// The URLs of a mirror of several sites, in messages.
pub(super) const ALL_URLS: &str = "the URLs of the mirror";

/// The directories of a mirror of several sites, in messages.
pub(super) const ALL_DIRECTORIES: &str = "the directories of the mirror";

/// Returns a place in a log, for the beginning of a message.
pub(super) fn place_in(file: &Path, line: Option<u64>) -> String {
    match line {
        Some(line) => format!("{}:{line}:1", file.display()),
        None => file.display().to_string(),
    }
}
