//! A mailbox has the same messages in slices and as a whole, however it is read.

use std::io::{self, Cursor, Seek, SeekFrom};
use std::ops::Range;

use proptest::prelude::*;
use rehref::container::mail::{Batch, Mbox, MboxFormat};
use rehref::format::Format;

use super::Shown;
use crate::mail_corpus::{Mail, format, mails};
use crate::stream_laws::Slow;
use crate::support::mail::format_of;
use crate::tier;

/// A message of a mailbox: its offset and its bytes.
type Message = (u64, Vec<u8>);

fn messages(batches: impl Iterator<Item = io::Result<Batch>>) -> Vec<Message> {
    let mut found = Vec::new();
    for batch in batches {
        let batch = batch.expect("nothing fails");
        for message in batch.messages() {
            let mut lines = message.bytes.split(|byte| *byte == b'\n');
            let is_quoted = |line: &[u8]| {
                let marks = line.iter().take_while(|byte| **byte == b'>').count();
                marks > 0 && line[marks..].starts_with(b"From ")
            };
            assert!(message.may_have_quotes || !lines.any(is_quoted));
            found.push((message.offset, message.bytes.to_vec()));
        }
    }
    found
}

/// The messages that begin in a slice of a mailbox.
fn messages_of_part(bytes: &[u8], format: MboxFormat, wanted: Range<u64>) -> Vec<Message> {
    let from = wanted.start.saturating_sub(Mbox::<&[u8]>::LOOK_BACK);
    let mut reader = Cursor::new(bytes);
    reader.seek(SeekFrom::Start(from)).expect("within the mailbox");
    messages(Mbox::part(reader, format, from, wanted))
}

/// Panics unless two slices together have the messages of the whole.
fn check_cut(name: &str, bytes: &[u8], cut: usize, whole: &[Message]) {
    let format = format_of(bytes);
    let mut parts = messages_of_part(bytes, format, 0..cut as u64);
    parts.extend(messages_of_part(bytes, format, cut as u64..u64::MAX));
    let lens = |messages: &[Message]| -> Vec<(u64, usize)> {
        messages.iter().map(|(at, bytes)| (*at, bytes.len())).collect()
    };
    assert_eq!(lens(&parts), lens(whole), "{name}: cut at {cut}");
    assert!(parts == whole, "{name}: cut at {cut}");
}

fn mailboxes() -> Vec<Mail> {
    let is_mailbox = |mail: &Mail| format(mail) == Format::Mbox;
    mails().into_iter().filter(is_mailbox).collect()
}

#[test]
fn mailbox_in_two_slices_has_all_messages() {
    for mail in mailboxes() {
        // A slice cannot use a `Content-Length` before it.
        if mail.name.contains("mboxcl2") {
            continue;
        }
        let whole = messages(Mbox::new(&mail.bytes[..], format_of(&mail.bytes)));
        for cut in 0..=mail.bytes.len() {
            check_cut(&mail.name, &mail.bytes, cut, &whole);
        }
    }
}

#[test]
fn byte_order_mark_before_an_empty_line_is_not_in_a_message() {
    let bytes = b"\xEF\xBB\xBF\nFrom a@b.example Mon Jul 21 10:00:00 1997\n\nx\n";
    let whole = messages(Mbox::new(&bytes[..], MboxFormat::Mboxrd));
    assert_eq!(whole.len(), 1);
    assert_eq!(whole[0].0, 4);
    for cut in 0..=bytes.len() {
        check_cut("a byte order mark", bytes, cut, &whole);
    }
}

#[test]
fn empty_lines_before_the_first_message_lose_no_slice() {
    let message = "From a@b.example Mon Jul 21 10:00:00 1997\nSubject: x\n\nhttp://a.example/\n";
    for blank in ["\r".repeat(32), "\n".repeat(32), "\r\n\r".repeat(11), " \n\0".repeat(11)] {
        let bytes = format!("{blank}{message}\n{message}").into_bytes();
        let whole = messages(Mbox::new(&bytes[..], MboxFormat::Auto));
        assert_eq!(whole.len(), 2, "{blank:?}");
        for cut in 0..=bytes.len() {
            check_cut(&blank, &bytes, cut, &whole);
        }
    }
}

#[test]
fn messages_cover_the_mailbox_after_its_preamble() {
    for mail in mailboxes() {
        let whole = messages(Mbox::new(&mail.bytes[..], format_of(&mail.bytes)));
        let mut end = whole[0].0;
        assert!(mail.bytes[..end as usize].trim_ascii().is_empty(), "{}", mail.name);
        for (at, message) in &whole {
            assert_eq!(*at, end, "{}", mail.name);
            end += message.len() as u64;
        }
        assert_eq!(end, mail.bytes.len() as u64, "{}", mail.name);
    }
}

/// Mailboxes of lines with a meaning, as long as the files of the corpus and longer than a batch.
fn mailbox() -> impl Strategy<Value = Shown> {
    let line = prop_oneof![
        8 => prop::sample::select(strings![
            "" "" "From a@b.example Mon Jul 21 10:00:00 1997"
            "From a@b.example Mon Jul 21 10:00:00 1997" "From - Mon Jul 21 10:00:00 1997" "From -"
            "From" "From here on" ">From a@b.example Mon Jul 21 10:00:00 1997" "Subject: x"
            "From: x" "Content-Length: 7" "Content-Length: 60" "Content-Length: 999999"
            "http://a.example/" " folded"
        ].to_vec()).prop_map(str::to_owned),
        1 => (1..40_000_usize).prop_map(|len| "text and ".repeat(len)),
    ];
    let lines = prop::collection::vec((line, any::<bool>()), 0..60);
    let mark = prop::sample::select(vec![
        "", "", "", "\u{FEFF}", "\n\r\n", "\r\r\r\r\r\r", "\r\n\r", "\0\0", " \n",
    ]);
    (mark, lines, any::<bool>()).prop_map(|(mark, lines, mixes)| {
        let mut text = mark.to_owned();
        for (line, has_cr) in lines {
            text.push_str(&line);
            text.push_str(if mixes && has_cr { "\r\n" } else { "\n" });
        }
        Shown(text.into_bytes())
    })
}

proptest! {
    #![proptest_config(tier::cases(48))]

    #[test]
    fn read_sizes_do_not_change_the_messages(
        Shown(bytes) in mailbox(),
        lens in prop::collection::vec(prop_oneof![1..9_usize, 1..700_000_usize], 1..6),
    ) {
        for format in [MboxFormat::Auto, MboxFormat::Mboxo] {
            let whole = messages(Mbox::new(&bytes[..], format));
            let slow = messages(Mbox::new(Slow::new(&bytes, &lens), format));
            prop_assert!(whole == slow, "{format}");
            let len: usize = whole.iter().map(|(_, message)| message.len()).sum();
            let start = whole.first().map_or(bytes.len(), |(at, _)| *at as usize);
            prop_assert_eq!(start + len, bytes.len());
        }
    }

    #[test]
    fn generated_mailbox_in_two_slices_has_all_messages(
        Shown(bytes) in mailbox(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 1..20),
    ) {
        // `Content-Length` is used only when everything before it is read.
        let format = MboxFormat::Mboxrd;
        let whole = messages(Mbox::new(&bytes[..], format));
        for cut in cuts {
            let cut = cut.index(bytes.len() + 1);
            let mut parts = messages_of_part(&bytes, format, 0..cut as u64);
            parts.extend(messages_of_part(&bytes, format, cut as u64..u64::MAX));
            prop_assert!(parts == whole, "cut at {cut}");
        }
    }
}
