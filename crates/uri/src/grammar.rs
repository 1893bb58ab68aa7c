//! The grammars of references.

use std::fmt;
use std::ops::Range;

use super::fault::Fault;
use super::host::HostSyntax;
use super::parts::Ends;
use super::rfc1738::{self, SchemeSpecific};
use super::rfc2396::{Checker, Edition};
use super::{Authority, HostKind, Parts, Profile, Server, syntax, whatwg};

/// A specification that defines the syntax of references.
///
/// | | new in it |
/// |---|---|
/// | RFC 1738 | a grammar for each of ten schemes; no relative references, no fragments, no `~` |
/// | draft of 1997 | a scheme may begin with a digit, `+`, `-` or `.`; userinfo is a user and a password |
/// | RFC 2396 | a path or opaque part must not be empty after a scheme or before a query; nearly any authority is a registry's name |
/// | rfc2396bis-00 | paths may be empty; IPv6 addresses; brackets in opaque parts |
/// | RFC 3986 | no opaque parts, no registries; future IP versions; a port is digits everywhere |
/// | RFC 3987 | characters outside ASCII |
///
/// Two oddities are kept to the letter. The draft of 1997 derives any text of allowed characters:
/// an invalid scheme (`a_b:c`) or site (`//a_b/`) is derived as a path or an opaque part; see
/// [`Parsed::component_error`]. rfc2396bis-00 has errors in its addresses (section 3.2.2): an octet
/// that begins with 1 may have any number of digits, `[::1:]` is an address, and six or more groups
/// before `::` are not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grammar {
    /// RFC 1738 (1994), section 5: absolute URLs. Ten schemes have separate grammars.
    Rfc1738,
    /// The draft of 1997, Appendix A: `URL-reference`.
    Url1997,
    /// RFC 2396 (1998), Appendix A: `URI-reference`.
    Rfc2396,
    /// The first draft (2002) of the revision of RFC 2396, Appendix A: `URI-reference`.
    Rfc2396bis00,
    /// RFC 3986 (2005), Appendix A: `URI-reference`. ASCII only.
    Rfc3986,
    /// RFC 3987 (2005), section 2.2: `IRI-reference`. Bidirectional formatting characters are
    /// allowed, as in the grammar; the prose of section 4.1 forbids them.
    Rfc3987,
    /// The WHATWG URL Standard: any text that its parser accepts. Relative references are parsed
    /// against a base whose scheme is `http`. Needs the cargo feature `whatwg`; rejects everything
    /// without it.
    Whatwg,
}

