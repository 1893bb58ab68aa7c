//! The tokens of PDF objects (ISO 32000-2, section 7.2), with their bytes.
//!
//! Malformed objects are read leniently: a string that is not closed ends after 1 MiB.

use std::borrow::Cow;

use crate::bytes::Span;

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `<<`
    OpenDictionary,
    /// `[`
    OpenArray,
    /// `>>` or `]`
    Close,
    /// A name, without its slash.
    Name(Span),
    /// The bytes between the parentheses of a string, or between the angles of one in hexadecimal
    /// digits.
    String(Span, Notation),
    /// A number. `None` for negative numbers and fractions.
    Number(Option<u64>),
    /// Other words: `R`, `stream`, `true`.
    Word(Span),
}

/// The way to write a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    /// `(text)`
    Literal,
    /// `<74657874>`
    Hexadecimal,
}

/// The most bytes of a string.
const MAX_STRING: usize = 1 << 20;

pub(super) struct Lexer<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Lexer<'b> {
    /// Reads `bytes` from an offset on.
    pub(super) fn new(bytes: &'b [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// The offset after the last token.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn next(&mut self) -> Option<Token> {
        self.skip_space();
        let start = self.at;
        let next = self.bytes.get(start + 1).copied();
        let (token, len) = match *self.bytes.get(start)? {
            b'<' if next == Some(b'<') => (Token::OpenDictionary, 2),
            b'>' if next == Some(b'>') => (Token::Close, 2),
            b'[' => (Token::OpenArray, 1),
            b']' => (Token::Close, 1),
            b'(' => return Some(self.literal()),
            b'<' => return Some(self.hexadecimal()),
            b'/' => {
                let name = self.regular(start + 1);
                self.at = name.end;
                return Some(Token::Name(name));
            }
            // A bracket that nothing opens.
            b'>' | b')' | b'{' | b'}' => (Token::Word(Span::new(start, start + 1)), 1),
            _ => {
                let word = self.regular(start);
                self.at = word.end;
                let text = &self.bytes[word.range()];
                return Some(
                    match text.iter().all(|it| it.is_ascii_digit() || b"+-.".contains(it)) {
                        true => {
                            Token::Number(str::from_utf8(text).ok().and_then(|it| it.parse().ok()))
                        }
                        false => Token::Word(word),
                    },
                );
            }
        };
        self.at = start + len;
        Some(token)
    }

    /// Skips one byte.
    pub(super) fn skip(&mut self) {
        self.at += 1;
    }

    /// Reads a word, a number, or nothing: a token that has no end of its own.
    pub(super) fn word(&mut self) -> &'b [u8] {
        self.skip_space();
        let word = self.regular(self.at);
        self.at = word.end;
        &self.bytes[word.range()]
    }

    /// Skips white space and comments.
    fn skip_space(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'%' => {
                    let rest = &self.bytes[self.at..];
                    self.at += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
                }
                byte if is_space(byte) => self.at += 1,
                _ => return,
            }
        }
    }

    /// The regular characters from an offset on.
    fn regular(&self, start: usize) -> Span {
        let ends = |byte: &u8| is_space(*byte) || b"()<>[]{}/%".contains(byte);
        let len = self.bytes[start..].iter().position(ends);
        Span::new(start, len.map_or(self.bytes.len(), |len| start + len))
    }

    /// A string in parentheses, which may have others in balance.
    fn literal(&mut self) -> Token {
        let start = self.at + 1;
        let most = &self.bytes[..self.bytes.len().min(start + MAX_STRING)];
        let mut depth = 0;
        let mut at = start;
        while let Some(&byte) = most.get(at) {
            match byte {
                b'\\' => at += 1,
                b'(' => depth += 1,
                b')' if depth == 0 => break,
                b')' => depth -= 1,
                _ => {}
            }
            at += 1;
        }
        let end = at.min(most.len());
        self.at = (end + 1).min(self.bytes.len());
        Token::String(Span::new(start, end), Notation::Literal)
    }

    fn hexadecimal(&mut self) -> Token {
        let start = self.at + 1;
        let most = self.bytes.len().min(start + MAX_STRING);
        let end = memchr::memchr(b'>', &self.bytes[start..most]);
        let end = end.map_or(most, |len| start + len);
        self.at = (end + 1).min(self.bytes.len());
        Token::String(Span::new(start, end), Notation::Hexadecimal)
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\0' | b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}

/// The name that these bytes spell. `#` and two hexadecimal digits are a character (section 7.3.5).
pub(super) fn name(bytes: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'#', bytes).is_none() {
        return Cow::Borrowed(bytes);
    }
    let mut name = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [byte, after @ ..] = rest {
        (name, rest) = match rest {
            [b'#', high, low, after @ ..]
                if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() =>
            {
                name.push(digit(*high) << 4 | digit(*low));
                (name, after)
            }
            _ => {
                name.push(*byte);
                (name, after)
            }
        };
    }
    Cow::Owned(name)
}

/// The text that the bytes of a string spell (sections 7.3.4 and 7.9.2). URIs are ASCII, but programs
/// also write UTF-8 and the encoding of their system.
pub(super) fn text(bytes: &[u8], notation: Notation) -> String {
    let bytes = match notation {
        Notation::Literal => unescaped(bytes),
        Notation::Hexadecimal => of_digits(bytes),
    };
    let (encoding, bytes) = match &*bytes {
        [0xFE, 0xFF, rest @ ..] => (encoding_rs::UTF_16BE, rest),
        [0xEF, 0xBB, 0xBF, rest @ ..] => (encoding_rs::UTF_8, rest),
        all if str::from_utf8(all).is_ok() => (encoding_rs::UTF_8, all),
        all => (encoding_rs::WINDOWS_1252, all),
    };
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

fn unescaped(bytes: &[u8]) -> Vec<u8> {
    let mut new = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        let after = &bytes[at..];
        match (byte, after) {
            // The end of a line is a line feed.
            (b'\r', [b'\n', ..]) => {}
            (b'\r', _) => new.push(b'\n'),
            (b'\\', [b'\r', b'\n', ..]) => at += 2,
            (b'\\', [b'\r' | b'\n', ..]) => at += 1,
            (b'\\', [b'0'..=b'7', ..]) => {
                let digits = after.iter().take(3).take_while(|it| matches!(it, b'0'..=b'7'));
                let mut value = 0_u32;
                for digit in digits {
                    value = value * 8 + u32::from(digit - b'0');
                    at += 1;
                }
                // Overflow is ignored.
                new.push(value as u8);
            }
            (b'\\', [escaped, ..]) => {
                at += 1;
                new.push(match escaped {
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    b'b' => 8,
                    b'f' => 12,
                    other => *other,
                });
            }
            (b'\\', []) => {}
            (byte, _) => new.push(byte),
        }
    }
    new
}

/// The bytes of hexadecimal digits. A missing last digit is 0.
fn of_digits(bytes: &[u8]) -> Vec<u8> {
    let digits = bytes.iter().filter(|it| it.is_ascii_hexdigit());
    let digits: Vec<u8> = digits.map(|&it| digit(it)).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or_default()).collect()
}

fn digit(hexadecimal: u8) -> u8 {
    char::from(hexadecimal).to_digit(16).map_or(0, |it| it as u8)
}
