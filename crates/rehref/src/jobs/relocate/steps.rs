//! The steps of a run other than edits.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::document::Worker;
use crate::error::Error;
use crate::fs::journal::PlanWriter;
use crate::fs::{is_listed_whole, path_of_bytes};
use crate::jobs::error::{JobError, PathReason};
use crate::jobs::redirects::{AddedRedirects, RedirectFile, RedirectFiles};
use crate::listing::Entry;
use crate::site::Site;

/// Splits redirects: those for existing files, by path, and new files.
pub(super) fn added_and_new(
    redirects: RedirectFiles,
    after: &Site,
) -> Result<(AddedRedirects, Vec<RedirectFile>), JobError> {
    let (mut added, mut new) = (AddedRedirects::new(), Vec::new());
    for file in redirects.files {
        match after.listing().resolved(&file.path) {
            None => new.push(file),
            Some((id, Entry::File)) => {
                let path = after.listing().name(id).to_vec();
                added.insert(path, file);
            }
            Some(_) => {
                let path = String::from_utf8_lossy(&file.path).into_owned();
                return Err(JobError::path(path, PathReason::NotForRedirects));
            }
        }
    }
    Ok((added, new))
}

/// Adds moves, new files and emptied directories to a plan.
pub(super) fn add_steps(
    worker: &Worker<'_>,
    redirects: &[RedirectFile],
    plan: &mut PlanWriter,
) -> Result<(), Error> {
    let trees = &worker.trees;
    if worker.made.is_none() {
        for directory in trees.moves.missing_directories() {
            plan.make_directory(&path_of_bytes(directory))?;
        }
        for moved in trees.moves.iter() {
            plan.rename(&path_of_bytes(&moved.from), &path_of_bytes(&moved.to))?;
        }
        let kept: HashSet<PathBuf> = redirects
            .iter()
            .flat_map(|it| {
                path_of_bytes(&it.path).ancestors().map(Path::to_owned).collect::<Vec<_>>()
            })
            .collect();
        for directory in trees.moves.emptied_directories() {
            // It may have unlisted entries, such as a directory of git.
            let path = path_of_bytes(directory);
            let listing = trees.before.listing();
            let root = &worker.relocate.root;
            if !kept.contains(&path) && is_listed_whole(root, directory, listing) {
                plan.remove_directory(&path)?;
            }
        }
    }
    let listing = trees.after.listing();
    let mut made = HashSet::new();
    for file in redirects {
        // Directories of old pages may have been removed already.
        let slashes = (0..file.path.len()).filter(|&at| file.path[at] == b'/');
        for directory in slashes.map(|at| &file.path[..at]) {
            if worker.made.is_some() && listing.id(directory).is_none() && made.insert(directory) {
                plan.make_directory(&path_of_bytes(directory))?;
            }
        }
        plan.create(&path_of_bytes(&file.path), &file.text)?;
    }
    Ok(())
}
