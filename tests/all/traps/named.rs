//! Inputs that are named on the command line and are not read or not rewritten.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use super::{files_of_bytes, rehref};

const DOCX: &[u8] = b"PK\x03\x04\0\0";
const GZIP: &[u8] = b"\x1F\x8B\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0";
const PNG: &[u8] = b"\x89PNG\r\n\x1A\n\0\0\0\0";
const PDF: &[u8] = b"%PDF-1.4 http://old.example/";
const MAIL: &[u8] = b"From: a@b.example\nTo: c\nSubject: d\n\nhttp://old.example/\n";
const MAP: &str = "--map=http://old.example=http://new.example";

fn site() -> tempfile::TempDir {
    files_of_bytes(&[
        ("a.docx", DOCX),
        ("b.html.gz", GZIP),
        ("c.png", PNG),
        ("d.pdf", PDF),
        ("e.eml", MAIL),
        ("f.x", b"a\0b"),
    ])
}

/// Runs `rehref`. Panics unless it ends with this code. Returns its messages.
#[track_caller]
fn ends(code: i32, directory: &Path, arguments: &[&str]) -> String {
    let mut command = rehref(directory, arguments);
    let output = command.stdin(Stdio::null()).output().expect("rehref runs");
    messages(code, &output)
}

#[track_caller]
fn messages(code: i32, output: &Output) -> String {
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{messages}");
    messages
}

/// The named inputs with the reason that they are not rewritten, and the way out.
const NOT_REWRITTEN: [(&str, &str, &str); 5] = [
    ("a.docx", "links in .docx files are not read", ""),
    ("b.html.gz", "gzip files are not rewritten", "decompress it"),
    ("d.pdf", "links in .pdf files are not read", ""),
    ("e.eml", "mail is never rewritten", ""),
    ("f.x", "binary file", "--media"),
];

#[test]
fn named_file_that_is_not_rewritten_is_an_error_with_its_reason() {
    let directory = site();
    for (name, reason, help) in NOT_REWRITTEN {
        for way in [&[][..], &["-w"]] {
            let said = ends(2, directory.path(), &[&["rewrite", MAP, name], way].concat());
            assert!(said.contains(&format!("rehref: {name}: ")), "{said}");
            assert!(said.contains(reason) && said.contains(help), "{said}");
        }
    }
    let said = ends(0, directory.path(), &["rewrite", MAP, "."]);
    for reason in ["are not", "binary file\n"] {
        assert!(!said.contains(reason), "found in a directory: {said}");
    }
    assert!(ends(0, directory.path(), &["rewrite", MAP, "c.png"]).contains("nothing to rewrite"));
    assert_eq!(fs::read(directory.path().join("d.pdf")).expect("read"), PDF);
}

#[test]
fn new_tree_has_named_files_that_are_not_rewritten() {
    let directory = site();
    let (root, names) = (directory.path(), ["a.docx", "b.html.gz", "c.png", "d.pdf"]);
    let said = ends(2, root, &[&["rewrite", MAP, "-o", "out"][..], &names].concat());
    assert!(said.contains("a.docx: unchanged") && said.contains("d.pdf: unchanged"), "{said}");
    assert!(!said.contains("c.png"), "an image has no links: {said}");
    for name in names {
        let read = |path: &Path| fs::read(path).expect("readable");
        assert_eq!(read(&root.join("out").join(name)), read(&root.join(name)));
    }
    ends(0, root, &["rewrite", MAP, "-o", "image", "c.png"]);
}

#[test]
fn filter_passes_on_what_it_does_not_rewrite_and_fails() {
    let directory = site();
    for (content, reason) in [
        (DOCX, "links in .zip files are not read"),
        (GZIP, "gzip files are not rewritten"),
        (PNG, "not HTML, CSS, XML or plain text"),
        (PDF, "links in .pdf files are not read"),
        (MAIL, "mail is never rewritten"),
    ] {
        let mut command = rehref(directory.path(), &["rewrite", MAP, "-"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().expect("rehref runs");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(content).expect("written");
        drop(input);
        let output = child.wait_with_output().expect("ends");
        let said = messages(2, &output);
        assert!(said.contains(reason), "{said}");
        assert_eq!(output.stdout, content, "{reason}");
    }
}

#[test]
fn extract_says_that_a_named_document_is_not_read() {
    let directory = site();
    let said = ends(0, directory.path(), &["extract", "a.docx"]);
    assert!(said.starts_with("rehref: a.docx: binary file skipped"), "{said}");
    let said = ends(0, directory.path(), &["extract", "d.pdf"]);
    let warning = "rehref: d.pdf: read as plain text: other links of its format are not found\n  \
                   help: convert it first: pdftotext FILE - | rehref extract -\n\
                   rehref: 1 .pdf file: links not read\n";
    assert_eq!(said, warning);
    let said = ends(0, directory.path(), &["extract", "."]);
    assert!(said.contains("1 .pdf file"), "{said}");
}
