//! Commands of git that run no program of the repository.
//!
//! The settings and attributes of a repository can name programs, and its author may be unknown: a
//! repository may have been unpacked from an archive, and a directory of a cloned one may itself be
//! a git directory.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::message::GitMessage;
use crate::fs::path_of_bytes;

/// Settings of each command. `core.fsmonitor` is empty since git before 2.36 takes other values as
/// a program.
const SETTINGS: [&str; 6] = [
    "core.fsmonitor=", "core.hooksPath=/dev/null", "diff.relative=false",
    // A directory of a clone could be a git directory with settings of its own (since git 2.38).
    "safe.bareRepository=explicit", "submodule.recurse=false", "protocol.allow=never",
];

/// The maximum length of settings that switch programs off, in bytes. The system limits the
/// arguments of a command.
const MOST_OVERRIDES: usize = 64 << 10;

/// A command of git in a directory that reads no file of the work tree. Nothing is fetched.
/// [`Guarded::command`] returns commands that may read them, or that write the index.
pub(super) fn git_in(directory: &Path) -> Command {
    let mut git = Command::new("git");
    git.arg("-C").arg(directory).arg("--no-pager");
    for setting in SETTINGS {
        git.args(["-c", setting]);
    }
    git.env("GIT_OPTIONAL_LOCKS", "0")
        // In a partial clone, git fetches missing objects with programs that its settings name. git
        // before 2.44 has only the second variable; no protocol has this name.
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "none")
        .env("GIT_TERMINAL_PROMPT", "0");
    // Hooks get paths that are relative to the directory in which they run.
    for name in
        ["GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"]
    {
        let path = std::env::var_os(name).and_then(|it| std::path::absolute(it).ok());
        if let Some(path) = path {
            git.env(name, path);
        }
    }
    // With GIT_DIR alone, the top of the work tree is the directory in which git runs.
    if names_git_directory()
        && std::env::var_os("GIT_WORK_TREE").is_none()
        && let Ok(top) = std::env::current_dir()
    {
        git.env("GIT_WORK_TREE", top);
    }
    git.env("LC_ALL", "C").stdin(Stdio::null());
    git
}

/// Returns true if the user, or a hook, has chosen the git directory.
fn names_git_directory() -> bool {
    std::env::var_os("GIT_DIR").is_some()
}

/// A directory in a repository, with the programs that its settings name switched off.
pub(super) struct Guarded<'d> {
    directory: &'d Path,
    overrides: Vec<OsString>,
}

impl<'d> Guarded<'d> {
    /// Reads the settings for a directory.
    ///
    /// # Errors
    /// If git cannot read them, or if programs of the repository could run.
    pub(super) fn of(directory: &'d Path) -> Result<Self, GitMessage> {
        let output = run(git_in(directory).args(["rev-parse", "--absolute-git-dir"]))?;
        let is_bare = is_refused_as_bare(&output);
        if !output.status.success() && !is_bare {
            return Err(refusal(&output));
        }
        let git_directory = output.stdout.strip_suffix(b"\n").unwrap_or(&output.stdout);
        if is_bare || !names_git_directory() && is_in(directory, &path_of_bytes(git_directory)) {
            let text = format!("{}: a git directory, not a work tree", directory.display());
            let message = GitMessage::new(text)
                .with_help("its settings could run programs, so rehref does not use it");
            return Err(message.of_unsafe());
        }
        let output = run(git_in(directory).args(["config", "--list", "--name-only", "-z"]))?;
        if !output.status.success() {
            return Err(refusal(&output).of_unsafe());
        }
        let mut overrides = Vec::new();
        for name in output.stdout.split(|&byte| byte == 0) {
            match Override::of(name) {
                None => {}
                Some(Override::Impossible) => {
                    let name = String::from_utf8_lossy(name);
                    let text = format!(
                        "{}: the setting {name} of git names a program",
                        directory.display()
                    );
                    let message = GitMessage::new(text)
                        .with_help("remove it, or take the `=` out of its name");
                    return Err(message.of_unsafe());
                }
                Some(Override::Settings(settings)) => overrides.extend(settings),
            }
        }
        overrides.sort_unstable();
        overrides.dedup();
        if overrides.iter().map(|it| it.len()).sum::<usize>() > MOST_OVERRIDES {
            let text = format!(
                "{}: the settings of git name too many filters and hooks",
                directory.display()
            );
            let message = GitMessage::new(text).with_help(
                "remove the sections `filter` and `hook` that nothing uses; `git config --list --show-origin` prints the file of each",
            );
            return Err(message.of_unsafe());
        }
        Ok(Self { directory, overrides })
    }

