//! Law 39: the rules that adjust references, alone and with others, in any order.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use rehref::document::Document;
use rehref::link::{LinkFilter, ParsedLink, Target};
use rehref::rewrite::{
    Adjustments, Decision, Mapper, ParamGlobs, PathPrefix, Placed, PrefixMap, Rule, Rules,
};
use rehref::uri::Base;
use url::Url;
use url::form_urlencoded::parse;

use crate::laws::config;
use crate::support::links::references;
use crate::support::planned::{Planned, prefix_map};

/// The names that are removed begin with this.
const DROPPED: &str = "utm_";
const PREFIX: &str = "/app/b%C3%A9/";
const SITE: &str = "http://h/d/";
const BASE: &str = "http://h/d/e/f.html?q&utm_b=1";

fn queries() -> impl Strategy<Value = String> {
    let pieces = [
        "", "a=1", "utm_source=x", "utm_", "%75tm%5Fx", "utm_x=%26", "b", "=", "=utm_a", "utm=1",
        "a=%7e?", "c=utm_b", "UTM_a=1", "x;utm_a=1", "%zz", "ü=ü", "a=<>'",
    ];
    let query = prop::collection::vec(select(pieces.to_vec()), 1..6);
    let query = query.prop_map(|pieces| format!("?{}", pieces.join("&")));
    prop_oneof![Just(String::new()), query]
}

fn any_references() -> impl Strategy<Value = String> {
    let begins = [
        "", "/", "./", "../", "../../../", "//h/", "//o/", "http://h/", "http://h/d/",
        "HTTP://H/d/e/", "https://o/", "mailto:", "x:/", "/app/", "/app/b%c3%a9/", "/app/b%C3%A9",
        "/./", "/../", "/.//",
    ];
    let names = [
        "", "x.html", "x.htm", "index.html", "index.htm", "a/index.html", "a/", "x", ".html",
        "..html", "x.html.html", "index.html.html", "%2e.html", "a:b.html", "x.HTML",
        "a/../index.html", "e/f", "app/x.html", "./y.html",
    ];
    let fragments = ["", "", "#", "#f", "#?utm_a=1", "#x.html"];
    let parts =
        (select(begins.to_vec()), select(names.to_vec()), queries(), select(fragments.to_vec()));
    parts.prop_map(|(begin, name, query, fragment)| format!("{begin}{name}{query}{fragment}"))
}

fn page(references: &[String], is_markdown: bool, base: Option<&str>) -> Document {
    let escaped = |it: &String| it.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let link = |reference: &String| match is_markdown {
        true => format!("[t](<{}>)\n\n", escaped(reference)),
        false => format!("<a href=\"{}\">t</a>\n", escaped(reference)),
    };
    let text: String = references.iter().map(link).collect();
    let name = if is_markdown { "a.md" } else { "a.html" };
    let page = Document::new(name, text.into_bytes());
    match base {
        Some(base) => page.retrieved_from(base),
        None => page,
    }
}

fn drop_params() -> ParamGlobs {
    ParamGlobs::new(["utm_*"]).expect("globs")
}

fn path_prefix() -> PathPrefix {
    PREFIX.parse().expect("a path")
}

fn map() -> PrefixMap {
    prefix_map(&[
        "https://o/=http://h/d/?utm_m=1&m=2",
        "http://h/x=http://n/y.html",
        "http://h/d/x?a=1=http://n/z?utm_z",
    ])
}

fn rules() -> impl Strategy<Value = Rules> {
    let deciding = vec![Rule::Absolute, Rule::Relative, Rule::RootRelative, Rule::Map(map())];
    let adjusting = (any::<bool>(), any::<bool>(), any::<bool>());
    let adjusting = adjusting.prop_map(|(drops, clean_urls, has_prefix)| Adjustments {
        drop_params: drops.then(drop_params),
        clean_urls,
        path_prefix: has_prefix.then(path_prefix),
    });
    let chosen = (subsequence(deciding, 0..=1), adjusting, any::<bool>());
    chosen.prop_map(|(rules, adjustments, has_site)| {
        let mut filter = LinkFilter::default();
        filter.site = has_site.then(|| SITE.to_owned());
        Rules { rules, adjustments, filter, ..Rules::default() }
    })
}

/// The paths below the site, and those with the prefix, that may be pages.
const PAGES: [&str; 8] = [
    "/x.html", "/d/e/x.html", "/d/x.html", "/d/a/index.html", "/index.html", "/app/x.html",
    "/app/b%C3%A9/x.html", "/app/b%C3%A9/d/e/index.html",
];

/// Rules in a tree that has only some pages.
struct InTree<'a> {
    rules: &'a Rules,
    /// `None` if the tree is unknown.
    pages: Option<&'a [&'static str]>,
}

impl Placed for InTree<'_> {
    fn names_page(&self, _: &str, _: Option<&Base>, uri: &str, _: &str) -> bool {
        let path = divided(uri).0.strip_prefix("http://h");
        self.pages.is_none_or(|pages| path.is_some_and(|path| pages.contains(&path)))
    }
}

impl Mapper for InTree<'_> {
    fn map<'t>(
        &self,
        document: &Document,
        link: &ParsedLink<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t> {
        self.rules.map_in(self, document, link, target, base)
    }
}

