//! Documents whose links and edits are too many to be held: each link is decided about and written
//! when it is found.
//!
//! The document is read several times: for its base, to measure the edits, and to write. Edits that
//! may not be read back are proved by reading the new document: the references of all links, in
//! their order, have to be the intended ones.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::LazyLock;

use regex::bytes::Regex;

use super::page::{FindFile, LocalReference, OfflineBytes, OfflinePage, reference_of};
use crate::bytes::Span;
use crate::document::Document;
use crate::format::language::TagLinks;
use crate::format::written::holds_escape_sequence;
use crate::format::{Options, ParsedLinks};
use crate::link::{AttributeSpan, LinkResolver, ParsedLink, Role};
use crate::rewrite::{Mapper, apply_plan, keeps_charset};
use crate::source::{Charset, CharsetFrom};
use crate::unpack::captures::LocalPath;

/// The maximum growth of a document with edits that are proved, in bytes.
const MAX_GROWN: u64 = 16 << 20;

/// The maximum number of edits that wait for those of the same tag before them.
const WAITING: usize = 256;

/// Returns everything in a document except the links, and the number of links.
pub(super) fn count_links<'d>(
    document: &'d Document,
    options: &Options,
) -> (ParsedLinks<'d>, usize) {
    let mut count = 0;
    let found = document.found_each(options, &mut |links| {
        count += links.len();
        links.clear();
    });
    (found, count)
}

/// A document whose links are decided about one by one.
pub(super) struct LongPage<'p> {
    document: &'p Document,
    path: &'p LocalPath,
    options: &'p Options,
    is_stopped: &'p dyn Fn() -> bool,
    /// Without links.
    found: ParsedLinks<'p>,
    /// True if the links are read tag after tag.
    is_by_tag: bool,
    /// The declaration of the encoding.
    declared: Option<(Span, Vec<u8>)>,
}

/// The measurements of a rewritten document.
#[derive(Default)]
struct Measured {
    edits: usize,
    /// The length of the new document.
    len: u64,
    /// True if all edits are certain to be read back.
    is_certain: bool,
    /// True if the new document declares the same encoding as the old one, or the intended one.
    keeps_charset: bool,
    /// True if the run was stopped.
    is_stopped: bool,
    /// The hash of the intended references.
    references: u64,
}

impl<'p> LongPage<'p> {
    pub(super) fn new(
        document: &'p Document,
        path: &'p LocalPath,
        options: &'p Options,
        is_stopped: &'p dyn Fn() -> bool,
        found: ParsedLinks<'p>,
    ) -> Self {
        let declared = match document.charset().from() {
            CharsetFrom::Header => {
                let encoding = document.charset().encoding();
                document.format().declare_charset(document.bytes(), encoding)
            }
            _ => None,
        };
        Self {
            document,
            path,
            options,
            is_stopped,
            found,
            is_by_tag: reads_by_tag(document, options),
            declared,
        }
    }

