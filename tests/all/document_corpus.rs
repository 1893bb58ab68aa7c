//! The documents of `corpus/html`, `corpus/css`, `corpus/xml` and the directories of other
//! languages have the expected links, and rules rewrite them as expected. corpus/README.md has the
//! files. `REHREF_BLESS=1` writes the results into them.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use rehref::document::{Document, Links};
use rehref::format::{Format, Options};
use rehref::link::{ParsedLink, Target};
use rehref::rewrite::{Plan, PrefixMap, Rule, Rules};
use rehref::uri::Resolver;
use serde_json::to_string as json;
use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::support::links::assert_sorted;
use crate::{marks, tier};

#[test]
fn documents_have_the_expected_links_and_diffs() {
    let mut report = String::new();
    for fixture in all_fixtures() {
        if let Err(error) = fixture.check(&mut report) {
            let _ = writeln!(report, "{}: {error}", fixture.name);
        }
    }
    assert!(
        report.is_empty(),
        "\n{report}(REHREF_BLESS=1 cargo test --test all corpus rewrites the files; read what changes)"
    );
}

#[test]
fn plans_verify_and_a_second_run_changes_nothing() {
    for fixture in all_fixtures() {
        let (name, document) = (&fixture.name, &fixture.document);
        for (rule_name, rule) in fixture.rules().expect("rules") {
            let rules = Rules { rules: vec![rule], ..Rules::default() };
            let links = document.links_with(&Options::default());
            let plan = Plan::new(&links, &rules);
            plan.verify().unwrap_or_else(|error| panic!("{name}: {rule_name}: {error}"));
            let rewritten = document.with_bytes(plan.bytes().to_vec());
            let links = rewritten.links_with(&Options::default());
            // A map may have its NEW below its OLD.
            let is_stable = rule_name == "map" || Plan::new(&links, &rules).is_empty();
            assert!(is_stable, "{name}: {rule_name}");
        }
    }
}

#[test]
fn truncated_documents_have_sorted_and_disjoint_links() {
    for fixture in all_fixtures() {
        let (path, bytes) = (fixture.document.path(), fixture.document.bytes());
        let step = bytes.len().div_ceil(tier::pick(16, 1000)).max(1);
        for end in (0..bytes.len()).step_by(step) {
            let document = Document::new(path, bytes[..end].to_vec());
            let links = document.links_with(&Options::default());
            assert_sorted(&links);
            let spans = links.found().links.iter().flat_map(|link| &link.spans);
            let ends = spans.fold(0, |before, span| {
                assert!(before <= span.start, "{} to byte {end}", fixture.name);
                assert!(span.start <= span.end, "{} to byte {end}", fixture.name);
                span.end
            });
            assert!(ends <= end, "{} to byte {end}", fixture.name);
        }
    }
}

/// The documents of every language with a syntax of its own. Each has a directory in the corpus.
fn all_fixtures() -> Vec<Fixture> {
    let languages = Format::all().filter(|it| it.is_markup());
    languages.flat_map(|it| fixtures(it.as_str())).collect()
}

/// The directories of a kind, by name.
pub(crate) fn directories(kind: &str) -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(kind);
    let entries = fs::read_dir(&corpus).unwrap_or_else(|e| panic!("{}: {e}", corpus.display()));
    let mut directories: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry of the corpus").path())
        .filter(|path| path.is_dir())
        .collect();
    directories.sort();
    assert!(!directories.is_empty(), "{} is empty", corpus.display());
    directories
}

/// The directory as failures name it: `corpus/KIND/NAME`.
pub(crate) fn name(directory: &Path) -> String {
    let below = directory.strip_prefix(env!("CARGO_MANIFEST_DIR"));
    below.unwrap_or(directory).display().to_string()
}

/// A document of the corpus.
pub(crate) struct Fixture {
    directory: PathBuf,
    /// As failures name it.
    pub(crate) name: String,
    /// `in.EXTENSION`, with the URL of `base.txt`.
    pub(crate) document: Document,
    /// The name of the file, if it has marks around the links.
    marked: Option<String>,
}

/// The documents of a kind, by name.
pub(crate) fn fixtures(kind: &str) -> Vec<Fixture> {
    let fixture = |directory: &PathBuf| {
        Fixture::read(directory).unwrap_or_else(|error| panic!("{}: {error}", name(directory)))
    };
    directories(kind).iter().map(fixture).collect()
}

