//! Which file goes where.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, bail};
use rehref::error::Error;
use rehref::fs::{EntryKind, Item, WalkEntry, WalkOptions};

/// One file to work on.
pub(super) struct Task {
    pub(super) item: Item,
    pub(super) kind: EntryKind,
    /// Its place below the folder of the new tree, if there is to be one.
    pub(super) below: Option<PathBuf>,
    /// Whether its links are rewritten; else it is only copied.
    pub(super) selected: bool,
    /// Whether it was named itself, and not found in a folder.
    pub(super) is_named: bool,
}

/// The files to be read only.
pub(super) fn to_read(tree: &WalkOptions, items: Vec<Item>) -> impl Iterator<Item = TaskResult> {
    tasks(tree.walk(items))
}

fn tasks(
    found: impl Iterator<Item = Result<WalkEntry, Error>>,
) -> impl Iterator<Item = TaskResult> {
    found.map(|found| {
        let WalkEntry { item, kind, root } = found?;
        Ok(Task {
            item,
            kind,
            below: None,
            selected: true,
            is_named: root.is_none(),
        })
    })
}

/// The files to be replaced: each once, under however many names it is reached; but not, of folders, the
/// backups of others, with this ending.
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
    tasks(found).filter(move |task| {
        let path = task
            .as_ref()
            .ok()
            .and_then(|task| task.item.file()?.canonicalize().ok());
        path.is_none_or(|path| seen.insert(path))
    })
}

fn is_backup(path: &Path, suffix: Option<&str>) -> bool {
    let name = path.as_os_str().to_str();
    let of = suffix.and_then(|suffix| name?.strip_suffix(suffix));
    of.is_some_and(|of| !of.ends_with('/') && Path::new(of).is_file())
}

pub(super) type TaskResult = Result<Task, Error>;

/// What a new tree is to hold.
pub(super) struct Layout {
    /// Its files and links.
    pub(super) tasks: Vec<TaskResult>,
    /// Its folders, by their places, with what they are copies of.
    pub(super) folders: BTreeMap<PathBuf, PathBuf>,
}

/// All files and folders of the items with their places in `folder`: those of a folder directly under it. The
/// tree's globs say which files are rewritten, and the others are copied.
///
/// Fails before anything is written: where two files would have one place, or one a place below the
/// other's, and where `folder` and what is read lie in each other.
pub(super) fn laid_out(
    folder: &Path,
    tree: &WalkOptions,
    items: Vec<Item>,
) -> anyhow::Result<Layout> {
    let output = resolved(folder)?;
    let is_there = output.exists();
    for source in items
        .iter()
        .filter_map(Item::file)
        .filter(|path| path.is_dir())
    {
        refuse_overlap(&output, source, folder)?;
    }
    let everything = WalkOptions {
        follow: tree.follow,
        whole: true,
        ..WalkOptions::default()
    };
    let selected: Option<HashSet<PathBuf>> = (!tree.takes_all()).then(|| {
        let found = tree.walk(items.clone()).flatten();
        found
            .filter_map(|found| found.item.file().map(Path::to_owned))
            .collect()
    });
    // What lies in one folder lies there in different places.
    let may_meet = items.len() > 1;
    let mut places: HashMap<PathBuf, PathBuf> = HashMap::new();
    let mut folders = BTreeMap::new();
    let mut tasks = Vec::new();
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
            Some(root) => path.strip_prefix(root).unwrap_or(path),
            None => path.file_name().map_or(path, Path::new),
        };
        let below = below.to_owned();
        if found.kind == EntryKind::Folder {
            // Of folders in one place the first says how it is.
            folders.entry(below).or_insert_with(|| path.to_owned());
            continue;
        }
        if is_there && is_same_file(path, &output.join(&below)) {
            bail!("{}: the output would replace the input", path.display());
        }
        if may_meet && let Some(other) = places.insert(below.clone(), path.to_owned()) {
            let (other, path) = (other.display(), path.display());
            bail!(
                "{other} and {path} would both become {}",
                folder.join(below).display()
            );
        }
        let selected = selected
            .as_ref()
            .is_none_or(|selected| selected.contains(path));
        let (kind, item) = (found.kind, found.item);
        tasks.push(Ok(Task {
            item,
            kind,
            below: Some(below),
            selected,
            is_named: found.root.is_none(),
        }));
    }
    // Many files share a folder.
    let mut holding = HashSet::new();
    for (place, path) in &places {
        let folders = place.ancestors().skip(1);
        for folder in folders.take_while(|folder| holding.insert(*folder)) {
            if let Some(other) = places.get(folder) {
                let (other, path) = (other.display(), path.display());
                bail!("{other} would stand where the folder of {path} has to be");
            }
        }
    }
    for (place, path) in &folders {
        if let Some(other) = places.get(place) {
            let (other, path) = (other.display(), path.display());
            bail!("{other} would stand where {path} has to be");
        }
    }
    Ok(Layout { tasks, folders })
}

fn refuse_overlap(output: &Path, source: &Path, named: &Path) -> anyhow::Result<()> {
    let input = source
        .canonicalize()
        .with_context(|| source.display().to_string())?;
    if output.starts_with(&input) || input.starts_with(output) {
        bail!(
            "{} and {} lie in each other",
            source.display(),
            named.display()
        );
    }
    Ok(())
}

/// The path as the system resolves it, also where its end does not exist yet.
fn resolved(path: &Path) -> anyhow::Result<PathBuf> {
    let absolute = std::path::absolute(path).with_context(|| path.display().to_string())?;
    for ancestor in absolute.ancestors() {
        if let (Ok(real), Ok(rest)) = (ancestor.canonicalize(), absolute.strip_prefix(ancestor)) {
            if rest.components().any(|it| it == Component::ParentDir) {
                break;
            }
            return Ok(real.join(rest));
        }
    }
    bail!(
        "{}: goes back out of a folder that does not exist",
        path.display()
    )
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    // Seldom is there anything in the place where a file goes.
    b.exists() && matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
