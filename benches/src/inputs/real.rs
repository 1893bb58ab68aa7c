//! Files of directories given on the command line.

use std::fs;
use std::path::{Path, PathBuf};

use rehref::document::Document;
use rehref::format::{Format, is_binary};
use rehref::fs::{Content, Item, ReadOptions, WalkOptions};

/// The UTF-8 pages in a directory. The peers read no other character encoding.
pub(crate) fn pages(directory: &Path) -> Vec<Document> {
    let options = ReadOptions::default();
    let tree = WalkOptions::default();
    let found = tree.walk(vec![Item::Path(directory.into())]);
    let read = found.filter_map(Result::ok).filter_map(|found| match options.read(&found.item) {
        Ok(Content::Document(document)) => Some(document),
        _ => None,
    });
    read.filter(|it| it.format() == Format::Html && std::str::from_utf8(it.bytes()).is_ok())
        .collect()
}

/// The regular files in a directory or the file itself, sorted by path.
pub(crate) fn files(path: &Path) -> Vec<PathBuf> {
    let walk = walkdir::WalkDir::new(path).sort_by_file_name();
    let entries = walk.into_iter().flatten();
    let files = entries.filter(|it| it.file_type().is_file());
    files.map(walkdir::DirEntry::into_path).collect()
}

/// The UTF-8 texts in a directory, one after another.
pub(crate) fn text(path: &Path) -> String {
    let read = files(path).into_iter().filter_map(|it| fs::read_to_string(it).ok());
    read.collect()
}

/// The UTF-8 Markdown in a directory, each file followed by a blank line.
pub(crate) fn markdown(path: &Path) -> Vec<String> {
    let files = files(path).into_iter();
    let files = files.filter(|it| it.extension().is_some_and(|it| it == "md"));
    files.filter_map(|it| Some(fs::read_to_string(it).ok()? + "\n\n")).collect()
}

/// The mail in a directory as one mailbox.
pub(crate) fn mailbox(path: &Path) -> Vec<u8> {
    let mut mailbox = Vec::new();
    for file in files(path) {
        let Ok(bytes) = fs::read(&file) else {
            continue;
        };
        if !Format::detect(&file, &bytes).is_mail() || is_binary(&bytes) {
            continue;
        }
        if !bytes.starts_with(b"From ") {
            mailbox.extend_from_slice(b"From - Mon Jan  1 00:00:00 2024\n");
        }
        mailbox.extend_from_slice(&bytes);
        mailbox.extend_from_slice(b"\n\n");
    }
    mailbox
}
