//! Runs in place that are killed, interrupted or refused: each file is wholly old or wholly new,
//! and the run can be resumed or undone.

mod journals;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use rehref::error::ErrorKind;
use rehref::fs::journal::{ApplyOptions, Edit, PlanWriter, Root, Run, RunState};
use rehref::jobs::in_threads;

use crate::support::tree::{Has, Ran, Tree};
use crate::temporary::in_memory;
use crate::tier;

/// Runs a command. Panics unless it ends with this code.
#[track_caller]
fn ends(code: i32, command: &mut Command) -> Ran {
    Ran::of(command).ends(code)
}

/// A site with this number of pages. Each has its number and links to its neighbors.
fn site(pages: usize) -> Tree {
    let site = Tree::site_within(in_memory());
    for number in 0..pages {
        let next = format!("../{}/{}.html", (number + 1) % 30, number + 1);
        let page = format!("<title>{number}</title><a href='{next}'>next</a> <a href=../>up</a>\n");
        site.write(format!("{}/{number}.html", number % 30), page.repeat(20));
    }
    site
}

type Files = BTreeMap<PathBuf, (Vec<u8>, SystemTime)>;

/// All files with their times, except for the state of runs.
fn files(root: &Path) -> Files {
    let mut files = Files::new();
    let entries = walkdir::WalkDir::new(root).into_iter();
    for entry in entries.filter_entry(|it| it.file_name() != ".rehref") {
        let entry = entry.expect("there");
        if entry.file_type().is_file() {
            let below = entry.path().strip_prefix(root).expect("below").to_owned();
            let time = entry.metadata().expect("there").modified().expect("a time");
            files.insert(below, (fs::read(entry.path()).expect("readable"), time));
        }
    }
    files
}

fn contents(files: &Files) -> BTreeMap<&Path, &[u8]> {
    let pairs = files.iter();
    pairs.map(|(path, (content, _))| (path.as_path(), &**content)).collect()
}

/// Panics if a file is truncated or lost. Each file, also a staged one, is one of the old or the
/// new tree.
fn assert_whole(root: &Path, old: &Files, new: &Files) {
    let known: BTreeSet<_> = old.values().chain(new.values()).map(|(it, _)| it).collect();
    let stage = root.join(".rehref/stage");
    let mut found = files(root);
    found.retain(|path, _| !path.to_string_lossy().contains(".rehref-"));
    let staged = if stage.exists() { files(&stage) } else { Files::new() };
    found.extend(staged.into_iter().map(|(path, it)| (stage.join(path), it)));
    for (path, (content, _)) in &found {
        assert!(known.contains(content), "{} is not whole", path.display());
    }
    assert!(found.len() >= old.len().min(new.len()), "a file is lost");
}

/// Pseudorandom numbers from a printed seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % limit
    }
}

