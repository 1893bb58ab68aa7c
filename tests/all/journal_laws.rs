//! Runs are applied, stopped anywhere, resumed and undone: the tree is the new one or the old one.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use proptest::prelude::*;
use rehref::error::ErrorKind;
use rehref::fs::journal::{
    Applied, ApplyOptions, Edit, PlanWriter, Root, Run, RunState, rename_noreplace,
};
use rehref::jobs::in_threads;

use crate::temporary::in_memory;
use crate::tier;

/// An entry of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Directory,
    File(Vec<u8>),
    Link(String),
}

/// A tree: entries by their paths below the root, including all parent directories.
type Tree = BTreeMap<PathBuf, Node>;

/// The changes of a file: start, end, and the new bytes.
type Changes = Vec<(usize, usize, Vec<u8>)>;

/// A plan and the old tree.
#[derive(Clone, Debug, Default)]
struct Case {
    old: Tree,
    edits: BTreeMap<PathBuf, Changes>,
    directories: Vec<PathBuf>,
    moves: Vec<(PathBuf, PathBuf)>,
    creates: BTreeMap<PathBuf, Vec<u8>>,
    removals: Vec<PathBuf>,
}

impl Case {
    /// The new path of an old path.
    fn new_place(&self, old: &Path) -> PathBuf {
        for directory in old.ancestors() {
            if let Some((_, to)) = self.moves.iter().find(|(from, _)| from == directory) {
                let rest = old.strip_prefix(directory).expect("an ancestor");
                return if rest == Path::new("") { to.clone() } else { to.join(rest) };
            }
        }
        old.to_owned()
    }

    /// The new tree, and the directories that must be created for it. `None` if two entries would
    /// have the same path, or a parent is a file.
    fn moved(&self, removals: &[PathBuf]) -> Option<(Tree, Vec<PathBuf>)> {
        let mut new = Tree::new();
        for (path, node) in self.old.iter().filter(|(path, _)| !removals.contains(path)) {
            let node = match (node, self.edits.get(path)) {
                (Node::File(content), Some(changes)) => Node::File(edited(content, changes)),
                _ => node.clone(),
            };
            if new.insert(self.new_place(path), node).is_some() {
                return None;
            }
        }
        let mut made = BTreeSet::new();
        for path in new.keys() {
            for directory in path.ancestors().skip(1).filter(|it| *it != Path::new("")) {
                match new.get(directory) {
                    Some(Node::Directory) => {}
                    Some(_) => return None,
                    None => drop(made.insert(directory.to_owned())),
                }
            }
        }
        new.extend(made.iter().map(|path| (path.clone(), Node::Directory)));
        Some((new, made.into_iter().collect()))
    }

    /// The directories that become empty: those that `wanted` selects, and those that are in the
    /// way.
    fn emptied(&self, wanted: impl Fn(usize) -> bool) -> Vec<PathBuf> {
        let mut removals: Vec<PathBuf> = Vec::new();
        for (number, (path, _)) in self.old.iter().enumerate().rev() {
            if self.old[path] != Node::Directory || self.moves.iter().any(|(from, _)| from == path)
            {
                continue;
            }
            let here = self.new_place(path);
            let is_empty = self.old.keys().all(|other| {
                removals.contains(other)
                    || other == path
                    || !self.new_place(other).starts_with(&here)
                    // An entry that takes its place is not in it.
                    || self.new_place(other) == here
            });
            let is_taken =
                self.old.keys().any(|other| other != path && self.new_place(other) == here);
            let had_something = self.old.keys().any(|it| it != path && it.starts_with(path));
            if is_empty && (is_taken || had_something && wanted(number)) {
                removals.push(path.clone());
            }
        }
        removals
    }

    fn new_tree(&self) -> Tree {
        let (mut new, _) = self.moved(&self.removals).expect("a plan that can be");
        for (path, content) in &self.creates {
            new.insert(path.clone(), Node::File(content.clone()));
        }
        new
    }

