//! `corpus/xml/*/`: documents with the links that they hold and what rewriting makes of them; see
//! `corpus/README.md` for the files. `REHREF_BLESS=1` writes what is found over what is expected.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use rehref::document::Document;
use rehref::format::Format;
use rehref::format::Options;
use rehref::rewrite::Plan;
use rehref::rewrite::{PrefixMap, Rule, Rules};
use rehref::uri::Resolver;

use crate::html_corpus::{expect, read_if_there, records};

#[test]
fn xml_documents_hold_and_become_what_is_expected() {
    let mut report = String::new();
    for folder in folders() {
        if let Err(error) = check(&folder, &mut report) {
            let _ = writeln!(report, "{}: {error}", folder.display());
        }
    }
    assert!(
        report.is_empty(),
        "\n{report}(REHREF_BLESS=1 cargo test hold_and_become_what_is_expected rewrites the files; \
         read what changes)"
    );
}

fn folders() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/xml");
    let entries = fs::read_dir(&corpus).unwrap_or_else(|e| panic!("{}: {e}", corpus.display()));
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry of the corpus").path())
        .collect();
    folders.sort();
    assert!(!folders.is_empty(), "no folders in {}", corpus.display());
    folders
}

/// The documents of the corpus, each retrieved from where its `base.txt` says.
pub(crate) fn documents() -> Vec<Document> {
    folders()
        .iter()
        .map(|folder| document(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())))
        .collect()
}

/// The document of a folder: its `in.` with the extension that tells its kind.
fn document(folder: &Path) -> Result<Document, String> {
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let is_input = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem == "in");
    let path = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(is_input)
        .ok_or("no in.*")?;
    let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let document = Document::new(path, bytes);
    if document.format != Format::Xml {
        return Err(format!("read as {}", document.format));
    }
    Ok(match read_if_there(&folder.join("base.txt"))? {
        Some(base) => document.retrieved_from(base.trim_end()),
        None => document,
    })
}

fn check(folder: &Path, report: &mut String) -> Result<(), String> {
    let document = document(folder)?;
    let options = Options::default();
    let findings = document.links_with(&options);
    let links = records(&document, &findings);
    expect(folder, "links.jsonl", links, report)?;

    let mut rewritings = Vec::new();
    if document.base.is_some() {
        rewritings.push(("absolute", Rule::Absolute));
        rewritings.push(("relative", Rule::Relative));
    }
    if let Some(entries) = read_if_there(&folder.join("map.txt"))? {
        let mut map = PrefixMap::default();
        for entry in entries.lines() {
            map.insert_entry(entry)
                .map_err(|error| format!("map.txt: {entry}: {error}"))?;
        }
        rewritings.push(("map", Rule::Map(map)));
    }
    let extension = document.name.extension().unwrap_or_default().display();
    for (rewriting, rule) in rewritings {
        let rules = Rules {
            rules: vec![rule],
            resolver: Resolver::default(),
            ..Rules::default()
        };
        let plan = Plan::new(&document, &findings, &options, &rules);
        let rewritten = plan.apply(&document).to_vec();
        expect(
            folder,
            &format!("out.{rewriting}.{extension}"),
            rewritten,
            report,
        )?;
    }
    Ok(())
}
