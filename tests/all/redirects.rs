//! `rehref move --redirects` writes rules for servers and pages for browsers.

use crate::support::tree::{Has, SITE, Tree};

#[test]
fn redirect_pages_replace_moved_pages() {
    let tree = Tree::new(&SITE);
    let old = tree.files();
    tree.ends(0, "move -w a b --redirects html");
    let new = tree.files();
    assert!(new["a/x.html"].contains("url=../b/x.html"));
    assert_eq!(new["b/y.html"], old["a/y.html"]);
    tree.ends(0, "check");
    tree.ends(0, "move --undo");
    assert_eq!(tree.files(), old);

    // New rules follow existing ones.
    tree.write("_redirects", "/z /y");
    tree.ends(0, "move -w a/x.html x.html --redirects netlify");
    assert_eq!(tree.files()["_redirects"], "/z /y\n/a/x.html /x.html 301!\n");
}

#[test]
fn new_rules_follow_rewritten_rules() {
    let base = "--base=http://h.example/";
    for (kind, name, rule) in [
        ("netlify", "_redirects", "/a.html /b.html 301!"),
        ("apache", ".htaccess", "Redirect 301 \"/a.html\" \"/b.html\""),
        ("nginx", "redirects.nginx.conf", "rewrite \"^/a\\.html$\" \"/b.html\" permanent;"),
    ] {
        for end in ["", "\n"] {
            let old = format!("/1 http://h.example/a.html\n/2 http://h.example/a.html{end}");
            let files = [("a.html", ""), (name, old.as_str())];
            let expected =
                format!("/1 http://h.example/b.html\n/2 http://h.example/b.html\n{rule}\n");
            let arguments = ["move", base, "--redirects", kind, "a.html", "b.html"];
            let tree = Tree::new(&files);
            tree.ends(0, &[&arguments[..], &["-w"]].concat());
            assert_eq!(tree.files()[name], expected);
            tree.ends(0, "move --undo");
            assert_eq!(tree.files()[name], old);
        }
    }
    // A file that is renamed to the rules file gets the rules. The old rules file does not.
    let tree = Tree::new(&[("a.html", ""), ("rules", "1\n"), ("_redirects", "2\n")]);
    let list = b"a.html,b.html\nrules,_redirects\n_redirects,old\n";
    tree.run_reading("move -w --redirects netlify --from-list -", list).ends(0);
    let files = tree.files();
    assert_eq!(files["old"], "2\n");
    assert!(files["_redirects"].starts_with("1\n/a.html /b.html 301!\n"));
    // Trees that cannot have rules are reported.
    let tree = Tree::new(&[("a.html", ""), ("_redirects/x", "")]);
    tree.ends(2, "move --redirects netlify a.html b.html")
        .has("_redirects: not a file of the tree");
}

#[cfg(unix)]
#[test]
fn rules_are_appended_through_a_symbolic_link() {
    let tree = Tree::new(&[("a.html", ""), ("rules", "1\n")]);
    tree.symlink("rules", "_redirects");
    tree.ends(0, "move -w --redirects netlify a.html b.html");
    let files = tree.files();
    assert_eq!(files["_redirects"], "-> rules");
    assert_eq!(files["rules"], "1\n/a.html /b.html 301!\n");
}

#[test]
fn only_directories_with_redirect_pages_stay() {
    let tree = Tree::new(&[
        ("a/x.html", ""),
        ("a/img/p.png", ""),
        ("a/deep/er/y.xhtml", "<html xmlns='http://www.w3.org/1999/xhtml'/>"),
    ]);
    for folder in ["a/none", "a/no/ne"] {
        tree.make(folder);
    }
    let directories = || {
        let walk = walkdir::WalkDir::new(tree.path()).sort_by_file_name();
        let found = walk.into_iter().map(|it| it.expect("there"));
        let found = found.filter(|it| it.file_type().is_dir());
        let below = |it: walkdir::DirEntry| {
            let below = it.path().strip_prefix(tree.path()).expect("below");
            below.to_str().expect("UTF-8").to_owned()
        };
        let found = found.map(below).filter(|it| !it.starts_with(".rehref"));
        found.collect::<Vec<_>>()
    };
    let (old, old_directories) = (tree.files(), directories());
    tree.ends(0, "move -w --redirects html a b");
    let there = [
        "", "a", "a/deep", "a/deep/er", "b", "b/deep", "b/deep/er", "b/img", "b/no", "b/no/ne",
        "b/none",
    ];
    assert_eq!(directories(), there);
    let page = &tree.files()["a/deep/er/y.xhtml"];
    page.has("url=../../../b/deep/er/y.xhtml\"/>");
    tree.ends(0, "check");
    tree.ends(0, "move --undo");
    assert_eq!((tree.files(), directories()), (old, old_directories));
}

