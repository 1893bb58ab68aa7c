//! Messages of runs, with the options that help.

use std::cmp::Reverse;
use std::fmt;
use std::path::Path;

use rehref::bytes::Position;
use rehref::error::{Error, ErrorKind, Warning};
use rehref::jobs::{
    EditEvent, JobError, MirrorError, MirrorEvent, NotFollowed, PathReason, UnreadKind,
    only_run_below,
};
use rehref::records::UnreadDocuments;
use rehref::rewrite::SkipReason;

use super::escape::shell_path;
use super::excerpt::Excerpt;
use super::journal_command::JournalCommand;
use super::message::Message;
use super::terminal::warn;

/// The message of an error about a file.
pub(crate) fn message_of_file(error: &Error) -> Message {
    let message = Message::from(error);
    match error.kind() {
        ErrorKind::NoFilePositions { is_compressed: true } => {
            message.with_help("decompress it first, or use --format jsonl")
        }
        ErrorKind::NoFilePositions { is_compressed: false } => {
            message.with_help("use --format jsonl, or name the whole file")
        }
        _ => message,
    }
}

/// The message of an error that ends a run of this command with a journal.
pub(crate) fn message_of_run(error: &JobError, command: JournalCommand) -> Message {
    let message = message_of_error(error);
    match error {
        JobError::Refused(refused) if matches!(refused.kind(), ErrorKind::Interrupted) => {
            command.with_recovery_help(message, refused.path())
        }
        _ => message,
    }
}

/// The message of an error that ends a run.
pub(crate) fn message_of_error(error: &JobError) -> Message {
    let message = Message::from(error.diagnostic());
    match error {
        JobError::NotJournaled(_) => message
            .with_help("use --no-journal to write without a journal; the run cannot be undone then"),
        JobError::ForeignJournal(it) => Message::new("nothing was changed")
            .with_help(
                "use --trust-journal if the directory was moved, copied or restored since you ran rehref there, \
                 and you want these steps",
            )
            .with_help(format_args!("otherwise remove {}", it.state.display())),
        JobError::Path(path, PathReason::MissingDirectory) => {
            message.with_help(format_args!("write {}/ to create it", path.display()))
        }
        JobError::NoRun(directory) | JobError::NotInterrupted(directory) => {
            match only_run_below(directory) {
                Some(below) => {
                    let below = shell_path(&below);
                    message.with_help(format_args!("name the directory of the run: {below}"))
                }
                None => message.with_help("name the directory of the run if it is another one"),
            }
        }
        JobError::OutputExists { .. } => message.with_help("use --force to replace them"),
        JobError::Path(
            _,
            PathReason::OutsideRoot {
                common: Some(common),
                ..
            },
        ) => message.with_help(format_args!("use --root {}", shell_path(common))),
        JobError::Path(_, PathReason::NotForRedirects) => {
            message.with_help("use --redirects with another form, or rename that path")
        }
        JobError::Path(_, PathReason::NotAMove) => message.within("--moved"),
        JobError::Path(_, PathReason::NotMoved) => message
            .within("--moved")
            .with_help("move the file first, or leave out --moved to move it now: OLD NEW"),
        JobError::Path(path, PathReason::NotWritable) if path == Path::new("-") => {
            message.with_help("leave out -w: standard input is rewritten to standard output")
        }
        JobError::File(error) | JobError::Refused(error) => {
            message.with_help_if(help_of_error(error.kind()))
        }
        JobError::Malformed {
            file,
            line: Some(line),
            ..
        } => message.with_excerpt(Excerpt::in_file(file, *line)),
        JobError::SameOutput { .. } | JobError::FileAtDirectory { .. } => {
            message.with_help("write them to different directories with -o, one run for each")
        }
        JobError::Overlap { .. } => {
            message.with_help("use -o with a directory outside of the input, or -w to write in place")
        }
        JobError::Url(_) | JobError::NotBelow { .. } => message.within("--base"),
        JobError::Row { list, line, error } => message
            .with_excerpt(Excerpt::in_file(list, *line))
            .with_help_of(message_of_error(error)),
        JobError::Mirror(MirrorError::NoMarks) => message
            .within("--mirror auto")
            .with_help("use --mirror URL=DIR to name the site"),
        JobError::Mirror(MirrorError::Log(error)) => message_of_error(error),
        JobError::Mirror(MirrorError::OtherUrls { .. } | MirrorError::OtherFiles { .. }) => message,
        JobError::Mirror(_) => message.within("--mirror"),
        _ => message,
    }
}

