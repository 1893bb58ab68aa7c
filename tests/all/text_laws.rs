//! Laws of the search in plain text.

use proptest::prelude::*;
use rehref::document::Document;
use rehref::format::Options;
use rehref::format::text::TextStream;
use rehref::format::text::{Hyphen, Iri, Join, TextOptions, TextUrl, scan};

use crate::linear;
use crate::tier;

pub(crate) const PIECES: &[&str] = &strings![
    "http" "ftp" "mailto" "data" "foo" "URL" "file" "a" "b.c" "é" "看" "1" ":" "://" "/" "//" "<"
    ">" "\"" "“" "”" "'" "(" ")" "[" "]" "{" "}" "（" "）" "，" "。" "." "," ";" "|" "^" "@" "#" "?"
    "%20" "-" "\\" "`" " " "\t" "\n" "\r\n" "\u{a0}" "\u{3000}" "\u{200b}" "\u{fffd}" "http://a/b"
    "<URL:http://a/" "mailto:a@b" "[::1]" "::" "www." "www.a.b" "> " "\n> " "# " "\n# " " * " "-\n"
    "- \n" "a-\nb/c" "„" "‘" "「" "」" "=" "&" "é@ü.中国" "a@b.c"
    "\n\nA  [Page 2]\n\u{c}\nRFC 1   May 1995\n\n"
];

fn urls(text: &str) -> Vec<TextUrl> {
    urls_by(text, &TextOptions::default())
}

fn urls_by(text: &str, options: &TextOptions) -> Vec<TextUrl> {
    let mut urls = Vec::new();
    scan(text, options, |url| urls.push(url));
    urls
}

/// Texts of pieces that matter to the search. Arbitrary strings rarely contain a URL.
pub(crate) fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(PIECES);
    prop_oneof![
        4 => prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat()),
        1 => any::<String>(),
    ]
}

/// All options.
pub(crate) fn options() -> impl Strategy<Value = TextOptions> {
    let choices = any::<[bool; 5]>();
    let iri = prop::sample::select(Iri::ALL);
    let join = prop::option::of(prop::sample::select(Join::ALL));
    let hyphen = prop::sample::select(vec![Hyphen::Keep, Hyphen::Drop]);
    (choices, iri, join, hyphen).prop_map(
        |([abbreviated, emails, strict, delsp, flowed], iri, join, hyphen)| TextOptions {
            iri,
            hyphen,
            join,
            delsp,
            flowed,
            abbreviated,
            emails,
            strict,
        },
    )
}

proptest! {
    #![proptest_config(tier::cases(2000))]

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
    fn single_url_is_found_whole(text in texts()) {
        for url in urls(&text) {
            let value: String = url.spans.iter().map(|span| &text[span.range()]).collect();
            // In brackets, it begins a label.
            if value.contains('|') {
                continue;
            }
            let alone = format!("<{value}>");
            let again = urls(&alone);
            prop_assert_eq!(again.len(), 1, "{}", alone);
            prop_assert_eq!(again[0].spans.as_slice(), &[rehref::bytes::Span::new(1, alone.len() - 1)]);
        }
    }

    #[test]
    fn text_without_a_colon_has_no_links(text in texts()) {
        prop_assert_eq!(urls(&text.replace(':', "")), []);
    }
}

