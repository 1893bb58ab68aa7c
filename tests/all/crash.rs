//! Runs in place that are killed, interrupted or refused: each file is wholly old or wholly new,
//! and the run can be resumed or undone.

mod journals;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use rehref::error::ErrorKind;
use rehref::fs::journal::{ApplyOptions, Edit, PlanWriter, Root, Run, RunState};

use crate::support::tree::{self, Has, Ran};
use crate::temporary::in_memory;
use crate::tier;

fn rehref() -> Command {
    tree::rehref(Path::new("."), "")
}

/// Runs a command. Panics unless it ends with this code.
#[track_caller]
fn ends(code: i32, command: &mut Command) -> Ran {
    Ran::of(command).ends(code)
}

/// A site with this number of pages. Each has its number and links to its neighbors.
fn site(pages: usize) -> (tempfile::TempDir, PathBuf) {
    let directory = in_memory();
    let site = directory.path().canonicalize().expect("a path").join("site");
    for number in 0..pages {
        let path = site.join(format!("{}/{number}.html", number % 30));
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        let next = format!("../{}/{}.html", (number + 1) % 30, number + 1);
        let page = format!("<title>{number}</title><a href='{next}'>next</a> <a href=../>up</a>\n");
        fs::write(path, page.repeat(20)).expect("written");
    }
    (directory, site)
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
fn survives_kills(root: &Path, command: &[String], place: &str) {
    let rounds = std::env::var("REHREF_KILLS").ok().and_then(|it| it.parse().ok());
    let rounds: u64 = rounds.unwrap_or(tier::pick(3, 10));
    let seed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("later");
    let mut chance = Chance(seed.as_nanos() as u64);
    println!("seed {}", chance.0);
    let run = |options: &[String]| {
        let mut run = rehref();
        run.args(options).stderr(Stdio::null()).stdout(Stdio::null());
        run
    };
    let again = |what: &str| run(&[command[0].clone(), what.to_owned(), place.to_owned()]);
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
        assert!(!root.join(".rehref").exists(), "round {round}");
        round += 1;
    }
    println!("{killed} killed in {round} rounds: {on} while applying, {back} while undoing");
}

#[test]
fn killed_run_can_be_resumed_and_undone() {
    let (_directory, root) = site(tier::pick(60, 1000));
    let place = root.display().to_string();
    let base = format!("http://h/={place}");
    let command = ["rewrite", "-w", "--absolute", "--base", &base, &place];
    survives_kills(&root, &command.map(str::to_owned), &place);
}

#[test]
fn killed_move_can_be_resumed_and_undone() {
    let (_directory, root) = site(tier::pick(60, 1000));
    let place = format!("--root={}", root.display());
    let mut command = vec!["move".to_owned(), "-w".to_owned(), place.clone()];
    let directories = (0..15).map(|number| number.to_string());
    let paths = directories.chain(["x/y/".to_owned()]);
    command.extend(paths.map(|path| format!("{}/{path}", root.display())));
    survives_kills(&root, &command, &place);
}

#[cfg(unix)]
#[test]
fn interrupted_run_stops_between_two_files_and_can_be_resumed() {
    let (_directory, root) = site(tier::pick(200, 1000));
    let old = files(&root);
    let mut child = absolute(&root);
    let child = child.arg("-j1").stderr(Stdio::piped()).spawn();
    let child = child.expect("rehref runs");
    // The first file has been written.
    let written = |path: &Path| fs::read(root.join(path)).expect("there") != old[path].0;
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
        says_ways_on(&output, &root);
        let now = files(&root);
        assert!(now.len() == old.len(), "no temporary file stays behind");
        ends(0, &mut again("--resume", &root));
    }
    assert!(old.keys().all(|path| written(path)));
    ends(0, &mut again("--undo", &root));
    assert_eq!(files(&root), old);
}

fn absolute(root: &Path) -> Command {
    let mut command = rehref();
    command.args(["rewrite", "-w", "--absolute", "--base"]);
    command.arg(format!("http://h/={}", root.display()));
    command.arg(root);
    command
}

