//! Hostile names in the constructs of programs: each program reads exactly the new name, or the
//! construct stays, with a message, and is reported as broken.

use proptest::prelude::*;

use crate::support::tree::{Has, Tree};
use crate::tier::{cases, pick};

/// Documents with a construct that names `old.md` or `old`: the path, the text before and after the
/// name, and whether the name has its extension.
const CONSTRUCTS: [(&str, &str, &str, bool); 9] = [
    ("mkdocs/mkdocs.yml", "site_name: x\nnav:\n  - A: ", "\n  - B: index.md\n", true),
    ("quoted/mkdocs.yml", "site_name: x\nnav:\n  - 'A': '", "' # c\n  - B: index.md\n", true),
    ("double/mkdocs.yml", "site_name: x\nnav:\n  - \"", "\"\n  - B: index.md\n", true),
    ("book/src/a.md", "{{#include ", "}}\n", true),
    ("jekyll/a.md", "[a]({% link ", " %})\n", true),
    ("hugo/content/a.md", "[a]({{< ref \"", "\" >}})\n", true),
    ("mdx/docs/a.mdx", "import x from './", "'\n\n<x/>\n", true),
    ("sphinx/a.md", "# A\n\n{doc}`", "`\n", false),
    ("toc/a.md", "# A\n\n```{toctree}\n", "\n```\n", false),
];

/// The files that make the sites, and the directories of the moving files.
const SITES: [(&str, &str, &str); 9] = [
    ("mkdocs/docs/index.md", "# I\n", "mkdocs/docs/"),
    ("quoted/docs/index.md", "# I\n", "quoted/docs/"),
    ("double/docs/index.md", "# I\n", "double/docs/"),
    ("book/book.toml", "[book]\n", "book/src/"),
    ("jekyll/_config.yml", "title: x\n", "jekyll/"),
    ("hugo/hugo.toml", "baseURL = \"https://h.example\"\n", "hugo/content/"),
    ("mdx/docusaurus.config.js", "module.exports = {}\n", "mdx/docs/"),
    ("sphinx/conf.py", "extensions = ['myst_parser']\n", "sphinx/"),
    ("toc/conf.py", "extensions = ['myst_parser']\n", "toc/"),
];

/// The name that a program reads in the text of a construct. `None` if it reads no name, or not as
/// it is written.
fn read(document: &str, text: &str) -> Option<String> {
    let is_plain = |excluded: &[char]| {
        let is_other = |it: char| it.is_control() || it.is_whitespace() && it != ' ';
        (!text.contains(excluded) && !text.contains(is_other)).then(|| text.to_owned())
    };
    let (site, _) = document.split_once('/')?;
    match site {
        "mkdocs" | "quoted" | "double" => is_plain(&[]),
        "book" => is_plain(&[' ', ':', '{', '}']),
        "jekyll" => is_plain(&['{', '}', '%']),
        "hugo" => is_plain(&['"', '\\', '%', '?', ':']),
        "mdx" => is_plain(&['?', '#', '!']).map(|it| it.replace("\\'", "'")),
        _ => is_plain(&['`', '<', '>', '\\']).filter(|it| !it.starts_with('!')),
    }
}

/// The scalar of YAML that begins a line.
fn yaml(rest: &str) -> Option<&str> {
    let quote = rest.chars().next()?;
    match quote {
        '\'' => rest[1..].split('\'').next(),
        '"' => rest[1..].split('"').next().filter(|it| !it.contains('\\')),
        _ if "-?:,[]{}#&*!|>%@` ".contains(quote) => None,
        _ => rest
            .lines()
            .next()
            .filter(|it| !it.contains(": ") && !it.contains(" #") && !it.ends_with([':', ' '])),
    }
}

