//! Laws of links and edits in Internet shortcuts and desktop entries, over generated files in
//! several charsets.

use proptest::prelude::*;
use rehref::document::Document;
use rehref::format::{Format, Options};
use rehref::link::LinkData;
use rehref::rewrite::Rule;
use rehref::source::Charset;
use rehref::uri::Parts;

use crate::edit_laws::{config, encode, plan, references, rewritten, rules, targets, uris};
use crate::ids;
use crate::linear::assert_linear_in;
use crate::planned::{Planned, Say};

const CHARSETS: [&str; 6] =
    ["utf-8", "shift_jis", "utf-16le", "utf-16be", "windows-1252", "iso-2022-jp"];

/// Both formats: an extension, and the beginning of a file.
const FORMATS: [(&str, &str); 2] =
    [("url", "; a\r\n[InternetShortcut]\r\n"), ("desktop", "# a\n[Desktop Entry]\nType=Link\n")];

/// The text before and after a reference.
const PLACES: [(&str, &str); 14] = [
    ("URL=", ""),
    (" URL\t=  ", " \t"),
    ("url=", ""),
    ("URL[de]=", ""),
    ("BASEURL=", ""),
    ("URL=\"", "\""),
    ("URL=' ", " '"),
    ("IconFile=", ""),
    ("Icon=", ""),
    ("Icon[a_B@c] = ", ""),
    ("Exec=x ", ""),
    ("#URL=", ""),
    (";URL=", ""),
    ("URL=\\s", "\\s\\n"),
];

/// Parts of references, as a file spells them.
const PIECES: [&str; 36] = [
    "http://h/",
    "http://h",
    "HTTP://H/",
    "https://h/",
    "//h/",
    "http://h/d/e/",
    "/",
    "/d/",
    "../",
    "./",
    "..",
    "a",
    "b.c",
    "a:b",
    "C:\\",
    "c:/",
    "\\\\h\\",
    "?x=1",
    "#f",
    "\\s",
    "\\n",
    "\\t",
    "\\\\",
    "\\",
    "\\;",
    "%20",
    "%zz",
    "é",
    "日",
    "ソ",
    "\t",
    " ",
    "\"",
    "'",
    "=",
    "[",
];

const OTHER_LINES: [&str; 9] = [
    "[InternetShortcut.A]",
    "[DEFAULT]",
    "[DOC#1]",
    "[Other]",
    "[InternetShortcut]",
    "[Desktop Entry]",
    "Type=Link",
    "Name=日本",
    "",
];

#[derive(Clone)]
struct Shortcut {
    document: Document,
    extension: &'static str,
    text: String,
    charset: &'static str,
}

/// The text of a generated file, for failure messages.
impl std::fmt::Debug for Shortcut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} in {}", self.text, self.charset)
    }
}

fn document_of(extension: &str, bytes: Vec<u8>, label: &str) -> Document {
    let document = Document::new(format!("file.{extension}"), bytes);
    let document = document.with_format(Format::Shortcut).retrieved_from("http://h/d/e/f?q");
    let charset = Charset::named(label, document.bytes()).expect("a known label");
    document.with_charset(charset)
}

fn links(document: &Document) -> Vec<LinkData<'_>> {
    document.found(&Options::default()).links
}

fn line() -> impl Strategy<Value = String> {
    let reference = prop::collection::vec(prop::sample::select(&PIECES[..]), 0..6);
    let entry = (prop::sample::select(&PLACES[..]), reference)
        .prop_map(|((before, after), reference)| format!("{before}{}{after}", reference.concat()));
    let other = prop::sample::select(&OTHER_LINES[..]);
    let end = prop::sample::select(vec!["\n", "\r\n", "\r"]);
    (prop_oneof![5 => entry, 1 => other.prop_map(str::to_owned)], end)
        .prop_map(|(line, end)| line + end)
}

fn shortcuts() -> impl Strategy<Value = Shortcut> {
    let format = prop::sample::select(&FORMATS[..]);
    let lines = prop::collection::vec(line(), 0..8);
    (format, lines, prop::sample::select(&CHARSETS[..])).prop_map(
        |((extension, first), lines, charset)| {
            let text = format!("{first}{}", lines.concat());
            let document = document_of(extension, encode(&text, charset), charset);
            Shortcut { document, extension, text, charset }
        },
    )
}

