//! A row of the table.

use std::fmt;

use crate::rounds::Spread;

/// The heading of the table of a machine with this number of processors.
pub(super) fn heading(processors: usize) -> String {
    let columns = format!(
        "input | MB | way, {processors} processors | seconds | times | goal | efficiency | serial | computed | 4 | 16 | 64"
    );
    let line = "|---".repeat(columns.split(" | ").count());
    format!("| {columns} |\n{line}|\n")
}

/// The most time with more threads than processors, relative to as many as processors.
const MOST_BEYOND: f64 = 1.05;

/// The largest share of serial work.
const MOST_SERIAL: f64 = 0.02;

/// One way to do a work.
pub(super) struct Row<'r> {
    pub(super) work: &'r str,
    /// The size of the input in bytes.
    pub(super) size: u64,
    pub(super) way: &'r str,
    pub(super) seconds: f64,
    /// The times as fast as with one thread.
    pub(super) times: Spread,
    /// The time relative to that with as many threads as processors.
    pub(super) of_cores: f64,
    /// The processors at work. `None` for a peer.
    pub(super) processors: Option<usize>,
    /// True if there are more threads than processors.
    pub(super) is_beyond: bool,
    /// The times as fast that it should be.
    pub(super) goal: Option<f64>,
    /// The share of serial work.
    pub(super) share: Option<f64>,
}

impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Spread { median, least, most, .. } = self.times;
        write!(f, "| {} | {} | {} | ", self.work, self.size / 1_000_000, self.way)?;
        write!(f, "{:.3} | **{median:.2}** [{least:.2}, {most:.2}] | ", self.seconds)?;
        if let Some(goal) = self.goal {
            write!(f, "≥ {goal}{}", missed(median < goal))?;
        } else if self.is_beyond {
            let is_missed = self.of_cores > MOST_BEYOND;
            write!(f, "{:.2} ≤ {MOST_BEYOND}{}", self.of_cores, missed(is_missed))?;
        }
        f.write_str(" | ")?;
        if let Some(processors) = self.processors {
            write!(f, "{:.0} %", 100.0 * median / processors as f64)?;
        }
        f.write_str(" | ")?;
        let Some(share) = self.share else {
            return f.write_str("| | | | |");
        };
        write!(f, "{:.2} %{} |", 100.0 * share, missed(share > MOST_SERIAL))?;
        for processors in [self.processors.unwrap_or(1), 4, 16, 64] {
            write!(f, " {:.2} |", 1.0 / (share + (1.0 - share) / processors as f64))?;
        }
        Ok(())
    }
}

fn missed(is_missed: bool) -> &'static str {
    if is_missed { ", missed" } else { "" }
}
