//! Journals that were written elsewhere: planted in a repository, copied with a tree, moved, or
//! changed.

use std::path::Path;
use std::process::Command;

use rehref::error::ErrorKind;
use rehref::fs::journal::{PlanWriter, Root};

use crate::support::tree::{Has, Tree};

const ABSOLUTE: &str = "rewrite -w --absolute --base=http://h/=. .";

/// A directory with two pages and a script.
fn site() -> Tree {
    let pages = [("a.html", "<a href=x>"), ("b.html", "<a href=x>"), ("script", "#!/bin/sh\n")];
    Tree::site_within(tempfile::tempdir().expect("a directory")).with(pages)
}

/// Plants a journal with one step, which may be finished.
fn plant(site: &Tree, step: &str, kind: &str, finished: bool) {
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
    plant_journal(site, &text);
}

/// Planted files must not be writable by others, whatever the umask.
fn plant_journal(site: &Tree, text: &str) {
    site.write(".rehref/journal", text);
    #[cfg(unix)]
    for (name, mode) in [(".rehref", 0o755), (".rehref/journal", 0o644)] {
        site.set_mode(name, mode);
    }
}

#[test]
fn planted_journal_is_refused_and_never_recommended() {
    let site = site();
    let before = site.files();
    plant(&site, r#"{"from":"script","to":"start"}"#, "move", false);
    let preview = &*ABSOLUTE.replace("-w", "--diff");
    for (code, args) in [(2, ABSOLUTE), (0, preview)] {
        let said = site.ends(code, args);
        said.has("does not belong to this directory");
        said.has(".rehref if you do not know it");
        for option in ["--undo", "--resume", "--trust-journal"] {
            said.lacks(option);
        }
        assert_eq!(site.files(), before);
    }
    for (args, step) in [
        ("rewrite --resume", "move script to start"),
        ("move --resume", "move script to start"),
        ("rewrite --undo", "move start to script"),
        ("move --undo", "move start to script"),
    ] {
        site.ends(2, args)
            .has(step)
            .has("it does not name the directory where it was written")
            .has("nothing was changed");
        assert_eq!(site.files(), before);
    }
    site.ends(0, "rewrite --resume --trust-journal");
    assert!(site.has("start") && !site.has("script"));
    // The journal is still foreign.
    site.ends(2, "rewrite --undo");
    site.ends(0, "rewrite --undo --trust-journal");
    assert_eq!(site.files(), before);
    site.ends(2, "rewrite --trust-journal --absolute a.html");
    // An unreadable journal blocks other runs, too.
    plant_journal(&site, "{}\n");
    site.ends(2, ABSOLUTE).has("remove ./.rehref if you do not know it");
}

#[test]
fn journal_never_writes_into_version_control() {
    let site = site();
    for place in [".git", ".hg", ".svn", "CVS", "sub/.git", ".GIT", "sub/.rehref"] {
        site.make(Path::new(place).join("hooks"));
    }
    let before = site.files_except(&[".rehref"]);
    for place in [
        ".git/hooks/pre-commit", "sub/.git/hooks/x", ".GIT/hooks/x", ".hg/hgrc", ".svn/x",
        "CVS/Root", "sub/.rehref/journal", ".git",
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
                let said = site.ends(2, format!("rewrite {what} --trust-journal"));
                said.has("in .git, .hg, .svn, CVS or .rehref");
                assert_eq!(site.files_except(&[".rehref"]), before, "{what} {step}");
            }
        }
    }
}

#[test]
fn move_into_version_control_is_refused() {
    let site = site();
    for place in [".git", ".hg", ".svn", "CVS"] {
        site.make(place);
        site.ends(2, ["move", "-w", "script", &format!("{place}/hook")]).has("cannot move into");
    }
    assert!(site.has("script"));
    let root = Root::new(site.path()).expect("a root");
    let mut plan = PlanWriter::begin(&root).expect("begun");
    let refused = plan.rename("script".as_ref(), ".git/hook".as_ref());
    let refused = refused.expect_err("refused");
    assert!(matches!(refused.kind(), ErrorKind::ToolState), "{refused}");
}

#[cfg(unix)]
#[test]
fn journal_of_a_moved_or_copied_tree_needs_an_option() {
    use rehref::error::JournalOrigin;
    use rehref::fs::journal::Run;
    let site = site();
    let copy = |from: &Path, to: &Path| {
        let copied = Command::new("cp").arg("-a").args([from, to]).status();
        assert!(copied.expect("cp runs").success());
    };
    let ends = |code: i32, directory: &str, arguments: &str| {
        site.run_in(directory, arguments).ends(code).err
    };
    let before = site.read("a.html");
    site.ends(0, ABSOLUTE);
    let after = site.read("a.html");
    assert_ne!(before, after);

    copy(site.path(), &site.path().with_file_name("copy"));
    ends(2, "../copy", "rewrite --undo")
        .has(format!("it was written for {}", site.path().display()))
        .has("\"http://h/x\" becomes \"x\"");
    assert_eq!(site.read("../copy/a.html"), after);
    ends(0, "../copy", "rewrite --undo --trust-journal");
    assert_eq!(site.read("../copy/a.html"), before);
    assert!(!site.has("../copy/.rehref"));

    // A copy in place of the original.
    let original = site.path().with_file_name("original");
    site.rename(site.path(), &original);
    copy(&original, site.path());
    site.ends(2, "rewrite --undo").has("another directory that had this path");
    let root = Root::new(site.path()).expect("a root");
    let refused = Run::open(&root).expect_err("refused");
    let origin = JournalOrigin::OtherDirectory;
    assert!(matches!(refused.kind(), ErrorKind::ForeignJournal(it) if *it == origin));
    site.remove("");

    // Moved back, the journal is valid again.
    ends(2, original.to_str().expect("UTF-8"), "rewrite --undo");
    site.rename(&original, site.path());
    site.ends(0, "rewrite --undo");
    assert_eq!(site.read("a.html"), before);
}

#[test]
fn journal_of_another_machine_needs_an_option() {
    let site = site();
    site.ends(0, ABSOLUTE);
    let journal = site.read(".rehref/journal");
    let (first, rest) = journal.split_once('\n').expect("lines");
    let mut line: serde_json::Value = serde_json::from_str(first).expect("JSON");
    line["journal"]["origin"]["machine"] = "0123456789abcdef".into();
    site.write(".rehref/journal", format!("{line}\n{rest}"));
    site.ends(2, "rewrite --undo").has("it was written on another machine");
    site.ends(0, "rewrite --undo --trust-journal");
}

#[test]
fn finished_journal_of_another_directory_does_not_block_a_run() {
    let site = site();
    plant(&site, r#"{"from":"script","to":"start"}"#, "move", true);
    site.ends(0, ABSOLUTE);
    site.ends(0, "rewrite --undo");
}

#[cfg(unix)]
#[test]
fn journal_modes_are_limited_to_permissions() {
    let site = site();
    for mode in [u32::MAX, 0o40_755, 0o7_700] {
        let step = format!(r#"{{"path":"old","mode":{mode}}}"#);
        plant(&site, &step, "remove_folder", true);
        site.ends(0, "rewrite --undo --trust-journal");
        // The kernel itself leaves out bits that cannot be set.
        assert_eq!(site.mode("old") & 0o777, mode & 0o777);
        site.remove("old");
    }
}
