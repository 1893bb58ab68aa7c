//! Laws of links and edits in XML that need not be well-formed, in several charsets.

use proptest::prelude::*;
use rehref::document::Document;
use rehref::format::Options;
use rehref::rewrite::{Rule, Rules};
use rehref::source::Charset;
use rehref::uri::Resolver;

use crate::planned::Planned;

use crate::edit_laws::{config, encode, map, plan, references, rewritten, rules, targets, uris};
use crate::ids;
use crate::linear;

const CHARSETS: [&str; 5] = ["utf-8", "shift_jis", "utf-16le", "windows-1252", "iso-2022-jp"];

/// Parts of malformed documents, in addition to values.
const PIECES: [&str; 46] = [
    "<rss>",
    "<a ",
    "<link>",
    "</link>",
    "<link ",
    "<enclosure ",
    "<image:loc>",
    "<guid>",
    "<html>",
    "<feed xmlns='http://www.w3.org/2005/Atom'>",
    "<h:a ",
    "<svg xmlns='http://www.w3.org/2000/svg'>",
    "href='",
    "href=\"",
    "href=",
    "url=\"",
    "xml:base='",
    "xml:base=",
    "xlink:href='",
    "xlink:href=",
    "xmlns='",
    "xmlns:x='http://www.w3.org/1999/xlink'",
    "x:href='",
    "isPermaLink='false'",
    "srcset='",
    "'",
    "\"",
    ">",
    "/>",
    " ",
    "\n",
    "<",
    "</",
    "</a>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<?",
    "?>",
    "<?xml-stylesheet ",
    "<!DOCTYPE a [",
    "]",
    "=",
    "</rss>",
    "<base ",
];

const VALUES: [&str; 24] = [
    "http://h/",
    "http://h/d/e/",
    "https://h/",
    "//h/",
    "/",
    "/d/",
    "../",
    "a",
    "b.c",
    "?x=1",
    "#f",
    "&amp;",
    "&",
    "&lt;",
    "&#x26;",
    "&site;",
    "&#26085;",
    "日",
    "é",
    "ソ",
    "%20",
    "|",
    "\\",
    ";",
];

fn pieces() -> impl Strategy<Value = String> {
    let any_piece =
        prop_oneof![prop::sample::select(&PIECES[..]), prop::sample::select(&VALUES[..]),];
    let value = || prop::collection::vec(prop::sample::select(&VALUES[..]), 0..5);
    let attribute = prop::sample::select(vec![
        "a xlink:href",
        "enclosure url",
        "outline xmlUrl",
        "g xml:base",
        "h:img srcset",
        "h:a href",
        "h:base href",
        "h:a ping",
        "atom:link href",
        "use xlink:href",
        "rdf:li resource",
    ]);
    let element = prop::sample::select(vec!["link", "guid", "image:loc", "atom:icon", "docs"]);
    let quote = prop::sample::select(vec!["'", "\"", ""]);
    prop_oneof![
        3 => any_piece.prop_map(str::to_owned),
        2 => (attribute, quote, value(), "[/ ]?").prop_map(|(attribute, quote, value, end)| {
            format!("<{attribute}={quote}{}{quote}{end}>", value.concat())
        }),
        1 => (element, value(), any::<bool>()).prop_map(|(element, value, cdata)| {
            let (open, close) = if cdata { ("<![CDATA[ ", "]]>\n") } else { ("\n", " ") };
            format!("<{element}>{open}{}{close}</{element}>", value.concat())
        }),
    ]
}

#[derive(Clone, Debug)]
struct Sample {
    document: Document,
    charset: &'static str,
    text: String,
}

fn document_of(bytes: Vec<u8>, label: &str) -> Document {
    let document = Document::new("feed.xml", bytes).retrieved_from("http://h/d/e/f?q");
    let charset = Charset::named(label, document.bytes()).expect("a known label");

    document.with_charset(charset)
}

