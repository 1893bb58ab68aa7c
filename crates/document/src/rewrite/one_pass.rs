//! Rewriting in one pass: links are decided and written while they are found.
//!
//! A plan keeps every link and every edit for records, diffs and verification. Without these, most
//! documents do not need a plan. A link is resolved, decided about and written as soon as it is
//! found, and its new bytes go to the output. Only its count is kept, so memory does not grow with
//! the number of links.
//!
//! This covers HTML in which no decision depends on text after the link:
//!
//! - The mapper [decides by the link alone](Mapper::decides_alone): BASE elements do not change,
//!   and no hash is removed.
//! - The first BASE element precedes all other links. The base of a document also applies to the
//!   links before the element.
//! - The reader gives the links [one tag after another](crate::format::Format::read_by_tag).
//! - Each edit is certain to be read back, so that no proof is needed.
//! - The declaration of the character encoding stays where it is found.
//!
//! If one of these fails, the output is dropped, and the document is planned. Bytes and counts are
//! the same in both ways.

use std::ops::ControlFlow;

use super::edits::Edit;
use super::mapper::Mapper;
use super::plan::{Plan, apply_plan, keeps_charset};
use super::rewritten::Rewritten;
use crate::bytes::Span;
use crate::document::Document;
use crate::format::Options;
use crate::format::language::TagLinks;
use crate::link::{LinkResolver, ParsedLink, Target, effective_base};

/// Receives the events that a plan would store.
pub trait Watcher {
    /// A link is edited.
    fn edited(&mut self, _link: &ParsedLink<'_>, _edit: &Edit<'_>) {}

    /// A link has an `integrity` attribute. `has_base` is true if the document has a BASE element.
    fn hashed(&mut self, _link: &ParsedLink<'_>, _target: &Target<'_>, _has_base: bool) {}
}

/// Receives nothing.
impl Watcher for () {}

/// Receives the rewritten document.
pub trait Output {
    /// Receives an edit, and the bytes before it that stay.
    fn edit(&mut self, kept: &[u8], old: Span, new: &[u8]);

    /// Receives the bytes after the last edit. Not called without edits.
    fn end(&mut self, kept: &[u8]);

    /// At least the bytes of the rewritten document in which a declaration of the character
    /// encoding is searched.
    fn head(&self) -> &[u8];
}

/// The document in memory.
struct Content<'o> {
    out: &'o mut Vec<u8>,
    /// The start of the document in `out`.
    start: usize,
    /// The length of the document before.
    old_len: usize,
}

impl Output for Content<'_> {
    fn edit(&mut self, kept: &[u8], _: Span, new: &[u8]) {
        if self.out.len() == self.start {
            // Most documents grow by less.
            self.out.reserve(self.old_len / 8 * 9);
        }
        self.out.extend_from_slice(kept);
        self.out.extend_from_slice(new);
    }

    fn end(&mut self, kept: &[u8]) {
        self.out.extend_from_slice(kept);
    }

    fn head(&self) -> &[u8] {
        &self.out[self.start..]
    }
}

/// Appends the edited document to `out`: in one pass, or by a plan.
pub(super) fn rewrite_into(
    document: &Document,
    options: &Options,
    mapper: &impl Mapper,
    out: &mut Vec<u8>,
) -> Rewritten {
    match rewrite_into_content(document, options, mapper, &mut (), out) {
        Some(done) => {
            if done.edits == 0 {
                out.extend_from_slice(document.bytes());
            }
            done
        }
        None => append_plan(Plan::new(&document.links_with(options), mapper), out),
    }
}

/// Appends the document with the edits of a plan applied.
pub(super) fn append_plan(plan: Plan<'_>, out: &mut Vec<u8>) -> Rewritten {
    let counts = Rewritten::of_plan(&plan);
    let document = plan.document();
    match plan.into_edited() {
        // No copy, since it is as long as the document.
        Some(edited) if out.is_empty() => *out = edited,
        Some(edited) => out.extend_from_slice(&edited),
        None => out.extend_from_slice(document.bytes()),
    }
    counts
}

