//! Journals that were written elsewhere: planted in a repository, copied with a tree, moved, or
//! changed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rehref::error::ErrorKind;
use rehref::fs::journal::{PlanWriter, Root};

use crate::support::tree::{Arguments, Has, Ran, rehref};

/// Runs a command in a directory. Panics unless it ends with this code. Returns its standard error.
#[track_caller]
fn ends(code: i32, directory: &Path, arguments: impl Arguments) -> String {
    Ran::of(&mut rehref(directory, arguments)).ends(code).err
}

const ABSOLUTE: &str = "rewrite -w --absolute --base=http://h/=. .";

/// A directory with two pages and a script.
fn site() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a directory");
    let site = folder.path().canonicalize().expect("a path").join("site");
    fs::create_dir(&site).expect("a directory");
    for name in ["a.html", "b.html"] {
        fs::write(site.join(name), "<a href=x>").expect("written");
    }
    fs::write(site.join("script"), "#!/bin/sh\n").expect("written");
    (folder, site)
}

/// All files except for those of `.rehref`.
fn files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = walkdir::WalkDir::new(root).into_iter();
    let entries = entries.filter_entry(|it| it.file_name() != ".rehref");
    let files = entries.map(|it| it.expect("there").into_path());
    let files = files.filter(|it| it.is_file());
    files.map(|it| (it.clone(), fs::read(it).expect("readable"))).collect()
}

/// Plants a journal with one step, which may be finished.
fn plant(root: &Path, step: &str, kind: &str, finished: bool) {
    let count = |it: &str| u8::from(it == kind);
    let counts = format!(
        "\"files\":0,\"changes\":0,\"moves\":{},\"created\":{},\"made\":{},\"removed\":{}",
        count("move"),
        count("create"),
        count("make_folder"),
        count("remove_folder"),
    );
    let end = if finished { "\"finished\"\n" } else { "" };
    let text = format!(
        "{{\"journal\":{{\"version\":2,\"by\":\"rehref 0.1.0\",\"nonce\":\"0a\"}}}}\n{{\"{kind}\":{step}}}\n\
         {{\"planned\":{{{counts}}}}}\n{end}"
    );
    fs::create_dir_all(root.join(".rehref")).expect("a directory");
    fs::write(root.join(".rehref/journal"), text).expect("written");
    private(root);
}

/// Planted files must not be writable by others, whatever the umask.
fn private(root: &Path) {
    #[cfg(unix)]
    for (name, mode) in [(".rehref", 0o755), (".rehref/journal", 0o644)] {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::Permissions::from_mode(mode);
        fs::set_permissions(root.join(name), mode).expect("a mode");
    }
    #[cfg(not(unix))]
    let _ = root;
}

