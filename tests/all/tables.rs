//! The tables of the corpus.

use std::fs;
use std::path::{Path, PathBuf};

/// A file of a table.
pub(crate) struct Table {
    pub(crate) path: PathBuf,
    /// The name in messages: `corpus/DIRECTORY/NAME`.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// The tables of a directory of the corpus with this extension, sorted by name. Panics if there are
/// none.
pub(crate) fn tables(directory: &str, extension: &str) -> Vec<Table> {
    let has_extension = |path: &Path| path.extension().is_some_and(|it| it == extension);
    let tables = all_tables(directory).into_iter();
    let tables: Vec<Table> = tables.filter(|table| has_extension(&table.path)).collect();
    assert!(!tables.is_empty(), "corpus/{directory} holds no table");
    tables
}

/// All files of a directory of the corpus, sorted by name.
pub(crate) fn all_tables(directory: &str) -> Vec<Table> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(directory);
    let mut paths: Vec<PathBuf> = fs::read_dir(&path)
        .unwrap_or_else(|error| panic!("corpus/{directory}: {error}"))
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let file = path.file_name().unwrap_or_default().display();
        let name = format!("corpus/{directory}/{file}");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        Table { path, name, text }
    };
    paths.into_iter().map(read).collect()
}

/// Checks tables. `run` is given the name and the text of a table, appends failures, and returns
/// the number of cases.
pub(crate) fn run_all(tables: &[Table], run: impl Fn(&str, &str, &mut String) -> usize) {
    let mut failures = String::new();
    for Table { name, text, .. } in tables {
        if run(name, text, &mut failures) == 0 {
            failures.push_str(&format!("{name}:1: no case\n"));
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}
