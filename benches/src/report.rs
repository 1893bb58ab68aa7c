//! The results of a task as data.

use std::fmt;
use std::fs;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use crate::agreement::Agreement;
use crate::rounds::{self, Contender, Spread};

/// The results of a task.
pub(crate) struct Section {
    /// The name of its benchmark. Set by the run of all tasks.
    pub(crate) task: &'static str,
    pub(crate) title: &'static str,
    /// The meaning of the ratios.
    pub(crate) measure: Measure,
    /// The subject of the comparison, and the named differences between the results.
    pub(crate) about: &'static str,
    pub(crate) rows: Vec<Row>,
    /// The table in Markdown, where it does not have rows of comparisons.
    pub(crate) table: String,
    pub(crate) inputs: Vec<Input>,
    /// Peers that are not installed, and how to name them.
    pub(crate) missing: Vec<String>,
    /// Results that are wrong: something found nothing or too little.
    pub(crate) faults: Vec<String>,
}

/// The meaning of the number of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    /// The time of the peer divided by that of rehref.
    Faster,
    /// The time of rehref divided by that of the peer.
    Longer,
    /// Memory in MB beyond the sizes of the input and of the output.
    Memory,
    /// The time of rehref with one thread divided by that with several.
    Threads,
}

impl Measure {
    /// The heading of the column.
    pub(crate) fn heading(self) -> &'static str {
        match self {
            Self::Faster => "times as fast",
            Self::Longer => "times the time",
            Self::Memory => "MB beyond input and output",
            Self::Threads => "times as fast as with one thread",
        }
    }
}

/// One comparison.
pub(crate) struct Row {
    pub(crate) input: String,
    /// The threads of rehref.
    pub(crate) threads: usize,
    pub(crate) peer: String,
    pub(crate) value: Spread,
    /// Bytes of input per second of rehref in the median round.
    pub(crate) speed: Option<f64>,
    /// The number of links that rehref and the peer found, or of bytes that they wrote.
    pub(crate) found: [usize; 2],
    /// The share of the peer's results that rehref has too.
    pub(crate) shared: Option<f64>,
    pub(crate) goal: Option<f64>,
}

impl Row {
    /// True if the goal is met. `None` if there is no goal.
    pub(crate) fn is_met(&self, measure: Measure) -> Option<bool> {
        let goal = self.goal?;
        Some(match measure {
            Measure::Faster | Measure::Threads => self.value.median >= goal,
            Measure::Longer | Measure::Memory => self.value.median <= goal,
        })
    }
}

/// An input, so that others can use the same.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) size: u64,
    /// The beginning of the SHA-256 hash of the bytes.
    pub(crate) hash: String,
    /// The number of files, or the size to which the bytes are repeated.
    pub(crate) note: String,
}

impl Input {
    pub(crate) fn new<'b>(
        name: impl Into<String>,
        pieces: impl IntoIterator<Item = &'b [u8]>,
    ) -> Self {
        let mut hash = Sha256::new();
        let mut size = 0;
        for piece in pieces {
            hash.update(piece);
            size += piece.len() as u64;
        }
        let hash = hash.finalize();
        Self {
            name: name.into(),
            size,
            hash: hash[..8].iter().map(|it| format!("{it:02x}")).collect(),
            note: String::new(),
        }
    }

    /// These files, one after another.
    pub(crate) fn of_files(name: impl Into<String>, files: &[PathBuf]) -> Self {
        let contents: Vec<Vec<u8>> = files.iter().filter_map(|it| fs::read(it).ok()).collect();
        Self {
            note: format!("{} files", files.len()),
            ..Self::new(name, contents.iter().map(Vec::as_slice))
        }
    }

    /// This input, repeated to this size in the measurement.
    pub(crate) fn repeated(self, size: u64) -> Self {
        Self { note: format!("repeated to {} MB", size / 1_000_000), ..self }
    }
}

