//! Generated plain texts.

mod syntax;

use proptest::prelude::*;
use proptest::sample::select;
use rehref::document::Document;
use rehref::format::text::{Hyphen, Iri, Join, TextOptions};
use rehref::format::{Format, Options};
use rehref::link::{Note, Role};
use rehref::rewrite::{PrefixMap, Rule, Rules, SkipReason};

use super::{Row, config};
use crate::linear::assert_linear;
use crate::support::charsets::encode;
use crate::support::planned::{Planned, plan, prefix_map};

laws! { texts: ROW; }

const ROW: Row = Row {
    // A base URL must not make references relative.
    base: "http://n/d/e",
    options: || options().boxed(),
    rules: || MAPS.iter().map(|entries| Rules::new().prefix_map(map(entries))).collect(),
    read_back: |read, link, spelled| {
        // In brackets, a label follows `|`.
        let is_whole = !link.notes.contains(Note::Undecodable) && !spelled.contains('|');
        is_whole.then(|| read(&format!("<{spelled}>")))
    },
    hostile: HOSTILE,
    ..Row::new(Format::Text, "note.txt", texts, || place().boxed())
};

const CHARSETS: [&str; 9] = [
    "utf-8", "shift_jis", "euc-jp", "gb18030", "big5", "utf-16le", "utf-16be", "windows-1252",
    "iso-2022-jp",
];

/// Contexts of URLs in text: `@` is a URL, `^` and `_` are its two halves.
const PLACES: [&str; 38] = strings![
    "<@>" "<URL:@>" "< URL: @\n>" "<^ _>" "<URL:^\n    _>." "<^\r\n_>" "<^-\n_>"
    "> see <^\n> _> so\n" "\n# <^\n# _>\n" "\n  // \"^\n  // _\";\n" "\n/* <URL:^\n * _> */\n"
    "<^\n \n_>" "<^\n\nA, B        [Page 2]\n\u{C}\nRFC 1   URL   May 1995\n\n\n  _>" "\"@\""
    "\"@,\"" "\"URL:@\" " "“@”" "‘@’" "「@」" "«@» " "'@', " "x='@'\n" "`@`" "URL: @ " "@" " @."
    " @\n" "(@)" "[x](@)." "[@] " "{@} " "看@，然后" "@。" "@,@;" "@-\nb.c/d " "<a href=\"@\">x</a>"
    "|@|" "\\n@\\n"
];

/// Beginnings of URLs.
const HEADS: [&str; 15] = [
    "http://h/", "http://h/", "http://h", "HTTP://H/", "https://h/", "http://h/d/", "http://h:80/",
    "http://h.example/", "ftp://n/", "mailto:a@h.example", "http://m/é", "http://www.h.example/",
    "www.h.example/", "ftp.h.example", "a@h.example",
];

/// Ends of URLs.
const TAILS: [&str; 30] = [
    "a", "b.c", "over-", "view", "/", "?q=1", "&x", "#f", "(x)", "(", ")", "[", "{", "}", "é",
    "日", "ソ", "。", "，", "”", "’", "'", "'s", "-", "%20", "%zz", "~", ",", ".", "|",
];

/// Other text.
const PROSE: [&str; 22] = [
    " ", " ", "\n", "\r\n", "\n> ", "日本", "ソ", "é", "text ", ".", ",", ";", "'", "\"", "<", ">",
    "(", "x", "-", "http:", ":", "“",
];

/// Prefix maps whose results are not mapped again, some with results that cannot be written
/// everywhere.
const MAPS: [&[&str]; 10] = [
    &["http://h=http://n/x."],
    &["http://h=https://much.longer.example/and/a/path"],
    &["http://h/=http://m/é", "http://h/d=http://n/日/ソ"],
    &["http://h=http://n", "https://h/=gopher://n/"],
    &["http://h/=http://n/(", "https://h=http://n/)/"],
    &["http://h/=ftp://o/\"'`<>/", "http://h/d=http://n/{"],
    &["http://h=http://n/a b\n\t\u{3000}c/\\"],
    &["http://h/=http://n/”’」»/", "https://h=http://n/，日"],
    &["http://h.example=foo:bar", "http://h=http://n/\u{200B}\u{85}\u{FFFD}"],
    &[
        "http://www.h.example=http://www.n.example/é",
        "ftp://ftp.h.example=https://n.example",
        "mailto:a@h.example=mailto:b@n.example",
        "http://h=mailto:x@n.example",
    ],
];

fn map(entries: &[&str]) -> PrefixMap {
    let map = prefix_map(entries);
    assert_eq!(map.mapped_again().count(), 0, "{entries:?}");
    map
}

