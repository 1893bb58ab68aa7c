//! Documents of offices and books: their links are found, checked and rewritten, and all other bytes
//! stay.

use std::fs;

use serde_json::{Value, json};

use crate::support::packages::{
    content, contents, docx, docx_with, epub, odt, package, relationship,
};
use crate::support::tree::{Has, Tree};

const MAP: &str = "--map old.example=https://new.example";

fn records(out: &str) -> Vec<Value> {
    let records = out.lines().map(|it| serde_json::from_str(it).expect("JSON"));
    records.filter(|it: &Value| it["type"] != "summary").collect()
}

fn tree(files: &[(&str, &[u8])]) -> Tree {
    Tree::of_bytes(files)
}

/// The parts that differ between two packages. All other bytes are those of the ZIP file.
fn changed_parts(old: &[u8], new: &[u8]) -> Vec<String> {
    let (old, new) = (contents(old), contents(new));
    assert_eq!(old.len(), new.len());
    let pairs = old.into_iter().zip(new);
    let pairs = pairs.inspect(|(old, new)| assert_eq!(old.0, new.0));
    pairs.filter(|(old, new)| old.1 != new.1).map(|(old, _)| old.0).collect()
}

#[test]
fn links_have_the_names_of_their_parts() {
    let tree = tree(&[
        ("a.docx", &docx(&["http://h/?a=1&amp;b=2", "b/c.docx"])),
        ("b.odt", &odt(&["../a.docx", "http://h/o"])),
        ("c.epub", &epub("<a href='http://h/e'>t</a><img src='../img/a.png'/>")),
    ]);
    assert_eq!(
        tree.prints("extract ."),
        "http://h/?a=1&b=2\nb/c.docx\n../a.docx\nhttp://h/o\ntext/one.xhtml\nhttp://h/e\n../img/a.png\n"
    );
    let records = records(&tree.prints("extract --json --base http://s/d/=. a.docx b.odt"));
    let fields = |number: usize| {
        ["doc", "part", "place", "element", "attr", "role", "ref", "uri"]
            .map(|name| records[number][name].clone())
    };
    let rels = "word/_rels/document.xml.rels";
    assert_eq!(
        json!(fields(1)),
        json!([
            format!("a.docx!{rels}"),
            rels,
            "ooxml",
            "Relationship",
            "Target",
            "navigate",
            "b/c.docx",
            "http://s/d/b/c.docx"
        ])
    );
    assert_eq!(
        json!(fields(2)),
        json!([
            "b.odt!content.xml", "content.xml", "odf", "text:a", "xlink:href", "navigate",
            "../a.docx", "http://s/d/a.docx"
        ])
    );
    let spans = &records[0]["spans"][0];
    let (start, end) = (spans[0].as_u64().expect("a byte"), spans[1].as_u64().expect("a byte"));
    let links = content(&tree.bytes("a.docx"), rels);
    assert_eq!(&links[start as usize..end as usize], "http://h/?a=1&amp;b=2");
}

#[test]
fn relationships_have_the_fragments_of_their_part_and_notes_without_a_use() {
    let links = format!(
        "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>{}{}</Relationships>",
        relationship("hyperlink", "b.html"),
        relationship("hyperlink", "gone.html").replace("'r'", "'other'")
    );
    let part = "<w:p xmlns:w='w' xmlns:r='r'><w:hyperlink r:id='r' w:anchor='c d'/></w:p>";
    let parts = [
        ("[Content_Types].xml", "<Types/>"),
        ("word/_rels/document.xml.rels", &links),
        ("word/document.xml", part),
    ];
    let tree = tree(&[("a.docx", &package(&parts)), ("b.html", b"")]);
    let records = records(&tree.prints("extract --json a.docx"));
    assert_eq!((&records[0]["fragment"], &records[0]["notes"]), (&json!("c d"), &json!([])));
    assert_eq!(records[1]["fragment"], Value::Null);
    assert_eq!(records[1]["notes"], json!(["unreferenced"]));
    // Nothing in the document refers to it.
    tree.ends(0, "check .").has("1 local link: 0 broken");
}