    /// The new bytes, the number of edits and that of links that scripts build. `find` was called
    /// for the first `counted` links. `None` if the run was stopped.
    pub(super) fn content(
        &self,
        (counted, find): (usize, &mut FindFile<'_>),
    ) -> Option<(OfflineBytes, usize, usize)> {
        let nothing = &mut io::sink();
        // An output that discards everything does not fail.
        let measured = self.rewrite((counted, find), nothing).unwrap_or_default();
        if measured.is_stopped {
            return None;
        }
        let is_changed = measured.edits > 0 || self.declared.is_some();
        let old_len = self.document.bytes().len() as u64;
        let bytes = match is_changed {
            false => OfflineBytes::Same,
            true if !measured.keeps_charset => OfflineBytes::Unwritten,
            true if !self.is_by_tag && may_have_beside(self.document) => OfflineBytes::Unwritten,
            true if measured.is_certain => OfflineBytes::Long,
            true if measured.len > old_len + MAX_GROWN => OfflineBytes::Unwritten,
            true => {
                let mut bytes = Vec::with_capacity(usize::try_from(measured.len).unwrap_or(0));
                let rewritten = self.rewrite((usize::MAX, find), &mut bytes);
                if rewritten.ok()?.is_stopped {
                    return None;
                }
                let new = self.document.with_bytes(bytes);
                match self.references_in(&new) == measured.references {
                    true => OfflineBytes::New(new.into_bytes()),
                    false => OfflineBytes::Unwritten,
                }
            }
        };
        let is_written = bytes != OfflineBytes::Unwritten;
        let edits = if is_written { measured.edits } else { 0 };
        Some((bytes, edits, self.found.scripted))
    }

    /// Writes the new document. Returns false if the run was stopped.
    pub(super) fn write(&self, find: &mut FindFile<'_>, out: &mut dyn Write) -> io::Result<bool> {
        let measured = self.rewrite((usize::MAX, find), out)?;
        Ok(!measured.is_stopped)
    }

    /// The hash of the references of a document.
    fn references_in(&self, document: &Document) -> u64 {
        let mut references = DefaultHasher::new();
        let options = self.options.for_rewriting();
        document.found_each(&options, &mut |links| {
            for link in links.drain(..).filter(|it| !it.place.is_use()) {
                link.reference.hash(&mut references);
            }
        });
        references.finish()
    }

    /// Rewrites the document. `find` counts the links from this one on.
    fn rewrite(
        &self,
        (counted, find): (usize, &mut FindFile<'_>),
        out: &mut dyn Write,
    ) -> io::Result<Measured> {
        let mut writer = Writer {
            page: self,
            decisions: OfflinePage::empty(
                self.document, self.options.resolver, self.path, self.is_stopped,
            ),
            resolver: self
                .found
                .resolving(self.document.source(), self.options.resolver)
                .unchecked(),
            counted,
            number: 0,
            declared: self.declared.as_ref(),
            references: DefaultHasher::new(),
            edits: Edits {
                old: self.document.bytes(),
                waiting: Vec::new(),
                first: None,
                copied: 0,
                head: Vec::new(),
                out,
                result: Ok(()),
                done: Measured { is_certain: true, ..Measured::default() },
            },
        };
        let options = self.options.for_rewriting();
        let (format, source) = (self.document.format(), self.document.source());
        if self.is_by_tag {
            format.read_by_tag(source, &options, &mut |tag| {
                for link in tag.links {
                    writer.link(link, Some(tag), find);
                }
                ControlFlow::Continue(())
            });
        } else {
            self.document.found_each(&options, &mut |links| {
                links.drain(..).for_each(|link| writer.link(&link, None, find));
            });
        }
        writer.declare(usize::MAX);
        let references = writer.references.finish();
        let (mut measured, head, first) = writer.edits.finish()?;
        let (format, encoding) = (self.document.format(), self.document.charset().encoding());
        measured.keeps_charset = match &self.declared {
            Some(_) => format.charset_declared_in(&head) == Some(encoding),
            None => first.is_none_or(|first| keeps_charset(self.document, first, &head)),
        };
        measured.references = references;
        Ok(measured)
    }
}

/// Decides about the links of a document, and writes them.
struct Writer<'w, 'p> {
    page: &'w LongPage<'p>,
    decisions: OfflinePage<'w>,
    resolver: LinkResolver,
    counted: usize,
    /// The number of the next link.
    number: usize,
    declared: Option<&'w (Span, Vec<u8>)>,
    references: DefaultHasher,
    edits: Edits<'w>,
}

impl Writer<'_, '_> {
    /// Writes a link, of this tag if its links are read tag after tag.
    fn link(
        &mut self,
        link: &ParsedLink<'_>,
        tag: Option<TagLinks<'_, '_>>,
        find: &mut FindFile<'_>,
    ) {
        if self.edits.done.is_stopped || (self.page.is_stopped)() {
            self.edits.done.is_stopped = true;
            return;
        }
        self.declare(link.extent().start);
        let LongPage { document, options, .. } = *self.page;
        let number = self.number;
        self.number += 1;
        let target = self.resolver.target(link);
        self.decisions.references.clear();
        if let Some(uri) = target.uri.filter(|_| link.role != Role::Base) {
            let file = find(uri, link, number >= self.counted);
            let reference = reference_of(self.page.path, link, file);
            self.decisions.references.extend(reference.map(|reference| LocalReference {
                link: link.id(),
                number,
                reference,
            }));
        }
        // A link without a file keeps the attributes next to it.
        let has_file = !self.decisions.references.is_empty();
        let besides = tag.map_or([&[][..]; 2], |tag| [tag.integrity, tag.cors]);
        let of_link = |it: &&AttributeSpan| it.link() == link.id();
        for beside in besides.into_iter().flatten().filter(of_link) {
            let plain = |span: &Span| !holds_escape_sequence(document.source(), *span);
            if let Some(span) = beside.removal.filter(plain).filter(|_| has_file) {
                self.edits.done.is_certain = false;
                self.edits.push(span, &[]);
            }
        }
        let base = target.base.map(|(base, _)| base);
        let decision = self.decisions.map(document, link, &target, base);
        let (edits, references) = (&mut self.edits, &mut self.references);
        let skipped = apply_plan(document, options, link, decision, |written, edit| {
            edits.done.is_certain &= written.is_certain;
            let meant = written.reference.as_deref().unwrap_or(edit.reference);
            if !link.place.is_use() {
                meant.hash(references);
            }
            edits.push(edit.span, edit.new);
        });
        if skipped.is_some() && !link.place.is_use() {
            link.reference.hash(references);
        }
    }

    /// Declares the encoding, if that is before this offset.
    fn declare(&mut self, before: usize) {
        if let Some((span, new)) = self.declared.filter(|it| it.0.end <= before) {
            self.declared = None;
            self.edits.push(*span, new);
            // The declaration is not a link.
            self.edits.done.edits -= 1;
        }
    }
}

/// Returns true if the links of a document can be read tag after tag, with the attributes next to
/// them.
fn reads_by_tag(document: &Document, options: &Options) -> bool {
    let (format, source) = (document.format(), document.source());
    let go_on = &mut |_: TagLinks<'_, '_>| ControlFlow::Continue(());
    format.read_by_tag(source, &options.for_rewriting(), go_on).is_some()
}

/// Returns true if a page may have attributes next to links that have to be removed.
fn may_have_beside(document: &Document) -> bool {
    static BESIDE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("(?i-u)integrity|crossorigin").expect("a regular expression"));
    document.format().is_page() && BESIDE.is_match(document.bytes())
}

/// The edits of a document, in their order: removed attributes may be before the links of their
/// tags.
struct Edits<'e> {
    old: &'e [u8],
    waiting: Vec<(Span, Vec<u8>)>,
    /// The offset of the first edit.
    first: Option<usize>,
    /// The end of the part of the document that is copied.
    copied: usize,
    /// The beginning of the new document.
    head: Vec<u8>,
    out: &'e mut dyn Write,
    result: io::Result<()>,
    done: Measured,
}

