//! `rehref rewrite -o` beside `cp -r`. A PATH is a directory.

fn main() -> std::process::ExitCode {
    rehref_benches::run("tree")
}
