//! The grammar of RFC 3986 and RFC 3987 in one pass.

use std::net::Ipv6Addr;
use std::str::FromStr;

use super::chars::{
    CLASS, FRAGMENT, HEX, PATH, PATH_TO_COLON, QUERY, REG_NAME, USERINFO, is, is_scheme_byte,
};
use super::fault::Fault;
use super::parts::Ends;

/// Checks a text and finds the ends of its components.
#[inline]
pub(super) fn parse(text: &str) -> Result<Ends, Fault> {
    let scan = Scan { text, bytes: text.as_bytes() };
    let mut ends = Ends::default();
    let mut at = 0;
    // Half of the references of a page are fragments alone, which have neither scheme, authority
    // nor path.
    if let Some(scheme) = web_scheme(scan.bytes) {
        ends.scheme = scheme;
        ends.authority = scan.authority(scheme + "//".len())?;
        at = scan.run(ends.authority, PATH);
    } else if !matches!(scan.next(0), None | Some(b'?' | b'#')) {
        // Either the path or a scheme, depending on the first colon.
        at = scan.run(0, PATH_TO_COLON);
        if scan.next(at) == Some(b':') {
            ends.scheme = scan.scheme(at)?;
        }
        ends.authority = ends.scheme;
        if scan.bytes[ends.scheme..].starts_with(b"//") {
            ends.authority = scan.authority(ends.scheme + 2)?;
            at = scan.run(ends.authority, PATH);
        } else if scan.next(at) == Some(b':') {
            at = scan.run(at, PATH);
        }
    }
    ends.path = at;
    if scan.next(at) == Some(b'?') {
        at = scan.run(at + 1, QUERY);
    }
    ends.query = at;
    if scan.next(at) == Some(b'#') {
        at = scan.run(at + 1, FRAGMENT);
    }
    if at < text.len() {
        let (message, rule) = if ends.query < at {
            ("not allowed in a fragment", "RFC 3986, 3.5")
        } else if ends.path < at {
            ("not allowed in a query", "RFC 3986, 3.4")
        } else if scan.is_before_scheme_end(at) {
            ("not allowed in a scheme", "RFC 3986, 3.1")
        } else {
            ("not allowed in a path", "RFC 3986, 3.3")
        };
        return Err(scan.refused(at, message, rule));
    }
    Ok(ends)
}

/// The classes of each byte in IRIs. Bytes of the characters from U+00C0 to U+D7FF have all
/// classes, since these are `ucschar`. Characters that begin with other bytes are rare, and each is
/// checked by itself.
const IRI_CLASS: [u8; 256] = {
    let mut class = CLASS;
    let mut byte = 0x80;
    while byte < 256 {
        if matches!(byte, 0x80..0xC0 | 0xC3..0xEE) {
            class[byte] = u8::MAX;
        }
        byte += 1;
    }
    class
};

/// Sets the bit of each of four bytes that is not of `class`. The first byte is the lowest.
#[inline]
fn outside(four: [u8; 4], class: u8) -> u32 {
    let [a, b, c, d] = four;
    let [a, b, c, d] = [a, b, c, d].map(|it| IRI_CLASS[usize::from(it)] & class);
    if a & b & c & d != 0 {
        return 0;
    }
    let bit = |it: u8, at: u32| u32::from(it == 0) << at;
    bit(a, 0) | bit(b, 1) | bit(c, 2) | bit(d, 3)
}

/// The length of a scheme that most absolute references have, with its colon, if an authority
/// follows.
#[inline]
fn web_scheme(text: &[u8]) -> Option<usize> {
    match text {
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', ..] => Some("https:".len()),
        [b'h', b't', b't', b'p', b':', b'/', b'/', ..] => Some("http:".len()),
        _ => None,
    }
}

/// `ucschar` of RFC 3987, 2.2.
fn is_ucschar(c: char) -> bool {
    match u32::from(c) {
        0xA0..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xFFEF => true,
        c @ 0x1_0000..=0xE_FFFD => c & 0xFFFF <= 0xFFFD && !(0xE_0000..0xE_1000).contains(&c),
        _ => false,
    }
}

