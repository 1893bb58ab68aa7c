//! The URLs of plain text beside other libraries. A PATH has texts.

fn main() -> std::process::ExitCode {
    rehref_benches::run("text")
}
