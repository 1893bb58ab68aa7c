//! Links in HTML: in every attribute that the standard, or an earlier one, defines as a URL; and in
//! style sheets, import maps and pages inside the page. The links are those of the DOM that a
//! browser builds.
//!
//! # Design
//! * **Lexer.** `lexer` finds the exact span of each value in linear time. It keeps the last tag,
//!   since returning it costs more than reading it. Text is skipped if it is not needed. The
//!   attributes of most tags take the `fast_path`, which looks at 64 bytes at a time (`simd`).
//!   Where the rules allow it, tags without links are skipped: those without attributes 64 bytes at
//!   a time (`plain_tags`).
//! * **Rules.** `rules` classifies each tag, where that is certain from the tags alone: whether it
//!   creates an element, in which namespace, and whether raw text follows. It covers nested forms,
//!   tables that are certainly open, second `html` and `body` tags, SVG and MathML in which no HTML
//!   follows, and templates. Each rule has its reason in the standard's tree construction.
//! * **Tree oracle.** In doubt, html5ever's tree builder classifies tags (`tree_oracle`,
//!   `tree_feed`): for HTML in SVG, a `frameset`, a link on a `td` that may be outside a table. It
//!   reads a part of the page, up to where the rules are certain again (`tree_on_demand`). In HTML in
//!   SVG that does not end, the rules classify tags as in a body, except for those that may end the
//!   SVG (`guard`). Only a `frameset` that removes a body has the whole page read again. The builder
//!   receives only the attributes and text that the tree depends on, and no charset.
//! * **Guessing.** The builder takes time quadratic in the number of open elements. Beyond the
//!   limits of `tree_feed`, each tag is taken to create the element it names, from the last tag on
//!   that was decided, and the run warns.
//! * **Order of BASE elements.** It matters only where there are several, and the tree oracle has
//!   seen elements before a table. Then the `tree` is built.
//! * **Anchors.** They are collected on request (`anchors`). Then the fast path stops at tags with
//!   an `id` too, and the rules track `select` elements, which create nothing inside one another.
//! * **Visible text.** URLs in text are searched in the text as readers see it (`visible`): pieces
//!   with a `wbr` between them are one text, and soft hyphens and zero-width characters are gaps,
//!   if a URL may have begun.
//! * **Tables.** One `table` has the attributes, `values` the syntaxes of their values. Style
//!   sheets are read by `format/css`, import maps and other JSON by `json`. A `srcdoc` is a page in
//!   the page, whose spans are mapped back through the character references of the attribute. The
//!   HTML in a feed is read in the same way (`part`).
//! * **Links as they are found.** `find_each` delivers links a few at a time, also within a tag or
//!   a text with many. Without a `body` tag, it first searches for a `frameset`, which could remove
//!   them. If there is one, the page is read twice more: first to find out whether its tree can be
//!   built, and which `frameset` removes the body, then to deliver. The links that were delivered
//!   before are left out. The tree oracle holds only open elements.
//! * **One tag at a time.** Rewriting takes the links of each tag when they are found
//!   (`find_by_tag`), so that they need no memory. This covers pages without a `frameset` that counts
//!   and without pages in them. Any other is read as a whole.
//! * **Integrity and scripts.** The hash of a link's target (`integrity`) is searched only in tags
//!   of `link` and `script` with links. Links in scripts are counted only on request (`scripted`);
//!   then the lexer returns tags with event handlers too.
//! * **Writing.** `Markup` has the quoting around a value and the attribute around its page
//!   (`within`), so a new reference is escaped from the inside out. Most references have no special
//!   character, or only a `&`, which is escaped. These need no proof that they are read back.
//!
//! # Tree
//! * `tree_feed` has three sinks. `tree_oracle` builds nothing. `tree` builds an `RcDom`, in which
//!   each element has the number of its start tag. Formatting elements have none: the builder may
//!   compare two of them, which must stay equal.
//! * Building is bounded by the number of nodes that the builder holds, by the number of elements,
//!   and by the number of siblings that are searched for a node, since `RcDom` searches all
//!   children of the parent. Beyond these limits there is no tree, so time stays linear. Then
//!   contexts are empty and verification refuses the page.
//! * `context` reads all contexts in one walk: the text of the page is one string, with white space
//!   collapsed, and the text of an element is a slice of it. So nesting costs nothing. A link is
//!   matched with its tag by its offset.
//! * `linkable` finds where URLs in text may become `a` elements: by tags that nest (`tag_places`),
//!   or by a sink that records the parents of nodes and no tree (`tree_places`).
//! * `compare` verifies a rewritten page from the bytes of both versions and the expected reference
//!   of each edited link. It compares the tags with all their attributes, including dropped tags
//!   and duplicates, and the trees node by node.

