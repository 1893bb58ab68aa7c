//! What can go wrong, and what is merely worth saying.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A file that could not be read or written. The rest of a run goes on.
#[derive(Debug)]
pub struct Error {
    path: PathBuf,
    kind: ErrorKind,
}

/// The kinds of [`Error`].
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The system refused to read.
    Read(io::Error),
    /// The system refused to write.
    Write(io::Error),
    /// A link leads back to a folder that it is in.
    Loop,
    /// A slice begins past the end of its file.
    SliceStart {
        /// The file's length in bytes.
        len: u64,
    },
    /// The file is write-protected.
    ReadOnly,
    /// It is no regular file, so it can be neither replaced nor copied.
    NotAFile,
    /// A symbolic link stands where a folder of the output should be.
    LinkInTheWay,
    /// Another folder has taken the place of one that was made for the output.
    Replaced,
    /// It has changed since it was planned what becomes of it.
    Changed,
    /// It is not as the run that is to be taken back left it.
    ModifiedSince,
    /// It was to be moved or edited, and is gone.
    NotFound,
    /// Something else stands where it is to be.
    AlreadyExists,
    /// A folder that was to be removed is not empty.
    NotEmpty,
    /// It is named in a plan twice.
    Duplicate,
    /// It lies outside the root of the run, by a symbolic link or by its name, or is what the run itself
    /// keeps there.
    Outside,
    /// Another run is at work in this folder.
    Busy,
    /// A run was interrupted in this folder, and has to be finished or taken back first.
    Interrupted,
    /// It is a journal that was not written where it is, so its steps may be those of an attacker.
    ForeignJournal(JournalOrigin),
    /// It was a journal, and was removed while its run was at work, which now can be neither finished nor taken back.
    JournalGone,
    /// It lies in the state of a version control system or of this program, where nothing is written.
    ToolState,
    /// It is no journal, or a damaged one.
    Journal {
        /// The line at fault, from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// It is mail, which is not rewritten.
    Mail,
    /// The file is binary: it has NUL bytes.
    Binary,
    /// A message is longer than [`MAX_MESSAGE`](crate::container::mail::MAX_MESSAGE): what comes after so much of it was not
    /// read.
    LongMessage {
        /// Where it begins in its file, in bytes.
        offset: u64,
    },
    /// A message has more than [`MAX_PARTS`](crate::container::mail::MAX_PARTS) parts, or they nest deeper than
    /// [`MAX_DEPTH`](crate::container::mail::MAX_DEPTH): the others were not taken apart.
    ManyParts {
        /// Where it begins in its file, in bytes.
        offset: u64,
    },
    /// Compressed data inflates to more than the limit allows.
    Inflates {
        /// The limit, in times of the compressed size.
        times: u64,
    },
    /// Compressed data inflates to more than is held in memory: see
    /// [`MAX_INFLATED`](crate::fs::MAX_INFLATED) and [`MAX_INFLATED_XML`](crate::fs::MAX_INFLATED_XML).
    InflatesTooFar {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The document is longer than is held in memory: see
    /// [`ReadOptions::max_document`](crate::fs::ReadOptions::max_document).
    TooLong {
        /// The limit, in bytes.
        limit: u64,
    },
}

/// Where a journal comes from that does not count where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JournalOrigin {
    /// It does not say so. Older versions of this program wrote such journals.
    Unknown,
    /// Another machine.
    OtherMachine,
    /// A directory that had this path then.
    OtherPath(PathBuf),
    /// Another directory at the same path: this one is a copy, or a backup that was restored.
    OtherDirectory,
}

impl fmt::Display for JournalOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("it does not say where it was written"),
            Self::OtherMachine => f.write_str("it was written on another machine"),
            Self::OtherPath(path) => write!(f, "it was written for {}", path.display()),
            Self::OtherDirectory => {
                f.write_str("it was written for another directory that had this path")
            }
        }
    }
}

impl Error {
    /// An error of this kind, about the file at `path`.
    pub fn new(path: impl Into<PathBuf>, kind: ErrorKind) -> Self {
        Self {
            path: path.into(),
            kind,
        }
    }

    /// The file or folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The same about a file by another name.
    pub fn about(self, path: impl Into<PathBuf>) -> Self {
        Self::new(path, self.kind)
    }

