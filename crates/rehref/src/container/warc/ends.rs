//! The ends of heads and blocks, and the rest of long blocks.

use std::io;

use memchr::memchr;

use super::MAX_HEAD;
use super::batch::Piece;
use super::first_line::version_len;
use super::flaw::FlawKind;
use super::inflated::{Form, Inflated};
use super::window::{Start, Window};

/// The maximum number of bytes of the two line ends after a block.
pub(super) const SEPARATOR: u64 = 4;

/// Lines that do not end a head. A head that may begin in them continues after them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines {
    from: u64,
    /// The last line.
    line: u64,
    /// The last line has no end before this position.
    searched: u64,
}

impl Lines {
    /// The position after the head of the record at `start`. If it has no end, the flaw, and the
    /// position to continue at. `self` has the lines of the last head that was too long.
    pub(super) fn head_end(
        &mut self,
        inflated: &mut Inflated,
        start: u64,
    ) -> io::Result<Result<u64, (FlawKind, u64)>> {
        let own = match version_len(inflated.window.from(start)) {
            Some(_) => Form::Warc,
            None => Form::Arc,
        };
        let is_arc = *inflated.form.get_or_insert(own) == Form::Arc;
        let mut lines = match *self {
            known if (known.from..known.line).contains(&start) => known,
            _ => Self { from: start, line: start, searched: start },
        };
        let limit = start + MAX_HEAD as u64;
        let end = loop {
            let bytes = inflated.window.range(lines.searched, limit);
            if let Some(len) = memchr(b'\n', bytes) {
                let end = lines.searched + len as u64;
                let line = inflated.window.range(lines.line, end);
                let is_blank = line.iter().all(|&byte| byte == b'\r');
                lines.line = end + 1;
                lines.searched = lines.line;
                if is_blank || is_arc {
                    break lines.line;
                }
                continue;
            }
            lines.searched += bytes.len() as u64;
            if lines.searched >= limit {
                *self = lines;
                return Ok(Err((FlawKind::LongHead, start + 1)));
            }
            if inflated.window.is_ended {
                return Ok(Err((FlawKind::TruncatedRecord, inflated.window.end())));
            }
            inflated.fill()?;
        };
        Ok(match inflated.watch(start + 1, end)? {
            Some(member) => Err((FlawKind::TruncatedRecord, member.at)),
            None => Ok(end),
        })
    }
}

/// The end of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) at: u64,
    /// The position at which the next record is searched.
    pub(super) next: u64,
    pub(super) is_cut: bool,
    pub(super) flaw: Option<FlawKind>,
}

impl End {
    /// The end by `Content-Length`.
    pub(super) fn claimed(at: u64) -> Self {
        Self { at, next: at, is_cut: false, flaw: None }
    }

    /// The end of the block at `from` at a member that begins with a record or after a gap.
    pub(super) fn at_member(inflated: &Inflated, from: u64, member: Start) -> Self {
        Self {
            at: match member.is_gap {
                true => member.at,
                false => inflated.without_separator(from, member.at),
            },
            next: member.at,
            is_cut: member.is_gap,
            flaw: (!member.is_gap).then_some(FlawKind::Length),
        }
    }

    /// The end of the block at `from` before the record at `next`.
    pub(super) fn before(inflated: &Inflated, from: u64, next: u64) -> Self {
        Self {
            at: inflated.without_separator(from, next),
            next,
            is_cut: false,
            flaw: Some(FlawKind::Length),
        }
    }
}

/// The rest of a block that is delivered in pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    /// The position of the first byte that was not delivered.
    from: u64,
    /// True if the record was delivered.
    is_begun: bool,
    end: Option<RestEnd>,
}

#[derive(Clone, Copy, Debug)]
struct RestEnd {
    at: u64,
    is_cut: bool,
}

impl Rest {
    /// The rest that begins at this position.
    pub(super) fn from(from: u64) -> Self {
        Self { from, is_begun: false, end: None }
    }

    /// The position of the first byte that was not delivered.
    pub(super) fn start(&self) -> u64 {
        self.from
    }

    /// Returns true if the record was delivered.
    pub(super) fn is_begun(&self) -> bool {
        self.is_begun
    }

    pub(super) fn is_ended(&self) -> bool {
        self.end.is_some()
    }

    pub(super) fn end(&mut self, at: u64, is_cut: bool) {
        self.end = Some(RestEnd { at, is_cut });
    }

    /// The next piece of the rest, and the position up to which bytes are delivered. `next` is the
    /// position up to which they were read.
    pub(super) fn piece(rest: &mut Option<Self>, window: &Window, next: u64) -> (Piece, u64) {
        let Some(own) = rest else {
            return (Piece::default(), next);
        };
        let index = |at: u64| window.index(at);
        if !own.is_begun {
            own.is_begun = true;
            let piece = Piece { continues: true, ..Piece::default() };
            return (piece, own.from);
        }
        if let Some(end) = own.end {
            let piece = Piece {
                bytes: index(own.from)..index(end.at.max(own.from)),
                continues: false,
                is_cut: end.is_cut,
            };
            *rest = None;
            return (piece, next);
        }
        // The line ends after a block are not part of it.
        let until = next.saturating_sub(SEPARATOR).max(own.from);
        let piece = Piece { bytes: index(own.from)..index(until), continues: true, is_cut: false };
        own.from = until;
        (piece, until)
    }
}
