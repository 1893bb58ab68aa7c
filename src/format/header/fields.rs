//! The header of a message or of one of its parts: its fields, as they stand.

use std::ops::Range;

use crate::format::mail::lines::{
    MMDF, blank_len, is_field_of_mail, line_at, name_len, trim_line_end,
};

/// A field of a header (RFC 5322, section 2.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// What it is, if it says something about links.
    pub(crate) kind: FieldKind,
    /// The bytes of its name.
    pub(crate) name: Range<usize>,
    /// The bytes of its value: folded over lines as it may be, without the last line end.
    pub(crate) value: Range<usize>,
}

/// The fields that say something about links. All others are passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldKind {
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
    /// RFC 2110, section 4.2; withdrawn since, and still in archives.
    ContentBase,
    /// RFC 5322, section 3.6.4.
    MessageId,
    /// Holds links in running text: `Subject`, the `List-` fields (RFC 2369) and `Archived-At` (RFC 5064).
    Links,
}

impl Field {
    /// Whether links may be found in it.
    pub(crate) fn has_links(&self) -> bool {
        matches!(
            self.kind,
            FieldKind::Links | FieldKind::ContentLocation | FieldKind::ContentBase
        )
    }
}

impl FieldKind {
    /// The kind of the field with this name, in any case of letters.
    fn of(name: &[u8]) -> Option<Self> {
        let is = |it: &str| name.eq_ignore_ascii_case(it.as_bytes());
        // Most names are told apart by their first letter.
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
}

/// The fields of a header that say something about links, and where the body begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) fields: Vec<Field>,
    /// Where it begins: after the line that begins a message in a mailbox.
    pub(crate) start: usize,
    /// Where the header ends: after the empty line, or where there is none, before what is no header.
    pub(crate) end: usize,
}

impl Header {
    /// Reads the header that begins at `at`, as far as `is_delimiter` does not say that a line ends the part.
    ///
    /// Nothing is refused. A header ends with an empty line; a line that is neither a field nor goes on with
    /// one ends it too, unless there are fields of mail between it and the empty line: then the blanks were
    /// lost that it was folded with. Linear in the header.
    pub(crate) fn read(
        bytes: &[u8],
        at: usize,
        mut is_delimiter: impl FnMut(usize) -> bool,
    ) -> Self {
        // The first line of a mailbox, and what its quoting may have made of it.
        let start = at + envelope_len(&bytes[at..]);
        let mut header = Self {
            fields: Vec::new(),
            start,
            end: start,
        };
        // Where the last field of mail is before the next empty line, once that matters.
        let mut last_field = None;
        // Up to where lines of blanks are of the header, once that has been looked at.
        let mut end_of_fields = start;
        let mut at = start;
        // Whether the last field is one of `fields`.
        let mut is_kept = false;
        while at < bytes.len() {
            let line = line_at(bytes, at);
            let text = trim_line_end(&bytes[line.clone()]);
            if text.is_empty() {
                header.end = line.end;
                return header;
            }
            if text.starts_with(b"--") && is_delimiter(at) {
                break;
            }
            let goes_on = match text[0] {
                // A line of blanks goes on with a field (RFC 5322, section 4.2), unless it was meant to be empty.
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
            let name_len = if goes_on { 0 } else { name_len(text) };
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
                if !goes_on {
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
    pub(crate) fn field(&self, kind: FieldKind) -> Option<&Field> {
        self.fields.iter().find(|field| field.kind == kind)
    }

    /// The value of the first field of this kind.
    pub(crate) fn value<'b>(&self, kind: FieldKind, bytes: &'b [u8]) -> Option<&'b [u8]> {
        self.field(kind)
            .map(|field| bytes[field.value.clone()].trim_ascii())
    }
}

/// Up to where the lines from `at` on are as those of a header: fields, and what goes on with them, up to an empty
/// line, with a field of mail among them. `None` if they are not.
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
        let goes_on = matches!(text[0], b' ' | b'\t');
        if !goes_on && name_len(text) == 0 || text.starts_with(b"--") && is_delimiter(at) {
            return None;
        }
        has_field_of_mail |= is_field_of_mail(text);
        at = line.end;
    }
    has_field_of_mail.then_some(at)
}

