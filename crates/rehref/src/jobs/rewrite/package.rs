//! Rewriting the parts of a document of an office or a book.

use super::document::{Events, Output, Worker};
use super::done::Done;
use super::layout::Task;
use super::local_root::in_local_root;
use crate::document::Links;
use crate::error::{Error, ErrorKind};
use crate::format::UnreadKind;
use crate::fs::{Linking, PackageFile};
use crate::jobs::edits::EditEvent;
use crate::rules::DocumentRules;

/// Rewrites the parts of a package. All edits of the file are made, or none.
pub(super) fn rewrite(
    worker: &Worker<'_>,
    package: PackageFile,
    task: &Task,
    done: &mut Done,
    event: Events<'_>,
) -> Result<(), Error> {
    for kind in package.unread() {
        done.totals.count_unread(package.name(), Some(kind), event);
    }
    match contents(worker, &package, task, done, event) {
        Ok(contents) if contents.is_empty() => {
            done.totals.documents += 1;
            keep(worker, package, task, done, event)
        }
        Ok(contents) => {
            done.totals.documents += 1;
            write(worker, package, &contents, task, done, event)
        }
        Err(error) => {
            done.totals.others += 1;
            keep(worker, package, task, done, event)?;
            Err(error)
        }
    }
}

/// The new contents of parts, by their numbers.
fn contents(
    worker: &Worker<'_>,
    package: &PackageFile,
    task: &Task,
    done: &mut Done,
    event: Events<'_>,
) -> Result<Vec<(usize, Vec<u8>)>, Error> {
    let place = worker.local_place(package.has_base(), task);
    let Linking { documents, errors } = package.linking(&worker.options).inspect_err(|_| {
        let kind = UnreadKind::Document("damaged");
        done.totals.count_unread(package.name(), Some(kind), event);
    })?;
    // The other parts are what they seem.
    errors.iter().for_each(|error| event(EditEvent::Error(error)));
    let documents = documents.into_iter().map(|(part, document)| match &place {
        Some(place) => (part, in_local_root(document, place)),
        None => (part, document),
    });
    let documents: Vec<_> = documents.collect();
    let parts = documents.iter().map(|(part, it)| (*part, it.links_with(&worker.options)));
    let parts: Vec<(usize, Links<'_>)> = parts.collect();
    let pages = worker.sites.pages_of(&task.item, place.as_ref());
    let rules = DocumentRules::new(&worker.rewrite.rules, None).in_tree(pages);
    if package.is_signed() && !worker.rewrite.breaks_signatures {
        // What would change is not reported.
        let mut quiet = Done::default();
        let mut is_changed =
            |links| !worker.plan(links, &rules, None, &mut quiet, &mut |_| {}).is_empty();
        if parts.iter().any(|(_, links)| is_changed(links)) {
            let kind = UnreadKind::NotRewritten("signed");
            done.totals.count_unread(package.name(), Some(kind), event);
            return Err(Error::new(package.name(), ErrorKind::Signed));
        }
    }
    let root = place.as_ref().map(|it| &*it.root);
    let mut contents = Vec::new();
    for (part, links) in &parts {
        let plan = worker.plan(links, &rules, root, done, event);
        contents.extend(plan.into_edited().map(|content| (*part, content)));
    }
    Ok(contents)
}

/// Leaves a package unchanged.
fn keep(
    worker: &Worker<'_>,
    package: PackageFile,
    task: &Task,
    done: &mut Done,
    event: Events<'_>,
) -> Result<(), Error> {
    match worker.is_filter() {
        true => event(EditEvent::Content(package.into_bytes())),
        false => worker.copy_read(task, package.bytes(), done)?,
    }
    Ok(())
}

/// Writes a package whose parts have new contents.
fn write(
    worker: &Worker<'_>,
    package: PackageFile,
    contents: &[(usize, Vec<u8>)],
    task: &Task,
    done: &mut Done,
    event: Events<'_>,
) -> Result<(), Error> {
    let edits = package.edits(contents)?;
    let changes = edits.iter().map(|(range, new)| (range.clone(), &**new));
    worker.preview(package.name(), &task.item, event);
    match &worker.output {
        Output::DryRun => {}
        Output::Filter => event(EditEvent::Content(package.edited(&edits))),
        Output::InPlace(replacing) => match &replacing.root {
            Some((root, _)) => {
                let file = (package.name(), package.bytes());
                done.edit =
                    Some(replacing.edit(root, file, changes, Some(done.totals.edits as u64))?);
            }
            None => replacing.replace(package.name(), &package.edited(&edits), event)?,
        },
        Output::NewTree(tree) => {
            if let (Some(below), Some(like)) = (&task.below, &done.metadata) {
                tree.write(below, &package.edited(&edits), like)?;
                done.is_written = true;
            }
        }
    }
    done.totals.changed += 1;
    Ok(())
}
