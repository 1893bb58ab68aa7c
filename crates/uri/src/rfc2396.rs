//! The generic grammars before RFC 3986: the draft of 1997, RFC 2396, and its first revision.
//!
//! They share nearly all character classes with RFC 3986, so `chars` serves them too: their `urlc`,
//! `uric` and `pchar` are its classes of a fragment and a path. They differ in the positions at
//! which a class is allowed.

use std::ops::Range;

use super::chars::{CLASS, FRAGMENT, PATH, PATH_TO_COLON, REG_NAME, USERINFO, is_scheme_byte};
use super::fault::Fault;
use super::host::HostSyntax;
use super::parts::Ends;
use super::{Authority, HostKind, Parts, Server};
use crate::bytes::percent;

/// The rule of a component: the message for a violation, and the section.
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
    escape: rule("two hexadecimal digits must follow a percent sign", "draft 1997, 2.4.1"),
    scheme: rule("not allowed in a scheme", "draft 1997, 4.1"),
    opaque: rule("not allowed in an opaque part", "draft 1997, 4.2"),
    authority: rule("not allowed in a site", "draft 1997, 4.3.1"),
    userinfo: rule("not allowed in a user name or password", "draft 1997, 4.3.1"),
    host: rule("neither a host name nor an address", "draft 1997, 4.3.1"),
    port: rule("a port is made of digits", "draft 1997, 4.3.1"),
    path: rule("not allowed in a path", "draft 1997, 4.3.2"),
    query: rule("not allowed in a query", "draft 1997, 4.3.3"),
    fragment: rule("not allowed in a fragment", "draft 1997, 3"),
    relative: rule("a colon in the first segment reads as the end of a scheme", "draft 1997, 5"),
};

const RFC_2396: Rules = Rules {
    escape: rule("two hexadecimal digits must follow a percent sign", "RFC 2396, 2.4.1"),
    scheme: rule("not allowed in a scheme", "RFC 2396, 3.1"),
    opaque: rule("not allowed in an opaque part", "RFC 2396, 3"),
    authority: rule("not allowed in an authority", "RFC 2396, 3.2.1"),
    userinfo: rule("not allowed in userinfo", "RFC 2396, 3.2.2"),
    host: rule("neither a host name nor an address", "RFC 2396, 3.2.2"),
    port: rule("a port is made of digits", "RFC 2396, 3.2.2"),
    path: rule("not allowed in a path", "RFC 2396, 3.3"),
    query: rule("not allowed in a query", "RFC 2396, 3.4"),
    fragment: rule("not allowed in a fragment", "RFC 2396, 4.1"),
    relative: rule("a colon in the first segment reads as the end of a scheme", "RFC 2396, 5"),
};

