//! Command lines that look right and would lose data, break links or hide a failure: each has a
//! message or does what its user expects.

mod check;
#[cfg(unix)]
mod extract;
mod feeds;
mod messages;
mod named;
mod rules;
mod unread;
mod writing;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The command with these arguments in a directory, without standard input.
fn rehref(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rehref"));
    command.args(arguments).current_dir(directory);
    command.stdin(Stdio::null());
    command
}

/// A directory with these texts.
fn files(texts: &[(&str, &str)]) -> tempfile::TempDir {
    let files = texts.iter().map(|(name, text)| (*name, text.as_bytes()));
    files_of_bytes(&files.collect::<Vec<_>>())
}

/// A directory with these files.
fn files_of_bytes(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for (name, content) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, content).expect("written");
    }
    directory
}

/// A command that cannot read files of this user. The superuser can read all files, so there the
/// program runs as another user, from a copy in `directory`, which that user can reach.
#[cfg(unix)]
fn as_other_user(directory: &Path) -> Command {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let program = env!("CARGO_BIN_EXE_rehref");
    if !rustix::process::geteuid().is_root() {
        return Command::new(program);
    }
    let copy = directory.join(".program");
    fs::create_dir(&copy).expect("a directory");
    let copy = copy.join("rehref");
    fs::copy(program, &copy).expect("a copy");
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).expect("a mode");
    let mut command = Command::new(copy);
    command.uid(65534).gid(65534);
    command
}
