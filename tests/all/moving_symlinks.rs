//! `rehref move` with symbolic links among the moved files and in the way.

use crate::support::tree::{Has, SITE, Tree};

#[test]
fn symlinks_that_would_dangle_are_reported() {
    let tree = Tree::new(&[("a.html", ""), ("index.html", "<a href=l.html>")]);
    tree.symlink("a.html", "l.html");
    tree.ends(0, "move a.html b.html")
        .has("loses its target")
        .has("l.html: the symbolic link loses its target");
}

#[test]
fn symlinks_move_as_symlinks() {
    let tree = Tree::new(&SITE);
    tree.symlink("x.html", "a/l.html");
    tree.write("l", "");
    tree.write("index.html", "<a href=a/l.html>");
    tree.ends(0, "move -w a/l.html a/m.html");
    let new = tree.files();
    assert_eq!(new["a/m.html"], "-> x.html");
    assert_eq!(new["index.html"], "<a href=a/m.html>");
    tree.ends(0, "check");
    // Nothing is written outside of the root through a symbolic link.
    let outside = Tree::empty();
    tree.symlink(outside.path(), "out");
    tree.ends(2, "move -w a/x.html out/x.html");
    assert_eq!(outside.count("."), 0);
}
