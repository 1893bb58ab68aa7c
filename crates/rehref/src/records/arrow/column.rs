//! The columns: their names, their types and the sources of their values.

use std::borrow::Cow;

use arrow_array::ArrayRef;
use arrow_array::types::{Int16Type, Int64Type};
use arrow_schema::{DataType, Field};
use smallvec::SmallVec;

use super::cells::{Contexts, Flags, Numbers, SpanLists, TextLists, Texts};
use crate::link::Context;
use crate::records::LinkReport;
use crate::source::{ArchiveRecord, MailPart};

/// A link, and the character encoding of its document.
#[derive(Clone, Copy)]
pub(super) struct Row<'r> {
    pub(super) report: &'r LinkReport<'r>,
    pub(super) charset: &'r str,
}

impl<'r> Row<'r> {
    fn mail(self) -> Option<&'r MailPart> {
        self.report.document.mail_part()
    }

    fn web_archive(self) -> Option<&'r ArchiveRecord> {
        self.report.document.archive_record()
    }

    fn part(self) -> Option<&'r str> {
        let of_package = self.report.document.package_part().map(|it| &*it.name);
        of_package.or_else(|| Some(&self.mail()?.part))
    }

    fn archive(self) -> Option<Cow<'r, str>> {
        let web_archive = self.web_archive().map(|it| &it.archive);
        let archive = web_archive.or(self.mail().map(|it| &it.archive));
        archive.map(|it| it.to_string_lossy())
    }

    fn target_part(self) -> Option<&'r str> {
        self.mail()?.linked_part(self.report.target.uri?)
    }

    fn spans(self) -> Spans {
        let spans = self.report.link.spans.iter();
        spans.map(|span| [span.start, span.end].map(|it| it as i64)).collect()
    }

    fn file_spans(self) -> Option<Spans> {
        let part = self.mail()?;
        let spans = self.report.link.spans.iter();
        let in_file = spans.map(|&span| part.file_range(span).map(|it| it as i64));
        Some(in_file.collect())
    }
}

