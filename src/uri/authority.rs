//! What an authority is made of.

use super::HostKind;

/// How a grammar takes an authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Authority<'a> {
    /// A host, and who asks it at which port. The draft of 1997 calls this a site, and RFC 1738 a
    /// login; since RFC 3986 every authority is one.
    Server {
        /// Its components.
        server: Server<'a>,
        /// What the host is.
        host_kind: HostKind,
    },
    /// A name in a registry of the scheme's, by RFC 2396 and its first revision (section 3.2.1): any
    /// authority that is no server. It has no components.
    RegistryName,
}

/// The components of a server-based authority, as written (RFC 3986, section 3.2).
///
/// `None` is undefined: the delimiter does not occur. `Some("")` is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Server<'a> {
    /// What stands before `@`.
    pub userinfo: Option<&'a str>,
    /// The host, with the brackets of an IP literal; possibly empty.
    pub host: &'a str,
    /// What stands after the `:` behind the host: digits, possibly none.
    pub port: Option<&'a str>,
}

impl<'a> Server<'a> {
    /// The user name, by RFC 1738 and the draft of 1997: what stands before the first `:` of the
    /// userinfo. Later texts leave the userinfo whole.
    pub fn user(&self) -> Option<&'a str> {
        let userinfo = self.userinfo?;
        Some(userinfo.split_once(':').map_or(userinfo, |(user, _)| user))
    }

    /// The password, by RFC 1738 and the draft of 1997.
    pub fn password(&self) -> Option<&'a str> {
        self.userinfo?.split_once(':').map(|(_, password)| password)
    }

    /// Splits an authority that the grammar of some profile has been found to allow.
    pub(super) fn split(authority: &'a str) -> Self {
        let (userinfo, hostport) = match authority.rsplit_once('@') {
            Some((userinfo, hostport)) => (Some(userinfo), hostport),
            None => (None, authority),
        };
        // The colons of an IP literal are inside its brackets.
        let literal = hostport.find(']').map_or(0, |end| end + 1);
        match hostport[literal..].find(':') {
            Some(colon) => Self {
                userinfo,
                host: &hostport[..literal + colon],
                port: Some(&hostport[literal + colon + 1..]),
            },
            None => Self {
                userinfo,
                host: hostport,
                port: None,
            },
        }
    }
}
