//! Renames that git finds: `git diff -M`, and `git mv`. git runs as a program.

mod guarded;
mod message;

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Output, Stdio};
use std::thread;

use memchr::memchr;

use self::guarded::{Guarded, git_in, refusal, run};
use super::relocate::{OldContent, Rename, Renames};
use crate::fs::journal::rename_noreplace;
use crate::fs::path_of_bytes;

pub use self::message::{GitMessage, GitProblem};

/// The maximum length of a file whose old content is compared, in bytes.
const MAX_CONTENT: u64 = 16 << 20;

/// A directory in a work tree.
pub struct Repository<'r> {
    /// As the user names it.
    shown: &'r Path,
    /// Without symbolic links.
    root: PathBuf,
    /// The top of the work tree.
    top: PathBuf,
    is_shallow: bool,
    guarded: Guarded<'r>,
}

/// The renames that git finds.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct GitRenames {
    /// The renames, and the files that were removed.
    pub renames: Renames,
    /// Warnings of git.
    pub warnings: Vec<String>,
    /// The number of files that git does not track, if files were removed. git finds no renames to
    /// them.
    pub untracked: usize,
}

/// A file that `git diff` reports as renamed.
#[derive(Debug, PartialEq, Eq)]
struct RawRename<'d> {
    old: &'d [u8],
    new: &'d [u8],
    /// The object with the old content, if both are regular files.
    object: Option<&'d str>,
    /// True if the content is the same in the object database or index.
    is_same: bool,
}

/// The renamed and removed files of `git diff --raw -z`.
#[derive(Debug, Default, PartialEq, Eq)]
struct RawDiff<'d> {
    renamed: Vec<RawRename<'d>>,
    removed: Vec<&'d [u8]>,
}

impl<'d> RawDiff<'d> {
    /// Parses the output. Entries of unknown form are left out.
    fn parse(diff: &'d [u8]) -> Self {
        let mut parsed = Self::default();
        let mut fields = diff.split(|&byte| byte == 0);
        while let Some(head) = fields.next() {
            let head = str::from_utf8(head).unwrap_or_default();
            let mut words = head.trim_start_matches(':').split(' ');
            let mut word = || words.next().unwrap_or_default();
            let (old_mode, new_mode) = (word(), word());
            let (old_object, new_object) = (word(), word());
            let is_file = |mode: &str| mode.starts_with("100");
            match (word().as_bytes().first(), fields.next()) {
                (Some(b'R'), Some(old)) => parsed.renamed.push(RawRename {
                    old,
                    new: fields.next().unwrap_or_default(),
                    object: (is_file(old_mode) && is_file(new_mode)).then_some(old_object),
                    is_same: old_object == new_object,
                }),
                (Some(b'D'), Some(path)) => parsed.removed.push(path),
                _ => {}
            }
        }
        parsed
    }
}

impl<'r> Repository<'r> {
    /// Finds the work tree that contains a directory.
    ///
    /// # Errors
    /// If none contains it, if git cannot be run, or if programs of the repository could run.
    pub fn of(directory: &'r Path) -> Result<Self, GitMessage> {
        let guarded = Guarded::of(directory)?;
        let mut git = git_in(directory);
        let questions = ["--is-inside-work-tree", "--is-shallow-repository", "--show-prefix"];
        let output = run(git.arg("rev-parse").args(questions))?;
        if !output.status.success() {
            return Err(refusal(&output));
        }
        let mut lines = output.stdout.splitn(3, |&byte| byte == b'\n');
        let mut line = || lines.next().unwrap_or_default();
        let (is_inside, is_shallow) = (line(), line());
        if is_inside != b"true" {
            let shown = directory.display();
            return Err(GitMessage::new(format!("{shown}: not in a work tree of git")));
        }
        let prefix = line();
        let prefix = path_of_bytes(prefix.strip_suffix(b"\n").unwrap_or(prefix));
        let root = directory.canonicalize();
        let root =
            root.map_err(|error| GitMessage::new(format!("{}: {error}", directory.display())))?;
        let top = root.ancestors().nth(prefix.components().count());
        Ok(Self {
            shown: directory,
            top: top.unwrap_or(&root).to_owned(),
            root,
            is_shallow: is_shallow == b"true",
            guarded,
        })
    }