#[test]
fn types_and_content_choose_packages() {
    let tree = tree(&[
        ("a.docx", &docx(&["http://h/docx"])),
        ("b.epub", &epub("<a href='http://h/epub'/>")),
        ("c.bin", &odt(&["http://h/odt"])),
        ("d.docx", b"<!doctype html><a href='http://h/html'>"),
        ("e.zip", &package(&[("a.html", "<a href='http://h/zip'>")])),
    ]);
    assert_eq!(tree.prints("extract -t office ."), "http://h/docx\nhttp://h/html\n");
    assert_eq!(tree.prints("extract -t epub ."), "text/one.xhtml\nhttp://h/epub\n");
    assert_eq!(tree.prints("extract c.bin"), "http://h/odt\n");
    let read = tree.run_reading("extract -", docx(&["http://h/stdin"]));
    assert_eq!(read.out, "http://h/stdin\n");
    tree.ends(0, "extract .").has("1 .zip file: links not read");
}

#[test]
fn a_map_changes_only_links_and_undo_restores_every_byte() {
    let files = [
        ("a.docx", docx(&["http://old.example/a?b&amp;c", "other.docx"])),
        ("d/b.odt", odt(&["http://old.example/b", "../../a.docx"])),
        ("c.epub", epub("<a href='http://old.example/c'>http://old.example/no</a>")),
        ("none.docx", docx(&["http://h/"])),
    ];
    let tree = Tree::empty().with(files.iter().map(|(name, bytes)| (*name, bytes)));
    let would = tree.ends(0, format!("rewrite {MAP} ."));
    would.has("would change 3 links in 3 of 4 files");
    let written = tree.ends(0, format!("rewrite {MAP} -w --verify ."));
    written.has("changed 3 links in 3 files");
    let read = |name: &str| tree.bytes(name);
    for ((name, old), part) in files.iter().zip([
        Some("word/_rels/document.xml.rels"),
        Some("content.xml"),
        Some("OPS/text/one.xhtml"),
        None,
    ]) {
        let parts = changed_parts(old, &read(name));
        assert_eq!(parts, part.into_iter().collect::<Vec<_>>(), "{name}");
    }
    content(&read("a.docx"), "word/_rels/document.xml.rels").has("'https://new.example/a?b&amp;c'");
    content(&read("c.epub"), "OPS/text/one.xhtml").has(">http://old.example/no<");
    tree.ends(0, format!("rewrite {MAP} -w .")).has("changed 0 links");
    tree.ends(0, "rewrite --undo .");
    for (name, old) in &files {
        assert!(read(name) == *old, "{name}");
    }
}

#[test]
fn packages_are_written_to_directories_and_standard_output() {
    let old = docx(&["http://old.example/a"]);
    let tree = tree(&[("s/a.docx", &old), ("s/b.docx", &docx(&["http://h/"]))]);
    tree.ends(0, format!("rewrite {MAP} -o out s")).has("changed 1 link in 1 of 2 files");
    let read = |name: &str| tree.bytes(name);
    assert!(read("out/b.docx") == read("s/b.docx"));
    let filtered = tree.run_reading(format!("rewrite {MAP}"), &old).ends(0);
    assert!(filtered.out_bytes == read("out/a.docx"));
    tree.ends(0, format!("rewrite {MAP} -w --no-journal s/a.docx"));
    assert!(read("s/a.docx") == read("out/a.docx"));
    let diff = tree.prints(format!("rewrite {MAP} --diff out/../s/b.docx"));
    assert_eq!(diff, "");
}

#[test]
fn fields_formulas_and_copies_change_with_links() {
    let field = "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>\
        <w:fldChar w:fldCharType='begin'/><w:instrText>HYPERLINK \"http://old.</w:instrText>\
        <w:instrText>example/a\"</w:instrText><w:fldChar w:fldCharType='end'/></w:document>";
    let properties = "<Properties xmlns='http://schemas.openxmlformats.org/officeDocument/2006/extended-properties' \
        xmlns:vt='http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes'><HLinks>\
        <vt:lpwstr>http://old.example/a</vt:lpwstr><vt:lpwstr/></HLinks></Properties>";
    let long = "x".repeat(240);
    let sheet = format!(
        "<worksheet xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'>\
         <f>HYPERLINK(\"http://old.example/a\")</f><f>HYPERLINK(\"http://old.example/\"&amp;A1)</f>\
         <f>HYPERLINK(\"http://old.example\"&amp;A1)</f><f>IMAGE(\"http://old.example/{long}\")</f></worksheet>"
    );
    let others = [
        ("word/document.xml", field),
        ("docProps/app.xml", properties),
        ("xl/worksheets/sheet1.xml", &sheet),
    ];
    let tree = tree(&[("a.docx", &docx_with(&[], &others))]);
    let said = tree.ends(0, format!("rewrite {MAP} -w --verify a.docx"));
    said.has("changed 4 links").has("1 link would be longer than Excel allows");
    let new = tree.bytes("a.docx");
    content(&new, "word/document.xml")
        .has("HYPERLINK \"https://new.example/a</w:instrText><w:instrText>\"</w:instrText>");
    content(&new, "docProps/app.xml").has("<vt:lpwstr>https://new.example/a</vt:lpwstr>");
    content(&new, "xl/worksheets/sheet1.xml")
        .has("HYPERLINK(\"https://new.example/a\")")
        .has("HYPERLINK(\"https://new.example/\"&amp;A1)")
        .has("HYPERLINK(\"http://old.example\"&amp;A1)");
}

