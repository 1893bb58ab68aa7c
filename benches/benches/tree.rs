//! A tree that is rewritten beside itself, beside a plain copy of it in the same run.
//!
//! `cargo bench -p rehref-benches --bench tree [-- DIR]`: every reference below DIR is made absolute, in a new tree; without DIR in
//! one of many copies of corpus/sites. Rounds go from `cp -r` to our program and back, on the same file
//! system; the first, which fills the cache, is left out. The ratio of the medians is the figure to quote: how
//! many times as long as copying we take. The absolute numbers say something about the machine only, and so
//! does the ratio where the machine writes to its disk meanwhile.
//!
//! All new trees stay until the end, some 16 of them: ext4 passes over inodes that were freed some minutes ago, so
//! that whoever makes files after others were removed waits for that. For the same reason a second run, or one after
//! a build, tells little; the environment variable `SCRATCH` names a folder of another file system, such as one in
//! memory.

#![expect(clippy::print_stdout, reason = "it prints what it measured")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 7;

/// How often the corpus is in the tree that is made of it.
const COPIES: usize = 400;

fn main() {
    rehref_benches::enter_project();
    // Cargo passes `--bench`.
    let path = std::env::args().skip(1).find(|it| !it.starts_with('-'));
    // Beside the build, since the folder for temporary files may be in memory.
    let scratch = std::env::var_os("SCRATCH").map(PathBuf::from);
    let scratch = scratch.unwrap_or_else(|| env!("CARGO_TARGET_TMPDIR").into());
    let scratch = tempfile::tempdir_in(scratch).expect("a folder");
    let ours = rehref_benches::command();
    let tree = path.map_or_else(|| generated(scratch.path()), PathBuf::from);
    let copied = |out: &Path| {
        let mut command = Command::new("cp");
        command.arg("-r").args([&tree, out]);
        command
    };
    let rewritten = |out: &Path| {
        let mut command = Command::new(&ours);
        command
            .args(["rewrite", "--absolute", "--base"])
            .arg(format!("http://h/={}", tree.display()))
            .arg("-o")
            .args([out, &tree]);
        command
    };
    let mut times = [Vec::new(), Vec::new()];
    for round in 0..=ROUNDS {
        let out = |name: &str| scratch.path().join(format!("{name}-{round}"));
        let commands = [copied(&out("copied")), rewritten(&out("rewritten"))];
        for (mut command, times) in commands.into_iter().zip(&mut times) {
            let start = Instant::now();
            let ended = command.stderr(Stdio::null()).status().expect("it runs");
            let time = start.elapsed();
            assert!(ended.success(), "{command:?}");
            if round > 0 {
                times.push(time);
            }
        }
    }
    let [copy, rewrite] = times.map(|mut times| {
        times.sort();
        (times[0], times[ROUNDS / 2], times[ROUNDS - 1])
    });
    println!("{}: {} files", tree.display(), files(&tree));
    for (name, (least, median, most)) in [("cp -r", copy), ("rewrite -o", rewrite)] {
        println!("  {name:10} {median:8.2?} ({least:.2?} to {most:.2?})");
    }
    let ratio = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64();
    println!("  {:.2} times as long", ratio(rewrite.1, copy.1));
}

/// Many copies of the small sites.
fn generated(scratch: &Path) -> PathBuf {
    let tree = scratch.join("tree");
    for number in 0..COPIES {
        let to = tree.join((number % 20).to_string());
        fs::create_dir_all(&to).expect("a folder");
        let mut copy = Command::new("cp");
        copy.args(["-r", "corpus/sites"])
            .arg(to.join(number.to_string()));
        assert!(copy.status().is_ok_and(|it| it.success()), "{copy:?}");
    }
    tree
}

fn files(tree: &Path) -> usize {
    let entries = walkdir::WalkDir::new(tree).into_iter().flatten();
    entries.filter(|it| it.file_type().is_file()).count()
}
