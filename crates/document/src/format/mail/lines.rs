//! Lines that identify mail: header fields, and separators of messages in mailboxes.
//!
//! The mbox format has no specification but RFC 4155, which few programs follow. A line that begins
//! with `From ` is a separator if
//!
//! - it is the first line or follows an empty one; it ends with a date (at least a month's name, a
//!   time and a year); and a header field or an empty line follows it;
//! - or it has a date, or only a `-` (from programs without a sender), and a common mail field
//!   follows it;
//! - or it has one other word, an empty line precedes it, and a common mail field follows it.
//!
//! Other such lines are text that was not quoted.
//!
//! LISTSERV logs separate messages with a line of `=` before the field `Date`. MMDF has a line of
//! four U+0001 before and after each message.

use std::ops::Range;

use memchr::memchr;

/// The number of bytes examined from the beginning of a separator on.
pub const LOOK_AHEAD: usize = 1024;

/// The beginning of every separator line of an mbox mailbox.
pub const FROM: &[u8] = b"From ";

/// The content of a separator line of an MMDF mailbox.
pub const MMDF: &[u8] = b"\x01\x01\x01\x01";

/// The length of a LISTSERV separator.
const LISTSERV_LEN: usize = 73;

/// The minimum length of a LISTSERV separator from other programs.
const MIN_LISTSERV_LEN: usize = 40;

/// Returns true if the line at `at`, which begins with `From `, separates two messages. Examines
/// [`LOOK_AHEAD`] bytes. With `is_known_start`, the caller has found that a message ends before the
/// line.
pub fn is_from_line(bytes: &[u8], at: usize, is_known_start: bool) -> bool {
    let head = &bytes[at..bytes.len().min(at + LOOK_AHEAD)];
    let line = line_at(head, 0);
    let after = &head[line_at(head, line.end)];
    let words = trim_line_end(&head[line]).get(FROM.len()..).unwrap_or_default();
    let before_field = is_field_of_mail(after);
    if ends_with_date(words) || is_dated(words) {
        let ends_message = is_known_start || is_after_empty_line(&bytes[..at]);
        let begins_message =
            name_len(after) > 0 || trim_line_end(after).is_empty() || after.starts_with(b">From ");
        return before_field || ends_message && begins_message;
    }
    let mut words = words.split(u8::is_ascii_whitespace).filter(|it| !it.is_empty());
    let ends_message = || is_known_start || is_after_empty_line(&bytes[..at]);
    before_field
        && match words.next() {
            None | Some(b"-") => words.next().is_none(),
            Some(_) => words.next().is_none() && ends_message(),
        }
}

/// Returns true if the line at `at`, which begins with `=`, separates two messages of a LISTSERV
/// log.
pub fn is_listserv_line(bytes: &[u8], at: usize) -> bool {
    let head = &bytes[at..bytes.len().min(at + LOOK_AHEAD)];
    let line = line_at(head, 0);
    let rule = trim_line_end(&head[line.clone()]);
    let after = &head[line.end..];
    let field = after.get(..5).unwrap_or_default();
    let begins_message = match rule.len() {
        LISTSERV_LEN => is_field_of_mail(&after[line_at(after, 0)]),
        len => len >= MIN_LISTSERV_LEN && field.eq_ignore_ascii_case(b"date:"),
    };
    begins_message && rule.iter().all(|byte| *byte == b'=')
}

/// Returns true if the line at `at`, which begins with [`MMDF`], begins a message of an MMDF
/// mailbox: a field or a `From ` line follows it. The line that ends the previous message is
/// another one.
pub fn is_mmdf_line(bytes: &[u8], at: usize) -> bool {
    let head = &bytes[at..bytes.len().min(at + LOOK_AHEAD)];
    let line = line_at(head, 0);
    let after = &head[line.end..];
    let begins_message = || name_len(&after[line_at(after, 0)]) > 0 || after.starts_with(FROM);
    trim_line_end(&head[line.clone()]) == MMDF && begins_message()
}

/// The length of the blank lines at the beginning of `bytes`: lines of white space, or of the NULs
/// that a damaged file system leaves. Leading white space of a line with words does not count.
pub fn blank_len(bytes: &[u8]) -> usize {
    let is_blank = |byte: &&u8| byte.is_ascii_whitespace() || **byte == 0;
    let len = bytes.iter().take_while(is_blank).count();
    let ends_line = |byte: &u8| matches!(byte, b'\n' | b'\r' | 0);
    bytes[..len].iter().rposition(ends_line).map_or(0, |at| at + 1)
}

/// Returns true if `before` is empty or ends with an empty line. A byte order mark does not count.
pub fn is_after_empty_line(before: &[u8]) -> bool {
    let is_bare = |line: &[u8]| line.is_empty() || line == b"\xEF\xBB\xBF";
    let Some(line) = before.strip_suffix(b"\n") else {
        return is_bare(before);
    };
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    is_bare(line) || line.ends_with(b"\n")
}