/// The keys and references of the links by a second reading, line by line.
fn links_by_lines(shortcut: &Shortcut) -> Vec<(String, String)> {
    let is_desktop = shortcut.extension == "desktop";
    let text = shortcut.document.text().text.replace('\r', "\n");
    let blank = |it: char| it <= ' ';
    let mut group = "";
    let mut is_link = !is_desktop;
    let mut found = Vec::new();
    for line in text.split('\n').map(|it| it.trim_matches(blank)) {
        if line.starts_with('[') && line.contains(']') {
            group = line;
        }
        let Some((key, value)) = line.split_once('=') else {
            continue;
        };
        let (key, value) = (key.trim_matches(blank), value.trim_matches(blank));
        let name = match is_desktop {
            true => ["URL", "Icon"]
                .into_iter()
                .find(|&it| key == it || key.starts_with(&format!("{it}["))),
            false => {
                ["URL", "BASEURL", "IconFile"].into_iter().find(|it| it.eq_ignore_ascii_case(key))
            }
        };
        let has_links = match (is_desktop, group) {
            (true, "[Desktop Entry]") => name.is_some(),
            (false, "[InternetShortcut]" | "[InternetShortcut.A]") => name.is_some(),
            (false, "[DEFAULT]" | "[DOC#1]") => name == Some("BASEURL"),
            _ => false,
        };
        is_link |= is_desktop && group == "[Desktop Entry]" && line == "Type=Link";
        let value = match is_desktop {
            true => unescaped(value),
            false => unquoted(value).to_owned(),
        };
        let reference = value.trim_matches(blank).replace(['\t', '\n', '\r'], "");
        let is_path = !is_desktop && is_path(&reference);
        let scheme = Parts::split(&reference).scheme;
        let is_name = name.is_some_and(|it| it.starts_with("Icon"))
            && scheme.is_none_or(|scheme| scheme.len() == 1);
        if has_links && !reference.is_empty() && !is_path && !is_name {
            found.push((key.to_owned(), reference));
        }
    }
    found.retain(|_| is_link);
    found
}

fn unescaped(value: &str) -> String {
    // No generated file has this character.
    let kept = value.replace("\\\\", "\u{1}");
    let pairs = [("\\s", " "), ("\\n", "\n"), ("\\t", "\t"), ("\\r", "\r")];
    let replaced =
        pairs.iter().fold(kept, |text, (escape, character)| text.replace(escape, character));
    replaced.replace('\u{1}', "\\")
}

fn unquoted(value: &str) -> &str {
    let within = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    within('"').or_else(|| within('\'')).unwrap_or(value)
}

