//! The edit of a file in a plan.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::journal_file::line_of;
use super::line::{EditStep, Line, NewChanges, NewEdit, NewLine};
use super::preflight::{editable, may_be_named};
use super::root::{Root, exists};
use super::values::{Fingerprint, Text, Time};
use crate::error::{Error, ErrorKind};
use crate::fs::replace::stamp::Access;
use crate::fs::replace::{Owner, backup_of, other_links};

/// A prepared edit of a file. Preparing is linear in the file, and can be done in parallel.
#[derive(Debug)]
pub struct Edit {
    pub(super) path: PathBuf,
    pub(super) changes: u64,
    pub(super) owner: Owner,
    pub(super) line: Vec<u8>,
    /// The old content, if the owner of the file cannot own a new file.
    old: Option<Vec<u8>>,
}

impl Edit {
    /// Prepares an edit of the file at `path` with the content `old`: replaces each range of
    /// `changes` with the given bytes. The ranges are in order and disjoint. A relative path is
    /// relative to the root. Follows symbolic links.
    ///
    /// With `backup`, the old content is kept in a file with this suffix, unless that exists
    /// already.
    ///
    /// # Errors
    /// If the edit would fail later: the file is read-only, not a regular file, outside of the
    /// root, or cannot be replaced in its directory.
    ///
    /// # Panics
    /// If a range is not within `old`, after the previous range.
    pub fn new<'c>(
        root: &Root,
        path: &Path,
        old: &[u8],
        changes: impl IntoIterator<Item = (Range<usize>, &'c [u8])> + Clone,
        backup: Option<&str>,
    ) -> Result<Self, Error> {
        Self::of_links(root, path, old, (changes, None), backup)
    }

