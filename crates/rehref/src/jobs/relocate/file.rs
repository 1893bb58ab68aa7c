//! Rewriting a file for a move, or reporting its move, in a worker thread.

use super::document::{Changed, Done, Events, Moving, Worker};
use super::package;
use crate::error::Error;
use crate::fs::{Content, Item, path_of_bytes};
use crate::jobs::edits::{EditEvent, MovedKind};
use crate::jobs::inputs::read_in_turn;
use crate::jobs::unread::{kind_of_unedited, kind_of_unreadable};
use crate::listing::Entry;
use crate::rewrite::Edits;

/// Rewrites a file, or reports the move of another entry.
pub(super) fn relocate(worker: &Worker<'_>, path: &[u8], entry: Entry, event: Events<'_>) -> Done {
    let mut done = Done::default();
    if entry != Entry::File {
        let kind = match entry {
            Entry::Directory => MovedKind::Directory,
            _ if worker.relocate.root.join(path_of_bytes(path)).is_symlink() => {
                MovedKind::File { is_unchanged: true }
            }
            _ => MovedKind::Special,
        };
        worker.moved(path, kind, event);
        return done;
    }
    if let Err(error) = file(worker, path, &mut done, event) {
        done.failed = true;
        event(EditEvent::Error(&error));
    }
    done
}

fn file(worker: &Worker<'_>, path: &[u8], done: &mut Done, event: Events<'_>) -> Result<(), Error> {
    let read = &worker.relocate.read;
    let new_path = worker.trees.moves.new_path(path);
    let current_path = worker.current_path(path, &new_path);
    let item = Item::Path(worker.name(&current_path));
    let given = read.format;
    let read = read_in_turn(&item, read).inspect_err(|error| {
        let kind = kind_of_unreadable(error);
        done.totals.count_unread(error.path(), kind, event);
    })?;
    let (content, _turn) = (read.content, read.turn);
    let kind = kind_of_unedited(&item, &content, given);
    done.totals.count_unread(item.name(), kind, event);
    let moving = Moving { path, new_path: &new_path, current_path: &current_path };
    match content {
        Content::Package(package) => package::relocate(worker, &package, &moving, done, event),
        Content::Document(document) if document.format().is_rewritable() => {
            worker.document(document, &moving, done, event)
        }
        other => {
            if let Content::Binary(bytes) = &other {
                worker.uneditable(path, &current_path, bytes, done, event)?;
            }
            let is_unchanged = !worker.added.contains_key(&*new_path);
            worker.moved(path, MovedKind::File { is_unchanged }, event);
            // It moves nevertheless.
            if let Content::Damaged(_, error) | Content::Refused(_, error) = &other {
                event(EditEvent::Error(error));
            }
            let bytes = other.into_bytes();
            worker.names(path, &current_path, &bytes, std::iter::empty(), event);
            let changed =
                Changed { path, bytes: &bytes, is_utf16: false, edits: &Edits::default() };
            worker.change(changed, done, event)
        }
    }
}
