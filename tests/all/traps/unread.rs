//! Documents whose links are not read are counted by every command.

use std::process::Command;

use serde_json::{Value, json};

use crate::support::tree::{Has, Ran, Tree};

/// A site with documents in formats without a reader, and with files that have no links.
fn site() -> Tree {
    let content: [(&str, &[u8]); 12] = [
        ("index.html", b"<a href=about.html>about</a>"),
        ("about.html", b"<p>http://old.example/"),
        ("one.rtf", b"PK\x03\x04\0\0"),
        ("two.RTF", b"PK\x03\x04\0\0"),
        ("paper.djvu", b"AT&TFORM\0"),
        ("page.html.br", b"\x0B\x02\x80hello\xE9\x03"),
        ("data.x", b"a\0b"),
        ("notes.rst", b"`about <about.html>`_"),
        ("image", b"\x89PNG\r\n\x1A\n\0\0\0\0"),
        ("photo.jpg", b"\xFF\xD8\xFF\0"),
        ("font.woff2", b"wOF2\0\x01"),
        ("letter.eml", b"From: a@b.example\nTo: c\nSubject: d\n\nhttp://old.example/\n"),
    ];
    Tree::of_bytes(&content)
}

/// The last record of a JSON output.
fn summary(output: &Ran) -> Value {
    let last = output.out.lines().last().expect("a summary");
    serde_json::from_str(last).expect("JSON")
}

const NOT_READ: &str = "1 .br file, 1 .djvu file, 2 .rtf files, 1 binary file: links not read; \
                        1 .rst file: relative links not read";

fn assert_ends(output: &Ran, end: &str) {
    let errors = &output.err;
    assert!(errors.trim_end().ends_with(end), "{errors}");
}

#[test]
fn check_counts_documents_whose_links_are_not_read() {
    let site = site();
    let output = site.run("check").ends(0);
    assert_ends(&output, &format!("0 broken; {NOT_READ}"));
    let unread = json!({".br": 1, ".rtf": 2, ".djvu": 1, ".rst": 1, "binary": 1});
    assert_eq!(summary(&site.run("check --json"))["unread"], unread);
}

#[test]
fn summary_has_no_field_for_unread_documents_if_all_are_read() {
    let directory = Tree::of_bytes(&[("a.html", b"<p>"), ("a.png", b"\x89PNG\r\n\x1A\n\0\0")]);
    for arguments in ["check --json", "extract --json ."] {
        let summary = summary(&directory.run(arguments));
        assert_eq!(summary["docs"], 1, "{summary}");
        assert_eq!(summary.get("unread"), None, "{summary}");
    }
}

#[cfg(unix)]
#[test]
fn extract_counts_unread_documents_in_every_form() {
    use crate::terminal::printed_on_terminal;
    let site = site();
    let output = site.run("extract --json .");
    let unread = json!({".br": 1, ".rtf": 2, ".djvu": 1, ".rst": 1, "binary": 1});
    assert_eq!(summary(&output)["unread"], unread);
    assert_eq!(output.err, "");
    let told = format!(
        "rehref: {NOT_READ}\n  help: .rtf: convert it first: pandoc -t html FILE | rehref extract -\n  \
         help: .br: decompress it first: brotli -dc FILE | rehref extract -\n  \
         help: .djvu: convert it first: djvutxt FILE | rehref extract -\n"
    );
    let output = site.run("extract .");
    assert_eq!(output.err, told, "in a pipe");
    let output = site.run("extract -q .");
    assert_eq!(output.err, "", "quiet");

    let on_terminal = |options: &str| {
        let program = env!("CARGO_BIN_EXE_rehref");
        let mut shell = Command::new("sh");
        let line = format!("'{program}' --color=never extract {options} . 2>&1 >/dev/null");
        printed_on_terminal(shell.arg("-c").arg(line).current_dir(site.path()))
    };
    assert_eq!(on_terminal(""), told);
    assert_eq!(on_terminal("-q"), "");
    assert_eq!(on_terminal("--json"), "");
}

