//! The inflated bytes of an archive: loading them, and searching records in them.

use std::io;

use super::first_line::version_len;
use super::flaw::Flaw;
use super::members::Members;
use super::start::{self, Found, LOOKAHEAD};
use super::window::{Start, Window};

/// The maximum number of blank lines that may follow a block, in bytes.
const MAX_SEPARATOR: u64 = 64;

/// The inflated bytes of an archive from a position on, which are loaded on demand.
pub(super) struct Inflated {
    pub(super) members: Members,
    pub(super) window: Window,
    pub(super) is_compressed: bool,
    /// True if the file name identifies ARC. A line of a damaged page may look like a record of
    /// ARC, so without this name it does not count.
    is_named_arc: bool,
    /// The form of the first record.
    pub(super) form: Option<Form>,
    /// Flaws that were found while inflating.
    pub(super) flaws: Vec<Flaw>,
    /// The error that ended the bytes of the archive. It comes after the records before it.
    pub(super) failure: Option<io::Error>,
}

/// The form of the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Warc,
    Arc,
}

impl Inflated {
    pub(super) fn new(members: Members, is_named_arc: bool) -> Self {
        Self {
            is_named_arc,
            members,
            window: Window::default(),
            is_compressed: false,
            form: None,
            flaws: Vec::new(),
            failure: None,
        }
    }

    /// Reads the beginning.
    pub(super) fn detect(&mut self) -> io::Result<()> {
        self.is_compressed = match self.members.detect() {
            Ok(is_compressed) => is_compressed,
            Err(error) => {
                self.fail(error)?;
                self.members.detect()?
            }
        };
        Ok(())
    }

    /// Loads more bytes.
    pub(super) fn fill(&mut self) -> io::Result<()> {
        let filled = self.members.fill(&mut self.window, &mut self.flaws);
        filled.or_else(|error| self.fail(error))
    }

    /// Continues with the bytes that were read before the first error.
    fn fail(&mut self, error: io::Error) -> io::Result<()> {
        if self.failure.is_some() {
            return Err(error);
        }
        self.failure = Some(error);
        self.members.end_early();
        Ok(())
    }

    /// The bytes from a position on: at least `len` of them, unless the archive ends.
    pub(super) fn load(&mut self, position: u64, len: usize) -> io::Result<&[u8]> {
        while self.window.end() < position + len as u64 && !self.window.is_ended {
            self.fill()?;
        }
        Ok(self.window.from(position))
    }

    /// The offsets of a record at this position: in the file, and in its member.
    pub(super) fn offsets(&self, position: u64) -> (u64, u64) {
        match self.window.member_at(position) {
            Some(start) if self.is_compressed => (start.offset, position - start.at),
            Some(start) => (start.offset + position, 0),
            None => (0, position),
        }
    }

    pub(super) fn begins_record(&mut self, position: u64) -> io::Result<bool> {
        let form = self.form;
        let bytes = self.load(position, LOOKAHEAD)?;
        Ok(match form {
            None => start::begins_record(bytes),
            Some(Form::Warc) => version_len(&bytes[start::blank_len(bytes)..]).is_some(),
            Some(Form::Arc) => start::begins_arc_record(&bytes[start::blank_len(bytes)..]),
        })
    }

    /// Returns true if the archive ends here within the first line of a record.
    pub(super) fn is_cut_first_line(&self, position: u64) -> bool {
        let line = self.window.from(position);
        if !self.window.is_ended || line.len() > LOOKAHEAD || line.contains(&b'\n') {
            return false;
        }
        match self.form {
            Some(Form::Arc) => line.iter().all(|byte| !byte.is_ascii_control()),
            _ => b"WARC/".starts_with(line) || line.len() < 12 && line.starts_with(b"WARC/"),
        }
    }

    /// Finds the first record in the window at or after a position.
    pub(super) fn find_record(&self, position: u64) -> Found {
        let (bytes, complete) = (self.window.from(position), self.window.is_ended);
        match self.form {
            Some(Form::Arc) => start::find_arc_record(bytes, complete),
            None if self.is_named_arc => start::find_any_record(bytes, complete),
            Some(Form::Warc) | None => start::find_record(bytes, complete),
        }
    }

    /// Returns true if a record at this position begins its member, perhaps after blank lines.
    pub(super) fn is_first_in_member(&self, position: u64) -> bool {
        self.window.member_at(position).is_some_and(|start| {
            let before = self.window.range(start.at, position);
            start.at >= self.window.base() && start::blank_len(before) == before.len()
        })
    }

    /// Finds the first member that begins in `from..until` with a record or after a gap.
    pub(super) fn watch(&mut self, from: u64, until: u64) -> io::Result<Option<Start>> {
        let mut from = from;
        loop {
            while let Some(start) = self.window.start_from(from) {
                if start.at >= until {
                    break;
                }
                if start.is_gap || self.begins_record(start.at)? {
                    return Ok(Some(start));
                }
                from = start.at + 1;
            }
            if self.window.end() >= until || self.window.is_ended {
                return Ok(None);
            }
            self.fill()?;
        }
    }

    /// The end of a block before the next record at `next`: without the blank lines between.
    pub(super) fn without_separator(&self, from: u64, next: u64) -> u64 {
        let block = self.window.range(from, next);
        let separators: [&[u8]; 2] = [b"\r\n\r\n", b"\n\n"];
        let len = separators.iter().find(|it| block.ends_with(it)).map_or(0, |it| it.len());
        next - len as u64
    }

    /// Returns true if the block at `from` ends at `claimed`: the member, the archive, or blank
    /// lines and the next record follow. If members have several records, two line ends are enough,
    /// unless a record begins in the block.
    pub(super) fn is_proved(
        &mut self,
        from: u64,
        claimed: u64,
        is_aligned: bool,
    ) -> io::Result<bool> {
        let rest = self.load(claimed, 4)?;
        let is_separated = rest.starts_with(b"\r\n\r\n") || rest.starts_with(b"\n\n");
        let mut at = claimed;
        loop {
            let rest = self.load(at, 1)?;
            let Some(&byte) = rest.first() else {
                return Ok(true);
            };
            if at - claimed == MAX_SEPARATOR || !matches!(byte, b'\r' | b'\n') {
                break;
            }
            at += 1;
        }
        let ends_member = |start: Start| start.at <= at;
        if self.window.start_from(claimed).is_some_and(ends_member) {
            return Ok(true);
        }
        if self.begins_record(at)? || at > claimed && self.is_cut_first_line(at) {
            return Ok(true);
        }
        let is_arc = self.form == Some(Form::Arc);
        let begins_within = || match self.find_record(from) {
            Found::At(at) => from + (at as u64) < claimed,
            Found::NotBefore(_) => false,
        };
        Ok(is_separated && !is_aligned && !is_arc && !begins_within())
    }
}
