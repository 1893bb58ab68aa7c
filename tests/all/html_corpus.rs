//! `corpus/html/*/` and `corpus/css/*/`: pages and style sheets with the links that they hold and what
//! rewriting makes of them; see `corpus/README.md` for the files. `REHREF_BLESS=1` writes what is found over what is expected.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use rehref::document::Document;
use rehref::format::{FoundLinks, Options};
use rehref::link::{LinkData, Target};
use rehref::rewrite::Plan;
use rehref::rewrite::{PrefixMap, Rule, Rules};
use rehref::uri::Resolver;
use serde_json::to_string as json;

#[test]
fn pages_hold_and_become_what_is_expected() {
    check_all(&folders());
}

#[test]
fn sheets_hold_and_become_what_is_expected() {
    check_all(&folders_of("css"));
}

fn check_all(folders: &[PathBuf]) {
    let mut report = String::new();
    for folder in folders {
        if let Err(error) = check(folder, &mut report) {
            let _ = writeln!(report, "{}: {error}", name(folder));
        }
    }
    assert!(
        report.is_empty(),
        "\n{report}(REHREF_BLESS=1 cargo test hold_and_become_what_is_expected rewrites the files; \
         read what changes)"
    );
}

/// The folders of pages, by name.
pub(crate) fn folders() -> Vec<PathBuf> {
    folders_of("html")
}

/// The folders of documents of a kind, by name. What the kind is called ends their names too.
pub(crate) fn folders_of(kind: &str) -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(kind);
    let entries = fs::read_dir(&corpus).unwrap_or_else(|e| panic!("{}: {e}", corpus.display()));
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry of the corpus").path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    assert!(!folders.is_empty(), "no folders in {}", corpus.display());
    folders
}

/// The folder as failures name it.
pub(crate) fn name(folder: &Path) -> String {
    format!(
        "corpus/{}/{}",
        kind(folder),
        folder.file_name().unwrap_or_default().display()
    )
}

/// What documents the folder is one of.
fn kind(folder: &Path) -> Cow<'_, str> {
    let kind = folder.parent().and_then(Path::file_name);
    kind.unwrap_or_default().to_string_lossy()
}

/// The document of a folder, retrieved from where its `base.txt` says.
pub(crate) fn page(folder: &Path) -> Result<Document, String> {
    let file = format!("in.{}", kind(folder));
    let bytes = fs::read(folder.join(&file)).map_err(|e| format!("{file}: {e}"))?;
    let page = Document::new(file, bytes);
    Ok(match read_if_there(&folder.join("base.txt"))? {
        Some(base) => page.retrieved_from(base.trim_end()),
        None => page,
    })
}

fn check(folder: &Path, report: &mut String) -> Result<(), String> {
    let page = page(folder)?;
    let options = Options::default();
    let findings = page.links_with(&options);
    expect(folder, "links.jsonl", records(&page, &findings), report)?;

    let mut rewritings = Vec::new();
    if page.base.is_some() {
        rewritings.push(("absolute", Rule::Absolute));
        rewritings.push(("relative", Rule::Relative));
    }
    if let Some(entries) = read_if_there(&folder.join("map.txt"))? {
        let mut map = PrefixMap::default();
        for entry in entries.lines() {
            map.insert_entry(entry)
                .map_err(|e| format!("map.txt: {entry}: {e}"))?;
        }
        rewritings.push(("map", Rule::Map(map)));
    }
    for (rewriting, rule) in rewritings {
        let file = format!("out.{rewriting}.{}", kind(folder));
        let rules = Rules {
            rules: vec![rule],
            resolver: Resolver::default(),
            ..Rules::default()
        };
        let plan = Plan::new(&page, &findings, &options, &rules);
        expect(folder, &file, plan.apply(&page).to_vec(), report)?;
    }
    Ok(())
}

/// One line of JSON for each link. Built by hand, so that the fields keep their order.
pub(crate) fn records(page: &Document, findings: &FoundLinks<'_>) -> Vec<u8> {
    let mut resolving = findings.resolving(page, Resolver::default());
    let mut lines = page.lines();
    let mut records = String::new();
    for link in &findings.links {
        let at = lines.position(link.extent().start);
        let fields = record(page, link, &resolving.target(link), at.line, at.column);
        let _ = writeln!(records, "{{{}}}", fields.join(","));
    }
    records.into_bytes()
}

fn record(
    page: &Document,
    link: &LinkData<'_>,
    target: &Target<'_>,
    line: usize,
    col: usize,
) -> Vec<String> {
    let quoted = |text: &str| json(text).expect("a string is JSON");
    let (element, attr) = match link.place.markup() {
        Some(markup) => (&*markup.element, &*markup.attribute),
        None => (link.place.as_str(), ""),
    };
    let spans: Vec<_> = link
        .spans
        .iter()
        .map(|span| format!("[{},{}]", span.start, span.end))
        .collect();
    let mut fields = vec![
        format!("\"element\":{}", quoted(element)),
        format!("\"attr\":{}", quoted(attr)),
        format!("\"role\":{}", quoted(link.role.as_str())),
        format!("\"raw\":{}", quoted(&page.raw(link))),
        format!("\"ref\":{}", quoted(&link.reference)),
        format!("\"uri\":{}", target.uri.map_or("null".to_owned(), quoted)),
        format!("\"spans\":[{}]", spans.join(",")),
        format!("\"line\":{line}"),
        format!("\"col\":{col}"),
    ];
    if target.same_document {
        fields.push("\"same_document\":true".to_owned());
    }
    let notes: Vec<_> = target.notes.iter().map(|it| quoted(it.as_str())).collect();
    if !notes.is_empty() {
        fields.push(format!("\"notes\":[{}]", notes.join(",")));
    }
    fields
}

/// Compares with a file of the folder, or writes it.
pub(crate) fn expect(
    folder: &Path,
    file: &str,
    actual: Vec<u8>,
    report: &mut String,
) -> Result<(), String> {
    let path = folder.join(file);
    let expected = match fs::read(&path) {
        Ok(expected) => Some(expected),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(format!("{file}: {error}")),
    };
    if expected.as_ref() == Some(&actual) {
        return Ok(());
    }
    if env::var_os("REHREF_BLESS").is_some_and(|value| value == "1") {
        return fs::write(&path, actual).map_err(|error| format!("{file}: {error}"));
    }
    let file = format!("{}/{file}", name(folder));
    match expected {
        Some(expected) => differences(&file, &expected, &actual, report),
        None => drop(writeln!(report, "{file}: there is no such file")),
    }
    Ok(())
}

/// The lines that differ, bytes that are not ASCII escaped.
fn differences(file: &str, expected: &[u8], actual: &[u8], report: &mut String) {
    let lines = |bytes: &[u8]| -> Vec<String> {
        let lines = bytes.split_inclusive(|&byte| byte == b'\n');
        lines.map(|line| line.escape_ascii().to_string()).collect()
    };
    let (expected, actual) = (lines(expected), lines(actual));
    for at in 0..expected.len().max(actual.len()) {
        let line = |lines: &[String]| lines.get(at).map_or("(nothing)".to_owned(), String::clone);
        let (expected, actual) = (line(&expected), line(&actual));
        if expected != actual {
            let _ = writeln!(
                report,
                "{file}:{}:\n  expected {expected}\n    actual {actual}",
                at + 1
            );
        }
    }
}

pub(crate) fn read_if_there(path: &Path) -> Result<Option<String>, String> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}
