//! The links found in HTML are those of the DOM that html5ever builds.
//!
//! [`dom`] reads a page with html5ever and says which start tags are in its DOM, and as what: each
//! counts once, in source order, wherever the tree builder moved its element and however often it
//! copied it. What they link to is worked out in [`links`], from tables and parsers of its own. Of
//! the finder's links those in attributes of that table count: not those in style sheets, in the
//! HTML of `srcdoc`, or in the text of an element.
#![expect(
    clippy::print_stdout,
    reason = "a test says what it skipped and how much it ran"
)]

mod by_hand;
mod dom;
mod html5lib;
mod links;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use proptest::prelude::*;
use rehref::document::Document;
use rehref::format::{FoundLinks, Options};
use rehref::link::{Markup, Place};
use rehref::source::{BaseFrom, Charset};

pub(crate) use self::dom::Dom;
use self::links::stripped;
use crate::html_corpus;
use crate::html_soup::{soup, wild_soup};
use crate::tier;

/// Element, attribute and reference.
pub(crate) type LinkData = (String, String, String);

/// Whether scripting is on: both ways of reading are compared.
const SCRIPTING: &[bool] = &[false, true];

/// How to look for links with scripting on or off.
fn options(scripting: bool) -> Options {
    Options {
        scripting,
        ..Options::default()
    }
}

/// What the finder finds in attributes.
fn links_found(found: FoundLinks<'_>) -> Vec<LinkData> {
    let links = found.links.into_iter().filter_map(|link| match link.place {
        Place::Markup(place) if place.within.is_none() && place.attribute != Markup::CONTENT => {
            Some((
                place.element.into_owned(),
                place.attribute.into_owned(),
                link.reference.into_owned(),
            ))
        }
        _ => None,
    });
    links.collect()
}

/// The base in the page that a reading of it found.
fn base_found(found: &FoundLinks<'_>) -> Option<String> {
    let base = found.base.as_ref()?;
    (base.from == BaseFrom::Element).then(|| base.uri.clone())
}

/// What base a page has that holds this one alone: what such a reference resolves to, and whether it
/// may be a base at all, is not the tree builder's business.
fn base_alone(page: &Document, href: &str) -> Option<String> {
    let href = stripped(href).replace('&', "&amp;").replace('"', "&quot;");
    let mut alone = page.with_bytes(format!("<base href=\"{href}\">").into_bytes());
    alone.charset = Charset::named("utf-8", &alone.bytes).expect("a charset");
    base_found(&alone.links_with(&Options::default()))
}

/// The first thing in which what is found and the DOM differ, with scripting on or off.
fn difference(page: &Document, scripting: bool) -> Option<String> {
    let dom = Dom::read(&page.text().text, scripting);
    let found = page.links_with(&options(scripting));
    let expected = dom.base.as_ref().and_then(|href| base_alone(page, href));
    let base = base_found(&found);
    if base != expected {
        return Some(format!("base: found {base:?}, the DOM has {expected:?}"));
    }
    if let Some(difference) = difference_in_anchors(page, &dom, &found, scripting) {
        return Some(difference);
    }
    let (found, dom) = (links_found(found), dom.links());
    let at = (0..found.len().max(dom.len())).find(|&at| found.get(at) != dom.get(at))?;
    Some(format!(
        "link {} of {}, scripting {scripting}: found {:?}, the DOM has {:?}",
        at + 1,
        dom.len(),
        found.get(at),
        dom.get(at)
    ))
}

/// Whether asking for anchors gives those of the DOM, and the links that are found without.
fn difference_in_anchors(
    page: &Document,
    dom: &Dom,
    found: &FoundLinks<'_>,
    scripting: bool,
) -> Option<String> {
    let options = Options {
        anchors: true,
        ..options(scripting)
    };
    let with_anchors = page.links_with(&options);
    if with_anchors.links != found.links || with_anchors.base != found.base {
        return Some("other links where anchors are asked for".to_owned());
    }
    let anchors = with_anchors.anchors.iter();
    let anchors: BTreeSet<String> = anchors.map(|it| it.clone().into_owned()).collect();
    let is_same = dom.anchors_of_tags.is_subset(&anchors) && anchors.is_subset(&dom.anchors);
    (!is_same).then(|| {
        format!(
            "anchors, scripting {scripting}: found {anchors:?}, the DOM has {:?}",
            dom.anchors
        )
    })
}

fn differences(page: &Document) -> Option<String> {
    SCRIPTING
        .iter()
        .find_map(|&scripting| difference(page, scripting))
}

/// A page in UTF-8, with a URI so that every base of it is of use.
fn page_of(html: &str) -> Document {
    let mut page = Document::new("page.html", html.as_bytes().to_vec());
    page.charset = Charset::named("utf-8", &page.bytes).expect("a charset");
    page.retrieved_from("http://h/d/e/f?q")
}

#[test]
fn corpus_pages_hold_the_links_of_their_dom() {
    let mut failures = Vec::new();
    let mut compared = 0;
    for folder in html_corpus::folders() {
        let name = html_corpus::name(&folder);
        let page = html_corpus::page(&folder).unwrap_or_else(|error| panic!("{name}: {error}"));
        if page.charset.encoding() != encoding_rs::UTF_8 {
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

/// The pages of the folder that the environment variable `REHREF_PAGES` names, or of a real mailing
/// list archive where it is there.
#[test]
fn real_pages_hold_the_links_of_their_dom() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let archive = match env::var_os("REHREF_PAGES") {
        Some(folder) => PathBuf::from(folder),
        None => manifest.join("../shared/corpora/sites/mhonarc"),
    };
    if !archive.is_dir() {
        println!("skipped: no {}", archive.display());
        return;
    }
    let mut pages = 0;
    let mut failures = Vec::new();
    let mut folders = vec![archive];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for entry in entries {
            let path = entry.expect("an entry of the archive").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "html") {
                let bytes = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                let page = Document::new(&path, bytes).retrieved_from("http://h/d/e/f");
                pages += 1;
                if let Some(difference) = differences(&page) {
                    failures.push(format!("{}: {difference}", path.display()));
                }
            }
        }
    }
    println!("{pages} pages");
    assert!(pages > 0, "the archive has no page");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

proptest! {
    #![proptest_config(tier::cases(tier::pick(128, 10_000)))]

    #[test]
    fn tag_soup_holds_the_links_of_its_dom(html in soup()) {
        let difference = differences(&page_of(&html));
        prop_assert!(difference.is_none(), "{}\nin {:?}", difference.unwrap_or_default(), html);
    }

    #[test]
    fn wild_soup_holds_the_links_of_its_dom(html in wild_soup()) {
        let difference = differences(&page_of(&html));
        prop_assert!(difference.is_none(), "{}\nin {:?}", difference.unwrap_or_default(), html);
    }
}

proptest! {
    #![proptest_config(tier::cases(tier::pick(128, 2000)))]

    /// What the oracle traces back to tags is what is in the tree, but for copies.
    #[test]
    fn tags_link_to_what_the_tree_links_to(html in wild_soup(), scripting in any::<bool>()) {
        let dom = Dom::read(&html, scripting);
        let of_tags: BTreeSet<_> = dom.links().into_iter().collect();
        let of_tree: BTreeSet<_> = dom.links_in_tree.into_iter().collect();
        if dom.removed {
            // Formatting elements of a removed body may have copies after it: they do not count.
            prop_assert!(of_tags.is_subset(&of_tree), "{:?} of {:?}", of_tags, of_tree);
        } else {
            prop_assert_eq!(of_tags, of_tree);
        }
    }
}