mod anchors;
mod as_template;
mod chars;
mod charset;
mod comment;
mod comments;
mod compare;
mod content;
mod context;
mod declare;
mod detect;
mod fast_path;
mod found;
mod guard;
mod headings;
mod integrity;
mod json;
mod key;
mod language;
mod lexer;
mod link_tags;
mod linkable;
mod links;
mod names;
pub(super) mod namespace;
mod page;
mod part;
mod plain_tags;
mod reader;
mod rules;
mod scripted;
mod served;
mod simd;
pub(super) mod table;
mod tag_classifier;
mod tag_places;
mod token;
mod tree;
mod tree_feed;
mod tree_on_demand;
mod tree_oracle;
mod tree_places;
pub(super) mod values;
mod visible;

pub(crate) use language::LANGUAGE;

use std::borrow::Cow;
use std::ops::ControlFlow;

use self::page::Page;
use self::reader::{by_tag, read, read_each};
use super::batch::{BATCH, Take};
use super::language::TagLinks;
use super::{Options, ParsedLinks};
use crate::link::{AttributeSpan, Note, ParsedLink};
use crate::source::{CharsetFrom, Source, Text};
pub(super) use comments::comments;
pub(crate) use compare::compare;
pub(super) use headings::html_headings;
pub(super) use part::{read_fragment, read_part};
pub use scripted::{module_imports, scripted_links};
pub use served::begins_as_page;

/// The links of an HTML document, in source order.
pub(crate) fn find<'d>(document: &'d Source, options: &Options) -> ParsedLinks<'d> {
    let Some(page) = Page::of_document(document, options) else {
        return find_in_decoded(document, options);
    };
    let mut read = read(&page);
    let mut finished = Finished::new(document);
    if finished.is_needed(&page) {
        read.links.iter_mut().for_each(|link| finished.link(link));
    }
    finished.found(document, &page, read)
}

/// Delivers the links of an HTML document, in source order, as they are found: `take` moves them
/// out of the vector. Returns the rest about them.
pub(crate) fn find_each<'d>(
    document: &'d Source,
    options: &Options,
    take: &mut Take<'_, 'd>,
) -> ParsedLinks<'d> {
    let Some(page) = Page::of_document(document, options) else {
        return find_each_in_decoded(document, options, take);
    };
    let mut finished = Finished::new(document);
    let read = match finished.is_needed(&page) {
        true => read_each(&page, BATCH, &mut |links| {
            links.iter_mut().for_each(|link| finished.link(link));
            take(links);
        }),
        false => read_each(&page, BATCH, take),
    };
    finished.found(document, &page, read)
}

/// The links of a document in UTF-16 or ISO-2022-JP, whose markup is not ASCII: the text is read,
/// and spans are mapped back.
fn find_in_decoded<'d>(document: &Source, options: &Options) -> ParsedLinks<'d> {
    let text = document.text();
    let page = Page::of_text(&text.text, options);
    let mut read = read(&page);
    let links = std::mem::take(&mut read.links).into_iter();
    let links = links.map(|link| link.with_source_spans(&text)).collect();
    ParsedLinks { links, ..found_in_decoded(document, &page, &text, read) }
}

