//! Time against size: what is linear takes sixteen times as long for sixteen times as much, what is quadratic 256
//! times. The time is that of the processor, so that a busy machine changes little; it gets further tries all the same.

use std::time::Duration;

use crate::support::stopwatch::Stopwatch;
use crate::tier;

/// The most that sixteen times the input may take, in times.
const MARGIN: u32 = 64;

/// Fails unless `work` is linear on `unit` repeated between `first` and `last`.
pub(crate) fn assert_linear(first: &str, unit: &str, last: &str, work: impl FnMut(&str)) {
    let text = |len: usize| format!("{first}{}{last}", unit.repeat(len / unit.len()));
    assert_linear_in(&format!("{first:?} {unit:?} {last:?}"), text, work);
}

/// Fails unless `work` is linear on what `text` makes of a length in bytes. It has to work in this thread.
pub(crate) fn assert_linear_in(
    name: &str,
    text: impl Fn(usize) -> String,
    mut work: impl FnMut(&str),
) {
    let len = tier::pick(5_000, 50_000);
    let (small, large) = (text(len), text(16 * len));
    let mut time = |text: &str| {
        let watch = Stopwatch::start();
        work(text);
        watch.elapsed()
    };
    let mut tries = (0..5).map(|_| {
        // Of the small one the best counts: what held it up would hide what grows. The large one may
        // be held up, and gets another try.
        let best = (0..3).map(|_| time(&small)).min().unwrap_or_default();
        // Below this the clock says nothing.
        (best.max(Duration::from_millis(1)), time(&large))
    });
    let mut last_try = None;
    let is_linear = tries.any(|(small, large)| {
        last_try = Some((small, large));
        large <= small * MARGIN
    });
    assert!(
        is_linear,
        "{name}: for {len} bytes and 16 times as many {last_try:?}"
    );
}
