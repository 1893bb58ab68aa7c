//! The scheme `ftp` (RFC 1738, section 3.2).

use std::borrow::Cow;

use super::super::fault::Fault;
use super::hostport::Login;
use super::reader::{FSEGMENT, Reader, SLASH};
use crate::bytes::percent;

const RULE: &str = "RFC 1738, 3.2.2";

/// A file or directory on an FTP server, as written (RFC 1738, section 3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ftp<'a> {
    /// The user name, password, host and port.
    pub login: Login<'a>,
    /// The whole url-path: the text after the slash that follows the host.
    pub url_path: Option<&'a str>,
    /// The url-path up to `;type=`.
    pub path: Option<&'a str>,
    /// The letter after `;type=`: `a`, `i` or `d`, in either case.
    pub typecode: Option<&'a str>,
}

impl<'a> Ftp<'a> {
    /// The default port.
    pub const PORT: u16 = 21;

    /// The user name to send: `anonymous` if none is given. An empty user name is sent as such
    /// (section 3.2.1).
    pub fn login_user(self) -> Cow<'a, [u8]> {
        self.login.user_decoded().unwrap_or(Cow::Borrowed(b"anonymous"))
    }

    /// The directories to change to, in order, as written.
    pub fn cwd(self) -> impl Iterator<Item = &'a str> {
        let directories = self.path.and_then(|path| path.rsplit_once('/'));
        directories.into_iter().flat_map(|(directories, _)| directories.split('/'))
    }

    /// The file or directory within the last of them, as written.
    pub fn name(self) -> Option<&'a str> {
        let path = self.path?;
        Some(path.rsplit_once('/').map_or(path, |(_, name)| name))
    }

    /// The commands to send after logging in (section 3.2.2).
    ///
    /// `None` if the RFC defines none: for a path without a name for `RETR`. With the typecode `d`,
    /// an empty name is an argument of `NLST` like any other. Without a typecode, `TYPE` is not
    /// sent, since the client guesses the type.
    pub fn commands(self) -> Option<Vec<Command<'a>>> {
        let Some(name) = self.name() else {
            return Some(Vec::new());
        };
        let mut commands: Vec<_> =
            self.cwd().map(|directory| Command::Cwd(percent::decode(directory))).collect();
        match self.typecode {
            Some("d" | "D") => commands.push(Command::Nlst(percent::decode(name))),
            _ if name.is_empty() => return None,
            typecode => {
                commands.extend(typecode.map(Command::Type));
                commands.push(Command::Retr(percent::decode(name)));
            }
        }
        Some(commands)
    }

    /// Reads the text after the scheme.
    pub(super) fn read(mut rest: Reader<'a>) -> Result<Self, Fault> {
        rest.slashes()?;
        let login = Login::read(&mut rest)?;
        let mut ftp = Self { login, url_path: None, path: None, typecode: None };
        if rest.eat("/") {
            ftp.url_path = Some(rest.rest());
            ftp.path = Some(rest.run(FSEGMENT | SLASH)?);
            if rest.eat(";type=") {
                let letter = rest.letter(|b| matches!(b.to_ascii_lowercase(), b'a' | b'i' | b'd'));
                if letter.is_none() {
                    return Err(rest.fault("the type is `a`, `i` or `d`", RULE));
                }
                ftp.typecode = letter;
                rest.end("nothing may follow the type", RULE)?;
            }
        }
        rest.end("a semicolon only begins `;type=` at the end", RULE)?;
        Ok(ftp)
    }
}

