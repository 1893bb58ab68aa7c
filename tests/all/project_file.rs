//! The project file `.rehref.toml`.

use serde_json::Value;

use crate::support::tree::{Has, Tree};

const PAGE: &str = "<a href=/sub/x.html>x</a><a href=https://site.example/none.html>n</a><a href=gone.html>g</a><a href=#no>f</a>";

fn tree(settings: &str) -> Tree {
    Tree::new(&[
        (".rehref.toml", settings),
        ("public/a.html", PAGE),
        ("public/sub/x.html", "<p>"),
        ("docs/d.html", "<a href=zz.html>z</a>"),
        ("drafts/d.html", "<a href=zz.html>z</a>"),
        ("docs/drafts/d.html", "<a href=zz.html>z</a>"),
    ])
}

#[test]
fn check_uses_the_root_the_base_and_the_ignored_links_of_the_project() {
    let tree = tree(
        "root = \"public\"\nbase = \"https://site.example/\"\nignore-links = [\"^gone\"]\n[check]\nanchors = false\n",
    );
    let broken = "public/a.html:1:34: https://site.example/none.html: missing\n";
    let said = tree.run("check");
    assert_eq!((said.code, said.out.as_str()), (1, broken));
    said.err.has("3 local links: 1 broken; 1 link excluded; 1 fragment not checked");
    // From below, and of other paths of the project.
    let mut below = tree.command("check .");
    let said = crate::support::tree::Ran::of(below.current_dir(tree.at("public")));
    assert!(
        said.out.ends_with("a.html:1:34: https://site.example/none.html: missing\n"),
        "{}",
        said.out
    );
    tree.run("check docs/d.html").out.has("zz.html: missing");
    // The command line goes before it.
    tree.run("check --anchors").out.has("#no: anchor");
    tree.run("check --root docs docs").out.has("zz.html").lacks("none.html");
    let said = tree.run("check --no-config public");
    said.out.has("gone.html: missing").has("#no: anchor");
    said.out.lacks("site.example");
}

#[test]
fn globs_are_below_the_directory_of_the_file() {
    let tree = tree("exclude = [\"/drafts\", \"*.tmp\"]\ntypes = [\"html\"]\n");
    tree.write("docs/a.css", "a { background: url(http://a.example/) }");
    assert_eq!(
        tree.prints("extract --files ."),
        "./docs/d.html\n./docs/drafts/d.html\n./public/a.html\n./public/sub/x.html\n"
    );
    assert_eq!(tree.prints("extract --files docs"), "docs/d.html\ndocs/drafts/d.html\n");
    assert_eq!(tree.prints("extract --files -t css ."), "./docs/a.css\n");
    assert_eq!(tree.prints("extract --files --exclude sub public"), "public/a.html\n");
    tree.write(".rehref.toml", "exclude = [\"docs/drafts\"]\n");
    assert_eq!(tree.prints("extract --files docs"), "docs/a.css\ndocs/d.html\n");
    assert_eq!(tree.prints("extract --files docs/d.html drafts"), "docs/d.html\ndrafts/d.html\n");
}

#[test]
fn links_get_the_url_of_the_project_and_ignored_ones_are_not_rewritten() {
    let tree =
        tree("root = \"public\"\nbase = \"https://site.example/\"\nignore-links = [\"gone\"]\n");
    tree.prints("extract public")
        .has("https://site.example/gone.html\nhttps://site.example/a.html#no\n");
    tree.prints("extract --base http://o.example/=public public").has("http://o.example/gone.html");
    let said = tree.ends(0, "rewrite -w --absolute public");
    said.has("1 link left out by the filter").has("changed 2 links");
    tree.read("public/a.html")
        .has("<a href=https://site.example/sub/x.html>")
        .has("<a href=gone.html>");
    let said = tree.ends(0, "move -w public/sub/x.html public/sub/y.html");
    said.has("changed 1 link");
    tree.read("public/a.html").has("https://site.example/sub/y.html");
}

