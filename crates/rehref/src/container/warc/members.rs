//! The inflated bytes of an archive, and the positions at which its gzip members and zstd frames
//! begin.

use std::io::{self, Read};
use std::sync::Arc;

use memchr::memmem::{Finder, find};

use super::flaw::{Flaw, FlawKind};
use super::gzip::{self, Gunzip, Piece};
use super::input::Input;
use super::start::{self, Found};
use super::window::{PIECE, Window};
use crate::container::zstd::{Begun, Frames};

/// The number of bytes at the beginning of a file in which its first record, member or frame is
/// searched.
const DETECTION: usize = 1 << 20;

/// The first bytes of a zstd frame with data (RFC 8878, section 3.1.1).
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// The first bytes of a skippable frame with a dictionary, by the draft for WARC in zstd.
pub(crate) const DICTIONARY_MAGIC: [u8; 4] = [0x5D, 0x2A, 0x4D, 0x18];

/// The maximum window of a zstd frame: the distance that it may refer back, in bytes. `zstd -19`
/// uses 8 MiB.
const MAX_WINDOW: u64 = 32 << 20;

/// The maximum length of a dictionary, in bytes.
const MAX_DICTIONARY: usize = 16 << 20;

/// The bytes of a zstd frame that are read to prove that a record begins in it: a block has at most
/// 128 KiB.
const ZSTD_PROOF: usize = 132 << 10;

/// The maximum number of proofs of zstd frames that may fail, and one more for each [`ZSTD_PROOF`]
/// bytes of the file.
const MAX_FAILED_PROOFS: u64 = 1000;

/// Inflates an archive.
pub(super) struct Members {
    input: Input,
    compression: Compression,
    /// The dictionary for zstd frames.
    dictionary: Option<Arc<[u8]>>,
    state: State,
    gunzip: Gunzip,
    frames: Frames,
    /// True if bytes that are skipped belong to damage that was reported.
    is_damage_reported: bool,
    failed_proofs: u64,
}

/// The kind of the members of an archive.
#[derive(Clone, Debug)]
pub(super) struct MemberKind {
    compression: Compression,
    dictionary: Option<Arc<[u8]>>,
}

