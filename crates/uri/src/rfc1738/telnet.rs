//! The scheme `telnet` (RFC 1738, section 3.8).

use super::super::fault::Fault;
use super::hostport::Login;
use super::reader::Reader;

/// An interactive service, as written (RFC 1738, section 3.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Telnet<'a> {
    /// The user name, password, host and port. User name and password are only advisory.
    pub login: Login<'a>,
}

impl<'a> Telnet<'a> {
    /// The default port.
    pub const PORT: u16 = 23;

    /// Reads the text after the scheme.
    pub(super) fn read(mut rest: Reader<'a>) -> Result<Self, Fault> {
        rest.slashes()?;
        let login = Login::read(&mut rest)?;
        rest.eat("/");
        rest.end("nothing may follow the slash", "RFC 1738, 3.8")?;
        Ok(Self { login })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_faults;
    use super::super::{SchemeSpecific, parse};
    use super::*;

    #[test]
    fn telnet_urls_have_logins() {
        for (url, user, password, port) in [
            ("telnet://h", None, None, 23),
            ("TELNET://h/", None, None, 23),
            ("telnet://u:p@h:2323/", Some("u"), Some("p"), 2323),
            ("telnet://:p@h", Some(""), Some("p"), 23),
        ] {
            let Ok(SchemeSpecific::Telnet(Telnet { login })) = parse(url) else { panic!("{url}") };
            assert_eq!((login.user, login.password), (user, password), "{url}");
            assert_eq!(login.server.port_or(Telnet::PORT), Some(port), "{url}");
        }
    }

    #[test]
    fn invalid_telnet_urls_have_faults() {
        assert_faults(&[
            ("telnet:h", 7, 8, "RFC 1738, 3.1"),
            ("telnet:///", 9, 10, "RFC 1738, 3.1"),
            ("telnet://h/a", 11, 12, "RFC 1738, 3.8"),
            ("telnet://h//", 11, 12, "RFC 1738, 3.8"),
            ("telnet://h/#", 11, 12, "RFC 1738, 2.2"),
            ("telnet://u~v@h/", 10, 11, "RFC 1738, 2.2"),
        ]);
    }
}
