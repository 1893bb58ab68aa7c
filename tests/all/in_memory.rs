//! Bytes in memory have the links, warnings and errors of a file with these bytes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rehref::fs::{Item, Memory};
use rehref::jobs::{Extract, ExtractEvent};

/// The events of a run over one item.
fn events(item: Item) -> Vec<String> {
    let mut extract = Extract::new();
    extract.inputs.items.push(item);
    let mut events = Vec::new();
    extract.for_each(|event| {
        events.push(match event {
            ExtractEvent::Link(link, charset) => format!(
                "{} {} {:?} {charset}",
                link.document().name(),
                link.url_or_reference(),
                link.spans()
            ),
            ExtractEvent::DocumentEnd(document) => document.name().to_string(),
            event => format!("{event:?}"),
        });
    });
    events
}

#[test]
fn text_with_nul_is_read_if_it_is_known_to_be_text() {
    let links = |is_text| {
        let mut extract = Extract::new();
        extract.inputs.read.is_text = is_text;
        extract.inputs.items.push(Item::Memory(Memory::new("-", *b"http://a.example/ \0")));
        extract.for_each(|_| {}).links
    };
    assert_eq!((links(false), links(true)), (0, 1));
}

fn files_below(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in directory.read_dir().expect("a directory").flatten() {
        match entry.path() {
            path if path.is_dir() => files_below(&path, files),
            path => files.push(path),
        }
    }
}

#[test]
fn bytes_in_memory_are_read_as_a_file() {
    let mut files = Vec::new();
    for directory in ["compressed", "html", "mail", "sites", "text", "warc"] {
        files_below(&Path::new("corpus").join(directory), &mut files);
    }
    let mut links = 0;
    for path in files {
        let bytes: Arc<[u8]> = std::fs::read(&path).expect("a fixture").into();
        let found = events(Item::Memory(Memory::new(&path, bytes)));
        // Its archives are read by their offsets in a file.
        if path.extension().is_some_and(|it| it == "wacz") {
            assert!(found.iter().any(|it| it.contains("a WACZ")), "{found:?}");
            continue;
        }
        links += found.len();
        assert_eq!(found, events(Item::Path(path)));
    }
    assert!(links > 1000, "{links}");
}
