//! The examples of CommonMark and of GitHub's extensions have the links of their HTML.

use std::fs;

use rehref::document::Document;
use rehref::format::{Format, Options};
use rehref::link::{Delimiter, MarkdownForm, ParsedLink, Place};

use crate::needs::shared;

pub(crate) const COMMON_MARK: &str = "data/commonmark/commonmark-spec.txt";
pub(crate) const GFM: &str = "data/commonmark/gfm-spec.txt";

pub(crate) fn common_mark_has_the_links_of_its_html() {
    check(COMMON_MARK);
}

pub(crate) fn gfm_has_the_links_of_its_html() {
    check(GFM);
}

fn check(path: &str) {
    let examples = examples(path);
    assert!(examples.len() > 600, "{} examples", examples.len());
    let mut failures = Vec::new();
    for (number, example) in (1..).zip(&examples) {
        let expected = of_html(&example.html);
        let found = of_markdown(&example.markdown, example.has_literals);
        if found != expected && !DIFFERENT.contains(&(path, number)) {
            failures.push(format!("{number}: {:?} {found:?} {expected:?}", example.markdown));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The examples with links in the text of an image, which HTML lacks.
const DIFFERENT: &[(&str, usize)] = &[
    (COMMON_MARK, 520),
    (COMMON_MARK, 574),
    (COMMON_MARK, 575),
    (GFM, 528),
    (GFM, 582),
    (GFM, 583),
];

struct Example {
    /// True if URLs in text are links.
    has_literals: bool,
    markdown: String,
    html: String,
}

fn examples(path: &str) -> Vec<Example> {
    let text = fs::read_to_string(shared(path)).expect("the specification");
    let text = text.replace('\u{2192}', "\t");
    let fence = "`".repeat(32);
    let mut examples = Vec::new();
    let mut rest = &*text;
    while let Some((_, after)) = rest.split_once(&format!("\n{fence} example")) {
        let (extension, after) = after.split_once('\n').expect("a line");
        let (example, after) = after.split_once(&fence).expect("an end");
        let (markdown, html) = match example.strip_prefix(".\n") {
            Some(html) => ("", html),
            None => example.split_once("\n.\n").expect("a full stop"),
        };
        examples.push(Example {
            has_literals: extension.contains("autolink"),
            markdown: format!("{markdown}\n"),
            html: html.to_owned(),
        });
        rest = after;
    }
    examples
}

/// The links of HTML, sorted.
fn of_html(html: &str) -> Vec<String> {
    let document = Document::new("a.html", html.as_bytes().to_vec()).with_format(Format::Html);
    let links = document.found(&Options::default()).links;
    let mut links: Vec<String> = links.iter().map(|link| plain(&link.reference)).collect();
    links.sort();
    links
}

/// The links of Markdown, as HTML has them: the uses of definitions in place of these.
fn of_markdown(markdown: &str, has_literals: bool) -> Vec<String> {
    let document =
        Document::new("a.md", markdown.as_bytes().to_vec()).with_format(Format::Markdown);
    let mut options = Options::default();
    options.markdown.references = true;
    let links = document.found(&options).links;
    let links = links.iter().filter_map(|link| as_html(link, has_literals));
    let mut links: Vec<String> = links.collect();
    links.sort();
    links
}

fn as_html(link: &ParsedLink<'_>, has_literals: bool) -> Option<String> {
    let reference = &*link.reference;
    let Place::Markdown(place) = link.place else {
        return Some(plain(reference));
    };
    match place.form {
        MarkdownForm::Definition => None,
        MarkdownForm::Url(_) if !has_literals && !place.is_bracketed => None,
        MarkdownForm::Url(Delimiter::Email) => Some(plain(&format!("mailto:{reference}"))),
        MarkdownForm::Url(Delimiter::Abbreviated) => Some(plain(&format!("http://{reference}"))),
        _ => Some(plain(reference)),
    }
}

/// The reference with the characters percent-encoded that the examples encode.
fn plain(reference: &str) -> String {
    let mut out = String::new();
    for byte in reference.bytes() {
        match byte {
            b'!' | b'#'..=b';' | b'=' | b'?'..=b'Z' | b'_' | b'a'..=b'z' | b'~' => {
                out.push(char::from(byte))
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
