//! Laws of links and edits in style sheets, over generated sheets in several charsets.

use proptest::prelude::*;
use rehref::document::Document;
use rehref::format::Format;
use rehref::format::Options;
use rehref::link::{CssForm, LinkData, Place};
use rehref::rewrite::{Rule, Rules};
use rehref::source::Charset;
use rehref::uri::Resolver;

use crate::planned::{Planned, Say};

use crate::edit_laws::{config, encode, map, plan, references, rewritten, rules, targets, uris};
use crate::ids;
use crate::linear::assert_linear;

const CHARSETS: [&str; 6] =
    ["utf-8", "shift_jis", "utf-16le", "utf-16be", "windows-1252", "iso-2022-jp"];

/// The text before and after a reference.
const PLACES: [(&str, &str); 16] = [
    ("a{b:url(", ")}"),
    ("a{b:url( ", "\n)}"),
    ("a{b:URL(\"", "\")}"),
    ("a{b:u\\72l( ' ", " ' )}"),
    ("@import '", "';"),
    ("@import\"", "\" screen;"),
    ("@import url(", ") layer(x);"),
    ("@\\69mport/**/url('", "')"),
    ("a{b:image-set('", "' 1x, \"x.png\" type('image/png') 2x)}"),
    ("a{b:-webkit-image-set(url(", ") 1x)}"),
    ("@namespace url(", ");"),
    ("@namespace x '", "';"),
    ("a::after{content:'", "'}"),
    ("/* url(", ") */"),
    ("url(", ""),
    ("@import \"", ""),
];

/// Parts of references, as a style sheet spells them.
const PIECES: [&str; 50] = [
    "http://h/",
    "http://h",
    "HTTP://H/",
    "https://h/",
    "//h/",
    "//n/",
    "http://h/d/e/",
    "/",
    "/d/",
    "/d/e/f",
    "../",
    "../../",
    "./",
    ".",
    "..",
    "a",
    "b.c",
    "a:b",
    "?",
    "?x=1",
    "?y",
    "#",
    "#f",
    "data:,a",
    "&amp;",
    "\\20",
    "\\20 ",
    "\\41",
    "\\000041",
    "\\2f",
    "\\(",
    "\\)",
    "\\\"",
    "\\'",
    "\\\\",
    "\\\n",
    "\\\r\n",
    "\\",
    "\\0",
    "\\65e5 ",
    "\\a ",
    "%20",
    "%zz",
    "é",
    "日",
    "ソ",
    "|",
    "\t",
    " ",
    "(",
];

#[derive(Clone)]
struct Sheet {
    document: Document,
    css: String,
    charset: &'static str,
}

/// The pieces of a generated sheet, for failure messages.
impl std::fmt::Debug for Sheet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} in {}", self.css, self.charset)
    }
}

fn sheet_of(bytes: Vec<u8>, label: &str) -> Document {
    let sheet = Document::new("sheet.css", bytes).retrieved_from("http://h/d/e/f?q");
    let charset = Charset::named(label, sheet.bytes()).expect("a known label");

    sheet.with_charset(charset)
}

fn links(document: &Document) -> Vec<LinkData<'_>> {
    document.found(&Options::default()).links
}

fn place() -> impl Strategy<Value = String> {
    let reference = prop::collection::vec(prop::sample::select(&PIECES[..]), 0..6);
    (prop::sample::select(&PLACES[..]), reference)
        .prop_map(|((before, after), reference)| format!("{before}{}{after}", reference.concat()))
}

fn sheets() -> impl Strategy<Value = Sheet> {
    let other = prop::sample::select(vec![
        "日本",
        " ",
        "\n",
        "}",
        ")",
        "'",
        "\"",
        "/*",
        "*/",
        "image-set(",
        "http://h/a",
        ";",
        "@import ",
    ]);
    let piece = prop_oneof![3 => place(), 1 => other.prop_map(str::to_owned)];
    let pieces = prop::collection::vec(piece, 0..8);
    (pieces, prop::sample::select(&CHARSETS[..])).prop_map(|(pieces, charset)| {
        let css = pieces.concat();
        Sheet { document: sheet_of(encode(&css, charset), charset), css, charset }
    })
}