fn samples() -> impl Strategy<Value = Sample> {
    let root = prop::sample::select(vec!["<rss>", "<html>", "<doc xml:base='../x/'>", ""]);
    let charset = prop::sample::select(&CHARSETS[..]);
    (root, prop::collection::vec(pieces(), 0..12), charset).prop_map(|(root, pieces, charset)| {
        let text = format!("{root}{}", pieces.concat());
        Sample { document: document_of(encode(&text, charset), charset), charset, text }
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn spans_are_sorted_disjoint_and_decode_to_the_reference(sample in samples(), html_text in any::<bool>()) {
        let options = Options { html_text, ..Options::default() };
        ids::assert_ascending(&sample.document.links_with(&options));
        let mut end = 0;
        for link in sample.document.found(&options).links {
            for span in &link.spans {
                prop_assert!(end <= span.start && span.start <= span.end, "{:?} before {end}", span);
                prop_assert!(span.end <= sample.document.bytes().len());
                end = span.end;
            }
            let Some(markup) = link.place.markup() else { continue };
            // ISO-2022-JP is stateful: decoding depends on bytes outside the span.
            if sample.charset == "iso-2022-jp" || link.spans.len() > 1 {
                continue;
            }
            let raw = sample.document.decode(link.spans[0]);
            let (raw, kind) = match markup.quoting {
                rehref::link::Quoting::Cdata => (format!("<rss><link><![CDATA[{raw}]]>"), "link"),
                // In an element, a line break is not read as a space as in an attribute (XML 1.0,
                // 3.3.3).
                rehref::link::Quoting::Content => (format!("<rss><link>{raw}"), "link"),
                _ => (format!("<rss><a xlink:href=\"{}\">", raw.replace('"', "&quot;")), "a"),
            };
            let document = document_of(encode(&format!("{raw}</{kind}>"), sample.charset), sample.charset);
            let read = references(&document).pop().unwrap_or_default();
            prop_assert_eq!(read, link.reference.as_ref(), "{:?}", link.spans);
        }
    }

    #[test]
    fn edits_change_only_their_bytes_and_links(sample in samples(), rule in 0usize..3) {
        let document = &sample.document;
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
        let found = edited.links_with(&Options::default());
        let mut resolving = found.resolving();
        for edit in plan.edits() {
            let target = resolving.target(&found.found().links[plan.number(edit.link)]);
            prop_assert_eq!(target.uri, Some(edit.new_uri));
        }
    }

    #[test]
    fn absolute_and_relative_references_keep_their_targets(sample in samples(), absolute in any::<bool>()) {
        let rule = if absolute { Rule::Absolute } else { Rule::Relative };
        let edited = rewritten(&sample.document, rule);
        prop_assert_eq!(uris(targets(&edited)), uris(targets(&sample.document)));
    }

    #[test]
    fn second_run_changes_nothing(sample in samples(), rule in 0usize..3) {
        let rule = rules().swap_remove(rule);
        let edited = rewritten(&sample.document, rule.clone());
        let again = plan(&edited, rule);
        prop_assert!(again.is_empty(), "{:?} in {:?} of {:?}", again.edits(), edited.text().text, sample.text);
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(
        bytes in prop::collection::vec(prop_oneof![
            any::<u8>().prop_map(|byte| vec![byte]),
            pieces().prop_map(String::into_bytes),
            prop::sample::select(vec!["\0", "\x1b$B", "\x1b(B"]).prop_map(|it| it.as_bytes().to_vec()),
        ], 0..60),
        charset in prop::sample::select(vec![
            "utf-8", "utf-16le", "utf-16be", "shift_jis", "gb18030", "big5", "euc-jp", "euc-kr",
            "iso-2022-jp", "windows-1252",
        ]),
        html_text in any::<bool>(),
    ) {
        let document = document_of(bytes.concat(), charset);
        let detected = Document::new("feed.xml", document.bytes().to_vec());
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

#[test]
fn hostile_documents_cost_linear_time() {
    for (first, unit, last) in [
        ("", "<", ""),
        ("", "<!", ""),
        ("", "<!--", ""),
        ("", "</", ""),
        ("", "<?", ""),
        ("", "<?a", ""),
        ("", "<a", ""),
        ("", "<a ", ""),
        ("", "<a b='", ""),
        ("", "<a b=\"", ""),
        ("", "<a b='\">", ""),
        ("", "<a b=", ""),
        ("", "<![CDATA[", ""),
        ("", "<!DOCTYPE [", ""),
        ("", "<!DOCTYPE a ['", ""),
        ("<!DOCTYPE [", "<!--", ""),
        ("<!DOCTYPE [", "'\"", ""),
        ("<!DOCTYPE [", "<?", ""),
        ("", "&", ""),
        ("", "]]>", ""),
        ("<a b='", "]]", "'>"),
        ("", "<a>", ""),
        ("", "</a>", ""),
        ("<r>", "<a><b></a>", ""),
        ("", "<a xmlns:b='c'>", ""),
        ("", "<a xml:base='b/'>", ""),
        ("<r xmlns:xlink='http://www.w3.org/1999/xlink'>", "<a xml:base='b/' xlink:href='c'>", ""),
        ("", "<x:a x:b='c'>", ""),
        ("<a ", "b='c' ", "/>"),
        ("<a ", "xml:base='c' ", "/>"),
        ("<a ", "xlink:href='c' ", "/>"),
        ("<atom:link ", "href='c' ", "/>"),
        ("<h:link ", "rel='c' href='d' ", "/>"),
        ("<a ", "xmlns:b='c' ", "/>"),
        ("<a xlink:href='", "&amp;", "'/>"),
        ("<a xlink:href='", "&", "'/>"),
        ("<a xlink:href='", "&a", "'/>"),
        ("<a xlink:href='", "&#1", "'/>"),
        ("<a xlink:href='", "\n", "'/>"),
        ("<rss><link>", "<!---->a", "</link>"),
        ("<rss><link>", "<![CDATA[a]]>", "</link>"),
        ("<rss><link>", " <!---->", "</link>"),
        ("<rss>", "<link>", ""),
        ("<rss>", "<link>a", ""),
        ("<rss>", "<guid>a", ""),
        ("<?xml-stylesheet ", "href='a' ", "?>"),
        ("", "<?xml-stylesheet ", ""),
        ("<html>", "<h:base href='x'/>", ""),
        ("<html>", "<template>", ""),
        ("<h:img srcset='", "a, ", "'/>"),
        ("<h:object codebase='a/", "b/", "' archive='c c c'/>"),
        ("<h:object codebase='a/' archive='", "b ", "'/>"),
        ("<a xml:base='a/", "b/", "'><b xlink:href='c'/></a>"),
    ] {
        linear::assert_linear(first, unit, last, |xml| {
            let document = document_of(xml.as_bytes().to_vec(), "utf-8");
            std::hint::black_box(plan(&document, Rule::Absolute));
        });
    }
}

#[test]
fn too_deeply_nested_bases_are_not_used() {
    let depth = rehref::link::MAX_NESTED + 10;
    let link = "<a xlink:href='b'/>";
    let xml = format!("{}{link}{}{link}", "<g xml:base='a/'>".repeat(depth), "</g>".repeat(depth));
    let targets = targets(&document_of(xml.into_bytes(), "utf-8"));
    let deepest = format!("http://h/d/e/{}b", "a/".repeat(rehref::link::MAX_NESTED));
    assert_eq!(targets[depth].as_deref(), Some(deepest.as_str()));
    assert_eq!(targets[depth + 1].as_deref(), Some("http://h/d/e/b"));
}
