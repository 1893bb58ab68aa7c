//! Generated Internet shortcuts and desktop entries.

use proptest::prelude::*;
use proptest::sample::select;
use rehref::document::Document;
use rehref::format::Format;
use rehref::rewrite::Rule;
use rehref::uri::Parts;

use super::{CHARSETS, Row, config};
use crate::support::charsets::encode;
use crate::support::links::{references, uris};
use crate::support::planned::{Planned, Say, prefix_map, rewritten};

laws! {
    internet_shortcuts: INTERNET_SHORTCUTS;
    desktop_entries: DESKTOP_ENTRIES;
}

const INTERNET_SHORTCUTS: Row = Row {
    first: "; a\r\n[InternetShortcut]\r\n",
    // Quotes within quotes stay, and outermost ones do not.
    read_back: |read, _, spelled| Some(read(&format!("URL=\"{spelled}\""))),
    hostile: HOSTILE,
    ..Row::new(Format::Shortcut, "file.url", shortcuts, || line().boxed())
};

const DESKTOP_ENTRIES: Row = Row {
    name: "file.desktop",
    first: "# a\n[Desktop Entry]\nType=Link\n",
    read_back: |read, _, spelled| Some(read(&format!("URL={spelled}"))),
    ..INTERNET_SHORTCUTS
};

fn shortcuts(row: &'static Row) -> BoxedStrategy<Document> {
    row.encoded(prop::collection::vec(line(), 0..8).prop_map(|lines| lines.concat()), &CHARSETS)
}

fn of_any_kind() -> impl Strategy<Value = Document> {
    prop_oneof![shortcuts(&INTERNET_SHORTCUTS), shortcuts(&DESKTOP_ENTRIES)]
}

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
    "http://h/", "http://h", "HTTP://H/", "https://h/", "//h/", "http://h/d/e/", "/", "/d/", "../",
    "./", "..", "a", "b.c", "a:b", "C:\\", "c:/", "\\\\h\\", "?x=1", "#f", "\\s", "\\n", "\\t",
    "\\\\", "\\", "\\;", "%20", "%zz", "é", "日", "ソ", "\t", " ", "\"", "'", "=", "[",
];

const OTHER_LINES: [&str; 9] = [
    "[InternetShortcut.A]", "[DEFAULT]", "[DOC#1]", "[Other]", "[InternetShortcut]",
    "[Desktop Entry]", "Type=Link", "Name=日本", "",
];

fn line() -> impl Strategy<Value = String> {
    let reference = prop::collection::vec(select(&PIECES[..]), 0..6);
    let entry = (select(&PLACES[..]), reference)
        .prop_map(|((before, after), reference)| format!("{before}{}{after}", reference.concat()));
    let other = select(&OTHER_LINES[..]);
    let end = select(vec!["\n", "\r\n", "\r"]);
    (prop_oneof![5 => entry, 1 => other.prop_map(str::to_owned)], end)
        .prop_map(|(line, end)| line + end)
}

/// The keys and references of the links by a second reading, line by line.
fn links_by_lines(document: &Document) -> Vec<(String, String)> {
    let is_desktop = document.path().ends_with(DESKTOP_ENTRIES.name);
    let text = document.text().text.replace('\r', "\n");
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
        let scheme = Parts::split(&reference).scheme;
        let is_name = name.is_some_and(|it| it.starts_with("Icon"))
            && scheme.is_none_or(|scheme| scheme.len() == 1);
        if has_links && !reference.is_empty() && !is_name {
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

proptest! {
    #![proptest_config(config())]

    #[test]
    fn links_are_those_of_a_second_reading(document in of_any_kind()) {
        let found = document.links();
        let links = found.iter().map(|link| {
            let key = link.place().attribute().unwrap_or_default().to_owned();
            (key, link.reference().to_owned())
        });
        prop_assert_eq!(links.collect::<Vec<_>>(), links_by_lines(&document));
    }

    #[test]
    fn no_rule_makes_a_link_relative(document in of_any_kind()) {
        let has_scheme = |it: &String| Parts::split(it).scheme.is_some();
        for rule in [Rule::Relative, Rule::RootRelative] {
            let edited = rewritten(&document, rule);
            for (old, new) in references(&document).iter().zip(references(&edited)) {
                prop_assert!(!has_scheme(old) || has_scheme(&new), "{old} became {new}");
            }
        }
    }

    /// A written reference is read back in every place. Only icons without a scheme are skipped.
    #[test]
    fn written_references_are_read_back(
        reference in "(http:|x)?[!-~éß日𝄞\u{FFFD}\u{80} ]{0,3}[ -~é日\x01-\x1F\x7F]{0,12}[!-~éß日\u{7F} ]",
        charset in select(vec!["utf-8", "utf-16le", "utf-16be", "windows-1252", "koi8-r"]),
        end in select(vec!["", "\n", "\r\n"]),
    ) {
        for row in [INTERNET_SHORTCUTS, DESKTOP_ENTRIES] {
            let lines: Vec<String> = PLACES.iter().map(|(before, after)| format!("{before}http://old/{after}")).collect();
            let text = format!("{}{}{end}", row.first, lines.join("\n"));
            let document = row.document(encode(&text, charset), charset);
            let found = document.links();
            let plan = Planned::new(&found, &Say(reference.clone()));
            let read = references(&plan.applied_to(&document));
            prop_assert_eq!(read.len(), found.len());
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
                prop_assert!(is_icon && is_name, "{:?} {reason:?}", link.place);
            }
        }
    }
}

/// Windows reads a file without a byte order mark in the code page of its user.
#[test]
fn ansi_shortcut_in_ascii_stays_ascii() {
    let map = |name: &str, bytes: &[u8]| {
        let document = Document::new(name, bytes.to_vec()).retrieved_from("http://h/d/e/f?q");
        let map = prefix_map(&["http://h/=http://m/é/"]);
        rewritten(&document, Rule::Map(map)).into_bytes()
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

/// Shortcuts that could take long to read.
const HOSTILE: &[&str] = &strings![
    "⟦URL=http://h/a\n⟧" "⟦URL=a\\sb\n⟧" "⟦URL[a]=a\r⟧" "URL=⟦\\⟧" "URL=⟦\\s⟧" "URL=⟦ ⟧a"
    "URL=⟦\"⟧" "URL=a⟦/..⟧" "URL⟦ ⟧=a" "URL[⟦[⟧]=a" "⟦=⟧" "⟦\r⟧" "⟦[⟧" "⟦]⟧" "[⟦]⟧" "⟦[Other]\n⟧"
    "⟦[InternetShortcut]\nURL=a\n⟧" "⟦# a\n⟧URL=a\n"
];
