//! Reading a page: by the rules, by the tree oracle or by guess, and with the pages in it.
//!
//! A page whose `frameset` counts is read up to three times. A page in it (`srcdoc`, a conditional comment) is
//! read only where its links are delivered; its BASE element is searched before, since links may
//! precede it.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;

use smallvec::SmallVec;

use super::found::{BaseFound, Found};
use super::links::Finder;
use super::page::{MOST_NESTED, Page};
use super::rules::Rules;
use super::simd::begins_tag;
use super::tag_classifier::{NeedsTree, TagClassifier};
use super::tree::Tree;
use super::tree_feed::Detail;
use super::tree_on_demand::TreeOnDemand;
use super::tree_oracle::{Alive, TreeOracle};
use crate::format::Options;
use crate::format::batch::{BATCH, Take};
use crate::format::language::TagLinks;
use crate::link::{AttributeSpan, BaseScope, ParsedLink, Role, ScopedBase, effective_base};
use crate::source::{Base, Source};

/// The number of links without a `body` tag from which on it is checked whether a `frameset` can
/// follow, which would remove them.
const MANY: usize = if cfg!(test) { 3 } else { 1024 };

/// The most links of one tag that are taken at once.
const MOST_OF_TAG: usize = 16 << 10;

/// The result of reading a page with the pages in it.
pub(super) struct Read<'s> {
    /// The links, or those that were not delivered.
    pub(super) links: Vec<ParsedLink<'s>>,
    pub(super) anchors: Vec<Cow<'s, str>>,
    /// The BASE elements, in tree order.
    pub(super) bases: Vec<AttributeSpan>,
    /// The reference of the first BASE element.
    base_reference: Option<Cow<'s, str>>,
    pub(super) integrity: Vec<AttributeSpan>,
    pub(super) cors: Vec<AttributeSpan>,
    pub(super) scripted: usize,
    pub(super) guessed: bool,
}

impl Read<'_> {
    /// The base URL of the document (RFC 3986, section 5.1): that of the first BASE element if
    /// usable, or else the one from outside.
    pub(super) fn base(&self, document: &Source, options: &Options) -> Option<Base> {
        let outer = document.base.as_ref();
        effective_base(self.base_reference.as_deref(), outer, &options.resolver)
    }
}

/// Reads a page with the pages in it.
pub(super) fn read<'s>(page: &Page<'s, '_>) -> Read<'s> {
    let alive = Alive::default();
    let (mut found, mut guessed) = match collected(page, on_demand(page, &alive)) {
        // Without a table, or with one BASE, source order is tree order.
        Ok((found, classifier)) => (found, classifier.guesses()),
        Err(NeedsTree) if alive.is_too_deep() => (guessed(page), true),
        Err(NeedsTree) => read_with_tree(page),
    };
    if !found.nested.is_empty() {
        let mut links = Vec::with_capacity(found.links.len() + found.nested.len());
        guessed |= with_nested(page, &mut found, &mut |delivered| links.append(delivered));
        found.links = links;
    }
    read_of(found, guessed)
}

/// Reads the page itself.
pub(super) fn collected<'s, M: TagClassifier>(
    page: &Page<'s, '_>,
    classifier: M,
) -> Result<(Found<'s>, M), NeedsTree> {
    let mut finder = Finder::new(page, classifier, |_: &mut Found<'s>| ControlFlow::Continue(()));
    // A usual number of links.
    finder.found.links.reserve(page.bytes.len() / 256);
    finder.run()
}

/// Reads a page with the pages in it, and delivers its links as they are found, at least `batch` at
/// once: `take` moves them out of the vector. Returns the rest, without the integrity of links, and
/// with at most one BASE element.
///
/// Where a `frameset` may remove links, or the order of BASE elements is in doubt, the page is read
/// again: once to find out whether its tree can be built and what is removed, and once more to
/// deliver. Then the first links are the same as those
/// that were delivered: the rules deliver none that are in doubt.
pub(super) fn read_each<'s>(
    page: &Page<'s, '_>,
    batch: usize,
    take: &mut Take<'_, 's>,
) -> Read<'s> {
    let mut delivery = Delivery::new(page, batch, take);
    let mut framesets = Framesets::Unknown;
    let alive = Alive::default();
    let mut finder = Finder::new(page, on_demand(page, &alive), |found| {
        if !found.is_final && found.links.len() >= MANY {
            if framesets == Framesets::Unknown {
                framesets = match begins_tag(&page.bytes[found.at..], b"frameset") {
                    true => Framesets::Some,
                    false => Framesets::None,
                };
            }
            // The tree builder finds out whether it removes them, and keeps none until then.
            if framesets == Framesets::Some {
                return ControlFlow::Break(());
            }
        }
        if found.is_final || framesets == Framesets::None {
            delivery.deliver(found);
        }
        ControlFlow::Continue(())
    });
    // A small page has few links, and a larger one no more than this until they are delivered.
    let usual = BATCH.min(page.bytes.len() / 128);
    finder.found.links.reserve(usual);
    let found = match finder.run() {
        Ok((found, classifier)) => {
            delivery.guessed |= classifier.guesses();
            found
        }
        Err(NeedsTree) => {
            delivery.begin_again();
            match alive.is_too_deep() {
                true => each_guessed(&mut delivery),
                false => each_with_tree(&mut delivery),
            }
        }
    };
    delivery.end(found)
}