fn url() -> impl Strategy<Value = String> {
    let tails = prop::collection::vec(select(&TAILS[..]), 0..4);
    (select(&HEADS[..]), tails).prop_map(|(head, tails)| format!("{head}{}", tails.concat()))
}

fn place() -> impl Strategy<Value = String> {
    let half = prop::collection::vec(select(&TAILS[..]), 1..3);
    (select(&PLACES[..]), url(), half).prop_map(|(place, url, half)| {
        let half = half.concat();
        let spell = |it: char| match it {
            '@' | '^' => url.clone(),
            '_' => half.clone(),
            _ => it.to_string(),
        };
        place.chars().map(spell).collect()
    })
}

fn options() -> impl Strategy<Value = Options> {
    let iri = select(vec![Iri::Auto, Iri::Auto, Iri::Ascii, Iri::Full]);
    let join = select(vec![None, None, Some(Join::None), Some(Join::Guess)]);
    let rare = prop::bool::weighted(0.1);
    let often = prop::bool::weighted(0.3);
    let text = (iri, join, any::<bool>(), rare, often, rare).prop_map(
        |(iri, join, drop, delsp, short, strict)| TextOptions {
            iri,
            join,
            hyphen: if drop { Hyphen::Drop } else { Hyphen::Keep },
            delsp,
            flowed: delsp && drop,
            abbreviated: short,
            emails: short,
            strict,
        },
    );
    text.prop_map(|text| Options { text, ..Options::default() })
}

fn texts(row: &'static Row) -> BoxedStrategy<Document> {
    let piece = prop_oneof![
        6 => place().prop_map(Ok),
        4 => select(&PROSE[..]).prop_map(|it| Ok(it.to_owned())),
        // Bytes that are invalid in most charsets.
        1 => select(vec![0x80, 0xFC, 0xFF]).prop_map(Err),
        1 => Just(Ok("<http://h/".to_owned())),
    ];
    let pieces = prop::collection::vec(piece, 0..9);
    let texts = (pieces, select(&CHARSETS[..])).prop_map(|(pieces, charset)| {
        let bytes = pieces.into_iter().flat_map(|piece: Result<String, u8>| match piece {
            Ok(text) => encode(&text, charset),
            // Half a code unit would shift the rest.
            Err(_) if charset.starts_with("utf-16") => encode("\u{FFFD}", charset),
            Err(byte) => vec![byte],
        });
        row.document(bytes.collect(), charset)
    });
    texts.boxed()
}

/// Texts and the options to find their links.
fn any_text() -> impl Strategy<Value = Document> {
    (texts(&ROW), options()).prop_map(|(text, options)| text.with_options(options))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn rules_for_references_skip_each_link(text in any_text(), is_absolute in any::<bool>()) {
        let rule = if is_absolute { Rule::Absolute } else { Rule::Relative };
        let plan = plan(&text, rule);
        prop_assert!(plan.is_empty());
        // A text may have `"{` before a URL, and `}"` after it.
        let is_expected = |why| matches!(why, SkipReason::Text | SkipReason::Namespace);
        prop_assert!(plan.skipped().iter().all(|it| is_expected(it.1)), "{:?}", plan.skipped());
    }

    /// A link stays readable if a letter of its host changes, so it is not skipped for that reason.
    #[test]
    fn only_links_with_a_valid_reason_are_skipped(text in any_text()) {
        let map = map(&["http://h=http://n", "http://h.example=http://n.example"]);
        let plan = plan(&text, Rule::Map(map.clone()));
        let found = text.links();
        // If lines are joined, those after them may lose their markers.
        let rejoined = found.found().links.iter().any(|link| link.spans.len() > 1);
        for &(number, why) in plan.skipped() {
            let link = &found.found().links[number];
            let bytes = &text.bytes()[link.extent().range()];
            let is_right = match why {
                SkipReason::NoRule => map.get(&link.reference).is_none(),
                SkipReason::Namespace => link.role == Role::Namespace,
                SkipReason::Doubtful => link.notes.contains(Note::Doubtful),
                SkipReason::Undecodable => link.reference.contains('\u{FFFD}'),
                SkipReason::Between => link.spans.len() > 1 && bytes.iter().filter(|it| **it == b'\n').count() > 1,
                SkipReason::Unwritable => rejoined || text.charset().encoding() == encoding_rs::ISO_2022_JP && bytes.contains(&0x1B),
                _ => false,
            };
            prop_assert!(is_right, "{:?} of {:?} in {:?}", why, link, text.text().text);
        }
    }

    #[test]
    fn text_in_other_formats_is_not_rewritten(text in texts(&ROW), format in select(vec![
        Format::Html, Format::Xml, Format::Css, Format::Mail, Format::Mbox, Format::Mhtml,
    ])) {
        let options = Options { html_text: true, ..Options::default() };
        let document = text.with_format(format).with_options(options);
        let map = map(&["http://h=http://n"]);
        let plan = plan(&document, Rule::Map(map.clone()));
        let links = document.links();
        let links = &links.found().links;
        for edit in plan.edits() {
            prop_assert_ne!(links[plan.number(edit.link)].place.as_str(), "text");
        }
        for &(number, why) in plan.skipped() {
            let is_mapped = map.get(&links[number].reference).is_some();
            if links[number].place.as_str() == "text" && is_mapped {
                let wanted = match format.is_rewritable() {
                    true => SkipReason::OtherText,
                    false => SkipReason::NotRewritten,
                };
                prop_assert_eq!(why, wanted);
            }
        }
    }

}

