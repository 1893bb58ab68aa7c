//! The peak memory of rewriting.

fn main() -> std::process::ExitCode {
    rehref_benches::run("memory")
}
