//! `rehref extract` beside ripgrep on large files.

fn main() -> std::process::ExitCode {
    rehref_benches::run("whole")
}
