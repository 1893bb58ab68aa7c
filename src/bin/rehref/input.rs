//! From the command line to documents.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use rehref::bytes::Position;
use rehref::container::mail::MboxFormat;
use rehref::error::{Error, Warning};
use rehref::fs::{
    Compressed, Item, ReadOptions, WalkOptions, items_of_list, max_document, max_threads,
};

use crate::Exit;
use crate::args::{Args, InputArgs, JobsArgs, the_base};
use crate::terminal::{stdin_is_terminal, warn};

/// What a run reads, and how.
pub(crate) struct Input {
    pub(crate) items: Vec<Item>,
    pub(crate) tree: WalkOptions,
    pub(crate) options: ReadOptions,
    pub(crate) jobs: NonZeroUsize,
    /// Whether a list of paths could not be read.
    pub(crate) exit: Exit,
}

/// More threads than this only cost memory.
const MOST_JOBS: NonZeroUsize = NonZeroUsize::new(256).unwrap();

/// From how many bytes on a document is large: these take turns, so that what they need does not grow with `-j`.
const LARGE: u64 = 32 << 20;

/// Waits until no other large document is worked on, if this one is large. The turn ends where the answer is dropped.
pub(crate) fn turn(item: &Item, options: &ReadOptions) -> Option<MutexGuard<'static, ()>> {
    static TURN: Mutex<()> = Mutex::new(());
    let large = LARGE.min(options.max_document / 8);
    let is_large = item.byte_len().is_some_and(|len| len > large);
    is_large.then(|| TURN.lock().unwrap_or_else(PoisonError::into_inner))
}

/// How many files a job has open at most: the one it reads, its directory, and the one that takes its place, with
/// one for a look.
const FILES_OF_JOB: usize = 4;

/// How many files the rest of the program has open: standard streams, walks, directories of the output, a journal.
const OTHER_FILES: usize = 24;

/// How many documents are worked on at a time, where so many are asked for: not more than the system allows files to
/// be open for.
pub(crate) fn jobs(asked: JobsArgs) -> NonZeroUsize {
    let processors = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let jobs = asked.jobs.unwrap_or_else(processors).min(MOST_JOBS);
    let jobs = jobs.min(max_threads());
    let files = most_files().map(|files| files.saturating_sub(OTHER_FILES) / FILES_OF_JOB);
    files.map_or(jobs, |files| {
        jobs.min(NonZeroUsize::new(files).unwrap_or(NonZeroUsize::MIN))
    })
}

/// How many files this process may have open, if the system has such a limit.
#[cfg(unix)]
fn most_files() -> Option<usize> {
    use rustix::process::{Resource, getrlimit};
    let limit = getrlimit(Resource::Nofile).current?;
    usize::try_from(limit).ok()
}

#[cfg(not(unix))]
fn most_files() -> Option<usize> {
    None
}

/// Whether a file of this name is a page that browsers read as XML.
pub(crate) fn is_xhtml(name: &Path) -> bool {
    let is = |it: &str| {
        let extension = name.extension();
        extension.is_some_and(|extension| extension.eq_ignore_ascii_case(it))
    };
    is("xhtml") || is("xht")
}

impl Input {
    /// What the arguments of `command` name; `None` where they name nothing and standard input is a
    /// terminal: then help has been printed.
    pub(crate) fn new(args: InputArgs, command: &str) -> anyhow::Result<Option<Self>> {
        let mut arguments = args.paths;
        let mut exit = Exit::Done;
        for list in &args.files_from {
            match items_of_list(list) {
                Ok(items) => arguments.extend(items),
                Err(error) => {
                    warn(error);
                    exit = Exit::Trouble;
                }
            }
        }
        if arguments.is_empty() && args.files_from.is_empty() {
            if stdin_is_terminal() {
                Args::print_short_help(command);
                return Ok(None);
            }
            arguments.push("-".into());
        }
        let tree = args.walk.tree()?;
        let options = ReadOptions {
            format: args.reading.media.0,
            charset: args.reading.charset,
            retrieval: the_base(args.base)?,
            compressed: Compressed::default(),
            mbox: MboxFormat::default(),
            max_document: max_document(),
        };
        Ok(Some(Self {
            items: arguments
                .iter()
                .map(|argument| Item::from_argument(argument))
                .collect(),
            tree,
            options,
            jobs: jobs(args.jobs),
            exit,
        }))
    }
}

/// What there is to say about a document. It is said when its turn comes.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    lines: Vec<String>,
    failed: bool,
}

impl Messages {
    pub(crate) fn error(&mut self, error: &Error) {
        self.failed = true;
        self.lines.push(error.to_string());
    }

    pub(crate) fn warning(&mut self, name: &Path, place: Option<Position>, warning: Warning) {
        let place = place.map_or(String::new(), |at| format!("{}:{}:", at.line, at.column));
        self.lines
            .push(format!("{}:{place} {}", name.display(), warning.text()));
    }

    /// Something that must not be, about a document of which no more comes.
    pub(crate) fn failure(&mut self, line: String) {
        self.failed = true;
        self.lines.push(line);
    }

    pub(crate) fn note(&mut self, line: String) {
        self.lines.push(line);
    }

    /// Says it all; returns how the document ended.
    pub(crate) fn say(&self) -> Exit {
        for line in &self.lines {
            warn(line);
        }
        if self.failed {
            Exit::Trouble
        } else {
            Exit::Done
        }
    }
}
