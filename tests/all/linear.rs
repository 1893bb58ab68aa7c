//! Compares time with size: sixteen times the input takes sixteen times as long if the cost is
//! linear, 256 times if it is quadratic. Processor time is measured, so other processes matter
//! little; a busy machine gets more attempts.

use std::time::Duration;

use crate::support::stopwatch::Stopwatch;
use crate::tier;

/// The most that the time may grow for sixteen times the input.
const MARGIN: u32 = 64;

/// Panics unless the cost of `work` is linear on a family of texts. What is in `⟦⟧` is repeated, and
/// `№` in it is a different number each time: `<b class=x>⟦<i class=№>⟧`.
pub(crate) fn assert_linear(family: &str, work: impl FnMut(&str)) {
    let (first, rest) = family.split_once('⟦').expect("a beginning");
    let (unit, last) = rest.split_once('⟧').expect("an end");
    let text = |len: usize| format!("{first}{}{last}", repeated(unit, len / unit.len()));
    assert_linear_in(&format!("{family:?}"), text, work);
}

/// The unit this many times, with each `№` replaced by the number of the repetition.
pub(crate) fn repeated(unit: &str, count: usize) -> String {
    match unit.contains('№') {
        true => (0..count).map(|number| unit.replace('№', &number.to_string())).collect(),
        false => unit.repeat(count),
    }
}

/// Panics unless the cost of `work` is linear on texts that `text` makes for a length in bytes. The
/// work must be done in this thread.
pub(crate) fn assert_linear_in(
    name: &str,
    text: impl Fn(usize) -> String,
    mut work: impl FnMut(&str),
) {
    let len = tier::pick(2_000, 50_000);
    let (small, large) = (text(len), text(16 * len));
    let mut time = |text: &str| {
        let watch = Stopwatch::start();
        work(text);
        watch.elapsed()
    };
    let mut tries = (0..5).map(|_| {
        // Takes the best time of the small input: a delay would hide growth. A delay of the large
        // input only causes another attempt.
        let best = (0..3).map(|_| time(&small)).min().unwrap_or_default();
        // What is faster than this, says little: a longer text is also read in more pieces.
        (best.max(Duration::from_millis(2)), time(&large))
    });
    let mut last_try = None;
    let is_linear = tries.any(|(small, large)| {
        last_try = Some((small, large));
        large <= small * MARGIN
    });
    assert!(is_linear, "{name}: for {len} bytes and 16 times as many {last_try:?}");
}