    /// Like [`new`](Self::new), for changes that are not those of one link each: with the number of
    /// links that they change.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn of_links<'c>(
        root: &Root,
        path: &Path,
        old: &[u8],
        (changes, links): (impl IntoIterator<Item = (Range<usize>, &'c [u8])> + Clone, Option<u64>),
        backup: Option<&str>,
    ) -> Result<Self, Error> {
        let (path, metadata) = editable(root, path)?;
        let full = root.directory().join(&path);
        let backup = backup.map(|suffix| backup_of(&path, suffix));
        let backup = backup.filter(|backup| !exists(&root.directory().join(backup)));
        if let Some(backup) = &backup {
            may_be_named(backup).map_err(|error| {
                let text = "the name of its backup is too long";
                let error = io::Error::new(error.kind(), text);
                Error::new(&full, ErrorKind::Write(error))
            })?;
        }
        // Not collected, since millions of changes are possible.
        let step = NewEdit {
            path: Text::of_path(&path),
            old: Fingerprint::of([old]),
            new: Fingerprint::of_changed(old, changes.clone()),
            time: metadata.modified().ok().and_then(Time::new),
            backup: backup.as_deref().map(Text::of_path),
            links,
            changes: NewChanges(old, changes.clone()),
        };
        let line = line_of(&NewLine::Edit(step));
        let owner = Owner::of(&metadata);
        Ok(Self {
            changes: links.unwrap_or_else(|| changes.into_iter().count() as u64),
            owner,
            old: (owner != Owner::of_process()).then(|| old.to_owned()),
            line: line.map_err(|error| Error::new(&full, ErrorKind::Write(error)))?,
            path,
        })
    }

    /// Checks that the file at `path` may be edited, without opening it. Returns the number of
    /// other hard links, which would keep the old content.
    ///
    /// # Errors
    /// Those of [`Edit::new`].
    pub fn check(root: &Root, path: &Path) -> Result<u64, Error> {
        editable(root, path).map(|(_, metadata)| other_links(&metadata))
    }

    /// Adds the whole old content, so that the file can be written in place.
    pub(super) fn write_in_place(&mut self, root: &Root) -> io::Result<()> {
        let old = self.old.take().ok_or_else(|| self.owner.not_kept())?;
        let place = root.open(&self.path);
        let place = place.map_err(|_| io::Error::from(io::ErrorKind::NotFound))?;
        place.dir.file(&place.name, Access::ReadWrite)?;
        let Line::Edit(step) = serde_json::from_slice(&self.line)? else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        self.line = line_of(&Line::Edit(EditStep { content: Some(Text(old)), ..step }))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Tree;
    use crate::fs::journal::{ApplyOptions, PlanWriter, Run, RunState};
    use crate::fs::replace::dir::Dir;

    /// Writes a plan that changes the file `a` in place.
    fn planned_in_place(root: &Root, old: &[u8], range: Range<usize>, new: &[u8]) {
        let mut writer = PlanWriter::begin(root).unwrap();
        let edit = Edit::new(root, Path::new("a"), old, [(range, new)], Some("~"));
        let mut edit = edit.unwrap();
        edit.old = Some(old.to_owned());
        edit.write_in_place(root).unwrap();
        writer.edit(edit).unwrap();
        assert!(writer.finish().unwrap().is_some());
    }

    #[test]
    fn half_written_file_is_completed_or_restored() {
        let tree = Tree::empty();
        let root = Root::new(tree.path()).unwrap();
        let options = ApplyOptions::default();
        for (range, text) in [(1..3, &b"1234567"[..]), (2..5, b""), (0..6, b"ABCDEF")] {
            let old = b"abcdef";
            let new = [&old[..range.start], text, &old[range.end..]].concat();
            let longest = old.len().max(new.len());
            for written in 0..=longest {
                // The beginning is new, and the rest is old.
                let mut half = new[..written.min(new.len())].to_vec();
                half.extend_from_slice(old.get(half.len()..).unwrap_or_default());
                for resumes in [true, false] {
                    tree.write("a", old);
                    let inode = Dir::open(tree.path()).unwrap();
                    let inode = || inode.stamp_of("a".as_ref()).unwrap().unwrap().identity;
                    let before = inode();
                    planned_in_place(&root, old, range.clone(), text);
                    // The process was killed while it wrote.
                    tree.write("a~", old);
                    tree.write("a", &half);
                    if resumes {
                        let run = Run::open(&root).unwrap().unwrap();
                        let applied = run.apply(&options).unwrap();
                        assert_eq!(applied.state, RunState::Finished, "{half:?}");
                        assert_eq!(tree.bytes("a"), new);
                    }
                    let run = Run::open(&root).unwrap().unwrap();
                    let undone = run.undo(&options).unwrap();
                    assert_eq!(undone.state, RunState::Undone, "{half:?}");
                    assert!(undone.problems.is_empty(), "{:?}", undone.problems);
                    assert_eq!(tree.bytes("a"), old);
                    assert_eq!(inode(), before);
                    assert!(!tree.has("a~"));
                }
            }
        }
    }

    #[test]
    fn backup_that_cannot_exist_does_not_stop_undo() {
        let tree = Tree::new(&[("a", "abc")]);
        let root = Root::new(tree.path()).unwrap();
        let edit = Edit::new(&root, Path::new("a"), b"abc", [(1..2, &b"x"[..])], Some("~"));
        let mut edit = edit.unwrap();
        let Line::Edit(step) = serde_json::from_slice(&edit.line).unwrap() else {
            panic!("not an edit");
        };
        // A journal of a file system with longer names.
        let backup = Some(Text::of_path(Path::new(&"a".repeat(300))));
        edit.line = line_of(&Line::Edit(EditStep { backup, ..step })).unwrap();
        let mut writer = PlanWriter::begin(&root).unwrap();
        writer.edit(edit).unwrap();
        writer.finish().unwrap().unwrap();
        tree.write("a", "axc");
        let run = Run::open(&root).unwrap().unwrap();
        let undone = run.undo(&ApplyOptions::default()).unwrap();
        assert!(undone.problems.is_empty(), "{:?}", undone.problems);
        assert_eq!(tree.read("a"), "abc");
    }

    #[test]
    fn file_written_in_place_has_a_backup_and_changes_of_others_stay() {
        let tree = Tree::new(&[("a", "abc")]);
        let root = Root::new(tree.path()).unwrap();
        let options = ApplyOptions::default();
        planned_in_place(&root, b"abc", 0..1, b"X");
        let applied = Run::open(&root).unwrap().unwrap().apply(&options).unwrap();
        assert_eq!(applied.done.files, 1);
        assert_eq!(tree.read("a"), "Xbc");
        assert_eq!(tree.read("a~"), "abc");
        // It is not half-written, since the run is finished.
        for mine in ["abX", "mine"] {
            tree.write("a", mine);
            let undone = Run::open(&root).unwrap().unwrap().undo(&options).unwrap();
            assert_eq!(undone.problems.len(), 1);
            assert_eq!(tree.read("a"), mine);
        }
        tree.remove(".rehref");
        tree.remove("a~");
        tree.write("a", "abc");
        planned_in_place(&root, b"abc", 0..1, b"X");
        tree.write("a", "mine");
        let applied = Run::open(&root).unwrap().unwrap().apply(&options).unwrap();
        assert_eq!(applied.problems.len(), 1);
        assert_eq!(tree.read("a"), "mine");
    }
}
