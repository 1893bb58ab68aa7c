//! The scheme `prospero` (RFC 1738, section 3.11).

use super::super::fault::Fault;
use super::hostport::HostPort;
use super::reader::{EQUALS, FSEGMENT, Reader, SLASH};

const RULE: &str = "RFC 1738, 3.11";
/// `fieldname` and `fieldvalue`, which are the same.
const FIELD: u8 = FSEGMENT & !EQUALS;

/// An object of the Prospero directory service, as written (RFC 1738, section 3.11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Prospero<'a> {
    /// The host and port.
    pub server: HostPort<'a>,
    /// The object's name on that host: the text after the slash that follows the host. The slashes
    /// in it, possibly a leading one, have no meaning to a client.
    pub hsoname: &'a str,
    /// The fields after it, each with a leading `;`.
    pub fieldspecs: &'a str,
}

impl<'a> Prospero<'a> {
    /// The default port.
    pub const PORT: u16 = 1525;

    /// The names and values of the fields, as written, each possibly empty.
    pub fn fields(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.fieldspecs.split(';').skip(1).map(|field| field.split_once('=').unwrap_or((field, "")))
    }

    /// Reads the text after the scheme.
    pub(super) fn read(mut rest: Reader<'a>) -> Result<Self, Fault> {
        rest.slashes()?;
        let server = HostPort::alone(&mut rest, RULE)?;
        rest.expect("/", "the name of an object is missing", RULE)?;
        let hsoname = rest.run(FSEGMENT | SLASH)?;
        let fieldspecs = rest.rest();
        while rest.eat(";") {
            rest.run(FIELD)?;
            rest.expect("=", "a field is a name, an equals sign and a value", RULE)?;
            rest.run(FIELD)?;
        }
        rest.end("not allowed in a field", "RFC 1738, 5")?;
        Ok(Self { server, hsoname, fieldspecs })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_faults;
    use super::super::{SchemeSpecific, parse};
    use super::*;

    #[test]
    fn prospero_urls_have_names_and_fields() {
        for (url, hsoname, fields) in [
            ("prospero://h/", "", &[][..]),
            ("PROSPERO://host.dom//pros/name", "/pros/name", &[]),
            ("prospero://h:1525/a=b?c:d@e&f//", "a=b?c:d@e&f//", &[]),
            ("prospero://h/a;b=c;d=e", "a", &[("b", "c"), ("d", "e")]),
            ("prospero://h/;=", "", &[("", "")]),
            ("prospero://h/a;b?:@&=?:@&", "a", &[("b?:@&", "?:@&")]),
            ("prospero://h/a%3B;b%3D=%3B", "a%3B", &[("b%3D", "%3B")]),
        ] {
            let Ok(SchemeSpecific::Prospero(prospero)) = parse(url) else { panic!("{url}") };
            assert_eq!(prospero.hsoname, hsoname, "{url}");
            assert_eq!(prospero.fields().collect::<Vec<_>>(), fields, "{url}");
            assert_eq!(prospero.server.port_or(Prospero::PORT), Some(1525));
        }
    }

    #[test]
    fn invalid_prospero_urls_have_faults() {
        assert_faults(&[
            ("prospero:h/a", 9, 10, "RFC 1738, 3.1"),
            ("prospero://h", 12, 12, RULE),
            ("prospero://u@h/a", 11, 13, RULE),
            ("prospero://h/a;", 15, 15, RULE),
            ("prospero://h/a;b", 16, 16, RULE),
            ("prospero://h/a;b;c=d", 16, 17, RULE),
            ("prospero://h/a;b/c=d", 16, 17, RULE),
            ("prospero://h/a;b=c=d", 18, 19, "RFC 1738, 5"),
            ("prospero://h/n;a=1/2", 18, 19, "RFC 1738, 5"),
            ("prospero://h/a b", 14, 15, "RFC 1738, 2.2"),
            ("prospero://h/a#b", 14, 15, "RFC 1738, 2.2"),
        ]);
    }
}
