//! The bytes of an archive file, with a way back to bytes that may be needed again.

use std::io::{self, BufRead, Read};

/// The number of bytes that are read at once.
const CHUNK: usize = 64 << 10;

/// The number of bytes that are kept for a return.
const MAX_KEPT: usize = 1 << 20;

/// A buffered reader that counts its bytes, and can return to a marked position.
pub(super) struct Input {
    reader: Box<dyn Read + Send>,
    /// Bytes before `len` are of the file.
    buffer: Vec<u8>,
    len: usize,
    /// The first byte that was not consumed.
    next: usize,
    /// The first byte that is kept.
    kept: usize,
    /// The offset of the buffer in the file.
    offset: u64,
    is_ended: bool,
}

impl Input {
    /// A reader of bytes that begin at `offset` of their file.
    pub(super) fn new(reader: Box<dyn Read + Send>, offset: u64) -> Self {
        Self { reader, buffer: Vec::new(), len: 0, next: 0, kept: 0, offset, is_ended: false }
    }

    /// The bytes that were read and not consumed.
    pub(super) fn unread(&self) -> &[u8] {
        &self.buffer[self.next..self.len]
    }

    /// The offset in the file of the next byte.
    pub(super) fn position(&self) -> u64 {
        self.offset + self.next as u64
    }

    pub(super) fn is_ended(&self) -> bool {
        self.is_ended
    }

    /// Ends the file after the bytes that were read.
    pub(super) fn end_early(&mut self) {
        self.is_ended = true;
    }

    pub(super) fn skip(&mut self, len: usize) {
        self.next += len;
    }

    /// Keeps the bytes from the next one on, up to [`MAX_KEPT`], so that [`go_back`](Self::go_back)
    /// can return to them.
    pub(super) fn mark(&mut self) {
        self.kept = self.next;
    }

    /// Returns to the byte after the mark, or to the first one after it that is kept.
    pub(super) fn go_back(&mut self) {
        self.next = self.next.min(self.kept + 1);
    }

    /// Returns to an offset after the mark, up to which the file was read before.
    pub(super) fn return_to(&mut self, position: u64) {
        self.next = (position.saturating_sub(self.offset) as usize).min(self.len);
    }

    /// Reads more bytes. Returns false at the end of the file.
    pub(super) fn fill(&mut self) -> io::Result<bool> {
        if self.is_ended {
            return Ok(false);
        }
        self.kept = self.kept.clamp(self.next.saturating_sub(MAX_KEPT), self.next);
        if self.kept >= CHUNK {
            self.buffer.copy_within(self.kept..self.len, 0);
            self.offset += self.kept as u64;
            self.next -= self.kept;
            self.len -= self.kept;
            self.kept = 0;
        }
        if self.buffer.len() < self.len + CHUNK {
            self.buffer.resize((self.len + CHUNK).next_power_of_two(), 0);
        }
        loop {
            match self.reader.read(&mut self.buffer[self.len..]) {
                Ok(0) => {
                    self.is_ended = true;
                    return Ok(false);
                }
                Ok(read) => {
                    self.len += read;
                    return Ok(true);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Reads until this number of bytes is unread, or the file ends.
    pub(super) fn need(&mut self, len: usize) -> io::Result<&[u8]> {
        while self.unread().len() < len && self.fill()? {}
        Ok(self.unread())
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.skip(read);
        Ok(read)
    }
}

impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.need(1)
    }

    fn consume(&mut self, len: usize) {
        self.skip(len);
    }
}