/// Returns true if the words end with a date as most programs write it: `Mon Jul 21 10:00:00 1997`,
/// with another word before it. [`is_dated`] is true then too, and takes twenty times as long.
fn ends_with_date(words: &[u8]) -> bool {
    const LEN: usize = "Jul 21 10:00:00 1997".len();
    let Some((before, date)) = words.split_last_chunk::<LEN>() else {
        return false;
    };
    let &[a, b, c, b' ', d, e, b' ', f, g, b':', h, i, b':', j, k, b' ', year @ ..] = date else {
        return false;
    };
    let month = [a, b, c].map(|letter| letter.to_ascii_lowercase());
    let is_month = MONTHS.iter().any(|name| name.as_bytes()[..3] == month);
    let is_day = matches!(
        (d, e),
        (b' ', b'1'..=b'9')
            | (b'0', b'1'..=b'9')
            | (b'1' | b'2', b'0'..=b'9')
            | (b'3', b'0' | b'1')
    );
    let are_digits = [f, g, h, i, j, k].iter().all(u8::is_ascii_digit);
    let is_year = matches!(
        year,
        [b'2', b'0' | b'1', b'0'..=b'9', b'0'..=b'9'] | [b'1', b'9', b'7'..=b'9', b'0'..=b'9']
    );
    before.ends_with(b" ") && is_month && is_day && are_digits && is_year
}

/// The names of the months. The first three letters of each are its abbreviation.
const MONTHS: [&str; 12] = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
];

/// Returns true if the words contain a date: a day next to a month's name, a time, and a year.
fn is_dated(words: &[u8]) -> bool {
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
        // The first short number is the day, another one is a year.
        short += usize::from(word.len() == 2 && number.is_some());
        (last, last_is_day) = (word, is_day);
    }
    day && time && (year || short > 1)
}

/// Returns true if a line is a common mail field (RFC 5322, section 3.6, and customary fields).
pub fn is_field_of_mail(line: &[u8]) -> bool {
    const NAMES: [&str; 21] = [
        "from", "to", "cc", "date", "subject", "message-id", "received", "return-path",
        "mime-version", "delivered-to", "reply-to", "sender", "in-reply-to", "references",
        "status", "newsgroups", "path", "errors-to", "envelope-to", "organization", "precedence",
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
            || ["x-", "content-", "resent-", "list-", "dkim-", "arc-"].into_iter().any(begins))
}

/// The length of the field name of `line`, with the white space after it (RFC 5322, sections 2.2
/// and 4.5). 0 if the line is not a field. A URL at the beginning of a line is not a field.
#[inline]
pub fn name_len(line: &[u8]) -> usize {
    const LONGEST: usize = 80;
    let head = &line[..line.len().min(LONGEST)];
    let is_of_name = |byte: &&u8| byte.is_ascii_graphic() && **byte != b':';
    let name = head.iter().take_while(is_of_name).count();
    let blanks = head[name..].iter();
    let blanks = blanks.take_while(|byte| byte.is_ascii_whitespace()).count();
    let colon = name + blanks;
    match head.get(colon) {
        Some(b':') if name > 0 && !line[colon + 1..].starts_with(b"//") => colon,
        _ => 0,
    }
}

/// The line that begins at `at`, with its line break.
pub fn line_at(bytes: &[u8], at: usize) -> Range<usize> {
    let len = memchr(b'\n', &bytes[at..]).map_or(bytes.len() - at, |len| len + 1);
    at..at + len
}