/// Appends the rewritten document to `out`, or nothing if it does not change. `None` if it needs a
/// plan; then `out` is unchanged, and the events that the watcher received are void.
pub fn rewrite_into_content(
    document: &Document,
    options: &Options,
    mapper: &impl Mapper,
    watcher: &mut impl Watcher,
    out: &mut Vec<u8>,
) -> Option<Rewritten> {
    let start = out.len();
    let content = &mut Content { out, start, old_len: document.bytes().len() };
    let done = rewrite_in_one_pass(document, options, mapper, watcher, content);
    if done.is_none() {
        out.truncate(start);
    }
    done
}

/// Rewrites a document. `None` if it needs a plan; then the events that the watcher and the output
/// received are void.
pub fn rewrite_in_one_pass(
    document: &Document,
    options: &Options,
    mapper: &impl Mapper,
    watcher: &mut impl Watcher,
    output: &mut impl Output,
) -> Option<Rewritten> {
    if !mapper.decides_alone() || document.may_have_exempt_links() {
        return None;
    }
    let mut writer = Writer {
        document,
        options,
        mapper,
        watcher,
        resolver: resolver(document, options, None),
        has_base: false,
        any_found: false,
        first: None,
        copied: 0,
        output,
        counts: Rewritten::default(),
    };
    let format = document.format();
    let take = &mut |found: TagLinks<'_, '_>| match writer.tag(found) {
        Some(()) => ControlFlow::Continue(()),
        None => ControlFlow::Break(()),
    };
    let scripted = format.read_by_tag(document.source(), options, take)?;
    let Writer { first, copied, output, mut counts, .. } = writer;
    if let Some(first) = first {
        output.end(&document.bytes()[copied..]);
        if !keeps_charset(document, first, output.head()) {
            return None;
        }
    }
    counts.scripted = scripted;
    Some(counts)
}

/// Writes the links of a document.
struct Writer<'w, M, W, O> {
    document: &'w Document,
    options: &'w Options,
    mapper: &'w M,
    watcher: &'w mut W,
    resolver: LinkResolver,
    has_base: bool,
    any_found: bool,
    /// The offset of the first edit.
    first: Option<usize>,
    /// The end of the part of the document that is copied.
    copied: usize,
    output: &'w mut O,
    counts: Rewritten,
}

impl<M: Mapper, W: Watcher, O: Output> Writer<'_, M, W, O> {
    /// Writes the links of a tag. `None` if the document needs a plan.
    fn tag(&mut self, found: TagLinks<'_, '_>) -> Option<()> {
        if let (false, [element, ..]) = (self.has_base, found.base_elements) {
            if self.any_found {
                return None;
            }
            let link = found.links.iter().find(|link| link.id() == element.link())?;
            self.resolver = resolver(self.document, self.options, Some(&link.reference));
            self.has_base = true;
        }
        self.any_found = true;
        for link in found.links {
            self.link(link, found)?;
        }
        Some(())
    }

    /// Writes a link of this tag.
    fn link(&mut self, link: &ParsedLink<'_>, of_tag: TagLinks<'_, '_>) -> Option<()> {
        let Self { document, options, .. } = *self;
        let target = self.resolver.target(link);
        let hashed = of_tag.integrity.iter();
        for _ in hashed.filter(|it| it.link() == link.id()) {
            self.watcher.hashed(link, &target, self.has_base);
        }
        let base = target.base.map(|(base, _)| base);
        let decision = self.mapper.map(document, link, &target, base);
        let mut is_certain = true;
        let skipped = apply_plan(document, options, link, decision, |written, edit| {
            is_certain = written.is_certain;
            self.watcher.edited(link, &edit);
            self.first.get_or_insert(edit.span.start);
            let kept = &document.bytes()[self.copied..edit.span.start];
            self.output.edit(kept, edit.span, edit.new);
            self.copied = edit.span.end;
        });
        match skipped {
            Some(reason) => self.counts.skip(reason),
            None => self.counts.edits += 1,
        }
        is_certain.then_some(())
    }
}

/// A resolver for the links of a document whose first BASE element has this reference.
fn resolver(document: &Document, options: &Options, element: Option<&str>) -> LinkResolver {
    let retrieval = document.base();
    let base = effective_base(element, retrieval, &options.resolver);
    LinkResolver::new(options.resolver, base.as_ref(), retrieval)
        .in_charset(document.charset())
        .unchecked()
}
