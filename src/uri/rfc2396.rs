//! The generic grammars before RFC 3986: of the draft of 1997, of RFC 2396, and of its first
//! revision.
//!
//! They share nearly all of their characters with RFC 3986, so its table of classes serves them:
//! what the three call `urlc`, `uric` or `pchar` is what a fragment or a path may hold there. They
//! differ in what may stand *where*, and that is what this file says.

use std::ops::Range;

use super::chars::{CLASS, FRAGMENT, PATH, PATH_TO_COLON, REG_NAME, USERINFO, is_scheme_byte};
use super::fault::Fault;
use super::host::HostSyntax;
use super::parts::Ends;
use super::{Authority, HostKind, Parts, Server};
use crate::bytes::percent;

/// What a component must be: what is said where it is not, and the section that says so.
#[derive(Clone, Copy)]
struct Rule {
    message: &'static str,
    section: &'static str,
}

const fn rule(message: &'static str, section: &'static str) -> Rule {
    Rule { message, section }
}

struct Rules {
    escape: Rule,
    scheme: Rule,
    opaque: Rule,
    authority: Rule,
    userinfo: Rule,
    host: Rule,
    port: Rule,
    path: Rule,
    query: Rule,
    fragment: Rule,
    relative: Rule,
}

const URL_1997: Rules = Rules {
    escape: rule(
        "two hexadecimal digits must follow a percent sign",
        "draft 1997, 2.4.1",
    ),
    scheme: rule("not allowed in a scheme", "draft 1997, 4.1"),
    opaque: rule("not allowed in an opaque part", "draft 1997, 4.2"),
    authority: rule("not allowed in a site", "draft 1997, 4.3.1"),
    userinfo: rule(
        "not allowed in a user name or password",
        "draft 1997, 4.3.1",
    ),
    host: rule("neither a host name nor an address", "draft 1997, 4.3.1"),
    port: rule("a port is made of digits", "draft 1997, 4.3.1"),
    path: rule("not allowed in a path", "draft 1997, 4.3.2"),
    query: rule("not allowed in a query", "draft 1997, 4.3.3"),
    fragment: rule("not allowed in a fragment", "draft 1997, 3"),
    relative: rule(
        "a colon in the first segment reads as the end of a scheme",
        "draft 1997, 5",
    ),
};

const RFC_2396: Rules = Rules {
    escape: rule(
        "two hexadecimal digits must follow a percent sign",
        "RFC 2396, 2.4.1",
    ),
    scheme: rule("not allowed in a scheme", "RFC 2396, 3.1"),
    opaque: rule("not allowed in an opaque part", "RFC 2396, 3"),
    authority: rule("not allowed in an authority", "RFC 2396, 3.2.1"),
    userinfo: rule("not allowed in userinfo", "RFC 2396, 3.2.2"),
    host: rule("neither a host name nor an address", "RFC 2396, 3.2.2"),
    port: rule("a port is made of digits", "RFC 2396, 3.2.2"),
    path: rule("not allowed in a path", "RFC 2396, 3.3"),
    query: rule("not allowed in a query", "RFC 2396, 3.4"),
    fragment: rule("not allowed in a fragment", "RFC 2396, 4.1"),
    relative: rule(
        "a colon in the first segment reads as the end of a scheme",
        "RFC 2396, 5",
    ),
};

const RFC_2396BIS_00: Rules = Rules {
    escape: rule(
        "two hexadecimal digits must follow a percent sign",
        "draft rfc2396bis-00, 2.4.1",
    ),
    scheme: rule("not allowed in a scheme", "draft rfc2396bis-00, 3.1"),
    opaque: rule("not allowed in an opaque part", "draft rfc2396bis-00, 3"),
    authority: rule("not allowed in an authority", "draft rfc2396bis-00, 3.2.1"),
    userinfo: rule("not allowed in userinfo", "draft rfc2396bis-00, 3.2.2"),
    host: rule(
        "neither a host name nor an address",
        "draft rfc2396bis-00, 3.2.2",
    ),
    port: rule("a port is made of digits", "draft rfc2396bis-00, 3.2.2"),
    path: rule("not allowed in a path", "draft rfc2396bis-00, 3.3"),
    query: rule("not allowed in a query", "draft rfc2396bis-00, 3.4"),
    fragment: rule("not allowed in a fragment", "draft rfc2396bis-00, 4.1"),
    relative: rule(
        "a colon in the first segment reads as the end of a scheme",
        "draft rfc2396bis-00, 5",
    ),
};

/// One of the three grammars.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Edition {
    Url1997,
    Rfc2396,
    Rfc2396bis00,
}

