//! The generic grammars before RFC 3986: of the draft of 1997, of RFC 2396, and of its first
//! revision.
//!
//! They share nearly all of their characters with RFC 3986, so its table of classes serves them:
//! what the three call `urlc`, `uric` or `pchar` is what a fragment or a path may hold there. They
//! differ in what may stand *where*, and that is what this file says.

use super::fault::Fault;
use super::syntax::{CLASS, FRAGMENT, HEX, PATH, PATH_TO_COLON, REG_NAME, SCHEME, USERINFO};
use super::{Authority, Grammar, HostKind, Parts, Server};

/// The sections that say what a component is.
struct Sections {
    escape: &'static str,
    scheme: &'static str,
    opaque: &'static str,
    authority: &'static str,
    server: &'static str,
    path: &'static str,
    query: &'static str,
    fragment: &'static str,
    relative: &'static str,
}

const URL_1997: Sections = Sections {
    escape: "draft 1997, 2.4.1",
    scheme: "draft 1997, 4.1",
    opaque: "draft 1997, 4.2",
    authority: "draft 1997, 4.3.1",
    server: "draft 1997, 4.3.1",
    path: "draft 1997, 4.3.2",
    query: "draft 1997, 4.3.3",
    fragment: "draft 1997, 3",
    relative: "draft 1997, 5",
};

const RFC_2396: Sections = Sections {
    escape: "RFC 2396, 2.4.1",
    scheme: "RFC 2396, 3.1",
    opaque: "RFC 2396, 3",
    authority: "RFC 2396, 3.2.1",
    server: "RFC 2396, 3.2.2",
    path: "RFC 2396, 3.3",
    query: "RFC 2396, 3.4",
    fragment: "RFC 2396, 4.1",
    relative: "RFC 2396, 5",
};

const RFC_2396BIS_00: Sections = Sections {
    escape: "draft rfc2396bis-00, 2.4.1",
    scheme: "draft rfc2396bis-00, 3.1",
    opaque: "draft rfc2396bis-00, 3",
    authority: "draft rfc2396bis-00, 3.2.1",
    server: "draft rfc2396bis-00, 3.2.2",
    path: "draft rfc2396bis-00, 3.3",
    query: "draft rfc2396bis-00, 3.4",
    fragment: "draft rfc2396bis-00, 4.1",
    relative: "draft rfc2396bis-00, 5",
};

/// One of the three grammars, and what it is held against.
pub(super) struct Checker<'a> {
    grammar: Grammar,
    sections: &'static Sections,
    text: &'a str,
    parts: Parts<'a>,
}

impl<'a> Checker<'a> {
    /// `parts` are those of `text` by [`Parts::split_verbatim`].
    pub(super) fn new(grammar: Grammar, text: &'a str, parts: Parts<'a>) -> Self {
        let sections = match grammar {
            Grammar::Url1997 => &URL_1997,
            Grammar::Rfc2396 => &RFC_2396,
            _ => &RFC_2396BIS_00,
        };
        Self {
            grammar,
            sections,
            text,
            parts,
        }
    }

    /// Whether the grammar derives the reference at all.
    pub(super) fn check(&self) -> Result<(), Fault> {
        let Sections { path, query, .. } = self.sections;
        let at = self.after_scheme();
        if self.grammar == Grammar::Url1997 {
            // What is no scheme and no site is a path, or the opaque part, and those have all the
            // characters there are. So only characters can be wrong.
            self.run(0, self.path_end(), FRAGMENT, "not allowed in a URL", path)?;
            self.run(
                self.path_end(),
                self.query_end(),
                FRAGMENT,
                "not allowed in a query",
                query,
            )?;
            return self.fragment();
        }
        if let Some(fault) = self.scheme_fault() {
            return Err(fault);
        }
        if self.parts.scheme.is_some() && !self.text[at..].starts_with('/') {
            self.opaque(at)?;
            return self.fragment();
        }
        if let Some(authority) = self.parts.authority {
            self.authority(authority)?;
        } else if self.parts.scheme.is_none() {
            self.first_segment()?;
        }
        self.run(
            self.path_start(),
            self.path_end(),
            PATH,
            "not allowed in a path",
            path,
        )?;
        self.run(
            self.path_end(),
            self.query_end(),
            FRAGMENT,
            "not allowed in a query",
            query,
        )?;
        self.fragment()
    }

