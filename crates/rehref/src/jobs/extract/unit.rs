//! The division of long texts, mailboxes and web archives.

use std::sync::Arc;

use super::container::Container;
use super::document::Worker;
use super::long_text::{LongText, Part};
use super::mailbox::Mailbox;
use super::web_archive::Archive;
use crate::container::mail::{Batch, MailOptions};
use crate::container::warc;
use crate::error::Error;
use crate::format::text::{TextRanges, TextStream};
use crate::fs::{MailRanges, MailReader, SomeRecords, Stream, WebArchiveReader};
use crate::jobs::ordered::Parts;
use crate::jobs::sink::lock;

/// A part of a long text, mailbox or web archive.
pub(super) enum Unit {
    TextBegin(Arc<LongText>, Box<TextStream>),
    Text(Arc<LongText>, usize, Part),
    TextEnd(Arc<LongText>),
    /// A range of a mailbox in a file.
    MailRange(Arc<Mailbox>, u64),
    /// Messages of a stream.
    Messages(Arc<Container>, Arc<MailOptions>, Result<Batch, Error>),
    /// A range of an archive in a file.
    ArchiveRange(Arc<Archive>, u64),
    /// Records of a stream.
    Records(Arc<Container>, Result<warc::Batch, Error>),
    End(Arc<Container>),
}

impl Unit {
    /// The parts of a text.
    pub(super) fn of_text<'e, P: Default>(
        worker: &Worker<'e, P>,
        stream: Stream,
    ) -> Parts<'e, Self> {
        let (text, parts) = LongText::open(worker.extract, stream);
        let begin = Self::TextBegin(Arc::clone(&text), Box::new(parts.stream()));
        let begin = std::iter::once(begin);
        let end = std::iter::once(Self::TextEnd(Arc::clone(&text)));
        match text.count() {
            Some(count) => {
                let unit = move |number| Self::Text(Arc::clone(&text), number, Part::Range);
                Parts::listed(begin.chain((0..count).map(unit)).chain(end))
            }
            None => {
                let wanted = Arc::clone(&text);
                let parts = parts.take_while(move |_| !wanted.is_done());
                let unit =
                    move |(number, part)| Self::Text(Arc::clone(&text), number, Part::Read(part));
                Parts::of_stream(begin.chain(parts.enumerate().map(unit)).chain(end))
            }
        }
    }

    /// The parts of a long mailbox.
    pub(super) fn of_mailbox<'e, P: Default>(
        worker: &Worker<'e, P>,
        mailbox: MailReader,
    ) -> Parts<'e, Self> {
        let container = &Container::new(mailbox.name(), mailbox.byte_len());
        let options = worker.extract.mail_options(&mailbox);
        match mailbox.ranges() {
            Some(ranges) => {
                let numbers = 0..ranges.count();
                let mailbox = Mailbox::new(container, options, ranges);
                let range = move |number| Self::MailRange(Arc::clone(&mailbox), number);
                Parts::listed(ended(container, numbers.map(range)))
            }
            None => {
                let (options, of) = (Arc::new(options), Arc::clone(container));
                let unit =
                    move |batch| Self::Messages(Arc::clone(&of), Arc::clone(&options), batch);
                Parts::of_stream(ended(container, mailbox.map(unit)))
            }
        }
    }

    /// The parts of a web archive.
    pub(super) fn of_web_archive<'e, P: Default>(
        worker: &Worker<'e, P>,
        archive: WebArchiveReader,
    ) -> Parts<'e, Self> {
        let container = &Container::new(archive.name(), archive.byte_len());
        let of = Arc::clone(container);
        if let Some(duplicates) = worker.duplicates.clone() {
            let batches = archive.map(move |batch| {
                let batch = batch.map(|mut batch| {
                    lock(&duplicates).remove_from(&mut batch);
                    batch
                });
                Self::Records(Arc::clone(&of), batch)
            });
            return Parts::of_stream(ended(container, batches));
        }
        if let Some(ranges) = archive.ranges() {
            let archive = Archive::new(container, ranges);
            return Parts::listed(ended(container, Self::of_ranges(archive)));
        }
        let units = archive.in_ranges().flat_map(move |records| {
            let (batch, archive) = match records {
                Ok(SomeRecords::Ranges(ranges)) => (None, Some(Archive::new(&of, ranges))),
                Ok(SomeRecords::Batch(batch)) => (Some(Ok(batch)), None),
                Err(error) => (Some(Err(error)), None),
            };
            let of = Arc::clone(&of);
            let batch = batch.map(|batch| Self::Records(of, batch));
            batch.into_iter().chain(archive.into_iter().flat_map(Self::of_ranges))
        });
        Parts::of_stream(ended(container, units))
    }

    /// The ranges of an archive.
    fn of_ranges(archive: Arc<Archive>) -> impl Iterator<Item = Self> {
        (0..archive.count()).map(move |number| Self::ArchiveRange(Arc::clone(&archive), number))
    }

    /// The number of bytes that it holds until its results are taken.
    pub(super) fn byte_len(&self) -> usize {
        match self {
            Self::Text(_, _, Part::Read(part)) => part.as_ref().map_or(0, |it| it.byte_len()),
            Self::Text(_, _, Part::Range) => TextRanges::DISTANCE,
            Self::MailRange(..) => MailRanges::DISTANCE as usize,
            Self::Messages(_, _, batch) => batch.as_ref().map_or(0, Batch::byte_len),
            // The records are inflated one after another.
            Self::ArchiveRange(..) => 1 << 20,
            Self::Records(_, batch) => batch.as_ref().map_or(0, warc::Batch::byte_len),
            Self::TextBegin(..) | Self::TextEnd(_) | Self::End(_) => 0,
        }
    }
}

/// These units, while links are wanted, and the end of the file.
fn ended<I: Iterator<Item = Unit>>(
    container: &Arc<Container>,
    units: I,
) -> impl Iterator<Item = Unit> + use<I> {
    let (wanted, end) = (Arc::clone(container), Arc::clone(container));
    let units = units.take_while(move |_| !wanted.is_done());
    units.chain(std::iter::once(Unit::End(end)))
}
