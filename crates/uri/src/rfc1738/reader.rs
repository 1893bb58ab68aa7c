//! A reader of URLs from left to right.

use super::super::fault::Fault;
use crate::bytes::percent;

// Character classes, one bit each: one for the unreserved characters, and one for each reserved
// character, since the components of URLs differ only in these.

/// `unreserved`. Escapes are allowed wherever these are; together they are `uchar`.
pub(super) const UCHAR: u8 = 1;
pub(super) const SEMICOLON: u8 = 2;
pub(super) const SLASH: u8 = 4;
pub(super) const QUESTION: u8 = 8;
pub(super) const COLON: u8 = 16;
pub(super) const AT: u8 = 32;
pub(super) const AMPERSAND: u8 = 64;
pub(super) const EQUALS: u8 = 128;
/// `xchar`: all classes.
pub(super) const XCHAR: u8 = u8::MAX;
/// `fsegment` and `psegment`, which are the same.
pub(super) const FSEGMENT: u8 = UCHAR | QUESTION | COLON | AT | AMPERSAND | EQUALS;
/// `hsegment` and `search`, which are the same.
pub(super) const HSEGMENT: u8 = UCHAR | SEMICOLON | COLON | AT | AMPERSAND | EQUALS;
/// `user` and `password`, which are the same.
pub(super) const USER: u8 = UCHAR | SEMICOLON | QUESTION | AMPERSAND | EQUALS;

/// The class of each byte; 0 for those that must be percent-encoded everywhere.
const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        class[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => UCHAR,
            b'$' | b'-' | b'_' | b'.' | b'+' => UCHAR,
            b'!' | b'*' | b'\'' | b'(' | b')' | b',' => UCHAR,
            b';' => SEMICOLON,
            b'/' => SLASH,
            b'?' => QUESTION,
            b':' => COLON,
            b'@' => AT,
            b'&' => AMPERSAND,
            b'=' => EQUALS,
            _ => 0,
        };
        byte += 1;
    }
    class
};

/// A URL and the position of the next byte.
///
/// Only ASCII characters are skipped, so the position is always a character boundary.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the first character.
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The number of bytes read.
    pub(super) fn at(self) -> usize {
        self.at
    }

    /// The text not read yet.
    pub(super) fn rest(self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next byte.
    pub(super) fn peek(self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Reads `literal`, in either case (RFC 822, section 3.4.7). Returns true if it was next.
    pub(super) fn eat(&mut self, literal: &str) -> bool {
        let bytes = self.text.as_bytes();
        let found = bytes
            .get(self.at..self.at + literal.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(literal.as_bytes()));
        if found {
            self.at += literal.len();
        }
        found
    }

    /// Reads a required character.
    pub(super) fn expect(
        &mut self,
        character: &str,
        message: &'static str,
        rule: &'static str,
    ) -> Result<(), Fault> {
        if self.eat(character) { Ok(()) } else { Err(self.fault(message, rule)) }
    }

    /// Reads the two slashes of the common Internet scheme syntax.
    pub(super) fn slashes(&mut self) -> Result<(), Fault> {
        const MESSAGE: &str = "two slashes must follow this scheme";
        self.expect("/", MESSAGE, "RFC 1738, 3.1")?;
        self.expect("/", MESSAGE, "RFC 1738, 3.1")
    }

    /// Reads characters of `class` and escapes.
    pub(super) fn run(&mut self, class: u8) -> Result<&'a str, Fault> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            if CLASS[usize::from(byte)] & class != 0 {
                self.at += 1;
            } else if byte == b'%' {
                if percent::escaped(&bytes[self.at..]).is_none() {
                    let message = "two hexadecimal digits must follow a percent sign";
                    return Err(self.fault_here(message, "RFC 1738, 2.2"));
                }
                self.at += 3;
            } else {
                break;
            }
        }
        Ok(&self.text[start..self.at])
    }

    /// Reads ASCII characters that `is_part` accepts.
    pub(super) fn plain(&mut self, is_part: impl Fn(u8) -> bool) -> &'a str {
        let rest = self.rest();
        let len = rest.bytes().position(|b| !b.is_ascii() || !is_part(b));
        let len = len.unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    /// Reads one ASCII character if `is_it` accepts it.
    pub(super) fn letter(&mut self, is_it: impl Fn(u8) -> bool) -> Option<&'a str> {
        let letter = self.rest().get(..1)?;
        is_it(letter.as_bytes()[0]).then(|| {
            self.at += 1;
            letter
        })
    }

    /// Checks that all text has been read.
    pub(super) fn end(self, message: &'static str, rule: &'static str) -> Result<(), Fault> {
        if self.at == self.text.len() { Ok(()) } else { Err(self.fault(message, rule)) }
    }

    /// The fault of the next character: one that must be percent-encoded everywhere, or a violation
    /// of `rule`.
    pub(super) fn fault(self, message: &'static str, rule: &'static str) -> Fault {
        match self.peek() {
            Some(byte) if byte != b'%' && CLASS[usize::from(byte)] == 0 => {
                self.fault_here("must be percent-encoded in a URL", "RFC 1738, 2.2")
            }
            _ => self.fault_here(message, rule),
        }
    }

    /// The fault of the next character or of the end, for rules that percent-encoding would not
    /// satisfy.
    pub(super) fn fault_here(self, message: &'static str, rule: &'static str) -> Fault {
        Fault::at(self.text, self.at, message, rule)
    }

    /// The end of a user name with its `@`, if one follows before any slash.
    pub(super) fn userinfo_end(self) -> Option<usize> {
        let rest = self.rest();
        let at_sign = rest.find(['@', '/'])?;
        let is_userinfo = |b: u8| b == b'%' || CLASS[usize::from(b)] & (USER | COLON) != 0;
        (rest.as_bytes()[at_sign] == b'@' && rest[..at_sign].bytes().all(is_userinfo))
            .then_some(self.at + at_sign + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_characters_have_a_bit_each() {
        let all = |class: u8| -> String {
            let is_in = |b: &u8| CLASS[usize::from(*b)] & class != 0;
            (0..=255).filter(is_in).map(char::from).collect()
        };
        let unreserved = all(UCHAR);
        assert_eq!(unreserved.len(), 26 + 26 + 10 + 5 + 6);
        assert!(unreserved.starts_with("!$'()*+,-.0") && !unreserved.contains('~'));
        assert_eq!(all(XCHAR & !UCHAR), "&/:;=?@");
        assert_eq!(all(FSEGMENT & !UCHAR), "&:=?@");
        assert_eq!(all(HSEGMENT & !UCHAR), "&:;=@");
        assert_eq!(all(USER & !UCHAR), "&;=?");
    }
}
