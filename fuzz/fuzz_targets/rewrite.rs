//! Any page or style sheet, made absolute: no panic, bytes outside the edits equal, and nothing left to do
//! the second time.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rehref::document::Document;
use rehref::edit::Plan;
use rehref::find::{FindOptions, find};
use rehref::map::{Rule, Rules};

fn plan(page: &Document) -> Plan {
    let options = FindOptions::default();
    let rules = Rules {
        rules: vec![Rule::Absolute],
        ..Rules::default()
    };
    Plan::new(page, &find(page, &options), &options, &rules)
}

fuzz_target!(|data: (bool, Vec<u8>)| {
    let (css, bytes) = data;
    let name = if css { "fuzz.css" } else { "fuzz.html" };
    let page = Document::new(name, bytes).retrieved_from("http://a.example/b/c?d");
    let first = plan(&page);
    let edited = first.apply(&page);
    let (mut old, mut new) = (0, 0);
    for edit in &first.edits {
        let kept = &page.bytes[old..edit.span.start];
        assert_eq!(&edited[new..new + kept.len()], kept);
        new += kept.len() + edit.new.len();
        old = edit.span.end;
    }
    assert_eq!(&edited[new..], &page.bytes[old..]);
    assert!(plan(&page.with_bytes(edited.to_vec())).is_empty());
});
