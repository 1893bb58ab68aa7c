//! Moves in a part of a site, impossible moves, and their undo.

use super::*;

#[test]
fn impossible_moves_are_refused_with_the_reason() {
    let files = [
        ("s/i.html", "<a href=a/x.html>"),
        ("s/a/x.html", "<a href=../i.html>"),
        ("s/d/y.html", ""),
        ("s/f", ""),
        ("other/z.html", ""),
    ];
    let tree = Tree::new(&files);
    let site = tree.at("s");
    let outside = format!("not in the tree {}\n  help: use --root", site.display());
    for (arguments, what) in [
        (". x", ".: the root of the tree cannot be moved"),
        ("../s x", "../s: the root of the tree cannot be moved"),
        ("'' x", "a path is empty"),
        ("a ''", "a path is empty"),
        ("--moved ''", "a path is empty"),
        ("a a", "a: source and destination are the same"),
        ("a/ a", "a/: source and destination are the same"),
        ("i.html .", "i.html: source and destination are the same"),
        ("a a/b", "a: cannot be moved into itself, to a/b"),
        ("a a/", "a: cannot be moved into itself, to a/a"),
        ("d/ f", "d: cannot be moved to f, which exists"),
        ("i.html f", "i.html: cannot be moved to f, which exists"),
        ("i.html f/", "i.html: cannot be moved to f/i.html: f is a file"),
        ("f/ g", "f/: not a directory"),
        ("none g", "none: no such file or directory"),
        ("a d g", "g: no such directory\n  help: write g/ to create it"),
        ("i.html ../other/", &format!("../other/i.html: {outside} ..\n")),
        ("../other/z.html .", &format!("../other/z.html: {outside} ..\n")),
        (".. x", &format!("..: {outside} ../..\n")),
        ("--moved i.html=f", "i.html: still exists, so it has not been moved"),
        (
            "--root d y.html z.html",
            "y.html: not in the tree: from the current directory it is d/y.html",
        ),
        ("--root none x y", "none: cannot read"),
        ("--root f x y", "f: cannot read"),
    ] {
        for command in ["move", "move -w"] {
            let messages = ends(2, &site, format!("{command} {arguments}"));
            messages.has(what);
            assert_eq!(messages.matches("rehref: ").count(), 1, "{messages}");
        }
    }
    // The names are those of the current directory, whatever the root is.
    let command = "move --root s s/a s/f";
    tree.ends(2, command).has("s/a: cannot be moved to s/f, which exists");
    for (name, content) in files {
        assert_eq!(tree.read(name), content);
    }
    assert!(!site.join(".rehref").exists());
}

#[test]
fn move_in_a_part_of_a_site_names_the_root_of_the_site() {
    let site = [
        ("index.html", "<a href=docs/a.html>a</a>"),
        ("style.css", ""),
        ("docs/a.html", "<link rel=stylesheet href=../style.css>"),
        ("docs/b.html", ""),
    ];
    let warning = "../index.html: refers to files that move, but is not in the tree .: not updated";
    for write in ["", "-w"] {
        let tree = Tree::new(&site);
        let docs = tree.at("docs");
        let command = format!("move a.html x/ {write}");
        let messages = ends(0, &docs, &command);
        messages.has(warning);
        let warned = messages.find("help: use --root ..\n").expect("the option");
        // Before anything is written.
        assert!(warned < messages.find("1 move: ").expect("a summary"));
    }
    // A run with --check does not succeed while they are stale.
    let tree = Tree::new(&site);
    tree.rename("docs/a.html", "docs/x.html");
    let moved = "move --moved a.html=x.html --check";
    ends(1, &tree.at("docs"), moved).has("not updated");
    // The documents that move are evidence, too.
    let tree = Tree::new(&site[1..]);
    ends(0, &tree.at("docs"), "move a.html x/")
        .has(".: links from other documents in .. are not updated, but documents that move refer")
        .has("help: use --root ..\n");
    // That root is right.
    let tree = Tree::new(&site);
    ends(0, &tree.at("docs"), "move -w --root .. a.html x/").lacks("not updated");
    assert_eq!(tree.read("index.html"), "<a href=docs/x/a.html>a</a>");
}