/// Returns the help for a file that cannot be read or written.
fn help_of_error(kind: &ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::ReadOnly => "make it writable (chmod u+w) to rewrite it",
        ErrorKind::Outside => "use --root DIR with a directory that contains it",
        ErrorKind::Changed => "run rehref again to plan it again",
        ErrorKind::OwnerNotKept { .. } => {
            "leave out --no-journal: a run with a journal writes into the file itself"
        }
        ErrorKind::Busy => "run rehref again when that run has ended",
        _ => return None,
    })
}

/// Returns the help for a document of a kind that is not rewritten.
fn help_of_kind(kind: UnreadKind) -> Option<&'static str> {
    Some(match kind {
        UnreadKind::NotRewritten("pdf") => return None,
        UnreadKind::NotRewritten(_)
        | UnreadKind::Document(".br" | ".lz" | ".lz4" | ".lzma" | ".z") => {
            "decompress it, rewrite the result, and compress that"
        }
        UnreadKind::Document(
            ".7z" | ".rar" | ".tar" | ".tbz" | ".tbz2" | ".tgz" | ".txz" | ".zip",
        ) => "unpack it, and rewrite the files",
        UnreadKind::Binary => "use --media KIND if it is of another kind, such as text",
        _ => return None,
    })
}

/// The form of `--base` that gives documents a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BaseOption {
    /// That of standard input, which is in no directory.
    OfStdin,
    /// That of files.
    OfFiles,
}

impl BaseOption {
    /// The form for the document with this name.
    fn of(document: &Path) -> Self {
        match document == Path::new("-") {
            true => Self::OfStdin,
            false => Self::OfFiles,
        }
    }
}

impl fmt::Display for BaseOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OfStdin => "--base URL",
            Self::OfFiles => "--base URL=DIR",
        })
    }
}

/// Returns the text about documents whose links were not read. `None` without any.
pub(crate) fn text_of_unread(unread: &UnreadDocuments) -> Option<String> {
    let mut text = unread.message()?;
    // The last kind.
    if let Some((_, count)) = unread.iter().find(|(kind, _)| *kind == UnreadKind::GitIgnored) {
        text += match count {
            1 => " (--no-ignore reads it)",
            _ => " (--no-ignore reads them)",
        };
    }
    Some(text)
}

/// The maximum number of ways out in a message about documents that were not read.
const MAX_HELPS: usize = 3;

/// Returns the message about documents whose links were not read, with the ways to read the most
/// frequent kinds. `None` without any.
pub(crate) fn message_of_unread(unread: &UnreadDocuments) -> Option<Message> {
    let message = Message::from(text_of_unread(unread)?);
    let mut kinds: Vec<(UnreadKind, usize)> = unread.iter().collect();
    let is_one = kinds.len() == 1;
    // The sort is stable.
    kinds.sort_by_key(|&(_, count)| Reverse(count));
    let mut helps: Vec<(String, &str)> = Vec::new();
    for (kind, _) in kinds {
        let Some(help) = help_of_unread(kind) else {
            continue;
        };
        let name = kind.as_str();
        match helps.iter_mut().find(|(_, it)| *it == help) {
            Some((names, _)) => *names += &format!(", {name}"),
            None => helps.push((name.to_owned(), help)),
        }
    }
    Some(helps.into_iter().take(MAX_HELPS).fold(message, |message, (names, help)| match is_one {
        true => message.with_help(help),
        false => message.with_help_for(names, help),
    }))
}