#[test]
fn paths_of_windows_are_mapped_in_every_language() {
    let tree = tree(&[
        ("a.docx", &docx(&[r"\\OLDSRV\share\a b.docx", r"file:///P:\Projects\p%20q.docx#x"])),
        ("b.html", br"<a href='file:///\\oldsrv\share\c.docx'></a><a href='C:/other'></a>"),
        ("c.url", b"[InternetShortcut]\nURL=file:///\\\\oldsrv\\share\\d.docx\n"),
        (
            "d.md",
            br"[t](file:///\\\\oldsrv\\share\\e.docx) <p><a href='\\oldsrv\sharex\no'>n</a></p>",
        ),
    ]);
    let maps = r"--map '\\oldsrv\share=\\newsrv\docs' --map 'P:\Projects=https://new.example/p'";
    tree.ends(0, format!("rewrite {maps} -w ."));
    let links = tree.prints("extract --raw .");
    assert_eq!(
        links,
        "\\\\newsrv\\docs\\a b.docx\nhttps://new.example/p/p%20q.docx#x\n\
         file:///\\\\newsrv\\docs\\c.docx\nC:/other\nfile:///\\\\newsrv\\docs\\d.docx\n\
         file:///\\\\newsrv\\docs\\e.docx\n\\\\oldsrv\\sharex\\no\n"
    );
    tree.ends(0, format!("rewrite {maps} -w .")).has("changed 0 links");
}

#[test]
fn documents_and_their_targets_move() {
    let files = [
        ("team/q1.docx", docx(&["plan.docx", r"..\img\logo.png", "http://h/", "/dir/x.docx"])),
        ("team/plan.docx", docx(&["q1.docx#a"])),
        ("team/text.odt", odt(&["../q1.docx", "Pictures/a.png", "#b", "../../img/logo.png"])),
        ("index.html", b"<a href=team/q1.docx>q</a>".to_vec()),
        ("book.epub", epub("<img src='../img/a.png'/><a href='../../team/q1.docx'>n</a>")),
        ("img/logo.png", b"\x89PNG".to_vec()),
    ];
    let tree = Tree::empty().with(files.iter().map(|(name, bytes)| (*name, bytes)));
    let moves = "team/q1.docx=old/q1/q1.docx img=pictures team/text.odt=text.odt";
    let list: String = moves.split(' ').map(|it| it.replacen('=', ",", 1) + "\n").collect();
    tree.write("../list.csv", format!("old,new\n{list}"));
    tree.ends(0, "move --root . -w --from-list ../list.csv").has("3 moves: changed");
    let read = |name: &str| tree.bytes(name);
    let rels = |name: &str| content(&read(name), "word/_rels/document.xml.rels");
    rels("old/q1/q1.docx")
        .has("'../../team/plan.docx'")
        .has(r"'..\..\pictures\logo.png'")
        .has("'/dir/x.docx'");
    rels("team/plan.docx").has("'../old/q1/q1.docx#a'");
    content(&read("text.odt"), "content.xml")
        .has("'../old/q1/q1.docx'")
        .has("'Pictures/a.png'")
        .has("'#b'")
        .has("'../pictures/logo.png'");
    assert!(read("book.epub") == files[4].1);
    let back: String = moves
        .split(' ')
        .map(|it| it.split_once('=').map(|(old, new)| format!("{new},{old}\n")).unwrap_or_default())
        .collect();
    tree.write("../back.csv", format!("old,new\n{back}"));
    tree.ends(0, "move --root . -w --from-list ../back.csv");
    for (name, old) in &files {
        let is_package = name.ends_with("x") || name.ends_with("t") || name.ends_with("b");
        let is_same = match is_package {
            true => contents(&read(name)) == contents(old),
            false => read(name) == *old,
        };
        assert!(is_same, "{name}");
    }
}

