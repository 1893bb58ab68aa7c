//! FoundLinks in HTML: of every attribute that the standard, or its past, gives a URL; and those of style
//! sheets, import maps and pages inside the page.
//!
//! The bytes are read once by a lexer of our own, so that each value is known by its exact span. What a
//! tag means (whether it makes an element, and of which language) follows for nearly all pages from the
//! tags alone: see `rules`. Where it does not, the page is read again, and html5ever's tree builder
//! says it: see `judge`. Either way the links are those of the DOM that a browser builds.

mod anchors;
mod charref;
mod compare;
mod context;
mod feed;
mod json;
mod judge;
mod lexer;
mod links;
mod names;
mod nested;
pub(super) mod rules;
mod scripted;
pub(super) mod table;
mod tree;
pub(super) mod values;
mod vector;

use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Arc;

use encoding_rs::{Encoding, UTF_8};

use self::anchors::On;
use self::feed::Detail;
use self::judge::Judge;
use self::links::{BaseFound, Finder, Found};
use self::rules::{Doubt, Rules};
use self::tree::Tree;
use super::{FoundLinks, Options};
use crate::bytes::Span;
use crate::link::base_of_element;
use crate::link::{BaseElement, Integrity, LinkData, Markup, Note};
use crate::source::{Base, CharsetFrom, Source};

pub(crate) use compare::{Difference, LinkState, Pair, Side, compare};
pub use context::{Context, Contexts};
pub use scripted::scripted_links;

pub(crate) use charref::{Within as ReferenceWithin, begins_with_reference};

/// How deep pages may stand in pages. What is deeper is passed over.
const MOST_NESTED: usize = 8;

/// The links of an HTML document, in source order.
pub(super) fn find<'d>(document: &'d Source, options: &Options) -> FoundLinks<'d> {
    let charset = document.charset;
    if !charset.is_ascii_compatible() {
        // The markup of UTF-16 and ISO-2022-JP is not ASCII: it is read from the text, and the spans
        // are led back.
        let text = document.text();
        let page = Page::of_text(&text.text, options);
        let read = page.read();
        let base = read.base(document, options);
        let lead_back = |link: LinkData<'_>| link.led_back(&text);
        let own = |anchor: Cow<'_, str>| Cow::Owned(anchor.into_owned());
        let base_elements = read.base_elements(|span| text.to_source(span));
        let integrity = read.integrity_led(|span| text.to_source(span));
        return FoundLinks {
            integrity,
            scripted: read.scripted,
            links: read.links.into_iter().map(lead_back).collect(),
            anchors: read.anchors.into_iter().map(own).collect(),
            base,
            base_elements,
            malformed: text.malformed,
            guessed: read.guessed,
        };
    }
    let start = charset.bom_len();
    let bytes = &document.bytes[start..];
    let is_utf8 = charset.encoding() == UTF_8;
    let text = is_utf8.then(|| simdutf8::basic::from_utf8(bytes).ok());
    let page = Page {
        bytes,
        text: text.flatten(),
        encoding: charset.encoding(),
        options,
        anchors: options.anchors,
        within: None,
        depth: 0,
    };
    let mut read = page.read();
    let base = read.base(document, options);
    if start > 0 {
        let spans = read.links.iter_mut().flat_map(|link| &mut link.spans);
        spans.for_each(|span| *span = span.shifted(start));
    }
    let undecodable = |link: &&LinkData<'_>| link.notes.contains(Note::Undecodable);
    let malformed = match page.text {
        Some(_) => None,
        None => {
            let link = read.links.iter().find(undecodable);
            link.map(|link| link.extent().start).or_else(|| {
                // A stream was taken for UTF-8 by its beginning.
                let by_beginning = charset.from() == CharsetFrom::Valid;
                let error = std::str::from_utf8(&document.bytes)
                    .err()
                    .filter(|_| by_beginning);
                error.map(|error| error.valid_up_to())
            })
        }
    };
    FoundLinks {
        base_elements: read.base_elements(|span| span.shifted(start)),
        integrity: read.integrity_led(|span| span.shifted(start)),
        scripted: read.scripted,
        links: read.links,
        anchors: read.anchors,
        base,
        malformed,
        guessed: read.guessed,
    }
}

/// A page to read.
#[derive(Clone, Debug)]
struct Page<'s, 'o> {
    bytes: &'s [u8],
    /// The same, where they are valid UTF-8 and that is the charset.
    text: Option<&'s str>,
    encoding: &'static Encoding,
    options: &'o Options,
    /// Whether its anchors are wanted: not those of a page in a page.
    anchors: bool,
    /// The attribute that the page is the value of, if it is.
    within: Option<Arc<Markup>>,
    /// In how many other pages it stands.
    depth: usize,
}

/// What was found in a page.
struct Read<'s> {
    links: Vec<LinkData<'s>>,
    anchors: Vec<Cow<'s, str>>,
    /// The BASE elements, in the order of the tree.
    bases: Vec<BaseFound>,
    integrity: Vec<Integrity>,
    scripted: usize,
    guessed: bool,
}

