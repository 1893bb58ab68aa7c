//! The links of a document.

use std::borrow::Cow;

use super::batch::Take;
use crate::link::{AttributeSpan, LinkId, LinkResolver, ParsedLink};
use crate::source::{Base, Source};
use crate::uri::Resolver;

/// The links of a document and its base.
#[derive(Clone, Debug)]
pub struct ParsedLinks<'d> {
    /// The links, ordered by their first bytes.
    pub links: Vec<ParsedLink<'d>>,
    /// The targets of fragments, if requested by
    /// [`Options::anchors`](crate::format::Options::anchors): the `id` of every element in the
    /// tree, and the `name` of `a` elements. Those of HTML are in source order, except in pages
    /// nested too deeply ([`guessed`](Self::guessed)). In Markdown, the ids of headings follow, by
    /// the rule of [`MarkdownOptions::slugs`](crate::format::markdown::MarkdownOptions::slugs). A
    /// name may occur twice.
    pub anchors: Vec<Cow<'d, str>>,
    /// The effective base: that of the document if it has one, otherwise the given one.
    pub base: Option<Base>,
    /// The BASE elements with a `href`, in tree order. Only the first takes effect. Excludes those
    /// in templates and in pages within the page. A removal has the `href`: if the element has no
    /// other attribute, the element and an end tag directly after it; otherwise, the attribute and
    /// the white space before it.
    pub base_elements: Vec<AttributeSpan>,
    /// The `integrity` attributes of HTML, which hash the targets of links (W3C Subresource
    /// Integrity), in the order of their links. A browser refuses a target with another hash.
    /// Excludes XHTML and pages within the page.
    pub integrity: Vec<AttributeSpan>,
    /// The `crossorigin` attributes of HTML, if requested by
    /// [`Options::cors`](crate::format::Options::cors), in the order of their links: the first link
    /// of each tag. A browser refuses a file with one. Excludes XHTML and pages within the page.
    pub cors: Vec<AttributeSpan>,
    /// The estimated number of links built by scripts of HTML: in `script` elements, event handlers
    /// and `javascript:` URLs, if counting is on. Excludes pages within the page.
    pub scripted: usize,
    /// The offset of the first decoded byte that is invalid in the document's charset.
    pub malformed: Option<usize>,
    /// True if tags of HTML were read without context, because the page is nested so deeply that
    /// building its tree would take too long.
    pub guessed: bool,
    /// True if an element of XML has no end tag, or an end tag has no element, as in a document that
    /// is cut.
    pub is_unbalanced: bool,
}

impl<'d> ParsedLinks<'d> {
    /// Only links.
    pub(crate) fn of_links(
        links: Vec<ParsedLink<'d>>,
        base: Option<Base>,
        malformed: Option<usize>,
    ) -> Self {
        Self {
            links,
            anchors: Vec::new(),
            base,
            base_elements: Vec::new(),
            integrity: Vec::new(),
            cors: Vec::new(),
            scripted: 0,
            malformed,
            guessed: false,
            is_unbalanced: false,
        }
    }
}

impl<'d> ParsedLinks<'d> {
    /// The result of a function that delivers links, with all of them.
    pub(super) fn collected(read: impl FnOnce(&mut Take<'_, 'd>) -> Self) -> Self {
        let mut links = Vec::new();
        let rest = read(&mut |found| match links.is_empty() {
            true => std::mem::swap(&mut links, found),
            false => links.append(found),
        });
        Self { links, ..rest }
    }

    /// The link with this id.
    pub fn link(&self, id: LinkId) -> Option<&ParsedLink<'d>> {
        let at = self.links.binary_search_by_key(&id, ParsedLink::id).ok()?;
        Some(&self.links[at])
    }

    /// The reference of the BASE element that takes effect.
    pub fn base_reference(&self) -> Option<&str> {
        let element = self.base_elements.first()?;
        Some(&self.link(element.link())?.reference)
    }

    /// Returns a resolver for these links.
    pub fn resolving(&self, document: &Source, resolver: Resolver) -> LinkResolver {
        LinkResolver::new(resolver, self.base.as_ref(), document.base.as_ref())
            .in_charset(document.charset)
    }
}