#[test]
fn planted_journal_is_refused_and_never_recommended() {
    let (_directory, site) = site();
    let before = files(&site);
    plant(&site, r#"{"from":"script","to":"start"}"#, "move", false);
    let preview = &*ABSOLUTE.replace("-w", "--diff");
    for (code, args) in [(2, ABSOLUTE), (0, preview)] {
        let said = ends(code, &site, args);
        said.has("does not belong to this directory");
        said.has(".rehref if you do not know it");
        for option in ["--undo", "--resume", "--trust-journal"] {
            said.lacks(option);
        }
        assert_eq!(files(&site), before);
    }
    for (args, step) in [
        ("rewrite --resume", "move script to start"),
        ("move --resume", "move script to start"),
        ("rewrite --undo", "move start to script"),
        ("move --undo", "move start to script"),
    ] {
        ends(2, &site, args)
            .has(step)
            .has("it does not name the directory where it was written")
            .has("nothing was changed");
        assert_eq!(files(&site), before);
    }
    ends(0, &site, "rewrite --resume --trust-journal");
    assert!(site.join("start").exists() && !site.join("script").exists());
    // The journal is still foreign.
    ends(2, &site, "rewrite --undo");
    ends(0, &site, "rewrite --undo --trust-journal");
    assert_eq!(files(&site), before);
    ends(2, &site, "rewrite --trust-journal --absolute a.html");
    // An unreadable journal blocks other runs, too.
    fs::create_dir(site.join(".rehref")).expect("a directory");
    fs::write(site.join(".rehref/journal"), "{}\n").expect("written");
    private(&site);
    ends(2, &site, ABSOLUTE).has("remove ./.rehref if you do not know it");
}

#[test]
fn journal_never_writes_into_version_control() {
    let (_directory, site) = site();
    for place in [".git", ".hg", ".svn", "CVS", "sub/.git", ".GIT", "sub/.rehref"] {
        fs::create_dir_all(site.join(place).join("hooks")).expect("a directory");
    }
    let before = files(&site);
    for place in [
        ".git/hooks/pre-commit",
        "sub/.git/hooks/x",
        ".GIT/hooks/x",
        ".hg/hgrc",
        ".svn/x",
        "CVS/Root",
        "sub/.rehref/journal",
        ".git",
    ] {
        let moves = |from: &str, to: &str| (format!(r#"{{"from":"{from}","to":"{to}"}}"#), "move");
        let cases = [
            moves("script", place),
            moves(place, "start"),
            (format!(r#"{{"path":"{place}","content":"x"}}"#), "create"),
            (format!(r#"{{"path":"{place}"}}"#), "make_folder"),
            (format!(r#"{{"path":"{place}","mode":511}}"#), "remove_folder"),
        ];
        for ((step, kind), finished) in cases.iter().flat_map(|it| [(it, false), (it, true)]) {
            plant(&site, step, kind, finished);
            for what in ["--undo", "--resume"] {
                let said = ends(2, &site, &format!("rewrite {what} --trust-journal"));
                let expected = "in .git, .hg, .svn, CVS or .rehref";
                said.has(expected);
                assert_eq!(files(&site), before, "{what} {step}");
            }
        }
    }
}

#[test]
fn move_into_version_control_is_refused() {
    let (_directory, site) = site();
    for place in [".git", ".hg", ".svn", "CVS"] {
        fs::create_dir(site.join(place)).expect("a directory");
        ends(2, &site, &["move", "-w", "script", &format!("{place}/hook")]).has("cannot move into");
    }
    assert!(site.join("script").exists());
    let root = Root::new(&site).expect("a root");
    let mut plan = PlanWriter::begin(&root).expect("begun");
    let refused = plan.rename("script".as_ref(), ".git/hook".as_ref());
    let refused = refused.expect_err("refused");
    assert!(matches!(refused.kind(), ErrorKind::ToolState), "{refused}");
}

#[cfg(unix)]
fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-a").args([from, to]).status();
    assert!(copied.expect("cp runs").success());
}

#[cfg(unix)]
#[test]
fn journal_of_a_moved_or_copied_tree_needs_an_option() {
    use rehref::error::JournalOrigin;
    use rehref::fs::journal::Run;
    let (folder, site) = site();
    let before = fs::read(site.join("a.html")).expect("readable");
    ends(0, &site, ABSOLUTE);
    let after = fs::read(site.join("a.html")).expect("readable");
    assert_ne!(before, after);

    let copied = folder.path().join("copy");
    copy(&site, &copied);
    ends(2, &copied, "rewrite --undo")
        .has(&format!("it was written for {}", site.display()))
        .has("\"http://h/x\" becomes \"x\"");
    assert_eq!(fs::read(copied.join("a.html")).expect("readable"), after);
    ends(0, &copied, "rewrite --undo --trust-journal");
    assert_eq!(fs::read(copied.join("a.html")).expect("readable"), before);
    assert!(!copied.join(".rehref").exists());

    // A copy in place of the original.
    let original = folder.path().join("original");
    fs::rename(&site, &original).expect("renamed");
    copy(&original, &site);
    ends(2, &site, "rewrite --undo").has("another directory that had this path");
    let root = Root::new(&site).expect("a root");
    let refused = Run::open(&root).expect_err("refused");
    let origin = JournalOrigin::OtherDirectory;
    assert!(matches!(refused.kind(), ErrorKind::ForeignJournal(it) if *it == origin));
    fs::remove_dir_all(&site).expect("removed");

    // Moved back, the journal is valid again.
    ends(2, &original, "rewrite --undo");
    fs::rename(&original, &site).expect("renamed");
    ends(0, &site, "rewrite --undo");
    assert_eq!(fs::read(site.join("a.html")).expect("readable"), before);
}

#[test]
fn journal_of_another_machine_needs_an_option() {
    let (_directory, site) = site();
    ends(0, &site, ABSOLUTE);
    let path = site.join(".rehref/journal");
    let journal = fs::read_to_string(&path).expect("readable");
    let (first, rest) = journal.split_once('\n').expect("lines");
    let mut line: serde_json::Value = serde_json::from_str(first).expect("JSON");
    line["journal"]["origin"]["machine"] = "0123456789abcdef".into();
    fs::write(&path, format!("{line}\n{rest}")).expect("written");
    ends(2, &site, "rewrite --undo").has("it was written on another machine");
    ends(0, &site, "rewrite --undo --trust-journal");
}

#[test]
fn finished_journal_of_another_directory_does_not_block_a_run() {
    let (_directory, site) = site();
    plant(&site, r#"{"from":"script","to":"start"}"#, "move", true);
    ends(0, &site, ABSOLUTE);
    ends(0, &site, "rewrite --undo");
}

#[cfg(unix)]
#[test]
fn journal_modes_are_limited_to_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let (_directory, site) = site();
    for mode in [u32::MAX, 0o40_755, 0o7_700] {
        let step = format!(r#"{{"path":"old","mode":{mode}}}"#);
        plant(&site, &step, "remove_folder", true);
        ends(0, &site, "rewrite --undo --trust-journal");
        let made = fs::symlink_metadata(site.join("old")).expect("there");
        // The kernel itself leaves out bits that cannot be set.
        assert_eq!(made.permissions().mode() & 0o777, mode & 0o777);
        fs::remove_dir(site.join("old")).expect("removed");
    }
}
