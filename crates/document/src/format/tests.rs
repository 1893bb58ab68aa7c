//! Tests of the table of languages.

use super::*;

#[test]
fn mail_is_detected_by_its_header() {
    let content = |text: &str| Format::detect(Path::new("53:2,"), text.as_bytes());
    let header = "Received: from a\n\tby b\nFrom: a@b.example\nSubject: c\n\nSee\n";
    assert_eq!(content(header), Format::Mail);
    assert_eq!(content(&header.replace('\n', "\r\n")), Format::Mail);
    assert_eq!(content(&format!("From a@b.example Mon Jul 21 10:00 1997\n{header}")), Format::Mbox);
    let one = "From: a\n\nTo: b\n";
    assert_eq!(Format::detect(Path::new("a"), one.as_bytes()), Format::Text);
    for name in ["53:2,", "17", "Mail/cur/a.b", "new/a"] {
        assert_eq!(Format::detect(Path::new(name), one.as_bytes()), Format::Mail);
        assert_eq!(Format::detect(Path::new(name), b"words\n"), Format::Text);
    }
    let relays = "Received: from a by b\n\tfor c\n".repeat(200);
    assert_eq!(content(&format!("{relays}{header}")), Format::Mail);
    assert_eq!(content("From here to there, and\nSubject: x\n"), Format::Text);
    assert_eq!(content("Note: a\nSee: b\n"), Format::Text);
}

#[test]
fn extension_takes_precedence_over_content() {
    let detect = |name: &str, content: &str| Format::detect(Path::new(name), content.as_bytes());
    assert_eq!(detect("a.HTM", "plain"), Format::Html);
    assert_eq!(detect("a.txt", "<html>"), Format::Text);
    for extension in ["gz", "bz2", "xz", "ZST"] {
        assert_eq!(detect(&format!("a.html.{extension}"), ""), Format::Html);
    }
    assert_eq!(detect("a.html.br", ""), Format::Text);
    assert_eq!(detect("a.xhtml", "<!DOCTYPE html>"), Format::Xml);
    assert_eq!(detect("subscriptions.opml", ""), Format::Xml);
    assert_eq!(detect("a.cgi", " \n<!doctype html>"), Format::Html);
    assert_eq!(detect("a", "<title>x"), Format::Html);
    for part in
        ["<ul>", "<NAV class=a>", "\n<img\nsrc=a>", "<hr/>", "<meta charset=utf-8>", "<h2 id=a>"]
    {
        for name in ["-", "a", "a.unknown", "Dockerfile", "a.php", "a.txt"] {
            let expected = match name {
                "a.php" | "a.txt" => Format::Text,
                _ => Format::Html,
            };
            assert_eq!(detect(name, part), expected, "{name} {part}");
        }
    }
    for text in ["<ul", "<main@a.example>", "<i/o>", "<section xmlns='x'>", "<Directory />", "ul"] {
        assert_eq!(detect("-", text), Format::Text, "{text}");
    }
    assert_eq!(detect("a", "<titles>"), Format::Text);
    assert_eq!(detect("a", "<http://a.example/>"), Format::Text);
    assert_eq!(detect("-", "<?xml version='1.0'?><feed/>"), Format::Xml);
    assert_eq!(detect("-", "<?xml version='1.0'?>\n<html xmlns='x'>"), Format::Html);
    assert_eq!(detect("-", "<rss version='2.0'>"), Format::Xml);
    assert_eq!(detect("-", "<?xml version='1.0'?><rss><![CDATA[<html>]]></rss>"), Format::Xml);
    assert_eq!(detect("-", ""), Format::Text);
    assert_eq!(detect("-", "@charset \"utf-8\";"), Format::Css);
    assert_eq!(detect("-", "\n@import 'a.css';"), Format::Css);
    assert_eq!(detect("-", "@IMPORT URL(a.css);"), Format::Css);
    assert_eq!(detect("-", "@import Foundation;"), Format::Text);
    assert_eq!(detect("-", "@importer"), Format::Text);
    assert_eq!(Format::detect(Path::new("-"), b"\xFF\xFE<\0p\0>\0"), Format::Html);
}

#[test]
fn names_round_trip() {
    for format in Format::all() {
        assert_eq!(format.as_str().parse(), Ok(format));
    }
    assert!("HTML".parse::<Format>().is_err());
}

