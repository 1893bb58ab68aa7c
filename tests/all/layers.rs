//! Who may import whom: the table of ARCHITECTURE.md, held against the code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// The rooms with what they may import, and what of the system they may touch.
fn table() -> BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)> {
    let text = fs::read_to_string("ARCHITECTURE.md").expect("ARCHITECTURE.md");
    let names = |cell: &str| {
        let names = cell
            .split(',')
            .map(|name| name.trim().trim_matches('`').to_owned());
        names
            .filter(|name| !name.is_empty() && name != "–")
            .collect()
    };
    let rows = text
        .lines()
        .skip_while(|line| !line.starts_with("| room |"))
        .skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let table: BTreeMap<_, _> = rows
        .map(|row| {
            let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
            let [room, imports, system, ..] = cells[..] else {
                panic!("cells missing: {row}")
            };
            (
                room.trim_matches('`').to_owned(),
                (names(imports), names(system)),
            )
        })
        .collect();
    assert!(
        table.len() > 5,
        "the table of ARCHITECTURE.md was not found"
    );
    table
}

/// The source files of a room.
fn files(room: &str) -> Vec<PathBuf> {
    let folder = Path::new("src").join(room);
    let mut files: Vec<PathBuf> = walkdir::WalkDir::new(&folder)
        .into_iter()
        .filter_map(Result::ok)
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    let alone = Path::new("src").join(format!("{room}.rs"));
    if alone.exists() {
        files.push(alone);
    }
    assert!(
        !files.is_empty(),
        "ARCHITECTURE.md names a room that is not there: {room}"
    );
    files
}

/// The code of a file, without comments and unit tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let text = text
        .split("#[cfg(test)]\nmod tests")
        .next()
        .unwrap_or_default();
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    text.lines().filter(is_code).collect::<Vec<_>>().join("\n")
}

/// The rooms that code names by a path from the crate's root: `crate::room`, each of
/// `crate::{room, room}`, and `super::room` as often as it takes from a file this deep.
fn rooms_named(code: &str, depth: usize) -> Vec<String> {
    let root = format!(r"\b(?:crate|{})::", vec!["super"; depth].join("::"));
    let root = Regex::new(&root).expect("a regex");
    let first = |path: &str| {
        path.trim()
            .split("::")
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let mut rooms = Vec::new();
    for found in root.find_iter(code) {
        let rest = &code[found.end()..];
        if !rest.starts_with('{') {
            let is_name = |it: &char| it.is_ascii_alphanumeric() || *it == '_';
            rooms.push(rest.chars().take_while(is_name).collect());
            continue;
        }
        // Of a group, what stands between the outermost commas.
        let (mut nested, mut start) = (0, 1);
        for (at, character) in rest.char_indices() {
            match character {
                '{' => nested += 1,
                '}' => nested -= 1,
                _ => {}
            }
            if nested == 0 || nested == 1 && character == ',' {
                rooms.push(first(&rest[start..at]));
                start = at + 1;
            }
            if nested == 0 {
                break;
            }
        }
    }
    rooms.retain(|room| !room.is_empty() && room != "super");
    rooms
}

#[test]
fn every_way_to_import_is_seen() {
    let code = "use crate::a::B;\nuse crate::{c::{D, E}, f, g::{self}};\nlet x = crate::h::i();";
    assert_eq!(rooms_named(code, 1), ["a", "c", "f", "g", "h"]);
    assert_eq!(rooms_named("use super::super::a::B;", 2), ["a"]);
    assert!(rooms_named("use super::a::B;", 2).is_empty());
}

#[test]
fn every_room_is_in_the_table() {
    let table = table();
    for entry in fs::read_dir("src").expect("src") {
        let name = entry
            .expect("src")
            .file_name()
            .into_string()
            .expect("UTF-8");
        let room = name.trim_end_matches(".rs");
        assert!(
            room == "lib" || table.contains_key(room),
            "ARCHITECTURE.md does not name {room}"
        );
    }
}

#[test]
fn rooms_import_only_what_the_table_allows() {
    for (room, (allowed, _)) in table().iter().filter(|(room, _)| *room != "bin") {
        for path in files(room) {
            // `mod.rs` is the module of its folder, one less deep than the files beside it.
            let parts = path.components().count() - 1;
            let depth = parts - usize::from(path.ends_with("mod.rs"));
            for name in rooms_named(&code(&path), depth) {
                assert!(
                    name == *room || allowed.contains(&name),
                    "{} imports {name}, which ARCHITECTURE.md does not allow",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn rooms_touch_only_what_the_table_allows_of_the_system() {
    let marks = [
        (
            "reads files",
            Regex::new(r"\bfs::(read|metadata|canon)|use std::fs::\{?[a-z]|File::open|WalkDir::new").expect("a regex"),
        ),
        ("standard input", Regex::new(r"io::stdin").expect("a regex")),
        (
            "writes files",
            Regex::new(r"\bfs::(write|create|remove|rename|copy|hard_link|set_perm)|File::create|OpenOptions|tempfile|unix::fs::symlink|rustix::fs")
                .expect("a regex"),
        ),
        (
            "terminal",
            Regex::new(r"is_terminal|io::std(out|err)|std::env|std::process|(^|[^:])\bprocess::")
                .expect("a regex"),
        ),
    ];
    for (room, (_, allowed)) in table() {
        for path in files(&room) {
            let code = code(&path);
            for (name, mark) in &marks {
                assert!(
                    allowed.contains(*name) || !mark.is_match(&code),
                    "{}: ARCHITECTURE.md does not say that {room} {name}",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn no_source_file_is_a_bag() {
    for room in table().keys() {
        for path in files(room) {
            let lines = fs::read_to_string(&path).expect("readable").lines().count();
            assert!(
                lines <= 700,
                "{} has {lines} lines: divide it",
                path.display()
            );
        }
    }
}
