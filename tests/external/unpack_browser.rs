//! Unpacked web archives in a browser without a network: pages have what they need, and links refer
//! to files.

use std::fs;
use std::process::Command;

use crate::needs::{repository, shared};

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
        let directory = tempfile::tempdir().expect("a directory");
        let (tree, records) = (directory.path().join("site"), directory.path().join("records"));
        let unpacked = Command::new(env!("CARGO_BIN_EXE_rehref"))
            .current_dir(shared(DATA))
            .arg("unpack")
            .args(archives)
            .arg("-o")
            .args([&*tree, "--json".as_ref()])
            .output()
            .expect("rehref runs");
        let stderr = String::from_utf8_lossy(&unpacked.stderr);
        assert!(unpacked.status.success(), "{archives:?}: {stderr}");
        fs::write(&records, unpacked.stdout).expect("written");
        let script = repository().join("scripts/unpack_browser.py");
        let used = Command::new("python3")
            .args([&script, &tree, &records])
            .output()
            .expect("python3 runs");
        if !used.status.success() {
            let stderr = String::from_utf8_lossy(&used.stderr);
            failures.push(format!("{archives:?}:\n{stderr}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
