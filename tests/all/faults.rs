//! Files of other users where a run keeps its state, also created during the run; and output
//! directories that others can write to.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rehref::error::ErrorKind;
use rehref::fs::NewTree;
use rehref::fs::journal::{ApplyOptions, Edit, PlanWriter, Root, Run, RunState};

use crate::support::tree::{Has, Ran, rehref};

fn absolute(directory: &Path) -> Command {
    rehref(directory, "rewrite -w --absolute --base=http://h/=. .")
}

/// Runs a command. Panics after a minute: then it waits for someone.
fn output(command: &mut Command) -> Ran {
    let began = Instant::now();
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child: Child = piped.spawn().expect("rehref runs");
    while child.try_wait().expect("a state").is_none() {
        if began.elapsed() > Duration::from_secs(60) {
            child.kill().expect("killed");
            panic!("it does not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("ended").into()
}

#[track_caller]
fn says(code: i32, mut command: Command, what: &str) {
    output(&mut command).ends(code).err.has(what);
}

fn site() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a directory");
    let site = folder.path().canonicalize().expect("a path").join("site");
    fs::create_dir(&site).expect("a directory");
    fs::write(site.join("a.html"), "<a href=x>").expect("written");
    (folder, site)
}

fn mode(path: &Path) -> u32 {
    let metadata = fs::symlink_metadata(path).expect("there");
    metadata.permissions().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
}

fn state(site: &Path) -> PathBuf {
    let state = site.join(".rehref");
    fs::create_dir(&state).expect("a directory");
    set_mode(&state, 0o700);
    state
}

fn pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.expect("mkfifo runs").success());
}

#[test]
fn special_file_as_lock_is_refused() {
    let (folder, site) = site();
    let state = state(&site);
    let (lock, outside) = (state.join("lock"), folder.path().join("outside"));
    pipe(&lock);
    says(2, absolute(&site), "lock: not a regular file");
    fs::remove_file(&lock).expect("removed");
    symlink(&outside, &lock).expect("a link");
    says(2, absolute(&site), "lock: not a regular file");
    assert!(!outside.exists(), "nothing is created through a link");
    fs::remove_file(&lock).expect("removed");
    fs::create_dir(&lock).expect("a directory");
    says(2, absolute(&site), "lock: not a regular file");
    assert_eq!(fs::read(site.join("a.html")).expect("there"), b"<a href=x>");
    fs::remove_dir(&lock).expect("removed");
    says(0, absolute(&site), "changed 1 link in 1 file");
}

#[test]
fn special_file_as_journal_is_refused() {
    let (folder, site) = site();
    let state = state(&site);
    let (journal, outside) = (state.join("journal"), folder.path().join("outside"));
    let undo = || rehref(&site, "rewrite --undo");
    pipe(&journal);
    says(2, absolute(&site), "journal: not a regular file");
    says(2, undo(), "journal: not a regular file");
    fs::remove_file(&journal).expect("removed");
    symlink(&outside, &journal).expect("a link");
    says(2, absolute(&site), "journal: not a regular file");
    says(2, undo(), "journal: not a regular file");
    assert!(!outside.exists());
    fs::remove_file(&journal).expect("removed");
    // The new journal is not written through a symbolic link either.
    symlink(&outside, state.join("journal.new")).expect("a link");
    says(0, absolute(&site), "changed 1 link in 1 file");
    assert!(!outside.exists());
    assert_eq!(mode(&journal), 0o600);
    assert_eq!(mode(&state), 0o700);
}

#[test]
fn journal_directory_writable_by_others_is_refused() {
    let (_directory, site) = site();
    let state = state(&site);
    for bits in [0o720, 0o702, 0o777] {
        set_mode(&state, bits);
        says(2, absolute(&site), "other users may write to it");
    }
    set_mode(&state, 0o755);
    says(0, absolute(&site), "changed 1 link in 1 file");
    let journal = state.join("journal");
    set_mode(&journal, 0o620);
    says(2, rehref(&site, "rewrite --undo"), "journal: cannot read: other users may write to it");
    set_mode(&journal, 0o600);
    // Only the superuser can change the owner of a file.
    if chown(&state, Some(65534), None).is_ok() {
        says(2, absolute(&site), "belongs to another user (uid 65534");
        chown(&state, Some(0), None).expect("given back");
        fs::write(state.join("lock"), "").expect("written");
        chown(state.join("lock"), Some(65534), None).expect("given away");
        says(2, absolute(&site), "lock: cannot read: it belongs to another user");
    }
}

#[test]
fn run_reports_a_vanished_journal() {
    let (_directory, site) = site();
    let root = Root::new(&site).expect("a root");
    for name in ["b.html", "c.html"] {
        fs::write(site.join(name), "<a href=x>").expect("written");
    }
    let mut plan = PlanWriter::begin(&root).expect("begun");
    for name in ["a.html", "b.html", "c.html"] {
        let change = (8..9, &b"http://h/x"[..]);
        let edit = Edit::new(&root, name.as_ref(), b"<a href=x>", [change], None);
        plan.edit(edit.expect("an edit")).expect("planned");
    }
    plan.rename("c.html".as_ref(), "d.html".as_ref()).expect("planned");
    let run = plan.finish().expect("written").expect("steps");
    let asked = AtomicBool::new(false);
    let stop = || {
        if !asked.swap(true, Ordering::SeqCst) {
            fs::remove_dir_all(site.join(".rehref")).expect("removed");
        }
        false
    };
    let options = ApplyOptions { stop: &stop, ..ApplyOptions::default() };
    let applied = run.apply(&options).expect("applied");
    // The run is completed: stopping half-way would not help.
    assert_eq!((applied.state, applied.done.moves), (RunState::Finished, 1));
    let problem = applied.problems.first().expect("a problem");
    assert!(matches!(problem.kind(), ErrorKind::JournalRemoved), "{problem}");
    assert!(Run::open(&root).expect("readable").is_none());
    assert!(site.join("d.html").exists());
}