#[test]
fn faults_of_the_file_have_their_place() {
    for (settings, expected) in [
        ("root = \"public\"\nnope = 1\n", ":2:1: unknown key `nope`, expected one of `root`"),
        ("root = \"../x\"\n", ":1:8: there is no directory ../x"),
        ("root = \".rehref.toml\"\n", ":1:8: root is not a directory below that of this file"),
        ("root = \"/\"\n", ":1:8: root is not a directory below"),
        ("root = \"none\"\n", ":1:8: there is no directory none"),
        ("\nbase = \"site\"\n", ":2:8: "),
        ("site = \"foo\"\n", ":1:8: "),
        ("slugs = \"foo\"\n", ":1:9: "),
        ("types = \"html\"\n", ":1:9: invalid type: string \"html\""),
        ("types = [\"htlm\"]\n", ":1:9: no type of files is named \"htlm\""),
        ("exclude = [\"../a\"]\n", ":1:11: "),
        ("ignore-links = [\"(\"]\n", ":1:16: invalid regular expression: unclosed group"),
        ("[extract]\nslugs = \"github\"\n", ":2:1: extract does not use the key slugs"),
        ("[rewrite]\nmap = \"a=b\"\n", ":2:1: unknown key `map`"),
        ("check = 1\n", ":1:9: invalid type"),
        ("[publish]\n", ":1:2: unknown key `publish`"),
        ("root = \"public\"\nroot = \"docs\"\n", ":2:1: duplicate key"),
    ] {
        let said = tree(settings).ends(2, "check .");
        said.has(format!("rehref: .rehref.toml{expected}"));
        tree(settings).ends(1, "check --no-config .");
    }
    let tree = tree("");
    tree.write(".rehref.toml", b"# \xFF");
    tree.ends(2, "check .").has(".rehref.toml:1:3: invalid UTF-8");
    tree.ends(2, "check --config none.toml .").has("none.toml: cannot read");
}

#[test]
fn paths_of_different_projects_are_refused() {
    let tree = tree("");
    tree.write("docs/.rehref.toml", "anchors = false\n");
    let said = tree.ends(2, "check docs public");
    said.has("the paths have docs/.rehref.toml and .rehref.toml")
        .has("--config FILE, or --no-config");
    tree.ends(1, "check docs docs/drafts");
    // Without a file of its own, a path does not matter.
    let elsewhere = Tree::new(&[("a.html", "<a href=http://a.example/>a</a>")]);
    tree.ends(0, ["extract", "docs", &*elsewhere.at("a.html").to_string_lossy()]);
    tree.ends(1, "check --config .rehref.toml docs public");
}

#[cfg(unix)]
#[test]
fn a_root_that_leaves_the_directory_by_a_link_is_refused() {
    let other = Tree::new(&[("a.html", PAGE)]);
    let tree = Tree::new(&[(".rehref.toml", "root = \"public\"\n"), ("in/a.html", "")]);
    tree.symlink(other.path(), "public");
    tree.ends(2, "check").has(".rehref.toml:1:8: root is not a directory below");
    tree.remove("public");
    tree.symlink("in", "public");
    tree.ends(0, "check");
}

#[test]
fn the_directory_of_a_project_may_have_any_name() {
    let tree = Tree::new(&[
        ("a=b;c/.rehref.toml", "base = \"https://site.example/\"\n"),
        ("a=b;c/a.html", "<a href=b.html>b</a><a href=https://site.example/c.html>c</a>"),
    ]);
    tree.prints("extract a=b;c").has("https://site.example/b.html");
    let said = tree.run("check a=b;c");
    said.out.has("1:9: b.html: missing").has("https://site.example/c.html: missing");
}

#[test]
fn files_outside_of_the_root_move_without_it() {
    let tree = tree("root = \"public\"\n");
    tree.write("a.md", "[d](docs/d.html) [x](/public/a.html)");
    tree.prints("move docs/d.html docs/e.html").has("+[d](docs/e.html)");
    tree.prints("move public/sub/x.html public/sub/y.html").has("+<a href=/sub/y.html>");
    tree.write("public/sub/y.html", "");
    tree.remove("public/sub/x.html");
    let moved = "move --moved public/sub/x.html=public/sub/y.html";
    tree.prints(moved).has("+<a href=/sub/y.html>");
}

#[test]
fn an_undo_needs_no_valid_file() {
    let tree = tree("");
    tree.ends(0, "rewrite -w --map site.example=new.example public");
    tree.write(".rehref.toml", "nope = 1\n");
    tree.ends(0, "rewrite --undo public");
    assert_eq!(tree.read("public/a.html"), PAGE);
}