#[test]
fn rules_are_not_appended_to_utf_16() {
    let page = "<a href=d/x.html>";
    let tree = Tree::new(&[("a.html", page), ("d/x.html", "1")]);
    let rules: Vec<u8> = b"\xFF\xFEa\0\n\0".to_vec();
    tree.write(".htaccess", &rules);
    for mode in [&["move"][..], &["move", "-w"]] {
        tree.ends(2, &[mode, &["d", "e", "--redirects", "apache"]].concat())
            .has(".htaccess: cannot write: it is UTF-16");
    }
    let there = tree.bytes(".htaccess");
    assert_eq!(there, rules);
    assert!(tree.at("d/x.html").is_file());
}

#[test]
fn rules_use_the_line_endings_of_their_file() {
    let tree = Tree::new(&[("a.html", ""), (".htaccess", "# 1\r\n# 2")]);
    tree.ends(0, "move -w a.html b.html --redirects apache");
    assert_eq!(tree.files()[".htaccess"], "# 1\r\n# 2\r\nRedirect 301 \"/a.html\" \"/b.html\"\r\n");
}

#[test]
fn rules_that_redirect_away_from_existing_files_are_reported() {
    let first =
        [("netlify", "_redirects"), ("apache", ".htaccess"), ("nginx", "redirects.nginx.conf")];
    for (kind, name) in first {
        for [old, new] in [["a.html", "b.html"], ["a", "b"]] {
            let tree = Tree::new(&[("a.html", ""), ("a/x.html", "")]);
            tree.ends(0, ["move", "-w", old, new, "--redirects", kind]).lacks("leads away");
            let said = tree.ends(0, ["move", "-w", new, old, "--redirects", kind]);
            said.has(format!("{name}:1:1: redirects from a path that exists"));
        }
    }
}

#[test]
fn redirect_pages_recreate_removed_directories() {
    let tree = Tree::new(&[
        ("b.html", "<a href=d/s/x.html>"),
        ("e/s/x.html", "<a href=../../b.html>"),
        ("e/y.html", ""),
    ]);
    let old = tree.files();
    tree.ends(0, "move -w --moved d=e --redirects html");
    let files = tree.files();
    assert!(files["d/s/x.html"].contains("url=../../e/s/x.html"));
    assert!(files["d/y.html"].contains("url=../e/y.html"));
    assert_eq!(files["b.html"], "<a href=e/s/x.html>");
    tree.ends(0, "move --undo");
    assert_eq!(tree.files(), old);
    assert!(!tree.has("d"));
}

#[test]
fn undo_is_refused_if_a_redirect_file_was_changed() {
    for (kind, name) in [("html", "d/x.html"), ("apache", ".htaccess")] {
        let tree = Tree::new(&[
            ("b.html", "<a href=d/x.html>"),
            ("d/x.html", "<a href=y.html>"),
            ("d/y.html", ""),
        ]);
        let old = tree.files();
        tree.ends(0, ["move", "-w", "d", "e", "--redirects", kind]);
        let made = tree.bytes(name);
        tree.write(name, "mine");
        let moved = tree.files();
        tree.ends(2, "move --undo")
            .has(format!("nothing was undone: {name} changed since the run"));
        assert_eq!(tree.files(), moved);
        tree.write(name, made);
        tree.ends(0, "move --undo");
        assert_eq!(tree.files(), old);
    }
}

#[test]
fn edits_of_utf_16_are_counted_as_missing_in_the_diff() {
    let tree = Tree::new(&[("d/x.html", "1")]);
    let utf16 = |text: &str| -> Vec<u8> {
        let units = "\u{FEFF}".encode_utf16().chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect()
    };
    tree.write("a.html", utf16("<a href=d/x.html>"));
    let output = tree.run("move d e").ends(0);
    output.err.has("a.html: 1 edit of UTF-16 text that the diff cannot show\n");
    output.out.lacks("a.html");
    tree.ends(0, "move -w d e");
    let page = tree.bytes("a.html");
    assert_eq!(page, utf16("<a href=e/x.html>"));
}

/// The site of a program, whose page `FROM` moves to `TO`.
struct MovedPage {
    form: &'static str,
    files: &'static [(&'static str, &'static str)],
    from: &'static str,
    to: &'static str,
}

