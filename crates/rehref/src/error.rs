//! Errors and warnings about files.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::bytes::Position;

/// A message for people about a file, or about a place in one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic<'d> {
    /// The file. `None` if the message is not about a file, or names it in its text.
    pub path: Option<&'d Path>,
    /// The line and column, if the message is about a place.
    pub position: Option<Position>,
    /// The message, without path and position.
    pub text: String,
}

impl<'d> Diagnostic<'d> {
    /// A message about a file, or about a place in it.
    pub fn new(path: &'d Path, position: Option<Position>, text: impl Into<String>) -> Self {
        Self { path: Some(path), position, text: text.into() }
    }

    /// A message that is not about a file.
    pub fn general(text: impl Into<String>) -> Self {
        Self { path: None, position: None, text: text.into() }
    }
}

/// `PATH:LINE:COLUMN: text`
impl fmt::Display for Diagnostic<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = self.path {
            write!(f, "{}", path.display())?;
            if let Some(position) = self.position {
                write!(f, ":{position}")?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.text)
    }
}

/// An error about one file. The rest of a run continues.
#[derive(Debug)]
pub struct Error {
    path: PathBuf,
    kind: ErrorKind,
}

/// The kinds of [`Error`].
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Reading failed.
    Read(io::Error),
    /// Writing failed.
    Write(io::Error),
    /// A symbolic link to one of its own parent directories.
    Loop,
    /// A slice begins past the end of its file.
    SliceStart {
        /// The file's length in bytes.
        len: u64,
    },
    /// The file is write-protected.
    ReadOnly,
    /// A new file in place of the file would have another owner.
    OwnerNotKept {
        /// The user id of the owner.
        user: u32,
        /// The id of its group.
        group: u32,
    },
    /// Not a regular file, so it cannot be replaced or copied.
    NotAFile,
    /// A symbolic link in place of an output directory.
    LinkInTheWay,
    /// A file or the like in place of an output directory.
    NotADirectory,
    /// An output directory that was created by this run has been replaced by another one.
    Replaced,
    /// The file has changed since its edit was planned.
    Changed,
    /// The file has changed since the run that is undone.
    ModifiedSince,
    /// The file to be moved or edited does not exist.
    NotFound,
    /// The target exists already.
    AlreadyExists,
    /// A directory to be removed is not empty.
    NotEmpty,
    /// The path is named twice in a plan.
    Duplicate,
    /// The path is outside of the root of the run, directly or by a symbolic link, or in the state
    /// of the run.
    Outside,
    /// Another run is active in this directory.
    Busy,
    /// A run was interrupted in this directory, and has to be resumed or undone first.
    Interrupted,
    /// The journal was not written at this place, so its steps may be those of an attacker.
    ForeignJournal(JournalOrigin),
    /// The journal was removed while its run was active, which can no longer be resumed or undone.
    JournalRemoved,
    /// The path is in the state of a version control system or of this program, where writing is
    /// not allowed.
    ToolState,
    /// Not a journal, or a damaged one.
    Journal {
        /// The line at fault, from 1.
        line: usize,
        /// The problem.
        message: String,
    },
    /// The file is mail, which is never rewritten.
    Mail,
    /// The file is binary: it contains NUL bytes.
    Binary,
    /// A message is longer than [`MAX_MESSAGE`](crate::container::mail::MAX_MESSAGE). The rest of
    /// it was not read.
    LongMessage {
        /// The byte offset of the message in its file, from 0.
        offset: u64,
    },
    /// A message has more than [`MAX_PARTS`](crate::container::mail::MAX_PARTS) parts, or they nest
    /// deeper than [`MAX_DEPTH`](crate::container::mail::MAX_DEPTH). The others were not read.
    ManyParts {
        /// The byte offset of the message in its file, from 0.
        offset: u64,
    },
    /// A web archive, or a record of one, could not be read, or not completely.
    WebArchive {
        /// The problem.
        problem: String,
    },
    /// A document of an office or a book, or a part of one, could not be read.
    Package {
        /// The problem.
        problem: String,
    },
    /// A document of an office or a book is encrypted, or in the binary format of older programs.
    Encrypted,
    /// A signature covers the document: an edit would break it.
    Signed,
    /// The document is not one of its format, so that links of it are missed.
    Syntax {
        /// The line and column of the fault.
        position: Position,
        /// The problem.
        problem: String,
    },
    /// A part of a package, or all parts with links, inflate to more than the memory limit.
    LongPart {
        /// The limit, in bytes.
        limit: u64,
    },
    /// Compressed data inflates to more than the limit allows.
    Inflates {
        /// The limit, as a multiple of the compressed size.
        times: u64,
    },
    /// Compressed data inflates to more than the memory limit: see
    /// [`Format::max_inflated`](crate::format::Format::max_inflated).
    InflatesTooFar {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The lines of the document are not those of a file, which the run reports: see
    /// [`Extract::file_positions`](crate::jobs::Extract::file_positions).
    NoFilePositions {
        /// True if the file is compressed. Otherwise the document is a slice of a file.
        is_compressed: bool,
    },
    /// Compressed data is damaged or incomplete.
    DamagedCompression {
        /// The name of the compression, such as `gzip`.
        compression: &'static str,
        /// The error of the decoder.
        error: io::Error,
    },
    /// Compressed data refers back further than the memory limit allows.
    CompressionWindow {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The document is longer than the memory limit: see
    /// [`ReadOptions::max_document`](crate::fs::ReadOptions::max_document).
    TooLong {
        /// The limit, in bytes.
        limit: u64,
    },
}

/// The origin of a journal that is not accepted where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JournalOrigin {
    /// Unknown. Older versions of this program wrote such journals.
    Unknown,
    /// Another machine.
    OtherMachine,
    /// A directory that had this path at that time.
    OtherPath(PathBuf),
    /// Another directory at the same path: this one is a copy or a restored backup.
    OtherDirectory,
}

