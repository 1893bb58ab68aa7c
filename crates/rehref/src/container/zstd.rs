//! Zstandard (RFC 8878): frames one after another, also incomplete ones.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// An empty last block, and a checksum.
const END: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

/// Decompresses one frame after another.
///
/// The decoder holds back the window of its frame until the frame ends. To lose no data of a
/// damaged or incomplete frame, its blocks are passed to the decoder one by one, and the frame is
/// [ended](Self::end_early) after the error.
pub(super) struct Frames {
    decoder: FrameDecoder,
    block: Vec<u8>,
    /// The dictionary for frames without a dictionary number.
    dictionary: Option<u32>,
}

/// The next part of a stream.
pub(super) enum Begun {
    /// A frame with data.
    Frame,
    /// A frame with this number of bytes, which are not compressed data.
    Skippable(u32),
    /// The end of the input.
    Nothing,
}

impl Frames {
    /// A decoder of frames with windows of at most this number of bytes.
    pub(super) fn new(max_window: u64) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(max_window);
        Self { decoder, block: Vec::new(), dictionary: None }
    }

    /// Uses a dictionary (RFC 8878, section 5) for the frames that follow. Returns false if it is
    /// invalid.
    pub(super) fn use_dictionary(&mut self, bytes: &[u8]) -> bool {
        let dictionary = ruzstd::decoding::Dictionary::decode_dict(bytes);
        let Ok(dictionary) = dictionary else {
            return false;
        };
        self.dictionary = Some(dictionary.id);
        self.decoder.add_dict(dictionary).is_ok()
    }

    /// Begins the next frame.
    pub(super) fn begin(&mut self, reader: &mut impl BufRead) -> io::Result<Begun> {
        loop {
            match reader.fill_buf() {
                Ok([]) => return Ok(Begun::Nothing),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(_) => break,
            }
        }
        match self.decoder.reset(reader) {
            Ok(()) => {}
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => return Ok(Begun::Skippable(length)),
            Err(error) => return Err(io_error(error)),
        }
        if let Some(dictionary) = self.dictionary {
            self.decoder.force_dict(dictionary).map_err(io_error)?;
        }
        Ok(Begun::Frame)
    }

    /// Decompresses the next block of the frame.
    pub(super) fn decode_block(&mut self, reader: &mut impl Read) -> io::Result<()> {
        let mut header = [0; 4];
        reader.read_exact(&mut header[..3])?;
        let fields = u32::from_le_bytes(header);
        // Section 3.1.1.2: a block of one repeated byte has that byte as its content.
        let (block_type, size) = (fields >> 1 & 3, fields >> 3);
        let len = if block_type == 1 { 1 } else { size };
        self.block.clear();
        self.block.extend_from_slice(&header[..3]);
        let mut content = reader.by_ref().take(len.into());
        if content.read_to_end(&mut self.block)? < len as usize {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // A checksum may follow.
        let source = self.block.chain(reader);
        let one = BlockDecodingStrategy::UptoBlocks(1);
        self.decoder.decode_blocks(source, one).map_err(io_error)?;
        Ok(())
    }

    /// Ends a frame that is damaged or incomplete, so that all of its data can be collected.
    pub(super) fn end_early(&mut self) {
        let rest = BlockDecodingStrategy::All;
        // The frame was begun, and this block is valid in each.
        let ended = self.decoder.decode_blocks(&END[..], rest);
        debug_assert!(ended.is_ok());
    }

    /// Returns true if all blocks of the frame are decompressed.
    pub(super) fn is_finished(&self) -> bool {
        self.decoder.is_finished()
    }

    /// Compares the checksum of a frame that is read.
    pub(super) fn has_right_checksum(&self) -> bool {
        let expected = self.decoder.get_checksum_from_data();
        expected.is_none_or(|sum| self.decoder.get_calculated_checksum() == Some(sum))
    }

    /// The number of bytes that can be read.
    pub(super) fn available(&self) -> usize {
        self.decoder.can_collect()
    }
}

/// Reads the bytes that are decompressed.
impl Read for Frames {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.decoder.read(buffer)
    }
}

/// Decompresses all frames of a reader, and skips those without data.
pub(super) struct ZstdReader<R> {
    reader: R,
    frames: Frames,
    state: State,
}

enum State {
    /// A frame, or the end, is next.
    Between,
    /// In a frame.
    Within,
    /// The error comes after the bytes decompressed before it.
    Failed(io::Error),
    Ended,
}

impl<R: BufRead> ZstdReader<R> {
    /// A reader of frames with windows of at most this number of bytes.
    pub(super) fn new(reader: R, max_window: u64) -> Self {
        Self { reader, frames: Frames::new(max_window), state: State::Between }
    }

    /// Begins the next frame. Skips those without data.
    fn begin(&mut self) -> io::Result<State> {
        loop {
            let length = match self.frames.begin(&mut self.reader)? {
                Begun::Frame => return Ok(State::Within),
                Begun::Nothing => return Ok(State::Ended),
                Begun::Skippable(length) => u64::from(length),
            };
            let mut content = self.reader.by_ref().take(length);
            if io::copy(&mut content, &mut io::sink())? < length {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }
}

impl<R: BufRead> Read for ZstdReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.frames.available() > 0 || buffer.is_empty() {
                return self.frames.read(buffer);
            }
            match &self.state {
                State::Between => match self.begin() {
                    Ok(state) => self.state = state,
                    Err(error) => self.state = State::Failed(error),
                },
                State::Within if self.frames.is_finished() => {
                    self.state = State::Between;
                    if !self.frames.has_right_checksum() {
                        let message = "the checksum differs";
                        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
                    }
                }
                State::Within => {
                    if let Err(error) = self.frames.decode_block(&mut self.reader) {
                        self.frames.end_early();
                        self.state = State::Failed(error);
                    }
                }
                State::Failed(_) => {
                    if let State::Failed(error) = std::mem::replace(&mut self.state, State::Ended) {
                        return Err(error);
                    }
                }
                State::Ended => return Ok(0),
            }
        }
    }
}

/// Returns true if a frame was refused since its window is too large.
pub(super) fn is_window_error(error: &io::Error) -> bool {
    let inner = error.get_ref().and_then(|it| it.downcast_ref());
    matches!(inner, Some(FrameDecoderError::WindowSizeTooBig { .. }))
}

/// The error of a decoder. Incomplete data has the kind of the standard library.
fn io_error(error: FrameDecoderError) -> io::Error {
    let mut source: Option<&(dyn std::error::Error + 'static)> = Some(&error);
    while let Some(cause) = source {
        if let Some(cause) = cause.downcast_ref::<io::Error>() {
            return match cause.raw_os_error() {
                Some(code) => io::Error::from_raw_os_error(code),
                None => cause.kind().into(),
            };
        }
        source = cause.source();
    }
    io::Error::new(io::ErrorKind::InvalidData, error)
}
