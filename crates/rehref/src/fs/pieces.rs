//! The content of a file after changes.

use std::io::{self, BufWriter, Write};
use std::ops::Range;

/// The pieces of a content after these changes.
pub(crate) fn pieces<'b, 'n: 'b>(
    old: &'b [u8],
    changes: impl IntoIterator<Item = (Range<usize>, &'n [u8])>,
) -> impl Iterator<Item = &'b [u8]> {
    let mut changes = changes.into_iter();
    let mut copied = 0;
    let mut next: Option<&'b [u8]> = None;
    let mut is_whole = false;
    std::iter::from_fn(move || {
        if let Some(new) = next.take() {
            return Some(new);
        }
        let Some((range, new)) = changes.next() else {
            let rest = &old[copied..];
            return (!std::mem::replace(&mut is_whole, true)).then_some(rest);
        };
        next = Some(new);
        let kept = &old[copied..range.start];
        copied = range.end;
        Some(kept)
    })
}

/// Writes pieces of a content that has at most this length.
pub(super) fn write_pieces<'p>(
    pieces: impl IntoIterator<Item = &'p [u8]>,
    most: usize,
    out: impl Write,
) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(most.min(1 << 16), out);
    for piece in pieces {
        out.write_all(piece)?;
    }
    out.flush()
}