impl Edits<'_> {
    fn push(&mut self, span: Span, new: &[u8]) {
        self.done.edits += 1;
        self.waiting.push((span, new.to_vec()));
        if self.waiting.len() >= WAITING {
            self.flush(WAITING / 2);
        }
    }

    /// Writes the edits that wait, except for the last ones.
    fn flush(&mut self, left: usize) {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.sort_by_key(|(span, _)| span.start);
        let ready = waiting.len().saturating_sub(left);
        for (span, new) in waiting.drain(..ready) {
            if span.start < self.copied {
                // An attribute far before its link, in a tag with very many links.
                self.done.edits -= 1;
                continue;
            }
            self.first.get_or_insert(span.start);
            self.write(self.copied..span.start, &new);
            self.copied = span.end;
        }
        self.waiting = waiting;
    }

    /// Writes bytes of the old document, and new ones.
    fn write(&mut self, kept: std::ops::Range<usize>, new: &[u8]) {
        for bytes in [&self.old[kept], new] {
            self.done.len += bytes.len() as u64;
            let room = Charset::PRESCAN.saturating_sub(self.head.len());
            self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
            if self.result.is_ok() {
                self.result = self.out.write_all(bytes);
            }
        }
    }

    /// Returns the measurements, the beginning of the new document, and the offset of the first
    /// edit.
    fn finish(mut self) -> io::Result<(Measured, Vec<u8>, Option<usize>)> {
        self.flush(0);
        self.write(self.copied..self.old.len(), &[]);
        self.result?;
        Ok((self.done, self.head, self.first))
    }
}
