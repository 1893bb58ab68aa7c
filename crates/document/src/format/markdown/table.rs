//! Tables (GFM, section 4.10).

use super::line::{is_blank, trim_blanks};
use crate::bytes::Span;

/// The number of columns of the table with this delimiter row. `None` if the line is not one.
pub(super) fn delimiter_row(line: &[u8]) -> Option<usize> {
    let mut row = trim_blanks(line);
    if !matches!(row.first(), Some(b'|' | b'-' | b':')) {
        return None;
    }
    let has_pipe = row.contains(&b'|') || row.contains(&b':');
    if !has_pipe || !row.iter().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t')) {
        return None;
    }
    row = row.strip_prefix(b"|").unwrap_or(row);
    row = row.strip_suffix(b"|").unwrap_or(row);
    let is_delimiter = |cell: &[u8]| {
        let cell = trim_blanks(cell);
        let cell = cell.strip_prefix(b":").unwrap_or(cell);
        let cell = cell.strip_suffix(b":").unwrap_or(cell);
        !cell.is_empty() && cell.iter().all(|&byte| byte == b'-')
    };
    row.split(|&byte| byte == b'|')
        .all(is_delimiter)
        .then(|| row.split(|&byte| byte == b'|').count())
}

/// The cells of a row, without the white space around them. `start` is the offset of `line` in the
/// document.
pub(super) fn cells(line: &[u8], start: usize) -> impl Iterator<Item = Span> {
    let mut at = line.iter().take_while(|&&byte| is_blank(byte)).count();
    let end = line.len() - line.iter().rev().take_while(|&&byte| is_blank(byte)).count();
    if line.get(at) == Some(&b'|') {
        at += 1;
    }
    let mut is_last = false;
    std::iter::from_fn(move || {
        if is_last || at >= end {
            return None;
        }
        let from = at;
        loop {
            match line[..end].get(at) {
                None => {
                    is_last = true;
                    break;
                }
                Some(b'|') => break,
                Some(b'\\') if matches!(line[..end].get(at + 1), Some(b'|' | b'\\')) => at += 2,
                Some(_) => at += 1,
            }
        }
        let cell = &line[from..at];
        at += 1;
        let before = cell.iter().take_while(|&&byte| is_blank(byte)).count();
        let trimmed = trim_blanks(cell);
        let from = start + from + before;
        Some(Span::new(from, from + trimmed.len()))
    })
}
