//! The links of web archives beside inflating and finding alone, and beside libraries of Python. A
//! PATH is a .warc.gz.

fn main() -> std::process::ExitCode {
    rehref_benches::run("warc")
}