impl MovedPage {
    fn tree(&self) -> Tree {
        Tree::new(self.files)
    }

    fn command(&self, more: &str) -> String {
        format!("move --redirects {} {} {} {more}", self.form, self.from, self.to)
    }
}

/// Moves a page, and compares a file afterwards. Undoing restores every byte.
fn assert_redirected(page: &MovedPage, file: &str, expected: &str) {
    let tree = page.tree();
    let old = tree.files();
    tree.ends(0, page.command("-w"));
    assert_eq!(tree.files()[file], expected, "{}", page.form);
    tree.ends(0, "move --undo");
    assert_eq!(tree.files(), old, "{}", page.form);
    // The diff has the same.
    let diff = tree.run(page.command("")).out;
    for line in expected.lines().filter(|line| !old.values().any(|it| it.contains(line))) {
        assert!(diff.contains(&format!("+{line}")), "{line}: {diff}");
    }
}

#[test]
fn sites_get_redirects_in_their_own_form() {
    let book = |toml: &'static str| MovedPage {
        form: "mdbook",
        files: Box::leak(Box::new([
            ("book.toml", toml),
            ("src/SUMMARY.md", "[a](a.md)\n"),
            ("src/a.md", "# A\n"),
            ("src/sub/README.md", "# R\n"),
        ])),
        from: "src/a.md",
        to: "src/sub/b.md",
    };
    assert_redirected(
        &book("[book]\ntitle = \"x\""),
        "book.toml",
        "[book]\ntitle = \"x\"\n\n[output.html.redirect]\n\"/a.html\" = \"sub/b.html\"\n",
    );
    assert_redirected(
        &book("[output.html.redirect] # old\r\n\"/z.html\" = \"a.html\"\r\n[x]\r\n"),
        "book.toml",
        "[output.html.redirect] # old\r\n\"/a.html\" = \"sub/b.html\"\r\n\"/z.html\" = \"a.html\"\r\n[x]\r\n",
    );
    let mkdocs = |yaml: &'static str| MovedPage {
        form: "mkdocs",
        files: Box::leak(Box::new([
            ("mkdocs.yml", yaml),
            ("docs/index.md", "[a](a.md)\n"),
            ("docs/a.md", "# A\n"),
        ])),
        from: "docs/a.md",
        to: "docs/sub/b.md",
    };
    assert_redirected(
        &mkdocs(
            "plugins:\n  - search\n  - redirects:\n      redirect_maps:\n          'z.md': 'a.md'\nnav: [a.md]\n",
        ),
        "mkdocs.yml",
        "plugins:\n  - search\n  - redirects:\n      redirect_maps:\n          'a.md': 'sub/b.md'\n          'z.md': 'sub/b.md'\nnav: [sub/b.md]\n",
    );
    assert_redirected(
        &mkdocs("plugins:\n  redirects:\n    redirect_maps: {}\n"),
        "mkdocs.yml",
        "plugins:\n  redirects:\n    redirect_maps: {'a.md': 'sub/b.md', }\n",
    );
    let hugo = |page: &'static str| MovedPage {
        form: "hugo",
        files: Box::leak(Box::new([
            ("hugo.toml", "baseURL = 'https://h.example/'\n"),
            ("content/_index.md", "[a](posts/a)\n"),
            ("content/posts/a.md", page),
        ])),
        from: "content/posts/a.md",
        to: "content/notes/b.md",
    };
    for (old, new) in [
        ("# A\n", "---\naliases:\n  - \"/posts/a/\"\n---\n# A\n"),
        ("---\ntitle: A\n---\n", "---\naliases:\n  - \"/posts/a/\"\ntitle: A\n---\n"),
        ("---\naliases:\n- /z/\n---\n", "---\naliases:\n- \"/posts/a/\"\n- /z/\n---\n"),
        ("---\naliases: [/z/]\n---\n", "---\naliases: [\"/posts/a/\", /z/]\n---\n"),
        ("+++\ntitle = 'A'\n+++\n", "+++\naliases = [\"/posts/a/\"]\ntitle = 'A'\n+++\n"),
        ("+++\naliases = [\"/z/\"]\n+++\n", "+++\naliases = [\"/posts/a/\", \"/z/\"]\n+++\n"),
        ("{{< hint >}}\n", "---\naliases:\n  - \"/posts/a/\"\n---\n{{< hint >}}\n"),
        ("{} text", "---\naliases:\n  - \"/posts/a/\"\n---\n{} text"),
        (
            "---\naliases:\n# old\n\n    - /z/\n---\n",
            "---\naliases:\n    - \"/posts/a/\"\n# old\n\n    - /z/\n---\n",
        ),
        (
            "+++\ntitle = 'A'\n[params]\naliases = [\"no\"]\n+++\n",
            "+++\naliases = [\"/posts/a/\"]\ntitle = 'A'\n[params]\naliases = [\"no\"]\n+++\n",
        ),
    ] {
        assert_redirected(&hugo(old), "content/notes/b.md", new);
    }
    let jekyll = MovedPage {
        form: "jekyll",
        files: &[
            ("_config.yml", "title: x\n"),
            ("index.md", "---\n---\n[a](a.html)\n"),
            ("a.md", "---\ntitle: A\nredirect_from: [\"/z.html\"]\n---\n"),
        ],
        from: "a.md",
        to: "sub/b.md",
    };
    let expected = "---\ntitle: A\nredirect_from: [\"/a.html\", \"/z.html\"]\n---\n";
    assert_redirected(&jekyll, "sub/b.md", expected);
    let docusaurus = MovedPage {
        form: "docusaurus",
        files: &[
            (
                "docusaurus.config.js",
                "export default {\n  plugins: [['@docusaurus/plugin-client-redirects', {\n    redirects: [\n    ],\n  }]],\n};\n",
            ),
            ("docs/a.md", "# A\n"),
        ],
        from: "docs/a.md",
        to: "docs/sub/b.md",
    };
    assert_redirected(
        &docusaurus,
        "docusaurus.config.js",
        "export default {\n  plugins: [['@docusaurus/plugin-client-redirects', {\n    redirects: [\n      {from: \"/docs/a\", to: \"/docs/sub/b\"},\n    ],\n  }]],\n};\n",
    );
    let sphinx = |config: &'static str| MovedPage {
        form: "sphinx",
        files: Box::leak(Box::new([
            ("conf.py", config),
            ("index.md", "# I\n\n[a](a.md)\n"),
            ("a.md", "# A\n"),
        ])),
        from: "a.md",
        to: "sub/b.md",
    };
    let extensions = "extensions = ['myst_parser', 'x']\n";
    for (map, entry) in [
        ("redirects = {\n}\n", "redirects = {\n    \"a\": \"sub/b.html\",\n}\n"),
        ("rediraffe_redirects={}\n", "rediraffe_redirects={\n    \"a.md\": \"sub/b.md\",\n}\n"),
    ] {
        let config = Box::leak(format!("{extensions}{map}").into_boxed_str());
        assert_redirected(&sphinx(config), "conf.py", &format!("{extensions}{entry}"));
    }
}

