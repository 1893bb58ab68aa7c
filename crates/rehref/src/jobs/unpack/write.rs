//! Writing the files of records, in any thread.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::block::{MAX_FILE, RecordBlock};
use super::capture::{BEGINNING, RecordContent, text_of, write_long_body};
use super::options::{MissingLinks, Unpack};
use super::pages::{FileContent, Pages, Unwritten, Written};
use super::pass::RecordWork;
use crate::container::http::{LongBody, ResponseReader};
use crate::container::warc::{RawRecord, RecordHead, target_of};
use crate::error::{Error, ErrorKind};
use crate::fs::{Put, UnpackedTree};
use crate::jobs::sink::lock;
use crate::records::{Bytes, UnpackedFileRecord};
use crate::unpack::captures::{
    Chosen, ChosenFile, LocalPath, Piece, RecordPosition, UrlId, url_key,
};

/// The files that a run writes.
#[derive(Default)]
pub(super) struct WantedFiles {
    /// The URLs whose files are written as their records are read, by these, in order.
    pub(super) now: Vec<(RecordPosition, UrlId)>,
    /// The URLs whose files are written after all others, by the records of their first pieces.
    pub(super) later: Vec<(RecordPosition, UrlId)>,
    /// The pieces of the bodies of these, by their records, in order.
    pieces: Vec<(RecordPosition, UrlId, Piece)>,
}

impl WantedFiles {
    pub(super) fn of(chosen: &Chosen) -> Self {
        let mut wanted = Self::default();
        for (url, file) in chosen.files().filter_map(|url| Some((url, chosen.file(url)?))) {
            let own = Piece { position: file.body, skip: 0, offset: 0, len: u64::MAX };
            let pieces = match file.pieces {
                // Only after all pages is it known whether one has it as a script.
                [] if file.may_be_script => &[own],
                pieces => pieces,
            };
            let list = if pieces.is_empty() { &mut wanted.now } else { &mut wanted.later };
            list.push((file.body, url));
            wanted.pieces.extend(pieces.iter().map(|it| (it.position, url, *it)));
        }
        wanted.now.sort_unstable();
        wanted.later.sort_unstable();
        wanted.pieces.sort_unstable_by_key(|it| (it.0, it.1));
        wanted
    }
}

/// Writes the files of URLs.
pub(super) struct Writer<'c> {
    unpack: &'c Unpack,
    chosen: &'c Chosen,
    wanted: &'c WantedFiles,
    held: Mutex<HeldBodies<'c>>,
    tree: UnpackedTree,
    /// The pages so far.
    pages: Mutex<Pages<'c>>,
}

/// The files of adjacent records, in order.
pub(super) struct WrittenFiles<'c> {
    pub(super) files: Vec<WrittenFile<'c>>,
    /// The errors of reading archives.
    pub(super) errors: Vec<Error>,
    pages: Pages<'c>,
}

/// The file of a URL, or why there is none.
pub(super) struct WrittenFile<'c> {
    /// The record of its body.
    pub(super) position: RecordPosition,
    pub(super) url: UrlId,
    pub(super) result: Result<NewFile<'c>, Error>,
}

/// A file that was written.
pub(super) struct NewFile<'c> {
    pub(super) record: UnpackedFileRecord<'c>,
    /// An error is about a file that exists. Pages refer to it.
    pub(super) put: Result<Put, Error>,
    /// The body exceeds a limit: its rest was left out.
    pub(super) limit: Option<Error>,
    /// The links of the file are not written.
    pub(super) unwritten: Option<Error>,
}

impl<'c> Writer<'c> {
    pub(super) fn new(
        unpack: &'c Unpack,
        chosen: &'c Chosen,
        wanted: &'c WantedFiles,
        tree: &UnpackedTree,
    ) -> Self {
        let pages = Mutex::new(Pages::new(chosen, unpack.missing_links, &unpack.stop));
        Self { unpack, chosen, wanted, held: Mutex::default(), tree: tree.shared(), pages }
    }

