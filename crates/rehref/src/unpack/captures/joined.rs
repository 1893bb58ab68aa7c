//! Bodies that are joined from the parts in several captures (RFC 9110, section 15.3.7.3).

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::RecordPosition;
use super::index::{Captures, StoredPart};

/// A piece of a joined body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The record of the capture.
    pub position: RecordPosition,
    /// The offset of the piece in the body of the record.
    pub skip: u64,
    /// The offset of the piece in the joined body.
    pub offset: u64,
    /// The number of bytes.
    pub len: u64,
}

/// A body that several captures have parts of.
#[derive(Debug)]
pub(super) struct Joined {
    /// The pieces in the order of their offsets, without gaps.
    pub(super) pieces: Vec<Piece>,
    pub(super) is_whole: bool,
}

/// The bodies that several captures have parts of.
#[derive(Debug, Default)]
pub(super) struct JoinedBodies {
    /// By the number of the capture with the first piece.
    bodies: HashMap<u32, Joined>,
    /// For each capture with a part, the one with the first piece.
    first: HashMap<u32, u32>,
}

impl JoinedBodies {
    /// Joins parts with one validator, from the first byte up to the first gap. Those of captures in
    /// `left_out` do not count.
    ///
    /// Cost: n log n for n parts.
    pub(super) fn of(captures: &Captures, left_out: &HashSet<u32>) -> Self {
        let mut joined = Self::default();
        let url = |part: &StoredPart| captures.stored[part.capture as usize].url;
        let body = |part: &StoredPart| (url(part), part.validator, part.total);
        let parts = captures.parts.iter().filter(|it| !left_out.contains(&it.capture));
        let mut parts: Vec<StoredPart> = parts.copied().collect();
        // Of the parts from one offset, the longest is the first, and of these the last capture.
        parts.sort_by_key(|it| (body(it), it.start, Reverse(it.end), Reverse(it.capture)));
        for parts in parts.chunk_by(|one, next| body(one) == body(next)) {
            let [first, others @ ..] = parts else { continue };
            if first.start > 0 || others.is_empty() {
                continue;
            }
            let piece = |part: &StoredPart, offset: u64| Piece {
                position: captures.stored[part.capture as usize].position,
                skip: offset - part.start,
                offset,
                len: part.end - offset,
            };
            let mut pieces = vec![piece(first, 0)];
            let (mut end, mut rest) = (first.end, others);
            // Of those that begin before the end, the one that goes furthest.
            loop {
                let overlapping = rest.partition_point(|it| it.start <= end);
                let longest = rest[..overlapping].iter().max_by_key(|it| it.end);
                let Some(next) = longest.filter(|it| it.end > end) else {
                    break;
                };
                pieces.push(piece(next, end));
                end = next.end;
                rest = &rest[overlapping..];
            }
            let is_whole = end == first.total;
            joined.bodies.insert(first.capture, Joined { pieces, is_whole });
            joined.first.extend(parts.iter().map(|it| (it.capture, first.capture)));
        }
        joined
    }

    /// The capture with the first piece of the body of a capture: itself if its body is not joined.
    pub(super) fn first(&self, capture: u32) -> u32 {
        self.first.get(&capture).copied().unwrap_or(capture)
    }

    /// The joined body with this first piece.
    pub(super) fn get(&self, first: u32) -> Option<&Joined> {
        self.bodies.get(&first)
    }
}