/// A line without its line break.
pub fn trim_line_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use memchr::memchr;
    use proptest::prelude::*;

    /// Returns true if the last line of `text` that begins with `From ` is a separator.
    fn is_separator(text: &str) -> bool {
        let at = text.rfind("From ").unwrap();
        let crlf = text.replace('\n', "\r\n");
        let found = is_from_line(text.as_bytes(), at, false);
        let at = crlf.rfind("From ").unwrap();
        assert_eq!(is_from_line(crlf.as_bytes(), at, false), found, "{text:?}");
        found
    }

    #[test]
    fn dated_from_lines_are_separators() {
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
            assert!(is_separator(&format!("{line}\nReceived: c\n")), "{line}");
            assert!(is_separator(&format!("x\n\n{line}\nNote: c\n")), "{line}");
            assert!(is_separator(&format!("x\n\n{line}\n\nc\n")), "{line}");
            assert!(is_separator(&format!("x\n{line}\nDate: c\n")), "{line}");
            assert!(!is_separator(&format!("x\n{line}\nNote: c\n")), "{line}");
            assert!(!is_separator(&format!("x\n\n{line}\nwrote this\n")), "{line}");
        }
    }

    #[test]
    fn prose_is_not_a_date() {
        for line in [
            "From separate tests at 10:30 in 1997",
            "From what I saw in June 1997 at 10:30",
            "From maybe 1997 10:30",
            "From May 12 to June 14 1997",
        ] {
            assert!(!is_separator(&format!("x\n\n{line}\nNote: see\n")), "{line}");
            assert!(!is_separator(&format!("x\n\n{line}\n\nsee\n")), "{line}");
        }
    }

    #[test]
    fn from_lines_without_a_date_need_a_mail_field() {
        for line in ["From ", "From -", "From - ", "From a@b.example", "From MAILER-DAEMON"] {
            assert!(is_separator(&format!("x\n\n{line}\nX-Status: c\n")), "{line}");
            assert!(!is_separator(&format!("x\n\n{line}\nYear: 1963\n")), "{line}");
            let is_bare = line.len() < 8;
            assert_eq!(is_separator(&format!("x\n{line}\nDate: c\n")), is_bare, "{line}");
        }
        assert!(!is_separator("x\n\nFrom here to there\nDate: c\n"));
        assert!(is_separator("\u{FEFF}From -\nDate: c\n"));
    }

    #[test]
    fn mmdf_lines_begin_messages() {
        for begin in ["Date: x\n", "From a@b.example Mon Jul 21 10:00:00 1997\n"] {
            assert!(is_mmdf_line(format!("\x01\x01\x01\x01\n{begin}").as_bytes(), 0));
            assert!(is_mmdf_line(format!("\x01\x01\x01\x01\r\n{begin}").as_bytes(), 0));
        }
        for other in ["\x01\x01\x01\x01\n", "\x01\x01\x01\x01\nwords\n", "\x01\x01\x01\nDate: x\n"]
        {
            assert!(!is_mmdf_line(other.as_bytes(), 0), "{other:?}");
            let twice = format!("\x01\x01\x01\x01\n\x01\x01\x01\x01\n{other}");
            assert!(!is_mmdf_line(twice.as_bytes(), 0), "{other:?}");
        }
    }

    #[test]
    fn blank_len_counts_whole_lines() {
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
    fn listserv_separators_need_a_field() {
        let rule = "=".repeat(73);
        assert!(is_listserv_line(format!("{rule}\nDate:  a\n").as_bytes(), 0));
        assert!(is_listserv_line(format!("{rule}\r\nDate:  a\r\n").as_bytes(), 0));
        assert!(is_listserv_line(format!("{rule}\nFrom:  a\n").as_bytes(), 0));
        assert!(!is_listserv_line(format!("{}\nFrom:  a\n", &rule[..60]).as_bytes(), 0));
        assert!(!is_listserv_line(format!("{rule}\nNote:  a\n").as_bytes(), 0));
        assert!(!is_listserv_line(b"=====\nDate: a\n", 0));
    }

    /// The rule of [`name_len`], with a search for the colon.
    fn name_len_by_rule(line: &[u8]) -> usize {
        let colon = memchr(b':', &line[..line.len().min(80)]).unwrap_or(0);
        let name = line[..colon].trim_ascii_end();
        let is_name = !name.is_empty() && name.iter().all(u8::is_ascii_graphic);
        let is_url = line[colon..].starts_with(b"://");
        if is_name && !is_url { colon } else { 0 }
    }

    proptest! {
        #![proptest_config(crate::tier::cases(2_000))]

        #[test]
        fn field_names_are_those_of_the_rule(
            pieces in prop::collection::vec(prop::sample::select(vec![
                "Name", ":", ":", " ", "\t", "\x0B", "\x0C", "\r", "\n", "/", "//", "\u{e9}", "\x7F", "0123456789",
            ]), 0..12),
        ) {
            let line = pieces.concat();
            prop_assert_eq!(name_len(line.as_bytes()), name_len_by_rule(line.as_bytes()), "{:?}", line);
        }

        #[test]
        fn words_that_end_with_a_date_are_dated(
            before in prop::sample::select(vec!["", " ", "a@b.example ", "a Mon ", "a", "a Jul", "3 "]),
            month in prop::sample::select(vec!["Jan", "jul", "DEC", "Foo", "May", " Ma"]),
            day in prop::sample::select(vec![" 1", "01", " 0", "00", "10", "29", "31", "32", "3 ", "  "]),
            time in prop::sample::select(vec!["10:00:00", "99:99:99", "1:000:00", "10:00:0x", "10 00 00"]),
            year in prop::sample::select(vec!["1997", "1970", "1969", "2024", "2199", "2200", "199x"]),
        ) {
            let words = format!("{before}{month} {day} {time} {year}");
            prop_assert!(!ends_with_date(words.as_bytes()) || is_dated(words.as_bytes()), "{words}");
        }
    }

    #[test]
    fn usual_dates_need_not_be_read_word_by_word() {
        for words in
            ["a@b.example Mon Jul 21 10:00:00 1997", "a at b.example  Mon Jul  1 10:00:00 2030"]
        {
            assert!(ends_with_date(words.as_bytes()), "{words}");
        }
    }
}