impl fmt::Display for JournalOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("it does not name the directory where it was written"),
            Self::OtherMachine => f.write_str("it was written on another machine"),
            Self::OtherPath(path) => write!(f, "it was written for {}", path.display()),
            Self::OtherDirectory => {
                f.write_str("it was written for another directory that had this path")
            }
        }
    }
}

impl Error {
    /// An error of this kind about the file at `path`.
    pub fn new(path: impl Into<PathBuf>, kind: ErrorKind) -> Self {
        Self { path: path.into(), kind }
    }

    /// The file or directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// An error of this kind about another path.
    pub fn about(self, path: impl Into<PathBuf>) -> Self {
        Self::new(path, self.kind)
    }

    /// The kind of the error.
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// The error as a message for people.
    pub fn diagnostic(&self) -> Diagnostic<'_> {
        let position = match self.kind {
            ErrorKind::Syntax { position, .. } => Some(position),
            _ => None,
        };
        Diagnostic::new(&self.path, position, self.kind.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic().fmt(f)
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "cannot read: {}", system_text(error)),
            Self::Write(error) => write!(f, "cannot write: {}", system_text(error)),
            Self::Loop => f.write_str("a symbolic link to one of its own parent directories"),
            Self::SliceStart { len } => {
                write!(
                    f,
                    "the slice begins past the end of the file, which has {len} bytes"
                )
            }
            Self::OwnerNotKept { user, group } => write!(
                f,
                "cannot write: its owner (uid {user}, gid {group}) cannot be kept"
            ),
            Self::NotAFile => f.write_str("not a regular file: left unchanged"),
            Self::LinkInTheWay => {
                f.write_str("a symbolic link in place of a directory: not followed")
            }
            Self::NotADirectory => f.write_str("not a directory"),
            Self::Replaced => {
                f.write_str("replaced by another directory during the run: writing to it stopped")
            }
            Self::Inflates { times } => {
                write!(
                    f,
                    "compressed data inflates to more than {times} times its size"
                )
            }
            Self::LongPart { limit } => {
                write!(f, "inflates to more than {}: not read", Size(*limit))
            }
            Self::InflatesTooFar { limit } => {
                let limit = Size(*limit);
                write!(f, "compressed data inflates to more than {limit}: not read any further (decompress it first)")
            }
            Self::DamagedCompression { compression, error } => {
                let name = compression;
                match error.kind() {
                    io::ErrorKind::UnexpectedEof => {
                        write!(f, "incomplete {name} data: read up to its end")
                    }
                    _ => write!(f, "damaged {name} data: read up to the damage"),
                }
            }
            Self::CompressionWindow { limit } => {
                let limit = Size(*limit);
                write!(f, "compressed with a window of more than {limit}: not read (decompress it first)")
            }
            Self::NoFilePositions { is_compressed: true } => {
                f.write_str("compressed, so lines of the content are not lines of the file: skipped")
            }
            Self::NoFilePositions { is_compressed: false } => {
                f.write_str("a slice, whose lines are not those of the file: skipped")
            }
            Self::TooLong { limit } => {
                let limit = Size(*limit);
                write!(f, "longer than {limit}, the most that is read into memory: skipped")
            }
            Self::Binary => f.write_str("binary file"),
            Self::Mail => f.write_str(
                "mail is never rewritten, since its signatures and transfer encodings could become invalid: left \
                 unchanged",
            ),
            Self::LongMessage { offset } => write!(
                f,
                "the message at byte {offset} has more than 32 MiB: not read any further"
            ),
            Self::ManyParts { offset } => write!(
                f,
                "the message at byte {offset} has more than 10,000 parts, or too many inside one another \
                 (64, and 4 that are encoded): not taken apart any further"
            ),
            Self::WebArchive { problem } | Self::Syntax { problem, .. } => f.write_str(problem),
            Self::Package { problem } => write!(f, "{problem}: not read"),
            Self::Encrypted => f.write_str("encrypted, or in the binary format of older programs: links not read"),
            Self::Signed => f.write_str(
                "signed: left unchanged, since an edit would break the signature (`rewrite \
                 --break-signatures`)",
            ),
            Self::Changed => f.write_str("changed since it was planned: left unchanged"),
            Self::ModifiedSince => f.write_str("changed since the run: left unchanged"),
            Self::NotFound => f.write_str("no longer exists"),
            Self::AlreadyExists => f.write_str("exists already: left unchanged"),
            Self::NotEmpty => f.write_str("the directory is not empty: left unchanged"),
            Self::Duplicate => f.write_str("named twice in the plan"),
            Self::Outside => f.write_str("outside of the root of the run: left unchanged"),
            Self::Busy => f.write_str("another run is active here"),
            Self::Interrupted => {
                f.write_str("a run was interrupted here; resume or undo it first")
            }
            Self::ForeignJournal(origin) => {
                write!(f, "the journal does not belong to this directory: {origin}")
            }
            Self::JournalRemoved => {
                f.write_str("removed during the run, which can no longer be resumed or undone")
            }
            Self::ToolState => {
                f.write_str("writing in .git, .hg, .svn, CVS and .rehref is not allowed")
            }
            Self::Journal { line, message } => {
                write!(f, "invalid journal: line {line}: {message}")
            }
            Self::ReadOnly => f.write_str("the file is read-only: left unchanged"),
        }
    }
}

