//! The output of runs that edit files.

use std::ops::ControlFlow;
use std::path::Path;

use rehref::Link;
use rehref::document::Document;
use rehref::fs::journal::{Applied, Counts};
use rehref::jobs::{EditEvent, append_move_diff, document_diff};
use rehref::records::{EditRecord, MoveRecord, write_json};
use rehref::rewrite::{MirrorPage, Mismatch};

use super::messages::Messages;
use super::progress::{self, Progress};
use super::reasons::reason_of;
use super::terminal::{Output, warn};
use crate::exit::Exit;
use crate::signals::Interrupt;

/// How the results of a document are rendered.
#[derive(Clone, Copy)]
pub(crate) struct Renderer {
    pub(crate) json: bool,
    /// Whether diffs are printed.
    pub(crate) diff: bool,
    /// Whether edits are those of a move, so that every diff has a head for git.
    pub(crate) moves: bool,
    /// The end of a JSON record.
    pub(crate) end: u8,
}

/// The output of a document.
#[derive(Default)]
pub(crate) struct Piece {
    output: Vec<u8>,
    messages: Messages,
    /// Whether a file or step is done.
    steps: bool,
    /// The number of files of the run.
    files: Option<usize>,
    /// Whether files are written from now on, and their number if known.
    writing: Option<Option<usize>>,
    /// Whether no more pieces follow.
    pub(crate) is_last: bool,
}

impl Renderer {
    /// Renders an event.
    pub(crate) fn event(&self, event: EditEvent<'_>, out: &mut Piece) {
        let messages = &mut out.messages;
        match event {
            EditEvent::Document(plan) => {
                if self.json {
                    EditRecord::for_each(plan, |record| {
                        write_json(record, &mut out.output);
                        out.output.push(self.end);
                    });
                } else if self.diff && !self.moves {
                    document_diff(plan, &mut out.output);
                }
            }
            EditEvent::Moved { old, new, .. } | EditEvent::MovedSpecial { old, new, .. }
                if self.json =>
            {
                write_json(&MoveRecord::new(old, new), &mut out.output);
                out.output.push(self.end);
            }
            EditEvent::Moved { .. } | EditEvent::NewFile(..) | EditEvent::Changed { .. } => {
                if self.diff && !self.json {
                    append_move_diff(&event, &mut out.output);
                    self.message(&event, messages);
                }
            }
            EditEvent::Content(content) => out.output = content,
            EditEvent::Progress => out.steps = true,
            EditEvent::Files(files) => out.files = Some(files),
            EditEvent::Writing(files) => out.writing = Some(files),
            EditEvent::Stopped => out.is_last = true,
            other => self.message(&other, messages),
        }
    }

    /// Renders the message of an event.
    fn message(&self, event: &EditEvent<'_>, messages: &mut Messages) {
        let text = match event {
            EditEvent::Error(error) => return messages.error(error),
            EditEvent::Warning(name, place, warning) => {
                return messages.warning(name, *place, *warning);
            }
            EditEvent::Unverified { document, mismatch } => {
                return messages.failure(unverified(document, mismatch));
            }
            EditEvent::Changed {
                old,
                edits,
                is_utf16: true,
                ..
            } => {
                let (name, count) = (old.display(), edits.len());
                let plural = if count == 1 { "" } else { "s" };
                format!("{name}: UTF-16, so the diff lacks its {count} edit{plural}")
            }
            EditEvent::MovedSpecial {
                old,
                new,
                is_directory,
            } if self.diff => {
                let what = match is_directory {
                    true => "an empty folder",
                    false => "neither a file nor a link",
                };
                let (old, new) = (old.display(), new.display());
                format!("{old}: moves to {new}, which the diff cannot say: it is {what}")
            }
            EditEvent::Skipped(link, reason) => {
                let (place, reference) = (place_of(link), link.reference());
                format!("{place}: kept {reference:?}: {}", reason.as_str())
            }
            EditEvent::Breaks(link) => {
                let (place, reference) = (place_of(link), link.reference());
                format!("{place}: {reference:?} would not lead where it leads now")
            }
            EditEvent::BreaksUneditable {
                name,
                is_compressed,
                links,
            } => {
                let (name, plural) = (name.display(), if *links == 1 { "link" } else { "links" });
                let why = if *is_compressed {
                    "compressed"
                } else {
                    "binary"
                };
                format!(
                    "{name}: {why}, and so not rewritten: {links} {plural} would not lead where they lead now"
                )
            }
            EditEvent::BreaksSymlink(path) => {
                format!(
                    "{}: a symbolic link that would lead nowhere",
                    path.display()
                )
            }
            EditEvent::StaleIntegrity {
                document,
                position: at,
                reference,
                file,
            } => {
                let (document, line, column) = (document.display(), at.line, at.column);
                let file = file.file_name().map_or(*file, Path::new).display();
                format!(
                    "{document}:{line}:{column}: integrity of {reference:?} no longer holds: {file} changes \
                     (--integrity drop)"
                )
            }
            EditEvent::StaleCopy { copy, document } => {
                let (copy, document) = (copy.display(), document.display());
                format!("{copy}: no longer what {document} is, compressed")
            }
            EditEvent::StaleRedirect(name, line) => {
                let name = name.display();
                format!("{name}:{line}:1: leads away from where something lies after the move")
            }
            EditEvent::NoRedirect(address) => format!(
                "{address}: not redirected to its page, since no rule of this server can name the address (--redirects \
                 html writes a page there)"
            ),
            EditEvent::PageUrl(name, page) => match page_url(page) {
                Some(text) => format!("{}: {text}", name.display()),
                None => return,
            },
            EditEvent::MatchesAgain(url) => {
                format!("--map-re: {url} is mapped again, so a second run goes on changing it")
            }
            EditEvent::SpecialFile(name) => {
                format!("{}: a special file: not copied", name.display())
            }
            EditEvent::Mail(error) => error.to_string(),
            EditEvent::UnsupportedFormat => {
                "-: neither HTML, CSS, XML nor plain text, so left as it is; --media reads \
                                             it as the kind it names"
                    .to_owned()
            }
            EditEvent::TextWithoutRule => {
                "-: plain text, which only maps change; --media html reads it as HTML".to_owned()
            }
            EditEvent::WouldRefuse(error) => format!("-w would refuse: {}", reason_of(error)),
            EditEvent::HardLinks(name, 1) => {
                let name = name.display();
                format!("{name}: has another hard link, which keeps the old content")
            }
            EditEvent::HardLinks(name, links) => {
                let name = name.display();
                format!("{name}: has {links} other hard links, which keep the old content")
            }
            EditEvent::LostAttributes(name) => format!(
                "{}: not all of its extended attributes could be kept",
                name.display()
            ),
            EditEvent::ReplacesRun => {
                "the run before this one can no longer be taken back".to_owned()
            }
            _ => return,
        };
        messages.note(text);
    }
}

