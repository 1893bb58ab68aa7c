//! The units of work of a run: files, and the parts of long texts, mailboxes and web archives.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::batches::FileBatch;
use super::container::Container;
use super::document::{LARGE, Worker};
use super::event::ExtractEvent;
use super::long_text::{LongText, Part};
use super::mailbox::Mailbox;
use super::options::Extract;
use super::package;
use super::rendered::{Rendered, Worked};
use super::short::{self, ShortTexts};
use super::web_archive::{Archive, batch_of_records};
use crate::container::mail::{Batch, MailOptions};
use crate::container::warc::{self, Duplicates};
use crate::error::{Error, ErrorKind};
use crate::format::UnreadKind;
use crate::format::text::{TextPart, TextRanges};
use crate::fs::{
    ArchiveRecords, Content, Item, MailRanges, MailReader, Reading, Stream, WalkEntry,
    WebArchiveReader, kind_of,
};
use crate::jobs::inputs::{is_large, turn};
use crate::jobs::ordered::{self, Outcome, Parts, Turn};
use crate::jobs::sink::lock;
use crate::jobs::unread::{kind_of_unreadable, kind_of_unreadable_directory};
use crate::source::Compression;

/// The number of bytes that show how a file is compressed.
const MAGIC: usize = 16;

/// A part of a long text, mailbox or web archive.
pub(super) enum Unit {
    TextBegin(Arc<LongText>),
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
    pub(super) fn of_text<'e>(extract: &Extract, stream: Stream) -> Parts<'e, Self> {
        let (text, parts) = LongText::open(extract, stream);
        let begin = std::iter::once(Self::TextBegin(Arc::clone(&text)));
        let end = std::iter::once(Self::TextEnd(Arc::clone(&text)));
        match text.count() {
            Some(count) => {
                let unit = move |number| Self::Text(Arc::clone(&text), number, Part::Range);
                Parts::listed(begin.chain((0..count).map(unit)).chain(end))
            }
            None => {
                let wanted = Arc::clone(&text);
                let parts = parts.take_while(move |_| !wanted.is_done());
                let unit = move |(number, part): (usize, io::Result<TextPart>)| {
                    Self::Text(Arc::clone(&text), number, Part::Read(part.map(Box::new)))
                };
                Parts::of_stream(begin.chain(parts.enumerate().map(unit)).chain(end))
            }
        }
    }

