//! The lines by which mail is known: fields of headers, and what parts the messages of a mailbox.
//!
//! The format of mailboxes was never written down but in RFC 4155, which few programs follow. A line that begins with
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
//! The logs of LISTSERV part messages by a line of `=` before the field `Date`. MMDF puts a line of four U+0001 before
//! each message and another behind it.

use std::ops::Range;

use memchr::memchr;

/// How far from its beginning a separator and the line after it are looked at, in bytes.
pub(crate) const LOOK_AHEAD: usize = 1024;

/// How far before it, in bytes: the ends of two lines.
pub(crate) const LOOK_BACK: usize = 4;

/// What begins every separator line of a mailbox.
pub(crate) const FROM: &[u8] = b"From ";

/// What a line that parts the messages of an MMDF mailbox consists of.
pub(crate) const MMDF: &[u8] = b"\x01\x01\x01\x01";

/// How long the line is that LISTSERV puts before a message.
const RULE: usize = 73;

/// How long it is at least where something else put it.
const SHORT_RULE: usize = 40;

/// Whether the line at `at`, which begins with `From `, parts two messages; of `bytes` all that is there within
/// [`LOOK_AHEAD`] is looked at. With `is_known_start` it is known that a message ends before it.
pub(crate) fn is_from_line(bytes: &[u8], at: usize, is_known_start: bool) -> bool {
    let head = &bytes[at..bytes.len().min(at + LOOK_AHEAD)];
    let line = line_at(head, 0);
    let after = &head[line_at(head, line.end)];
    let words = trim_line_end(&head[line])
        .get(FROM.len()..)
        .unwrap_or_default();
    let before_field = is_field_of_mail(after);
    if is_dated(words) {
        let is_parted = is_known_start || is_after_empty_line(&bytes[..at]);
        let begins_message =
            name_len(after) > 0 || trim_line_end(after).is_empty() || after.starts_with(b">From ");
        return before_field || is_parted && begins_message;
    }
    let mut words = words
        .split(u8::is_ascii_whitespace)
        .filter(|it| !it.is_empty());
    let is_parted = || is_known_start || is_after_empty_line(&bytes[..at]);
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
    let begins_message = match rule.len() {
        RULE => is_field_of_mail(&after[line_at(after, 0)]),
        len => len >= SHORT_RULE && field.eq_ignore_ascii_case(b"date:"),
    };
    begins_message && rule.iter().all(|byte| *byte == b'=')
}

/// Whether the line at `at`, which begins with [`MMDF`], begins a message of an MMDF mailbox: a field or a `From `
/// line comes after it. The line that ends the message before is another one.
pub(crate) fn is_mmdf_line(bytes: &[u8], at: usize) -> bool {
    let head = &bytes[at..bytes.len().min(at + LOOK_AHEAD)];
    let line = line_at(head, 0);
    let after = &head[line.end..];
    let begins_message = || name_len(&after[line_at(after, 0)]) > 0 || after.starts_with(FROM);
    trim_line_end(&head[line.clone()]) == MMDF && begins_message()
}

/// How long the blank lines are that `bytes` begin with, in bytes: of white space, or of the NULs that a damaged file
/// system leaves. Blanks before the first word of a line are of that line.
pub(crate) fn blank_len(bytes: &[u8]) -> usize {
    let is_blank = |byte: &&u8| byte.is_ascii_whitespace() || **byte == 0;
    let len = bytes.iter().take_while(is_blank).count();
    let ends_line = |byte: &u8| matches!(byte, b'\n' | b'\r' | 0);
    bytes[..len]
        .iter()
        .rposition(ends_line)
        .map_or(0, |at| at + 1)
}

/// Whether nothing, or an empty line, is the last of `before`. A byte order mark does not count.
pub(crate) fn is_after_empty_line(before: &[u8]) -> bool {
    let is_bare = |line: &[u8]| line.is_empty() || line == b"\xEF\xBB\xBF";
    let Some(line) = before.strip_suffix(b"\n") else {
        return is_bare(before);
    };
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    is_bare(line) || line.ends_with(b"\n")
}

/// Whether there is a date among the words: a day beside a month's name, a time, and a year.
fn is_dated(words: &[u8]) -> bool {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let is_month = |word: &[u8]| {
        let is = |month: &&str| {
            word.eq_ignore_ascii_case(month.as_bytes())
                || word.eq_ignore_ascii_case(&month.as_bytes()[..3])
        };
        MONTHS.iter().any(is)
    };
    let number = |word: &[u8]| {
        let is_one = (1..=4).contains(&word.len()) && word.iter().all(u8::is_ascii_digit);
        let digits = word.iter().map(|digit| u16::from(digit - b'0'));
        is_one.then(|| digits.fold(0, |number, digit| number * 10 + digit))
    };
    let is_time = |word: &[u8]| match word {
        [hour @ .., b':', a, b] if a.is_ascii_digit() && b.is_ascii_digit() => {
            hour.last().is_some_and(u8::is_ascii_digit)
        }
        _ => false,
    };
    let (mut day, mut time, mut year) = (false, false, false);
    let mut short = 0;
    let (mut last, mut last_is_day): (&[u8], bool) = (b"", false);
    for word in words.split(|byte| matches!(byte, b' ' | b'\t' | b'-' | b',' | b'/')) {
        if word.is_empty() {
            continue;
        }
        let number = number(word);
        let is_day = word.len() < 3 && number.is_some_and(|day| (1..=31).contains(&day));
        day |= is_day && is_month(last) || last_is_day && is_month(word);
        time |= is_time(word);
        year |= word.len() == 4 && number.is_some_and(|year| (1970..2200).contains(&year));
        // The first is the day, another one is a year.
        short += usize::from(word.len() == 2 && number.is_some());
        (last, last_is_day) = (word, is_day);
    }
    day && time && (year || short > 1)
}

