//! The links of a document, resolved on demand.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};

use super::Rewriter;
use super::{Base, Document};
use crate::bytes::{Position, Span};
use crate::format::{Exempt, Options, ParsedLinks};
use crate::link::{LinkId, LinkResolver, Notes, ParsedLink, Place, Role, Target};
use crate::uri::Parts;
use crate::{format::Contexts, link::Context};

/// The links of a document, with the options that they were found with.
///
/// Iterate over a reference to it: `for link in &document.links()`.
#[derive(Debug)]
pub struct Links<'d> {
    document: &'d Document,
    options: Options,
    found: ParsedLinks<'d>,
    /// Created for the first link that is resolved: many documents have no links.
    resolver: OnceCell<RefCell<LinkResolver>>,
    line_starts: OnceCell<Vec<usize>>,
    contexts: OnceCell<Contexts>,
    exempt: OnceCell<Exempt>,
}

impl<'d> Links<'d> {
    pub(super) fn new(document: &'d Document, options: &Options) -> Self {
        Self {
            document,
            options: options.clone(),
            found: document.found(options),
            resolver: OnceCell::new(),
            line_starts: OnceCell::new(),
            contexts: OnceCell::new(),
            exempt: OnceCell::new(),
        }
    }

    /// Returns true if a comment `rehref: ignore` exempts a link of the document from checking and
    /// rewriting: the comment is on its line, or alone on the line before it.
    pub fn is_exempt(&self, link: &ParsedLink<'_>) -> bool {
        let exempt = || self.document.format.exempt(&self.document.source);
        self.exempt.get_or_init(exempt).has(link)
    }

    /// The number of links.
    pub fn len(&self) -> usize {
        self.found.links.len()
    }

    /// Returns true if the document has no links.
    pub fn is_empty(&self) -> bool {
        self.found.links.is_empty()
    }

    /// The links in the order of the document.
    pub fn iter(&self) -> LinkIter<'_> {
        LinkIter { links: self, data: self.found.links.iter() }
    }

    /// The document.
    pub fn document(&self) -> &'d Document {
        self.document
    }

    /// The options that the links were found with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The base URL: that of a BASE element, else the URL that the document was retrieved from.
    pub fn base(&self) -> Option<&Base> {
        self.found.base.as_ref()
    }

    /// The names that fragments may refer to, if [`Options::anchors`] is set.
    pub fn anchors(&self) -> impl Iterator<Item = &str> {
        self.found.anchors.iter().map(|name| &**name)
    }

    /// The offset of the first byte that is invalid in the character encoding, if a link or the
    /// text has one.
    pub fn malformed(&self) -> Option<usize> {
        self.found.malformed
    }

    /// Plans edits by rules, or by a function from a link to an [`Action`](crate::rewrite::Action),
    /// where an example is. Write the type of a closure's argument:
    /// `&|link: &Link<'_>| ...`.
    ///
    /// Cost: linear in the document. It is read again unless the edits are certain to be read back.
    pub fn rewrite<R: Rewriter>(&self, rules: &R) -> R::Plan<'_> {
        rules.plan(self)
    }

    /// The links as the reader of the language found them.
    pub fn found(&self) -> &ParsedLinks<'d> {
        &self.found
    }

    /// A resolver for the links.
    pub fn resolving(&self) -> LinkResolver {
        let resolver = self.options.resolver;
        self.found.resolving(&self.document.source, resolver)
    }

    /// The link with this id.
    ///
    /// Cost: logarithmic in the number of links.
    pub fn get(&self, id: LinkId) -> Option<Link<'_>> {
        Some(Link { links: self, data: self.found.link(id)?, url: OnceCell::new() })
    }

    /// Resolves a link. The target borrows from the resolver, so `read` copies the values that are
    /// needed.
    fn resolved<T>(&self, link: &ParsedLink<'_>, read: impl FnOnce(Target<'_>) -> T) -> T {
        let resolver = self.resolver.get_or_init(|| RefCell::new(self.resolving()));
        read(resolver.borrow_mut().target(link))
    }

    fn position(&self, offset: usize) -> Position {
        let starts = self.line_starts.get_or_init(|| self.document.lines().line_starts());
        let line = starts.partition_point(|&start| start <= offset);
        Position { line, column: offset - starts[line - 1] + 1 }
    }
}

