//! A line that looks like another kind of document hides no link of the rest without a word, in any
//! file whose name is that of a kind or syntax.

use std::collections::BTreeMap;

use rehref::fs::{Item, Memory};
use rehref::jobs::{Extract, ExtractEvent};

use crate::support::dom_oracle::{differences, page_of};
use crate::tier;

/// Lines that begin documents of other kinds.
const LINES: &[&[u8]] = &strings![
    b"<p>x</p>" b"<html>" b"<!DOCTYPE html>" b"<b>" b"<title>x</title>" b"<svg>"
    b"<rss version=\"2.0\">" b"<urlset>" b"<?xml version=\"1.0\"?>" b"<!-- x -->" b"@import \"x\";"
    b"@charset \"utf-8\";" b"From x@y.example Mon Jan  1 00:00:00 2024" b"From: a@b.example"
    b"Subject: x" b"MIME-Version: 1.0" b"\x01\x01\x01\x01" b"WARC/1.0" b"filedesc://x 0 0 0 0"
    b"HTTP/1.1 200 OK" b"{\"cells\": []}" b"---" b"+++" b"\xEF\xBB\xBF" b"\xFF\xFE" b"\xFE\xFF"
    b"\xFF\xFEh\0i\0" b"\x1F\x8B\x08\0" b"BZh9" b"\xFD7zXZ" b"\x28\xB5\x2F\xFD" b"PK\x03\x04"
    b"%PDF-1.4" b"{\\rtf1" b"GIF89a" b"\x89PNG" b"\xD0\xCF\x11\xE0" b"\0\0\0" b"#!/bin/sh"
    b"#!/usr/bin/python3" b"diff --git a/x b/x" b"@@ -1 +1 @@" b"# vim: set ft=html:"
    b"[InternetShortcut]" b"[Desktop Entry]" b".TH A 1" b".\\\" x" b"a;b;c" b"a|b|c|d"
    b"BEGIN:VCALENDAR" b"\\documentclass{x}"
];

/// Names of text, and of documents, with the line of a link to `@`.
const NAMES: &[(&str, &str)] = &[
    ("txt", "@"),
    ("log", "@"),
    ("csv", "@,b"),
    ("tsv", "@\tb"),
    ("jsonl", "{\"a\": \"@\"}"),
    ("json", "[\"@\"]"),
    ("yaml", "a: @"),
    ("yml", "- @"),
    ("toml", "a = \"@\""),
    ("ini", "a=@"),
    ("properties", "a=@"),
    ("sh", "curl @"),
    ("py", "a = '@'"),
    ("js", "f('@');"),
    ("c", "f(\"@\");"),
    ("rs", "f(\"@\");"),
    ("java", "f(\"@\");"),
    ("rb", "f '@'"),
    ("lua", "f('@')"),
    ("pl", "f('@');"),
    ("sql", "-- @"),
    ("tex", "\\url{@}"),
    ("bib", "url = {@},"),
    ("po", "msgid \"@\""),
    ("adoc", "@[a]"),
    ("wiki", "[@ a]"),
    ("texi", "@url{@}"),
    ("man", "@"),
    ("rst", "`a <@>`_"),
    ("org", "[[@][a]]"),
    ("diff", "+ @"),
    ("patch", "- @"),
    ("ics", "URL:@"),
    ("vcf", "NOTE:@"),
    ("ldif", "labeledURI: @"),
    ("css", "a { background: url(@) }"),
    ("html", "<a href=\"@\">a</a>"),
    ("md", "[a](@)\n"),
];

/// Returns true if a line opens a construct of the language, which the next lines continue.
fn has_meaning(extension: &str, line: &[u8]) -> bool {
    let opens = |bytes: &[u8]| bytes.iter().any(|it| line.contains(it));
    match extension {
        // HTML in Markdown ends at the next blank line; front matter at its next mark.
        "md" => opens(b"<`~-+"),
        "csv" | "tsv" => opens(b"\""),
        // It continues the string before it.
        "po" => line == b"\"",
        // Browsers read such a page in UTF-16.
        "html" => line.starts_with(b"\xFF\xFE") || line.starts_with(b"\xFE\xFF"),
        _ => false,
    }
}

fn url(number: usize) -> String {
    format!("http://h.example/n{number}")
}

/// The links of a file, and whether a message or the summary says that something was not read.
fn read(name: &str, bytes: Vec<u8>) -> (Vec<String>, bool) {
    let mut extract = Extract::new();
    extract.inputs.items.push(Item::Memory(Memory::new(name, bytes)));
    let mut links = Vec::new();
    let totals = extract.for_each(|event| {
        if let ExtractEvent::Link(report, _) = event {
            links.push(report.reference().to_owned());
        }
    });
    (links, totals.warnings > 0 || !totals.unread.is_empty())
}

