//! Command lines that look right and would lose data, break links or hide a failure: each has a message or does what its
//! user expects.

mod check;
#[cfg(unix)]
mod extract;
mod feeds;
mod messages;
mod named;
mod rules;
mod unread;
mod writing;

/// A command that cannot read files of this user. The superuser can read all files, so there the program runs as another
/// user, from a copy in `directory`, which that user can reach.
#[cfg(unix)]
fn as_other_user(directory: &std::path::Path) -> std::process::Command {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    use std::process::Command;
    let program = env!("CARGO_BIN_EXE_rehref");
    if !rustix::process::geteuid().is_root() {
        return Command::new(program);
    }
    let copy = directory.join(".program");
    std::fs::create_dir(&copy).expect("a directory");
    let copy = copy.join("rehref");
    std::fs::copy(program, &copy).expect("a copy");
    std::fs::set_permissions(&copy, std::fs::Permissions::from_mode(0o755)).expect("a mode");
    let mut command = Command::new(copy);
    command.uid(65534).gid(65534);
    command
}
