//! Laws of links and edits in HTML, on generated pages in several character encodings. [`text`] has
//! those of plain text, [`syntax`] those of text with a syntax, [`base`] those of pages whose BASE
//! changes.

mod base;
mod one_pass;
mod syntax;
mod text;

use proptest::prelude::*;
use rehref::bytes::Span;
use rehref::document::Document;
use rehref::format::Format;
use rehref::format::{Extra, Options};
use rehref::link::LinkData;
use rehref::rewrite::{PatternMap, PrefixMap, Rule, Rules};
use rehref::source::Charset;
use rehref::uri::Resolver;

use crate::planned::Planned;

use crate::html_soup::wild_soup;
use crate::ids;
use crate::linear;
use crate::tier;

/// Character encodings that are ASCII-compatible, and others.
const CHARSETS: [&str; 5] = ["utf-8", "shift_jis", "utf-16le", "windows-1252", "iso-2022-jp"];

/// Attributes with links, what else their tag needs, and whether the value is a list.
const PLACES: [(&str, &str); 18] = [
    ("svg><use", "xlink:href"),
    ("a", "href"),
    ("A", "HREF"),
    ("img", "src"),
    ("img", "srcset"),
    ("image", "src"),
    ("link rel=stylesheet", "href"),
    ("link", "imagesrcset"),
    ("a", "ping"),
    ("object", "archive"),
    ("object codebase='cb/&amp;/'", "data"),
    ("object codebase='http://h/x/'", "archive"),
    ("form", "action"),
    ("blockquote", "cite"),
    ("input", "usemap"),
    ("html", "manifest"),
    ("meta http-equiv=refresh", "content"),
    ("param name=src", "value"),
];

/// Parts of references, as the source spells them. Some character encodings need character
/// references.
const PIECES: [&str; 58] = [
    "http://h/",
    "http://h",
    "HTTP://H/",
    "https://h/",
    "//h/",
    "//n/",
    "http://h/d/e/",
    "http://h/d/e/1",
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
    "&amp;",
    "&amp",
    "&",
    "&copy=",
    "&copy",
    "&copy;",
    "&#47;",
    "&#x3a;",
    "&#38;",
    "&#32",
    "&#44",
    "&#x20",
    "&lt;",
    "&quot;",
    "&#39;",
    ";",
    "=",
    ",",
    ", ",
    "(",
    " ",
    "\n",
    "%20",
    "%zz",
    "é",
    "日",
    "ソ",
    "&#26085;",
    "|",
    "\\",
    "0;url=",
    "5, ",
    "1x, ",
    "mailto:x@h",
];

#[derive(Clone)]
pub(crate) struct Page {
    pub(crate) document: Document,
    html: String,
    charset: &'static str,
}

/// The pieces of a generated page, for failure messages.
impl std::fmt::Debug for Page {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} in {}", self.html, self.charset)
    }
}

/// The encoded text. Unmappable characters become character references.
pub(crate) fn encode(html: &str, label: &str) -> Vec<u8> {
    match label {
        "utf-16le" => return html.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "utf-16be" => return html.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        _ => {}
    }
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a known label");
    encoding.encode(html).0.into_owned()
}

pub(crate) fn page_of(bytes: Vec<u8>, label: &str) -> Document {
    let page = Document::new("page.html", bytes).retrieved_from("http://h/d/e/f?q");
    let charset = Charset::named(label, page.bytes()).expect("a known label");

    page.with_charset(charset)
}

fn reference() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..6).prop_map(|it| it.concat())
}

fn tag() -> impl Strategy<Value = String> {
    (prop::sample::select(&PLACES[..]), reference(), 0..8, "[ \n]?").prop_map(
        |((element, attribute), value, quoting, space)| {
            let assign = format!("<{element}{space} {attribute}={space}");
            match quoting {
                0 => format!("<{element} {attribute}>"),
                1 | 2 => format!("{assign}'{value}'>"),
                3 | 4 => {
                    let value = value.replace(|it: char| it.is_ascii_whitespace(), "");
                    format!("{assign}{value}{space}>")
                }
                _ => format!("{assign}\"{value}\" title='日本 &amp;'>"),
            }
        },
    )
}