/// The text after a map with one entry, and the reasons for skipped links.
fn rewritten(document: &Document, entry: &str) -> (Vec<u8>, Vec<SkipReason>) {
    let plan = plan(document, Rule::Map(map(&[entry])));
    let why = plan.skipped().iter().map(|&(_, why)| why).collect();
    (plan.bytes().to_vec(), why)
}

fn rewritten_text(text: &str, entry: &str) -> (String, Vec<SkipReason>) {
    let (bytes, why) = rewritten(&ROW.document(text.into(), "utf-8"), entry);
    (String::from_utf8(bytes).expect("UTF-8"), why)
}

#[test]
fn broken_url_is_replaced_in_one_piece() {
    for (text, expected) in [
        ("<URL:http://h/a\n   b>.", "<URL:http://n/x/ab>."),
        ("> <http://h/a\r\n> b> c", "> <http://n/x/ab> c"),
        (" * \"http://h/a\n * b\"\n", " * \"http://n/x/ab\"\n"),
        ("http://h/a-\nb.html d", "http://n/x/a-b.html d"),
        ("< http://h/a b\n>", "< http://n/x/ab\n>"),
    ] {
        let found = rewritten_text(text, "http://h=http://n/x");
        assert_eq!(found, (expected.to_owned(), vec![]));
    }
}

#[test]
fn text_between_the_pieces_is_not_deleted() {
    for text in [
        "<http://h/a\n\nA, B   [Page 2]\n\u{C}\nRFC 1   URL   May 1995\n\n  b>",
        "<http://h/a\n \nb>",
    ] {
        assert_eq!(ROW.document(text.into(), "utf-8").links().len(), 1);
        let found = rewritten_text(text, "http://h=http://n");
        assert_eq!(found, (text.to_owned(), vec![SkipReason::Between]));
    }
}

#[test]
fn each_delimiter_has_its_own_escapes() {
    let (text, why) = rewritten_text(
        "<http://h/a> \"http://h/b\" “http://h/c” http://h/d ‘http://h/e’",
        "http://h=http://n/\"’” <\\x",
    );
    assert_eq!(
        text,
        "<http://n/\"’”%20%3C\\x/a> \"http://n/%22%E2%80%99%E2%80%9D%20%3C%5Cx/b\" \
         “http://n/%22%E2%80%99%E2%80%9D%20%3C%5Cx/c” http://h/d \
         ‘http://n/%22%E2%80%99%E2%80%9D%20%3C%5Cx/e’"
    );
    // A quote without an opening one ends a bare URL.
    assert_eq!(why, [SkipReason::Unwritable]);
}

#[test]
fn unwritable_link_does_not_affect_others() {
    let (text, why) = rewritten_text(
        "http://h/a http://h http://h/b, (http://h) 'http://h/c'",
        "http://h=http://n/x.",
    );
    assert_eq!(text, "http://n/x./a http://h http://n/x./b, (http://h) 'http://n/x./c'");
    assert_eq!(why, [SkipReason::Unwritable; 2]);
    let (text, why) = rewritten_text("x.http://h/a http://h/b", "http://h=gopher://n");
    assert_eq!(text, "x.http://h/a gopher://n/b");
    assert_eq!(why, [SkipReason::Unwritable]);
}

#[test]
fn new_apostrophe_does_not_end_a_literal() {
    let text = "f('http://h/a') http://h/b 'http://h/it's'";
    let (found, why) = rewritten_text(text, "http://h=http://n/o'");
    // An apostrophe also closes before a slash.
    assert_eq!(found, "f('http://h/a') http://n/o'/b 'http://h/it's'");
    assert_eq!(why, [SkipReason::Unwritable; 2]);
}

#[test]
fn lines_keep_their_quote_marks() {
    // The second `>` is a marker of the reply if the line begins with one; otherwise it closes.
    let text = "< URL: http://h/\n><http://h/\n b/c>.< URL: http://h/\n>";
    let entry = "http://h=http://n/\"x";
    let (once, why) = rewritten_text(text, entry);
    assert_eq!(why, [SkipReason::Unwritable; 2]);
    assert_eq!(once, text.replacen("http://h", "http://n/\"x", 1));
    assert_eq!(rewritten_text(&once, entry).0, once);
}

