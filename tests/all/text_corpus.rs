//! The texts of `corpus/text` and `corpus/syntax` have the marked links. The marks are removed,
//! `rehref extract` finds the links with the options of `NAME.args`, and they are marked again: the
//! result must be the same text. Texts of `corpus/syntax` are files of their names, since the
//! extension selects the syntax. `REHREF_BLESS=1` writes the results into the files.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use rehref::document::Document;
use rehref::format::Format;
use rehref::format::Options;
use rehref::source::{Charset, TextSyntax};
use serde_json::Value;

use crate::marks::{self, CONTINUED, Piece};
use crate::support::tree::{Ran, Tree, rehref};
use crate::tables::{Table, all_tables, tables};

/// The label of another reading. It is not part of the text.
const READING: &str = "|";
/// The label of the reference, where the pieces spell it differently. It is not part of the text.
const DECODED: &str = "=";

#[test]
fn texts_have_the_marked_links() {
    let bless = env::var_os("REHREF_BLESS").is_some_and(|value| value == "1");
    let mut report = String::new();
    for table in texts() {
        let actual = table.marked_again(&table.plain());
        if actual == table.marked {
            continue;
        }
        if bless {
            fs::write(&table.path, actual)
                .unwrap_or_else(|error| panic!("{}: {error}", table.name));
            continue;
        }
        report_differences(&table.name, &table.marked, &actual, &mut report);
    }
    assert!(
        report.is_empty(),
        "links differ from the marks:\n{report}(REHREF_BLESS=1 cargo test texts_are_found_as_marked rewrites the files)"
    );
}

#[test]
fn line_endings_do_not_change_the_links() {
    let mut report = String::new();
    for table in texts() {
        let with_cr = |text: &str| text.replace("\r\n", "\n").replace('\n', "\r\n");
        let actual = table.marked_again(&with_cr(&table.plain()));
        report_differences(&table.name, &with_cr(&table.marked), &actual, &mut report);
    }
    assert!(report.is_empty(), "with CR LF:\n{report}");
}

/// Files with different values of one option, such as `iri-ascii.txt` and `iri-auto.txt`, have the
/// same text.
#[test]
fn texts_of_one_option_are_equal() {
    let mut readings: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for table in texts() {
        if let [option, _value] = &table.flags[..] {
            let plain = table.plain();
            readings.entry(option.clone()).or_default().push((table.name, plain));
        }
    }
    for (option, tables) in readings {
        for (name, text) in &tables {
            assert_eq!(*text, tables[0].1, "{option}: {name} and {}", tables[0].0);
        }
    }
}

/// A text of the corpus.
struct Text {
    /// The file name, if the text has a syntax.
    file: Option<String>,
    path: std::path::PathBuf,
    name: String,
    marked: String,
    /// The options.
    flags: Vec<String>,
}

impl Text {
    /// The text without its marks.
    fn plain(&self) -> String {
        self.pieces().into_iter().map(|(_, text)| text).collect()
    }

    /// The pieces of the text.
    fn pieces(&self) -> Vec<Piece<'_>> {
        let pieces = marks::pieces(&self.marked);
        let mut pieces = pieces.unwrap_or_else(|error| panic!("{}: {error}", self.name));
        pieces.retain(|(label, _)| !matches!(*label, Some(READING | DECODED)));
        pieces
    }

    fn syntax(&self) -> Option<TextSyntax> {
        let file = self.file.as_ref()?;
        TextSyntax::detect(file.as_ref(), self.plain().as_bytes())
    }

    /// The text with marks around every link. It may have other line endings than the file.
    fn marked_again(&self, text: &str) -> String {
        let links = match &self.file {
            None => extracted(text, &["--media", "text", "-"], &self.flags),
            Some(file) => {
                let tree = Tree::new(&[(file, text)]);
                extracted("", &[tree.at(file).to_str().expect("UTF-8")], &self.flags)
            }
        };
        marked(text, &links)
    }
}

fn texts() -> impl Iterator<Item = Text> {
    let plain = tables("text", "txt").into_iter().map(|table| (table, None));
    let files = all_tables("syntax").into_iter().map(|table| {
        let file = table.path.file_name().and_then(|name| name.to_str());
        let file = file.map(str::to_owned);
        (table, file)
    });
    plain.chain(files).map(|(table, file)| {
        let Table { path, name, text } = table;
        let flags = match file {
            None => fs::read_to_string(path.with_extension("args")).unwrap_or_default(),
            Some(_) => String::new(),
        };
        Text {
            file,
            path,
            name,
            marked: text,
            flags: flags.split_whitespace().map(str::to_owned).collect(),
        }
    })
}

/// Appends the lines that differ. Marks contain no line endings, so both texts have the same lines.
fn report_differences(name: &str, expected: &str, actual: &str, report: &mut String) {
    for (number, (expected, actual)) in (1..).zip(expected.lines().zip(actual.lines())) {
        if expected != actual {
            let _ =
                writeln!(report, "{name}:{number}:\n  expected {expected}\n    actual {actual}");
        }
    }
}

