//! The heads of records: the fields of WARC, the line of ARC.

use std::borrow::Cow;

use memchr::memchr;

use super::first_line::{ArcLine, number, version_len};

/// The head of a record. Values are as written, with folded lines joined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordHead<'b> {
    /// `WARC-Type`: `response`, `request` and others, in any case. Records of ARC files are
    /// responses.
    pub record_type: Option<Cow<'b, [u8]>>,
    /// `WARC-Record-ID`.
    pub record_id: Option<Cow<'b, [u8]>>,
    /// `WARC-Target-URI`.
    pub target_uri: Option<Cow<'b, [u8]>>,
    /// `WARC-Date`; that of an ARC record in the same form.
    pub date: Option<Cow<'b, [u8]>>,
    /// `Content-Type`: that of the block, such as `application/http`.
    pub content_type: Option<Cow<'b, [u8]>>,
    /// `WARC-Payload-Digest`.
    pub payload_digest: Option<Cow<'b, [u8]>>,
    /// `WARC-Concurrent-To`, the first.
    pub concurrent_to: Option<Cow<'b, [u8]>>,
    /// `WARC-Refers-To`.
    pub refers_to: Option<Cow<'b, [u8]>>,
    /// `WARC-Refers-To-Target-URI`.
    pub refers_to_target_uri: Option<Cow<'b, [u8]>>,
    /// `WARC-Refers-To-Date`.
    pub refers_to_date: Option<Cow<'b, [u8]>>,
    /// `WARC-Truncated`: the reason that the block is incomplete.
    pub truncated: Option<Cow<'b, [u8]>>,
    /// `WARC-Segment-Number`.
    pub segment_number: Option<Cow<'b, [u8]>>,
    /// `Content-Length`, if it is a number.
    pub content_length: Option<u64>,
}

impl<'b> RecordHead<'b> {
    /// Reads the head of a WARC record, with its version line, or of an ARC record. Linear.
    pub fn read(head: &'b [u8]) -> Self {
        match version_len(head) {
            Some(len) => Self::of_fields(&head[len..]),
            None => ArcLine::parse(head.trim_ascii_end()).map_or_else(Self::default, Self::of_arc),
        }
    }

    fn of_fields(mut rest: &'b [u8]) -> Self {
        let mut head = Self::default();
        // The rest of the line of the version.
        rest = next_line(rest).1;
        while !rest.is_empty() {
            let (line, mut after) = next_line(rest);
            let mut value_end = line.len();
            while let [b' ' | b'\t', ..] = after {
                let (folded, behind) = next_line(after);
                value_end = rest.len() - after.len() + folded.len();
                after = behind;
            }
            // All names of fields that are read begin with these letters.
            if let [b'W' | b'w' | b'C' | b'c', ..] = line.trim_ascii_start()
                && let Some(colon) = memchr(b':', line)
            {
                let name = line[..colon].trim_ascii();
                head.set(name, &rest[colon + 1..value_end.max(colon + 1)]);
            }
            rest = after;
        }
        head
    }

    /// Sets a field, unless an earlier one set it.
    fn set(&mut self, name: &[u8], value: &'b [u8]) {
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        let field = match name.len() {
            9 if is("WARC-Type") => &mut self.record_type,
            14 if is("WARC-Record-ID") => &mut self.record_id,
            15 if is("WARC-Target-URI") => &mut self.target_uri,
            9 if is("WARC-Date") => &mut self.date,
            12 if is("Content-Type") => &mut self.content_type,
            19 if is("WARC-Payload-Digest") => &mut self.payload_digest,
            18 if is("WARC-Concurrent-To") => &mut self.concurrent_to,
            14 if is("WARC-Refers-To") => &mut self.refers_to,
            25 if is("WARC-Refers-To-Target-URI") => &mut self.refers_to_target_uri,
            19 if is("WARC-Refers-To-Date") => &mut self.refers_to_date,
            14 if is("WARC-Truncated") => &mut self.truncated,
            19 if is("WARC-Segment-Number") => &mut self.segment_number,
            14 if is("Content-Length") => {
                if self.content_length.is_none() {
                    self.content_length = number(value.trim_ascii());
                }
                return;
            }
            _ => return,
        };
        if field.is_none() {
            *field = Some(unfolded(value));
        }
    }

    fn of_arc(line: ArcLine<'b>) -> Self {
        let is_description = line.url.starts_with(b"filedesc:");
        let record_type: &[u8] = if is_description { b"warcinfo" } else { b"response" };
        let is_http = line.url.len() > 4 && line.url[..4].eq_ignore_ascii_case(b"http");
        Self {
            record_type: Some(Cow::Borrowed(record_type)),
            target_uri: Some(Cow::Borrowed(line.url)),
            date: Some(Cow::Owned(line.iso_date())),
            content_type: Some(Cow::Borrowed(match is_http {
                true => b"application/http",
                false => line.content_type,
            })),
            content_length: line.len,
            ..Self::default()
        }
    }

