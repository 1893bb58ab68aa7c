//! The head of an HTTP response as it was captured: a status line and fields.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter};
use smallvec::SmallVec;

use crate::format::field::Field;

/// The fields that matter. All others are skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// RFC 9110, section 8.3.
    ContentType,
    /// RFC 9110, section 8.4.
    ContentEncoding,
    /// RFC 9110, section 8.6.
    ContentLength,
    /// RFC 9112, section 6.1.
    TransferEncoding,
    /// RFC 9110, section 10.2.2.
    Location,
    /// RFC 9110, section 8.7.
    ContentLocation,
    /// RFC 8288, section 3.
    Link,
    /// The target of a redirect, in the syntax of `meta` (HTML standard, section 4.2.5.3).
    Refresh,
    /// `SourceMap` or `X-SourceMap` (ECMA-426, section 6.1.4).
    SourceMap,
}

impl FieldKind {
    /// The kind of the field with this name, in any case.
    fn of(name: &[u8]) -> Option<Self> {
        let is = |it: &str| name.eq_ignore_ascii_case(it.as_bytes());
        // The first letter distinguishes most names.
        match name.first()?.to_ascii_lowercase() {
            b'c' if is("Content-Type") => Some(Self::ContentType),
            b'c' if is("Content-Encoding") => Some(Self::ContentEncoding),
            b'c' if is("Content-Length") => Some(Self::ContentLength),
            b'c' if is("Content-Location") => Some(Self::ContentLocation),
            b'l' if is("Location") => Some(Self::Location),
            b'l' if is("Link") => Some(Self::Link),
            b'r' if is("Refresh") => Some(Self::Refresh),
            b's' if is("SourceMap") => Some(Self::SourceMap),
            b't' if is("Transfer-Encoding") => Some(Self::TransferEncoding),
            b'x' if is("X-SourceMap") => Some(Self::SourceMap),
            _ => None,
        }
    }

    /// Returns true if a name that begins with this letter may be one of them. Most fields of a
    /// response are not.
    fn may_begin_with(letter: u8) -> bool {
        matches!(letter.to_ascii_lowercase(), b'c' | b'l' | b'r' | b's' | b't' | b'x')
    }

    /// Returns true if the field may have links.
    pub fn has_links(self) -> bool {
        !matches!(
            self,
            Self::ContentType
                | Self::ContentEncoding
                | Self::ContentLength
                | Self::TransferEncoding
        )
    }
}

/// The fields of a head that matter, and its place in a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The number of the status line.
    pub status: Option<u16>,
    /// The fields, in their order.
    pub fields: SmallVec<[Field<FieldKind>; 4]>,
    /// The start of the head: after the heads of interim responses.
    pub start: usize,
    /// The end of the head: after the empty line, or before the first line that begins a page.
    pub end: usize,
    /// True if the head is longer than `MAX_LEN`. Then `end` is not the end of the
    /// head.
    pub is_too_long: bool,
}

impl Head {
    /// The maximum length of a head, in bytes.
    pub(crate) const MAX_LEN: usize = 1 << 20;

    /// Reads the head of a response. `None` if the block does not begin with a status line: a
    /// response by HTTP/0.9 has no head.
    ///
    /// Heads of interim responses (RFC 9110, section 15.2) are skipped if another follows. Linear
    /// in the heads.
    pub fn read(block: &[u8]) -> Option<Self> {
        let mut line = StatusLine::read(block, 0)?;
        loop {
            let head = Self {
                status: Some(line.status),
                start: line.start,
                ..Self::of_fields(block, line.end)
            };
            let is_interim = (100..200).contains(&line.status) && line.status != 101;
            if !is_interim || head.is_too_long {
                return Some(head);
            }
            match StatusLine::read(block, head.end) {
                Some(next) => line = next,
                None => return Some(head),
            }
        }
    }

