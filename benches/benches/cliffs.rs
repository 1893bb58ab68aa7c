//! What a single byte or construct costs in the rest of a document.

fn main() -> std::process::ExitCode {
    rehref_benches::cliffs()
}