/// A command of the File Transfer Protocol (RFC 959) with its argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Command<'a> {
    /// Changes the working directory. The decoded name may be empty; the command then has no
    /// argument.
    Cwd(Cow<'a, [u8]>),
    /// Lists a directory (its decoded name).
    Nlst(Cow<'a, [u8]>),
    /// Sets the data representation (the typecode as written).
    Type(&'a str),
    /// Retrieves a file (its decoded name).
    Retr(Cow<'a, [u8]>),
}

impl<'a> Command<'a> {
    /// The name of the command.
    pub fn verb(&self) -> &'static str {
        match self {
            Self::Cwd(_) => "CWD",
            Self::Nlst(_) => "NLST",
            Self::Type(_) => "TYPE",
            Self::Retr(_) => "RETR",
        }
    }

    /// The argument: any bytes, also line breaks, which a client has to reject.
    pub fn into_argument(self) -> Cow<'a, [u8]> {
        match self {
            Self::Cwd(argument) | Self::Nlst(argument) | Self::Retr(argument) => argument,
            Self::Type(typecode) => Cow::Borrowed(typecode.as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_faults;
    use super::super::{SchemeSpecific, parse};
    use super::*;

    fn ftp(url: &str) -> Ftp<'_> {
        let Ok(SchemeSpecific::Ftp(ftp)) = parse(url) else { panic!("{url}") };
        ftp
    }

    /// The commands, as a client would write them.
    fn commands(url: &str) -> Option<Vec<String>> {
        let commands = ftp(url).commands()?;
        let write = |command: Command<'_>| {
            let verb = command.verb();
            format!("{verb} {}", command.into_argument().escape_ascii())
        };
        Some(commands.into_iter().map(write).collect())
    }

    #[test]
    fn commands_are_those_of_the_rfc() {
        for (url, expected) in [
            ("ftp://h/%2Fetc/motd", &["CWD /etc", "RETR motd"][..]),
            ("ftp://h/etc/motd", &["CWD etc", "RETR motd"]),
            ("ftp://h//etc/motd", &["CWD ", "CWD etc", "RETR motd"]),
            ("ftp://h/etc/motd;type=a", &["CWD etc", "TYPE a", "RETR motd"]),
            ("ftp://h/etc/motd;TYPE=I", &["CWD etc", "TYPE I", "RETR motd"]),
            ("ftp://h/pub/x;type=d", &["CWD pub", "NLST x"]),
            ("ftp://h/pub/;type=D", &["CWD pub", "NLST "]),
            ("ftp://h/;type=d", &["NLST "]),
            ("ftp://h/a%3Btype=d", &["RETR a;type=d"]),
            ("ftp://h/%252F/%FF%0D%0A", &["CWD %2F", "RETR \\xff\\r\\n"]),
            ("ftp://h", &[]),
        ] {
            assert_eq!(commands(url).expect(url), expected, "{url}");
        }
        for url in ["ftp://h/", "ftp://h/a/", "ftp://h/;type=a", "ftp://h//;type=I"] {
            assert_eq!(commands(url), None, "{url}");
        }
    }

    #[test]
    fn paths_divide_at_slashes_only() {
        let url = ftp("FTP://h:2121//a:b@c?d&e=f/%2F;TYPE=i");
        assert_eq!(url.url_path, Some("/a:b@c?d&e=f/%2F;TYPE=i"));
        assert_eq!(url.path, Some("/a:b@c?d&e=f/%2F"));
        assert_eq!(url.cwd().collect::<Vec<_>>(), ["", "a:b@c?d&e=f"]);
        assert_eq!((url.name(), url.typecode), (Some("%2F"), Some("i")));
        assert_eq!(url.login.server.port_or(Ftp::PORT), Some(2121));

        let url = ftp("ftp://h/");
        assert_eq!((url.url_path, url.name()), (Some(""), Some("")));
        assert_eq!(url.cwd().count(), 0);
        let url = ftp("ftp://h");
        assert_eq!((url.url_path, url.path, url.name()), (None, None, None));
    }

    #[test]
    fn an_empty_user_is_not_anonymous() {
        for (url, user) in [
            ("ftp://h/", &b"anonymous"[..]),
            ("ftp://@h/", b""),
            ("ftp://foo:@h/", b"foo"),
            ("ftp://a%40b@h/", b"a@b"),
        ] {
            assert_eq!(*ftp(url).login_user(), *user, "{url}");
        }
    }

    #[test]
    fn invalid_ftp_urls_have_faults() {
        assert_faults(&[
            ("ftp:h", 4, 5, "RFC 1738, 3.1"),
            ("ftp:/h/a", 5, 6, "RFC 1738, 3.1"),
            ("ftp://", 6, 6, "RFC 1738, 3.1"),
            ("ftp:///a", 6, 7, "RFC 1738, 3.1"),
            ("ftp://h;type=a", 7, 8, "RFC 1738, 3.1"),
            ("ftp://h/a;b", 9, 10, RULE),
            ("ftp://h/a;type=", 15, 15, RULE),
            ("ftp://h/a;type=x", 15, 16, RULE),
            ("ftp://h/a;type=%61", 15, 16, RULE),
            ("ftp://h/a;type=ai", 16, 17, RULE),
            ("ftp://h/a;type=a/b", 16, 17, RULE),
            ("ftp://h/a;type=a;type=a", 16, 17, RULE),
            ("ftp://h/a~", 9, 10, "RFC 1738, 2.2"),
            ("ftp://h/a#b", 9, 10, "RFC 1738, 2.2"),
            ("ftp://h/\u{e9}", 8, 10, "RFC 1738, 2.2"),
            ("ftp://h/%4", 8, 9, "RFC 1738, 2.2"),
        ]);
    }
}
