//! Interleaved rounds of rehref and its peers, and the ratios of their times.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// One pass over an input: its time, and the number of links it found or bytes it wrote.
pub(crate) struct Pass {
    pub(crate) time: Duration,
    pub(crate) found: usize,
}

/// A way to do a task: that of rehref or that of a peer.
pub(crate) struct Contender<'w> {
    pub(crate) name: String,
    pub(crate) is_ours: bool,
    pub(crate) threads: usize,
    /// True if it finds the same as the others, and not something else that costs time.
    pub(crate) is_alike: bool,
    pass: Box<dyn FnMut() -> Pass + 'w>,
}

impl<'w> Contender<'w> {
    /// rehref with one thread. `work` returns the number of links it found or bytes it wrote.
    pub(crate) fn ours(work: impl FnMut() -> usize + 'w) -> Self {
        Self::peer("rehref", work).of_rehref()
    }

    /// A peer that runs in this process.
    pub(crate) fn peer(name: impl Into<String>, mut work: impl FnMut() -> usize + 'w) -> Self {
        Self::clocked(name, move || {
            let start = Instant::now();
            let found = black_box(work());
            Pass { time: start.elapsed(), found }
        })
    }

    /// A peer that measures its passes itself.
    pub(crate) fn clocked(name: impl Into<String>, pass: impl FnMut() -> Pass + 'w) -> Self {
        Self { name: name.into(), is_ours: false, threads: 1, is_alike: true, pass: Box::new(pass) }
    }

    /// A lower bound: part of the work, which finds something else.
    pub(crate) fn bound(name: impl Into<String>, work: impl FnMut() -> usize + 'w) -> Self {
        Self { is_alike: false, ..Self::peer(name, work) }
    }

    /// This contender as a way of rehref.
    pub(crate) fn of_rehref(self) -> Self {
        Self { is_ours: true, ..self }
    }

    /// Runs one pass.
    pub(crate) fn pass(&mut self) -> Pass {
        (self.pass)()
    }

    /// This contender with this number of threads.
    pub(crate) fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }
}

/// The passes of one contender.
pub(crate) struct Timing {
    pub(crate) times: Vec<Duration>,
    pub(crate) found: usize,
}

/// The time after which no further round begins, and the least number of rounds nevertheless.
const ENOUGH: (Duration, usize) = (Duration::from_secs(20), 3);

/// Runs each contender once per round, after a round that is not counted. Another contender begins
/// each round. There are fewer rounds if they take too long.
pub(crate) fn run(rounds: usize, contenders: &mut [Contender<'_>]) -> Vec<Timing> {
    let start = Instant::now();
    run_while(rounds, contenders, |round| start.elapsed() <= ENOUGH.0 || round < ENOUGH.1)
}

/// Like [`run`], with all rounds, however long they take.
pub(crate) fn run_all(rounds: usize, contenders: &mut [Contender<'_>]) -> Vec<Timing> {
    run_while(rounds, contenders, |_| true)
}

fn run_while(
    rounds: usize,
    contenders: &mut [Contender<'_>],
    goes_on: impl Fn(usize) -> bool,
) -> Vec<Timing> {
    let first =
        contenders.iter_mut().map(|it| Timing { times: Vec::new(), found: it.pass().found });
    let mut timings: Vec<Timing> = first.collect();
    for round in 0..rounds {
        if !goes_on(round) {
            break;
        }
        for turn in 0..contenders.len() {
            let at = (round + turn) % contenders.len();
            let pass = contenders[at].pass();
            timings[at].times.push(pass.time);
        }
    }
    timings
}

/// The median of some values, with the least and the most.
#[derive(Clone, Copy)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
    /// The number of values.
    pub(crate) count: usize,
}

impl Spread {
    /// # Panics
    /// If there are no values.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        Self {
            median: values[values.len() / 2],
            least: values[0],
            most: values[values.len() - 1],
            count: values.len(),
        }
    }

    /// The ratio of the times of `long` to those of `short` in the same rounds.
    pub(crate) fn ratio(long: &Timing, short: &Timing) -> Self {
        let pairs = long.times.iter().zip(&short.times);
        Self::of(pairs.map(|(long, short)| long.as_secs_f64() / short.as_secs_f64()))
    }
}