/// True if a `frameset` follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Framesets {
    Unknown,
    None,
    Some,
}

/// The numbers of links of a page and of pages in it.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    links: usize,
    pages: usize,
}

/// Delivers links, and drops what is found about them.
struct Delivery<'d, 's, 'o> {
    page: &'d Page<'s, 'o>,
    batch: usize,
    take: &'d mut Take<'d, 's>,
    delivered: Count,
    /// The number of the next links that were delivered before.
    known: Count,
    guessed: bool,
    /// The number of BASE elements.
    bases: usize,
}

impl<'d, 's, 'o> Delivery<'d, 's, 'o> {
    fn new(page: &'d Page<'s, 'o>, batch: usize, take: &'d mut Take<'d, 's>) -> Self {
        Self {
            page,
            batch,
            take,
            delivered: Count::default(),
            known: Count::default(),
            guessed: false,
            bases: 0,
        }
    }

    fn deliver(&mut self, found: &mut Found<'s>) {
        if found.links.len() + found.nested.len() >= self.batch {
            self.all(found);
        }
    }

    fn all(&mut self, found: &mut Found<'s>) {
        let links = self.known.links.min(found.links.len());
        let pages = self.known.pages.min(found.nested.len());
        if links + pages > 0 {
            drop(found.links.drain(..links));
            drop(found.nested.drain(..pages));
            self.known.links -= links;
            self.known.pages -= pages;
        }
        self.delivered.links += found.links.len();
        self.delivered.pages += found.nested.len();
        self.guessed |= with_nested(self.page, found, self.take);
        self.forget(found);
    }

    /// Drops what is not needed where links are delivered.
    fn forget(&mut self, found: &mut Found<'_>) {
        found.integrity.clear();
        found.cors.clear();
        if found.bases.len() > 1 {
            self.bases += found.bases.len() - 1;
            found.bases.truncate(1);
        }
    }

    /// Begins again: the links that were delivered are the first ones of the next reading.
    fn begin_again(&mut self) {
        self.known = std::mem::take(&mut self.delivered);
        self.bases = 0;
    }

    fn end(mut self, mut found: Found<'s>) -> Read<'s> {
        self.all(&mut found);
        read_of(found, self.guessed)
    }
}

/// Reads a page in doubt again, and delivers its links.
fn each_with_tree<'s>(delivery: &mut Delivery<'_, 's, '_>) -> Found<'s> {
    let page = delivery.page;
    let alive = Alive::default();
    let survey = Finder::new(page, oracle(page, &alive, None), |found| {
        found.links.clear();
        found.nested.clear();
        found.anchors.clear();
        delivery.forget(found);
        ControlFlow::Continue(())
    });
    let Ok((surveyed, surveyor)) = survey.run() else {
        return each_guessed(delivery);
    };
    let has_order = delivery.bases == 0 || !surveyor.moves_nodes();
    drop(surveyed);
    delivery.bases = 0;
    let alive = Alive::default();
    let oracle = oracle(page, &alive, surveyor.frameset);
    let finder = Finder::new(page, oracle, |found| {
        delivery.deliver(found);
        ControlFlow::Continue(())
    });
    let mut found = match finder.run() {
        Ok((found, _)) => found,
        Err(NeedsTree) => unreachable!("the tree was built before"),
    };
    if !has_order {
        // Few pages have several bases and elements before a table.
        let alive = Alive::default();
        let oracle = self::oracle(page, &alive, surveyor.frameset);
        let finder = Finder::new(page, oracle, |found| {
            found.links.clear();
            found.nested.clear();
            found.anchors.clear();
            found.integrity.clear();
            found.cors.clear();
            ControlFlow::Continue(())
        });
        if let Ok((mut all, _)) = finder.run() {
            delivery.guessed |= sort_bases(page, &mut all.bases).is_err();
            found.bases = all.bases;
        }
    }
    found
}

