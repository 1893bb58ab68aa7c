//! Files of other users where a run keeps its state, also created during the run; and output
//! directories that others can write to.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{chown, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rehref::error::ErrorKind;
use rehref::fs::NewTree;
use rehref::fs::journal::{ApplyOptions, Edit, PlanWriter, Root, Run, RunState};

use crate::support::tree::{Has, Ran, Tree};
use crate::tier;

const ABSOLUTE: &str = "rewrite -w --absolute --base=http://h/=. .";
const UNDO: &str = "rewrite --undo";

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
fn says(code: i32, site: &Tree, arguments: &str, what: &str) {
    output(&mut site.command(arguments)).ends(code).err.has(what);
}

fn site() -> Tree {
    let directory = tempfile::tempdir().expect("a directory");
    Tree::site_within(directory).with([("a.html", "<a href=x>")])
}

/// A site with a directory for the state of runs.
fn site_with_state() -> Tree {
    let site = site();
    site.make(".rehref");
    site.set_mode(".rehref", 0o700);
    site
}

fn pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.expect("mkfifo runs").success());
}

#[test]
fn special_file_as_lock_is_refused() {
    let site = site_with_state();
    let lock = ".rehref/lock";
    let is_refused = || says(2, &site, ABSOLUTE, "lock: not a regular file");
    pipe(&site.at(lock));
    is_refused();
    site.remove(lock);
    site.symlink(site.at("../outside"), lock);
    is_refused();
    assert!(!site.has("../outside"), "nothing is created through a link");
    site.remove(lock);
    site.make(lock);
    is_refused();
    assert_eq!(site.read("a.html"), "<a href=x>");
    site.remove(lock);
    says(0, &site, ABSOLUTE, "changed 1 link in 1 file");
}

#[test]
fn special_file_as_journal_is_refused() {
    let site = site_with_state();
    let (journal, outside) = (".rehref/journal", site.at("../outside"));
    let is_refused = || {
        for arguments in [ABSOLUTE, UNDO] {
            says(2, &site, arguments, "journal: not a regular file");
        }
    };
    pipe(&site.at(journal));
    is_refused();
    site.remove(journal);
    site.symlink(&outside, journal);
    is_refused();
    assert!(!outside.exists());
    site.remove(journal);
    // The new journal is not written through a symbolic link either.
    site.symlink(&outside, ".rehref/journal.new");
    says(0, &site, ABSOLUTE, "changed 1 link in 1 file");
    assert!(!outside.exists());
    assert_eq!([journal, ".rehref"].map(|it| site.mode(it)), [0o600, 0o700]);
}

#[test]
fn journal_directory_writable_by_others_is_refused() {
    let site = site_with_state();
    let (state, lock) = (".rehref", ".rehref/lock");
    for bits in [0o720, 0o702, 0o777] {
        site.set_mode(state, bits);
        says(2, &site, ABSOLUTE, "other users may write to it");
    }
    site.set_mode(state, 0o755);
    says(0, &site, ABSOLUTE, "changed 1 link in 1 file");
    site.set_mode(".rehref/journal", 0o620);
    says(2, &site, UNDO, "journal: cannot read: other users may write to it");
    site.set_mode(".rehref/journal", 0o600);
    // Only the superuser can change the owner of a file.
    if chown(site.at(state), Some(65534), None).is_ok() {
        says(2, &site, ABSOLUTE, "belongs to another user (uid 65534");
        chown(site.at(state), Some(0), None).expect("given back");
        site.write(lock, "");
        chown(site.at(lock), Some(65534), None).expect("given away");
        says(2, &site, ABSOLUTE, "lock: cannot read: it belongs to another user");
    }
}

#[test]
fn run_reports_a_vanished_journal() {
    let site = site();
    let root = Root::new(site.path()).expect("a root");
    for name in ["b.html", "c.html"] {
        site.write(name, "<a href=x>");
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
            site.remove(".rehref");
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
    assert!(site.has("d.html"));
}

#[test]
fn threads_are_limited_by_open_files() {
    let site = site();
    for number in 0..400 {
        site.write(format!("{}/{number}.html", number % 7), "<a href=x>");
    }
    let rewrite = "rewrite --absolute --base=http://h/=.";
    for options in [
        "extract",
        "check",
        &format!("{rewrite} -o {}", site.at("../out").display()),
        &format!("{rewrite} -w"),
        UNDO,
    ] {
        let run = site.command(format!("{options} -j64 ."));
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -n 32; exec \"$0\" \"$@\""]).arg(run.get_program());
        command.args(run.get_args()).current_dir(site.path());
        let output = output(command.stdin(Stdio::null()));
        output.err.lacks("Too many open files");
        output.ends(i32::from(options == "check"));
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

#[test]
fn symlink_created_during_a_new_tree_redirects_no_write() {
    let tree = Tree::new(&[("from", "text")]);
    tree.make("outside");
    let [from, out, outside] = ["from", "out", "outside"].map(|it| tree.at(it));
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
            while trees < tier::pick(100, 300)
                || written == 0 && began.elapsed() < Duration::from_secs(60)
            {
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
        assert_eq!(tree.count("outside"), 0, "{written} written");
    }
}

#[test]
fn symlink_created_during_a_run_in_place_redirects_no_write() {
    let site = site();
    let (outside, sub) = (site.at("../outside"), site.at("sub"));
    for number in 0..20 {
        for place in [&outside, &sub] {
            site.write(place.join(format!("{number}.html")), "<a href=x>");
        }
    }
    let root = Root::new(site.path()).expect("a root");
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
        let applied = swapped(&sub, &outside, || run.apply(&options));
        drop(applied);
        assert_eq!(site.count("../outside"), 20, "round {round}");
        for number in 0..20 {
            let text = site.read(outside.join(format!("{number}.html")));
            assert_eq!(text, "<a href=x>", "round {round}");
        }
        let run = Run::open(&root).expect("readable").expect("a run");
        swapped(&sub, &outside, || drop(run.undo(&options)));
        assert_eq!(site.count("../outside"), 20, "round {round}");
        if let Some(run) = Run::open(&root).expect("readable") {
            let undone = run.undo(&options).expect("undone");
            assert!(undone.problems.is_empty(), "{:?}", undone.problems);
        }
        assert_eq!(site.count("sub"), 20, "round {round}");
        assert!(site.has("a.html"));
    }
}
