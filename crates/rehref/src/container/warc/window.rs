//! Inflated bytes that were not delivered yet, with the positions at which members begin.

use std::collections::VecDeque;

use super::batch::Spares;

/// The number of bytes that are inflated at once.
pub(super) const PIECE: usize = 64 << 10;

/// The maximum number of bytes that the buffer grows by at once. A block has a limit, so it grows
/// only a few times.
const MAX_STEP: usize = 2 << 20;

/// A part of the inflated bytes of an archive. Positions count them from the first byte of the
/// archive or slice.
#[derive(Default)]
pub(super) struct Window {
    /// Bytes before `len` are inflated ones.
    buffer: Vec<u8>,
    len: usize,
    /// The position of the first byte.
    base: u64,
    starts: VecDeque<Start>,
    /// True if no more bytes follow.
    pub(super) is_ended: bool,
    /// The buffers that are used again.
    spares: Spares,
}

/// The position at which a gzip member or zstd frame begins, or at which a damaged one ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Start {
    /// The position in the inflated bytes.
    pub(super) at: u64,
    /// The offset in the file.
    pub(super) offset: u64,
    /// True if bytes are missing before it, so that no record continues after it.
    pub(super) is_gap: bool,
}

impl Window {
    /// Uses these buffers from here on. The window is empty.
    pub(super) fn set_spares(&mut self, spares: Spares) {
        self.buffer = spares.take();
        self.spares = spares;
    }

    /// The buffers that are used again.
    pub(super) fn spares(&self) -> &Spares {
        &self.spares
    }

    /// The position of the first byte.
    pub(super) fn base(&self) -> u64 {
        self.base
    }

    /// The position after the last byte.
    pub(super) fn end(&self) -> u64 {
        self.base + self.len as u64
    }

    /// The bytes from this position on.
    pub(super) fn from(&self, position: u64) -> &[u8] {
        &self.buffer[self.index(position)..self.len]
    }

    /// The bytes of this range of positions.
    pub(super) fn range(&self, start: u64, end: u64) -> &[u8] {
        &self.buffer[self.index(start)..self.index(end)]
    }

    /// The index of a position in the bytes that [`take`](Self::take) returns.
    pub(super) fn index(&self, position: u64) -> usize {
        (position.saturating_sub(self.base) as usize).min(self.len)
    }

    /// Room for at least this number of bytes.
    pub(super) fn room(&mut self, needed: usize) -> &mut [u8] {
        if self.buffer.len() < self.len + needed {
            let step = (self.buffer.len() / 2).min(MAX_STEP);
            let len = (self.len + needed).max(self.buffer.len() + step);
            self.buffer.reserve_exact(len - self.buffer.len());
            self.buffer.resize(len, 0);
        }
        &mut self.buffer[self.len..]
    }

    /// Adds bytes that were written to the room.
    pub(super) fn added(&mut self, len: usize) -> &[u8] {
        self.len += len;
        &self.buffer[self.len - len..self.len]
    }

    /// Begins a member at this offset of the file.
    pub(super) fn begin_member(&mut self, offset: u64) {
        self.start(offset, false);
    }

    /// Ends a member that is damaged or truncated.
    pub(super) fn gap(&mut self, offset: u64) {
        self.start(offset, true);
    }

    fn start(&mut self, offset: u64, is_gap: bool) {
        let start = Start { at: self.end(), offset, is_gap };
        match self.starts.back_mut() {
            // The last member is empty.
            Some(last) if last.at == start.at && last.is_gap == is_gap => *last = start,
            _ => self.starts.push_back(start),
        }
    }

    /// Returns true if the last member, which begins at this offset of the file, has bytes.
    pub(super) fn has_bytes_from(&self, offset: u64) -> bool {
        let is_last = |start: &&Start| start.offset == offset && !start.is_gap;
        let last = self.starts.iter().rev().find(is_last);
        last.is_none_or(|start| start.at < self.end())
    }

    /// The member that contains a position: the last one that begins at or before it.
    pub(super) fn member_at(&self, position: u64) -> Option<Start> {
        let begun = self.starts.partition_point(|start| start.at <= position);
        self.starts.range(..begun).rfind(|start| !start.is_gap).copied()
    }

    /// The first start at or after this position.
    pub(super) fn start_from(&self, position: u64) -> Option<Start> {
        let first = self.starts.partition_point(|start| start.at < position);
        self.starts.get(first).copied()
    }

    /// Returns true if the window has only one start, of a member that begins at the first byte.
    pub(super) fn has_one_member(&self) -> bool {
        self.starts.len() == 1 && self.starts[0].offset == 0
    }

    /// Removes the bytes before a position and returns them, in a buffer that may be longer.
    pub(super) fn take(&mut self, position: u64) -> Vec<u8> {
        let taken = self.index(position);
        let mut next = self.spares.take();
        let rest = &self.buffer[taken..self.len];
        if next.len() < rest.len() {
            next.resize(rest.len() + PIECE, 0);
        }
        next[..rest.len()].copy_from_slice(rest);
        self.len -= taken;
        self.base += taken as u64;
        self.forget();
        std::mem::replace(&mut self.buffer, next)
    }

    /// Removes the bytes before a position.
    pub(super) fn drop_before(&mut self, position: u64) {
        let dropped = self.index(position);
        self.buffer.copy_within(dropped..self.len, 0);
        self.len -= dropped;
        self.base += dropped as u64;
        self.forget();
    }

    /// Removes the starts of members that have ended.
    fn forget(&mut self) {
        let current = self.starts.partition_point(|start| start.at <= self.base);
        let current = self.starts.range(..current).rposition(|start| !start.is_gap);
        self.starts.drain(..current.unwrap_or(0));
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        self.spares.put(std::mem::take(&mut self.buffer));
    }
}
