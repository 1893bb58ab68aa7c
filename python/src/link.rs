//! Links as plain objects.

use std::borrow::Cow;
use std::ffi::OsString;

use rehref::records::{Bytes, LinkRecord, LinkReport};

use crate::lazy::Lazy;
use crate::name::Name;
use crate::plain_class::plain_class;
use crate::units::{Characters, Unit};

plain_class! {
    /// A link: where it is, how it is written, and its URL. It is immutable, hashable, and can be
    /// pickled.
    ///
    /// The fields are those of the JSON records of the command, and `host` and `unit`.
    Link(LinkFields in Lazy<LinkFields>) {
        /// The name of the document: a path, that of a part (`list.mbox!3!1.2`), or `-`.
        doc: OsString = OsString::from("-"),
        /// The line of the first character, from 1.
        line: usize = 1,
        /// The column of the first character, from 1, in `unit`.
        col: usize = 1,
        /// The ranges `(start, end)` of the document that spell the link, from 0, in `unit`. More
        /// than one if it was rejoined, none in a compressed object of a PDF file.
        spans: Vec<(usize, usize)> = Vec::new(),
        /// The unit of `spans` and `col`: `bytes` of the document, or `code points` of the `str`
        /// that was given.
        unit: Name = Unit::Bytes.name(),
        /// The characters under the spans.
        raw: String = String::new(),
        /// The reference, decoded: without character references, escapes and white space.
        r#ref: String = String::new(),
        /// The absolute URL. `None` if the base is unknown.
        uri: Option<String> = None,
        /// The host of the URL, as written.
        host: Option<String> = None,
        /// Other readings of the reference.
        alternatives: Vec<String> = Vec::new(),
        /// The base URL, if the reference is relative.
        base: Option<String> = None,
        /// The origin of the base URL.
        base_from: Option<Name> = None,
        /// The syntax around the link: `text`, or the name of a language.
        place: Name = Name::new("text"),
        /// The delimiter in text.
        cue: Option<Name> = None,
        /// The element in HTML and XML.
        element: Option<String> = None,
        /// The attribute in HTML and XML, or the key in a language of keys and values.
        attr: Option<String> = None,
        /// The role of the link.
        role: Name = Name::new("navigate"),
        /// The character encoding of the document.
        charset: Name = Name::new("utf-8"),
        /// True if the link refers to its own document.
        same_document: bool = false,
        /// Notes on the link.
        notes: Vec<Name> = Vec::new(),
        /// With the option `context`: the anchor text; in plain text, the line with the link.
        text: Option<String> = None,
        /// With the option `context`: the `rel` attribute.
        rel: Option<String> = None,
        /// With the option `context`: the `title` attribute.
        title: Option<String> = None,
        /// With the option `context`: the preceding heading.
        heading: Option<String> = None,
        /// With the option `context`: the sender of the message (`From`).
        sender: Option<String> = None,
        /// With the option `context`: the `Subject` of the message.
        subject: Option<String> = None,
        /// With the option `unwrap`: the URL that a mail gateway replaced.
        unwrapped: Option<String> = None,
        /// The name of the mailbox or web archive.
        archive: Option<OsString> = None,
        /// The number of the message in the file, from 1. In a slice, the offset.
        message: Option<u64> = None,
        /// The first byte of the message in the mailbox, from 0.
        message_offset: Option<u64> = None,
        /// The Message-ID.
        message_id: Option<String> = None,
        /// The number of the MIME part, or the name of the part of a document of an office or a book.
        part: Option<String> = None,
        /// The fragment of the target, if a document of an office has it elsewhere.
        fragment: Option<String> = None,
        /// The name of the header field.
        header: Option<String> = None,
        /// The byte ranges of the link in the mailbox.
        file_spans: Vec<(u64, u64)> = Vec::new(),
        /// The part of the same message that the link refers to.
        target_part: Option<String> = None,
        /// The first byte in the archive of the gzip member, zstd frame or uncompressed record,
        /// from 0.
        record_offset: Option<u64> = None,
        /// The first byte of the record in the inflated member or frame, from 0.
        member_offset: Option<u64> = None,
        /// The ID of the record.
        record_id: Option<String> = None,
        /// The URL that the document was retrieved from.
        retrieved: Option<String> = None,
        /// The status code of the HTTP response.
        status: Option<u16> = None,
        /// The date of the record; with the option `context`, the `Date` of the message.
        date: Option<String> = None,
        /// The type of the record.
        record_type: Option<String> = None,
        /// The `Content-Type` of the HTTP response, or of the record.
        content_type: Option<String> = None,
    }
}

impl From<Lazy<LinkFields>> for Link {
    fn from(lazy: Lazy<LinkFields>) -> Self {
        Self(lazy)
    }
}

