//! `rehref check` beside the link checker `hyperlink`, on the same trees in the same run.
//!
//! `HYPERLINK=PATH cargo bench -p rehref-benches --bench check -- DIR...`: each tree is checked by both, in turn, once for files and
//! once for fragments too. Without `HYPERLINK` only our times are told. The ratio is the figure to quote: above 1 we
//! are faster. It is the median of the rounds' ratios, since a machine may change its speed between two rounds.
//! What is found is not compared here: we check more kinds of links than the peer does.

#![expect(clippy::print_stdout, reason = "it prints what it measured")]

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
        println!("no tree is named: cargo bench -p rehref-benches --bench check -- DIR...");
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
    // What is on the disk is in memory from now on.
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
        println!("  we are {median:.3} times as fast as hyperlink");
    }
}

/// How long a command takes. What it prints goes nowhere, and how it ends does not matter: links may be broken.
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
