//! The links of real pages are those of their DOM.

use std::fs;

use rehref::document::Document;

use crate::needs::pages;
use crate::support::dom_oracle::differences;

pub(crate) fn real_pages_have_the_links_of_their_dom() {
    let directory = pages();
    let mut pages = 0;
    let mut failures = Vec::new();
    for entry in walkdir::WalkDir::new(&directory) {
        let path = entry.expect("a readable directory").into_path();
        if path.extension().is_none_or(|it| it != "html") {
            continue;
        }
        let bytes = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let page = Document::new(&path, bytes).retrieved_from("http://h/d/e/f");
        pages += 1;
        if let Some(difference) = differences(&page) {
            failures.push(format!("{}: {difference}", path.display()));
        }
    }
    assert!(pages > 0, "{} has no pages", directory.display());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
