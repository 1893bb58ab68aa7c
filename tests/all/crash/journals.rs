//! Journals that the run itself did not write: edited, damaged, or of another run.

use super::*;

/// Writes the journal of a run that was interrupted before its first step, or that is finished.
fn write_journal(site: &Tree, nonce: &str, steps: &str, counts: &str, end: &str) {
    let text = format!(
        "{{\"journal\":{{\"version\":2,\"by\":\"me\",\"nonce\":\"{nonce}\"}}}}\n{steps}\n{{\"planned\":{{\"files\":{counts}}}}}\n{end}"
    );
    site.write(".rehref/journal", text);
    // The umask of this process must not matter.
    #[cfg(unix)]
    for (name, mode) in [(".rehref", 0o755), (".rehref/journal", 0o644)] {
        site.set_mode(name, mode);
    }
}

#[cfg(unix)]
#[test]
fn journal_with_paths_outside_the_root_is_refused() {
    let site = site(3);
    let parent = site.path().parent().expect("a directory");
    let outside = parent.join("mine");
    site.write(&outside, "mine");
    let before = files(parent);
    // The step for a file with this content, so that only its path is wrong.
    let same = {
        let real = Root::new(site.path()).expect("a root");
        let mut plan = PlanWriter::begin(&real).expect("begun");
        site.write("twin", "mine");
        let change = (0..4, &b"yours"[..]);
        let edit =
            Edit::new(&real, "twin".as_ref(), b"mine", [change], Some("~")).expect("an edit");
        plan.edit(edit).expect("written");
        drop(plan.finish().expect("written"));
        let text = site.read(".rehref/journal");
        site.remove("twin");
        text.lines().nth(1).expect("an edit").to_owned()
    };
    let absolute = outside.display().to_string();
    let free = format!("{absolute}.new");
    let counts = |files, changes, moves, created, made, removed| {
        format!(
            "{files},\"changes\":{changes},\"moves\":{moves},\"created\":{created},\
             \"made\":{made},\"removed\":{removed}"
        )
    };
    let edit = |path: &str| same.replace("\"twin\"", &format!("\"{path}\""));
    let mut cases = Vec::new();
    for path in [&*absolute, "../mine", "0/../../mine", ".rehref/lock"] {
        cases.push((edit(path), counts(1, 1, 0, 0, 0, 0)));
    }
    site.write("twin", "mine");
    let inside = files(parent);
    for path in [&*free, "../new", ".rehref/new"] {
        let backup = same.replace("\"twin~\"", &format!("\"{path}\""));
        cases.push((backup, counts(1, 1, 0, 0, 0, 0)));
        let create = format!("{{\"create\":{{\"path\":\"{path}\",\"content\":\"x\"}}}}");
        cases.push((create, counts(0, 0, 0, 1, 0, 0)));
        let make = format!("{{\"make_folder\":{{\"path\":\"{path}\"}}}}");
        cases.push((make, counts(0, 0, 0, 0, 1, 0)));
        let remove = format!("{{\"remove_folder\":{{\"path\":\"{path}\",\"mode\":null}}}}");
        cases.push((remove, counts(0, 0, 0, 0, 0, 1)));
        for (from, to) in [(path, "0/x"), ("0/0.html", path)] {
            let step = format!("{{\"move\":{{\"from\":\"{from}\",\"to\":\"{to}\"}}}}");
            cases.push((step, counts(0, 0, 1, 0, 0, 0)));
        }
    }
    assert_ne!(before, inside);
    for (step, counts) in &cases {
        for (what, end) in [("--undo", "\"finished\"\n"), ("--undo", ""), ("--resume", "")] {
            write_journal(&site, "0", step, counts, end);
            let messages = ends(2, again(what, &site).arg("--trust-journal")).err;
            let refused = ["outside of the root", "in .git, .hg, .svn, CVS or .rehref"];
            assert!(refused.iter().any(|it| messages.contains(it)), "{messages}");
            assert_eq!(files(parent), inside, "{what}: {step}");
        }
    }
}

#[test]
fn only_temporary_files_of_the_run_are_removed() {
    let site = site(3);
    let root = Root::new(site.path()).expect("a root");
    let before = files(site.path());
    let mut plan = PlanWriter::begin(&root).expect("begun");
    let old = site.bytes("0/0.html");
    let edit = Edit::new(&root, "0/0.html".as_ref(), &old, [(0..1, &b" <"[..])], None);
    plan.edit(edit.expect("an edit")).expect("written");
    plan.create("1/new".as_ref(), b"new").expect("written");
    // The run is killed before its first step.
    drop(plan.finish().expect("written").expect("steps"));
    let journal = site.read(".rehref/journal");
    let nonce = journal.split("\"nonce\":\"").nth(1).expect("a nonce");
    let nonce = nonce.split('"').next().expect("a nonce");
    let own = [format!("0/.rehref-{nonce}-a1B2c3"), format!("1/.rehref-{nonce}-xxxxxx")];
    let others = ["0/.rehref-a1B2c3", "1/.rehref-0123456789abcdef-a1B2c3"].map(str::to_owned);
    let longer = [format!("0/.rehref-{nonce}-a1B2c34"), format!("0/.rehref-{nonce}-a1B2c")];
    for name in own.iter().chain(&others).chain(&longer) {
        site.write(name, "x");
    }
    ends(0, &mut again("--resume", &site));
    ends(0, &mut again("--undo", &site));
    let mut left = files(site.path());
    for name in others.iter().chain(&longer) {
        assert!(left.remove(Path::new(name)).is_some(), "{name}");
    }
    assert_eq!(left, before);
}

#[test]
fn invalid_nonce_is_refused() {
    let site = site(1);
    let counts = "0,\"changes\":0,\"moves\":0,\"created\":1,\"made\":0,\"removed\":0";
    let step = "{\"create\":{\"path\":\"x\",\"content\":\"x\"}}";
    for nonce in ["", "../x", "a-b", "0123456789abcdef0123456789abcdef0"] {
        write_journal(&site, nonce, step, counts, "");
        let output = ends(2, &mut again("--resume", &site));
        output.err.has("line 1: a nonce is of letters and digits");
    }
    write_journal(&site, "0a", step, counts, "");
    ends(0, again("--resume", &site).arg("--trust-journal"));
}

/// A new tree and single files are written without a journal.
#[test]
fn temporary_files_of_killed_processes_are_removed_by_the_next_run() {
    let site = site(1);
    let (root, out) = (site.path(), site.path().with_file_name("out"));
    let base = format!("http://h/={}", root.display());
    let (from, to) = (root.display(), out.display());
    for (directory, command) in [
        (out.join("0"), format!("rewrite --absolute --base {base} -o {to} --force {from}")),
        (root.join("0"), format!("rewrite --absolute --base {base} -w --no-journal {from}")),
        (out.clone(), format!("report {from}/0/0.html -o {to}/page.html")),
        (out.clone(), format!("check --write-baseline {to}/baseline.txt {from}/0/0.html")),
    ] {
        let [left, used, other] = [".rehref-out-a1B2c3", ".rehref-out-xxxxxx", ".rehref-a1B2c3"]
            .map(|it| directory.join(it));
        for path in [&left, &used, &other] {
            site.write(path, "<a href=x>");
        }
        // A process that still writes has locked its file.
        let lock = fs::File::open(&used).expect("there");
        lock.lock().expect("locked");
        site.ends(0, &command);
        assert!(!left.exists(), "{command:?}");
        assert!(used.exists() && other.exists(), "{command:?}");
        site.remove(used);
        site.remove(other);
    }
}
