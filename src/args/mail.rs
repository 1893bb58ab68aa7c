//! The arguments about mail.

use clap::ValueEnum;
use rehref::container::mail::MboxFormat;
use rehref::jobs::Extract;

use super::values::one_of;
use crate::heading;

/// The arguments for reading mail.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct MailArgs {
    /// Separate and unquote the messages of mailboxes in this format
    #[arg(long, value_name = "FORMAT", help_heading = heading::INPUT, hide_short_help = true, default_value = "auto",
        value_parser = one_of(MboxFormat::ALL, MboxFormat::as_str))]
    mbox: MboxFormat,
    /// Skip links in headers
    #[arg(long, help_heading = heading::LINKS, hide_short_help = true)]
    no_headers: bool,
    /// In mail with text and HTML versions, report a link for each version or only for the first
    #[arg(long, value_name = "WHICH", help_heading = heading::LINKS, hide_short_help = true, default_value = "all")]
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
    /// For the first version
    First,
    /// For each version
    All,
}