    /// The parts of a long mailbox.
    pub(super) fn of_mailbox<'e>(
        extract: &Extract,
        input: &Path,
        mailbox: MailReader,
    ) -> Parts<'e, Self> {
        let container = &Container::new(mailbox.name(), input, mailbox.byte_len());
        let options = extract.mail_options(&mailbox);
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
    pub(super) fn of_web_archive<'e>(
        duplicates: Option<Arc<Mutex<Duplicates>>>,
        input: &Path,
        archive: WebArchiveReader,
    ) -> Parts<'e, Self> {
        let container = &Container::new(archive.name(), input, archive.byte_len());
        let of = Arc::clone(container);
        if let Some(duplicates) = duplicates {
            let batches = archive.map(move |batch| {
                let batch = batch.map(|mut batch| {
                    lock(&duplicates).remove_from(&mut batch);
                    batch
                });
                Self::Records(Arc::clone(&of), batch)
            });
            return Parts::of_stream(ended(container, batches));
        }
        let units = archive.archives().flat_map(move |archive| {
            let mut ranges = None;
            let mut batches = None;
            let mut other = None;
            let of = Arc::clone(&of);
            match archive {
                Ok(ArchiveRecords::Ranges(it)) => ranges = Some(Archive::new(&of, it)),
                Ok(ArchiveRecords::Stream(records)) => batches = Some(records),
                Ok(ArchiveRecords::Flaw(batch)) => other = Some(Ok(batch)),
                Err(error) => other = Some(Err(error)),
            }
            let batches = batches.into_iter().flat_map(|records| {
                let archive = Arc::clone(records.archive());
                records.map(move |it| it.map_err(|error| Error::new(&*archive, kind_of(error))))
            });
            let batches = other.into_iter().chain(batches);
            let records = batches.map(move |batch| Self::Records(Arc::clone(&of), batch));
            records.chain(ranges.into_iter().flat_map(Self::of_ranges))
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
            Self::TextBegin(_) | Self::TextEnd(_) | Self::End(_) => 0,
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

/// The work on files and their parts.
pub(super) struct Files<'w, 'e, P>(pub(super) &'w Worker<'e, P>);

impl<'w, 'e, P: Default + Send> ordered::Work<'e> for Files<'w, 'e, P> {
    type File = FileBatch;
    type Part = Unit;
    type Done = Worked<'w, P>;

    /// Reads a file, or a batch of short documents. The events of a batch are one piece, unless one
    /// of its documents is divided.
    fn file(
        &self,
        batch: FileBatch,
        turn: &mut Turn<'_, Worked<'w, P>>,
    ) -> Outcome<'e, Worked<'w, P>, Unit> {
        let mut out = Rendered::default();
        match batch {
            FileBatch::File(found) => {
                if let Some(parts) = self.one_file(found, turn, &mut out) {
                    return Outcome::Parts(parts);
                }
            }
            FileBatch::Memory(batch) => {
                let mut short = ShortTexts::new(self.0);
                for entry in batch {
                    if let (Some(short), Item::Memory(memory)) = (&mut short, &entry.item)
                        && memory.name.as_os_str() == short::NAME
                        && memory.url.is_none()
                    {
                        let flush = &mut |out: &mut Rendered<P>| {
                            self.0.deliver(out, turn, Worked::Piece);
                        };
                        if short.read(self.0, &memory.bytes, &mut out, flush) {
                            continue;
                        }
                    }
                    let parts = self.one_file(Ok(entry), turn, &mut out);
                    for unit in parts.into_iter().flat_map(|it| it.parts) {
                        let before = Worked::Piece(std::mem::take(&mut out));
                        out.is_over = turn.pass(before).is_break() || {
                            let worked = self.part(unit, turn);
                            turn.pass(worked).is_break()
                        };
                        if out.is_over {
                            break;
                        }
                    }
                    if out.is_over || self.0.extract.stop.is_stopped() {
                        break;
                    }
                }
            }
        }
        Outcome::Done(Worked::Piece(out))
    }

    /// Works on a part of a long text, mailbox or web archive.
    fn part(&self, unit: Unit, turn: &mut Turn<'_, Worked<'w, P>>) -> Worked<'w, P> {
        let worker = self.0;
        match unit {
            Unit::TextBegin(text) => Worked::Piece(text.begin(worker)),
            Unit::Text(text, number, part) => text.search(worker, number, part),
            Unit::TextEnd(text) => {
                Worked::InTurn(Box::new(move |_| Worked::Piece(text.finish(worker))))
            }
            Unit::MailRange(mailbox, number) => mailbox.range(worker, number, turn),
            Unit::Messages(container, options, batch) => {
                let mut out = Rendered::default();
                match batch {
                    Err(error) => worker.event(ExtractEvent::Error(&error), &mut out),
                    // The links in a message may take many times its memory.
                    Ok(batch) if batch.byte_len() > LARGE && turn.wait().is_break() => {}
                    Ok(batch) => {
                        let flush =
                            &mut |out: &mut Rendered<P>| worker.flush(out, turn, &container);
                        worker.messages(&batch, &container.name, &options, &mut out, flush);
                        worker.progress(&container, batch.end(), &mut out);
                    }
                }
                Worked::Part(container, out)
            }
            Unit::ArchiveRange(archive, number) => archive.search(worker, number, turn),
            Unit::Records(container, batch) => {
                let mut out = Rendered::default();
                batch_of_records(worker, batch, &container, turn, &mut out);
                Worked::Part(container, out)
            }
            Unit::End(container) => {
                let mut out = Rendered::default();
                worker.event(ExtractEvent::FileEnd(&container.input), &mut out);
                Worked::Piece(out)
            }
        }
    }

    fn size(unit: &Unit) -> usize {
        unit.byte_len()
    }
}

