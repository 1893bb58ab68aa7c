//! Reads any bytes as a mailbox. Reading never panics, spans are within their parts and within the
//! file, and slices have the messages of the whole mailbox.

#![no_main]

use std::path::Path;
use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use rehref::container::mail::{MailOptions, Mbox, MboxFormat, documents};
use rehref::format::Options;

fuzz_target!(|input: (u8, u16, &[u8])| {
    let (format, cut, bytes) = input;
    let format = MboxFormat::ALL[usize::from(format) % MboxFormat::ALL.len()];
    let archive: Arc<Path> = Path::new("fuzz").into();
    let options = MailOptions { headers: true, quoting: Some(format), ..MailOptions::default() };
    let mut starts = Vec::new();
    for batch in Mbox::new(bytes, format) {
        for message in batch.expect("memory can be read").messages() {
            starts.push(message.offset);
            documents(message, &archive, &options, |part| {
                let document = &part.document;
                let mail_part = document.mail_part().expect("a part of a message");
                for link in document.found(&Options::default()).links {
                    let mut end = 0;
                    for span in &link.spans {
                        assert!(span.start >= end && span.end <= document.bytes().len());
                        end = span.end;
                        let [from, to] = mail_part.file_range(*span);
                        assert!(from <= to && to <= bytes.len() as u64);
                    }
                }
            });
        }
    }
    assert!(starts.is_sorted());
    let cut = u64::from(cut) % (bytes.len() as u64 + 1);
    let first = Mbox::part(bytes, format, 0, 0..cut);
    let count = first.map(|batch| batch.expect("memory can be read").messages().count());
    if cut > 0 {
        let before = starts.iter().filter(|start| **start < cut).count();
        assert_eq!(count.sum::<usize>(), before);
    }
});