#[test]
fn a_line_of_another_kind_hides_no_link_without_a_word() {
    const LINKS: usize = 6;
    let bytes: Vec<[u8; 1]> = (0..=u8::MAX).step_by(tier::pick(5, 1)).map(|it| [it]).collect();
    let lines = LINES.iter().copied().chain(bytes.iter().map(|it| &it[..]));
    let lines: Vec<&[u8]> = lines.collect();
    let mut failures = BTreeMap::<String, Vec<String>>::new();
    for (extension, template) in NAMES {
        let body: Vec<String> = (0..LINKS)
            .map(|number| match template.strip_prefix("@url{@") {
                Some(end) => format!("@url{{{}{end}", url(number)),
                None => template.replace('@', &url(number)),
            })
            .collect();
        let name = format!("a.{extension}");
        let whole = body.join("\n").into_bytes();
        let (links, _) = read(&name, whole);
        assert_eq!(links, (0..LINKS).map(url).collect::<Vec<_>>(), "{extension}");
        for (line, at) in
            lines.iter().flat_map(|line| [(line, 0), (line, LINKS / 2), (line, LINKS)])
        {
            if has_meaning(extension, line) {
                continue;
            }
            let mut with: Vec<&[u8]> = body.iter().map(String::as_bytes).collect();
            with.insert(at, line);
            let (found, is_told) = read(&name, with.join(&b'\n'));
            let found: Vec<_> = found.into_iter().filter(|it| links.contains(it)).collect();
            if found != links && !is_told {
                let shown = line.escape_ascii().to_string();
                failures.entry(shown).or_default().push(format!("{extension}:{at}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn a_text_under_an_unknown_name_is_counted_if_its_urls_are_not_read() {
    let text = (0..6).map(|it| url(it) + "\n").collect::<String>();
    for line in [
        "<p>x</p>", "<!DOCTYPE html>", "<?xml version='1.0'?>", "@import 'x';",
        "[InternetShortcut]", "<script>", "<style>", "<iframe>", "<!--",
    ] {
        // URLs may begin late.
        for filler in [0, 100 << 10] {
            let text = format!("{line}\n{}\n{text}", "a ".repeat(filler));
            for name in ["notes", "a.url", "a.desktop", "a.conf"] {
                // A shortcut by its name, too.
                if line.starts_with('[') && name != "notes" && name != "a.conf" {
                    continue;
                }
                let (links, is_told) = read(name, text.clone().into_bytes());
                assert!(links.len() >= 6 || is_told, "{name}: {line} {filler}");
            }
        }
    }
    // A name of text is believed, and the file is counted.
    for name in ["a.csv", "a.log", "a.sh", "a.yaml"] {
        assert!(read(name, b"<html><a href=b>".to_vec()).1, "{name}");
    }
    let page =
        "<!DOCTYPE html><p>See http://a.example/ and <a href=b>b</a>, <a href=c>c</a>".to_owned();
    assert!(!read("page", page.into_bytes()).1);
}

#[test]
fn parts_of_mail_and_xml_are_counted_if_they_have_unread_references() {
    for (media_type, body, is_counted) in [
        ("application/xml", "<x><y>a/b.html</y></x>", true),
        ("application/xml", "<x><![CDATA[a.pdf]]></x>", true),
        ("application/xml", "<x href='a/b'/>", true),
        ("application/xml", "<x href='a/b' src='http://a.example/'/>", true),
        // Absolute URLs are links.
        ("application/xml", "<x><y>See http://a.example/ there</y></x>", false),
        ("application/xml", "<x y='http://a.example/c.html'>mailto:a@b.example</x>", false),
        ("application/xml", "<x y='a: b'>c: d. e</x>", false),
        ("application/octet-stream", "", false),
        ("application/octet-stream", "a", true),
    ] {
        let mail = format!(
            "From: a@b.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n\
             --b\nContent-Type: {media_type}\n\n{body}\n--b--\n"
        );
        assert_eq!(read("a.eml", mail.into()).1, is_counted, "{media_type} {body}");
        if media_type == "application/xml" {
            assert_eq!(read("a.xml", body.into()).1, is_counted, "{body}");
        }
    }
}

#[test]
fn mailboxes_and_archives_are_recognized_under_names_of_text() {
    let mailbox = "From a@b.example Mon Jan  1 00:00:00 2024\nSubject: x\n\nhttp://h.example/\n";
    for name in ["1997-July.txt", "mailbox", "a.log1997"] {
        let (links, is_told) = read(name, mailbox.into());
        assert_eq!((links, is_told), (vec!["http://h.example/".to_owned()], false), "{name}");
    }
}

#[test]
fn a_page_with_a_nul_anywhere_has_the_links_of_its_dom() {
    let page = "<!doctype html><p title=a>a<!-- b --><a href='c'>d</a><svg><a xlink:href=e>f</a></svg>\
                <script>g</script><img src=h><textarea>i</textarea><table><td background=j>k</table>";
    for at in 0..=page.len() {
        let with = format!("{}\0{}", &page[..at], &page[at..]);
        let difference = differences(&page_of(&with));
        assert!(difference.is_none(), "{at}: {}", difference.unwrap_or_default());
        assert!(!read("a.html", with.into_bytes()).1, "{at}");
    }
}
