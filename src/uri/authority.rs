//! What an authority is made of.

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