/// Reads a reference back from its source text, in a sheet that contains nothing else.
fn read_back(link: &LinkData<'_>, raw: &str) -> Option<String> {
    let Place::Css(place) = &link.place else {
        return None;
    };
    let css = match place.form {
        CssForm::Url => format!("url({raw}"),
        CssForm::String { quote } => format!("@import {}{raw}", char::from(quote)),
    };
    references(&sheet_of(css.into_bytes(), "utf-8")).pop()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn spans_are_sorted_disjoint_and_decode_to_the_reference(sheet in sheets()) {
        ids::assert_ascending(&sheet.document.links_with(&Options::default()));
        let mut end = 0;
        for link in links(&sheet.document) {
            let span = link.extent();
            prop_assert!(end <= span.start && span.start < span.end, "{:?} before {end}", span);
            prop_assert!(span.end <= sheet.document.bytes().len());
            end = span.end;
            let raw = sheet.document.raw(&link);
            let read = read_back(&link, &raw);
            prop_assert_eq!(read.as_deref(), Some(&*link.reference), "{:?}", raw);
        }
    }

    #[test]
    fn edits_change_only_their_bytes_and_links(sheet in sheets(), rule in 0usize..3) {
        let plan = plan(&sheet.document, rules().swap_remove(rule));
        let edited = sheet.document.with_bytes(plan.bytes().to_vec());

        let mut expected = Vec::new();
        let mut copied = 0;
        for edit in plan.edits() {
            prop_assert!(copied <= edit.span.start, "edits in order: {:?}", plan.edits());
            expected.extend_from_slice(&sheet.document.bytes()[copied..edit.span.start]);
            expected.extend_from_slice(edit.new);
            copied = edit.span.end;
        }
        expected.extend_from_slice(&sheet.document.bytes()[copied..]);
        prop_assert_eq!(edited.bytes(), &expected);

        let mut meant = references(&sheet.document);
        prop_assert_eq!(plan.edits().len() + plan.skipped().len(), meant.len(), "each link is edited or skipped");
        for edit in plan.edits() {
            meant[plan.number(edit.link)] = edit.reference.to_owned();
        }
        prop_assert_eq!(references(&edited), meant);
        let found = targets(&edited);
        for edit in plan.edits() {
            prop_assert_eq!(found[plan.number(edit.link)].as_deref(), Some(edit.new_uri));
        }
    }

    #[test]
    fn absolute_and_relative_references_keep_their_targets(sheet in sheets(), absolute in any::<bool>()) {
        let rule = if absolute { Rule::Absolute } else { Rule::Relative };
        let edited = rewritten(&sheet.document, rule);
        prop_assert_eq!(uris(targets(&edited)), uris(targets(&sheet.document)));
    }

    #[test]
    fn second_run_changes_nothing(sheet in sheets(), rule in 0usize..3) {
        let rule = rules().swap_remove(rule);
        let edited = rewritten(&sheet.document, rule.clone());
        let again = plan(&edited, rule);
        prop_assert!(again.is_empty(), "{:?} in {:?}", again.edits(), edited.text().text);
    }

    #[test]
    fn absolute_after_relative_gives_absolute_references(sheet in sheets()) {
        let once = rewritten(&sheet.document, Rule::Absolute);
        let twice = rewritten(&rewritten(&sheet.document, Rule::Relative), Rule::Absolute);
        prop_assert_eq!(uris(references(&twice)), uris(references(&once)));
    }

    /// A written reference is read back in every form, and no link is skipped.
    #[test]
    fn written_references_are_read_back(
        reference in "[!-~éß日𝄞\u{FFFD}\u{80}]([ -~é日\x01-\x08\x0B\x0C\x0E-\x1F\x7F]{0,12}[!-~éß日\u{7F}])?",
        charset in prop::sample::select(vec!["utf-8", "utf-16le", "utf-16be", "windows-1252", "koi8-r"]),
        end in prop::sample::select(vec!["", "\n", "a", "0"]),
    ) {
        let mut css = String::new();
        for (before, after) in PLACES {
            css.push_str(&format!("{before}old{after}\n"));
        }
        // The last two forms continue to the end of the sheet.
        css.truncate(css.find("url(old\n").expect("the place"));
        for open in ["url(old", "url( old", "url('old", "@import \"old", "@import ' old "] {
            let sheet = sheet_of(encode(&format!("{css}{open}{end}"), charset), charset);
            let links = sheet.links_with(&Options::default());
            let plan = Planned::new(&links, &Say(reference.clone()));
            let is_same = |link: &LinkData<'_>| link.reference == *reference;
            prop_assert_eq!(
                plan.skipped().len(),
                links.found().links.iter().filter(|link| is_same(link)).count(),
                "{:?}", plan.skipped()
            );
            let edited = sheet.with_bytes(plan.bytes().to_vec());
            let read = references(&edited);
            for edit in plan.edits() {
                prop_assert_eq!(&read[plan.number(edit.link)], edit.reference);
            }
            if charset.starts_with("utf") {
                prop_assert!(read.iter().all(|it| *it == reference), "{:?}", read);
            } else {
                prop_assert_eq!(uris(read), uris(vec![reference.clone(); links.found().links.len()]));
            }
        }
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(
        bytes in prop::collection::vec(prop_oneof![
            any::<u8>().prop_map(|byte| vec![byte]),
            place().prop_map(String::into_bytes),
            prop::sample::select(vec!["url(", "@import", "\\", "\"", "'", "/*", "\0", "\x1b$B", "\x1b(B", ")"])
                .prop_map(|piece| piece.as_bytes().to_vec()),
        ], 0..60),
        charset in prop::sample::select(vec![
            "utf-8", "utf-16le", "utf-16be", "shift_jis", "gb18030", "big5", "euc-jp", "euc-kr",
            "iso-2022-jp", "windows-1252",
        ]),
    ) {
        let document = sheet_of(bytes.concat(), charset);
        let detected = Document::new("sheet.css", document.bytes().to_vec());
        prop_assert_eq!(detected.format(), Format::Css);
        for document in [&document, &detected] {
            let options = Options::default();
            let found = document.links_with(&options);
            ids::assert_ascending(&found);
            let rules = Rules { rules: vec![Rule::Map(map()), Rule::Absolute], resolver: Resolver::default(), ..Rules::default() };
            let plan = Planned::new(&found, &rules);
            prop_assert_eq!(plan.edits().len() + plan.skipped().len(), found.found().links.len());
            for link in &found.found().links {
                let _ = document.raw(link);
            }
        }
    }
}

#[test]
fn unmappable_characters_are_percent_encoded_or_stay_escapes() {
    let sheet = sheet_of(b"a{b:url(http://h/\xE9\\4e2d)}".to_vec(), "windows-1252");
    let edited = rewritten(&sheet, Rule::Map(map()));
    assert_eq!(edited.bytes(), b"a{b:url(http://m/\xE9/\xE9\\4e2d)}");
    let sheet = sheet_of(b"a{b:url('http://h/d/\\4e2d a')}".to_vec(), "windows-1252");
    let edited = rewritten(&sheet, Rule::Map(map()));
    assert_eq!(edited.text().text, "a{b:url('http://n/%E6%97%A5/&amp;,/x=/\\4e2d a')}");
}

#[test]
fn hostile_sheets_cost_linear_time() {
    for (first, unit, last) in [
        ("", "(", ""),
        ("", ")", ""),
        ("", "\\", ""),
        ("", "\\a", ""),
        ("", "a\\", "("),
        ("", "aaaa", "("),
        ("", "\"", ""),
        ("", "'\"", ""),
        ("", "'\n", ""),
        ("", "'\r\"\r", ""),
        ("", "'\\\n", ""),
        ("\"", "\\\n", ""),
        ("", "/*", ""),
        ("", "/", ""),
        ("/*", "*", ""),
        ("/*", "/", ""),
        ("", "@", ""),
        ("", "@import", ""),
        ("", "@import ", ""),
        ("", "@import/**/", ""),
        ("@import", "/**/", ""),
        ("", "@namespace a ", ""),
        ("", "@namespace a(", ""),
        ("", "@\\", ""),
        ("", "url(", ""),
        ("", "url( ", ""),
        ("", "url(a ", ""),
        ("", "url(a b) ", ""),
        ("", "url(a) ", ""),
        ("", "url('a'", ""),
        ("", "url('a\n", ""),
        ("url(a b", "\\)", ""),
        ("url(", "\\61 ", ")"),
        ("url('", "a\t", "')"),
        ("url(", "a", ")"),
        ("", "u\\72l", "("),
        ("", "image-set(", ""),
        ("", "image-set('a'", ""),
        ("image-set(", "(", ")"),
        ("image-set(", "'a' 1x,", ")"),
        ("", "<!--", "url("),
        ("", "--", "("),
        ("", "#", "url("),
    ] {
        assert_linear(first, unit, last, |css| {
            let document = sheet_of(css.as_bytes().to_vec(), "utf-8");
            std::hint::black_box(plan(&document, Rule::Absolute));
        });
    }
}