impl<'s, 'o> Page<'s, 'o> {
    fn of_text(text: &'s str, options: &'o Options) -> Self {
        Self {
            bytes: text.as_bytes(),
            text: Some(text),
            encoding: UTF_8,
            options,
            anchors: options.anchors,
            within: None,
            depth: 0,
        }
    }

    fn read(&self) -> Read<'s> {
        let (mut found, mut guessed) = self.found();
        guessed |= self.with_nested(&mut found);
        Read {
            bases: found.bases,
            integrity: found.integrity,
            scripted: found.scripted,
            links: found.links,
            anchors: found.anchors.into_iter().map(|it| it.name).collect(),
            guessed,
        }
    }

    /// What stands in the page itself, and whether that was guessed.
    fn found(&self) -> (Found<'s>, bool) {
        let scripting = self.options.scripting;
        let mut rules = Rules::new(scripting);
        if self.anchors {
            rules = rules.with_anchors();
        }
        if let Ok((found, _)) = Finder::new(self, rules).run() {
            // Without a table, or with one BASE, the first of the source is the first of the tree.
            return (found, false);
        }
        let open = Cell::new(0);
        let judge = Judge::new(&open, scripting, self.encoding);
        if let Ok((mut found, judge)) = Finder::new(self, judge).run() {
            let order_matters = found.bases.len() > 1 || found.has_templates;
            if judge.body_is_gone || order_matters && !found.bases.is_empty() {
                let held = self.hold_against_tree(&mut found, judge.body_is_gone);
                return (found, held.is_err());
            }
            return (found, false);
        }
        match Finder::new(self, Rules::guessing(scripting)).run() {
            Ok((found, _)) => (found, true),
            Err(Doubt) => unreachable!("who guesses has no doubt"),
        }
    }

    /// Brings the bases into the order of the tree; those in templates go. Where the body is gone, so is what
    /// stood in it.
    fn hold_against_tree(&self, found: &mut Found<'s>, body_is_gone: bool) -> Result<(), Doubt> {
        let Self {
            bytes, encoding, ..
        } = *self;
        let tree = Tree::build(bytes, encoding, self.options.scripting, Detail::Numbers)?;
        let by_tag = |tag: usize| {
            let at = found
                .bases
                .binary_search_by_key(&tag, |base| base.tag)
                .ok()?;
            Some(found.bases[at])
        };
        found.bases = tree.bases().into_iter().filter_map(by_tag).collect();
        if !body_is_gone {
            return Ok(());
        }
        let mut there = tree.tags(found.before.len());
        found.anchors.retain(|anchor| match anchor.on {
            On::Tag(tag) => there[tag],
            On::Html => true,
            On::Body => false,
        });
        found.merged.iter().for_each(|&tag| there[tag] = true);
        // What stands before the first tag is in no element that could go.
        let stays = |tag: Option<usize>| tag.is_none_or(|tag| there[tag]);
        // How many links stay, of those up to each.
        let mut kept = vec![0];
        let mut number = 0;
        found.links.retain(|_| {
            let tag = found.before.partition_point(|&before| before <= number);
            let stays = stays(tag.checked_sub(1));
            number += 1;
            kept.push(kept[number - 1] + usize::from(stays));
            stays
        });
        for base in &mut found.bases {
            base.link = kept[base.link];
        }
        found.integrity.retain_mut(|it| {
            let stays = kept[it.link] < kept[it.link + 1];
            it.link = kept[it.link];
            stays
        });
        found.nested.retain_mut(|nested| {
            nested.at = kept[nested.at];
            stays(nested.tag)
        });
        Ok(())
    }
}

impl Read<'_> {
    /// What the first BASE element says.
    fn base_reference(&self) -> Option<&str> {
        let base = self.bases.first()?;
        Some(&self.links[base.link].reference)
    }

    /// The BASE elements, with the document's own bytes for what goes with them.
    fn base_elements(&self, to_source: impl Fn(Span) -> Span) -> Vec<BaseElement> {
        let bases = self.bases.iter();
        let led = bases.map(|base| BaseElement {
            link: base.link,
            removal: base.removal.map(&to_source),
        });
        led.collect()
    }

    /// The `integrity` attributes, with the document's own bytes for what goes with them.
    fn integrity_led(&self, to_source: impl Fn(Span) -> Span) -> Vec<Integrity> {
        let led = self.integrity.iter().map(|it| Integrity {
            link: it.link,
            removal: it.removal.map(&to_source),
        });
        led.collect()
    }

    /// The base that holds for the document (RFC 3986, section 5.1): the first BASE element if it has a
    /// usable URL, else the one from outside.
    fn base(&self, document: &Source, options: &Options) -> Option<Base> {
        let outer = document.base.as_ref();
        let reference = self.base_reference();
        let element = reference.and_then(|it| base_of_element(it, outer, &options.resolver));
        element.or_else(|| outer.cloned())
    }
}
