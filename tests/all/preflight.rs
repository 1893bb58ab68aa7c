//! What would fail amid a run is told before anything is written.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Somebody who is not the superuser.
const NOBODY: u32 = 65534;

/// A site that belongs to nobody, and a program that nobody can run; nothing where only the superuser could make
/// that.
fn site_of_nobody() -> Option<(tempfile::TempDir, PathBuf)> {
    let folder = tempfile::tempdir().expect("a folder");
    let site = folder.path().join("site");
    for name in ["a", "b"] {
        fs::create_dir_all(site.join(name)).expect("a folder");
        fs::write(site.join(name).join("x.html"), "<a href=../b/x.html>b</a>").expect("written");
    }
    for entry in walkdir::WalkDir::new(&site) {
        chown(entry.expect("there").path(), Some(NOBODY), Some(NOBODY)).ok()?;
    }
    set_mode(folder.path(), 0o755);
    // Not by this process: a child of another test could keep it open for writing.
    let mut copy = Command::new("cp");
    copy.arg(env!("CARGO_BIN_EXE_rehref"))
        .arg(folder.path().join("rehref"));
    assert!(copy.status().expect("cp runs").success());
    set_mode(&folder.path().join("rehref"), 0o755);
    Some((folder, site))
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
}

/// What nobody's run says.
fn says(code: i32, site: &Path, arguments: &[&str]) -> String {
    let program = site.parent().expect("a folder").join("rehref");
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null());
    command.current_dir(site).uid(NOBODY).gid(NOBODY);
    let output = command.output().expect("rehref runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    said
}

const ABSOLUTE: [&str; 5] = ["rewrite", "-w", "--absolute", "--base=http://h/=.", "."];

#[test]
fn a_group_that_could_not_be_kept_is_told_before_anything_is_written() {
    let Some((_folder, site)) = site_of_nobody() else {
        return;
    };
    let page = site.join("a/x.html");
    let old = fs::read(&page).expect("readable");
    chown(&page, None, Some(0)).expect("a group");
    let refused = "a/x.html: cannot write: its owner (uid 65534, gid 0) could not be kept";
    let said = says(2, &site, &ABSOLUTE);
    assert!(said.contains(refused), "{said}");
    assert!(said.contains("1 edit in 1 of 2 documents"), "{said}");
    assert_eq!(fs::read(&page).expect("readable"), old);
    says(0, &site, &["rewrite", "--undo", "."]);
    let said = says(2, &site, &["move", "-w", "b", "c"]);
    assert!(said.contains(refused), "{said}");
    assert!(said.contains("nothing has been moved"), "{said}");
    assert!(!site.join(".rehref").exists());
    // In a folder that gives its group to what is made in it there is nothing to be given.
    chown(site.join("a"), None, Some(0)).expect("a group");
    set_mode(&site.join("a"), 0o2755);
    says(0, &site, &["move", "-w", "b", "c"]);
    assert_ne!(fs::read(&page).expect("readable"), old);
    let group = std::os::unix::fs::MetadataExt::gid(&fs::metadata(&page).expect("there"));
    assert_eq!(group, 0);
}
