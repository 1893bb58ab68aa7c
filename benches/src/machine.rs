//! The class of the machine, the date, and versions.

use std::process::Command;
use std::thread;

/// The processors, and the vector extensions that rehref and its peers may use. No names.
pub(crate) fn class() -> String {
    let extensions: Vec<&str> =
        extensions().into_iter().filter_map(|(name, has)| has.then_some(name)).collect();
    format!(
        "{} cores, {} {}, {}",
        cores(),
        std::env::consts::OS,
        std::env::consts::ARCH,
        extensions.join(", ")
    )
}

pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(target_arch = "x86_64")]
fn extensions() -> Vec<(&'static str, bool)> {
    vec![
        ("SSE4.2", is_x86_feature_detected!("sse4.2")),
        ("AVX2", is_x86_feature_detected!("avx2")),
        ("AVX-512", is_x86_feature_detected!("avx512bw")),
    ]
}

#[cfg(not(target_arch = "x86_64"))]
fn extensions() -> Vec<(&'static str, bool)> {
    Vec::new()
}

/// The first line that a command prints, or nothing.
pub(crate) fn first_line(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|it| it.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines().next().map(str::to_owned)
}

pub(crate) fn date() -> String {
    first_line(Command::new("date").args(["-u", "+%Y-%m-%d"])).unwrap_or_default()
}

/// The version of rehref with its commit.
pub(crate) fn rehref() -> String {
    let version = version("rehref");
    let mut git = Command::new("git");
    let commit = first_line(git.args(["describe", "--always", "--dirty", "--exclude=*"]));
    commit.map_or(version.clone(), |commit| format!("{version}, commit {commit}"))
}

/// A crate with the version that Cargo.lock has: `linkify 0.11.0`. The newest, if there are
/// several.
pub(crate) fn named(name: &str) -> String {
    format!("{name} {}", version(name))
}

fn version(name: &str) -> String {
    let lock = include_str!("../../Cargo.lock");
    let entry = lock.rsplit_once(&format!("name = \"{name}\"\nversion = \""));
    let version = entry.and_then(|(_, rest)| rest.split('"').next());
    version.unwrap_or_default().to_owned()
}