/// Like [`find_in_decoded`], but delivers the links as they are found.
fn find_each_in_decoded<'d>(
    document: &Source,
    options: &Options,
    take: &mut Take<'_, 'd>,
) -> ParsedLinks<'d> {
    let text = document.text();
    let page = Page::of_text(&text.text, options);
    let read = read_each(&page, BATCH, &mut |links| {
        let links = links.drain(..).map(|link| link.with_source_spans(&text));
        take(&mut links.collect());
    });
    found_in_decoded(document, &page, &text, read)
}

/// The result for a document whose decoded text is a page, without links.
fn found_in_decoded<'d>(
    document: &Source,
    page: &Page<'_, '_>,
    text: &Text<'_>,
    read: reader::Read<'_>,
) -> ParsedLinks<'d> {
    let own = |anchor: Cow<'_, str>| Cow::Owned(anchor.into_owned());
    let mapped = |it: &AttributeSpan| it.mapped(|span| text.to_source(span));
    ParsedLinks {
        integrity: read.integrity.iter().map(mapped).collect(),
        cors: read.cors.iter().map(mapped).collect(),
        scripted: read.scripted,
        links: Vec::new(),
        base: read.base(document, page.options),
        anchors: read.anchors.into_iter().map(own).collect(),
        base_elements: read.bases.iter().map(mapped).collect(),
        malformed: text.malformed,
        guessed: read.guessed,
        is_unbalanced: false,
    }
}

/// Calls `take` with the links of an HTML document, tag after tag: see `language::ReadByTag`.
pub(crate) fn find_by_tag<'d>(
    document: &'d Source,
    options: &Options,
    take: &mut dyn FnMut(TagLinks<'_, 'd>) -> ControlFlow<()>,
) -> Option<usize> {
    if options.html_text {
        // Text before a `wbr` ends after the links of its attributes: only whole pages are sorted.
        return None;
    }
    let page = Page { anchors: false, ..Page::of_document(document, options)? };
    by_tag(&page, document.charset.bom_len(), take)
}

/// Turns links of a page into links of its document.
struct Finished {
    /// The length of the byte order mark.
    start: usize,
    /// The offset of the first link with invalid bytes.
    undecodable: Option<usize>,
}

impl Finished {
    fn new(document: &Source) -> Self {
        Self { start: document.charset.bom_len(), undecodable: None }
    }

    /// Returns true if links of the page are not yet links of the document.
    fn is_needed(&self, page: &Page<'_, '_>) -> bool {
        self.start > 0 || page.text.is_none()
    }

    fn link(&mut self, link: &mut ParsedLink<'_>) {
        for span in &mut link.spans {
            *span = span.shifted(self.start);
        }
        if self.undecodable.is_none() && link.notes.contains(Note::Undecodable) {
            self.undecodable = Some(link.extent().start);
        }
    }

    /// The result for the document.
    fn found<'d>(
        &self,
        document: &Source,
        page: &Page<'d, '_>,
        read: reader::Read<'d>,
    ) -> ParsedLinks<'d> {
        // A stream was detected as UTF-8 from its beginning.
        let by_beginning = document.charset.from() == CharsetFrom::Valid;
        let malformed = self.undecodable.or_else(|| {
            let may_be_script = page.text.is_none() && by_beginning;
            let error = may_be_script.then(|| std::str::from_utf8(&document.bytes).err());
            error.flatten().map(|error| error.valid_up_to())
        });
        let shifted = |it: &AttributeSpan| it.mapped(|span| span.shifted(self.start));
        ParsedLinks {
            base: read.base(document, page.options),
            base_elements: read.bases.iter().map(shifted).collect(),
            integrity: read.integrity.iter().map(shifted).collect(),
            cors: read.cors.iter().map(shifted).collect(),
            scripted: read.scripted,
            links: read.links,
            anchors: read.anchors,
            malformed,
            guessed: read.guessed,
            is_unbalanced: false,
        }
    }
}