pub(crate) fn pages() -> impl Strategy<Value = Page> {
    let base = prop_oneof![
        5 => Just(String::new()),
        1 => Just("<base href='http://h/d/'>".to_owned()),
        1 => Just("<base target=t href=g/h><base href=x>".to_owned()),
        1 => Just("<base href='../x,y/é/z'>".to_owned()),
        1 => Just("<base href='//n/日/?&amp;'>".to_owned()),
    ];
    let text = prop::sample::select(vec![
        "日本",
        "text ",
        "<!-- <a href=x> -->",
        "\r\n",
        "<script>'<a href=y>'</script>",
        "http://h/日?a&amp;b",
        "&lt;http://h/a\r\nb&gt;",
        "“http&#58;//h/a”",
    ]);
    let piece = prop_oneof![3 => tag(), 1 => text.prop_map(str::to_owned)];
    let charset = prop::sample::select(&CHARSETS[..]);
    (base, prop::collection::vec(piece, 0..8), charset).prop_map(|(base, pieces, charset)| {
        let html = format!("{base}{}", pieces.concat());
        Page { document: page_of(encode(&html, charset), charset), html, charset }
    })
}

pub(crate) fn map() -> PrefixMap {
    let mut map = PrefixMap::default();
    for entry in
        ["http://h/d/=http://n/日/&amp;,/x=", "http://h=http://m/é", "https://h/=ftp://o/\"'`<>/"]
    {
        map.insert_entry(entry).expect("an entry");
    }
    map
}

pub(crate) fn rules() -> Vec<Rule> {
    let mut patterns = PatternMap::default();
    for entry in ["^http://h/d/(.)=http://n/$1?日&amp;/", "^https?://h=http://m/é"] {
        patterns.insert_entry(entry).expect("an entry");
    }
    vec![
        Rule::Absolute,
        Rule::Relative,
        Rule::Map(map()),
        Rule::RootRelative,
        Rule::Pattern(patterns),
    ]
}

pub(crate) fn plan(document: &Document, rule: Rule) -> Planned {
    Planned::new(&document.links(), &rules_of(rule))
}

pub(crate) fn rules_of(rule: Rule) -> Rules {
    Rules { rules: vec![rule], ..Rules::default() }
}

/// The document rewritten by the rule.
pub(crate) fn rewritten(document: &Document, rule: Rule) -> Document {
    let bytes = plan(document, rule).bytes().to_vec();
    document.with_bytes(bytes)
}

fn links(document: &Document) -> Vec<LinkData<'_>> {
    document.found(&Options::default()).links
}

pub(crate) fn references(document: &Document) -> Vec<String> {
    links(document).into_iter().map(|link| link.reference.into_owned()).collect()
}

/// Reads a reference back from the bytes of its span, in a page of its own.
fn read_back(page: &Page, span: Span) -> Option<String> {
    // An attribute in single quotes may hold a double one.
    let raw = page.document.decode(span).replace('"', "&quot;");
    let html = encode(&format!("<a href=\"{raw}\">"), page.charset);
    references(&page_of(html, page.charset)).pop()
}

/// The URIs of IRIs: unmappable characters and those that would end the value are percent-encoded
/// when they are written, which changes the IRI but not its URI.
pub(crate) fn uris(
    iris: impl IntoIterator<Item = impl Into<Option<String>>>,
) -> Vec<Option<String>> {
    let encode = |iri: String| {
        let encode = |it: char| match it {
            '!'..='~' if !matches!(it, '"' | '\'') => it.to_string(),
            _ => it.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect(),
        };
        iri.chars().map(encode).collect()
    };
    iris.into_iter().map(|iri| iri.into().map(encode)).collect()
}