impl MemberKind {
    /// Returns true if the members are not compressed.
    pub(super) fn is_plain(&self) -> bool {
        self.compression == Compression::None
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compression {
    None,
    Gzip,
    Zstd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing was read.
    Begin,
    /// A member, or the end, is next.
    Between,
    /// In a member.
    Within,
    /// A member has to be found: a slice, or damaged data, begins here.
    Lost,
    Ended,
}

impl Members {
    /// Inflates an archive from its first byte.
    pub(super) fn new(reader: Box<dyn Read + Send>) -> Self {
        Self {
            input: Input::new(reader, 0),
            compression: Compression::None,
            dictionary: None,
            state: State::Begin,
            gunzip: Gunzip::new(),
            frames: Frames::new(MAX_WINDOW),
            is_damage_reported: false,
            failed_proofs: 0,
        }
    }

    /// Inflates members of this kind. `reader` begins with one, at `offset` of the file.
    pub(super) fn of_kind(kind: &MemberKind, reader: Box<dyn Read + Send>, offset: u64) -> Self {
        let mut members = Self {
            input: Input::new(reader, offset),
            compression: kind.compression,
            dictionary: kind.dictionary.clone(),
            state: State::Between,
            ..Self::new(Box::new(io::empty()))
        };
        if let Some(dictionary) = &kind.dictionary {
            // Frames that need an invalid one are damaged.
            let _: bool = members.frames.use_dictionary(dictionary);
        }
        members
    }

    /// The kind of the members.
    pub(super) fn kind(&self) -> MemberKind {
        MemberKind { compression: self.compression, dictionary: self.dictionary.clone() }
    }

    /// Continues at `offset`, where `reader` begins.
    pub(super) fn seek(&mut self, reader: Box<dyn Read + Send>, offset: u64) {
        self.input = Input::new(reader, offset);
        self.state = State::Lost;
        self.is_damage_reported = true;
    }

    /// Ends the input after the bytes that were read.
    pub(super) fn end_early(&mut self) {
        self.input.end_early();
    }

    /// Continues with the first member in which a record begins. Returns false if none begins up to
    /// this offset.
    pub(super) fn find_before(&mut self, offset: u64) -> io::Result<bool> {
        let is_found = self.skip_to_member(offset)?;
        if is_found {
            self.state = State::Between;
        }
        Ok(is_found)
    }

    /// Reads the beginning. Returns true if the archive is compressed.
    pub(super) fn detect(&mut self) -> io::Result<bool> {
        if self.state == State::Begin {
            self.compression = self.detected()?;
            self.state = State::Between;
            if self.compression == Compression::Zstd {
                self.read_dictionary()?;
            }
        }
        Ok(self.compression != Compression::None)
    }

    /// The number of bytes of the file that were read.
    pub(super) fn position(&self) -> u64 {
        self.input.position()
    }

    /// Adds inflated bytes, a start, or the end to the window.
    pub(super) fn fill(&mut self, window: &mut Window, flaws: &mut Vec<Flaw>) -> io::Result<()> {
        match (self.state, self.compression) {
            (State::Begin, _) => {
                self.detect()?;
            }
            (State::Between, Compression::None) => {
                window.begin_member(self.input.position());
                self.state = State::Within;
            }
            (State::Within, Compression::None) => self.copy(window)?,
            (State::Between, _) => self.begin(window, flaws)?,
            (State::Within, Compression::Gzip) => self.inflate(window, flaws)?,
            (State::Within, Compression::Zstd) => self.decompress(window, flaws)?,
            (State::Lost, _) => self.find_member(window, flaws)?,
            (State::Ended, _) => window.is_ended = true,
        }
        Ok(())
    }

    fn detected(&mut self) -> io::Result<Compression> {
        let bytes = self.input.need(PIECE)?;
        if bytes.starts_with(&gzip::MAGIC) {
            return Ok(Compression::Gzip);
        }
        if bytes.starts_with(&ZSTD_MAGIC) || is_skippable(bytes) {
            return Ok(Compression::Zstd);
        }
        if start::begins_record(bytes) {
            return Ok(Compression::None);
        }
        for compression in [Compression::Gzip, Compression::Zstd] {
            self.compression = compression;
            if self.has_damaged_header()? {
                return Ok(compression);
            }
        }
        // Other bytes may come first.
        let bytes = self.input.need(DETECTION)?;
        let bytes = &bytes[..bytes.len().min(DETECTION)];
        let until = match start::find_record(bytes, true) {
            Found::At(at) | Found::NotBefore(at) => at,
        };
        let bytes = bytes[..until].to_vec();
        for (magic, compression) in
            [(&gzip::MAGIC[..], Compression::Gzip), (&ZSTD_MAGIC[..], Compression::Zstd)]
        {
            let candidates: Vec<usize> = Finder::new(magic).find_iter(&bytes).take(16).collect();
            for at in candidates {
                if self.is_proved(compression, at)? {
                    return Ok(compression);
                }
            }
        }
        Ok(Compression::None)
    }

    /// Returns true if a record begins in the member that may begin after `at` bytes of the input.
    fn is_proved(&mut self, compression: Compression, at: usize) -> io::Result<bool> {
        let len = match compression {
            Compression::Zstd => ZSTD_PROOF,
            _ => gzip::PROOF,
        };
        self.input.need(at + len)?;
        let Self { input, gunzip, frames, .. } = self;
        begins_record(gunzip, frames, compression, &input.unread()[at..])
    }

    /// Reads an uncompressed archive.
    fn copy(&mut self, window: &mut Window) -> io::Result<()> {
        let bytes = self.input.need(1)?;
        if bytes.is_empty() {
            self.state = State::Ended;
            return Ok(());
        }
        let len = bytes.len().min(PIECE);
        window.room(PIECE)[..len].copy_from_slice(&bytes[..len]);
        window.added(len);
        self.input.skip(len);
        self.input.mark();
        Ok(())
    }

    /// Begins the next member or frame.
    fn begin(&mut self, window: &mut Window, flaws: &mut Vec<Flaw>) -> io::Result<()> {
        self.input.mark();
        let (magic, offset) = (self.magic(), self.input.position());
        let bytes = self.input.need(4)?;
        if bytes.is_empty() {
            self.state = State::Ended;
            return Ok(());
        }
        let has_magic = bytes.starts_with(magic);
        let mut is_cut = false;
        let is_begun = match self.compression {
            Compression::Zstd if is_skippable(bytes) => return self.skip_frame(flaws),
            Compression::Zstd if bytes.starts_with(&ZSTD_MAGIC) => {
                let is_begun = matches!(self.frames.begin(&mut self.input), Ok(Begun::Frame));
                is_cut = !is_begun && self.input.need(1)?.is_empty();
                is_begun
            }
            Compression::Zstd => false,
            _ => self.gunzip.begin(&mut self.input)?,
        };
        if is_begun {
            window.begin_member(offset);
            self.is_damage_reported = false;
            self.state = State::Within;
        } else {
            let kind = if is_cut || self.input.is_ended() && self.is_begun() {
                Some(FlawKind::TruncatedMember)
            } else if has_magic || self.has_damaged_header()? {
                Some(FlawKind::DamagedMember)
            } else {
                None
            };
            flaws.extend(kind.map(|kind| Flaw { offset, kind }));
            self.is_damage_reported = kind.is_some();
            self.input.go_back();
            self.state = State::Lost;
        }
        Ok(())
    }

    /// Returns true if the rest of the input is the beginning of a member's header.
    fn is_begun(&self) -> bool {
        let rest = self.input.unread();
        match self.compression {
            Compression::Zstd => ZSTD_MAGIC.starts_with(rest),
            _ => gzip::is_incomplete(rest),
        }
    }

    /// Returns true if the next bytes are a member in which a record begins, but for the first
    /// bytes of its header.
    fn has_damaged_header(&mut self) -> io::Result<bool> {
        let (header, len): (&[u8], _) = match self.compression {
            Compression::Zstd => (&ZSTD_MAGIC, ZSTD_PROOF),
            _ => (&gzip::PLAIN_HEADER, gzip::PROOF),
        };
        let bytes = self.input.need(len)?;
        let data = &bytes[header.len().min(bytes.len())..bytes.len().min(len)];
        let mended = [header, data].concat();
        let compression = self.compression;
        begins_record(&mut self.gunzip, &mut self.frames, compression, &mended)
    }

    fn magic(&self) -> &'static [u8] {
        match self.compression {
            Compression::Zstd => &ZSTD_MAGIC,
            _ => &gzip::MAGIC,
        }
    }

    fn inflate(&mut self, window: &mut Window, flaws: &mut Vec<Flaw>) -> io::Result<()> {
        match self.gunzip.piece(&mut self.input, window)? {
            Piece::Bytes => {}
            Piece::End { is_right } => self.end(is_right, window, flaws)?,
            Piece::Truncated => self.break_off(FlawKind::TruncatedMember, window, flaws),
            Piece::Damaged => self.break_off(FlawKind::DamagedMember, window, flaws),
        }
        Ok(())
    }

    fn decompress(&mut self, window: &mut Window, flaws: &mut Vec<Flaw>) -> io::Result<()> {
        let mut broken = None;
        if self.frames.available() == 0 {
            if self.frames.is_finished() {
                let is_right = self.frames.has_right_checksum();
                return self.end(is_right, window, flaws);
            }
            if let Err(error) = self.frames.decode_block(&mut self.input) {
                if error.raw_os_error().is_some() {
                    return Err(error);
                }
                self.frames.end_early();
                broken = Some(match error.kind() {
                    io::ErrorKind::UnexpectedEof if self.input.is_ended() => {
                        FlawKind::TruncatedMember
                    }
                    _ => FlawKind::DamagedMember,
                });
            }
        }
        while self.frames.available() > 0 {
            let read = self.frames.read(&mut window.room(PIECE)[..PIECE])?;
            window.added(read);
            if broken.is_none() {
                break;
            }
        }
        if let Some(kind) = broken {
            self.break_off(kind, window, flaws);
        }
        Ok(())
    }

    fn end(
        &mut self,
        is_right: bool,
        window: &mut Window,
        flaws: &mut Vec<Flaw>,
    ) -> io::Result<()> {
        self.state = State::Between;
        let offset = current(window);
        // Frames may have no checksum.
        let next = self.input.need(4)?;
        let may_be_script = !is_right
            || self.compression == Compression::Zstd
                && !(next.is_empty() || next.starts_with(&ZSTD_MAGIC) || is_skippable(next));
        if may_be_script && self.return_to_member()? {
            window.gap(self.input.position());
            flaws.push(Flaw { offset, kind: FlawKind::DamagedMember });
        } else if !is_right && window.has_bytes_from(offset) {
            flaws.push(Flaw { offset, kind: FlawKind::Checksum });
        }
        Ok(())
    }

    /// Returns to the member that begins within the bytes that were read for the last one, since
    /// damaged data may be inflated beyond its end. Returns false if none begins in them.
    fn return_to_member(&mut self) -> io::Result<bool> {
        let end = self.input.position();
        self.input.go_back();
        let is_found = end > 0 && self.skip_to_member(end - 1)?;
        if !is_found {
            self.input.return_to(end);
        }
        Ok(is_found)
    }

    /// Ends a member that is damaged or truncated.
    fn break_off(&mut self, kind: FlawKind, window: &mut Window, flaws: &mut Vec<Flaw>) {
        let offset = current(window);
        window.gap(self.input.position());
        flaws.push(Flaw { offset, kind });
        self.is_damage_reported = true;
        // Damaged data may have been inflated beyond the end of its member.
        self.input.go_back();
        self.state = State::Lost;
    }

    /// Finds the next member in which a record begins.
    fn find_member(&mut self, window: &mut Window, flaws: &mut Vec<Flaw>) -> io::Result<()> {
        let from = self.input.position();
        self.state = match self.skip_to_member(u64::MAX)? {
            true => State::Between,
            false => State::Ended,
        };
        let has_skipped = self.input.position() > from;
        if has_skipped && !self.is_damage_reported {
            flaws.push(Flaw { offset: from, kind: FlawKind::Junk });
        }
        if self.is_damage_reported || has_skipped {
            window.gap(from);
        }
        Ok(())
    }

    /// Skips bytes up to the next member in which a record begins. Returns false if none begins up
    /// to this offset.
    fn skip_to_member(&mut self, until: u64) -> io::Result<bool> {
        if self.compression == Compression::None {
            return self.skip_to_record(until);
        }
        let magic = self.magic();
        while self.input.position() <= until {
            self.input.mark();
            let bytes = self.input.unread();
            let (found, len) = (find(bytes, magic), bytes.len());
            if let Some(at) = found {
                let is_within = self.input.position() + at as u64 <= until;
                if is_within && self.may_prove() {
                    if self.is_proved(self.compression, at)? {
                        self.input.skip(at);
                        return Ok(true);
                    }
                    self.failed_proofs += 1;
                }
                self.input.skip(at + 1);
            } else {
                self.input.skip(len.saturating_sub(magic.len() - 1));
                if !self.input.fill()? {
                    self.input.skip(self.input.unread().len());
                    break;
                }
            }
        }
        Ok(false)
    }

    /// Skips bytes up to what looks like an uncompressed record. Returns false if none begins up to
    /// this offset.
    fn skip_to_record(&mut self, until: u64) -> io::Result<bool> {
        while self.input.position() <= until {
            self.input.mark();
            match start::find_record(self.input.unread(), self.input.is_ended()) {
                Found::At(at) => {
                    self.input.skip(at);
                    return Ok(self.input.position() <= until);
                }
                Found::NotBefore(at) => {
                    self.input.skip(at);
                    if !self.input.fill()? && self.input.unread().is_empty() {
                        break;
                    }
                }
            }
        }
        Ok(false)
    }

    /// Returns false if too many proofs failed: for each, a frame has to be decompressed, which may
    /// be only a few bytes long.
    fn may_prove(&self) -> bool {
        let by_length = self.input.position() / ZSTD_PROOF as u64;
        self.compression != Compression::Zstd
            || self.failed_proofs < MAX_FAILED_PROOFS.saturating_add(by_length)
    }

    fn skip_frame(&mut self, flaws: &mut Vec<Flaw>) -> io::Result<()> {
        let Some(len) = skippable_len(self.input.need(8)?) else {
            flaws.push(Flaw { offset: self.input.position(), kind: FlawKind::TruncatedMember });
            self.input.skip(self.input.unread().len());
            return Ok(());
        };
        self.input.skip(8);
        let copied = io::copy(&mut (&mut self.input).take(len), &mut io::sink())?;
        if copied < len {
            flaws.push(Flaw { offset: self.input.position(), kind: FlawKind::TruncatedMember });
        }
        Ok(())
    }

    /// Reads a dictionary at the beginning of the file. Without it, frames are damaged, which is
    /// reported.
    fn read_dictionary(&mut self) -> io::Result<()> {
        let head = self.input.need(8)?;
        if !head.starts_with(&DICTIONARY_MAGIC) {
            return Ok(());
        }
        let Some(len) = skippable_len(head).filter(|&len| len <= MAX_DICTIONARY as u64) else {
            return Ok(());
        };
        self.input.skip(8);
        let mut stored = Vec::new();
        (&mut self.input).take(len).read_to_end(&mut stored)?;
        let mut dictionary = Vec::new();
        let stored = match stored.starts_with(&ZSTD_MAGIC) {
            true => {
                let reader = crate::container::zstd::ZstdReader::new(&stored[..], MAX_WINDOW);
                // A damaged dictionary is refused below.
                let _: io::Result<usize> =
                    reader.take(MAX_DICTIONARY as u64).read_to_end(&mut dictionary);
                &dictionary
            }
            false => &stored,
        };
        let _: bool = self.frames.use_dictionary(stored);
        self.dictionary = Some(stored.as_slice().into());
        Ok(())
    }
}

/// Returns true if these bytes begin with a member in which a record begins.
fn begins_record(
    gunzip: &mut Gunzip,
    frames: &mut Frames,
    compression: Compression,
    bytes: &[u8],
) -> io::Result<bool> {
    let mut out = [0; gzip::PROOF_INFLATED];
    let inflated = match compression {
        Compression::Zstd => {
            let mut reader = bytes;
            let is_begun = matches!(frames.begin(&mut reader), Ok(Begun::Frame));
            if !is_begun || frames.decode_block(&mut reader).is_err() {
                return Ok(false);
            }
            frames.end_early();
            let len = frames.read(&mut out)?;
            &out[..len]
        }
        _ => match gunzip.proof(bytes, &mut out) {
            Some(inflated) => inflated,
            None => return Ok(false),
        },
    };
    Ok(start::begins_record(inflated))
}

/// The offset of the current member.
fn current(window: &Window) -> u64 {
    window.member_at(window.end()).map_or(0, |start| start.offset)
}

/// Returns true if a skippable zstd frame begins here (RFC 8878, section 3.1.2).
fn is_skippable(bytes: &[u8]) -> bool {
    matches!(bytes, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}

/// The number of bytes in a skippable frame.
fn skippable_len(head: &[u8]) -> Option<u64> {
    let len = head.get(4..8)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*len).into())
}
