//! Makes the links of any page, style sheet or XML document absolute. Rewriting never panics, keeps the bytes outside of
//! edits, is verified unless the page is nested too deep, and changes nothing the second time.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rehref::document::Document;
use rehref::rewrite::{Plan, verify};
use rehref::format::Options;
use rehref::rewrite::{Rule, Rules};

fn plan(page: &Document) -> Plan {
    let options = Options::default();
    let rules = Rules {
        rules: vec![Rule::Absolute],
        ..Rules::default()
    };
    Plan::new(page, &page.links_with(&options), &options, &rules)
}

fuzz_target!(|data: (u8, Vec<u8>)| {
    let (kind, bytes) = data;
    let name = ["fuzz.html", "fuzz.css", "fuzz.xml", "fuzz.xhtml"][usize::from(kind % 4)];
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
    let options = Options::default();
    let findings = page.links_with(&options);
    if !findings.guessed {
        let verified = verify(&page, &findings, &first.edits, edited, &options);
        assert!(verified.is_ok(), "{verified:?}");
    }
    assert!(plan(&page.with_bytes(edited.to_vec())).is_empty());
});
