//! Zstandard (RFC 8878): frames one after another, also incomplete ones.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// An empty last block, and a checksum.
const END: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

/// Decompresses all frames of a reader, and skips those without data.
///
/// The decoder holds back the window of its frame until the frame ends. So that nothing of a damaged or incomplete frame is
/// lost, its blocks are given to the decoder one by one, and such a frame is ended before the error is returned.
pub(super) struct ZstdReader<R> {
    reader: R,
    decoder: FrameDecoder,
    state: State,
    block: Vec<u8>,
}

enum State {
    /// A frame, or the end, is next.
    Between,
    /// In a frame.
    Within,
    /// The error comes after what was decompressed before.
    Failed(io::Error),
    Ended,
}

impl<R: BufRead> ZstdReader<R> {
    /// A reader of frames with windows of at most this number of bytes.
    pub(super) fn new(reader: R, max_window: u64) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(max_window);
        Self {
            reader,
            decoder,
            state: State::Between,
            block: Vec::new(),
        }
    }

    /// Begins the next frame, if there is one.
    fn begin(&mut self) -> io::Result<State> {
        loop {
            match self.reader.fill_buf() {
                Ok([]) => return Ok(State::Ended),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
                Ok(_) => {}
            }
            match self.decoder.reset(&mut self.reader) {
                Ok(()) => return Ok(State::Within),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let mut content = self.reader.by_ref().take(length.into());
                    if io::copy(&mut content, &mut io::sink())? < length.into() {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(io_error(error)),
            }
        }
    }

    /// Decompresses the next block of the frame.
    fn decode_block(&mut self) -> io::Result<()> {
        let mut header = [0; 4];
        self.reader.read_exact(&mut header[..3])?;
        let fields = u32::from_le_bytes(header);
        // Section 3.1.1.2: a block of one repeated byte has that byte as its content.
        let (block_type, size) = (fields >> 1 & 3, fields >> 3);
        let len = if block_type == 1 { 1 } else { size };
        self.block.clear();
        self.block.extend_from_slice(&header[..3]);
        let mut content = self.reader.by_ref().take(len.into());
        if content.read_to_end(&mut self.block)? < len as usize {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // A checksum may follow.
        let source = self.block.chain(&mut self.reader);
        let one = BlockDecodingStrategy::UptoBlocks(1);
        self.decoder.decode_blocks(source, one).map_err(io_error)?;
        Ok(())
    }

    /// Compares the checksum of a frame that is read.
    fn end(&self) -> io::Result<()> {
        match self.decoder.get_checksum_from_data() {
            Some(sum) if self.decoder.get_calculated_checksum() != Some(sum) => {
                let message = "the checksum differs";
                Err(io::Error::new(io::ErrorKind::InvalidData, message))
            }
            _ => Ok(()),
        }
    }
}

impl<R: BufRead> Read for ZstdReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.decoder.can_collect() > 0 || buffer.is_empty() {
                return self.decoder.read(buffer);
            }
            match &self.state {
                State::Between => match self.begin() {
                    Ok(state) => self.state = state,
                    Err(error) => self.state = State::Failed(error),
                },
                State::Within if self.decoder.is_finished() => {
                    self.state = State::Between;
                    self.end()?;
                }
                State::Within => {
                    if let Err(error) = self.decode_block() {
                        let rest = BlockDecodingStrategy::All;
                        // The frame was begun, and this block is valid in each.
                        let ended = self.decoder.decode_blocks(&END[..], rest);
                        debug_assert!(ended.is_ok());
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
