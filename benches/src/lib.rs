//! Helpers of the benchmarks: the command as a release build, and fixtures without marks.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes the directory of the project the current one, so that paths in arguments are relative to it. Cargo does not do
/// this for benchmarks.
///
/// # Panics
/// If the directory cannot be entered.
pub fn enter_project() {
    std::env::set_current_dir(project()).expect("the project is a directory");
}

/// The directory of the project, which has the fixtures.
fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the crate is in the project")
}

/// The path of the command `rehref`, built in release mode first.
///
/// # Panics
/// If it does not build.
pub fn command() -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .current_dir(project())
        .args([
            "build",
            "--release",
            "--quiet",
            "--package=rehref",
            "--bin=rehref",
        ])
        .status();
    assert!(
        built.is_ok_and(|status| status.success()),
        "the command has to build"
    );
    // A benchmark is target/release/deps/NAME-HASH.
    let own = std::env::current_exe().expect("a benchmark is a file");
    own.ancestors()
        .nth(2)
        .expect("a benchmark is in two directories")
        .join("rehref")
        .with_extension(std::env::consts::EXE_EXTENSION)
}

/// The bytes of a document without the marks `⟦LABEL TEXT⟧` that documents of corpus/ have around links.
pub fn without_marks(bytes: &[u8]) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return bytes.to_vec();
    };
    let mut pieces = text.split('⟦');
    let mut unmarked = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (_label, rest) = piece.split_once(' ').unwrap_or(("", piece));
        unmarked.extend(rest.split('⟧'));
    }
    unmarked.into_bytes()
}