    /// Adds what the pages of some files lack, in order.
    pub(super) fn finish(&self, files: WrittenFiles<'c>) {
        lock(&self.pages).add(files.pages);
    }

    /// What the pages lack so far.
    pub(super) fn take_pages(&self) -> Pages<'c> {
        lock(&self.pages).take()
    }

    /// The content of the record at which the body of a file was found in the first pass.
    fn content<'b>(
        raw: &RawRecord<'b>,
        head: &RecordHead<'b>,
        file: &ChosenFile<'_>,
        continues: bool,
        responses: &'b mut ResponseReader,
    ) -> Option<RecordContent<'b>> {
        let target = target_of(head).and_then(|it| url_key(&it));
        let content = RecordContent::read(raw, head, continues, responses);
        content.filter(|_| target.as_deref() == Some(file.body_url))
    }

    /// Writes the file of a URL whose body is in a record. `None` if the run was stopped.
    fn file(
        &self,
        block: &mut RecordBlock<'_>,
        archive: &Path,
        url: UrlId,
        (responses, tree): &mut (ResponseReader, UnpackedTree),
        pages: &mut Pages<'c>,
    ) -> Option<Result<NewFile<'c>, Error>> {
        let file = self.chosen.file(url)?;
        let raw = block.raw;
        let head = raw.fields();
        let continues = block.rest.is_some();
        let Some(content) = Self::content(&raw, &head, &file, continues, responses) else {
            return Some(Err(changed(archive, file.url)));
        };
        let path = pages.path(url);
        let content_type = file.content_type.or(content.content_type.as_deref());
        let (is_long, exceeds_limit) = (content.is_long, content.exceeds_limit);
        let mut long = LongBody::default();
        let new =
            pages.content((url, &file), &path, content_type, (content.body, is_long), &mut |new| {
                match new {
                    FileContent::New(bytes) => tree.put(path.as_str(), bytes),
                    FileContent::Long(write) => tree.put_written(path.as_str(), write),
                    FileContent::Same if is_long => tree.put_written(path.as_str(), &mut |out| {
                        long = write_long_body(block, content.is_response, out)?;
                        Ok(())
                    }),
                    FileContent::Same => tree.put(path.as_str(), content.body),
                }
            });
        let is_over = long.flaws.exceeds_limit || exceeds_limit && !is_long;
        let limit = is_over.then(|| limit_of(&long));
        let source = Source { archive, raw: &raw, head: &head, content_type };
        Some(source.record(&file, &path).finish(new?, limit))
    }

    /// Keeps a piece of the body of a URL, whose file is written after all others.
    fn keep(
        &self,
        block: &mut RecordBlock<'_>,
        archive: &Path,
        (url, piece): (UrlId, Piece),
        (responses, _): &mut (ResponseReader, UnpackedTree),
        pages: &mut Pages<'c>,
    ) -> Result<(), Error> {
        let Some(file) = self.chosen.file(url) else {
            return Ok(());
        };
        let raw = block.raw;
        let head = raw.fields();
        let continues = block.rest.is_some();
        let content = Self::content(&raw, &head, &file, continues, responses);
        let content = content.ok_or_else(|| changed(archive, file.url))?;
        let new = (piece.offset == 0).then(|| {
            let content_type = file.content_type.or(content.content_type.as_deref());
            Source { archive, raw: &raw, head: &head, content_type }.record(&file, &pages.path(url))
        });
        let mut held = lock(&self.held);
        let mut long = LongBody::default();
        let kept = held.keep(&self.tree, (url, piece), &mut |out| {
            match content.is_long {
                true => long = write_long_body(block, content.is_response, out)?,
                false => out.write_all(content.body)?,
            }
            Ok(())
        });
        let body = kept.map_err(|error| {
            let mut name = archive.as_os_str().to_owned();
            name.push(format!("!{}", raw.record_offset));
            Error::new(PathBuf::from(name), ErrorKind::Write(error))
        })?;
        let is_over = long.flaws.exceeds_limit || content.exceeds_limit && !content.is_long;
        if is_over && piece.offset == 0 {
            body.limit = Some(limit_of(&long));
        }
        body.new = body.new.take().or(new);
        Ok(())
    }

    /// Writes the files whose bodies were kept, except those that `failed`. `each` gets them in
    /// order, with `None` if a piece was not found.
    pub(super) fn write_later(
        &self,
        failed: &HashSet<UrlId>,
        tree: &mut UnpackedTree,
        pages: &mut Pages<'c>,
        mut each: impl FnMut((RecordPosition, UrlId), Option<WrittenFile<'c>>),
    ) {
        let mut held = lock(&self.held);
        let wanted = || self.wanted.later.iter().filter(|it| !failed.contains(&it.1)).copied();
        let is_stopped = || self.unpack.stop.is_stopped();
        // These files may have each other as scripts.
        let mut scripts = pages.new_like();
        for (_, url) in wanted().take_while(|_| !is_stopped()) {
            if let Some(mut body) = held.body(url) {
                body.content(self.chosen, &mut scripts, &mut |_, _| Ok(Put::Same));
            }
        }
        pages.add_scripts_of(scripts);
        for (position, url) in wanted() {
            if is_stopped() {
                return;
            }
            let written = held.body(url).and_then(|mut body| {
                let path = pages.path(url);
                let written = body.content(self.chosen, pages, &mut |new, body| match new {
                    FileContent::New(bytes) => tree.put(path.as_str(), bytes),
                    FileContent::Long(write) => tree.put_written(path.as_str(), write),
                    FileContent::Same => {
                        tree.put_written(path.as_str(), &mut |out| body.copy_to(out))
                    }
                })?;
                Some(body.body.new.take()?.finish(written, body.body.limit.take()))
            });
            let written = written.map(|result| WrittenFile { position, url, result });
            each((position, url), written);
        }
    }
}

