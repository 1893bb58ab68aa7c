//! The links of Markdown beside a parser. A PATH has Markdown files.

fn main() -> std::process::ExitCode {
    rehref_benches::run("markdown")
}