    /// What happened to it.
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.kind {
            ErrorKind::Read(error) => write!(f, "cannot read: {}", refusal(error)),
            ErrorKind::Write(error) => write!(f, "cannot write: {}", refusal(error)),
            ErrorKind::Loop => f.write_str("a symbolic link that leads back to its own folder"),
            ErrorKind::SliceStart { len } => {
                write!(
                    f,
                    "the slice begins past the end of the file, which has {len} bytes"
                )
            }
            ErrorKind::NotAFile => f.write_str("not a regular file: left as it is"),
            ErrorKind::LinkInTheWay => {
                f.write_str("a symbolic link stands where a folder should be: not followed")
            }
            ErrorKind::Replaced => {
                f.write_str("another directory took its place meanwhile: nothing more is written to it")
            }
            ErrorKind::Inflates { times } => {
                write!(
                    f,
                    "compressed data inflates to more than {times} times its size"
                )
            }
            ErrorKind::InflatesTooFar { limit } => {
                let limit = Size(*limit);
                write!(f, "compressed data inflates to more than {limit}: not read any further (decompress it first)")
            }
            ErrorKind::TooLong { limit } => {
                let limit = Size(*limit);
                write!(f, "longer than {limit}, the most that is read into memory: skipped")
            }
            ErrorKind::Binary => f.write_str("binary file"),
            ErrorKind::Mail => f.write_str(
                "mail is not rewritten, as its signatures and transfer encodings might not hold any more: left \
                 as it is",
            ),
            ErrorKind::LongMessage { offset } => write!(
                f,
                "the message at byte {offset} has more than 32 MiB: not read any further"
            ),
            ErrorKind::ManyParts { offset } => write!(
                f,
                "the message at byte {offset} has more than 10,000 parts, or too many inside one another \
                 (64, and 4 that are encoded): not taken apart any further"
            ),
            ErrorKind::Changed => f.write_str("changed since it was planned: left as it is"),
            ErrorKind::ModifiedSince => f.write_str("changed since the run: left as it is"),
            ErrorKind::NotFound => f.write_str("not there any more"),
            ErrorKind::AlreadyExists => f.write_str("something is there already: left as it is"),
            ErrorKind::NotEmpty => f.write_str("the folder is not empty: left as it is"),
            ErrorKind::Duplicate => f.write_str("named in the plan twice"),
            ErrorKind::Outside => f.write_str("lies outside the root of the run: left as it is"),
            ErrorKind::Busy => f.write_str("another run is at work here"),
            ErrorKind::Interrupted => {
                f.write_str("a run was interrupted here; finish it or take it back first")
            }
            ErrorKind::ForeignJournal(origin) => {
                write!(f, "a journal that does not belong to this directory: {origin}")
            }
            ErrorKind::JournalGone => {
                f.write_str("removed during the run, which can be neither resumed nor taken back")
            }
            ErrorKind::ToolState => {
                f.write_str("nothing is written in .git, .hg, .svn, CVS and .rehref")
            }
            ErrorKind::Journal { line, message } => {
                write!(f, "not a journal that can be read: line {line}: {message}")
            }
            ErrorKind::ReadOnly => f.write_str("the file is read-only: left as it is"),
        }
    }
}

/// A number of bytes, for people.
struct Size(u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 >> 20, self.0 >> 10) {
            (0, kib) => write!(f, "{kib} KiB"),
            (mib, _) => write!(f, "{mib} MiB"),
        }
    }
}

/// What the system said, without the path that the maker of temporary files adds: the error is about the file that the
/// temporary one would have replaced.
fn refusal(error: &io::Error) -> String {
    let mut text = error.to_string();
    if let (Some(_), Some(at)) = (error.get_ref(), text.rfind(" at path \"")) {
        text.truncate(at);
    }
    text
}

// What the system said is part of the message, so it is not given as the source again.
impl std::error::Error for Error {}

/// Something about a document that is no error, but that its reader may want to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Warning {
    /// It was passed over: there are NULs in it.
    Binary,
    /// Bytes that are invalid in its charset were read as U+FFFD.
    Charset,
    /// It is a part of a message that is not encoded as it says, or with errors. What could be repaired was.
    TransferEncoding,
    /// It is a part of a message whose transfer encoding is not known. It was read as it stands.
    UnknownEncoding,
    /// Its base is too long to be used.
    Base,
    /// It is HTML that nests so deep that its tree was not built: see
    /// [`FoundLinks::guessed`](crate::format::FoundLinks::guessed).
    Nesting,
}

impl Warning {
    /// The name in records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::Charset => "charset",
            Self::TransferEncoding => "transfer-encoding",
            Self::UnknownEncoding => "unknown-encoding",
            Self::Base => "base",
            Self::Nesting => "nesting",
        }
    }

    /// The sentence for people.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Binary => "binary file skipped; --media reads it as the kind it names",
            Self::Charset => "bytes that are invalid in the charset were read as U+FFFD",
            Self::UnknownEncoding => "a transfer encoding that is not known: read as it stands",
            Self::TransferEncoding => {
                "not encoded as it says, or with errors: read as far as that can be repaired"
            }
            Self::Nesting => {
                "nested too deep to build its tree: tags that a browser ignores count too"
            }
            Self::Base => "a base of more than 2 KiB: relative references are not resolved",
        }
    }
}
