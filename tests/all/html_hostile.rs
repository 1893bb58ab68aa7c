//! Pages made to be slow, large or deep. In deep pages links may be read from tags without the DOM,
//! so they are counted where both agree.

use std::time::Duration;

use rehref::rewrite::Rule;

use crate::linear::repeated;
use crate::support::dom_oracle::{Dom, page_of};
use crate::support::planned::plan;
use crate::support::stopwatch::Stopwatch;
use crate::tier;

/// Far more time than any page here needs, unoptimized and on a busy machine, if its cost is
/// linear.
const LIMIT: Duration = Duration::from_secs(100);

/// Finds this number of links and makes them absolute. Each is edited or skipped.
fn check(name: &str, html: &str, links: usize) {
    let watch = Stopwatch::start();
    let page = page_of(html);
    assert_eq!(page.links().len(), links, "{name}: links");
    let plan = plan(&page, Rule::Absolute);
    assert_eq!(plan.edits().len() + plan.skipped().len(), links, "{name}: plan");
    assert_eq!(plan.applied_to(&page).links().len(), links, "{name}: links after rewriting");
    let time = watch.elapsed();
    assert!(time < LIMIT, "{name}: {time:?}");
}

/// The unit, its count in the deep tier, the end of the page, and the number of links.
const REPEATED: &[(&str, usize, &str, usize)] = &[
    ("<div>", 20_000, "<a href=x>", 1),
    ("<div><a href=x></a>", 20_000, "", 20_000),
    ("<ul><li>", 64_000, "<a href=x>", 1),
    ("<blockquote cite=x>", 20_000, "", 20_000),
    ("<", 10_000_000, "a href=x>", 1),
    ("</", 1_000_000, "", 0),
    ("<a ", 1_000_000, "href=x>", 1),
    ("<!", 1_000_000, "", 0),
    ("<svg>", 100_000, "<a href=x>", 1),
    ("<svg><g>", 50_000, "<use href=x>", 1),
    ("<svg><desc>", 50_000, "<a href=x>", 1),
    ("<math><mi>", 50_000, "<a href=x>", 1),
    ("<svg><p>", 50_000, "<a href=x>", 1),
    ("<svg><g></svg>", 50_000, "<a href=x>", 1),
    ("<table>", 100_000, "<a href=x>", 1),
    ("<table background=x>", 100_000, "", 100_000),
    ("<table><tr><td background=x>", 100_000, "", 100_000),
    ("<table><tr><td>", 100_000, "<a href=x>", 1),
    ("<template>", 100_000, "<a href=x>", 1),
    ("<template></template>", 100_000, "<a href=x>", 1),
    ("<select>", 100_000, "<a href=x>", 1),
    ("<select><optgroup><option>", 50_000, "<a href=x>", 1),
    ("<b>", 100_000, "<a href=x>", 1),
    ("<b class=№>", 100_000, "<p>x<a href=x>", 1),
    ("<p><b>", 20_000, "<a href=x>", 1),
    ("<b><p></b>", 20_000, "<a href=x>", 1),
    ("<p><font size=№>", 4_000, "<a href=x>", 1),
    ("<a href=x>", 100_000, "", 100_000),
    ("<a href=x><p>", 20_000, "", 20_000),
    ("<a href=x><div>", 20_000, "", 20_000),
    ("<nobr>", 100_000, "<a href=x>", 1),
    ("<form action=x></form>", 50_000, "", 50_000),
    ("<button formaction=x>", 50_000, "", 50_000),
    ("<object data=x>", 20_000, "", 20_000),
    ("<noscript><img src=x></noscript>", 50_000, "", 50_000),
    ("</p>", 100_000, "<a href=x>", 1),
    ("</b></div></table>", 50_000, "<a href=x>", 1),
    ("<base href>", 1_000_000, "", 1_000_000),
    ("<base href=№>", 100_000, "", 100_000),
    ("<link href=№>", 100_000, "", 100_000),
];

#[test]
fn repeated_markup_has_all_its_links() {
    for &(unit, count, last, links) in REPEATED {
        let (count, links) = match tier::pick(20, 1) {
            // A single link does not depend on the count.
            less if links < count => (count / less, links),
            less => (count / less, links / less),
        };
        check(unit, &(repeated(unit, count) + last), links);
    }
}

/// The DOM has the same links, for counts small enough to build it.
#[test]
fn repeated_markup_has_the_links_of_its_dom() {
    const FEW: usize = 40;
    for &(unit, count, last, links) in REPEATED {
        let expected = if links < count { links } else { FEW * (links / count) };
        let html = repeated(unit, FEW) + last;
        assert_eq!(Dom::read(&html, false).links().len(), expected, "{unit}");
    }
}

/// Markup in tables that moves out of them.
#[test]
fn markup_moved_out_of_tables_has_its_links() {
    for unit in ["<a href=x>", "<img src=x>", "<b><img src=x>", "<p><img src=x>", "x<img src=x>"] {
        let html = format!("<table>{}", unit.repeat(20_000));
        check(unit, &html, 20_000);
    }
}

/// A second `html` or `body` adds its new attributes to the first.
#[test]
fn attributes_of_repeated_body_tags_count_once() {
    let html = repeated("<html a№ manifest=№><body b№ background=№>", 50_000);
    check("html and body", &html, 2);
}

#[test]
fn very_long_constructs_are_read() {
    let much = tier::pick(1_000_000, 10_000_000);
    let long = "a".repeat(much);
    for (name, html, links) in [
        ("value", format!("<a href='{long}'>"), 1),
        ("unquoted value", format!("<a href={long}>"), 1),
        ("other value", format!("<a title='{long}' href=x>"), 1),
        ("value without end", format!("<a href=x><a href='{long}"), 1),
        ("attribute name", format!("<a {long} href=x>"), 1),
        ("tag name", format!("<{long} href=x><a href=x>"), 1),
        ("foreign name", format!("<svg><{long} xlink:href=x>"), 1),
        ("comment", format!("<!--{long}--><a href=x>"), 1),
        ("text", format!("<table>{long}<a href=x>"), 1),
        ("white space", format!("<table>{}<a href=x>", " ".repeat(much)), 1),
        ("NULs", format!("<svg>{}<a href=x>", "\0".repeat(much / 10)), 1),
        ("references", format!("<a href='{}'>", "&amp;".repeat(much / 10)), 1),
        ("script", format!("<script>{long}</script><a href=x>"), 1),
        ("attributes", format!("<a {}href=x>", "b=c ".repeat(much / 10)), 1),
        ("different attributes", format!("<a {}href=x>", repeated("b№ ", much / 10)), 1),
        ("attributes of formatting", format!("<b {}><p><a href=x>", repeated("b№ ", 100_000)), 1),
        ("srcset", format!("<img srcset='{}'>", repeated("a№ 1x, ", 100_000)), 100_000),
    ] {
        check(name, &html, links);
    }
}

#[test]
fn charset_without_a_value_does_not_panic() {
    for content in ["text/html; charset", "charset", "text/html; charset ", "charset=", "charset='"]
    {
        let html = format!("<meta http-equiv=content-type content=\"{content}\"><svg><a href=x>");
        check(content, &html, 1);
    }
}
