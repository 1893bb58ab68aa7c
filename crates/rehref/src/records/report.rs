//! A link with its target, its position and its context.

use std::borrow::Cow;

use crate::bytes::{Position, Span};
use crate::document::Document;
use crate::link::{Context, Note, Notes, ParsedLink, Place, Role, Target};
use crate::source::BaseFrom;
use crate::uri::Parts;

/// A link with its target, its position and its context, as [`Extract`](crate::jobs::Extract)
/// reports it.
///
/// It has the properties of a [`Link`](crate::Link), also for a link of a stream, whose document is
/// never in memory as a whole.
#[derive(Clone, Debug)]
pub struct LinkReport<'r> {
    pub(crate) document: &'r Document,
    pub(crate) link: &'r ParsedLink<'r>,
    pub(crate) target: Target<'r>,
    pub(crate) position: Position,
    /// `Some(None)` for a link without a context.
    pub(crate) context: Option<Option<Context<'r>>>,
    /// `Some(None)` for a link without a gateway.
    pub(crate) unwrapped: Option<Option<&'r str>>,
}

impl<'r> LinkReport<'r> {
    /// A link without context.
    pub fn new(
        document: &'r Document,
        link: &'r ParsedLink<'r>,
        target: Target<'r>,
        position: Position,
    ) -> Self {
        Self { document, link, target, position, context: None, unwrapped: None }
    }

    /// Sets the context, and in a message its fields.
    pub(crate) fn set_context(&mut self, context: Option<Context<'r>>) {
        let fields = self.document.mail_part().and_then(|it| it.message_fields.as_deref());
        self.context = Some(match fields {
            Some(fields) => Some(context.unwrap_or_default().in_message(fields)),
            None => context,
        });
    }

    /// The document. Of a long text, its [bytes](Document::bytes) are only the beginning.
    pub fn document(&self) -> &'r Document {
        self.document
    }

    /// The reference, decoded: see [`Link::reference`](crate::Link::reference).
    pub fn reference(&self) -> &'r str {
        &self.link.reference
    }

    /// The reference as the document spells it: see [`Link::raw`](crate::Link::raw).
    pub fn raw(&self) -> Cow<'r, str> {
        self.document.raw(self.link)
    }

    /// The absolute URL. `None` if the base URL is unknown, and for references that the profile
    /// gives no URL.
    pub fn url(&self) -> Option<&'r str> {
        self.target.uri
    }

    /// The absolute URL if available, else the reference.
    pub fn url_or_reference(&self) -> &'r str {
        self.target.uri.unwrap_or(&self.link.reference)
    }

    /// The scheme of the absolute URL, as written.
    pub fn scheme(&self) -> Option<&'r str> {
        Parts::split(self.target.uri?).scheme
    }

    /// The host of the link, as written: that of the absolute URL, or of a reference such as
    /// `//a.example/x`, whose scheme may be unknown (RFC 3986, 4.2). `None` if it has none.
    pub fn host(&self) -> Option<&'r str> {
        Parts::split(self.url_or_reference()).host()
    }

    /// The base URL of a relative reference, and its origin.
    pub fn base(&self) -> Option<(&'r str, BaseFrom)> {
        let (base, from) = self.target.base?;
        Some((base.as_str(), from))
    }

    /// Returns true if the reference refers to the document that contains it, under the profile.
    pub fn is_same_document(&self) -> bool {
        self.target.same_document
    }

    /// The bytes of the document that spell the link: see [`Link::spans`](crate::Link::spans).
    pub fn spans(&self) -> &'r [Span] {
        &self.link.spans
    }

    /// The offset of the first byte, counted from 0.
    pub fn offset(&self) -> usize {
        self.link.extent().start
    }

    /// The line, counted from 1. It is 1 if the run has no
    /// [positions](crate::jobs::Extract::positions).
    pub fn line(&self) -> usize {
        self.position.line
    }

    /// The column in bytes, counted from 1. It is 1 if the run has no
    /// [positions](crate::jobs::Extract::positions).
    pub fn column(&self) -> usize {
        self.position.column
    }

    /// The place of the link: in text, in an attribute of markup, in a style sheet, or in a header.
    pub fn place(&self) -> &'r Place {
        &self.link.place
    }

    /// The purpose of the link.
    pub fn role(&self) -> Role {
        self.link.role
    }

    /// Notes on how the link was read and resolved.
    pub fn notes(&self) -> Notes {
        let mut notes = self.target.notes;
        if self.document.mail_part().is_some_and(|it| it.covers()) {
            notes = notes.with(Note::Covering);
        }
        if self.document.archive_record().is_some_and(|it| it.is_truncated) {
            notes = notes.with(Note::Truncated);
        }
        notes
    }

    /// Other readings of the reference, if a line break makes it ambiguous.
    pub fn alternatives(&self) -> &'r [String] {
        &self.link.alternatives
    }

    /// The context, if the run reports [contexts](crate::jobs::Extract::contexts) and the link has
    /// one: in HTML, Markdown, plain text and mail.
    pub fn context(&self) -> Option<Context<'r>> {
        self.context.flatten()
    }

    /// The URL that a mail gateway replaced, if the run [decodes](crate::jobs::Extract::unwrap)
    /// such URLs.
    pub fn unwrapped(&self) -> Option<&'r str> {
        self.unwrapped.flatten()
    }
}