    /// Returns true if programs are switched off that could filter files.
    pub(super) fn has_filters(&self) -> bool {
        let mut settings = self.overrides.iter().map(|it| it.as_encoded_bytes());
        settings.any(|it| it.starts_with(b"filter."))
    }

    /// A command of git in the directory.
    pub(super) fn command(&self) -> Command {
        let mut git = git_in(self.directory);
        for setting in &self.overrides {
            git.arg("-c").arg(setting);
        }
        git
    }
}

/// The way to switch the program of a setting off.
#[derive(Debug, PartialEq, Eq)]
enum Override {
    /// These settings.
    Settings(Vec<OsString>),
    /// None: the first `=` of an argument ends the name of a setting.
    Impossible,
}

impl Override {
    /// The way to switch off the program of a setting of this name. `None` if no command of this
    /// module runs the program. Commands run filters of files, and hooks, which may also be in
    /// settings.
    fn of(name: &[u8]) -> Option<Self> {
        let section = name.split(|&byte| byte == b'.').next()?;
        let key_start = name.iter().rposition(|&byte| byte == b'.')? + 1;
        let (group, key) = name.split_at(key_start);
        let values: &[(&str, &str)] = match (section, key) {
            (b"filter", b"clean" | b"smudge" | b"process" | b"required") => {
                &[("clean", ""), ("smudge", ""), ("process", ""), ("required", "false")]
            }
            (b"hook", _) if section.len() + 1 < group.len() => {
                &[("enabled", "false"), ("command", "")]
            }
            _ => return None,
        };
        if group.contains(&b'=') {
            return Some(Self::Impossible);
        }
        let setting = |&(key, value): &(&str, &str)| {
            let setting = [group, key.as_bytes(), b"=", value.as_bytes()].concat();
            path_of_bytes(&setting).into_os_string()
        };
        Some(Self::Settings(values.iter().map(setting).collect()))
    }
}

/// Returns true if git refused to use a git directory that it found around or at the directory.
fn is_refused_as_bare(output: &Output) -> bool {
    let errors = String::from_utf8_lossy(&output.stderr);
    !output.status.success() && errors.contains("safe.bareRepository")
}

/// Returns true if a directory is this git directory, or in it. Others have a work tree that refers
/// to them.
fn is_in(directory: &Path, git_directory: &Path) -> bool {
    let real = |path: &Path| -> PathBuf { path.canonicalize().unwrap_or_else(|_| path.to_owned()) };
    real(directory).starts_with(real(git_directory))
}

pub(super) fn run(git: &mut Command) -> Result<Output, GitMessage> {
    git.output().map_err(GitMessage::cannot_run)
}

/// The message of a command that failed.
pub(super) fn refusal(output: &Output) -> GitMessage {
    let errors = String::from_utf8_lossy(&output.stderr);
    let mut lines = errors.lines();
    let first = lines.find(|it| it.starts_with("fatal: ") || it.starts_with("error: "));
    let first = first.or(errors.lines().next()).unwrap_or("git failed");
    let text = first.trim_start_matches("fatal: ").trim_start_matches("error: ");
    let message = GitMessage::new(format!("git: {text}"));
    // git names the command that permits a directory of another owner.
    let trust = errors.lines().map(str::trim);
    let mut trust = trust.filter(|it| it.starts_with("git config --global --add safe.directory"));
    match trust.next_back() {
        Some(command) => message.with_help(format!("if you trust its owner: {command}")),
        None => message,
    }
}
