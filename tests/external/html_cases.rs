//! Pages from the tests of other rewriters, of browsers and of parsers, with their links.

use encoding_rs::Encoding;
use rehref::document::Document;
use rehref::format::Options;
use rehref::source::Charset;
use rehref::uri::{Profile, Resolver};
use serde_json::{Value, json};

use crate::shared_cases::rows;

pub(crate) const DATA: &str = "cases/html.jsonl";

pub(crate) fn pages_have_the_expected_links() {
    let mut failures = Vec::new();
    for (line, row) in rows(DATA) {
        let (found, expected) = (found(&row), expected(&row));
        if found != expected {
            failures.push(format!(
                "{DATA}:{line}: {row}\n  expected {expected:?}\n     found {found:?}"
            ));
        }
    }
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
        let charset = Charset::named(label, page.bytes()).expect("a known encoding");
        page = page.with_charset(charset);
    }
    let resolver = Resolver { profile: Profile::Whatwg, ..Resolver::default() };
    let options = Options { resolver, ..Options::default() };
    let found = page.links_with(&options);
    let mut resolving = found.resolving();
    let links = found.found().links.iter().map(|link| {
        let (element, attribute) = match link.place.markup() {
            Some(markup) => (&*markup.element, &*markup.attribute),
            None => (link.place.as_str(), ""),
        };
        json!([element, attribute, page.raw(link), resolving.target(link).uri])
    });
    links.collect()
}