/// The record with the body of a file.
struct Source<'s, 'r> {
    archive: &'s Path,
    raw: &'s RawRecord<'r>,
    head: &'s RecordHead<'r>,
    content_type: Option<&'s str>,
}

impl Source<'_, '_> {
    /// The file at this path, before it is written.
    fn record<'c>(&self, file: &ChosenFile<'c>, path: &LocalPath) -> UnwrittenFile<'c> {
        let mut name = self.archive.as_os_str().to_owned();
        name.push(format!("!{}", self.raw.record_offset));
        let mut record = UnpackedFileRecord {
            uri: file.url.into(),
            path: path.as_str().to_owned().into(),
            archive: Bytes::of_name(self.archive).into_owned(),
            record_offset: self.raw.record_offset,
            member_offset: self.raw.member_offset,
            record_id: text_of(self.head.record_id.as_ref()).map(Into::into),
            status: file.status,
            date: text_of(self.head.date.as_ref()).map(Into::into),
            content_type: self.content_type.map(|it| it.to_owned().into()),
            edits: 0,
            truncated: file.is_truncated,
        };
        if let Some(own) = file.revisit {
            record.archive = Bytes::of_name(&own.archive);
            record.record_offset = own.record_offset;
            record.member_offset = own.member_offset;
            record.record_id = own.record_id.as_deref().map(Into::into);
            record.date = own.date.as_deref().map(Into::into);
        }
        UnwrittenFile { record, name: name.into() }
    }
}

/// A file before it is written.
struct UnwrittenFile<'c> {
    record: UnpackedFileRecord<'c>,
    /// The name of the record with its body.
    name: PathBuf,
}

impl<'c> UnwrittenFile<'c> {
    /// The file after it was written. `limit` is the limit that the body exceeds.
    fn finish(mut self, written: Written, limit: Option<String>) -> Result<NewFile<'c>, Error> {
        let Written { put, edits, unwritten } = written;
        let url = self.record.uri.clone();
        let message = |problem| Error::new(&self.name, ErrorKind::WebArchive { problem });
        let limit =
            limit.map(|limit| message(format!("the body of {url} {limit}: the rest was left out")));
        let unwritten =
            unwritten.map(|Unwritten { why }| message(format!("{url} keeps its links: {why}")));
        let put = match put {
            // The file of an earlier run, which was edited since. Pages refer to it.
            Err(error) if matches!(error.kind(), ErrorKind::AlreadyExists) => Err(error),
            Err(error) => return Err(error),
            Ok(put) => Ok(put),
        };
        self.record.edits = edits;
        Ok(NewFile { record: self.record, put, limit, unwritten })
    }
}

