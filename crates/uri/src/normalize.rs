//! Normal forms: RFC 3986, section 6.2, and section 6 of the draft of 1997.

use std::fmt;

use super::chars::is_scheme_byte;
use super::dots::{Climb, PathWriter, may_have_dot_segments};
use super::parts::Ends;
use super::{Parts, Server, syntax};
use crate::bytes::percent;

/// A level of equivalence: a rung of the ladder of RFC 3986, section 6.2, or the older rules.
/// Resources are never compared, so two references that are not equivalent may identify the same
/// resource.
///
/// References equivalent at `Case` are so at `Syntax`, and those equivalent at `Syntax` or `Common`
/// are so at `Scheme`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Equivalence {
    /// The draft of 1997, section 6: the case of scheme and host, and an explicit default port.
    /// Neither escapes nor an empty port.
    Common,
    /// RFC 3986, 6.2.2.1: the case of scheme, host, and the digits of escapes.
    Case,
    /// `Case`, escapes of unreserved characters (6.2.2.2), and dot segments (6.2.2.3).
    Syntax,
    /// `Syntax`, and the rules of the scheme (6.2.3): a default or empty port; an empty path for
    /// `/` (`http`, `https`, `ws`, `wss`, `coap`, `coaps`); `localhost` for an empty host (`file`:
    /// RFC 1738, 3.10); the case of domains (`mailto`: RFC 6068).
    Scheme,
}

impl Equivalence {
    /// Every level: that of the oldest specification, then those of RFC 3986, the strictest first.
    pub const ALL: &'static [Self] = &[Self::Common, Self::Case, Self::Syntax, Self::Scheme];

    /// The name used on the command line and in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Common => "common",
            Self::Case => "case",
            Self::Syntax => "syntax",
            Self::Scheme => "scheme",
        }
    }

    /// Returns true if the level decodes escapes of unreserved characters and removes dot segments.
    fn is_syntax_based(self) -> bool {
        matches!(self, Self::Syntax | Self::Scheme)
    }
}

crate::from_name!(Equivalence);

impl fmt::Display for Equivalence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Returns true if two references have the same normal form at `level`. In malformed components,
/// case and escapes are compared as written.
///
/// Linear in both. Compares the texts first, so equal references cost nothing more.
///
/// ```
/// use rehref_uri::{Equivalence, are_equivalent};
///
/// let (a, b) = ("example://a/b/c/%7Bfoo%7D", "eXAMPLE://a/./b/../b/%63/%7bfoo%7d");
/// assert!(are_equivalent(a, b, Equivalence::Syntax));
/// assert!(!are_equivalent(a, b, Equivalence::Case));
/// ```
pub fn are_equivalent(a: &str, b: &str, level: Equivalence) -> bool {
    a == b || normalize(a, level) == normalize(b, level)
}

/// The normal form of `reference` at `level`.
///
/// Returns a new string; [`normalize_into`] writes to an existing one.
///
/// ```
/// use rehref_uri::{Equivalence, normalize};
///
/// let uri = "HTTP://www.Example.COM:80/%7ea/./b%2fc?Q";
/// for (level, normalized) in [
///     (Equivalence::Common, "http://www.example.com/%7ea/./b%2fc?Q"),
///     (Equivalence::Case, "http://www.example.com:80/%7Ea/./b%2Fc?Q"),
///     (Equivalence::Syntax, "http://www.example.com:80/~a/b%2Fc?Q"),
///     (Equivalence::Scheme, "http://www.example.com/~a/b%2Fc?Q"),
/// ] {
///     assert_eq!(normalize(uri, level), normalized);
/// }
/// ```
pub fn normalize(reference: &str, level: Equivalence) -> String {
    let mut out = String::with_capacity(reference.len());
    normalize_into(reference, level, &mut out);
    out
}

