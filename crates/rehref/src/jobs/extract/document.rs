//! The events of one document or message, in a worker thread.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::alternatives::ReportedLinks;
use super::container::Container;
use super::event::{ExtractEvent, ExtractSink};
use super::options::Extract;
use super::rendered::{Flush, Held, Rendered, Worked};
use crate::bytes::Position;
use crate::container::mail::{Batch, MailLines, MailOptions, MessageReader, Part};
use crate::container::warc::Duplicates;
use crate::docs_site::{SiteChoice, SiteKind};
use crate::document::Document;
use crate::error::Warning;
use crate::format::find_each_in_text;
use crate::format::text::{self, words_around};
use crate::format::{Options, UnreadKind};
use crate::fs::{Content, MailReader, WalkEntry, bytes_of_path};
use crate::jobs::input_sites::InputSites;
use crate::jobs::ordered::Turn;
use crate::jobs::unread::{error_of_message, is_mail_by_name, kind_of_content, kind_of_part};
use crate::link::{Context, LinkResolver, MAX_BASE, Note, ParsedLink, Target, unwrapped};
use crate::records::LinkReport;
use crate::source::{Base, BaseFrom};

/// The size of reported links, in bytes, after which a piece of a long document is delivered. So
/// memory does not grow with the links of a long message.
const MAX_PIECE: usize = 128 << 10;

/// The length of a document in bytes from which on its links are reported as they are found, and
/// not held: a megabyte may have 100,000 of 176 bytes each. If it may have a base URL of its own,
/// they are found twice: it may follow them.
const LONG: usize = 1 << 20;

/// The length in bytes from which on the messages of a batch, or a document of a web archive, are
/// worked on in their turn: the links in them may take many times as much memory.
pub(super) const LARGE: usize = 2 << 20;

/// The size of a reported link beside its URL, in bytes.
const LINK_SIZE: usize = 256;

/// Finds the links of documents and renders their events.
pub(super) struct Worker<'e, P> {
    pub(super) extract: &'e Extract,
    /// True if the filter has conditions.
    pub(super) is_filtered: bool,
    /// The documentation sites of the inputs, if they are detected.
    pub(super) sites: InputSites,
    pub(super) sink: &'e ExtractSink<'e, P>,
    pub(super) held: Held,
    /// The records of web archives so far, if later ones with the same content are skipped.
    pub(super) duplicates: Option<Arc<Mutex<Duplicates>>>,
}

impl<'e, P: Default> Worker<'e, P> {
    /// Renders an event.
    pub(super) fn event(&self, event: ExtractEvent<'_>, out: &mut Rendered<P>) {
        out.totals.count(&event);
        if let ExtractEvent::Link(report, _) = &event {
            out.size += LINK_SIZE + report.link.reference.len();
        }
        self.sink.render(event, &mut out.piece);
    }

    /// Delivers a piece of a part of a container: see [`deliver`](Self::deliver).
    pub(super) fn flush(
        &self,
        out: &mut Rendered<P>,
        turn: &mut Turn<'_, Worked<'_, P>>,
        container: &Arc<Container>,
    ) {
        self.deliver(out, turn, |out| Worked::Part(Arc::clone(container), out));
        out.is_over |= container.is_done();
    }

