//! The links of HTML are those of the DOM that html5ever builds: on the pages of the corpus, on
//! pages worked out by hand, and on generated ones.

mod by_hand;

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::select;

use crate::document_corpus::{Fixture, fixtures};
use crate::html_soup::{soup, wild_soup};
use crate::support::dom_oracle::{Dom, differences, page_of};
use crate::tier;

#[test]
fn corpus_pages_have_the_links_of_their_dom() {
    let mut failures = Vec::new();
    let mut compared = 0;
    for Fixture { name, document: page, .. } in fixtures("html") {
        if page.charset().encoding() != encoding_rs::UTF_8 {
            continue;
        }
        compared += 1;
        if let Some(difference) = differences(&page) {
            failures.push(format!("{name}: {difference}"));
        }
    }
    assert!(compared > 0, "no page of the corpus is UTF-8");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

proptest! {
    #![proptest_config(tier::cases(tier::pick(128, 10_000)))]

    #[test]
    fn tag_soup_has_the_links_of_its_dom(html in soup()) {
        let difference = differences(&page_of(&html));
        prop_assert!(difference.is_none(), "{}\nin {:?}", difference.unwrap_or_default(), html);
    }

    #[test]
    fn wild_soup_has_the_links_of_its_dom(html in wild_soup()) {
        let difference = differences(&page_of(&html));
        prop_assert!(difference.is_none(), "{}\nin {:?}", difference.unwrap_or_default(), html);
    }
}

/// HTML in SVG and MathML that stays open.
const UNCLOSED: [&str; 7] = [
    "<svg><foreignObject><div>",
    "<span><b><svg><g><foreignObject><a href=a>",
    "<li><x><svg><title><div><svg><desc><p>",
    "<dd><div><math><mtext><p>",
    "<form><svg><a><desc><img>",
    "<p><b><p><math><mi><img>",
    "<math><annotation-xml encoding=text/html><p>",
];

proptest! {
    #![proptest_config(tier::cases(tier::pick(128, 2000)))]

    /// So much text follows that the rules have a guard.
    #[test]
    fn soup_in_unclosed_svg_has_the_links_of_its_dom(
        unclosed in select(&UNCLOSED[..]),
        html in wild_soup(),
    ) {
        let text = "text of a long diagram ".repeat(1000);
        let html = format!("{unclosed}{text}{html}{text}{text}");
        let difference = differences(&page_of(&html));
        prop_assert!(difference.is_none(), "{}\nin {:?}", difference.unwrap_or_default(), html);
    }

    /// The links of the tags that the oracle finds are those of the tree, except for copies.
    #[test]
    fn links_of_tags_are_those_of_the_tree(html in wild_soup(), scripting in any::<bool>()) {
        let dom = Dom::read(&html, scripting);
        let of_tags: BTreeSet<_> = dom.links().into_iter().collect();
        let of_tree: BTreeSet<_> = dom.links_in_tree.into_iter().collect();
        if dom.removed {
            // Formatting elements of a removed body may have copies after it, which do not count.
            prop_assert!(of_tags.is_subset(&of_tree), "{:?} of {:?}", of_tags, of_tree);
        } else {
            prop_assert_eq!(of_tags, of_tree);
        }
    }
}
