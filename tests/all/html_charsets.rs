//! A page has the same links and edits in every character encoding.
//!
//! The pages of corpus/html are encoded again: unchanged, and with inserted characters whose bytes
//! look like markup. The page in UTF-8 gives the expected results.
#![expect(clippy::print_stdout, reason = "a test says what it skipped and how much it ran")]

use encoding_rs::{Encoding, ISO_2022_JP};
use rehref::document::Document;
use rehref::format::Options;
use rehref::rewrite::Rule;

use crate::document_corpus::{Fixture, fixtures};
use crate::support::charsets;
use crate::support::planned::{plan, prefix_map};
use crate::tier;

/// Labels, and encoded characters. Some of their bytes are `\`, `|`, `<`, `"`, `&` and the like.
const CHARSETS: [(&str, &[u8]); 8] = [
    ("utf-8", "日é\u{1F600}".as_bytes()),
    ("utf-16le", b"\x3C\x22\x26\x3E\x3D\xD8\x00\xDE"),
    ("utf-16be", b"\x22\x3C\x3E\x26\xD8\x3D\xDE\x00"),
    ("windows-1252", b"\xE9\x80\xA0"),
    ("shift_jis", b"\x83\x5C\x95\x5C\x83\x7C\xB1"),
    ("gb18030", b"\x81\x5C\x81\x40\x81\x7C\x81\x30\x86\x30"),
    ("euc-kr", b"\x81\x41\x81\x7A\xB0\xA1"),
    ("iso-2022-jp", b"\x1B$B\x3C\x3E\x22\x22\x30\x26\x1B(B"),
];

fn encode(text: &str, encoding: &'static Encoding) -> Option<Vec<u8>> {
    let bytes = charsets::encode(text, &encoding.name().to_ascii_lowercase());
    // Some characters are missing or have several encodings, and some encodings several meanings.
    (encoding.decode_without_bom_handling(&bytes).0 == text).then_some(bytes)
}

/// The page with these bytes in this character encoding, whatever it declares.
fn page_in(page: &Document, bytes: Vec<u8>, label: &str) -> Document {
    charsets::in_charset(page.with_bytes(bytes), label)
}

/// Element, attribute and reference.
fn links(page: &Document) -> Vec<(String, String, String)> {
    let found = page.links_with(&Options::default());
    let links = found.found().links.iter().map(|link| {
        let (element, attribute) = match link.place.markup() {
            Some(markup) => (&*markup.element, &*markup.attribute),
            None => (link.place.as_str(), ""),
        };
        (element.to_owned(), attribute.to_owned(), link.reference.clone().into_owned())
    });
    links.collect()
}

fn rules() -> [Rule; 3] {
    let map = prefix_map(&[
        "https://www.example.org/docs/=https://new.example/a?b&copy=/",
        "https://www.example.org/=https://n.example/",
        "http://=ftp://",
    ]);
    [Rule::Absolute, Rule::Relative, Rule::Map(map)]
}

#[derive(Default)]
struct Counts {
    compared: usize,
    lacking: usize,
    rewritten: usize,
}

/// Compares an encoded text with the same text in UTF-8.
fn compare(
    page: &Document,
    text: &str,
    encoding: &'static Encoding,
    counts: &mut Counts,
) -> Result<(), String> {
    let Some(bytes) = encode(text, encoding) else {
        counts.lacking += 1;
        return Ok(());
    };
    counts.compared += 1;
    let plain = page_in(page, text.as_bytes().to_vec(), "utf-8");
    let encoded = page_in(page, bytes, encoding.name());
    let (expected, actual) = (links(&plain), links(&encoded));
    if actual != expected {
        return Err(format!("the links are {actual:?}\n  for {expected:?}"));
    }
    for rule in rules() {
        let (expected, actual) = (plan(&plain, rule.clone()), plan(&encoded, rule.clone()));
        let mut meant = Vec::new();
        for edit in actual.edits() {
            let same = expected
                .edits()
                .iter()
                .find(|it| expected.number(it.link) == actual.number(edit.link));
            meant.push((edit, same.ok_or_else(|| format!("{edit:?} is not made in UTF-8"))?));
        }
        // ISO-2022-JP is stateful, so some edits are skipped there.
        let all_made = actual.edits().len() == expected.edits().len();
        if encoding != ISO_2022_JP && !all_made {
            return Err(format!(
                "{rule:?} makes {:?}\n  for {:?}",
                actual.edits(),
                expected.edits()
            ));
        }
        let expected = String::from_utf8(expected.bytes().to_vec()).expect("UTF-8");
        // Characters that the encoding lacks are written differently.
        if encode(&expected, encoding).is_none() {
            continue;
        }
        if let Some((edit, same)) =
            meant.iter().find(|(edit, same)| edit.reference != same.reference)
        {
            return Err(format!("{rule:?} makes {edit:?}\n  for {same:?}"));
        }
        if !all_made {
            continue;
        }
        let actual = actual.bytes().to_vec();
        let actual = encoding.decode_without_bom_handling(&actual).0;
        if actual != expected {
            return Err(format!("{rule:?} makes {actual:?}\n  for {expected:?}"));
        }
        counts.rewritten += 1;
    }
    Ok(())
}

#[test]
fn pages_have_the_same_links_and_edits_in_every_charset() {
    let mut failures = Vec::new();
    for (label, strewn) in CHARSETS.iter().step_by(tier::pick(4, 1)) {
        let encoding = Encoding::for_label(label.as_bytes()).expect("a known label");
        let (strewn, malformed) = encoding.decode_without_bom_handling(strewn);
        assert!(!malformed, "{label}: {strewn}");
        let mut counts = Counts::default();
        for Fixture { name, document, .. } in fixtures("html") {
            let page = document.retrieved_from("https://www.example.org/docs/guide/page.html");
            let text = page.text().text.trim_start_matches('\u{FEFF}').to_owned();
            let full = text
                .replace('<', &format!("{strewn}<"))
                .replace(".html", &format!("{strewn}.html"));
            for text in [text, full] {
                if let Err(error) = compare(&page, &text, encoding, &mut counts) {
                    failures.push(format!("{name} in {label}: {error}"));
                }
            }
        }
        let Counts { compared, lacking, rewritten } = counts;
        println!(
            "{label}: {compared} pages compared and {lacking} not encoded, {rewritten} rewritings compared"
        );
        assert!(compared > 40, "{label}: {compared} pages compared");
        assert!(rewritten > 60, "{label}: {rewritten} rewritings compared");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
