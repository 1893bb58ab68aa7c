//! A preview and a run report what would fail before they write anything.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use rehref::fs::journal::{PlanWriter, Root};

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
}

#[test]
fn preview_warns_of_refusals() {
    let directory = tempfile::tempdir().expect("a directory");
    let site = &directory.path().join("site");
    let names = ["a.html", "b.html", "d/c.html", "e/d.html"];
    for name in names {
        let path = site.join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, "<a href=x.html>x</a><a href=/d/>d</a>").expect("written");
    }
    set_mode(&site.join("a.html"), 0o444);
    fs::hard_link(site.join("b.html"), directory.path().join("b.html")).expect("a link");
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
        let refused = "rehref: a.html: -w would refuse: the file is read-only";
        assert!(said.replace("./", "").contains(refused), "{said}");
        let linked = "rehref: b.html: has another hard link, which keeps";
        assert!(said.replace("./", "").contains(linked), "{said}");
        assert_eq!(said.matches("would refuse").count(), 1, "{said}");
    }
    // Runs without edits refuse nothing.
    assert!(!said(&["rewrite", "--map", "http://none/=http://h/", "."]).contains("refuse"));
    assert!(!said(&["rewrite", "--absolute", "--base=http://h/", "b.html"]).contains("refuse"));
    let long = format!("{}.html", "x".repeat(300));
    let refusal = said(&["move", "e/d.html", &long]);
    assert!(refusal.contains("x.html: -w would refuse: "), "{refusal}");
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
    for (command, way) in [(&rewrite[..], "rewrite --resume"), (&moved, "move --resume --root")] {
        let said = said(command);
        let refused = format!(
            "rehref: .: -w would refuse: a run was interrupted here\n  help: finish it with: rehref {way} .\n"
        );
        assert!(said.contains(&refused), "{said}");
        assert_eq!(state(), before);
    }
}
