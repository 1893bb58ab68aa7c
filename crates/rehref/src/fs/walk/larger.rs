//! The larger tree that a directory is a part of.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::{GitIgnore, PRIVATE, below_root};
use crate::format::Format;

/// The entries in the root of a repository.
const REPOSITORIES: [&str; 2] = [".git", ".hg"];

/// The most entries that are examined to find documents.
const MAX_ENTRIES: usize = 20_000;

/// The root of the repository that contains a directory. `None` if that is the directory itself, or
/// on another file system.
pub fn repository_above(directory: &Path) -> Option<PathBuf> {
    let directory = directory.canonicalize().ok()?;
    let is_root = |it: &Path| {
        let marks = REPOSITORIES.iter().map(|name| it.join(name));
        marks.into_iter().any(|mark| mark.symlink_metadata().is_ok())
    };
    let device = |it: &Path| it.metadata().ok().map(|it| device(&it));
    let same = directory.ancestors().take_while(|it| device(it) == device(&directory));
    let root = { same }.find(|it| is_root(it))?;
    (root != directory).then(|| root.to_owned())
}

/// The documents with relative links in a directory, by their names, except for those in its
/// subdirectory `inner`. Leaves out what git ignores. Examines a limited number of entries; `None`
/// is the last item if there are more.
pub fn documents_outside(directory: &Path, inner: &Path) -> impl Iterator<Item = Option<PathBuf>> {
    let is_document = |path: &Path| {
        let format = Format::from_extension(path);
        format.is_some_and(|it| it.is_rewritable() && !it.is_rewritten_by_maps_only())
    };
    // Builds may have very many files.
    let ignored = GitIgnore::default().rules(directory);
    let is_entered = |entry: &DirEntry| {
        let is_private = PRIVATE.iter().any(|it| entry.file_name() == *it);
        let below = below_root(entry.path(), directory);
        let is_document_or_above = !is_private && entry.path() != inner;
        entry.depth() == 0
            || is_document_or_above
                && !ignored.as_ref().is_some_and(|it| it.ignore(below, entry.file_type().is_dir()))
    };
    let entries = WalkDir::new(directory).sort_by_file_name().into_iter();
    let entries = entries.filter_entry(is_entered);
    let entries = entries.take(MAX_ENTRIES + 1).enumerate();
    let documents = entries.filter_map(|(number, entry)| {
        if number == MAX_ENTRIES {
            return Some(None);
        }
        let entry = entry.ok().filter(|it| it.file_type().is_file())?;
        let path = entry.into_path();
        is_document(&path).then_some(Some(path))
    });
    documents.collect::<Vec<_>>().into_iter()
}

/// The device of the file system.
#[cfg(unix)]
pub(in crate::fs) fn device(metadata: &Metadata) -> Option<u64> {
    Some(std::os::unix::fs::MetadataExt::dev(metadata))
}

#[cfg(not(unix))]
pub(in crate::fs) fn device(_: &Metadata) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Tree;

    #[test]
    fn documents_and_repositories_of_a_larger_tree_are_found() {
        let files = Tree::new(&[("a/b/x.html", ""), ("a/x.png", "")]);
        files.make("a/b/.git");
        let (top, inner) = (files.path(), files.at("a/b"));
        assert_eq!(repository_above(&inner), None);
        files.rename("a/b/.git", ".hg");
        assert_eq!(repository_above(&inner), Some(top.to_owned()));
        assert_eq!(repository_above(top), None);
        assert_eq!(documents_outside(top, &inner).count(), 0);
        files.write("a/x.css", "");
        let outside: Vec<_> = documents_outside(top, &inner).collect();
        assert_eq!(outside, [Some(files.at("a/x.css"))]);
    }
}
