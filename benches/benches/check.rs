//! `rehref check` and the link checker `hyperlink` on the same trees.
//!
//! `HYPERLINK=PATH cargo bench -p rehref-benches --bench check -- DIR...` checks each tree with both, once for files and once also
//! for fragments. Without `HYPERLINK` only the times of `rehref` are printed. A ratio above 1 means that `rehref` is
//! faster; it is the median over the rounds, because the speed of a machine may change between rounds. The results are not
//! compared: `rehref` checks more kinds of links.

#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::env;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 5;

fn main() {
    rehref_benches::enter_project();
    // Cargo passes `--bench`.
    let trees: Vec<String> = env::args()
        .skip(1)
        .filter(|it| !it.starts_with('-'))
        .collect();
    if trees.is_empty() {
        println!("usage: cargo bench -p rehref-benches --bench check -- DIR...");
    }
    let command = rehref_benches::command();
    let peer = env::var_os("HYPERLINK");
    for tree in &trees {
        for anchors in [false, true] {
            compare(&command, tree, anchors, peer.as_deref());
        }
    }
}

fn compare(command: &Path, tree: &str, anchors: bool, peer: Option<&OsStr>) {
    let ours = || {
        let mut command = Command::new(command);
        command.arg("check").args(anchors.then_some("--anchors"));
        time(command.arg(tree))
    };
    let theirs = |peer: &OsStr| {
        let mut command = Command::new(peer);
        time(command.args(anchors.then_some("--check-anchors")).arg(tree))
    };
    // The first round fills the disk cache.
    ours();
    let rounds: Vec<_> = (0..ROUNDS).map(|_| (ours(), peer.map(theirs))).collect();
    let what = if anchors {
        "files and anchors"
    } else {
        "files"
    };
    let best = rounds.iter().map(|(ours, _)| *ours).min();
    println!(
        "{tree}: {what}: {:.3} s",
        best.unwrap_or_default().as_secs_f64()
    );
    let ratio = |(ours, theirs): &(Duration, Option<Duration>)| {
        Some(theirs.as_ref()?.as_secs_f64() / ours.as_secs_f64())
    };
    let mut ratios: Vec<f64> = rounds.iter().filter_map(ratio).collect();
    ratios.sort_by(f64::total_cmp);
    if let Some(median) = ratios.get(ratios.len() / 2) {
        println!("  rehref is {median:.3} times as fast as hyperlink");
    }
}

/// The running time of a command. Its output and its exit code are ignored: links may be broken.
fn time(command: &mut Command) -> Duration {
    let start = Instant::now();
    let status = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.is_ok(), "{command:?}: {status:?}");
    start.elapsed()
}
