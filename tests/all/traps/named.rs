//! Inputs that are named on the command line and are not read or not rewritten.

use crate::support::tree::{Has, Tree};

const DOCX: &[u8] = b"PK\x03\x04\0\0";
const GZIP: &[u8] = b"\x1F\x8B\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0";
const PNG: &[u8] = b"\x89PNG\r\n\x1A\n\0\0\0\0";
const PDF: &[u8] =
    b"%PDF-1.4\n1 0 obj<</S/URI/URI(http://old.example/)>>endobj trailer<</Root 1 0 R>>startxref";
const MAIL: &[u8] = b"From: a@b.example\nTo: c\nSubject: d\n\nhttp://old.example/\n";
const MAP: &str = "--map=http://old.example=http://new.example";

fn site() -> Tree {
    Tree::of_bytes(&[
        ("a.rtf", DOCX),
        ("b.html.gz", GZIP),
        ("c.png", PNG),
        ("d.pdf", PDF),
        ("e.eml", MAIL),
        ("f.x", b"a\0b"),
    ])
}

/// The named inputs with the reason that they are not rewritten, and the way out.
const NOT_REWRITTEN: [(&str, &str, &str); 5] = [
    ("a.rtf", "links in .rtf files are not read", ""),
    ("b.html.gz", "gzip files are not rewritten", "decompress it"),
    ("d.pdf", "pdf files are not rewritten", ""),
    ("e.eml", "mail is never rewritten", ""),
    ("f.x", "binary file", "--media"),
];

#[test]
fn named_file_that_is_not_rewritten_is_an_error_with_its_reason() {
    let tree = site();
    for (name, reason, help) in NOT_REWRITTEN {
        for way in ["", "-w"] {
            let said = tree.ends(2, format!("rewrite {MAP} {name} {way}"));
            said.has(format!("rehref: {name}: "));
            said.has(reason).has(help);
        }
    }
    let said = tree.ends(0, format!("rewrite {MAP} ."));
    for reason in ["are not", "binary file\n"] {
        said.lacks(reason);
    }
    tree.ends(0, format!("rewrite {MAP} c.png")).has("nothing to rewrite");
    assert_eq!(tree.bytes("d.pdf"), PDF);
}

#[test]
fn new_tree_has_named_files_that_are_not_rewritten() {
    let tree = site();
    let names = ["a.rtf", "b.html.gz", "c.png", "d.pdf"];
    let said = tree.ends(2, format!("rewrite {MAP} -o out {}", names.join(" ")));
    said.has("a.rtf: unchanged").has("d.pdf: unchanged");
    said.lacks("c.png");
    for name in names {
        assert_eq!(tree.bytes(format!("out/{name}")), tree.bytes(name));
    }
    tree.ends(0, format!("rewrite {MAP} -o image c.png"));
}

#[test]
fn filter_passes_on_what_it_does_not_rewrite_and_fails() {
    let tree = site();
    for (content, reason) in [
        (DOCX, "links in .zip files are not read"),
        (GZIP, "gzip files are not rewritten"),
        (PNG, "not HTML, CSS, XML or plain text"),
        (PDF, "pdf files are not rewritten"),
        (MAIL, "mail is never rewritten"),
    ] {
        let ran = tree.run_reading(format!("rewrite {MAP} -"), content).ends(2);
        ran.err.has(reason);
        assert_eq!(ran.out_bytes, content, "{reason}");
    }
}

#[test]
fn extract_says_that_a_named_document_is_not_read() {
    let tree = site();
    tree.ends(0, "extract a.rtf").begins("rehref: a.rtf: binary file skipped");
    let said = tree.ends(0, "extract d.pdf");
    let warning = "rehref: 1 pdf file: URLs in text not read\n  \
                   help: find the URLs in the text: pdftotext FILE - | rehref extract -\n";
    assert_eq!(said, warning);
    tree.ends(0, "extract .").has("1 pdf file");
}
