//! A preview and a run report what would fail before they write anything.

use std::fs;

use rehref::fs::journal::{PlanWriter, Root};

use crate::support::tree::{Has, Tree};

#[test]
fn preview_warns_of_refusals() {
    let page = "<a href=x.html>x</a><a href=/d/>d</a>";
    let names = ["a.html", "b.html", "d/c.html", "e/d.html"];
    let tree = Tree::empty().with(names.map(|name| (name, page)));
    let other = Tree::empty();
    tree.set_mode("a.html", 0o444);
    fs::hard_link(tree.at("b.html"), other.at("b.html")).expect("a link");
    let (rewrite, moved) = ("rewrite --absolute --base=http://h/=. .", "move --base=http://h/ d f");
    for command in [rewrite, moved] {
        let said = tree.ends(0, command).replace("./", "");
        said.has("rehref: a.html: -w would refuse: the file is read-only");
        said.has("rehref: b.html: has another hard link, which keeps");
        assert_eq!(said.matches("would refuse").count(), 1, "{said}");
    }
    // Runs without edits refuse nothing.
    tree.ends(0, "rewrite --map http://none/=http://h/ .").lacks("refuse");
    tree.ends(0, "rewrite --absolute --base=http://h/ b.html").lacks("refuse");
    let long = format!("{}.html", "x".repeat(300));
    tree.ends(0, format!("move e/d.html {long}")).has("x.html: -w would refuse: ");
    assert!(!tree.has(".rehref"));

    let root = Root::new(tree.path()).expect("a root");
    let mut plan = PlanWriter::begin(&root).expect("begun");
    plan.create("new".as_ref(), b"").expect("written");
    drop(plan.finish().expect("written").expect("steps"));
    let state = || {
        let entries = fs::read_dir(tree.at(".rehref")).expect("there");
        let names = entries.map(|it| it.expect("there").file_name());
        names.collect::<std::collections::BTreeSet<_>>()
    };
    let before = state();
    for (command, way) in [(rewrite, "rewrite --resume"), (moved, "move --resume --root")] {
        let refused = format!(
            "rehref: .: -w would refuse: a run was interrupted here\n  help: finish it with: rehref {way} .\n"
        );
        tree.ends(0, command).has(refused);
        assert_eq!(state(), before);
    }
}