impl Fixture {
    fn read(directory: &Path) -> Result<Self, String> {
        let path = document_file(directory)?;
        let mut bytes = fs::read(&path).map_err(|error| error.to_string())?;
        let is_marked = path.file_stem().is_some_and(|stem| stem == "marked");
        if is_marked {
            let marked = String::from_utf8(bytes).map_err(|error| error.to_string())?;
            let texts = marks::pieces(&marked)?.into_iter().map(|(_, text)| text);
            bytes = texts.collect::<String>().into_bytes();
        }
        let extension = path.extension().unwrap_or_default();
        let kind = directory.parent().and_then(Path::file_name);
        // The configuration of MkDocs is recognized by its whole name.
        let stem = match kind {
            Some(kind) if kind == "site-config" => "mkdocs",
            _ => "in",
        };
        let mut document = Document::new(Path::new(stem).with_extension(extension), bytes);
        if kind.is_none_or(|kind| *kind != *document.format().to_string()) {
            return Err(format!("read as {}", document.format()));
        }
        let is_utf8 = std::str::from_utf8(document.bytes()).is_ok();
        if !is_marked && is_utf8 && document.charset().encoding() == encoding_rs::UTF_8 {
            return Err(format!("rename {} to marked.*", path.display()));
        }
        if let Some(base) = read_if_exists(&directory.join("base.txt"))? {
            document = document.retrieved_from(base.trim_end());
        }
        let marked = path.file_name().filter(|_| is_marked);
        Ok(Self {
            directory: directory.to_owned(),
            name: name(directory),
            document,
            marked: marked.map(|it| it.to_string_lossy().into_owned()),
        })
    }

    fn check(&self, report: &mut String) -> Result<(), String> {
        let links = self.document.links_with(&Options::default());
        assert_sorted(&links);
        if let Some(file) = &self.marked {
            let marked = self.marked_again(&links)?;
            expect(&self.directory, file, marked.into_bytes(), report)?;
        }
        let records = self.records(&links);
        expect(&self.directory, "links.jsonl", records, report)?;
        match self.diffs(&links)? {
            Some(diffs) => expect(&self.directory, "expected.diff", diffs, report),
            None if self.directory.join("expected.diff").exists() => {
                Err("expected.diff without base.txt and map.txt".to_owned())
            }
            None => Ok(()),
        }
    }

    /// The document with a mark around each link. Fails if the source text or the position of a
    /// link is not that of its mark.
    fn marked_again(&self, links: &Links<'_>) -> Result<String, String> {
        let text = std::str::from_utf8(self.document.bytes()).map_err(|error| error.to_string())?;
        let mut lines = self.document.lines();
        let mut marked = String::with_capacity(text.len());
        let mut copied = 0;
        for link in &links.found().links {
            let mut label = link.role.as_str();
            let mut raw = String::new();
            for span in &link.spans {
                marked.push_str(&text[copied..span.start]);
                marks::push(&mut marked, label, &text[span.range()]);
                raw.push_str(&text[span.range()]);
                copied = span.end;
                label = marks::CONTINUED;
            }
            if self.document.raw(link) != raw {
                return Err(format!("the source text of {raw} is {}", self.document.raw(link)));
            }
            let start = link.extent().start;
            let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
            let expected = (text[..start].matches('\n').count() + 1, start - line_start + 1);
            let position = lines.position(start);
            if (position.line, position.column) != expected {
                return Err(format!("the position of {raw} is {position:?}"));
            }
        }
        marked.push_str(&text[copied..]);
        Ok(marked)
    }

    /// One JSON object per link, with its fields in a fixed order. Marks give the role, the source
    /// text and the spans.
    fn records(&self, links: &Links<'_>) -> Vec<u8> {
        let mut resolving = links.resolving();
        let mut records = String::new();
        for link in &links.found().links {
            let fields = self.fields(link, &resolving.target(link));
            let _ = writeln!(records, "{{{}}}", fields.join(","));
        }
        records.into_bytes()
    }

    fn fields(&self, link: &ParsedLink<'_>, target: &Target<'_>) -> Vec<String> {
        let quoted = |text: &str| json(text).expect("a string is JSON");
        let element = link.place.markup().map(|markup| &*markup.element);
        let element = element.unwrap_or(link.place.as_str());
        let attr = link.place.attribute().unwrap_or_default();
        let raw = self.document.raw(link);
        let is_marked = self.marked.is_some();
        let mut fields =
            vec![format!("\"element\":{}", quoted(element)), format!("\"attr\":{}", quoted(attr))];
        if !is_marked {
            fields.push(format!("\"role\":{}", quoted(link.role.as_str())));
            fields.push(format!("\"raw\":{}", quoted(&raw)));
        }
        if !is_marked || link.reference != raw {
            fields.push(format!("\"ref\":{}", quoted(&link.reference)));
        }
        fields.push(format!("\"uri\":{}", target.uri.map_or("null".to_owned(), quoted)));
        if !is_marked {
            let spans = link.spans.iter();
            let spans: Vec<_> = spans.map(|it| format!("[{},{}]", it.start, it.end)).collect();
            let position = self.document.lines().position(link.extent().start);
            fields.push(format!("\"spans\":[{}]", spans.join(",")));
            fields.push(format!("\"line\":{}", position.line));
            fields.push(format!("\"col\":{}", position.column));
        }
        if target.same_document {
            fields.push("\"same_document\":true".to_owned());
        }
        let notes: Vec<_> = target.notes.iter().map(|it| quoted(it.as_str())).collect();
        if !notes.is_empty() {
            fields.push(format!("\"notes\":[{}]", notes.join(",")));
        }
        fields
    }

