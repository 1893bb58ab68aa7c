//! The scripts of docs/: pipes with other programs.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The blocks of a page that are marked `sh`.
fn scripts(page: &str) -> Vec<String> {
    let mut scripts = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line == "```sh" {
            let block: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
            scripts.push(block.join("\n"));
        }
    }
    scripts
}

pub(crate) fn scripts_of_the_guide_print_something() {
    let command = PathBuf::from(env!("CARGO_BIN_EXE_rehref"));
    let directory = command.parent().expect("a directory");
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", directory.display());
    let mut ran = 0;
    for entry in fs::read_dir("docs").expect("docs/") {
        let page = entry.expect("an entry").path();
        if page.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        for script in scripts(&fs::read_to_string(&page).expect("a page")) {
            let output =
                Command::new("sh").args(["-euc", &script]).env("PATH", &path).output().expect("sh");
            let place = format!("{}: {script}", page.display());
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{place}\n{errors}");
            assert!(!output.stdout.is_empty(), "{place}\nprints nothing");
            ran += 1;
        }
    }
    assert!(ran > 0, "docs/ has scripts");
}