    /// Returns the renames of `git diff -M REVISION` into, in or out of the directory.
    ///
    /// # Errors
    /// If git does not have the revision, or fails.
    pub fn renames(&self, revision: &OsStr) -> Result<GitRenames, GitMessage> {
        let output = self.diff(&[], revision)?;
        if !output.status.success() {
            if revision == "HEAD" && self.has_no_commit()? {
                return Ok(GitRenames::default());
            }
            let message = refusal(&output);
            let is_partial =
                String::from_utf8_lossy(&output.stderr).contains("lazy fetching disabled");
            return Err(match (self.is_shallow, is_partial) {
                (true, _) => message.with_help(
                    "this clone is shallow: fetch its history with `git fetch --unshallow` (in GitHub Actions: fetch-depth: 0)",
                ),
                (_, true) => message.with_help(format!(
                    "this clone is partial: fetch what is missing with `git diff --stat -M {}`",
                    revision.display()
                )),
                _ => match help_of_version() {
                    Some(help) => message.with_help(help),
                    None => message,
                },
            });
        }
        let errors = String::from_utf8_lossy(&output.stderr);
        let warnings = errors.lines().filter_map(|line| line.strip_prefix("warning: "));
        let warnings = warnings.map(str::to_owned).collect();
        let RawDiff { mut renamed, mut removed } = RawDiff::parse(&output.stdout);
        let is_of_work_tree = !is_range(revision);
        let staged = match is_of_work_tree && !removed.is_empty() && self.guarded.has_filters() {
            true => self.diff(&["--cached"], revision)?.stdout,
            false => Vec::new(),
        };
        add_staged(&staged, &mut renamed, &mut removed);
        let is_inside = |path: &[u8]| self.path(path).starts_with(&self.root);
        renamed.retain(|it| is_inside(it.old) || is_inside(it.new));
        removed.retain(|it| is_inside(it));
        let untracked = match is_of_work_tree && !removed.is_empty() {
            true => self.untracked()?,
            false => 0,
        };
        let mut contents = self.contents(&renamed, is_of_work_tree)?;
        let files = renamed.iter().enumerate().map(|(number, it)| {
            let mut rename = Rename::new(self.path(it.old), self.path(it.new));
            rename.content = contents.remove(&number).unwrap_or_default();
            rename
        });
        let files = files.collect();
        let removed = removed.into_iter().map(|it| self.path(it)).collect();
        let renames = Renames { files, removed };
        Ok(GitRenames { renames, warnings, untracked })
    }

    /// Runs `git diff -M` with these options.
    fn diff(&self, options: &[&str], revision: &OsStr) -> Result<Output, GitMessage> {
        let mut git = self.guarded.command();
        git.args(["diff", "--raw", "-z", "--no-abbrev", "-M"]);
        git.args(["--diff-filter=DR", "--ignore-submodules=all", "--no-color"]);
        git.args(["--no-ext-diff", "--no-textconv"]).args(options);
        run(git.arg("--end-of-options").arg(revision).arg("--"))
    }

    /// Returns true before the first commit, which a hook may check.
    fn has_no_commit(&self) -> Result<bool, GitMessage> {
        let mut git = git_in(self.shown);
        let output = run(git.args(["rev-parse", "--verify", "--quiet", "HEAD"]))?;
        Ok(!output.status.success())
    }

    /// Returns a path of git, which is relative to the top of the work tree.
    fn path(&self, path: &[u8]) -> PathBuf {
        self.top.join(path_of_bytes(path))
    }

    /// Returns the number of files that git does not track.
    fn untracked(&self) -> Result<usize, GitMessage> {
        let mut git = git_in(self.shown);
        let output = run(git.args(["ls-files", "--others", "--exclude-standard", "-z"]))?;
        Ok(output.stdout.iter().filter(|&&byte| byte == 0).count())
    }

    /// Returns the old contents of renamed files, by their numbers.
    fn contents(
        &self,
        renamed: &[RawRename<'_>],
        is_of_work_tree: bool,
    ) -> Result<HashMap<usize, OldContent>, GitMessage> {
        let mut contents = HashMap::new();
        let mut uncertain = Vec::new();
        for (number, rename) in renamed.iter().enumerate() {
            let Some(object) = rename.object else {
                continue;
            };
            let path = self.path(rename.new);
            // In the input of git, names are lines.
            if is_of_work_tree && rename.is_same {
                contents.insert(number, OldContent::Same);
            } else if is_small_file(&path) && memchr(b'\n', rename.new).is_none() {
                uncertain.push((number, object, path));
            }
        }
        let paths = uncertain.iter().map(|(_, _, path)| path.as_os_str());
        let lines = paths.flat_map(|it| [it.as_encoded_bytes(), b"\n"]);
        let input = lines.collect::<Vec<_>>().concat();
        let hashes = self.answers(&["hash-object", "--no-filters", "--stdin-paths"], input)?;
        let mut changed = Vec::new();
        for ((number, object, _), hash) in uncertain.iter().zip(hashes.lines()) {
            match hash.map_err(GitMessage::cannot_run)? == *object {
                true => drop(contents.insert(*number, OldContent::Same)),
                false => changed.push((*number, *object)),
            }
        }
        let names: String = changed.iter().map(|(_, it)| format!("{it}\n")).collect();
        let mut objects = self.answers(&["cat-file", "--batch"], names.into_bytes())?;
        for (number, _) in changed {
            if let Some(old) = next_content(&mut objects).map_err(GitMessage::cannot_run)? {
                contents.insert(number, OldContent::Bytes(old.into()));
            }
        }
        Ok(contents)
    }

    /// Runs a command with this input. The output ends where the command does, also if it fails.
    fn answers(&self, arguments: &[&str], input: Vec<u8>) -> Result<Box<dyn BufRead>, GitMessage> {
        if input.is_empty() {
            return Ok(Box::new(io::empty()));
        }
        let mut git = git_in(self.shown);
        git.args(arguments).stdin(Stdio::piped());
        git.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = git.spawn().map_err(GitMessage::cannot_run)?;
        let (Some(to_git), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(GitMessage::new("git cannot be run"));
        };
        // git answers before it has read everything. If it ends early, so do the answers.
        thread::spawn(move || {
            // Moved into the function, the pipe is closed at its end.
            let write = |mut to_git: ChildStdin| to_git.write_all(&input);
            let _: io::Result<()> = write(to_git);
            child.wait()
        });
        Ok(Box::new(BufReader::new(output)))
    }
}

/// Returns the content of the next object that `git cat-file --batch` prints. `None` if it is
/// missing, as in a partial clone, or too large.
fn next_content(output: &mut dyn BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut head = String::new();
    output.read_line(&mut head)?;
    let words: Vec<&str> = head.split_whitespace().collect();
    let &[_, "blob", size] = &words[..] else {
        return Ok(None);
    };
    let size: u64 = size.parse().map_err(io::Error::other)?;
    // A line break follows.
    let mut content = output.take(size.saturating_add(1));
    if size > MAX_CONTENT {
        io::copy(&mut content, &mut io::sink())?;
        return Ok(None);
    }
    let mut bytes = Vec::new();
    content.read_to_end(&mut bytes)?;
    bytes.pop();
    Ok(Some(bytes))
}

/// Returns the help about a version of git that is too old for `--end-of-options`.
fn help_of_version() -> Option<&'static str> {
    let output = run(git_in(Path::new(".")).arg("--version")).ok()?;
    let version = String::from_utf8_lossy(&output.stdout);
    let mut numbers = version.strip_prefix("git version ")?.split('.');
    let mut number = || numbers.next()?.parse::<u32>().ok();
    ((number()?, number()?) < (2, 24)).then_some("git 2.24 or newer is needed")
}

