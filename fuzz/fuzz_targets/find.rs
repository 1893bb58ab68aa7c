//! Any bytes, as text, HTML and CSS, in any charset: no panic, and spans in order and within the bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rehref::document::{Charset, Document, Media};
use rehref::find::{FindOptions, find};

const CHARSETS: [&str; 8] = [
    "utf-8",
    "utf-16le",
    "utf-16be",
    "iso-2022-jp",
    "shift_jis",
    "gb18030",
    "big5",
    "windows-1252",
];

fuzz_target!(|data: (u8, u8, Vec<u8>)| {
    let (choice, kind, bytes) = data;
    let mut document = Document::new("fuzz", bytes);
    document.media = [Media::Text, Media::Html, Media::Css][usize::from(kind % 3)];
    if let Some(label) = CHARSETS.get(usize::from(choice)) {
        document.charset = Charset::named(label, &document.bytes).expect("a known label");
    }
    let found = find(
        &document,
        &FindOptions {
            html_text: true,
            ..FindOptions::default()
        },
    );
    let mut end = 0;
    for link in &found.links {
        for span in &link.spans {
            assert!(
                end <= span.start && span.start <= span.end,
                "{span:?} after {end}"
            );
            end = span.end;
        }
        let _ = link.raw(&document);
    }
    assert!(end <= document.bytes.len());
});
