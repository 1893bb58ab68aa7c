//! Runs of a user in the files of another: what would fail is refused before anything is written.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::move_tree::{SITE, Tree};

/// The id of a user who is not the superuser, and of a group.
const OTHER: u32 = 65534;

/// Returns true if this process may give files to the other user.
pub(crate) fn is_supported() -> bool {
    let file = tempfile::NamedTempFile::new().expect("a file");
    chown(file.path(), Some(OTHER), Some(OTHER)).is_ok()
}

/// A temporary directory, and in it a site of another user beside a program that this user can run.
pub(crate) fn site_of_other_user() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let site = directory.path().join("site");
    for name in ["a", "b"] {
        fs::create_dir_all(site.join(name)).expect("a directory");
        fs::write(site.join(name).join("x.html"), "<a href=../b/x.html>b</a>").expect("written");
    }
    for entry in walkdir::WalkDir::new(&site) {
        chown(entry.expect("there").path(), Some(OTHER), Some(OTHER)).expect("chown");
    }
    set_mode(directory.path(), 0o755);
    // This process must not write the program: children of other tests could keep it open for writing.
    let mut copy = Command::new("cp");
    copy.arg(env!("CARGO_BIN_EXE_rehref"))
        .arg(directory.path().join("rehref"));
    assert!(copy.status().expect("cp runs").success());
    set_mode(&directory.path().join("rehref"), 0o755);
    (directory, site)
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
}

/// Runs `rehref` as the other user. Panics unless it ends with this code. Returns its standard error.
#[track_caller]
pub(crate) fn assert_ends(code: i32, site: &Path, arguments: &[&str]) -> String {
    let program = site.parent().expect("a directory").join("rehref");
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null());
    command.current_dir(site).uid(OTHER).gid(OTHER);
    let output = command.output().expect("rehref runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    said
}

const ABSOLUTE: [&str; 5] = ["rewrite", "-w", "--absolute", "--base=http://h/=.", "."];

pub(crate) fn a_group_that_would_be_lost_is_refused_before_writing() {
    let (_directory, site) = site_of_other_user();
    let page = site.join("a/x.html");
    let old = fs::read(&page).expect("readable");
    chown(&page, None, Some(0)).expect("a group");
    let refused = "a/x.html: cannot write: its owner (uid 65534, gid 0) could not be kept";
    let said = assert_ends(2, &site, &ABSOLUTE);
    assert!(said.contains(refused), "{said}");
    assert!(said.contains("changed 1 link in 1 file; "), "{said}");
    assert_eq!(fs::read(&page).expect("readable"), old);
    assert_ends(0, &site, &["rewrite", "--undo", "."]);
    let said = assert_ends(2, &site, &["move", "-w", "b", "c"]);
    assert!(said.contains(refused), "{said}");
    assert!(said.contains("nothing was moved"), "{said}");
    assert!(!site.join(".rehref").exists());
    // In a directory that gives new files its group, the group is kept.
    chown(site.join("a"), None, Some(0)).expect("a group");
    set_mode(&site.join("a"), 0o2755);
    assert_ends(0, &site, &["move", "-w", "b", "c"]);
    assert_ne!(fs::read(&page).expect("readable"), old);
    assert_eq!(fs::metadata(&page).expect("there").gid(), 0);
}

pub(crate) fn a_preview_warns_of_unwritable_directories() {
    let (_directory, site) = site_of_other_user();
    set_mode(&site.join("a"), 0o555);
    let rewrite = ["rewrite", "--absolute", "--base=http://h/=.", "."];
    let refused = "a/x.html: cannot write: Permission denied";
    for command in [&rewrite[..], &["move", "b", "c"]] {
        let said = assert_ends(0, &site, command);
        assert!(said.contains("-w would refuse: "), "{said}");
        assert!(said.contains(refused), "{said}");
    }
    set_mode(&site, 0o555);
    let said = assert_ends(0, &site, &rewrite);
    assert!(
        said.contains("-w would refuse: .: cannot write: Permission denied"),
        "{said}"
    );
}

pub(crate) fn a_journal_of_another_user_is_refused() {
    let tree = Tree::new(&SITE);
    tree.ends(0, &["move", "-w", "a", "b"]);
    let moved = tree.files();
    chown(tree.path().join(".rehref/journal"), Some(OTHER), None).expect("chown");
    for option in ["--undo", "--resume"] {
        let said = tree.ends(2, &["move", option]);
        assert!(
            said.contains("it belongs to another user (uid 65534"),
            "{said}"
        );
        assert_eq!(tree.files(), moved);
    }
}