/// Reads a page without its tree, and delivers its links.
fn each_guessed<'s>(delivery: &mut Delivery<'_, 's, '_>) -> Found<'s> {
    let page = delivery.page;
    delivery.guessed = true;
    let rules = with_anchors(page, Rules::guessing(page.options.scripting));
    let finder = Finder::new(page, rules, |found| {
        delivery.deliver(found);
        ControlFlow::Continue(())
    });
    match finder.run() {
        Ok((found, _)) => found,
        Err(NeedsTree) => unreachable!("who guesses has no doubt"),
    }
}

fn oracle<'c>(page: &Page<'_, '_>, alive: &'c Alive, frameset: Option<usize>) -> TreeOracle<'c> {
    TreeOracle::new(alive, page.options.scripting, page.encoding, frameset)
}

fn read_of(found: Found<'_>, guessed: bool) -> Read<'_> {
    let first = found.bases.first();
    Read {
        base_reference: first.map(|base| base.reference.clone()),
        bases: found.bases.iter().map(|base| base.element).collect(),
        integrity: found.integrity,
        cors: found.cors,
        scripted: found.scripted,
        links: found.links,
        anchors: found.anchors,
        guessed,
    }
}

/// Calls `take` with the links of a page, tag after tag, with their spans shifted by `start`.
/// Returns the number of links that scripts build. `None` if the page must be read as a whole: its
/// tree decides about its links, it has pages in it, a tag has too many links to be held, or `take`
/// breaks.
pub(super) fn by_tag<'s>(
    page: &Page<'s, '_>,
    start: usize,
    take: &mut dyn FnMut(TagLinks<'_, 's>) -> ControlFlow<()>,
) -> Option<usize> {
    let mut base_elements: SmallVec<[AttributeSpan; 1]> = SmallVec::new();
    let mut known_bases = 0;
    let alive = Alive::default();
    let finder = Finder::new(page, on_demand(page, &alive), |found| {
        if !found.nested.is_empty() {
            return ControlFlow::Break(());
        }
        if found.links.len() > MOST_OF_TAG {
            return ControlFlow::Break(());
        }
        // All links of a tag are taken at once.
        if found.is_part || found.links.is_empty() {
            return ControlFlow::Continue(());
        }
        base_elements.clear();
        let new_bases = found.bases[known_bases..].iter().map(|base| base.element);
        base_elements.extend(new_bases);
        // Whether there is another is all that matters of them from now on.
        found.bases.truncate(1);
        known_bases = found.bases.len();
        if start > 0 {
            let spans = found.links.iter_mut().flat_map(|link| &mut link.spans);
            spans.for_each(|span| *span = span.shifted(start));
            let removables = base_elements.iter_mut().chain(&mut found.integrity);
            let removables = removables.chain(&mut found.cors);
            removables.for_each(|it| *it = it.mapped(|span| span.shifted(start)));
        }
        let flow = take(TagLinks {
            links: &found.links,
            base_elements: &base_elements,
            integrity: &found.integrity,
            cors: &found.cors,
        });
        found.links.clear();
        found.integrity.clear();
        found.cors.clear();
        flow
    });
    let (found, classifier) = finder.run().ok()?;
    (!classifier.guesses()).then_some(found.scripted)
}

pub(super) fn on_demand<'p>(
    page: &Page<'p, '_>,
    alive: &'p Alive,
) -> TreeOnDemand<'p, impl Fn() -> TreeOracle<'p>> {
    let (scripting, encoding) = (page.options.scripting, page.encoding);
    let rules = with_anchors(page, Rules::new(scripting));
    TreeOnDemand::new(rules, page.bytes, move || TreeOracle::new(alive, scripting, encoding, None))
}

fn with_anchors(page: &Page<'_, '_>, rules: Rules) -> Rules {
    match page.anchors {
        true => rules.with_anchors(),
        false => rules,
    }
}

/// Reads a page without its tree, and delivers its links: each tag is taken to create the element
/// that it names.
pub(super) fn read_guessed<'s>(page: &Page<'s, '_>, take: &mut Take<'_, 's>) -> Read<'s> {
    let mut delivery = Delivery::new(page, BATCH, take);
    let found = each_guessed(&mut delivery);
    delivery.end(found)
}

fn guessed<'s>(page: &Page<'s, '_>) -> Found<'s> {
    let rules = Rules::guessing(page.options.scripting);
    match collected(page, with_anchors(page, rules)) {
        Ok((found, _)) => found,
        Err(NeedsTree) => unreachable!("who guesses has no doubt"),
    }
}

