//! Laws of documents that are rewritten in one pass: the result is that of the plan.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::select;
use rehref::document::Document;
use rehref::format::{Extra, Options};
use rehref::fs::BaseMapping;
use rehref::jobs::{EditEvent, Outcome, Rewrite};
use rehref::rewrite::{BaseElements, PatternMap, Plan, PrefixMap, Rule, Rules, SkipReason};
use rehref::uri::{Profile, Resolver};

use super::{any_page, rules, soup};
use crate::support::charsets::{encode, page_of};
use crate::support::tree::Tree;
use crate::tier;

/// Pages whose first kilobyte ends near the declaration of the character encoding, so that edits
/// may move it; with a BASE at any place, and pages in attributes.
fn pages_with_late_declarations() -> impl Strategy<Value = Document> {
    let piece = select(vec![
        "<a href=x>",
        "<a href='?a&amp;b'>",
        "<a href=http://h/d/e/long/path/to/a/page>",
        "<link rel=stylesheet href=http://h/s.css integrity=sha256-x>",
        "<img srcset='a 1x, /b 2x'>",
        "<p style='background: url(i.png)'>",
        "<iframe srcdoc='<a href=y>'>",
        "<base href=http://h/other/>",
        "<meta CharSet=shift_jis>",
        "<meta charset=utf-8>",
        "<meta content='text/html; charset=euc-kr' http-equiv=Content-Type>",
        "<!-- <meta charset=koi8-r> -->",
        "<table><td><a href=z><table>",
        "<svg><a xlink:href=v></svg>",
    ]);
    // The declaration of a page with padding begins shortly before the end of the part in which it
    // is searched.
    let padded = prop_oneof![Just(0), 980..1010_usize];
    let pieces =
        (prop::collection::vec(piece.clone(), 0..6), padded, prop::collection::vec(piece, 0..4));
    pieces.prop_map(|(before, at, after)| {
        let mut html = before.concat();
        if at > html.len() {
            html.push_str(&" ".repeat(at - html.len()));
            html.push_str("<meta charset=koi8-r>");
        }
        html.push_str(&after.concat());
        page_of(encode(&html, "windows-1252"), "windows-1252")
    })
}

#[test]
fn text_before_a_tag_with_links_is_rewritten_in_its_place() {
    let html = "<body>http://o.example/a b<wbr style='background:url(http://o.example/x)'>c";
    let options = Options { html_text: true, ..Options::default() };
    let page = Document::from_bytes(html.into()).content_type("text/html").options(options);
    let page = page.build().unwrap();
    let mut map = PrefixMap::default();
    map.insert("http://o.example", "http://n.example/longer").unwrap();
    let rules = Rules::new().prefix_map(map);
    let mut out = Vec::new();
    let _ = page.rewrite_into(&rules, &mut out);
    let links = page.links();
    assert_eq!(out, links.rewrite(&rules).bytes());
}

fn documents() -> impl Strategy<Value = Document> {
    prop_oneof![
        3 => any_page(),
        2 => (soup(), any::<bool>()).prop_map(|(html, has_mark)| {
            let mark = if has_mark { "\u{FEFF}" } else { "" };
            page_of((mark.to_owned() + &html).into_bytes(), "utf-8")
        }),
        2 => pages_with_late_declarations(),
    ]
}

fn options() -> impl Strategy<Value = Options> {
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    let profile =
        select(vec![Profile::Rfc3986, Profile::Rfc3986, Profile::Whatwg, Profile::Rfc2396]);
    (flags, profile).prop_map(|((html_text, anchors, comments), profile)| Options {
        html_text,
        anchors,
        extra: Extra { comments, ..Extra::default() },
        resolver: Resolver { profile, ..Resolver::default() },
        ..Options::default()
    })
}

/// The bytes, the number of edits, and that of skipped links by reason.
type Left = (Vec<u8>, usize, BTreeMap<SkipReason, usize>);

/// The result of a plan.
fn by_plan(document: &Document, options: &Options, rules: &Rules) -> Left {
    let links = document.links_with(options);
    let plan: Plan<'_> = links.rewrite(rules);
    let mut skipped = BTreeMap::new();
    for (_, reason) in plan.skipped() {
        *skipped.entry(reason).or_default() += 1;
    }
    (plan.bytes().to_vec(), plan.edits().len(), skipped)
}

