//! The kinds of hosts: names and addresses.

use std::net::Ipv4Addr;

/// The kind of a host by a grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostKind {
    /// A name: `hostname` before RFC 3986; since then any host that is not an address (`reg-name`),
    /// including the empty host.
    Name,
    /// An IPv4 address. Before rfc2396bis-00, any four groups of digits (`hostnumber`).
    Ipv4,
    /// An IPv6 address in brackets (since rfc2396bis-00).
    Ipv6,
    /// An address of a future IP version, in brackets (RFC 3986).
    IpFuture,
}

/// The grammar of hosts that a specification has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HostSyntax {
    /// RFC 1738, the draft of 1997, and RFC 2396, in which a dot may end a name.
    Hostname {
        /// True if a dot may end a name.
        dot_may_end: bool,
    },
    /// The first draft of the revision of RFC 2396.
    Rfc2396bis00,
    /// RFC 3986 and later.
    Rfc3986,
}

impl HostKind {
    /// All kinds.
    pub const ALL: &'static [Self] = &[Self::Name, Self::Ipv4, Self::Ipv6, Self::IpFuture];

    /// The name used in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Ipv4 => "ipv4",
            Self::Ipv6 => "ipv6",
            Self::IpFuture => "ipvfuture",
        }
    }

    /// The kind of `host`, or `None` if `syntax` does not derive it. Under [`HostSyntax::Rfc3986`]
    /// any text is a name; the caller checks its characters.
    pub(super) fn of(host: &str, syntax: HostSyntax) -> Option<Self> {
        let (ipv4, name): (fn(&str) -> bool, bool) = match syntax {
            HostSyntax::Hostname { dot_may_end } => (is_digits, is_hostname(host, dot_may_end)),
            HostSyntax::Rfc2396bis00 => (is_dec_octet_2396bis00, is_hostname_2396bis00(host)),
            HostSyntax::Rfc3986 => {
                if let Some(literal) = host.strip_prefix('[') {
                    return Some(if literal.starts_with(['v', 'V']) {
                        Self::IpFuture
                    } else {
                        Self::Ipv6
                    });
                }
                let ipv4 = host.parse::<Ipv4Addr>().is_ok();
                return Some(if ipv4 { Self::Ipv4 } else { Self::Name });
            }
        };
        if host.split('.').count() == 4 && host.split('.').all(ipv4) {
            Some(Self::Ipv4)
        } else if name {
            Some(Self::Name)
        } else if syntax == HostSyntax::Rfc2396bis00 {
            let literal = host.strip_prefix('[')?.strip_suffix(']')?;
            is_ipv6_2396bis00(literal).then_some(Self::Ipv6)
        } else {
            None
        }
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// `alphanum | alphanum *( alphanum | "-" ) alphanum`
fn is_label(label: &str) -> bool {
    let inner = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
    !label.is_empty()
        && label.bytes().all(inner)
        && !label.starts_with('-')
        && !label.ends_with('-')
}

fn is_toplabel(label: &str) -> bool {
    is_label(label) && label.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// `*( domainlabel "." ) toplabel`, and in RFC 2396 an optional `"."` after it.
fn is_hostname(host: &str, dot_may_end: bool) -> bool {
    let host = match host.strip_suffix('.') {
        Some(host) if dot_may_end => host,
        _ => host,
    };
    let (labels, top) =
        host.rsplit_once('.').map_or((None, host), |(labels, top)| (Some(labels), top));
    is_toplabel(top) && labels.is_none_or(|labels| labels.split('.').all(is_label))
}

/// `domainlabel *( "." domainlabel ) [ "." toplabel [ "." ] ]`, with labels of at most 63
/// characters. A final dot requires at least two labels, and a last label that begins with a
/// letter.
fn is_hostname_2396bis00(host: &str) -> bool {
    let labels = match host.strip_suffix('.') {
        Some(labels) => match labels.rsplit_once('.') {
            Some((_, top)) if is_toplabel(top) => labels,
            _ => return false,
        },
        None => host,
    };
    labels.split('.').all(|label| is_label(label) && label.len() <= 63)
}

/// `dec-octet` of rfc2396bis-00 to the letter: `"1" 2*DIGIT` is a 1 with two *or more* digits, so
/// 1999 is an octet.
fn is_dec_octet_2396bis00(octet: &str) -> bool {
    match octet.as_bytes() {
        [b'0'..=b'9'] | [b'1'..=b'9', b'0'..=b'9'] => true,
        [b'1', rest @ ..] => rest.len() >= 2 && rest.iter().all(u8::is_ascii_digit),
        [b'2', b'0'..=b'4', b'0'..=b'9'] | [b'2', b'5', b'0'..=b'5'] => true,
        _ => false,
    }
}

/// `IPv6address` of rfc2396bis-00 to the letter. It has no form for more than five groups before
/// `::` (four before a final IPv4 address), and it accepts `::1:` with a final colon.
fn is_ipv6_2396bis00(address: &str) -> bool {
    let is_group = |group: &str| {
        (1..=4).contains(&group.len()) && group.bytes().all(|b| b.is_ascii_hexdigit())
    };
    let groups = |text: &str| {
        let count = text.split(':').count();
        text.split(':').all(is_group).then_some(count)
    };
    let is_ipv4 =
        |text: &str| text.split('.').count() == 4 && text.split('.').all(is_dec_octet_2396bis00);
    let Some((before, after)) = address.split_once("::") else {
        return match address.rsplit_once(':') {
            Some((before, last)) if is_ipv4(last) => groups(before) == Some(6),
            _ => groups(address) == Some(8),
        };
    };
    let before = match before {
        "" => 0,
        before => match groups(before) {
            Some(before) => before,
            None => return false,
        },
    };
    // After `::`: groups with a colon each, then a group, an IPv4 address, or nothing.
    let (ended, last) = after.rsplit_once(':').map_or(("", after), |(ended, last)| (ended, last));
    let ended = match (after.contains(':'), ended) {
        (false, _) => 0,
        (true, ended) => match groups(ended) {
            Some(ended) => ended,
            None => return false,
        },
    };
    if is_ipv4(last) {
        before <= 4 && ended <= 5 - before
    } else {
        before <= 5 && ended <= 6 - before && (last.is_empty() || is_group(last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_kinds_follow_each_grammar() {
        use HostKind::{IpFuture, Ipv4, Ipv6, Name};
        let of = |host| {
            [
                HostSyntax::Hostname { dot_may_end: false },
                HostSyntax::Hostname { dot_may_end: true },
                HostSyntax::Rfc2396bis00,
                HostSyntax::Rfc3986,
            ]
            .map(|syntax| HostKind::of(host, syntax))
        };
        let (name, ipv4) = (Some(Name), Some(Ipv4));
        for (host, expected) in [
            ("a", [name; 4]),
            ("A.b-c.1d.e9", [name; 4]),
            ("1.2.3.4", [ipv4; 4]),
            ("256.1.1.1", [ipv4, ipv4, name, name]),
            ("1999.1.1.1", [ipv4, ipv4, ipv4, name]),
            ("01.1.1.1", [ipv4, ipv4, name, name]),
            ("1.2.3", [None, None, name, name]),
            ("a.1", [None, None, name, name]),
            ("a.", [None, name, None, name]),
            ("a.b.", [None, name, name, name]),
            ("a.1.", [None, None, None, name]),
            (".", [None, None, None, name]),
            ("-a", [None, None, None, name]),
            ("a-", [None, None, None, name]),
            ("a..b", [None, None, None, name]),
            ("a_b", [None, None, None, name]),
            ("", [None, None, None, name]),
            ("[::1]", [None, None, Some(Ipv6), Some(Ipv6)]),
            ("[v1.a]", [None, None, None, Some(IpFuture)]),
        ] {
            assert_eq!(of(host), expected, "{host}");
        }
        let long = "a".repeat(64);
        assert_eq!(of(&long), [name, name, None, name]);
        assert_eq!(of(&long[1..]), [name; 4]);
    }

    #[test]
    fn ipv6_of_the_draft_is_followed_to_the_letter() {
        for address in [
            "::", "::1", "1::", "::1:", "1::2:", "1:2:3:4:5:6:7:8", "::2:3:4:5:6:7:8",
            "1:2:3:4:5::7:8", "1:2:3:4:5::", "1:2:3:4:5:6:1.2.3.4", "::1.2.3.4",
            "1:2:3:4::6:1.2.3.4", "::1999.1.1.1", "abcd:EF01::",
        ] {
            assert!(is_ipv6_2396bis00(address), "{address}");
        }
        for address in [
            "", ":", "1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6::8",
            "1:2:3:4:5:6:7::", "1::2::3", ":::", "::1:2:3:4:5:6:7:8", "1:2:3:4:5::6:7:8",
            "12345::", "::g", "::1.2.3.256", "1:2:3:4:5::1.2.3.4", "::1.2.3", "1.2.3.4",
            "1.2.3.4::", "::1:1.2.3.4:",
        ] {
            assert!(!is_ipv6_2396bis00(address), "{address}");
        }
    }
}