#[test]
fn sites_without_a_place_for_redirects_stay() {
    let sphinx = "extensions = ['myst_parser']\n";
    let plugin = "'@docusaurus/plugin-client-redirects'";
    for (form, config, text, page, body, message) in [
        (
            "mkdocs",
            "mkdocs.yml",
            "plugins: [redirects]\n".to_owned(),
            "docs/a.md",
            "",
            "redirect_maps",
        ),
        (
            "mkdocs",
            "mkdocs.yml",
            "plugins:\n  - redirects:\n      redirect_maps: {a.md: z.md}\n".to_owned(),
            "docs/a.md",
            "",
            "already",
        ),
        (
            "mkdocs",
            "mkdocs.yml",
            "extra:\n  redirect_maps:\nplugins:\n  - redirects:\n      redirect_maps:\n".to_owned(),
            "docs/a.md",
            "",
            "by hand",
        ),
        (
            "mdbook",
            "book.toml",
            "[output.html]\nredirect = {}\n".to_owned(),
            "src/a.md",
            "",
            "by hand",
        ),
        (
            "mdbook",
            "book.toml",
            "[output]\nhtml = {theme = 'x'}\n".to_owned(),
            "src/a.md",
            "",
            "by hand",
        ),
        ("mdbook", "book.toml", "[output.html\n".to_owned(), "src/a.md", "", "by hand"),
        ("docusaurus", "docusaurus.config.js", String::new(), "docs/a.md", "", "client-redirects"),
        (
            "docusaurus",
            "docusaurus.config.js",
            format!("// {plugin}\nx = {{ redirects: ['x'] }}\n"),
            "docs/a.md",
            "",
            "client-redirects",
        ),
        (
            "docusaurus",
            "docusaurus.config.js",
            format!("[{plugin}, {{\n  redirects: [\n    {{from: '/docs/a', to: '/z'}},\n"),
            "docs/a.md",
            "",
            "already",
        ),
        ("sphinx", "conf.py", sphinx.to_owned(), "a.md", "", "sphinx_reredirects"),
        (
            "sphinx",
            "conf.py",
            format!("{sphinx}redirects = {{k: v for k, v in x}}\n"),
            "a.md",
            "",
            "sphinx_reredirects",
        ),
        (
            "sphinx",
            "conf.py",
            format!("{sphinx}\"\"\"\nredirects = {{\n}}\n\"\"\"\n"),
            "a.md",
            "",
            "sphinx_reredirects",
        ),
        (
            "sphinx",
            "conf.py",
            format!("{sphinx}redirects = {{\n'a': 'z'}}\n"),
            "a.md",
            "",
            "already",
        ),
        (
            "hugo",
            "hugo.toml",
            "baseURL = '/'\n".to_owned(),
            "content/a.md",
            "---\naliases: /z/\n---\n",
            "list",
        ),
        (
            "hugo",
            "hugo.toml",
            "baseURL = '/'\n".to_owned(),
            "content/a.md",
            "---\nAliases: [/z/]\n---\n",
            "by hand",
        ),
        (
            "hugo",
            "hugo.toml",
            "baseURL = '/'\n".to_owned(),
            "content/a.md",
            "---\n{title: x}\n---\n",
            "by hand",
        ),
        (
            "hugo",
            "hugo.toml",
            "baseURL = '/'\n".to_owned(),
            "content/a.md",
            "---\ntitle: x\n...\n",
            "by hand",
        ),
        (
            "hugo",
            "hugo.toml",
            "baseURL = '/'\n".to_owned(),
            "content/a.md",
            "{\"title\": \"A\"}\n",
            "by hand",
        ),
    ] {
        let tree = Tree::new(&[(config, &*text), (page, body)]);
        let old = tree.files();
        let new = page.replace("a.md", "b.md");
        tree.ends(2, format!("move -w --redirects {form} {page} {new}")).has(message);
        assert_eq!(tree.files(), old, "{form} {text} {body}");
    }
}

