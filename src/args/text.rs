//! The arguments about plain text.

use clap::ValueEnum;
use rehref::format::text::{Hyphen, Iri, Join, TextOptions};

use super::values::one_of;
use crate::heading;

/// The arguments for finding URLs in plain text.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = heading::LINKS)]
pub(crate) struct TextArgs {
    /// Also find URLs such as www.a.example/b and ftp.a.example; --emails also finds mail addresses
    #[arg(long)]
    abbreviated: bool,
    /// Also find bare mail addresses
    #[arg(long, hide_short_help = true, hide_long_help = true)]
    emails: bool,
    /// Allow non-ASCII characters in bare URLs: by Unicode link detection (UTS #58), none, or all
    /// but white space
    #[arg(long, hide_short_help = true, value_name = "WHICH", default_value = "auto",
        value_parser = one_of(Iri::ALL, Iri::as_str))]
    iri: Iri,
    /// Keep or drop a hyphen at a line break within a URL; `both` prints both readings
    #[arg(long, hide_short_help = true, value_name = "HOW", default_value = "keep")]
    hyphen: HyphenChoice,
    /// Rejoin URLs across line breaks [default: guess in mail, angle elsewhere]
    ///
    /// none: never. angle: within <...>, "..." and after a hyphen that the next line continues.
    /// guess: also bare URLs, by the evidence. --delsp reads text as format=flowed with delsp=yes
    /// (RFC 3676).
    #[arg(long, hide_short_help = true, value_name = "WHERE",
        value_parser = one_of(Join::ALL, Join::as_str))]
    join: Option<Join>,
    /// Read text as format=flowed with delsp=yes (RFC 3676)
    #[arg(long, hide_short_help = true, hide_long_help = true)]
    delsp: bool,
    /// Follow RFC 3986, Appendix C to the letter, without heuristics for real-world text
    ///
    /// In its predecessors this is Appendix E.
    #[arg(long, hide_short_help = true)]
    strict: bool,
}

impl TextArgs {
    pub(super) fn options(self) -> TextOptions {
        TextOptions {
            iri: self.iri,
            hyphen: match self.hyphen {
                HyphenChoice::Keep | HyphenChoice::Both => Hyphen::Keep,
                HyphenChoice::Drop => Hyphen::Drop,
            },
            join: self.join,
            delsp: self.delsp,
            flowed: self.delsp,
            abbreviated: self.abbreviated,
            emails: self.emails,
            strict: self.strict,
        }
    }

    /// Returns true if the other readings of a link are printed too.
    pub(super) fn prints_alternatives(self) -> bool {
        self.hyphen == HyphenChoice::Both
    }
}

/// `--hyphen`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum HyphenChoice {
    /// Keep it; records have the reading without it too
    Keep,
    /// Drop it; records have the reading with it too
    Drop,
    /// Keep it, and print the other reading on a line of its own
    Both,
}
