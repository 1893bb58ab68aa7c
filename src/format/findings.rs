//! What is found in a document.

use std::borrow::Cow;

use crate::link::{BaseElement, Integrity, LinkData, LinkResolver};
use crate::source::{Base, Source};
use crate::uri::Resolver;

/// The links of a document, and what their references are relative to.
#[derive(Clone, Debug)]
pub struct FoundLinks<'d> {
    /// The links, in the order in which they begin.
    pub links: Vec<LinkData<'d>>,
    /// The names that a fragment may lead to, if they were asked for ([`Options::anchors`](crate::format::Options::anchors)): the `id` of
    /// every element in the tree, and the `name` of `a` elements. Those of HTML stand in source order, but for
    /// what a page nested too deep may have ([`guessed`](Self::guessed)); a name may come twice.
    pub anchors: Vec<Cow<'d, str>>,
    /// The base that holds: the one in the document if there is one, else the one from outside.
    pub base: Option<Base>,
    /// The BASE elements that have a `href`, in the order of the tree: the first of them gives the base. The
    /// others have no effect.
    pub base_elements: Vec<BaseElement>,
    /// The `integrity` attributes of HTML, in the order of their links; but not those of XHTML, nor of pages
    /// within the page.
    pub integrity: Vec<Integrity>,
    /// How many links the scripts of HTML seem to build, in `script` elements, event handlers and
    /// `javascript:` URLs, where they are counted; but not in pages within the page.
    pub scripted: usize,
    /// The first byte that is invalid in the document's charset, of those that had to be decoded.
    pub malformed: Option<usize>,
    /// Whether tags of HTML were taken for what they look like, because the page nests so deep that to
    /// build its tree would take too long.
    pub guessed: bool,
}

impl<'d> FoundLinks<'d> {
    /// Links, and nothing beside them.
    pub(crate) fn of_links(
        links: Vec<LinkData<'d>>,
        base: Option<Base>,
        malformed: Option<usize>,
    ) -> Self {
        Self {
            links,
            anchors: Vec::new(),
            base,
            base_elements: Vec::new(),
            integrity: Vec::new(),
            scripted: 0,
            malformed,
            guessed: false,
        }
    }
}

impl FoundLinks<'_> {
    /// Resolves the links, one after another.
    pub fn resolving(&self, document: &Source, resolver: Resolver) -> LinkResolver {
        LinkResolver::new(resolver, self.base.as_ref(), document.base.as_ref())
            .in_charset(document.charset)
    }
}
