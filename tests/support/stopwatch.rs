//! Processor time, which hardly depends on the load of the machine.

#[cfg(unix)]
use std::time::Duration;
#[cfg(not(unix))]
use std::time::{Duration, Instant};

#[cfg(unix)]
use rustix::time::{ClockId, clock_gettime};

/// Measures the processor time of this thread; on other systems than Unix, the time that passes.
pub(crate) struct Stopwatch {
    #[cfg(unix)]
    start: Duration,
    #[cfg(not(unix))]
    start: Instant,
}

#[cfg(unix)]
impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self { start: Self::now() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        Self::now() - self.start
    }

    fn now() -> Duration {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::try_from(time).expect("a clock does not run backwards")
    }
}

#[cfg(not(unix))]
impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self { start: Instant::now() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
