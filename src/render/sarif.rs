//! The findings of a check as SARIF 2.1.0, which code hosts show in place.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use rehref::bytes::Span;
use rehref::bytes::percent;
use rehref::check::{Broken, BrokenReason};
use rehref::document::Document;
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use crate::exit::Exit;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The rule of pages without links from other documents.
const ORPHAN: &str = "orphan";

/// The results of a document.
#[derive(Debug, Default)]
pub(super) struct Results {
    /// The place of the last link: the first byte of its line, its first byte, and its column.
    last: (usize, usize, usize),
    /// The number of results with each fingerprint.
    seen: HashMap<u64, usize>,
}

impl Results {
    /// The result of a broken link.
    pub(super) fn broken(&mut self, broken: &Broken<'_>) -> Value {
        let link = &broken.link;
        let document = link.document();
        let reference = link.reference();
        let near = broken.near.as_ref();
        let near = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
        let text = format!("{reference}: {}{near}", description_of(broken.why));
        let region = json!({
            "startLine": link.line(),
            "startColumn": self.column(document, link.offset(), link.column()),
        });
        self.result(document.path(), broken.why.as_str(), reference, &text, Some(region))
    }

    /// The result of a page without links from other documents.
    pub(super) fn orphan(&mut self, page: &Path) -> Value {
        self.result(page, ORPHAN, "", "no document links here", None)
    }

    fn result(
        &mut self,
        document: &Path,
        rule: &str,
        reference: &str,
        text: &str,
        region: Option<Value>,
    ) -> Value {
        let uri = uri_of(document);
        // Without lines, so that a finding stays the same one when the document is edited
        // elsewhere.
        let hash = xxh3_64(format!("{uri}\n{rule}\n{reference}").as_bytes());
        let number = self.seen.entry(hash).or_default();
        *number += 1;
        let mut place = json!({"artifactLocation": {"uri": uri}});
        if let Some(region) = region {
            place["region"] = region;
        }
        json!({
            "ruleId": rule,
            "level": if rule == ORPHAN { "warning" } else { "error" },
            "message": {"text": text},
            "locations": [{"physicalLocation": place}],
            "partialFingerprints": {"primaryLocationLineHash": format!("{hash:016x}:{number}")},
        })
    }

    /// The column in UTF-16 code units, from 1, of a link with this first byte and this column in
    /// bytes.
    ///
    /// Cost: linear in the bytes after the last link, or after the begin of the line.
    fn column(&mut self, document: &Document, offset: usize, column: usize) -> usize {
        let line = offset + 1 - column;
        let (last_line, last, units) = self.last;
        let (start, units) = match last_line == line && last >= line && last <= offset && units > 0
        {
            true => (last, units),
            false => (line, 1),
        };
        let text = document.decode(Span::new(start, offset));
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
        let units = units + text.encode_utf16().count();
        self.last = (line, offset, units);
        units
    }
}

/// The beginning of a log, up to its first result.
pub(super) fn head() -> String {
    let reasons = BrokenReason::ALL.iter();
    let reasons = reasons.map(|reason| rule(reason.as_str(), description_of(*reason)));
    let rules: Vec<Value> =
        reasons.chain([rule(ORPHAN, "no document links to the page")]).collect();
    let driver = json!({"name": "rehref", "version": env!("CARGO_PKG_VERSION"), "rules": rules});
    format!(
        "{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{},\n\"columnKind\":\"utf16CodeUnits\",\"results\":[",
        json!({"driver": driver})
    )
}

/// The end of a log, after its last result.
pub(super) fn end(exit: Exit) -> String {
    let invocation = json!([{"executionSuccessful": exit != Exit::Trouble}]);
    format!("\n],\"invocations\":{invocation}}}]}}\n")
}

fn rule(id: &str, description: &str) -> Value {
    json!({"id": id, "shortDescription": {"text": description}})
}

pub(super) fn description_of(reason: BrokenReason) -> &'static str {
    match reason {
        BrokenReason::Missing => "the file does not exist",
        BrokenReason::Ambiguous => "several files have this name",
        BrokenReason::Anchor => "the file has no element with this name",
        BrokenReason::Case => "the file has a name in other case or normal form",
        BrokenReason::Index => "the directory has no index file",
        BrokenReason::Outside => "the reference is above the root",
        BrokenReason::Unresolvable => "the reference cannot be resolved",
        _ => "the link is broken",
    }
}

/// The URI of a document: relative to the current directory if it is below that.
fn uri_of(document: &Path) -> String {
    let current = std::env::current_dir().unwrap_or_default();
    let path = document.strip_prefix(&current).unwrap_or(document);
    let mut uri = String::from(if path.is_absolute() { "file://" } else { "" });
    let names = path.components().filter(|it| *it != Component::CurDir);
    let path: PathBuf = names.collect();
    for (number, name) in path.components().enumerate() {
        let name = name.as_os_str().as_encoded_bytes();
        if number > 0 {
            uri.push('/');
        } else if name.contains(&b':') {
            // Otherwise the name would begin with a scheme.
            uri.push_str("./");
        }
        match name {
            b"/" => {}
            name => percent::encode_path_segment(name, &mut uri),
        }
    }
    uri
}
