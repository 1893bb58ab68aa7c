//! The header of a message or of a part, as a list of fields.

use memchr::memchr_iter;
use smallvec::SmallVec;

use crate::format::field::Field;
use crate::format::mail::lines::{
    MMDF, blank_len, is_field_of_mail, line_at, name_len, trim_line_end,
};

/// The fields that matter for links. All others are skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// RFC 2045, section 5.
    ContentType,
    /// RFC 2045, section 6.
    TransferEncoding,
    /// RFC 2183.
    Disposition,
    /// RFC 2045, section 7.
    ContentId,
    /// RFC 2557, section 4.2.
    ContentLocation,
    /// RFC 2110, section 4.2; obsolete, but found in archives.
    ContentBase,
    /// RFC 5322, section 3.6.4.
    MessageId,
    /// A field with links in running text: `Subject`, the `List-` fields (RFC 2369) and
    /// `Archived-At` (RFC 5064).
    Links,
}

impl FieldKind {
    /// The kind of the field with this name, in any case.
    fn of(name: &[u8]) -> Option<Self> {
        let is = |it: &str| name.eq_ignore_ascii_case(it.as_bytes());
        // The first letter distinguishes most names.
        match name.first()?.to_ascii_lowercase() {
            b'c' if is("Content-Type") => Some(Self::ContentType),
            b'c' if is("Content-Transfer-Encoding") => Some(Self::TransferEncoding),
            b'c' if is("Content-Disposition") => Some(Self::Disposition),
            b'c' if is("Content-ID") => Some(Self::ContentId),
            b'c' if is("Content-Location") => Some(Self::ContentLocation),
            b'c' if is("Content-Base") => Some(Self::ContentBase),
            b'm' if is("Message-ID") => Some(Self::MessageId),
            b's' if is("Subject") => Some(Self::Links),
            b'a' if is("Archived-At") => Some(Self::Links),
            b'l' if name.len() > 5 && name[..5].eq_ignore_ascii_case(b"list-") => Some(Self::Links),
            _ => None,
        }
    }

    /// Returns true if the field may have links.
    pub(crate) fn has_links(self) -> bool {
        matches!(self, Self::Links | Self::ContentLocation | Self::ContentBase)
    }
}

/// The fields of a header that matter for links, and the end of the header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    pub(crate) fields: SmallVec<[Field<FieldKind>; 4]>,
    /// The start of the header, after the line that begins a message in a mailbox.
    pub start: usize,
    /// The end of the header: after the empty line, or before the first line that is not part of
    /// it.
    pub end: usize,
}

impl Header {
    /// Reads the header that begins at `at`, up to a line for which `is_delimiter` is true.
    ///
    /// Never fails. A header ends with an empty line. A line that neither is a field nor continues
    /// one also ends it, unless a field of mail follows before the empty line: then folding has
    /// lost its white space. Linear in the header.
    pub fn read(bytes: &[u8], at: usize, mut is_delimiter: impl FnMut(usize) -> bool) -> Self {
        // The first line of a message in a mailbox, also in a quoted form.
        let start = at + envelope_len(&bytes[at..]);
        let mut header = Self { fields: SmallVec::new(), start, end: start };
        // The last field of mail before the next empty line, once it is needed.
        let mut last_field = None;
        // The end of the range in which lines of white space belong to the header, once it is
        // computed.
        let mut end_of_fields = start;
        let mut at = start;
        // True if the last field is one of `fields`.
        let mut is_kept = false;
        let mut line_feeds = memchr_iter(b'\n', &bytes[start..]);
        while at < bytes.len() {
            let line_feed = line_feeds.next();
            let line = at..line_feed.map_or(bytes.len(), |len| start + len + 1);
            let text = trim_line_end(&bytes[line.clone()]);
            if text.is_empty() {
                header.end = line.end;
                return header;
            }
            if text.starts_with(b"--") && is_delimiter(at) {
                break;
            }
            let continues = match text[0] {
                // A line of white space continues a field (RFC 5322, section 4.2), unless it was
                // meant to be empty.
                b' ' | b'\t' if text.trim_ascii().is_empty() => {
                    let next = line_at(bytes, line.end);
                    if at >= end_of_fields && !is_field_of_mail(&bytes[next]) {
                        match end_of_header_lines(bytes, line.end, &mut is_delimiter) {
                            Some(end) => end_of_fields = end,
                            None => {
                                header.end = line.end;
                                return header;
                            }
                        }
                    }
                    true
                }
                b' ' | b'\t' => true,
                _ => false,
            };
            let name_len = if continues { 0 } else { name_len(text) };
            if name_len > 0 {
                let name = text[..name_len].trim_ascii_end();
                let kind = FieldKind::of(name);
                is_kept = kind.is_some();
                if let Some(kind) = kind {
                    header.fields.push(Field {
                        kind,
                        name: at..at + name.len(),
                        value: at + name_len + 1..at + text.len(),
                    });
                }
            } else {
                if !continues {
                    let last = *last_field
                        .get_or_insert_with(|| last_field_of_mail(bytes, at, &mut is_delimiter));
                    if last.is_none_or(|last| at > last) {
                        break;
                    }
                }
                if is_kept && let Some(field) = header.fields.last_mut() {
                    field.value.end = at + text.len();
                }
            }
            at = line.end;
        }
        header.end = at.min(bytes.len());
        header
    }

