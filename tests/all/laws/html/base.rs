//! Laws of edits that remove or change the BASE of a page: all links keep their targets.

use proptest::prelude::*;
use proptest::sample::select;
use rehref::document::Document;
use rehref::format::Options;
use rehref::link::{ParsedLink, Role};
use rehref::rewrite::{BaseElements, Plan, Rule, Rules, SkipReason};
use rehref::uri::{Profile, Resolver};

use super::{any_page, config, soup};
use crate::support::charsets::page_of;
use crate::support::links::uris;
use crate::support::planned::{Planned, spliced};

/// Rules for BASE elements.
fn changes() -> impl Strategy<Value = BaseElements> {
    let uris = vec!["http://h/d/x/", "http://h/", "https://o/日?q", "mailto:x@h"];
    prop_oneof![
        3 => Just(BaseElements::Strip),
        3 => select(uris).prop_map(|it| BaseElements::Replace(it.to_owned())),
    ]
}

/// Rules that keep the target of each link.
fn faithful() -> impl Strategy<Value = Vec<Rule>> {
    prop_oneof![
        4 => Just(Vec::new()),
        1 => Just(vec![Rule::Absolute]),
        1 => Just(vec![Rule::Relative]),
        1 => Just(vec![Rule::RootRelative]),
    ]
}

fn plan_by(document: &Document, rules: &Rules, options: &Options) -> Planned {
    Planned::new(&document.links_with(options), rules)
}

/// Returns true if a reference does not depend on the base: a name, or an empty value with another
/// meaning.
fn is_apart(link: &ParsedLink<'_>) -> bool {
    let markup = link.place.markup();
    let text = link.reference.as_ref();
    let is_here = text.is_empty() || text.starts_with('#');
    let leads = matches!(link.role, Role::Base | Role::Navigate | Role::Submit);
    markup.is_some_and(|it| it.attribute == "usemap") || is_here && !leads
}

/// The targets of all links except BASE elements and links that do not depend on a base.
fn targets(document: &Document, options: &Options) -> Vec<Option<String>> {
    let found = document.links_with(options);
    let mut resolving = found.resolving();
    let bases = &found.found().base_elements;
    let links = found.found().links.iter();
    let links = links.filter(|link| !bases.iter().any(|base| base.link() == link.id()));
    let targets = links.map(|link| match is_apart(link) {
        true => Some(link.reference.to_string()),
        false => resolving.target(link).uri.map(str::to_owned),
    });
    targets.collect()
}

/// Checks that all links keep their targets, that the plan verifies, and that a second run changes
/// nothing.
fn holds(document: &Document, rules: &Rules) -> Result<(), TestCaseError> {
    let options = Options { resolver: rules.resolver, ..Options::default() };
    let found = document.links_with(&options);
    let plan = Plan::new(&found, rules);
    let edited = document.with_bytes(plan.bytes().to_vec());
    let text = edited.text().text.into_owned();
    prop_assert_eq!(plan.edits().len() + plan.skipped().count(), found.found().links.len());
    prop_assert_eq!(
        uris(targets(&edited, &options)),
        uris(targets(document, &options)),
        "{}",
        text
    );

    let (expected, places) = spliced(document, plan.edits());
    prop_assert_eq!(edited.bytes(), &expected);

    // Either the change of the base is skipped, or it is complete.
    let left = edited.found(&options).base_elements;
    let is_refused = plan.skip_reasons().iter().any(|(_, why)| *why == SkipReason::NeededBase);
    if rules.base_elements == BaseElements::Strip {
        prop_assert_eq!(is_refused, !left.is_empty(), "{}", text);
    }
    let verified = plan.verify_bytes(edited.bytes());
    prop_assert!(verified.is_ok(), "{:?}: {}", verified, text);
    let mut edits = plan.edits().iter().zip(places);
    if let Some((removal, place)) = edits.find(|(edit, _)| edit.removes) {
        let mut broken = edited.bytes().to_vec();
        let old = document.bytes()[removal.span.range()].iter().copied();
        broken.splice(place.start..place.start, old);
        prop_assert!(plan.verify_bytes(&broken).is_err());
    }
    let again = plan_by(&edited, rules, &options);
    prop_assert!(again.is_empty(), "{:?} in {}", again.edits(), text);
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn links_keep_their_targets(
        page in any_page(), base_elements in changes(), rules in faithful(), is_known in any::<bool>(),
        profile in select(vec![Profile::Rfc3986, Profile::Rfc3986, Profile::Rfc2396, Profile::Whatwg]),
    ) {
        let mut document = page;
        if !is_known {
            document = document.with_base(None);
        }
        let resolver = Resolver { profile, ..Resolver::default() };
        holds(&document, &Rules { rules, base_elements, resolver, ..Rules::default() })?;
    }

    #[test]
    fn links_in_wild_soup_keep_their_targets(html in soup(), base_elements in changes()) {
        let document = page_of(html.into_bytes(), "utf-8");
        holds(&document, &Rules { base_elements, ..Rules::default() })?;
    }
}