/// Formats a number of bytes for people.
struct Size(u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 >> 20, self.0 >> 10) {
            (0, kib) => write!(f, "{kib} KiB"),
            (mib, _) => write!(f, "{mib} MiB"),
        }
    }
}

/// The text of a system error, without the path that `tempfile` adds: the error is about the file
/// that the temporary file would have replaced.
fn system_text(error: &io::Error) -> String {
    let mut text = error.to_string();
    if let (Some(_), Some(at)) = (error.get_ref(), text.rfind(" at path \"")) {
        text.truncate(at);
    }
    text
}

// The system error is part of the message, so it is not returned as the source.
impl std::error::Error for Error {}

/// A warning about a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Warning {
    /// The file was skipped because it contains NUL bytes.
    Binary,
    /// Bytes that are invalid in the charset were decoded as U+FFFD.
    Charset,
    /// The transfer encoding of a mail part is damaged; decoded what was possible.
    TransferEncoding,
    /// The transfer encoding of a mail part is unknown. The part was read undecoded.
    UnknownEncoding,
    /// The base URL is too long and was ignored.
    Base,
    /// A document of a format without a reader, such as PDF, was read as plain text.
    NoReader,
    /// HTML nested so deeply that its tree was not built. Its tags were read without context, so
    /// links may be wrong.
    Nesting,
    /// A part of a package is cut, or not well-formed. Links may be missing.
    Unbalanced,
    /// Bytes of a web archive that are not part of a record were skipped.
    ArchiveJunk,
    /// The `Content-Length` of a record in a web archive is missing or wrong. Everything up to the
    /// next record was read.
    ArchiveLength,
    /// A file in a WACZ has the name of an archive, but is not below `archive/`. It was not read.
    ArchiveMisplaced,
    /// The body of an HTTP response is truncated, damaged or in an unknown coding. Everything that
    /// could be decoded was read.
    HttpBody,
}

