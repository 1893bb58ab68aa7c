//! Runs of a user in the files of another: what would fail is refused before anything is written.

use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use crate::support::tree::{Arguments, Has, Ran, SITE, Tree};

/// The id of a user who is not the superuser, and of a group.
const OTHER: u32 = 65534;

/// Returns true if this process may give files to the other user.
pub(crate) fn is_supported() -> bool {
    let file = tempfile::NamedTempFile::new().expect("a file");
    chown(file.path(), Some(OTHER), Some(OTHER)).is_ok()
}

/// A site of another user beside a program that this user can run.
pub(crate) fn site_of_other_user() -> Tree {
    let page = "<a href=../b/x.html>b</a>";
    let directory = tempfile::tempdir().expect("a directory");
    let site = Tree::site_within(directory).with([("a/x.html", page), ("b/x.html", page)]);
    for entry in walkdir::WalkDir::new(site.path()) {
        chown(entry.expect("there").path(), Some(OTHER), Some(OTHER)).expect("chown");
    }
    site.set_mode("..", 0o755);
    // This process must not write the program: children of other tests could keep it open for
    // writing.
    let mut copy = Command::new("cp");
    copy.arg(env!("CARGO_BIN_EXE_rehref")).arg(site.at("../rehref"));
    assert!(copy.status().expect("cp runs").success());
    site.set_mode("../rehref", 0o755);
    site
}

/// `rehref` as the other user.
fn command(site: &Tree, arguments: impl Arguments) -> Command {
    let mut command = Command::new(site.at("../rehref"));
    command.args(arguments.words()).stdin(Stdio::null());
    command.current_dir(site.path()).uid(OTHER).gid(OTHER);
    command
}

/// Runs `rehref` as the other user. Panics unless it ends with this code. Returns its standard
/// error.
#[track_caller]
pub(crate) fn assert_ends(code: i32, site: &Tree, arguments: impl Arguments) -> String {
    Ran::of(&mut command(site, arguments)).ends(code).err
}

const ABSOLUTE: &str = "rewrite -w --absolute --base=http://h/=. .";

pub(crate) fn file_whose_group_would_be_lost_is_written_in_place() {
    let site = site_of_other_user();
    let page = site.at("a/x.html");
    let old = site.read(&page);
    chown(&page, None, Some(0)).expect("a group");
    let before = fs::metadata(&page).expect("there");
    for (run, undo) in [(ABSOLUTE, "rewrite --undo"), ("move -w b c", "move --undo")] {
        assert_ends(0, &site, run);
        assert_ne!(site.read(&page), old);
        let after = fs::metadata(&page).expect("there");
        assert_eq!((after.ino(), after.gid()), (before.ino(), 0));
        assert_ends(0, &site, undo);
        assert_eq!(site.read(&page), old);
        let after = fs::metadata(&page).expect("there");
        assert_eq!((after.ino(), after.gid()), (before.ino(), 0));
        assert_eq!(after.modified().expect("a time"), before.modified().expect("a time"));
        assert!(!site.has(".rehref"));
    }
    // Without a journal, or write permission, that would not be safe.
    assert_ends(2, &site, format!("{ABSOLUTE} --no-journal"))
        .has("a/x.html: cannot write: its owner (uid 65534, gid 0) cannot be kept")
        .has("help: leave out --no-journal: a run with a journal writes into the file itself");
    assert_eq!(site.read(&page), old);
    // In a directory that gives new files its group, the file is replaced.
    chown(site.at("a"), None, Some(0)).expect("a group");
    site.set_mode("a", 0o2755);
    assert_ends(0, &site, "move -w b d");
    let after = fs::metadata(&page).expect("there");
    assert!(after.ino() != before.ino() && after.gid() == 0);
}

pub(crate) fn killed_run_in_place_can_be_resumed_and_undone() {
    let site = site_of_other_user();
    let names: Vec<_> = (0..60).map(|number| site.at(format!("a/{number}.html"))).collect();
    let old = "<a href=../b/x.html>b</a>\n".repeat(4000);
    for name in &names {
        site.write(name, &old);
        chown(name, Some(OTHER), Some(0)).expect("an owner");
    }
    let content = |name: &PathBuf| site.read(name);
    let spawn = || command(&site, ABSOLUTE).stderr(Stdio::null()).spawn().expect("rehref runs");
    let began = Instant::now();
    assert!(spawn().wait().expect("ended").success());
    let takes = began.elapsed();
    let new = content(&names[0]);
    assert_ends(0, &site, "rewrite --undo");
    let mut mixed = 0;
    for round in 0..12_u32 {
        let mut child = spawn();
        // After some time, or when it has begun to write, which a fast run does for a short time
        // only.
        if round % 4 < 2 {
            thread::sleep(takes * (round + 1) / 13);
        } else {
            let is_changed = |name: &PathBuf| {
                let len = fs::metadata(name).map(|it| it.len());
                len.is_ok_and(|len| len != old.len() as u64)
            };
            while child.try_wait().expect("a child").is_none() && !names.iter().any(is_changed) {}
        }
        child.kill().expect("killed");
        child.wait().expect("ended");
        let now: Vec<_> = names.iter().map(content).collect();
        let is_mixed = now.iter().any(|it| *it != old) && now.iter().any(|it| *it != new);
        mixed += u32::from(is_mixed);
        if is_mixed && round % 2 == 0 {
            assert_ends(0, &site, "rewrite --resume");
            assert!(names.iter().all(|it| content(it) == new), "round {round}");
        }
        if now.iter().any(|it| *it != old) {
            assert_ends(0, &site, "rewrite --undo");
        } else {
            // The kill may have come before the journal was written.
            _ = fs::remove_dir_all(site.at(".rehref"));
        }
        assert!(names.iter().all(|it| content(it) == old), "round {round}");
    }
    assert!(mixed > 0, "no run was killed while it wrote");
}

pub(crate) fn a_preview_warns_of_unwritable_directories() {
    let site = site_of_other_user();
    site.set_mode("a", 0o555);
    let rewrite = "rewrite --absolute --base=http://h/=. .";
    let refused = "a/x.html: -w would refuse: cannot write: Permission denied";
    for command in [rewrite, "move b c"] {
        assert_ends(0, &site, command).has(refused);
    }
    site.set_mode("", 0o555);
    assert_ends(0, &site, rewrite).has(".: -w would refuse: cannot write: Permission denied");
}

pub(crate) fn a_journal_of_another_user_is_refused() {
    let tree = Tree::new(&SITE);
    tree.ends(0, "move -w a b");
    let moved = tree.files();
    chown(tree.at(".rehref/journal"), Some(OTHER), None).expect("chown");
    for option in ["--undo", "--resume"] {
        tree.ends(2, ["move", option]).has("it belongs to another user (uid 65534");
        assert_eq!(tree.files(), moved);
    }
}
