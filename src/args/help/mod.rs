//! Help: a brief one for a bare command, a summary, and the whole text with examples.

mod manual;
mod page;
mod pages;

use std::fmt::Write;

use clap::Command;

pub(super) use self::manual::manuals;
use self::page::{Example, Page};
use self::pages::{PAGES, ROOT};

/// The examples of the brief help: it has at most 12 lines.
const BRIEF_EXAMPLES: usize = 3;

/// Adds the texts to the whole command. Subcommands have separate texts: see [`of_subcommand`].
pub(super) fn of_command(command: Command) -> Command {
    ROOT.add_to(command)
}

/// Adds the texts to a subcommand.
///
/// # Panics
/// If it has no page.
pub(super) fn of_subcommand(subcommand: Command) -> Command {
    page(subcommand.get_name()).add_to(subcommand)
}

/// The page of a subcommand.
fn page(name: &str) -> &'static Page {
    let page = PAGES.iter().find(|page| page.name == name);
    page.unwrap_or_else(|| panic!("{name} has no page"))
}

/// Returns the brief help of a subcommand, or of the whole command: its purpose, usage, examples,
/// and the option for all help.
pub(super) fn brief(command: &Command, subcommand: Option<&str>) -> String {
    // The command `help` of clap has no page.
    let subcommand = subcommand.and_then(|name| {
        let page = PAGES.iter().find(|page| page.name == name)?;
        Some((command.find_subcommand(name)?, page))
    });
    let (command, page) = subcommand.unwrap_or((command, &ROOT));
    let about = command.get_about().cloned().unwrap_or_default();
    let mut text = format!("{about}\n\nUsage: {}\n\n", page.usage);
    for Example { task, command } in page.examples.iter().take(BRIEF_EXAMPLES) {
        _ = write!(text, "  {task}:\n    {command}\n");
    }
    text += "\nHelp: ";
    text += &match subcommand {
        Some(_) => format!(
            "`rehref {0} -h` lists the common options, `rehref {0} --help` all, with more examples\n",
            page.name
        ),
        None => {
            "`rehref -h` lists the commands, `rehref COMMAND -h` the options of each\n".to_owned()
        }
    };
    text
}
