//! Hosts, ports and logins.

use std::borrow::Cow;

use super::super::fault::Fault;
use super::reader::{Reader, USER};
use crate::bytes::percent;

const RULE: &str = "RFC 1738, 3.1";

/// A host and a port, as written (RFC 1738, section 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HostPort<'a> {
    /// A domain name whose last label begins with a letter, or four numbers of any size separated
    /// by dots. Never empty, and without escapes.
    pub host: &'a str,
    /// At least one digit; `None` without a colon.
    pub port: Option<&'a str>,
}

impl<'a> HostPort<'a> {
    /// The port to connect to: the given one, or the default of the scheme. `None` if the given
    /// port does not fit 64 bits, which the grammar allows.
    pub fn port_or(self, default: u16) -> Option<u64> {
        match self.port {
            Some(port) => port.parse().ok(),
            None => Some(default.into()),
        }
    }

    /// Reads a `hostport` without a user name, which `rule` forbids.
    pub(super) fn alone(rest: &mut Reader<'a>, rule: &'static str) -> Result<Self, Fault> {
        no_userinfo(*rest, rule)?;
        Self::read(rest)
    }

    /// Reads a `hostport`, which ends before a slash or at the end of the text.
    pub(super) fn read(rest: &mut Reader<'a>) -> Result<Self, Fault> {
        let host = host(rest)?;
        let colon = *rest;
        let port = if rest.eat(":") {
            let port = rest.plain(|b| b.is_ascii_digit());
            if !matches!(rest.peek(), None | Some(b'/')) {
                return Err(rest.fault_here("a port is made of digits", RULE));
            }
            if port.is_empty() {
                let message = "without a port there is no colon either";
                return Err(colon.fault_here(message, RULE));
            }
            Some(port)
        } else {
            None
        };
        Ok(Self { host, port })
    }
}

/// A login: user name, password, host and port, as written (RFC 1738, section 3.1).
///
/// An empty user name or password is different from an undefined one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Login<'a> {
    /// The text before `@`, or before the first colon that precedes it.
    pub user: Option<&'a str>,
    /// The text between that colon and `@`. Defined only if `user` is.
    pub password: Option<&'a str>,
    /// The host and port.
    pub server: HostPort<'a>,
}

impl<'a> Login<'a> {
    /// The user name, decoded.
    pub fn user_decoded(self) -> Option<Cow<'a, [u8]>> {
        self.user.map(percent::decode)
    }

    /// The password, decoded.
    pub fn password_decoded(self) -> Option<Cow<'a, [u8]>> {
        self.password.map(percent::decode)
    }

    /// Reads a `login`, which ends before a slash or at the end of the text.
    pub(super) fn read(rest: &mut Reader<'a>) -> Result<Self, Fault> {
        let (mut user, mut password) = (None, None);
        // A user name contains no slash, so an `@` after a slash does not end one.
        let sign = rest.rest().bytes().find(|b| matches!(b, b'@' | b'/'));
        if sign == Some(b'@') {
            user = Some(rest.run(USER)?);
            if rest.eat(":") {
                password = Some(rest.run(USER)?);
            }
            rest.expect("@", "not allowed in a user name or password", RULE)?;
        }
        let server = HostPort::read(rest)?;
        Ok(Self { user, password, server })
    }
}

/// Checks that no user name follows, which `rule` forbids.
pub(super) fn no_userinfo(rest: Reader<'_>, rule: &'static str) -> Result<(), Fault> {
    match rest.userinfo_end() {
        Some(end) => Err(Fault {
            start: rest.at(),
            end,
            message: "this scheme has no user names and passwords",
            rule,
        }),
        None => Ok(()),
    }
}

