//! The formats of mailboxes, and the rules by which they are split.

use std::fmt;

use crate::format::mail::lines::{blank_len, is_listserv_line, is_mmdf_line};

/// The format of a mailbox: its separators and quoting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MboxFormat {
    /// Detected. LISTSERV and MMDF are identified by their first line. Otherwise a `Content-Length`
    /// counts if a message or the end of the file is at that position, and in other messages one
    /// `>` is removed from lines with `>From `, `>>From ` and so on.
    #[default]
    Auto,
    /// `From ` is quoted as `>From `; nothing else is quoted.
    Mboxo,
    /// Each level of quoting adds one `>`.
    Mboxrd,
    /// `Content-Length` gives the length of a body, if plausible, and `From ` is quoted.
    Mboxcl,
    /// `mboxcl` without quoting.
    Mboxcl2,
    /// A log of LISTSERV.
    Listserv,
    /// MMDF, with a line of four U+0001 before and after each message.
    Mmdf,
}

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

    /// Replaces `Auto` with the format that `head`, the beginning of a mailbox, shows.
    pub(crate) fn of_head(self, head: &[u8]) -> Self {
        let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
        let at = blank_len(head);
        match self {
            Self::Auto if is_listserv_line(head, at) => Self::Listserv,
            Self::Auto if is_mmdf_line(head, at) => Self::Mmdf,
            _ => self,
        }
    }

    /// Returns true if `Content-Length` counts in this format.
    pub(crate) fn has_lengths(self) -> bool {
        matches!(self, Self::Auto | Self::Mboxcl | Self::Mboxcl2)
    }
}

impl fmt::Display for MboxFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

rehref_uri::from_name!(MboxFormat);

/// The rules by which a mailbox is split.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Splitting {
    pub(super) format: MboxFormat,
    /// The minimum end of the first message: see [`Mbox::with_first_end`].
    pub(super) first_end: u64,
    pub(super) counts_lines: bool,
}

/// The beginning of the message after some others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NextMessage {
    pub(super) offset: u64,
    /// True if it begins exactly there. Otherwise it begins at the first separator from there on.
    pub(super) is_known: bool,
    pub(super) number: usize,
    /// The number of line feeds before it, if they are counted.
    pub(super) line_feeds: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for format in MboxFormat::ALL {
            assert_eq!(format.as_str().parse(), Ok(*format));
        }
        assert!("mbox".parse::<MboxFormat>().is_err());
    }
}