/// Where the last field of mail begins among the lines from `at` up to the next one that is empty or a delimiter.
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

/// How many bytes of `header` are no field but the line that begins a message in a mailbox: `From `, or that
/// quoted once more, or that of MMDF.
fn envelope_len(header: &[u8]) -> usize {
    let mut at = 0;
    while let rest = &header[at..]
        && (rest.starts_with(b"From ") || rest.starts_with(b">From ") || rest.starts_with(MMDF))
    {
        at = line_at(header, at).end;
    }
    at
}

/// Where the header begins of a message that begins at `at`: behind blank lines, if a field of mail or the line that
/// begins a message in a mailbox comes after them.
pub(crate) fn begin_of_header(bytes: &[u8], at: usize) -> usize {
    let envelope = at + blank_len(&bytes[at..]);
    let behind = envelope + envelope_len(&bytes[envelope..]);
    let fields = behind + blank_len(&bytes[behind..]);
    // Most messages have no blank lines there.
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

    /// The fields that are kept, and the body.
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
    fn a_line_of_blanks_goes_on_or_ends() {
        assert_eq!(read("Subject: a\n \nList-Help: b\n\nc").1, "c");
        assert_eq!(read("Subject: a\n  \nb: see\nc").1, "b: see\nc");
        assert_eq!(
            read("Subject: a\n  \nwords and more\nc").1,
            "words and more\nc"
        );
        let indented = "Subject: a\n  \n  words and more\n\nb";
        assert_eq!(read(indented).1, "  words and more\n\nb");
    }

    #[test]
    fn a_line_of_blanks_within_a_header_does_not_end_it() {
        for blanks in [" \n", "\t\r\n", " \n \n"] {
            for next in [
                "\tb\n",
                "X: y\n",
                "Note: y\n z\n \n z\n",
                "\tb\n \nLines: 2\n",
            ] {
                let text = format!("Subject: a\n{blanks}{next}Content-Type: b\n\nc");
                assert_eq!(read(&text).1, "c", "{text:?}");
            }
        }
        let twice = format!("Subject: a\n{}To: b\n\nc", " \n x\n".repeat(100_000));
        assert_eq!(read(&twice).1, "c");
    }

    #[test]
    fn what_is_no_field_ends_it_unless_fields_of_mail_follow() {
        assert_eq!(read("Subject: a\nwords\nmore\n\nb").1, "words\nmore\n\nb");
        let (fields, body) = read("Subject: a\nlost its blank\nReceived: x\nby y\nDate: z\n\nb");
        assert_eq!(fields, [("Subject", "a\nlost its blank")]);
        assert_eq!(body, "b");
        assert_eq!(read("Subject: a\n: b\n\nc").1, ": b\n\nc");
    }

    #[test]
    fn urls_are_no_fields() {
        let text = "http://a.example/\nmailto:b@c.example\n\nd";
        assert_eq!(read(text), (vec![], text));
        assert_eq!(
            read("List-Help:\nhttp://a.example/\nFrom: b\n\n").0.len(),
            1
        );
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
    fn lines_of_mailboxes_are_no_fields() {
        let text = "From a@b.example Mon Jul 21 10:00:00 1997\n>From c\nSubject: d\n\nFrom e";
        assert_eq!(read(text), (vec![("Subject", "d")], "From e"));
    }

    #[test]
    fn there_may_be_no_header_or_no_body() {
        assert_eq!(read("\nbody"), (vec![], "body"));
        assert_eq!(
            read("words without a field"),
            (vec![], "words without a field")
        );
        assert_eq!(read("Subject: a"), (vec![("Subject", "a")], ""));
        assert_eq!(read(""), (vec![], ""));
    }
}
