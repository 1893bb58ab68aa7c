//! The groups of options in help.

use clap::Command;

pub(crate) const RULES: &str = "Rules";
pub(crate) const MOVES: &str = "Moves";
pub(crate) const CHECKS: &str = "Checks";
pub(crate) const INPUT: &str = "Input";
pub(crate) const LINKS: &str = "What counts as a link";
pub(crate) const BASE: &str = "Base and resolving";
pub(crate) const FILTERS: &str = "Filters";
pub(crate) const OUTPUT: &str = "Output";
pub(crate) const WRITING: &str = "Writing";
pub(crate) const SAFETY: &str = "Safety";

/// The groups in the order of help.
const ALL: [&str; 10] = [
    RULES, MOVES, CHECKS, INPUT, LINKS, BASE, FILTERS, OUTPUT, WRITING, SAFETY,
];

/// Puts the options of each subcommand into groups: daily options first, then those that only `--help` shows.
///
/// # Panics
/// If an option has no group.
pub(super) fn arrange(command: Command) -> Command {
    command.mut_subcommands(|mut command| {
        let mut options: Vec<_> = command
            .get_arguments()
            .map(|arg| {
                let heading = arg.get_help_heading().unwrap_or_default();
                let group = ALL.iter().position(|&it| it == heading);
                let group = group.unwrap_or_else(|| panic!("{} has no group", arg.get_id()));
                let is_rare = arg.is_hide_short_help_set();
                (group, is_rare, arg.get_id().clone())
            })
            .collect();
        options.sort_by_key(|&(group, is_rare, _)| (group, is_rare));
        for (order, (.., id)) in options.into_iter().enumerate() {
            // This also moves the argument to the end of all: help has the groups in the order of their first arguments.
            command = command.mut_arg(id, |arg| arg.display_order(order));
        }
        command
    })
}
