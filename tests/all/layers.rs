//! The structure of the packages: the import table of ARCHITECTURE.md, circles between files, and the
//! length of files.

pub(crate) mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use sources::{Module, Sources};

/// The table of ARCHITECTURE.md: for each room the rooms that it may import, and its access to the
/// system.
fn table() -> BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)> {
    let text = fs::read_to_string("ARCHITECTURE.md").expect("ARCHITECTURE.md");
    let names = |cell: &str| {
        let names = cell.split(',').map(|name| name.trim().trim_matches('`').to_owned());
        names.filter(|name| !name.is_empty() && name != "–").collect()
    };
    let rows = text.lines().skip_while(|line| !line.starts_with("| room |")).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let table: BTreeMap<_, _> = rows
        .map(|row| {
            let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
            let [room, imports, system, ..] = cells[..] else { panic!("cells missing: {row}") };
            (room.trim_matches('`').to_owned(), (names(imports), names(system)))
        })
        .collect();
    assert!(table.len() > 5, "the table of ARCHITECTURE.md was not found");
    table
}

/// Files with more code lines than allowed, and the reason. An entry that is no longer needed fails
/// the test.
const KNOWN_LONG: [(&str, &str); 1] =
    [("crates/document/src/format/text/link_detection.rs", "a generated table")];

/// Inherent implementations in another file than their type's: file, type and reason. An entry that
/// is no longer needed fails the test.
const KNOWN_IMPLS: [(&str, &str, &str); 6] = [
    ("crates/rehref/src/jobs/check/run.rs", "Check", RUNS),
    ("crates/rehref/src/jobs/extract/run.rs", "Extract", RUNS),
    ("crates/rehref/src/jobs/relocate/plan.rs", "Relocate", RUNS),
    ("crates/rehref/src/jobs/relocate/run.rs", "Relocate", RUNS),
    ("crates/rehref/src/jobs/rewrite/run.rs", "Rewrite", RUNS),
    ("crates/rehref/src/jobs/unpack/run.rs", "Unpack", RUNS),
];

const RUNS: &str = "a job's options and its run share a type but are separate files";

/// Files that touch more of the system than their room, and the reason.
const KNOWN_SYSTEM: [(&str, &str, &str); 4] = [
    (
        "src/standard_streams.rs",
        "writes files",
        "it opens /dev/null in place of closed standard streams, and writes nothing there",
    ),
    (
        "crates/rehref/src/fs/walk/git_config.rs",
        "processes",
        "variables of the environment name the settings of git, and it runs nothing",
    ),
    (
        "src/project/mod.rs",
        "reads files",
        "it reads the project file, which is settings and no document",
    ),
    ("src/texts.rs", "writes files", "it creates the directory of the manual pages"),
];

/// The formats that files outside of `format` name, since they make documents of that format. An
/// entry that is no longer needed fails the test.
const KNOWN_FORMATS: [(&str, &str); 7] = [
    // A message in a response, which is read as text.
    ("crates/rehref/src/container/http/kind.rs", "Text"),
    // A part without a type, and a header.
    ("crates/rehref/src/container/mail/content.rs", "Text"),
    ("crates/rehref/src/container/mail/message.rs", "Header"),
    ("crates/rehref/src/container/warc/documents.rs", "Http"),
    // `Mailbox::open`.
    ("crates/rehref/src/fs/messages.rs", "Mbox"),
    // `Linkify::html` and `Linkify::text`.
    ("crates/document/src/rewrite/linkify/mod.rs", "Html"),
    ("crates/document/src/rewrite/linkify/mod.rs", "Text"),
];

/// Returns the code of a file, without comments and unit tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    sources::code(&text)
}

/// The source files, parsed once for all tests.
fn sources() -> &'static Sources {
    static SOURCES: LazyLock<Sources> = LazyLock::new(Sources::read);
    &SOURCES
}

/// The room of a module; the library's root has none.
fn room(module: &Module) -> Option<&str> {
    module.first().map(String::as_str)
}

#[test]
fn every_room_is_in_the_table() {
    let table = table();
    for room in sources().iter().filter_map(|(module, _)| room(module)) {
        assert!(table.contains_key(room), "ARCHITECTURE.md does not name {room}");
    }
}

#[test]
fn every_room_of_the_table_has_files() {
    for name in table().keys() {
        let mut modules = sources().iter().map(|(module, _)| module);
        assert!(
            modules.any(|module| room(module) == Some(name)),
            "ARCHITECTURE.md names {name}, which has no source file"
        );
    }
}