type Text = for<'r> fn(Row<'r>) -> Option<Cow<'r, str>>;
type List = for<'r> fn(Row<'r>) -> SmallVec<[&'r str; 4]>;
type Number<N> = fn(Row<'_>) -> Option<N>;
type Spans = SmallVec<[[i64; 2]; 2]>;

/// The source of the values of a column.
#[derive(Clone, Copy)]
enum Kind {
    Text(Text),
    List(List),
    Long(Number<i64>),
    Short(Number<i16>),
    Flag(fn(Row<'_>) -> bool),
    Spans(fn(Row<'_>) -> Option<Spans>),
    Context(for<'r> fn(Row<'r>) -> Option<Context<'r>>),
}

/// A name in lower case.
fn lower_case(name: &str) -> Cow<'_, str> {
    match name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(name.to_ascii_lowercase()),
        false => Cow::Borrowed(name),
    }
}

/// A column of links.
pub(super) struct Column {
    pub(super) name: &'static str,
    kind: Kind,
}

impl Column {
    /// All columns, in order.
    pub(super) const ALL: &'static [Self] = &[
        Self::text("archive", |it| it.archive()),
        Self::long("record_offset", |it| Some(it.web_archive()?.record_offset as i64)),
        Self::long("member_offset", |it| Some(it.web_archive()?.member_offset as i64)),
        Self::text("record_id", |it| it.web_archive()?.record_id.as_deref().map(Cow::Borrowed)),
        Self::text("doc", |it| Some(it.report.document.path().to_string_lossy())),
        Self::text("retrieved", |it| it.web_archive()?.retrieved.as_deref().map(Cow::Borrowed)),
        Self::new("status", Kind::Short(|it| i16::try_from(it.web_archive()?.status?).ok())),
        Self::text("date", |it| it.web_archive()?.date.as_deref().map(Cow::Borrowed)),
        Self::text("record_type", |it| Some(Cow::Borrowed(&it.web_archive()?.record_type))),
        Self::text("content_type", |it| {
            it.web_archive()?.content_type.as_deref().map(Cow::Borrowed)
        }),
        Self::long("message", |it| Some(it.mail()?.message_or_offset() as i64)),
        Self::long("message_offset", |it| Some(it.mail()?.offset as i64)),
        Self::text("message_id", |it| {
            Some(String::from_utf8_lossy(it.mail()?.message_id.as_deref()?))
        }),
        Self::text("part", |it| it.part().map(Cow::Borrowed)),
        Self::text("header", |it| {
            it.mail()?;
            it.report.link.place.header().map(Cow::Borrowed)
        }),
        Self::long("line", |it| Some(it.report.line() as i64)),
        Self::long("col", |it| Some(it.report.column() as i64)),
        Self::new("spans", Kind::Spans(|it| Some(it.spans()).filter(|it| !it.is_empty()))),
        Self::new("file_spans", Kind::Spans(|it| it.file_spans())),
        Self::text("raw", |it| Some(it.report.raw())),
        Self::text("ref", |it| Some(Cow::Borrowed(it.report.reference()))),
        Self::text("uri", |it| it.report.url().map(Cow::Borrowed)),
        Self::text("scheme", |it| it.report.scheme().map(lower_case)),
        Self::text("host", |it| it.report.host().map(Cow::Borrowed)),
        Self::new(
            "alternatives",
            Kind::List(|it| it.report.alternatives().iter().map(|it| &**it).collect()),
        ),
        Self::text("unwrapped", |it| it.report.unwrapped().map(Cow::Borrowed)),
        Self::text("fragment", |it| {
            it.report.place().markup()?.fragment.as_deref().map(Cow::Borrowed)
        }),
        Self::text("target_part", |it| it.target_part().map(Cow::Borrowed)),
        Self::text("base", |it| Some(Cow::Borrowed(it.report.base()?.0))),
        Self::text("base_from", |it| Some(Cow::Borrowed(it.report.base()?.1.as_str()))),
        Self::text("place", |it| Some(Cow::Borrowed(it.report.place().as_str()))),
        Self::text("cue", |it| it.report.place().cue().map(Cow::Borrowed)),
        Self::text("element", |it| {
            let markup = it.report.place().markup()?;
            Some(Cow::Borrowed(markup.element.as_ref()))
        }),
        Self::text("attr", |it| it.report.place().attribute().map(Cow::Borrowed)),
        Self::text("role", |it| Some(Cow::Borrowed(it.report.role().as_str()))),
        Self::text("charset", |it| Some(Cow::Borrowed(it.charset))),
        Self::new("same_document", Kind::Flag(|it| it.report.is_same_document())),
        Self::new(
            "notes",
            Kind::List(|it| it.report.notes().iter().map(|it| it.as_str()).collect()),
        ),
        Self::new("context", Kind::Context(|it| it.report.context())),
    ];

    const fn new(name: &'static str, kind: Kind) -> Self {
        Self { name, kind }
    }

    const fn text(name: &'static str, text: Text) -> Self {
        Self::new(name, Kind::Text(text))
    }

    const fn long(name: &'static str, number: Number<i64>) -> Self {
        Self::new(name, Kind::Long(number))
    }

    /// The column with this name.
    pub(super) fn of_name(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|column| column.name == name)
    }

    /// The field of a schema. All are nullable: readers may then add rows of other sources.
    pub(super) fn field(&self) -> Field {
        let data_type = match self.kind {
            Kind::Text(_) => Texts::TYPE,
            Kind::List(_) => TextLists::data_type(),
            Kind::Long(_) => DataType::Int64,
            Kind::Short(_) => DataType::Int16,
            Kind::Flag(_) => DataType::Boolean,
            Kind::Spans(_) => SpanLists::data_type(),
            Kind::Context(_) => Contexts::data_type(),
        };
        Field::new(self.name, data_type, true)
    }

    /// The column without values.
    pub(super) fn cells(&self) -> Cells {
        match self.kind {
            Kind::Text(value) => Cells::Text(value, Texts::default()),
            Kind::List(value) => Cells::List(value, TextLists::default()),
            Kind::Long(value) => Cells::Long(value, Numbers::default()),
            Kind::Short(value) => Cells::Short(value, Numbers::default()),
            Kind::Flag(value) => Cells::Flag(value, Flags::default()),
            Kind::Spans(value) => Cells::Spans(value, SpanLists::default()),
            Kind::Context(value) => Cells::Context(value, Box::default()),
        }
    }
}

/// The values of a column, with their source.
#[derive(Debug)]
pub(super) enum Cells {
    Text(Text, Texts),
    List(List, TextLists),
    Long(Number<i64>, Numbers<Int64Type>),
    Short(Number<i16>, Numbers<Int16Type>),
    Flag(fn(Row<'_>) -> bool, Flags),
    Spans(fn(Row<'_>) -> Option<Spans>, SpanLists),
    Context(for<'r> fn(Row<'r>) -> Option<Context<'r>>, Box<Contexts>),
}

impl Cells {
    /// Adds the value for a link. Returns its size in bytes.
    #[inline]
    pub(super) fn push(&mut self, row: Row<'_>) -> usize {
        match self {
            Self::Text(value, cells) => cells.push(value(row).as_deref()),
            Self::List(value, cells) => cells.push(&value(row)),
            Self::Long(value, cells) => cells.push(value(row)),
            Self::Short(value, cells) => cells.push(value(row)),
            Self::Flag(value, cells) => cells.push(value(row)),
            Self::Spans(value, cells) => cells.push(value(row).as_deref()),
            Self::Context(value, cells) => cells.push(value(row)),
        }
    }

    /// Adds the values of the same column in later rows.
    pub(super) fn append(&mut self, later: Self) {
        match (self, later) {
            (Self::Text(_, cells), Self::Text(_, later)) => cells.append(later),
            (Self::List(_, cells), Self::List(_, later)) => cells.append(later),
            (Self::Long(_, cells), Self::Long(_, later)) => cells.append(later),
            (Self::Short(_, cells), Self::Short(_, later)) => cells.append(later),
            (Self::Flag(_, cells), Self::Flag(_, later)) => cells.append(later),
            (Self::Spans(_, cells), Self::Spans(_, later)) => cells.append(later),
            (Self::Context(_, cells), Self::Context(_, later)) => cells.append(*later),
            _ => unreachable!("a column has one type"),
        }
    }

    pub(super) fn finish(self) -> ArrayRef {
        match self {
            Self::Text(_, cells) => cells.finish(),
            Self::List(_, cells) => cells.finish(),
            Self::Long(_, cells) => cells.finish(),
            Self::Short(_, cells) => cells.finish(),
            Self::Flag(_, cells) => cells.finish(),
            Self::Spans(_, cells) => cells.finish(),
            Self::Context(_, cells) => cells.finish(),
        }
    }
}
