//! Adjacent messages of a mailbox, and their lines.

use std::ffi::OsString;
use std::fmt::Write;

use crate::bytes::{LineIndex, Position, Span};
use crate::source::MailPart;

/// Adjacent messages of a mailbox.
#[derive(Clone, Debug)]
pub struct Batch {
    pub(super) bytes: Vec<u8>,
    pub(super) offset: u64,
    /// The line of the first byte, from 1 at the first byte of the reader, if lines are counted.
    pub(super) line: usize,
    pub(super) number: usize,
    /// The end of each message.
    pub(super) ends: Vec<MessageEnd>,
    /// True if the last message is truncated.
    pub(super) is_cut: bool,
}

/// The end of a message in a batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct MessageEnd {
    pub(super) at: usize,
    pub(super) may_have_quotes: bool,
}

/// A message as stored in its mailbox or file.
#[derive(Clone, Copy, Debug)]
pub struct RawMessage<'b> {
    /// The bytes, with the separator before the message.
    pub bytes: &'b [u8],
    /// The number of the message in the file or slice, from 1.
    pub number: usize,
    /// The offset of the first byte in the file, from 0. In compressed files, an offset of the
    /// decompressed bytes.
    pub offset: u64,
    /// True if lines that begin with `From ` may be quoted in it.
    pub may_have_quotes: bool,
    /// True if the message was truncated to [`MAX_MESSAGE`](super::MAX_MESSAGE).
    pub is_cut: bool,
}

/// The names of the messages of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MessageNames {
    /// Numbers in the file, from 1: `FILE!3`.
    #[default]
    Numbers,
    /// Byte offsets in the file, which are the same in each of its slices: `FILE!@1024`.
    Offsets,
}

impl RawMessage<'_> {
    /// Appends the name of the message to that of its file.
    pub fn append_name(&self, names: MessageNames, file: &mut OsString) {
        // Writing to memory does not fail.
        let _ = match names {
            MessageNames::Numbers => write!(file, "!{}", self.number),
            MessageNames::Offsets => write!(file, "!@{}", self.offset),
        };
    }

    /// The number of the message in the file, if messages are named by it.
    pub fn number_in_file(&self, names: MessageNames) -> Option<usize> {
        (names == MessageNames::Numbers).then_some(self.number)
    }
}

impl Batch {
    /// A batch of one message, at `offset` of its file.
    pub fn of_one(bytes: Vec<u8>, offset: u64, is_cut: bool) -> Self {
        Self {
            ends: vec![MessageEnd { at: bytes.len(), may_have_quotes: true }],
            bytes,
            offset,
            line: 1,
            number: 1,
            is_cut,
        }
    }

    /// The messages.
    pub fn messages(&self) -> impl Iterator<Item = RawMessage<'_>> {
        (0..self.ends.len()).filter_map(|at| self.message(at))
    }

    /// The message at this index, from 0.
    pub fn message(&self, at: usize) -> Option<RawMessage<'_>> {
        let end = self.ends.get(at)?;
        let start = at.checked_sub(1).map_or(0, |last| self.ends[last].at);
        Some(RawMessage {
            bytes: &self.bytes[start..end.at],
            may_have_quotes: end.may_have_quotes,
            number: self.number + at,
            offset: self.offset + start as u64,
            is_cut: self.is_cut && at + 1 == self.ends.len(),
        })
    }

    /// The length of all messages, in bytes.
    pub fn byte_len(&self) -> usize {
        self.bytes.len()
    }

    /// The end of the batch in the mailbox, as a byte offset.
    pub fn end(&self) -> u64 {
        self.offset + self.bytes.len() as u64
    }
}

/// The lines of the messages of a batch in their file.
#[derive(Debug)]
pub struct MailLines {
    /// The offset of the first byte in the file.
    offset: u64,
    /// Its line, from 1.
    line: usize,
    /// The offsets of all lines in the batch.
    starts: Vec<usize>,
}

impl MailLines {
    /// The lines of the messages of a batch of a reader that [counts
    /// lines](super::Mbox::counting_lines). Cost: one pass over its bytes, and 8 bytes of memory
    /// per line.
    pub fn new(batch: &Batch) -> Self {
        Self {
            offset: batch.offset,
            line: batch.line,
            starts: LineIndex::new(&batch.bytes).line_starts(),
        }
    }

    /// The line and column in the file of a span of a part. For a part in base64, whose bytes do
    /// not show the span, it is the last line of the header before the part.
    pub fn position(&self, part: &MailPart, span: Span) -> Position {
        match part.covers() {
            true => {
                let body = self.line_at(part.file_start());
                // An empty line is between.
                let header = body.saturating_sub(2);
                Position { line: self.line + header, column: 1 }
            }
            false => {
                let [offset, _] = part.file_range(span);
                let at = self.line_at(offset);
                let column = self.in_batch(offset) - self.starts[at] + 1;
                Position { line: self.line + at, column }
            }
        }
    }

    /// The number of the line of a byte of the file, from 0 at the first line of the batch.
    fn line_at(&self, offset: u64) -> usize {
        let offset = self.in_batch(offset);
        self.starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    fn in_batch(&self, offset: u64) -> usize {
        usize::try_from(offset.saturating_sub(self.offset)).unwrap_or(usize::MAX)
    }
}