/// `iprivate` of RFC 3987, 2.2.
fn is_iprivate(c: char) -> bool {
    match u32::from(c) {
        0xE000..=0xF8FF => true,
        c @ 0xF_0000.. => c & 0xFFFF <= 0xFFFD,
        _ => false,
    }
}

#[derive(Clone, Copy)]
struct Scan<'a> {
    text: &'a str,
    bytes: &'a [u8],
}

impl Scan<'_> {
    #[inline]
    fn next(self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// Skips characters of `class`, escapes, and the non-ASCII characters of IRIs.
    #[inline]
    fn run(self, at: usize, class: u8) -> usize {
        let at = self.plain(at, class);
        match self.next(at) {
            Some(b'%' | 0x80..) => self.encoded_run(at, class),
            _ => at,
        }
    }

    /// Skips the same characters as [`run`](Self::run), from an escape or a rare character on.
    // Not inlined, since most runs have neither.
    #[inline(never)]
    fn encoded_run(self, mut at: usize, class: u8) -> usize {
        loop {
            let start = at;
            let (threes, _) = self.bytes[at..].as_chunks();
            let is_escape =
                |&&[sign, high, low]: &&[u8; 3]| (sign == b'%') & is(high, HEX) & is(low, HEX);
            at += "%XX".len() * threes.iter().take_while(is_escape).count();
            if self.next(at).is_some_and(|byte| byte >= 0x80) {
                at += self.rare_len(at, class);
            }
            if at == start {
                return at;
            }
            at = self.plain(at, class);
        }
    }

    /// Skips characters of `class`, and common non-ASCII characters of IRIs.
    #[inline(always)]
    fn plain(self, mut at: usize, class: u8) -> usize {
        // Four bytes at a time, without a branch for each: the end of a run is unpredictable, and a
        // mispredicted branch costs more than four comparisons.
        let rest = &self.bytes[at..];
        let (fours, few) = rest.as_chunks();
        for &four in fours {
            let outside = outside(four, class);
            if outside != 0 {
                return at + outside.trailing_zeros() as usize;
            }
            at += 4;
        }
        // The last four. Some of them are compared already.
        if let Some(&four) = rest.last_chunk() {
            let outside = outside(four, class) >> (4 - few.len());
            return at + few.len().min(outside.trailing_zeros() as usize);
        }
        let is_outside = |&byte: &u8| IRI_CLASS[usize::from(byte)] & class == 0;
        at + few.iter().position(is_outside).unwrap_or(few.len())
    }

    /// The length of the rare non-ASCII character at `at`; 0 if it is not allowed.
    #[cold]
    fn rare_len(self, at: usize, class: u8) -> usize {
        match self.text[at..].chars().next() {
            Some(c) if is_ucschar(c) || (class == QUERY && is_iprivate(c)) => c.len_utf8(),
            _ => 0,
        }
    }

    /// The fault of the character at `at`, or of the end.
    fn fault(self, at: usize, message: &'static str, rule: &'static str) -> Fault {
        Fault::at(self.text, at, message, rule)
    }

    /// The fault of the character at `at`, which [`Scan::run`] did not skip and which is not a
    /// delimiter.
    #[cold]
    fn refused(self, at: usize, message: &'static str, rule: &'static str) -> Fault {
        match self.bytes.get(at) {
            Some(b'%') => {
                let message = "two hexadecimal digits must follow a percent sign";
                self.fault(at, message, "RFC 3986, 2.1")
            }
            Some(0x80..) => {
                let message = "a character that IRIs do not allow here";
                self.fault(at, message, "RFC 3987, 2.2")
            }
            _ => self.fault(at, message, rule),
        }
    }

    /// The end of the scheme with its colon, where `colon` is the first colon of the text; 0 if
    /// that colon may be part of a path.
    fn scheme(self, colon: usize) -> Result<usize, Fault> {
        let before = &self.bytes[..colon];
        if before.iter().copied().all(is_scheme_byte) {
            if before.first().is_some_and(u8::is_ascii_alphabetic) {
                return Ok(colon + 1);
            }
            // Also if the scheme is missing: ":a".
            return Err(self.fault(0, "a scheme begins with a letter", "RFC 3986, 3.1"));
        }
        if before.contains(&b'/') {
            return Ok(0);
        }
        let at = before.iter().position(|&byte| !is_scheme_byte(byte));
        Err(self.fault(at.unwrap_or(0), "not allowed in a scheme", "RFC 3986, 3.1"))
    }

    /// Returns true if `at` would be in a scheme except for its character: the next delimiter is a
    /// colon, and it is the first.
    #[cold]
    fn is_before_scheme_end(self, at: usize) -> bool {
        let delimiter = |b: &&u8| matches!(b, b':' | b'/' | b'?' | b'#');
        let (before, after) = self.bytes.split_at(at);
        before.iter().find(delimiter).is_none() && after.iter().find(delimiter) == Some(&b':')
    }

    /// Checks the authority that begins at `at`, and returns its end.
    #[inline]
    fn authority(self, at: usize) -> Result<usize, Fault> {
        let end = self.run(at, REG_NAME);
        match self.next(end) {
            None | Some(b'/' | b'?' | b'#') => Ok(end),
            _ => self.authority_with_delimiters(at),
        }
    }

    /// Checks an authority that has more than a host name, and returns its end.
    fn authority_with_delimiters(self, at: usize) -> Result<usize, Fault> {
        const MESSAGE: &str = "not allowed in an authority";
        const RULE: &str = "RFC 3986, 3.2";
        // Userinfo, or a host and port, depending on the delimiter at the end.
        let end = self.run(at, USERINFO);
        let host = match self.next(end) {
            Some(b'@') => end + 1,
            Some(b'%' | 0x80..) => return Err(self.refused(end, MESSAGE, RULE)),
            _ if self.is_before_at_sign(end) => {
                return Err(self.refused(end, "not allowed in userinfo", "RFC 3986, 3.2.1"));
            }
            _ => at,
        };
        let mut end = match self.next(host) {
            Some(b'[') => self.ip_literal(host)?,
            _ => self.run(host, REG_NAME),
        };
        let has_port = self.next(end) == Some(b':');
        if has_port {
            end += 1;
            while self.next(end).is_some_and(|byte| byte.is_ascii_digit()) {
                end += 1;
            }
        }
        match self.next(end) {
            None | Some(b'/' | b'?' | b'#') => Ok(end),
            _ if has_port => Err(self.fault(end, "a port is made of digits", "RFC 3986, 3.2.3")),
            _ => Err(self.refused(end, MESSAGE, RULE)),
        }
    }

    /// Returns true if an `@` follows in the same authority.
    fn is_before_at_sign(self, at: usize) -> bool {
        let mut rest = self.bytes[at..].iter();
        rest.find(|b| matches!(b, b'@' | b'/' | b'?' | b'#')) == Some(&b'@')
    }

    /// Checks the bracketed host that begins at `at`, and returns its end.
    fn ip_literal(self, at: usize) -> Result<usize, Fault> {
        const RULE: &str = "RFC 3986, 3.2.2";
        let inside = &self.bytes[at + 1..];
        let Some(len) = inside.iter().position(|b| matches!(b, b']' | b'/' | b'?' | b'#')) else {
            return Err(self.fault(self.bytes.len(), "a bracket is not closed", RULE));
        };
        let end = at + 1 + len;
        if self.bytes[end] != b']' {
            return Err(self.fault(end, "a bracket is not closed", RULE));
        }
        let address = &self.text[at + 1..end];
        if Ipv6Addr::from_str(address).is_ok() || is_ipv_future(address) {
            return Ok(end + 1);
        }
        let message = "neither an IPv6 address nor a future IP version";
        Err(Fault { start: at + 1, end, message, rule: RULE })
    }
}