    /// Reads the fields from `at` to the end of the head.
    ///
    /// A line without a colon, or without a name before it, is skipped with the lines that continue
    /// it. A line that begins a page ends the head: the empty line is missing then.
    pub(crate) fn of_fields(block: &[u8], at: usize) -> Self {
        let limit = block.len().min(at.saturating_add(Self::MAX_LEN));
        let mut head = Self { start: at, end: at, ..Self::default() };
        let mut line_feeds = memchr_iter(b'\n', &block[at..limit]);
        // True if the last field is one of `fields`.
        let mut is_kept = false;
        while head.end < limit {
            let line = match line_feeds.next() {
                Some(len) => head.end..at + len + 1,
                None if limit < block.len() => {
                    head.is_too_long = true;
                    return head;
                }
                None => head.end..limit,
            };
            let text = trim_line_end(&block[line.clone()]);
            match text {
                [] => {
                    head.end = line.end;
                    return head;
                }
                [b' ' | b'\t', ..] => {
                    if is_kept && let Some(field) = head.fields.last_mut() {
                        field.value.end = line.start + text.len();
                    }
                }
                [b'<', b'!' | b'?', ..] => return head,
                [b'<', next, ..] if next.is_ascii_alphabetic() => return head,
                [first, ..] if !FieldKind::may_begin_with(*first) => is_kept = false,
                _ => {
                    let colon = memchr(b':', text);
                    let name = text[..colon.unwrap_or(0)].trim_ascii_end();
                    let kind = FieldKind::of(name);
                    is_kept = kind.is_some();
                    if let (Some(kind), Some(colon)) = (kind, colon) {
                        head.fields.push(Field {
                            kind,
                            name: line.start..line.start + name.len(),
                            value: line.start + colon + 1..line.start + text.len(),
                        });
                    }
                }
            }
            head.end = line.end;
        }
        head.is_too_long = limit < block.len();
        head
    }

    /// The values of the fields of a kind, unfolded.
    pub fn values<'b>(
        &self,
        kind: FieldKind,
        block: &'b [u8],
    ) -> impl DoubleEndedIterator<Item = Cow<'b, str>> {
        let fields = self.fields.iter().filter(move |field| field.kind == kind);
        fields.map(|field| unfolded(&block[field.value.clone()]))
    }
}

/// A status line (RFC 9112, section 4).
struct StatusLine {
    status: u16,
    start: usize,
    /// The end of the line with its line break.
    end: usize,
}

impl StatusLine {
    /// The longest run of line breaks that is skipped before a status line, in bytes.
    const MAX_BLANK: usize = 64;

    /// Reads the status line at `at`, possibly after empty lines.
    ///
    /// The protocol is any version of HTTP, or that of SHOUTcast (`ICY`). The reason may be
    /// missing.
    fn read(block: &[u8], at: usize) -> Option<Self> {
        let bytes = &block[at..];
        let is_blank = |byte: &&u8| matches!(byte, b'\r' | b'\n');
        let blank = bytes.iter().take(Self::MAX_BLANK).take_while(is_blank);
        let start = blank.count();
        let bytes = &bytes[start..];
        let begins = |name: &str| {
            let start = bytes.get(..name.len());
            start.is_some_and(|it| it.eq_ignore_ascii_case(name.as_bytes()))
        };
        if !begins("HTTP/") && !begins("ICY ") {
            return None;
        }
        let len = memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1);
        let line = bytes[..len].trim_ascii_end();
        let version = memchr(b' ', line)?;
        let (status, after) = line[version..].trim_ascii_start().split_at_checked(3)?;
        let is_number =
            status.iter().all(u8::is_ascii_digit) && !after.first().is_some_and(u8::is_ascii_digit);
        let digits = status.iter().map(|digit| u16::from(digit - b'0'));
        is_number.then(|| Self {
            status: digits.fold(0, |number, digit| 10 * number + digit),
            start: at + start,
            end: at + start + len,
        })
    }
}

/// The text of a line, without its line break: LF with any number of CR before it.
fn trim_line_end(line: &[u8]) -> &[u8] {
    let mut text = line.strip_suffix(b"\n").unwrap_or(line);
    while let Some(rest) = text.strip_suffix(b"\r") {
        text = rest;
    }
    text
}

