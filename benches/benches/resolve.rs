//! Parsing and resolving references beside other libraries. A PATH is a directory of pages.

fn main() -> std::process::ExitCode {
    rehref_benches::run("resolve")
}