#[test]
fn threads_are_limited_by_open_files() {
    let (folder, site) = site();
    for number in 0..400 {
        let directory = site.join((number % 7).to_string());
        fs::create_dir_all(&directory).expect("a directory");
        fs::write(directory.join(format!("{number}.html")), "<a href=x>").expect("written");
    }
    let out = folder.path().join("out");
    let out = out.to_str().expect("UTF-8");
    let rewrite = ["rewrite", "--absolute", "--base=http://h/=."];
    for options in [
        &["extract"][..],
        &["check"],
        &[rewrite[0], rewrite[1], rewrite[2], "-o", out],
        &[rewrite[0], rewrite[1], rewrite[2], "-w"],
        &["rewrite", "--undo"],
    ] {
        let mut command = Command::new("sh");
        let script = "ulimit -n 32; exec \"$0\" \"$@\"";
        command.args(["-c", script, env!("CARGO_BIN_EXE_rehref")]);
        command.args(options).args(["-j64", "."]).current_dir(&site);
        let output = output(command.stdin(Stdio::null()));
        output.err.lacks("Too many open files");
        output.ends(i32::from(options == ["check"]));
    }
}

/// Replaces a directory with a symbolic link to another one, and back, as fast as possible.
fn swapped<T>(place: &Path, outside: &Path, work: impl FnOnce() -> T) -> T {
    let ended = AtomicBool::new(false);
    let aside = place.with_extension("aside");
    thread::scope(|scope| {
        scope.spawn(|| {
            while !ended.load(Ordering::Relaxed) {
                if fs::rename(place, &aside).is_ok() {
                    let _: std::io::Result<()> = symlink(outside, place);
                    thread::yield_now();
                    let _: std::io::Result<()> = fs::remove_file(place);
                    let _: std::io::Result<()> = fs::rename(&aside, place);
                }
            }
            let _: std::io::Result<()> = fs::rename(&aside, place);
        });
        let done = work();
        ended.store(true, Ordering::Relaxed);
        done
    })
}

fn count(folder: &Path) -> usize {
    fs::read_dir(folder).expect("readable").count()
}

#[test]
fn symlink_created_during_a_new_tree_redirects_no_write() {
    let folder = tempfile::tempdir().expect("a directory");
    let [from, out, outside] = ["from", "out", "outside"].map(|it| folder.path().join(it));
    fs::create_dir(&outside).expect("a directory");
    fs::write(&from, "text").expect("written");
    for is_new in [false, true] {
        let place = out.join(if is_new { "new" } else { "old" });
        if !is_new {
            fs::create_dir_all(&place).expect("a directory");
        }
        let below = Path::new(place.file_name().expect("a name"));
        let written = swapped(&place, &outside, || {
            let began = Instant::now();
            let (mut trees, mut written) = (0, 0);
            // The other thread may be suspended while the symbolic link is in place.
            while trees < 300 || written == 0 && began.elapsed() < Duration::from_secs(60) {
                // Each tree opens the directory again.
                let tree = NewTree::new(&out).replacing_files();
                for number in 0..10 {
                    let below = below.join(format!("{number}.html"));
                    written += usize::from(tree.copy(&below, &from).is_ok());
                }
                trees += 1;
            }
            written
        });
        assert!(written > 0);
        assert_eq!(count(&outside), 0, "{written} written");
    }
}

#[test]
fn symlink_created_during_a_run_in_place_redirects_no_write() {
    let (folder, site) = site();
    let outside = folder.path().join("outside");
    for place in [&outside, &site.join("sub")] {
        fs::create_dir(place).expect("a directory");
        for number in 0..20 {
            fs::write(place.join(format!("{number}.html")), "<a href=x>").expect("written");
        }
    }
    let root = Root::new(&site).expect("a root");
    for round in 0..10 {
        let mut plan = PlanWriter::begin(&root).expect("begun");
        for number in 0..20 {
            let name = format!("sub/{number}.html");
            let change = (8..9, &b"http://h/x"[..]);
            let edit = Edit::new(&root, name.as_ref(), b"<a href=x>", [change], Some("~"));
            plan.edit(edit.expect("an edit")).expect("planned");
        }
        plan.create("sub/new".as_ref(), b"new").expect("planned");
        plan.make_directory("sub/folder".as_ref()).expect("planned");
        plan.rename("a.html".as_ref(), "sub/folder/a.html".as_ref()).expect("planned");
        let run = plan.finish().expect("written").expect("steps");
        let options = ApplyOptions::default();
        let applied = swapped(&site.join("sub"), &outside, || run.apply(&options));
        drop(applied);
        assert_eq!(count(&outside), 20, "round {round}");
        for number in 0..20 {
            let text = fs::read(outside.join(format!("{number}.html"))).expect("readable");
            assert_eq!(text, b"<a href=x>", "round {round}");
        }
        let run = Run::open(&root).expect("readable").expect("a run");
        swapped(&site.join("sub"), &outside, || drop(run.undo(&options)));
        assert_eq!(count(&outside), 20, "round {round}");
        if let Some(run) = Run::open(&root).expect("readable") {
            let undone = run.undo(&options).expect("undone");
            assert!(undone.problems.is_empty(), "{:?}", undone.problems);
        }
        assert_eq!(count(&site.join("sub")), 20, "round {round}");
        assert!(site.join("a.html").exists());
    }
}
