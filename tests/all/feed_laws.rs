//! Feeds with escaped HTML: what each command does with its links, hostile feeds, and the memory and time that they take.

use std::time::Duration;

use rehref::document::Document;
use rehref::format::Options;
use rehref::rewrite::Rule;

use crate::edit_laws::{plan, references, rules_of};
use crate::linear::assert_linear;
use crate::planned::Planned;
use crate::support::stopwatch::Stopwatch;

/// Far more time than any feed here needs, unoptimized and on a busy machine, if its cost is linear.
const LIMIT: Duration = Duration::from_secs(100);

fn feed(xml: &str) -> Document {
    Document::new("feed.xml", xml.as_bytes().to_vec()).retrieved_from("http://h/d/feed.xml")
}

#[test]
fn hostile_feeds_cost_linear_time() {
    const CDATA: &str = "<rss><description><![CDATA[";
    const END: &str = "]]></description></rss>";
    for (first, unit, last) in [
        ("<rss><description>", "&lt;a href=b&gt;", "</description>"),
        ("<rss><description>", "&lt;a href='", ""),
        ("<rss><description>", "&lt;", ""),
        ("<rss><description>", "&amp;", ""),
        ("<rss><description>", "a<!---->", ""),
        (
            "<rss><description>&lt;a href='",
            "a<!---->",
            "'&gt;</description>",
        ),
        ("<rss><description>", "<![CDATA[<a href=b>]]>", ""),
        ("<rss><description>", "&lt;a href=<![CDATA[b>]]>", ""),
        (
            "<rss><description>",
            "<![CDATA[<iframe srcdoc='<a href=b>'>]]></iframe>",
            "",
        ),
        ("<rss>", "<description>&lt;a href=b&gt;</description>", ""),
        (
            "<rss>",
            "<description>&lt;td background=b&gt;</description>",
            "",
        ),
        ("<rss>", "<description xml:base='b/'>&lt;a href=b>", ""),
        ("<rss><description>", "&lt;base href=b&gt;", ""),
        ("<rss><description>", "&lt;a href=b&gt;<b/>", ""),
        (CDATA, "<div>", END),
        (CDATA, "<b><p>", END),
        (CDATA, "<td background=b>", END),
        (CDATA, "<img srcset='", END),
        (CDATA, "<iframe srcdoc='", END),
        (CDATA, "<base href=b>", END),
        (CDATA, "<!--", END),
        (CDATA, "]]", END),
    ] {
        assert_linear(first, unit, last, |xml| {
            std::hint::black_box(plan(&feed(xml), Rule::Absolute));
        });
    }
}

#[test]
fn verifying_hostile_feeds_costs_linear_time() {
    for (first, unit, last) in [
        ("<rss><description>", "&lt;a href=b&gt;", "</description>"),
        ("<rss>", "<description>&lt;a href=b&gt;</description>", ""),
        ("<rss><description>", "&lt;a href=<![CDATA[b>]]>", ""),
        ("<rss><description>", "&lt;a href=b&gt;<b/>", ""),
        (
            "<rss><description><![CDATA[<a href=b>",
            "<div>",
            "]]></description>",
        ),
    ] {
        assert_linear(first, unit, last, |xml| {
            let document = feed(xml);
            let links = document.links();
            let plan = rehref::rewrite::Plan::new(&links, &rules_of(Rule::Absolute));
            let _ = std::hint::black_box(plan.verify());
        });
    }
}

#[test]
fn a_megabyte_of_nesting_is_read() {
    let unit = "&lt;div>&lt;a href=b>";
    let count = (1 << 20) / unit.len();
    let xml = format!("<rss><description>{}", unit.repeat(count));
    let watch = Stopwatch::start();
    let document = feed(&xml);
    let plan = plan(&document, Rule::Absolute);
    assert_eq!(plan.edits().len() + plan.skipped().len(), count);
    assert!(watch.elapsed() < LIMIT);
}

#[test]
fn unterminated_sections_and_elements_are_read_to_the_end() {
    for (xml, expected) in [
        ("<rss><description><![CDATA[<a href='b'>", &["b"][..]),
        ("<rss><description>&lt;a href='b'&gt;", &["b"]),
        ("<rss><description>&lt;a href='b'&gt", &[]),
        ("<rss><description>&lt;a href='b' ", &[]),
        (
            "<rss><description>&lt;a href='b'>&lt;a href='c'></rss>",
            &["b", "c"],
        ),
        (
            "<rss><description>&lt;a href='b'><item>&lt;a href='c'>",
            &["b"],
        ),
        (
            "<rss><description>&lt;a href='b'><br/>&lt;a href='c'>",
            &["b", "c"],
        ),
        (
            "<rss><description>&#60;a href='&#98;&#0;'&#x3E;&#xFFFFFF;",
            &["b\u{FFFD}"],
        ),
        ("<rss><description>&LT;a href='b'&gt; &ltt;a href='c'>", &[]),
    ] {
        assert_eq!(references(&feed(xml)), expected, "{xml}");
    }
}

#[test]
fn library_options_select_escaped_html() {
    let document = feed("<rss><link>a</link><description>&lt;a href='b'></description></rss>");
    let found = |escaped_html, html_text| {
        let options = Options {
            escaped_html,
            html_text,
            ..Options::default()
        };
        let links = document.found(&options).links.into_iter();
        links
            .map(|it| it.reference.into_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(found(true, false), ["a", "b"]);
    assert_eq!(found(true, true), ["a", "b"]);
    assert_eq!(found(false, true), ["a", "b"]);
    assert_eq!(found(false, false), ["a"]);
}

#[test]
fn links_of_rss_stay_absolute_and_those_of_atom_become_relative() {
    let rss = "<rss><description>&lt;a href='http://h/d/x'></description></rss>";
    let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><summary type='html'>&lt;a href='http://h/d/x'></summary></feed>";
    let relative = |xml: &str| {
        let document = feed(xml);
        let plan = Planned::new(&document.links(), &rules_of(Rule::Relative));
        String::from_utf8(plan.bytes().to_vec()).expect("UTF-8")
    };
    assert_eq!(relative(rss), rss);
    assert_eq!(relative(atom), atom.replace("http://h/d/x", "x"));
}
