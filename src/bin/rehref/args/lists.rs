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

/// Warns of files in a list that do not exist, in a work tree of git: its diffs also list deleted files. The run reports each.
fn warn_of_deleted(list: &OsStr, items: &[Item]) {
    let is_missing = |item: &&Item| {
        let file = item.file().map(Path::symlink_metadata);
        file.is_some_and(|it| it.is_err_and(|error| error.kind() == ErrorKind::NotFound))
    };
    let missing = items.iter().filter(is_missing).count();
    let is_in_work_tree = || {
        let directory = Path::new(".").canonicalize();
        directory.is_ok_and(|it| it.ancestors().any(|above| above.join(".git").exists()))
    };
    if missing > 0 && is_in_work_tree() {
        let exist = if missing == 1 { "does" } else { "do" };
        let files = counted(missing, "file");
        let text = format!("--files-from {}: {files} {exist} not exist", list.display());
        warn(Message::new(text).with_help(
            "if the list is from `git diff --name-only`, add --diff-filter=d there: it leaves out deleted files",
        ));
    }
}