    fn plan(&self, root: &Root) -> Run {
        let mut plan = PlanWriter::begin(root).expect("begun");
        for (path, changes) in &self.edits {
            let Node::File(old) = &self.old[path] else {
                panic!("no file");
            };
            let changes = changes.iter().map(|(start, end, new)| (*start..*end, &**new));
            // A backup stays at the old path, so it would keep directories from being removed.
            let backup = self.moves.is_empty().then_some(".orig");
            let edit = Edit::new(root, path, old, changes, backup).expect("an edit");
            plan.edit(edit).expect("written");
        }
        for (path, content) in &self.creates {
            plan.create(path, content).expect("written");
        }
        for path in &self.removals {
            plan.remove_directory(path).expect("written");
        }
        for (from, to) in &self.moves {
            plan.rename(from, to).expect("written");
        }
        for path in &self.directories {
            plan.make_directory(path).expect("written");
        }
        plan.finish().expect("written").expect("steps")
    }
}

fn edited(content: &[u8], changes: &[(usize, usize, Vec<u8>)]) -> Vec<u8> {
    let mut new = content.to_vec();
    for (start, end, bytes) in changes.iter().rev() {
        new.splice(start..end, bytes.iter().copied());
    }
    new
}

/// Names in few directories, some equal except for case or normal form.
fn names() -> impl Strategy<Value = PathBuf> {
    let name = prop::sample::select(vec!["a", "A", "b", "c", "\u{E9}", "e\u{301}"]);
    prop::collection::vec(name, 1..4).prop_map(|names| names.iter().collect())
}

/// Parts of a plan. Those that are possible are used.
#[derive(Clone, Debug)]
struct Wish {
    files: Vec<(PathBuf, Vec<u8>)>,
    links: Vec<PathBuf>,
    moves: Vec<(prop::sample::Index, PathBuf)>,
    edits: Vec<(prop::sample::Index, Changes)>,
    creates: Vec<(PathBuf, Vec<u8>)>,
    removed: u64,
}

fn wishes() -> impl Strategy<Value = Wish> {
    let bytes = || prop::collection::vec(any::<u8>(), 0..12);
    let index = any::<prop::sample::Index>;
    let changes = prop::collection::vec((0usize..12, 0usize..3, bytes()), 1..3);
    (
        prop::collection::vec((names(), bytes()), 1..8),
        prop::collection::vec(names(), 0..2),
        prop::collection::vec((index(), names()), 0..6),
        prop::collection::vec((index(), changes), 0..5),
        prop::collection::vec((names(), bytes()), 0..3),
        any::<u64>(),
    )
        .prop_map(|(files, links, moves, edits, creates, removed)| Wish {
            files,
            links,
            moves,
            edits,
            creates,
            removed,
        })
}

fn cases() -> impl Strategy<Value = Case> {
    wishes().prop_map(|wish| {
        let mut case = Case::default();
        let mut add = |path: PathBuf, node: Node| {
            let is_file =
                |it: &Path| matches!(case.old.get(it), Some(it) if *it != Node::Directory);
            if case.old.contains_key(&path) || path.ancestors().any(is_file) {
                return;
            }
            for directory in path.ancestors().skip(1).filter(|it| *it != Path::new("")) {
                case.old.insert(directory.to_owned(), Node::Directory);
            }
            case.old.insert(path, node);
        };
        for (path, content) in wish.files {
            add(path, Node::File(content));
        }
        for path in wish.links {
            add(path, Node::Link("nowhere".to_owned()));
        }
        for (which, to) in wish.moves {
            let from = which.get(&case.old.keys().cloned().collect::<Vec<_>>()).clone();
            if case.moves.iter().any(|(other, _)| *other == from) || from == to {
                continue;
            }
            case.moves.push((from, to));
            if case.moved(&case.emptied(|_| false)).is_none() {
                case.moves.pop();
            }
        }
        for (which, changes) in wish.edits {
            let path = which.get(&case.old.keys().cloned().collect::<Vec<_>>()).clone();
            let Node::File(content) = &case.old[&path] else {
                continue;
            };
            let mut end = 0;
            let changes: Vec<_> = changes
                .into_iter()
                .map(|(skip, len, new)| {
                    let start = (end + skip).min(content.len());
                    end = (start + len).min(content.len());
                    (start, end, new)
                })
                .collect();
            if edited(content, &changes) != *content {
                case.edits.insert(path, changes);
            }
        }
        case.removals = case.emptied(|number| wish.removed >> (number % 64) & 1 == 1);
        let moved = case.moved(&case.removals).or_else(|| {
            case.removals = case.emptied(|_| false);
            case.moved(&case.removals)
        });
        let (new, directories) = moved.expect("looked at before");
        case.directories = directories;
        for (path, content) in wish.creates {
            let is_in_directory = path
                .parent()
                .is_some_and(|it| it == Path::new("") || new.get(it) == Some(&Node::Directory));
            if is_in_directory && !new.contains_key(&path) {
                case.creates.insert(path, content);
            }
        }
        case
    })
}

