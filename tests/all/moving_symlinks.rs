//! `rehref move` with symbolic links among the moved files and in the way.

use std::fs;
use std::os::unix::fs::symlink;

use crate::support::tree::{Has, SITE, Tree};

#[test]
fn symlinks_that_would_dangle_are_reported() {
    let tree = Tree::new(&[("a.html", ""), ("index.html", "<a href=l.html>")]);
    symlink("a.html", tree.at("l.html")).expect("a link");
    tree.ends(0, "move a.html b.html")
        .has("loses its target")
        .has("l.html: the symbolic link loses its target");
}

#[test]
fn symlinks_move_as_symlinks() {
    let tree = Tree::new(&SITE);
    symlink("x.html", tree.at("a/l.html")).expect("a link");
    tree.write("l", "");
    tree.write("index.html", "<a href=a/l.html>");
    tree.ends(0, "move -w a/l.html a/m.html");
    let new = tree.files();
    assert_eq!(new["a/m.html"], "-> x.html");
    assert_eq!(new["index.html"], "<a href=a/m.html>");
    tree.ends(0, "check");
    // Nothing is written outside of the root through a symbolic link.
    let outside = tempfile::tempdir().expect("a directory");
    symlink(outside.path(), tree.at("out")).expect("a link");
    tree.ends(2, "move -w a/x.html out/x.html");
    assert_eq!(fs::read_dir(outside.path()).expect("readable").count(), 0);
}
