//! Which paths move where, from what the shell gives.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, bail};
use rehref::fs::journal::is_tool_state;
use rehref::fs::{bytes_of_path, path_of_bytes};
use rehref::site::Move;

/// Leads paths of the shell to paths below the root.
pub(super) struct Below {
    /// Without symbolic links.
    root: PathBuf,
}

impl Below {
    pub(super) fn new(root: &Path) -> anyhow::Result<Self> {
        let root = root
            .canonicalize()
            .with_context(|| root.display().to_string())?;
        Ok(Self { root })
    }

    /// What SRC... and DST say, as for `mv`: a folder that is there receives them, and so does one that is to
    /// be made, of which the name ends in a slash.
    pub(super) fn of_arguments(&self, arguments: &[PathBuf]) -> anyhow::Result<Vec<Move>> {
        let (to, sources) = match arguments {
            [sources @ .., to] if !sources.is_empty() => (to, sources),
            _ => bail!("SRC... DST: what moves, and where to"),
        };
        let is_folder = to.is_dir() || ends_in_slash(to);
        if sources.len() > 1 && !is_folder {
            let to = to.display();
            bail!("{to}: there is no such folder; {to}/ makes it");
        }
        let found = sources.iter().map(|from| {
            refuse_file_as_folder(from, from)?;
            // In another case a folder may be its own target.
            let is_itself =
                matches!((from.canonicalize(), to.canonicalize()), (Ok(a), Ok(b)) if a == b);
            let to = match from.file_name() {
                Some(name) if is_folder && !is_itself => to.join(name),
                _ => to.clone(),
            };
            self.one(from, &to)
        });
        found.collect()
    }

    /// What `OLD=NEW` says, of which NEW is there.
    pub(super) fn of_moved(&self, entry: &OsStr) -> anyhow::Result<Move> {
        let (shown, bytes) = (entry.display(), entry.as_encoded_bytes());
        let ends = (0..bytes.len()).filter(|&at| bytes[at] == b'=');
        let mut splits = ends
            .map(|at| (&bytes[..at], &bytes[at + 1..]))
            .filter(|(old, new)| !old.is_empty() && !new.is_empty())
            .map(|(old, new)| (path_of_bytes(old), path_of_bytes(new)))
            .peekable();
        if splits.peek().is_none() {
            bail!("{shown}: no `=` between an OLD and a NEW that are not empty");
        }
        let found = splits.find(|(_, new)| new.symlink_metadata().is_ok());
        let (old, new) = found.with_context(|| format!("{shown}: there is no NEW"))?;
        refuse_file_as_folder(&old, &new)?;
        self.one(&old, &new)
    }

    /// One move, as a row of a list has it.
    pub(super) fn of_row(&self, from: &Path, to: &Path) -> anyhow::Result<Move> {
        if from.as_os_str().is_empty() || to.as_os_str().is_empty() {
            bail!("an empty path names no file and no folder");
        }
        refuse_file_as_folder(from, from)?;
        self.one(from, to)
    }

    /// One move, from path to path.
    fn one(&self, from: &Path, to: &Path) -> anyhow::Result<Move> {
        // As in the arguments, a slash says that it goes into a folder.
        let to = match from.file_name() {
            Some(name) if ends_in_slash(to) => &to.join(name),
            _ => to,
        };
        let moved = Move {
            from: self.below(from)?,
            to: self.below(to)?,
        };
        // Nobody would look for a page in there, and what is there others rely on.
        let mut names = moved.to.split(|&byte| byte == b'/');
        let is_state = |name: &&[u8]| is_tool_state(path_of_bytes(name).as_os_str());
        if let Some(name) = names.find(is_state) {
            let (to, name) = (to.display(), String::from_utf8_lossy(name));
            bail!("{to}: nothing moves into {name}, which holds the state of a tool");
        }
        Ok(moved)
    }

    /// The path below the root of what need not be there. The last name is taken as it is: it may be a symbolic
    /// link.
    fn below(&self, path: &Path) -> anyhow::Result<Vec<u8>> {
        let shown = || path.display().to_string();
        let absolute = std::path::absolute(path).with_context(shown)?;
        let (parent, name) = match (absolute.parent(), absolute.components().next_back()) {
            (Some(parent), Some(Component::Normal(name))) => (parent, name),
            // What ends in `..`, or is the root of all.
            _ => (absolute.as_path(), OsStr::new("")),
        };
        for ancestor in parent.ancestors() {
            let Ok(real) = ancestor.canonicalize() else {
                continue;
            };
            let rest = parent.strip_prefix(ancestor).unwrap_or(Path::new(""));
            if rest
                .components()
                .any(|it| !matches!(it, Component::Normal(_)))
            {
                break;
            }
            let full = real.join(rest).join(name);
            return match full.strip_prefix(&self.root) {
                Ok(below) => Ok(bytes_of_path(below).into_owned()),
                Err(_) => bail!("{}: not under {} (--root)", shown(), self.root.display()),
            };
        }
        bail!("{}: goes back out of a folder that is not there", shown())
    }
}

/// Refuses a path that names a folder by the slash at its end, or by the `/.`, where a file lies at `place`.
fn refuse_file_as_folder(path: &Path, place: &Path) -> anyhow::Result<()> {
    let bytes = path.as_os_str().as_encoded_bytes();
    let names_folder = ends_in_slash(path) || bytes.ends_with(b"/.");
    // Without what follows its last name, which the system would not let a file have.
    let place: PathBuf = place.components().collect();
    if names_folder && !place.is_dir() && place.symlink_metadata().is_ok() {
        bail!("{}: not a directory", path.display());
    }
    Ok(())
}

fn ends_in_slash(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    bytes
        .last()
        .is_some_and(|&last| std::path::is_separator(char::from(last)))
}