#[test]
fn move_in_a_part_of_a_repository_names_its_root() {
    let warning = "../index.html: refers to files that move, but is not in the tree .: not updated";
    for mark in [".git", ".hg", ".rehref"] {
        let files = [
            ("old.html", OLD),
            ("a/index.html", "<a href='docs'>b</a>"),
            ("a/docs/index.html", ""),
        ];
        let tree = Tree::new(&files);
        if mark == ".rehref" {
            tree.ends(0, format!("rewrite -w {MAP} ."));
        } else {
            tree.make(mark);
        }
        let docs = tree.at("a/docs");
        let command = "move index.html x/";
        ends(0, &docs, command).has(warning).has("help: use --root ..\n");
        tree.write("b.html", "<a href='a/docs/index.html#b'>b</a>");
        ends(0, &docs, command).has("help: use --root ../..\n");
    }
}

#[test]
fn move_warns_of_links_that_name_moved_files_below_another_root() {
    let files = [
        ("site/index.html", "<a href='/docs/guide.html#setup'></a><a href=/none.html></a>"),
        ("site/about.html", "<a href=/docs/></a><a href='//h.example/docs/guide.html'></a>"),
        ("site/docs/index.html", ""),
        ("site/docs/guide.html", ""),
        ("other/index.html", "<a href=/docs/guide.html></a>"),
    ];
    let warning = "2 links such as /docs/ name moved files if site is the root of the site: not updated\n  \
                   help: use --root site\n";
    for arguments in [
        "site/docs site/manual",
        "-w site/docs site/manual",
        "--root . site/docs site/manual",
        "site/docs/index.html site/docs/guide.html site/manual/",
    ] {
        let tree = Tree::new(&files);
        let messages = tree.ends(0, format!("move {arguments}"));
        let warned = messages.find(warning).unwrap_or_else(|| panic!("{messages}"));
        // Before anything is written.
        assert!(
            warned < messages.find("would change").or(messages.find("changed")).expect("a summary")
        );
    }
    let tree = Tree::new(&files);
    let silent = |tree: &Tree, arguments: &str| {
        tree.ends(0, format!("move {arguments}")).lacks("root of the site");
    };
    // The URL of the root is known.
    silent(&tree, "--base http://h.example/ site/docs site/manual");
    // No other root contains both paths.
    silent(&tree, "site/docs manual");
    // The links have targets under the root.
    let whole = [&files[..], &[("docs/guide.html", ""), ("docs/index.html", "")]].concat();
    let whole = Tree::new(&whole);
    silent(&whole, "site/docs site/manual");
    // That root is right.
    silent(&tree, "-w --root site site/docs site/manual");
    tree.read("site/index.html").has("'/manual/guide.html#setup'");
}

#[test]
fn warning_of_a_larger_tree_counts_its_documents() {
    let tree = Tree::new(&[
        (".git/config", ""),
        ("about.html", "<a href=docs/a.html></a>"),
        ("index.html", "<a href=docs/a.html></a><a href=docs/a.html></a>"),
        ("none.html", "<a href=docs/b.html></a>"),
        ("docs/a.html", ""),
        ("docs/b.html", ""),
    ]);
    let warned = |files: &str| {
        ends(0, &tree.at("docs"), "move a.html x/").has(format!(
            "../about.html and {files} to files that move, but are not in the tree .: not updated"
        ));
    };
    warned("1 other file refer");
    tree.write("news.html", "<a href=docs/a.html></a>");
    warned("2 other files refer");
}

