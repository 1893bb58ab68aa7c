//! Rewriting the parts of a document of an office or a book for a move.

use super::document::{Done, Events, Moving, Worker};
use super::options::MoveOutcome;
use crate::document::Links;
use crate::error::{Error, ErrorKind};
use crate::format::UnreadKind;
use crate::fs::{Linking, PackageFile, journal, path_of_bytes};
use crate::jobs::edits::{EditEvent, MovedKind};
use crate::rewrite::Plan;
use crate::source::PartBase;

/// Rewrites a package: makes all of its edits, or none.
pub(super) fn relocate(
    worker: &Worker<'_>,
    package: &PackageFile,
    moving: &Moving<'_>,
    done: &mut Done,
    event: Events<'_>,
) -> Result<(), Error> {
    for kind in package.unread() {
        done.totals.count_unread(package.name(), Some(kind), event);
    }
    let options = &worker.relocate.options;
    let Linking { documents, errors } = match package.linking(options) {
        Ok(linking) => linking,
        // It moves nevertheless, and its links stay.
        Err(error) => {
            let kind = UnreadKind::Document("damaged");
            done.totals.count_unread(package.name(), Some(kind), event);
            Linking { documents: Vec::new(), errors: vec![error] }
        }
    };
    errors.iter().for_each(|error| event(EditEvent::Error(error)));
    let paths = documents.iter().map(|(_, document)| {
        let part = document.package_part().filter(|it| it.base != PartBase::Package);
        let below = part.map(|it| [b"/", it.name.as_bytes()].concat()).unwrap_or_default();
        [moving.path, moving.new_path].map(|path| [path, &below].concat())
    });
    let paths: Vec<[Vec<u8>; 2]> = paths.collect();
    let documents = documents.into_iter().zip(&paths).map(|((part, document), [path, _])| {
        (part, document.with_base(Some(worker.base_of(path))))
    });
    let documents: Vec<_> = documents.collect();
    let links = documents.iter().map(|(_, it)| it.links_with(options));
    let links: Vec<Links<'_>> = links.collect();
    let mut plans = Vec::new();
    for (links, [path, new_path]) in links.iter().zip(&paths) {
        let current_path = moving.current_path;
        plans.push(worker.plan(links, &Moving { path, new_path, current_path }, done, event));
    }
    done.totals.documents += 1;
    let is_changed = plans.iter().any(|it| !it.is_empty());
    worker.moved(moving.path, MovedKind::File { is_unchanged: true }, event);
    if is_changed && package.is_signed() {
        let edits: usize = plans.iter().map(|it| it.edits().len()).sum();
        done.totals.edits -= edits;
        done.totals.broken += edits;
        let kind = UnreadKind::NotRewritten("signed");
        done.totals.count_unread(package.name(), Some(kind), event);
        event(EditEvent::Error(&Error::new(package.name(), ErrorKind::Signed)));
        return Ok(());
    }
    let mut contents = Vec::new();
    for ((part, _), plan) in documents.iter().zip(plans) {
        event(EditEvent::Document(&plan));
        if plan.is_empty() {
            continue;
        }
        if worker.relocate.outcome == MoveOutcome::DryRun {
            changed(worker, moving, &plan, event);
        }
        contents.extend(plan.into_edited().map(|content| (*part, content)));
    }
    if contents.is_empty() {
        return Ok(());
    }
    let edits = package.edits(&contents)?;
    let name = worker.name(moving.current_path);
    match worker.relocate.outcome {
        MoveOutcome::Check => {}
        MoveOutcome::DryRun => worker.preview(&name, moving.current_path, event),
        MoveOutcome::Apply => {
            let changes = edits.iter().map(|(range, new)| (range.clone(), &**new));
            let edit = journal::Edit::of_links(
                &worker.root,
                moving.current_path,
                package.bytes(),
                (changes, Some(done.totals.edits as u64)),
                None,
            );
            done.edit = Some(edit.map_err(|error| error.about(&name))?);
        }
    }
    done.totals.changed += 1;
    Ok(())
}

/// Reports the edits of a part.
fn changed(worker: &Worker<'_>, moving: &Moving<'_>, plan: &Plan<'_>, event: Events<'_>) {
    let document = plan.document();
    let part = document.package_part().map_or("", |it| &it.name);
    let mut new = worker.name(&path_of_bytes(moving.new_path)).into_os_string();
    new.push("!");
    new.push(part);
    event(EditEvent::Changed {
        old: document.path(),
        new: new.as_ref(),
        content: document.bytes(),
        edits: plan.edits(),
        added: (0, b""),
        moves: false,
        is_utf16: document.charset().is_utf16(),
        is_part: true,
    });
}