impl Grammar {
    /// Every grammar, oldest first.
    pub const ALL: &'static [Self] = &[
        Self::Rfc1738,
        Self::Url1997,
        Self::Rfc2396,
        Self::Rfc2396bis00,
        Self::Rfc3986,
        Self::Rfc3987,
        Self::Whatwg,
    ];

    /// The name used on the command line and in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rfc1738 => "rfc1738",
            Self::Url1997 => Profile::Url1997.as_str(),
            Self::Rfc2396 => Profile::Rfc2396.as_str(),
            Self::Rfc2396bis00 => Profile::Rfc2396bis00.as_str(),
            Self::Rfc3986 => Profile::Rfc3986.as_str(),
            Self::Rfc3987 => "rfc3987",
            Self::Whatwg => Profile::Whatwg.as_str(),
        }
    }

    /// Checks that `reference` is valid by this grammar. Linear.
    ///
    /// ```
    /// use rehref_uri::Grammar;
    ///
    /// let error = Grammar::Rfc2396.check("http://[::1]/").unwrap_err();
    /// assert_eq!((error.range(), error.rule()), (7..8, "RFC 2396, 3.2.1"));
    /// assert_eq!(error.accepted_by().next(), Some(Grammar::Rfc2396bis00));
    /// ```
    ///
    /// # Errors
    /// The first fault.
    pub fn check(self, reference: &str) -> Result<(), SyntaxError> {
        self.derives(reference).map_err(|fault| SyntaxError::new(self, fault, reference))
    }

    /// Splits `reference`, valid or not, and checks it. Linear.
    ///
    /// ```
    /// use rehref_uri::Grammar;
    ///
    /// let parsed = Grammar::Url1997.parse("ftp://foo:@host.com/a");
    /// let server = parsed.server().expect("a server");
    /// assert!(parsed.error.is_none());
    /// assert_eq!((server.user(), server.password()), (Some("foo"), Some("")));
    /// assert_eq!((server.host, server.port), ("host.com", None));
    /// ```
    pub fn parse(self, reference: &str) -> Parsed<'_> {
        let ends = Ends::split_verbatim(reference);
        let parts = ends.parts(reference);
        let (mut component_fault, mut scheme_specific) = (None, None);
        let mut before_rfc3986 = |edition| {
            let checker = Checker::new(edition, reference, ends);
            let fault = checker.check().err();
            if fault.is_none() {
                component_fault = checker.component_fault();
            }
            (fault, checker.derived_authority())
        };
        let (fault, authority) = match self {
            Self::Rfc1738 => match rfc1738::parse(reference) {
                Ok(specific) => {
                    scheme_specific = Some(specific);
                    let authority = parts.authority.filter(|_| specific.has_server());
                    let syntax = HostSyntax::Hostname { dot_may_end: false };
                    (None, authority.map(|it| server(it, syntax)))
                }
                Err(fault) => (Some(fault), None),
            },
            Self::Url1997 => before_rfc3986(Edition::Url1997),
            Self::Rfc2396 => before_rfc3986(Edition::Rfc2396),
            Self::Rfc2396bis00 => before_rfc3986(Edition::Rfc2396bis00),
            Self::Rfc3986 | Self::Rfc3987 => {
                let fault = self.derives(reference).err();
                // The authority may be valid although another component is not.
                let derived = fault.is_none() || self.derives(ends.net_path(reference)).is_ok();
                let authority = parts.authority.filter(|_| derived);
                (fault, authority.map(|it| server(it, HostSyntax::Rfc3986)))
            }
            Self::Whatwg => match whatwg::host_kind(reference) {
                Ok(host_kind) => {
                    let server = parts.authority.map(Server::split);
                    let authority = server.map(|server| Authority::Server { server, host_kind });
                    (None, authority)
                }
                Err(fault) => (Some(fault), None),
            },
        };
        let error = |fault| SyntaxError::new(self, fault, reference);
        Parsed {
            grammar: self,
            parts,
            authority,
            error: fault.map(error),
            component_error: component_fault.map(error),
            scheme_specific,
        }
    }

    /// Checks that `reference` is valid by this grammar.
    pub(super) fn derives(self, reference: &str) -> Result<(), Fault> {
        match self {
            Self::Rfc1738 => rfc1738::parse(reference).map(drop),
            Self::Url1997 => derives_by(Edition::Url1997, reference),
            Self::Rfc2396 => derives_by(Edition::Rfc2396, reference),
            Self::Rfc2396bis00 => derives_by(Edition::Rfc2396bis00, reference),
            Self::Rfc3986 => {
                let derived = syntax::parse(reference).map(drop);
                let Some(outside) = reference.bytes().position(|b| !b.is_ascii()) else {
                    return derived;
                };
                match derived {
                    Err(fault) if fault.start < outside => Err(fault),
                    _ => {
                        let message = "a character outside ASCII, as only IRIs have";
                        Err(Fault::at(reference, outside, message, "RFC 3986, 2"))
                    }
                }
            }
            Self::Rfc3987 => syntax::parse(reference).map(drop),
            Self::Whatwg => whatwg::host_kind(reference).map(drop),
        }
    }
}

/// Splits a valid authority that is a server.
fn server(authority: &str, syntax: HostSyntax) -> Authority<'_> {
    let server = Server::split(authority);
    // The host of a `file` URL may be empty, and then it is not a `hostname`.
    let host_kind = HostKind::of(server.host, syntax).unwrap_or(HostKind::Name);
    Authority::Server { server, host_kind }
}

