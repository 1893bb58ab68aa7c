//! The help page of a command.

use clap::Command;
use clap::builder::StyledStr;

/// The texts of a command that its arguments do not have.
pub(super) struct Page {
    pub(super) name: &'static str,
    pub(super) usage: &'static str,
    /// Real tasks. The first ones are those of the brief help.
    pub(super) examples: &'static [Example],
    pub(super) exit_codes: &'static [(&'static str, &'static str)],
}

/// A task, and the command line that does it.
pub(super) struct Example {
    pub(super) task: &'static str,
    pub(super) command: &'static str,
}

/// One-line usage, examples before the options, exit codes after them.
const TEMPLATE: &str =
    "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{all-args}{after-help}";

impl Page {
    /// Adds the texts to a command.
    pub(super) fn add_to(&self, command: Command) -> Command {
        let heading = *command.get_styles().get_header();
        let headed = |name: &str, text: String| {
            StyledStr::from(format!("{heading}{name}:{heading:#}\n{}", text.trim_end()))
        };
        let examples = self.examples.iter();
        let examples = examples.map(|it| format!("  {}:\n    {}\n", it.task, it.command));
        let exit_codes = self.exit_codes.iter();
        let exit_codes = exit_codes.map(|(code, meaning)| format!("  {code:<4} {meaning}\n"));
        command
            .help_template(TEMPLATE)
            .override_usage(self.usage)
            .before_long_help(headed("Examples", examples.collect()))
            .after_long_help(headed("Exit codes", exit_codes.collect()))
    }
}