/// Kills `rehref COMMAND...` at random moments, and resumes or undoes it with the root `place`.
/// `REHREF_KILLS` is the number of kills.
#[allow(clippy::print_stdout)] // The figures are what it is run for.
fn survives_kills(site: &Tree, command: &str, place: &str) {
    let root = site.path();
    let rounds = std::env::var("REHREF_KILLS").ok().and_then(|it| it.parse().ok());
    let rounds: u64 = rounds.unwrap_or(tier::pick(3, 10));
    let seed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("later");
    let mut chance = Chance(seed.as_nanos() as u64);
    println!("seed {}", chance.0);
    let run = |arguments: &str| {
        let mut run = site.command(arguments);
        run.stderr(Stdio::null()).stdout(Stdio::null());
        run
    };
    let name = command.split(' ').next().expect("a name");
    let again = |what: &str| run(&format!("{name} {what} -j4 {place}"));
    let old = files(root);
    let began = Instant::now();
    ends(0, &mut run(command));
    let forward = began.elapsed();
    let new = files(root);
    assert_ne!(contents(&old), contents(&new));
    let began = Instant::now();
    ends(0, &mut again("--undo"));
    let backward = began.elapsed();
    assert_eq!(files(root), old);

    let mut kill = |mut command: Command, takes: Duration| {
        let mut child = command.spawn().expect("rehref runs");
        thread::sleep(Duration::from_micros(chance.below(takes.as_micros() as u64 * 11 / 10)));
        child.kill().expect("killed");
        child.wait().expect("ended").code().is_none()
    };
    // The numbers of kills while a plan was applied, and while one was undone.
    let (mut on, mut back, mut killed) = (0, 0, 0);
    let is_mixed = |now: &Files| contents(now) != contents(&old) && contents(now) != contents(&new);
    // A round does not count if the command ended before the kill.
    let mut round = 0;
    while killed < rounds {
        let takes_back = round % 3 == 2;
        if takes_back {
            ends(0, &mut run(command));
            killed += u64::from(kill(again("--undo"), backward));
        } else {
            killed += u64::from(kill(run(command), forward));
        }
        assert_whole(root, &old, &new);
        let now = files(root);
        *if takes_back { &mut back } else { &mut on } += u64::from(is_mixed(&now));
        let resumed = || again("--resume").status().expect("rehref runs").code();
        match round % 3 {
            0 => match resumed() {
                Some(0) => assert_eq!(contents(&files(root)), contents(&new), "round {round}"),
                // The kill came before the plan was complete, or after the run was finished.
                code => assert!(code == Some(2) && !is_mixed(&now), "round {round}"),
            },
            1 => {}
            _ => {
                let code = resumed();
                assert!(code == Some(0) || !is_mixed(&now), "round {round}");
            }
        }
        let undone = again("--undo").status().expect("rehref runs").code();
        assert!(undone == Some(0) || undone == Some(2), "round {round}");
        assert_eq!(files(root), old, "round {round}: undone");
        assert!(!site.has(".rehref"), "round {round}");
        round += 1;
    }
    println!("{killed} killed in {round} rounds: {on} while applying, {back} while undoing");
}

#[test]
fn killed_run_can_be_resumed_and_undone() {
    let site = site(tier::pick(60, 1000));
    let place = site.path().display().to_string();
    let command = format!("rewrite -w -j4 --absolute --base http://h/={place} {place}");
    survives_kills(&site, &command, &place);
}

#[test]
fn killed_move_can_be_resumed_and_undone() {
    let site = site(tier::pick(60, 1000));
    let root = site.path().display();
    let directories = (0..15).map(|number| format!("{root}/{number} ")).collect::<String>();
    let place = format!("--root={root}");
    survives_kills(&site, &format!("move -w -j4 {place} {directories}{root}/x/y/"), &place);
}

#[cfg(unix)]
#[test]
fn interrupted_run_stops_between_two_files_and_can_be_resumed() {
    let site = site(tier::pick(200, 1000));
    let old = files(site.path());
    let mut child = absolute(&site);
    let child = child.arg("-j1").stderr(Stdio::piped()).spawn();
    let child = child.expect("rehref runs");
    // The first file has been written.
    let written = |path: &Path| site.bytes(path) != old[path].0;
    let mut names = old.keys();
    let first = names.next().expect("a file");
    while !written(first) {
        thread::sleep(Duration::from_millis(1));
    }
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("kill runs").success());
    let output = Ran::from(child.wait_with_output().expect("rehref ends"));
    // On a busy machine the run may end before the signal.
    assert!(matches!(output.code, 130 | 0), "{}", output.err);
    if output.code == 0 {
        assert!(old.keys().all(|path| written(path)));
    } else if !written(names.next_back().expect("a file")) {
        says_ways_on(&output, &site);
        let now = files(site.path());
        assert!(now.len() == old.len(), "no temporary file stays behind");
        ends(0, &mut again("--resume", &site));
    }
    assert!(old.keys().all(|path| written(path)));
    ends(0, &mut again("--undo", &site));
    assert_eq!(files(site.path()), old);
}

fn absolute(site: &Tree) -> Command {
    let root = site.path().display();
    site.command(format!("rewrite -w --absolute --base http://h/={root} {root}"))
}

