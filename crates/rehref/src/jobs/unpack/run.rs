//! Runs: an index of the archives, then their files.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::capture::Indexer;
use super::event::{UnpackEvent, UnpackReport};
use super::options::{MissingLinks, Unpack};
use super::pass::{Archives, Divisions, check};
use super::run_files::RunFiles;
use super::write::{NewFile, WantedFiles, Writer, WrittenFile, changed};
use crate::error::{Error, ErrorKind};
use crate::fs::{Item, ReadOptions, Reading, UnpackedTree};
use crate::records::{MissingRecord, RedirectRecord};
use crate::unpack::captures::{Captures, Chosen, Found, Lack, RecordPosition, UrlId};

impl Unpack {
    /// Unpacks the archives and calls `each` with the events, in the order of the records. The
    /// archives are read in the order of their paths.
    ///
    /// # Errors
    /// If the directory cannot be created or written. Errors of archives and of single files are
    /// events.
    pub fn for_each(
        &self,
        each: impl FnMut(UnpackEvent<'_>) + Send,
    ) -> Result<UnpackReport, Error> {
        // Of captures with the same date the last one is chosen, whatever order a user names the
        // archives in.
        let mut run = self.clone();
        run.archives.sort_by(|a, b| a.name().cmp(b.name()));
        run.archives.dedup();
        run.in_order(each)
    }

    fn in_order(
        &self,
        mut each: impl FnMut(UnpackEvent<'_>) + Send,
    ) -> Result<UnpackReport, Error> {
        check(&self.archives)?;
        // A directory that cannot be written is an error before the archives are read.
        let looked = UnpackedTree::look(&self.directory, self.replaces_files)?;
        let mut report = UnpackReport::default();
        let mut captures = Captures::default();
        // The archives whose errors of reading are reported.
        let mut unreadable = HashSet::new();
        let mut has_records = false;
        let archives = self.archives();
        let divisions = archives.first_pass(&Indexer, |first, found| {
            has_records |= found.has_records;
            report.summary.left_out.scheme += found.others;
            found.add_to(&mut captures, first, |message, is_error| match is_error {
                true => {
                    report.summary.errors += 1;
                    if matches!(message.kind(), ErrorKind::Read(_)) {
                        unreadable.insert(message.path().to_owned());
                    }
                    each(UnpackEvent::Error(message));
                }
                false => each(UnpackEvent::Warning(message)),
            });
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
        let has_captures = !captures.is_empty();
        let chosen = Chosen::new(captures, &self.choice);
        let mut run = Run {
            each: &mut each,
            report,
            start: chosen.start(self.entry_points()),
            files: RunFiles::new(&tree)?,
            unwritten: HashSet::new(),
            unreadable,
        };
        self.write(&chosen, &divisions, &mut tree, &mut run);
        run.report.interrupted = self.stop.is_stopped();
        if !run.report.interrupted {
            let summary = run.report.summary.clone();
            run.files.record(&summary);
            run.files.persist(&tree, has_captures)?;
        }
        Ok(run.report)
    }

    /// The URLs at which to begin to read the pages, by the archives.
    fn entry_points(&self) -> impl Iterator<Item = String> {
        let of_archive = |archive: &Item| match ReadOptions::default().read_or_stream(archive) {
            Ok(Reading::WebArchive(reader)) => reader.entry_points().collect(),
            _ => Vec::new(),
        };
        self.archives.iter().flat_map(of_archive)
    }

    fn archives(&self) -> Archives<'_> {
        // Names of missing files depend on the pages before.
        let threads = match self.missing_links {
            MissingLinks::Local => NonZeroUsize::MIN,
            MissingLinks::Absolute => self.threads,
        };
        Archives { files: &self.archives, threads, stop: &self.stop }
    }

    /// Writes the files, and reports them, the redirects and what is missing.
    fn write(
        &self,
        chosen: &Chosen,
        divisions: &Divisions,
        tree: &mut UnpackedTree,
        run: &mut Run<'_>,
    ) {
        let wanted = WantedFiles::of(chosen);
        (run.each)(UnpackEvent::Writing(wanted.now.len() + wanted.later.len()));
        let writer = Writer::new(self, chosen, &wanted, tree);
        let mut lost = wanted.now.iter().copied().peekable();
        self.archives().second_pass(&writer, divisions, |mut written| {
            for error in std::mem::take(&mut written.errors) {
                if run.unreadable.insert(error.path().to_owned()) {
                    run.error(&error);
                }
            }
            for file in std::mem::take(&mut written.files) {
                if self.stop.is_stopped() {
                    return;
                }
                while let Some(lost) = lost.next_if(|it| it.0 < file.position) {
                    self.lose(chosen, lost, run);
                }
                lost.next_if(|it| (it.0, it.1) == (file.position, file.url));
                run.file(file);
            }
            writer.finish(written);
        });
        for lost in lost {
            self.lose(chosen, lost, run);
        }
        let mut pages = writer.take_pages();
        let failed = run.unwritten.clone();
        writer.write_later(&failed, tree, &mut pages, |wanted, written| match written {
            Some(file) => run.file(file),
            None if self.stop.is_stopped() => {}
            None => self.lose(chosen, wanted, run),
        });
        if self.stop.is_stopped() {
            return;
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
        summary.other_scheme = pages.counts.other_scheme;
        summary.refused = pages.counts.refused;
        summary.scripted = pages.counts.scripted;
    }

    /// Reports that the second pass did not find the record of a URL.
    fn lose(&self, chosen: &Chosen, lost: (RecordPosition, UrlId), run: &mut Run<'_>) {
        let (position, url) = lost;
        let archive = self.archives.get(position.archive as usize);
        let archive = archive.map_or(Path::new(""), Item::name);
        run.fail(url, &changed(archive, chosen.url(url)));
    }
}

struct Run<'r> {
    each: &'r mut (dyn FnMut(UnpackEvent<'_>) + Send),
    report: UnpackReport,
    /// The page to open first.
    start: Option<UrlId>,
    files: RunFiles,
    /// The URLs whose files could not be written.
    unwritten: HashSet<UrlId>,
    /// The archives with an error of reading that is reported.
    unreadable: HashSet<PathBuf>,
}

/// The URL with the file of a URL that was captured, after all redirects, if it could be written.
fn written(chosen: &Chosen, unwritten: &HashSet<UrlId>, url: &str) -> Option<UrlId> {
    match chosen.find(url) {
        Found::File { url, has_other_scheme: false, .. } if !unwritten.contains(&url) => Some(url),
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
        // Several pieces of a body may fail.
        if self.unwritten.insert(url) {
            self.error(error);
        }
    }

    /// Reports the file of a URL.
    fn file(&mut self, file: WrittenFile<'_>) {
        let WrittenFile { url, result, .. } = file;
        let NewFile { record, put, limit, unwritten } = match result {
            Ok(new) => new,
            Err(error) => return self.fail(url, &error),
        };
        if let Some(limit) = limit {
            self.error(&limit);
        }
        if let Some(warning) = unwritten {
            (self.each)(UnpackEvent::Warning(&warning));
            self.report.summary.unwritten += 1;
        }
        if self.start == Some(url) {
            self.report.summary.start = Some(record.path.clone().into_owned());
        }
        self.files.record(&record);
        self.files.map(&record.uri, &record.path);
        match put {
            Err(error) => self.error(&error),
            Ok(put) => {
                self.report.count(put);
                self.report.summary.files += 1;
                self.report.summary.edits += record.edits;
                self.report.summary.truncated += usize::from(record.truncated);
                (self.each)(UnpackEvent::File(&record, put));
            }
        }
    }
}
