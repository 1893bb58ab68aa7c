//! The record of a link.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::bytes::{Bytes, owned, owned_option};
use super::package::PackageRecord;
use super::report::LinkReport;
use super::web_archive::WebArchiveRecord;
use crate::bytes::Span;
use crate::link::{Context, ParsedLink};
use crate::source::MailPart;

/// A link.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema_names::tagged("link")))]
#[non_exhaustive]
pub struct LinkRecord<'r> {
    /// The name of the document.
    pub doc: Bytes<'r>,
    /// The line of the first byte, from 1.
    pub line: usize,
    /// The column of the first byte, from 1.
    pub col: usize,
    /// The byte ranges of the link in the document, from 0: first byte, byte after the last. `None` in
    /// a compressed object of a PDF file.
    pub spans: Option<Vec<[usize; 2]>>,
    /// The source text of the link.
    pub raw: Cow<'r, str>,
    /// The reference.
    #[cfg_attr(feature = "schema", schemars(rename = "ref"))]
    pub reference: Cow<'r, str>,
    /// The URL, if known.
    pub uri: Option<Cow<'r, str>>,
    /// Other readings of the reference.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub alternatives: Cow<'r, [String]>,
    /// The base URL, if the reference is relative.
    pub base: Option<Cow<'r, str>>,
    /// The origin of the base URL.
    #[cfg_attr(feature = "schema", schemars(with = "Option<super::schema_names::BaseFromName>"))]
    pub base_from: Option<&'static str>,
    /// The syntax around the link: `text`, or the name of a language: `html`, `css`, `xml` or
    /// `header`.
    #[cfg_attr(feature = "schema", schemars(with = "super::schema_names::PlaceName"))]
    pub place: &'static str,
    /// The delimiter in text.
    #[cfg_attr(feature = "schema", schemars(with = "Option<super::schema_names::CueName>"))]
    pub cue: Option<&'static str>,
    /// The element in HTML and XML.
    pub element: Option<Cow<'r, str>>,
    /// The attribute in HTML and XML, or the key in a language of keys and values.
    pub attr: Option<Cow<'r, str>>,
    /// The role of the link.
    #[cfg_attr(feature = "schema", schemars(with = "super::schema_names::RoleName"))]
    pub role: &'static str,
    /// The character encoding of the document.
    pub charset: Cow<'r, str>,
    /// True if the link refers to its own document.
    pub same_document: bool,
    /// Notes on the link.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<super::schema_names::NoteName>"))]
    pub notes: Vec<&'static str>,
    /// The link's context, if contexts are reported: `Some(None)` for a link without one.
    #[cfg_attr(feature = "schema", schemars(skip_serializing_if = "Option::is_none"))]
    pub context: Option<Option<ContextRecord<'r>>>,
    /// The URL that a mail gateway replaced, if such URLs are reported.
    #[cfg_attr(feature = "schema", schemars(skip_serializing_if = "Option::is_none"))]
    pub unwrapped: Option<Option<Cow<'r, str>>>,
    /// The place of the link in mail.
    #[cfg_attr(feature = "schema", schemars(flatten, skip_serializing_if = "Option::is_none"))]
    pub mail: Option<MailRecord<'r>>,
    /// The place of the document in a web archive.
    #[cfg_attr(feature = "schema", schemars(flatten, skip_serializing_if = "Option::is_none"))]
    pub web_archive: Option<WebArchiveRecord<'r>>,
    /// The place of the document in a package.
    #[cfg_attr(feature = "schema", schemars(flatten, skip_serializing_if = "Option::is_none"))]
    pub package: Option<PackageRecord<'r>>,
    /// The fragment of the target, if the document has it elsewhere.
    #[cfg_attr(feature = "schema", schemars(skip_serializing_if = "Option::is_none"))]
    pub fragment: Option<Cow<'r, str>>,
}

/// The place of a link in a mailbox.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct MailRecord<'r> {
    /// The name of the mailbox.
    pub archive: Bytes<'r>,
    /// The number of the message in the file, from 1. If the file is read in slices, the offset of
    /// the message.
    pub message: u64,
    /// The first byte of the message in the mailbox, from 0.
    pub message_offset: u64,
    /// The Message-ID.
    pub message_id: Option<Bytes<'r>>,
    /// The number of the MIME part.
    pub part: Cow<'r, str>,
    /// The name of the header field.
    pub header: Option<Cow<'r, str>>,
    /// The byte ranges of the link in the mailbox, in its transfer encoding.
    pub file_spans: Vec<[u64; 2]>,
    /// The part of the same message that the link refers to.
    pub target_part: Option<Cow<'r, str>>,
}

