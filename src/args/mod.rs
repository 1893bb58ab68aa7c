//! The arguments of the command line.
//!
//! Each subcommand has a file, which turns its arguments into a job of the library. Arguments of
//! several subcommands are groups in separate files. `help` has the texts that are not about a
//! single argument, `mistakes` explains wrong command lines.

pub(crate) mod answers;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod extract;
mod filter;
mod help;
mod in_place;
mod inputs;
pub(crate) mod linkify;
mod lists;
mod mail;
pub(crate) mod manual;
mod mirror;
mod mirror_example;
mod mistakes;
pub(crate) mod moving;
pub(crate) mod parse;
mod project;
pub(crate) mod reading;
pub(crate) mod report;
pub(crate) mod resolve;
mod resolving;
pub(crate) mod rewrite;
mod rules;
mod run;
pub(crate) mod schema;
mod site;
mod text;
pub(crate) mod unpack;
mod values;
mod web_archive;

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::{env, io};

use clap::error::ErrorKind;
use clap::{ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::{Shell, generate};

use self::check::CheckArgs;
use self::completions::CompletionsArgs;
use self::extract::ExtractArgs;
use self::filter::with_brief_filter;
use self::linkify::LinkifyArgs;
use self::manual::ManArgs;
use self::mistakes::{Mistake, Named};
use self::moving::MoveArgs;
use self::parse::ParseArgs;
use self::report::ReportArgs;
use self::resolve::ResolveArgs;
use self::rewrite::RewriteArgs;
use self::rules::RuleName;
use self::schema::SchemaArgs;
use self::unpack::UnpackArgs;
use crate::exit::Exit;
use crate::heading;
use crate::process::leave;
use crate::render::color::{self, ColorChoice};
use crate::render::terminal::{Kind, Output, print_error, warn};

/// Find every URL in text, HTML, CSS, XML, Markdown, mail and web archives, and rewrite links exactly
#[derive(Debug, Parser)]
#[command(
    name = "rehref",
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    args_override_self = true,
    disable_help_flag = true,
    disable_version_flag = true
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// When to use color
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = heading::OUTPUT,
        hide_short_help = true, display_order = 1000)]
    pub(crate) color: ColorChoice,
    /// Print a summary (-h), or examples and all options (--help)
    #[arg(short, long, global = true, action = ArgAction::Help, help_heading = heading::OUTPUT, display_order = 1001)]
    help: Option<bool>,
    /// Print the version
    #[arg(short = 'V', long, action = ArgAction::Version, help_heading = heading::OUTPUT, display_order = 1002)]
    version: Option<bool>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the links of files, directories and standard input
    Extract(Box<ExtractArgs>),
    /// Find broken local links and anchors, without the network
    Check(Box<CheckArgs>),
    /// Rewrite links in HTML, Markdown, CSS, XML and plain text, and change no other byte
    Rewrite(Box<RewriteArgs>),
    /// Move files and directories, and update all references to and from them
    Move(Box<MoveArgs>),
    /// Turn the URLs in plain text and HTML into links
    Linkify(Box<LinkifyArgs>),
    /// Write a page that shows links in their sources, broken links and planned changes
    Report(Box<ReportArgs>),
    /// Unpack web archives (WARC, WACZ) into a tree to browse offline
    Unpack(Box<UnpackArgs>),
    /// Resolve references against a base URL
    Resolve(ResolveArgs),
    /// Split URIs into components and validate them
    Parse(ParseArgs),
    /// Print manual pages
    Man(ManArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print the JSON Schema of the records that --json prints, or of project files
    Schema(SchemaArgs),
}

impl Args {
    /// The arguments of this process. Prints help or an error and ends the process if they are not
    /// a command.
    pub(crate) fn of_process() -> Self {
        let arguments: Vec<OsString> = env::args_os().collect();
        // Only the help of the named commands can be printed. Building that of all takes longer
        // than parsing.
        let mut command = Self::with_help_of(|name| arguments.iter().any(|it| it == name));
        let parsed = command.try_get_matches_from_mut(&arguments);
        let matches = parsed.unwrap_or_else(|error| end(&error, &command, &arguments));
        let mut args = Self::from_arg_matches(&matches)
            .unwrap_or_else(|error| end(&error, &command, &arguments));
        let rules = match &mut args.command {
            Command::Rewrite(args) => Some(&mut args.rules),
            Command::Report(args) => Some(&mut args.rules),
            _ => None,
        };
        if let (Some(rules), Some((_, matches))) = (rules, matches.subcommand()) {
            rules.order = RuleName::in_order(matches);
        }
        args
    }

    /// The command with its help.
    fn whole_command() -> clap::Command {
        Self::with_help_of(|_| true)
    }

    /// The command with its help, and that of subcommands with these names.
    fn with_help_of(names: impl Fn(&str) -> bool) -> clap::Command {
        let command = Self::command().mut_subcommands(|subcommand| {
            let is_named = names(subcommand.get_name());
            let subcommand = match subcommand.get_name() {
                "report" => with_brief_filter(report::with_short_help(subcommand)),
                "rewrite" => with_brief_filter(rewrite::with_short_help(subcommand)),
                "move" => with_brief_filter(subcommand),
                _ => subcommand,
            };
            match is_named {
                true => help::of_subcommand(mistakes::accept(heading::arrange(subcommand))),
                false => mistakes::accept(subcommand),
            }
        });
        help::of_command(command)
    }

    /// Prints the brief help of a command without inputs. Returns the exit status.
    pub(crate) fn print_brief_help(command: &str) -> Exit {
        print_error(help::brief(&Self::whole_command(), Some(command)));
        Exit::Trouble
    }

    /// Returns the manual page of each command, with the name of its file. The first one is that of
    /// the whole command.
    pub(crate) fn manuals() -> io::Result<Vec<(String, Vec<u8>)>> {
        help::manuals(Self::whole_command())
    }

    /// Returns the completions for a shell.
    pub(crate) fn completions(shell: Shell) -> Vec<u8> {
        let mut out = Vec::new();
        generate(shell, &mut Self::whole_command(), "rehref", &mut out);
        out
    }
}

/// Prints help or the version, which clap returns as an error. The function of clap ignores a
/// failure to print.
fn print_help(help: &clap::Error) -> anyhow::Result<Exit> {
    ColorChoice::Auto.choose();
    let text = help.render();
    let text = match color::is_on() {
        true => text.ansi().to_string(),
        false => text.to_string(),
    };
    let mut output = Output::new(Kind::Text, Exit::Done);
    let _: ControlFlow<()> = output.write_sanitized(text.as_bytes());
    output.finish()
}

/// Prints help, or the mistake in the command line, and ends the process.
fn end(error: &clap::Error, command: &clap::Command, arguments: &[OsString]) -> ! {
    let named = Named::find(command, arguments);
    match (error.kind(), named) {
        (ErrorKind::DisplayHelp | ErrorKind::DisplayVersion, _) => leave(print_help(error)),
        (
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand,
            None,
        ) => {
            print_error(help::brief(command, None));
        }
        (_, Some(named)) if named.is_bare() => {
            print_error(help::brief(command, Some(named.subcommand.get_name())));
        }
        _ => {
            warn(Mistake::new(error, command, arguments));
        }
    }
    leave(Ok(Exit::Trouble))
}