const RFC_2396BIS_00: Rules = Rules {
    escape: rule("two hexadecimal digits must follow a percent sign", "draft rfc2396bis-00, 2.4.1"),
    scheme: rule("not allowed in a scheme", "draft rfc2396bis-00, 3.1"),
    opaque: rule("not allowed in an opaque part", "draft rfc2396bis-00, 3"),
    authority: rule("not allowed in an authority", "draft rfc2396bis-00, 3.2.1"),
    userinfo: rule("not allowed in userinfo", "draft rfc2396bis-00, 3.2.2"),
    host: rule("neither a host name nor an address", "draft rfc2396bis-00, 3.2.2"),
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
        Self { edition, rules, text, parts: ends.parts(text), ends }
    }

    /// Checks that the grammar derives the reference.
    pub(super) fn check(&self) -> Result<(), Fault> {
        let (rules, ends) = (self.rules, self.ends);
        let path = ends.authority..ends.path;
        let query = ends.path..ends.query;
        if self.edition == Edition::Url1997 {
            // An invalid scheme or site is derived as a path or an opaque part, which allow every
            // character of the grammar. So only characters can be invalid.
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

    /// The fault of a component that breaks the rule of the component although the grammar derives
    /// the reference. Only in the draft of 1997: by its greedy reading (4.4), `a_b:c` has an
    /// invalid scheme and `//a_b` an invalid site, but both are paths too.
    pub(super) fn component_fault(&self) -> Option<Fault> {
        if self.edition != Edition::Url1997 {
            return None;
        }
        let site = self.parts.authority.and_then(|site| self.server(site).err());
        self.scheme_fault().or(site)
    }

    /// The authority as the grammar reads it. `None` if it is not allowed.
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

    /// The start of the authority, after its slashes.
    fn authority_start(&self) -> usize {
        self.ends.scheme + "//".len()
    }

    /// The fault of the text before the first colon, if it is not a scheme.
    fn scheme_fault(&self) -> Option<Fault> {
        let scheme = self.parts.scheme?;
        if let Some(at) = scheme.bytes().position(|b| !is_scheme_byte(b)) {
            return Some(self.fault(at, self.rules.scheme));
        }
        let letter = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
        let begins = rule("a scheme begins with a letter", self.rules.scheme.section);
        (self.edition != Edition::Url1997 && !letter).then(|| self.fault(0, begins))
    }

    /// Checks `opaque_part`; in the revision also the empty `hier-part`.
    fn opaque(&self) -> Result<(), Fault> {
        let opaque = self.rules.opaque;
        let (mut at, end) = (self.ends.scheme, self.ends.query);
        if self.edition == Edition::Rfc2396 && at == end {
            let missing = rule("nothing follows the scheme", opaque.section);
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

    /// Checks the first segment of a path without scheme and authority.
    fn first_segment(&self) -> Result<(), Fault> {
        let Parts { path, query, .. } = self.parts;
        let relative = self.rules.relative;
        if self.edition == Edition::Rfc2396 && path.is_empty() && query.is_some() {
            let missing = rule("a reference that has a query needs a path", relative.section);
            return Err(self.fault(0, missing));
        }
        if path.starts_with(':') {
            return Err(self.fault(0, relative));
        }
        let end = path.find('/').unwrap_or(path.len());
        self.run(0..end, PATH_TO_COLON, self.rules.path)
    }

    /// Checks `server | reg_name`.
    fn authority(&self, authority: &str) -> Result<(), Fault> {
        let Err(fault) = self.server(authority) else {
            return Ok(());
        };
        // Brackets are only for addresses, so the fault is that of the address.
        if self.edition == Edition::Rfc2396bis00 && authority.contains('[') {
            return Err(fault);
        }
        // `reg_name` allows all characters of a path except slashes, and the authority has none.
        let start = self.authority_start();
        self.run(start..start + authority.len(), PATH, self.rules.authority)
    }

    /// Splits and checks `server`, called `site` in 1997.
    fn server(&self, authority: &'a str) -> Result<(Server<'a>, HostKind), Fault> {
        let server = Server::split(authority);
        let start = self.authority_start();
        let mut host = start;
        if let Some(userinfo) = server.userinfo {
            host += userinfo.len() + "@".len();
            let mut rest = start;
            if self.edition == Edition::Url1997 {
                // At most one colon, between user name and password.
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
            // The whole server may be empty, but not the host alone.
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
            None if host.starts_with('[') => {
                self.fault(self.ends.authority, rule("a bracket is not closed", section))
            }
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
        // Its delimiter is not part of it.
        let start = start + usize::from(self.parts.fragment.is_some());
        self.run(start..self.text.len(), FRAGMENT, self.rules.fragment)
    }

    fn fault(&self, at: usize, rule: Rule) -> Fault {
        Fault::at(self.text, at, rule.message, rule.section)
    }

    /// Checks that all bytes of `range` are escapes or of `class`.
    fn run(&self, range: Range<usize>, class: u8, rule: Rule) -> Result<(), Fault> {
        let end = range.end;
        let at = self.skip(range, class)?;
        self.ends(end, at, rule)
    }

    /// The end of the characters of `class` and escapes.
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

    /// Checks that `at` is the end. Otherwise the character at `at` is at fault.
    fn ends(&self, end: usize, at: usize, rule: Rule) -> Result<(), Fault> {
        if at == end { Ok(()) } else { Err(self.fault(at, rule)) }
    }
}