    /// Where the components do not follow their own rules though the whole is derived. Only the
    /// draft of 1997 has such references: by the greedy reading (4.4) `a_b:c` has a scheme that is
    /// none and `//a_b` a site that is none, but both are paths too.
    pub(super) fn component_fault(&self) -> Option<Fault> {
        if self.grammar != Grammar::Url1997 {
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
            Err(_) if self.grammar == Grammar::Url1997 => None,
            Err(_) => {
                let allowed = self.authority(authority).is_ok();
                allowed.then_some(Authority::RegistryName)
            }
        }
    }

    fn after_scheme(&self) -> usize {
        self.parts.scheme.map_or(0, |scheme| scheme.len() + 1)
    }

    /// Where the characters of the authority begin, if there is one.
    fn authority_start(&self) -> usize {
        self.after_scheme() + "//".len()
    }

    fn path_start(&self) -> usize {
        let authority = self.parts.authority;
        self.after_scheme() + authority.map_or(0, |authority| "//".len() + authority.len())
    }

    fn path_end(&self) -> usize {
        self.path_start() + self.parts.path.len()
    }

    fn query_end(&self) -> usize {
        self.path_end() + self.parts.query.map_or(0, |query| 1 + query.len())
    }

    /// Why what stands before the first colon is no scheme.
    fn scheme_fault(&self) -> Option<Fault> {
        let scheme = self.parts.scheme?;
        let rule = self.sections.scheme;
        let wrong = |b: u8| CLASS[usize::from(b)] & SCHEME == 0;
        if let Some(at) = scheme.bytes().position(wrong) {
            return Some(self.fault(at, "not allowed in a scheme", rule));
        }
        let letter = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
        (self.grammar != Grammar::Url1997 && !letter)
            .then(|| self.fault(0, "a scheme begins with a letter", rule))
    }

    /// `opaque_part`, which begins at `at`; in the revision also the `hier-part` that is empty.
    fn opaque(&self, at: usize) -> Result<(), Fault> {
        let rule = self.sections.opaque;
        let end = self.query_end();
        if self.grammar == Grammar::Rfc2396 && at == end {
            return Err(self.fault(at, "nothing stands after the scheme", rule));
        }
        let mut at = at;
        loop {
            at = self.skip(at, end, FRAGMENT)?;
            let bracket = matches!(self.text.as_bytes().get(at), Some(b'[' | b']'));
            if at < end && bracket && self.grammar == Grammar::Rfc2396bis00 {
                at += 1;
            } else {
                return self.ends(end, at, "not allowed in an opaque part", rule);
            }
        }
    }

    /// The first segment of a path without scheme and authority.
    fn first_segment(&self) -> Result<(), Fault> {
        let Parts { path, query, .. } = self.parts;
        let rule = self.sections.relative;
        if self.grammar == Grammar::Rfc2396 && path.is_empty() && query.is_some() {
            let message = "a reference that has a query needs a path";
            return Err(self.fault(0, message, rule));
        }
        if path.starts_with(':') {
            let message = "a colon in the first segment reads as the end of a scheme";
            return Err(self.fault(0, message, rule));
        }
        let end = path.find('/').unwrap_or(path.len());
        self.run(
            0,
            end,
            PATH_TO_COLON,
            "not allowed in a path",
            self.sections.path,
        )
    }