#[test]
fn an_unpacked_book_moves_as_files() {
    let tree = Tree::new(&[
        (
            "book.opf",
            "<package xmlns='http://www.idpf.org/2007/opf'><item href='text/one.xhtml'/></package>",
        ),
        (
            "toc.ncx",
            "<ncx xmlns='http://www.daisy.org/z3986/2005/ncx/'><content src='text/one.xhtml#a'/></ncx>",
        ),
        ("text/one.xhtml", "<html xmlns='http://www.w3.org/1999/xhtml'><p id='a'/></html>"),
    ]);
    tree.ends(0, "move --root . -w text/one.xhtml text/1.xhtml").has("changed 2 links");
    tree.prints("check .");
}

#[test]
fn check_looks_into_books_and_next_to_documents() {
    let tree = tree(&[
        ("a.docx", &docx(&["b.docx", "none.docx", "/c.docx", "#here"])),
        ("b.docx", &docx(&["http://h/"])),
        ("c.odt", &odt(&["../b.docx", "b.docx", "Pictures/a.png", "Pictures/A.png", "#h"])),
        (
            "d.epub",
            &epub(
                "<a id='x' href='#x'/><a href='one.xhtml#none'/><img src='../img/a.png'/>\
                 <img src='../img/none.png'/><a href='../../../b.docx'/><a href='/OPS/book.opf'/>",
            ),
        ),
    ]);
    let out = tree.run("check --json .").ends(1).out;
    let broken: Vec<_> = records(&out)
        .iter()
        .map(|it| {
            [&it["doc"], &it["ref"], &it["why"]].map(|it| it.as_str().unwrap_or("").to_owned())
        })
        .collect();
    let expected = [
        ["./a.docx!word/_rels/document.xml.rels", "none.docx", "missing"],
        ["./c.odt!content.xml", "b.docx", "missing"],
        ["./c.odt!content.xml", "Pictures/A.png", "missing"],
        ["./d.epub!OPS/text/one.xhtml", "one.xhtml#none", "anchor"],
        ["./d.epub!OPS/text/one.xhtml", "../img/none.png", "missing"],
        ["./d.epub!OPS/text/one.xhtml", "../../../b.docx", "outside"],
        ["./d.epub!OPS/text/one.xhtml", "/OPS/book.opf", "outside"],
    ];
    assert_eq!(broken, expected.map(|it| it.map(str::to_owned)));
}

/// Packages that are never changed, with the message.
fn refused() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let links = ["http://old.example/a"];
    let plain = docx(&links);
    let signed = docx_with(&links, &[("_xmlsignatures/sig1.xml", "<s/>")]);
    let mut encrypted = plain.clone();
    // The flags of the first local header and of the first entry of the directory.
    let entry = encrypted.windows(4).position(|it| it == b"PK\x01\x02").expect("a directory");
    encrypted[6] |= 1;
    encrypted[entry + 8] |= 1;
    let mut damaged = plain.clone();
    let data = damaged.windows(5).position(|it| it == b".rels").expect("a name") + 5;
    damaged[data + 20] ^= 0x55;
    let cut = docx_with(&links, &[("word/document.xml", "<a><b></a>")]);
    let mut twice = package(&[
        ("[Content_Types].xml", ""),
        ("word/a.rels", "<Relationships/>"),
        ("word/b.rels", "<Relationships/>"),
    ]);
    for at in 0..twice.len() - 6 {
        if twice[at..].starts_with(b"b.rels") {
            twice[at] = b'a';
        }
    }
    let mut fewer = docx_with(&links, &[("word/zz.xml", "<a/>")]);
    let end = fewer.len() - 22;
    fewer[end + 8] -= 1;
    fewer[end + 10] -= 1;
    let other = docx_with(&links, &[("WORD/_rels/document.xml.rels", "<Relationships/>")]);
    vec![
        ("fewer.docx", fewer, "does not count all files"),
        ("other.docx", other, "in another spelling"),
        ("signed.docx", signed, "signed"),
        ("encrypted.docx", encrypted, "encrypted"),
        ("password.docx", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0".to_vec(), "encrypted"),
        ("damaged.docx", damaged, "damaged"),
        ("short.docx", plain[..plain.len() / 2].to_vec(), "a cut one"),
        ("cut.docx", cut, "not well-formed"),
        ("twice.docx", twice, "twice"),
    ]
}

