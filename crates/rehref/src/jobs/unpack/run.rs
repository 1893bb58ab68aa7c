//! Runs: an index of the archives, then their files.

use std::collections::HashSet;
use std::path::Path;

use super::capture::{Indexer, RecordContent, text_of, write_long_body};
use super::event::{UnpackEvent, UnpackReport};
use super::options::Unpack;
use super::pages::{FileContent, Pages, Written};
use super::pass::{MAX_FILE, Passed, RecordBlock, check, pass};
use super::run_files::RunFiles;
use crate::container::http::{LongBody, ResponseReader};
use crate::container::warc::target_of;
use crate::error::{Error, ErrorKind};
use crate::fs::UnpackedTree;
use crate::records::{Bytes, MissingRecord, RedirectRecord, UnpackedFileRecord};
use crate::unpack::captures::{Chosen, Found, Lack, RecordPosition, UrlId, url_key};

impl Unpack {
    /// Unpacks the archives and calls `each` with the events. Uses one thread. The archives are
    /// read in the order of their paths.
    ///
    /// # Errors
    /// If the directory cannot be created or written. Errors of archives and of single files are
    /// events.
    pub fn for_each(&self, each: impl FnMut(UnpackEvent<'_>)) -> Result<UnpackReport, Error> {
        // Of captures with the same date the last one is chosen, whatever order a user names the
        // archives in.
        let mut run = self.clone();
        run.archives.sort();
        run.archives.dedup();
        run.in_order(each)
    }

    fn in_order(&self, mut each: impl FnMut(UnpackEvent<'_>)) -> Result<UnpackReport, Error> {
        check(&self.archives)?;
        // A directory that cannot be written is an error before the archives are read.
        let looked = UnpackedTree::look(&self.directory, self.replaces_files)?;
        let mut report = UnpackReport::default();
        let mut indexer = Indexer::new();
        let mut has_records = false;
        pass(&self.archives, &self.stop, |passed| match passed {
            Passed::Record(mut block, archive, position) => {
                has_records = true;
                if let Some(warning) = indexer.add(&mut block, archive, position) {
                    each(UnpackEvent::Warning(&warning));
                }
            }
            Passed::Error(error) => {
                report.summary.errors += 1;
                each(UnpackEvent::Error(error));
            }
            Passed::Warning(error) => each(UnpackEvent::Warning(error)),
        });
        if self.stop.is_stopped() {
            report.interrupted = true;
            return Ok(report);
        }
        // Without a record, nothing is created.
        let mut tree = match self.dry_run || !has_records {
            true => looked,
            false => UnpackedTree::create(&self.directory, self.replaces_files)?,
        };
        report.summary.left_out.scheme = indexer.others;
        let captures = indexer.into_captures();
        let has_captures = !captures.is_empty();
        let chosen = Chosen::new(captures, &self.choice);
        let mut run = Run {
            each: &mut each,
            report,
            start: chosen.start(),
            files: RunFiles::new(&tree)?,
            unwritten: HashSet::new(),
        };
        self.write(&chosen, &mut tree, &mut run);
        run.report.interrupted = self.stop.is_stopped();
        if !run.report.interrupted {
            let summary = run.report.summary.clone();
            run.files.record(&summary);
            run.files.persist(&tree, has_captures)?;
        }
        Ok(run.report)
    }

    /// Writes the files, and reports them, the redirects and what is missing.
    fn write(&self, chosen: &Chosen, tree: &mut UnpackedTree, run: &mut Run<'_>) {
        let files = chosen.files();
        let mut wanted: Vec<(RecordPosition, UrlId)> =
            files.filter_map(|url| Some((chosen.file(url)?.body, url))).collect();
        wanted.sort_unstable();
        (run.each)(UnpackEvent::Writing(wanted.len()));
        let mut wanted = wanted.into_iter().peekable();
        let mut pages = Pages::new(chosen, self.missing_links, &self.stop);
        let mut responses = ResponseReader::new();
        pass(&self.archives, &self.stop, |passed| {
            // The first pass reports what is wrong.
            let Passed::Record(mut block, archive, position) = passed else {
                return;
            };
            while let Some((lost, url)) = wanted.next_if(|it| it.0 < position) {
                self.lose(chosen, (lost, url), run);
            }
            let is_here = |it: &(RecordPosition, UrlId)| it.0 == position;
            while let Some((_, url)) = wanted.next_if(is_here) {
                if self.stop.is_stopped() {
                    return;
                }
                run.file(&mut block, archive, (chosen, url), (&mut pages, &mut responses), tree);
            }
        });
        if self.stop.is_stopped() {
            return;
        }
        for (lost, url) in wanted {
            self.lose(chosen, (lost, url), run);
        }
        for redirect in chosen.redirects() {
            let record = RedirectRecord {
                uri: redirect.url.into(),
                to: redirect.to.into(),
                status: redirect.status,
                why: redirect.lack.map(Lack::as_str),
            };
            run.files.record(&record);
            (run.each)(UnpackEvent::Redirect(&record));
            run.report.summary.redirects += 1;
            run.report.summary.left_out.redirect += usize::from(redirect.lack.is_some());
            if let Some(url) = written(chosen, &run.unwritten, redirect.url) {
                run.files.map(redirect.url, pages.path(url).as_str());
            }
        }
        let mut missing_urls = 0;
        for (url, missing) in pages.missing.iter() {
            missing_urls += 1;
            let record = MissingRecord {
                uri: url.into(),
                count: missing.count,
                from: chosen.url(missing.from).into(),
                why: missing.why.as_str(),
            };
            run.files.record(&record);
            (run.each)(UnpackEvent::Missing(&record));
        }
        let unlisted = pages.missing.others();
        if unlisted > 0 {
            missing_urls += unlisted;
            let problem =
                format!("{unlisted} missing URLs are not listed: together they are too long");
            let warning = Error::new(&self.directory, ErrorKind::WebArchive { problem });
            (run.each)(UnpackEvent::Warning(&warning));
        }
        let Run { files, unwritten, .. } = run;
        files.keep_earlier(tree, |url| written(chosen, unwritten, url).is_some());
        let summary = &mut run.report.summary;
        for lack in chosen.lacks() {
            *match lack {
                Lack::Method => &mut summary.left_out.method,
                Lack::Revisit => &mut summary.left_out.revisit,
                _ => &mut summary.left_out.status,
            } += 1;
        }
        summary.missing = missing_urls;
        summary.remote = pages.counts.remote;
        summary.policies = pages.counts.policies;
        summary.modules = pages.counts.modules;
        summary.scripted = pages.counts.scripted;
    }

    /// Reports that the second pass did not find the record of a URL.
    fn lose(&self, chosen: &Chosen, lost: (RecordPosition, UrlId), run: &mut Run<'_>) {
        let (position, url) = lost;
        let archive = self.archives.get(position.archive as usize);
        let archive = archive.map_or(Path::new(""), |it| it);
        run.fail(url, &changed(archive, chosen.url(url)));
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
fn changed(archive: &Path, url: &str) -> Error {
    let problem = format!("changed during the run: the record of {url} was not found");
    Error::new(archive, ErrorKind::WebArchive { problem })
}

struct Run<'r> {
    each: &'r mut dyn FnMut(UnpackEvent<'_>),
    report: UnpackReport,
    /// The page to open first.
    start: Option<UrlId>,
    files: RunFiles,
    /// The URLs whose files could not be written.
    unwritten: HashSet<UrlId>,
}

/// The URL with the file of a URL, after all redirects, if it could be written.
fn written(chosen: &Chosen, unwritten: &HashSet<UrlId>, url: &str) -> Option<UrlId> {
    match chosen.find(url) {
        Found::File { url, .. } if !unwritten.contains(&url) => Some(url),
        _ => None,
    }
}

impl Run<'_> {
    fn error(&mut self, error: &Error) {
        self.report.summary.errors += 1;
        (self.each)(UnpackEvent::Error(error));
    }

    /// Reports why there is no file of a URL.
    fn fail(&mut self, url: UrlId, error: &Error) {
        self.unwritten.insert(url);
        self.error(error);
    }

    /// Writes the file of a URL, whose body is in the record `raw`.
    fn file(
        &mut self,
        block: &mut RecordBlock<'_>,
        archive: &Path,
        (chosen, url): (&Chosen, UrlId),
        (pages, responses): (&mut Pages<'_>, &mut ResponseReader),
        tree: &mut UnpackedTree,
    ) {
        let raw = block.raw;
        let head = raw.fields();
        let Some(file) = chosen.file(url) else {
            return;
        };
        let target = target_of(&head).and_then(|it| url_key(&it));
        let is_same = target.as_deref() == Some(file.body_url);
        let continues = block.rest.is_some();
        let content = RecordContent::read(&raw, &head, continues, responses);
        let content = content.filter(|_| is_same);
        let Some(content) = content else {
            return self.fail(url, &changed(archive, file.url));
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
        let Some(Written { put, edits, unwritten }) = new else {
            return;
        };
        let name = || {
            let mut name = archive.as_os_str().to_owned();
            name.push(format!("!{}", raw.record_offset));
            name
        };
        if long.flaws.exceeds_limit || exceeds_limit && !is_long {
            let problem =
                format!("the body of {} {}: the rest was left out", file.url, limit_of(&long),);
            self.error(&Error::new(name(), ErrorKind::WebArchive { problem }));
        }
        if let Some(unwritten) = unwritten {
            let problem = format!("{} keeps its links: {}", file.url, unwritten.why);
            let warning = Error::new(name(), ErrorKind::WebArchive { problem });
            (self.each)(UnpackEvent::Warning(&warning));
            self.report.summary.unwritten += 1;
        }
        let put = match put {
            // The file of an earlier run, which was edited since. Pages refer to it.
            Err(error) if matches!(error.kind(), ErrorKind::AlreadyExists) => Err(error),
            Err(error) => return self.fail(url, &error),
            Ok(put) => Ok(put),
        };
        let mut record = UnpackedFileRecord {
            uri: file.url.into(),
            path: path.as_str().into(),
            archive: Bytes::of_name(archive),
            record_offset: raw.record_offset,
            member_offset: raw.member_offset,
            record_id: text_of(head.record_id.as_ref()).map(Into::into),
            status: file.status,
            date: text_of(head.date.as_ref()).map(Into::into),
            content_type: content_type.map(Into::into),
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
        if self.start == Some(url) {
            self.report.summary.start = Some(path.as_str().to_owned());
        }
        self.files.record(&record);
        self.files.map(file.url, path.as_str());
        match put {
            Err(error) => self.error(&error),
            Ok(put) => {
                self.report.count(put);
                self.report.summary.files += 1;
                self.report.summary.edits += edits;
                self.report.summary.truncated += usize::from(file.is_truncated);
                (self.each)(UnpackEvent::File(&record, put));
            }
        }
    }
}
