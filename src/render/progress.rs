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
    /// The bar on the terminal.
    shown: Option<ProgressBar>,
    /// The time when it was last painted.
    painted: Option<Instant>,
}

/// The content of a bar.
#[derive(Clone)]
struct Content {
    /// The number of files, if available.
    total: Option<u64>,
    files: u64,
    /// About the file that is read.
    note: String,
    started: Instant,
}

impl Bar {
    /// Paints the bar, unless it was painted a moment ago.
    fn paint(&mut self) {
        let is_due = self.painted.is_none_or(|it| it.elapsed() >= PAUSE);
        let Some(content) = self.content.as_ref().filter(|_| is_due) else {
            return;
        };
        let bar = self.shown.take().unwrap_or_else(|| content.bar());
        // These do not paint.
        let bar = bar.with_position(content.files);
        let bar = bar.with_message(content.note.clone());
        bar.tick();
        self.shown = Some(bar);
        self.painted = Some(Instant::now());
    }

    /// Removes the bar from the terminal.
    fn hide(&mut self) {
        if let Some(bar) = self.shown.take() {
            bar.finish_and_clear();
        }
    }
}

impl Content {
    fn bar(&self) -> ProgressBar {
        let template = match self.total {
            Some(_) => "{wide_bar} {pos} of {len} files{msg}, {elapsed}",
            None => "{spinner} {pos} files{msg}, {elapsed}",
        };
        let style = ProgressStyle::with_template(template);
        let bar = match self.total {
            Some(total) => ProgressBar::new(total),
            None => ProgressBar::no_length(),
        };
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
        let content = || {
            Mutex::new(Content {
                total: total.map(|total| total as u64),
                files: 0,
                note: String::new(),
                started: Instant::now(),
            })
        };
        Self { content: (io::stderr().is_terminal() && !Quiet::silences_summaries()).then(content) }
    }

    /// Shows the bytes read of a file, and its length if available.
    pub(crate) fn read(&self, bytes: u64, len: Option<u64>) {
        let len = len.map_or(String::new(), |len| format!(" of {}", HumanBytes(len)));
        self.show(0, format!(", {}{len} of this one", HumanBytes(bytes)));
    }

    /// Counts a file.
    pub(crate) fn step(&self) {
        self.show(1, String::new());
    }

    /// Counts files. Shows the bar if the run takes long.
    fn show(&self, files: u64, note: String) {
        let Some(content) = &self.content else {
            return;
        };
        let mut content = content.lock().unwrap_or_else(PoisonError::into_inner);
        content.files += files;
        content.note = note;
        if content.started.elapsed() >= PATIENCE {
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

/// Prints something while the bar is hidden. The bar is painted again with the next file, or now if
/// it was painted long ago.
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
