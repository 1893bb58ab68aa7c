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
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
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
    let import = Regex::new(r"\bcrate::(?:\{([^}]*)\}|([a-z_]+))").expect("a regex");
    for (room, (allowed, _)) in table().iter().filter(|(room, _)| *room != "bin") {
        for path in files(room) {
            for found in import.captures_iter(&code(&path)) {
                let named = found.get(1).or(found.get(2)).map_or("", |it| it.as_str());
                for name in named
                    .split(',')
                    .map(|it| it.trim().split("::").next().unwrap_or(""))
                {
                    assert!(
                        name == room || allowed.contains(name),
                        "{} imports {name}, which ARCHITECTURE.md does not allow",
                        path.display()
                    );
                }
            }
        }
    }
}

#[test]
fn rooms_touch_only_what_the_table_allows_of_the_system() {
    let marks = [
        (
            "reads files",
            Regex::new(r"\bfs::read|File::open|WalkDir::new").expect("a regex"),
        ),
        ("standard input", Regex::new(r"io::stdin").expect("a regex")),
        (
            "writes files",
            Regex::new(r"\bfs::(write|create|remove|rename|copy)|File::create|tempfile")
                .expect("a regex"),
        ),
        (
            "terminal",
            Regex::new(r"is_terminal|io::std(out|err)|std::env|\bprocess::").expect("a regex"),
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