/// The command is a crate of its own: the compiler limits it to the public API, unless it includes
/// files by path.
#[test]
fn rooms_import_only_what_the_table_allows() {
    let table = table();
    for (module, source) in sources().iter() {
        let Some(name) = room(module).filter(|name| *name != "bin" && *name != "python") else {
            continue;
        };
        let (allowed, _) = &table[name];
        for imported in sources().rooms_named(module) {
            // It has the numbers of cases of tests.
            let is_of_tests = imported.starts_with("crate::tier::");
            assert!(
                imported == *name || allowed.contains(&imported) || is_of_tests,
                "{} imports {imported}, which ARCHITECTURE.md does not allow",
                source.path.display()
            );
        }
    }
}

#[test]
fn files_are_included_only_as_modules() {
    let by_path = Regex::new(r"#\[path|\binclude!").expect("a regex");
    for (module, source) in
        sources().iter().filter(|(_, source)| !source.path.ends_with("src/lib.rs"))
    {
        let code = code(&source.path);
        let path = source.path.display();
        assert!(!by_path.is_match(&code), "{path} ({module:?}) includes a file by its path");
    }
}

#[test]
fn no_circle_between_files() {
    let circles = sources().circles();
    let circles: Vec<String> = circles.iter().map(|it| sources().describe(it)).collect();
    let count = circles.len();
    assert!(
        circles.is_empty(),
        "{count} circles between files: move the names that both need to a file of their own\n{}",
        circles.join("\n")
    );
}

#[test]
fn no_circle_between_directories() {
    let circles = sources().circles_of_directories();
    let circles: Vec<String> = circles.iter().map(|it| sources().describe(it)).collect();
    let count = circles.len();
    assert!(circles.is_empty(), "{count} circles between directories\n{}", circles.join("\n"));
}

#[test]
fn inherent_impls_are_in_the_file_of_their_type() {
    let known = KNOWN_IMPLS.map(|(path, name, _)| format!("{path}: {name}"));
    let mut found = BTreeSet::new();
    // A macro declares the classes of Python.
    for (_, source) in sources().iter().filter(|(module, _)| room(module) != Some("python")) {
        let path = source.path.display();
        found.extend(source.foreign_impls().iter().map(|it| format!("{path}: {it}")));
    }
    let new: Vec<_> = found.iter().filter(|it| !known.contains(it)).collect();
    assert!(new.is_empty(), "impl of a type of another file: {new:#?}");
    let old: Vec<_> = known.iter().filter(|it| !found.contains(*it)).collect();
    assert!(old.is_empty(), "remove from KNOWN_IMPLS: {old:#?}");
}

/// A new language is a row of the table, so that no other code matches on formats.
#[test]
fn formats_are_named_only_in_their_room() {
    let outside = sources().iter().filter(|(module, source)| {
        !matches!(room(module), Some("format" | "python")) && !source.path.ends_with("tests.rs")
    });
    let found: BTreeSet<_> = outside
        .flat_map(|(_, source)| {
            let names = source.names_in("Format");
            let is_format = |name: &&str| name.starts_with(char::is_uppercase);
            let names = names.filter(is_format);
            names.map(|name| (source.path.to_str().expect("UTF-8"), name))
        })
        .collect();
    assert_eq!(found, BTreeSet::from(KNOWN_FORMATS), "ask the row of the language");
}

#[test]
fn source_files_have_at_most_500_code_lines() {
    for (_, source) in sources().iter() {
        let (path, lines) = (&source.path, source.code_lines);
        let is_known = KNOWN_LONG.iter().any(|(known, _)| path == Path::new(known));
        let path = path.display();
        assert!(lines <= 500 || is_known, "{path} has {lines} code lines: divide it");
        assert!(
            lines > 500 || !is_known,
            "{path} has {lines} code lines: remove it from KNOWN_LONG"
        );
    }
    for (known, _) in KNOWN_LONG {
        let mut sources = sources().iter();
        assert!(
            sources.any(|(_, source)| source.path == Path::new(known)),
            "{known} is in KNOWN_LONG but is not a source file"
        );
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
            Regex::new(r"is_terminal|io::std(out|err)").expect("a regex"),
        ),
        (
            "processes",
            Regex::new(r"std::env|std::process|(^|[^:])\bprocess::").expect("a regex"),
        ),
    ];
    let table = table();
    for (module, source) in sources().iter() {
        let Some((room, (_, allowed))) = room(module).map(|name| (name, &table[name])) else {
            continue;
        };
        let code = code(&source.path);
        for (name, mark) in &marks {
            let is_known = KNOWN_SYSTEM
                .iter()
                .any(|(path, known, _)| source.path.as_path() == Path::new(path) && known == name);
            assert!(
                allowed.contains(*name) || is_known || !mark.is_match(&code),
                "{}: ARCHITECTURE.md does not list \"{name}\" for {room}",
                source.path.display()
            );
        }
    }
}

#[test]
fn source_files_have_at_most_700_lines() {
    for (_, source) in sources().iter() {
        let path = &source.path;
        let lines = fs::read_to_string(path).expect("readable").lines().count();
        assert!(lines <= 700, "{} has {lines} lines: divide it", path.display());
    }
}
