//! Lists of paths.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::Path;

use rehref::error::Error;
use rehref::fs::Item;
use rehref::jobs::Inputs;

use crate::render::counted;
use crate::render::message::Message;
use crate::render::terminal::warn;

/// Adds the paths of `--files-from`, and warns of deleted files among them.
pub(super) fn add_list(inputs: &mut Inputs, list: &OsStr) -> Result<(), Error> {
    let before = inputs.items.len();
    inputs.add_list(list)?;
    warn_of_deleted(list, &inputs.items[before..]);
    Ok(())
}

/// Warns of files in a list that do not exist, in a work tree of git: its diffs also list deleted
/// files, quote unusual names, and name files from the top. The run reports each.
fn warn_of_deleted(list: &OsStr, items: &[Item]) {
    let is_missing = |item: &&Item| {
        let file = item.file().map(Path::symlink_metadata);
        file.is_some_and(|it| it.is_err_and(|error| error.kind() == ErrorKind::NotFound))
    };
    let missing: Vec<&Path> = items.iter().filter(is_missing).filter_map(Item::file).collect();
    let directory = Path::new(".").canonicalize().unwrap_or_default();
    let top = directory.ancestors().find(|above| above.join(".git").exists());
    if let Some(top) = top.filter(|_| !missing.is_empty()) {
        let exist = if missing.len() == 1 { "does" } else { "do" };
        let files = counted(missing.len(), "file");
        let is_quoted = |it: &&Path| it.as_os_str().as_encoded_bytes().starts_with(b"\"");
        let help = if missing.iter().any(is_quoted) {
            "if the list is from git, add -z there: git quotes unusual names"
        } else if missing.iter().any(|it| top.join(it).exists()) {
            "if the list is from `git diff --name-only`, add --relative there: it names files from the top of the repository"
        } else {
            "if the list is from `git diff --name-only`, add --diff-filter=d there: it leaves out deleted files"
        };
        let text = format!("--files-from {}: {files} {exist} not exist", list.display());
        warn(Message::new(text).with_help(help));
    }
}
