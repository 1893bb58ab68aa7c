//! The charset of a document.

use std::borrow::Cow;
use std::fmt;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};
use memchr::memchr;

use super::utf8::{ascii_len, from_utf8};
use crate::bytes::percent;

/// The charset of a document and its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charset {
    encoding: &'static Encoding,
    from: CharsetFrom,
    bom_len: usize,
}

/// The source of a charset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CharsetFrom {
    /// The caller named it: [`DocumentBuilder::charset`](crate::DocumentBuilder::charset), or an
    /// option of a job.
    Option,
    /// A byte order mark.
    Bom,
    /// The `charset` of a media type: the header of a mail part, or
    /// [`DocumentBuilder::content_type`](crate::DocumentBuilder::content_type).
    Header,
    /// The document: a `meta` element, an XML declaration, an `@charset` rule.
    Declared,
    /// No declaration; the bytes are valid UTF-8.
    Valid,
    /// No declaration; the most likely legacy encoding.
    Guess,
}

/// Returns the encoding that the first [`Charset::PRESCAN`] bytes of a document declare.
pub(crate) type DeclaredCharset = fn(&[u8]) -> Option<&'static Encoding>;

/// An unknown label, by the Encoding standard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownCharset;

impl fmt::Display for UnknownCharset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a label of the Encoding standard")
    }
}

impl std::error::Error for UnknownCharset {}

impl Charset {
    /// The number of bytes searched for a declaration (HTML standard, section 13.2.3.2).
    pub const PRESCAN: usize = 1024;

    /// UTF-8, for bytes that are valid UTF-8.
    pub const VALID: Self = Self { encoding: UTF_8, from: CharsetFrom::Valid, bom_len: 0 };

    /// Detects the charset of `bytes`: by their byte order mark; else by a declaration within the
    /// first 1,024 bytes; else UTF-8 if they are valid; else the best guess.
    ///
    /// `complete` is false if `bytes` are only the beginning of a document. An incomplete character
    /// at the end then does not make them invalid.
    pub fn detect(bytes: &[u8], complete: bool, declared: DeclaredCharset) -> Self {
        if let Some((encoding, bom_len)) = Encoding::for_bom(bytes) {
            return Self { encoding, from: CharsetFrom::Bom, bom_len };
        }
        if let Some(encoding) = declared(&bytes[..bytes.len().min(Self::PRESCAN)]) {
            return Self { encoding, from: CharsetFrom::Declared, bom_len: 0 };
        }
        // The second check also locates the error, and is slower.
        let valid = from_utf8(bytes).is_some()
            || !complete && std::str::from_utf8(bytes).is_err_and(|it| it.error_len().is_none());
        if valid {
            return Self::VALID;
        }
        Self::guess(bytes, complete)
    }

    /// The bytes without a byte order mark of UTF-16 that hides URLs in another encoding: no text
    /// in UTF-16 has these bytes.
    pub fn without_false_mark(bytes: &[u8]) -> &[u8] {
        match bytes {
            [0xFF, 0xFE, text @ ..] | [0xFE, 0xFF, text @ ..]
                if memchr::memmem::find(text, b"://").is_some() =>
            {
                text
            }
            _ => bytes,
        }
    }

    /// Returns the charset for `bytes`, which may lack the byte order mark.
    pub(crate) fn of_bytes(self, bytes: &[u8]) -> Self {
        let has_bom = Encoding::for_bom(bytes).is_some_and(|(_, len)| len == self.bom_len);
        Self { bom_len: if has_bom { self.bom_len } else { 0 }, ..self }
    }

    /// The most likely legacy encoding of `bytes`, which are not valid UTF-8.
    ///
    /// It depends on the first `SAMPLE` bytes that influence the detector, which reads 8 to 40
    /// MB/s. A document and the beginning of it have the same encoding if the beginning has that
    /// many of these bytes.
    pub fn guess(bytes: &[u8], complete: bool) -> Self {
        Self { encoding: guess_from(bytes, complete, SAMPLE), from: CharsetFrom::Guess, bom_len: 0 }
    }

