//! The steps of a plan, for display.

use std::path::PathBuf;

use super::journal_file::Journal;
use super::values::Text;
use crate::error::Error;

/// A step of a plan. Paths are below the root.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlannedStep {
    /// Bytes of a file are replaced.
    Edit {
        /// The file.
        path: PathBuf,
        /// The old bytes of each change and the new ones, in the order of the file.
        changes: Vec<(Vec<u8>, Vec<u8>)>,
    },
    /// A directory is created.
    MakeDirectory(PathBuf),
    /// A file, directory or symbolic link is moved.
    Rename {
        /// Its old path.
        from: PathBuf,
        /// Its new path.
        to: PathBuf,
    },
    /// An empty directory is removed.
    RemoveDirectory(PathBuf),
    /// A file is created.
    Create {
        /// The file.
        path: PathBuf,
        /// Its content.
        content: Vec<u8>,
    },
}

/// The maximum number of changes of a file in a description.
const MAX_CHANGES: usize = 3;

/// The maximum number of characters of a text in a description.
const MAX_TEXT: usize = 80;

impl PlannedStep {
    /// Returns a description of the step, or of undoing it, on one line: `move a to b`.
    pub fn describe(&self, undoes: bool) -> String {
        match self {
            Self::Edit { path, changes } => {
                let shown = changes.iter().take(MAX_CHANGES).map(|(old, new)| {
                    let (old, new) = if undoes { (new, old) } else { (old, new) };
                    format!(" {} becomes {}", quoted(old), quoted(new))
                });
                let shown = shown.collect::<Vec<_>>().join(",");
                let more = match changes.len().saturating_sub(MAX_CHANGES) {
                    0 => String::new(),
                    more => format!(", and {more} more"),
                };
                format!("edit {}:{shown}{more}", path.display())
            }
            Self::Rename { from, to } => {
                let (from, to) = if undoes { (to, from) } else { (from, to) };
                format!("move {} to {}", from.display(), to.display())
            }
            Self::MakeDirectory(path) | Self::RemoveDirectory(path) => {
                let path = path.display();
                match undoes == matches!(self, Self::RemoveDirectory(_)) {
                    true => format!("make the directory {path}"),
                    false => format!("remove the directory {path} if it is empty"),
                }
            }
            Self::Create { path, .. } if undoes => format!("remove {}", path.display()),
            Self::Create { path, content } => {
                format!("create {}: {}", path.display(), quoted(content))
            }
        }
    }

    pub(super) fn of_journal(journal: &Journal) -> impl Iterator<Item = Result<Self, Error>> + '_ {
        let path = |text: &Text| text.path().unwrap_or_default();
        let edits = journal.edits().map(move |step| {
            let step = step?.edit()?;
            let changes = step.changes.iter();
            Ok(Self::Edit {
                path: path(&step.path),
                changes: changes.map(|(_, old, new)| (old.to_vec(), new.to_vec())).collect(),
            })
        });
        let directories = journal.directories.iter();
        let directories = directories.map(move |step| Ok(Self::MakeDirectory(path(&step.path))));
        let moves = journal.moves.iter().map(move |step| {
            let (from, to) = (path(&step.from), path(&step.to));
            Ok(Self::Rename { from, to })
        });
        let removals = journal.removals.iter();
        let removals = removals.map(move |step| Ok(Self::RemoveDirectory(path(&step.path))));
        let creates = journal.creates().map(move |step| {
            let step = step?.create()?;
            Ok(Self::Create { path: path(&step.path), content: step.content.0 })
        });
        let before = edits.chain(directories).chain(moves);
        before.chain(removals).chain(creates)
    }
}

/// Returns a text as one short line.
fn quoted(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut shown: String = text.chars().take(MAX_TEXT).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("{shown:?}")
}