/// The bodies that are kept, in one file.
#[derive(Default)]
struct HeldBodies<'c> {
    file: Option<File>,
    bodies: HashMap<UrlId, HeldBody<'c>>,
}

/// The pieces of a body that are kept.
#[derive(Default)]
struct HeldBody<'c> {
    /// The offset of each in the body, and its bytes in the file.
    pieces: Vec<(u64, Range<u64>)>,
    /// From the record with the first piece.
    new: Option<UnwrittenFile<'c>>,
    /// The limit that the body exceeds.
    limit: Option<String>,
}

impl<'c> HeldBodies<'c> {
    /// Keeps a piece of a body that `write` writes.
    fn keep(
        &mut self,
        tree: &UnpackedTree,
        (url, piece): (UrlId, Piece),
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<&mut HeldBody<'c>> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tree.scratch()?),
        };
        let start = file.seek(SeekFrom::End(0))?;
        let mut out = Window { file, skip: piece.skip, left: piece.len };
        write(&mut out)?;
        let bytes = start..start + (piece.len - out.left);
        let body = self.bodies.entry(url).or_default();
        body.pieces.push((piece.offset, bytes));
        Ok(body)
    }

    /// The body of a URL with all of its pieces.
    fn body(&mut self, url: UrlId) -> Option<KeptBody<'_, 'c>> {
        let body = self.bodies.get_mut(&url)?;
        body.pieces.sort_by_key(|it| it.0);
        let mut end = 0;
        for (offset, bytes) in &body.pieces {
            // A piece is missing.
            if *offset != end {
                return None;
            }
            end += bytes.end - bytes.start;
        }
        Some(KeptBody { url, file: self.file.as_mut()?, body, len: end })
    }
}

/// A body with all of its pieces.
struct KeptBody<'h, 'c> {
    url: UrlId,
    file: &'h mut File,
    body: &'h mut HeldBody<'c>,
    len: u64,
}

impl<'c> KeptBody<'_, 'c> {
    /// Makes the content of the file, which `put` writes. `None` if the run was stopped, or if the
    /// archive changed.
    fn content(
        &mut self,
        chosen: &'c Chosen,
        pages: &mut Pages<'c>,
        put: &mut dyn FnMut(FileContent<'_>, &mut Self) -> Result<Put, Error>,
    ) -> Option<Written> {
        let file = chosen.file(self.url)?;
        let wanted: u64 = file.pieces.iter().map(|it| it.len).sum();
        if self.len < wanted {
            return None;
        }
        let is_long = self.len > ResponseReader::MAX_BODY as u64;
        let most = if is_long { BEGINNING } else { ResponseReader::MAX_BODY };
        let mut beginning = Beginning { bytes: Vec::new(), most };
        let content_type = self.body.new.as_ref()?.record.content_type.clone();
        let path = pages.path(self.url);
        if let Err(error) = self.copy_to(&mut beginning) {
            let put = Err(Error::new(path.as_str(), ErrorKind::Read(error)));
            return Some(Written { put, edits: 0, unwritten: None });
        }
        let content_type = match pages.is_script(self.url) {
            true => Some(as_script(content_type.as_deref()).into()),
            false => content_type,
        };
        let body = (&*beginning.bytes, is_long);
        let place = (self.url, &file);
        pages.content(place, &path, content_type.as_deref(), body, &mut |new| put(new, self))
    }

    /// Writes the body.
    fn copy_to(&mut self, out: &mut dyn Write) -> io::Result<()> {
        for (_, bytes) in &self.body.pieces {
            self.file.seek(SeekFrom::Start(bytes.start))?;
            let mut piece = (&mut *self.file).take(bytes.end - bytes.start);
            io::copy(&mut piece, out)?;
        }
        Ok(())
    }
}

