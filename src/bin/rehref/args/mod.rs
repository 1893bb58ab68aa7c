//! The arguments of the command line.
//!
//! Each subcommand has a file, which turns its arguments into a job of the library. Arguments of several subcommands are
//! groups in files of their own.

pub(crate) mod answers;
pub(crate) mod check;
pub(crate) mod extract;
mod filter;
mod heading;
mod in_place;
mod inputs;
mod mail;
mod mirror;
pub(crate) mod moving;
pub(crate) mod parse;
pub(crate) mod printing;
mod reading;
pub(crate) mod resolve;
mod resolving;
pub(crate) mod rewrite;
mod rules;
mod run;
mod text;
mod values;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use self::check::CheckArgs;
use self::extract::ExtractArgs;
use self::moving::MoveArgs;
use self::parse::ParseArgs;
use self::resolve::ResolveArgs;
use self::rewrite::RewriteArgs;
use self::rules::RuleName;
use crate::exit::Exit;
use crate::render::color::ColorChoice;
use crate::render::terminal::print_error;

/// Find every URL in text, HTML, CSS, XML and mail, and rewrite links without touching any other byte.
#[derive(Debug, Parser)]
#[command(
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    args_override_self = true
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// When to use color
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = heading::OUTPUT,
        hide_short_help = true, display_order = 1000)]
    pub(crate) color: ColorChoice,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the links of files, directories and standard input
    Extract(Box<ExtractArgs>),
    /// Resolve references against a base URL
    Resolve(ResolveArgs),
    /// Split URIs into components and validate them
    Parse(ParseArgs),
    /// Find broken local links and anchors, without the network
    Check(Box<CheckArgs>),
    /// Rewrite links in HTML, CSS, XML and plain text, and change no other byte
    Rewrite(Box<RewriteArgs>),
    /// Move files and directories, and update all references to and from them
    Move(Box<MoveArgs>),
}

impl Args {
    /// The arguments of this process. Prints help or an error and ends the process if they are not a command.
    pub(crate) fn of_process() -> Self {
        let matches = heading::arrange(Self::command()).get_matches();
        let mut args = Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        if let (Command::Rewrite(args), Some(matches)) =
            (&mut args.command, matches.subcommand_matches("rewrite"))
        {
            args.rules.order = RuleName::in_order(matches);
        }
        args
    }

    /// Prints the short help of a command without inputs. Returns the exit status.
    pub(crate) fn print_short_help(command: &str) -> Exit {
        let mut all = heading::arrange(Self::command());
        all.build();
        if let Some(command) = all.find_subcommand_mut(command) {
            print_error(command.render_help());
        }
        Exit::Trouble
    }
}