/// A directory with the old tree. Each file has its own mode and time.
fn written(tree: &Tree) -> (tempfile::TempDir, Root) {
    let directory = in_memory();
    for (number, (path, node)) in (0..).zip(tree) {
        let path = directory.path().join(path);
        match node {
            Node::Directory => fs::create_dir(&path).expect("a directory"),
            Node::Link(to) => std::os::unix::fs::symlink(to, &path).expect("a link"),
            Node::File(content) => {
                fs::write(&path, content).expect("written");
                let time = SystemTime::UNIX_EPOCH + Duration::new(1000 + number, number as u32 + 1);
                let file = fs::File::options().write(true).open(&path).expect("open");
                file.set_modified(time).expect("a time");
                let mode = [0o644, 0o600, 0o755][number as usize % 3];
                set_mode(&path, mode);
            }
        }
        if *node == Node::Directory {
            set_mode(&path, [0o755, 0o700, 0o775][number as usize % 3]);
        }
    }
    let root = Root::new(directory.path()).expect("a root");
    (directory, root)
}

fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
}

/// The tree on disk, with modes, and the times of files.
fn found(root: &Path) -> BTreeMap<PathBuf, (Node, u32, Option<SystemTime>)> {
    use std::os::unix::fs::PermissionsExt;
    let entries = walkdir::WalkDir::new(root).min_depth(1).into_iter();
    let entries = entries.filter_entry(|it| it.file_name() != ".rehref");
    let describe = |entry: walkdir::DirEntry| {
        let metadata = entry.path().symlink_metadata().expect("there");
        let (node, time) = if metadata.is_dir() {
            (Node::Directory, None)
        } else if metadata.is_symlink() {
            let to = fs::read_link(entry.path()).expect("a link");
            (Node::Link(to.to_str().expect("UTF-8").to_owned()), None)
        } else {
            let content = fs::read(entry.path()).expect("readable");
            (Node::File(content), metadata.modified().ok())
        };
        let below = entry.path().strip_prefix(root).expect("below").to_owned();
        (below, (node, metadata.permissions().mode(), time))
    };
    entries.map(|it| describe(it.expect("there"))).collect()
}

fn names_and_nodes(tree: &BTreeMap<PathBuf, (Node, u32, Option<SystemTime>)>) -> Tree {
    let nodes = tree.iter().map(|(path, (node, ..))| (path.clone(), node.clone()));
    nodes.filter(|(path, _)| !is_backup(path)).collect()
}

fn is_backup(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "orig")
}

/// A way to stop a run.
#[derive(Clone, Copy, Debug)]
struct Crash {
    /// Stop before this step, when the run checks whether to stop.
    at: usize,
    /// Stop by a panic, not in an orderly way.
    panics: bool,
    /// The journal entries after the last step are lost, as in a crash before they are written.
    forgets: bool,
    /// Stop before or after this rename instead of before a step.
    rename: Option<(usize, bool)>,
    jobs: usize,
}

fn crashes() -> impl Strategy<Value = Crash> {
    let rename = prop::option::of((0usize..8, any::<bool>()));
    (0usize..24, any::<bool>(), any::<bool>(), rename, 1usize..3).prop_map(
        |(at, panics, forgets, rename, jobs)| Crash {
            at: if rename.is_some() { usize::MAX } else { at },
            panics,
            forgets: forgets && jobs == 1 && rename.is_none(),
            rename,
            jobs,
        },
    )
}

