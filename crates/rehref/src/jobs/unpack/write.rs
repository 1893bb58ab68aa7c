//! Writing the files of records, in any thread.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::block::{MAX_FILE, RecordBlock};
use super::capture::{RecordContent, text_of, write_long_body};
use super::options::{MissingLinks, Unpack};
use super::pages::{FileContent, Pages, Unwritten, Written};
use super::pass::RecordWork;
use crate::container::http::{LongBody, ResponseReader};
use crate::container::warc::target_of;
use crate::error::{Error, ErrorKind};
use crate::fs::{Put, UnpackedTree};
use crate::jobs::sink::lock;
use crate::records::{Bytes, UnpackedFileRecord};
use crate::unpack::captures::{Chosen, RecordPosition, UrlId, url_key};

/// Writes the files of URLs.
pub(super) struct Writer<'c> {
    unpack: &'c Unpack,
    chosen: &'c Chosen,
    /// The URLs by the records of their bodies, in order.
    wanted: &'c [(RecordPosition, UrlId)],
    tree: UnpackedTree,
    /// The pages so far.
    pages: Mutex<Pages<'c>>,
}

/// The files of adjacent records, in order.
pub(super) struct WrittenFiles<'c> {
    pub(super) files: Vec<WrittenFile<'c>>,
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
        wanted: &'c [(RecordPosition, UrlId)],
        tree: &UnpackedTree,
    ) -> Self {
        let pages = Mutex::new(Pages::new(chosen, unpack.missing_links, &unpack.stop));
        Self { unpack, chosen, wanted, tree: tree.shared(), pages }
    }

    /// Adds what the pages of some files lack, in order.
    pub(super) fn finish(&self, files: WrittenFiles<'c>) {
        lock(&self.pages).add(files.pages);
    }

    /// All pages.
    pub(super) fn into_pages(self) -> Pages<'c> {
        self.pages.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
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
        let chosen = self.chosen;
        let file = chosen.file(url)?;
        let raw = block.raw;
        let head = raw.fields();
        let target = target_of(&head).and_then(|it| url_key(&it));
        let is_same = target.as_deref() == Some(file.body_url);
        let continues = block.rest.is_some();
        let content = RecordContent::read(&raw, &head, continues, responses);
        let Some(content) = content.filter(|_| is_same) else {
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
        let Written { put, edits, unwritten } = new?;
        let message = |problem| {
            let mut name = archive.as_os_str().to_owned();
            name.push(format!("!{}", raw.record_offset));
            Error::new(PathBuf::from(name), ErrorKind::WebArchive { problem })
        };
        let is_over = long.flaws.exceeds_limit || exceeds_limit && !is_long;
        let limit = is_over.then(|| {
            let limit = limit_of(&long);
            message(format!("the body of {} {limit}: the rest was left out", file.url))
        });
        let unwritten = unwritten
            .map(|Unwritten { why }| message(format!("{} keeps its links: {why}", file.url)));
        let put = match put {
            // The file of an earlier run, which was edited since. Pages refer to it.
            Err(error) if matches!(error.kind(), ErrorKind::AlreadyExists) => Err(error),
            Err(error) => return Some(Err(error)),
            Ok(put) => Ok(put),
        };
        let mut record = UnpackedFileRecord {
            uri: file.url.into(),
            path: path.as_str().to_owned().into(),
            archive: Bytes::of_name(archive).into_owned(),
            record_offset: raw.record_offset,
            member_offset: raw.member_offset,
            record_id: text_of(head.record_id.as_ref()).map(Into::into),
            status: file.status,
            date: text_of(head.date.as_ref()).map(Into::into),
            content_type: content_type.map(|it| it.to_owned().into()),
            edits,
            truncated: file.is_truncated,
        };
        if let Some(own) = file.revisit {
            record.archive = Bytes::of_name(&own.archive);
            record.record_offset = own.record_offset;
            record.member_offset = own.member_offset;
            record.record_id = own.record_id.as_deref().map(Into::into);
            record.date = own.date.as_deref().map(Into::into);
        }
        Some(Ok(NewFile { record, put, limit, unwritten }))
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
        WrittenFiles { files: Vec::new(), pages }
    }

    fn record(
        &self,
        mut block: RecordBlock<'_>,
        archive: &Arc<Path>,
        position: RecordPosition,
        (state, results): (&mut Self::State, &mut WrittenFiles<'c>),
    ) {
        let first = self.wanted.partition_point(|it| it.0 < position);
        for (_, url) in self.wanted[first..].iter().take_while(|it| it.0 == position) {
            if self.unpack.stop.is_stopped() {
                return;
            }
            let result = self.file(&mut block, archive, *url, state, &mut results.pages);
            let Some(result) = result else { continue };
            results.files.push(WrittenFile { position, url: *url, result });
        }
    }

    /// The first pass reports what is wrong.
    fn message(&self, _: Error, _: bool, _: &mut WrittenFiles<'c>) {}
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
