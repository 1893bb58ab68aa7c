//! The links of mail.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

use rehref::error::{Error, ErrorKind, Warning};
use rehref::mail::{Batch, MailOptions, Part, RawMessage, documents};
use rehref::report::Report;
use rehref::source::Archive;

use super::{Extract, Extracted, PARTS_WAITING, Run, STREAM_THREADS};
use crate::ordered;

impl Extract {
    /// Takes the links of all messages of a file.
    pub(super) fn archive(&self, archive: Archive, out: &mut Extracted) {
        let name = archive.name().clone();
        let options = archive.options(&self.mail);
        out.name = name.to_path_buf();
        for batch in archive {
            match batch {
                Ok(batch) => self.batch(&batch, &name, &options, out),
                Err(error) => self.error(&error, out),
            }
        }
    }

    fn batch(
        &self,
        batch: &Batch,
        archive: &std::sync::Arc<std::path::Path>,
        options: &MailOptions,
        out: &mut Extracted,
    ) {
        for message in batch.messages() {
            if self.quiet && out.links > 0 {
                return;
            }
            out.mail += 1;
            let mut told = Told::default();
            let unread = documents(message, archive, options, |part| {
                self.part(&part, &mut told, out);
            });
            if unread.is_cut || unread.has_too_many_parts {
                let name = format!("!{}", message.number);
                let mut path = archive.as_os_str().to_owned();
                path.push(name);
                self.unread(path.into(), message, unread.is_cut, out);
            }
        }
    }

    /// Says what was not read of a message.
    fn unread(&self, name: PathBuf, message: RawMessage<'_>, is_cut: bool, out: &mut Extracted) {
        let offset = message.offset;
        let kind = match is_cut {
            true => ErrorKind::LongMessage { offset },
            false => ErrorKind::ManyParts { offset },
        };
        self.error(&Error::new(name, kind), out);
    }

    fn part(&self, part: &Part, told: &mut Told, out: &mut Extracted) {
        let takes = |report: &Report<'_>| !self.first_alternative || told.is_new(part, report);
        self.links(&part.document, takes, out);
        if part.is_repaired {
            let name = &part.document.name;
            self.warn(name, None, Warning::TransferEncoding, out);
        }
    }
}

impl Run<'_> {
    /// Reads a file of messages, and takes their links as they come.
    pub(super) fn take_archive(&mut self, archive: Archive) -> ControlFlow<()> {
        let extract = self.extract;
        let name = archive.name().clone();
        let options = archive.options(&extract.mail);
        let len = archive.byte_len();
        let threads = self.jobs.min(STREAM_THREADS);
        let window = threads.saturating_add(PARTS_WAITING);
        let mut links = 0;
        let work = |batch: Result<Batch, Error>| {
            let mut out = Extracted::default();
            let mut end = 0;
            match batch {
                Ok(batch) => {
                    end = batch.end();
                    extract.batch(&batch, &name, &options, &mut out);
                }
                Err(error) => extract.error(&error, &mut out),
            }
            (out, end)
        };
        ordered::for_each_within(window, archive, threads, work, |(out, end)| {
            match self.take_piece(out) {
                ControlFlow::Continue(new) => links += new,
                // A thread may wait for more of the archive.
                ControlFlow::Break(()) => crate::exit(self.end()),
            }
            self.progress.read(end, len);
            ControlFlow::Continue(())
        });
        self.take_count(&name, links)
    }
}

/// Which links were told of the alternatives of a message.
#[derive(Debug, Default)]
struct Told(HashMap<(usize, String), usize>);

impl Told {
    /// Whether no alternative before this part has the link.
    fn is_new(&mut self, part: &Part, report: &Report<'_>) -> bool {
        let mut is_new = true;
        for &(alternative, place) in &part.alternatives {
            let key = (alternative, report.value().to_owned());
            is_new &= *self.0.entry(key).or_insert(place) == place;
        }
        is_new
    }
}