    /// Returns true if this is the type, in any case.
    pub fn is(&self, record_type: &str) -> bool {
        let own = self.record_type.as_deref();
        own.is_some_and(|it| it.eq_ignore_ascii_case(record_type.as_bytes()))
    }
}

/// The length of the block according to the head: the `content_length` of [`RecordHead::read`],
/// without the other fields.
pub(super) fn content_length(head: &[u8]) -> Option<u64> {
    let Some(version) = version_len(head) else {
        return RecordHead::read(head).content_length;
    };
    let mut rest = next_line(&head[version..]).1;
    while !rest.is_empty() {
        let (line, after) = next_line(rest);
        if let [b'C' | b'c', ..] = line
            && let Some(colon) = memchr(b':', line)
            && line[..colon].trim_ascii().eq_ignore_ascii_case(b"Content-Length")
        {
            if let [b' ' | b'\t', ..] = after {
                // The value is folded.
                return RecordHead::read(head).content_length;
            }
            let len = number(line[colon + 1..].trim_ascii());
            if len.is_some() {
                return len;
            }
        }
        rest = after;
    }
    None
}

/// The first line without its end, and the rest.
fn next_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let (line, rest) = match memchr(b'\n', bytes) {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (bytes, &[][..]),
    };
    let end = line.iter().rposition(|&byte| byte != b'\r');
    (&line[..end.map_or(0, |end| end + 1)], rest)
}

/// A value without blanks around it, and with each line end and the blanks around that as one
/// blank.
fn unfolded(value: &[u8]) -> Cow<'_, [u8]> {
    let value = value.trim_ascii();
    if memchr(b'\n', value).is_none() {
        return Cow::Borrowed(value);
    }
    let lines: Vec<&[u8]> = value.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).collect();
    Cow::Owned(lines.join(&b' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_of_a_block_is_that_of_the_fields() {
        for (head, len) in [
            ("WARC/1.0\r\nContent-Length: 12\r\n\r\n", Some(12)),
            ("WARC/1.0\ncontent-length :\t7 \nContent-Type: a\n\n", Some(7)),
            ("WARC/1.0\r\nContent-Length:\r\n 12\r\n\r\n", Some(12)),
            ("WARC/1.0\r\nX: a\r\n Content-Length: 3\r\n\r\n", None),
            ("WARC/1.0\r\nContent-Length: -1\r\nContent-Length: 5\r\n\r\n", Some(5)),
            ("WARC/1.0\r\nContent-Length: 99999999999999999999\r\n\r\n", None),
            ("WARC/1.0\r\nContent-Lengths: 5\r\nContent\r\n\r\n", None),
            ("http://h.example/ 1.2.3.4 20080101000000 text/html 5\n", Some(5)),
        ] {
            assert_eq!(content_length(head.as_bytes()), len, "{head:?}");
            let fields = RecordHead::read(head.as_bytes());
            assert_eq!(fields.content_length, len, "{head:?}");
        }
    }

    #[test]
    fn values_are_unfolded_and_the_first_counts() {
        let head = b"WARC/1.1\r\nwarc-type : Response\r\nWARC-Target-URI: <http://h.example/>\r\n\
            WARC-Date:\r\n\t2024-05-01\r\n  later\r\nno field\r\nWARC-Date: 1999\r\n\r\n";
        let head = RecordHead::read(head);
        assert!(head.is("response"));
        assert_eq!(head.target_uri.as_deref(), Some(&b"<http://h.example/>"[..]));
        assert_eq!(head.date.as_deref(), Some(&b"2024-05-01 later"[..]));
        assert_eq!(head.record_id, None);
    }

    #[test]
    fn lines_of_arc_are_parsed_from_their_end() {
        let read = |line: &'static str| RecordHead::read(line.as_bytes());
        let head = read("http://h.example/a b c 1.2.3.4 20080102030405 text/html 10\n");
        assert_eq!(head.target_uri.as_deref(), Some(&b"http://h.example/a b c"[..]));
        assert_eq!(head.date.as_deref(), Some(&b"2008-01-02T03:04:05Z"[..]));
        let second = "http://h.example/ 1.2.3.4 20080102030405 text/html 200 - - 7 x.arc 10\n";
        assert_eq!(read(second).target_uri.as_deref(), Some(&b"http://h.example/"[..]));
        assert!(read("filedesc://x 0.0.0.0 20080102030405 text/plain 9").is("warcinfo"));
        for line in ["a b c d e", "x: 1", " 1.2.3.4 20080102030405 text/html 10", ""] {
            assert_eq!(read(line), RecordHead::default(), "{line:?}");
        }
    }
}