/// Texts in which it is most expensive to find the end of a URL, or that there is none.
const HOSTILE: &[&str] = &strings![
    "⟦a.a~⟧" "⟦<<<<⟧" "⟦http:⟧" "⟦(⟧" "⟦)⟧" "⟦<URL:http://a⟧" "⟦\"http://a⟧" "⟦“http://a⟧" "⟦a@⟧"
    "⟦a:⟧" "⟦<a:⟧" "⟦\"a:⟧" "⟦:⟧" "⟦://⟧" "⟦a://⟧" "⟦a://.⟧" "⟦a://@⟧" "⟦http://a{⟧"
    "⟦http://a{\n⟧" "⟦http://a《看⟧" "⟦http://[⟧" "⟦http://u@⟧" "⟦data:⟧" "⟦data:{,⟧" "⟦data:{,\n⟧"
    "⟦data:,⟧" "⟦urn:⟧" "⟦mailto:⟧" "⟦mailto:{⟧" "⟦mailto:(⟧" "⟦news:⟧" "⟦tel:⟧" "⟦<URL: ⟧" "⟦< ⟧"
    "⟦<http://a ⟧" "⟦<http://a\n⟧" "⟦\"http://a\n⟧" "⟦<http://a http://b ⟧" "⟦http://a,http://b⟧"
    "⟦http://a,⟧" "⟦http://a'⟧" "⟦'http://a'⟧" "⟦{⟧" "⟦http://{⟧" "⟦看⟧" "⟦http://看，看⟧"
    "⟦http://a “看⟧" "⟦URL:⟧" "⟦a-http:⟧" "⟦\\nhttp:⟧" "⟦&:⟧" "⟦;⟧"
    // Markers of replies and comments, and words that look like initials.
    "⟦> ⟧" "⟦>⟧" "⟦> <http://a\n⟧" "⟦> <http://a/\n> b\n⟧" "⟦>> \"http://a/\n> b\n⟧"
    "⟦jd> <http://a\n⟧" "⟦ab>\n<http:⟧" "⟦# <http://a\n#⟧" "⟦ * \"http://a\n * ⟧" "⟦/** <\n * ⟧"
    "⟦<\n> ⟧" "⟦<\n# URL:\n# a:⟧" "⟦|||| <a:b\n⟧" "⟦// //a:⟧" "⟦---⟧" "⟦-- <http://a\n-- ⟧"
    // Page breaks, and lines that begin like one.
    "⟦<http://a/\n\nA  [Page 2]\n\u{c}\nR  x  1995\n\n⟧" "⟦<http://a/\n\nA  [Page 2]\n⟧"
    "⟦A [Page 2]\n\u{c}\n⟧" "⟦[Page ⟧" "⟦\u{c}\n⟧" "⟦\u{c}⟧" "⟦<http://a\n\n\n\n⟧"
    "⟦<http://a \n \n⟧"
    // Hyphens and other line endings across which a URL may continue.
    "⟦http://a-\n⟧" "⟦http://a-\nb/c-\n⟧" "⟦a/b-\n⟧" "⟦<http://a-\nb-\n⟧" "⟦<http://a/b-\n⟧"
    "⟦http://a/b=\n⟧" "⟦http://a/b/ \n⟧" "⟦http://a/b \nc.d \n⟧" "⟦http://a/%2\n⟧" "⟦-\n⟧"
    "⟦a.b_\n⟧" "⟦a/b \n⟧"
    // Abbreviated URLs.
    "⟦www.⟧" "⟦www.a⟧" "⟦www.a.b⟧" "⟦www.a.b ⟧" "⟦<www.a.b\n⟧" "⟦\"www.a.b⟧" "⟦_www.⟧" "⟦ftp.⟧"
    "⟦ftp.a.b-\n⟧" "⟦@⟧" "⟦a@b.c⟧" "⟦a@b.c ⟧" "⟦a@a.⟧" "⟦a.@⟧" "⟦é@⟧" "⟦'a@b.c'⟧" "⟦mailto:a@b.c⟧"
    "⟦.⟧" "⟦..@⟧" "⟦-.⟧"
    // Quotes.
    "⟦„http://a⟧" "⟦«http://a»⟧" "⟦‘http://a\n⟧" "⟦»http://a«⟧" "⟦「http://a\n⟧" "⟦《http://a⟧" "⟦”⟧"
    "⟦“\"«⟧" "⟦’s http://a’⟧"
    // White space.
    "⟦\n⟧" "⟦\r\n⟧" "⟦ \n⟧" "⟦http://a \r\n \r\n⟧" "⟦<http://a\t\n\u{a0}\n⟧" "<⟦http:⟧"
    "<URL:http://a⟦ ⟧" "http://⟦a@⟧" "http://a⟦.,⟧" "http://a⟦{}⟧" "http://a/⟦((⟧" "\"http://a⟦\n⟧"
    "<http://a⟦b\n⟧" "http://a/⟦；a⟧" "data:⟦a⟧" "⟦mailto:⟧a at b" "⟦data:⟧, b" "⟦foo:///⟧“"
    "⟦urn:⟧. b" "<⟦a:⟧>" "\"⟦a:⟧\"" "> <http://a⟦\n> ⟧" "> <http://a/⟦b\n> ⟧>"
    "# \"http://a/⟦b\n# ⟧\"" "<http://a/⟦\n\nA [Page 2]\n\u{c}\nR  x  1995\n\n⟧b>"
    "<http://a⟦ \n⟧b>" "<http://a/⟦b-\n⟧>" "\"http://a/⟦b-\n⟧\"" "http://a/⟦b/c-\n⟧"
    "http://a/⟦b/c \n⟧" "http://a/⟦b=\n⟧" "http://a/⟦(b-\n⟧)" "http://a/⟦b/c-\n⟧http://b"
    "www.⟦a.⟧" "www.a.b/⟦www.⟧" "www.⟦a⟧.b" "<www.a⟦.⟧" "⟦a⟧@b.c" "a@⟦b.⟧c" "⟦a.⟧@b.c" "a@b.c⟦@⟧"
    "„http://a⟦“⟧" "⟦“http://a ⟧”" "«http://a/⟦b\n⟧»" "> ⟦> ⟧<http://a/\n> b>" "<http://a/\n⟦> ⟧"
    "<http://a/\n⟦ab> ⟧b>" "⟦http://a/________⟧" "⟦http://a/____⟧" "⟦看http://a/看⟧" "⟦看http://a.b看⟧"
    "⟦http://a.b[⟧" "⟦http://a.b[http://⟧" "⟦http://\n⟧a.b/"
    "⟦a a a a a a a a a\nhttp://a/b/\nc/d.html\n⟧"
];

/// The defaults, all options that find more, and strict Appendix E.
fn hostile_options() -> [TextOptions; 4] {
    let all = TextOptions {
        abbreviated: true,
        emails: true,
        join: Some(Join::Guess),
        ..TextOptions::default()
    };
    [
        TextOptions::default(),
        all,
        TextOptions { delsp: true, iri: Iri::Full, hyphen: Hyphen::Drop, ..all },
        TextOptions { strict: true, ..all },
    ]
}

#[test]
fn hostile_texts_cost_linear_time() {
    for family in HOSTILE {
        linear::assert_linear(family, |text| {
            for options in &hostile_options()[tier::pick(1..2, 0..4)] {
                scan(text, options, |url| drop(std::hint::black_box(url)));
            }
        });
    }
}

#[test]
fn hostile_texts_in_pieces_cost_linear_time() {
    let document = Document::new("a.txt", Vec::new());
    for family in HOSTILE.iter().step_by(tier::pick(4, 1)) {
        linear::assert_linear(family, |text| {
            for options in &hostile_options()[tier::pick(1..2, 0..2)] {
                let options = Options { text: *options, ..Options::default() };
                let mut stream = TextStream::new(document.source(), &options);
                for piece in text.as_bytes().chunks(4000) {
                    stream.push(piece, |link, at| drop(std::hint::black_box((link, at.get()))));
                }
                stream.finish(|link, at| drop(std::hint::black_box((link, at.get()))));
            }
        });
    }
}