    /// Delivers a piece if its turn has come, or if too many bytes wait.
    pub(super) fn deliver<'w>(
        &self,
        out: &mut Rendered<P>,
        turn: &mut Turn<'_, Worked<'w, P>>,
        worked: impl FnOnce(Rendered<P>) -> Worked<'w, P>,
    ) {
        if turn.has_come() || !self.held.keeps(out.size, out) {
            let flow = turn.pass(worked(std::mem::take(out)));
            out.is_over = flow.is_break();
        }
    }

    /// Reports the bytes of a file that were read.
    pub(super) fn progress(&self, container: &Container, read: u64, out: &mut Rendered<P>) {
        self.event(ExtractEvent::Progress { read, len: container.len }, out);
    }

    /// Renders the events of a file that was read, and sets its name.
    pub(super) fn content(
        &self,
        content: Content,
        found: &WalkEntry,
        name: &mut PathBuf,
        out: &mut Rendered<P>,
        flush: &mut Flush<'_, P>,
    ) {
        let kind = kind_of_content(&found.item, &content, self.extract.inputs.read.format);
        self.unread(found.item.name(), kind, out);
        let (document, error) = match content {
            // The caller reads its parts.
            Content::Package(_) => return,
            Content::Refused(_, error) => return self.event(ExtractEvent::Error(&error), out),
            Content::Binary(_) if is_mail_by_name(found.item.name()) => {
                return self.event(ExtractEvent::BinaryMail(found.item.name()), out);
            }
            // Binary files are expected in directories.
            Content::Binary(_) if found.root.is_none() => {
                let warning = ExtractEvent::Warning(found.item.name(), None, Warning::Binary);
                return self.event(warning, out);
            }
            Content::Binary(_) => return,
            Content::Document(document) => (document, None),
            Content::Damaged(document, error) => (document, Some(error)),
        };
        document.path().clone_into(name);
        // In directories such files are only counted.
        if found.root.is_none() && matches!(kind, Some(UnreadKind::Document(_))) {
            let warning = ExtractEvent::Warning(found.item.name(), None, Warning::NoReader);
            self.event(warning, out);
        }
        let options = &self.options_of(found);
        self.links(&document, options, &mut self.resolver(), |_| true, out, flush);
        if let Some(error) = error {
            self.event(ExtractEvent::Error(&error), out);
        }
    }

    /// Renders that the links of a file of this kind are not read. Renders nothing for `None`.
    pub(super) fn unread(&self, name: &Path, kind: Option<UnreadKind>, out: &mut Rendered<P>) {
        if let Some(kind) = kind {
            self.event(ExtractEvent::Unread(name, kind), out);
        }
    }

    pub(super) fn small_mailbox(&self, mailbox: MailReader, out: &mut Rendered<P>) {
        let name = mailbox.name().clone();
        let options = self.extract.mail_options(&mailbox);
        for batch in mailbox {
            match batch {
                Ok(batch) => self.messages(&batch, &name, &options, out, &mut |_| {}),
                Err(error) => self.event(ExtractEvent::Error(&error), out),
            }
        }
    }

    /// Renders the events of messages. Calls `flush` when a piece is large.
    pub(super) fn messages(
        &self,
        batch: &Batch,
        mailbox: &Arc<Path>,
        options: &MailOptions,
        out: &mut Rendered<P>,
        flush: &mut Flush<'_, P>,
    ) {
        out.mail_lines = (self.extract.file_positions).then(|| MailLines::new(batch));
        let flush = &mut |out: &mut Rendered<P>| {
            let lines = out.mail_lines.take();
            flush(out);
            out.mail_lines = lines;
        };
        let mut reader = MessageReader::new(mailbox, options);
        let mut resolver = self.resolver();
        for message in batch.messages() {
            if self.is_done(out) {
                return;
            }
            self.event(ExtractEvent::Message, out);
            let mut reported = ReportedLinks::default();
            let unread = reader.read(message, |part| {
                self.part(&part, &mut resolver, &mut reported, out, flush);
                Some(part)
            });
            let parts = unread.parts.iter().map(kind_of_part);
            parts.for_each(|kind| self.unread(mailbox, kind, out));
            if unread.is_cut || unread.has_too_many_parts {
                let error = error_of_message(mailbox, options.names, message, unread.is_cut);
                self.event(ExtractEvent::Error(&error), out);
            }
        }
    }

    fn part(
        &self,
        part: &Part,
        resolver: &mut LinkResolver,
        reported: &mut ReportedLinks,
        out: &mut Rendered<P>,
        flush: &mut Flush<'_, P>,
    ) {
        let is_first_only = self.extract.first_alternative_only;
        let alternatives = is_first_only.then(|| part.alternatives.as_slice().into());
        let passes = |report: &LinkReport<'_>| match &alternatives {
            Some(alternatives) => reported.insert(alternatives, report.url_or_reference()),
            None => true,
        };
        let options = &self.extract.options;
        self.links(&part.document, options, resolver, passes, out, flush);
        let name = part.document.path();
        let unread = part.document.format().unread(part.document.source());
        self.unread(name, unread, out);
        if part.is_repaired {
            self.event(ExtractEvent::Warning(name, None, Warning::TransferEncoding), out);
        }
        if part.is_unknown {
            self.event(ExtractEvent::Warning(name, None, Warning::UnknownEncoding), out);
        }
    }

    /// Calls `flush` if a piece is large, unless documents are in one piece.
    fn flush_large(&self, out: &mut Rendered<P>, flush: &mut dyn FnMut(&mut Rendered<P>)) {
        if out.size > MAX_PIECE && !self.extract.whole_documents && !self.is_done(out) {
            flush(out);
            out.size = 0;
        }
    }

    /// Returns true if no more links of a file are wanted.
    pub(super) fn is_done(&self, out: &Rendered<P>) -> bool {
        out.is_over || self.extract.first_link_only && out.totals.links > 0
    }

    /// Renders the links of a document that pass the filter and `passes`. Calls `flush` when a
    /// piece is large.
    pub(super) fn links(
        &self,
        document: &Document,
        options: &Options,
        resolver: &mut LinkResolver,
        passes: impl FnMut(&LinkReport<'_>) -> bool,
        out: &mut Rendered<P>,
        flush: &mut Flush<'_, P>,
    ) {
        self.event(ExtractEvent::Document(document.path()), out);
        match document.format().is_text() {
            true => self.links_of_text(document, resolver, passes, out, flush),
            false => self.links_of_markup(document, options, resolver, passes, out, flush),
        }
        if self.extract.whole_documents {
            self.event(ExtractEvent::DocumentEnd(document), out);
        }
    }

    /// The options for the links of a file.
    fn options_of(&self, found: &WalkEntry) -> Cow<'_, Options> {
        let options = &self.extract.options;
        match self.extract.site {
            SiteChoice::Kind(SiteKind::Plain) => return Cow::Borrowed(options),
            SiteChoice::Kind(kind) => {
                return kind.options_of(&bytes_of_path(found.item.name()), options);
            }
            SiteChoice::Auto => {}
        }
        self.sites.options_of(&found.item, found.root.as_deref(), options)
    }

    /// Like [`links`](Self::links), for a document that is not a text.
    fn links_of_markup(
        &self,
        document: &Document,
        options: &Options,
        resolver: &mut LinkResolver,
        mut passes: impl FnMut(&LinkReport<'_>) -> bool,
        out: &mut Rendered<P>,
        flush: &mut Flush<'_, P>,
    ) {
        let is_long = document.bytes().len() > LONG;
        let is_truncated = document.source().is_truncated();
        let held = (!is_long).then(|| document.found(options));
        let (base, count) = match &held {
            Some(found) => (found.base.clone(), found.links.len()),
            None => document.base_and_count(options, is_truncated),
        };
        let mut lines = document.lines();
        let charset = LazyCell::new(|| document.charset().name());
        resolver.set_document(base.as_ref(), document.base());
        resolver.set_charset(document.charset());
        // Built for the first link: many documents have no links.
        let contexts = LazyCell::new(|| document.contexts(options));
        let mut number = 0;
        let mut each = |link: &ParsedLink<'_>| {
            number += 1;
            if self.is_done(out) {
                return;
            }
            let mut refanged = String::new();
            let mut target = self.target(resolver, link, &mut refanged);
            // The path of a construct is no URL.
            if link.place.is_construct() {
                target.uri = None;
            }
            if is_truncated && number == count {
                target.notes = target.notes.with(Note::Doubtful);
            }
            let mut report = LinkReport {
                document,
                link,
                target,
                position: Position::START,
                context: None,
                unwrapped: None,
            };
            if self.is_wanted(&report) && passes(&report) {
                if self.extract.contexts {
                    report.set_context(contexts.of_link(link));
                }
                let position = || lines.position(link.extent().start);
                self.link(&mut report, position, &charset, out);
            }
            self.flush_large(out, flush);
        };
        let found = match held {
            None => document.found_each(options, &mut |links| {
                links.drain(..).for_each(|link| each(&link));
            }),
            Some(found) => {
                found.links.iter().for_each(each);
                found
            }
        };
        if self.is_done(out) {
            return;
        }
        let malformed = found.malformed;
        let malformed = malformed.map(|offset| document.lines().position(offset));
        self.warnings(document, base.as_ref(), malformed, out);
        if found.guessed {
            let warning = ExtractEvent::Warning(document.path(), None, Warning::Nesting);
            self.event(warning, out);
        }
        if found.is_unbalanced && document.package_part().is_some() {
            let warning = ExtractEvent::Warning(document.path(), None, Warning::Unbalanced);
            self.event(warning, out);
        }
    }

    /// Like [`links`](Self::links), for a text.
    fn links_of_text(
        &self,
        document: &Document,
        resolver: &mut LinkResolver,
        mut passes: impl FnMut(&LinkReport<'_>) -> bool,
        out: &mut Rendered<P>,
        flush: &mut Flush<'_, P>,
    ) {
        let mut lines = document.lines();
        let charset = LazyCell::new(|| document.charset().name());
        let base = document.base();
        resolver.set_document(base, base);
        resolver.set_charset(document.charset());
        let is_truncated = document.source().is_truncated();
        let malformed = find_each_in_text(document.source(), &self.extract.options, |link| {
            if self.is_done(out) {
                return;
            }
            let mut refanged = String::new();
            let mut target = self.target(resolver, &link, &mut refanged);
            if is_truncated && link.extent().end == document.bytes().len() {
                target.notes = target.notes.with(Note::Doubtful);
            }
            let mut report = LinkReport {
                document,
                link: &link,
                target,
                position: Position::START,
                context: None,
                unwrapped: None,
            };
            if self.is_wanted(&report) && passes(&report) {
                let text = self.extract.contexts.then(|| {
                    let encoding = document.charset().encoding();
                    words_around(document.bytes(), link.extent().range(), encoding)
                });
                if let Some(text) = &text {
                    report.set_context(Some(Context::of_text(text.as_deref())));
                }
                let position = || lines.position(link.extent().start);
                self.link(&mut report, position, &charset, out);
            }
            self.flush_large(out, flush);
        });
        let malformed = malformed.map(|offset| document.lines().position(offset));
        if !self.is_done(out) {
            self.warnings(document, base, malformed, out);
        }
    }

    /// A resolver of links, for the document that is set.
    pub(super) fn resolver(&self) -> LinkResolver {
        let Extract { options, diagnostics, .. } = self.extract;
        let resolver = LinkResolver::new(options.resolver, None, None);
        match diagnostics {
            true => resolver,
            false => resolver.unchecked(),
        }
    }

    /// The target of a link. `refanged` holds the URL of a defanged one.
    #[inline]
    pub(super) fn target<'t>(
        &self,
        resolver: &'t mut LinkResolver,
        link: &'t ParsedLink<'_>,
        refanged: &'t mut String,
    ) -> Target<'t> {
        let target = resolver.target(link);
        match self.extract.refang {
            true => refang(target, link, refanged),
            false => target,
        }
    }

    /// Returns true if the link passes the filter.
    #[inline]
    pub(super) fn is_wanted(&self, report: &LinkReport<'_>) -> bool {
        let filter = &self.extract.filter;
        if !self.is_filtered {
            return true;
        }
        // Bytes in memory may have a URL of their own.
        let url = report.document().base().filter(|base| base.from == BaseFrom::Option);
        let site = filter.site.as_deref().or(url.map(|base| base.uri.as_str()));
        filter.passes_within(site, report.link, &report.target)
    }

    /// Renders a link. Counting lines takes time, so `position` is called only if positions are
    /// wanted.
    pub(super) fn link(
        &self,
        report: &mut LinkReport<'_>,
        position: impl FnOnce() -> Position,
        charset: &str,
        out: &mut Rendered<P>,
    ) {
        if self.extract.positions {
            let part = report.document.mail_part();
            report.position = match (&out.mail_lines, part) {
                (Some(lines), Some(part)) => lines.position(part, report.link.extent()),
                _ => position(),
            };
        }
        if !self.extract.unwrap {
            return self.event(ExtractEvent::Link(report, charset), out);
        }
        let inner = report.target.uri.and_then(unwrapped);
        let report = LinkReport { unwrapped: Some(inner.as_deref()), ..*report };
        self.event(ExtractEvent::Link(&report, charset), out);
    }

    /// Renders the warnings about how a document was read.
    pub(super) fn warnings(
        &self,
        document: &Document,
        base: Option<&Base>,
        malformed: Option<Position>,
        out: &mut Rendered<P>,
    ) {
        let name = document.path();
        if malformed.is_some() {
            self.event(ExtractEvent::Warning(name, malformed, Warning::Charset), out);
        }
        if base.is_some_and(|base| base.uri.len() > MAX_BASE) {
            self.event(ExtractEvent::Warning(name, None, Warning::Base), out);
        }
    }
}

/// The target of a link, with the URL of a defanged one in `refanged`.
#[cold]
fn refang<'t>(target: Target<'t>, link: &ParsedLink<'_>, refanged: &'t mut String) -> Target<'t> {
    if !link.notes.contains(Note::Defanged) && !text::is_defanged(&link.reference) {
        return target;
    }
    let completed = link.place.delimiter().map(|it| it.completed(&link.reference));
    *refanged = text::refanged(completed.as_deref().unwrap_or(&link.reference));
    Target { uri: Some(refanged), ..target }
}
