//! The URL Standard, by the crate `url`.

use super::fault::Fault;

/// That the parser of the standard does not fail.
#[cfg(feature = "whatwg")]
pub(super) fn derives(reference: &str) -> Result<(), Fault> {
    let base = url::Url::parse("http://base/").ok();
    match url::Url::options().base_url(base.as_ref()).parse(reference) {
        Ok(_) => Ok(()),
        Err(error) => Err(fault(reference, error)),
    }
}

#[cfg(not(feature = "whatwg"))]
pub(super) fn derives(reference: &str) -> Result<(), Fault> {
    Err(Fault {
        start: 0,
        end: reference.len(),
        message: "built without the feature `whatwg`",
        rule: "WHATWG URL",
    })
}

/// The parser tells no place; but all that it fails on is in the authority, and nearly all in the
/// host.
#[cfg(feature = "whatwg")]
fn fault(reference: &str, error: url::ParseError) -> Fault {
    use url::ParseError;

    let (message, rule) = match error {
        ParseError::EmptyHost => ("the host is missing", "WHATWG URL, 4.4"),
        ParseError::InvalidPort => ("a port is a number up to 65535", "WHATWG URL, 4.4"),
        ParseError::IdnaError => ("not a domain name", "WHATWG URL, 3.3"),
        ParseError::InvalidIpv4Address => ("not an IPv4 address", "WHATWG URL, 3.5"),
        ParseError::InvalidIpv6Address => ("not an IPv6 address", "WHATWG URL, 3.5"),
        ParseError::InvalidDomainCharacter => ("not allowed in a domain name", "WHATWG URL, 3.2"),
        _ => ("the parser of the standard fails on it", "WHATWG URL, 4.4"),
    };
    let mut range = 0..reference.len();
    let parts = super::Parts::split(reference);
    if let Some(authority) = parts.authority.filter(|authority| !authority.is_empty()) {
        let start = parts.scheme.map_or(0, |scheme| scheme.len() + 1) + "//".len();
        range = start..start + authority.len();
    }
    Fault {
        start: range.start,
        end: range.end,
        message,
        rule,
    }
}