/// The rewritten page, and the reasons for skipped links.
fn rewritten(html: &str, base_elements: BaseElements, is_known: bool) -> (String, Vec<SkipReason>) {
    let mut document = page_of(html.into(), "utf-8");
    if !is_known {
        document = document.with_base(None);
    }
    let rules = Rules { base_elements, ..Rules::default() };
    let plan = plan_by(&document, &rules, &Options::default());
    let text = String::from_utf8(plan.bytes().to_vec()).expect("UTF-8");
    (text, plan.skipped().iter().map(|&(_, why)| why).collect())
}

fn stripped(html: &str) -> String {
    rewritten(html, BaseElements::Strip, true).0
}

#[test]
fn relative_references_stay_relative_if_possible() {
    // The page is http://h/d/e/f?q.
    for (html, expected) in [
        ("<base href=/d/><a href=e/x>", "<a href=x>"),
        ("<base href=/d/><a href=/d/e/x>", "<a href=/d/e/x>"),
        ("<base href=//o/d/><a href=x><a href=/y>", "<a href=http://o/d/x><a href=http://o/y>"),
        ("<base href=//o/d/><a href=//h/x>", "<a href=//h/x>"),
        ("<base href=/d/><a href=#t>", "<a href=..#t>"),
        ("<base href=/d/><a href=''>", "<a href='..'>"),
        ("<base href=/d/><a href=?y>", "<a href=..?y>"),
        ("<base href=/d/><p style='a:url(#x)'>", "<p style='a:url(#x)'>"),
        ("<base href=/d/><img src='' usemap=#m>", "<img src='' usemap=#m>"),
        ("<base href=/d/><svg><use href=#x>", "<svg><use href=#x>"),
        ("<base href=/d/><svg><use href=y#x>", "<svg><use href=../y#x>"),
        (
            "<base href=/d/><object codebase=c/ data=x></object>",
            "<object codebase=../c/ data=x></object>",
        ),
        (
            "<base href=/d/><iframe srcdoc='<base href=c/><a href=x>'></iframe>",
            "<iframe srcdoc='<base href=../c/><a href=x>'></iframe>",
        ),
        ("<base href=/d/ target=t><base href=y><a href=x>", "<base target=t><a href=../x>"),
    ] {
        assert_eq!(stripped(html), expected, "{html}");
    }
}

#[test]
fn only_the_first_base_changes() {
    let base = || BaseElements::Replace("http://h/d/x/".to_owned());
    let (html, _) = rewritten("<base href=/d/ target=t><base href=y><a href=x>", base(), true);
    assert_eq!(html, "<base href=http://h/d/x/ target=t><base href=y><a href=../x>");
    let (html, _) = rewritten("<a href=x>", base(), true);
    assert_eq!(html, "<a href=x>");
    // A base on which nothing depends is removed.
    let (html, _) = rewritten("<base href=http://o/><a href=x>", base(), false);
    assert_eq!(html, "<base href=http://h/d/x/><a href=http://o/x>");
}

#[test]
fn without_a_known_base_links_become_absolute_or_the_base_stays() {
    let strip = |html| rewritten(html, BaseElements::Strip, false);
    let (html, _) = strip("<base href=http://o/d/><a href=x><img src=/y>");
    assert_eq!(html, "<a href=http://o/d/x><img src=http://o/y>");
    for html in [
        // Links with an unknown target, and links that cannot be written.
        "<base href=/d/><a href=x>",
        "<base href=http://o/d/><applet code=A.class>",
        "<base href=http://o/d/><a href='\\x'>",
        "<base href=http://o/d,/><object archive='x'>",
        "<base href=x target=t href=y>",
    ] {
        let (unchanged, why) = strip(html);
        assert_eq!(unchanged, html);
        assert!(why.contains(&SkipReason::NeededBase), "{html}: {why:?}");
    }
}