#[test]
fn rewrite_counts_documents_that_are_not_read_or_never_rewritten() {
    let site = site();
    for name in ["index.html.gz", "image.png.gz"] {
        site.write(name, b"\x1F\x8B\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0");
    }
    let output = site.run("rewrite --relative --base http://old.example/=. .");
    assert_ends(&output, &format!("{NOT_READ}; 1 gzip file, 1 mail file: not rewritten"));
    // A map is about absolute URLs, which are read in Markdown.
    let output = site.run("rewrite --map http://old.example=http://new.example .");
    let read = NOT_READ.split(';').next().expect("the first kinds");
    assert_ends(&output, &format!("{read}; 1 gzip file, 1 mail file: not rewritten"));
}

#[test]
fn move_counts_documents_whose_links_may_break() {
    let site = site();
    let output = site.run("move about.html more/about.html");
    assert_ends(&output, &format!("{NOT_READ}; 1 mail file: not rewritten"));
}

#[cfg(unix)]
#[test]
fn unreadable_files_and_directories_are_counted() {
    let site = site();
    site.make("closed");
    site.set_mode("", 0o755);
    let closed = ["closed", "about.html", "photo.jpg", "two.RTF"];
    closed.iter().for_each(|name| site.set_mode(name, 0));
    let output = Ran::of(&mut site.command_of_another_user("extract --json ."));
    closed.iter().for_each(|name| site.set_mode(name, 0o755));
    assert_eq!(output.code, 2);
    let unread = &summary(&output)["unread"];
    assert_eq!(
        (&unread["unreadable"], &unread["unreadable-directory"]),
        (&json!(2), &json!(1)),
        "{unread}"
    );
}

#[test]
fn a_named_document_without_a_reader_has_a_way_out() {
    let site = site();
    for (name, way) in [
        ("one.rtf", "pandoc -t html FILE | rehref extract -"),
        ("paper.djvu", "djvutxt FILE | rehref extract -"),
        ("page.html.br", "decompress it first"),
        ("data.x", "use --media KIND"),
    ] {
        let output = site.run(format!("extract {name}"));
        output.err.has(way).has("links not read");
    }
}

/// Values of vocabularies without rules for links.
const BOOK: [(&str, &str); 5] = [
    (
        "content.opf",
        "<?xml version='1.0'?><package xmlns='http://www.idpf.org/2007/opf'><item href='a.xhtml'/></package>",
    ),
    (
        "toc.ncx",
        "<?xml version='1.0'?><ncx xmlns='http://www.daisy.org/z3986/2005/ncx/'><content src='a.xhtml#b'/></ncx>",
    ),
    ("a.smil", "<smil xmlns='http://www.w3.org/ns/SMIL'><text src='a.xhtml#b'/></smil>"),
    (
        "document.xml.rels",
        "<?xml version='1.0'?><Relationships xmlns='urn:r'><Relationship Id='a' Target='media/image1.png'/></Relationships>",
    ),
    ("c.xml", "<config url='http://old.example/'><home>pages/a.html</home></config>"),
];

#[test]
fn references_of_other_vocabularies_are_counted_as_not_read() {
    for (name, text) in BOOK {
        let book = Tree::of_bytes(&[
            (name, text.as_bytes()),
            ("a.xhtml", b"<a href='b.html'/>"),
            ("b.html", b"<p>"),
        ]);
        for arguments in [
            "extract .",
            "check",
            "move a.xhtml c.xhtml",
            "rewrite --relative --base http://old.example/=. .",
        ] {
            let output = book.run(arguments);
            let errors = output.err;
            assert!(
                errors.contains("links not read") || errors.contains("URLs in text not read"),
                "{name} {arguments:?}: {errors}"
            );
        }
    }
}

