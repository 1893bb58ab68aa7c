//! `rehref move` with symbolic links among the moved files and in the way.

use std::fs;
use std::os::unix::fs::symlink;

use crate::support::move_tree::{SITE, Tree};

#[test]
fn symlinks_that_would_dangle_are_reported() {
    let tree = Tree::new(&[("a.html", ""), ("index.html", "<a href=l.html>")]);
    symlink("a.html", tree.path().join("l.html")).expect("a link");
    let said = tree.ends(0, &["move", "a.html", "b.html"]);
    assert!(said.contains("loses its target"), "{said}");
    assert!(said.contains("l.html: the symbolic link loses its target"), "{said}");
}

#[test]
fn symlinks_move_as_symlinks() {
    let tree = Tree::new(&SITE);
    symlink("x.html", tree.path().join("a/l.html")).expect("a link");
    fs::write(tree.path().join("l"), "").expect("written");
    fs::write(tree.path().join("index.html"), "<a href=a/l.html>").expect("written");
    tree.ends(0, &["move", "-w", "a/l.html", "a/m.html"]);
    let new = tree.files();
    assert_eq!(new["a/m.html"], "-> x.html");
    assert_eq!(new["index.html"], "<a href=a/m.html>");
    tree.ends(0, &["check"]);
    // Nothing is written outside of the root through a symbolic link.
    let outside = tempfile::tempdir().expect("a directory");
    symlink(outside.path(), tree.path().join("out")).expect("a link");
    tree.ends(2, &["move", "-w", "a/x.html", "out/x.html"]);
    assert_eq!(fs::read_dir(outside.path()).expect("readable").count(), 0);
}