/// Returns the help for finding the links in a document of a kind that is not read.
fn help_of_unread(kind: UnreadKind) -> Option<&'static str> {
    Some(match kind {
        UnreadKind::PageText(_) => "find the URLs in the text: pdftotext FILE - | rehref extract -",
        UnreadKind::Document("encrypted") => "save it without a password first",
        UnreadKind::Document("damaged") => return None,
        UnreadKind::Document(".rtf") => "convert it first: pandoc -t html FILE | rehref extract -",
        UnreadKind::Document(".oxps" | ".xps") => {
            "search its parts as text: unzip -p FILE | rehref extract --media text -"
        }
        UnreadKind::Document(".doc" | ".pps" | ".ppt" | ".vsd" | ".wpd" | ".xls") => {
            "convert it first, such as with LibreOffice: soffice --convert-to html FILE"
        }
        UnreadKind::Document(".djvu") => "convert it first: djvutxt FILE | rehref extract -",
        UnreadKind::Document(".ost" | ".pst") => {
            "convert it to mailboxes first, such as with readpst"
        }
        UnreadKind::Document(
            ".7z" | ".rar" | ".tar" | ".tbz" | ".tbz2" | ".tgz" | ".txz" | ".zip",
        ) => "unpack it, and name the directory",
        UnreadKind::Document(".br") => "decompress it first: brotli -dc FILE | rehref extract -",
        UnreadKind::Document(".lz") => "decompress it first: lzip -dc FILE | rehref extract -",
        UnreadKind::Document(".lz4") => "decompress it first: lz4 -dc FILE | rehref extract -",
        UnreadKind::Document(".lzma") => "decompress it first: xz -dc FILE | rehref extract -",
        UnreadKind::Document(".z") => "decompress it first: gzip -dc FILE | rehref extract -",
        UnreadKind::Part("S/MIME") => {
            "decrypt the message first: openssl cms -decrypt -in FILE -inkey KEY | rehref extract -"
        }
        UnreadKind::Part("OpenPGP") => "decrypt the message first, such as with gpg",
        UnreadKind::Part("TNEF") => "unpack it first, such as with ytnef",
        UnreadKind::Part("binary" | "embedded" | "encrypted" | "macro" | "query") => return None,
        UnreadKind::Part(_) => "save it as a file first, such as with munpack",
        UnreadKind::Document(".arc" | ".wacz" | ".warc" | ".zim") => return None,
        UnreadKind::Document(_) => "convert it to text or HTML first",
        UnreadKind::Called("html") => "use --media html to read it as a page",
        UnreadKind::Called(_) => "use --media xml to read it as XML",
        UnreadKind::TextUrls("html") => {
            "use --html-text to find the URLs in its text, or --media text to find all absolute ones"
        }
        UnreadKind::TextUrls(_) => "use --media text to find the absolute URLs in it",
        UnreadKind::Binary => "use --media KIND to read it as that kind",
        _ => return None,
    })
}

/// Returns the option that helps if links are skipped for a reason.
pub(crate) fn help_of(reason: SkipReason, base: BaseOption) -> Option<&'static str> {
    Some(match reason {
        SkipReason::NoBase | SkipReason::UnknownSite => match base {
            BaseOption::OfStdin => "use --base URL",
            BaseOption::OfFiles => "use --base URL=DIR",
        },
        SkipReason::ForeignBase => "use --base-element strip",
        SkipReason::Absolute => "use --map",
        SkipReason::Canonical => "use --canonical",
        SkipReason::Backslash => "use --profile whatwg",
        _ => return None,
    })
}