    /// The rules that apply, with their names.
    fn rules(&self) -> Result<Vec<(&'static str, Rule)>, String> {
        let mut rules = Vec::new();
        if self.document.base().is_some() {
            rules.push(("absolute", Rule::Absolute));
            rules.push(("relative", Rule::Relative));
        }
        if let Some(entries) = read_if_exists(&self.directory.join("map.txt"))? {
            let mut map = PrefixMap::default();
            for entry in entries.lines() {
                map.insert_entry(entry).map_err(|error| format!("map.txt: {entry}: {error}"))?;
            }
            rules.push(("map", Rule::Map(map)));
        }
        Ok(rules)
    }

    /// A diff of the document for each rule that applies.
    fn diffs(&self, links: &Links<'_>) -> Result<Option<Vec<u8>>, String> {
        let old = &self.document;
        let extension = old.path().extension().unwrap_or_default().display();
        let mut diffs = Vec::new();
        for (name, rule) in self.rules()? {
            let rules =
                Rules { rules: vec![rule], resolver: Resolver::default(), ..Rules::default() };
            let plan = Plan::new(links, &rules);
            diffs.extend(format!("--- in.{extension}\n+++ {name}.{extension}\n").into_bytes());
            write_hunks(old.bytes(), plan.bytes(), &mut diffs);
        }
        Ok((!diffs.is_empty()).then_some(diffs))
    }
}

/// The only `marked.*` or `in.*` of a directory.
fn document_file(directory: &Path) -> Result<PathBuf, String> {
    let entries = fs::read_dir(directory).map_err(|error| error.to_string())?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut documents = paths.filter(|path| {
        let stem = path.file_stem();
        stem.is_some_and(|stem| stem == "marked" || stem == "in")
    });
    match (documents.next(), documents.next()) {
        (Some(path), None) => Ok(path),
        (None, _) => Err("no marked.* or in.*".to_owned()),
        (Some(_), Some(_)) => Err("more than one of marked.* and in.*".to_owned()),
    }
}

/// Appends the hunks of a unified diff without context. Bytes that are not UTF-8 are copied as they
/// are.
fn write_hunks(old: &[u8], new: &[u8], diff: &mut Vec<u8>) {
    let (old, new) = (lines(old), lines(new));
    let changes = capture_diff_slices(Algorithm::Myers, &old, &new);
    for change in changes.iter().filter(|it| it.tag() != DiffTag::Equal) {
        let range = |lines: Range<usize>| match lines.len() {
            0 => format!("{},0", lines.start),
            count => format!("{},{count}", lines.start + 1),
        };
        let (old_range, new_range) = (range(change.old_range()), range(change.new_range()));
        diff.extend(format!("@@ -{old_range} +{new_range} @@\n").into_bytes());
        let removed = old[change.old_range()].iter().map(|line| (b'-', line));
        let added = new[change.new_range()].iter().map(|line| (b'+', line));
        for (sign, line) in removed.chain(added) {
            diff.push(sign);
            diff.extend_from_slice(line);
            if !line.ends_with(b"\n") {
                diff.extend_from_slice(b"\n\\ No newline at end of file\n");
            }
        }
    }
}

/// The lines with their LF.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').collect()
}

/// Compares with a file of the directory, or writes it.
pub(crate) fn expect(
    directory: &Path,
    file: &str,
    actual: Vec<u8>,
    report: &mut String,
) -> Result<(), String> {
    let path = directory.join(file);
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
    let file = format!("{}/{file}", name(directory));
    match expected {
        Some(expected) => report_differences(&file, &expected, &actual, report),
        None => drop(writeln!(report, "{file}: there is no such file")),
    }
    Ok(())
}

/// Reports the lines that differ. Control characters are escaped; in lines that are not UTF-8, so
/// are all other bytes that are not ASCII.
fn report_differences(file: &str, expected: &[u8], actual: &[u8], report: &mut String) {
    let escaped = |it: char| match it.is_control() {
        true => it.escape_default().to_string(),
        false => it.to_string(),
    };
    let shown = |line: &[u8]| match std::str::from_utf8(line) {
        Ok(line) => line.chars().map(escaped).collect(),
        Err(_) => line.escape_ascii().to_string(),
    };
    let lines = |bytes: &[u8]| -> Vec<String> {
        bytes.split_inclusive(|&it| it == b'\n').map(shown).collect()
    };
    let (expected, actual) = (lines(expected), lines(actual));
    for at in 0..expected.len().max(actual.len()) {
        let line = |lines: &[String]| lines.get(at).map_or("(nothing)".to_owned(), String::clone);
        let (expected, actual) = (line(&expected), line(&actual));
        if expected != actual {
            let _ =
                writeln!(report, "{file}:{}:\n  expected {expected}\n    actual {actual}", at + 1);
        }
    }
}

fn read_if_exists(path: &Path) -> Result<Option<String>, String> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}