/// Reads a `host`, which ends before a colon, a slash, or at the end of the text.
pub(super) fn host<'a>(rest: &mut Reader<'a>) -> Result<&'a str, Fault> {
    let start = *rest;
    let host = rest.plain(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.'));
    if !matches!(rest.peek(), None | Some(b':' | b'/')) {
        let message = "a host is made of letters, digits, hyphens and dots";
        return Err(rest.fault_here(message, RULE));
    }
    if host.is_empty() {
        return Err(start.fault_here("the host is missing", RULE));
    }
    let fault = |from: usize, len: usize, message| {
        let start = start.at() + from;
        Err(Fault { start, end: start + len, message, rule: RULE })
    };
    let mut at = 0;
    for label in host.split('.') {
        let end = at + label.len();
        if label.is_empty() {
            // The dot after it, or before it if it is the last label.
            return fault(at.min(host.len() - 1), 1, "a label of a host is empty");
        }
        let message = "a label of a host begins and ends with a letter or digit";
        if label.starts_with('-') {
            return fault(at, 1, message);
        }
        if label.ends_with('-') {
            return fault(end - 1, 1, message);
        }
        at = end + 1;
    }
    let top = host.rsplit('.').next().unwrap_or(host);
    if top.starts_with(|c: char| c.is_ascii_digit()) {
        let is_number = |label: &str| label.bytes().all(|b| b.is_ascii_digit());
        if !host.split('.').all(is_number) {
            let message = "the last label of a host begins with a letter";
            return fault(host.len() - top.len(), top.len(), message);
        }
        if host.split('.').count() != 4 {
            let message = "a host given by numbers has four of them";
            return fault(0, host.len(), message);
        }
    }
    Ok(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The login that all of `text` is.
    fn login(text: &str) -> Result<Login<'_>, Fault> {
        let mut rest = Reader::new(text);
        let login = Login::read(&mut rest)?;
        rest.end("more", RULE)?;
        Ok(login)
    }

    #[test]
    fn valid_and_invalid_hosts_are_distinguished() {
        for text in [
            "h",
            "H9",
            "a-b",
            "a--b.c",
            "9.a",
            "1.2.3.a",
            "1a.b",
            "1.2.3.4",
            "999.0000.1.99999999999999999999",
            "a1.b2.c3",
        ] {
            let found = login(text).expect(text);
            assert_eq!((found.server.host, found.server.port), (text, None));
        }
    }

    #[test]
    fn ports_are_read() {
        for (text, port, number) in [
            ("h", None, Some(7)),
            ("h:0", Some("0"), Some(0)),
            ("h:0023", Some("0023"), Some(23)),
            ("h:99999", Some("99999"), Some(99999)),
            ("h:99999999999999999999", Some("99999999999999999999"), None),
        ] {
            let server = login(text).expect(text).server;
            assert_eq!((server.port, server.port_or(7)), (port, number), "{text}");
        }
    }

    #[test]
    fn users_and_passwords_are_read() {
        for (text, user, password) in [
            ("h", None, None),
            ("@h", Some(""), None),
            (":@h", Some(""), Some("")),
            (":p@h", Some(""), Some("p")),
            ("foo:@h", Some("foo"), Some("")),
            ("u;?&=:;?&=@h", Some("u;?&="), Some(";?&=")),
            ("u%40:%3A@h:1", Some("u%40"), Some("%3A")),
        ] {
            let found = login(text).expect(text);
            assert_eq!((found.user, found.password), (user, password), "{text}");
            assert_eq!(found.server.host, "h");
        }
        let found = login("u%40%FF:%253A@h").expect("a login");
        assert_eq!(found.user_decoded().as_deref(), Some(&b"u@\xFF"[..]));
        assert_eq!(found.password_decoded().as_deref(), Some(&b"%3A"[..]));
    }

    #[test]
    fn invalid_logins_have_faults() {
        for (text, start, end) in [
            ("", 0, 0),
            ("/", 0, 1),
            (":1", 0, 1),
            ("u@", 2, 2),
            ("u@/", 2, 3),
            ("a.", 1, 2),
            (".a", 0, 1),
            (".", 0, 1),
            ("a..b", 2, 3),
            ("-a", 0, 1),
            ("a-", 1, 2),
            ("b.a-.c", 3, 4),
            ("b.-.c", 2, 3),
            ("9", 0, 1),
            ("h.1a", 2, 4),
            ("a.b.c.9", 6, 7),
            ("1.2.3", 0, 5),
            ("1.2.3.4.5", 0, 9),
            ("h_h", 1, 2),
            ("h%41", 1, 2),
            ("h?x", 1, 2),
            ("h\u{e9}", 1, 3),
            ("[::1]", 0, 1),
            ("h:", 1, 2),
            ("h:/", 1, 2),
            ("h:8x", 3, 4),
            ("h:-1", 2, 3),
            ("h:1:2", 3, 4),
            ("u:p:q@h", 3, 4),
            ("u@v@h", 3, 4),
        ] {
            let fault = login(text).expect_err(text);
            assert_eq!((fault.start, fault.end, fault.rule), (start, end, RULE), "{text}");
        }
        let fault = login("u~@h").expect_err("a national character");
        assert_eq!((fault.start, fault.end, fault.rule), (1, 2, "RFC 1738, 2.2"));
    }
}
