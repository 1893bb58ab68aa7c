//! Accepted findings of a check.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::check::Broken;
use crate::error::Error;
use crate::fs::{bytes_of_list, directory_of};

/// The first line of a baseline.
const HEAD: &str = "# rehref check: accepted findings, as document, reason and reference";

/// Findings of a [`Check`](super::Check) that are accepted, such as the broken links of an old
/// site.
///
/// A file has a line for each finding, in order: the document, the reason and the reference, with a
/// tab between them. It has no line numbers, so that it holds when documents are edited elsewhere.
/// A line accepts all equal links of its document. Paths of documents are relative to the directory
/// of the file.
#[derive(Debug, Default)]
pub struct Baseline {
    /// The directory of the file, without symbolic links.
    directory: PathBuf,
    /// The lines, and whether each was found again.
    lines: BTreeMap<String, AtomicBool>,
    /// The documents that were checked.
    checked: Mutex<HashSet<String>>,
}

/// The reason that a baseline cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum BaselineError {
    /// The file cannot be read.
    File(Error),
    /// The file is not a baseline.
    NotABaseline(PathBuf),
    /// A line is malformed. Its number, from 1.
    Line(PathBuf, usize),
}

impl fmt::Display for BaselineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::NotABaseline(path) => write!(f, "{}: not a baseline", path.display()),
            Self::Line(path, line) => write!(
                f,
                "{}:{line}: not a document, a reason and a reference with tabs between them",
                path.display()
            ),
        }
    }
}

impl std::error::Error for BaselineError {}

impl Baseline {
    /// A baseline without lines, whose file will be at `path`.
    pub fn new(path: &Path) -> Self {
        Self { directory: real(directory_of(path)), ..Self::default() }
    }

    /// Reads a baseline.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a baseline.
    pub fn read(path: &Path) -> Result<Self, BaselineError> {
        let bytes = bytes_of_list(path.as_os_str()).map_err(BaselineError::File)?;
        let text = match String::from_utf8(bytes) {
            Ok(text) if Self::is_baseline(text.as_bytes()) => text,
            _ => return Err(BaselineError::NotABaseline(path.to_owned())),
        };
        let mut baseline = Self::new(path);
        for (number, line) in text.lines().enumerate() {
            if line.starts_with('#') || line.is_empty() {
                continue;
            }
            if line.matches('\t').count() != 2 {
                return Err(BaselineError::Line(path.to_owned(), number + 1));
            }
            baseline.lines.insert(line.to_owned(), AtomicBool::new(false));
        }
        Ok(baseline)
    }

    /// Returns true if a file that begins with these bytes is a baseline, or empty.
    pub fn is_baseline(bytes: &[u8]) -> bool {
        bytes.is_empty() || bytes.starts_with(HEAD.as_bytes())
    }

    /// The content of a file with these lines.
    pub fn text(lines: &BTreeSet<String>) -> String {
        let lines = lines.iter().map(|line| format!("{line}\n"));
        format!("{HEAD}\n{}", lines.collect::<String>())
    }

    /// The line of a broken link.
    pub fn line_of_broken(&self, broken: &Broken<'_>) -> String {
        let document = self.name_of(broken.link.document().path());
        line(&document, broken.why.as_str(), broken.link.reference())
    }

    /// The line of a page without links from other documents.
    pub fn line_of_orphan(&self, page: &Path) -> String {
        line(&self.name_of(page), "orphan", "")
    }

    /// Returns true if a line is accepted. From then on, it is not stale.
    pub(super) fn accepts(&self, line: &str) -> bool {
        let found = self.lines.get(line);
        found.inspect(|it| it.store(true, Ordering::Relaxed)).is_some()
    }

    /// Notes that all findings of a document were reported.
    pub(super) fn set_checked(&self, document: &Path) {
        let name = self.name_of(document);
        self.checked().insert(name);
    }

    /// The lines that no longer have a finding, after a run that found those with `finds` of their
    /// reasons: their document was checked, or does not exist.
    pub(super) fn stale(&self, finds: impl Fn(&str) -> bool) -> Vec<&str> {
        let checked = self.checked();
        let is_stale = |line: &str| {
            let mut parts = line.split('\t');
            let [document, reason] = [(); 2].map(|()| parts.next().unwrap_or_default());
            let is_checked = || finds(reason) && checked.contains(document);
            is_checked() || !self.directory.join(unescaped(document)).exists()
        };
        let lines = self.lines.iter();
        let unused = lines.filter(|(_, is_found)| !is_found.load(Ordering::Relaxed));
        unused.map(|(line, _)| &**line).filter(|line| is_stale(line)).collect()
    }

    fn checked(&self) -> MutexGuard<'_, HashSet<String>> {
        self.checked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The path of a document relative to the directory of the baseline, with `/` between names.
    fn name_of(&self, document: &Path) -> String {
        let parent = real(directory_of(document));
        let common = parent.components().zip(self.directory.components());
        let common = common.take_while(|(one, other)| one == other).count();
        let up = self.directory.components().skip(common).map(|_| Component::ParentDir);
        let down = parent.components().skip(common);
        let file = document.file_name().map(Component::Normal);
        let names = up.chain(down).chain(file);
        let names: Vec<String> =
            names.map(|it| escaped(it.as_os_str().as_encoded_bytes())).collect();
        names.join("/")
    }
}

fn real(directory: &Path) -> PathBuf {
    let absolute = || std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    directory.canonicalize().unwrap_or_else(|_| absolute())
}

fn line(document: &str, reason: &str, reference: &str) -> String {
    format!("{document}\t{reason}\t{}", escaped(reference.as_bytes()))
}

/// A text as a part of a line: `\xHH` for control characters, `\` and bytes that are not UTF-8.
fn escaped(bytes: &[u8]) -> String {
    let mut out = String::new();
    let escape = |out: &mut String, bytes: &[u8]| {
        for byte in bytes {
            // Writing into a `String` cannot fail.
            let _ = write!(out, "\\x{byte:02X}");
        }
    };
    for chunk in bytes.utf8_chunks() {
        for char in chunk.valid().chars() {
            match char.is_control() || char == '\\' {
                true => escape(&mut out, char.encode_utf8(&mut [0; 4]).as_bytes()),
                false => out.push(char),
            }
        }
        escape(&mut out, chunk.invalid());
    }
    out
}

/// The path that [`escaped`] made a part of a line. Other escapes stay.
fn unescaped(text: &str) -> PathBuf {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = rest.strip_prefix(b"\\x").and_then(|it| str::from_utf8(it.get(..2)?).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &rest[4..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    crate::fs::path_of_bytes(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_any_characters_are_read_back() {
        for name in [&b"a b.html"[..], b"x\\y\t\n.html", "\u{e9}\u{85}".as_bytes(), b"\xFF\\x41"] {
            let text = escaped(name);
            assert!(!text.contains(['\t', '\n']), "{text}");
            assert_eq!(unescaped(&text), crate::fs::path_of_bytes(name), "{text}");
        }
    }

    #[test]
    fn documents_are_named_from_the_directory_of_the_baseline() {
        let files = crate::files::Tree::empty();
        files.make("a/b");
        files.make("ci");
        let baseline = Baseline::new(&files.at("ci/links.txt"));
        let document = files.at("a/b/../b/x.html");
        assert_eq!(baseline.line_of_orphan(&document), "../a/b/x.html\torphan\t");
        assert_eq!(baseline.line_of_orphan(&files.at("ci/y.html")), "y.html\torphan\t");
    }
}
