//! The scheme `wais` (RFC 1738, section 3.9).

use super::super::fault::Fault;
use super::hostport::HostPort;
use super::reader::{HSEGMENT, Reader, UCHAR};

const RULE: &str = "RFC 1738, 3.9";

/// A WAIS database, a search in it, or a document of it, as written (RFC 1738, section 3.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wais<'a> {
    /// The host and port.
    pub server: HostPort<'a>,
    /// The database, possibly empty.
    pub database: &'a str,
    /// The form of the URL.
    pub form: WaisForm<'a>,
}

/// The forms of WAIS URLs, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WaisForm<'a> {
    /// The database itself.
    Database,
    /// A search.
    Index {
        /// The text after `?`, possibly empty.
        search: &'a str,
    },
    /// A document.
    Doc {
        /// The type of the document, possibly empty.
        wtype: &'a str,
        /// The server's name for the document, possibly empty. Slashes in it are encoded.
        wpath: &'a str,
    },
}

impl<'a> Wais<'a> {
    /// The default port.
    pub const PORT: u16 = 210;

    /// Reads the text after the scheme.
    pub(super) fn read(mut rest: Reader<'a>) -> Result<Self, Fault> {
        rest.slashes()?;
        let server = HostPort::alone(&mut rest, RULE)?;
        rest.expect("/", "the database is missing", RULE)?;
        let database = rest.run(UCHAR)?;
        let form = if rest.eat("?") {
            let search = rest.run(HSEGMENT)?;
            WaisForm::Index { search }
        } else if rest.eat("/") {
            let wtype = rest.run(UCHAR)?;
            rest.expect("/", "a type of document, a slash and its path belong here", RULE)?;
            let wpath = rest.run(UCHAR)?;
            WaisForm::Doc { wtype, wpath }
        } else {
            WaisForm::Database
        };
        rest.end("must be percent-encoded in a WAIS URL", "RFC 1738, 5")?;
        Ok(Self { server, database, form })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_faults;
    use super::super::{SchemeSpecific, parse};
    use super::*;

    #[test]
    fn wais_urls_have_three_forms() {
        for (url, database, form) in [
            ("wais://h/", "", WaisForm::Database),
            ("WAIS://h:210/db%3F", "db%3F", WaisForm::Database),
            ("wais://h/?", "", WaisForm::Index { search: "" }),
            ("wais://h/db?a;b:c@d&e=f", "db", WaisForm::Index { search: "a;b:c@d&e=f" }),
            ("wais://h/db/TEXT/1%2F2", "db", WaisForm::Doc { wtype: "TEXT", wpath: "1%2F2" }),
            ("wais://h///", "", WaisForm::Doc { wtype: "", wpath: "" }),
        ] {
            let Ok(SchemeSpecific::Wais(wais)) = parse(url) else { panic!("{url}") };
            assert_eq!((wais.database, wais.form), (database, form), "{url}");
            assert_eq!(wais.server.port_or(Wais::PORT), Some(210));
        }
    }

    #[test]
    fn invalid_wais_urls_have_faults() {
        assert_faults(&[
            ("wais:/h/db", 6, 7, "RFC 1738, 3.1"),
            ("wais://h", 8, 8, RULE),
            ("wais://h?s", 8, 9, "RFC 1738, 3.1"),
            ("wais://u@h/db", 7, 9, RULE),
            ("wais://h/db/t", 13, 13, RULE),
            ("wais://h/db/t?s", 13, 14, RULE),
            ("wais://h/db/t/p/q", 15, 16, "RFC 1738, 5"),
            ("wais://h/db/t/1=2", 15, 16, "RFC 1738, 5"),
            ("wais://h/d=b", 10, 11, "RFC 1738, 5"),
            ("wais://h/db?a/b", 13, 14, "RFC 1738, 5"),
            ("wais://h/db?a?b", 13, 14, "RFC 1738, 5"),
            ("wais://h/db?s#f", 13, 14, "RFC 1738, 2.2"),
        ]);
    }
}
