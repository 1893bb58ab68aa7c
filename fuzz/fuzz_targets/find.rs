//! Reads any bytes as text, HTML, CSS and XML in any charset. Reading never panics, and spans are
//! sorted and within the bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rehref::document::Document;
use rehref::format::Format;
use rehref::format::{Extra, Options};
use rehref::source::Charset;

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
    let format = [Format::Text, Format::Html, Format::Css, Format::Xml][usize::from(kind % 4)];
    let mut document = Document::new("fuzz", bytes).with_format(format);
    if let Some(label) = CHARSETS.get(usize::from(choice)) {
        let charset = Charset::named(label, document.bytes()).expect("a known label");
        document = document.with_charset(charset);
    }
    let options = Options {
        html_text: true,
        scripting: kind & 4 != 0,
        extra: Extra { meta: true, data: true, json: true, comments: kind & 8 != 0 },
        ..Options::default()
    };
    let found = document.links_with(&options);
    let contexts = document.contexts(&options);
    let mut end = 0;
    for link in &found.found().links {
        for span in &link.spans {
            assert!(end <= span.start && span.start <= span.end, "{span:?} after {end}");
            end = span.end;
        }
        let _ = (document.raw(link), contexts.of_link(link));
    }
    assert!(end <= document.bytes().len());
});