    /// The charset of a document whose transport names `label`, such as the `charset` of a
    /// `Content-Type`. A byte order mark goes first, and an unknown label does not count (Encoding
    /// standard, section 6).
    pub fn of_transport(label: &str, bytes: &[u8], declared: DeclaredCharset) -> Self {
        match Encoding::for_label(label.as_bytes()) {
            Some(encoding) if Encoding::for_bom(bytes).is_none() => {
                Self::of_header(encoding, CharsetFrom::Header)
            }
            _ => Self::detect(bytes, true, declared),
        }
    }

    /// The encoding that a header names.
    pub fn of_header(encoding: &'static Encoding, from: CharsetFrom) -> Self {
        Self { encoding, from, bom_len: 0 }
    }

    /// The charset named by the caller, with any label of the Encoding standard. A byte order mark
    /// of the same encoding is skipped.
    pub fn named(label: &str, bytes: &[u8]) -> Result<Self, UnknownCharset> {
        let encoding = match label {
            "utf-8" => UTF_8,
            _ => Encoding::for_label(label.as_bytes()).ok_or(UnknownCharset)?,
        };
        let bom_len = match Encoding::for_bom(bytes) {
            Some((found, len)) if found == encoding => len,
            _ => 0,
        };
        Ok(Self { encoding, from: CharsetFrom::Option, bom_len })
    }

    /// The encoding.
    pub fn encoding(self) -> &'static Encoding {
        self.encoding
    }

    /// The source of the charset.
    pub fn from(self) -> CharsetFrom {
        self.from
    }

    /// The length of the byte order mark, in bytes.
    pub fn bom_len(self) -> usize {
        self.bom_len
    }

    /// The name in records: that of the Encoding standard, in lower case.
    pub fn name(self) -> String {
        self.encoding.name().to_ascii_lowercase()
    }

    /// Returns true if ASCII bytes always encode ASCII characters, so that markup can be read from
    /// the raw bytes. False for UTF-16 and ISO-2022-JP.
    pub fn is_ascii_compatible(self) -> bool {
        self.encoding.is_ascii_compatible()
    }

    /// Percent-encodes, as UTF-8, each character of `reference` that this charset lacks (the URI of
    /// an IRI: RFC 3987, section 3.1). Characters in `keep` are unchanged.
    pub fn percent_encode_missing<'r>(self, reference: &'r str, keep: &str) -> Cow<'r, str> {
        // The meaning of bytes in ISO-2022-JP depends on earlier ones, so only ASCII can be
        // inserted.
        let lacks = |text: &str| match self.encoding == ISO_2022_JP {
            true => !text.is_ascii(),
            false => self.encoding.encode(text).2,
        };
        if !lacks(reference) {
            return Cow::Borrowed(reference);
        }
        let mut out = String::with_capacity(reference.len() + 16);
        for character in reference.chars() {
            let mut utf8 = [0; 4];
            let text = character.encode_utf8(&mut utf8);
            if lacks(text) && !keep.contains(character) {
                text.bytes().for_each(|byte| percent::encode_byte(byte, &mut out));
            } else {
                out.push(character);
            }
        }
        Cow::Owned(out)
    }

    /// Returns true for UTF-16, in which a line feed is two bytes.
    pub fn is_utf16(self) -> bool {
        self.encoding == UTF_16LE || self.encoding == UTF_16BE
    }

    /// Encodes `text`. Characters that the charset lacks, or that cannot be inserted, become HTML
    /// character references.
    pub fn encode(self, text: &str) -> Vec<u8> {
        if self.encoding == UTF_16LE {
            text.encode_utf16().flat_map(u16::to_le_bytes).collect()
        } else if self.encoding == UTF_16BE {
            text.encode_utf16().flat_map(u16::to_be_bytes).collect()
        } else if self.encoding == ISO_2022_JP {
            let reference = |it: char| match it.is_ascii() {
                true => it.to_string(),
                false => format!("&#{};", u32::from(it)),
            };
            text.chars().map(reference).collect::<String>().into_bytes()
        } else {
            self.encoding.encode(text).0.into_owned()
        }
    }
}