/// Returns true for a path of Windows with a drive or a server.
fn is_path(reference: &str) -> bool {
    let is_on_drive = reference.get(1..3).is_some_and(|it| matches!(it, ":\\" | ":/"));
    reference.starts_with("\\\\") || is_on_drive && reference.as_bytes()[0].is_ascii_alphabetic()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn spans_are_sorted_disjoint_and_decode_to_the_reference(shortcut in shortcuts()) {
        let document = &shortcut.document;
        ids::assert_ascending(&document.links_with(&Options::default()));
        let mut end = 0;
        for link in links(document) {
            let span = link.extent();
            prop_assert!(end <= span.start && span.start < span.end, "{:?} before {end}", span);
            prop_assert!(span.end <= document.bytes().len());
            end = span.end;
            let raw = document.raw(&link);
            // Quotes within quotes stay, and outermost ones do not.
            let value = match shortcut.extension {
                "url" => format!("\"{raw}\""),
                _ => raw.to_string(),
            };
            let alone = FORMATS.iter().find(|it| it.0 == shortcut.extension).expect("a format").1;
            let alone = format!("{alone}URL={value}");
            let read = references(&document_of(shortcut.extension, alone.into_bytes(), "utf-8")).pop();
            prop_assert_eq!(read.as_deref(), Some(&*link.reference), "{:?}", raw);
        }
    }

    #[test]
    fn links_are_those_of_a_second_reading(shortcut in shortcuts()) {
        let links = links(&shortcut.document).into_iter().map(|link| {
            let key = link.place.attribute().unwrap_or_default().to_owned();
            (key, link.reference.into_owned())
        });
        prop_assert_eq!(links.collect::<Vec<_>>(), links_by_lines(&shortcut));
    }

    #[test]
    fn edits_change_only_their_bytes_and_links(shortcut in shortcuts(), rule in 0usize..3) {
        let document = &shortcut.document;
        let plan = plan(document, rules().swap_remove(rule));
        let edited = document.with_bytes(plan.bytes().to_vec());

        let mut expected = Vec::new();
        let mut copied = 0;
        for edit in plan.edits() {
            prop_assert!(copied <= edit.span.start, "edits in order: {:?}", plan.edits());
            expected.extend_from_slice(&document.bytes()[copied..edit.span.start]);
            expected.extend_from_slice(edit.new);
            copied = edit.span.end;
        }
        expected.extend_from_slice(&document.bytes()[copied..]);
        prop_assert_eq!(edited.bytes(), &expected);

        let mut meant = references(document);
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
    fn no_rule_makes_a_link_relative(shortcut in shortcuts()) {
        let relative = [Rule::Relative, Rule::RootRelative].map(|rule| rewritten(&shortcut.document, rule));
        let has_scheme = |it: &String| Parts::split(it).scheme.is_some();
        let old = references(&shortcut.document);
        for edited in relative {
            for (old, new) in old.iter().zip(references(&edited)) {
                prop_assert!(!has_scheme(old) || has_scheme(&new), "{old} became {new}");
            }
            prop_assert_eq!(uris(targets(&edited)), uris(targets(&shortcut.document)));
        }
    }

    #[test]
    fn second_run_changes_nothing(shortcut in shortcuts(), rule in 0usize..3) {
        let rule = rules().swap_remove(rule);
        let edited = rewritten(&shortcut.document, rule.clone());
        let again = plan(&edited, rule);
        prop_assert!(again.is_empty(), "{:?} in {:?}", again.edits(), edited.text().text);
    }

    /// A written reference is read back in every place. Only paths, and icons without a scheme, are
    /// skipped.
    #[test]
    fn written_references_are_read_back(
        reference in "(http:|x)?[!-~éß日𝄞\u{FFFD}\u{80} ]{0,3}[ -~é日\x01-\x1F\x7F]{0,12}[!-~éß日\u{7F} ]",
        charset in prop::sample::select(vec!["utf-8", "utf-16le", "utf-16be", "windows-1252", "koi8-r"]),
        end in prop::sample::select(vec!["", "\n", "\r\n"]),
    ) {
        for (extension, first) in FORMATS {
            let lines: Vec<String> = PLACES.iter().map(|(before, after)| format!("{before}http://old/{after}")).collect();
            let text = format!("{first}{}{end}", lines.join("\n"));
            let document = document_of(extension, encode(&text, charset), charset);
            let found = document.links();
            let plan = Planned::new(&found, &Say(reference.clone()));
            let edited = document.with_bytes(plan.bytes().to_vec());
            let read = references(&edited);
            prop_assert_eq!(read.len(), found.found().links.len());
            for edit in plan.edits() {
                prop_assert_eq!(&read[plan.number(edit.link)], edit.reference);
                prop_assert_eq!(
                    uris([edit.reference.to_owned()]),
                    uris([reference.clone()]),
                );
            }
            for (number, reason) in plan.skipped() {
                let link = &found.found().links[*number];
                let is_icon = link.place.attribute().is_some_and(|it| it.starts_with("Icon"));
                let is_name = Parts::split(&reference).scheme.is_none_or(|it| it.len() < 2);
                prop_assert!(
                    is_icon && is_name || extension == "url" && is_path(&reference),
                    "{:?} {reason:?}", link.place
                );
            }
        }
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(
        bytes in prop::collection::vec(prop_oneof![
            any::<u8>().prop_map(|byte| vec![byte]),
            line().prop_map(String::into_bytes),
            prop::sample::select(vec!["[", "]", "=", "\\", "\"", "\0", "\x1b$B", "\x1b(B", "\u{FEFF}"])
                .prop_map(|piece| piece.as_bytes().to_vec()),
        ], 0..60),
        format in prop::sample::select(&FORMATS[..]),
        cut in 0usize..400,
        charset in prop::sample::select(vec![
            "utf-8", "utf-16le", "utf-16be", "shift_jis", "gb18030", "big5", "euc-jp", "euc-kr",
            "iso-2022-jp", "windows-1252",
        ]),
    ) {
        let (extension, first) = format;
        let mut bytes = [first.as_bytes(), &bytes.concat()].concat();
        let named = document_of(extension, bytes.clone(), charset);
        let detected = Document::new(format!("file.{extension}"), bytes.clone());
        prop_assert_eq!(detected.format(), Format::Shortcut);
        bytes.truncate(cut);
        let truncated = Document::new(format!("file.{extension}"), bytes);
        for document in [&named, &detected, &truncated] {
            let found = document.links();
            ids::assert_ascending(&found);
            for rule in rules() {
                let plan = plan(document, rule);
                prop_assert_eq!(plan.edits().len() + plan.skipped().len(), found.found().links.len());
            }
            for link in &found.found().links {
                let _ = document.raw(link);
            }
        }
    }
}

/// Windows reads a file without a byte order mark in the code page of its user.
#[test]
fn ansi_shortcut_in_ascii_stays_ascii() {
    let map = |name: &str, bytes: &[u8]| {
        let document = Document::new(name, bytes.to_vec()).retrieved_from("http://h/d/e/f?q");
        let mut map = rehref::rewrite::PrefixMap::default();
        map.insert_entry("http://h/=http://m/é/").expect("an entry");
        let edited = rewritten(&document, Rule::Map(map));
        edited.bytes().to_vec()
    };
    let shortcut = |url: &[u8]| [b"[InternetShortcut]\nURL=", url].concat();
    let marked = |url: &str| format!("\u{FEFF}[InternetShortcut]\nURL={url}").into_bytes();
    for (old, new) in [
        (shortcut(b"http://h/a"), shortcut(b"http://m/%C3%A9/a")),
        // The spelling of the link shows the encoding.
        (shortcut("http://h/ü".as_bytes()), shortcut("http://m/é/ü".as_bytes())),
        (shortcut(b"http://h/\xFCber"), shortcut(b"http://m/\xE9/\xFCber")),
        (marked("http://h/a"), marked("http://m/é/a")),
    ] {
        assert_eq!(map("a.url", &old), new, "{}", new.escape_ascii());
    }
    // Desktop entries are in UTF-8.
    assert_eq!(
        map("a.desktop", b"[Desktop Entry]\nType=Link\nURL=http://h/a"),
        "[Desktop Entry]\nType=Link\nURL=http://m/é/a".as_bytes()
    );
}

#[test]
fn hostile_shortcuts_cost_linear_time() {
    for (extension, first) in FORMATS {
        for (before, unit, after) in [
            ("", "URL=http://h/a\n", ""),
            ("", "URL=a\\sb\n", ""),
            ("", "URL[a]=a\r", ""),
            ("URL=", "\\", ""),
            ("URL=", "\\s", ""),
            ("URL=", " ", "a"),
            ("URL=", "\"", ""),
            ("URL=a", "/..", ""),
            ("URL", " ", "=a"),
            ("URL[", "[", "]=a"),
            ("", "=", ""),
            ("", "\r", ""),
            ("", "[", ""),
            ("", "]", ""),
            ("[", "]", ""),
            ("", "[Other]\n", ""),
            ("", "[InternetShortcut]\nURL=a\n", ""),
            ("", "# a\n", "URL=a\n"),
        ] {
            let name = format!("{extension} {before:?} {unit:?} {after:?}");
            let text =
                |len: usize| format!("{first}{before}{}{after}", unit.repeat(len / unit.len()));
            assert_linear_in(&name, text, |text| {
                let document = document_of(extension, text.as_bytes().to_vec(), "utf-8");
                std::hint::black_box(plan(&document, Rule::Absolute));
                let detected = Document::new(format!("a.{extension}"), text.as_bytes().to_vec());
                std::hint::black_box(detected.format());
            });
        }
    }
}