/// Reads the page itself with the tree. Returns true if tags were guessed.
pub(super) fn read_with_tree<'s>(page: &Page<'s, '_>) -> (Found<'s>, bool) {
    let alive = Alive::default();
    let Ok((found, surveyor)) = collected(page, oracle(page, &alive, None)) else {
        return (guessed(page), true);
    };
    let alive = Alive::default();
    let mut found = match surveyor.frameset {
        None => found,
        frameset => match collected(page, oracle(page, &alive, frameset)) {
            Ok((found, _)) => found,
            Err(NeedsTree) => unreachable!("the tree was built before"),
        },
    };
    if found.bases.len() > 1 && surveyor.moves_nodes() {
        let held = sort_bases(page, &mut found.bases);
        return (found, held.is_err());
    }
    (found, false)
}

/// Sorts the BASE elements in tree order.
fn sort_bases(page: &Page<'_, '_>, bases: &mut Vec<BaseFound<'_>>) -> Result<(), NeedsTree> {
    let Page { bytes, encoding, .. } = *page;
    let tree = Tree::build(bytes, encoding, page.options.scripting, Detail::Numbers)?;
    let by_tag = |tag: usize| {
        let at = bases.binary_search_by_key(&tag, |base| base.tag).ok()?;
        Some(bases[at].clone())
    };
    *bases = tree.bases().into_iter().filter_map(by_tag).collect();
    Ok(())
}

/// Delivers the links that were found, with those of the pages in the page at their places. Returns
/// true if tags of one of them were guessed.
fn with_nested<'s>(
    outer_page: &Page<'s, '_>,
    found: &mut Found<'s>,
    take: &mut Take<'_, 's>,
) -> bool {
    if found.nested.is_empty() {
        if !found.links.is_empty() {
            take(&mut found.links);
            found.links.clear();
        }
        return false;
    }
    let mut guessed = false;
    let mut outer = found.links.drain(..).peekable();
    let mut links = Vec::new();
    for nested in found.nested.drain(..) {
        if outer_page.depth >= MOST_NESTED {
            break;
        }
        let is_before = |link: &ParsedLink<'_>| link.id().offset() < nested.start;
        while let Some(link) = outer.next_if(is_before) {
            links.push(link);
        }
        take(&mut links);
        links.clear();
        let page = Page {
            within: Some(Arc::new(nested.markup)),
            depth: outer_page.depth + 1,
            anchors: false,
            ..Page::of_text(&nested.value.text, outer_page.options)
        };
        let read = read_within(&page, None, &mut |inner| {
            links.extend(inner.drain(..).map(|link| {
                let mut link = link.into_owned();
                for span in &mut link.spans {
                    *span = nested.value.to_source(*span);
                }
                link
            }));
            take(&mut links);
            links.clear();
        });
        guessed |= read.guessed;
    }
    links.extend(outer);
    take(&mut links);
    guessed
}

/// Reads a page in another page or document, and delivers its links as they are found. `outer` is
/// the base around it, if it is not that of the document.
pub(super) fn read_within<'s>(
    page: &Page<'s, '_>,
    outer: Option<&Arc<ScopedBase>>,
    take: &mut Take<'_, 's>,
) -> Read<'s> {
    let own = base_reference(page).and_then(|base| ScopedBase::new(&base, outer)).map(Arc::new);
    let base = own.or_else(|| outer.cloned());
    // Many links may share a base.
    let mut last: Option<(Arc<ScopedBase>, BaseScope)> = None;
    read_each(page, BATCH, &mut |links| {
        for link in links.iter_mut() {
            match (&link.base_scope, &base) {
                // The document URL of a page in the page is the base of the outer page.
                (BaseScope::Document, _) if link.role == Role::Base => {
                    let outer = outer.cloned();
                    link.base_scope = outer.map_or(BaseScope::Base, BaseScope::Nested);
                }
                (BaseScope::Base, Some(base)) => {
                    link.base_scope = BaseScope::Nested(Arc::clone(base))
                }
                (BaseScope::Nested(inner), Some(base)) => {
                    let known = last.as_ref().filter(|(it, _)| Arc::ptr_eq(it, inner));
                    let outer = match known {
                        Some((_, outer)) => outer.clone(),
                        None => inner
                            .within(base)
                            .map_or(BaseScope::Base, |it| BaseScope::Nested(Arc::new(it))),
                    };
                    last = Some((Arc::clone(inner), outer.clone()));
                    link.base_scope = outer;
                }
                _ => {}
            }
        }
        take(links);
    })
}