/// Normalizes `reference` at `level` and writes the result to `out`, whose content is lost.
///
/// Accepts any text, and is idempotent. A valid reference stays valid, with the same components
/// defined; `Common` and `Scheme` remove ports. [`Equivalence`] lists the rules of each level. The
/// details that the specifications leave open:
///
/// - The text is split by the letter of RFC 3986, Appendix B, so that `%41:b` has a malformed
///   scheme and does not become `A:b`. A scheme may begin with a digit, as in the draft of 1997;
///   then of RFC 3986 only the rule on case applies.
/// - Malformed components are unchanged: an invalid scheme or authority, and a component or path
///   segment with a `%` that does not begin an escape. In the latter, only the case of valid
///   escapes changes: decoding `%%341` would create an escape. A `..` removes a malformed segment
///   like any other.
/// - Without a valid scheme, dot segments stay, since they depend on the base. With one, they are
///   removed by the letter of section 5.2.4, also from rootless paths: `foo:a/../b` becomes
///   `foo:/b`. Resolving a URI with dot segments gives the same result, except for schemes in which
///   `/` has another meaning. For these, such as `data` and `urn`, it equates different URIs. A
///   path that would then read as an authority gets a leading `/.` (section 3.3). Escaped dots
///   count as dots.
/// - Escapes of reserved characters, including sub-delims, are never decoded, and no escape is
///   decoded twice: `%2541` stays. Userinfo keeps its case. Empty userinfo, query and fragment are
///   kept, and so are leading zeros of a port.
/// - An empty port is removed under any scheme, and without one; a default port only under its
///   scheme. An empty path becomes `/` only under the schemes listed, although 6.2.3 has that for
///   every scheme with an authority: other schemes may have other rules.
/// - The domain of a `mailto` address is the text after the last `@` before a comma or the end of
///   the path. Addresses in the query are unchanged.
/// - Non-ASCII characters are unchanged, in hosts too, and so are escapes of them: `é` and `%C3%A9`
///   are not equivalent. IPv6 addresses are not abbreviated.
///
/// Linear. Allocates if `out` has to grow, and once more for paths that may have dot segments.
pub fn normalize_into(reference: &str, level: Equivalence, out: &mut String) {
    out.clear();
    let ends = Ends::split_verbatim(reference);
    let parts = ends.parts(reference);
    // The rules of a scheme apply only to a valid one.
    let mut scheme = None;
    if let Some(written) = parts.scheme {
        out.push_str(written);
        if written.bytes().all(is_scheme_byte) {
            out.make_ascii_lowercase();
            scheme = Some(written).filter(|it| it.starts_with(|c: char| c.is_ascii_alphabetic()));
        }
        out.push(':');
    }
    if let Some(authority) = parts.authority {
        out.push_str("//");
        if syntax::parse(ends.net_path(reference)).is_ok() {
            push_authority(scheme, Server::split(authority), level, out);
        } else {
            out.push_str(authority);
        }
    }
    push_path(scheme, parts, level, out);
    for (delimiter, component) in [('?', parts.query), ('#', parts.fragment)] {
        if let Some(component) = component {
            out.push(delimiter);
            push_escapes(component, level, out);
        }
    }
}

/// The default port of a scheme, which may be in any case.
///
/// The table has the schemes whose URIs may have a port and whose default is defined by an RFC, or
/// for `sftp` and `ssh` by an Internet-Draft. `None` means only that the table has no entry.
/// `ldaps` (636 in the port registry) is missing, since no RFC defines that scheme.
///
/// ```
/// use rehref_uri::default_port;
///
/// assert_eq!(default_port("HTTPS"), Some(443));
/// assert_eq!(default_port("file"), None);
/// ```
pub fn default_port(scheme: &str) -> Option<u16> {
    DEFAULT_PORTS.iter().find(|(name, _)| name.eq_ignore_ascii_case(scheme)).map(|&(_, port)| port)
}