/// Moves the file of each construct to this name, and reads the constructs.
fn moves_to(name: &str) {
    let mut files: Vec<(String, String)> = Vec::new();
    for ((document, before, after, has_extension), (site, text, directory)) in
        CONSTRUCTS.iter().zip(SITES)
    {
        let old = if *has_extension { "old.md" } else { "old" };
        files.push(((*document).to_owned(), format!("{before}{old}{after}")));
        files.push((site.to_owned(), text.to_owned()));
        files.push((format!("{directory}old.md"), "# O\n".to_owned()));
    }
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let rows = SITES.map(|(.., directory)| {
        let (old, new) = (format!("{directory}old.md"), format!("{directory}{name}.md"));
        format!("{},{}\n", quoted(&old), quoted(&new))
    });
    files.push(("list.csv".to_owned(), rows.concat()));
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
    let tree = Tree::new(&files);
    let said = tree.ends(0, "move -w --from-list list.csv");
    said.lacks("would");
    let checked = tree.run("check .");
    let checked = checked.out;
    let texts = tree.files();
    for (document, before, after, has_extension) in CONSTRUCTS {
        let text = &texts[document];
        let old = if has_extension { "old.md" } else { "old" };
        let is_kept = *text == format!("{before}{old}{after}");
        let is_reported = checked.contains(&format!("{document}:"));
        assert_eq!(is_kept, is_reported, "{name:?} in {document}: {checked}{said}");
        if is_kept {
            said.has(format!("{document}:"));
            continue;
        }
        let found = if document.ends_with(".yml") {
            let key = before.trim_end_matches(['\'', '"']);
            let rest = text.strip_prefix(key).expect("the key");
            yaml(rest)
        } else {
            let rest = text.strip_prefix(before);
            rest.and_then(|it| it.strip_suffix(after))
        };
        let found = found.and_then(|it| read(document, it));
        let extension = if has_extension { ".md" } else { "" };
        assert_eq!(found, Some(format!("{name}{extension}")), "{document}: {text}");
    }
}

#[test]
fn programs_read_the_new_name_or_the_construct_is_kept() {
    for name in [
        "what's new", "\u{2028}", "\u{1b}[1m", "\u{85}", "q\"q", "'\"", "b`b", "100%", "%41",
        "a#b", "#a", "a #b", "a&b", "&a", "*a", "!a", "a!b", "a?b", "a:b", "a: b", "a|b", "|",
        "a{b}", "[a]", "-a", "@a", "~a", " a", "a ", "(a)", "$a", "a\\b", "\u{e9}\u{1f600}", "1e3",
        "null", "yes", "a  b", "<a>", "{{a}}", "a,b", "\u{a0}a", "\u{feff}a",
    ] {
        moves_to(name);
    }
}

#[test]
fn a_tab_is_not_written_into_yaml() {
    let nav = "site_name: x\nnav:\n  - A: 'old.md'\n";
    let tree = Tree::new(&[("mkdocs.yml", nav), ("docs/old.md", "")]);
    tree.ends(0, ["move", "-w", "docs/old.md", "docs/a\tb.md"]).has("mkdocs.yml:3:");
    assert_eq!(tree.files()["mkdocs.yml"], nav);
    tree.ends(1, "check .");
}

#[test]
fn navigation_in_any_spelling_has_the_new_name() {
    let config = "site_name: x\nextra: &home old/home.md\n'nav':\n  - Home: *home\n  - {Flow: old/a.md}\n  - Escaped: \"old\\x2Fb.md\"\n\
        \n  - ? Complex\n    : !!str old/c.md\n  - Folded: >-\n      old/d.md\n  - Lines:\n      old/e\n      f.md\n";
    let pages =
        ["home.md", "a.md", "b.md", "c.md", "d.md", "e f.md"].map(|it| format!("docs/old/{it}"));
    let mut files = vec![("mkdocs.yml", config), ("docs/index.md", "# I\n")];
    files.extend(pages.iter().map(|it| (it.as_str(), "")));
    let tree = Tree::new(&files);
    tree.ends(0, "check .");
    let said = tree.ends(0, "move -w docs/old docs/new");
    let expected = config
        .replace("old\\x2F", "new/")
        .replace("old/e\n      f", "new/e f")
        .replace("old/", "new/");
    assert_eq!(tree.files()["mkdocs.yml"], expected, "{said}");
}

proptest! {
    #![proptest_config(cases(pick(6, 300)))]

    #[test]
    fn any_name_is_read_or_kept(name in "[a '\"`%#&*!?:|{}\\[\\]()$\\\\@~<>,=\\-+.\\PC\u{1b}\u{2028}\u{2029}\u{85}\u{a0}]{1,6}") {
        prop_assume!(!name.contains(['/', '\0', '\t']) && !matches!(&*name, "index" | "a" | "old"));
        moves_to(&name);
    }
}
