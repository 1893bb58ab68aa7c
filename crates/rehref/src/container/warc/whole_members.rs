//! Inflating whole members at once, with the feature `libdeflate`.

use std::io;

use super::input::Input;
#[cfg(feature = "libdeflate")]
use super::libdeflate::{Decompressor, Lengths};
use super::window::Window;
#[cfg(feature = "libdeflate")]
use crate::container::gzip_frame::trailer;

/// The compressed bytes of a member that are loaded to inflate it at once.
pub(super) const COMPRESSED: usize = 128 << 10;

/// The maximum number of inflated bytes of a member that is inflated at once.
pub(super) const MAX_INFLATED: usize = 512 << 10;

/// Inflates members that are whole in memory.
#[derive(Default)]
pub(super) struct WholeMembers {
    #[cfg(feature = "libdeflate")]
    decompressor: Option<Decompressor>,
}

impl WholeMembers {
    /// Inflates the member whose header was read. Returns false, and changes nothing, if it is not
    /// whole in memory, too long, or damaged: it has to be inflated in pieces then. Data that
    /// breaks a rule of deflate and has the right checksum is accepted.
    #[cfg(feature = "libdeflate")]
    pub(super) fn inflate(&mut self, input: &mut Input, window: &mut Window) -> io::Result<bool> {
        if self.decompressor.is_none() {
            self.decompressor = Decompressor::new();
        }
        if self.inflate_loaded(input, window) {
            return Ok(true);
        }
        // Its end may not be in memory. A member that is whole does not wait for more bytes, which
        // may come much later.
        let is_loaded = input.unread().len() >= COMPRESSED || !input.fill()?;
        Ok(!is_loaded && self.inflate_loaded(input, window))
    }

    #[cfg(feature = "libdeflate")]
    fn inflate_loaded(&mut self, input: &mut Input, window: &mut Window) -> bool {
        let bytes = input.unread();
        let room = &mut window.room(MAX_INFLATED)[..MAX_INFLATED];
        let decompressor = self.decompressor.as_mut();
        let Some(lengths) = decompressor.and_then(|it| it.inflate(bytes, room)) else {
            return false;
        };
        let Lengths { compressed, inflated } = lengths;
        let trailer = trailer(crc32fast::hash(&room[..inflated]), inflated as u32);
        let is_right = bytes[compressed..].starts_with(&trailer);
        if is_right {
            input.skip(compressed + trailer.len());
            window.added(inflated);
        }
        is_right
    }

    /// Returns false: members are inflated in pieces.
    #[cfg(not(feature = "libdeflate"))]
    pub(super) fn inflate(&mut self, _: &mut Input, _: &mut Window) -> io::Result<bool> {
        Ok(false)
    }
}

#[cfg(feature = "libdeflate")]
#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read, Write};

    use flate2::Compression;
    use flate2::bufread::GzDecoder;
    use flate2::write::GzEncoder;
    use proptest::prelude::*;

    use super::*;
    use crate::container::warc::gzip::{Gunzip, Piece};

    /// The first member as another decoder reads it: its inflated bytes and its length.
    fn member(bytes: &[u8]) -> Option<(Vec<u8>, usize)> {
        let mut decoder = GzDecoder::new(Cursor::new(bytes));
        let mut inflated = Vec::new();
        decoder.read_to_end(&mut inflated).ok()?;
        Some((inflated, decoder.into_inner().position() as usize))
    }

    /// Inflates the first member at once. `None` if that is refused, which must change nothing.
    fn at_once(bytes: &[u8]) -> Option<(Vec<u8>, usize)> {
        let mut input = Input::new(Box::new(Cursor::new(bytes.to_vec())), 0);
        let mut window = Window::default();
        if !Gunzip::new().begin(&mut input).unwrap() {
            return None;
        }
        let begun = input.position();
        let is_inflated = WholeMembers::default().inflate(&mut input, &mut window);
        if is_inflated.unwrap() {
            return Some((window.from(0).to_vec(), input.position() as usize));
        }
        assert_eq!((input.position(), window.end()), (begun, 0));
        None
    }

    /// Inflates the first member as the reader of archives does.
    fn inflated(bytes: &[u8]) -> Option<(Vec<u8>, usize)> {
        let mut input = Input::new(Box::new(Cursor::new(bytes.to_vec())), 0);
        let (mut window, mut gunzip) = (Window::default(), Gunzip::new());
        if !gunzip.begin(&mut input).unwrap() {
            return None;
        }
        loop {
            match gunzip.piece(&mut input, &mut window).unwrap() {
                Piece::Bytes => {}
                Piece::End { is_right: true } => {
                    return Some((window.from(0).to_vec(), input.position() as usize));
                }
                _ => return None,
            }
        }
    }

    fn compressed(bytes: &[u8], level: u32) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// Bytes that repeat themselves, some of them far away.
    fn content() -> impl Strategy<Value = Vec<u8>> {
        let part = prop::collection::vec(any::<u8>(), 1..200);
        let parts = prop::collection::vec((part, 1..400_usize), 0..8);
        parts.prop_map(|parts| {
            let parts = parts.iter().map(|(part, times)| part.repeat(*times));
            parts.collect::<Vec<_>>().concat()
        })
    }

    proptest! {
        #[test]
        fn a_member_is_the_same_at_once(
            content in content(),
            level in 0..=9_u32,
            rest in prop::collection::vec(any::<u8>(), 0..100),
        ) {
            let mut bytes = compressed(&content, level);
            let len = bytes.len();
            bytes.extend(rest);
            let expected = Some((content, len));
            let is_short = expected.as_ref().is_some_and(|(it, _)| it.len() <= MAX_INFLATED);
            prop_assert_eq!(&inflated(&bytes), &expected);
            if is_short && len < COMPRESSED / 2 {
                prop_assert_eq!(at_once(&bytes), expected);
            }
        }

        #[test]
        fn of_a_damaged_member_only_the_right_bytes_are_inflated_at_once(
            content in content(),
            level in 0..=9_u32,
            damage in any::<prop::sample::Index>(),
            bit in 0..8_u32,
            is_cut in any::<bool>(),
        ) {
            let mut bytes = compressed(&content, level);
            let at = damage.index(bytes.len());
            match is_cut {
                true => bytes.truncate(at),
                false => bytes[at] ^= 1 << bit,
            }
            match at_once(&bytes) {
                Some((found, len)) => {
                    prop_assert_eq!(found, content);
                    prop_assert_eq!(len, bytes.len());
                }
                None => prop_assert_eq!(inflated(&bytes), member(&bytes)),
            }
        }
    }

    #[test]
    fn members_at_the_limits_are_inflated() {
        let text: Vec<u8> = (0..MAX_INFLATED as u32 + 1).flat_map(u32::to_le_bytes).collect();
        for len in [0, 1, MAX_INFLATED - 1, MAX_INFLATED, MAX_INFLATED + 1, 2 * MAX_INFLATED] {
            for level in [0, 6] {
                let bytes = compressed(&text[..len], level);
                let expected = Some((text[..len].to_vec(), bytes.len()));
                assert_eq!(inflated(&bytes), expected, "{len}, level {level}");
            }
        }
    }
}
