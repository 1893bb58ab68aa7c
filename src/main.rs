//! Finds every URL in text, HTML, CSS, XML, Markdown, mail and web archives, and rewrites links
//! without touching any other byte.

mod allocator;
mod answers;
mod args;
mod check;
mod editing;
mod exit;
mod extract;
mod files;
mod heading;
mod interrupt;
mod linkify;
mod moving;
mod parse;
mod process;
mod project;
mod render;
mod report;
mod resolve;
mod rewrite;
mod standard_streams;
mod texts;
mod unpack;

use crate::args::{Args, Command};

fn main() -> ! {
    allocator::limit();
    process::survive_file_limits();
    let args = Args::of_process();
    args.color.choose();
    process::leave(match args.command {
        Command::Extract(args) => extract::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Unpack(args) => unpack::run(&args),
        Command::Resolve(args) => resolve::run(&args),
        Command::Parse(args) => parse::run(&args),
        Command::Rewrite(args) => rewrite::run(&args),
        Command::Move(args) => moving::run(&args),
        Command::Linkify(args) => linkify::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Man(args) => texts::man(&args),
        Command::Completions(args) => texts::completions(&args),
        Command::Schema(args) => texts::print_schema(&args),
    })
}