/// A comparison to make: who takes part, and what must hold.
pub(crate) struct Contest<'w> {
    pub(crate) input: &'w str,
    /// The bytes of input of one pass.
    pub(crate) size: usize,
    pub(crate) contenders: Vec<Contender<'w>>,
    /// For peers by name: what both found, compared.
    pub(crate) agreements: Vec<(&'w str, Agreement)>,
    /// For peers by name, the ratio that the first way of rehref has to reach.
    pub(crate) goals: &'w [(&'w str, f64)],
}

impl Section {
    /// Begins the results of a task, and prints its title.
    #[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
    pub(crate) fn new(title: &'static str, measure: Measure, about: &'static str) -> Self {
        println!("{title}: {}", measure.heading());
        Self {
            task: "",
            title,
            measure,
            about,
            rows: Vec::new(),
            table: String::new(),
            inputs: Vec::new(),
            missing: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// Runs a contest, and adds a row for rehref and each peer.
    pub(crate) fn compare(&mut self, rounds: usize, mut contest: Contest<'_>) {
        let timings = rounds::run(rounds, &mut contest.contenders);
        let all = || contest.contenders.iter().zip(&timings);
        for (peer, theirs) in all().filter(|(it, _)| !it.is_ours) {
            for (at, (us, ours)) in all().filter(|(it, _)| it.is_ours).enumerate() {
                if at > 0 && !peer.is_alike {
                    continue;
                }
                let agreement = contest.agreements.iter().find(|it| it.0 == peer.name);
                let goal = contest.goals.iter().find(|it| at == 0 && it.0 == peer.name);
                let value = match self.measure {
                    Measure::Longer => Spread::ratio(ours, theirs),
                    Measure::Faster | Measure::Memory | Measure::Threads => {
                        Spread::ratio(theirs, ours)
                    }
                };
                if peer.is_alike {
                    let fault = unlike(ours.found, theirs.found);
                    let fault = fault.map(|it| format!("{}: {}: {it}", contest.input, peer.name));
                    self.faults.extend(fault);
                }
                let median = Spread::of(ours.times.iter().map(|it| it.as_secs_f64())).median;
                self.add(Row {
                    input: contest.input.to_owned(),
                    threads: us.threads,
                    peer: peer.name.clone(),
                    value,
                    speed: (contest.size > 0).then_some(contest.size as f64 / median),
                    found: [ours.found, theirs.found],
                    shared: agreement.map(|(_, it)| it.shared()),
                    goal: goal.map(|it| it.1),
                });
            }
        }
        for (peer, agreement) in contest.agreements {
            let fault = agreement.fault();
            let fault = fault.map(|fault| format!("{}: {peer}: {fault}", contest.input));
            self.faults.extend(fault);
        }
    }

    /// Adds a row, and prints it.
    #[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
    pub(crate) fn add(&mut self, row: Row) {
        println!("  {row}{}", Verdict(row.is_met(self.measure)));
        self.rows.push(row);
    }
}

/// The fault in the numbers of results, if rehref found less than the peer, or the peer far less
/// than rehref.
fn unlike(ours: usize, theirs: usize) -> Option<String> {
    let is_less = (ours as f64) < 0.95 * theirs as f64;
    (is_less || theirs == 0 || ours > 3 * theirs)
        .then(|| format!("rehref found {ours}, the peer {theirs}"))
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Spread { median, least, most, count } = self.value;
        let [ours, theirs] = self.found;
        write!(f, "{:28} {}T {:38}", self.input, self.threads, self.peer)?;
        write!(f, " {median:7.2} [{least:.2}, {most:.2}] of {count}")?;
        if let Some(speed) = self.speed {
            write!(f, "; {:.0} MB/s", speed / 1e6)?;
        }
        write!(f, "; {ours} and {theirs}")?;
        if let Some(shared) = self.shared {
            write!(f, ", {:.1} % shared", 100.0 * shared)?;
        }
        Ok(())
    }
}

/// The text for the terminal that says if a goal is met.
struct Verdict(Option<bool>);

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Some(false) => "; goal missed",
            Some(true) => "; goal met",
            None => "",
        })
    }
}
