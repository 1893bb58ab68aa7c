//! A file with redirects.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::path::Path;

use super::entries::{Entries, Insertion};
use crate::bytes::LineIndex;
use crate::error::{Error, ErrorKind};

/// Redirects, and the addresses without one.
#[derive(Default)]
pub(in crate::jobs) struct RedirectFiles {
    pub(in crate::jobs) files: Vec<RedirectFile>,
    /// The percent-encoded paths that no rule of the server can name.
    pub(in crate::jobs) without_rule: Vec<String>,
}

/// The redirects for existing files, by their paths after the moves.
pub(in crate::jobs) type AddedRedirects = HashMap<Vec<u8>, RedirectFile>;

/// A file with redirects.
pub(in crate::jobs) struct RedirectFile {
    /// The path below the root.
    pub(in crate::jobs) path: Vec<u8>,
    /// The text to append, or all of it.
    pub(in crate::jobs) text: Vec<u8>,
    /// The beginnings of lines that would redirect from an existing file after the moves.
    pub(in crate::jobs) hiding: Vec<Vec<u8>>,
    /// The entries for an existing file of a documentation site, instead of the text.
    pub(in crate::jobs) entries: Option<Entries>,
}

impl RedirectFile {
    /// Returns the bytes to insert into a file with the content `old`, with its line ends, and their
    /// offset.
    ///
    /// # Errors
    /// If the file is UTF-16, which no server reads as rules, or if it has no place for the entries
    /// of a site.
    pub(in crate::jobs) fn added_to(
        &self,
        name: &Path,
        old: &[u8],
        is_utf16: bool,
    ) -> Result<(usize, Vec<u8>), Error> {
        let refused = |why: &str| Error::new(name, ErrorKind::Write(io::Error::other(why)));
        if is_utf16 || old.starts_with(b"\xFF\xFE") || old.starts_with(b"\xFE\xFF") {
            return Err(refused("it is UTF-16, which no server reads as rules"));
        }
        let line_end: &[u8] = match memchr::memmem::find(old, b"\r\n") {
            Some(_) => b"\r\n",
            None => b"\n",
        };
        let (offset, mut added, text) = match &self.entries {
            Some(entries) => {
                let text = std::str::from_utf8(old).map_err(|_| refused("it is not UTF-8"))?;
                let Insertion { offset, text } = entries.in_text(text).map_err(refused)?;
                (offset, Vec::new(), Cow::Owned(text.into_bytes()))
            }
            None => {
                let unended = old.last().is_some_and(|last| *last != b'\n');
                let end = if unended { line_end.to_vec() } else { Vec::new() };
                (old.len(), end, Cow::Borrowed(&self.text))
            }
        };
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            match line.strip_suffix(b"\n") {
                Some(line) => added.extend_from_slice(&[line, line_end].concat()),
                None => added.extend_from_slice(line),
            }
        }
        Ok((offset, added))
    }

    /// Returns the lines of earlier runs, from 1, that redirect from an existing file after the moves.
    pub(in crate::jobs) fn stale_lines(&self, old: &[u8]) -> Vec<usize> {
        if let Some(entries) = &self.entries {
            let offsets = std::str::from_utf8(old).map(|text| entries.stale(text));
            let mut lines = LineIndex::new(old);
            let line = |at| lines.position(at).line;
            return offsets.unwrap_or_default().into_iter().map(line).collect();
        }
        let is_hiding = |line: &[u8]| self.hiding.iter().any(|it| line.starts_with(it));
        let lines = old.split(|&byte| byte == b'\n').zip(1..);
        lines.filter(|(line, _)| is_hiding(line)).map(|(_, number)| number).collect()
    }
}