#[test]
fn a_map_leaves_relative_links_of_a_site_with_a_url() {
    let tree = Tree::new(&[
        (".rehref.toml", "base = \"http://old.example/\"\n"),
        ("a.html", "<a href=/x.html>x</a><a href=#f>f</a><a href=http://old.example/y>y</a>"),
    ]);
    let diff = tree.prints("rewrite --map old.example=new.example a.html");
    diff.has("+<a href=/x.html>x</a><a href=#f>f</a><a href=http://new.example/y>");
    tree.prints("rewrite --absolute a.html").has("+<a href=http://old.example/x.html>");
    let named = "rewrite --base http://old.example/=. --map old.example=new.example a.html";
    tree.prints(named).has("+<a href=http://new.example/x.html>");
}

#[test]
fn other_files_of_the_name_are_errors() {
    let tree = tree("");
    tree.write(".rehref.toml", "#".repeat((1 << 20) + 1));
    tree.ends(2, "check .").has(".rehref.toml: cannot read: longer than 1 MiB");
    tree.remove(".rehref.toml");
    tree.make(".rehref.toml");
    tree.ends(2, "check .").has(".rehref.toml: cannot read: not a file");
    #[cfg(unix)]
    {
        tree.remove(".rehref.toml");
        tree.symlink("none", ".rehref.toml");
        tree.ends(2, "check .").has(".rehref.toml: cannot read");
    }
}

#[test]
fn a_path_above_the_root_is_checked_without_it_and_that_is_reported() {
    let tree = tree("root = \"public\"\n");
    let said = tree.run("check .");
    said.out.has("public/a.html:1:9: /sub/x.html: missing");
    said.err.has("root of .rehref.toml does not apply: a PATH is not below it");
    tree.run("check").err.lacks("does not apply");
    tree.run("check --root . .").err.lacks("does not apply");
}

#[test]
fn types_that_are_left_out_do_not_replace_those_of_the_project() {
    let tree = tree("types = [\"html\", \"css\"]\n");
    tree.write("a.css", "");
    tree.write("a.txt", "");
    tree.prints("extract --files -T html .").has("a.css").lacks("a.txt").lacks(".html");
}

#[test]
fn a_report_has_the_findings_of_check() {
    let tree = Tree::new(&[
        ("s/.rehref.toml", "clean-urls = true\nslugs = \"gitlab\"\n"),
        ("s/a.md", "# A  b\n[b](b) [f](#a-b) [g](#a--b)"),
        ("s/b.html", "<p>"),
    ]);
    tree.run("check s").err.has("1 broken");
    tree.ends(0, "report s -o r.html").has(", 1 broken");
    // The directory of the URL is another one.
    tree.make("s/t");
    let said = tree.ends(2, "report --base http://s.example/=s/t s -o r2.html");
    said.has("--base: s: is not in the directory of the URL");
    tree.write("s/.rehref.toml", "base = \"http://s.example/\"\nroot = \"t\"\n");
    tree.ends(0, "report s -o r2.html").has(", 2 broken");
}

#[test]
fn the_schema_accepts_what_the_command_accepts() {
    let schema: Value = serde_json::from_str(&tree("").prints("schema config")).expect("JSON");
    let mut compiler = boon::Compiler::new();
    compiler.add_resource("schema.json", schema).expect("a schema");
    let mut schemas = boon::Schemas::new();
    let index = compiler.compile("schema.json", &mut schemas).expect("a schema");
    for (settings, is_valid) in [
        (
            serde_json::json!({"root": "public", "anchors": true, "types": ["html"], "check": {"slugs": "github"}}),
            true,
        ),
        (serde_json::json!({"nope": 1}), false),
        (serde_json::json!({"extract": {"slugs": "github"}}), false),
        (serde_json::json!({"types": "html"}), false),
    ] {
        assert_eq!(schemas.validate(&settings, index).is_ok(), is_valid, "{settings}");
        let text = toml_of(&settings);
        let code = tree(&text).run("check .").code;
        assert_eq!(code < 2, is_valid, "{text}");
    }
}

/// Settings as TOML: keys, then tables.
fn toml_of(settings: &Value) -> String {
    let lines = |table: &Value| {
        let keys = table.as_object().into_iter().flatten().filter(|(_, it)| !it.is_object());
        keys.map(|(key, value)| format!("{key} = {value}\n")).collect::<String>()
    };
    let tables = settings.as_object().into_iter().flatten().filter(|(_, it)| it.is_object());
    let tables = tables.map(|(name, table)| format!("[{name}]\n{}", lines(table)));
    lines(settings) + &tables.collect::<String>()
}
