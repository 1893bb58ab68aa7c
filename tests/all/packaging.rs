//! Files that other programs read: the versions in them, and the pages of the book.

use std::fs;
use std::path::Path;

use regex::Regex;

use crate::support::tree::Has;

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn files_about_installing_name_the_version_of_the_command() {
    for (path, pattern, count) in [
        ("python/Cargo.toml", r#"(?m)^version = "(.*)"$"#, 1),
        ("pyproject.toml", r#"(?m)^version = "(.*)"$"#, 1),
        ("pyproject.toml", r#""rehref==(.*)""#, 1),
        ("action.yml", r#"(?m)^    default: "(\d.*)"$"#, 1),
        ("docs/check.md", r"OWNER/rehref@v(.*)", 1),
        ("docs/check.md", r"rev: v(.*)", 1),
        ("docs/move.md", r"OWNER/rehref@v(.*)", 1),
        ("docs/move.md", r"rev: v(.*)", 1),
    ] {
        let text = read(path);
        let pattern = Regex::new(pattern).expect("a regular expression");
        let versions: Vec<&str> =
            pattern.captures_iter(&text).map(|it| it.extract::<1>().1[0]).collect();
        assert_eq!(versions, vec![VERSION; count], "{path}: {pattern}");
    }
}

#[test]
fn every_page_of_the_guide_is_in_the_book_and_in_its_list() {
    let summary = read("docs/SUMMARY.md");
    let list = read("docs/README.md");
    for entry in fs::read_dir("docs").expect("docs/") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_string_lossy();
        if !name.ends_with(".md") || name == "SUMMARY.md" {
            continue;
        }
        summary.has(format!("({name})"));
        if name != "README.md" {
            list.has(format!("({name})"));
        }
    }
}
