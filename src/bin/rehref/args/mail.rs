//! The arguments about mail.

use clap::ValueEnum;
use rehref::container::mail::MboxFormat;
use rehref::jobs::Extract;

use super::values::one_of;

/// How mail is read.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Mail")]
pub(crate) struct MailArgs {
    /// How the messages of mailboxes are parted and quoted
    #[arg(long, value_name = "FORMAT", default_value = "auto",
        value_parser = one_of(MboxFormat::ALL, MboxFormat::as_str))]
    mbox: MboxFormat,
    /// Leave out the links of headers
    #[arg(long)]
    no_headers: bool,
    /// Of the alternatives of a message (text and HTML), whether a link is told of each that has it, or of the
    /// first
    #[arg(long, value_name = "WHICH", default_value = "all")]
    alternatives: AlternativesChoice,
}

impl MailArgs {
    pub(super) fn apply(self, extract: &mut Extract) {
        extract.inputs.read.mbox = self.mbox;
        extract.mail_headers = !self.no_headers;
        extract.first_alternative_only = self.alternatives == AlternativesChoice::First;
    }
}

/// `--alternatives`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AlternativesChoice {
    /// Of the first
    First,
    /// Of each
    All,
}