impl<'l> IntoIterator for &'l Links<'_> {
    type Item = Link<'l>;
    type IntoIter = LinkIter<'l>;

    fn into_iter(self) -> LinkIter<'l> {
        self.iter()
    }
}

/// An iterator over the links of a document.
#[derive(Clone, Debug)]
pub struct LinkIter<'l> {
    links: &'l Links<'l>,
    data: std::slice::Iter<'l, ParsedLink<'l>>,
}

impl<'l> Iterator for LinkIter<'l> {
    type Item = Link<'l>;

    fn next(&mut self) -> Option<Link<'l>> {
        let data = self.data.next()?;
        Some(Link { links: self.links, data, url: OnceCell::new() })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.data.size_hint()
    }
}

impl ExactSizeIterator for LinkIter<'_> {}

/// A link of a document.
#[derive(Clone, Debug)]
pub struct Link<'l> {
    links: &'l Links<'l>,
    data: &'l ParsedLink<'l>,
    url: OnceCell<Option<String>>,
}

impl<'l> Link<'l> {
    /// The reference, decoded: character references and escapes of the document are resolved, white
    /// space that is not part of it is removed.
    pub fn reference(&self) -> &'l str {
        &self.data.reference
    }

    /// The absolute URL, spelled as resolving gives it. `None` if the base URL is unknown, and for
    /// references that the profile gives no URL. Resolved on the first call.
    pub fn url(&self) -> Option<&str> {
        let resolve = || self.links.resolved(self.data, |target| target.uri.map(str::to_owned));
        self.url.get_or_init(resolve).as_deref()
    }

    /// The absolute URL if available, else the reference.
    pub fn url_or_reference(&self) -> &str {
        self.url().unwrap_or(self.reference())
    }

    /// The host of the absolute URL, as written. `None` if it has none. Compare it with
    /// [`eq_ignore_ascii_case`](str::eq_ignore_ascii_case): hosts may be in either case.
    pub fn host(&self) -> Option<&str> {
        Parts::split(self.url()?).host()
    }

    /// The reference as the document spells it, with character references, escapes and white space:
    /// the bytes of its [`spans`](Self::spans), decoded, without those between them.
    pub fn raw(&self) -> Cow<'l, str> {
        self.links.document.raw(self.data)
    }

    /// The bytes of the document that spell the link, without delimiters. More than one span if
    /// bytes between its pieces are not part of it, such as a line break: see
    /// [`Note::Rejoined`](crate::link::Note::Rejoined).
    pub fn spans(&self) -> &'l [Span] {
        &self.data.spans
    }

    /// The link as its reader found it.
    pub fn data(&self) -> &'l ParsedLink<'l> {
        self.data
    }

    /// The document.
    pub fn document(&self) -> &'l Document {
        self.links.document
    }

    /// The identity in the document: see [`Links::get`].
    pub fn id(&self) -> LinkId {
        self.data.id()
    }

    /// The offset of the first byte, counted from 0.
    pub fn offset(&self) -> usize {
        self.data.extent().start
    }

    /// The line, counted from 1. The first call for a document reads it once.
    pub fn line(&self) -> usize {
        self.links.position(self.offset()).line
    }

    /// The column in bytes, counted from 1. The first call for a document reads it once.
    pub fn column(&self) -> usize {
        self.links.position(self.offset()).column
    }

    /// The purpose of the link.
    pub fn role(&self) -> Role {
        self.data.role
    }

    /// The place of the link: in text, in an attribute of markup, in a style sheet, or in a header.
    pub fn place(&self) -> &'l Place {
        &self.data.place
    }

    /// Notes on how the link was read and resolved, such as
    /// [`Note::Rejoined`](crate::link::Note::Rejoined).
    pub fn notes(&self) -> Notes {
        self.links.resolved(self.data, |target| target.notes)
    }

    /// The text of the link, its `rel` and `title`, and the heading before it. `None` if the link
    /// is not in HTML, and in a page that nests too deep to build its tree.
    ///
    /// Cost: the first call for a document builds its tree, in about ten times the time of finding
    /// the links.
    pub fn context(&self) -> Option<Context<'l>> {
        let links = self.links;
        let read = || links.document.contexts(&links.options);
        links.contexts.get_or_init(read).of_link(self.data)
    }

    /// Other readings of the reference, if a line break makes it ambiguous.
    pub fn alternatives(&self) -> &'l [String] {
        &self.data.alternatives
    }
}
