//! The schemes `news` and `nntp` (RFC 1738, sections 3.6 and 3.7).

use super::super::fault::Fault;
use super::hostport::{HostPort, host};
use super::reader::{AT, Reader, XCHAR};

/// Newsgroups, or an article, on no particular server (RFC 1738, section 3.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum News<'a> {
    /// `*`: all newsgroups.
    All,
    /// A newsgroup, by its name.
    Group(&'a str),
    /// An article, by its Message-ID without the angle brackets.
    Article {
        /// The whole Message-ID, as written.
        message_id: &'a str,
        /// The text before `@`, as written. Never empty.
        unique: &'a str,
        /// The host after it.
        domain: &'a str,
    },
}

impl<'a> News<'a> {
    /// Reads the text after the scheme.
    pub(super) fn read(mut rest: Reader<'a>) -> Result<Self, Fault> {
        const RULE: &str = "RFC 1738, 3.6";
        let whole = rest.rest();
        if whole == "*" {
            return Ok(Self::All);
        }
        // Only this character distinguishes Message-IDs from names.
        if !whole.contains('@') {
            let group = group(&mut rest, RULE)?;
            let message = "not allowed in the name of a newsgroup";
            return match rest.peek() {
                None => Ok(Self::Group(group)),
                Some(_) => Err(rest.fault_here(message, RULE)),
            };
        }
        let unique = rest.run(XCHAR & !AT)?;
        if unique.is_empty() {
            return Err(rest.fault("a Message-ID does not begin with its `@`", RULE));
        }
        rest.expect("@", "not allowed in a Message-ID", RULE)?;
        let domain = host(&mut rest)?;
        rest.end("nothing may follow the host of a Message-ID", RULE)?;
        Ok(Self::Article { message_id: whole, unique, domain })
    }
}

/// An article of a news server, by its number on that server (RFC 1738, section 3.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nntp<'a> {
    /// The host and port.
    pub server: HostPort<'a>,
    /// The newsgroup.
    pub group: &'a str,
    /// The number of the article, at least one digit. Required by the prose, optional in the
    /// grammar (section 5).
    pub article: Option<&'a str>,
}

impl<'a> Nntp<'a> {
    /// The default port.
    pub const PORT: u16 = 119;

    /// The number of the article, if it fits 64 bits.
    pub fn article_number(self) -> Option<u64> {
        self.article?.parse().ok()
    }

    /// Reads the text after the scheme.
    pub(super) fn read(mut rest: Reader<'a>) -> Result<Self, Fault> {
        const RULE: &str = "RFC 1738, 3.7";
        rest.slashes()?;
        let server = HostPort::alone(&mut rest, RULE)?;
        rest.expect("/", "the newsgroup is missing", RULE)?;
        let group = group(&mut rest, RULE)?;
        let mut message = "not allowed in the name of a newsgroup";
        let mut article = None;
        if rest.eat("/") {
            message = "an article's number is made of digits";
            let digits = rest.plain(|b| b.is_ascii_digit());
            if digits.is_empty() {
                return Err(rest.fault_here(message, RULE));
            }
            article = Some(digits);
        }
        match rest.peek() {
            None => Ok(Self { server, group, article }),
            Some(_) => Err(rest.fault_here(message, RULE)),
        }
    }
}

/// Reads a `group`.
fn group<'a>(rest: &mut Reader<'a>, rule: &'static str) -> Result<&'a str, Fault> {
    if !rest.peek().is_some_and(|b| b.is_ascii_alphabetic()) {
        let message = "the name of a newsgroup begins with a letter";
        return Err(rest.fault_here(message, rule));
    }
    Ok(rest.plain(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'+' | b'_')))
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_faults;
    use super::super::{SchemeSpecific, parse};
    use super::*;

    fn news(url: &str) -> News<'_> {
        let Ok(SchemeSpecific::News(news)) = parse(url) else { panic!("{url}") };
        news
    }

    #[test]
    fn newsgroups_are_read() {
        assert_eq!(news("news:*"), News::All);
        for group in ["a", "comp.infosystems.www.misc", "comp.", "c-x+y_z9", "A..B"] {
            assert_eq!(news(&format!("News:{group}")), News::Group(group));
        }
    }

    #[test]
    fn articles_are_read() {
        for (unique, domain) in [
            ("1995.abc", "host.dom"),
            ("*", "h"),
            ("//host/a", "b"),
            ("a;/?:&=b%40", "1.2.3.4"),
            ("$", "h"),
        ] {
            let message_id = &format!("{unique}@{domain}");
            let expected = News::Article { message_id, unique, domain };
            assert_eq!(news(&format!("news:{message_id}")), expected);
        }
    }

    #[test]
    fn nntp_urls_are_read() {
        for (url, group, article, number) in [
            ("nntp://h/g", "g", None, None),
            ("NNTP://h:119/alt.x/0042", "alt.x", Some("0042"), Some(42)),
            ("nntp://h/g/99999999999999999999", "g", Some("99999999999999999999"), None),
        ] {
            let Ok(SchemeSpecific::Nntp(found)) = parse(url) else { panic!("{url}") };
            assert_eq!((found.group, found.article), (group, article), "{url}");
            assert_eq!(found.article_number(), number, "{url}");
            assert_eq!(found.server.port_or(Nntp::PORT), Some(119));
        }
    }

    #[test]
    fn invalid_news_urls_have_faults() {
        const NEWS: &str = "RFC 1738, 3.6";
        const NNTP: &str = "RFC 1738, 3.7";
        assert_faults(&[
            ("news:", 5, 5, NEWS),
            ("news:1a", 5, 6, NEWS),
            ("news:**", 5, 6, NEWS),
            ("news:comp.*", 10, 11, NEWS),
            ("news:comp%2Ex", 9, 10, NEWS),
            ("news:a/b", 6, 7, NEWS),
            ("news://h/g", 5, 6, NEWS),
            ("news:\u{e9}", 5, 7, NEWS),
            ("news:@b", 5, 6, NEWS),
            ("news:a@", 7, 7, "RFC 1738, 3.1"),
            ("news:a@b@c", 8, 9, "RFC 1738, 3.1"),
            ("news:a@b:1", 8, 9, NEWS),
            ("news:a@b/", 8, 9, NEWS),
            ("news:<a@b>", 5, 6, "RFC 1738, 2.2"),
            ("news:a~@b", 6, 7, "RFC 1738, 2.2"),
            ("news:a%@b", 6, 7, "RFC 1738, 2.2"),
            ("nntp:g", 5, 6, "RFC 1738, 3.1"),
            ("nntp://h", 8, 8, NNTP),
            ("nntp://h/", 9, 9, NNTP),
            ("nntp://h//1", 9, 10, NNTP),
            ("nntp://h/*", 9, 10, NNTP),
            ("nntp://h/g/", 11, 11, NNTP),
            ("nntp://h/g/1a", 12, 13, NNTP),
            ("nntp://h/g/-1", 11, 12, NNTP),
            ("nntp://h/g/1/", 12, 13, NNTP),
            ("nntp://h/a@b", 10, 11, NNTP),
            ("nntp://u@h/g", 7, 9, NNTP),
            ("nntp://1.2.3/g/1", 7, 12, "RFC 1738, 3.1"),
        ]);
    }
}
