//! The files of a run, and their paths in a new tree.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use crate::error::{Error, ErrorKind};
use crate::fs::{EntryKind, GitIgnore, Item, WalkEntry, WalkOptions, directory_of, path_below};
use crate::jobs::edits::is_copy;
use crate::jobs::error::{JobError, PathReason};

/// A file to rewrite or copy.
pub(super) struct Task {
    pub(super) item: Item,
    pub(super) kind: EntryKind,
    /// The path below the new tree, if one is written.
    pub(super) below: Option<PathBuf>,
    /// True if the links of the file are rewritten. Otherwise it is copied.
    pub(super) selected: bool,
    /// The input directory in which it was found. `None` if it is an input itself.
    pub(super) root: Option<PathBuf>,
}

/// Returns the files of a run that writes nothing.
pub(super) fn to_read(tree: &WalkOptions, items: Vec<Item>) -> impl Iterator<Item = TaskResult> {
    tasks(tree.walk(items))
}

fn tasks(
    found: impl Iterator<Item = Result<WalkEntry, Error>>,
) -> impl Iterator<Item = TaskResult> {
    found.map(|found| {
        let WalkEntry { item, kind, root } = found?;
        Ok(Task { item, kind, below: None, selected: true, root })
    })
}

/// Returns the files of a run in place: each once, even if found under several names. Backups with
/// this suffix are skipped in directories.
pub(super) fn in_place(
    tree: &WalkOptions,
    items: Vec<Item>,
    backup: Option<&str>,
) -> impl Iterator<Item = TaskResult> {
    let mut seen = HashSet::new();
    let found = tree.walk(items).filter(move |found| {
        let found = found.as_ref().ok().filter(|found| found.root.is_some());
        let path = found.and_then(|found| found.item.file());
        !path.is_some_and(|path| is_backup(path, backup))
    });
    // The last directory, and its real path.
    let mut last = (PathBuf::new(), None);
    let mut real = move |task: &Task| {
        let file = task.item.file()?;
        let is_below = task.root.is_some() && task.kind == EntryKind::File && !tree.follow;
        let Some(name) = file.file_name().filter(|_| is_below) else {
            return file.canonicalize().ok();
        };
        let directory = directory_of(file);
        if last.0 != directory {
            last = (directory.to_owned(), directory.canonicalize().ok());
        }
        Some(last.1.as_ref()?.join(name))
    };
    tasks(found).filter(move |task| {
        let path = task.as_ref().ok().and_then(&mut real);
        path.is_none_or(|path| seen.insert(path))
    })
}

fn is_backup(path: &Path, suffix: Option<&str>) -> bool {
    let name = path.as_os_str().to_str();
    let of = suffix.and_then(|suffix| name?.strip_suffix(suffix));
    of.is_some_and(|of| !of.ends_with('/') && Path::new(of).is_file())
}

pub(super) type TaskResult = Result<Task, Error>;

/// The contents of a new tree.
#[derive(Default)]
pub(super) struct Layout {
    /// The files and symbolic links.
    pub(super) tasks: Vec<TaskResult>,
    /// The directories by path, with the originals.
    pub(super) directories: BTreeMap<PathBuf, PathBuf>,
}