/// Panics unless a run says the whole command lines that finish and undo the interrupted run in
/// `root`.
#[track_caller]
fn says_ways_on(output: &Ran, root: &Path) {
    let root = root.display();
    output.err.has(format!("help: finish it with: rehref rewrite --resume {root}\n"));
    output.err.has(format!("help: undo it with: rehref rewrite --undo {root}\n"));
}

fn again(what: &str, root: &Path) -> Command {
    let mut command = rehref();
    command.args(["rewrite", what]).arg(root);
    command
}

#[cfg(unix)]
#[test]
fn file_beyond_the_size_limit_stays_whole_until_resumed() {
    let (_directory, root) = site(3);
    let large = root.join("0/large.html");
    fs::write(&large, format!("<a href=x>{}", " ".repeat(1 << 17))).expect("written");
    let before = files(&root);
    let mut limited = Command::new("sh");
    let script = "ulimit -f 64; exec \"$0\" \"$@\"";
    limited.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_rehref"));
    limited.args(absolute(&root).get_args());
    let output = ends(2, &mut limited);
    output.err.has("large.html: cannot write");
    says_ways_on(&output, &root);
    assert_eq!(files(&root)[Path::new("0/large.html")], before[Path::new("0/large.html")]);
    // No other run may begin meanwhile.
    says_ways_on(&ends(2, &mut absolute(&root)), &root);
    ends(0, &mut again("--resume", &root)).err.has("finished: 121 links in 4 files");
    assert!(fs::read(&large).expect("readable").starts_with(b"<a href=http://h/0/x>"));
    ends(0, &mut again("--undo", &root)).err.has("undone: 121 links in 4 files");
    assert_eq!(files(&root), before);
    ends(2, &mut again("--undo", &root)).err.has("no run to undo");
}

#[test]
fn file_changed_between_plan_and_write_is_not_replaced() {
    let (_directory, directory) = site(3);
    let root = Root::new(&directory).expect("a root");
    let planned = || {
        let mut plan = PlanWriter::begin(&root).expect("begun");
        for name in ["0/0.html", "1/1.html", "2/2.html"] {
            let old = fs::read(directory.join(name)).expect("readable");
            let change = (0..1, &b" <"[..]);
            let edit = Edit::new(&root, name.as_ref(), &old, [change], None).expect("an edit");
            plan.edit(edit).expect("written");
        }
        plan
    };
    let before = files(&directory);
    let run = planned().finish().expect("written").expect("steps");
    fs::write(directory.join("1/1.html"), "mine").expect("written");
    let applied = run.apply(&ApplyOptions::default()).expect("applied");
    assert_eq!((applied.state, applied.done.files), (RunState::Finished, 2));
    assert!(matches!(applied.problems[0].kind(), ErrorKind::Changed));
    assert_eq!(fs::read(directory.join("1/1.html")).expect("readable"), b"mine");
    // The file did not belong to the run, so it is not undone.
    let run = Run::open(&root).expect("readable").expect("a run");
    let undone = run.undo(&ApplyOptions::default()).expect("undone");
    assert!(undone.problems.is_empty(), "{:?}", undone.problems);
    assert_eq!(fs::read(directory.join("1/1.html")).expect("readable"), b"mine");

    // The run stops before its moves.
    let mut plan = planned();
    plan.rename("0".as_ref(), "new".as_ref()).expect("written");
    let run = plan.finish().expect("written").expect("steps");
    let mine = fs::read(directory.join("1/1.html")).expect("readable");
    fs::write(directory.join("1/1.html"), "other").expect("written");
    let applied = run.apply(&ApplyOptions::default()).expect("applied");
    assert_eq!(applied.state, RunState::Interrupted);
    assert!(directory.join("0").exists() && !directory.join("new").exists());
    let refused = PlanWriter::begin(&root).expect_err("interrupted");
    assert!(matches!(refused.kind(), ErrorKind::Interrupted));
    // When the file is restored, the run can be resumed.
    fs::write(directory.join("1/1.html"), &mine).expect("written");
    let run = Run::open(&root).expect("readable").expect("a run");
    let applied = run.apply(&ApplyOptions::default()).expect("applied");
    assert_eq!((applied.state, applied.problems.len()), (RunState::Finished, 0));
    assert!(directory.join("new/0.html").exists());
    let run = Run::open(&root).expect("readable").expect("a run");
    run.undo(&ApplyOptions::default()).expect("undone");
    let mut after = files(&directory);
    after.insert("1/1.html".into(), before[Path::new("1/1.html")].clone());
    assert_eq!(after, before);
}