/// A check of a reference by one of the grammars.
pub(super) struct Checker<'a> {
    edition: Edition,
    rules: &'static Rules,
    text: &'a str,
    parts: Parts<'a>,
    ends: Ends,
}

impl<'a> Checker<'a> {
    /// A check of `text`, whose components end at `ends`, as [`Ends::split_verbatim`] returns them.
    pub(super) fn new(edition: Edition, text: &'a str, ends: Ends) -> Self {
        let rules = match edition {
            Edition::Url1997 => &URL_1997,
            Edition::Rfc2396 => &RFC_2396,
            Edition::Rfc2396bis00 => &RFC_2396BIS_00,
        };
        Self {
            edition,
            rules,
            text,
            parts: ends.parts(text),
            ends,
        }
    }

    /// Whether the grammar derives the reference at all.
    pub(super) fn check(&self) -> Result<(), Fault> {
        let (rules, ends) = (self.rules, self.ends);
        let path = ends.authority..ends.path;
        let query = ends.path..ends.query;
        if self.edition == Edition::Url1997 {
            // What is no scheme and no site is a path, or the opaque part, and those have all the
            // characters there are. So only characters can be wrong.
            self.run(0..ends.scheme, FRAGMENT, rules.scheme)?;
            self.run(ends.scheme..path.start, FRAGMENT, rules.authority)?;
            self.run(path, FRAGMENT, rules.path)?;
            self.run(query, FRAGMENT, rules.query)?;
            return self.fragment();
        }
        if let Some(fault) = self.scheme_fault() {
            return Err(fault);
        }
        if self.parts.scheme.is_some() && !self.text[ends.scheme..].starts_with('/') {
            self.opaque()?;
            return self.fragment();
        }
        if let Some(authority) = self.parts.authority {
            self.authority(authority)?;
        } else if self.parts.scheme.is_none() {
            self.first_segment()?;
        }
        self.run(path, PATH, rules.path)?;
        self.run(query, FRAGMENT, rules.query)?;
        self.fragment()
    }

    /// Where the components do not follow their own rules though the whole is derived. Only the
    /// draft of 1997 has such references: by the greedy reading (4.4) `a_b:c` has a scheme that is
    /// none and `//a_b` a site that is none, but both are paths too.
    pub(super) fn component_fault(&self) -> Option<Fault> {
        if self.edition != Edition::Url1997 {
            return None;
        }
        let site = self
            .parts
            .authority
            .and_then(|site| self.server(site).err());
        self.scheme_fault().or(site)
    }

