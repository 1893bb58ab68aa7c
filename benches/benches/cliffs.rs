//! The cost of a single byte or construct for the rest of a document.

fn main() -> std::process::ExitCode {
    rehref_benches::cliffs()
}