/// The ranges of spans. `None` without any.
pub(super) fn ranges(spans: &[Span]) -> Option<Vec<[usize; 2]>> {
    let ranges = || spans.iter().map(|span| [span.start, span.end]).collect();
    (!spans.is_empty()).then(ranges)
}

/// Not derived: for the fields of `mail`, serde would write a map, whose keys it does not have as
/// constants. That takes almost twice as long.
impl Serialize for LinkRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self {
            doc,
            line,
            col,
            spans,
            raw,
            reference,
            uri,
            alternatives,
            base,
            base_from,
            place,
            cue,
            element,
            attr,
            role,
            charset,
            same_document,
            notes,
            context,
            unwrapped,
            mail,
            web_archive,
            package,
            fragment,
        } = self;
        let optional =
            [context.is_some(), unwrapped.is_some(), package.is_some(), fragment.is_some()];
        let optional: usize = optional.map(usize::from).iter().sum();
        let of_mail = mail.as_ref().map_or(0, |_| MailRecord::FIELDS);
        let of_archive = (web_archive.as_ref()).map_or(0, |_| WebArchiveRecord::FIELDS);
        let mut record =
            serializer.serialize_struct("link", 19 + optional + of_mail + of_archive)?;
        record.serialize_field("type", "link")?;
        record.serialize_field("doc", doc)?;
        record.serialize_field("line", line)?;
        record.serialize_field("col", col)?;
        record.serialize_field("spans", spans)?;
        record.serialize_field("raw", raw)?;
        record.serialize_field("ref", reference)?;
        record.serialize_field("uri", uri)?;
        record.serialize_field("alternatives", alternatives)?;
        record.serialize_field("base", base)?;
        record.serialize_field("base_from", base_from)?;
        record.serialize_field("place", place)?;
        record.serialize_field("cue", cue)?;
        record.serialize_field("element", element)?;
        record.serialize_field("attr", attr)?;
        record.serialize_field("role", role)?;
        record.serialize_field("charset", charset)?;
        record.serialize_field("same_document", same_document)?;
        record.serialize_field("notes", notes)?;
        match context {
            Some(context) => record.serialize_field("context", context)?,
            None => record.skip_field("context")?,
        }
        match unwrapped {
            Some(unwrapped) => record.serialize_field("unwrapped", unwrapped)?,
            None => record.skip_field("unwrapped")?,
        }
        if let Some(mail) = mail {
            mail.serialize_fields(&mut record)?;
        }
        if let Some(web_archive) = web_archive {
            web_archive.serialize_fields(&mut record)?;
        }
        if let Some(package) = package {
            record.serialize_field("part", &package.part)?;
        }
        match fragment {
            Some(fragment) => record.serialize_field("fragment", fragment)?,
            None => record.skip_field("fragment")?,
        }
        record.end()
    }
}

impl Serialize for MailRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("MailRecord", Self::FIELDS)?;
        self.serialize_fields(&mut record)?;
        record.end()
    }
}

impl MailRecord<'_> {
    const FIELDS: usize = 8;

    /// Serializes the fields as those of another record.
    fn serialize_fields<S: SerializeStruct>(&self, record: &mut S) -> Result<(), S::Error> {
        let Self {
            archive,
            message,
            message_offset,
            message_id,
            part,
            header,
            file_spans,
            target_part,
        } = self;
        record.serialize_field("archive", archive)?;
        record.serialize_field("message", message)?;
        record.serialize_field("message_offset", message_offset)?;
        record.serialize_field("message_id", message_id)?;
        record.serialize_field("part", part)?;
        record.serialize_field("header", header)?;
        record.serialize_field("file_spans", file_spans)?;
        record.serialize_field("target_part", target_part)
    }
}

impl<'r> MailRecord<'r> {
    fn new(part: &'r MailPart, link: &'r ParsedLink<'r>, uri: Option<&str>) -> Self {
        Self {
            archive: Bytes::of_name(&part.archive),
            message: part.message_or_offset(),
            message_offset: part.offset,
            message_id: part.message_id.as_deref().map(Bytes::new),
            part: Cow::Borrowed(&part.part),
            header: link.place.header().map(Cow::Borrowed),
            file_spans: link.spans.iter().map(|&span| part.file_range(span)).collect(),
            target_part: uri.and_then(|uri| part.linked_part(uri)).map(Cow::Borrowed),
        }
    }

    /// Returns the record without a borrow.
    pub fn into_owned(self) -> MailRecord<'static> {
        MailRecord {
            archive: self.archive.into_owned(),
            message: self.message,
            message_offset: self.message_offset,
            message_id: self.message_id.map(Bytes::into_owned),
            part: owned(self.part),
            header: owned_option(self.header),
            file_spans: self.file_spans,
            target_part: owned_option(self.target_part),
        }
    }
}

