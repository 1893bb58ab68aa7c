//! Reads any bytes as HTTP responses, with one reader. Reading never panics, decoded bodies have a
//! maximum length, what one response left behind does not change the next, and the spans of links
//! in fields are within the head.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rehref::container::http::{Response, ResponseReader, document_kind};
use rehref::document::Document;
use rehref::format::{Format, Options};

fn check(response: &Response<'_>, block: &[u8]) {
    assert!(response.body.len() <= ResponseReader::MAX_BODY.max(block.len()));
    assert!(response.head.len() <= block.len());
    let head = Document::new("fuzz", response.head.to_vec()).with_format(Format::Http);
    let found = head.found(&Options::default());
    assert!(found.links.is_empty() || response.may_have_links);
    let mut end = 0;
    for link in &found.links {
        for span in &link.spans {
            assert!(end <= span.start && span.start <= span.end);
            end = span.end;
        }
    }
    assert!(end <= response.head.len());
    document_kind(response.content_type.as_deref(), "http://a.example/b", response.body);
}

fuzz_target!(|input: (u16, &[u8])| {
    let (cut, bytes) = input;
    let (first, second) = bytes.split_at(usize::from(cut).min(bytes.len()));
    let mut reader = ResponseReader::new();
    for block in [first, second] {
        let mut fresh = ResponseReader::new();
        let expected = fresh.read(block);
        let response = reader.read(block);
        assert_eq!(response, expected);
        check(&response, block);
    }
});