#[test]
fn packages_that_cannot_be_changed_safely_are_refused() {
    for (name, bytes, told) in refused() {
        let tree = Tree::empty();
        tree.write(format!("s/{name}"), &bytes);
        tree.write("s/plain.docx", docx(&["http://old.example/b"]));
        let said = tree.ends(2, format!("rewrite {MAP} -w s"));
        said.has(name).has(told).has("changed 1 link in 1 file");
        assert!(tree.bytes(format!("s/{name}")) == bytes, "{name}");
        tree.ends(2, format!("rewrite {MAP} -o out s")).has(told);
        assert!(fs::read(tree.at("out").join(name)).expect("a copy") == bytes, "{name}");
    }
    let mut signed = refused().into_iter().filter(|it| it.0 == "signed.docx");
    let (name, signed, _) = signed.next().expect("a signed package");
    let tree = tree(&[(name, &signed)]);
    assert_eq!(tree.prints(format!("extract {name}")), "http://old.example/a\n");
    tree.ends(0, format!("rewrite {MAP} -w --break-signatures ."));
    assert_ne!(tree.bytes(name), signed);
}

#[test]
fn a_part_that_inflates_too_far_is_an_error_and_the_rest_is_changed() {
    let bomb = format!("<a>{}</a>", " ".repeat(17 << 20));
    let old = docx_with(&["http://old.example/a"], &[("word/document.xml", &bomb)]);
    let tree = tree(&[("a.docx", &old)]);
    let read = tree.run("extract a.docx").ends(2);
    assert_eq!(read.out, "http://old.example/a\n");
    read.err.has("a.docx!word/document.xml: inflates to more than 16 MiB: not read\n");
    tree.ends(2, format!("rewrite {MAP} -w a.docx")).has("a.docx!word/document.xml");
    assert_eq!(tree.run("extract a.docx").out, "https://new.example/a\n");
}

#[cfg(unix)]
#[test]
fn links_of_a_package_that_is_read_only_do_not_count() {
    let tree = tree(&[("a.docx", &docx(&["http://old.example/a"]))]);
    tree.set_mode("a.docx", 0o444);
    let said = tree.ends(2, format!("rewrite {MAP} -w ."));
    said.has("a.docx: the file is read-only: left unchanged");
    said.has("rehref: changed 0 links in 0 files");
}

#[test]
fn parts_that_are_not_read_are_counted() {
    let others = [
        ("word/vbaProject.bin", "macros"),
        ("word/embeddings/a.xlsx", "another package"),
        ("customXml/item1.xml", "<DataMashup/>"),
    ];
    let tree = tree(&[("a.docm", &docx_with(&["http://old.example/a"], &others))]);
    let told = "1 embedded part, 1 macro part, 1 query part: links not read";
    tree.ends(0, "extract a.docm").has(told);
    tree.ends(0, format!("rewrite {MAP} a.docm")).has(told);
    tree.ends(0, "check a.docm").has(told);
    tree.ends(0, "move --root . a.docm b.docm").has(told);
}

/// trycmd would replace the backslashes of their output.
#[test]
fn commands_of_the_guide_print_what_it_says() {
    let tree = Tree::empty();
    tree.copy("corpus/office", "corpus/office");
    tree.copy("corpus/pdf/actions", "corpus/pdf/actions");
    let page = fs::read_to_string("docs/office.md").expect("a page");
    let blocks = page.split("```text\n$ rehref ").skip(1);
    let blocks: Vec<_> = blocks.filter_map(|it| it.split("\n\n```").next()).collect();
    assert_eq!(blocks.len(), 7);
    for block in blocks {
        let (command, expected) = block.split_once('\n').expect("output");
        let ran = tree.run(command).ends(0);
        assert_eq!(format!("{}{}", ran.out, ran.err).trim_end(), expected, "{command}");
    }
}

#[test]
fn standard_input_that_is_refused_passes_unchanged() {
    // Without a name, nothing says that a file in the old format is a document.
    for (name, bytes, message) in refused().into_iter().filter(|it| it.0 != "password.docx") {
        let ran = Tree::empty().run_reading(format!("rewrite {MAP}"), &bytes).ends(2);
        ran.err.has(message);
        assert!(ran.out_bytes == bytes, "{name}");
    }
}

