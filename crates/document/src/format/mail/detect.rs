//! Detection of mail by content and name.

use std::path::Path;

use super::lines::{
    FROM, blank_len, is_field_of_mail, is_from_line, is_listserv_line, is_mmdf_line, line_at,
    name_len,
};
use crate::format::called_text::CalledText;
use crate::format::language::Sniff;

/// The number of bytes at the beginning of a document in which mail fields are searched. The
/// relevant ones may follow many that servers have added.
const MAIL_SNIFF: usize = 32 << 10;

/// The number of bytes that are searched for controls.
const BINARY_SNIFF: usize = 8 << 10;

/// Returns true if a document without an extension that begins like this is a mailbox.
pub(super) fn begins_as_mailbox(beginning: &Sniff<'_>) -> bool {
    !beginning.ascii.starts_with(b"<") && is_mailbox(beginning.bytes)
}

/// Returns true if a document without an extension that begins like this is a message: at least two
/// fields of its header are mail fields (RFC 5322, section 3.6).
pub(super) fn begins_as_message(beginning: &Sniff<'_>) -> bool {
    !beginning.ascii.starts_with(b"<")
        && HeaderSigns::of(beginning.bytes).fields > 1
        && !is_mailbox(beginning.bytes)
}

/// Returns true if a document is a message although its extension is that of plain text, or because
/// it has the name and the beginning of one in a Maildir or an MH directory.
pub(super) fn is_message(beginning: &Sniff<'_>) -> bool {
    let (name, bytes) = (beginning.name, beginning.bytes);
    match beginning.called {
        CalledText::Prose => HeaderSigns::of(bytes).are_certain() && !is_mailbox(bytes),
        CalledText::No => is_name_of_message(name) && is_field_of_mail(&bytes[blank_len(bytes)..]),
        CalledText::Template | CalledText::Certain => false,
    }
}

/// Returns true if a text begins like a mailbox.
pub(super) fn is_mailbox(bytes: &[u8]) -> bool {
    let head = after_blank_lines(bytes);
    let after = &head[line_at(head, 0).end..];
    let begins = is_listserv_line(head, 0)
        || is_mmdf_line(head, 0)
        || head.starts_with(FROM)
            && is_from_line(head, 0, true)
            && name_len(&after[line_at(after, 0)]) > 0;
    // A URL begins like a field, too.
    begins && HeaderSigns::of(after).fields > 0
}

/// The content after a byte order mark and blank lines.
fn after_blank_lines(bytes: &[u8]) -> &[u8] {
    let head = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    &head[blank_len(head)..]
}

/// The evidence that a text begins with the header of a message.
#[derive(Clone, Copy, Debug, Default)]
struct HeaderSigns {
    /// The number of different relevant mail fields.
    fields: usize,
    /// True if one of them is written only by programs.
    has_trace: bool,
    /// True if one of them has a mail address.
    has_address: bool,
    /// True if an empty line ends the header, or the text ends.
    is_ended: bool,
}

impl HeaderSigns {
    fn of(bytes: &[u8]) -> Self {
        const FIELDS: [&[u8]; 10] = [
            b"from", b"to", b"date", b"subject", b"message-id", b"received", b"return-path",
            b"mime-version", b"delivered-to", b"content-transfer-encoding",
        ];
        // The index of the first field that only programs write.
        const TRACES: usize = 4;
        let head = after_blank_lines(bytes);
        let head = &head[..head.len().min(MAIL_SNIFF)];
        let mut found = [false; FIELDS.len()];
        let mut signs = Self { is_ended: true, ..Self::default() };
        let goes_on = |line: &&[u8]| line.starts_with(b" ") || line.starts_with(b"\t");
        let mut lines = head.split(|&byte| byte == b'\n');
        for line in lines.by_ref().filter(|line| !goes_on(line)) {
            let name_len = name_len(line);
            let (name, value) = line.split_at(name_len);
            if name.is_empty() {
                signs.is_ended = line.trim_ascii().is_empty();
                break;
            }
            for (field, found) in FIELDS.iter().zip(&mut found) {
                if name.trim_ascii_end().eq_ignore_ascii_case(field) {
                    *found = true;
                    signs.has_address |= memchr::memchr(b'@', value).is_some()
                        || memchr::memmem::find(value, b" at ").is_some();
                }
            }
        }
        signs.fields = found.iter().filter(|found| **found).count();
        signs.has_trace = found[TRACES..].contains(&true);
        signs
    }

    /// Returns true if the evidence outweighs a name of plain text: notes and documents begin with
    /// fields too.
    fn are_certain(self) -> bool {
        self.fields > 1 && self.is_ended && (self.has_trace || self.has_address)
    }
}

/// Returns true if the path is that of a file with one message: in a Maildir, or with a number as
/// its name in an MH directory.
fn is_name_of_message(path: &Path) -> bool {
    let text = |name: Option<&std::ffi::OsStr>| name.and_then(|it| it.to_str()).map(str::to_owned);
    let name = text(path.file_name()).unwrap_or_default();
    let directory = text(path.parent().and_then(Path::file_name)).unwrap_or_default();
    let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    is_number || name.contains(":2,") || ["cur", "new", "tmp"].contains(&&*directory)
}

/// Returns true if the bytes are a compound file, as Outlook writes, or have more controls than
/// text.
pub(super) fn is_of_other_program(bytes: &[u8]) -> bool {
    const COMPOUND: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
    if bytes.starts_with(COMPOUND) {
        return true;
    }
    let head = after_blank_lines(bytes);
    if is_mailbox(head) || HeaderSigns::of(head).fields > 0 {
        return false;
    }
    let head = &head[..head.len().min(BINARY_SNIFF)];
    let is_control = |byte: &&u8| matches!(**byte, 1..=8 | 14..=26 | 28..=31 | 127);
    head.iter().filter(is_control).count() * 50 > head.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;

    #[test]
    fn blank_lines_before_a_mailbox_do_not_hide_it() {
        let mailbox = "From a@b.example Mon Jul 21 10:00 1997\nSubject: c\n\nSee\n";
        for blank in ["\n", "\r\n\r\n", "  \n\t\n", "\r\r\r", "\0\0\0", "\u{FEFF}\n\n"] {
            for name in ["a", "a.txt"] {
                let found =
                    Format::detect(Path::new(name), (blank.to_owned() + mailbox).as_bytes());
                assert_eq!(found, Format::Mbox, "{blank:?}");
            }
        }
        let entity = "Subject: c\nContent-Transfer-Encoding: quoted-printable\n\nSee=20\n";
        assert_eq!(Format::detect(Path::new(""), entity.as_bytes()), Format::Mail);
        let mmdf = "\x01\x01\x01\x01\nSubject: c\n\nSee\n\x01\x01\x01\x01\n";
        assert_eq!(Format::detect(Path::new("a"), mmdf.as_bytes()), Format::Mbox);
    }
}
