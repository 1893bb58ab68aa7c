//! Reads any bytes as streamed text with any options. Reading never panics, and pieces and parts
//! have the links of the whole text.
#![no_main]

use std::io::{self, Read};

use libfuzzer_sys::fuzz_target;
use rehref::document::Document;
use rehref::format::Format;
use rehref::format::Options;
use rehref::format::text::{Hyphen, Iri, Join, TextOptions};
use rehref::format::text::{TextParts, TextStream};
use rehref::source::Charset;

const CHARSETS: [&str; 5] = ["utf-8", "utf-16le", "iso-2022-jp", "shift_jis", "gb18030"];

/// Reads bytes in pieces of this length.
struct Slow<'d>(&'d [u8], usize);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.1.min(buffer.len());
        self.0.read(&mut buffer[..len])
    }
}

fuzz_target!(|data: (u8, u16, u16, Vec<u8>)| {
    let (charset, bits, piece, bytes) = data;
    let bit = |at: u16| bits >> at & 1 == 1;
    // Pads the input so that links are far apart.
    let bytes = bytes
        .split(|byte| *byte == 0)
        .collect::<Vec<_>>()
        .join(&[b"a ".repeat(usize::from(piece) % 9000)].concat()[..]);
    let label = CHARSETS[usize::from(charset) % CHARSETS.len()];
    let charset = Charset::named(label, &bytes).expect("a known label");
    let document = Document::new("fuzz", bytes).with_format(Format::Text).with_charset(charset);
    let options = Options {
        text: TextOptions {
            iri: Iri::ALL[usize::from(bits >> 8) % Iri::ALL.len()],
            hyphen: if bit(0) { Hyphen::Keep } else { Hyphen::Drop },
            join: bit(1).then(|| Join::ALL[usize::from(bits >> 10) % Join::ALL.len()]),
            delsp: bit(2),
            flowed: bit(6),
            abbreviated: bit(3),
            emails: bit(4),
            strict: bit(5),
        },
        ..Options::default()
    };
    let expected = document.found(&options).links;
    let mut found = Vec::new();
    let mut stream = TextStream::new(document.source(), &options);
    for piece in document.bytes().chunks(usize::from(piece).max(1)) {
        stream.push(piece, |link, _| found.push(link.into_owned()));
    }
    stream.finish(|link, position| {
        let _ = position.get();
        found.push(link.into_owned());
    });
    assert_eq!(found, expected);
    let mut found = Vec::new();
    let reader = Slow(document.bytes(), usize::from(piece).max(1));
    let parts = TextParts::new(reader, document.source(), &options);
    let mut stream = parts.stream();
    for part in parts {
        let part = part.expect("memory can be read");
        let mut own_found = Vec::new();
        let own = bit(6)
            .then(|| TextStream::of_part(&part, |link, _| own_found.push(link.into_owned())));
        match stream.follow(own.flatten()) {
            true => found.extend(own_found),
            false => stream.take(&part, |link, _| found.push(link.into_owned())),
        }
    }
    stream.finish(|link, _| found.push(link.into_owned()));
    assert_eq!(found, expected);
});
