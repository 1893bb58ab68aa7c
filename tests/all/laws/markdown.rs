//! Generated Markdown, MDX, and changed documents of the corpus.

use proptest::prelude::*;
use proptest::sample::select;
use rehref::bytes::Span;
use rehref::document::Document;
use rehref::format::{Format, Options};
use rehref::link::{Delimiter, MarkdownForm, ParsedLink, Place};

use super::{CHARSETS, Row, config};
use crate::markdown_soup::{PLACES, changed_texts, piece, texts as any_text};
use crate::support::charsets::encode;
use crate::support::links::{are_delivered, references};
use crate::support::planned::{Planned, Say};

laws! {
    texts: TEXTS;
    changed_fixtures: CHANGED_FIXTURES;
}

const TEXTS: Row = Row {
    read_back,
    is_verified_otherwise: |document| {
        // pulldown-cmark ends HTML of kind 1 at the end tag of the element only (CommonMark, 4.6).
        ["<script", "<style", "<pre"].iter().any(|it| document.text().text.contains(it))
    },
    hostile: HOSTILE,
    ..Row::new(
        Format::Markdown,
        "file.md",
        |row| row.encoded(any_text(), &CHARSETS),
        || piece().boxed(),
    )
};

const CHANGED_FIXTURES: Row =
    Row { documents: |row| row.encoded(changed_texts(), &["utf-8"]), ..TEXTS };

pub(crate) fn document_of(text: &str) -> Document {
    TEXTS.document(text.into(), "utf-8")
}

pub(super) fn read_back(
    read: &dyn Fn(&str) -> String,
    link: &ParsedLink<'_>,
    spelled: &str,
) -> Option<String> {
    let alone = match &link.place {
        Place::Markdown(place) => match place.form {
            MarkdownForm::Inline | MarkdownForm::Definition if place.is_bracketed => {
                format!("[a](<{spelled}>)")
            }
            MarkdownForm::Inline | MarkdownForm::Definition => format!("[a]({spelled} )"),
            _ => {
                // The pipes of a table are escaped before anything else is read.
                let spelled = match place.is_in_table {
                    true => spelled.replace("\\|", "|"),
                    false => spelled.to_owned(),
                };
                match place.is_bracketed {
                    true => format!("<{spelled}>"),
                    false => spelled,
                }
            }
        },
        Place::Css(_) => return None,
        // Within the lines of a tag there may be the syntax of blocks.
        _ if spelled.contains(['\n', '\r']) || link.spans.len() > 1 => return None,
        _ => format!("<a href=\"{}\">", spelled.replace('"', "&quot;")),
    };
    let read = read(&alone);
    // In a cell of a table, HTML may have an escaped pipe.
    let is_read_in_table = read.replace("\\|", "|") == link.reference;
    Some(if is_read_in_table { link.reference.to_string() } else { read })
}

/// The bytes that a reference spells, percent-decoded: a place that cannot hold a character gets
/// its percent-encoding.
fn decoded(reference: &str) -> Vec<u8> {
    let bytes = reference.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(&byte) = bytes.get(at) {
        let digits = bytes.get(at + 1..at + 3).filter(|_| byte == b'%');
        let digits = digits.and_then(|it| std::str::from_utf8(it).ok());
        match digits.and_then(|it| u8::from_str_radix(it, 16).ok()) {
            Some(encoded) => {
                out.push(encoded);
                at += 3;
            }
            None => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn delivered_uses_of_definitions_are_those_that_are_found(
        text in prop_oneof![any_text(), changed_texts()],
    ) {
        let mut options = Options::default();
        options.markdown.references = true;
        are_delivered(&document_of(&text).with_options(options))?;
    }

    /// A written reference is read back in every place, or the link is skipped.
    #[test]
    fn written_references_are_read_back(
        reference in "(http:|x)?[!-~éß日𝄞\u{FFFD}\u{80} ]{0,3}[ -~é日\x01-\x1F\x7F\r\n]{0,12}[!-~éß日\u{7F} ]?",
        charset in select(vec!["utf-8", "utf-16le", "windows-1252", "koi8-r"]),
    ) {
        for (before, after) in PLACES {
            let text = format!("{before}http://old/{after}");
            let document = TEXTS.document(encode(&text, charset), charset);
            let found = document.links();
            let plan = Planned::new(&found, &Say(reference.clone()));
            let read = references(&plan.applied_to(&document));
            prop_assert_eq!(read.len(), found.len());
            for edit in plan.edits() {
                prop_assert_eq!(&read[plan.number(edit.link)], edit.reference);
                prop_assert_eq!(decoded(edit.reference), decoded(&reference));
            }
            for (number, reason) in plan.skipped() {
                let link = &found.found().links[*number];
                // At the start of a line, a destination may be the syntax of a block.
                let is_first = document.decode(Span::new(0, link.extent().start)).ends_with('\n');
                let is_destination = matches!(&link.place, Place::Markdown(place)
                    if matches!(place.form, MarkdownForm::Inline | MarkdownForm::Definition));
                prop_assert!(is_first || !is_destination, "{:?} {reason:?}", link.place);
            }
        }
    }
}

/// URLs and addresses without brackets stay as they are where they could not be found whole.
#[test]
fn urls_in_text_are_written_whole_or_kept() {
    for (old, new) in [
        ("see http://old/a, b", "http://n/a_b"),
        ("see http://old/a, b", "http://n/a."),
        ("see http://old/a, b", "http://n/a)"),
        ("see http://old/a, b", "http://n/(a"),
        ("see http://old/a, b", "http://n/&amp;"),
        ("see http://old/a, b", "n/a"),
        ("see http://old/a, b", ""),
        ("(http://old/a) b", "http://n/a(b)"),
        ("[x] http://old/a b", "http://n/[x]"),
        ("*http://old/a* b", "http://n/*"),
        ("|a|\n|-|\n|http://old/a|", "http://n/a|b"),
        ("<http://old/a>", "http://n/a b"),
        ("<http://old/a>", "http://n/>"),
        ("<http://old/a>", "a"),
    ] {
        let document = document_of(old);
        let found = document.links();
        let [link] = &found.found().links[..] else {
            panic!("{old}: {} links", found.len());
        };
        let plan = Planned::new(&found, &Say(new.to_owned()));
        let edited = plan.applied_to(&document);
        match plan.edits().get(0) {
            Some(edit) => assert_eq!(references(&edited), [edit.reference], "{old} {new}"),
            None => assert_eq!(edited.bytes(), document.bytes()),
        }
        let Place::Markdown(place) = link.place else {
            panic!("{old}: {:?}", link.place);
        };
        let delimiter = place.form.delimiter();
        let is_bare = matches!(delimiter, Some(Delimiter::Bare | Delimiter::Angle));
        assert!(is_bare, "{old}: {delimiter:?}");
    }
}

/// Documents that could take long to rewrite. `markdown_hostile` has those that could take long to
/// read.
const HOSTILE: &[&str] = &[
    "⟦[a](b)⟧", "⟦[a](b) ⟧c", "⟦- [a](b)\n⟧", "⟦> ⟧[a](b)", "⟦[a]: b\n⟧", "⟦[![a](b)](c)⟧",
    "⟦<a href=b>⟧", "⟦<p><a href=b>\n\n⟧", "|a|\n|-|\n⟦|[a](b)|\n⟧", "[a](⟦\\(⟧)", "[a](⟦&amp;⟧)",
    "[a](⟦(⟧)",
];
