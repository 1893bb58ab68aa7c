//! Makes the links of any page, style sheet or XML document absolute. Rewriting never panics, keeps
//! the bytes outside of edits, is verified unless the page is nested too deep, and changes nothing
//! the second time.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rehref::{Document, Rules};

fuzz_target!(|data: (u8, Vec<u8>)| {
    let (kind, bytes) = data;
    let name = ["fuzz.html", "fuzz.css", "fuzz.xml", "fuzz.xhtml"][usize::from(kind % 4)];
    let page = Document::new(name, bytes).retrieved_from("http://a.example/b/c?d");
    let rules = Rules::new().absolute();
    let links = page.links();
    let plan = links.rewrite(&rules);
    let edited = plan.bytes();
    let (mut old, mut new) = (0, 0);
    for edit in plan.edits() {
        let kept = &page.bytes()[old..edit.span.start];
        assert_eq!(&edited[new..new + kept.len()], kept);
        new += kept.len() + edit.new.len();
        old = edit.span.end;
    }
    assert_eq!(&edited[new..], &page.bytes()[old..]);
    if !links.found().guessed {
        let verified = plan.verify();
        assert!(verified.is_ok(), "{verified:?}");
    }
    let rewritten = page.with_bytes(edited.to_vec());
    assert!(rewritten.links().rewrite(&rules).is_empty());
});
