//! Authorities and their components.

use super::host::HostKind;

/// An authority as a grammar reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Authority<'a> {
    /// Userinfo, host and port. The draft of 1997 calls this a site, and RFC 1738 a login. Since
    /// RFC 3986 every authority is a server.
    Server {
        /// Its components.
        server: Server<'a>,
        /// The kind of the host.
        host_kind: HostKind,
    },
    /// A name in a registry of the scheme, by RFC 2396 and its first revision (section 3.2.1): any
    /// authority that is not a server. It has no components.
    RegistryName,
}

/// The components of a server-based authority, as written (RFC 3986, section 3.2).
///
/// `None` is undefined: the delimiter does not occur. `Some("")` is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Server<'a> {
    /// The text before `@`.
    pub userinfo: Option<&'a str>,
    /// The host, with the brackets of an IP literal; possibly empty.
    pub host: &'a str,
    /// The digits after the `:` that follows the host, possibly none.
    pub port: Option<&'a str>,
}

impl<'a> Server<'a> {
    /// The user name: the userinfo before its first `:` (RFC 1738 and the draft of 1997; later
    /// specifications do not divide the userinfo).
    pub fn user(self) -> Option<&'a str> {
        let userinfo = self.userinfo?;
        Some(userinfo.split_once(':').map_or(userinfo, |(user, _)| user))
    }

    /// The password: the userinfo after its first `:` (RFC 1738 and the draft of 1997).
    pub fn password(self) -> Option<&'a str> {
        self.userinfo?.split_once(':').map(|(_, password)| password)
    }

    /// Splits an authority. It must be valid by one of the grammars.
    pub(super) fn split(authority: &'a str) -> Self {
        let (userinfo, hostport) = match authority.rsplit_once('@') {
            Some((userinfo, hostport)) => (Some(userinfo), hostport),
            None => (None, authority),
        };
        // The colons within the brackets of an IP literal do not count.
        let literal = hostport.find(']').map_or(0, |end| end + 1);
        match hostport[literal..].find(':') {
            Some(colon) => Self {
                userinfo,
                host: &hostport[..literal + colon],
                port: Some(&hostport[literal + colon + 1..]),
            },
            None => Self { userinfo, host: hostport, port: None },
        }
    }
}