/// Panics unless a run says the whole command lines that finish and undo the interrupted run in
/// `root`.
#[track_caller]
fn says_ways_on(output: &Ran, site: &Tree) {
    let root = site.path().display();
    output.err.has(format!("help: finish it with: rehref rewrite --resume {root}\n"));
    output.err.has(format!("help: undo it with: rehref rewrite --undo {root}\n"));
}

fn again(what: &str, site: &Tree) -> Command {
    site.command(format!("rewrite {what} {}", site.path().display()))
}

#[cfg(unix)]
#[test]
fn file_beyond_the_size_limit_stays_whole_until_resumed() {
    let site = site(3);
    site.write("0/large.html", format!("<a href=x>{}", " ".repeat(1 << 17)));
    let before = files(site.path());
    let mut limited = Command::new("sh");
    let script = "ulimit -f 64; exec \"$0\" \"$@\"";
    limited.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_rehref"));
    limited.args(absolute(&site).get_args());
    let output = ends(2, &mut limited);
    output.err.has("large.html: cannot write");
    says_ways_on(&output, &site);
    assert_eq!(files(site.path())[Path::new("0/large.html")], before[Path::new("0/large.html")]);
    // No other run may begin meanwhile.
    says_ways_on(&ends(2, &mut absolute(&site)), &site);
    ends(0, &mut again("--resume", &site)).err.has("finished: 121 links in 4 files");
    site.read("0/large.html").begins("<a href=http://h/0/x>");
    ends(0, &mut again("--undo", &site)).err.has("undone: 121 links in 4 files");
    assert_eq!(files(site.path()), before);
    ends(2, &mut again("--undo", &site)).err.has("no run to undo");
}

#[test]
fn file_changed_between_plan_and_write_is_not_replaced() {
    let site = site(3);
    let root = Root::new(site.path()).expect("a root");
    let planned = || {
        let mut plan = PlanWriter::begin(&root).expect("begun");
        for name in ["0/0.html", "1/1.html", "2/2.html"] {
            let old = site.bytes(name);
            let change = (0..1, &b" <"[..]);
            let edit = Edit::new(&root, name.as_ref(), &old, [change], None).expect("an edit");
            plan.edit(edit).expect("written");
        }
        plan
    };
    let before = files(site.path());
    let run = planned().finish().expect("written").expect("steps");
    site.write("1/1.html", "mine");
    let applied = run.apply(&ApplyOptions::default()).expect("applied");
    assert_eq!((applied.state, applied.done.files), (RunState::Finished, 2));
    assert!(matches!(applied.problems[0].kind(), ErrorKind::Changed));
    assert_eq!(site.bytes("1/1.html"), b"mine");
    // The file did not belong to the run, so it is not undone.
    let run = Run::open(&root).expect("readable").expect("a run");
    let undone = run.undo(&ApplyOptions::default()).expect("undone");
    assert!(undone.problems.is_empty(), "{:?}", undone.problems);
    assert_eq!(site.bytes("1/1.html"), b"mine");

    // The run stops before its moves.
    let mut plan = planned();
    plan.rename("0".as_ref(), "new".as_ref()).expect("written");
    let run = plan.finish().expect("written").expect("steps");
    let mine = site.bytes("1/1.html");
    site.write("1/1.html", "other");
    let applied = run.apply(&ApplyOptions::default()).expect("applied");
    assert_eq!(applied.state, RunState::Interrupted);
    assert!(site.has("0") && !site.has("new"));
    let refused = PlanWriter::begin(&root).expect_err("interrupted");
    assert!(matches!(refused.kind(), ErrorKind::Interrupted));
    // When the file is restored, the run can be resumed.
    site.write("1/1.html", &mine);
    let run = Run::open(&root).expect("readable").expect("a run");
    let applied = run.apply(&ApplyOptions::default()).expect("applied");
    assert_eq!((applied.state, applied.problems.len()), (RunState::Finished, 0));
    assert!(site.has("new/0.html"));
    let run = Run::open(&root).expect("readable").expect("a run");
    run.undo(&ApplyOptions::default()).expect("undone");
    let mut after = files(site.path());
    after.insert("1/1.html".into(), before[Path::new("1/1.html")].clone());
    assert_eq!(after, before);
}

