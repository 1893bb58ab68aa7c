//! The networks of hosts. Only those of the public internet are ones to which a report may send
//! every reader.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The network in which a host means the same machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Network {
    /// The internet.
    Public,
    /// A network of an organization.
    Private,
    /// The next network only, such as the addresses at which clouds publish their credentials; or
    /// no host at all.
    Link,
    /// The own machine.
    Own,
}

/// Names whose hosts are not on the internet (RFC 6762, RFC 8375, RFC 6761, and usual ones of
/// organizations).
const PRIVATE: [&str; 11] = [
    "local", "internal", "intranet", "intra", "private", "corp", "home", "lan", "localdomain",
    "home.arpa", "workgroup",
];

impl Network {
    /// The network of a host as the URL Standard serializes it: an address in dotted form, one in
    /// brackets, or a name in lower case.
    pub(super) fn of(host: &str) -> Self {
        let bare = host.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        match bare.unwrap_or(host).parse() {
            Ok(IpAddr::V4(address)) => Self::of_v4(address),
            Ok(IpAddr::V6(address)) => Self::of_v6(address),
            Err(_) => Self::of_name(host.trim_end_matches('.')),
        }
    }

    /// Returns true if the host of a link in this network may be replaced by one in the other.
    pub(super) fn may_become(self, new: Self) -> bool {
        match new {
            Self::Public => true,
            Self::Private => self != Self::Public,
            Self::Link | Self::Own => self == new,
        }
    }

    fn of_name(name: &str) -> Self {
        let is_below = |zone: &&str| {
            let above = name.strip_suffix(*zone);
            above.is_some_and(|it| it.is_empty() || it.ends_with('.'))
        };
        match name {
            _ if is_below(&"localhost") => Self::Own,
            // Only the own network has names without dots. No one has a name with an empty label.
            _ if !name.contains('.')
                || name.split('.').any(str::is_empty)
                || PRIVATE.iter().any(is_below) =>
            {
                Self::Private
            }
            _ => Self::Public,
        }
    }

    /// The registry of special addresses (RFC 6890), without those for documentation.
    fn of_v4(address: Ipv4Addr) -> Self {
        match address.octets() {
            [127, ..] => Self::Own,
            [0 | 224..=255, ..] | [169, 254, ..] => Self::Link,
            [10, ..]
            | [100, 64..=127, ..]
            | [172, 16..=31, ..]
            | [192, 0, 0, _]
            | [192, 168, ..]
            | [198, 18 | 19, ..] => Self::Private,
            _ => Self::Public,
        }
    }

    fn of_v6(address: Ipv6Addr) -> Self {
        let [a, b, c, d, _, f, g, h] = address.segments();
        let v4 = |high: u16, low: u16| {
            let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
            Self::of_v4(Ipv4Addr::new(a, b, c, d))
        };
        match address.segments() {
            [0, 0, 0, 0, 0, 0, 0, 0] => Self::Link,
            [0, 0, 0, 0, 0, 0, 0, 1] => Self::Own,
            // Addresses that contain one of IPv4: compatible, mapped, translated, of NAT64 and
            // 6to4.
            [0, 0, 0, 0, 0, 0 | 0xFFFF, ..] | [0, 0, 0, 0, 0xFFFF, 0, ..] => v4(g, h),
            [0x64, 0xFF9B, 0, 0, 0, 0, ..] => v4(g, h),
            [0x64, 0xFF9B, 1, ..] => Self::Private,
            [0x2002, ..] => v4(b, c),
            // Teredo: the address of the client has inverted bits.
            [0x2001, 0, ..] => match v4(c, d) {
                Self::Public => v4(!g, !h),
                other => other,
            },
            _ => match a {
                0xFC00..=0xFDFF | 0xFEC0..=0xFEFF => Self::Private,
                0xFE80..=0xFEBF | 0xFF00..=0xFFFF => Self::Link,
                _ if f == 0x5EFE => v4(g, h),
                _ => Self::Public,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_in_their_networks() {
        for (network, hosts) in [
            (
                Network::Own,
                "localhost a.localhost localhost. 127.0.0.1 127.9.9.9 [::1] [::ffff:127.0.0.1] [::127.0.0.1] \
                 [64:ff9b::7f00:1] [2002:7f00:1::] [::ffff:0:7f00:1]",
            ),
            (
                Network::Link,
                "169.254.169.254 0.0.0.0 0.1.2.3 255.255.255.255 224.0.0.1 [::] [fe80::1] [febf::1] [ff02::1] \
                 [::ffff:a9fe:a9fe] [64:ff9b::a9fe:a9fe]",
            ),
            (
                Network::Private,
                "10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 100.127.0.1 198.18.0.1 192.0.0.8 [fc00::1] \
                 [fdff::1] [fec0::1] [::ffff:10.0.0.1] [2002:a00:1::1] [64:ff9b:1::1] [2001:0:a00:1::1] .. a..example [2001:0:5db8::f5ff:fffe] \
                 intranet wiki printer.local a.internal metadata.google.internal x.home.arpa nas.lan x.corp.",
            ),
            (
                Network::Public,
                "h.example 93.184.215.14 172.32.0.1 172.15.0.1 100.128.0.1 192.0.2.1 203.0.113.9 [2606:2800::1] \
                 notlocalhost.example localhost.example local.example internal.example [::ffff:93.184.215.14] [2002:5db8:d70e::1]",
            ),
        ] {
            for host in hosts.split(' ') {
                assert_eq!(Network::of(host), network, "{host}");
            }
        }
    }
}
