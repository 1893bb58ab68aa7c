//! The classes of characters in and around bare URLs.

use super::link_detection::{LINK_BRACKET, LINK_EMAIL, LINK_TERM};
use super::simd;
use super::term::Term;
use crate::format::options::Iri;

/// The role of an ASCII byte, or of the first byte of a longer character, in a bare URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Part of the URL.
    Plain,
    /// Never part of the URL.
    Stop,
    /// Opens brackets of this kind.
    Open(u8),
    /// Closes brackets of this kind.
    Close(u8),
    /// `,` `;` `|`: part of the URL unless another URL follows.
    Separator,
    /// `'`: part of the URL unless it quotes the URL.
    Apostrophe,
    /// The first byte of a non-ASCII character.
    Wide,
}

/// The kind of `{` `}`.
pub(super) const CURLY: u8 = 2;

/// Non-ASCII quotes that are treated as brackets, each pair as a separate kind. `’` is not
/// included: it is an apostrophe more often than a quote.
const QUOTE_BRACKETS: [(char, char); 3] = [('“', '”'), ('«', '»'), ('‹', '›')];

/// The kind of the first pair in [`QUOTE_BRACKETS`].
const FIRST_QUOTE: u8 = CURLY + 1;

/// The kind of the first bracket of UTS #58.
const FIRST_BRACKET: u8 = FIRST_QUOTE + QUOTE_BRACKETS.len() as u8;

static CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut classes = [Class::Plain; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            0..=b' ' | 0x7F | b'<' | b'>' | b'"' | b'`' | b'\\' => Class::Stop,
            b'(' => Class::Open(0),
            b')' => Class::Close(0),
            b'[' => Class::Open(1),
            b']' => Class::Close(1),
            b'{' => Class::Open(CURLY),
            b'}' => Class::Close(CURLY),
            b',' | b';' | b'|' => Class::Separator,
            b'\'' => Class::Apostrophe,
            0x80.. => Class::Wide,
            _ => Class::Plain,
        };
        byte += 1;
    }
    classes
}

/// The class of a byte of UTF-8.
#[inline]
pub(super) fn class(byte: u8) -> Class {
    CLASSES[usize::from(byte)]
}

/// A table of the bytes that are [`Class::Plain`], except those in `but`.
const fn plain(but: &[u8]) -> [bool; 256] {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        plain[byte] = matches!(CLASSES[byte], Class::Plain);
        byte += 1;
    }
    let mut at = 0;
    while at < but.len() {
        plain[but[at] as usize] = false;
        at += 1;
    }
    plain
}

/// The bytes without a meaning between delimiters: not white space, not a delimiter, not part of a
/// non-ASCII character.
static PLAIN_INSIDE: [bool; 256] = {
    let mut plain = [true; 256];
    let mut byte = 0;
    while byte < 256 {
        // A label follows `|`.
        plain[byte] = !matches!(CLASSES[byte], Class::Stop | Class::Wide) && byte != b'|' as usize;
        byte += 1;
    }
    plain
};

static PLAIN: [bool; 256] = plain(b"_");
static PLAIN_IN_LABEL: [bool; 256] = plain(b"/?#@.");

/// The number of leading bytes that are in the table.
#[inline]
fn len_in(table: &[bool; 256], bytes: &[u8]) -> usize {
    let end = bytes.iter().position(|byte| !table[usize::from(*byte)]);
    end.unwrap_or(bytes.len())
}

/// The number of leading bytes that are in the table, or are `is_in`, which is the same without
/// branches.
#[inline]
fn vector_len_in(table: &[bool; 256], bytes: &[u8], is_in: impl Fn(u8) -> bool) -> usize {
    let (pairs, rest) = bytes.as_chunks();
    for (at, pair) in pairs.iter().enumerate() {
        let others = !simd::bits_of_pair(pair, &is_in);
        if others != 0 {
            return at * pair.len() + others.trailing_zeros() as usize;
        }
    }
    bytes.len() - rest.len() + len_in(table, rest)
}

/// The number of leading plain bytes, `_` excluded: a run of underscores may be a ruler.
#[inline]
pub(super) fn plain_len(bytes: &[u8]) -> usize {
    vector_len_in(&PLAIN, bytes, is_plain)
}

/// The number of leading plain bytes, for places where few bytes are expected.
#[inline]
pub(super) fn short_plain_len(bytes: &[u8]) -> usize {
    len_in(&PLAIN, bytes)
}

