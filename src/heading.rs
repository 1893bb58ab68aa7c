//! The groups of options in help.

use clap::{Arg, Command};

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
const ALL: [&str; 10] =
    [RULES, MOVES, CHECKS, INPUT, LINKS, BASE, FILTERS, OUTPUT, WRITING, SAFETY];

/// Puts the options of a subcommand into groups: daily options first, then those that only `--help`
/// shows.
///
/// # Panics
/// If an option has no group.
pub(super) fn arrange(subcommand: Command) -> Command {
    // The arguments are removed and added again: moving one within the command moves all after it.
    let mut arguments = Vec::new();
    let subcommand = subcommand.mut_args(|arg| {
        arguments.push(arg);
        Arg::new("")
    });
    // The display order is not enough: help has the groups in the order of their first arguments.
    arguments.sort_by_cached_key(|arg| {
        let heading = arg.get_help_heading().unwrap_or_default();
        let group = ALL.iter().position(|&it| it == heading);
        let group = group.unwrap_or_else(|| panic!("{} has no group", arg.get_id()));
        (group, arg.is_hide_short_help_set())
    });
    let mut arranged = (0..).zip(arguments);
    subcommand.mut_args(|place| match arranged.next() {
        Some((order, arg)) => arg.display_order(order),
        None => place,
    })
}