#[test]
fn documents_of_known_vocabularies_are_not_counted() {
    let known = Tree::of_bytes(&[
        ("feed.xml", b"<feed xmlns='http://www.w3.org/2005/Atom' xmlns:x='urn:x'><link href='http://a.example/'/><x:y src='a.png'/></feed>"),
        ("map.xml", b"<urlset><url><loc>http://a.example/</loc></url></urlset>"),
        ("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'><a href='http://a.example/'/></svg>"),
        ("names.xml", b"<o:x xmlns:o='http://a.example/ns' xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:schemaLocation='http://a.example/ns a.xsd' version='1.0'/>"),
    ]);
    let output = known.run("extract .");
    assert_eq!(output.err, "");
}

#[test]
fn parts_of_messages_that_are_not_read_are_counted() {
    let part = |header: &str, body: &str| {
        format!(
            "From: a@b.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://a.example/\n\
             --b\n{header}\n\n{body}\n--b--\n"
        )
    };
    for (header, body, told) in [
        (
            "Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m",
            "x",
            "1 S/MIME part: links not read",
        ),
        ("Content-Type: application/x-pkcs7-mime", "x", "1 S/MIME part: links not read"),
        ("Content-Type: application/ms-tnef", "x", "1 TNEF part: links not read"),
        (
            "Content-Type: application/octet-stream; name=WINMAIL.DAT",
            "x",
            "1 TNEF part: links not read",
        ),
        (
            "Content-Type: application/octet-stream",
            "-----BEGIN PGP MESSAGE-----\nx",
            "1 OpenPGP part: links not read",
        ),
        ("Content-Type: application/pdf", "x", "1 .pdf part: links not read"),
        (
            "Content-Type: application/octet-stream\nContent-Disposition: attachment; filename=\"a.docx\"",
            "x",
            "1 .docx part: links not read",
        ),
        ("Content-Type: application/x-unknown", "x", "1 other part: links not read"),
        ("Content-Type: application/pkcs7-signature; name=smime.p7s", "x", ""),
        ("Content-Type: application/pgp-signature", "x", ""),
        ("Content-Type: image/png; name=a.png", "x", ""),
        ("Content-Type: application/octet-stream; name=a.jpg", "x", ""),
        ("Content-Type: application/ics; name=a.ics", "URL:http://b.example/", ""),
        ("Content-Type: application/x-any; name=a.ics", "URL:http://b.example/", ""),
        ("Content-Type: application/x-any; name=a.ics", "\0\u{1}", "1 other part: links not read"),
        (
            "Content-Type: text/plain",
            "-----BEGIN PGP MESSAGE-----\nx",
            "1 OpenPGP part: links not read",
        ),
    ] {
        let mail = Tree::of_bytes(&[("a.eml", part(header, body).as_bytes())]);
        let output = mail.run("extract a.eml");
        let message = output.err.lines().next().unwrap_or_default();
        assert_eq!(message.trim_start_matches("rehref: "), told, "{header}");
        // The message has the way to read it.
        assert_eq!(output.err.contains("help: "), !told.is_empty(), "{header}");
        let links = output.out.lines().count();
        assert_eq!(links, 1 + usize::from(body.contains("b.example")), "{header}");
    }
}

#[test]
fn edits_of_a_page_keep_its_nuls() {
    let page = b"<!doctype html>\n<pre>\0</pre><a href=\"http://old.example/\0x\">\0x</a><a href=http://old.example/y>y</a>";
    let site = Tree::of_bytes(&[("a.html", page)]);
    let map = "rewrite --map http://old.example=https://new.example -w --no-journal .";
    assert_eq!(site.run(map).code, 0);
    let new = site.bytes("a.html");
    let nuls = |bytes: &[u8]| bytes.iter().filter(|it| **it == 0).count();
    assert!(new.windows(24).any(|it| it == b"href=https://new.example"), "{}", new.escape_ascii());
    assert!(nuls(&new) >= 2, "{}", new.escape_ascii());
    assert_eq!(site.run("check").code, 0);
}
