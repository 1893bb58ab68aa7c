//! Maps the links in fields, formulas and relationships of any text. Reading never panics, spans are
//! in order, edits are verified, and a second run changes nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rehref::rewrite::PrefixMap;
use rehref::{Document, Rules};

const ROOT: &str = "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main' \
    xmlns:x='http://schemas.openxmlformats.org/spreadsheetml/2006/main' \
    xmlns:r='http://schemas.openxmlformats.org/package/2006/relationships' \
    xmlns:table='urn:oasis:names:tc:opendocument:xmlns:table:1.0'>";

/// Elements with a text between their two sides.
const PLACES: [(&str, &str); 6] = [
    (
        "<w:fldChar w:fldCharType='begin'/><w:instrText>",
        "</w:instrText><w:fldChar w:fldCharType='end'/>",
    ),
    ("<w:instrText>", "</w:instrText>"),
    ("<w:fldSimple w:instr='", "'/>"),
    ("<x:f>", "</x:f>"),
    ("<table:table-cell table:formula=\"", "\"/>"),
    ("<r:Relationship TargetMode='External' Type='a/oleObject' Target='", "'/>"),
];

fuzz_target!(|pieces: Vec<(u8, String)>| {
    let mut text = ROOT.to_owned();
    for (place, piece) in &pieces {
        let (open, close) = PLACES[usize::from(*place) % PLACES.len()];
        text += &[open, piece, close].concat();
    }
    text += "</w:document>";
    let document = Document::new("document.xml", text.into_bytes());
    let document = document.retrieved_from("http://a.example/b/c");
    let mut map = PrefixMap::default();
    for entry in ["http://a=https://b/\"'\\", r"\\a\b=\\c\d e", "P:=http://h/"] {
        map.insert_entry(entry).expect("an entry");
    }
    let rules = Rules::new().prefix_map(map);
    let links = document.links();
    let mut end = 0;
    for link in &links.found().links {
        for span in &link.spans {
            assert!(end <= span.start && span.start <= span.end);
            end = span.end;
        }
    }
    let plan = links.rewrite(&rules);
    let verified = plan.verify();
    assert!(verified.is_ok(), "{verified:?}");
    let rewritten = document.with_bytes(plan.bytes().to_vec());
    assert!(rewritten.links().rewrite(&rules).is_empty());
});
