//! Reads any bytes as Markdown and maps its URLs. Reading never panics; spans are sorted and within
//! the bytes; rewriting keeps the bytes outside of edits, and the new references are read back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rehref::rewrite::PrefixMap;
use rehref::{Document, Format, Rules};

fuzz_target!(|data: (u8, Vec<u8>)| {
    let (kind, bytes) = data;
    let document = Document::new("fuzz.md", bytes)
        .with_format(Format::Markdown)
        .retrieved_from("http://a.example/b/c?d");
    let rules = match kind % 3 {
        0 => Rules::new().absolute(),
        1 => Rules::new().relative(),
        _ => {
            let mut map = PrefixMap::default();
            let entry = map.insert_entry("http://a.example/b/=http://n.example/x y(&amp;|`/");
            entry.expect("an entry");
            Rules::new().prefix_map(map)
        }
    };
    let links = document.links();
    let mut end = 0;
    for span in links.iter().flat_map(|link| link.spans()) {
        assert!(end <= span.start && span.start <= span.end, "{span:?} after {end}");
        end = span.end;
    }
    assert!(end <= document.bytes().len());
    let plan = links.rewrite(&rules);
    let edited = plan.bytes();
    let (mut old, mut new) = (0, 0);
    for edit in plan.edits() {
        let kept = &document.bytes()[old..edit.span.start];
        assert_eq!(&edited[new..new + kept.len()], kept);
        new += kept.len() + edit.new.len();
        old = edit.span.end;
    }
    assert_eq!(&edited[new..], &document.bytes()[old..]);
    let rewritten = document.with_bytes(edited.to_vec());
    let references = |links: &rehref::Links<'_>| -> Vec<String> {
        let references = links.iter().map(|link| link.reference().to_owned());
        references.collect()
    };
    let mut meant: Vec<(_, String)> =
        links.iter().map(|link| (link.id(), link.reference().to_owned())).collect();
    for edit in plan.edits() {
        if let Some(link) = meant.iter_mut().find(|link| link.0 == edit.link) {
            edit.reference.clone_into(&mut link.1);
        }
    }
    let meant: Vec<String> = meant.into_iter().map(|link| link.1).collect();
    assert_eq!(references(&rewritten.links()), meant);
    // Verification may refuse what the other parser reads in another way. It must not panic.
    let _ = plan.verify();
});