/// Schemes and their default ports.
const DEFAULT_PORTS: &[(&str, u16)] = &[
    ("acap", 674),       // RFC 2244
    ("coap", 5683),      // RFC 7252
    ("coap+tcp", 5683),  // RFC 8323
    ("coap+ws", 80),     // RFC 8323
    ("coaps", 5684),     // RFC 7252
    ("coaps+tcp", 5684), // RFC 8323
    ("coaps+ws", 443),   // RFC 8323
    ("dict", 2628),      // RFC 2229
    ("dns", 53),         // RFC 4501
    ("ftp", 21),         // RFC 1738
    ("gopher", 70),      // RFC 4266
    ("http", 80),        // RFC 9110
    ("https", 443),      // RFC 9110
    ("icap", 1344),      // RFC 3507
    ("imap", 143),       // RFC 5092
    ("ipp", 631),        // RFC 3510
    ("ipps", 631),       // RFC 7472
    ("ldap", 389),       // RFC 4516
    ("mtqp", 1038),      // RFC 3887
    ("mupdate", 3905),   // RFC 3656
    ("nfs", 2049),       // RFC 2224
    ("nntp", 119),       // RFC 5538
    ("pop", 110),        // RFC 2384
    ("prospero", 1525),  // RFC 1738
    ("rsync", 873),      // RFC 5781
    ("rtsp", 554),       // RFC 7826
    ("rtsps", 322),      // RFC 7826
    ("rtspu", 554),      // RFC 2326
    ("sftp", 22),        // draft-ietf-secsh-scp-sftp-ssh-uri
    ("sieve", 4190),     // RFC 5804
    ("snmp", 161),       // RFC 4088
    ("ssh", 22),         // draft-ietf-secsh-scp-sftp-ssh-uri
    ("telnet", 23),      // RFC 4248
    ("tn3270", 23),      // RFC 6270
    ("vemmi", 575),      // RFC 2122
    ("vnc", 5900),       // RFC 7869
    ("wais", 210),       // RFC 1738
    ("ws", 80),          // RFC 6455
    ("wss", 443),        // RFC 6455
    ("z39.50r", 210),    // RFC 2056
    ("z39.50s", 210),    // RFC 2056
];

/// The schemes whose empty path is equivalent to `/` (RFC 9110, 4.2.3; RFC 6455, 3; RFC 7252, 6.3).
pub(super) const ROOTED: &[&str] = &["http", "https", "ws", "wss", "coap", "coaps"];

/// Appends a valid authority.
fn push_authority(scheme: Option<&str>, server: Server<'_>, level: Equivalence, out: &mut String) {
    let start = out.len();
    if let Some(userinfo) = server.userinfo {
        push_escapes(userinfo, level, out);
        out.push('@');
    }
    let host = out.len();
    push_escapes(server.host, level, out);
    if level == Equivalence::Common {
        out[host..].make_ascii_lowercase();
    } else {
        lower_outside_escapes(&mut out[host..]);
    }
    if let Some(port) = server.port
        && !is_port_elided(scheme, port, level)
    {
        out.push(':');
        out.push_str(port);
    }
    if level == Equivalence::Scheme && is_one_of(scheme, &["file"]) && &out[start..] == "localhost"
    {
        out.truncate(start);
    }
}

fn is_port_elided(scheme: Option<&str>, port: &str, level: Equivalence) -> bool {
    match level {
        Equivalence::Case | Equivalence::Syntax => false,
        Equivalence::Scheme if port.is_empty() => true,
        // "080" equals 80 as a number, but no specification makes it the same port.
        Equivalence::Common | Equivalence::Scheme => {
            let default = scheme.and_then(default_port);
            default.is_some() && port.parse().ok() == default && !port.starts_with('0')
        }
    }
}

fn is_one_of(scheme: Option<&str>, names: &[&str]) -> bool {
    scheme.is_some_and(|scheme| names.iter().any(|name| name.eq_ignore_ascii_case(scheme)))
}

/// Appends the path of `parts`. `scheme` is the scheme, if it is valid.
fn push_path(scheme: Option<&str>, parts: Parts<'_>, level: Equivalence, out: &mut String) {
    let start = out.len();
    for (i, segment) in parts.path.split('/').enumerate() {
        if i > 0 {
            out.push('/');
        }
        push_escapes(segment, level, out);
    }
    if scheme.is_none() || !level.is_syntax_based() {
        return;
    }
    if may_have_dot_segments(&out[start..]) {
        let decoded = out.split_off(start);
        PathWriter::new(out, Climb::Clamp).push(&decoded, None);
        if parts.authority.is_none() && out[start..].starts_with("//") {
            out.insert_str(start, "/.");
        }
    }
    if level == Equivalence::Scheme {
        if parts.authority.is_none() {
            if is_one_of(scheme, &["mailto"]) {
                lower_domains(&mut out[start..]);
            }
        } else if out.len() == start && is_one_of(scheme, ROOTED) {
            out.push('/');
        }
    }
}

