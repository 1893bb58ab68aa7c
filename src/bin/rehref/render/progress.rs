//! A progress bar on standard error, on a terminal and for long runs.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::quiet::Quiet;

/// The time after which a run shows a progress bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// The bar on the terminal. There is one terminal, so there is one bar.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

fn shown() -> MutexGuard<'static, Option<ProgressBar>> {
    BAR.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The progress of a run.
pub(crate) struct Progress {
    /// The bar, hidden at first, if standard error is a terminal.
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A run of this number of files, if known.
    pub(crate) fn new(total: Option<usize>) -> Self {
        let new = || {
            let template = match total {
                Some(_) => "{wide_bar} {pos} of {len} files{msg}, {elapsed}",
                None => "{spinner} {pos} files{msg}, {elapsed}",
            };
            let style = ProgressStyle::with_template(template);
            let total = total.map(|total| total as u64);
            let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        };
        Self {
            bar: (io::stderr().is_terminal() && !Quiet::silences_summaries()).then(new),
        }
    }

    /// Shows the bytes read of a file, and its length if known.
    pub(crate) fn read(&self, bytes: u64, len: Option<u64>) {
        let len = len.map_or(String::new(), |len| format!(" of {}", HumanBytes(len)));
        self.show(0, format!(", {}{len} of this one", HumanBytes(bytes)));
    }

    /// Counts a file.
    pub(crate) fn step(&self) {
        self.show(1, String::new());
    }

    /// Counts files. Shows the bar if the run takes long.
    fn show(&self, files: u64, message: String) {
        let Some(bar) = &self.bar else {
            return;
        };
        if bar.is_hidden() && bar.elapsed() >= PATIENCE {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            *shown() = Some(bar.clone());
        }
        bar.set_message(message);
        bar.inc(files);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.bar.as_ref().is_some_and(|bar| !bar.is_hidden()) {
            clear();
        }
    }
}

/// Removes the bar.
pub(crate) fn clear() {
    if let Some(bar) = shown().take() {
        bar.finish_and_clear();
    }
}

/// Prints something while the bar is hidden.
pub(crate) fn aside<T>(print: impl FnOnce() -> T) -> T {
    let bar = shown().clone();
    match bar {
        Some(bar) => bar.suspend(print),
        None => print(),
    }
}
