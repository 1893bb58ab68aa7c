//! Links as they are found, with their fields in groups.

use std::borrow::Cow;
use std::ffi::OsString;
use std::ops::Range;
use std::sync::Arc;

use rehref::link::{Notes, Role};
use rehref::records::LinkReport;
use rehref::uri::Parts;

use crate::lazy::{Lazy, Maker};
use crate::link::{Link, LinkFields};
use crate::name::Name;
use crate::units::{Characters, Unit};

/// Links of one document in the order in which they were found, with the same base URL.
#[derive(Debug)]
struct Group {
    doc: OsString,
    charset: Name,
    unit: Unit,
    base: Option<(String, &'static str)>,
    /// The texts of the links, one after another.
    text: String,
    links: Vec<Compact>,
}

/// A link of a group.
#[derive(Debug)]
struct Compact {
    line: usize,
    col: usize,
    span: (usize, usize),
    raw: Range<u32>,
    reference: Range<u32>,
    uri: Option<Range<u32>>,
    place: &'static str,
    cue: Option<&'static str>,
    element: Option<Cow<'static, str>>,
    attr: Option<Cow<'static, str>>,
    role: Role,
    same_document: bool,
    notes: Notes,
}

/// The size from which on the texts of a group are in another one.
const MAX_TEXT: usize = 1 << 30;

/// The number of links that a document with several probably has, and the length of usual ones.
const MANY: usize = 100;
const USUAL: usize = 64;

impl Group {
    /// An empty group for a link and those like it.
    fn new(report: &LinkReport<'_>, charset: &str, unit: Unit) -> Self {
        Self {
            doc: report.document().path().as_os_str().to_owned(),
            charset: Name::of(charset),
            unit,
            base: report.base().map(|(base, from)| (base.to_owned(), from.as_str())),
            text: String::with_capacity(report.reference().len()),
            links: Vec::with_capacity(1),
        }
    }

    /// Returns true if a link of this document belongs into the group.
    fn takes(&self, report: &LinkReport<'_>, charset: &str, unit: Unit) -> bool {
        let base = self.base.as_ref().map(|(base, from)| (&**base, *from));
        self.text.len() < MAX_TEXT
            && base == report.base().map(|(base, from)| (base, from.as_str()))
            && self.unit == unit
            && self.charset.is(charset)
            && self.doc == report.document().path().as_os_str()
    }

    fn push(&mut self, report: &LinkReport<'_>, text: Option<&Characters<'_>>) {
        if self.links.len() == 1 {
            // Most documents have one link or many.
            self.links.reserve(MANY);
            self.text.reserve(MANY * report.reference().len().min(USUAL));
        }
        let reference = self.add(report.reference());
        // Most references are spelled as they are.
        let span = report.spans().first().map_or(0..0, |it| it.range());
        let spelled = report.document().bytes().get(span);
        let raw = match self.charset.is("utf-8") && spelled == Some(report.reference().as_bytes()) {
            true => reference.clone(),
            false => self.add_or(&report.raw(), &reference),
        };
        let uri = report.url().map(|uri| self.add_or(uri, &reference));
        let place = report.place();
        let markup = place.markup();
        let (col, span) = Characters::column_and_span(report, text);
        self.links.push(Compact {
            line: report.line(),
            col,
            span,
            raw,
            reference,
            uri,
            place: place.as_str(),
            cue: place.cue(),
            element: markup.map(|it| it.element.clone()),
            attr: match markup {
                Some(markup) => Some(markup.attribute.clone()),
                None => place.attribute().map(|it| Cow::Owned(it.to_owned())),
            },
            role: report.role(),
            same_document: report.is_same_document(),
            notes: report.notes(),
        });
    }

    /// Adds a text. Returns its range.
    fn add(&mut self, text: &str) -> Range<u32> {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        start..self.text.len() as u32
    }

    /// Adds a text, unless the last one is the same.
    fn add_or(&mut self, text: &str, last: &Range<u32>) -> Range<u32> {
        match text == self.text(last) {
            true => last.clone(),
            false => self.add(text),
        }
    }

    fn text(&self, range: &Range<u32>) -> &str {
        &self.text[range.start as usize..range.end as usize]
    }
}

impl Maker<LinkFields> for Group {
    fn fields(&self, number: usize) -> LinkFields {
        let link = &self.links[number];
        let reference = self.text(&link.reference);
        let uri = link.uri.as_ref().map(|it| self.text(it));
        LinkFields {
            doc: self.doc.clone(),
            line: link.line,
            col: link.col,
            spans: vec![link.span],
            unit: self.unit.name(),
            raw: self.text(&link.raw).to_owned(),
            r#ref: reference.to_owned(),
            host: Parts::split(uri.unwrap_or(reference)).host().map(str::to_owned),
            uri: uri.map(str::to_owned),
            base: self.base.as_ref().map(|(base, _)| base.clone()),
            base_from: self.base.as_ref().map(|(_, from)| Name::new(from)),
            place: Name::new(link.place),
            cue: link.cue.map(Name::new),
            element: link.element.clone().map(Cow::into_owned),
            attr: link.attr.clone().map(Cow::into_owned),
            role: Name::new(link.role.as_str()),
            charset: self.charset.clone(),
            same_document: link.same_document,
            notes: link.notes.iter().map(|note| Name::new(note.as_str())).collect(),
            ..LinkFields::default()
        }
    }
}

/// Links as they are found.
#[derive(Default)]
pub(crate) struct FoundLinks {
    links: Vec<Link>,
    /// The links after `links`.
    group: Option<Group>,
}

impl FoundLinks {
    /// Adds a link of a run. `text` counts the characters of the given text, if the input is a text.
    pub(crate) fn push(
        &mut self,
        report: &LinkReport<'_>,
        charset: &str,
        text: Option<&Characters<'_>>,
    ) {
        if Link::has_rare_fields(report) {
            self.end_group();
            self.links.push(Link::new(report, charset, text));
            return;
        }
        let unit = Unit::of(text);
        if !self.group.as_ref().is_some_and(|it| it.takes(report, charset, unit)) {
            self.end_group();
        }
        self.group.get_or_insert_with(|| Group::new(report, charset, unit)).push(report, text);
    }

    fn end_group(&mut self) {
        let Some(group) = self.group.take() else {
            return;
        };
        let numbers = 0..group.links.len() as u32;
        let group: Arc<dyn Maker<LinkFields>> = Arc::new(group);
        let link = |number| Link::from(Lazy::made_by(Arc::clone(&group), number));
        self.links.extend(numbers.map(link));
    }

    pub(crate) fn append(&mut self, other: Self) {
        self.end_group();
        self.links.append(&mut other.into_links());
    }

    pub(crate) fn into_links(mut self) -> Vec<Link> {
        self.end_group();
        self.links
    }
}