    /// The first field of this kind.
    pub fn field(&self, kind: FieldKind) -> Option<&Field<FieldKind>> {
        self.fields.iter().find(|field| field.kind == kind)
    }

    /// The value of the first field of this kind.
    pub fn value<'b>(&self, kind: FieldKind, bytes: &'b [u8]) -> Option<&'b [u8]> {
        self.field(kind).map(|field| bytes[field.value.clone()].trim_ascii())
    }
}

/// The end of the lines from `at` that look like a header: fields with their continuation lines, up
/// to an empty line, with at least one field of mail. `None` if they do not.
fn end_of_header_lines(
    bytes: &[u8],
    at: usize,
    is_delimiter: &mut impl FnMut(usize) -> bool,
) -> Option<usize> {
    let mut at = at;
    let mut has_field_of_mail = false;
    while at < bytes.len() {
        let line = line_at(bytes, at);
        let text = trim_line_end(&bytes[line.clone()]);
        if text.is_empty() {
            break;
        }
        let continues = matches!(text[0], b' ' | b'\t');
        if !continues && name_len(text) == 0 || text.starts_with(b"--") && is_delimiter(at) {
            return None;
        }
        has_field_of_mail |= is_field_of_mail(text);
        at = line.end;
    }
    has_field_of_mail.then_some(at)
}

/// The start of the last field of mail in the lines from `at` to the next empty line or delimiter.
fn last_field_of_mail(
    bytes: &[u8],
    at: usize,
    is_delimiter: &mut impl FnMut(usize) -> bool,
) -> Option<usize> {
    let mut last = None;
    let mut at = at;
    while at < bytes.len() {
        let line = line_at(bytes, at);
        let text = trim_line_end(&bytes[line.clone()]);
        if text.is_empty() || text.starts_with(b"--") && is_delimiter(at) {
            break;
        }
        if is_field_of_mail(text) {
            last = Some(at);
        }
        at = line.end;
    }
    last
}

/// The length of the leading line that begins a message in a mailbox: `From `, the same quoted
/// once, or that of MMDF.
fn envelope_len(header: &[u8]) -> usize {
    let mut at = 0;
    while let rest = &header[at..]
        && (rest.starts_with(b"From ") || rest.starts_with(b">From ") || rest.starts_with(MMDF))
    {
        at = line_at(header, at).end;
    }
    at
}

