//! The cases shared between implementations, where they are at hand: pages from the tests of other
//! rewriters, of browsers and of parsers, with the links that they hold.
#![expect(
    clippy::print_stdout,
    reason = "a test says what it skipped and how much it ran"
)]

use std::path::Path;

use encoding_rs::Encoding;
use rehref::document::Document;
use rehref::format::Options;
use rehref::source::Charset;
use rehref::uri::{Profile, Resolver};
use serde_json::{Value, json};

#[test]
fn shared_pages_hold_the_same_links() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/html.jsonl");
    let Ok(rows) = std::fs::read_to_string(&path) else {
        println!("skipped: no ../shared/cases/html.jsonl");
        return;
    };
    let (mut passed, mut applicable) = (0, 0);
    let mut failures = Vec::new();
    for (number, line) in (1..).zip(rows.lines()) {
        let row: Value = serde_json::from_str(line)
            .unwrap_or_else(|error| panic!("html.jsonl:{number}: {error}"));
        applicable += 1;
        let found = found(&row);
        let expected = expected(&row);
        if found == expected {
            passed += 1;
        } else {
            failures.push(format!(
                "html.jsonl:{number}: {row}\n  expected {expected:?}\n     found {found:?}"
            ));
        }
    }
    println!("html.jsonl: {passed} of {applicable} rows pass");
    assert!(applicable > 0, "html.jsonl has no row that applies");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Element, attribute, source text and target of each link expected.
fn expected(row: &Value) -> Vec<Value> {
    let links = row["expect"].as_array().expect("a list of links");
    links
        .iter()
        .map(|link| json!([link["element"], link["attr"], link["raw"], link["resolved"]]))
        .collect()
}

fn found(row: &Value) -> Vec<Value> {
    let html = row["html"].as_str().expect("a page");
    let base = row["base_uri"].as_str().expect("a URI");
    let mut page = Document::new("case.html", html.as_bytes().to_vec()).retrieved_from(base);
    if let Some(label) = row["encoding"].as_str() {
        let encoding = Encoding::for_label(label.as_bytes()).expect("a known encoding");
        page = page.with_bytes(encoding.encode(html).0.into_owned());
        page.charset = Charset::named(label, &page.bytes).expect("a known encoding");
    }
    let resolver = Resolver {
        profile: Profile::Whatwg,
        ..Resolver::default()
    };
    let options = Options {
        resolver,
        ..Options::default()
    };
    let found = page.links_with(&options);
    let mut resolving = found.resolving(&page, resolver);
    let links = found.links.iter().map(|link| {
        let (element, attribute) = match link.place.markup() {
            Some(markup) => (&*markup.element, &*markup.attribute),
            None => (link.place.as_str(), ""),
        };
        json!([
            element,
            attribute,
            page.raw(link),
            resolving.target(link).uri
        ])
    });
    links.collect()
}