impl Link {
    /// Returns true if a link has fields that few links have: those of mail, web archives and
    /// options, more than one span or reading.
    pub(crate) fn has_rare_fields(report: &LinkReport<'_>) -> bool {
        let document = report.document();
        document.mail_part().is_some()
            || document.archive_record().is_some()
            || report.context().is_some()
            || report.unwrapped().is_some()
            || report.spans().len() != 1
            || !report.alternatives().is_empty()
    }

    /// A link of a run. `text` counts the characters of the given text, if the input is a text.
    pub(crate) fn new(
        report: &LinkReport<'_>,
        charset: &str,
        text: Option<&Characters<'_>>,
    ) -> Self {
        let record = LinkRecord::new(report, charset);
        let (mail, archive, package) = (record.mail, record.web_archive, record.package);
        let is_part = mail.is_some() || archive.is_some() || package.is_some();
        let characters = text.filter(|_| !is_part);
        let convert = |offset: usize| characters.map_or(offset, |it| it.before(offset));
        let (col, _) = Characters::column_and_span(report, characters);
        let context = record.context.flatten().unwrap_or_default();
        let of_mail = mail.as_ref();
        let of_archive = archive.as_ref();
        let owned = |text: &Option<Cow<'_, str>>| text.as_deref().map(str::to_owned);
        Self::from(LinkFields {
            doc: report.document().path().as_os_str().to_owned(),
            line: record.line,
            col,
            spans: (record.spans.iter().flatten())
                .map(|&[start, end]| (convert(start), convert(end)))
                .collect(),
            unit: Unit::of(characters).name(),
            raw: record.raw.into_owned(),
            r#ref: record.reference.into_owned(),
            host: host_of(report),
            uri: record.uri.map(Cow::into_owned),
            alternatives: record.alternatives.into_owned(),
            base: record.base.map(Cow::into_owned),
            base_from: record.base_from.map(Name::new),
            place: Name::new(record.place),
            cue: record.cue.map(Name::new),
            element: record.element.map(Cow::into_owned),
            attr: record.attr.map(Cow::into_owned),
            role: Name::new(record.role),
            charset: Name::of(&record.charset),
            same_document: record.same_document,
            notes: record.notes.into_iter().map(Name::new).collect(),
            text: context.text.map(Cow::into_owned),
            rel: context.rel.map(Cow::into_owned),
            title: context.title.map(Cow::into_owned),
            heading: context.heading.map(Cow::into_owned),
            sender: context.from.map(Cow::into_owned),
            subject: context.subject.map(Cow::into_owned),
            unwrapped: record.unwrapped.flatten().map(Cow::into_owned),
            archive: match (report.document().mail_part(), report.document().archive_record()) {
                (Some(part), _) => Some(part.archive.as_os_str().to_owned()),
                (None, Some(record)) => Some(record.archive.as_os_str().to_owned()),
                (None, None) => None,
            },
            message: of_mail.map(|it| it.message),
            message_offset: of_mail.map(|it| it.message_offset),
            message_id: of_mail.and_then(|it| it.message_id.as_ref()).map(lossy),
            part: match package {
                Some(package) => Some(package.part.into_owned()),
                None => of_mail.map(|it| it.part.clone().into_owned()),
            },
            fragment: record.fragment.map(Cow::into_owned),
            header: of_mail.and_then(|it| owned(&it.header)),
            file_spans: of_mail.map_or_else(Vec::new, |it| {
                it.file_spans.iter().map(|&[start, end]| (start, end)).collect()
            }),
            target_part: of_mail.and_then(|it| owned(&it.target_part)),
            record_offset: of_archive.map(|it| it.record_offset),
            member_offset: of_archive.map(|it| it.member_offset),
            record_id: of_archive.and_then(|it| owned(&it.record_id)),
            retrieved: of_archive.and_then(|it| owned(&it.retrieved)),
            status: of_archive.and_then(|it| it.status),
            date: of_archive.and_then(|it| owned(&it.date)).or(context.date.map(Cow::into_owned)),
            record_type: of_archive.map(|it| it.record_type.clone().into_owned()),
            content_type: of_archive.and_then(|it| owned(&it.content_type)),
        })
    }
}

/// The host of a link. That of a relative reference without a base may be in it (RFC 3986, 4.2).
fn host_of(report: &LinkReport<'_>) -> Option<String> {
    report.host().map(str::to_owned)
}

/// Converts bytes to text, with U+FFFD for bytes that are not UTF-8.
fn lossy(bytes: &Bytes<'_>) -> String {
    String::from_utf8_lossy(&bytes.0).into_owned()
}