/// `IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )`
fn is_ipv_future(address: &str) -> bool {
    let version = address.strip_prefix(['v', 'V']).and_then(|rest| rest.split_once('.'));
    version.is_some_and(|(version, rest)| {
        let hex = version.bytes().all(|b| b.is_ascii_hexdigit());
        let plain = rest.bytes().all(|b| is(b, USERINFO));
        !version.is_empty() && hex && !rest.is_empty() && plain
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_references_are_split() {
        for reference in [
            "", "#", "?", "//", "a", "a:", "a:b:c", "./a:b", "/a:b", "?a:b", "a@b", "//@:/",
            "//a:/", "//u:p@h:80/", "//[::]", "//u@[v1F.a:b]:1", "//[1:2:3:4:5:6:7::]",
            "//[::1.2.3.4]", "a//b", "//%41é/ü?\u{E000}#ñ", "1", "//999.1.1.1",
        ] {
            assert_eq!(parse(reference).map(drop), Ok(()), "{reference}");
        }
    }

    /// In each component, and at each place in the words that are compared at a time.
    #[test]
    fn characters_of_iris_are_those_of_the_grammar() {
        let all = (0x80..0x1_0000).chain((1..=0x10).flat_map(|plane| {
            let start = plane << 16;
            (start..start + 8).chain(start + 0xFFF8..start + 0x1_0000)
        }));
        let all = all.chain([0xE_0FFF, 0xE_1000, 0x1_F517]);
        for c in all.filter_map(char::from_u32) {
            let before = &"aé語~"[..[0, 1, 3, 6, 7][c as usize % 5]];
            for (delimiter, is_allowed) in [
                ("/", is_ucschar(c)),
                ("//", is_ucschar(c)),
                ("?", is_ucschar(c) || is_iprivate(c)),
                ("#", is_ucschar(c)),
            ] {
                for after in ["", "a", "語é%41"] {
                    let text = format!("{delimiter}{before}{c}{after}");
                    let fault = parse(&text).err().map(|it| (it.start, it.end));
                    let start = delimiter.len() + before.len();
                    let expected = (!is_allowed).then_some((start, start + c.len_utf8()));
                    assert_eq!(fault, expected, "{text}, U+{:X}", u32::from(c));
                }
            }
        }
    }

    #[test]
    fn escapes_have_two_hexadecimal_digits() {
        for high in 0..128u8 {
            for low in 0..128u8 {
                let (high, low) = (char::from(high), char::from(low));
                let is_valid = high.is_ascii_hexdigit() && low.is_ascii_hexdigit();
                for (before, after) in [("", ""), ("%41", "%41"), ("é", "語"), ("abcd", "a")] {
                    let text = format!("/{before}%{high}{low}{after}");
                    let fault = parse(&text).err().map(|it| it.start);
                    assert_eq!(fault, (!is_valid).then_some(1 + before.len()), "{text}");
                }
            }
        }
        assert_eq!(parse("/%41%4").err().map(|it| it.start), Some(4));
    }

    #[test]
    fn invalid_references_have_faults() {
        for (reference, start, end, rule) in [
            (":a", 0, 1, "RFC 3986, 3.1"),
            ("1a:b", 0, 1, "RFC 3986, 3.1"),
            ("a_b:c", 1, 2, "RFC 3986, 3.1"),
            (" a:b", 0, 1, "RFC 3986, 3.1"),
            ("a b/c:d", 1, 2, "RFC 3986, 3.3"),
            ("//u:p|w@h", 5, 6, "RFC 3986, 3.2.1"),
            ("a b", 1, 2, "RFC 3986, 3.3"),
            ("a[1]", 1, 2, "RFC 3986, 3.3"),
            ("a\u{FFFE}", 1, 4, "RFC 3987, 2.2"),
            ("#\u{E000}", 1, 4, "RFC 3987, 2.2"),
            ("%", 0, 1, "RFC 3986, 2.1"),
            ("a%4", 1, 2, "RFC 3986, 2.1"),
            ("?[", 1, 2, "RFC 3986, 3.4"),
            ("#a#b", 2, 3, "RFC 3986, 3.5"),
            ("//a@b@c", 5, 6, "RFC 3986, 3.2"),
            ("//a:8x/", 5, 6, "RFC 3986, 3.2.3"),
            ("//a:b:c", 4, 5, "RFC 3986, 3.2.3"),
            ("//[::1", 6, 6, "RFC 3986, 3.2.2"),
            ("//[::1/", 6, 7, "RFC 3986, 3.2.2"),
            ("//[1:2]", 3, 6, "RFC 3986, 3.2.2"),
            ("//[v.a]", 3, 6, "RFC 3986, 3.2.2"),
            ("//[::1]a", 7, 8, "RFC 3986, 3.2"),
        ] {
            let error = parse(reference).expect_err(reference);
            assert_eq!((error.start, error.end, error.rule), (start, end, rule), "{reference}");
        }
    }
}
