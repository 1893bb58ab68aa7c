//! The lines that part the messages of a mailbox.
//!
//! The format was never written down but in RFC 4155, which few programs follow. A line that begins with
//! `From ` parts messages if
//!
//! * nothing or an empty line is before it, and it ends with a date: one of a month's names, a time and a year,
//!   whatever else there is; and a field of a header or an empty line comes after it;
//! * or if it has a date, or nothing but a `-`, as programs write it that know no sender, and a field that mail has
//!   comes after it, whatever is before it;
//! * or if it has one other word, an empty line is before it, and a field that mail has comes after it.
//!
//! Other such lines are of the text: who wrote them did not quote them.
//!
//! The logs of LISTSERV part messages by a line of `=` before the field `Date`.

use std::fmt;
use std::str::FromStr;

use super::header::{is_field_of_mail, line_at, name_len, trim_line_end};

/// How the messages of a mailbox are parted and quoted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MboxFormat {
    /// As it looks: LISTSERV by its first line; else `Content-Length` is believed where a message, or
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
        }
    }

    /// The format of a mailbox that begins like this, if it is not said: LISTSERV has its rules.
    pub(crate) fn of_head(self, head: &[u8]) -> Self {
        let text = head.iter().position(|byte| !byte.is_ascii_whitespace());
        match (self, text) {
            (Self::Auto, Some(at)) if is_rule(head, at) => Self::Listserv,
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

/// How far from its beginning a separator and the line after it are looked at, in bytes.
pub(crate) const LOOK_AHEAD: usize = 1024;

/// How far before it, in bytes: the ends of two lines.
pub(crate) const LOOK_BACK: usize = 4;

/// What begins every separator line of a mailbox.
pub(crate) const FROM: &[u8] = b"From ";

/// The line of a LISTSERV log is as long as this at least.
const RULE: usize = 40;

/// Whether the line at `at`, which begins with `From `, parts two messages; of `bytes` all that is there within
/// [`LOOK_AHEAD`] is looked at. With `is_sure` it is known from elsewhere that a message ends before it.
pub(crate) fn is_from_line(bytes: &[u8], at: usize, is_sure: bool) -> bool {
    let head = &bytes[at..bytes.len().min(at + LOOK_AHEAD)];
    let line = line_at(head, 0);
    let after = &head[line_at(head, line.end)];
    let words = trim_line_end(&head[line])
        .get(FROM.len()..)
        .unwrap_or_default();
    let before_field = is_field_of_mail(after);
    if is_dated(words) {
        let is_parted = is_sure || is_after_empty_line(&bytes[..at]);
        let begins_message =
            name_len(after) > 0 || trim_line_end(after).is_empty() || after.starts_with(b">From ");
        return before_field || is_parted && begins_message;
    }
    let mut words = words
        .split(u8::is_ascii_whitespace)
        .filter(|it| !it.is_empty());
    let is_parted = || is_sure || is_after_empty_line(&bytes[..at]);
    before_field
        && match words.next() {
            None | Some(b"-") => words.next().is_none(),
            Some(_) => words.next().is_none() && is_parted(),
        }
}

/// Whether the line at `at`, which begins with `=`, parts two messages of a LISTSERV log.
pub(crate) fn is_rule(bytes: &[u8], at: usize) -> bool {
    let head = &bytes[at..bytes.len().min(at + LOOK_AHEAD)];
    let line = line_at(head, 0);
    let rule = trim_line_end(&head[line.clone()]);
    let after = &head[line.end..];
    let field = after.get(..5).unwrap_or_default();
    rule.len() >= RULE
        && rule.iter().all(|byte| *byte == b'=')
        && field.eq_ignore_ascii_case(b"date:")
}

/// Whether nothing, or an empty line, is the last of `before`.
fn is_after_empty_line(before: &[u8]) -> bool {
    let Some(line) = before.strip_suffix(b"\n") else {
        return before.is_empty() || before == b"\xEF\xBB\xBF";
    };
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    line.is_empty() || line.ends_with(b"\n")
}

/// Whether there is a month, a time and a year among the words.
fn is_dated(words: &[u8]) -> bool {
    const MONTHS: [&[u8]; 12] = [
        b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov",
        b"dec",
    ];
    let (mut month, mut time, mut year) = (false, false, false);
    for word in words.split(|byte| matches!(byte, b' ' | b'\t' | b'-' | b',')) {
        match word {
            [b'1' | b'2', rest @ ..] if rest.len() == 3 => {
                year |= rest.iter().all(u8::is_ascii_digit);
            }
            [hour @ .., b':', a, b] if a.is_ascii_digit() && b.is_ascii_digit() => {
                time |= hour.last().is_some_and(u8::is_ascii_digit);
            }
            [_, _, _, ..] => {
                let name = word[..3].to_ascii_lowercase();
                month |= MONTHS.contains(&&*name) && word.iter().all(u8::is_ascii_alphabetic);
            }
            _ => {}
        }
    }
    month && time && year
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the last line of `text` that begins with `From ` parts messages.
    fn parts(text: &str) -> bool {
        let at = text.rfind("From ").unwrap();
        let crlf = text.replace('\n', "\r\n");
        let found = is_from_line(text.as_bytes(), at, false);
        let at = crlf.rfind("From ").unwrap();
        assert_eq!(is_from_line(crlf.as_bytes(), at, false), found, "{text:?}");
        found
    }

    #[test]
    fn dated_lines() {
        for line in [
            "From a@b.example Mon Jul 21 10:00:00 1997",
            "From a at b.example  Mon Jul  1 10:00:00 1997",
            "From - Thu Feb  8 18:49:08 1996",
            "From a@b.example Wed, 2 May 2001 10:10:26 +0200",
            "From 14@xxx Sat Mar 30 16:03:07 +0000 2013",
            "From a Thu Jan  1 00:00 MET 1998 remote from b",
            "From a@b.example 02-May-2001 10:10",
        ] {
            assert!(parts(&format!("{line}\nReceived: c\n")), "{line}");
            assert!(parts(&format!("x\n\n{line}\nNote: c\n")), "{line}");
            assert!(parts(&format!("x\n\n{line}\n\nc\n")), "{line}");
            assert!(parts(&format!("x\n{line}\nDate: c\n")), "{line}");
            assert!(!parts(&format!("x\n{line}\nNote: c\n")), "{line}");
            assert!(!parts(&format!("x\n\n{line}\nwrote this\n")), "{line}");
        }
    }

    #[test]
    fn lines_without_a_date() {
        for line in [
            "From ",
            "From -",
            "From - ",
            "From a@b.example",
            "From MAILER-DAEMON",
        ] {
            assert!(parts(&format!("x\n\n{line}\nX-Status: c\n")), "{line}");
            assert!(!parts(&format!("x\n\n{line}\nYear: 1963\n")), "{line}");
            let is_bare = line.len() < 8;
            assert_eq!(parts(&format!("x\n{line}\nDate: c\n")), is_bare, "{line}");
        }
        assert!(!parts("x\n\nFrom here to there\nDate: c\n"));
        assert!(parts("\u{FEFF}From -\nDate: c\n"));
    }

    #[test]
    fn rules_of_logs() {
        let rule = "=".repeat(73);
        assert!(is_rule(format!("{rule}\nDate:  a\n").as_bytes(), 0));
        assert!(is_rule(format!("{rule}\r\nDate:  a\r\n").as_bytes(), 0));
        assert!(!is_rule(format!("{rule}\nFrom:  a\n").as_bytes(), 0));
        assert!(!is_rule(b"=====\nDate: a\n", 0));
    }

    #[test]
    fn names_round_trip() {
        for format in MboxFormat::ALL {
            assert_eq!(format.as_str().parse(), Ok(*format));
        }
        assert_eq!("mbox".parse::<MboxFormat>(), Err(UnknownMboxFormat));
    }
}