/// Whether a line is a field that mail has (RFC 5322, section 3.6, and what is customary beside).
pub(crate) fn is_field_of_mail(line: &[u8]) -> bool {
    const NAMES: [&str; 21] = [
        "from",
        "to",
        "cc",
        "date",
        "subject",
        "message-id",
        "received",
        "return-path",
        "mime-version",
        "delivered-to",
        "reply-to",
        "sender",
        "in-reply-to",
        "references",
        "status",
        "newsgroups",
        "path",
        "errors-to",
        "envelope-to",
        "organization",
        "precedence",
    ];
    let name = &line[..name_len(line)];
    let begins = |prefix: &str| {
        let start = name.get(..prefix.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(prefix.as_bytes()))
    };
    let whole = name.trim_ascii_end();
    let is = |it: &&str| whole.eq_ignore_ascii_case(it.as_bytes());
    !name.is_empty()
        && (NAMES.iter().any(is)
            || ["x-", "content-", "resent-", "list-", "dkim-", "arc-"]
                .into_iter()
                .any(begins))
}

/// How long the name of the field is that `line` is, with blanks behind it (RFC 5322, sections 2.2 and 4.5); 0
/// if it is none. A URL at the beginning of a line is none.
pub(crate) fn name_len(line: &[u8]) -> usize {
    const LONGEST: usize = 80;
    let head = &line[..line.len().min(LONGEST)];
    let Some(colon) = memchr(b':', head) else {
        return 0;
    };
    let name = head[..colon].trim_ascii_end();
    let is_name = !name.is_empty() && name.iter().all(u8::is_ascii_graphic);
    if is_name && !line[colon + 1..].starts_with(b"//") {
        colon
    } else {
        0
    }
}

/// The line that begins at `at`, with its end.
pub(crate) fn line_at(bytes: &[u8], at: usize) -> Range<usize> {
    let len = memchr(b'\n', &bytes[at..]).map_or(bytes.len() - at, |len| len + 1);
    at..at + len
}

/// A line without its end.
pub(crate) fn trim_line_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
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
            "From a@b.example Tue, 22 Jul 97 10:00:00",
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
    fn prose_is_no_date() {
        for line in [
            "From separate tests at 10:30 in 1997",
            "From what I saw in June 1997 at 10:30",
            "From maybe 1997 10:30",
            "From May 12 to June 14 1997",
        ] {
            assert!(!parts(&format!("x\n\n{line}\nNote: see\n")), "{line}");
            assert!(!parts(&format!("x\n\n{line}\n\nsee\n")), "{line}");
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
    fn lines_of_mmdf() {
        for begin in ["Date: x\n", "From a@b.example Mon Jul 21 10:00:00 1997\n"] {
            assert!(is_mmdf_line(
                format!("\x01\x01\x01\x01\n{begin}").as_bytes(),
                0
            ));
            assert!(is_mmdf_line(
                format!("\x01\x01\x01\x01\r\n{begin}").as_bytes(),
                0
            ));
        }
        for other in [
            "\x01\x01\x01\x01\n",
            "\x01\x01\x01\x01\nwords\n",
            "\x01\x01\x01\nDate: x\n",
        ] {
            assert!(!is_mmdf_line(other.as_bytes(), 0), "{other:?}");
            let twice = format!("\x01\x01\x01\x01\n\x01\x01\x01\x01\n{other}");
            assert!(!is_mmdf_line(twice.as_bytes(), 0), "{other:?}");
        }
    }

    #[test]
    fn blank_lines_come_first() {
        for (text, len) in [
            ("", 0),
            ("a", 0),
            ("  a", 0),
            ("\n\r\n a", 3),
            (" \t\n\ta", 3),
            ("\r\ra", 2),
            ("\0\0a", 2),
            ("\n ", 1),
        ] {
            assert_eq!(blank_len(text.as_bytes()), len, "{text:?}");
        }
    }

    #[test]
    fn rules_of_logs() {
        let rule = "=".repeat(73);
        assert!(is_rule(format!("{rule}\nDate:  a\n").as_bytes(), 0));
        assert!(is_rule(format!("{rule}\r\nDate:  a\r\n").as_bytes(), 0));
        assert!(is_rule(format!("{rule}\nFrom:  a\n").as_bytes(), 0));
        assert!(!is_rule(
            format!("{}\nFrom:  a\n", &rule[..60]).as_bytes(),
            0
        ));
        assert!(!is_rule(format!("{rule}\nNote:  a\n").as_bytes(), 0));
        assert!(!is_rule(b"=====\nDate: a\n", 0));
    }
}
