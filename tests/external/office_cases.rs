//! Documents of offices and books with their links, rewritten and moved by the command, and judged by
//! the program of the shared data.

use std::process::Command;

use crate::needs::shared;
use crate::support::tree::{Ran, Tree};

pub(crate) const DATA: &str = "cases/office";

pub(crate) fn documents_have_the_expected_links() {
    let summary = judged("extract");
    assert!(summary.contains(", missing 0,"), "{summary}");
}

pub(crate) fn documents_are_rewritten_as_expected() {
    all_pass("rewrite");
}

pub(crate) fn links_follow_moved_documents() {
    all_pass("move");
}

#[track_caller]
fn all_pass(mode: &str) {
    let printed = judged(mode);
    let summary = printed.lines().last().unwrap_or_default();
    let numbers: Vec<&str> = summary.split(' ').filter(|it| it.parse::<u32>().is_ok()).collect();
    assert!(matches!(numbers[..], [good, all] if good == all && all != "0"), "{printed}");
}

/// What the program prints about the cases of a mode.
fn judged(mode: &str) -> String {
    // A copy can be written to.
    let tree = Tree::empty();
    tree.copy(shared(DATA), "cases");
    let mut python = Command::new("python3");
    python.args(["cases/tools/score_office.py", mode, "cases", env!("CARGO_BIN_EXE_rehref")]);
    Ran::of(python.current_dir(tree.path())).ends(0).out
}
