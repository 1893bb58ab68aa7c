//! Bodies that are joined from the parts in several captures (RFC 9110, section 15.3.7.3).

use std::cmp::Reverse;
use std::collections::HashMap;

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

/// A joined body.
#[derive(Debug)]
pub(super) struct Joined {
    /// The pieces in the order of their offsets, without gaps. There are at least two.
    pub(super) pieces: Vec<Piece>,
    pub(super) is_whole: bool,
}

/// The joined bodies, by the number of the capture with the first piece. Of the parts with one
/// validator, those from the first byte up to the first gap are joined.
///
/// Cost: n log n for n parts.
pub(super) fn joined(captures: &Captures) -> HashMap<u32, Joined> {
    let mut joined = HashMap::new();
    let url = |part: &StoredPart| captures.stored[part.capture as usize].url;
    let body = |part: &StoredPart| (url(part), part.validator, part.total);
    let mut parts: Vec<StoredPart> = captures.parts.clone();
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
        if pieces.len() > 1 {
            joined.insert(first.capture, Joined { pieces, is_whole: end == first.total });
        }
    }
    joined
}