/// Appends `component` with its escapes normalized at `level`.
fn push_escapes(component: &str, level: Equivalence, out: &mut String) {
    if level == Equivalence::Common {
        out.push_str(component);
        return;
    }
    let decode = level.is_syntax_based() && is_well_formed(component);
    let mut rest = component;
    while let Some(percent) = rest.find('%') {
        out.push_str(&rest[..percent]);
        rest = &rest[percent..];
        match percent::escaped(rest.as_bytes()) {
            Some(byte) => {
                if decode && is_unreserved(byte) {
                    out.push(char::from(byte));
                } else {
                    percent::encode_byte(byte, out);
                }
                rest = &rest["%XX".len()..];
            }
            None => {
                out.push('%');
                rest = &rest["%".len()..];
            }
        }
    }
    out.push_str(rest);
}

/// Returns true if every `%` begins an escape.
fn is_well_formed(component: &str) -> bool {
    let bytes = component.as_bytes();
    component.match_indices('%').all(|(at, _)| percent::escaped(&bytes[at..]).is_some())
}

/// RFC 3986, 2.3.
pub(super) fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Converts `text` to lower case, except the digits of escapes.
fn lower_outside_escapes(mut text: &mut str) {
    while let Some(percent) = text.find('%') {
        let (before, rest) = text.split_at_mut(percent);
        before.make_ascii_lowercase();
        let len = match percent::escaped(rest.as_bytes()) {
            Some(_) => "%XX".len(),
            None => "%".len(),
        };
        (_, text) = rest.split_at_mut(len);
    }
    text.make_ascii_lowercase();
}

/// Converts the domain of each address in the path of a `mailto` URI to lower case.
fn lower_domains(mut addresses: &mut str) {
    loop {
        let end = addresses.find(',').unwrap_or(addresses.len());
        let (address, rest) = addresses.split_at_mut(end);
        if let Some(at) = address.rfind('@') {
            lower_outside_escapes(&mut address[at..]);
        }
        match rest.get_mut(",".len()..) {
            Some(rest) => addresses = rest,
            None => return,
        }
    }
}

/// Returns true if a path has a segment `.` or `..`, escaped or not.
pub fn has_dot_segments(path: &str) -> bool {
    let after_dot = |text: &str| {
        let is_dot = |dot: &&str| {
            let start = text.get(..dot.len());
            start.is_some_and(|it| it.eq_ignore_ascii_case(dot))
        };
        [".", "%2E"].iter().find(|dot| is_dot(dot)).map(|it| it.len())
    };
    path.split('/').any(|segment| {
        after_dot(segment).is_some_and(|first| {
            let rest = &segment[first..];
            rest.is_empty() || after_dot(rest) == Some(rest.len())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct() {
        let names: Vec<String> = Equivalence::ALL.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["common", "case", "syntax", "scheme"]);
        for (level, name) in Equivalence::ALL.iter().zip(names) {
            assert_eq!(name.parse(), Ok(*level));
        }
    }

    #[test]
    fn the_buffer_is_cleared() {
        let mut out = String::from("old");
        normalize_into("A:b", Equivalence::Common, &mut out);
        assert_eq!(out, "a:b");
    }

    #[test]
    fn the_table_is_sorted_by_name() {
        assert!(DEFAULT_PORTS.is_sorted_by(|a, b| a.0 < b.0));
        assert!(DEFAULT_PORTS.iter().all(|(name, _)| name.bytes().all(is_scheme_byte)));
        assert_eq!(default_port(""), None);
        assert_eq!(default_port("Z39.50R"), Some(210));
    }
}