#[test]
fn refused_packages_move_unchanged() {
    for (name, bytes, message) in refused() {
        let tree =
            Tree::of_bytes(&[(name, &bytes), ("a.html", b"<a href=b.html>"), ("b.html", b"")]);
        // Nothing in it is relative.
        let code = if name == "signed.docx" { 0 } else { 2 };
        let said = tree.ends(code, format!("move --root . -w {name} d/{name}"));
        assert!(code == 0 || said.contains(message), "{said}");
        assert!(tree.bytes(format!("d/{name}")) == bytes, "{name}");
    }
    let signed = docx_with(&["b.docx"], &[("_xmlsignatures/sig1.xml", "<s/>")]);
    let tree = Tree::of_bytes(&[("a.docx", &signed), ("b.docx", &docx(&[]))]);
    let said = tree.ends(2, "move --root . -w a.docx d/a.docx");
    said.has("signed: left unchanged").has("1 signed file: not rewritten");
    assert!(tree.bytes("d/a.docx") == signed);
}

#[test]
fn references_in_a_book_never_leave_it() {
    let book = epub("<a href='https://s.example/up.html'/>");
    let tree = Tree::of_bytes(&[("b.epub", &book), ("up.html", b"")]);
    for rule in ["--relative", "--root-relative"] {
        tree.ends(0, format!("rewrite {rule} --base https://s.example/=. -o out{rule} b.epub"));
        let new = tree.bytes(format!("out{rule}/b.epub"));
        content(&new, "OPS/text/one.xhtml").has("'https://s.example/up.html'");
    }
}

#[test]
fn moving_there_and_back_restores_each_spelling() {
    let files = [
        ("a/a.docx", docx(&[r"sub\x y.docx", r"..\b.docx", r".\c.docx", "./c.docx"])),
        ("a/b.odt", odt(&["../b.odt/Pictures/a.png", "../b.odt", "Pictures/a.png"])),
        ("a/sub/x y.docx", docx(&[])),
        ("a/c.docx", docx(&[])),
        ("b.docx", docx(&[])),
    ];
    let tree = Tree::empty().with(files.iter().map(|(name, bytes)| (*name, bytes)));
    for (old, new) in [("a/a.docx", "a/sub/a.docx"), ("a/b.odt", "c d.odt")] {
        tree.ends(0, ["move", "--root", ".", "-w", old, new]);
        let broken = tree.run("check .");
        assert_eq!(broken.code, 0, "{broken:?}");
        tree.ends(0, ["move", "--root", ".", "-w", new, old]);
    }
    for (name, old) in &files {
        assert_eq!(contents(&tree.bytes(name)), contents(old), "{name}");
    }
}

#[test]
fn a_path_on_a_server_has_backslashes() {
    let tree = Tree::new(&[("a.html", "<a href='C:/d/x.png#a/b'></a>")]);
    tree.ends(0, r"rewrite -w --verify --map 'C:\d=\\new\d' .");
    assert_eq!(tree.read("a.html"), r"<a href='\\new\d\x.png#a/b'></a>");
}

#[test]
fn check_judges_only_links_with_a_known_target() {
    let sheet = "<worksheet xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'>\
        <f>HYPERLINK(\"docs/\"&amp;A1)</f></worksheet>";
    let tree = tree(&[
        ("a.xlsx", &docx_with(&[], &[("xl/worksheets/sheet1.xml", sheet)])),
        ("b.html", b"<a href=c.epub/OPS/text/one.xhtml>t</a>"),
        ("c.epub", &epub("")),
        ("d/book", &epub("<img src='none.png'/>")),
    ]);
    tree.ends(0, "check a.xlsx b.html");
    tree.ends(0, "check b.html");
    tree.ends(0, "check d").has("1 binary file: links not read");
}

#[test]
fn a_field_without_an_end_has_its_link() {
    let body = "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>\
        <w:fldChar w:fldCharType='begin'/><w:instrText>HYPERLINK \"http://h/a\"</w:instrText></w:document>";
    let tree = tree(&[("a.docx", &docx_with(&[], &[("word/document.xml", body)]))]);
    assert_eq!(tree.prints("extract a.docx"), "http://h/a\n");
}
