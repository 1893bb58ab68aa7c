//! A progress bar on standard error, on a terminal and for long runs.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressBar, ProgressStyle};

use super::quiet::Quiet;

/// The time after which a run shows a progress bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// The minimum time between two paintings of the bar: at most 15 a second. A remote terminal is
/// slower than a run that prints much.
const PAUSE: Duration = Duration::from_micros(66_667);

/// The bar on the terminal. A process has one terminal, so it has one bar.
static BAR: Mutex<Bar> = Mutex::new(Bar { content: None, shown: None, painted: None });

fn bar() -> MutexGuard<'static, Bar> {
    BAR.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Bar {
    /// The content of the bar when it is painted next. `None` if no run shows one.
    content: Option<Content>,
    /// The bar on the terminal, and what it shows.
    shown: Option<(Shape, ProgressBar)>,
    /// The time when it was last painted.
    painted: Option<Instant>,
}

/// The content of a bar.
#[derive(Clone)]
struct Content {
    /// The number of files, if available.
    total: Option<u64>,
    files: u64,
    /// The bytes read of the current file, and its length if available.
    read: Option<(u64, Option<u64>)>,
    started: Instant,
    /// The time of the next painting: most files are read before it.
    next: Instant,
}

/// What a bar shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// The number of files so far.
    Files,
    /// The part of this number of files.
    FilesOf(u64),
    /// The part of this number of bytes of the only file.
    BytesOf(u64),
}

impl Bar {
    /// Paints the bar, unless it was painted a moment ago.
    fn paint(&mut self) {
        let is_due = self.painted.is_none_or(|it| it.elapsed() >= PAUSE);
        let Some(content) = self.content.clone().filter(|_| is_due) else {
            return;
        };
        let shape = content.shape();
        if self.shown.as_ref().is_some_and(|(shown, _)| *shown != shape) {
            self.hide();
        }
        let shown = self.shown.take().map(|(_, bar)| bar);
        // These do not paint.
        let bar = shown.unwrap_or_else(|| content.bar(shape));
        let bar = bar.with_position(content.position(shape)).with_message(content.message(shape));
        bar.tick();
        self.shown = Some((shape, bar));
        self.painted = Some(Instant::now());
    }

    /// Removes the bar from the terminal.
    fn hide(&mut self) {
        if let Some((_, bar)) = self.shown.take() {
            bar.finish_and_clear();
        }
    }
}

impl Content {
    fn shape(&self) -> Shape {
        match (self.total, self.read) {
            (Some(1), Some((_, Some(len)))) => Shape::BytesOf(len),
            (None | Some(1), _) => Shape::Files,
            (Some(total), _) => Shape::FilesOf(total),
        }
    }

    fn position(&self, shape: Shape) -> u64 {
        match (shape, self.read) {
            (Shape::BytesOf(len), Some((read, _))) => read.min(len),
            _ => self.files,
        }
    }

    /// The bytes read.
    fn message(&self, shape: Shape) -> String {
        let Some((read, len)) = self.read else {
            return String::new();
        };
        let len = len.map_or(String::new(), |len| format!(" of {}", HumanBytes(len)));
        match shape {
            Shape::BytesOf(_) => format!("{}{len}", HumanBytes(read)),
            Shape::Files | Shape::FilesOf(_) => format!(", {}{len} of this one", HumanBytes(read)),
        }
    }

    fn bar(&self, shape: Shape) -> ProgressBar {
        let (template, bar) = match shape {
            Shape::Files => ("{spinner} {pos} files{msg}, {elapsed}", ProgressBar::no_length()),
            Shape::FilesOf(total) => {
                ("{wide_bar} {pos} of {len} files{msg}, {elapsed}", ProgressBar::new(total))
            }
            Shape::BytesOf(len) => ("{wide_bar} {msg}, {elapsed}", ProgressBar::new(len)),
        };
        let style = ProgressStyle::with_template(template);
        bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
            .with_elapsed(self.started.elapsed())
    }
}

/// The progress of a run.
pub(crate) struct Progress {
    /// The content of the bar, if standard error is a terminal.
    content: Option<Mutex<Content>>,
}

impl Progress {
    /// A run of this number of files, if available.
    pub(crate) fn new(total: Option<usize>) -> Self {
        Self::of_files(|| total)
    }

    /// A run of the number of files that `total` returns, if available. It is called only if a bar
    /// may be shown: to count files takes time.
    pub(crate) fn of_files(total: impl FnOnce() -> Option<usize>) -> Self {
        let content = || {
            let started = Instant::now();
            Mutex::new(Content {
                total: total().map(|total| total as u64),
                files: 0,
                read: None,
                started,
                next: started + PATIENCE,
            })
        };
        Self { content: (io::stderr().is_terminal() && !Quiet::silences_summaries()).then(content) }
    }

    /// Shows the bytes read of a file, and its length if available.
    pub(crate) fn read(&self, bytes: u64, len: Option<u64>) {
        self.show(0, Some((bytes, len)));
    }

    /// Counts a file.
    pub(crate) fn step(&self) {
        self.show(1, None);
    }

    /// Counts files. Shows the bar if the run takes long.
    fn show(&self, files: u64, read: Option<(u64, Option<u64>)>) {
        let Some(content) = &self.content else {
            return;
        };
        let mut content = content.lock().unwrap_or_else(PoisonError::into_inner);
        content.files += files;
        content.read = read;
        let now = Instant::now();
        if now >= content.next {
            content.next = now + PAUSE;
            let mut bar = bar();
            bar.content = Some(content.clone());
            bar.paint();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.content.is_some() {
            clear();
        }
    }
}

/// Removes the bar.
pub(crate) fn clear() {
    let mut bar = bar();
    bar.hide();
    bar.content = None;
}

/// Prints something while the bar is hidden. The bar is painted again after the pause, or now if it
/// was painted long ago.
pub(crate) fn aside<T>(print: impl FnOnce() -> T) -> T {
    let mut bar = bar();
    if bar.content.is_none() {
        // Printing may block.
        drop(bar);
        return print();
    }
    bar.hide();
    let result = print();
    bar.paint();
    result
}