#[test]
fn files_changed_after_the_run_are_not_undone() {
    let (_directory, root) = site(3);
    let before = files(&root);
    ends(0, &mut absolute(&root));
    let page = root.join("1/1.html");
    let new = fs::read(&page).expect("readable");
    fs::write(&page, "mine").expect("written");
    let output = ends(2, &mut again("--undo", &root));
    output.err.has("1.html: changed since the run: left unchanged");
    output.err.has("undone: 80 links in 2 files; 1 file left unchanged");
    let output = ends(2, &mut again("--undo", &root));
    output.err.has("1.html: changed since the run: left unchanged");
    output.err.has("nothing was undone; 1 file left unchanged");
    assert_eq!(fs::read(&page).expect("readable"), b"mine");
    // The undo can be repeated, and does not block other runs.
    fs::write(&page, new).expect("written");
    ends(0, &mut again("--undo", &root));
    assert_eq!(files(&root), before);
    assert!(!root.join(".rehref").exists());
}

#[cfg(unix)]
#[test]
fn read_only_files_are_refused_before_writing() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (directory, root) = site(3);
    let page = root.join("0/0.html");
    fs::set_permissions(&page, fs::Permissions::from_mode(0o444)).expect("a mode");
    // A symbolic link to a file outside of the root.
    let outside = directory.path().join("outside.html");
    fs::write(&outside, "<a href=x>").expect("written");
    symlink(&outside, root.join("1/link.html")).expect("a link");
    let mut command = absolute(&root);
    let output = ends(2, command.arg("-L"));
    output.err.has("0.html: the file is read-only: left unchanged");
    output.err.has("link.html: outside of the root of the run: left unchanged");
    output.err.has("rehref: changed 80 links in 2 files");
    assert_eq!(fs::read(&outside).expect("readable"), b"<a href=x>");
    ends(0, &mut again("--undo", &root));
    fs::read_to_string(&page).expect("readable").has("<a href=../>");
}

#[cfg(unix)]
#[test]
fn nothing_changes_without_a_journal() {
    let (_directory, root) = site(3);
    let before = files(&root);
    // A file in place of the directory also stops the superuser.
    fs::write(root.join(".rehref"), "").expect("written");
    ends(2, &mut absolute(&root));
    assert_eq!(files(&root), before);
    fs::remove_file(root.join(".rehref")).expect("removed");
    std::os::unix::fs::symlink("/tmp", root.join(".rehref")).expect("a link");
    ends(2, &mut absolute(&root));
    assert_eq!(files(&root), before);
    fs::remove_file(root.join(".rehref")).expect("removed");

    ends(0, absolute(&root).arg("--no-journal"));
    assert_ne!(files(&root), before);
    assert!(!root.join(".rehref").exists());
}

