//! Writing records beside the crates that write any. A PATH is a directory of pages.

fn main() -> std::process::ExitCode {
    rehref_benches::run("records")
}