fn rewritten(page: &Document, rules: &impl Mapper) -> Document {
    Planned::new(&page.links(), rules).applied_to(page)
}

/// The parts of a reference before the query, of the query and of the fragment, with their marks.
fn divided(reference: &str) -> (&str, &str, &str) {
    let fragment = reference.find('#').unwrap_or(reference.len());
    let query = reference[..fragment].find('?').unwrap_or(fragment);
    (&reference[..query], &reference[query..fragment], &reference[fragment..])
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn second_run_of_any_rules_changes_nothing(
        links in prop::collection::vec(any_references(), 1..8),
        rules in rules(), is_markdown: bool, has_base: bool,
        pages in prop::option::of(subsequence(PAGES.to_vec(), 0..=PAGES.len())),
    ) {
        let page = page(&links, is_markdown, has_base.then_some(BASE));
        let rules = InTree { rules: &rules, pages: pages.as_deref() };
        let once = rewritten(&page, &rules);
        let twice = Planned::new(&once.links(), &rules);
        prop_assert!(
            twice.is_empty(), "{:?} in {:?}: {:?} became {:?}, and {:?}",
            rules.rules, pages, references(&page), references(&once), references(&twice.applied_to(&once)),
        );
    }

    #[test]
    fn other_parameters_are_those_of_another_parser(
        links in prop::collection::vec(any_references(), 1..8), is_markdown: bool, has_base: bool,
    ) {
        let page = page(&links, is_markdown, has_base.then_some(BASE));
        let rules = Rules::new().drop_params(drop_params());
        let after = rewritten(&page, &rules);
        for (old, new) in references(&page).iter().zip(&references(&after)) {
            let scheme = old.split([':', '/', '?', '#']).next().filter(|it| old[it.len()..].starts_with(':'));
            if scheme.is_some_and(|it| !it.eq_ignore_ascii_case("http") && it != "https") {
                prop_assert_eq!(new, old);
                continue;
            }
            let (_, old_query, old_fragment) = divided(old);
            let (_, new_query, new_fragment) = divided(new);
            prop_assert_eq!(new_fragment, old_fragment);
            let named = |query: &str| -> Vec<(String, String)> {
                let pairs = parse(query.trim_start_matches('?').as_bytes());
                pairs.into_owned().collect()
            };
            let mut kept = named(old_query);
            let count = kept.len();
            kept.retain(|(name, _)| !name.starts_with(DROPPED));
            prop_assert_eq!(named(new_query), kept.clone(), "{} became {}", old, new);
            if kept.len() == count {
                prop_assert_eq!(new, old);
                continue;
            }
            // The pieces that stay are a part of the old ones, in order.
            let mut pieces = old_query.trim_start_matches('?').split('&');
            let is_old = |piece: &str| pieces.any(|it| it == piece);
            let is_empty = matches!(new_query, "" | "?");
            let is_part = new_query.trim_start_matches('?').split('&').all(is_old);
            prop_assert!(is_empty || is_part, "{} became {}", old, new);
            // Only the query of the target changes.
            if has_base && let (Ok(mut old), Ok(new)) = (of_base(BASE, old), of_base(BASE, new)) {
                old.set_query(new.query());
                prop_assert_eq!(old, new);
            }
        }
    }

    #[test]
    fn prefixed_and_clean_references_keep_the_rest(
        links in prop::collection::vec(any_references(), 1..8), is_markdown: bool,
    ) {
        let page = page(&links, is_markdown, Some(BASE));
        for (rules, is_prefix) in [(Rules::new().path_prefix(path_prefix()), true), (Rules::new().clean_urls(), false)] {
            let after = rewritten(&page, &rules);
            for (old, new) in references(&page).iter().zip(&references(&after)).filter(|(old, new)| old != new) {
                let (path, query, fragment) = divided(old);
                let (_, new_query, new_fragment) = divided(new);
                prop_assert_eq!((new_query, new_fragment), (query, fragment));
                let (Ok(old_url), Ok(new_url)) = (of_base(BASE, old), of_base(BASE, new)) else {
                    continue;
                };
                if is_prefix {
                    prop_assert!(path.starts_with('/') && !path.starts_with("//"), "{} became {}", old, new);
                    let expected = format!("{}{}", PREFIX.trim_end_matches('/'), old_url.path());
                    // A path with dot segments is written in normal form.
                    prop_assert_eq!(new_url.path().replace("%2e", "."), expected.replace("%2e", "."));
                } else {
                    prop_assert!(!path.contains("//") || path.starts_with("/.//"), "{} became {}", old, new);
                    let found = old_url.path();
                    let directory = found.strip_suffix("index.html").or(found.strip_suffix("index.htm"));
                    let directory = directory.filter(|it| it.ends_with('/'));
                    let stem = found.strip_suffix(".html").or(found.strip_suffix(".htm"));
                    prop_assert_eq!(Some(new_url.path()), directory.or(stem), "{} became {}", old, new);
                }
            }
        }
    }
}

fn of_base(base: &str, reference: &str) -> Result<Url, url::ParseError> {
    Url::parse(base)?.join(reference)
}
