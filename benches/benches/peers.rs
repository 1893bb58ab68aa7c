//! All tasks beside their peers: writes BENCHMARKS.md.

fn main() -> std::process::ExitCode {
    rehref_benches::run("peers")
}
