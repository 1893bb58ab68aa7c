//! Renames of git, with its messages.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use rehref::jobs::Renames;
use rehref::jobs::git::{GitMessage, GitRenames, Repository, rename_with_git};

use super::counted;
use super::message::Message;
use super::terminal::warn;

impl From<GitMessage> for Message {
    fn from(it: GitMessage) -> Self {
        Self::new(it.text).with_help_if(it.help.as_deref())
    }
}

/// Returns the renames since a revision, and prints what git warns of.
pub(crate) fn renames_since(root: &Path, revision: &OsStr) -> anyhow::Result<Renames> {
    let found = Repository::of(root).and_then(|it| it.renames(revision));
    let GitRenames { renames, warnings, untracked, .. } =
        found.map_err(|it| Message::from(it).within("--from-git"))?;
    for warning in warnings {
        warn(format_args!("git: {warning}"));
    }
    if untracked > 0 {
        let files = counted(untracked, "untracked file");
        let message = Message::new(format_args!("{files}: git sees no renames to them"));
        warn(
            message
                .within("--from-git")
                .with_help("if one was renamed, add it first: git add --intent-to-add FILE"),
        );
    }
    Ok(renames)
}

/// Renames a file, directory or symbolic link, with git if it is tracked.
pub(crate) fn rename_by_git(from: &Path, to: &Path) -> io::Result<()> {
    if let Some(refused) = rename_with_git(from, to)? {
        let place = format!("{}: renamed without git", from.display());
        warn(Message::from(refused).within(&place));
    }
    Ok(())
}