#[test]
fn refused_undo_of_a_move_has_the_command_that_moves_back() {
    let files = [("s/index.html", "<a href=a.html>a</a>"), ("s/a.html", "")];
    for (from, root_option) in [("s", ""), ("", " --root s")] {
        let tree = Tree::new(&files);
        let prefix = if root_option.is_empty() { "" } else { "s/" };
        let (old, new) = (format!("{prefix}a.html"), format!("{prefix}x/a.html"));
        let run = |code, line: &str| tree.run_in(from, line).ends(code).err;
        run(0, &format!("move -w{root_option} {old} {new}"));
        tree.write("s/index.html", tree.read("s/index.html") + "<p>more</p>");
        let back = format!("rehref move -w{root_option} {new} {old}");
        assert_eq!(
            run(2, &format!("move --undo{root_option}")),
            format!(
                "rehref: nothing was undone: {prefix}index.html changed since the run, and undoing the move would break its \
                 links\n  help: restore its content, or move back with: {back}\n"
            )
        );
        run(0, back.trim_start_matches("rehref "));
        assert_eq!(tree.read("s/index.html"), "<a href=a.html>a</a><p>more</p>");
    }
}

#[test]
fn undo_without_git_says_that_git_tracks_the_new_path() {
    let files = [("index.html", "<a href=a.html>a</a>"), ("a.html", ""), ("b.html", "")];
    let tree = Tree::new(&files);
    let root = tree.path();
    let git = |arguments: &str| {
        let arguments = arguments.split(' ');
        let output = Command::new("git").args(arguments).current_dir(root).output();
        output.ok().filter(|it| it.status.success()).map(|it| it.stdout)
    };
    if git("init -q").is_none() {
        return;
    }
    git("add index.html a.html").expect("added");
    let index = git("ls-files").expect("an index");
    let warning = "x/a.html: undone without --git: git still tracks this path\n  help: update the index with: git add -A \
                   x/a.html a.html;";
    tree.ends(0, "move --git -w a.html x/");
    tree.ends(0, "move --undo").has(warning);
    git("add -A x/a.html a.html").expect("added");
    assert_eq!(git("ls-files").expect("an index"), index);
    let silent: [(&str, &str, &str); 3] =
        [("--git", "--git", "a.html"), ("", "", "a.html"), ("--git", "", "b.html")];
    for (options, undo, file) in silent {
        tree.ends(0, format!("move -w {file} x/ {options}"));
        tree.ends(0, format!("move --undo {undo}")).lacks("tracks");
        assert_eq!(git("ls-files").expect("an index"), index);
    }
}

#[test]
fn wrong_options_of_move_are_explained() {
    let tree = Tree::new(&[("site/a.html", "")]);
    let help = |arguments: &str| tree.ends(2, format!("move {arguments}"));
    for option in ["--glob", "--exclude"] {
        help(&format!("{option} a b"))
            .has("help: leave it out: move updates references in the whole tree of --root\n");
    }
    for option in ["--undo", "--resume"] {
        help(&format!("{option} site")).has("help: use --root site\n");
        help(&format!("site {option}")).has("help: use --root site\n");
        help(&format!("{option} site new")).has("help: leave one of them out\n");
    }
}

#[test]
fn move_in_a_whole_tree_has_no_warning_of_a_larger_one() {
    let tree = Tree::new(&[
        ("index.html", "<a href=a/b.html>"),
        ("a/b.html", "<a href=c.html>"),
        ("a/c.html", "<a href=../none.html>"),
        ("part/only/d.html", ""),
    ]);
    let silent = |directory: &str, arguments: &str| {
        tree.run_in(directory, arguments).ends(0).err.lacks("not updated");
    };
    // There is no evidence of a larger tree; a link without a file is none.
    silent("a", "move c.html x/");
    // The root of the tree is that of the repository.
    tree.make(".git");
    silent("", "move a/b.html x/");
    // The user has chosen the root.
    silent("a", "move --root . b.html x/");
    // No document of the repository outside of the tree refers to the file.
    silent("part/only", "move d.html x/");
}
