use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::LANGUAGE;
use super::file::{self, Pdf};
use crate::format::{Format, Options};
use crate::source::{Charset, Source};

/// A file with these objects. The first one is the catalog.
fn file(objects: &[&str]) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n".to_vec();
    for (number, object) in objects.iter().enumerate() {
        file.extend_from_slice(format!("{} 0 obj\n{object}\nendobj\n", number + 1).as_bytes());
    }
    file.extend_from_slice(b"trailer <</Root 1 0 R>>\nstartxref\n0\n%%EOF\n");
    file
}

/// An object with these objects in its stream, compressed.
fn stream(objects: &[(u64, &str)]) -> Vec<u8> {
    let (mut heads, mut content) = (String::new(), String::new());
    for (number, object) in objects {
        heads += &format!("{number} {} ", content.len());
        content += &format!("{object} ");
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all((heads.clone() + &content).as_bytes()).expect("memory");
    let data = encoder.finish().expect("memory");
    let (count, first, len) = (objects.len(), heads.len(), data.len());
    let dictionary =
        format!("<</Type/ObjStm/N {count}/First {first}/Length {len}/Filter/FlateDecode>>");
    [dictionary.as_bytes(), b"stream\r\n", &data, b"\nendstream"].concat()
}

fn uris(pdf: &Pdf) -> Vec<&str> {
    pdf.links.iter().map(|(uri, _)| uri.as_str()).collect()
}

/// Reads a file with this content after its header.
fn read(content: &[u8]) -> Pdf {
    file::read(&[b"%PDF-1.7\n", content].concat())
}

#[test]
fn uris_of_actions_are_links_with_their_bytes() {
    let bytes = file(&[
        "<</Type/Catalog/Pages 2 0 R/URI<</Base(http://a.example/b/)>>>>",
        "<</Kids[3 0 R]>>",
        "<</Annots[<</A<</S/URI/URI(http://a.example/\\(1\\)\\057)>>>> 4 0 R]>>",
        "<</A<</S/U#52I /U#52I <687474703A2F2F622F> >>/Next 5 0 R>>",
        "<<% a comment\n /URI 6 0 R /S /URI /Title (URI) /Other [/URI (no)] /Next<</S/URI/URI 6 0 R>>>>",
        "(c d.odt)",
        "<</URI(no)/S/GoTo>>",
    ]);
    let pdf = file::read(&bytes);
    assert_eq!(uris(&pdf), ["http://a.example/(1)/", "http://b/", "c d.odt"]);
    assert_eq!(pdf.base.as_deref(), Some("http://a.example/b/"));
    assert_eq!(pdf.problem, None);
    let written = pdf.links.iter().map(|(_, it)| &bytes[it.expect("bytes").range()]);
    let expected: [&[u8]; 3] =
        [b"http://a.example/\\(1\\)\\057", b"687474703A2F2F622F", b"c d.odt"];
    assert_eq!(written.collect::<Vec<_>>(), expected);
}

#[test]
fn compressed_objects_are_read_and_have_no_bytes() {
    let objects = stream(&[
        (2, "<</A<</S/URI/URI(http://b/)>>/K[4 0 R 5 0 R]>>"),
        (4, "<</S/URI/URI 6 0 R>>"),
        (6, "(http://c/)"),
    ]);
    let mut bytes = b"1 0 obj<</Pages 2 0 R/X 5 0 R>>endobj\n3 0 obj".to_vec();
    bytes.extend_from_slice(&objects);
    bytes.extend_from_slice(b"endobj 5 0 obj<</S/URI/URI(http://a/)>>endobj\n");
    bytes.extend_from_slice(
        b"7 0 obj<</Type/XRef/Root 1 0 R/Length 9>>stream\n 9 0 obj \nendstream endobj startxref",
    );
    let pdf = read(&bytes);
    assert_eq!(uris(&pdf), ["http://b/", "http://c/", "http://a/"]);
    let has_bytes = pdf.links.iter().map(|(_, span)| span.is_some());
    assert_eq!(has_bytes.collect::<Vec<_>>(), [false, false, true]);
    assert_eq!(pdf.problem, None);
}

#[test]
fn only_the_last_objects_of_a_number_that_are_reached_count() {
    let mut bytes = file(&[
        "<</Pages 2 0 R>>",
        "<</S/URI/URI(http://old/)/K 3 0 R>>",
        "<</S/URI/URI(http://old/3)>>",
        "<</S/URI/URI(http://never/)>>",
        "<</K 4 0 R>>",
    ]);
    bytes.extend_from_slice(
        b"2 0 obj<</S/URI/URI(http://new/)>>endobj % 2 0 obj <</S/URI/URI(http://no/)>>\n",
    );
    assert_eq!(uris(&file::read(&bytes)), ["http://new/"]);
    // An older revision had another catalog.
    let older = [&bytes[..], b"6 %a\n0 %b\nobj<</K 3 0 R>>endobj trailer<</Root 6 0 R>>"].concat();
    assert_eq!(uris(&file::read(&older)), ["http://old/3"]);
}

#[test]
fn words_in_strings_and_comments_are_not_those_of_the_file() {
    let bytes = file(&[
        "<</K 2 0 R/A(endobj 3 0 obj)/B<65 6e>% endobj\n/S/URI/URI(http://a/endobj)>>",
        "<</S/URI/URI(http://b/stream)/C(trailer<</Encrypt 1 0 R>>)/Encrypt 1 0 R/Root 3 0 R>>",
    ]);
    let pdf = file::read(&bytes);
    assert_eq!(uris(&pdf), ["http://a/endobj", "http://b/stream"]);
    assert_eq!(pdf.problem, None);
}

#[test]
fn a_file_in_a_stream_is_not_read() {
    let inner = "2 0 obj<</S/URI/URI(http://inner/)>>endobj 4 0 obj 7 endobj\nstream\nendstream\n\
                 trailer<</Encrypt 1 0 R>>";
    for (len, other) in [(inner.len().to_string(), "0"), ("4 0 R".to_owned(), "0")] {
        let stream = format!("<</Length {len}/X 2 0 R>>stream\n{inner}\nendstream");
        let len = inner.len().to_string();
        let objects = ["<</K[2 0 R 3 0 R]>>", "<</S/URI/URI(http://a/)>>", &stream, &len, other];
        let pdf = file::read(&file(&objects));
        assert_eq!(uris(&pdf), ["http://a/"], "{stream}");
        assert!(!pdf.is_encrypted);
    }
}

#[test]
fn the_base_may_be_in_other_objects() {
    for catalog in ["/URI 2 0 R", "/URI<</Base 3 0 R>>", "/URI 4 0 R", "/URI<</Base(http://b/)>>"] {
        let catalog = format!("<<{catalog}>>");
        let bytes = file(&[&catalog, "<</Base(http://b/)>>", "(http://b/)", "<</Base 3 0 R>>"]);
        assert_eq!(file::read(&bytes).base.as_deref(), Some("http://b/"), "{catalog}");
    }
}

#[test]
fn a_file_whose_links_are_not_all_read_has_a_problem() {
    let whole = file(&["<</K 2 0 R>>", "<</S/URI/URI(http://a/)>>"]);
    let bomb = stream(&[(2, &" ".repeat(17 << 20))]);
    let bomb = [b"%PDF-1.5\n1 0 obj<</A 2 0 R>>endobj 3 0 obj", &bomb[..]].concat();
    let mut damaged = stream(&[(2, "<</S/URI/URI(http://a/)>>")]);
    let at = damaged.len() - 20;
    damaged[at] ^= 1;
    let damaged = [b"%PDF-1.5\ntrailer<</Root 2 0 R>> 3 0 obj", &damaged[..]].concat();
    let of_stream = |entries: &str| {
        format!("%PDF-1.5\n2 0 obj<</Type/ObjStm{entries}>>stream\nx\nendstream endobj")
            .into_bytes()
    };
    let deep = file(&[&format!("{}{}", "[".repeat(300), "]".repeat(300))]);
    for (bytes, problem) in [
        (b"%PDF-1.5\nnot a NUL".to_vec(), "perhaps cut"),
        (whole[..whole.len() - 40].to_vec(), "perhaps cut"),
        (b"%PDF-1.5\nstartxref".to_vec(), "no catalog"),
        (bomb, "inflate too far"),
        (damaged, "damaged objects"),
        (of_stream("/N 1"), "damaged objects"),
        (of_stream("/Filter/LZWDecode"), "unusual way"),
        (of_stream("/Filter 3 0 R"), "unusual way"),
        (of_stream("/First 3 0 R"), "unusual way"),
        (of_stream("/Filter/FlateDecode/DecodeParms<</Predictor 12>>"), "unusual way"),
        (deep, "nest too deeply"),
    ] {
        let found = file::read(&bytes).problem.expect(problem);
        assert!(found.contains(problem), "{found}: {problem}");
    }
    // What is left is read.
    assert_eq!(uris(&file::read(&whole[..whole.len() - 50])), ["http://a/"]);
    let encrypted = [&whole[..], b"trailer<</Encrypt 9 0 R>>"].concat();
    let pdf = file::read(&encrypted);
    assert!(pdf.is_encrypted && pdf.links.is_empty());
    assert_eq!(pdf.problem, None);
}

#[test]
fn strings_are_decoded() {
    for (string, uri) in [
        ("(a\\\nb\\\r\nc)", "abc"),
        ("(a(b)c\\)\\101\\1012\\7z)", "a(b)c)AA2\x07z"),
        ("<61 6>", "a`"),
        ("<FEFF00E9>", "é"),
        ("(\\303\\251)", "é"),
        ("(\\351)", "é"),
        ("(\\q)", "q"),
        ("()", ""),
    ] {
        let bytes = file(&[&format!("<</S/URI/URI{string}>>")]);
        assert_eq!(uris(&file::read(&bytes)), [uri], "{string}");
    }
}

#[test]
fn a_file_is_recognized_by_its_header() {
    for (name, bytes, format) in [
        ("a.pdf", &b"%PDF-1.4\n\0"[..], Format::Pdf),
        ("a.PDF", b"junk\n%PDF-1.4\n", Format::Pdf),
        ("a", b"%PDF-2.0\r\n", Format::Pdf),
        ("a.txt", b"%PDF-1.4\n", Format::Pdf),
        ("a", b"about %PDF-1.4\n", Format::Text),
        ("a.tex", b"%PDF-settings\n", Format::Text),
        ("a", b"%PDF-1.4: http://a/", Format::Text),
        ("a.pdf", b"http://a/", Format::Text),
    ] {
        assert_eq!(Format::detect(Path::new(name), bytes), format, "{name} {bytes:?}");
    }
}

#[test]
fn blank_uris_are_no_links() {
    let source = Source::new(
        file(&["<</S/URI/URI( b c )/K<</S/URI/URI()>>>>"]),
        Charset::named("utf-8", b"").expect("a label"),
    );
    let found = (LANGUAGE.read)(&source, &Options::default());
    let references: Vec<_> = found.links.iter().map(|it| &*it.reference).collect();
    assert_eq!(references, ["b c"]);
}
