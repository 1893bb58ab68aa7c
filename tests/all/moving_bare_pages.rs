//! `rehref move`: links that name a page without its extension.

use crate::support::tree::{Has, Tree};

/// Links to pages without their extension, in the forms that servers allow.
const BARE: [(&str, &str); 4] = [
    (
        "index.html",
        "<a href='/about'>1</a><a href='about#f'>2</a><a href='./about?q'>3</a><a href='about/'>4</a><a href='d/../%61bout'>5</a>",
    ),
    ("d/x.html", "<a href='../about'>1</a><a href='/d/y'>2</a><a href='y'>3</a>"),
    ("d/y.html", "<a href='../about'>1</a>"),
    ("about.html", "<a href='/about'>me</a><a href='d/y'>y</a>"),
];

#[test]
fn links_without_extension_follow_their_page_and_come_back() {
    for (old, new, expected) in [
        (
            "about.html",
            "team.html",
            &[
                (
                    "index.html",
                    "<a href='/team'>1</a><a href='team#f'>2</a><a href='./team?q'>3</a><a href='team/'>4</a><a href='d/../team'>5</a>",
                ),
                ("d/x.html", "<a href='../team'>1</a><a href='/d/y'>2</a><a href='y'>3</a>"),
                ("team.html", "<a href='/team'>me</a><a href='d/y'>y</a>"),
            ][..],
        ),
        (
            "about.html",
            "d/e/team.htm",
            &[
                ("d/x.html", "<a href='e/team'>1</a><a href='/d/y'>2</a><a href='y'>3</a>"),
                ("d/e/team.htm", "<a href='/d/e/team'>me</a><a href='../y'>y</a>"),
            ],
        ),
        (
            "d",
            "e",
            &[
                ("e/x.html", "<a href='../about'>1</a><a href='/e/y'>2</a><a href='y'>3</a>"),
                ("about.html", "<a href='/about'>me</a><a href='e/y'>y</a>"),
            ],
        ),
        (
            "d/y.html",
            "y.html",
            &[
                ("d/x.html", "<a href='../about'>1</a><a href='/y'>2</a><a href='../y'>3</a>"),
                ("about.html", "<a href='/about'>me</a><a href='y'>y</a>"),
            ],
        ),
    ] {
        let tree = Tree::new(&BARE);
        let before = tree.files();
        tree.ends(0, ["move", "-w", old, new]);
        let after = tree.files();
        for (path, text) in expected {
            assert_eq!(after[*path], *text, "{old} {new}");
        }
        tree.ends(0, "move --undo");
        assert_eq!(tree.files(), before, "{old} {new}");
        // Moved back, too. An escape that was not needed is not restored.
        tree.ends(0, ["move", "-w", old, new]);
        tree.ends(0, ["move", "-w", new, old]);
        let mut back = tree.files();
        if let Some(index) = back.get_mut("index.html").filter(|_| old == "about.html") {
            *index = index
                .replace("d/../about", "d/../%61bout")
                .replace("'about'>5", "'d/../%61bout'>5");
        }
        assert_eq!(back, before, "{old} {new}");
    }
}

#[test]
fn page_that_becomes_an_index_file_is_named_by_its_directory() {
    for (new, one, two) in
        [("team/index.html", "/team", "team/"), ("about/index.html", "/about", "about/")]
    {
        let tree = Tree::new(&[
            ("i.html", "<a href='/about'>1</a><a href='about/'>2</a>"),
            ("about.html", ""),
        ]);
        tree.ends(0, ["move", "-w", "about.html", new]);
        let expected = format!("<a href='{one}'>1</a><a href='{two}'>2</a>");
        assert_eq!(tree.files()["i.html"], expected, "{new}");
        tree.ends(0, "check");
    }
}

#[test]
fn links_that_may_name_a_moved_page_are_counted() {
    let link = ("i.html", "<a href='/about'>1</a><a href='about#x'>2</a><a href='none'>3</a>");
    for (others, old, new) in [
        (&[("about.html", ""), ("about.htm", "")][..], "about.html", "b.html"),
        (&[("about.html", ""), ("about.md", "")], "about.md", "b.md"),
        (&[("about.md", "")], "about.md", "b.md"),
        // A server may run the other one.
        (&[("about.html", ""), ("about.php", "")], "about.html", "b.html"),
        // No server adds this extension.
        (&[("about.html", "")], "about.html", "b.txt"),
        // Another file has the name without the extension.
        (&[("about.html", ""), ("b", "")], "about.html", "b.html"),
    ] {
        let tree = Tree::new(&[&[link], others].concat());
        for write in [&[][..], &["-w"]] {
            let said = tree.ends(0, &[&["move"], write, &[old, new]].concat());
            let count = "unchanged: 2 links without an extension may name a page that moves (--explain prints them)";
            said.has(count);
        }
        assert_eq!(tree.files()["i.html"], link.1, "{others:?}");
    }
    // What names another file, or a directory with an index file, is none of them.
    for other in ["about", "about/index.html"] {
        let tree = Tree::new(&[link, ("about.html", ""), (other, "")]);
        tree.ends(0, "move -w about.html b.html").lacks("unchanged");
        assert_eq!(tree.files()["i.html"], link.1, "{other}");
    }
}

#[test]
fn only_hyperlinks_name_moved_pages_without_their_extension() {
    let page = "<form method=post action=/about></form><script src=/about></script>\
                <link rel=stylesheet href=/about><img src=/about>";
    let links = [("i.html", page), ("j.html", "<a href=/about>a</a>"), ("about.html", "")];
    let tree = Tree::new(&links);
    tree.ends(0, "move -w about.html b.html").has("unchanged: 4 links");
    assert_eq!(tree.files()["i.html"], page);
    assert_eq!(tree.files()["j.html"], "<a href=/b>a</a>");
}

#[test]
fn clean_urls_of_a_rewrite_follow_their_page() {
    let tree = Tree::new(&[
        ("index.html", "<a href='about.html#t'>1</a><a href='/d/index.html'>2</a>"),
        ("about.html", "<p id=t>"),
        ("d/index.html", "<a href='../about.html'>3</a>"),
    ]);
    tree.ends(0, "rewrite -w --clean-urls .");
    tree.ends(0, "move -w about.html info.html");
    let files = tree.files();
    assert_eq!(files["index.html"], "<a href='info#t'>1</a><a href='/d/'>2</a>");
    assert_eq!(files["d/index.html"], "<a href='../info'>3</a>");
    tree.ends(0, "check --clean-urls");
    tree.ends(1, "check");
}