/// Returns all files and directories of the items with their paths in the new tree. The contents of
/// an input directory are directly in the new tree. Files that the globs do not match are copied.
///
/// # Errors
/// If two files have the same path, or one the path of a directory of the other; if the new tree
/// and an input contain each other; or if files of the new tree exist already and are not replaced.
pub(super) fn laid_out(
    directory: &Path,
    replaces_files: bool,
    tree: &WalkOptions,
    items: Vec<Item>,
) -> Result<Layout, JobError> {
    let output = resolved(directory)?;
    let exists = output.exists();
    let mut existing = directory.ancestors().filter(|it| it.exists());
    if let Some(file) = existing.next().filter(|it| !it.is_dir()) {
        return Err(JobError::path(file, PathReason::NotADirectory));
    }
    for source in items.iter().filter_map(Item::file).filter(|path| path.is_dir()) {
        refuse_overlap(&output, source, directory)?;
    }
    let everything = WalkOptions {
        follow: tree.follow,
        whole: true,
        gitignore: GitIgnore::off(),
        ..WalkOptions::default()
    };
    let selected: Option<HashSet<PathBuf>> = (!tree.takes_all()).then(|| {
        let tree = WalkOptions { gitignore: GitIgnore::off(), ..tree.clone() };
        let found = tree.walk(items.clone()).flatten();
        found.filter_map(|found| found.item.file().map(Path::to_owned)).collect()
    });
    // Files of one directory have different paths.
    let may_meet = items.len() > 1;
    let mut places: HashMap<PathBuf, PathBuf> = HashMap::new();
    let mut directories = BTreeMap::new();
    let mut tasks = Vec::new();
    let mut rules = None;
    for found in everything.walk(items) {
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                tasks.push(Err(error));
                continue;
            }
        };
        let Some(path) = found.item.file() else {
            continue;
        };
        let below = match &found.root {
            Some(root) => path_below(path, root).unwrap_or(path),
            None => path.file_name().map_or(path, Path::new),
        };
        let below = below.to_owned();
        if found.kind == EntryKind::Directory {
            // Of directories with one path, the first is copied.
            if let Some(root) = found.root.as_ref().filter(|root| *root == path) {
                rules = tree.gitignore.rules(root);
            }
            directories.entry(below).or_insert_with(|| path.to_owned());
            continue;
        }
        // A link is copied as a link, so its target stays.
        let is_copied_link = found.kind == EntryKind::Link;
        if exists && !is_copied_link && is_same_file(path, &output.join(&below)) {
            return Err(JobError::path(path, PathReason::WouldReplaceInput));
        }
        if may_meet && let Some(other) = places.insert(below.clone(), path.to_owned()) {
            return Err(JobError::SameOutput {
                one: other,
                other: path.to_owned(),
                output: directory.join(below),
            });
        }
        let selected = selected.as_ref().is_none_or(|selected| selected.contains(path))
            && !rules.as_ref().is_some_and(|it| found.root.is_some() && it.ignore(&below, false));
        let (kind, item) = (found.kind, found.item);
        tasks.push(Ok(Task { item, kind, below: Some(below), selected, root: found.root }));
    }
    // Many files share a directory.
    let mut holding = HashSet::new();
    for (place, path) in &places {
        let directories = place.ancestors().skip(1);
        for directory in directories.take_while(|directory| holding.insert(*directory)) {
            if let Some(other) = places.get(directory) {
                return Err(JobError::FileAtDirectory {
                    file: other.clone(),
                    other: path.clone(),
                    is_below: true,
                });
            }
        }
    }
    for (place, path) in &directories {
        if let Some(other) = places.get(place) {
            return Err(JobError::FileAtDirectory {
                file: other.clone(),
                other: path.clone(),
                is_below: false,
            });
        }
    }
    let layout = Layout { tasks, directories };
    if exists {
        layout.refuse_existing(directory, replaces_files)?;
    }
    Ok(layout)
}

/// The most files named in an error about existing files.
const MAX_NAMED: usize = 3;

impl Layout {
    /// Returns the original files that may be compressed copies of others.
    pub(super) fn copies(&self) -> impl Iterator<Item = &Path> {
        let files = self.tasks.iter().flatten().filter_map(|it| it.item.file());
        files.filter(|file| is_copy(file))
    }

    /// Refuses a layout if files at its paths exist already, unless they are replaced; or if files
    /// are at the paths of its directories, or directories at those of its files.
    fn refuse_existing(&self, directory: &Path, replaces_files: bool) -> Result<(), JobError> {
        for below in self.directories.keys().filter(|it| *it != Path::new("")) {
            let path = directory.join(below);
            match path.symlink_metadata() {
                Ok(it) if it.is_symlink() => {
                    return Err(Error::new(path, ErrorKind::LinkInTheWay).into());
                }
                Ok(it) if !it.is_dir() => {
                    return Err(JobError::path(path, PathReason::NotADirectory));
                }
                _ => {}
            }
        }
        let (mut named, mut count) = (Vec::new(), 0);
        for task in self.tasks.iter().flatten() {
            let Some(below) = &task.below else {
                continue;
            };
            let path = directory.join(below);
            match path.symlink_metadata() {
                Ok(it) if it.is_dir() => {
                    return Err(JobError::FileAtDirectory {
                        file: task.item.name().to_owned(),
                        other: path,
                        is_below: false,
                    });
                }
                Ok(_) if !replaces_files => {
                    count += 1;
                    if named.len() < MAX_NAMED {
                        named.push(below.clone());
                    }
                }
                _ => {}
            }
        }
        match count {
            0 => Ok(()),
            _ => Err(JobError::OutputExists { directory: directory.to_owned(), named, count }),
        }
    }
}

/// Returns the number of files and symbolic links in a new tree.
pub(super) fn files_of(tasks: &[TaskResult]) -> usize {
    let is_copied = |task: &&Task| matches!(task.kind, EntryKind::File | EntryKind::Link);
    tasks.iter().flatten().filter(is_copied).count()
}

fn refuse_overlap(output: &Path, source: &Path, named: &Path) -> Result<(), JobError> {
    let input = source.canonicalize().map_err(JobError::system(source))?;
    if output.starts_with(&input) || input.starts_with(output) {
        return Err(JobError::Overlap { input: source.to_owned(), output: named.to_owned() });
    }
    Ok(())
}

/// Resolves a path whose last names need not exist.
fn resolved(path: &Path) -> Result<PathBuf, JobError> {
    let absolute = std::path::absolute(path).map_err(JobError::system(path))?;
    for ancestor in absolute.ancestors() {
        if let (Ok(real), Ok(rest)) = (ancestor.canonicalize(), absolute.strip_prefix(ancestor)) {
            if rest.components().any(|it| it == Component::ParentDir) {
                break;
            }
            return Ok(real.join(rest));
        }
    }
    Err(JobError::path(path, PathReason::LeavesMissingDirectory))
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    // Usually there is no file at the path.
    b.exists() && matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