impl<'w, 'e, P: Default + Send> Files<'w, 'e, P> {
    /// Reads a file and renders its events, or divides a long text or a long container. The events
    /// of a long document are delivered in pieces.
    fn one_file(
        &self,
        found: Result<WalkEntry, Error>,
        turn_of_file: &mut Turn<'_, Worked<'w, P>>,
        out: &mut Rendered<P>,
    ) -> Option<Parts<'e, Unit>> {
        let worker = self.0;
        if let Ok(found) = &found
            && lacks_positions(worker, found, out)
        {
            worker.event(ExtractEvent::FileEnd(Path::new("")), out);
            return None;
        }
        let read = &worker.extract.inputs.read;
        let mut large = None;
        // A large document has its turn in the order of the files, and no document waits for a
        // later one.
        let mut may_read = |len: Option<u64>| {
            let may_read = !is_large(len, read) || turn_of_file.wait().is_continue();
            large = turn(len, read);
            may_read
        };
        let found = found.map_err(|error| (kind_of_unreadable_directory(&error), error));
        let reading = found.and_then(|found| {
            let reading = reading(worker.extract, &found.item, &mut may_read);
            let reading = reading.map_err(|error| (kind_of_unreadable(&error), error))?;
            Ok(reading.map(|reading| (reading, found)))
        });
        let reading = reading.transpose()?;
        let mut name = PathBuf::new();
        match reading {
            Err((kind, error)) => {
                worker.event(ExtractEvent::Error(&error), out);
                worker.unread(error.path(), kind, out);
            }
            Ok((Reading::Stream(stream), _)) => {
                return Some(Unit::of_text(worker.extract, stream));
            }
            Ok((Reading::Mail(mailbox), found)) if !mailbox.is_small() => {
                return Some(Unit::of_mailbox(worker.extract, found.item.name(), mailbox));
            }
            Ok((Reading::Mail(mailbox), found)) => {
                name = found.item.name().to_owned();
                worker.small_mailbox(mailbox, out);
            }
            Ok((Reading::WebArchive(archive), found)) => {
                // Which record is the first depends on all before it.
                if worker.duplicates.is_some() && turn_of_file.wait().is_break() {
                    return None;
                }
                let (duplicates, input) = (worker.duplicates.clone(), found.item.name());
                return Some(Unit::of_web_archive(duplicates, input, *archive));
            }
            Ok((Reading::Whole(Content::Package(package)), _)) => {
                package.name().clone_into(&mut name);
                let flush = &mut |out: &mut Rendered<P>| {
                    worker.deliver(out, turn_of_file, Worked::Piece);
                };
                package::parts(worker, &package, out, flush);
            }
            Ok((Reading::Whole(content), found)) => {
                let flush = &mut |out: &mut Rendered<P>| {
                    worker.deliver(out, turn_of_file, Worked::Piece);
                };
                worker.content(content, &found, &mut name, out, flush);
            }
        }
        worker.event(ExtractEvent::FileEnd(&name), out);
        None
    }
}

/// Reports an item whose lines are not those of a file, if those are wanted. In directories,
/// compressed files are expected.
fn lacks_positions<P: Default>(
    worker: &Worker<'_, P>,
    found: &WalkEntry,
    out: &mut Rendered<P>,
) -> bool {
    if !worker.extract.file_positions {
        return false;
    }
    let name = found.item.name();
    let compression = match &found.item {
        Item::Path(_) | Item::Memory(_) | Item::Opened(_) => {
            // Errors are reported when the file is read.
            let head = found.item.head_of_file(MAGIC).unwrap_or_default();
            match Compression::of(&head) {
                Some(compression) => Some(compression),
                None => return false,
            }
        }
        Item::Slice(_) => None,
        Item::Stdin => return false,
    };
    if let Some(compression) = compression.filter(|_| found.root.is_some()) {
        worker.unread(name, UnreadKind::of_compressed(name, compression), out);
        return true;
    }
    let is_compressed = compression.is_some();
    let error = Error::new(name, ErrorKind::NoFilePositions { is_compressed });
    worker.event(ExtractEvent::Error(&error), out);
    true
}

/// Reads an item, or opens it if it is long. Returns `None` if `may_read` is false for the length
/// of an item that is read whole.
fn reading(
    extract: &Extract,
    item: &Item,
    may_read: &mut dyn FnMut(Option<u64>) -> bool,
) -> Result<Option<Reading>, Error> {
    let read = &extract.inputs.read;
    let Some(reading) = read.read_or_open(item, may_read)? else {
        return Ok(None);
    };
    match reading {
        Reading::Mail(mailbox) if extract.file_positions => {
            Ok(Some(Reading::Mail(mailbox.counting_lines())))
        }
        Reading::Stream(stream) if extract.whole_documents => {
            if !may_read(item.byte_len()) {
                return Ok(None);
            }
            stream.whole(read.max_document).map(|it| Some(Reading::Whole(it)))
        }
        Reading::WebArchive(archive) if extract.file_positions => {
            let is_compressed = true;
            let kind = ErrorKind::NoFilePositions { is_compressed };
            Err(Error::new(&**archive.name(), kind))
        }
        reading => Ok(Some(reading)),
    }
}