/// The reference of the first BASE element of a page, which may follow links that are relative to
/// it.
fn base_reference<'s>(page: &Page<'s, '_>) -> Option<Cow<'s, str>> {
    if !begins_tag(page.bytes, b"base") {
        return None;
    }
    let page = Page {
        anchors: false,
        // Without the pages in it.
        depth: MOST_NESTED,
        ..page.clone()
    };
    read_each(&page, BATCH, &mut |links| links.clear()).base_reference
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    const PIECES: [&str; 33] = [
        "<body>",
        "<body background=b>",
        "text ",
        "<p>",
        "<br>",
        "<a href=c>",
        "<a href=\"d\">e</a>",
        "<img src=\"f\">",
        "<base href=\"g/\">",
        "<frameset>",
        "<frame src=h>",
        "</frameset>",
        "<table><tr><td background=i>",
        "<td background=j>",
        "<template>",
        "</template>",
        "<select>",
        "<svg>",
        "</svg>",
        "<title>k</title>",
        "<!-- l -->",
        "<style>@import 'm'</style>",
        "<iframe srcdoc='<base href=n><a href=o>'></iframe>",
        "<iframe srcdoc='<img src=p><td background=q><base href=r><base href=s>'></iframe>",
        "http://p.example/ ",
        "<img srcset='q 1x, r 2x, s, t' src=u>",
        "<style>a{b:url(v)} c{d:url(w)} e{f:url(x)} g{h:url(y)} i{j:url(z)}</style>",
        "<td style='a:url(b);c:url(d);e:url(f);g:url(h)'>",
        "<head>",
        "<html manifest=aa>",
        "<base href=bb style='a:url(cc);b:url(dd);c:url(ee);d:url(ff)'>",
        "http://gg.example/ http://hh.example/ http://ii.example/ http://jj.example/ ",
        "<!--[if IE]><a href=kk><![endif]-->",
    ];

    proptest! {
        #![proptest_config(crate::tier::cases(3000))]

        /// Links that are delivered as they are found are those of the whole page, in order.
        #[test]
        fn delivered_links_are_those_of_the_page(
            pieces in prop::collection::vec(select(&PIECES[..]), 0..20),
            batch in 0..4_usize,
            html_text in any::<bool>(),
        ) {
            let html = pieces.concat();
            let options = Options { html_text, ..Options::default() };
            let page = Page::of_text(&html, &options);
            let whole = read(&page);
            let mut delivered = Vec::new();
            let rest = read_each(&page, batch, &mut |links| delivered.append(links));
            prop_assert!(rest.links.is_empty());
            prop_assert_eq!(delivered, whole.links);
            prop_assert_eq!(rest.bases.first(), whole.bases.first());
            prop_assert_eq!(rest.base_reference, whole.base_reference);
        }
    }

    proptest! {
        #![proptest_config(crate::tier::cases(1000))]

        /// A page in a page has the links that it has as a document.
        #[test]
        fn links_of_a_page_in_a_page_are_those_of_the_page(
            pieces in prop::collection::vec(select(&PIECES[..]), 0..20),
        ) {
            let html = pieces.concat();
            let options = Options::default();
            let whole = read(&Page::of_text(&html, &options));
            let escaped = html.replace('&', "&amp;").replace('\'', "&#39;");
            let outer = format!("<body><iframe srcdoc='{escaped}'></iframe>");
            let mut inner = Vec::new();
            read_each(&Page::of_text(&outer, &options), 1, &mut |links| {
                inner.extend(links.drain(..).map(ParsedLink::into_owned));
            });
            let references = |links: &[ParsedLink<'_>]| -> Vec<String> {
                links.iter().map(|link| link.reference.to_string()).collect()
            };
            prop_assert_eq!(references(&inner), references(&whole.links));
            let has_base = whole.base_reference.is_some_and(|it| ScopedBase::new(&it, None).is_some());
            let is_of_page = |link: &&ParsedLink<'_>| {
                let within = link.place.markup().and_then(|it| it.within.as_deref());
                within.is_some_and(|it| it.within.is_none()) && link.base_scope != BaseScope::Document
            };
            for link in inner.iter().filter(is_of_page) {
                let is_nested = matches!(link.base_scope, BaseScope::Nested(_));
                prop_assert_eq!(is_nested, has_base && link.role != Role::Base, "{:?}", link);
            }
        }
    }

    #[test]
    fn a_frameset_removes_no_link_that_was_delivered() {
        let options = Options::default();
        let links = |html: &str| {
            let mut links = 0;
            let mut count = |found: &mut Vec<_>| links += found.drain(..).len();
            read_each(&Page::of_text(html, &options), 1, &mut count);
            links
        };
        assert_eq!(links("<body><a href=b></a><frameset>"), 1);
        assert_eq!(links("<a href=b></a><frameset>"), 0);
    }
}