pub(crate) fn config() -> ProptestConfig {
    tier::cases(tier::pick(128, 2000))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn spans_are_sorted_disjoint_and_decode_to_the_reference(page in pages(), html_text in any::<bool>()) {
        let mut end = 0;
        let options = Options { html_text, ..Options::default() };
        ids::assert_ascending(&page.document.links_with(&options));
        for link in page.document.found(&options).links {
            for span in &link.spans {
                prop_assert!(end <= span.start && span.start <= span.end, "{:?} before {end}", span);
                prop_assert!(span.end <= page.document.bytes().len());
                end = span.end;
            }
            // ISO-2022-JP is stateful: decoding depends on bytes outside the span.
            if page.charset != "iso-2022-jp" {
                let pieces = link.spans.iter().map(|&span| read_back(&page, span).unwrap_or_default());
                let read: String = pieces.collect();
                prop_assert_eq!(read, link.reference.as_ref(), "{:?}", link.spans);
            }
        }
    }

    #[test]
    fn empty_plan_changes_nothing(page in pages()) {
        let plan = plan(&page.document, Rule::Map(PrefixMap::default()));
        prop_assert!(plan.is_empty());
        prop_assert_eq!(plan.bytes(), page.document.bytes());
        prop_assert_eq!(plan.skipped().len(), links(&page.document).len());
    }

    #[test]
    fn edits_change_only_their_bytes_and_links(page in pages(), rule in 0usize..5) {
        edits_hold(&page.document, rules().swap_remove(rule))?;
    }

    #[test]
    fn edits_in_wild_soup_change_only_their_bytes_and_links(html in wild_soup(), rule in 0usize..5) {
        edits_hold(&page_of(html.into_bytes(), "utf-8"), rules().swap_remove(rule))?;
    }

    #[test]
    fn links_of_wild_soup_begin_at_distinct_bytes(html in wild_soup(), html_text in any::<bool>()) {
        let extra = Extra { meta: true, data: true, json: true, comments: true };
        let options = Options { html_text, extra, ..Options::default() };
        ids::assert_ascending(&page_of(html.into_bytes(), "utf-8").links_with(&options));
    }

    #[test]
    fn absolute_and_relative_references_keep_their_targets(page in pages(), rule in 0usize..3) {
        let rule = [Rule::Absolute, Rule::Relative, Rule::RootRelative][rule].clone();
        let edited = rewritten(&page.document, rule);
        prop_assert_eq!(uris(targets(&edited)), uris(targets(&page.document)));
    }

    #[test]
    fn second_run_changes_nothing(page in pages(), rule in 0usize..5) {
        let rule = rules().swap_remove(rule);
        let edited = rewritten(&page.document, rule.clone());
        let again = plan(&edited, rule);
        prop_assert!(again.is_empty(), "{:?} in {:?}", again.edits(), edited.text().text);
    }

    #[test]
    fn absolute_after_relative_gives_absolute_references(page in pages()) {
        let once = rewritten(&page.document, Rule::Absolute);
        let twice = rewritten(&rewritten(&page.document, Rule::Relative), Rule::Absolute);
        prop_assert_eq!(uris(references(&twice)), uris(references(&once)));
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(
        bytes in prop::collection::vec(prop_oneof![
            any::<u8>().prop_map(|byte| vec![byte]),
            tag().prop_map(String::into_bytes),
            prop::sample::select(vec!["<", ">", "\"", "\0", "\x1b$B", "\x1b(B", "<svg>", "<base href=", "<!--", "</"])
                .prop_map(|piece| piece.as_bytes().to_vec()),
        ], 0..60),
        charset in prop::sample::select(vec![
            "utf-8", "utf-16le", "utf-16be", "shift_jis", "gb18030", "big5", "euc-jp", "euc-kr",
            "iso-2022-jp", "windows-1252",
        ]),
        html_text in any::<bool>(),
    ) {
        let document = page_of(bytes.concat(), charset);
        let detected = Document::new("page.html", document.bytes().to_vec());
        prop_assert_eq!(detected.format(), Format::Html);
        let options = Options { html_text, ..Options::default() };
        for document in [&document, &detected] {
            let found = document.links_with(&options);
            ids::assert_ascending(&found);
            let rules = Rules { rules: vec![Rule::Map(map()), Rule::Absolute], resolver: Resolver::default(), ..Rules::default() };
            let plan = Planned::new(&found, &rules);
            prop_assert!(plan.edits().len() + plan.skipped().len() == found.found().links.len());
        }
    }
}

/// Edits change their own bytes and links, and nothing else.
pub(crate) fn edits_hold(document: &Document, rule: Rule) -> Result<(), TestCaseError> {
    let plan = plan(document, rule);
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
    prop_assert_eq!(
        plan.edits().len() + plan.skipped().len(),
        meant.len(),
        "each link is edited or skipped"
    );
    for edit in plan.edits() {
        meant[plan.number(edit.link)] = edit.reference.to_owned();
    }
    prop_assert_eq!(references(&edited), meant);

    // The targets are those of the plan.
    let found = edited.links_with(&Options::default());
    let mut resolving = found.resolving();
    for edit in plan.edits() {
        let target = resolving.target(&found.found().links[plan.number(edit.link)]);
        prop_assert_eq!(target.uri, Some(edit.new_uri));
    }
    Ok(())
}

/// The targets of the links, including bases.
pub(crate) fn targets(document: &Document) -> Vec<Option<String>> {
    let found = document.links_with(&Options::default());
    let mut resolving = found.resolving();
    let targets =
        found.found().links.iter().map(|link| resolving.target(link).uri.map(str::to_owned));
    targets.collect()
}

#[test]
fn comma_skips_one_link_only() {
    let html = "<object archive='http://h/a.jar'><a href=http://h/b>";
    let mut map = PrefixMap::default();
    map.insert_entry("http://h/=http://n/x,y/").expect("an entry");
    let edited = rewritten(&page_of(html.into(), "utf-8"), Rule::Map(map));
    assert_eq!(references(&edited), ["http://h/a.jar", "http://n/x,y/b"]);
}

#[test]
fn unmappable_characters_are_percent_encoded_or_stay_character_references() {
    let mut map = PrefixMap::default();
    map.insert_entry("http://h/=http://n/日/").expect("an entry");
    let edited = rewritten(
        &page_of(b"<a href='http://h/\xE9&#x4E2D;'>".to_vec(), "windows-1252"),
        Rule::Map(map),
    );
    assert_eq!(edited.bytes(), b"<a href='http://n/%E6%97%A5/\xE9&#x4E2D;'>");
    assert_eq!(references(&edited), ["http://n/%E6%97%A5/é中"]);
}

#[test]
fn list_item_with_an_equals_sign_needs_no_quotes() {
    let html = "<img srcset=a?x=1,b?y=2><a ping=a?x=1><img src=a?x=1>";
    let edited = rewritten(&page_of(html.into(), "utf-8"), Rule::Absolute);
    assert_eq!(
        edited.text().text,
        "<img srcset=http://h/d/e/a?x=1,b?y=2><a ping=http://h/d/e/a?x=1><img src=\"http://h/d/e/a?x=1\">"
    );
}

#[test]
fn long_codebase_is_stored_once() {
    let base = "a".repeat(1 << 20);
    let archive = "x ".repeat(1 << 19);
    let html = format!("<object codebase='&amp;{base}' archive='{archive}'>");
    // It would take half a terabyte if it were stored with each item.
    assert_eq!(links(&page_of(html.into(), "utf-8")).len(), 1 + (1 << 19));
}

#[test]
fn hostile_pages_cost_linear_time() {
    for unit in [
        "<",
        "<!",
        "<!--",
        "<!-- --",
        "-->",
        "</",
        "<?",
        "<a",
        "<a ",
        "<a href=",
        "<a b ",
        "<a href='",
        "<a href=\"x\" ",
        "<a href=x>",
        "<a href>",
        "&amp",
        "&",
        "&#",
        "&a",
        "\"",
        "=",
        "<div>",
        "<svg>",
        "<template>",
        "<base href=x>",
        "<script>",
        "<script><!--",
        "<style>",
        "<title>",
        "</title",
        "<img srcset=','>",
        "<!--<script>",
        "--!",
        "<![CDATA[",
        "<svg><![CDATA[",
        "<meta http-equiv=refresh content='0;url=x'>",
        "<p>",
    ] {
        assert_linear("", unit, "");
    }
    // The cost may be within one tag or one value.
    for (first, unit, last) in [
        ("<a ", "b ", ">"),
        ("<a ", "href=x ", ">"),
        ("<meta ", "content=x ", ">"),
        ("<meta ", "content=x ", "http-equiv=refresh>"),
        ("<param ", "value=x ", ">"),
        ("<img ", "src=x srcset=x ", ">"),
        ("<link ", "rel=x ", "href=x>"),
        ("<object ", "codebase=x data=x ", ">"),
        ("<base href=http://h/", "a", "><a href=b>"),
        ("<object codebase='http://h/", "a", "' archive='b b b b'>"),
        ("<object codebase='http://h/a' archive='", "b ", "'>"),
        ("<svg>", "<title>", ""),
        ("<svg>", "<desc><svg>", "</svg>"),
        ("<svg>", "<svg></math></title>", ""),
        ("<a ", "=", ">"),
        ("<a ", "/", ">"),
        ("<a href='", "&amp;", "'>"),
        ("<a href='", "&amp", "'>"),
        ("<a href='", " ", "'>"),
        ("<a href='", "\n", "x'>"),
        ("<a href='", "../", "'>"),
        ("<a href='", "a/", "'>"),
        ("<img srcset='", ",", "'>"),
        ("<img srcset='", "a,", "'>"),
        ("<img srcset='", "a, ", "'>"),
        ("<img srcset='", "a (", "'>"),
        ("<img srcset='", "&#44;", "'>"),
        ("<a ping='", "a ", "'>"),
        ("<object archive='", "a,", "'>"),
        ("<meta http-equiv=refresh content='", "0", "'>"),
        ("<meta http-equiv=refresh content='0;url=", "'", "\">"),
        ("<script><!--", "<script>", ""),
        ("<script><!--", "</script", ""),
        ("<script>", "--", ""),
        ("<script><!--", "-->", ""),
        ("<title>", "</title", ""),
        ("<title>", "</titl", ""),
        ("<!--", "--", ""),
        ("<!--", ">", ""),
        ("<!--", "- ->", ""),
        ("<svg><![CDATA[", "]]", ""),
    ] {
        assert_linear(first, unit, last);
    }
}

fn assert_linear(first: &str, unit: &str, last: &str) {
    linear::assert_linear(first, unit, last, |html| {
        let document = page_of(html.as_bytes().to_vec(), "utf-8");
        std::hint::black_box(plan(&document, Rule::Absolute));
    });
}
