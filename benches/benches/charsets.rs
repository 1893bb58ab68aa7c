//! URLs in plain text in legacy character encodings, beside the same text in UTF-8.

fn main() -> std::process::ExitCode {
    rehref_benches::run("charsets")
}