fn derives_by(edition: Edition, reference: &str) -> Result<(), Fault> {
    Checker::new(edition, reference, Ends::split_verbatim(reference)).check()
}

/// A reference as a grammar reads it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Parsed<'a> {
    /// The grammar.
    pub grammar: Grammar,
    /// The components by the regular expression of Appendix B, valid or not.
    pub parts: Parts<'a>,
    /// The authority as the grammar reads it. `None` if undefined or not allowed.
    pub authority: Option<Authority<'a>>,
    /// The error if the reference is invalid.
    pub error: Option<SyntaxError>,
    /// The error of a component that breaks the rule of the component although the grammar derives
    /// the reference in another way. Only under [`Grammar::Url1997`].
    pub component_error: Option<SyntaxError>,
    /// The scheme-specific components of a valid URL. Only under [`Grammar::Rfc1738`].
    pub scheme_specific: Option<SchemeSpecific<'a>>,
}

/// A syntax error in a reference: the bytes at fault, the rule they break, and the other grammars
/// that accept the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError(Box<InvalidText>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct InvalidText {
    fault: Fault,
    grammar: Grammar,
    /// The text, for [`SyntaxError::accepted_by`], which checks by other grammars on demand.
    text: String,
}

impl SyntaxError {
    /// An error for `fault` of `text` under `grammar`.
    #[cold]
    pub(super) fn new(grammar: Grammar, fault: Fault, text: &str) -> Self {
        Self(Box::new(InvalidText { fault, grammar, text: text.to_owned() }))
    }

    /// The bytes at fault, as byte offsets. Empty if something is missing at that offset.
    pub fn range(&self) -> Range<usize> {
        self.0.fault.start..self.0.fault.end
    }

    /// The problem, for people.
    pub fn message(&self) -> &'static str {
        self.0.fault.message
    }

    /// The specification and section with the rule, such as `RFC 3986, 3.2.2`.
    pub fn rule(&self) -> &'static str {
        self.0.fault.rule
    }

    /// The grammar that the text was checked by.
    pub fn grammar(&self) -> Grammar {
        self.0.grammar
    }

    /// The grammars that accept the same text, oldest first. Checks by each grammar on demand.
    pub fn accepted_by(&self) -> impl Iterator<Item = Grammar> {
        let InvalidText { grammar, text, .. } = &*self.0;
        let all = Grammar::ALL.iter().copied();
        all.filter(move |other| other != grammar && other.derives(text).is_ok())
    }
}

/// For example `byte 8, " ": not allowed in a path (RFC 3986, 3.3); accepted by whatwg`.
impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InvalidText { fault, text, .. } = &*self.0;
        write!(f, "byte {}", fault.start)?;
        match text.get(self.range()) {
            None | Some("") => {}
            Some(at_fault) => write!(f, ", {at_fault:?}")?,
        }
        write!(f, ": {} ({})", fault.message, fault.rule)?;
        for (i, grammar) in self.accepted_by().enumerate() {
            let between = if i == 0 { "; accepted by" } else { "," };
            write!(f, "{between} {grammar}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SyntaxError {}

impl<'a> Parsed<'a> {
    /// Returns true if the reference is valid by the grammar.
    pub fn is_valid(&self) -> bool {
        self.error.is_none()
    }

    /// The components of the authority, if it is a server.
    pub fn server(&self) -> Option<Server<'a>> {
        match self.authority? {
            Authority::Server { server, .. } => Some(server),
            Authority::RegistryName => None,
        }
    }
}

impl From<Profile> for Grammar {
    fn from(profile: Profile) -> Self {
        match profile {
            Profile::Url1997 => Self::Url1997,
            Profile::Rfc2396 => Self::Rfc2396,
            Profile::Rfc2396bis00 => Self::Rfc2396bis00,
            Profile::Rfc3986 => Self::Rfc3986,
            Profile::Whatwg => Self::Whatwg,
        }
    }
}

crate::from_name!(Grammar);

impl fmt::Display for Grammar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