/// The media type of a script that has the one of a page. A browser ignores it, except for the
/// charset.
fn as_script(content_type: Option<&str>) -> String {
    match content_type.and_then(|it| it.split_once(';')) {
        Some((_, parameters)) => format!("text/javascript;{parameters}"),
        None => "text/javascript".to_owned(),
    }
}

/// Keeps the beginning of what it gets.
struct Beginning {
    bytes: Vec<u8>,
    most: usize,
}

impl Write for Beginning {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = (self.most - self.bytes.len()).min(bytes.len());
        self.bytes.extend_from_slice(&bytes[..room]);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a part of what it gets.
struct Window<'f> {
    file: &'f mut File,
    skip: u64,
    left: u64,
}

impl Write for Window<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let skipped = usize::try_from(self.skip).unwrap_or(usize::MAX).min(bytes.len());
        self.skip -= skipped as u64;
        let wanted = &bytes[skipped..];
        let room = usize::try_from(self.left).unwrap_or(usize::MAX);
        let wanted = &wanted[..wanted.len().min(room)];
        self.file.write_all(wanted)?;
        self.left -= wanted.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'c> RecordWork for Writer<'c> {
    type State = (ResponseReader, UnpackedTree);
    type Results = WrittenFiles<'c>;

    fn state(&self) -> Self::State {
        (ResponseReader::new(), self.tree.shared())
    }

    fn begin(&self) -> WrittenFiles<'c> {
        let mut pages = lock(&self.pages);
        // The first link to a missing file decides its name, for all pages after it.
        let pages = match self.unpack.missing_links {
            MissingLinks::Local => pages.take(),
            MissingLinks::Absolute => pages.new_like(),
        };
        WrittenFiles { files: Vec::new(), errors: Vec::new(), pages }
    }

    fn record(
        &self,
        mut block: RecordBlock<'_>,
        archive: &Arc<Path>,
        position: RecordPosition,
        (state, results): (&mut Self::State, &mut WrittenFiles<'c>),
    ) {
        let wanted = &self.wanted.now;
        let first = wanted.partition_point(|it| it.0 < position);
        for (_, url) in wanted[first..].iter().take_while(|it| it.0 == position) {
            if self.unpack.stop.is_stopped() {
                return;
            }
            let result = self.file(&mut block, archive, *url, state, &mut results.pages);
            let Some(result) = result else { continue };
            results.files.push(WrittenFile { position, url: *url, result });
        }
        let pieces = &self.wanted.pieces;
        let first = pieces.partition_point(|it| it.0 < position);
        for (_, url, piece) in pieces[first..].iter().take_while(|it| it.0 == position) {
            let kept = self.keep(&mut block, archive, (*url, *piece), state, &mut results.pages);
            if let Err(error) = kept {
                results.files.push(WrittenFile { position, url: *url, result: Err(error) });
            }
        }
    }

    /// The first pass reports what is wrong with archives, unless they cannot be read any more.
    fn message(&self, error: Error, _: bool, results: &mut WrittenFiles<'c>) {
        if matches!(error.kind(), ErrorKind::Read(_)) {
            results.errors.push(error);
        }
    }
}

/// The limit that a body exceeds.
fn limit_of(body: &LongBody) -> String {
    match body.len >= MAX_FILE {
        true => format!("has more than {} MiB", MAX_FILE >> 20),
        false => format!(
            "has more than {} times its stored length, or its coding a window of more than 8 MiB",
            ResponseReader::MAX_RATIO,
        ),
    }
}

/// An archive that changed between the two passes, so that a URL has no file.
pub(super) fn changed(archive: &Path, url: &str) -> Error {
    let problem = format!("changed during the run: the record of {url} was not found");
    Error::new(archive, ErrorKind::WebArchive { problem })
}
