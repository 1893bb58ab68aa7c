//! How far a run has come, on standard error, where somebody looks and it takes long.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressBar, ProgressStyle};

/// After how long a run begins to say how far it is.
const PATIENCE: Duration = Duration::from_millis(500);

/// What is shown at the moment. There is one terminal, so there is one of these.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// A run, of which is told how far it has come.
pub(crate) struct Progress {
    /// When it began, if anybody looks.
    start: Option<Instant>,
    total: Option<u64>,
    done: u64,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A run through so many files, if that is known.
    pub(crate) fn new(total: Option<usize>) -> Self {
        Self {
            start: io::stderr().is_terminal().then(Instant::now),
            total: total.map(|it| it as u64),
            done: 0,
            bar: None,
        }
    }

    /// So many bytes of a file have been read, of so many if that is known.
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

    /// One file more is done.
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

    /// Shows how far it is, if it takes long.
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

/// Takes away what is shown, since the run ends.
pub(crate) fn clear() {
    if let Some(bar) = lock().take() {
        bar.finish_and_clear();
    }
}

/// Prints something while nothing else is shown.
pub(crate) fn aside<T>(print: impl FnOnce() -> T) -> T {
    // Nothing that prints says how far it is.
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
