//! Unpacked web archives in a browser without a network: pages have what they need, and links refer
//! to files.

use std::process::Command;

use crate::needs::{repository, shared};
use crate::support::tree::{Ran, Tree, rehref};

/// The directory of the archives.
pub(crate) const DATA: &str = "corpora/warc/samples";

/// Archives that are unpacked together.
const ARCHIVES: [&[&str]; 6] = [
    &["museum-wget.warc.gz", "museum-wget-2.warc.gz"],
    &["museum-warcio.warc.gz"],
    &["museum-two.wacz"],
    &["feeds-wget.warc"],
    &["feeds.arc.gz"],
    &["lists-wget.warc.gz"],
];

pub(crate) fn unpacked_pages_have_what_the_archive_has() {
    let mut failures = Vec::new();
    for archives in ARCHIVES {
        let tree = Tree::empty();
        let mut unpack = rehref(&shared(DATA), "unpack --json");
        let unpacked = Ran::of(unpack.args(archives).arg("-o").arg(tree.at("site"))).ends(0);
        tree.write("records", unpacked.out_bytes);
        let mut browser = Command::new("python3");
        browser.arg(repository().join("scripts/unpack_browser.py"));
        let used = Ran::of(browser.args([tree.at("site"), tree.at("records")]));
        if used.code != 0 {
            failures.push(format!("{archives:?}:\n{}", used.err));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