#[cfg(unix)]
#[test]
fn unwritable_root_is_left_unchanged() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let (directory, root) = site(3);
    let before = files(&root);
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
    };
    mode(directory.path(), 0o755);
    mode(&root, 0o555);
    // The superuser can write everywhere, so the program runs as another user, who owns the
    // directories below.
    let is_root = fs::write(root.join("probe"), "").is_ok();
    let program = directory.path().join("rehref");
    let mut command = absolute(&root);
    if is_root {
        fs::remove_file(root.join("probe")).expect("removed");
        // This process must not write the program: children of other tests could keep it open for
        // writing.
        let mut copy = Command::new("cp");
        let copied = copy.arg(env!("CARGO_BIN_EXE_rehref")).arg(&program).status();
        assert!(copied.expect("cp runs").success());
        mode(&program, 0o755);
        for entry in walkdir::WalkDir::new(&root).min_depth(1) {
            let entry = entry.expect("there");
            std::os::unix::fs::chown(entry.path(), Some(65534), Some(65534)).expect("an owner");
        }
        let mut other = Command::new(&program);
        other.args(command.get_args()).uid(65534).gid(65534);
        command = other;
    }
    ends(2, &mut command).err.has("use --no-journal to write without a journal");
    assert_eq!(files(&root), before);
    ends(0, command.arg("--no-journal"));
    assert_ne!(files(&root), before);
}

#[test]
fn concurrent_run_is_refused() {
    let (_directory, root) = site(3);
    let before = files(&root);
    let mut plan = PlanWriter::begin(&Root::new(&root).expect("a root")).expect("begun");
    plan.create("new".as_ref(), b"").expect("written");
    for command in [&mut absolute(&root), &mut again("--undo", &root)] {
        ends(2, command).err.has("another run is active here");
    }
    assert_eq!(files(&root), before);
    drop(plan);
    assert!(!root.join(".rehref").exists(), "a plan that is dropped leaves nothing");
    ends(0, &mut absolute(&root));
}

#[test]
fn plan_without_edits_leaves_no_journal() {
    let (_directory, root) = site(2);
    let mut command = rehref();
    command.args(["rewrite", "-w", "--map", "http://none/=http://h/"]);
    ends(0, command.arg(&root));
    assert!(!root.join(".rehref").exists());
}

#[test]
fn backups_have_the_oldest_content_and_undo_removes_them() {
    let (_directory, root) = site(2);
    let before = files(&root);
    ends(0, absolute(&root).arg("--backup"));
    let backup = fs::read(root.join("0/0.html.orig")).expect("a backup");
    assert_eq!(backup, before[Path::new("0/0.html")].0);
    ends(0, &mut again("--undo", &root));
    assert_eq!(files(&root), before);

    for options in [&["--backup=~"][..], &["--backup=~", "--no-journal"]] {
        fs::write(root.join("0/0.html~"), "first").expect("written");
        ends(0, absolute(&root).args(options));
        assert_eq!(fs::read(root.join("0/0.html~")).expect("there"), b"first");
        let backup = fs::read(root.join("1/1.html~")).expect("a backup");
        assert_eq!(backup, before[Path::new("1/1.html")].0);
        // A second run does not change backups, whatever format they have.
        let mut second = rehref();
        second.args(["rewrite", "-w", "--backup=~", "--map", "http://h/=http://i/"]);
        ends(0, second.arg(&root));
        assert_eq!(fs::read(root.join("1/1.html~")).expect("a backup"), backup);
        for (path, (content, _)) in &before {
            fs::write(root.join(path), content).expect("written");
        }
        fs::remove_file(root.join("1/1.html~")).expect("removed");
    }
}

#[test]
fn root_is_the_common_directory_or_the_root_option() {
    let (_directory, root) = site(2);
    let page = root.join("0/0.html");
    let mut one = rehref();
    one.args(["rewrite", "-w", "--absolute", "--base", "http://h/"]);
    ends(0, one.arg(&page));
    assert!(root.join("0/.rehref/journal").exists());
    ends(0, &mut again("--undo", &page));
    assert!(!root.join("0/.rehref").exists());
    ends(0, one.arg("--root").arg(&root));
    assert!(root.join(".rehref/journal").exists());
    let mut undo = rehref();
    ends(0, undo.args(["rewrite", "--undo", "--root"]).arg(&root));
    assert!(!root.join(".rehref").exists());
    ends(2, one.arg("--root").arg(root.join("1"))).err.has("outside of the root");
}
