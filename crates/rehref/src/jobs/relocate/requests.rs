//! The moves of a run.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::followed::Followed;
use super::options::{MoveRequest, Relocate};
use super::paths::Below;
use super::renames::OldContent;
use crate::fs::{BaseMapping, bytes_of_path, directory_url, path_of_bytes};
use crate::jobs::edits::NotFollowed;
use crate::jobs::error::{JobError, PathReason};
use crate::jobs::names::joined;
use crate::jobs::table::rows_of_paths;
use crate::listing::{Listing, Move, MoveError, Moves};
use crate::site::Site;

/// A requested move.
struct Requested {
    moved: Move,
    /// The list and line of the request, if it is from a list.
    place: Option<(PathBuf, u64)>,
}

/// The moves of a run, and the tree before them.
pub(super) struct Resolved {
    pub(super) before: Listing,
    pub(super) moves: Moves,
    /// The rest of moves that were made already. `None` if the run makes them.
    pub(super) made: Option<MadeMoves>,
}

/// Moves that were made before the run.
#[derive(Debug, Default)]
pub(super) struct MadeMoves {
    /// For paths before the moves: the content of the file at its old path. Unknown for all others.
    pub(super) contents: HashMap<Vec<u8>, OldContent>,
    /// The old paths of files whose old path is taken again, by their path.
    pub(super) taken: HashMap<Vec<u8>, Vec<u8>>,
    /// Moves that are not followed, or only in part.
    pub(super) problems: Vec<(PathBuf, PathBuf, NotFollowed)>,
}

impl Resolved {
    /// Resolves the requests of a run in a tree with these files.
    pub(super) fn new(relocate: &Relocate, now: Listing) -> Result<Self, JobError> {
        let below = Below::new(&relocate.root)?;
        let mut requested = requested(&relocate.requests, &below)?;
        let mut made = MadeMoves::default();
        let mut directories = Vec::new();
        for request in &relocate.requests {
            let MoveRequest::Renames(renames) = request else {
                continue;
            };
            let followed = Followed::new(renames, &below, &now)?;
            let moves = followed.moves.into_iter();
            requested.extend(moves.map(|moved| Requested { moved, place: None }));
            directories.extend(followed.directories);
            made.contents.extend(followed.contents);
            made.taken.extend(followed.taken);
            made.problems.extend(followed.problems);
        }
        let moves = || requested.iter().map(|it| it.moved.clone());
        let is_made =
            |it: &MoveRequest| matches!(it, MoveRequest::Moved(..) | MoveRequest::Renames(_));
        let refused = |error| JobError::Moves { root: relocate.root.clone(), error };
        if relocate.requests.iter().any(is_made) {
            // Moving the files back gives the tree before.
            let back = moves().map(|it| Move { from: it.to, to: it.from });
            let before =
                Moves::new(&now, back).map_err(|error| not_moved(error, &relocate.root))?;
            let before = before.applied_to(&now);
            let moves = Moves::new(&before, moves()).map_err(refused)?;
            return Ok(Self {
                before,
                moves: moves.with_directories(directories),
                made: Some(made),
            });
        }
        let moves = Moves::new(&now, moves());
        let moves = moves.map_err(|error| placed(refused, error, &requested))?;
        Ok(Self { before: now, moves, made: None })
    }
}

/// Returns the moves of requests other than [`MoveRequest::Renames`].
fn requested(requests: &[MoveRequest], below: &Below<'_>) -> Result<Vec<Requested>, JobError> {
    let mut requested = Vec::new();
    let mut add = |moved, place| requested.push(Requested { moved, place });
    for request in requests {
        match request {
            MoveRequest::Rename(old, new) => add(below.of_row(old, new)?, None),
            MoveRequest::Moved(old, new) => add(below.of_moved(old, new)?, None),
            MoveRequest::Renames(_) => {}
            MoveRequest::Sources(sources, to) => {
                for moved in below.of_sources(sources, to)? {
                    add(moved, None);
                }
            }
            MoveRequest::List(list) => {
                for row in rows_of_paths(list)? {
                    let moved = below.of_row(&row.old, &row.new);
                    let moved = moved.map_err(|error| in_row(list, row.line, error))?;
                    add(moved, Some((list.clone(), row.line)));
                }
            }
        }
    }
    Ok(requested)
}

fn in_row(list: &Path, line: u64, error: JobError) -> JobError {
    JobError::Row { list: list.to_owned(), line, error: Box::new(error) }
}

/// Adds the row to an error about a move; the second row if two have the same move.
fn placed(
    refused: impl FnOnce(MoveError) -> JobError,
    error: MoveError,
    requested: &[Requested],
) -> JobError {
    let found = requested.iter().rev().find(|it| it.moved == *error.moved());
    match found.and_then(|it| it.place.as_ref()) {
        Some((list, line)) => in_row(list, *line, refused(error)),
        None => refused(error),
    }
}

/// Returns the error of files that were said to be at their new paths, but cannot be moved back.
fn not_moved(error: MoveError, root: &Path) -> JobError {
    match error {
        MoveError::Collision(Move { to: old, .. }, other) if old == other => {
            JobError::path(joined(root, &path_of_bytes(&old)), PathReason::StillExists)
        }
        error => JobError::Moves { root: root.to_owned(), error },
    }
}

/// Returns the URL of the root, from the URL of the root itself or of a directory that contains it.
pub(super) fn url_of_root(base: &BaseMapping, root: &Path) -> Result<String, JobError> {
    match base {
        BaseMapping::Uri(url) => Ok(directory_url(url)?),
        BaseMapping::Tree { url, directory } => {
            let real = root.canonicalize().map_err(JobError::system(root))?;
            let Ok(below) = real.strip_prefix(directory.path()) else {
                return Err(JobError::NotBelow {
                    root: root.to_owned(),
                    directory: directory.path().to_owned(),
                });
            };
            let site = Site::new(url, Listing::default(), Vec::new());
            Ok(site.uri_of(&bytes_of_path(below)))
        }
    }
}
