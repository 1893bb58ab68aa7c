//! The scheme `mailto` (RFC 1738, section 3.5).

use super::super::fault::Fault;
use super::reader::{Reader, XCHAR};

/// A mail address, as written (RFC 1738, section 3.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mailto<'a> {
    /// An addr-spec of RFC 822, encoded. The grammar requires one character or more, and nothing
    /// else is checked. No character is reserved: `?` belongs to the address.
    pub addr: &'a str,
}

impl<'a> Mailto<'a> {
    /// Reads the text after the scheme.
    pub(super) fn read(mut rest: Reader<'a>) -> Result<Self, Fault> {
        const RULE: &str = "RFC 1738, 3.5";
        let addr = rest.run(XCHAR)?;
        rest.end("not allowed in an address", RULE)?;
        if addr.is_empty() {
            return Err(rest.fault("the address is missing", RULE));
        }
        Ok(Self { addr })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_faults;
    use super::super::{SchemeSpecific, parse};
    use super::*;

    #[test]
    fn addresses_are_any_characters() {
        for addr in ["a@b", "@", "a!b!c", "a@b?subject=c", "a%25b@c", "//a@b", "a@b,c@d"] {
            let url = format!("MailTo:{addr}");
            assert_eq!(parse(&url), Ok(SchemeSpecific::Mailto(Mailto { addr })));
        }
    }

    #[test]
    fn invalid_mailto_urls_have_faults() {
        assert_faults(&[
            ("mailto:", 7, 7, "RFC 1738, 3.5"),
            ("mailto:a%b@c", 8, 9, "RFC 1738, 2.2"),
            ("mailto:a~b@c", 8, 9, "RFC 1738, 2.2"),
            ("mailto:<a@b>", 7, 8, "RFC 1738, 2.2"),
            ("mailto:\"a\"@b", 7, 8, "RFC 1738, 2.2"),
        ]);
    }
}
