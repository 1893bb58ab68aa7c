//! The processor time of a run, and the part of it in which other threads could not work: for the
//! benchmark `scale`. Nothing is measured outside of [`measured`].

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// True while a run is measured.
static IS_MEASURED: AtomicBool = AtomicBool::new(false);

/// The serial work of all threads, in nanoseconds.
static SERIAL: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// True if the work of this thread is serial, and since when.
    static THREAD: Cell<(bool, Duration)> = const { Cell::new((false, Duration::ZERO)) };
}

/// Work of one thread. Ends when it is dropped.
#[must_use]
pub(in crate::jobs) struct Section {
    was_serial: bool,
}

/// Begins work during which no other thread can do the same.
pub(in crate::jobs) fn serial() -> Section {
    Section { was_serial: change(true) }
}

/// Begins work that several threads can do.
pub(super) fn parallel() -> Section {
    Section { was_serial: change(false) }
}

impl Drop for Section {
    fn drop(&mut self) {
        change(self.was_serial);
    }
}

/// Sets if the work of this thread is serial from now on. Returns if it was.
fn change(is_serial: bool) -> bool {
    if !IS_MEASURED.load(Ordering::Relaxed) {
        return false;
    }
    let now = clock(false);
    let (was_serial, since) = THREAD.replace((is_serial, now));
    if was_serial {
        count(now - since);
    }
    was_serial
}

fn count(time: Duration) {
    SERIAL.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
}

/// Work that may turn out to be serial at its end.
pub(super) struct Undecided(Option<Duration>);

impl Undecided {
    pub(super) fn begin() -> Self {
        Self(IS_MEASURED.load(Ordering::Relaxed).then(|| clock(false)))
    }

    /// Ends serial work.
    pub(super) fn was_serial(self) {
        let (is_serial, _) = THREAD.get();
        // Otherwise it is counted already.
        if let Some(begin) = self.0.filter(|_| !is_serial) {
            count(clock(false) - begin);
        }
    }
}

/// The processor time of this thread, or of the process.
#[cfg(unix)]
fn clock(of_process: bool) -> Duration {
    use rustix::time::{ClockId, clock_gettime};

    let clock = if of_process { ClockId::ProcessCPUTime } else { ClockId::ThreadCPUTime };
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(unix))]
fn clock(_: bool) -> Duration {
    Duration::ZERO
}

/// The processor time of work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measured {
    /// That of all threads.
    pub total: Duration,
    /// The part in which other threads could not work: outside of runs, taking results in order,
    /// listing files and parts, dividing files, reading streams, and passing values from part to
    /// part.
    pub serial: Duration,
}

/// Does work and measures it: zero where processor time is not known. At most one thread at a time
/// may call this.
pub fn measured<R>(work: impl FnOnce() -> R) -> (R, Measured) {
    IS_MEASURED.store(true, Ordering::Relaxed);
    let (total, before) = (clock(true), SERIAL.load(Ordering::Relaxed));
    let section = serial();
    let result = work();
    drop(section);
    IS_MEASURED.store(false, Ordering::Relaxed);
    let serial = Duration::from_nanos(SERIAL.load(Ordering::Relaxed) - before);
    (result, Measured { total: clock(true) - total, serial })
}