    /// How the grammar takes the authority: `None` if it does not.
    pub(super) fn derived_authority(&self) -> Option<Authority<'a>> {
        let authority = self.parts.authority?;
        match self.server(authority) {
            Ok((server, host_kind)) => Some(Authority::Server { server, host_kind }),
            Err(_) if self.edition == Edition::Url1997 => None,
            Err(_) => {
                let allowed = self.authority(authority).is_ok();
                allowed.then_some(Authority::RegistryName)
            }
        }
    }

    /// Where the characters of the authority begin, if there is one.
    fn authority_start(&self) -> usize {
        self.ends.scheme + "//".len()
    }

    /// Why what stands before the first colon is no scheme.
    fn scheme_fault(&self) -> Option<Fault> {
        let scheme = self.parts.scheme?;
        if let Some(at) = scheme.bytes().position(|b| !is_scheme_byte(b)) {
            return Some(self.fault(at, self.rules.scheme));
        }
        let letter = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
        let begins = rule("a scheme begins with a letter", self.rules.scheme.section);
        (self.edition != Edition::Url1997 && !letter).then(|| self.fault(0, begins))
    }

    /// `opaque_part`; in the revision also the `hier-part` that is empty.
    fn opaque(&self) -> Result<(), Fault> {
        let opaque = self.rules.opaque;
        let (mut at, end) = (self.ends.scheme, self.ends.query);
        if self.edition == Edition::Rfc2396 && at == end {
            let missing = rule("nothing stands after the scheme", opaque.section);
            return Err(self.fault(at, missing));
        }
        loop {
            at = self.skip(at..end, FRAGMENT)?;
            let bracket = matches!(self.text.as_bytes().get(at), Some(b'[' | b']'));
            if at < end && bracket && self.edition == Edition::Rfc2396bis00 {
                at += 1;
            } else {
                return self.ends(end, at, opaque);
            }
        }
    }

    /// The first segment of a path without scheme and authority.
    fn first_segment(&self) -> Result<(), Fault> {
        let Parts { path, query, .. } = self.parts;
        let relative = self.rules.relative;
        if self.edition == Edition::Rfc2396 && path.is_empty() && query.is_some() {
            let missing = rule(
                "a reference that has a query needs a path",
                relative.section,
            );
            return Err(self.fault(0, missing));
        }
        if path.starts_with(':') {
            return Err(self.fault(0, relative));
        }
        let end = path.find('/').unwrap_or(path.len());
        self.run(0..end, PATH_TO_COLON, self.rules.path)
    }

    /// `server | reg_name`: why it is neither.
    fn authority(&self, authority: &str) -> Result<(), Fault> {
        let Err(fault) = self.server(authority) else {
            return Ok(());
        };
        // Brackets are for addresses, so what is wrong with the address is said.
        if self.edition == Edition::Rfc2396bis00 && authority.contains('[') {
            return Err(fault);
        }
        // `reg_name` has all that a path has but slashes, and there are none.
        let start = self.authority_start();
        self.run(start..start + authority.len(), PATH, self.rules.authority)
    }

    /// `server`, called `site` in 1997: its components, or what is wrong with them.
    fn server(&self, authority: &'a str) -> Result<(Server<'a>, HostKind), Fault> {
        let server = Server::split(authority);
        let start = self.authority_start();
        let mut host = start;
        if let Some(userinfo) = server.userinfo {
            host += userinfo.len() + "@".len();
            let mut rest = start;
            if self.edition == Edition::Url1997 {
                // Only one colon, between user name and password, neither of which has another.
                if let Some(colon) = userinfo.find(':') {
                    self.run(start..start + colon, REG_NAME, self.rules.userinfo)?;
                    rest += colon + 1;
                }
                self.run(rest..host - 1, REG_NAME, self.rules.userinfo)?;
            } else {
                self.run(rest..host - 1, USERINFO, self.rules.userinfo)?;
            }
        }
        let port = host + server.host.len() + ":".len();
        let kind = match HostKind::of(server.host, self.host_syntax()) {
            Some(kind) => kind,
            // The whole server may be missing, but not the host alone.
            None if authority.is_empty() => HostKind::Name,
            None => return Err(self.host_fault(host, server.host)),
        };
        let wrong = |port: &str| port.bytes().position(|b| !b.is_ascii_digit());
        match server.port.and_then(wrong) {
            Some(at) => Err(self.fault(port + at, self.rules.port)),
            None => Ok((server, kind)),
        }
    }

    fn host_syntax(&self) -> HostSyntax {
        match self.edition {
            Edition::Url1997 => HostSyntax::Hostname { dot_may_end: false },
            Edition::Rfc2396 => HostSyntax::Hostname { dot_may_end: true },
            Edition::Rfc2396bis00 => HostSyntax::Rfc2396bis00,
        }
    }

    /// The fault of the invalid host that begins at `at`.
    fn host_fault(&self, at: usize, host: &str) -> Fault {
        let section = self.rules.host.section;
        let behind = host.find(']').map(|close| close + 1);
        match behind.filter(|_| host.starts_with('[')) {
            Some(behind) if behind < host.len() => self.fault(at + behind, self.rules.authority),
            None if host.starts_with('[') => self.fault(
                self.ends.authority,
                rule("a bracket is not closed", section),
            ),
            _ => Fault {
                start: at,
                end: at + host.len(),
                message: self.rules.host.message,
                rule: section,
            },
        }
    }

    fn fragment(&self) -> Result<(), Fault> {
        let start = self.ends.query;
        // Its own delimiter is not for it to judge.
        let start = start + usize::from(self.parts.fragment.is_some());
        self.run(start..self.text.len(), FRAGMENT, self.rules.fragment)
    }

    fn fault(&self, at: usize, rule: Rule) -> Fault {
        Fault::at(self.text, at, rule.message, rule.section)
    }

    /// Demands `class` of all bytes in this range but escapes.
    fn run(&self, range: Range<usize>, class: u8, rule: Rule) -> Result<(), Fault> {
        let end = range.end;
        let at = self.skip(range, class)?;
        self.ends(end, at, rule)
    }

    /// Where what `class` allows ends, escapes included.
    fn skip(&self, range: Range<usize>, class: u8) -> Result<usize, Fault> {
        let bytes = &self.text.as_bytes()[..range.end];
        let mut at = range.start;
        while let Some(&byte) = bytes.get(at) {
            if CLASS[usize::from(byte)] & class != 0 {
                at += 1;
            } else if byte == b'%' {
                if percent::escaped(&bytes[at..]).is_none() {
                    return Err(self.fault(at, self.rules.escape));
                }
                at += 3;
            } else {
                break;
            }
        }
        Ok(at)
    }

    /// That `at` is the end; else the character there is at fault.
    fn ends(&self, end: usize, at: usize, rule: Rule) -> Result<(), Fault> {
        if at == end {
            Ok(())
        } else {
            Err(self.fault(at, rule))
        }
    }
}