/// The text with marks around every link.
fn marked(text: &str, links: &[Value]) -> String {
    let mut marked = String::with_capacity(text.len());
    let mut copied = 0;
    for link in links {
        let string = |value: &Value| value.as_str().expect("a string").to_owned();
        let mut label = string(&link["cue"]);
        let notes = link["notes"].as_array().expect("notes");
        if notes.iter().any(|note| note == "doubtful") {
            label.push('?');
        }
        let mut spelled = String::new();
        for span in link["spans"].as_array().expect("spans") {
            let bound = |at: usize| span[at].as_u64().expect("an offset") as usize;
            let piece = &text[bound(0)..bound(1)];
            spelled.push_str(piece);
            marked.push_str(&text[copied..bound(0)]);
            marks::push(&mut marked, &label, piece);
            copied = bound(1);
            label = CONTINUED.to_owned();
        }
        assert_eq!(spelled, string(&link["raw"]));
        let reference = string(&link["ref"]);
        if spelled != reference {
            assert!(notes.iter().any(|note| note == "unescaped"));
            marks::push(&mut marked, DECODED, &reference);
        }
        for reading in link["alternatives"].as_array().expect("alternatives") {
            marks::push(&mut marked, READING, &string(reading));
        }
    }
    marked.push_str(&text[copied..]);
    marked
}

/// The links of `rehref extract` as records, in `text` on standard input or in the paths of `args`.
fn extracted(text: &str, args: &[&str], flags: &[String]) -> Vec<Value> {
    let mut command = rehref(Path::new("."), "extract --json --charset utf-8");
    let records = Ran::reading(command.args(flags).args(args), text).ends(0).out;
    let records = records.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    records.filter(|record: &Value| record["type"] == "link").collect()
}

/// Spans and lines are right in every character encoding that can encode a text. The pieces before
/// a link give its expected offset and line.
#[test]
fn spans_are_bytes_in_every_charset() {
    let mut texts_of = BTreeMap::new();
    for table in texts().filter(|table| table.flags.is_empty()) {
        let pieces = table.pieces();
        for (charset, mark) in CHARSETS {
            let Some(bytes) = encoded(&pieces, charset, mark) else {
                continue;
            };
            *texts_of.entry(charset).or_insert(0) += 1;
            let actual = spans_in(&bytes, charset, table.syntax());
            let expected = bytes.spans;
            assert_eq!(actual, expected, "{}: {charset} {mark:?}", table.name);
        }
    }
    // Each encoding must be tested with some texts.
    let least = CHARSETS.map(|(charset, _)| texts_of.get(charset).copied().unwrap_or(0));
    assert!(least.iter().all(|texts| *texts >= 3), "{texts_of:?}");
}

/// Character encodings, each with the byte order mark of the text.
const CHARSETS: [(&str, &[u8]); 10] = [
    ("utf-8", b""),
    ("utf-8", b"\xEF\xBB\xBF"),
    ("utf-16le", b""),
    ("utf-16le", b"\xFF\xFE"),
    ("utf-16be", b""),
    ("utf-16be", b"\xFE\xFF"),
    ("shift_jis", b""),
    ("gb18030", b""),
    ("iso-2022-jp", b""),
    ("windows-1252", b""),
];

/// An encoded text, and the spans, line and column of its links.
struct Encoded {
    bytes: Vec<u8>,
    spans: Vec<LinkAt>,
}

type LinkAt = (Vec<(usize, usize)>, usize, usize);

/// `None` if the character encoding lacks a character, or has an escape sequence where a link
/// begins or ends: its side is not defined.
fn encoded(pieces: &[Piece<'_>], charset: &str, mark: &[u8]) -> Option<Encoded> {
    let mut all = Encoded { bytes: mark.to_vec(), spans: Vec::new() };
    let (mut line, mut line_start) = (1, 0);
    for &(label, text) in pieces {
        let start = all.bytes.len();
        for part in text.split_inclusive('\n') {
            all.bytes.extend(bytes_of(part, charset)?);
            if part.ends_with('\n') {
                line += 1;
                line_start = all.bytes.len();
            }
        }
        let span = (start, all.bytes.len());
        match label {
            None => continue,
            Some(_) if charset == "iso-2022-jp" && !text.is_ascii() => return None,
            Some(CONTINUED) => all.spans.last_mut()?.0.push(span),
            Some(_) => all.spans.push((vec![span], line, start - line_start + 1)),
        }
    }
    Some(all)
}

fn bytes_of(text: &str, charset: &str) -> Option<Vec<u8>> {
    let encoding = encoding_rs::Encoding::for_label(charset.as_bytes())?;
    match charset {
        "utf-16le" => Some(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        "utf-16be" => Some(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
        _ => {
            let (bytes, _, is_lossy) = encoding.encode(text);
            let is_back = encoding.decode_without_bom_handling(&bytes).0 == text;
            (!is_lossy && is_back).then(|| bytes.into_owned())
        }
    }
}

/// The links of a document with these bytes.
fn spans_in(text: &Encoded, charset: &str, syntax: Option<TextSyntax>) -> Vec<LinkAt> {
    let document = Document::new("a.txt", text.bytes.clone())
        .with_format(Format::Text)
        .with_syntax(syntax)
        .with_charset(Charset::named(charset, &text.bytes).expect("a charset"));
    let links = document.links_with(&Options::default());
    assert_eq!(links.malformed(), None);
    let mut lines = document.lines();
    let links = links.found().links.iter().map(|link| {
        let at = lines.position(link.extent().start);
        let spans = link.spans.iter().map(|span| (span.start, span.end));
        (spans.collect(), at.line, at.column)
    });
    links.collect()
}