#[test]
fn problems_are_in_the_order_of_the_plan_for_any_number_of_threads() {
    let site = site(200);
    let root = Root::new(site.path()).expect("a root");
    let names: Vec<_> = files(site.path()).into_keys().collect();
    for threads in [1, 2, 8] {
        let mut plan = PlanWriter::begin(&root).expect("begun");
        for name in &names {
            let change = (0..1, &b" <"[..]);
            let edit = Edit::new(&root, name, &site.bytes(name), [change], None);
            plan.edit(edit.expect("an edit")).expect("written");
        }
        let run = plan.finish().expect("written").expect("steps");
        let mine = names.iter().step_by(3).map(|it| root.directory().join(it));
        let mine: Vec<_> = mine.collect();
        for path in &mine {
            site.write(path, format!("mine, {threads}"));
        }
        let in_threads = in_threads(NonZeroUsize::new(threads).expect("not zero"));
        let options = ApplyOptions { run_tasks: &in_threads, ..ApplyOptions::default() };
        let applied = run.apply(&options).expect("applied");
        let paths: Vec<_> = applied.problems.iter().map(|it| it.path().to_owned()).collect();
        assert_eq!(paths, mine, "{threads} threads");
        let run = Run::open(&root).expect("readable").expect("a run");
        let undone = run.undo(&options).expect("undone");
        assert_eq!(undone.done.files, (names.len() - mine.len()) as u64);
    }
}

#[test]
fn files_changed_after_the_run_are_not_undone() {
    let site = site(3);
    let before = files(site.path());
    ends(0, &mut absolute(&site));
    let page = "1/1.html";
    let new = site.bytes(page);
    site.write(page, "mine");
    let output = ends(2, &mut again("--undo", &site));
    output.err.has("1.html: changed since the run: left unchanged");
    output.err.has("undone: 80 links in 2 files; 1 file left unchanged");
    let output = ends(2, &mut again("--undo", &site));
    output.err.has("1.html: changed since the run: left unchanged");
    output.err.has("nothing was undone; 1 file left unchanged");
    assert_eq!(site.read(page), "mine");
    // The undo can be repeated, and does not block other runs.
    site.write(page, new);
    ends(0, &mut again("--undo", &site));
    assert_eq!(files(site.path()), before);
    assert!(!site.has(".rehref"));
}

#[cfg(unix)]
#[test]
fn read_only_files_are_refused_before_writing() {
    let site = site(3);
    site.set_mode("0/0.html", 0o444);
    // A symbolic link to a file outside of the root.
    site.write("../outside.html", "<a href=x>");
    site.symlink(site.path().with_file_name("outside.html"), "1/link.html");
    let output = ends(2, absolute(&site).arg("-L"));
    output.err.has("0.html: the file is read-only: left unchanged");
    output.err.has("link.html: outside of the root of the run: left unchanged");
    output.err.has("rehref: changed 80 links in 2 files");
    assert_eq!(site.read("../outside.html"), "<a href=x>");
    ends(0, &mut again("--undo", &site));
    site.read("0/0.html").has("<a href=../>");
}

#[cfg(unix)]
#[test]
fn nothing_changes_without_a_journal() {
    let site = site(3);
    let before = files(site.path());
    // A file in place of the directory also stops the superuser.
    site.write(".rehref", "");
    ends(2, &mut absolute(&site));
    assert_eq!(files(site.path()), before);
    site.remove(".rehref");
    site.symlink("/tmp", ".rehref");
    ends(2, &mut absolute(&site));
    assert_eq!(files(site.path()), before);
    site.remove(".rehref");

    ends(0, absolute(&site).arg("--no-journal"));
    assert_ne!(files(site.path()), before);
    assert!(!site.has(".rehref"));
}

