//! What would fail amid a run is told before anything is written.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rehref::fs::journal::{PlanWriter, Root};

/// Somebody who is not the superuser.
const NOBODY: u32 = 65534;

/// A site that belongs to nobody, and a program that nobody can run; nothing where only the superuser could make
/// that.
pub(crate) fn site_of_nobody() -> Option<(tempfile::TempDir, PathBuf)> {
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
pub(crate) fn says(code: i32, site: &Path, arguments: &[&str]) -> String {
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

#[test]
fn a_preview_warns_of_what_would_be_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let site = &folder.path().join("site");
    let names = ["a.html", "b.html", "d/c.html", "e/d.html"];
    for name in names {
        let path = site.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, "<a href=x.html>x</a><a href=/d/>d</a>").expect("written");
    }
    set_mode(&site.join("a.html"), 0o444);
    fs::hard_link(site.join("b.html"), folder.path().join("b.html")).expect("a link");
    let said = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rehref"));
        command.args(arguments).stdin(Stdio::null());
        let output = command.current_dir(site).output().expect("rehref runs");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let rewrite = ["rewrite", "--absolute", "--base=http://h/=.", "."];
    let moved = ["move", "--base=http://h/", "d", "f"];
    for command in [&rewrite[..], &moved] {
        let said = said(command);
        let refused = "rehref: -w would refuse: a.html: the file is read-only";
        assert!(said.replace("./", "").contains(refused), "{said}");
        let linked = "rehref: b.html: has another hard link, which keeps";
        assert!(said.replace("./", "").contains(linked), "{said}");
        assert_eq!(said.matches("would refuse").count(), 1, "{said}");
    }
    // What would change nothing would not be refused.
    assert!(!said(&["rewrite", "--map", "http://none/=http://h/", "."]).contains("refuse"));
    assert!(!said(&["rewrite", "--absolute", "--base=http://h/", "b.html"]).contains("refuse"));
    let long = format!("{}.html", "x".repeat(300));
    let refusal = said(&["move", "e/d.html", &long]);
    assert!(refusal.contains("-w would refuse: xxx"), "{refusal}");
    assert!(!site.join(".rehref").exists());

    let root = Root::new(site).expect("a root");
    let mut plan = PlanWriter::begin(&root).expect("begun");
    plan.create("new".as_ref(), b"").expect("written");
    drop(plan.finish().expect("written").expect("steps"));
    let state = || {
        let entries = fs::read_dir(site.join(".rehref")).expect("there");
        let names = entries.map(|it| it.expect("there").file_name());
        names.collect::<std::collections::BTreeSet<_>>()
    };
    let before = state();
    for command in [&rewrite[..], &moved] {
        let said = said(command);
        let refused = "rehref: -w would refuse: .: a run was interrupted here: --resume";
        assert!(said.contains(refused), "{said}");
        assert_eq!(state(), before);
    }
}

#[test]
fn a_preview_warns_of_folders_that_may_not_be_written() {
    let Some((_folder, site)) = site_of_nobody() else {
        return;
    };
    set_mode(&site.join("a"), 0o555);
    let rewrite = ["rewrite", "--absolute", "--base=http://h/=.", "."];
    let refused = "a/x.html: cannot write: Permission denied";
    for command in [&rewrite[..], &["move", "b", "c"]] {
        let said = says(0, &site, command);
        assert!(said.contains("-w would refuse: "), "{said}");
        assert!(said.contains(refused), "{said}");
    }
    set_mode(&site, 0o555);
    let said = says(0, &site, &rewrite);
    assert!(
        said.contains("-w would refuse: .: cannot write: Permission denied"),
        "{said}"
    );
}