/// Adds renames of the index where the files seem to be other ones: without its filter, a file has
/// other content than git has stored.
fn add_staged<'d>(staged: &'d [u8], renamed: &mut Vec<RawRename<'d>>, removed: &mut Vec<&'d [u8]>) {
    let open: HashSet<&[u8]> = removed.iter().copied().collect();
    let taken: HashSet<&[u8]> = renamed.iter().map(|it| it.new).collect();
    let added = RawDiff::parse(staged).renamed.into_iter();
    let added = added.filter(|it| open.contains(it.old) && !taken.contains(it.new));
    let added: Vec<_> = added
        // The file may have other content than the index.
        .map(|it| RawRename {
            is_same: false,
            ..it
        })
        .collect();
    let found: HashSet<&[u8]> = added.iter().map(|it| it.old).collect();
    removed.retain(|it| !found.contains(it));
    renamed.extend(added);
}

/// Returns true if the diff of a revision is one between two commits, and not one to the work tree.
fn is_range(revision: &OsStr) -> bool {
    let revision = revision.to_string_lossy();
    ["..", "^!", "^@", "^-"].iter().any(|it| revision.contains(it))
}

/// Returns true for a regular file of a size that documents have.
fn is_small_file(path: &Path) -> bool {
    let metadata = path.symlink_metadata();
    metadata.is_ok_and(|it| it.is_file() && it.len() <= MAX_CONTENT)
}

/// Returns true if git tracks a path, or files below it, which need not exist.
pub fn is_in_index(path: &Path) -> bool {
    let Ok(path) = std::path::absolute(path) else {
        return false;
    };
    let Some(directory) = path.ancestors().skip(1).find(|it| it.is_dir()) else {
        return false;
    };
    let output = run(git_in(directory).args(["ls-files", "--"]).arg(&path));
    output.is_ok_and(|it| it.status.success() && !it.stdout.is_empty())
}

/// Checks that git can be run, and that no program of the repository of a directory could run.
/// Outside of repositories, files move without git.
///
/// # Errors
/// If one of these is false.
pub fn check_safe(directory: &Path) -> Result<(), GitMessage> {
    match Guarded::of(directory) {
        Err(problem) if problem.kind != GitProblem::Refused => Err(problem),
        _ => Ok(()),
    }
}

/// Renames a file, directory or symbolic link, with git if it is tracked. Returns the message of git
/// if it refused to.
///
/// # Errors
/// If the system refuses to.
pub fn rename_with_git(from: &Path, to: &Path) -> io::Result<Option<GitMessage>> {
    let directory = from.parent().unwrap_or(Path::new("."));
    // git compares the new file with the index, and so would filter it.
    let mut refused = None;
    if let Ok(guarded) = Guarded::of(directory) {
        let mut git = guarded.command();
        let moved = git.args(["mv", "--"]).arg(from).arg(to).output()?;
        if moved.status.success() {
            return Ok(None);
        }
        refused = is_in_index(from).then(|| refusal(&moved));
    }
    rename_noreplace(from, to)?;
    Ok(refused)
}