#[test]
fn pages_without_a_redirect_are_reported() {
    // A page of another kind of site, a part of a site, and an address that is not known.
    let tree = Tree::new(&[("mkdocs.yml", "site_name: x\n"), ("docs/a.md", "")]);
    tree.ends(0, "move -w --redirects hugo docs/a.md docs/b.md").has("/docs/a.md");
    tree.ends(0, "move -w --root docs --redirects mkdocs docs/b.md docs/c.md").has("/b.md");
    let config = "baseURL = '/'\n[permalinks]\nposts = '/:year/:slug/'\n";
    let tree = Tree::new(&[("hugo.toml", config), ("content/posts/a.md", "---\ntitle: x\n---\n")]);
    tree.ends(0, "move -w --redirects hugo content/posts/a.md content/posts/b.md").has("a.md");
    assert_eq!(tree.files()["content/posts/b.md"], "---\ntitle: x\n---\n");
    // A file without front matter is no page of Jekyll.
    let tree = Tree::new(&[("_config.yml", ""), ("a.md", "a")]);
    tree.ends(0, "move -w --redirects jekyll a.md b.md");
    assert_eq!(tree.files()["b.md"], "a");
}

#[test]
fn entries_that_redirect_from_a_page_are_reported() {
    for (form, files, at) in [
        (
            "hugo",
            [("hugo.toml", "baseURL = '/'\n"), ("content/a.md", "---\naliases:\n  - /b/\n---\n")],
            "content/a.md:3:1",
        ),
        (
            "hugo",
            [("hugo.toml", "baseURL = '/'\n"), ("content/a.md", "+++\naliases = [\"/b/\"]\n+++\n")],
            "content/a.md:2:1",
        ),
        (
            "mkdocs",
            [
                (
                    "mkdocs.yml",
                    "nav:\n  - b.md\nplugins:\n  redirects:\n    redirect_maps: {'b.md': 'a.md'}\n",
                ),
                ("docs/a.md", ""),
            ],
            "mkdocs.yml:5:1",
        ),
    ] {
        let tree = Tree::new(&files);
        let page = files[1].0;
        let new = page.replace("a.md", "b.md");
        let said = tree.ends(0, format!("move -w --redirects {form} {page} {new}"));
        said.has(format!("{at}: redirects from"));
        assert_eq!(said.matches("redirects from").count(), 1, "{said}");
    }
}