impl Warning {
    /// All warnings.
    pub const ALL: &'static [Self] = &[
        Self::Binary,
        Self::Charset,
        Self::TransferEncoding,
        Self::UnknownEncoding,
        Self::Base,
        Self::NoReader,
        Self::Nesting,
        Self::Unbalanced,
        Self::ArchiveJunk,
        Self::ArchiveLength,
        Self::ArchiveMisplaced,
        Self::HttpBody,
    ];

    /// The names in records of errors that do not end a run.
    #[cfg(feature = "schema")]
    pub(crate) const OTHER_CODES: &'static [&'static str] =
        &[Self::UNREADABLE, Self::UNKNOWN_TARGET];

    /// The name in records of a document that could not be read.
    pub(crate) const UNREADABLE: &'static str = "unreadable";

    /// The name in records of a link whose target could not be looked up.
    pub(crate) const UNKNOWN_TARGET: &'static str = "unknown-target";

    /// The name in records.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::Charset => "charset",
            Self::TransferEncoding => "transfer-encoding",
            Self::UnknownEncoding => "unknown-encoding",
            Self::Base => "base",
            Self::NoReader => "no-reader",
            Self::Nesting => "nesting",
            Self::Unbalanced => "unbalanced",
            Self::ArchiveJunk => "archive-junk",
            Self::ArchiveLength => "archive-length",
            Self::ArchiveMisplaced => "archive-misplaced",
            Self::HttpBody => "http-body",
        }
    }

    /// The message about a document, with the place in it if there is one.
    pub fn diagnostic(self, name: &Path, place: Option<Position>) -> Diagnostic<'_> {
        Diagnostic::new(name, place, self.text())
    }

    /// The sentence for people.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Binary => "binary file skipped",
            Self::Charset => "bytes that are invalid in the charset were read as U+FFFD",
            Self::NoReader => "read as plain text: other links of its format are not found",
            Self::UnknownEncoding => "unknown transfer encoding: the part was read undecoded",
            Self::TransferEncoding => {
                "damaged base64 or quoted-printable data: decoded what was possible"
            }
            Self::Unbalanced => "not well-formed XML, perhaps cut: links may be missing",
            Self::Nesting => {
                "nested too deep to build its tree: tags that a browser ignores count too"
            }
            Self::ArchiveJunk => "skipped bytes that are not part of a record",
            Self::ArchiveLength => "missing or wrong Content-Length: read up to the next record",
            Self::ArchiveMisplaced => "not below archive/ in the WACZ: not read",
            Self::HttpBody => "truncated or damaged body of a response: decoded what was possible",
            Self::Base => "a base of more than 2 KiB: relative references are not resolved",
        }
    }
}
