//! The pages of docs/, executed: each runs in a directory of its own with a copy of corpus/, so
//! that a page may write. Scripts (`sh`) run in tests/external, since they need other programs, and
//! Rust blocks as documentation tests.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use rehref::Document;

use crate::support::tree::{Has, Ran, rehref};

/// The pages, sorted.
fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir("docs").expect("docs/");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut pages: Vec<_> =
        paths.filter(|path| path.extension() == Some(OsStr::new("md"))).collect();
    pages.sort();
    assert!(pages.len() > 5, "docs/ has the pages");
    pages
}

fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory") {
        let path = entry.expect("an entry").path();
        let copy = to.join(path.file_name().expect("a name"));
        match path.is_dir() {
            true => copy_tree(&path, &copy),
            false => drop(fs::copy(&path, &copy).expect("a copy")),
        }
    }
}

/// The directory in which the commands of a page run, with what they read.
fn workplace(directory: &Path) {
    for part in ["sites", "documentation", "mail/bakery", "office", "warc"] {
        copy_tree(&Path::new("corpus").join(part), &directory.join("corpus").join(part));
    }
}

#[test]
fn commands_of_the_guide_print_what_it_says() {
    let scratch = tempfile::tempdir().expect("a directory");
    let cases = trycmd::TestCases::new();
    for page in pages() {
        let copy = scratch.path().join(page.file_name().expect("a name"));
        fs::copy(&page, &copy).expect("a copy");
        // trycmd runs the commands of a page in the directory `<page>.in`.
        workplace(&copy.with_extension("in"));
        cases.case(copy);
    }
    cases.run();
    if std::env::var_os("TRYCMD").is_some_and(|value| value == "overwrite") {
        for page in pages() {
            let copy = scratch.path().join(page.file_name().expect("a name"));
            fs::copy(copy, page).expect("a copy");
        }
    }
}

#[test]
fn documents_have_no_broken_links() {
    let documents = "docs README.md ARCHITECTURE.md BENCHMARKS.md CHANGELOG.md CONTRIBUTING.md DESIGN.md \
                     LIMITS.md SECURITY.md corpus/README.md python/README.md python/BENCHMARKS.md";
    let run = Ran::of(&mut rehref(Path::new("."), format!("check --anchors {documents}")));
    run.ends(0).err.has(" local links: 0 broken");
}

#[test]
fn pages_have_no_links_out_of_the_book() {
    for page in pages() {
        let document = Document::new(page.clone(), fs::read(&page).expect("a page"));
        for link in &document.links() {
            let reference = link.reference();
            assert!(!reference.starts_with(['.', '/']), "{}: {reference}", page.display());
        }
    }
}
