//! Which file goes where.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use rehref::error::Error;
use rehref::source::{Found, FoundKind, Item, Tree};

/// One file to work on.
pub(super) struct Task {
    pub(super) item: Item,
    pub(super) kind: FoundKind,
    /// Its place in the new tree, if there is to be one.
    pub(super) to: Option<PathBuf>,
    /// Whether its links are rewritten; else it is only copied.
    pub(super) selected: bool,
}

/// A file that is not to be put anywhere else.
pub(super) fn in_place(found: Result<Found, Error>) -> Result<Task, Error> {
    let Found { item, kind, .. } = found?;
    Ok(Task {
        item,
        kind,
        to: None,
        selected: true,
    })
}

/// All files of the items with their places in `folder`: those of a folder directly under it. The
/// tree's globs say which are rewritten, and the others are copied.
///
/// Fails before anything is written: where two files would have one place, and where `folder` and
/// what is read lie in each other.
pub(super) fn laid_out(
    folder: &Path,
    tree: &Tree,
    items: Vec<Item>,
) -> anyhow::Result<Vec<Result<Task, Error>>> {
    for source in items
        .iter()
        .filter_map(Item::file)
        .filter(|path| path.is_dir())
    {
        refuse_overlap(folder, source)?;
    }
    let everything = Tree {
        follow: tree.follow,
        links: !tree.follow,
        ..Tree::default()
    };
    let selected: Option<HashSet<PathBuf>> = (!tree.takes_all()).then(|| {
        let found = tree.walk(items.clone()).flatten();
        found
            .filter_map(|found| found.item.file().map(Path::to_owned))
            .collect()
    });
    let mut places: HashMap<PathBuf, PathBuf> = HashMap::new();
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
        let to = folder.join(below);
        if found.root.is_none() && is_same_file(path, &to) {
            bail!("{}: the output would replace the input", to.display());
        }
        if let Some(other) = places.insert(to.clone(), path.to_owned()) {
            let (other, path) = (other.display(), path.display());
            bail!("{other} and {path} would both become {}", to.display());
        }
        let selected = selected
            .as_ref()
            .is_none_or(|selected| selected.contains(path));
        tasks.push(Ok(Task {
            kind: found.kind,
            item: found.item,
            to: Some(to),
            selected,
        }));
    }
    Ok(tasks)
}

fn refuse_overlap(folder: &Path, source: &Path) -> anyhow::Result<()> {
    let output = resolved(folder).with_context(|| folder.display().to_string())?;
    let input = source
        .canonicalize()
        .with_context(|| source.display().to_string())?;
    if output.starts_with(&input) || input.starts_with(&output) {
        bail!(
            "{} and {} lie in each other",
            source.display(),
            folder.display()
        );
    }
    Ok(())
}

/// The path as the system resolves it, also where its end does not exist yet.
fn resolved(path: &Path) -> std::io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    for ancestor in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (ancestor.canonicalize(), path.strip_prefix(ancestor)) {
            return Ok(real.join(rest));
        }
    }
    Ok(path)
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
