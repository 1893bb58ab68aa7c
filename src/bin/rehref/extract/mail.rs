//! The links of mail.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use rehref::container::mail::{Batch, MailOptions, Part, RawMessage, documents};
use rehref::error::{Error, ErrorKind, Warning};
use rehref::fs::MailReader;
use rehref::records::Report;

use super::{Extract, Extracted, PARTS_WAITING, Run, STREAM_THREADS};
use crate::ordered;

/// From how many bytes on messages are worked on one after another: what is found in them may be many times as long.
const LARGE: usize = 2 << 20;

impl Extract {
    /// Takes the links of all messages of a file.
    pub(super) fn archive(&self, archive: MailReader, out: &mut Extracted) {
        let name = archive.name().clone();
        let options = archive.options(&self.mail);
        out.name = name.to_path_buf();
        for batch in archive {
            match batch {
                Ok(batch) => self.batch(&batch, &name, &options, out, &mut |_| {}),
                Err(error) => self.error(&error, out),
            }
        }
    }

    fn batch(
        &self,
        batch: &Batch,
        archive: &Arc<Path>,
        options: &MailOptions,
        out: &mut Extracted,
        print: &mut dyn FnMut(&mut Extracted),
    ) {
        for message in batch.messages() {
            if self.quiet && out.links > 0 {
                return;
            }
            out.messages_read += 1;
            let mut told = Told::default();
            let unread = documents(message, archive, options, |part| {
                self.part(&part, &mut told, out, print);
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

    fn part(
        &self,
        part: &Part,
        told: &mut Told,
        out: &mut Extracted,
        print: &mut dyn FnMut(&mut Extracted),
    ) {
        let alternatives = part.alternatives.as_slice().into();
        let takes = |report: &Report<'_>| {
            !self.first_alternative || told.note(&alternatives, report.value())
        };
        self.links(&part.document, takes, out, print);
        let name = &part.document.name;
        if part.is_repaired {
            self.warn(name, None, Warning::TransferEncoding, out);
        }
        if part.is_unknown {
            self.warn(name, None, Warning::UnknownEncoding, out);
        }
    }
}

impl Run<'_> {
    /// Reads a file of messages, and takes their links as they come.
    pub(super) fn take_archive(&mut self, archive: MailReader) -> ControlFlow<()> {
        let extract = self.extract;
        let name = archive.name().clone();
        let options = archive.options(&extract.mail);
        let len = archive.byte_len();
        let threads = self.jobs.min(STREAM_THREADS);
        let window = threads.saturating_add(PARTS_WAITING);
        let mut links = 0;
        let work = |batch: Result<Batch, Error>| {
            let mut out = Extracted::default();
            let batch = match batch {
                Err(error) => {
                    extract.error(&error, &mut out);
                    return (out, 0, None);
                }
                Ok(batch) => batch,
            };
            let end = batch.end();
            if batch.byte_len() > LARGE {
                return (out, end, Some(batch));
            }
            extract.batch(&batch, &name, &options, &mut out, &mut |_| {});
            (out, end, None)
        };
        ordered::for_each_within(window, archive, threads, work, |(mut out, end, large)| {
            let mut print = |out: &mut Extracted| match self.take_piece(std::mem::take(out)) {
                ControlFlow::Continue(new) => links += new,
                // A thread may wait for more of the archive.
                ControlFlow::Break(()) => crate::exit(self.end()),
            };
            if let Some(batch) = large {
                extract.batch(&batch, &name, &options, &mut out, &mut print);
            }
            print(&mut out);
            self.progress.read(end, len);
            ControlFlow::Continue(())
        });
        self.take_count(&name, links)
    }
}

/// Which links were told of the alternatives of a message: for each, of which alternatives the parts were part of
/// that have it.
#[derive(Debug, Default)]
struct Told(HashMap<String, Vec<Alternatives>>);

/// The alternatives that a part is part of.
type Alternatives = Rc<[(usize, usize)]>;

/// How many parts with the same link are remembered, of which none is an alternative of another.
const MOST_PARTS: usize = 16;

impl Told {
    /// Notes a link of a part that is in these alternatives. Returns whether no alternative before has it.
    fn note(&mut self, alternatives: &Alternatives, value: &str) -> bool {
        if alternatives.is_empty() {
            return true;
        }
        let Some(parts) = self.0.get_mut(value) else {
            self.0
                .insert(value.to_owned(), vec![Rc::clone(alternatives)]);
            return true;
        };
        if parts
            .iter()
            .any(|part| are_alternatives(part, alternatives))
        {
            return false;
        }
        let is_same = |part: &Alternatives| part == alternatives;
        if parts.len() < MOST_PARTS && !parts.iter().any(is_same) {
            parts.push(Rc::clone(alternatives));
        }
        true
    }
}

/// Whether two parts are in two alternatives of one multipart: the first in which they differ.
fn are_alternatives(one: &[(usize, usize)], other: &[(usize, usize)]) -> bool {
    let mut pairs = one.iter().zip(other);
    let differ = pairs.find(|(one, other)| one != other);
    differ.is_some_and(|(one, other)| one.0 == other.0)
}
