//! Names in the navigation of MkDocs, as PyYAML reads them.

use std::process::Command;

use crate::support::tree::{Ran, Tree};

/// Reads the navigation of a configuration.
const READER: &str = "import sys, yaml; print(list(yaml.safe_load(open(sys.argv[1], encoding='utf-8'))['nav'][0].values())[0], end='')";

pub(crate) fn navigation_has_the_new_name_or_the_old_one() {
    let names = [
        "what's new", "a\tb", "\u{2028}", "\u{1b}", "\u{85}", "q\"q", "'\"", "`b", "100%", "%a",
        "a#b", "#a", "a #b", "&a", "!a", "?a", "? a", "a: b", "a:", "|a", ">a", "{a", "[a", "]a",
        ",a", "-a", "- a", "@a", "~", "$a", "a\\b", "\u{e9}\u{1f600}", "1e3", "null", "yes",
        "0x1f", "2001-01-01", "1_0", "a  b", "\u{a0}a", "\u{feff}a", "\u{7f}",
    ];
    for name in names {
        for (extension, quote) in [(".md", ""), (".md", "'"), (".md", "\""), ("", "")] {
            let nav = format!(
                "site_name: x\nnav:\n  - A: {quote}old{extension}{quote}\n  - B: index.md\n"
            );
            let (old, new) = (format!("docs/old{extension}"), format!("docs/{name}{extension}"));
            let tree = Tree::new(&[("mkdocs.yml", &nav), (&old, ""), ("docs/index.md", "")]);
            let said = tree.ends(0, ["move", "-w", &old, &new]);
            let mut python = Command::new("python3");
            let python = python.args(["-c", READER, "mkdocs.yml"]).current_dir(tree.path());
            let found = Ran::of(python.env("PYTHONUTF8", "1")).ends(0).out;
            let is_new = found == format!("{name}{extension}");
            let is_kept = found == format!("old{extension}") && said.contains("mkdocs.yml:3:");
            assert!(is_new || is_kept, "{name:?} {quote}: {found:?}, {said}");
        }
    }
}
