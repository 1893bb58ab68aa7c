//! `rehref rewrite -o` and `cp -r` on the same tree in the same run.
//!
//! `cargo bench -p rehref-benches --bench tree [-- DIR]` makes every reference in DIR absolute, in a new tree; by default, in
//! many copies of corpus/sites. Rounds alternate between `cp -r` and `rehref` on the same file system. The first round fills
//! the cache and is not counted. The ratio is that of the medians. Absolute numbers depend on the machine, and the ratio
//! on what else writes to its disk.
//!
//! All new trees, about 16, stay until the end: ext4 does not reuse inodes at once after files were removed, so creating
//! files would take longer. For the same reason, a second run or one after a build says little. The environment variable
//! `SCRATCH` names a directory on another file system, such as one in memory.

#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 7;

/// The number of copies of corpus/sites in the default tree.
const COPIES: usize = 400;

fn main() {
    rehref_benches::enter_project();
    // Cargo passes `--bench`.
    let path = std::env::args().skip(1).find(|it| !it.starts_with('-'));
    // In the build directory, because the directory for temporary files may be in memory.
    let scratch = std::env::var_os("SCRATCH").map(PathBuf::from);
    let scratch = scratch.unwrap_or_else(|| env!("CARGO_TARGET_TMPDIR").into());
    let scratch = tempfile::tempdir_in(scratch).expect("a directory");
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
        fs::create_dir_all(&to).expect("a directory");
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
