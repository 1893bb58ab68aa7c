//! Reads objects of PDF files made of any pieces. Reading never panics, and spans are in order and
//! within the bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rehref::Document;
use rehref::format::Format;

/// Pieces between the texts of the input.
const PIECES: [&str; 16] = [
    "\n1 0 obj", "\n2 0 obj<<", ">>endobj", "/URI(", ")", "/URI 2 0 R", "<<", ">>", "[", "]",
    "stream\n", "endstream", "/Type/ObjStm/First 4", "/Filter/FlateDecode",
    "trailer<</Root 1 0 R>>", "/Length 9",
];

fuzz_target!(|input: Vec<(u8, Vec<u8>)>| {
    let mut bytes = b"%PDF-1.7".to_vec();
    for (piece, text) in &input {
        bytes.extend_from_slice(PIECES[usize::from(*piece) % PIECES.len()].as_bytes());
        bytes.extend_from_slice(text);
    }
    let document = Document::new("a.pdf", bytes);
    assert_eq!(document.format(), Format::Pdf);
    let mut end = 0;
    for link in &document.links().found().links {
        for span in &link.spans {
            assert!(end <= span.start && span.start <= span.end);
            end = span.end;
        }
    }
    assert!(end <= document.bytes().len());
});