/// The start of the header of a message that begins at `at`: after blank lines, if a field of mail
/// or the first line of a message in a mailbox follows them.
pub fn begin_of_header(bytes: &[u8], at: usize) -> usize {
    let envelope = at + blank_len(&bytes[at..]);
    let behind = envelope + envelope_len(&bytes[envelope..]);
    let fields = behind + blank_len(&bytes[behind..]);
    // Most messages begin without blank lines.
    if envelope == at && fields == behind {
        return at;
    }
    if fields > at && is_field_of_mail(&bytes[line_at(bytes, fields)]) {
        fields
    } else if behind > envelope {
        envelope
    } else {
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The collected fields, and the body.
    fn read(text: &str) -> (Vec<(&str, &str)>, &str) {
        let header = Header::read(text.as_bytes(), 0, |_| false);
        let fields = header.fields.iter();
        let fields = fields.map(|it| (&text[it.name.clone()], text[it.value.clone()].trim()));
        (fields.collect(), &text[header.end..])
    }

    #[test]
    fn fields_may_be_folded() {
        let text = "Received: x\n y\nSUBJECT : a\n\tb\r\nlist-help:\n <c>\n\nbody";
        let (fields, body) = read(text);
        assert_eq!(fields, [("SUBJECT", "a\n\tb"), ("list-help", "<c>")]);
        assert_eq!(body, "body");
        assert_eq!(read(&text.replace('\n', "\r\n")).0[1], ("list-help", "<c>"));
    }

    #[test]
    fn line_of_white_space_continues_or_ends_a_header() {
        assert_eq!(read("Subject: a\n \nList-Help: b\n\nc").1, "c");
        assert_eq!(read("Subject: a\n  \nb: see\nc").1, "b: see\nc");
        assert_eq!(read("Subject: a\n  \nwords and more\nc").1, "words and more\nc");
        let indented = "Subject: a\n  \n  words and more\n\nb";
        assert_eq!(read(indented).1, "  words and more\n\nb");
    }

    #[test]
    fn line_of_white_space_within_a_header_does_not_end_it() {
        for spaces in [" \n", "\t\r\n", " \n \n"] {
            for next in ["\tb\n", "X: y\n", "Note: y\n z\n \n z\n", "\tb\n \nLines: 2\n"] {
                let text = format!("Subject: a\n{spaces}{next}Content-Type: b\n\nc");
                assert_eq!(read(&text).1, "c", "{text:?}");
            }
        }
        let twice = format!("Subject: a\n{}To: b\n\nc", " \n x\n".repeat(100_000));
        assert_eq!(read(&twice).1, "c");
    }

    #[test]
    fn other_line_ends_a_header_unless_mail_fields_follow() {
        assert_eq!(read("Subject: a\nwords\nmore\n\nb").1, "words\nmore\n\nb");
        let (fields, body) = read("Subject: a\nlost its space\nReceived: x\nby y\nDate: z\n\nb");
        assert_eq!(fields, [("Subject", "a\nlost its space")]);
        assert_eq!(body, "b");
        assert_eq!(read("Subject: a\n: b\n\nc").1, ": b\n\nc");
    }

    #[test]
    fn urls_are_not_fields() {
        let text = "http://a.example/\nmailto:b@c.example\n\nd";
        assert_eq!(read(text), (vec![], text));
        assert_eq!(read("List-Help:\nhttp://a.example/\nFrom: b\n\n").0.len(), 1);
    }

    #[test]
    fn empty_lines_may_come_first() {
        let begin = |text: &str| begin_of_header(text.as_bytes(), 0);
        assert_eq!(begin("\n\r\nDate: x\n"), 3);
        assert_eq!(begin("From a\n\nDate: x\n"), 8);
        assert_eq!(begin("Date: x\n\nFrom: y\n"), 0);
        assert_eq!(begin("\nSee: x\n"), 0);
        assert_eq!(begin("\n"), 0);
        assert_eq!(begin("\r\r\0\n \nDate: x\n"), 6);
        assert_eq!(begin("\r\rFrom a\nDate: x\n"), 9);
        assert_eq!(begin("\r\rFrom a\nNote: x\n"), 2);
    }

    #[test]
    fn lines_of_mailboxes_are_not_fields() {
        let text = "From a@b.example Mon Jul 21 10:00:00 1997\n>From c\nSubject: d\n\nFrom e";
        assert_eq!(read(text), (vec![("Subject", "d")], "From e"));
    }

    #[test]
    fn header_or_body_may_be_missing() {
        assert_eq!(read("\nbody"), (vec![], "body"));
        assert_eq!(read("words without a field"), (vec![], "words without a field"));
        assert_eq!(read("Subject: a"), (vec![("Subject", "a")], ""));
        assert_eq!(read(""), (vec![], ""));
    }
}