#[test]
fn whole_media_types_go_before_patterns() {
    for (media_type, format) in [
        ("text/plain", Some(Format::Text)),
        ("TEXT/HTML ", Some(Format::Html)),
        ("text/css", Some(Format::Css)),
        ("text/x+xml", Some(Format::Xml)),
        ("image/svg+xml", Some(Format::Xml)),
        ("message/rfc822", Some(Format::Mail)),
        ("message/delivery-status", Some(Format::Text)),
        ("image/png", None),
        ("text", None),
    ] {
        assert_eq!(Format::from_media_type(media_type), format, "{media_type}");
    }
}

#[test]
fn places_are_the_languages_that_have_links_of_their_own() {
    let is_place = |name: &str| Format::places().any(|it| it == name);
    for (name, expected) in
        [("text", true), ("css", true), ("header", true), ("http", true), ("mbox", false)]
    {
        assert_eq!(is_place(name), expected, "{name}");
    }
}

#[test]
fn a_nul_does_not_make_mail_binary() {
    let is_binary =
        |name: &str, bytes: &[u8]| Format::detect(Path::new(name), bytes).is_binary(bytes);
    let mailbox = b"From a@b.example Mon Jul 21 10:00 1997\nSubject: c\n\n\0\x01\x02\n";
    let message = b"From: a@b.example\nSubject: c\n\nSee \0 here\n";
    for name in ["a.mbox", "1997-07.txt", "1997-July", "a.eml"] {
        assert!(!is_binary(name, mailbox), "{name}");
        assert!(!is_binary(name, message), "{name}");
    }
    assert!(!is_binary("a.mbox", b"\0\0\0\0\n\nwords and more words\n"));
    assert!(!is_binary("a.mbox", &[&[0; 512], &mailbox[..]].concat()));
    assert!(is_binary("a", b"words \0\n"));
    assert!(is_binary("a.txt", b"words \0\n"));
    assert!(is_binary("a.msg", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0\0\0"));
    assert!(is_binary("a.mbox", b"\x7FELF\x02\x01\x01\0\0\0\0\0\x03\0>\0\x01"));
}

#[test]
fn a_text_that_begins_with_a_header_is_a_message() {
    let detect = |name: &str, content: &str| Format::detect(Path::new(name), content.as_bytes());
    let letter = "\n\nFrom: a@b.example\nDate: Mon, 21 Jul 1997\nSubject: c\n\nSee\n";
    assert_eq!(detect("a.txt", letter), Format::Mail);
    assert_eq!(detect("a.txt.gz", letter), Format::Mail);
    assert_eq!(detect("a.md", letter), Format::Markdown);
    let archived = letter.replace("a@b.example", "a at b.example (A)");
    assert_eq!(detect("a.txt", &archived), Format::Mail);
    for text in [
        "Title: x\nDate: today\nAuthor: a@b.example\n\nSee\n",
        "From: the beginning\nTo: the end\n\nSee\n",
        "From: a@b.example\n\nSee\n",
        "From: a@b.example\nTo: c@d.example\nand so on\n",
    ] {
        assert_eq!(detect("a.txt", text), Format::Text, "{text}");
    }
}

#[test]
fn texts_that_begin_with_words_are_plain_text_without_a_syntax() {
    use crate::source::Compression;
    use proptest::prelude::*;

    let is_begun = |text: &str| Format::is_begun_by_words(text.as_bytes());
    for text in
        ["See a", "Hello, you", "I'm in", "3 of 5", "a.b c", "https://a.example/ b", "It <b>"]
    {
        assert!(is_begun(text), "{text}");
    }
    for text in [
        "", "See", "From a", "commit 1", "Subject : x", "http://a/\nFrom: b\nTo: c", "<b> c",
        " a b",
    ] {
        assert!(!is_begun(text), "{text}");
    }
    let pieces = [
        "See",
        "From",
        "To",
        "commit",
        "diff",
        "Index",
        "dn",
        "version",
        "BEGIN",
        "BZh9",
        "WARC/1.0",
        "filedesc://",
        "http",
        "https",
        "a@b",
        "0123456789abcdef0123456789abcdef01234567",
        "VCARD",
        " ",
        ":",
        "-",
        "\n",
        "\t",
        "/",
        ".",
        ",",
        "'",
        "=",
        "1",
        "<a>",
        "[",
        "{",
        "@import",
        "\u{e9}",
    ];
    let text = prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..12);
    proptest!(|(pieces in text)| {
        let text = pieces.concat();
        let bytes = text.as_bytes();
        if Format::is_begun_by_words(bytes) {
            let name = Path::new("-");
            prop_assert_eq!(Format::detect(name, bytes), Format::Text);
            prop_assert_eq!(Format::Text.text_syntax(name, bytes), None);
            prop_assert!(Compression::of(bytes).is_none());
            prop_assert!(UnreadKind::of_text(name, bytes).is_none());
        }
    });
}
