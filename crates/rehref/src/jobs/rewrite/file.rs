//! Rewriting or copying a file, in a worker thread.

use std::path::Path;

use super::document::{Events, Worker};
use super::done::{Done, is_full};
use super::layout::{Task, TaskResult};
use super::package;
use crate::error::{Error, ErrorKind};
use crate::format::UnreadKind;
use crate::fs::{Content, EntryKind};
use crate::jobs::edits::EditEvent;
use crate::jobs::inputs::{InWork, read_in_turn};
use crate::jobs::unread::{
    is_compressed_mail, kind_of_unedited, kind_of_unreadable, kind_of_unreadable_directory,
};

/// Rewrites or copies a file.
pub(super) fn rewrite_or_copy(worker: &Worker<'_>, task: &TaskResult, event: Events<'_>) -> Done {
    let mut done = Done::default();
    let result = match task {
        Ok(task) => file(worker, task, &mut done, event),
        Err(error) => {
            let kind = kind_of_unreadable_directory(error);
            done.totals.count_unread(error.path(), kind, event);
            worker.report(error, event);
            return done;
        }
    };
    if let Err(error) = result {
        // The links of a file that could not be written do not count.
        if done.totals.changed == 0 {
            done.totals.edits = 0;
        }
        done.is_full = is_full(&error);
        worker.report(&error, event);
    }
    done
}

fn file(worker: &Worker<'_>, task: &Task, done: &mut Done, event: Events<'_>) -> Result<(), Error> {
    match task.kind {
        EntryKind::File => {}
        // Directories are made with their first file, empty ones after all files.
        EntryKind::Directory => return Ok(()),
        EntryKind::Link => return worker.copy(task, done),
        EntryKind::Special => {
            event(EditEvent::SpecialFile(task.item.name()));
            return Ok(());
        }
    }
    if !task.selected {
        done.totals.others += 1;
        return worker.copy(task, done);
    }
    let read = &worker.rewrite.inputs.read;
    let (content, _turn) = match read_in_turn(&task.item, read) {
        Ok(InWork { content, metadata, turn }) => {
            done.metadata = metadata;
            (content, turn)
        }
        Err(error) => {
            let kind = kind_of_unreadable(&error);
            done.totals.count_unread(error.path(), kind, event);
            // It can still be copied.
            if matches!(error.kind(), ErrorKind::TooLong { .. }) {
                done.totals.others += 1;
                worker.copy(task, done)?;
            }
            return Err(error);
        }
    };
    let kind = kind_of_unedited(&task.item, &content, read.format);
    done.totals.count_unread(task.item.name(), kind.filter(|it| concerns(worker, *it)), event);
    // A PDF file without NUL is read as text. Edits would damage it.
    let is_text = read.format.is_some() || !matches!(kind, Some(UnreadKind::Document(_)));
    match content {
        Content::Document(document) if document.format().is_rewritable() && is_text => {
            worker.document(document, task, done, event)
        }
        Content::Document(document) if document.format().is_mail() => {
            done.totals.others += 1;
            let name = document.path().to_owned();
            mail(worker, &name, document.into_bytes(), task, done, event)
        }
        Content::Binary(bytes) if is_compressed_mail(task.item.name(), &bytes) => {
            done.totals.others += 1;
            mail(worker, task.item.name(), bytes, task, done, event)
        }
        Content::Package(package) => package::rewrite(worker, *package, task, done, event),
        other => {
            let (bytes, damage) = match other {
                Content::Damaged(document, error) => (document.into_bytes(), Some(error)),
                Content::Refused(bytes, error) => (bytes, Some(error)),
                other => (other.into_bytes(), None),
            };
            done.totals.others += 1;
            match worker.is_filter() {
                true => event(EditEvent::Content(bytes)),
                false => worker.copy_read(task, &bytes, done)?,
            }
            // It is copied nevertheless.
            if let Some(error) = damage {
                return Err(error);
            }
            // Files of many kinds are expected in directories.
            match kind {
                _ if task.root.is_some() => {}
                Some(kind) => event(EditEvent::NotRewritten(task.item.name(), kind)),
                None if worker.is_filter() => event(EditEvent::UnsupportedFormat),
                None => {}
            }
            Ok(())
        }
    }
}

/// Copies mail. Mail that is an input itself is an error.
fn mail(
    worker: &Worker<'_>,
    name: &Path,
    bytes: Vec<u8>,
    task: &Task,
    done: &mut Done,
    event: Events<'_>,
) -> Result<(), Error> {
    match worker.is_filter() {
        true => event(EditEvent::Content(bytes)),
        false => worker.copy_read(task, &bytes, done)?,
    }
    let error = Error::new(name, ErrorKind::Mail);
    if task.root.is_none() {
        return Err(error);
    }
    event(EditEvent::Mail(&error));
    Ok(())
}

/// Returns true if the rules may change links of such documents. Maps change absolute URLs
/// alone, unless documents have a base.
fn concerns(worker: &Worker<'_>, kind: UnreadKind) -> bool {
    let is_about_relative = || {
        let rewrite = worker.rewrite;
        !rewrite.rules.only_map_urls() || rewrite.inputs.read.retrieval.is_some()
    };
    !matches!(kind, UnreadKind::Text(_)) || is_about_relative()
}