/// The message of a warning about a document.
pub(crate) fn message_of_warning(
    name: &Path,
    position: Option<Position>,
    warning: Warning,
    unread: Option<UnreadKind>,
) -> Message {
    let message = Message::from(warning.diagnostic(name, position));
    let is_outlook = name.extension().is_some_and(|it| it.eq_ignore_ascii_case("msg"));
    match (warning, unread) {
        (Warning::Binary, _) if is_outlook => {
            message.with_help("convert it first, such as with msgconvert")
        }
        (Warning::Binary | Warning::NoReader, Some(kind @ UnreadKind::Document(_))) => {
            message.with_help_if(help_of_unread(kind))
        }
        (Warning::Binary, Some(_)) => message.with_help("use --media KIND to read it as that kind"),
        _ => message,
    }
}

/// Returns the message of an event of a run of this command, with the option that helps.
pub(crate) fn message_of(event: &EditEvent<'_>, command: JournalCommand) -> Option<Message> {
    if let EditEvent::WouldRefuse(error) = event {
        let message = message_of_run(error, command).without_end(": left unchanged");
        return Some(message.preceded_by("-w would refuse: "));
    }
    if let EditEvent::Warning(name, position, warning) = event {
        return Some(message_of_warning(name, *position, *warning, None));
    }
    let message = Message::from(event.diagnostic()?);
    Some(match event {
        EditEvent::Skipped(link, reason) => {
            let message = message.with_excerpt(Excerpt::of_link(link));
            message.with_help_if(help_of(*reason, BaseOption::of(link.document().path())))
        }
        EditEvent::Error(error) => message.with_help_if(help_of_error(error.kind())),
        EditEvent::Breaks(link) => message.with_excerpt(Excerpt::of_link(link)),
        EditEvent::Unverified { document, mismatch } => {
            let excerpt = mismatch.at.and_then(|at| {
                let Position { line, .. } = document.lines().position(at);
                Excerpt::in_document(document, line, at..at + 1)
            });
            message.with_excerpt(excerpt)
        }
        EditEvent::StaleIntegrity { .. } => {
            message.with_help("use --integrity drop to remove stale hashes")
        }
        EditEvent::LargerTree { larger: directory, .. }
        | EditEvent::InnerRoot { directory, .. } => {
            message.with_help(format_args!("use --root {}", shell_path(directory)))
        }
        EditEvent::NothingUndone { root, changed, moved } if !changed.is_empty() => {
            let content = if changed.len() == 1 { "its content" } else { "their content" };
            let back = match moved {
                Some((old, new)) => {
                    let root = match *root == Path::new(".") {
                        true => String::new(),
                        false => format!(" --root {}", shell_path(root)),
                    };
                    let (old, new) = (shell_path(old), shell_path(new));
                    format!(", or move back with: rehref move -w{root} {new} {old}")
                }
                None => String::new(),
            };
            message.with_help(format_args!("restore {content}{back}"))
        }
        EditEvent::NotFollowed {
            reason: NotFollowed::FromOutside | NotFollowed::ToOutside,
            ..
        } => message.with_help("use --root DIR with a directory that contains both"),
        EditEvent::NoRedirect(_) => message.with_help("use --redirects html"),
        EditEvent::MatchesAgain(_) => message.within("--map-re"),
        EditEvent::NotRewritten(_, kind) => message.with_help_if(help_of_kind(*kind)),
        EditEvent::UnsupportedFormat => {
            message.with_help("use --media KIND if it is of another kind")
        }
        EditEvent::TextWithoutRule => message.with_help("use --media html if it is HTML"),
        _ => message,
    })
}

/// The error of a command.
pub(crate) fn explained(error: JobError) -> anyhow::Error {
    message_of_error(&error).into()
}

/// Prints a message about a mirror.
pub(crate) fn print_mirror_event(event: &MirrorEvent<'_>) {
    match event {
        MirrorEvent::Site { .. } | MirrorEvent::MoreSites(_) => {
            warn(format_args!("--mirror auto: {event}"));
        }
        MirrorEvent::Log(_) => warn(format_args!("--mirror: {event}")),
        MirrorEvent::LogIgnored(error) => {
            warn(message_of_error(error).followed_by("; log ignored"));
        }
        _ => warn(event.to_string()),
    }
}
