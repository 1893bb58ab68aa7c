//! Rewriting in one pass: links are decided and written while they are found.
//!
//! A plan keeps every link and every edit, since its readers need them: records, diffs, verification. Without such readers,
//! most documents need neither. A link is resolved, decided about and written as soon as it is found, and its new bytes go
//! to the output. What remains of it is a count, so memory does not grow with the number of links.
//!
//! This covers HTML in which nothing depends on what follows a link:
//!
//! - The mapper [decides by the link alone](Mapper::decides_alone): BASE elements do not change, and no hash is removed.
//! - The first BASE element precedes all other links. The base of a document applies to what is before it, too.
//! - The reader gives the links [one tag after another](crate::format::Format::read_by_tag).
//! - Each edit is certain to be read back, so that no proof is needed.
//! - The declaration of the character encoding stays where it is found.
//!
//! Where one of these fails, the output is dropped, and the document is planned. Bytes and counts are the same in both ways.

use std::ops::ControlFlow;

use super::edits::Edit;
use super::mapper::Mapper;
use super::plan::{Plan, carry_out, keeps_charset};
use super::rewritten::Rewritten;
use crate::document::Document;
use crate::format::Options;
use crate::format::language::TagLinks;
use crate::link::{LinkData, LinkResolver, Target, effective_base};

/// Receives what a plan would keep.
pub(crate) trait Watcher {
    /// A link is edited.
    fn edited(&mut self, _link: &LinkData<'_>, _edit: &Edit<'_>) {}

    /// A link has an `integrity` attribute. `has_base` is true if the document has a BASE element.
    fn hashed(&mut self, _link: &LinkData<'_>, _target: &Target<'_>, _has_base: bool) {}
}

/// Receives nothing.
impl Watcher for () {}

/// Appends the document with the edits made to `out`: in one pass, or by a plan.
pub(super) fn rewrite_into(
    document: &Document,
    options: &Options,
    mapper: &impl Mapper,
    out: &mut Vec<u8>,
) -> Rewritten {
    match OnePass::run(document, options, mapper, &mut (), out) {
        Some(done) => {
            if done.counts.edits == 0 {
                out.extend_from_slice(document.bytes());
            }
            done.counts
        }
        None => append_plan(Plan::new(&document.links_with(options), mapper), out),
    }
}

/// Appends the document with the edits of a plan made.
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

/// The result of rewriting in one pass.
#[derive(Clone, Debug)]
pub(crate) struct OnePass {
    pub(crate) counts: Rewritten,
    /// The estimated number of links that scripts build: [`FoundLinks::scripted`](crate::format::FoundLinks::scripted).
    pub(crate) scripted: usize,
}

impl OnePass {
    /// Appends the rewritten document to `out`, or nothing if it does not change. `None` if it needs a plan; then `out` is as
    /// it was, and what the watcher received does not count.
    pub(crate) fn run(
        document: &Document,
        options: &Options,
        mapper: &impl Mapper,
        watcher: &mut impl Watcher,
        out: &mut Vec<u8>,
    ) -> Option<Self> {
        if !mapper.decides_alone() {
            return None;
        }
        let start = out.len();
        let done = Self::from(start, document, options, mapper, watcher, out);
        if done.is_none() {
            out.truncate(start);
        }
        done
    }

    /// The output begins at byte `start` of `out`. Of a document that needs a plan, it may have a part.
    fn from(
        start: usize,
        document: &Document,
        options: &Options,
        mapper: &impl Mapper,
        watcher: &mut impl Watcher,
        out: &mut Vec<u8>,
    ) -> Option<Self> {
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
            out,
            counts: Rewritten::default(),
        };
        let format = document.format();
        let scripted = format.read_by_tag(document.source(), options, &mut |found| match writer
            .tag(found)
        {
            Some(()) => ControlFlow::Continue(()),
            None => ControlFlow::Break(()),
        })?;
        let Writer {
            first,
            copied,
            counts,
            ..
        } = writer;
        if let Some(first) = first {
            out.extend_from_slice(&document.bytes()[copied..]);
            if !keeps_charset(document, first, &out[start..]) {
                return None;
            }
        }
        Some(Self { counts, scripted })
    }
}

/// Writes the links of a document.
struct Writer<'w, M, W> {
    document: &'w Document,
    options: &'w Options,
    mapper: &'w M,
    watcher: &'w mut W,
    resolver: LinkResolver,
    has_base: bool,
    any_found: bool,
    /// The offset of the first edit.
    first: Option<usize>,
    /// The end of what was copied from the document.
    copied: usize,
    out: &'w mut Vec<u8>,
    counts: Rewritten,
}

impl<M: Mapper, W: Watcher> Writer<'_, M, W> {
    /// Writes the links of a tag. `None` if the document needs a plan.
    fn tag(&mut self, found: TagLinks<'_, '_>) -> Option<()> {
        if let (false, [element, ..]) = (self.has_base, found.base_elements) {
            if self.any_found {
                return None;
            }
            let link = found
                .links
                .iter()
                .find(|link| link.id() == element.link())?;
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
    fn link(&mut self, link: &LinkData<'_>, of_tag: TagLinks<'_, '_>) -> Option<()> {
        let Self {
            document, options, ..
        } = *self;
        let target = self.resolver.target(link);
        let hashed = of_tag.integrity.iter();
        for _ in hashed.filter(|it| it.link() == link.id()) {
            self.watcher.hashed(link, &target, self.has_base);
        }
        let base = target.base.map(|(base, _)| base);
        let decision = self.mapper.map(document, link, &target, base);
        let mut is_certain = true;
        let skipped = carry_out(document, options, link, decision, |written, edit| {
            is_certain = written.is_certain;
            self.watcher.edited(link, &edit);
            if self.first.is_none() {
                self.first = Some(edit.span.start);
                // Most documents grow by less.
                self.out.reserve(document.bytes().len() / 8 * 9);
            }
            let kept = &document.bytes()[self.copied..edit.span.start];
            self.out.extend_from_slice(kept);
            self.out.extend_from_slice(edit.new);
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
