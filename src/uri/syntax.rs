//! The grammar of RFC 3986 and RFC 3987 in one pass.

use std::net::Ipv6Addr;
use std::str::FromStr;

use super::Reference;
use super::fault::Fault;
use super::reference::Ends;

/// Checks a text and finds its components, for [`Reference::parse`].
pub(super) fn parse(reference: &str) -> Result<Reference<'_>, Fault> {
    let bytes = reference.as_bytes();
    let text = Text { reference, bytes };
    let mut at = bytes
        .iter()
        .position(|&b| CLASS[usize::from(b)] & SCHEME == 0)
        .unwrap_or(bytes.len());
    let mut ends = Ends::default();
    if bytes.get(at) == Some(&b':') {
        if !bytes[0].is_ascii_alphabetic() {
            // Also where it is missing: ":a".
            return Err(text.fault(0, "a scheme begins with a letter", "RFC 3986, 3.1"));
        }
        at += 1;
        ends.scheme = at;
    }
    if bytes[ends.scheme..].starts_with(b"//") {
        at = text.authority(ends.scheme + 2)?;
        if !matches!(bytes.get(at), None | Some(b'/' | b'?' | b'#')) {
            return Err(text.fault(at, "not allowed in an authority", "RFC 3986, 3.2"));
        }
        ends.authority = at;
    } else {
        ends.authority = ends.scheme;
        if ends.scheme == 0 {
            at = text.run(at, SEGMENT_NC)?;
            if bytes.get(at) == Some(&b':') {
                let message = "a colon in the first segment reads as the end of a scheme";
                return Err(text.fault(at, message, "RFC 3986, 4.2"));
            }
        }
    }
    let mut has_dots = bytes.get(ends.authority) == Some(&b'.');
    loop {
        at = text.run(at, SEGMENT)?;
        if bytes.get(at) != Some(&b'/') {
            break;
        }
        at += 1;
        has_dots |= bytes.get(at) == Some(&b'.');
    }
    ends.path = at;
    if bytes.get(at) == Some(&b'?') {
        at = text.run(at + 1, QUERY)?;
        if !matches!(bytes.get(at), None | Some(b'#')) {
            return Err(text.fault(at, "not allowed in a query", "RFC 3986, 3.4"));
        }
    }
    ends.query = at;
    if bytes.get(at) == Some(&b'#') {
        at = text.run(at + 1, FRAGMENT)?;
        if at < bytes.len() {
            return Err(text.fault(at, "not allowed in a fragment", "RFC 3986, 3.5"));
        }
    }
    if at < bytes.len() {
        return Err(text.fault(at, "not allowed in a path", "RFC 3986, 3.3"));
    }
    Ok(Reference {
        text: reference,
        ends,
        has_dots,
    })
}

/// What may stand where, a bit each.
pub(super) const SCHEME: u8 = 1;
pub(super) const REG_NAME: u8 = 2;
pub(super) const USERINFO: u8 = 4;
pub(super) const SEGMENT_NC: u8 = 8;
const SEGMENT: u8 = 16;
pub(super) const FRAGMENT: u8 = 32;
/// As in fragments, and private-use characters (RFC 3987, 2.2).
const QUERY: u8 = 64 | FRAGMENT;
pub(super) const HEX: u8 = 128;

/// For each ASCII character the places it may stand in. Those of `FRAGMENT` serve the query too.
pub(super) const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let everywhere = REG_NAME | USERINFO | SEGMENT_NC | SEGMENT | FRAGMENT;
    let mut byte = 0;
    while byte < 128 {
        class[byte] = match byte as u8 {
            b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F' => everywhere | SCHEME | HEX,
            b'g'..=b'z' | b'G'..=b'Z' | b'+' | b'-' | b'.' => everywhere | SCHEME,
            b'_' | b'~' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b',' | b';' | b'=' => {
                everywhere
            }
            b':' => USERINFO | SEGMENT | FRAGMENT,
            b'@' => SEGMENT_NC | SEGMENT | FRAGMENT,
            b'/' | b'?' => FRAGMENT,
            _ => 0,
        };
        byte += 1;
    }
    class
};

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
struct Text<'a> {
    reference: &'a str,
    bytes: &'a [u8],
}

impl Text<'_> {
    /// The fault of the one character at `at`, or of the end.
    fn fault(self, at: usize, message: &'static str, rule: &'static str) -> Fault {
        Fault::at(self.reference, at, message, rule)
    }

    /// Skips what `class` allows, and escapes.
    fn run(self, mut at: usize, class: u8) -> Result<usize, Fault> {
        while let Some(&byte) = self.bytes.get(at) {
            if CLASS[usize::from(byte)] & class != 0 {
                at += 1;
            } else if byte == b'%' {
                match self.bytes.get(at + 1..at + 3) {
                    Some(digits) if digits.iter().all(|&b| CLASS[usize::from(b)] & HEX != 0) => {
                        at += 3;
                    }
                    _ => {
                        let message = "two hexadecimal digits must follow a percent sign";
                        return Err(self.fault(at, message, "RFC 3986, 2.1"));
                    }
                }
            } else if byte < 0x80 {
                break;
            } else {
                let next = self
                    .reference
                    .get(at..)
                    .and_then(|rest| rest.chars().next());
                match next {
                    Some(c) if is_ucschar(c) || (class == QUERY && is_iprivate(c)) => {
                        at += c.len_utf8();
                    }
                    _ => {
                        let message = "a character that IRIs do not allow here";
                        return Err(self.fault(at, message, "RFC 3987, 2.2"));
                    }
                }
            }
        }
        Ok(at)
    }

    /// Checks the authority that begins at `at`, and gives where it ends.
    fn authority(self, at: usize) -> Result<usize, Fault> {
        // Userinfo, or a host and port: which of them shows at the end.
        let end = self.run(at, USERINFO)?;
        let host = if self.bytes.get(end) == Some(&b'@') {
            end + 1
        } else {
            at
        };
        let mut port = if self.bytes.get(host) == Some(&b'[') {
            self.ip_literal(host)?
        } else {
            self.run(host, REG_NAME)?
        };
        if self.bytes.get(port) == Some(&b':') {
            port += 1;
            while self.bytes.get(port).is_some_and(u8::is_ascii_digit) {
                port += 1;
            }
            if !matches!(self.bytes.get(port), None | Some(b'/' | b'?' | b'#')) {
                return Err(self.fault(port, "a port is made of digits", "RFC 3986, 3.2.3"));
            }
        }
        Ok(port)
    }

    /// Checks the bracketed host that begins at `at`, and gives where it ends.
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
        let address = &self.reference[at + 1..end];
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
    let all = |text: &str, class| {
        !text.is_empty() && text.bytes().all(|b| CLASS[usize::from(b)] & class != 0)
    };
    let version = address
        .strip_prefix(['v', 'V'])
        .and_then(|rest| rest.split_once('.'));
    version.is_some_and(|(version, rest)| all(version, HEX) && all(rest, USERINFO))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references() {
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
    fn faults() {
        for (reference, start, end, rule) in [
            (":a", 0, 1, "RFC 3986, 3.1"),
            ("1a:b", 0, 1, "RFC 3986, 3.1"),
            ("a_b:c", 3, 4, "RFC 3986, 4.2"),
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