/// Returns true if the byte is in [`PLAIN`]. Compilers turn this into few vector instructions.
#[inline]
fn is_plain(byte: u8) -> bool {
    let small = byte | 0x20;
    // Graphic, and none of `'()`, `[\]{|}`, `_` and DEL, `<>`.
    (byte as i8 > b' ' as i8)
        & (byte.wrapping_sub(b'\'') > 2)
        & (small.wrapping_sub(b'{') > 2)
        & (small != 0x7F)
        & (byte | 2 != b'>')
        & (byte != b'"')
        & (byte != b',')
        & (byte != b';')
        & (byte != b'`')
}

/// Returns true if the byte is in [`PLAIN_INSIDE`], in the same way.
#[inline]
fn is_plain_inside(byte: u8) -> bool {
    (byte as i8 > b' ' as i8)
        & (byte | 2 != b'>')
        & (byte != b'"')
        & (byte != b'`')
        & (byte != b'\\')
        & (byte != b'|')
        & (byte != 0x7F)
}

/// The number of leading plain bytes that separate nothing in an authority.
#[inline]
pub(super) fn label_len(bytes: &[u8]) -> usize {
    len_in(&PLAIN_IN_LABEL, bytes)
}

/// The number of leading bytes without a meaning between delimiters.
#[inline]
pub(super) fn inside_len(bytes: &[u8]) -> usize {
    vector_len_in(&PLAIN_INSIDE, bytes, is_plain_inside)
}

/// The length of the leading character if it is one of the most common non-ASCII letters in URLs,
/// which UTS #58 includes: Latin-1, Cyrillic, Han, kana and Hangul. Otherwise 0.
#[inline]
pub(super) fn letter_width(bytes: &[u8]) -> usize {
    match *bytes {
        [0xC3 | 0xD0 | 0xD1, ..] => 2,
        [0xE4..=0xE9 | 0xEB | 0xEC, ..] | [0xE3, 0x83, ..] => 3,
        [0xEA, 0xB0..=0xBF, ..] => 3,
        // Excludes the first and the last code point of the Hiragana block, which are unassigned.
        [0xE3, 0x81, 0x81..=0xBF, ..] | [0xE3, 0x82, 0x99..=0xBF, ..] => 3,
        _ => 0,
    }
}