proptest! {
    #![proptest_config(tier::cases(tier::pick(512, 20_000)))]

    #[test]
    fn one_pass_agrees_with_the_plan(
        document in documents(),
        options in options(),
        first in select(rules()),
        second in select(rules()),
        strips in prop::bool::weighted(0.1),
        has_base in prop::bool::weighted(0.9),
    ) {
        let base_elements = match strips {
            true => BaseElements::Strip,
            false => BaseElements::Keep,
        };
        let rules = Rules { base_elements, rules: [first.rules, second.rules].concat(), ..first };
        let document = match has_base {
            true => document,
            false => document.with_base(None),
        };
        let document = document.with_options(options.clone());
        let mut out = b"before".to_vec();
        let numbers = document.rewrite_into(&rules, &mut out);
        let out = out.split_off(b"before".len());
        prop_assert_eq!(
            by_plan(&document, &options, &rules),
            (out, numbers.edits(), numbers.skipped())
        );
    }
}

/// A page with this many links.
fn page_of_links(count: usize) -> Document {
    let mut html = String::from(
        "<!DOCTYPE html><head><base href='/b/'><link rel=stylesheet href=a.css integrity=sha256-x></head>",
    );
    for number in 0..count {
        let (reference, words) = (format!("../d/{number}.html?a&amp;b#c"), "words ".repeat(15));
        html.push_str(&format!("<p class=\"c\"><a href=\"{reference}\">{words}</a>"));
    }
    let page = Document::from_bytes(html.into_bytes()).content_type("text/html; charset=utf-8");
    page.url("http://h/x/").build().expect("a page")
}

/// Links and edits of a page are not kept.
#[test]
fn memory_does_not_grow_with_the_number_of_links() {
    let mut map = PrefixMap::default();
    map.insert("http://h/d", "https://n.example/d/e").expect("an entry");
    for rules in
        [Rules::new().absolute(), Rules::new().root_relative(), Rules::new().prefix_map(map)]
    {
        for count in [500, 5_000] {
            let page = page_of_links(count);
            let mut out = Vec::with_capacity(2 * page.bytes().len());
            let mut edits = 0;
            let taken = allocation_counter::measure(|| {
                edits = page.rewrite_into(&rules, &mut out).edits();
            });
            assert!(edits >= count, "{edits} edits");
            assert!(taken.bytes_max < 64 << 10, "{} bytes for {count} links", taken.bytes_max);
        }
    }
}

#[test]
fn runs_with_and_without_plans_write_the_same_tree() {
    let input = Tree::new(&[
        (
            "a.html",
            "<a href=/b.html>b</a><a href='/missing'>c</a><script src=s.js integrity=sha256-x></script>",
        ),
        (
            "b/c.html",
            "<link rel=canonical href=http://h/b/c.html><a href=../a.html#x>a</a><a href=http://h/xx>x</a>",
        ),
        ("late.html", "<a href=x>x</a><base href=http://h/base/><a href=y>"),
        (
            "within.html",
            "<a href=x>x</a><iframe srcdoc='<a href=y>y</a>'></iframe><p onclick='location=\"/z.html\"'>",
        ),
        ("styled.html", "<p style='background: url(/i.png)'>"),
        ("s.js", "location = '/a.html'"),
        ("same.html", "<p>No links</p>"),
        ("f.css", "@import 'http://h/x.css'; a { b: url(/i.png) }"),
    ]);
    let mut patterns = PatternMap::default();
    patterns.insert_entry("^http://h/x=http://h/xx").expect("an entry");
    for rules in [
        Rules::new().absolute(),
        Rules::new().relative(),
        Rules::new().root_relative(),
        Rules::new().rule(Rule::Pattern(patterns)),
    ] {
        for base in [None, Some("http://h/")] {
            let run = |reports_plans: bool| {
                let output = Tree::empty();
                let mut rewrite = Rewrite::new(rules.clone()).path(input.path());
                rewrite.inputs.read.retrieval = base.map(|url| {
                    let tree = format!("{url}={}", input.path().display());
                    BaseMapping::parse(tree).expect("a mapping")
                });
                rewrite.outcome = Outcome::NewTree(output.at("out"));
                rewrite.reports_plans = reports_plans;
                let (mut events, mut plans) = (Vec::new(), 0);
                let report = rewrite.for_each(|event| match event {
                    EditEvent::Document(_) => plans += 1,
                    EditEvent::MatchesAgain(_) | EditEvent::StaleIntegrity { .. } => {
                        events.push(format!("{event:?}"))
                    }
                    _ => {}
                });
                assert_eq!(plans > 0, reports_plans);
                (report.expect("a run").totals, events, output.files())
            };
            assert_eq!(run(false), run(true), "{base:?}");
        }
    }
}
