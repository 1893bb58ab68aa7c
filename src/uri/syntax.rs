//! The grammar of RFC 3986 and RFC 3987 in one pass.

use std::net::Ipv6Addr;
use std::str::FromStr;

use super::chars::{
    CLASS, FRAGMENT, PATH, PATH_TO_COLON, QUERY, REG_NAME, USERINFO, is, is_scheme_byte,
};
use super::fault::Fault;
use super::parts::Ends;
use crate::bytes::percent;

/// Checks a text and finds the ends of its components.
#[inline]
pub(super) fn parse(text: &str) -> Result<Ends, Fault> {
    let scan = Scan {
        text,
        bytes: text.as_bytes(),
    };
    let mut ends = Ends::default();
    let mut at = 0;
    // Half of the references of a page are fragments alone, which have neither scheme, authority nor path.
    if !matches!(scan.next(0), None | Some(b'?' | b'#')) {
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
    fn run(self, mut at: usize, class: u8) -> usize {
        loop {
            at = self.plain(at, class);
            match self.next(at) {
                Some(b'%' | 0x80..) => match self.encoded(at, class) {
                    0 => return at,
                    len => at += len,
                },
                _ => return at,
            }
        }
    }

    /// Skips ASCII characters of `class`.
    #[inline]
    fn plain(self, mut at: usize, class: u8) -> usize {
        // Four at a time, without a branch for each: the end of a run is unpredictable, and a mispredicted
        // branch costs more than four comparisons.
        let (fours, _) = self.bytes[at..].as_chunks();
        for &four in fours {
            let [a, b, c, d]: [u8; 4] = four.map(|byte| CLASS[usize::from(byte)]);
            if a & b & c & d & class == 0 {
                break;
            }
            at += 4;
        }
        while self.next(at).is_some_and(|byte| is(byte, class)) {
            at += 1;
        }
        at
    }

    /// The length of the escape or non-ASCII character at `at`; 0 if it is not allowed.
    #[cold]
    fn encoded(self, at: usize, class: u8) -> usize {
        let rest = &self.bytes[at..];
        if rest.starts_with(b"%") {
            return percent::escaped(rest).map_or(0, |_| "%XX".len());
        }
        match self.text[at..].chars().next() {
            Some(c) if is_ucschar(c) || (class == QUERY && is_iprivate(c)) => c.len_utf8(),
            _ => 0,
        }
    }

    /// The fault of the character at `at`, or of the end.
    fn fault(self, at: usize, message: &'static str, rule: &'static str) -> Fault {
        Fault::at(self.text, at, message, rule)
    }

    /// The fault of the character at `at`, which [`Scan::run`] did not skip and which is not a delimiter.
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

    /// The end of the scheme with its colon, where `colon` is the first colon of the text; 0 if that colon
    /// may be part of a path.
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

    /// Returns true if `at` would be in a scheme except for its character: the next delimiter is a colon, and it
    /// is the first.
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
        let Some(len) = inside
            .iter()
            .position(|b| matches!(b, b']' | b'/' | b'?' | b'#'))
        else {
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
        Err(Fault {
            start: at + 1,
            end,
            message,
            rule: RULE,
        })
    }
}

/// `IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )`
fn is_ipv_future(address: &str) -> bool {
    let version = address
        .strip_prefix(['v', 'V'])
        .and_then(|rest| rest.split_once('.'));
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
            "",
            "#",
            "?",
            "//",
            "a",
            "a:",
            "a:b:c",
            "./a:b",
            "/a:b",
            "?a:b",
            "a@b",
            "//@:/",
            "//a:/",
            "//u:p@h:80/",
            "//[::]",
            "//u@[v1F.a:b]:1",
            "//[1:2:3:4:5:6:7::]",
            "//[::1.2.3.4]",
            "a//b",
            "//%41é/ü?\u{E000}#ñ",
            "1",
            "//999.1.1.1",
        ] {
            assert_eq!(parse(reference).map(drop), Ok(()), "{reference}");
        }
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
            assert_eq!(
                (error.start, error.end, error.rule),
                (start, end, rule),
                "{reference}"
            );
        }
    }
}
