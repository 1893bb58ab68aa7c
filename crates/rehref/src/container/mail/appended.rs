//! Mailboxes appended to a message in the same file.

use memchr::memmem;

use super::structure::{EntityKind, Structure};
use crate::format::mail::lines::{
    FROM, is_after_empty_line, is_field_of_mail, is_from_line, line_at,
};

/// The offset of a mailbox appended to the message at the beginning of `bytes`, from 0. To read
/// both, pass it to [`Mbox::with_first_end`](super::Mbox::with_first_end).
///
/// Its first line is a separator with more than a sender, follows an empty line, and precedes a
/// mail field. It is not within a multipart, which may have a mailbox as a part, unless the
/// multipart is never closed. Linear.
pub fn appended_mailbox(bytes: &[u8]) -> Option<usize> {
    let finder = memmem::Finder::new(b"\nFrom ");
    finder.find(bytes)?;
    let mut structure = Structure::default();
    structure.read(bytes);
    let (first, last) = (structure.entities.first()?, structure.entities.last()?);
    let is_closed = first.kind == EntityKind::Multipart && last.body.end < bytes.len();
    let from = match is_closed {
        true => first.body.end,
        false => last.body.start,
    };
    let before = from.saturating_sub(1);
    let mut lines = finder.find_iter(&bytes[before..]).map(|found| before + found + 1);
    lines.find(|&at| {
        let line = line_at(bytes, at);
        let next = line_at(bytes, line.end);
        let words = bytes[line].trim_ascii().get(FROM.len()..);
        // This could be a name at the beginning of a quotation.
        let is_sender_alone = words.is_some_and(|it| it.len() > 1 && !it.contains(&b' '));
        (is_after_empty_line(&bytes[..at]) || at == from)
            && !is_sender_alone
            && is_field_of_mail(&bytes[next])
            && is_from_line(bytes, at, true)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAILBOX: &str = "From a@b.example Mon Jul 21 10:00:00 1997\nSubject: d\n\ne\n";

    #[test]
    fn a_mailbox_after_a_message_is_found() {
        for message in [
            "From: a\nSubject: b\n\nc\n\n",
            "From a@b.example Mon Jul 21 10:00:00 1997\nSubject: b\n\nc\n\n",
            "Content-Type: multipart/mixed; boundary=x\n\n--x\n\nc\n--x--\n",
            "Content-Type: multipart/mixed; boundary=x\n\n--x\n\nnever closed\n\n",
            "Content-Type: message/rfc822\n\nSubject: b\n\nc\n\n",
        ] {
            let file = format!("{message}{MAILBOX}");
            assert_eq!(appended_mailbox(file.as_bytes()), Some(message.len()), "{message}");
            assert_eq!(appended_mailbox(message.as_bytes()), None, "{message}");
        }
    }

    #[test]
    fn a_mailbox_within_a_multipart_is_a_part() {
        for file in [
            format!("Content-Type: multipart/mixed; boundary=x\n\n--x\n\nc\n\n{MAILBOX}--x--\n"),
            format!("Content-Type: message/rfc822\n\n{MAILBOX}"),
            format!("Subject: a\n\nwords\n{MAILBOX}"),
            "Subject: a\n\nb\n\nFrom here on\nDate: see\n".to_owned(),
            "Subject: a\n\nb\n\nFrom Ann\nDate: see\n".to_owned(),
        ] {
            assert_eq!(appended_mailbox(file.as_bytes()), None, "{file}");
        }
    }
}