#[cfg(unix)]
#[test]
fn unwritable_root_is_left_unchanged() {
    use std::os::unix::process::CommandExt;
    let site = site(3);
    let before = files(site.path());
    site.set_mode("..", 0o755);
    site.set_mode("", 0o555);
    // The superuser can write everywhere, so the program runs as another user, who owns the
    // directories below.
    let is_root = fs::write(site.at("probe"), "").is_ok();
    let program = site.path().with_file_name("rehref");
    let mut command = absolute(&site);
    if is_root {
        site.remove("probe");
        // This process must not write the program: children of other tests could keep it open for
        // writing.
        let copied = Command::new("cp").arg(command.get_program()).arg(&program).status();
        assert!(copied.expect("cp runs").success());
        site.set_mode(&program, 0o755);
        for entry in walkdir::WalkDir::new(site.path()).min_depth(1) {
            let entry = entry.expect("there");
            std::os::unix::fs::chown(entry.path(), Some(65534), Some(65534)).expect("an owner");
        }
        let mut other = Command::new(&program);
        other.args(command.get_args()).uid(65534).gid(65534);
        command = other;
    }
    ends(2, &mut command).err.has("use --no-journal to write without a journal");
    assert_eq!(files(site.path()), before);
    ends(0, command.arg("--no-journal"));
    assert_ne!(files(site.path()), before);
}

#[test]
fn concurrent_run_is_refused() {
    let site = site(3);
    let before = files(site.path());
    let mut plan = PlanWriter::begin(&Root::new(site.path()).expect("a root")).expect("begun");
    plan.create("new".as_ref(), b"").expect("written");
    for command in [&mut absolute(&site), &mut again("--undo", &site)] {
        ends(2, command).err.has("another run is active here");
    }
    assert_eq!(files(site.path()), before);
    drop(plan);
    assert!(!site.has(".rehref"), "a plan that is dropped leaves nothing");
    ends(0, &mut absolute(&site));
}

#[test]
fn plan_without_edits_leaves_no_journal() {
    let site = site(2);
    let root = site.path().display();
    site.ends(0, format!("rewrite -w --map http://none/=http://h/ {root}"));
    assert!(!site.has(".rehref"));
}

#[test]
fn backups_have_the_oldest_content_and_undo_removes_them() {
    let site = site(2);
    let before = files(site.path());
    ends(0, absolute(&site).arg("--backup"));
    let backup = site.bytes("0/0.html.orig");
    assert_eq!(backup, before[Path::new("0/0.html")].0);
    ends(0, &mut again("--undo", &site));
    assert_eq!(files(site.path()), before);

    for options in [&["--backup=~"][..], &["--backup=~", "--no-journal"]] {
        site.write("0/0.html~", "first");
        ends(0, absolute(&site).args(options));
        assert_eq!(site.bytes("0/0.html~"), b"first");
        let backup = site.bytes("1/1.html~");
        assert_eq!(backup, before[Path::new("1/1.html")].0);
        // A second run does not change backups, whatever format they have.
        let root = site.path().display();
        site.ends(0, format!("rewrite -w --backup=~ --map http://h/=http://i/ {root}"));
        assert_eq!(site.bytes("1/1.html~"), backup);
        for (path, (content, _)) in &before {
            site.write(path, content);
        }
        site.remove("1/1.html~");
    }
}

#[test]
fn root_is_the_common_directory_or_the_root_option() {
    let site = site(2);
    let root = site.path().display();
    let one = format!("rewrite -w --absolute --base http://h/ {root}/0/0.html");
    site.ends(0, &one);
    assert!(site.has("0/.rehref/journal"));
    site.ends(0, format!("rewrite --undo {root}/0/0.html"));
    assert!(!site.has("0/.rehref"));
    site.ends(0, format!("{one} --root {root}"));
    assert!(site.has(".rehref/journal"));
    site.ends(0, format!("rewrite --undo --root {root}"));
    assert!(!site.has(".rehref"));
    site.ends(2, format!("{one} --root {root}/1")).has("outside of the root");
}
