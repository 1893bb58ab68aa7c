//! `rehref check` beside link checkers. A PATH is a directory.

fn main() -> std::process::ExitCode {
    rehref_benches::run("check")
}
