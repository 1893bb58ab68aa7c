//! Laws of the search in plain text.

use proptest::prelude::*;
use rehref::find::text::{Hyphen, Iri, Join, TextOptions, TextUrl, scan};

use crate::linear;

pub(crate) const PIECES: &[&str] = &[
    "http",
    "ftp",
    "mailto",
    "data",
    "foo",
    "URL",
    "file",
    "a",
    "b.c",
    "é",
    "看",
    "1",
    ":",
    "://",
    "/",
    "//",
    "<",
    ">",
    "\"",
    "“",
    "”",
    "'",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "（",
    "）",
    "，",
    "。",
    ".",
    ",",
    ";",
    "|",
    "^",
    "@",
    "#",
    "?",
    "%20",
    "-",
    "\\",
    "`",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\u{a0}",
    "\u{3000}",
    "\u{200b}",
    "\u{fffd}",
    "http://a/b",
    "<URL:http://a/",
    "mailto:a@b",
    "[::1]",
    "::",
    "www.",
    "www.a.b",
    "> ",
    "\n> ",
    "# ",
    "\n# ",
    " * ",
    "-\n",
    "- \n",
    "a-\nb/c",
    "„",
    "‘",
    "「",
    "」",
    "=",
    "&",
    "é@ü.中国",
    "a@b.c",
    "\n\nA  [Page 2]\n\u{c}\nRFC 1   May 1995\n\n",
];

fn urls(text: &str) -> Vec<TextUrl> {
    urls_by(text, &TextOptions::default())
}

fn urls_by(text: &str, options: &TextOptions) -> Vec<TextUrl> {
    let mut urls = Vec::new();
    scan(text, options, |url| urls.push(url));
    urls
}

/// Texts of the pieces that matter to the search: arbitrary strings seldom hold a URL.
pub(crate) fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(PIECES);
    prop_oneof![
        4 => prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat()),
        1 => any::<String>(),
    ]
}

/// All that can be chosen.
pub(crate) fn options() -> impl Strategy<Value = TextOptions> {
    let choices = any::<(bool, bool, bool, bool)>();
    let iri = prop::sample::select(Iri::ALL);
    let join = prop::option::of(prop::sample::select(Join::ALL));
    let hyphen = prop::sample::select(vec![Hyphen::Keep, Hyphen::Drop]);
    (choices, iri, join, hyphen).prop_map(
        |((abbreviated, emails, strict, delsp), iri, join, hyphen)| TextOptions {
            iri,
            hyphen,
            join,
            delsp,
            abbreviated,
            emails,
            strict,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spans_are_sorted_disjoint_and_whole_characters(text in texts(), options in options()) {
        let mut last = 0;
        for url in urls_by(&text, &options) {
            prop_assert!(!url.spans.is_empty());
            for (at, span) in url.spans.iter().enumerate() {
                prop_assert!(span.start < span.end && last <= span.start);
                let piece = text.get(span.range());
                prop_assert!(piece.is_some(), "within the text, on character boundaries");
                prop_assert!(at == 0 || last < span.start);
                prop_assert!(piece.is_some_and(|piece| !piece.contains(char::is_whitespace)));
                last = span.end;
            }
        }
    }

    #[test]
    fn a_url_alone_is_found_again(text in texts()) {
        for url in urls(&text) {
            let value: String = url.spans.iter().map(|span| &text[span.range()]).collect();
            let alone = format!("<{value}>");
            let again = urls(&alone);
            prop_assert_eq!(again.len(), 1, "{}", alone);
            prop_assert_eq!(again[0].spans.as_slice(), &[rehref::span::Span::new(1, alone.len() - 1)]);
        }
    }

    #[test]
    fn without_a_colon_there_is_nothing(text in texts()) {
        prop_assert_eq!(urls(&text.replace(':', "")), []);
    }
}

#[test]
fn hostile_text_costs_linear_time() {
    let units = [
        "a.a~",
        "<<<<",
        "http:",
        "(",
        ")",
        "<URL:http://a",
        "\"http://a",
        "“http://a",
        "a@",
        "a:",
        "<a:",
        "\"a:",
        ":",
        "://",
        "a://",
        "a://.",
        "a://@",
        "http://a{",
        "http://a{\n",
        "http://a《看",
        "http://[",
        "http://u@",
        "data:",
        "data:{,",
        "data:{,\n",
        "data:,",
        "urn:",
        "mailto:",
        "mailto:{",
        "mailto:(",
        "news:",
        "tel:",
        "<URL: ",
        "< ",
        "<http://a ",
        "<http://a\n",
        "\"http://a\n",
        "<http://a http://b ",
        "http://a,http://b",
        "http://a,",
        "http://a'",
        "'http://a'",
        "{",
        "http://{",
        "看",
        "http://看，看",
        "http://a “看",
        "URL:",
        "a-http:",
        "\\nhttp:",
        "&:",
        ";",
    ];
    for unit in units {
        assert_linear("", unit, "");
    }
    // The cost may hide where not all repeats.
    for (first, unit, last) in [
        ("<", "http:", ""),
        ("<URL:http://a", " ", ""),
        ("http://", "a@", ""),
        ("http://a", ".,", ""),
        ("http://a", "{}", ""),
        ("http://a/", "((", ""),
        ("\"http://a", "\n", ""),
        ("<http://a", "b\n", ""),
        ("http://a/", "；a", ""),
        ("data:", "a", ""),
        ("", "mailto:", "a at b"),
        ("", "data:", ", b"),
        ("", "foo:///", "“"),
        ("", "urn:", ". b"),
        ("<", "a:", ">"),
        ("\"", "a:", "\""),
    ] {
        assert_linear(first, unit, last);
    }
}

fn assert_linear(first: &str, unit: &str, last: &str) {
    linear::assert_linear(first, unit, last, |text| {
        scan(text, &TextOptions::default(), |url| {
            drop(std::hint::black_box(url))
        });
    });
}
