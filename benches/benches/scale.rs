//! `rehref` with one, two, four and more threads.

fn main() -> std::process::ExitCode {
    rehref_benches::run("scale")
}