/// The context of a link.
#[derive(Clone, Debug, Default, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ContextRecord<'r> {
    /// The anchor text; in plain text, the line with the link.
    pub text: Option<Cow<'r, str>>,
    /// The `rel` attribute.
    pub rel: Option<Cow<'r, str>>,
    /// The `title` attribute.
    pub title: Option<Cow<'r, str>>,
    /// The preceding heading.
    pub heading: Option<Cow<'r, str>>,
    /// The `Date` of the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<Cow<'r, str>>,
    /// The sender of the message: `From`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Cow<'r, str>>,
    /// The `Subject` of the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<Cow<'r, str>>,
}

impl ContextRecord<'_> {
    /// Returns the record without a borrow.
    pub fn into_owned(self) -> ContextRecord<'static> {
        ContextRecord {
            text: owned_option(self.text),
            rel: owned_option(self.rel),
            title: owned_option(self.title),
            heading: owned_option(self.heading),
            date: owned_option(self.date),
            from: owned_option(self.from),
            subject: owned_option(self.subject),
        }
    }
}

impl<'r> From<Context<'r>> for ContextRecord<'r> {
    fn from(context: Context<'r>) -> Self {
        Self {
            text: context.text.map(Cow::Borrowed),
            rel: context.rel.map(Cow::Borrowed),
            title: context.title.map(Cow::Borrowed),
            heading: context.heading.map(Cow::Borrowed),
            date: context.date.map(Cow::Borrowed),
            from: context.from.map(Cow::Borrowed),
            subject: context.subject.map(Cow::Borrowed),
        }
    }
}

impl<'r> LinkRecord<'r> {
    /// The record of a link in a document with this character encoding.
    pub fn new(report: &'r LinkReport<'r>, charset: &'r str) -> Self {
        let LinkReport { document, link, target, position, context, unwrapped } = report;
        let notes = report.notes();
        let cue = link.place.cue();
        let markup = link.place.markup();
        let part = document.mail_part();
        Self {
            doc: Bytes::of_name(document.path()),
            line: position.line,
            col: position.column,
            spans: ranges(&link.spans),
            raw: report.raw(),
            reference: Cow::Borrowed(&link.reference),
            uri: target.uri.map(Cow::Borrowed),
            alternatives: Cow::Borrowed(&link.alternatives),
            base: target.base.map(|(base, _)| Cow::Borrowed(base.as_str())),
            base_from: target.base.map(|(_, from)| from.as_str()),
            place: link.place.as_str(),
            cue,
            element: markup.map(|it| Cow::Borrowed(it.element.as_ref())),
            attr: link.place.attribute().map(Cow::Borrowed),
            role: link.role.as_str(),
            charset: Cow::Borrowed(charset),
            same_document: target.same_document,
            notes: notes.iter().map(|note| note.as_str()).collect(),
            context: context.map(|it| it.map(ContextRecord::from)),
            unwrapped: unwrapped.map(|it| it.map(Cow::Borrowed)),
            mail: part.map(|part| MailRecord::new(part, link, target.uri)),
            web_archive: document.archive_record().map(WebArchiveRecord::new),
            package: document
                .package_part()
                .map(|it| PackageRecord { part: it.name.as_str().into() }),
            fragment: markup.and_then(|it| it.fragment.as_deref()).map(Cow::Borrowed),
        }
    }

    /// Returns the record without a borrow.
    pub fn into_owned(self) -> LinkRecord<'static> {
        LinkRecord {
            doc: self.doc.into_owned(),
            line: self.line,
            col: self.col,
            spans: self.spans,
            raw: owned(self.raw),
            reference: owned(self.reference),
            uri: owned_option(self.uri),
            alternatives: Cow::Owned(self.alternatives.into_owned()),
            base: owned_option(self.base),
            base_from: self.base_from,
            place: self.place,
            cue: self.cue,
            element: owned_option(self.element),
            attr: owned_option(self.attr),
            role: self.role,
            charset: owned(self.charset),
            same_document: self.same_document,
            notes: self.notes,
            context: self.context.map(|it| it.map(ContextRecord::into_owned)),
            unwrapped: self.unwrapped.map(owned_option),
            mail: self.mail.map(MailRecord::into_owned),
            web_archive: self.web_archive.map(WebArchiveRecord::into_owned),
            package: self.package.map(PackageRecord::into_owned),
            fragment: owned_option(self.fragment),
        }
    }
}