/// Returns true if `c` is Han or Kana.
pub(super) fn is_ideographic(c: char) -> bool {
    matches!(c, '\u{3005}' | '\u{3041}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// The number of consecutive `_` that are a ruler across the page.
pub(super) const RULE: usize = 8;

/// The number of leading `_`, at most [`RULE`].
#[inline]
pub(super) fn underscores(bytes: &[u8]) -> usize {
    let run = bytes.iter().take(RULE);
    run.take_while(|byte| **byte == b'_').count()
}

/// The class of a character: never [`Class::Wide`].
pub(super) fn class_of(c: char, iri: Iri) -> Class {
    if let Ok(byte) = u8::try_from(c)
        && byte.is_ascii()
    {
        return class(byte);
    }
    match iri {
        Iri::Auto => match u32::from(c) {
            code @ 0x2000..0x2070 => PUNCTUATION[code as usize - 0x2000],
            code @ 0x3000..0x3040 => CJK_PUNCTUATION[code as usize - 0x3000],
            code @ 0xFF00..0xFF66 => FULL_WIDTH[code as usize - 0xFF00],
            _ => wide_class(c),
        },
        Iri::Ascii => Class::Stop,
        Iri::Full if is_unseen(c) => Class::Stop,
        Iri::Full => Class::Plain,
    }
}

/// Returns true if `c` is never part of a bare URL, for any [`Iri`].
pub(super) fn is_stop(c: char) -> bool {
    class_of(c, Iri::Auto) == Class::Stop
}

/// The number of bytes of `text` before the first character that [ends](is_stop) a URL.
pub(super) fn before_stop(text: &str) -> usize {
    let is_seen = |byte: &u8| matches!(class(*byte), Class::Stop | Class::Wide);
    match text.as_bytes().iter().position(is_seen) {
        Some(at) if text.as_bytes()[at].is_ascii() => at,
        Some(at) => text[at..].find(is_stop).map_or(text.len(), |stop| at + stop),
        None => text.len(),
    }
}

/// The classes of the blocks General Punctuation and CJK Symbols and Punctuation, and of the
/// full-width forms of ASCII. They are most of the non-letters in East Asian text.
static PUNCTUATION: [Class; 0x70] = wide_classes(0x2000);
static CJK_PUNCTUATION: [Class; 0x40] = wide_classes(0x3000);
static FULL_WIDTH: [Class; 0x66] = wide_classes(0xFF00);

const fn wide_classes<const N: usize>(first: u32) -> [Class; N] {
    let mut classes = [Class::Stop; N];
    let mut at = 0;
    while at < N {
        if let Some(c) = char::from_u32(first + at as u32) {
            classes[at] = wide_class(c);
        }
        at += 1;
    }
    classes
}

/// The class of a non-ASCII character by UTS #58.
const fn wide_class(c: char) -> Class {
    match term(c) {
        Term::Hard => Class::Stop,
        Term::Include if is_invisible(c) => Class::Stop,
        Term::Include => Class::Plain,
        Term::Open => Class::Open(bracket_kind(c)),
        Term::Close => Class::Close(bracket_kind(c)),
        Term::Soft => {
            let mut at = 0;
            while at < QUOTE_BRACKETS.len() {
                let kind = FIRST_QUOTE + at as u8;
                let (open, close) = QUOTE_BRACKETS[at];
                if c == open {
                    return Class::Open(kind);
                }
                if c == close {
                    return Class::Close(kind);
                }
                at += 1;
            }
            Class::Plain
        }
    }
}

/// The kind of the bracket `c`.
const fn bracket_kind(c: char) -> u8 {
    let mut at = 0;
    while at < LINK_BRACKET.len() && LINK_BRACKET[at].0 != c && LINK_BRACKET[at].1 != c {
        at += 1;
    }
    FIRST_BRACKET + at as u8
}

/// The index in [`LINK_TERM`] of the first change beyond each block of 64 characters, in the planes
/// with many changes. A block has few of them.
static LINK_TERM_BLOCKS: [u16; 0x20000 / 64] = {
    let mut blocks = [0; 0x20000 / 64];
    let mut block = 0;
    let mut change = 0;
    while block < blocks.len() {
        while change < LINK_TERM.len() && LINK_TERM[change].0 <= 64 * block as u32 {
            change += 1;
        }
        blocks[block] = change as u16;
        block += 1;
    }
    blocks
};

/// The Link_Term of a non-ASCII character.
const fn term(c: char) -> Term {
    let code = c as u32;
    let block = code as usize / 64;
    let last = LINK_TERM_BLOCKS.len() - 1;
    let mut after = LINK_TERM_BLOCKS[if block < last { block } else { last }] as usize;
    while after < LINK_TERM.len() && LINK_TERM[after].0 <= code {
        after += 1;
    }
    match after {
        0 => Term::Hard,
        _ => LINK_TERM[after - 1].1,
    }
}

/// White space, controls and invisible characters.
fn is_unseen(c: char) -> bool {
    c.is_whitespace() || c.is_control() || is_invisible(c)
}

/// Invisible characters, which people never type in a URL. UTS #58 includes some of them for
/// right-to-left scripts, but web pages and editors insert them around URLs in text. U+FFFD
/// replaces an undecodable byte, which often was a quote.
const fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{61C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFD}')
}

/// Returns true if a bare URL never ends with `c`: sentence punctuation, quotes and unclosed
/// opening brackets.
pub(super) fn is_trimmed(c: char, iri: Iri) -> bool {
    match c {
        '.' | ',' | ':' | ';' | '?' | '!' | '\'' | '*' | '^' | '|' | '(' | '[' | '{' => true,
        '\0'..='\x7F' => false,
        _ if iri == Iri::Full => false,
        // UTS #58 includes these as apostrophes and ellipses.
        '‚' | '„' | '…' => true,
        '”' | '»' | '›' => false,
        _ => matches!(term(c), Term::Soft | Term::Open),
    }
}

/// Returns true if `c` ends a bare URL when a non-ASCII character follows: the marks that end a
/// clause in text without spaces.
pub(super) fn is_clause_mark(c: char) -> bool {
    matches!(c, '，' | '。' | '；' | '！' | '？' | '、')
}

/// Returns true if `c` is a full-width mark that ends a host. UTS #46 maps it to an ASCII mark that no
/// host name has; the full stops are dots.
pub(super) fn is_host_end(c: char) -> bool {
    matches!(c, '，' | '；' | '：' | '！' | '？' | '、' | '（' | '）' | '／')
}

/// Returns true if `c` may occur in the local part of a bare mail address: UTS #58's Link_Email.
pub(super) fn is_email(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || "!#$%&'*+-./=?^_`{|}~".contains(c);
    }
    let code = u32::from(c);
    let after = LINK_EMAIL.partition_point(|&(first, _)| first <= code);
    after.checked_sub(1).is_some_and(|at| code <= LINK_EMAIL[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_bytes_and_characters_agree() {
        for byte in 0..0x80u8 {
            assert_eq!(class(byte), class_of(char::from(byte), Iri::Auto));
        }
        assert_eq!(class(0xE4), Class::Wide);
        assert_eq!(class_of('ä', Iri::Auto), Class::Plain);
        assert_eq!(class_of('\u{85}', Iri::Auto), Class::Stop);
        assert_eq!(class_of('\u{3000}', Iri::Auto), Class::Stop);
    }

    #[test]
    fn tables_and_vectors_agree() {
        for byte in 0..=u8::MAX {
            assert_eq!(is_plain(byte), PLAIN[usize::from(byte)], "{byte}");
            let inside = PLAIN_INSIDE[usize::from(byte)];
            assert_eq!(is_plain_inside(byte), inside, "{byte}");
        }
        for len in 0..100 {
            for text in ["a".repeat(len), "a".repeat(len) + "," + &"a".repeat(100)] {
                assert_eq!(plain_len(text.as_bytes()), len);
            }
        }
    }

    #[test]
    fn brackets_beyond_ascii_have_kinds_of_their_own() {
        let pairs = QUOTE_BRACKETS.into_iter().chain(LINK_BRACKET);
        let kinds = pairs.map(|(open, close)| {
            let Class::Open(kind) = class_of(open, Iri::Auto) else {
                panic!("{open} opens");
            };
            assert_eq!(class_of(close, Iri::Auto), Class::Close(kind));
            kind
        });
        assert!(kinds.eq(3..3 + QUOTE_BRACKETS.len() as u8 + LINK_BRACKET.len() as u8));
    }

    #[test]
    fn block_index_finds_the_previous_change() {
        for c in '\u{80}'..=char::MAX {
            let after = LINK_TERM.partition_point(|(first, _)| *first <= u32::from(c));
            let change = after.checked_sub(1).map(|at| LINK_TERM[at].1);
            assert_eq!(Some(term(c)), change, "{c:?}");
        }
    }

    #[test]
    fn letters_are_plain() {
        let mut letters = 0;
        for c in '\u{80}'..=char::MAX {
            let width = letter_width(c.encode_utf8(&mut [0; 4]).as_bytes());
            assert!(width == 0 || width == c.len_utf8());
            let plain = class_of(c, Iri::Auto) == Class::Plain && !is_trimmed(c, Iri::Auto);
            assert!(width == 0 || plain, "{c:?}");
            letters += usize::from(width > 0);
        }
        assert!(letters > 30_000);
    }

    #[test]
    fn white_space_is_never_included() {
        for c in '\u{80}'..=char::MAX {
            let white = c.is_whitespace() || c.is_control();
            assert!(!white || term(c) == Term::Hard, "{c:?}");
        }
    }

    #[test]
    fn iri_option_affects_only_non_ascii_characters() {
        for (c, auto, ascii, full) in [
            ('é', Class::Plain, Class::Stop, Class::Plain),
            ('”', Class::Close(3), Class::Stop, Class::Plain),
            ('\u{A0}', Class::Stop, Class::Stop, Class::Stop),
            ('/', Class::Plain, Class::Plain, Class::Plain),
            (')', Class::Close(0), Class::Close(0), Class::Close(0)),
        ] {
            assert_eq!(class_of(c, Iri::Auto), auto);
            assert_eq!(class_of(c, Iri::Ascii), ascii);
            assert_eq!(class_of(c, Iri::Full), full);
        }
    }

    #[test]
    fn typical_last_characters_are_not_trimmed() {
        for c in "/-=#&%+$@_~)aä✪・”".chars() {
            assert!(!is_trimmed(c, Iri::Auto), "{c}");
        }
        for c in ".,:;?!'*^|([{（’…。‚「।؟".chars() {
            assert!(is_trimmed(c, Iri::Auto), "{c}");
        }
        assert!(!is_trimmed('。', Iri::Full));
    }

    #[test]
    fn address_characters_follow_link_email() {
        for c in "a9.+é中".chars() {
            assert!(is_email(c), "{c}");
        }
        for c in "@ ,;:()<>\"[]\\。\u{3000}".chars() {
            assert!(!is_email(c), "{c}");
        }
    }
}