/// Stops a run. Returns its result if it ended normally.
fn crashed(
    root: &Root,
    crash: Crash,
    run: impl FnOnce(&ApplyOptions<'_>) -> Applied,
) -> Option<Applied> {
    let journal = root.directory().join(".rehref/journal");
    let len = || fs::metadata(&journal).map_or(0, |it| it.len());
    let (asked, before, now) = (AtomicUsize::new(0), AtomicU64::new(len()), AtomicU64::new(len()));
    let stop = || {
        before.store(now.swap(len(), Ordering::SeqCst), Ordering::SeqCst);
        let stops = asked.fetch_add(1, Ordering::SeqCst) >= crash.at;
        if stops && crash.panics {
            // Without the message of a panic.
            resume_unwind(Box::new(()));
        }
        stops
    };
    let renamed = Cell::new(0);
    let rename = |from: &Path, to: &Path| {
        let number = renamed.replace(renamed.get() + 1);
        let ends = |after| crash.rename == Some((number, after));
        if ends(false) {
            resume_unwind(Box::new(()));
        }
        let result = rename_noreplace(from, to);
        if ends(true) {
            resume_unwind(Box::new(()));
        }
        result
    };
    let options = ApplyOptions {
        run_tasks: &in_threads(NonZeroUsize::new(crash.jobs).expect("not zero")),
        rename: crash.rename.is_some().then_some(&rename),
        stop: &stop,
    };
    let applied = catch_unwind(AssertUnwindSafe(|| run(&options))).ok();
    if crash.forgets && asked.load(Ordering::SeqCst) > crash.at {
        let file = fs::File::options().append(true).open(&journal).expect("the journal");
        file.set_len(before.load(Ordering::SeqCst)).expect("cut");
        // The next line is incomplete.
        std::io::Write::write_all(&mut &file, b"{\"do").expect("written");
    }
    applied
}

fn finished(applied: &Applied) -> Result<(), TestCaseError> {
    prop_assert!(applied.problems.is_empty(), "{:?}", applied.problems);
    prop_assert_eq!(applied.state, RunState::Finished);
    Ok(())
}

fn undone(root: &Root, applied: &Applied) -> Result<(), TestCaseError> {
    prop_assert!(applied.problems.is_empty(), "{:?}", applied.problems);
    prop_assert_eq!(applied.state, RunState::Undone);
    prop_assert!(!root.directory().join(".rehref").exists());
    Ok(())
}

fn is_empty(case: &Case) -> bool {
    case.edits.is_empty()
        && case.moves.is_empty()
        && case.creates.is_empty()
        && case.removals.is_empty()
}

proptest! {
    #![proptest_config(tier::cases(256))]

    #[test]
    fn run_makes_the_new_tree_and_undo_the_old_one(case in cases()) {
        prop_assume!(!is_empty(&case));
        let (_directory, root) = written(&case.old);
        let before = found(root.directory());
        let run = case.plan(&root);
        prop_assert_eq!(&before, &found(root.directory()), "a plan changes nothing");
        let two = in_threads(NonZeroUsize::new(2).expect("not zero"));
        let options = ApplyOptions { run_tasks: &two, ..ApplyOptions::default() };
        finished(&run.apply(&options).expect("applied"))?;
        let after = found(root.directory());
        prop_assert_eq!(names_and_nodes(&after), case.new_tree());
        for (path, (_, mode, time)) in before.iter().filter(|(path, _)| !case.removals.contains(path)) {
            let (_, new_mode, new_time) = &after[&case.new_place(path)];
            prop_assert_eq!(mode, new_mode);
            prop_assert!(case.edits.contains_key(path) || time == new_time);
        }
        let run = Run::open(&root).expect("readable").expect("a run");
        prop_assert_eq!(run.state(), RunState::Finished);
        undone(&root, &run.undo(&options).expect("undone"))?;
        prop_assert_eq!(before, found(root.directory()));
    }

    #[test]
    fn undo_moves_nothing_if_an_edited_file_was_changed(
        case in cases(), which in any::<prop::sample::Index>(),
    ) {
        prop_assume!(!case.edits.is_empty() && !case.moves.is_empty());
        let (_directory, root) = written(&case.old);
        let before = found(root.directory());
        finished(&case.plan(&root).apply(&ApplyOptions::default()).expect("applied"))?;
        let edited = which.get(&case.edits.keys().collect::<Vec<_>>()).to_path_buf();
        let path = root.directory().join(case.new_place(&edited));
        let left = fs::read(&path).expect("readable");
        fs::write(&path, [&*left, b"mine"].concat()).expect("written");
        let changed = found(root.directory());
        let undo = || {
            let run = Run::open(&root).expect("readable").expect("a run");
            run.undo(&ApplyOptions::default()).expect("looked at")
        };
        let refused = undo();
        prop_assert_eq!(refused.state, RunState::Finished);
        prop_assert_eq!(refused.problems.len(), 1);
        prop_assert_eq!(refused.problems[0].path(), path.as_path());
        prop_assert!(matches!(refused.problems[0].kind(), ErrorKind::ModifiedSince));
        prop_assert_eq!(changed, found(root.directory()));
        fs::write(&path, left).expect("written");
        undone(&root, &undo())?;
        prop_assert_eq!(before, found(root.directory()));
    }

    #[test]
    fn undo_continues_if_directories_were_removed_or_created(
        case in cases(), gone in any::<prop::sample::Index>(), made in any::<prop::sample::Index>(),
    ) {
        prop_assume!(!is_empty(&case));
        let (_directory, root) = written(&case.old);
        let before = found(root.directory());
        finished(&case.plan(&root).apply(&ApplyOptions::default()).expect("applied"))?;
        // An old directory that is not in the new tree is created again.
        let new = case.new_tree();
        let old = case.old.iter().filter(|(path, node)| {
            let directory = path.parent().expect("a name");
            let is_directory = directory == Path::new("") || new.get(directory) == Some(&Node::Directory);
            // In a directory that moves back it would get another path.
            let is_same = case.new_place(directory) == directory && !case.removals.contains(&directory.to_owned());
            let fits = is_directory && is_same;
            **node == Node::Directory && fits && !new.contains_key(*path)
        });
        let old: Vec<_> = old.map(|(path, _)| path).collect();
        if !old.is_empty() {
            fs::create_dir(root.directory().join(made.get(&old))).expect("a directory");
        }
        let directories: Vec<_> = new.iter().filter(|(_, node)| **node == Node::Directory).collect();
        let gone = (!directories.is_empty()).then(|| gone.get(&directories).0);
        if let Some(gone) = gone {
            fs::remove_dir_all(root.directory().join(gone)).expect("removed");
        }
        let run = Run::open(&root).expect("readable").expect("a run");
        let undone = run.undo(&ApplyOptions::default()).expect("undone");
        prop_assert_eq!(undone.state, RunState::Undone, "{:?}", undone.problems);
        let after = found(root.directory());
        for (path, node) in before.iter().filter(|(_, node)| node.0 != Node::Directory) {
            if !gone.is_some_and(|gone| case.new_place(path).starts_with(gone)) {
                prop_assert_eq!(Some(node), after.get(path));
            }
        }
    }

    #[test]
    fn stopped_run_can_be_resumed_and_undone(
        case in cases(), first in crashes(), second in crashes(), resumes in any::<bool>(),
    ) {
        prop_assume!(!is_empty(&case));
        let (_directory, root) = written(&case.old);
        let before = found(root.directory());
        let run = case.plan(&root);
        crashed(&root, first, |options| run.apply(options).expect("applied"));
        let open = || Run::open(&root).expect("readable");
        // Stop a second time, while resuming or undoing.
        let run = open().expect("a run");
        if resumes {
            crashed(&root, second, |options| run.apply(options).expect("applied"));
            let run = open().expect("a run");
            finished(&run.apply(&ApplyOptions::default()).expect("applied"))?;
            prop_assert_eq!(names_and_nodes(&found(root.directory())), case.new_tree());
        } else {
            crashed(&root, Crash { forgets: false, ..second }, |options| run.undo(options).expect("undone"));
        }
        if let Some(run) = open() {
            undone(&root, &run.undo(&ApplyOptions::default()).expect("undone"))?;
        }
        prop_assert_eq!(before, found(root.directory()));
    }
}
