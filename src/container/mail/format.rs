//! The formats of mailboxes.

use std::fmt;
use std::str::FromStr;

use crate::source::mail_lines::{blank_len, is_listserv_line, is_mmdf_line};

/// How the messages of a mailbox are parted and quoted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MboxFormat {
    /// As it looks: LISTSERV and MMDF by their first line; else `Content-Length` is believed where a message, or
    /// nothing, comes after so many bytes, and one `>` is taken from each line `>From `, `>>From ` and so
    /// on in other messages.
    #[default]
    Auto,
    /// `From ` is quoted as `>From `, and nothing else is quoted.
    Mboxo,
    /// Each `>` of a quoted `From ` stands for a quoting.
    Mboxrd,
    /// `Content-Length` says how long a body is, if it is true, and `From ` is quoted.
    Mboxcl,
    /// The same, and nothing is quoted.
    Mboxcl2,
    /// A log of LISTSERV.
    Listserv,
    /// A line of four U+0001 stands before each message and behind it.
    Mmdf,
}

/// A name that is none of [`MboxFormat::ALL`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMboxFormat;

impl fmt::Display for UnknownMboxFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a format of mailboxes")
    }
}

impl std::error::Error for UnknownMboxFormat {}

impl MboxFormat {
    /// All formats.
    pub const ALL: &'static [Self] = &[
        Self::Auto,
        Self::Mboxo,
        Self::Mboxrd,
        Self::Mboxcl,
        Self::Mboxcl2,
        Self::Listserv,
        Self::Mmdf,
    ];

    /// The name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Mboxo => "mboxo",
            Self::Mboxrd => "mboxrd",
            Self::Mboxcl => "mboxcl",
            Self::Mboxcl2 => "mboxcl2",
            Self::Listserv => "listserv",
            Self::Mmdf => "mmdf",
        }
    }

    /// The format of a mailbox that begins like this, if it is not said: LISTSERV and MMDF have their lines.
    pub(crate) fn of_head(self, head: &[u8]) -> Self {
        let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
        let at = blank_len(head);
        match self {
            Self::Auto if is_listserv_line(head, at) => Self::Listserv,
            Self::Auto if is_mmdf_line(head, at) => Self::Mmdf,
            _ => self,
        }
    }

    /// Whether `Content-Length` counts.
    pub(crate) fn has_lengths(self) -> bool {
        matches!(self, Self::Auto | Self::Mboxcl | Self::Mboxcl2)
    }
}

impl fmt::Display for MboxFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for MboxFormat {
    type Err = UnknownMboxFormat;

    fn from_str(name: &str) -> Result<Self, UnknownMboxFormat> {
        let found = Self::ALL.iter().find(|format| format.as_str() == name);
        found.copied().ok_or(UnknownMboxFormat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for format in MboxFormat::ALL {
            assert_eq!(format.as_str().parse(), Ok(*format));
        }
        assert_eq!("mbox".parse::<MboxFormat>(), Err(UnknownMboxFormat));
    }
}
