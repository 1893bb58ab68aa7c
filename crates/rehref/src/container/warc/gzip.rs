//! Members of gzip files (RFC 1952).

use crc32fast::Hasher;
use flate2::{Decompress, FlushDecompress, Status};

use super::input::Input;
use super::start;
use super::whole_members::{COMPRESSED, MAX_INFLATED, WholeMembers};
use super::window::{PIECE, Window};
use crate::container::gzip_frame::{self, TRAILER, trailer};

/// The first bytes of a member that is compressed by deflate.
pub(super) const MAGIC: [u8; 3] = [0x1F, 0x8B, 8];

/// The header of a member without optional parts.
pub(super) const PLAIN_HEADER: [u8; 10] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0];

/// The maximum length of a header: extra fields, a name and a comment are optional.
const MAX_HEADER: usize = 256 << 10;

/// The maximum length of the header, and the maximum numbers of compressed and of inflated bytes,
/// that are read to prove that a member begins.
const PROOF_HEADER: usize = 1 << 10;
const PROOF_COMPRESSED: usize = 4 << 10;
pub(super) const PROOF_INFLATED: usize = 1 << 10;

/// The number of bytes after which [`Gunzip::begin`] and [`Gunzip::proof`] can decide.
pub(super) const PROOF: usize = PROOF_HEADER + PROOF_COMPRESSED;

/// The result of inflating a piece of a member.
pub(super) enum Piece {
    /// More may follow.
    Bytes,
    /// The member is complete, and its checksum is right or not.
    End { is_right: bool },
    /// The file ended.
    Truncated,
    /// The data is invalid.
    Damaged,
}

/// Inflates members, one after another.
pub(super) struct Gunzip {
    decoder: Decompress,
    checksum: Hasher,
    len: u32,
    whole: WholeMembers,
    /// True if the member may be inflated at once: if the one before was short, it is probably
    /// short too.
    is_whole_likely: bool,
}

impl Gunzip {
    pub(super) fn new() -> Self {
        Self {
            decoder: Decompress::new(false),
            checksum: Hasher::new(),
            len: 0,
            whole: WholeMembers::default(),
            is_whole_likely: false,
        }
    }

    /// Begins a member whose header is next in the input. Returns false if it is not one.
    pub(super) fn begin(&mut self, input: &mut Input) -> std::io::Result<bool> {
        let mut wanted = 512;
        loop {
            let bytes = input.need(wanted)?;
            match header_len(bytes) {
                Header::Complete(len) => {
                    input.skip(len);
                    self.is_whole_likely = self.decoder.total_in() <= COMPRESSED as u64
                        && self.len as usize <= MAX_INFLATED;
                    self.decoder.reset(false);
                    self.checksum.reset();
                    self.len = 0;
                    return Ok(true);
                }
                Header::Incomplete if wanted < MAX_HEADER && !input.is_ended() => wanted *= 2,
                Header::Incomplete | Header::Invalid => return Ok(false),
            }
        }
    }

    /// Inflates the next piece of the member, or all of it.
    pub(super) fn piece(
        &mut self,
        input: &mut Input,
        window: &mut Window,
    ) -> std::io::Result<Piece> {
        if std::mem::take(&mut self.is_whole_likely) && self.whole.inflate(input, window)? {
            return Ok(Piece::End { is_right: true });
        }
        loop {
            if input.unread().is_empty() && !input.fill()? {
                return Ok(Piece::Truncated);
            }
            let (read, written) = (self.decoder.total_in(), self.decoder.total_out());
            let none = FlushDecompress::None;
            let room = &mut window.room(PIECE)[..PIECE];
            let status = self.decoder.decompress(input.unread(), room, none);
            let read = (self.decoder.total_in() - read) as usize;
            let written = (self.decoder.total_out() - written) as usize;
            input.skip(read);
            let added = window.added(written);
            self.checksum.update(added);
            self.len = self.len.wrapping_add(written as u32);
            match status {
                Err(_) => return Ok(Piece::Damaged),
                Ok(Status::StreamEnd) => return self.end(input),
                Ok(_) if written > 0 => return Ok(Piece::Bytes),
                // Without progress the loop would not end.
                Ok(_) if read == 0 && !input.fill()? => return Ok(Piece::Truncated),
                Ok(_) => {}
            }
        }
    }

    /// Compares the checksum and the length, which follow the data.
    fn end(&mut self, input: &mut Input) -> std::io::Result<Piece> {
        let expected = trailer(self.checksum.clone().finalize(), self.len);
        let Some((found, _)) = input.need(TRAILER)?.split_first_chunk() else {
            return Ok(Piece::Truncated);
        };
        let is_right = *found == expected;
        input.skip(TRAILER);
        Ok(Piece::End { is_right })
    }

    /// The first inflated bytes of a member that may begin with these bytes. Discards the state of
    /// a member that was begun.
    pub(super) fn proof<'o>(
        &mut self,
        bytes: &[u8],
        out: &'o mut [u8; PROOF_INFLATED],
    ) -> Option<&'o [u8]> {
        let head = &bytes[..bytes.len().min(PROOF_HEADER)];
        let Header::Complete(len) = header_len(head) else {
            return None;
        };
        let data = &bytes[len..bytes.len().min(len + PROOF_COMPRESSED)];
        self.decoder.reset(false);
        // An error may follow the inflated bytes.
        let _: Result<Status, _> = self.decoder.decompress(data, out, FlushDecompress::None);
        let inflated = self.decoder.total_out() as usize;
        Some(&out[..inflated])
    }
}

/// Returns true if a record begins in the gzip member that begins with these bytes.
pub(crate) fn begins_member(bytes: &[u8]) -> bool {
    let mut out = [0; PROOF_INFLATED];
    Gunzip::new().proof(bytes, &mut out).is_some_and(start::begins_record)
}

/// Returns true if these bytes are an incomplete header.
pub(super) fn is_incomplete(bytes: &[u8]) -> bool {
    matches!(header_len(bytes), Header::Incomplete)
}

enum Header {
    Complete(usize),
    Incomplete,
    Invalid,
}

/// The length of the header of a member, which has to begin as one.
fn header_len(bytes: &[u8]) -> Header {
    let is_begun = MAGIC.starts_with(&bytes[..bytes.len().min(MAGIC.len())]);
    // Reserved flags have to be zero.
    let has_reserved = bytes.get(3).is_some_and(|flags| flags & 0xE0 != 0);
    match gzip_frame::header_len(bytes) {
        _ if !is_begun || has_reserved => Header::Invalid,
        Some(len) => Header::Complete(len),
        None => Header::Incomplete,
    }
}