fn unverified(document: &Document, mismatch: &Mismatch) -> String {
    let place = mismatch.at.map_or(String::new(), |at| {
        let at = document.lines().position(at);
        format!("{}:{}:", at.line, at.column)
    });
    let name = document.path().display();
    format!("{name}:{place} not verified: {mismatch}: left as it is")
}

/// The URL of a page of a mirror, if its links and not its name decided it.
fn page_url(page: &MirrorPage) -> Option<String> {
    let it = page.evidence.as_ref()?;
    Some(format!(
        "resolved links against {} ({} of {} relative links have a file; against {}: {})",
        page.url, it.found, it.links, it.named_url, it.named_found,
    ))
}

/// Prints the results of documents in order.
pub(crate) struct Printer<'i> {
    output: Output,
    progress: Progress,
    interrupt: &'i Interrupt,
    pub(crate) exit: Exit,
}

impl<'i> Printer<'i> {
    pub(crate) fn new(renderer: Renderer, interrupt: &'i Interrupt, exit: Exit) -> Self {
        Self {
            output: match renderer.diff && !renderer.json {
                true => Output::of_diffs(),
                false => Output::new(renderer.json),
            },
            progress: Progress::new(None),
            interrupt,
            exit,
        }
    }

    /// Prints the result of a document. Breaks if the reader has gone.
    pub(crate) fn take(&mut self, piece: Piece) -> ControlFlow<()> {
        if let Some(files) = piece.writing {
            self.interrupt.defer();
            progress::clear();
            self.progress = Progress::new(files);
        }
        if piece.files.is_some() {
            self.progress = Progress::new(piece.files);
        }
        if piece.steps {
            self.progress.step();
        }
        self.exit = self.exit.max(piece.messages.print());
        self.output.write(&piece.output)
    }

    /// Returns true if the reader of standard output has gone.
    pub(crate) fn reader_is_gone(&self) -> bool {
        self.output.reader_is_gone()
    }

    /// Ends the output. Returns the exit status.
    pub(crate) fn finish(&mut self) -> anyhow::Result<Exit> {
        self.output.finish()?;
        Ok(self.exit)
    }
}

/// Prints how far an interrupted run came.
pub(crate) fn print_unfinished(applied: &Applied) {
    use rehref::error::ErrorKind;
    use rehref::fs::journal::RunState;
    let so_far = described(applied.done);
    let mut kinds = applied.problems.iter().map(rehref::error::Error::kind);
    let journal_is_gone = kinds.any(|kind| matches!(kind, ErrorKind::JournalRemoved));
    match applied.state {
        RunState::Finished | RunState::Undone => {}
        _ if journal_is_gone => warn(format_args!("not finished: {so_far} so far")),
        RunState::Interrupted => warn(format_args!(
            "not finished: {so_far} so far; --resume goes on, --undo takes it back"
        )),
        RunState::UndoInterrupted => warn(format_args!(
            "not taken back to the end: {so_far} so far; --undo goes on"
        )),
    }
}

/// The steps of a run that were done.
pub(crate) fn described(done: Counts) -> String {
    let plural = |count: u64| if count == 1 { "" } else { "s" };
    let mut text = format!(
        "{} edit{} in {} document{}",
        done.changes,
        plural(done.changes),
        done.files,
        plural(done.files)
    );
    for (count, one, many) in [
        (done.moves, "moved", "moved"),
        (done.created, "created", "created"),
        (done.made, "new folder", "new folders"),
        (done.removed, "removed folder", "removed folders"),
    ] {
        match count {
            0 => {}
            1 => text += &format!(", 1 {one}"),
            _ => text += &format!(", {count} {many}"),
        }
    }
    text
}

/// The number of links that scripts seem to build, for a summary.
pub(crate) fn of_scripts(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => ", 1 link built by scripts not seen".to_owned(),
        _ => format!(", {count} links built by scripts not seen"),
    }
}

/// Returns the place of a link as `path:line:column`.
fn place_of(link: &Link<'_>) -> String {
    format!(
        "{}:{}:{}",
        link.document().name(),
        link.line(),
        link.column()
    )
}
