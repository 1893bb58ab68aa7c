//! Documents that are not of their format.

use crate::bytes::Position;
use crate::document::Document;
use crate::error::ErrorKind;

/// The fault that keeps a document from being one of its format.
pub(super) fn fault_of(document: &Document) -> Option<ErrorKind> {
    let (offset, problem) = document.format().fault(document.source())?;
    let starts = document.lines().line_starts();
    let line = starts.partition_point(|&start| start <= offset);
    let column = offset - starts[line - 1] + 1;
    let position = Position { line, column };
    Some(ErrorKind::Syntax { position, problem })
}