    /// `server | reg_name`: why it is neither.
    fn authority(&self, authority: &str) -> Result<(), Fault> {
        let Err(fault) = self.server(authority) else {
            return Ok(());
        };
        // Brackets are for addresses, so what is wrong with the address is said.
        if self.grammar == Grammar::Rfc2396bis00 && authority.contains('[') {
            return Err(fault);
        }
        // `reg_name` has all that a path has but slashes, and there are none.
        let start = self.authority_start();
        let end = start + authority.len();
        let rule = self.sections.authority;
        self.run(start, end, PATH, "not allowed in an authority", rule)
    }

    /// `server`, called `site` in 1997: its components, or what is wrong with them.
    fn server(&self, authority: &'a str) -> Result<(Server<'a>, HostKind), Fault> {
        let rule = self.sections.server;
        let server = Server::split(authority);
        let start = self.authority_start();
        let mut host_start = start;
        if let Some(userinfo) = server.userinfo {
            host_start += userinfo.len() + "@".len();
            let password = match (self.grammar, userinfo.find(':')) {
                (Grammar::Url1997, Some(colon)) => Some(start + colon + 1),
                _ => None,
            };
            if let Some(password) = password {
                self.run(
                    start,
                    password - 1,
                    REG_NAME,
                    "not allowed in a user name",
                    rule,
                )?;
                self.run(
                    password,
                    host_start - 1,
                    REG_NAME,
                    "not allowed in a password",
                    rule,
                )?;
            } else {
                self.run(
                    start,
                    host_start - 1,
                    USERINFO,
                    "not allowed in userinfo",
                    rule,
                )?;
            }
        }
        let host_end = host_start + server.host.len();
        let kind = match HostKind::of(self.grammar, server.host) {
            Some(kind) => kind,
            // The whole server may be missing, but not the host alone.
            None if authority.is_empty() => HostKind::Name,
            None => {
                return Err(Fault {
                    start: host_start,
                    end: host_end,
                    message: "neither a host name nor an address",
                    rule,
                });
            }
        };
        let digits = |port: &str| port.bytes().position(|b| !b.is_ascii_digit());
        match server.port.and_then(digits) {
            Some(at) => Err(self.fault(host_end + 1 + at, "a port is made of digits", rule)),
            None => Ok((server, kind)),
        }
    }

    fn fragment(&self) -> Result<(), Fault> {
        let start = self.query_end();
        // Its own delimiter is not for it to judge.
        let start = start + usize::from(self.parts.fragment.is_some());
        let end = self.text.len();
        self.run(
            start,
            end,
            FRAGMENT,
            "not allowed in a fragment",
            self.sections.fragment,
        )
    }

    fn fault(&self, at: usize, message: &'static str, rule: &'static str) -> Fault {
        Fault::at(self.text, at, message, rule)
    }

    /// Demands `class` of all bytes but escapes, from `start` to `end`.
    fn run(
        &self,
        start: usize,
        end: usize,
        class: u8,
        message: &'static str,
        rule: &'static str,
    ) -> Result<(), Fault> {
        let at = self.skip(start, end, class)?;
        self.ends(end, at, message, rule)
    }

    /// Where what `class` allows ends, escapes included.
    fn skip(&self, mut at: usize, end: usize, class: u8) -> Result<usize, Fault> {
        let bytes = &self.text.as_bytes()[..end];
        while let Some(&byte) = bytes.get(at) {
            if CLASS[usize::from(byte)] & class != 0 {
                at += 1;
            } else if byte == b'%' {
                let digits = bytes.get(at + 1..at + 3).unwrap_or_default();
                if digits.len() < 2 || digits.iter().any(|&b| CLASS[usize::from(b)] & HEX == 0) {
                    let message = "two hexadecimal digits must follow a percent sign";
                    return Err(self.fault(at, message, self.sections.escape));
                }
                at += 3;
            } else {
                break;
            }
        }
        Ok(at)
    }

    /// That `at` is the end; else the character there is at fault.
    fn ends(
        &self,
        end: usize,
        at: usize,
        message: &'static str,
        rule: &'static str,
    ) -> Result<(), Fault> {
        if at == end {
            Ok(())
        } else {
            Err(self.fault(at, message, rule))
        }
    }
}