/// The number of bytes that the detector reads.
///
/// Measured on 186 texts of random words in 31 languages and encodings, alone and between English
/// words: by 512 bytes the detector recognizes as many of them as by 256 KiB, and from 4 KiB on its
/// guess no longer changes.
const SAMPLE: usize = 16 << 10;

/// The shortest ASCII text between other bytes from which words are left out.
const LONG: usize = 32;

/// The guess of the detector by at most `most` bytes.
fn guess_from(bytes: &[u8], complete: bool, most: usize) -> &'static Encoding {
    let (sample, is_all) = sample(bytes, most);
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(&sample, complete && is_all);
    detector.guess(None, Utf8Detection::Deny)
}

/// The first `most` bytes that influence the guess of the detector, and true if these are all.
/// Linear up to the last one.
///
/// The detector begins with the two bytes before the first that is not ASCII, or with an escape. It
/// scores pairs with a byte that is not ASCII, and the words that they are in. After an ASCII byte
/// and a space its state is that at the beginning, and further ASCII does not change the score. So
/// words between two such places are left out. A property test compares the guesses.
fn sample(bytes: &[u8], most: usize) -> (Cow<'_, [u8]>, bool) {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\n');
    let first = ascii_len(bytes);
    let begin = memchr(0x1B, &bytes[..first]).unwrap_or(first.saturating_sub(2));
    let mut kept = Vec::new();
    let (mut end, mut at) = (begin, begin);
    while at < bytes.len() && kept.len() + (at - end) < most {
        let run = &bytes[at..][..ascii_len(&bytes[at..])];
        if run.len() >= LONG
            && let Some(first) = run[1..].iter().position(is_blank)
            && let Some(last) = run[1..].iter().rposition(is_blank)
            && let (from, to) = (at + first + 2, at + last)
            && from < to
        {
            kept.extend_from_slice(&bytes[end..from]);
            end = to;
        }
        at += run.len();
        at += bytes[at..].iter().take(most).take_while(|byte| !byte.is_ascii()).count();
    }
    let rest = &bytes[end..];
    let rest = &rest[..rest.len().min(most.saturating_sub(kept.len()))];
    let is_all = end + rest.len() == bytes.len();
    if kept.is_empty() {
        return (Cow::Borrowed(rest), is_all);
    }
    kept.extend_from_slice(rest);
    kept.truncate(most);
    (Cow::Owned(kept), is_all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(crate::tier::cases(3_000))]

        #[test]
        fn guess_is_independent_of_ascii_words(
            pieces in prop::collection::vec(
                prop_oneof![
                    8 => prop::sample::select(vec![
                        &b" "[..], b"\n", b"a", b"N", b"n", b"1", b"12", b"X", b"XIV", b".", b",", b"(", b"Word", b"ALL CAPS", b"no.",
                        b"a longer text of words that are left out, ", b"Another Text\r\n> of several lines\n that ends in n",
                        b"more of 12 words in 1 line: 3", b"\x1B$B", b"\0", b"\x0C",
                        b" several words\n\x0C\nof two pages \x1B[1m \x7F of a text ",
                    ]).prop_map(<[u8]>::to_vec),
                    4 => prop::sample::select(vec![
                        &b"\xAA"[..], b"\xBA", b"\xA9", b"\xE9", b"\xA0", b"\xD1\xCC\xCF", b"\xD6\xD0\xCE\xC4", b"\x93\xFA\x96\x7B",
                        b"\xC6\xFC\xCB\xDC", b"\xB1", b"\xEF\xF0\xE8\xE2\xE5\xF2", b"\xCF\xF0\xE8", b"\xF9\xEC\xE5\xED", b"\xC7\xE1",
                        b"\xB0\xA1\xB3\xAA", b"\x92", b"\x81", b"\xFD", b"\x9A\xEB", b"\xE1\xE3",
                    ]).prop_map(<[u8]>::to_vec),
                    1 => prop::collection::vec(any::<u8>(), 1..6),
                ],
                0..40,
            ),
            complete in any::<bool>(),
            most in 0..200_usize,
            cut in any::<prop::sample::Index>(),
        ) {
            let bytes = pieces.concat();
            let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
            detector.feed(&bytes, complete);
            let expected = detector.guess(None, Utf8Detection::Deny);
            prop_assert_eq!(guess_from(&bytes, complete, usize::MAX), expected);

            let (all, _) = sample(&bytes, usize::MAX);
            let (first, is_all) = sample(&bytes, most);
            prop_assert_eq!(&*first, &all[..most.min(all.len())]);
            prop_assert!(!is_all || first.len() == all.len());

            let beginning = &bytes[..cut.index(bytes.len() + 1)];
            let last = beginning.iter().rposition(|byte| !byte.is_ascii());
            let beginning = &beginning[..last.map_or(0, |last| last + 1)];
            if sample(beginning, most).0.len() == most {
                prop_assert_eq!(&*sample(beginning, most).0, &*first);
            }
        }
    }

    #[test]
    fn words_are_left_out_where_they_change_no_guess() {
        let text = b"some ASCII words at the beginning, \xE9t\xE9 and then more of them, to the next \xE9t\xE9";
        assert_eq!(sample(text, 100), (b", \xE9t\xE9 and t \xE9t\xE9".as_slice().into(), true));
        assert_eq!(sample(text, 3), (b", \xE9".as_slice().into(), false));
    }

    /// The encoding of these words by a sample, and by a text that is several times as long.
    fn guesses(words: &str, encoding: &'static Encoding) -> [&'static Encoding; 2] {
        let words: Vec<&str> = words.split(' ').collect();
        let mut text = String::new();
        let mut random = 1_u32;
        while text.len() < 4 * SAMPLE {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            text.push_str(words[(random >> 16) as usize % words.len()]);
            text.push_str(if random >> 29 == 0 { " http://a.example/b, " } else { " " });
        }
        let (bytes, _, lacks_some) = encoding.encode(&text);
        assert!(!lacks_some);
        [SAMPLE, bytes.len()].map(|most| guess_from(&bytes, true, most))
    }

    #[test]
    fn sample_is_enough_for_every_kind_of_encoding() {
        for (words, encoding) in [
            ("référence déjà serveur größer Verzeichnis où être", encoding_rs::WINDOWS_1252),
            ("příklad žluťoučký kůň odkaz stránka řádek", encoding_rs::WINDOWS_1250),
            ("адрес страница список письмо сообщение", encoding_rs::KOI8_U),
            ("адрес страница список письмо сообщение", encoding_rs::WINDOWS_1251),
            ("資源の場所は 名前と ページを 参照して ください", encoding_rs::SHIFT_JIS),
            ("資源の場所は 名前と ページを 参照して ください", encoding_rs::EUC_JP),
            ("统一资源 地址 服务器 请参阅 列表", encoding_rs::GBK),
            ("統一資源 地址 伺服器 請參閱 列表", encoding_rs::BIG5),
        ] {
            assert_eq!(guesses(words, encoding), [encoding; 2], "{words}");
        }
    }

    #[test]
    fn a_prefix_may_end_inside_a_character() {
        let cut = &"é".as_bytes()[..1];
        assert_eq!(Charset::detect(cut, false, |_| None).encoding(), UTF_8);
        assert_ne!(Charset::detect(cut, true, |_| None).encoding(), UTF_8);
    }

    #[test]
    fn missing_characters_are_percent_encoded() {
        let named = |label| Charset::named(label, b"").unwrap();
        assert_eq!(named("latin1").percent_encode_missing("é中日", "日"), "é%E4%B8%AD日");
        assert_eq!(named("utf-8").percent_encode_missing("é中", ""), "é中");
        assert_eq!(named("utf-16le").percent_encode_missing("é中", ""), "é中");
        assert_eq!(named("latin1").encode("é"), b"\xE9");
        assert_eq!(named("utf-16be").encode("é"), [0, 0xE9]);
        assert_eq!(named("utf-16le").encode("𝄞"), [0x34, 0xD8, 0x1E, 0xDD]);
        assert_eq!(named("utf-8").encode("é"), "é".as_bytes());
        assert_eq!(named("iso-2022-jp").percent_encode_missing("日本", "本"), "%E6%97%A5本");
        assert_eq!(named("iso-2022-jp").encode("日"), b"&#26085;");
        assert_eq!(Charset::named("klingon", b""), Err(UnknownCharset));
    }
}
