//! Places in undecoded bytes where a character begins.

use encoding_rs::{Encoding, UTF_8};

use super::TextDecoder;

/// The maximum distance of a boundary before the wanted offset, in bytes. If none is within it,
/// characters are counted one by one.
const NEAR: usize = 4 << 10;

/// The last position at or before `at` in `bytes` where a character of this encoding certainly
/// begins. A character begins at the start of `bytes`, and ASCII characters are ASCII bytes.
///
/// A decoder that begins there gives the same text as one that has read all bytes before, also
/// after invalid bytes. Constant time if the text has an ASCII character or a line break every few
/// kilobytes; otherwise linear in `at`.
pub(crate) fn boundary_before(bytes: &[u8], at: usize, encoding: &'static Encoding) -> usize {
    if let Some(found) = boundary_near(bytes, at, encoding) {
        return found;
    }
    let begins = |at: &usize| is_boundary(bytes, *at, encoding);
    let from = (0..at.saturating_sub(NEAR)).rev().find(begins).unwrap_or(0);
    let mut decoder = TextDecoder::new(encoding);
    decoder.push(&bytes[from..at], false);
    at - decoder.pending()
}

/// The last such position at or before `at`. `None` if none is within a few kilobytes. Constant
/// time.
pub(crate) fn boundary_near(bytes: &[u8], at: usize, encoding: &'static Encoding) -> Option<usize> {
    if encoding.is_single_byte() {
        return Some(at);
    }
    let near = at.saturating_sub(NEAR);
    (near..=at).rev().find(|&at| is_boundary(bytes, at, encoding))
}

/// Returns true if a character certainly ends at `at`, for any bytes further away.
///
/// In UTF-8 every byte but 0x80 to 0xBF begins a character. Elsewhere an ASCII byte ends one,
/// unless it may be the end of a longer character: these end with 0x30 to 0x39 or 0x40 to 0x7E, and
/// only after a byte from 0x80.
fn is_boundary(bytes: &[u8], at: usize, encoding: &'static Encoding) -> bool {
    let before = &bytes[..at];
    match before {
        [] => true,
        [.., last] if last.is_ascii() => {
            let may_end_wide = matches!(last, b'0'..=b'9' | 0x40..=0x7E) && encoding != UTF_8;
            !may_end_wide || before.len() == 1 || before[before.len() - 2].is_ascii()
        }
        _ if encoding == UTF_8 => {
            let tail = &before[before.len().saturating_sub(char::MAX.len_utf8())..];
            let start = tail.iter().rposition(|byte| !matches!(byte, 0x80..0xC0));
            start.is_some_and(|start| std::str::from_utf8(&tail[start..]).is_ok())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(crate::tier::cases(4_000))]

        #[test]
        fn decoding_from_a_boundary_continues_the_text(
            bytes in prop::collection::vec(
                prop_oneof![any::<u8>(), 0x80..=0xFFu8, prop::sample::select(b"\n 0@A~\x81\x8F\xA1\xC3\xE4\xF0".to_vec())],
                0..60,
            ),
            at in any::<prop::sample::Index>(),
            encoding in prop::sample::select(vec![
                UTF_8, encoding_rs::SHIFT_JIS, encoding_rs::GBK, encoding_rs::GB18030, encoding_rs::BIG5,
                encoding_rs::EUC_JP, encoding_rs::EUC_KR, encoding_rs::KOI8_R, encoding_rs::X_USER_DEFINED,
            ]),
        ) {
            let at = at.index(bytes.len() + 1);
            let boundary = boundary_before(&bytes, at, encoding);
            prop_assert!(boundary <= at);
            let decode = |bytes| encoding.decode_without_bom_handling(bytes).0;
            let mut decoder = TextDecoder::new(encoding);
            decoder.push(&bytes[..boundary], false);
            prop_assert_eq!(decoder.pending(), 0, "{:?}", &bytes[..boundary]);
            let joined = decoder.text().to_owned() + &decode(&bytes[boundary..]);
            prop_assert_eq!(joined, decode(&bytes), "{}", boundary);
        }
    }

    #[test]
    fn text_without_ascii_has_boundaries() {
        let bytes = "統".repeat(NEAR);
        let (bytes, ..) = encoding_rs::SHIFT_JIS.encode(&bytes);
        for at in 2 * NEAR - 2..=2 * NEAR {
            assert_eq!(boundary_before(&bytes, at, encoding_rs::SHIFT_JIS), at & !1);
        }
    }
}