/// A value on one line, without white space around it. Each line break and the white space around
/// it is one space.
fn unfolded(value: &[u8]) -> Cow<'_, str> {
    let value = value.trim_ascii();
    if memchr(b'\n', value).is_none() {
        return String::from_utf8_lossy(value);
    }
    let lines =
        value.split(|byte| *byte == b'\n').map(|it| String::from_utf8_lossy(it.trim_ascii()));
    let lines: Vec<_> = lines.filter(|it| !it.is_empty()).collect();
    lines.join(" ").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The status, the fields and the body.
    type Parts<'b> = (u16, Vec<(&'b str, String)>, &'b str);

    fn read(block: &str) -> Option<Parts<'_>> {
        let head = Head::read(block.as_bytes())?;
        let fields = head.fields.iter().map(|field| {
            let value = unfolded(&block.as_bytes()[field.value.clone()]);
            (&block[field.name.clone()], value.into_owned())
        });
        Some((head.status?, fields.collect(), &block[head.end..]))
    }

    #[test]
    fn status_lines_have_a_protocol_and_a_number() {
        for (line, status) in [
            ("HTTP/1.1 200 OK", Some(200)),
            ("HTTP/1.1 404", Some(404)),
            ("HTTP/2 301", Some(301)),
            ("http/1.0  302  Found", Some(302)),
            ("ICY 200 OK", Some(200)),
            ("\r\n\nHTTP/1.1 200 OK", Some(200)),
            ("HTTP/1.1 2000 OK", None),
            ("HTTP/1.1 OK", None),
            ("HTTP/1.1", None),
            ("HTTP is a protocol", None),
            ("<html>", None),
            ("", None),
        ] {
            for end in ["\r\n\r\nb", "\n\nb", "\r\r\n\r\r\nb"] {
                let found = read(&format!("{line}{end}")).map(|(status, _, body)| {
                    assert_eq!(body, "b", "{line:?}");
                    status
                });
                assert_eq!(found, status, "{line:?}");
            }
            assert_eq!(read(line).map(|it| it.0), status, "{line:?}");
        }
    }

    #[test]
    fn fields_may_be_folded_and_broken() {
        let block = "HTTP/1.1 200 OK\nno colon\n x\n: no name\nCONTENT-type :\n\ta;\r\n  b\nDate: c\n d\nlink:e\n\nf";
        let (status, fields, body) = read(block).unwrap();
        assert_eq!(status, 200);
        let expected = [("CONTENT-type", "a; b"), ("link", "e")];
        assert_eq!(fields, expected.map(|(name, value)| (name, value.to_owned())));
        assert_eq!(body, "f");
    }

    #[test]
    fn the_end_of_a_head_may_be_missing() {
        for (block, body) in [
            ("HTTP/1.1 200 OK\r\nLink: a\r\n", ""),
            ("HTTP/1.1 200 OK\r\nLink: a", ""),
            ("HTTP/1.1 200 OK\r\nLink: a\r\n<!DOCTYPE html>\n\nb", "<!DOCTYPE html>\n\nb"),
            ("HTTP/1.1 200 OK\r\nLink: a\n<p>\n\nb", "<p>\n\nb"),
            ("HTTP/1.1 200 OK\r\nLink: a\n</b>\n\nc", "c"),
        ] {
            let (_, fields, found) = read(block).unwrap();
            assert_eq!(fields, [("Link", "a".to_owned())], "{block:?}");
            assert_eq!(found, body, "{block:?}");
        }
    }

    #[test]
    fn interim_responses_are_skipped() {
        let interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: <a>\r\n\r\n";
        let block = format!("{interim}HTTP/1.1 200 OK\r\nLink: <b>\r\n\r\nc");
        let found = read(&block).unwrap();
        assert_eq!(found, (200, vec![("Link", "<b>".to_owned())], "c"));
        let head = Head::read(block.as_bytes()).unwrap();
        assert_eq!(head.start, interim.len());
        assert_eq!(read(interim).unwrap().0, 103);
        let nested = "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 404 No\r\n\r\n";
        assert_eq!(read(nested).unwrap().0, 200);
    }

    #[test]
    fn heads_have_a_maximum_length() {
        let of_len = |len: usize| {
            let fields = format!("X: {}\n", "a".repeat(97)).repeat(len / 101);
            format!("HTTP/1.1 200 OK\n{fields}Link: b\n\nc")
        };
        let (short, long) = (of_len(300_000), of_len(Head::MAX_LEN + 1000));
        assert_eq!(read(&short).unwrap().2, "c");
        let head = Head::read(long.as_bytes()).unwrap();
        assert!(head.is_too_long && head.fields.is_empty());
        let one_line = format!("HTTP/1.1 200 OK\nX: {}\n\nc", "a".repeat(3 << 20));
        assert!(Head::read(one_line.as_bytes()).unwrap().is_too_long);
    }
}
