//! A progress bar on standard error, on a terminal and for long runs.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressBar, ProgressStyle};

/// The time after which a run shows a progress bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// The bar on the terminal. There is one terminal, so there is one bar.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// The progress of a run.
pub(crate) struct Progress {
    /// The start of the run, if standard error is a terminal.
    start: Option<Instant>,
    total: Option<u64>,
    done: u64,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A run of this number of files, if known.
    pub(crate) fn new(total: Option<usize>) -> Self {
        Self {
            start: io::stderr().is_terminal().then(Instant::now),
            total: total.map(|it| it as u64),
            done: 0,
            bar: None,
        }
    }

    /// Shows the bytes read of a file, and its length if known.
    pub(crate) fn read(&mut self, bytes: u64, len: Option<u64>) {
        let Some(start) = self.start else {
            return;
        };
        self.show(start);
        if let Some(bar) = &self.bar {
            let len = len.map_or(String::new(), |len| format!(" of {}", HumanBytes(len)));
            bar.set_message(format!(", {}{len} of this one", HumanBytes(bytes)));
        }
    }

    /// Counts a file.
    pub(crate) fn step(&mut self) {
        let Some(start) = self.start else {
            return;
        };
        self.done += 1;
        self.show(start);
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
            bar.set_message("");
        }
    }

    /// Shows the bar if the run takes long.
    fn show(&mut self, start: Instant) {
        if self.bar.is_none() && start.elapsed() >= PATIENCE {
            let bar = bar(self.total, start);
            *lock() = Some(bar.clone());
            self.bar = Some(bar);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.bar.is_some() {
            clear();
        }
    }
}

/// Removes the bar.
pub(crate) fn clear() {
    if let Some(bar) = lock().take() {
        bar.finish_and_clear();
    }
}

/// Prints something while the bar is hidden.
pub(crate) fn aside<T>(print: impl FnOnce() -> T) -> T {
    let bar = lock().clone();
    match bar {
        Some(bar) => bar.suspend(print),
        None => print(),
    }
}

fn bar(total: Option<u64>, start: Instant) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{wide_bar} {pos} of {len} files{msg}, {elapsed}",
        ),
        None => (
            ProgressBar::new_spinner(),
            "{spinner} {pos} files{msg}, {elapsed}",
        ),
    };
    // The default style does where a template is none.
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style).with_elapsed(start.elapsed())
}

fn lock() -> std::sync::MutexGuard<'static, Option<ProgressBar>> {
    BAR.lock().unwrap_or_else(PoisonError::into_inner)
}