#[test]
fn characters_are_written_in_the_charset_or_percent_encoded() {
    for (charset, old, new) in [
        (
            "shift_jis",
            &b"\x93\xFA <http://h/\x83\x5C> \x93\xFA"[..],
            &b"\x93\xFA <http://n/\x93\xFA%C3%A9/\x83\x5C> \x93\xFA"[..],
        ),
        ("gb18030", b"http://h/\xD6\xD0 x", b"http://n/\xC8\xD5\xA8\xA6/\xD6\xD0 x"),
        ("windows-1252", b"\x93http://h/\xE9\x94", b"\x93http://n/%E6%97%A5\xE9/\xE9\x94"),
        (
            "iso-2022-jp",
            b"\x1B$B\x46\x7C\x1B(B http://h/a",
            b"\x1B$B\x46\x7C\x1B(B http://n/%E6%97%A5%C3%A9/a",
        ),
        (
            "utf-16le",
            b"\xFF\xFEh\0t\0t\0p\0:\0/\0/\0h\0/\0",
            b"\xFF\xFEh\0t\0t\0p\0:\0/\0/\0n\0/\0\xE5\x65\xE9\0/\0",
        ),
    ] {
        let found = rewritten(&ROW.document(old.to_vec(), charset), "http://h=http://n/日é");
        assert_eq!(found, (new.to_vec(), vec![]), "{charset}");
    }
}

#[test]
fn uncertain_links_are_skipped() {
    let undecodable = ROW.document(b"<http://h/\xFFa>".to_vec(), "utf-8");
    let (_, why) = rewritten(&undecodable, "http://h=http://n");
    assert_eq!(why, [SkipReason::Undecodable]);
    // This does not hold for the character itself.
    let (text, _) = rewritten_text("<http://h/\u{FFFD}>", "http://h=http://n");
    assert_eq!(text, "<http://n/\u{FFFD}>");

    let escaped = ROW.document(b"<http://h/\x1B$B\x46\x7C\x1B(B>".to_vec(), "iso-2022-jp");
    let (_, why) = rewritten(&escaped, "http://h=http://n");
    assert_eq!(why, [SkipReason::Unwritable]);

    let mut options = Options::default();
    options.text.join = Some(Join::Guess);
    let text = ROW.document(b"http://h/a=\nb".to_vec(), "utf-8");
    let plan = plan(&text.with_options(options), Rule::Map(map(&["http://h=http://n"])));
    assert_eq!(plan.skipped(), [(0, SkipReason::Doubtful)]);
}

#[test]
fn abbreviated_urls_stay_abbreviated_if_possible() {
    let mut options = Options::default();
    (options.text.abbreviated, options.text.emails) = (true, true);
    let text =
        ROW.document(b"www.h.example/a, <ftp.h.example> a@h.example c@h.example".to_vec(), "utf-8");
    let map = map(&[
        "http://www.h.example=http://www.n.example",
        "ftp://ftp.h.example=https://n.example",
        "mailto:a@h.example=mailto:b@n.example",
        "mailto:c@h.example=mailto:c@n.example?cc=d@n.example",
    ]);
    let plan = plan(&text.with_options(options), Rule::Map(map));
    assert_eq!(
        String::from_utf8_lossy(plan.bytes()),
        "www.n.example/a, <https://n.example> b@n.example mailto:c@n.example?cc=d@n.example"
    );
}

#[test]
fn rules_for_references_skip_text() {
    let text = ROW.document(b"http://h/a http://m/".to_vec(), "utf-8");
    let rules = Rules {
        rules: vec![Rule::Relative, Rule::Map(map(&["http://h=http://n/d"]))],
        ..Rules::default()
    };
    let plan = Planned::new(&text.links(), &rules);
    assert_eq!(plan.bytes(), b"http://n/d/a http://m/");
    assert_eq!(plan.skipped(), [(1, SkipReason::NoRule)]);
}

#[test]
fn quotes_after_a_url_cost_linear_time() {
    assert_linear("http://h/⟦’a⟧", |text| {
        let document = ROW.document(text.into(), "utf-8");
        std::hint::black_box(plan(&document, Rule::Map(map(MAPS[7]))));
    });
}

/// Texts that could take long, with the first map.
const HOSTILE: &[&str] = &[
    "⟦http://h ⟧",
    "⟦http://h/a-\n⟧",
    "⟦<http://h/a\nb> ⟧",
    "⟦\"http://h\"⟧",
    "⟦'http://h',⟧",
    "⟦<http://h/’\u{FFFD}> ⟧",
    "⟦http://h/{ ⟧",
];
